//! Proxies that forward requests, and the clients they do it for.

use std::net::IpAddr;
use std::str::FromStr;

use axum::http::HeaderMap;

/// Addresses that begin alike: `192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32`.
///
/// ```
/// use tengen_web::AddressBlock;
/// let block: AddressBlock = "192.0.2.0/24".parse()?;
/// assert!(block.contains("192.0.2.9".parse().unwrap()));
/// assert!(!block.contains("192.0.3.9".parse().unwrap()));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AddressBlock {
    address: IpAddr,
    bits: u32,
}

impl AddressBlock {
    /// Whether the address is one of them.
    pub fn contains(&self, address: IpAddr) -> bool {
        let same = match (self.address, address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                (own.to_bits() ^ other.to_bits()).leading_zeros()
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                (own.to_bits() ^ other.to_bits()).leading_zeros()
            }
            _ => return false,
        };
        same >= self.bits
    }
}

impl FromStr for AddressBlock {
    type Err = String;

    fn from_str(text: &str) -> Result<AddressBlock, String> {
        let expected = || "expected an address, or a block of them as in 192.0.2.0/24".to_owned();
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| expected())?;
        let address = address.to_canonical();
        let all = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Ok(all), |bits| bits.parse().map_err(|_| expected()))?;
        if bits > all {
            return Err(expected());
        }
        Ok(AddressBlock { address, bits })
    }
}

/// The proxies that are believed when they name a client.
#[derive(Clone, Debug, Default)]
pub(super) struct TrustedProxies(pub Vec<AddressBlock>);

impl TrustedProxies {
    /// Whether it is one of them.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.iter().any(|block| block.contains(address))
    }

    /// The client on a connection from there: of the addresses that a proxy names, the last that is
    /// no trusted proxy itself. A proxy that names no client asks for itself. None where it names
    /// two different ones in two headers: one of them may be the client's own.
    pub fn client(&self, from: IpAddr, headers: &HeaderMap) -> Option<IpAddr> {
        if !self.contains(from) {
            return Some(from);
        }
        let plain = self.last_stranger(from, values(headers, "x-forwarded-for"));
        let standard = self.last_stranger(from, values(headers, "forwarded").filter_map(of_hop));
        match (plain, standard) {
            (Some(one), Some(other)) if one != other => None,
            (Some(one), _) | (None, Some(one)) => Some(one),
            (None, None) => Some(from),
        }
    }

    /// The last of them that is no trusted proxy, or else the first; none if there are none.
    /// Entries before one that is no address are not trusted.
    fn last_stranger<'a>(
        &self,
        from: IpAddr,
        hops: impl DoubleEndedIterator<Item = &'a str>,
    ) -> Option<IpAddr> {
        let mut last = None;
        for hop in hops.rev() {
            let Some(address) = address_of(hop) else { return Some(last.unwrap_or(from)) };
            if !self.contains(address) {
                return Some(address);
            }
            last = Some(address);
        }
        last
    }
}

/// The parts of a header that is a list, over all its lines.
fn values<'a>(headers: &'a HeaderMap, name: &str) -> impl DoubleEndedIterator<Item = &'a str> {
    let lines: Vec<&str> =
        headers.get_all(name).iter().map(|line| line.to_str().unwrap_or("?")).collect();
    lines.into_iter().flat_map(|line| line.split(',').map(str::trim).collect::<Vec<_>>())
}

/// The client that an element of `Forwarded` (RFC 7239) names; none if it names none.
fn of_hop(element: &str) -> Option<&str> {
    let mut pairs = element.split(';').filter_map(|pair| pair.trim().split_once('='));
    let (_, value) = pairs.find(|(key, _)| key.eq_ignore_ascii_case("for"))?;
    Some(value.trim().trim_matches('"'))
}

/// An address with a port or without.
fn address_of(hop: &str) -> Option<IpAddr> {
    let bare = match hop.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?.0,
        None if hop.matches(':').count() == 1 => hop.split_once(':')?.0,
        None => hop,
    };
    bare.parse::<IpAddr>().ok().map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};

    use super::*;

    fn client(from: &str, lines: &[(&'static str, &str)]) -> String {
        let trusted = ["127.0.0.1", "10.0.0.0/8", "fd00::/8"];
        let proxies = TrustedProxies(trusted.iter().map(|block| block.parse().unwrap()).collect());
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            let name = HeaderName::from_static(name);
            headers.append(name, HeaderValue::from_str(value).unwrap());
        }
        let client = proxies.client(from.parse().unwrap(), &headers);
        client.map_or("none".to_owned(), |client| client.to_string())
    }

    #[test]
    fn a_proxy_speaks_for_the_last_stranger_that_it_names() {
        const PLAIN: &str = "x-forwarded-for";
        const STANDARD: &str = "forwarded";
        for (from, lines, whom) in [
            ("192.0.2.1", vec![(PLAIN, "198.51.100.9")], "192.0.2.1"),
            ("127.0.0.1", vec![], "127.0.0.1"),
            ("127.0.0.1", vec![(PLAIN, "198.51.100.9")], "198.51.100.9"),
            ("127.0.0.1", vec![(PLAIN, "203.0.113.1, 198.51.100.9, 10.1.2.3")], "198.51.100.9"),
            ("127.0.0.1", vec![(PLAIN, "203.0.113.1"), (PLAIN, "198.51.100.9")], "198.51.100.9"),
            ("127.0.0.1", vec![(PLAIN, "10.1.2.3, 10.1.2.4")], "10.1.2.3"),
            ("127.0.0.1", vec![(PLAIN, "203.0.113.1, nobody")], "127.0.0.1"),
            ("127.0.0.1", vec![(PLAIN, "198.51.100.9:4711")], "198.51.100.9"),
            ("::ffff:10.0.0.9", vec![(PLAIN, "2001:db8::7")], "2001:db8::7"),
            ("fd00::1", vec![(STANDARD, "for=\"[2001:db8::7]:80\";proto=https")], "2001:db8::7"),
            ("127.0.0.1", vec![(STANDARD, "for=203.0.113.1, For=198.51.100.9")], "198.51.100.9"),
            ("127.0.0.1", vec![(STANDARD, "for=_hidden")], "127.0.0.1"),
            ("127.0.0.1", vec![(PLAIN, "198.51.100.9"), (STANDARD, "for=203.0.113.1")], "none"),
        ] {
            assert_eq!(client(from, &lines), whom, "{from} {lines:?}");
        }
    }

    #[test]
    fn blocks_are_read() {
        for wrong in ["", "here", "192.0.2.0/33", "192.0.2.0/", "::/129", "10.0.0.0/8/8"] {
            assert!(wrong.parse::<AddressBlock>().is_err(), "{wrong}");
        }
        let all: AddressBlock = "0.0.0.0/0".parse().unwrap();
        assert!(all.contains("203.0.113.1".parse().unwrap()));
        assert!(!all.contains("2001:db8::1".parse().unwrap()));
    }
}
