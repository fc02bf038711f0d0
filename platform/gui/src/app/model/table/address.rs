//! Where a server of tables is, and what a link to a table says.

/// The address of a server, with a table and a key where a link names them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableAddress {
    /// Whether the connection is encrypted.
    pub is_secure: bool,
    /// The host and its port: `127.0.0.1:8080`.
    pub host: String,
    /// The table.
    pub room: Option<String>,
    /// What one may do there.
    pub key: Option<String>,
    /// The key of a team of the event that is there, in place of a table.
    pub team: Option<String>,
}

/// The port where an address names none.
const USUAL_PORT: u16 = 8080;

impl TableAddress {
    /// Reads an address or a link: `127.0.0.1:8080`, `http://host:8080/#room=ROOM&key=KEY`.
    ///
    /// # Errors
    /// When it is neither.
    pub fn read(text: &str) -> Option<TableAddress> {
        let text = text.trim();
        let (scheme, rest) = text.split_once("://").unwrap_or(("", text));
        let is_secure = match scheme.to_ascii_lowercase().as_str() {
            "" | "http" | "ws" => false,
            "https" | "wss" => true,
            _ => return None,
        };
        let (place, hash) = rest.split_once('#').unwrap_or((rest, ""));
        let host = place.split(['/', '?']).next().unwrap_or_default();
        let is_plain = |sign: char| sign.is_ascii_alphanumeric() || ".-_:[]".contains(sign);
        if host.is_empty() || !host.chars().all(is_plain) {
            return None;
        }
        let value = |name: &str| {
            let pairs = hash.split('&').filter_map(|pair| pair.split_once('='));
            let mut values = pairs.filter(|(key, _)| *key == name).map(|(_, value)| value);
            values.next().filter(|value| !value.is_empty()).map(str::to_owned)
        };
        Some(TableAddress {
            is_secure,
            host: with_port(host, scheme)?,
            room: value("room"),
            key: value("key"),
            team: value("team"),
        })
    }

    /// A server at that host, with that port where the host names none.
    #[cfg(feature = "serve")]
    pub(in crate::app) fn of_server(host: &str, port: u16, is_secure: bool) -> TableAddress {
        let host = match has_port(host) {
            true => host.to_owned(),
            false => format!("{host}:{port}"),
        };
        TableAddress { is_secure, host, room: None, key: None, team: None }
    }

    /// Where its WebSocket is.
    pub fn socket(&self) -> String {
        format!("{}://{}/play", if self.is_secure { "wss" } else { "ws" }, self.host)
    }

    /// The link, as it is handed on.
    pub fn text(&self) -> String {
        let mut text =
            format!("{}://{}/", if self.is_secure { "https" } else { "http" }, self.host);
        if let Some(team) = &self.team {
            text.push_str(&format!("#team={team}"));
        } else if let Some(room) = &self.room {
            text.push_str(&format!("#room={room}"));
            if let Some(key) = &self.key {
                text.push_str(&format!("&key={key}"));
            }
        }
        text
    }

    /// A link to a table of the same server.
    pub fn to_room(&self, room: &str, key: Option<&str>) -> TableAddress {
        TableAddress {
            room: Some(room.to_owned()),
            key: key.map(str::to_owned),
            team: None,
            ..TableAddress::clone(self)
        }
    }
}

/// Whether a host names its port.
#[cfg(feature = "serve")]
fn has_port(host: &str) -> bool {
    host.rsplit_once(']').map_or(host, |(_, after)| after).contains(':')
}

/// The host with its port: the usual one, or that of the scheme where one was named.
fn with_port(host: &str, scheme: &str) -> Option<String> {
    // An IPv6 address has colons of its own, and stands in brackets.
    let (name, after) = match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?,
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    if name.is_empty() || name.contains(['[', ']']) {
        return None;
    }
    match after.strip_prefix(':') {
        Some(port) => port.parse::<u16>().ok().map(|_| host.to_owned()),
        None if !after.is_empty() => None,
        None if scheme.is_empty() => Some(format!("{host}:{USUAL_PORT}")),
        // The name of a scheme stands for its port.
        None => Some(host.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_links_are_read() {
        let read = |text: &str| TableAddress::read(text).unwrap();
        assert_eq!(read("127.0.0.1").socket(), "ws://127.0.0.1:8080/play");
        assert_eq!(read(" [::1]:90 ").socket(), "ws://[::1]:90/play");
        assert_eq!(read("[::1]").host, "[::1]:8080");
        assert_eq!(read("https://play.example/").socket(), "wss://play.example/play");
        let link = read("http://127.0.0.1:8081/#room=abc&key=k_-1");
        assert_eq!((link.room.as_deref(), link.key.as_deref()), (Some("abc"), Some("k_-1")));
        assert_eq!(link.text(), "http://127.0.0.1:8081/#room=abc&key=k_-1");
        assert_eq!(link.to_room("x", None).text(), "http://127.0.0.1:8081/#room=x");
        let team = read("https://cup.example.org/#team=k_-1");
        assert_eq!((team.team.as_deref(), &team.room), (Some("k_-1"), &None));
        assert_eq!(team.text(), "https://cup.example.org/#team=k_-1");
        #[cfg(feature = "serve")]
        for (host, whole) in [("a.org", "a.org:81"), ("a.org:9", "a.org:9"), ("[::1]", "[::1]:81")]
        {
            assert_eq!(TableAddress::of_server(host, 81, true).host, whole);
        }
        for nonsense in ["", "ftp://there", "a b", "host:port", "http:///#room=a", "1:2:99999"] {
            assert_eq!(TableAddress::read(nonsense), None, "{nonsense}");
        }
        // An IPv6 address without brackets, and what looks like a host.
        for nonsense in ["::1", "fe80::1:8080", "1:2:80", ":80", "[::1", "[]:80", "[::1]80", "a]b"]
        {
            assert_eq!(TableAddress::read(nonsense), None, "{nonsense}");
        }
    }
}
