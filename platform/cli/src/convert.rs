//! `tengen convert`: games from one format to another.

mod source;
mod text;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use clap::Args as ClapArgs;
use serde::Serialize;
use tengen_record::formats::{Format, FormatLoss, ScoreSheet};
use tengen_record::{GameRecord, replay};
use tengen_rules::{Rule, Size};

use crate::output_target::{OutputTarget, is_stream};
use crate::{CommandOutcome, WrongUse, report};
use source::ConvertSource;

#[derive(Debug, ClapArgs)]
pub(crate) struct ConvertArgs {
    /// The file to read; - is standard input
    #[arg(value_name = "FROM")]
    pub source: PathBuf,
    /// The file to write; - is standard output
    #[arg(value_name = "TO")]
    pub target: PathBuf,
    /// The format of FROM [default: by its extension]
    ///
    /// One of json, jsonl, sgf, psq, pos and offset.
    #[arg(long, value_name = "FORMAT")]
    pub from: Option<Format>,
    /// The format of TO [default: by its extension]
    ///
    /// One of those of --from, or pgn for rating tools.
    #[arg(long, value_name = "FORMAT")]
    pub to: Option<Format>,
    /// The rule of games that do not name one
    #[arg(long)]
    pub rule: Option<Rule>,
    /// The board of pos and offset lines
    #[arg(long, value_name = "N|WxH", default_value = "15")]
    pub size: Size,
    /// Convert only this game, counted from 1
    #[arg(long, value_name = "N")]
    pub game: Option<u64>,
    /// Write the first N stones of each game, as an opening suite (pos or offset)
    #[arg(long, value_name = "N")]
    pub plies: Option<usize>,
    /// Skip games that cannot be converted, and report each
    #[arg(long)]
    pub skip_bad: bool,
    /// Overwrite an existing file
    #[arg(long)]
    pub force: bool,
    /// Print one JSON object when done
    #[arg(long)]
    pub json: bool,
}

pub(crate) enum SourceGame {
    Record(Box<GameRecord>),
    Sheet(Box<ScoreSheet>),
}

#[derive(Serialize)]
struct ConvertReport {
    games: u64,
    from: &'static str,
    to: &'static str,
    /// What the new format cannot say of these games.
    lost: BTreeSet<FormatLoss>,
    /// The games that were left out, the first hundred of them.
    bad: Vec<BadGame>,
    bad_games: u64,
}

#[derive(Serialize)]
struct BadGame {
    game: u64,
    error: String,
}

const MOST_BAD: usize = 100;

pub(crate) fn convert(args: &ConvertArgs) -> anyhow::Result<CommandOutcome> {
    write(args, None)?.print(args)
}

/// Writes all games of a file of records, silently; `target` must be new.
pub(crate) fn export(records: &Path, target: &Path, to: Format) -> anyhow::Result<()> {
    let folder = records.parent().and_then(Path::file_name);
    // What rating tools read names the event; a game's own file says no more than its record.
    let event =
        folder.filter(|_| to == Format::Pgn).map(|name| name.to_string_lossy().into_owned());
    let args = ConvertArgs {
        source: records.to_owned(),
        target: target.to_owned(),
        from: Some(Format::JsonLines),
        to: Some(to),
        rule: None,
        size: Size::STANDARD,
        game: None,
        plies: None,
        skip_bad: false,
        force: false,
        json: false,
    };
    write(&args, event.as_deref()).map(drop)
}

/// The game of that number in a file, counted from 1. The board is that of lines that name none.
pub(crate) fn game(path: &Path, number: u64, size: Size) -> anyhow::Result<ScoreSheet> {
    let shown = path.display();
    let extension = path.extension().and_then(|extension| extension.to_str());
    let format = extension.and_then(Format::of_extension).filter(|format| *format != Format::Pgn);
    let format = format.ok_or_else(|| {
        WrongUse(anyhow!("{shown}: no game can be read; name a json, jsonl, sgf, psq or pos file"))
    })?;
    let (mut games, mut found) = (0, None);
    ConvertSource::open(path, format, size)?.each(&mut |game| {
        games += 1;
        if games < number {
            return Ok(ControlFlow::Continue(()));
        }
        found = Some(game);
        Ok(ControlFlow::Break(()))
    })?;
    let game = found.ok_or_else(|| {
        WrongUse(anyhow!("{shown}: there is no game {number}; the file has {games}"))
    })?;
    let sheet = game.and_then(|game| match game {
        SourceGame::Record(record) => Ok(ScoreSheet::from_record(&record)?),
        SourceGame::Sheet(sheet) => Ok(*sheet),
    });
    sheet.with_context(|| shown.to_string())
}

