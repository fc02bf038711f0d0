//! `tengen play URL --engine X`: an engine of this machine at a table of a server elsewhere.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args as ClapArgs;
use tengen_tournament::Seconds;

use super::PlayArgs;
use crate::flags::refuse;
use crate::{CommandOutcome, WrongUse};

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "At a server's table")]
pub(crate) struct RemoteArgs {
    /// The engine that plays at the table
    ///
    /// Its id, its path, or builtin:NAME.
    #[arg(long, value_name = "ENGINE")]
    engine: Option<String>,
    /// Its name there [default: its own]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// How many games it plays there [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// How many games of an event it plays at once [default: 1]
    ///
    /// Each of them has an engine of its own. The address is a link to an event.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=64))]
    tables: Option<u64>,
    /// The time it leaves for the network, of each answer [default: 0.1]
    #[arg(long, value_name = "SECONDS")]
    reserve: Option<Seconds>,
    /// A certificate to trust (a PEM file), beside the system's
    ///
    /// That of an authority, or the server's own.
    #[arg(long, value_name = "FILE")]
    tls_ca: Option<PathBuf>,
}

impl RemoteArgs {
    /// Rejects what only means something with an address.
    pub(super) fn refuse(&self) -> anyhow::Result<()> {
        let RemoteArgs { engine, name, games, tables, reserve, tls_ca } = self;
        let problem = "needs the address of a server's table in place of an engine";
        let given = [
            ("--engine", engine.is_some()),
            ("--name", name.is_some()),
            ("--games", games.is_some()),
            ("--tables", tables.is_some()),
            ("--reserve", reserve.is_some()),
            ("--tls-ca", tls_ca.is_some()),
        ];
        refuse(given.map(|(flag, is_given)| (flag, is_given, problem)))
    }
}

/// Whether that is an address of a server.
pub(super) fn is_address(text: &str) -> bool {
    text.contains("://")
}

#[cfg(not(feature = "serve"))]
pub(super) fn play(args: &PlayArgs) -> anyhow::Result<CommandOutcome> {
    let RemoteArgs { engine: _, .. } = &args.remote;
    Err(WrongUse(anyhow!(tengen_lineup::NO_SERVER)).into())
}

#[cfg(feature = "serve")]
pub(super) use with_server::play;

#[cfg(feature = "serve")]
mod with_server {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use tengen_arbiter::Termination;
    use tengen_hosts::{GameVariant, HostSettings};
    use tengen_lineup::FoundEngines;
    use tengen_link::messages::TableSettings;
    use tengen_link::{
        ConnectionError, RemoteEngine, RemoteError, RemoteNews, RemotePlace, TableAddress,
    };
    use tengen_players::ListedEngine;
    use tengen_rules::Seat;

    use super::*;
    use crate::{report, stop};

    /// Rejects what decides nothing at that address.
    fn refuse_idle(args: &PlayArgs, link: &TableAddress) -> anyhow::Result<()> {
        let PlayArgs { rule, size, opening, tc, second, illegal, remote, .. } = args;
        let PlayArgs { debug_engine, debug_wait, .. } = args;
        let (is_event, is_table) = (link.team.is_some(), link.table.is_some());
        let whose = if is_event { "the event decides that" } else { "the table has its own" };
        let local = "only for an engine that plays against a person here";
        let alone = "only with a team's link to an event; one engine sits at one table";
        let has_own = is_event || is_table;
        let given = [
            ("--rule", rule.is_some() && has_own, whose),
            ("--size", size.is_some() && has_own, whose),
            ("--opening", opening.is_some() && has_own, whose),
            ("--tc", tc.is_some() && has_own, whose),
            ("--illegal", illegal.is_some(), local),
            ("--second", *second && is_event, whose),
            ("--games", remote.games.is_some() && is_event, whose),
            ("--tables", remote.tables.is_some() && !is_event, alone),
            ("--debug-engine", *debug_engine, local),
            ("--debug-wait", debug_wait.debug_wait.is_some(), local),
        ];
        refuse(given)
    }

