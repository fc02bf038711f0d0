//! How many engines of the server play at once, and for whom.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use tengen_players::ListedEngine;

use crate::engines::TableEngines;

/// The engines of the server, and how many of them may play at once.
pub struct EnginePool {
    pub engines: Arc<dyn TableEngines>,
    pub known: Vec<ListedEngine>,
    busy: Arc<Mutex<Busy>>,
    most: usize,
}

#[derive(Default)]
struct Busy {
    all: usize,
    of: HashMap<IpAddr, usize>,
}

impl EnginePool {
    pub fn new(engines: Arc<dyn TableEngines>, most: usize) -> EnginePool {
        let known = engines.list();
        EnginePool { engines, known, busy: Arc::default(), most }
    }

    /// A place for an engine, for a client of that network; none is one that is not known any more,
    /// or has no limit of its own. Nobody but this machine has more than half of the places.
    ///
    /// # Errors
    /// Why there is none.
    pub fn take(&self, of: Option<IpAddr>) -> Result<EnginePermit, &'static str> {
        let of = of.filter(|address| !address.is_loopback());
        let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        if busy.all >= self.most {
            return Err("all engines of this server are playing; try again later");
        }
        if let Some(address) = of {
            let own = busy.of.entry(address).or_insert(0);
            if *own >= self.most.div_ceil(2) {
                return Err("too many engines of this server play for your address");
            }
            *own += 1;
        }
        busy.all += 1;
        Ok(EnginePermit { busy: Arc::clone(&self.busy), of })
    }
}

/// One of the engines that may play.
pub struct EnginePermit {
    busy: Arc<Mutex<Busy>>,
    of: Option<IpAddr>,
}

impl Drop for EnginePermit {
    fn drop(&mut self) {
        let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        busy.all -= 1;
        if let Some(address) = self.of
            && let Some(own) = busy.of.get_mut(&address)
        {
            *own -= 1;
            if *own == 0 {
                busy.of.remove(&address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_address_takes_all_engines() {
        let pool = EnginePool::new(Arc::new(()), 4);
        let (one, other) = ("192.0.2.1".parse().ok(), "192.0.2.2".parse().ok());
        let first = pool.take(one).ok().unwrap();
        let _second = pool.take(one).ok().unwrap();
        assert!(pool.take(one).err().unwrap().contains("your address"));
        let _third = pool.take(other).ok().unwrap();
        drop(first);
        let _again = pool.take(one).ok().unwrap();
        let _last = pool.take(None).ok().unwrap();
        assert!(pool.take(other).err().unwrap().contains("all engines"));
        let own = EnginePool::new(Arc::new(()), 4);
        let here = "127.0.0.1".parse().ok();
        let all: Vec<_> = (0..4).filter_map(|_| own.take(here).ok()).collect();
        assert_eq!(all.len(), 4, "this machine's own have no limit of their own");
        let alone = EnginePool::new(Arc::new(()), 1);
        assert!(alone.take(one).is_ok());
    }
}
