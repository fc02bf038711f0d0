//! Where a server in this window listens, as it is typed.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::TableAddress;

/// Where a server in this window is to listen, and how others reach it. The values may be invalid;
/// [`ListenForm::check`] says whether they can be used.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct ListenForm {
    /// The address to listen at.
    pub address: String,
    /// The port to listen at.
    pub port: u16,
    /// The name or address that links to hand on have; empty is this computer's own.
    pub shown: String,
    /// The files of the certificate and of its key; empty is no encryption.
    pub certificate: String,
    /// The file of the certificate's key.
    pub key: String,
}

/// Where a server in this window listens, and how others reach it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListenTerms {
    /// Where to listen; port 0 is any that is free.
    pub address: SocketAddr,
    /// The host for links to hand on, with a port where another one than its own leads there; none
    /// is this computer's address.
    pub shown: Option<String>,
    /// The files of a certificate and its key; none is no encryption.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

/// Why a server cannot listen there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ListenFormProblem {
    /// It is no address.
    Address,
    /// It is no name or address for links.
    Shown,
    /// A certificate comes without its key, or a key without its certificate.
    Certificate,
}

impl Default for ListenForm {
    fn default() -> ListenForm {
        ListenForm {
            address: Ipv4Addr::LOCALHOST.to_string(),
            port: 8080,
            shown: String::new(),
            certificate: String::new(),
            key: String::new(),
        }
    }
}

impl ListenForm {
    /// Where it is to listen.
    ///
    /// # Errors
    /// What is wrong with the values.
    pub fn check(&self) -> Result<ListenTerms, ListenFormProblem> {
        let address = self.ip().ok_or(ListenFormProblem::Address)?;
        let certificate = match (self.certificate.trim(), self.key.trim()) {
            ("", "") => None,
            ("", _) | (_, "") => return Err(ListenFormProblem::Certificate),
            (certificate, key) => Some((certificate.into(), key.into())),
        };
        let address = SocketAddr::new(address, self.port);
        Ok(ListenTerms { address, shown: self.shown_host()?, certificate })
    }

    /// The host of links to hand on, where one is typed.
    fn shown_host(&self) -> Result<Option<String>, ListenFormProblem> {
        let text = self.shown.trim();
        if text.is_empty() {
            return Ok(None);
        }
        let is_host = !text.contains(['/', '#', '?']) && text.parse::<TableAddress>().is_ok();
        is_host.then(|| Some(text.to_owned())).ok_or(ListenFormProblem::Shown)
    }

    fn ip(&self) -> Option<IpAddr> {
        self.address.trim().trim_matches(['[', ']']).parse().ok()
    }

    /// Whether others than those at this computer can come.
    pub fn is_reachable(&self) -> bool {
        self.ip().is_some_and(|address| !address.is_loopback())
    }
}

impl ListenTerms {
    /// Where others reach a server that listens at `own`.
    pub fn address_for_others(&self, own: SocketAddr) -> TableAddress {
        let host = self.shown.clone().unwrap_or_else(|| own.to_string());
        TableAddress::of_server(&host, own.port(), self.certificate.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_has_a_certificate_and_a_name_where_they_are_typed() {
        let text = |text: &str| text.to_owned();
        let terms = ListenForm::default().check().unwrap();
        assert_eq!(terms.address.to_string(), "127.0.0.1:8080");
        assert_eq!((terms.shown, terms.certificate), (None, None));
        let form = ListenForm {
            shown: text(" play.example.org "),
            certificate: text("cert.pem"),
            key: text("key.pem"),
            ..ListenForm::default()
        };
        let terms = form.check().unwrap();
        assert_eq!(terms.shown.as_deref(), Some("play.example.org"));
        assert_eq!(terms.certificate, Some(("cert.pem".into(), "key.pem".into())));
        let problem = |change: fn(&mut ListenForm)| {
            let mut form = form.clone();
            change(&mut form);
            form.check().unwrap_err()
        };
        assert_eq!(problem(|form| form.key.clear()), ListenFormProblem::Certificate);
        assert_eq!(problem(|form| form.certificate.clear()), ListenFormProblem::Certificate);
        assert_eq!(problem(|form| form.shown = "a b".to_owned()), ListenFormProblem::Shown);
        assert_eq!(problem(|form| form.shown = "http://a/".to_owned()), ListenFormProblem::Shown);
    }

    #[test]
    fn an_address_that_is_none_is_named_and_one_for_all_is_known() {
        let form =
            |address: &str| ListenForm { address: address.to_owned(), ..ListenForm::default() };
        assert_eq!(form("here").check(), Err(ListenFormProblem::Address));
        let reachable = ["0.0.0.0", "::", "192.168.1.7"].map(|text| form(text).is_reachable());
        assert_eq!(reachable, [true; 3]);
        assert!(!form("127.0.0.1").is_reachable() && !form("[::1]").is_reachable());
    }
}