    pub(in crate::play) fn play(args: &PlayArgs) -> anyhow::Result<CommandOutcome> {
        let link: TableAddress =
            args.opponent.parse().map_err(|problem: String| WrongUse(anyhow!(problem)))?;
        refuse_idle(args, &link)?;
        let Some(engine) = &args.remote.engine else {
            let problem = "name the engine that is to play there with --engine; a person opens \
                           the address in a browser";
            return Err(WrongUse(anyhow!(problem)).into());
        };
        // However often it is started, it is the same engine.
        let spec = HostSettings::this_program()?.enroll(args.seat.find(engine)?)?;
        let own_name = spec.name.clone().unwrap_or_else(|| spec.id.clone());
        let name = args.remote.name.clone().unwrap_or(own_name);
        let engine = ListedEngine { id: spec.id.clone(), name: name.clone() };
        let place = match link.team {
            Some(_) => RemotePlace::Event { tables: args.remote.tables.unwrap_or(1) },
            None => {
                let GameVariant { rule, size, opening } = args.variant();
                let usual = TableSettings::default();
                let time = args.tc.unwrap_or(usual.time);
                RemotePlace::Table {
                    settings: Box::new(TableSettings { rule, size, opening, time, ..usual }),
                    seat: args.second.then_some(Seat::Second),
                    games: args.remote.games.unwrap_or(1),
                }
            }
        };
        let (server, is_new) = (link.server(), link.table.is_none());
        let is_event = link.team.is_some();
        let remote = RemoteEngine {
            address: link,
            name,
            authority: args.remote.tls_ca.clone(),
            engine,
            engines: Arc::new(FoundEngines(vec![spec])),
            place,
            reserve: args.remote.reserve.map_or(RemoteEngine::USUAL_RESERVE, |reserve| reserve.0),
        };
        let over = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&over);
        stop::on_interrupt(move || flag.store(true, Ordering::SeqCst))?;
        let mut tell = |news| match news {
            RemoteNews::Seated { seat, invite } => {
                report::tell(format_args!("tengen: it sits on the {seat} seat"));
                if is_new {
                    let link = format!("{server}/{invite}");
                    report::tell(format_args!("tengen: the other player's link: {link}"));
                }
                report::tell(format_args!("tengen: the game begins when both seats are taken"));
            }
            RemoteNews::Joined { event, name } => {
                report::tell(format_args!("tengen: it plays in {event} as {name}"));
            }
            RemoteNews::Began(number) => {
                report::tell(format_args!("tengen: game {number} has begun"));
            }
            RemoteNews::Over { number, won, result, detail } => {
                let outcome = match won {
                    Some(true) => "won",
                    Some(false) => "lost",
                    None if result.termination == Termination::Aborted => "given up",
                    None => "drawn",
                };
                let detail = detail.map_or(String::new(), |detail| format!(": {detail}"));
                let how = result.termination.words();
                // A reader that has gone has seen what it wanted.
                let _gone = report::print(&format!("game {number}: {outcome} ({how}){detail}\n"));
            }
            RemoteNews::Problem(problem) => report::tell(format_args!("tengen: {problem}")),
            RemoteNews::Lost(problem) => {
                report::tell(format_args!("tengen: {problem}; trying to connect again"));
            }
            RemoteNews::Back => report::tell(format_args!("tengen: connected again")),
            RemoteNews::End(reason) => report::tell(format_args!("tengen: {reason}")),
        };
        match remote.play(&over, &mut tell) {
            Ok(()) if over.load(Ordering::SeqCst) => Ok(CommandOutcome::Interrupted),
            Ok(()) => Ok(CommandOutcome::Done),
            Err(error) => Err(wrong_or_failed(error, is_event)),
        }
    }

    /// An address or a key that is wrong is a wrong call.
    fn wrong_or_failed(error: RemoteError, is_event: bool) -> anyhow::Error {
        let is_wrong = match &error {
            RemoteError::Connection(error) => match error {
                ConnectionError::Address(_) | ConnectionError::Tls(_) => true,
                // The key of an event comes with the greeting.
                ConnectionError::Refused { .. } => is_event,
                _ => false,
            },
            RemoteError::NoSeat { .. } => true,
            _ => false,
        };
        if is_wrong { WrongUse(error.into()).into() } else { error.into() }
    }
}
