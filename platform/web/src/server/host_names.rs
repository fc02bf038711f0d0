//! The names that a server answers to.
//!
//! A stranger's page cannot read what is on another machine, but it can give its own host name that
//! machine's address (DNS rebinding), and a browser then takes both for the same host. Such a
//! request still has the stranger's name in it: a server that answers only to its own names is not
//! fooled.

use std::net::IpAddr;
use std::str::FromStr;

use axum::http::header::HOST;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use rustls::pki_types::{CertificateDer, ServerName};

/// A name or an address that a server is called by, without a port.
///
/// ```
/// use tengen_web::HostName;
/// let name: HostName = "Cup.Example.org.".parse()?;
/// assert_eq!(name.to_string(), "cup.example.org");
/// assert!("https://cup.example.org".parse::<HostName>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HostName {
    /// An address, whichever way it was written.
    Address(IpAddr),
    /// A name in small letters, without a dot at its end.
    Name(String),
}

impl HostName {
    /// The longest name, as DNS has it.
    const LONGEST: usize = 253;

    /// The host of an address with a port or without: `here:8080`, `[::1]:8080`.
    pub fn of_authority(authority: &str) -> Option<HostName> {
        let (host, port) = match authority.strip_prefix('[') {
            Some(rest) => {
                let (inside, after) = rest.split_once(']')?;
                return inside.parse().ok().filter(|_| is_port(after)).map(HostName::v6);
            }
            None => authority.split_once(':').unwrap_or((authority, "")),
        };
        let has_port = authority.len() > host.len();
        let is_fine = !has_port || port.bytes().all(|byte| byte.is_ascii_digit());
        host.parse::<HostName>().ok().filter(|name| is_fine && !name.is_v6())
    }

    fn v6(address: std::net::Ipv6Addr) -> HostName {
        HostName::Address(IpAddr::V6(address).to_canonical())
    }

    fn is_v6(&self) -> bool {
        matches!(self, HostName::Address(IpAddr::V6(_)))
    }

    /// Whether only this machine is called so.
    fn is_local(&self) -> bool {
        match self {
            HostName::Address(address) => address.is_loopback(),
            HostName::Name(name) => name == "localhost",
        }
    }
}

/// Whether nothing is there, or a port.
fn is_port(text: &str) -> bool {
    text.is_empty()
        || text.strip_prefix(':').is_some_and(|port| port.bytes().all(|byte| byte.is_ascii_digit()))
}

impl FromStr for HostName {
    type Err = String;

    fn from_str(text: &str) -> Result<HostName, String> {
        let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
        if let Ok(address) = bare.parse::<IpAddr>() {
            return Ok(HostName::Address(address.to_canonical()));
        }
        let name = text.strip_suffix('.').unwrap_or(text).to_ascii_lowercase();
        let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        if name.is_empty() || name.len() > HostName::LONGEST || !name.bytes().all(is_sign) {
            return Err(
                "expected a name or an address without a port, as in cup.example.org".into()
            );
        }
        Ok(HostName::Name(name))
    }
}

impl std::fmt::Display for HostName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            HostName::Address(address) => address.fmt(f),
            HostName::Name(name) => f.write_str(name),
        }
    }
}

/// Why a request is not answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RequestRefusal {
    pub status: StatusCode,
    pub problem: String,
}

/// The names that a server answers to: those it was given, the host of its certificate, this
/// machine's own, and the address that a connection came to.
#[derive(Clone, Debug, Default)]
pub(super) struct HostNames {
    pub given: Vec<HostName>,
    pub certificate: Option<CertificateDer<'static>>,
}

/// What a proxy says of the host that it was asked for.
const FORWARDED_HOST: &str = "x-forwarded-host";