/// Writes the games, which are of that event where they do not say so themselves.
fn write(args: &ConvertArgs, event: Option<&str>) -> anyhow::Result<ConvertReport> {
    let (from, to) = formats(args).map_err(WrongUse)?;
    let source = ConvertSource::open(&args.source, from, args.size)?;
    let mut target = OutputTarget::create(&args.target, args.force)?;
    let (mut number, mut written) = (0, 0);
    let (lost, bad) = (BTreeSet::new(), Vec::new());
    let mut report =
        ConvertReport { games: 0, from: from.name(), to: to.name(), lost, bad, bad_games: 0 };
    source.each(&mut |game| {
        number += 1;
        if args.game.is_some_and(|wanted| wanted != number) {
            return Ok(ControlFlow::Continue(()));
        }
        match game.and_then(|game| converted(game, to, args, event, &mut report.lost)) {
            Ok(text) => {
                written += 1;
                refuse_second(written, to, args)?;
                target.write(text.as_bytes())?;
            }
            Err(error) if args.skip_bad => report.leave_out(args, number, &error),
            Err(error) => bail!("{}: {}", args.source.display(), place(number, &error)),
        }
        let last = args.game == Some(number);
        Ok(if last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    report.games = written;
    let path = args.source.display();
    match (args.game, written) {
        (Some(wanted), 0) if number < wanted => {
            bail!("{path}: no game {wanted}; the file has {number}")
        }
        (_, 0) if report.bad_games > 0 => bail!("{path}: could not convert any of {number} games"),
        (_, 0) => bail!("{path}: no games found"),
        _ => {}
    }
    target.finish()?;
    Ok(report)
}

/// Both formats, if they are known and can be converted so.
fn formats(args: &ConvertArgs) -> anyhow::Result<(Format, Format)> {
    let from = format_of(&args.source, args.from, "--from")?;
    let to = format_of(&args.target, args.to, "--to")?;
    if from == Format::Pgn {
        bail!("--from pgn: PGN files have no moves to read; they are for rating tools");
    }
    if args.plies.is_some() && !matches!(to, Format::Pos | Format::Offset) {
        bail!("--plies: only pos and offset can store openings, not {to}");
    }
    if args.json && is_stream(&args.target) {
        bail!("--json: the games go to standard output; name a file as TO");
    }
    Ok((from, to))
}

/// What is told wins over the file's extension.
fn format_of(path: &Path, told: Option<Format>, option: &str) -> anyhow::Result<Format> {
    if let Some(format) = told {
        return Ok(format);
    }
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.and_then(Format::of_extension).ok_or_else(|| {
        let path = path.display();
        anyhow!("{path}: unknown format; name it with {option}")
    })
}

/// Some formats hold one game.
fn refuse_second(written: u64, to: Format, args: &ConvertArgs) -> anyhow::Result<()> {
    if written < 2 || !to.is_single() {
        return Ok(());
    }
    let path = args.source.display();
    bail!("{path}: several games, but {to} stores one; choose with --game, or write jsonl or sgf")
}

/// The text of a game in the format asked for.
fn converted(
    game: SourceGame,
    to: Format,
    args: &ConvertArgs,
    event: Option<&str>,
    lost: &mut BTreeSet<FormatLoss>,
) -> anyhow::Result<String> {
    match (game, to) {
        (SourceGame::Record(record), Format::Json | Format::JsonLines) => {
            replay(&record)?;
            Ok(record.to_json_line() + "\n")
        }
        (SourceGame::Record(record), to) => {
            let mut sheet = ScoreSheet::from_record(&record)?;
            if let Some(event) = event.filter(|_| sheet.event.is_empty()) {
                event.clone_into(&mut sheet.event);
            }
            lost.extend(Format::lost_of_record(&record));
            text::text(&sheet, to, args.plies, lost)
        }
        (SourceGame::Sheet(mut sheet), to) => {
            if sheet.rule.is_none() && args.rule.is_some() {
                sheet.rule = args.rule;
                sheet.check()?;
            }
            text::text(&sheet, to, args.plies, lost)
        }
    }
}

/// An error that names a line needs no number of a game.
fn place(number: u64, error: &anyhow::Error) -> String {
    let text = format!("{error:#}");
    if text.starts_with("line ") { text } else { format!("game {number}: {text}") }
}

impl ConvertReport {
    fn leave_out(&mut self, args: &ConvertArgs, game: u64, error: &anyhow::Error) {
        self.bad_games += 1;
        let error = place(game, error);
        report::tell(format_args!("tengen: {}: {error}; skipped", args.source.display()));
        if self.bad.len() < MOST_BAD {
            self.bad.push(BadGame { game, error });
        }
    }

    fn print(&self, args: &ConvertArgs) -> anyhow::Result<CommandOutcome> {
        if args.json {
            report::json(self)?;
            return Ok(CommandOutcome::Done);
        }
        if !is_stream(&args.target) {
            let games = if self.games == 1 { "game" } else { "games" };
            let target = args.target.display();
            report::print(&format!("{target}: {} {games}\n", self.games))?;
        }
        if !self.lost.is_empty() {
            let lost = tengen_lineup::joined(self.lost.iter().map(|loss| loss.name()), ", ");
            report::tell(format_args!("tengen: {} cannot store: {lost}", self.to));
        }
        Ok(CommandOutcome::Done)
    }
}
