//! The address of a server, or the link to a table of it.

use std::str::FromStr;

/// A server, and perhaps a table of it with the key of a seat,
/// `http://127.0.0.1:8080/#room=ROOM&key=KEY`, or the key of a team in an event of it,
/// `http://127.0.0.1:8080/#team=KEY`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableLink {
    /// The server as it was written, for messages.
    pub server: String,
    /// Its name or address.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// Whether the connection is encrypted.
    pub is_encrypted: bool,
    /// The table.
    pub room: Option<String>,
    /// The key.
    pub key: Option<String>,
    /// The key of a team in an event.
    pub team: Option<String>,
}

impl TableLink {
    /// Whether a word is meant as an address, rather than an engine's id.
    pub fn is_meant(text: &str) -> bool {
        ["http://", "https://", "ws://", "wss://"].iter().any(|scheme| text.starts_with(scheme))
    }

    /// The address of a server as links to it begin. It is at the root of its host, which a page
    /// can be opened from.
    ///
    /// # Errors
    /// When it is none, or something else is in it.
    pub fn server_alone(text: &str) -> Result<String, String> {
        let link: TableLink = text.parse()?;
        let expected = "expected http:// or https://, the host and perhaps its port alone";
        if !link.server.starts_with("http") {
            return Err(format!("a link for teams cannot begin like that; {expected}"));
        }
        match text.strip_prefix(&link.server) {
            Some("" | "/") => Ok(link.server),
            rest => Err(format!("`{}` is no part of it; {expected}", rest.unwrap_or(text))),
        }
    }

    /// The host and the port as they stand in an address.
    pub(super) fn authority(&self) -> String {
        match self.host.contains(':') {
            true => format!("[{}]:{}", self.host, self.port),
            false => format!("{}:{}", self.host, self.port),
        }
    }
}

impl FromStr for TableLink {
    type Err = String;

    fn from_str(text: &str) -> Result<TableLink, String> {
        let wrong = |problem: &str| {
            format!("{text}: {problem}; expected an address such as http://127.0.0.1:8080/")
        };
        let (scheme, rest) = text.split_once("://").ok_or_else(|| wrong("no scheme"))?;
        let is_encrypted = match scheme {
            "http" | "ws" => false,
            "https" | "wss" => true,
            _ => return Err(wrong("an unknown scheme")),
        };
        let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
        let authority = rest.split('/').next().unwrap_or_default();
        let usual = if is_encrypted { 443 } else { 80 };
        let number = |port: &str| port.parse().map_err(|_| wrong("the port is no number"));
        let (host, port) = match authority.strip_prefix('[') {
            Some(rest) => {
                let (host, port) = rest.split_once(']').ok_or_else(|| wrong("no `]`"))?;
                (host, port.strip_prefix(':').map_or(Ok(usual), number)?)
            }
            None => match authority.rsplit_once(':') {
                Some((host, port)) => (host, number(port)?),
                None => (authority, usual),
            },
        };
        if host.is_empty() {
            return Err(wrong("no host"));
        }
        let (mut room, mut key, mut team) = (None, None, None);
        for pair in fragment.trim_start_matches('/').split('&').filter(|pair| !pair.is_empty()) {
            match pair.split_once('=') {
                Some(("room", value)) => room = Some(value.to_owned()),
                Some(("key", value)) => key = Some(value.to_owned()),
                Some(("team", value)) => team = Some(value.to_owned()),
                _ => return Err(wrong("an unknown part after `#`")),
            }
        }
        let server = format!("{scheme}://{authority}");
        Ok(TableLink { server, host: host.to_owned(), port, is_encrypted, room, key, team })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_names_a_server_and_perhaps_a_table() {
        let link: TableLink = "http://127.0.0.1:8080/#room=ab&key=c-d_e".parse().unwrap();
        assert_eq!((link.host.as_str(), link.port, link.is_encrypted), ("127.0.0.1", 8080, false));
        assert_eq!((link.room.as_deref(), link.key.as_deref()), (Some("ab"), Some("c-d_e")));
        let link: TableLink = "wss://example.org".parse().unwrap();
        assert_eq!((link.port, link.is_encrypted, link.room), (443, true, None));
        let link: TableLink = "https://[::1]:8443/x".parse().unwrap();
        assert_eq!((link.host.as_str(), link.authority().as_str()), ("::1", "[::1]:8443"));
        let link: TableLink = "http://127.0.0.1:8080/#team=c-d_e".parse().unwrap();
        assert_eq!((link.team.as_deref(), link.room, link.key), (Some("c-d_e"), None, None));
        for (right, server) in [
            ("https://cup.example.org", "https://cup.example.org"),
            ("http://[::1]:8080/", "http://[::1]:8080"),
        ] {
            assert_eq!(TableLink::server_alone(right).as_deref(), Ok(server));
        }
        for (wrong, word) in [
            ("https://host/cup", "/cup"),
            ("https://host/#team=x", "#team=x"),
            ("https://host#", "#"),
            ("wss://host", "https://"),
            ("host", "no scheme"),
        ] {
            let problem = TableLink::server_alone(wrong).unwrap_err();
            assert!(problem.contains(word), "{wrong}: {problem}");
        }
        for wrong in ["greedy", "ftp://a", "http://", "http://a:b", "http://[::1", "http://a#b=c"] {
            assert!(wrong.parse::<TableLink>().is_err(), "{wrong}");
        }
    }
}
