//! `tengen openings show`: positions of a book as boards.

use clap::Args as ClapArgs;
use serde::Serialize;
use tengen_record::formats::book::BookPosition;
use tengen_rules::{Point, Position};

use super::BookArgs;
use crate::play::board_text;
use crate::report::print;
use crate::{CommandOutcome, report};

#[derive(Debug, ClapArgs)]
pub(crate) struct BookShowArgs {
    #[command(flatten)]
    pub book: BookArgs,
    /// The first position to show, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub start: u32,
    /// How many positions to show [default: 5; all with --json or --lines]
    #[arg(long, value_name = "N")]
    pub count: Option<u32>,
    /// Print the positions as an opening suite, one line each
    #[arg(long, conflicts_with = "json")]
    pub lines: bool,
    /// Print one JSON object instead of boards
    #[arg(long)]
    pub json: bool,
}

/// How many boards are shown where nothing is said.
const FEW: usize = 5;

#[derive(Serialize)]
struct ShownPosition {
    number: usize,
    moves: Vec<String>,
    /// Black's share of the points in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    black: Option<u8>,
}

pub(crate) fn show(args: &BookShowArgs) -> anyhow::Result<CommandOutcome> {
    let mut book = args.book.read()?;
    let usual = if args.json || args.lines { usize::MAX } else { FEW };
    let count = args.count.map_or(usual, |count| count as usize);
    let (all, black) = (book.positions.len(), book.black());
    let shown = (1..).zip(std::mem::take(&mut book.positions));
    let shown = shown.skip(args.start as usize - 1).take(count);
    if args.lines {
        book.positions = shown.map(|(_, position)| position).collect();
        print(&book.to_text())?;
    } else if args.json {
        let positions: Vec<_> = shown
            .map(|(number, BookPosition { stones, black })| {
                let moves = stones.iter().map(Point::to_string).collect();
                ShownPosition { number, moves, black }
            })
            .collect();
        report::json(&serde_json::json!({
            "rule": book.rule.to_string(),
            "size": book.size.to_string(),
            "notes": book.notes,
            "count": all,
            "black": black,
            "positions": positions,
        }))?;
    } else {
        let mut text = format!("{all} positions, {} on {}\n", book.rule, book.size);
        book.notes.iter().for_each(|note| text += &format!("{note}\n"));
        for (number, BookPosition { stones, black }) in shown {
            let mut position = Position::new(book.rule, book.size);
            let is_whole = stones.iter().all(|&stone| position.play(stone).is_ok());
            let share = black.map_or(String::new(), |share| format!("   Black makes {share} %"));
            let wrong = if is_whole { "" } else { "   cannot be played" };
            text += &format!("\n{number}: {}{share}{wrong}\n", tengen_lineup::joined(&stones, " "));
            text += &board_text(&position);
        }
        print(&text)?;
    }
    Ok(CommandOutcome::Done)
}
