//! `tengen tournament pairings`: who meets whom in a round.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args as ClapArgs;
use tengen_tournament::{Event, PairedTable, Pairings};
use tengen_web::csv_line;

use crate::outcome::event_error;
use crate::report::{align_right, points, show, table};
use crate::{CommandOutcome, report};

#[derive(Debug, ClapArgs)]
pub(crate) struct PairingsArgs {
    /// The event's folder
    pub event: PathBuf,
    /// The round, counted from 1 [default: the one that is played, or the next one]
    #[arg(long, value_name = "N")]
    pub round: Option<u64>,
    /// Print comma-separated values instead of a table
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub json: bool,
}

pub(crate) fn pairings(args: &PairingsArgs) -> anyhow::Result<CommandOutcome> {
    let event = Event::open(&args.event).map_err(event_error)?;
    let pairings = event.pairings(args.round).map_err(event_error)?;
    if args.csv {
        // A terminal would show the other half of a line's end.
        report::print(&csv(&pairings).replace("\r\n", "\n"))?;
        return Ok(CommandOutcome::Done);
    }
    let json = || serde_json::to_value(&pairings).expect("every key is a string");
    show(args.json, json, || text(&event, &pairings))?;
    if pairings.is_awaited {
        let dir = args.event.display();
        report::tell(format_args!(
            "tengen: begin the round with `tengen tournament referee begin {dir}`"
        ));
    }
    Ok(CommandOutcome::Done)
}

fn text(event: &Event, pairings: &Pairings) -> String {
    let Pairings { round, rounds, stage, is_awaited, tables, byes } = pairings;
    let stage = stage.map(|stage| format!("stage {stage}, ")).unwrap_or_default();
    let state = if *is_awaited { ", not begun yet" } else { "" };
    let mut out = format!("{}: {stage}round {round} of {rounds}{state}\n", event.title());
    let mut shown = table(["Table", "First", "Second", "Games", "Result"]);
    for PairedTable { table, first, second, games, finished, points: made } in tables {
        let numbers = match games[..] {
            [one] => one.to_string(),
            [one, .., last] => format!("{one}–{last}"),
            [] => String::new(),
        };
        let result = match *finished {
            0 => String::new(),
            finished if finished == games.len() as u64 => made.map(points).join(" – "),
            finished => format!("{} ({finished} of {})", made.map(points).join(" – "), games.len()),
        };
        shown.add_row([table.to_string(), first.clone(), second.clone(), numbers, result]);
    }
    align_right(&mut shown, &[0, 3]);
    let _ = writeln!(out, "{shown}");
    if !byes.is_empty() {
        let _ = writeln!(out, "No game in this round: {}", byes.join(", "));
    }
    out
}

fn csv(pairings: &Pairings) -> String {
    let heads = ["round", "table", "first", "second", "games", "first points", "second points"];
    let mut csv = csv_line(heads);
    let round = pairings.round.to_string();
    for PairedTable { table, first, second, games, finished, points } in &pairings.tables {
        let table = table.to_string();
        let games: Vec<String> = games.iter().map(u64::to_string).collect();
        let made = |points: f64| if *finished == 0 { String::new() } else { points.to_string() };
        let [one, other] = points.map(made);
        csv += &csv_line([&round, &table, first, second, &games.join(" "), &one, &other]);
    }
    for bye in &pairings.byes {
        csv += &csv_line([&round, "", bye, "", "", "", ""]);
    }
    csv
}
