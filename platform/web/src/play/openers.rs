//! Counts the tables, how many of them one address opened, and how fast.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::rate::RateLimiter;
use super::table::{ClientRefusal, refused};

/// The tables that one address may open at once, and how many more each second.
const BURST: f64 = 8.0;
const PER_SECOND: f64 = 0.5;
/// How many addresses are remembered with their rates: bounded, so that strangers cannot fill the
/// memory.
const MOST_ADDRESSES: usize = 4096;

/// Counts tables. An address is one of `network`; that of this machine counts like any other.
pub(super) struct Openers {
    most: usize,
    most_of_one: usize,
    counts: Mutex<OpenTables>,
}

#[derive(Default)]
struct OpenTables {
    all: usize,
    open: HashMap<IpAddr, usize>,
    rates: HashMap<IpAddr, RateLimiter>,
}

/// A table that counts until this is dropped.
pub(super) struct Opened {
    openers: Arc<Openers>,
    /// None where it is not known any more.
    address: Option<IpAddr>,
}

impl Openers {
    pub fn new(most: usize, most_of_one: usize) -> Openers {
        Openers { most, most_of_one, counts: Mutex::default() }
    }

    /// Counts a table that is to be opened.
    ///
    /// # Errors
    /// When there are too many.
    pub fn open(self: &Arc<Self>, address: IpAddr, now: Instant) -> Result<Opened, ClientRefusal> {
        let mut counts = self.lock();
        if counts.all >= self.most {
            return refused(
                "too_many",
                "this server has as many tables as it may have; try again later",
            );
        }
        let own = counts.open.get(&address).copied().unwrap_or(0);
        if own >= self.most_of_one {
            let problem = if address.is_loopback() {
                "too many tables were opened from this machine. A proxy on it has to be named with \
                 --trusted-proxy, so that it is known for whom it opens them"
            } else {
                "too many tables were opened from your address"
            };
            return refused("too_many", problem);
        }
        if !counts.allows(address, now) {
            return refused("too_fast", "tables were opened too fast; wait a moment");
        }
        counts.all += 1;
        counts.open.insert(address, own + 1);
        Ok(Opened { openers: Arc::clone(self), address: Some(address) })
    }

    /// Counts a table that was there before the server was started.
    pub fn restored(self: &Arc<Self>) -> Opened {
        self.lock().all += 1;
        Opened { openers: Arc::clone(self), address: None }
    }

    fn lock(&self) -> MutexGuard<'_, OpenTables> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenTables {
    fn allows(&mut self, address: IpAddr, now: Instant) -> bool {
        if self.rates.len() >= MOST_ADDRESSES && !self.rates.contains_key(&address) {
            self.rates.retain(|_, rate| !rate.is_full(now));
            if self.rates.len() >= MOST_ADDRESSES {
                return false;
            }
        }
        self.rates.entry(address).or_insert_with(|| RateLimiter::new(BURST, PER_SECOND)).allows(now)
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        let mut counts = self.openers.lock();
        counts.all = counts.all.saturating_sub(1);
        let Some(address) = self.address else { return };
        if let Some(open) = counts.open.get_mut(&address) {
            *open -= 1;
            if *open == 0 {
                counts.open.remove(&address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::server::network;

    #[test]
    fn one_network_opens_so_many_tables_and_not_faster() {
        let openers = Arc::new(Openers::new(12, 10));
        let now = Instant::now();
        let host = |number: u32| network(format!("2001:db8::{number:x}").parse().unwrap());
        let code = |opened: Result<Opened, ClientRefusal>| opened.err().unwrap().code;
        // An IPv6 host has many addresses, and a new connection does not renew the burst.
        let mut open: Vec<_> = (0..8).map(|at| openers.open(host(at), now).unwrap()).collect();
        assert_eq!(code(openers.open(host(8), now)), "too_fast");
        let later = now + Duration::from_secs(60);
        open.extend((9..11).map(|at| openers.open(host(at), later).unwrap()));
        assert_eq!(code(openers.open(host(11), later)), "too_many");
        let local = network("::ffff:127.0.0.1".parse().unwrap());
        let own: Vec<_> = (0..2).map(|_| openers.open(local, now).unwrap()).collect();
        assert_eq!(code(openers.open(local, now)), "too_many", "the server is full");
        drop(own);
        let few = Arc::new(Openers::new(12, 2));
        let _own: Vec<_> = (0..2).map(|_| few.open(local, now).unwrap()).collect();
        let refusal = few.open(local, now).err().unwrap();
        assert!(refusal.message.contains("--trusted-proxy"), "{}", refusal.message);
        open.pop();
        openers.open(host(12), later).unwrap();
        let _restored: Vec<_> = (0..3).map(|_| openers.restored()).collect();
        assert_eq!(code(openers.open(host(12), later)), "too_many");
    }
}
