//! How much one address may ask for, and all addresses together.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The connections of all addresses together, and of one.
const MOST_CONNECTIONS: usize = 4096;
const MOST_OF_ONE: usize = 256;
/// The requests of one address that may come at once, and how many more each second.
const BURST: f64 = 200.0;
const PER_SECOND: f64 = 40.0;
/// How many addresses are remembered: bounded, so that strangers cannot fill the memory.
const MOST_ADDRESSES: usize = 16_384;

/// The connections that this process may have open: a part of its files, for the engines of an
/// event that it plays need some as well.
fn most_connections() -> usize {
    #[cfg(unix)]
    if let Some(files) = rustix::process::getrlimit(rustix::process::Resource::Nofile).current {
        return usize::try_from(files / 4).unwrap_or(MOST_CONNECTIONS).min(MOST_CONNECTIONS);
    }
    MOST_CONNECTIONS
}

/// Counts what each address has open and asks for. This machine's own addresses have no limit of
/// their own: a proxy on it speaks for many.
#[derive(Default)]
pub(super) struct ClientLimits {
    addresses: Mutex<Addresses>,
}

#[derive(Default)]
struct Addresses {
    known: HashMap<IpAddr, Address>,
    open: usize,
}

struct Address {
    open: usize,
    /// The requests that it may make now.
    tokens: f64,
    filled: Instant,
}

/// A connection that counts until it is dropped.
pub(super) struct Admitted {
    limits: Arc<ClientLimits>,
    address: IpAddr,
}

impl ClientLimits {
    /// Counts a connection, if there may be one more: of a proxy that speaks for many, as many as
    /// there may be in all.
    pub fn admit(self: &Arc<Self>, address: IpAddr, is_proxy: bool) -> Option<Admitted> {
        let address = network(address);
        let mut addresses = self.lock();
        if addresses.open >= most_connections() {
            return None;
        }
        let one = addresses.of(address)?;
        if one.open >= MOST_OF_ONE && !address.is_loopback() && !is_proxy {
            return None;
        }
        one.open += 1;
        addresses.open += 1;
        Some(Admitted { limits: Arc::clone(self), address })
    }

    /// Whether an address may make one more request now.
    pub fn allows(&self, address: IpAddr) -> bool {
        let address = network(address);
        if address.is_loopback() {
            return true;
        }
        let mut addresses = self.lock();
        let Some(one) = addresses.of(address) else { return false };
        let now = Instant::now();
        let more = now.duration_since(one.filled).as_secs_f64() * PER_SECOND;
        (one.tokens, one.filled) = ((one.tokens + more).min(BURST), now);
        let is_allowed = one.tokens >= 1.0;
        one.tokens -= f64::from(u8::from(is_allowed));
        is_allowed
    }

    fn lock(&self) -> MutexGuard<'_, Addresses> {
        self.addresses.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Addresses {
    /// What is known of an address; none where too many are.
    fn of(&mut self, address: IpAddr) -> Option<&mut Address> {
        if self.known.len() >= MOST_ADDRESSES && !self.known.contains_key(&address) {
            self.known.retain(|_, one| one.open > 0);
            if self.known.len() >= MOST_ADDRESSES {
                return None;
            }
        }
        let fresh = || Address { open: 0, tokens: BURST, filled: Instant::now() };
        Some(self.known.entry(address).or_insert_with(fresh))
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        let mut addresses = self.limits.lock();
        addresses.open = addresses.open.saturating_sub(1);
        if let Some(one) = addresses.known.get_mut(&self.address) {
            one.open = one.open.saturating_sub(1);
        }
    }
}

/// What counts as one client: an IPv4 address, or the network of an IPv6 address, because one host
/// has many of those.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_cannot_take_all_connections_or_ask_without_end() {
        let limits = Arc::new(ClientLimits::default());
        let greedy: IpAddr = "192.0.2.1".parse().unwrap();
        let open: Vec<_> = (0..MOST_OF_ONE).map(|_| limits.admit(greedy, false).unwrap()).collect();
        assert!(limits.admit(greedy, false).is_none());
        assert!(limits.admit("192.0.2.2".parse().unwrap(), false).is_some());
        drop(open);
        assert!(limits.admit(greedy, false).is_some());
        let asked = (0..10_000).take_while(|_| limits.allows(greedy)).count();
        assert!((BURST as usize..9_000).contains(&asked), "{asked}");
        assert!((0..10_000).all(|_| limits.allows("127.0.0.1".parse().unwrap())));
    }

    #[test]
    fn a_network_of_ipv6_is_one() {
        let at = |text: &str| network(text.parse().unwrap());
        assert_eq!(at("2001:db8::1"), at("2001:db8::ffff:1"));
        assert_ne!(at("2001:db8::1"), at("2001:db8:0:1::1"));
        assert_eq!(at("::ffff:192.0.2.1"), at("192.0.2.1"));
    }
}
