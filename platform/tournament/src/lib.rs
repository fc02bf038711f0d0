//! Schedules, the table that runs a game, concurrency, the store, resume.
//!
//! An [`Event`] lies in a folder. It is made from an [`EventConfig`], and run by a program that can
//! seat players ([`Roster`]) and tell the time; it knows nothing of engines or processes.
//!
//! ```
//! use tengen_players::{Player, RandomLegal, RealTime};
//! use tengen_tournament::{Event, EventConfig, RunOutcome, Roster, Stop};
//!
//! struct Dice;
//!
//! impl Roster for Dice {
//!     fn player(&self, _engine: usize) -> Box<dyn Player> {
//!         Box::new(RandomLegal::new())
//!     }
//!
//! }
//!
//! let text = "size = 9\ngames = 4\nengines = ['red', 'blue', 'green']";
//! let config = EventConfig::from_toml(text, "dice.toml".as_ref())?;
//! let folder = tempfile::tempdir()?;
//! let mut event = Event::create(&folder.path().join("dice"), config)?;
//! let outcome = event.run(&Dice, &RealTime::new(), &Stop::new(), &mut |progress| {
//!     println!("{} of {}", progress.finished, progress.total);
//! })?;
//! assert_eq!(outcome, RunOutcome::Finished);
//! assert_eq!(event.summary().games, 12);
//! assert_eq!(event.records().count(), 12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod affinity;
mod breakdown;
mod config;
mod event;
mod evidence;
mod finished;
mod follower;
mod formats;
mod game_runner;
mod incidents;
mod schedule;
#[cfg(test)]
mod simulation;
mod stop;
mod store;
mod summary;
mod tally;

pub use affinity::{allowed_cpus, bind_thread};
pub use breakdown::{Breakdown, BreakdownBy, BreakdownGroup, ByBothColors, ScoreCounts};
pub use config::{
    AbsentOption, Affinity, AlikeOption, ChangedOption, ConfigError, EngineEntry, EventConfig,
    EventFormat, EventPart, FifthMoves, ForbiddenOption, IllegalOption, IsolationOption,
    LateOption, LineEndOption, MarginOption, Mebibytes, OpeningOrder, OpeningPolicy, Openings,
    OwnOpening, ParseOptionError, Places, RestartOption, Seconds, SeedingOption, SequentialTest,
    SetAside, SpoiledOption, StageConfig, Symmetries, TieBreaks, balanced, has_balanced,
};
pub use event::{
    Change, ChangeKind, Event, EventError, EventProgress, GameExport, GameJob, GameQueue, GameSink,
    JobFault, JobTable, JobTables, LookAfter, NextJob, OpenJob, PairedTable, Pairings, PlayedJob,
    RecordFault, RefereeNote, Repaired, Roster, RunOutcome, TableCpus, Watcher, WatcherPair,
    Workforce, play_unsaved,
};
pub use evidence::{
    EndedGame, EndedPair, PairMaker, PlayedLines, game_line, line_between, record_line,
};
pub use finished::FinishedGame;
pub use follower::{
    EventFollower, FollowedEvent, FollowedGame, FollowedStandings, FollowedWorker, GameNews,
    SearchNews, TableCursor,
};
pub use formats::{BracketLine, StageLine, StageSummary, StageTable};
pub use game_runner::{
    GameEnd, GameParams, GameRunner, Halted, SubstituteFn, substitute_answer, take_reply,
};
pub use incidents::{Incident, IncidentGroup, IncidentKind, Incidents, first_words};
pub use schedule::{Schedule, ScheduledGame};
pub use stop::Stop;
pub use store::{GameBatch, GameLine, LineSet, Ruling, StoreError};
pub use summary::{
    Latency, PairStats, PairTest, RepeatedGames, SpoiledGames, SpoiledLoser, Standing,
    StandingCell, StandingColumn, Summary, TestState, WorkerSummary,
};
pub use tally::Tally;
