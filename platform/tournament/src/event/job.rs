//! Jobs: games that are played outside of the process that runs their event.

use serde::{Deserialize, Serialize};
use tengen_players::{CpuClaim, Time};
use tengen_record::{GameRecord, RecordWorker};
use thiserror::Error;

use super::judged::{RecordFault, judged};
use super::left_games::NextGames;
use super::queue::{GameQueue, TakenGames, WorkerTurn};
use super::records::record;
use super::worker::Worker;
use super::{Roster, Watcher};
use crate::store::{GameBatch, StoredGame};
use crate::{Affinity, ConfigError, EventConfig, ScheduledGame, SpoiledOption, Stop, affinity};

/// A game, or the two games of a pair, which are played by one worker, so that both are under the
/// same conditions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameJob {
    pub first: ScheduledGame,
    /// The other game of the pair, where that is still to be played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub twin: Option<ScheduledGame>,
    /// How often they were played before, and spoiled.
    pub replays: u32,
}

impl GameJob {
    fn games(&self) -> impl Iterator<Item = &ScheduledGame> {
        [Some(&self.first), self.twin.as_ref()].into_iter().flatten()
    }

    /// What of it is played, saved and, where it is spoiled, played again at once.
    fn turns(&self, config: &EventConfig) -> impl Iterator<Item = NextGames> {
        let GameJob { first, twin, replays } = *self;
        let (twin, later) = match config.spoiled {
            SpoiledOption::ReplayPair => (twin, None),
            _ => (None, twin),
        };
        let games = |first, twin| NextGames { first, twin, replays };
        [Some(games(first, twin)), later.map(|later| games(later, None))].into_iter().flatten()
    }
}

/// What was played of a job.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayedJob {
    /// Each of its games.
    pub games: Vec<GameRecord>,
    /// Those that were played before in their place, in order, and count nowhere.
    pub discarded: Vec<GameRecord>,
}

/// The tables of a worker, at which the jobs of one event are played. Players wait there for their
/// next job.
pub struct JobTables<'a> {
    queue: GameQueue<'a>,
    cpus: &'a TableCpus,
}

/// The CPUs of the tables of a process.
pub struct TableCpus {
    /// That of each table in turn; empty to leave them to the system.
    plan: Vec<usize>,
    _claims: Vec<CpuClaim>,
}

impl TableCpus {
    /// Those of so many tables.
    ///
    /// # Errors
    /// When `cpus` names one that this process may not use.
    pub fn new(tables: usize, cpus: Affinity) -> Result<TableCpus, ConfigError> {
        let config = EventConfig { concurrency: tables, cpus, ..EventConfig::default() };
        let plan = affinity::plan(&config)?;
        Ok(TableCpus { _claims: affinity::claim(&plan), plan })
    }
}

impl<'a> JobTables<'a> {
    /// The event must be valid, and none of its engines play from another machine.
    pub fn new(
        config: &'a EventConfig,
        roster: &'a dyn Roster,
        stop: &'a Stop,
        watcher: &'a dyn Watcher,
        cpus: &'a TableCpus,
    ) -> JobTables<'a> {
        let queue = GameQueue::new(config, config.schedule(), Vec::new(), roster, stop);
        JobTables { queue: queue.watched_by(watcher), cpus }
    }

    /// The table of that number, counted from 0, on the thread that calls this. When it is dropped,
    /// the players that wait are ended.
    pub fn table<'t>(&'t self, number: usize, time: &'t dyn Time) -> JobTable<'t> {
        affinity::bind(&self.cpus.plan, number);
        let mut worker = self.queue.worker(time);
        worker.number = number;
        JobTable { worker, config: self.queue.config }
    }
}

/// Where one job after another is played.
pub struct JobTable<'a> {
    worker: Worker<'a>,
    config: &'a EventConfig,
}

