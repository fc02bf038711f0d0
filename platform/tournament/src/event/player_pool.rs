//! The players of an event that wait for a game.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tengen_players::Player;

use super::Roster;
use crate::{Affinity, EventConfig};

/// The most players that wait, besides those at the tables: a waiting engine is a process, and too
/// many of them burden the machine.
const MOST_PLAYERS: usize = 1024;

/// The waiting players, longest wait first. Each was made when it was first needed and may play for
/// any worker, so that not every worker needs a player of each engine. If each table has its own
/// CPUs, which its engines inherit, a player stays with its worker.
pub(super) struct PlayerPool {
    waiting: Mutex<VecDeque<WaitingPlayer>>,
    is_shared: bool,
}

struct WaitingPlayer {
    engine: usize,
    /// The worker that it played for last.
    worker: usize,
    player: Box<dyn Player>,
}

impl PlayerPool {
    pub fn new(config: &EventConfig) -> PlayerPool {
        let is_shared = !matches!(config.cpus, Affinity::Cpus(_));
        PlayerPool { waiting: Mutex::default(), is_shared }
    }

    /// Two players for a worker: those that played for it last, if they wait; else others that
    /// wait, or new ones.
    pub fn seat(&self, roster: &dyn Roster, seats: [usize; 2], worker: usize) -> SeatedPlayers<'_> {
        let waiting = seats.map(|engine| self.take(engine, worker));
        // Outside of the lock: engines are started.
        let [first, second] = waiting;
        let players = [
            first.unwrap_or_else(|| roster.player(seats[0])),
            second.unwrap_or_else(|| roster.player(seats[1])),
        ];
        SeatedPlayers { pool: self, seats, worker, players }
    }

    fn take(&self, engine: usize, worker: usize) -> Option<Box<dyn Player>> {
        let mut waiting = self.lock();
        // The player that has waited least is the most likely to be in a CPU's caches.
        let place = |is_meant: &dyn Fn(&WaitingPlayer) -> bool| waiting.iter().rposition(is_meant);
        let own = place(&|player| player.engine == engine && player.worker == worker);
        let any = || place(&|player| self.is_shared && player.engine == engine);
        let place = own.or_else(any)?;
        waiting.remove(place).map(|waiting| waiting.player)
    }

    /// Takes a player back. If there are too many, those that have waited longest are ended.
    fn put(&self, back: WaitingPlayer) {
        let mut waiting = self.lock();
        waiting.push_back(back);
        let surplus = waiting.len().saturating_sub(MOST_PLAYERS);
        let gone: Vec<_> = waiting.drain(..surplus).collect();
        drop(waiting);
        // Outside of the lock: engines are ended.
        drop(gone);
    }

    /// Ends the waiting players one by one, so that several workers can share the work.
    pub fn end(&self) {
        loop {
            let next = self.lock().pop_front();
            match next {
                Some(player) => drop(player),
                None => return,
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<WaitingPlayer>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The two players of a game, or of a pair of games. They are ended when this is dropped.
pub(super) struct SeatedPlayers<'a> {
    pool: &'a PlayerPool,
    seats: [usize; 2],
    worker: usize,
    players: [Box<dyn Player>; 2],
}

impl SeatedPlayers<'_> {
    /// The player of each of these engines.
    pub fn of(&mut self, seats: [usize; 2]) -> [&mut dyn Player; 2] {
        let [first, second] = &mut self.players;
        match seats[0] == self.seats[0] {
            true => [first.as_mut(), second.as_mut()],
            false => [second.as_mut(), first.as_mut()],
        }
    }

    /// Lets them wait for their next game.
    pub fn give_back(self) {
        let SeatedPlayers { pool, seats, worker, players } = self;
        for (engine, player) in seats.into_iter().zip(players) {
            pool.put(WaitingPlayer { engine, worker, player });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use tengen_players::{Fault, GameSetup, RandomLegal, Reply, Request, Time};

    /// Counts what was made of each engine, and how many are alive.
    #[derive(Default)]
    struct Counting {
        made: Mutex<Vec<usize>>,
        alive: Arc<AtomicUsize>,
    }

    struct Counted(RandomLegal, Arc<AtomicUsize>);

    impl Player for Counted {
        fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
            self.0.new_game(game)
        }

        fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
            self.0.ask(request, time)
        }

        fn end_game(&mut self, result: tengen_arbiter::GameResult) {
            self.0.end_game(result);
        }
    }

    impl Drop for Counted {
        fn drop(&mut self) {
            self.1.fetch_sub(1, Ordering::SeqCst);
        }
    }

    impl Roster for Counting {
        fn player(&self, engine: usize) -> Box<dyn Player> {
            self.made.lock().unwrap().push(engine);
            self.alive.fetch_add(1, Ordering::SeqCst);
            Box::new(Counted(RandomLegal::new(), Arc::clone(&self.alive)))
        }
    }

    #[test]
    fn a_player_waits_for_any_worker_and_is_not_made_twice() {
        let (pool, roster) = (PlayerPool::new(&EventConfig::default()), Counting::default());
        let made = || roster.made.lock().unwrap().clone();
        pool.seat(&roster, [0, 1], 0).give_back();
        pool.seat(&roster, [1, 0], 1).give_back();
        assert_eq!(made(), [0, 1]);
        // Both play at another table.
        let seated = pool.seat(&roster, [0, 1], 0);
        pool.seat(&roster, [1, 2], 1).give_back();
        seated.give_back();
        assert_eq!(made(), [0, 1, 1, 2]);
        assert_eq!(roster.alive.load(Ordering::SeqCst), 4);
        drop(pool.seat(&roster, [2, 0], 0));
        assert_eq!(roster.alive.load(Ordering::SeqCst), 2, "both are ended");
        pool.end();
        assert_eq!(roster.alive.load(Ordering::SeqCst), 0);
    }

    #[test]
    fn a_worker_gets_the_players_that_it_had() {
        let (pool, roster) = (PlayerPool::new(&EventConfig::default()), Counting::default());
        let address = |player: &dyn Player| std::ptr::from_ref(player).cast::<()>();
        let mut here = pool.seat(&roster, [0, 1], 0);
        let mut there = pool.seat(&roster, [0, 1], 1);
        let before = here.of([0, 1]).map(|player| address(player));
        let of_other = there.of([0, 1]).map(|player| address(player));
        here.give_back();
        there.give_back();
        let mut again = pool.seat(&roster, [1, 0], 0);
        assert_eq!(again.of([0, 1]).map(|player| address(player)), before);
        assert_eq!(again.of([1, 0]).map(|player| address(player)), [before[1], before[0]]);
        assert_ne!(before, of_other);
    }

    #[test]
    fn tables_with_cpus_of_their_own_have_players_of_their_own() {
        let cpus = Affinity::Cpus(vec![0, 1]);
        let (pool, roster) =
            (PlayerPool::new(&EventConfig { cpus, ..EventConfig::default() }), Counting::default());
        for worker in [0, 1, 0, 1] {
            pool.seat(&roster, [0, 1], worker).give_back();
        }
        assert_eq!(*roster.made.lock().unwrap(), [0, 1, 0, 1]);
    }

    #[test]
    fn those_that_waited_for_longest_go_where_there_are_too_many() {
        let (pool, roster) = (PlayerPool::new(&EventConfig::default()), Counting::default());
        for engine in 0..MOST_PLAYERS {
            pool.seat(&roster, [2 * engine, 2 * engine + 1], 0).give_back();
        }
        assert_eq!(roster.alive.load(Ordering::SeqCst), MOST_PLAYERS);
        let made = roster.made.lock().unwrap().len();
        pool.seat(&roster, [2 * MOST_PLAYERS - 1, 0], 0).give_back();
        let all = roster.made.lock().unwrap().clone();
        assert_eq!(all[made..], [0], "the last one waited, the first one had gone");
    }
}
