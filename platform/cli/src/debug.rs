//! `tengen debug`: plays a game of an event again for one of its engines, outside the clock, until
//! it fails as it did or a debugger takes over.

mod debugger;
mod replay;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{anyhow, bail};
use clap::Args as ClapArgs;
use tengen_arbiter::Game;
use tengen_hosts::{DebugStart, EngineSpec};
use tengen_lineup::{EngineLogs, EngineRoster, EventLog};
use tengen_record::GameRecord;
use tengen_rules::{BySeat, Seat};
use tengen_tournament::{
    Event, GameEnd, GameParams, GameRunner, Roster, SubstituteFn, first_words,
};

use crate::flags::DebugWaitArgs;
use crate::game_log::scheduled;
use crate::outcome::event_error;
use crate::report::tell;
use crate::{CommandOutcome, WrongUse, report, stop};
use debugger::{Aim, Debugger, is_there};
use replay::{Replay, ReplayedSeat};

#[derive(Debug, ClapArgs)]
pub(crate) struct DebugArgs {
    /// The event's folder
    pub event: PathBuf,
    /// The number of the game
    pub game: u64,
    /// The engine to debug [default: the one that lost the game by a fault]
    #[arg(long, value_name = "ENGINE")]
    pub engine: Option<String>,
    /// Stop before the engine is asked for this ply, for a debugger
    ///
    /// It stops before this ply or the next one that the engine is asked for, prints the process ID
    /// of the engine, and waits until you have attached a debugger.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub ply: Option<u32>,
    /// Start gdb on the engine's process there
    ///
    /// Without --ply, it stops before the last question.
    #[arg(long)]
    pub gdb: bool,
    #[command(flatten)]
    pub wait: DebugWaitArgs,
    /// The folder with the engines [default: the event's]
    ///
    /// Engines of this folder are started as they are now.
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

pub(crate) fn debug(args: &DebugArgs) -> anyhow::Result<CommandOutcome> {
    let event = Event::open(&args.event).map_err(event_error)?;
    let number = args.game;
    let scheduled = scheduled(&event, number)?;
    let Some(record) = event.game(number)? else {
        bail!("{}: game {number} is not finished", event.dir().display());
    };
    let labels = event.config().labels();
    let names = BySeat::from_fn(|seat| labels[scheduled.seats[seat]].as_str());
    let seat = seat(args, &record, names)?;
    if args.gdb && !is_there() {
        bail!(WrongUse(anyhow!("--gdb: gdb was not found; install it, or leave out --gdb")));
    }
    let (place, config) = (scheduled.seats[seat], event.config());
    let engine = EngineRoster::find_again(config, place, args.dir.as_deref())?;
    let debugger = debugger(args, &record, seat, &engine).map(Arc::new);
    let is_open = debugger.is_some();
    let start =
        debugger.clone().map(|debugger| DebugStart::new(move |process| debugger.started(process)));
    let roster = EngineRoster::alone(config, place, engine, start)?;
    let log = EventLog::new(io::stdout(), "standard output".as_ref());
    let logs = EngineLogs { event: Some(Arc::new(log)), ..EngineLogs::default() };
    let roster = roster.logged(logs, config);
    let interrupt = &roster.settings().interrupt;
    if args.gdb {
        // Ctrl-C is for the debugger.
        stop::on_interrupt(|| ())?;
    } else {
        stop::raise_on_interrupt(interrupt)?;
    }
    tell_what(&record, names, seat, is_open);
    let replay = Replay::new(&record, seat, debugger.clone());
    let mut played = ReplayedSeat::debugged(&replay, seat, roster.player(place));
    let mut other = ReplayedSeat::scripted(&replay, !seat);
    let mut game = Game::new(config.game(&scheduled)).map_err(|error| anyhow!("{error:?}"))?;
    let params = GameParams {
        number: Some(number),
        opening: config.opening,
        seed: scheduled.seed,
        draw_offers: config.draw_offers,
    };
    let halted = || replay.is_over() || interrupt.is_raised();
    let substitute = |game: &Game, seat| replay.substitute(game.history().len(), seat);
    let substitute: Option<&SubstituteFn<'_>> = Some(&substitute);
    let runner =
        GameRunner { time: &replay, stall: None, halted: &halted, substitute, listener: None };
    let players = match seat {
        Seat::First => BySeat { first: &mut played as _, second: &mut other as _ },
        Seat::Second => BySeat { first: &mut other as _, second: &mut played as _ },
    };
    let mut end = GameEnd::default();
    let _halted = runner.play_watched(&mut game, params, players, &mut end, |game| {
        replay.look(game.history().len());
    });
    debugger.iter().for_each(|debugger| debugger.wait());
    drop(played);
    debugger.iter().for_each(|debugger| debugger.finish());
    if interrupt.is_raised() {
        return Ok(CommandOutcome::Interrupted);
    }
    let fault = game.result().filter(|result| result.termination.is_fault());
    let (what, outcome) = match (fault, replay.last_words()) {
        (Some(fault), _) => {
            let (how, detail) = (fault.termination.words(), end.detail.unwrap_or_default());
            (format!(" fails by {how}: {detail}"), CommandOutcome::Failed)
        }
        (None, Some(words)) => (format!(": {words}"), CommandOutcome::Done),
        (None, None) => (" answered everything that it was asked".into(), CommandOutcome::Done),
    };
    report::print(&format!("\n{}{what}\n", names[seat]))?;
    Ok(outcome)
}

/// What is to look at the engine's process, if anything.
fn debugger(
    args: &DebugArgs,
    record: &GameRecord,
    seat: Seat,
    engine: &EngineSpec,
) -> Option<Debugger> {
    let aim = match (args.ply, args.gdb) {
        (Some(ply), _) => Aim::Ply(ply),
        (None, true) => last_question(record, seat),
        // A library itself says what it died of; for a program, a debugger has to look.
        (None, false) if engine.kind.is_text() && is_there() => Aim::Death,
        (None, false) => return None,
    };
    Some(Debugger::new(aim, args.gdb, args.wait, engine.clone()))
}

/// The seat of the engine that is debugged.
fn seat(args: &DebugArgs, record: &GameRecord, names: BySeat<&str>) -> anyhow::Result<Seat> {
    if let Some(name) = &args.engine {
        let meant = Seat::ALL.into_iter().find(|seat| names[*seat] == name);
        return meant.ok_or_else(|| {
            let [first, second] = Seat::ALL.map(|seat| names[seat]);
            let game = args.game;
            WrongUse(anyhow!("--engine {name}: {first} and {second} played game {game}")).into()
        });
    }
    let loser = record.result.winner.filter(|_| record.result.termination.is_fault());
    loser.map(|winner| !winner).ok_or_else(|| {
        let [first, second] = Seat::ALL.map(|seat| names[seat]);
        let how = record.result.termination.words();
        WrongUse(anyhow!(
            "game {} ended by {how}, and no engine lost it by a fault: name one with --engine \
             {first} or --engine {second}",
            args.game
        ))
        .into()
    })
}

/// Before what the engine was asked last.
fn last_question(record: &GameRecord, seat: Seat) -> Aim {
    let own = record.actions.iter().rposition(|entry| entry.seat == seat);
    // The last question may have no answer.
    let is_lost = record.result.winner == Some(!seat) && record.result.termination.is_fault();
    let is_illegal = record.actions.last().is_some_and(|entry| entry.seat == seat && !entry.legal);
    match own {
        // It may not even have got ready.
        None if is_lost && record.actions.is_empty() => Aim::Start,
        _ if is_lost && !is_illegal => Aim::Action(record.actions.len()),
        own => Aim::Action(own.unwrap_or(0)),
    }
}

fn tell_what(record: &GameRecord, names: BySeat<&str>, seat: Seat, is_open: bool) {
    let [engine, other] = [names[seat], names[!seat]];
    let how = record.result.termination.words();
    let walls = if is_open { "without a sandbox" } else { "in its sandbox" };
    tell(format_args!(
        "tengen: {engine} plays the game again {walls} and without deadlines, and {other} answers \
         as it did; the game ended by {how}{}",
        record
            .detail
            .as_deref()
            .map_or_else(String::new, |detail| format!(": {}", first_words(detail)))
    ));
}