impl JobTable<'_> {
    /// Whether it has the engines of a job: an event may have grown since.
    pub fn has_engines(&self, job: &GameJob) -> bool {
        let engines = self.config.engines.len();
        job.games().all(|game| game.seats.first < engines && game.seats.second < engines)
    }

    /// Plays a job to its end. None when the stop was requested: nothing of it counts then.
    pub fn play(&mut self, job: &GameJob) -> Option<PlayedJob> {
        let labels = self.config.labels();
        let of_job = |number| job.games().find(|game| game.number == number);
        let write = |game: StoredGame| {
            let scheduled = of_job(game.number).expect("it played the games of this job");
            record(self.config, &labels, scheduled, game).expect("it was just packed")
        };
        let mut played = PlayedJob::default();
        for games in job.turns(self.config) {
            let batch = self.worker.play_games(games).ok()?;
            played.games.extend(batch.games.into_iter().map(write));
            played.discarded.extend(batch.discarded.into_iter().map(write));
        }
        Some(played)
    }
}

/// A job that was taken from the queue of an event. Its engines are freed when it is dropped.
pub struct OpenJob<'a> {
    taken: TakenGames<'a>,
    config: &'a EventConfig,
}

/// What a queue has for a workforce elsewhere.
pub enum NextJob<'a> {
    Play(OpenJob<'a>),
    /// Nothing now: the event is paused, or its engines play other games.
    Wait,
    /// Nothing any more.
    Over,
}

/// Why what is said to have been played of a job does not count.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum JobFault {
    #[error("it is not one record of each of its games")]
    Games,
    #[error("game {number}: {fault}")]
    Record { number: u64, fault: RecordFault },
}

impl<'a> OpenJob<'a> {
    pub fn job(&self) -> GameJob {
        let NextGames { first, twin, replays } = self.taken.games;
        GameJob { first, twin, replays }
    }

    /// Judges what that worker played of it, so that no game counts that cannot have been played.
    /// Gives what is saved at once, in order.
    ///
    /// # Errors
    /// Says what cannot be.
    pub fn judge(
        &self,
        played: PlayedJob,
        worker: &RecordWorker,
    ) -> Result<Vec<GameBatch>, JobFault> {
        let job = self.job();
        let of_job =
            |record: &GameRecord| job.games().find(|game| record.header.game == Some(game.number));
        let PlayedJob { games, discarded } = played;
        let is_whole = games.len() == job.games().count()
            && games.iter().zip(job.games()).all(|(record, game)| of_job(record) == Some(game));
        if !is_whole {
            return Err(JobFault::Games);
        }
        let judge = |record: GameRecord| {
            let scheduled = of_job(&record).ok_or(JobFault::Games)?;
            let fault = |fault| JobFault::Record { number: scheduled.number, fault };
            let record = GameRecord { worker: Some(worker.clone()), ..record };
            judged(record, self.config, scheduled).map_err(fault)
        };
        let mut games = games.into_iter().map(judge).collect::<Result<Vec<_>, _>>()?;
        let mut discarded = discarded.into_iter().map(judge).collect::<Result<Vec<_>, _>>()?;
        let batch = |turn: NextGames| {
            let is_of = |game: &mut StoredGame| {
                let number = Some(game.number);
                number == Some(turn.first.number) || number == turn.twin.map(|twin| twin.number)
            };
            let games: Vec<_> = games.extract_if(.., is_of).collect();
            let lags = games.iter().map(StoredGame::lags).collect();
            GameBatch { games, lags, discarded: discarded.extract_if(.., is_of).collect() }
        };
        Ok(job.turns(self.config).map(batch).collect())
    }
}

impl<'a> GameQueue<'a> {
    /// Takes the next games that can be played, if there are any now.
    pub fn next_job(&self) -> NextJob<'_> {
        match self.try_next() {
            WorkerTurn::Play(games) => {
                let games = self.with_twin(&mut self.left(), games);
                let taken = TakenGames { queue: self, games };
                NextJob::Play(OpenJob { taken, config: self.config })
            }
            WorkerTurn::ReadOn | WorkerTurn::Wait => NextJob::Wait,
            WorkerTurn::Over => NextJob::Over,
        }
    }
}
