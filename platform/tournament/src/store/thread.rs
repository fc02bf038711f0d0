//! The thread that writes to the database.

use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::{Commit, FileIdentity, GameBatch, StoreError, StoreWriter};
use crate::Schedule;

/// How long a commit waits for more games: a wait for the disk costs as much for one game as for
/// many. Only the observer waits for a commit.
const GATHER: Duration = Duration::from_millis(4);
/// Games on their way; beyond that their senders wait, so that a slow disk does not fill the
/// memory.
const QUEUE: usize = 1024;
/// Commits on their way. Each may have thousands of games: an observer slower than games end
/// would fill the memory.
const COMMITS: usize = 16;

/// The one thread that writes to the database. Games that finish while one commit waits for the
/// disk go into the next one.
pub(crate) struct StoreThread {
    thread: JoinHandle<Result<(), StoreError>>,
    identity: FileIdentity,
}

impl StoreThread {
    /// Starts the thread. The first channel takes games: sending blocks while the disk cannot
    /// follow, and fails when the thread has ended by an error. The second reports what has been
    /// committed; it closes when all senders of games are gone, or on an error.
    pub fn start(
        path: &Path,
        schedule: Schedule,
    ) -> Result<(StoreThread, SyncSender<GameBatch>, Receiver<Commit>), StoreError> {
        let mut writer = StoreWriter::open(path, schedule)?.of_live_games();
        let identity = writer.identity();
        let (sender, games) = sync_channel(QUEUE);
        let (commit_sender, commits) = sync_channel(COMMITS);
        let run = move || {
            write(&mut writer, &games, &commit_sender)?;
            writer.close()
        };
        let thread = thread::Builder::new().name("store".to_owned()).spawn(run);
        let thread = thread.expect("the system lets a program start one more thread");
        Ok((StoreThread { thread, identity }, sender, commits))
    }

    /// Which file it writes to.
    pub fn identity(&self) -> FileIdentity {
        self.identity
    }

    /// Waits until all that was handed in is committed. Every sender must be gone.
    ///
    /// # Errors
    /// When the database failed; what was told before is in it.
    pub fn finish(self) -> Result<(), StoreError> {
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

fn write(
    writer: &mut StoreWriter,
    games: &Receiver<GameBatch>,
    commits: &SyncSender<Commit>,
) -> Result<(), StoreError> {
    while let Ok(first) = games.recv() {
        let until = Instant::now() + GATHER;
        let soon = std::iter::from_fn(|| receive(games, until));
        let commit = writer.commit(std::iter::once(first).chain(soon))?;
        // When the observer is gone the games are kept all the same.
        let _unheard = commits.send(commit);
    }
    Ok(())
}

fn receive(games: &Receiver<GameBatch>, until: Instant) -> Option<GameBatch> {
    if let Ok(game) = games.try_recv() {
        return Some(game);
    }
    games.recv_timeout(until.saturating_duration_since(Instant::now())).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::Seat;

    use crate::Tally;
    use crate::store::{Store, StoredGame};

    fn game(schedule: &Schedule, number: u64, winner: Option<Seat>) -> StoredGame {
        let mut game = StoredGame::example(schedule, number, number);
        game.result.winner = winner;
        game.detail = (number == 2).then(|| "told".to_owned());
        game
    }

    fn tell(path: &Path, schedule: &Schedule, games: &[StoredGame]) -> Vec<u64> {
        let (thread, sender, commits) = StoreThread::start(path, schedule.clone()).unwrap();
        for game in games {
            sender.send(game.clone().into()).unwrap();
        }
        drop(sender);
        let numbers =
            commits.iter().flat_map(|commit| commit.games).map(|game| game.number).collect();
        thread.finish().unwrap();
        numbers
    }

    /// A game may come again if its commit was durable when the program was killed, but it was not
    /// reported.
    #[test]
    fn a_game_that_is_there_already_counts_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("event.db");
        Store::create(&path, "", &[], &[]).unwrap();
        let schedule = Schedule::new(2, 4, 0);
        let first = game(&schedule, 1, Some(Seat::First));
        let again = StoredGame { plies: 99, ..game(&schedule, 1, Some(Seat::Second)) };
        let second = game(&schedule, 2, None);
        assert_eq!(tell(&path, &schedule, &[first.clone(), again.clone()]), [1]);
        assert_eq!(tell(&path, &schedule, &[again, second.clone()]), [2]);

        let store = Store::open(&path).unwrap();
        let mut expected = Tally::default();
        expected.add_game(first.seats, first.result);
        expected.add_game(second.seats, second.result);
        expected.add_pair(first.seats, Some(Seat::First), None);
        assert_eq!(store.tally().unwrap(), expected);
        assert_eq!(store.recount(|number| schedule.twin(number)).unwrap(), expected);
        let games: Result<Vec<StoredGame>, StoreError> = store.games().collect();
        assert_eq!(games.unwrap(), [first, second]);
    }

    /// Whichever game of a pair ends first, the pair is counted as its schedule has it.
    #[test]
    fn a_pair_is_counted_when_its_last_game_comes() {
        let schedule = Schedule::new(3, 2, 0);
        let winners = [Some(Seat::First), None, Some(Seat::Second), Some(Seat::First), None, None];
        let game = |number: u64| game(&schedule, number, winners[number as usize - 1]);
        for order in [[1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1], [2, 4, 6, 1, 3, 5]] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("event.db");
            Store::create(&path, "", &[], &[]).unwrap();
            tell(&path, &schedule, &order.map(game));
            let store = Store::open(&path).unwrap();
            let recounted = store.recount(|number| schedule.twin(number)).unwrap();
            assert_eq!(store.tally().unwrap(), recounted);
            assert_eq!(recounted.counts().pairs.values().sum::<u64>(), 3);
            assert_eq!(store.unfinished(schedule.len()).unwrap(), []);
        }
    }

    /// The log is moved into the database as it grows: what it takes up is bounded.
    #[test]
    fn the_log_does_not_grow_with_the_games() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("event.db");
        Store::create(&path, "", &[], &[]).unwrap();
        let schedule = Schedule::new(2, 1000, 0);
        // A reader, as an event has one: without it the log is removed when the thread is done.
        let store = Store::open(&path).unwrap();
        let (thread, sender, commits) = StoreThread::start(&path, schedule.clone()).unwrap();
        let listener = thread::spawn(move || commits.iter().count());
        for number in 1..=800 {
            let packed = vec![0; 100_000];
            sender.send(StoredGame { packed, ..game(&schedule, number, None) }.into()).unwrap();
        }
        drop(sender);
        thread.finish().unwrap();
        assert!(listener.join().unwrap() > 1);
        let log = std::fs::metadata(path.with_file_name("event.db-wal")).unwrap().len();
        assert!((1..60_000_000).contains(&log), "{log} bytes of log after 80 MB of games");
        assert_eq!(store.tally().unwrap().len(), 800);
    }

    #[test]
    fn what_is_missing_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("event.db");
        Store::create(&path, "", &[], &[]).unwrap();
        let schedule = Schedule::new(2, 10, 0);
        let unfinished = || Store::open(&path).unwrap().unfinished(schedule.len()).unwrap();
        assert!(unfinished().into_iter().flatten().eq(1..=10));
        tell(&path, &schedule, &[2, 3, 7].map(|number| game(&schedule, number, None)));
        assert_eq!(unfinished(), [1..2, 4..7, 8..11]);
    }
}
