//! `tengen tournament log`: what the engines of one game were asked and answered.

use std::fs;
use std::io;
use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};
use clap::Args as ClapArgs;
use tengen_lineup::log_path;
use tengen_rules::Seat;
use tengen_tournament::{Event, ScheduledGame};

use crate::outcome::event_error;
use crate::{CommandOutcome, WrongUse, report};

/// What a panic says before its backtrace.
const PANIC: &str = "panicked at ";
/// How many lines of it.
const PANIC_LINES: usize = 5;

#[derive(Debug, ClapArgs)]
pub(crate) struct LogArgs {
    /// The event's folder
    pub event: PathBuf,
    /// The number of the game
    pub game: u64,
}

pub(crate) fn show(args: &LogArgs) -> anyhow::Result<CommandOutcome> {
    let event = Event::open(&args.event).map_err(event_error)?;
    let game = args.game;
    let scheduled = scheduled(&event, game)?;
    let labels = event.config().labels();
    let names = Seat::ALL.map(|seat| labels[scheduled.seats[seat]].as_str());
    let mut text = format!("Game {game}: {} – {}\n", names[0], names[1]);
    let record = event.game(game)?;
    if let Some(record) = &record {
        let won = record.result.winner.map(|seat| format!("{} won", labels[scheduled.seats[seat]]));
        let how = record.result.termination.words();
        text += &format!("{}, by {how}\n", won.unwrap_or("drawn".to_owned()));
    }
    let path = log_path(event.dir(), game);
    let log = match fs::read(&path) {
        Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => {
            return Err(error).with_context(|| format!("{}: cannot be read", path.display()));
        }
    };
    if let Some(panic) = log.as_deref().and_then(panic_of) {
        text += &format!("\n{panic}\n");
    } else if let Some(detail) = record.as_ref().and_then(|record| record.detail.as_ref()) {
        text += &format!("{detail}\n");
    }
    let Some(log) = log else {
        report::print(&text)?;
        bail!(match record {
            Some(_) => anyhow!(
                "{}: no log is kept of game {game}; logs are kept of games that a fault lost, and \
                 of all with `--log all`",
                event.dir().display()
            ),
            None => anyhow!("{}: game {game} is not finished", event.dir().display()),
        });
    };
    report::print(&format!(
        "{text}\nseconds, engine; > to it, < from it, ! printed by it, - told of it\n{log}"
    ))?;
    Ok(CommandOutcome::Done)
}

/// The game of that number in the schedule of an event.
pub(crate) fn scheduled(event: &Event, game: u64) -> anyhow::Result<ScheduledGame> {
    let total = event.schedule().len();
    event
        .schedule()
        .get(game)
        .ok_or_else(|| WrongUse(anyhow!("game {game}: the event has games 1 to {total}")).into())
}

/// The place and the message of the last panic in a log, which stand before its backtrace.
fn panic_of(log: &str) -> Option<String> {
    let lines: Vec<&str> = log.lines().collect();
    // What is told of the engine may repeat it.
    let is_said =
        |line: &&str| line.split_once(" ! ").is_some_and(|(_, said)| said.contains(PANIC));
    let at = lines.iter().rposition(is_said)?;
    let (before, first) = lines[at].split_once(" ! ")?;
    let engine = before.split_once(' ').map_or(before, |(_, engine)| engine);
    let mark = format!("{engine} ! ");
    let said = lines[at + 1..].iter().filter_map(|line| Some(line.split_once(&mark)?.1));
    let is_message =
        |line: &&str| !line.starts_with("stack backtrace:") && !line.starts_with("note:");
    let said: Vec<&str> = said.take_while(is_message).take(PANIC_LINES).collect();
    Some(format!("{engine}: {first}\n{}", said.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_panic_the_message_and_its_place_come_first() {
        let log = "\
0.1 mine > Move after 0 plies
0.2 mine ! thread 'main' panicked at src/lib.rs:7:5:
0.2 mine ! no such move: z99
0.2 other - ready
0.2 mine ! stack backtrace:
0.2 mine !    0: begin_panic
0.3 mine - failed: panicked at src/lib.rs:7:5: no such move: z99; aborted";
        let said = "mine: thread 'main' panicked at src/lib.rs:7:5:\nno such move: z99";
        assert_eq!(panic_of(log).as_deref(), Some(said));
        assert_eq!(panic_of("0.1 mine > Move"), None);
    }
}
