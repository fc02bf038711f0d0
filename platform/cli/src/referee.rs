//! `tengen tournament referee`: the acts of a referee, each a numbered change with a reason.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use clap::{Args as ClapArgs, Subcommand};
use tengen_lineup::date;
use tengen_rules::Seat;
use tengen_tournament::{Event, EventError, RefereeNote, Ruling};

use crate::outcome::event_error;
use crate::steer::{done, place_of};
use crate::{CommandOutcome, WrongUse};

#[derive(Debug, Subcommand)]
pub(crate) enum RefereeCommand {
    /// Give a game a result by hand: one that is finished, or is being played
    ///
    /// A game that is being played ends when the move that is thought about has come, which does
    /// not count any more. What was played stays on record.
    #[command(after_help = "Examples:\n\
                      \x20 tengen tournament referee result cup 17 mine --reason 'cable out'\n\
                      \x20 tengen tournament referee result cup 17 draw --reason 'both hung'")]
    Result(ResultArgs),
    /// Make a game count for neither player
    Void(GamesArgs),
    /// Have a finished game played again from its start
    Replay(GamesArgs),
    /// Begin the next round of an event with --rounds-by-hand
    Begin(BeginArgs),
    /// Pause a game that is being played, between two moves, where no clock runs
    Pause(GamesArgs),
    /// Continue a game that was paused
    Continue(GamesArgs),
    /// Warn an engine: it is on record, and changes no result
    #[command(
        after_help = "Example: tengen tournament referee warn cup mine --reason 'it floods its log'"
    )]
    Warn(WarnArgs),
    /// Undo an act of a referee, by the number of its change
    #[command(after_help = "Example: tengen tournament referee undo cup 3 --reason 'wrong game'")]
    Undo(UndoArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ResultArgs {
    /// The event's folder
    pub event: PathBuf,
    /// The number of the game
    pub game: u64,
    /// The engine that wins, as the standings call it, or `draw`
    pub winner: String,
    #[command(flatten)]
    pub note: NoteArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct GamesArgs {
    /// The event's folder
    pub event: PathBuf,
    /// The numbers of the games, such as both of a pair
    #[arg(required = true, value_name = "GAME")]
    pub games: Vec<u64>,
    #[command(flatten)]
    pub note: NoteArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct WarnArgs {
    /// The event's folder
    pub event: PathBuf,
    /// The engine, as the standings call it
    pub engine: String,
    #[command(flatten)]
    pub note: NoteArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct UndoArgs {
    /// The event's folder
    pub event: PathBuf,
    /// The number of the change, as the report has it
    pub change: u64,
    #[command(flatten)]
    pub note: NoteArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct BeginArgs {
    /// The event's folder
    pub event: PathBuf,
    #[command(flatten)]
    pub name: NameArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct NoteArgs {
    /// Why, shown in the report and in the record
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
    #[command(flatten)]
    pub name: NameArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct NameArgs {
    /// The name of the referee [default: that of the user]
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,
}

impl NameArgs {
    /// The referee.
    fn by(&self) -> anyhow::Result<String> {
        let user = || ["USER", "USERNAME"].into_iter().find_map(|name| env::var(name).ok());
        let by = self.by.clone().or_else(user).filter(|name| !name.trim().is_empty());
        by.ok_or_else(|| WrongUse(anyhow!("name the referee with --by NAME")).into())
    }

    /// Acts for this reason, and says what was done and what is left to play.
    fn act(
        &self,
        reason: &str,
        act: impl FnOnce(RefereeNote<'_>) -> Result<Event, EventError>,
    ) -> anyhow::Result<CommandOutcome> {
        let (by, date) = (self.by()?, date());
        done(&act(RefereeNote { by: &by, reason, date: &date }).map_err(event_error)?)
    }
}

impl NoteArgs {
    fn act(
        &self,
        act: impl FnOnce(RefereeNote<'_>) -> Result<Event, EventError>,
    ) -> anyhow::Result<CommandOutcome> {
        self.name.act(&self.reason, act)
    }
}

pub(crate) fn run(command: &RefereeCommand) -> anyhow::Result<CommandOutcome> {
    match command {
        RefereeCommand::Result(args) => {
            let ResultArgs { event, game, winner, note } = args;
            let ruling = Ruling::Result(winner_of(event, *game, winner)?);
            note.act(|note| rule(event, *game, ruling, note))
        }
        RefereeCommand::Pause(args) => {
            args.each(|dir, game, note| Event::pause_game(dir, game, true, note))
        }
        RefereeCommand::Continue(args) => {
            args.each(|dir, game, note| Event::pause_game(dir, game, false, note))
        }
        RefereeCommand::Void(args) => {
            args.each(|dir, game, note| rule(dir, game, Ruling::Void, note))
        }
        RefereeCommand::Replay(args) => {
            args.each(|dir, game, note| Event::rule(dir, game, Ruling::Replay, note))
        }
        RefereeCommand::Warn(args) => {
            let event = Event::open(&args.event).map_err(event_error)?;
            let place = place_of(&event, &args.engine)?;
            args.note.act(|note| Event::warn(&args.event, place, note))
        }
        RefereeCommand::Begin(args) => {
            args.name.act("", |note| Event::begin_round(&args.event, note))
        }
        RefereeCommand::Undo(args) => {
            args.note.act(|note| Event::undo(&args.event, args.change, note))
        }
    }
}

impl GamesArgs {
    /// Does this to each of the games.
    fn each(
        &self,
        act: impl Fn(&Path, u64, RefereeNote<'_>) -> Result<Event, EventError>,
    ) -> anyhow::Result<CommandOutcome> {
        for &game in &self.games {
            self.note.act(|note| act(&self.event, game, note))?;
        }
        Ok(CommandOutcome::Done)
    }
}

/// Rules on a game that is finished, or is being played.
fn rule(dir: &Path, game: u64, ruling: Ruling, note: RefereeNote<'_>) -> Result<Event, EventError> {
    let event = Event::open(dir)?;
    let is_played = event.is_running() && event.game(game)?.is_none();
    drop(event);
    match is_played {
        true => Event::end_game(dir, game, ruling, note),
        false => Event::rule(dir, game, ruling, note),
    }
}

/// The seat of an engine in a game; none for `draw`.
fn winner_of(dir: &Path, game: u64, winner: &str) -> anyhow::Result<Option<Seat>> {
    let event = Event::open(dir).map_err(event_error)?;
    let labels = event.config().labels();
    let Some(scheduled) = event.schedule().get(game) else {
        let games = event.schedule().len();
        bail!(WrongUse(anyhow!("game {game}: the event has games 1 to {games}")));
    };
    let seated = |seat: &Seat| labels[scheduled.seats[*seat]] == winner;
    match Seat::ALL.into_iter().find(seated) {
        Some(seat) => Ok(Some(seat)),
        None if winner == "draw" => Ok(None),
        None => {
            let players = Seat::ALL.map(|seat| labels[scheduled.seats[seat]].clone());
            bail!(WrongUse(anyhow!(
                "{winner}: does not play game {game}; give {} or draw",
                players.join(", ")
            )))
        }
    }
}
