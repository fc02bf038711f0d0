//! Where a server is, and what a link to a table or an event says.

use std::str::FromStr;

/// The address of a server, with a table and a key where a link names them:
/// `http://127.0.0.1:8080/#table=ID&key=KEY`, or `http://127.0.0.1:8080/#team=KEY` for a remote
/// engine of the event there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableAddress {
    /// Whether the connection is encrypted.
    pub is_secure: bool,
    /// The host, and its port where one was named: `127.0.0.1:8080`.
    pub host: String,
    pub table: Option<String>,
    /// What the client may do there.
    pub key: Option<String>,
    /// The key of a remote engine of the event that is there, in place of a table.
    pub team: Option<String>,
}

/// The port where neither the address nor a scheme names one.
const USUAL_PORT: u16 = 8080;

impl TableAddress {
    /// The address of a server as links to it begin. It is at the root of its host, which a page
    /// can be opened from.
    ///
    /// # Errors
    /// When it is none, or something else is in it.
    pub fn server_alone(text: &str) -> Result<String, String> {
        let expected = "expected http:// or https://, the host and perhaps its port alone";
        let address: TableAddress = text.parse()?;
        let server = address.server();
        if !["http://", "https://"].iter().any(|scheme| text.starts_with(scheme)) {
            return Err(format!("{text}: a link for remote engines cannot begin so; {expected}"));
        }
        match text.strip_prefix(&server) {
            Some("" | "/") => Ok(server),
            rest => Err(format!("`{}` is no part of it; {expected}", rest.unwrap_or(text))),
        }
    }

    /// A server at that host, with that port where the host names none.
    pub fn of_server(host: &str, port: u16, is_secure: bool) -> TableAddress {
        let has_port = host.rsplit_once(']').map_or(host, |(_, after)| after).contains(':');
        let host = if has_port { host.to_owned() } else { format!("{host}:{port}") };
        TableAddress { is_secure, host, table: None, key: None, team: None }
    }

    /// The server alone, for messages and as links to it begin.
    pub fn server(&self) -> String {
        format!("{}://{}", if self.is_secure { "https" } else { "http" }, self.host)
    }

    /// Where its WebSocket for that path is.
    pub fn socket(&self, path: &str) -> String {
        format!("{}://{}{path}", if self.is_secure { "wss" } else { "ws" }, self.host)
    }

    /// The name of the host without brackets, and the port.
    pub fn place(&self) -> (&str, u16) {
        let usual = if self.is_secure { 443 } else { 80 };
        let split = split_host(&self.host).unwrap_or((&self.host, None));
        (split.0, split.1.unwrap_or(usual))
    }

    /// The link, as it is handed on.
    pub fn text(&self) -> String {
        let mut text = format!("{}/", self.server());
        if let Some(team) = &self.team {
            text.push_str(&format!("#team={team}"));
        } else if let Some(table) = &self.table {
            text.push_str(&format!("#table={table}"));
            if let Some(key) = &self.key {
                text.push_str(&format!("&key={key}"));
            }
        }
        text
    }

    /// A link to a table of the same server.
    pub fn to_table(&self, table: &str, key: Option<&str>) -> TableAddress {
        TableAddress {
            table: Some(table.to_owned()),
            key: key.map(str::to_owned),
            team: None,
            ..TableAddress::clone(self)
        }
    }
}

impl FromStr for TableAddress {
    type Err = String;

    /// Reads an address or a link: `127.0.0.1:8080`, `http://host:8080/#table=ID&key=KEY`.
    fn from_str(text: &str) -> Result<TableAddress, String> {
        let text = text.trim();
        let wrong = |problem: &str| {
            format!("{text}: {problem}; expected an address such as http://127.0.0.1:8080/")
        };
        let (scheme, rest) = text.split_once("://").unwrap_or(("", text));
        let is_secure = match scheme.to_ascii_lowercase().as_str() {
            "" | "http" | "ws" => false,
            "https" | "wss" => true,
            _ => return Err(wrong("an unknown scheme")),
        };
        let (place, hash) = rest.split_once('#').unwrap_or((rest, ""));
        let host = place.split(['/', '?']).next().unwrap_or_default();
        let is_plain = |sign: char| sign.is_ascii_alphanumeric() || ".-_:[]".contains(sign);
        if host.is_empty() || !host.chars().all(is_plain) {
            return Err(wrong("no host"));
        }
        let (_, port) = split_host(host).ok_or_else(|| wrong("the host or its port is none"))?;
        let host = match port {
            None if scheme.is_empty() => format!("{host}:{USUAL_PORT}"),
            // The name of a scheme stands for its port.
            _ => host.to_owned(),
        };
        let (mut table, mut key, mut team) = (None, None, None);
        for pair in hash.trim_start_matches('/').split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let part = match name {
                // Links that people have already name a room.
                "table" | "room" => &mut table,
                "key" => &mut key,
                "team" => &mut team,
                _ => return Err(wrong("an unknown part after `#`")),
            };
            if value.is_empty() && name == "team" {
                return Err(wrong("the key of the link is missing"));
            }
            *part = Some(value.to_owned()).filter(|value| !value.is_empty());
        }
        Ok(TableAddress { is_secure, host, table, key, team })
    }
}