impl HostNames {
    /// Whether a request that came to this address is for this server. What a proxy says of the
    /// host counts if it `is_forwarded`, and has to be one of the names too; it is given then.
    pub fn check(
        &self,
        uri: &Uri,
        headers: &HeaderMap,
        came_to: IpAddr,
        is_forwarded: bool,
    ) -> Result<Option<HeaderValue>, RequestRefusal> {
        let mut hosts = headers.get_all(HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else {
            let problem = "a request has to say in one Host header, and only one, which server it \
                           is for";
            return Err(RequestRefusal {
                status: StatusCode::BAD_REQUEST,
                problem: problem.to_owned(),
            });
        };
        self.check_one(host.to_str().unwrap_or_default(), came_to)?;
        // A target that names a host stands above the header (RFC 9112, 3.2.2).
        if let Some(authority) = uri.authority() {
            self.check_one(authority.as_str(), came_to)?;
        }
        let mut forwarded = None;
        if is_forwarded {
            for value in headers.get_all(FORWARDED_HOST) {
                for host in value.to_str().unwrap_or_default().split(',') {
                    self.check_one(host.trim(), came_to)?;
                }
                forwarded = Some(value.clone());
            }
        }
        Ok(forwarded)
    }

    fn check_one(&self, authority: &str, came_to: IpAddr) -> Result<HostName, RequestRefusal> {
        let Some(host) = HostName::of_authority(authority) else {
            let problem = "the request names no host that could be one".to_owned();
            return Err(RequestRefusal { status: StatusCode::BAD_REQUEST, problem });
        };
        let is_own = host.is_local()
            || host == HostName::Address(came_to.to_canonical())
            || self.given.contains(&host)
            || self.is_certified(&host);
        if is_own {
            return Ok(host);
        }
        let problem = format!(
            "this server is not known as {host}. If it is yours, start it with --host-name {host}"
        );
        Err(RequestRefusal { status: StatusCode::MISDIRECTED_REQUEST, problem })
    }

    /// Whether the server's certificate is for that host.
    fn is_certified(&self, host: &HostName) -> bool {
        let Some(certificate) = &self.certificate else { return false };
        let Ok(name) = ServerName::try_from(host.to_string()) else { return false };
        let parsed = rustls::server::ParsedCertificate::try_from(certificate);
        parsed.is_ok_and(|parsed| rustls::client::verify_server_name(&parsed, &name).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: &str = "192.0.2.7";

    fn ask(hosts: &[&str], target: &str, forwarded: Option<&str>) -> Result<(), u16> {
        let given = vec!["cup.example.org".parse().unwrap(), "2001:db8::5".parse().unwrap()];
        let names = HostNames { given, certificate: None };
        let mut headers = HeaderMap::new();
        for host in hosts {
            headers.append(HOST, HeaderValue::from_str(host).unwrap());
        }
        if let Some(host) = forwarded {
            headers.append(FORWARDED_HOST, HeaderValue::from_str(host).unwrap());
        }
        let uri: Uri = target.parse().unwrap();
        let checked = names.check(&uri, &headers, HERE.parse().unwrap(), true);
        checked.map(|_| ()).map_err(|refusal| refusal.status.as_u16())
    }

    #[test]
    fn a_server_answers_to_its_names_alone() {
        for own in [
            "cup.example.org",
            "CUP.example.ORG.:8080",
            "localhost",
            "LocalHost:1",
            "127.0.0.1:8080",
            "127.9.9.9",
            "[::1]",
            "[::1]:80",
            "[2001:DB8:0::5]:80",
            "192.0.2.7:8080",
            "[::ffff:192.0.2.7]:8080",
        ] {
            assert_eq!(ask(&[own], "/", None), Ok(()), "{own}");
        }
        for other in [
            "evil.example",
            "cup.example.org.evil.example",
            "evil-cup.example.org",
            "localhost.evil.example",
            "192.0.2.8",
            "[2001:db8::6]",
        ] {
            assert_eq!(ask(&[other], "/", None), Err(421), "{other}");
        }
        for none in [
            "",
            ":8080",
            "cup.example.org:x",
            "cup.example.org:8080:1",
            "a b",
            "user@localhost",
            "[::1",
            "[::1]x",
            "::1",
            "localhost,evil.example",
            "localhost/",
        ] {
            assert_eq!(ask(&[none], "/", None), Err(400), "{none:?}");
        }
        assert_eq!(ask(&[], "/", None), Err(400), "none");
        assert_eq!(ask(&["localhost", "localhost"], "/", None), Err(400), "two");
    }

    #[test]
    fn a_target_and_a_proxy_name_a_host_too() {
        assert_eq!(ask(&["localhost"], "http://localhost:80/", None), Ok(()));
        assert_eq!(ask(&["localhost"], "http://evil.example/", None), Err(421));
        assert_eq!(ask(&["evil.example"], "http://localhost/", None), Err(421));
        assert_eq!(ask(&["localhost"], "/", Some("cup.example.org")), Ok(()));
        assert_eq!(ask(&["localhost"], "/", Some("cup.example.org, evil.example")), Err(421));
        assert_eq!(ask(&["evil.example"], "/", Some("cup.example.org")), Err(421));
    }

    #[test]
    fn the_host_of_a_certificate_is_a_name() {
        let pair = rcgen::generate_simple_self_signed(["cup.example.org".to_owned()]).unwrap();
        let names = HostNames { given: Vec::new(), certificate: Some(pair.cert.der().clone()) };
        let here = HERE.parse().unwrap();
        assert!(names.check_one("cup.example.org:8443", here).is_ok());
        assert!(names.check_one("evil.example", here).is_err());
    }
}
