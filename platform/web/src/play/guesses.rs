//! How often passwords and keys may be wrong.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::rate::RateLimiter;
use super::table::{ClientRefusal, refused};

/// How many guesses of one client are looked at at once, and how many more each second.
const BURST: f64 = 5.0;
const PER_SECOND: f64 = 0.2;
/// The same for all clients together that were wrong before.
const BURST_OF_ALL: f64 = 50.0;
const PER_SECOND_OF_ALL: f64 = 2.0;
/// After so long a client's guess is looked at again, whatever the other clients do.
const FORGIVEN: Duration = Duration::from_secs(60);
/// How many clients are remembered as wrong: bounded, so that strangers cannot fill the memory.
const MOST_CLIENTS: usize = 4096;

/// Counts wrong passwords and keys. A client that was wrong too often is not looked at for a while,
/// be it right or wrong, so that guessing is slow from one address, and slow from many. A client
/// that was not wrong of late is always looked at: no client is locked out by what others do.
#[derive(Default)]
pub(super) struct Guesses {
    known: Mutex<WrongGuesses>,
}

struct WrongGuesses {
    all: RateLimiter,
    of: HashMap<IpAddr, WrongClient>,
}

struct WrongClient {
    rate: RateLimiter,
    last: Instant,
}

impl WrongClient {
    fn is_forgiven(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.last) >= FORGIVEN && self.rate.is_full(now)
    }
}

impl Default for WrongGuesses {
    fn default() -> WrongGuesses {
        let all = RateLimiter::new(BURST_OF_ALL, PER_SECOND_OF_ALL);
        WrongGuesses { all, of: HashMap::new() }
    }
}

impl Guesses {
    /// Whether a secret of this client is looked at now. The address is one of `network`.
    ///
    /// # Errors
    /// When it was wrong too often, with what to do.
    pub fn look(&self, client: IpAddr, now: Instant) -> Result<(), ClientRefusal> {
        let known = self.lock();
        let Some(own) = known.of.get(&client) else { return Ok(()) };
        if own.is_forgiven(now) {
            return Ok(());
        }
        let wait = own.rate.wait(now).max(known.all.wait(now)).as_secs_f64().ceil();
        if wait > 0.0 {
            return refused(
                "too_fast",
                format!("too many wrong passwords or keys; try again in {wait} seconds"),
            );
        }
        Ok(())
    }

    pub fn wrong(&self, client: IpAddr, now: Instant) {
        let known = &mut *self.lock();
        known.all.allows(now);
        if known.of.len() >= MOST_CLIENTS && !known.of.contains_key(&client) {
            known.of.retain(|_, one| !one.is_forgiven(now));
            // If that many are wrong at once, any one of them is forgotten for the new one.
            if known.of.len() >= MOST_CLIENTS
                && let Some(some) = known.of.keys().next().copied()
            {
                known.of.remove(&some);
            }
        }
        let fresh = || WrongClient { rate: RateLimiter::new(BURST, PER_SECOND), last: now };
        let one = known.of.entry(client).or_insert_with(fresh);
        one.rate.allows(now);
        one.last = now;
    }

    fn lock(&self) -> MutexGuard<'_, WrongGuesses> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    /// How many guesses are looked at in so many seconds if each client tries `rate` times a second
    /// and is never right.
    fn looked_at(guesses: &Guesses, clients: u32, rate: u32, seconds: u32) -> u32 {
        let begun = Instant::now();
        let mut count = 0;
        for turn in 0..rate * seconds {
            let now = begun + Duration::from_secs(1) * turn / rate;
            for client in 0..clients {
                let client = IpAddr::V4(Ipv4Addr::from_bits(0xC000_0200 + client));
                if guesses.look(client, now).is_ok() {
                    guesses.wrong(client, now);
                    count += 1;
                }
            }
        }
        count
    }

    #[test]
    fn one_client_guesses_slowly() {
        let count = looked_at(&Guesses::default(), 1, 100, 60);
        assert!((16..=18).contains(&count), "{count}");
    }

    #[test]
    fn many_clients_that_guess_slowly_lock_no_other_out() {
        let guesses = Guesses::default();
        let count = looked_at(&guesses, 200, 10, 60);
        // Each is looked at once, and then so many of all.
        assert!((200..=400).contains(&count), "{count}");
        let honest = "203.0.113.1".parse().unwrap();
        let now = Instant::now() + Duration::from_secs(60);
        assert!(guesses.look(honest, now).is_ok(), "it was never wrong");
        guesses.wrong(honest, now);
        assert!(guesses.look(honest, now + FORGIVEN).is_ok(), "one mistake is forgiven soon");
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let guesses = Guesses::default();
        let now = Instant::now();
        for client in 0..2 * MOST_CLIENTS as u32 {
            guesses.wrong(IpAddr::V4(Ipv4Addr::from_bits(client)), now);
        }
        assert_eq!(guesses.lock().of.len(), MOST_CLIENTS);
    }
}