/// The name of a host without brackets, and its port where it names one. An IPv6 address has colons
/// of its own, and stands in brackets.
fn split_host(host: &str) -> Option<(&str, Option<u16>)> {
    let (name, after) = match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?,
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    if name.is_empty() || name.contains(['[', ']']) {
        return None;
    }
    match after.strip_prefix(':') {
        Some(port) => Some((name, Some(port.parse().ok()?))),
        None if after.is_empty() => Some((name, None)),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_links_are_read() {
        let read = |text: &str| text.parse::<TableAddress>().unwrap();
        assert_eq!(read("127.0.0.1").socket("/play"), "ws://127.0.0.1:8080/play");
        assert_eq!(read(" [::1]:90 ").socket("/play"), "ws://[::1]:90/play");
        assert_eq!(
            (read("[::1]").host.as_str(), read("[::1]").place()),
            ("[::1]:8080", ("::1", 8080))
        );
        assert_eq!(read("https://play.example/").socket("/play"), "wss://play.example/play");
        assert_eq!(read("wss://play.example").place(), ("play.example", 443));
        assert_eq!(read("https://[::1]:8443/x").place(), ("::1", 8443));
        let link = read("http://127.0.0.1:8081/#table=abc&key=k_-1");
        assert_eq!((link.table.as_deref(), link.key.as_deref()), (Some("abc"), Some("k_-1")));
        assert_eq!(link.text(), "http://127.0.0.1:8081/#table=abc&key=k_-1");
        assert_eq!(read("http://127.0.0.1:8081/#room=abc&key=k_-1"), link);
        assert_eq!(link.to_table("x", None).text(), "http://127.0.0.1:8081/#table=x");
        let team = read("https://cup.example.org/#team=k_-1");
        assert_eq!((team.team.as_deref(), &team.table), (Some("k_-1"), &None));
        assert_eq!(team.text(), "https://cup.example.org/#team=k_-1");
        for (host, whole) in [("a.org", "a.org:81"), ("a.org:9", "a.org:9"), ("[::1]", "[::1]:81")]
        {
            assert_eq!(TableAddress::of_server(host, 81, true).host, whole);
        }
        for nonsense in [
            "",
            "ftp://there",
            "a b",
            "host:port",
            "http:///#table=a",
            "1:2:99999",
            "http://",
            "http://a#b=c",
            // An IPv6 address without brackets, and what looks like a host.
            "::1",
            "fe80::1:8080",
            "1:2:80",
            ":80",
            "[::1",
            "[]:80",
            "[::1]80",
            "a]b",
        ] {
            assert!(nonsense.parse::<TableAddress>().is_err(), "{nonsense}");
        }
    }

    #[test]
    fn the_address_of_a_server_has_nothing_else_in_it() {
        for (right, server) in [
            ("https://cup.example.org", "https://cup.example.org"),
            ("http://[::1]:8080/", "http://[::1]:8080"),
        ] {
            assert_eq!(TableAddress::server_alone(right).as_deref(), Ok(server));
        }
        for (wrong, word) in [
            ("https://host/cup", "/cup"),
            ("https://host/#team=x", "#team=x"),
            ("https://host#", "#"),
            ("wss://host", "https://"),
            ("host", "https://"),
        ] {
            let problem = TableAddress::server_alone(wrong).unwrap_err();
            assert!(problem.contains(word), "{wrong}: {problem}");
        }
    }
}
