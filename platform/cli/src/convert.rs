//! `tengen convert`: games from one format to another.

mod source;
mod target;
mod text;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use clap::Args as ClapArgs;
use serde::Serialize;
use tengen_record::formats::{Format, FormatLoss, ScoreSheet};
use tengen_record::{GameRecord, Unread, UnreadCost, UnreadItem, UnreadList, replay};
use tengen_rules::{Rule, Size};

use crate::game_files::{self, SourceFile, game_files};
use crate::output_target::is_stream;
use crate::progress::FileProgress;
use crate::{CommandOutcome, WrongUse, report};
pub(crate) use source::ConvertSource;
use target::{ConvertTarget, GameInFile};

#[derive(Debug, ClapArgs)]
#[command(override_usage = "tengen convert [OPTIONS] <FROM>... <TO>")]
pub(crate) struct ConvertArgs {
    /// The files to read, and last the one to write
    ///
    /// FROM can be files, folders of files, and patterns such as '*.psq'; - is standard input. TO
    /// is a file, or a folder for a file each; - is standard output.
    // One list: with two, no option could stand between them.
    #[arg(value_name = "FROM... TO", required = true, num_args = 1..)]
    paths: Vec<PathBuf>,
    /// The format of FROM [default: by its extension]
    ///
    /// One of json, jsonl, sgf, psq, pos, offset, ccgc (the Chinese contests), lib (RenLib) and rif
    /// (RenjuNet). What is in a .txt is found out.
    #[arg(long, value_name = "FORMAT")]
    pub from: Option<Format>,
    /// The format of TO [default: by its extension]
    ///
    /// One of those of --from but rif, or pgn for rating tools. A folder needs it.
    #[arg(long, value_name = "FORMAT")]
    pub to: Option<Format>,
    /// The rule of games that do not name one
    ///
    /// With it, SGF files that say they are of another game, as `GM[1]`, are read too.
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
    ///
    /// Of several files the others are always converted; without this, the exit code is 1 then.
    #[arg(long)]
    pub skip_bad: bool,
    /// Overwrite an existing file
    #[arg(long)]
    pub force: bool,
    /// Print one JSON object when done
    #[arg(long)]
    pub json: bool,
}

impl ConvertArgs {
    fn sources(&self) -> &[PathBuf] {
        self.paths.split_last().map_or(&[], |(_, sources)| sources)
    }

    fn target(&self) -> &Path {
        self.paths.last().map_or(Path::new(""), PathBuf::as_path)
    }
}

pub(crate) enum SourceGame {
    Record(Box<GameRecord>),
    Sheet(Box<ScoreSheet>),
}

#[derive(Serialize)]
struct ConvertReport {
    games: u64,
    /// The files that these are from.
    files: u64,
    /// The files of folders that are of no format.
    passed_over: u64,
    /// The format of the first file; none if there was none.
    from: Option<&'static str>,
    to: &'static str,
    /// What the new format cannot say of these games.
    lost: BTreeSet<FormatLoss>,
    /// The files and games that were left out.
    #[serde(flatten)]
    unread: UnreadList,
}

pub(crate) fn convert(args: &ConvertArgs) -> anyhow::Result<CommandOutcome> {
    write(args)?.print(args)
}

/// The game of that number in a file, counted from 1. The board is that of lines that name none.
pub(crate) fn game(path: &Path, number: u64, size: Size) -> anyhow::Result<ScoreSheet> {
    let shown = path.display();
    let extension = path.extension().and_then(|extension| extension.to_str());
    let format = extension.and_then(Format::of_extension).filter(|format| format.is_read());
    let format = format.ok_or_else(|| {
        WrongUse(anyhow!(
            "{shown}: no game can be read; name a json, jsonl, sgf, psq, pos, lib, rif or txt file"
        ))
    })?;
    let (mut games, mut found) = (0, None);
    ConvertSource::open(path, format, size)?.each(&mut |game| {
        if game.as_ref().is_err_and(is_part) {
            return Ok(ControlFlow::Continue(()));
        }
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

fn write(args: &ConvertArgs) -> anyhow::Result<ConvertReport> {
    let to = check(args).map_err(WrongUse)?;
    let is_one = game_files::is_one(args.sources());
    let files = game_files(args.sources())?;
    let target = ConvertTarget::create(args, to, is_one)?;
    let (lost, unread) = (BTreeSet::new(), UnreadList::default());
    let report = ConvertReport {
        games: 0,
        files: 0,
        passed_over: 0,
        from: None,
        to: to.name(),
        lost,
        unread,
    };
    let progress = FileProgress::new(files.len() as u64);
    let mut conversion = Conversion { args, to, is_one, target, report, progress };
    for file in &files {
        conversion.file(file)?;
        conversion.progress.add(conversion.report.games);
    }
    conversion.finish()
}

/// The format to write, if the arguments go together.
fn check(args: &ConvertArgs) -> anyhow::Result<Format> {
    if args.sources().is_empty() {
        let read = args.target().display();
        bail!("{read}: name the file to write after it; - is standard output");
    }
    let to = match args.to {
        Some(to) => to,
        None => {
            let extension = args.target().extension().and_then(|extension| extension.to_str());
            extension
                .and_then(Format::of_extension)
                .ok_or_else(|| unknown(args.target(), "--to"))?
        }
    };
    if !to.is_written() {
        bail!("--to {to}: this format can only be read; use sgf");
    }
    if args.from.is_some_and(|from| !from.is_read()) {
        bail!("--from pgn: PGN files have no moves to read; they are for rating tools");
    }
    if args.plies.is_some() && !matches!(to, Format::Pos | Format::Offset) {
        bail!("--plies: only pos and offset can store openings, not {to}");
    }
    if args.json && is_stream(args.target()) {
        bail!("--json: the games go to standard output; name a file as TO");
    }
    if args.game.is_some() && !game_files::is_one(args.sources()) {
        bail!("--game: it needs a single file as FROM");
    }
    Ok(to)
}

fn unknown(path: &Path, option: &str) -> anyhow::Error {
    anyhow!("{}: unknown format; name it with {option}", path.display())
}

/// The games of all files on their way.
struct Conversion<'a> {
    args: &'a ConvertArgs,
    to: Format,
    /// Whether there is one file, of which one bad game ends everything, unless it is to be left
    /// out.
    is_one: bool,
    target: ConvertTarget<'a>,
    report: ConvertReport,
    progress: FileProgress,
}

impl Conversion<'_> {
    /// Converts a file. What is wrong with one of several costs itself alone.
    fn file(&mut self, file: &SourceFile) -> anyhow::Result<()> {
        let Some(format) = self.args.from.or_else(|| file.format()) else {
            if file.is_named {
                let error = match file.path.extension() {
                    Some(end) if end.eq_ignore_ascii_case("pgn") => {
                        anyhow!("PGN files have no moves to read; they are for rating tools")
                    }
                    _ => anyhow!("unknown format; name it with --from"),
                };
                return self.bad_file(file, WrongUse(error).into());
            }
            self.report.passed_over += 1;
            return Ok(());
        };
        self.report.from.get_or_insert(format.name());
        let before = self.report.games;
        match self.games(file, format) {
            Ok(()) => {}
            Err(ConvertStopped::Source(error)) => self.bad_file(file, error)?,
            Err(ConvertStopped::All(error)) => return Err(error),
        }
        self.target.end_file()?;
        self.report.files += u64::from(self.report.games > before);
        Ok(())
    }

    fn games(&mut self, file: &SourceFile, format: Format) -> Result<(), ConvertStopped> {
        // The records of an event are in its folder.
        let inside = file.path.join("games.jsonl");
        let is_event = file.path.is_dir();
        let (path, format) =
            if is_event { (&inside, Format::JsonLines) } else { (&file.path, format) };
        let source =
            ConvertSource::open(path, format, self.args.size).map_err(ConvertStopped::Source)?;
        let (mut number, mut stop) = (0, None);
        let source = source.of_any_game(self.args.rule.is_some());
        let read = source.each(&mut |game| {
            if let Some(error) = game.as_ref().err().filter(|error| is_part(error)) {
                self.leave_out(file, None, UnreadCost::Part, format!("{error:#}"));
                return Ok(ControlFlow::Continue(()));
            }
            number += 1;
            if self.args.game.is_some_and(|wanted| wanted != number) {
                return Ok(ControlFlow::Continue(()));
            }
            if let Err(error) = self.game(game, GameInFile { file, format, number }) {
                stop = Some(error);
                return Ok(ControlFlow::Break(()));
            }
            let last = self.args.game == Some(number);
            Ok(if last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        });
        if let Some(error) = stop {
            return Err(ConvertStopped::All(error));
        }
        read.map_err(ConvertStopped::Source)?;
        if self.args.game.is_some_and(|wanted| number < wanted) {
            let wanted = self.args.game.unwrap_or_default();
            return Err(ConvertStopped::Source(anyhow!("no game {wanted}; the file has {number}")));
        }
        Ok(())
    }

    fn game(&mut self, game: anyhow::Result<SourceGame>, at: GameInFile<'_>) -> anyhow::Result<()> {
        let ConvertReport { lost, .. } = &mut self.report;
        let (args, to) = (self.args, self.to);
        let converted = game.and_then(|game| converted(game, to, args, lost));
        // A second game that has no place ends everything: it is not the game's fault.
        let written = converted.map(|(bytes, sheet)| self.target.write(&bytes, &sheet, at));
        match written {
            Ok(written) => {
                written?;
                self.report.games += 1;
            }
            Err(error) if self.is_one && !self.args.skip_bad => {
                let (file, error) =
                    (Some(at.file.path.display().to_string()), format!("{error:#}"));
                bail!(
                    "{}",
                    UnreadItem { file, game: Some(at.number), cost: UnreadCost::Game, error }
                )
            }
            Err(error) => {
                let (game, error) = (Some(at.number), format!("{error:#}"));
                self.leave_out(at.file, game, UnreadCost::Game, error);
            }
        }
        Ok(())
    }

    fn bad_file(&mut self, file: &SourceFile, error: anyhow::Error) -> anyhow::Result<()> {
        if self.is_one {
            let is_wrong = error.is::<WrongUse>();
            let error = anyhow!("{}: {}", file.path.display(), file.problem(&error));
            return Err(if is_wrong { WrongUse(error).into() } else { error });
        }
        self.leave_out(file, None, UnreadCost::File, file.problem(&error));
        Ok(())
    }

    fn leave_out(&mut self, file: &SourceFile, game: Option<u64>, cost: UnreadCost, error: String) {
        let name = file.path.display().to_string();
        let item = UnreadItem { file: Some(name), game, cost, error };
        let skipped = if cost == UnreadCost::Part { "" } else { "; skipped" };
        self.progress.tell(&format!("{item}{skipped}"));
        // The one file is named by whoever calls.
        let item = UnreadItem { file: item.file.filter(|_| !self.is_one), ..item };
        self.report.unread.add(item);
    }

    fn finish(self) -> anyhow::Result<ConvertReport> {
        self.progress.end();
        let ConvertReport { games, unread, .. } = &self.report;
        if *games == 0 {
            let (bad, files) = (unread.count(UnreadCost::Game), unread.count(UnreadCost::File));
            let path = match self.args.sources() {
                [one] => one.display().to_string(),
                several => format!("{} sources", several.len()),
            };
            match (bad, files) {
                (0, 0) => bail!("{path}: no games found"),
                (0, files) => bail!("{path}: could not read any of {files} files"),
                (bad, _) => bail!("{path}: could not convert any of {bad} games"),
            }
        }
        self.target.finish()?;
        Ok(self.report)
    }
}

/// What ends the reading of a file.
enum ConvertStopped {
    /// It cannot be read.
    Source(anyhow::Error),
    /// Nothing more can be written, or is to be.
    All(anyhow::Error),
}

/// The bytes of a game in the format asked for, and its sheet.
fn converted(
    game: SourceGame,
    to: Format,
    args: &ConvertArgs,
    lost: &mut BTreeSet<FormatLoss>,
) -> anyhow::Result<(Vec<u8>, Option<ScoreSheet>)> {
    let sheet = match (game, to) {
        (SourceGame::Record(record), Format::Json | Format::JsonLines) => {
            replay(&record)?;
            return Ok(((record.to_json_line() + "\n").into_bytes(), None));
        }
        (SourceGame::Record(record), _) => {
            lost.extend(Format::lost_of_record(&record));
            ScoreSheet::from_record(&record)?
        }
        (SourceGame::Sheet(mut sheet), _) => {
            if sheet.rule.is_none() && args.rule.is_some() {
                sheet.rule = args.rule;
                sheet.check()?;
            }
            // A position is no game that is over.
            if !matches!(to, Format::Pos | Format::Offset) {
                sheet.settle()?;
            }
            *sheet
        }
    };
    let bytes = text::bytes(&sheet, to, args.plies, lost)?;
    Ok((bytes, Some(sheet)))
}

/// Whether it is about something that costs no game.
pub(crate) fn is_part(error: &anyhow::Error) -> bool {
    let unread = error.downcast_ref::<Unread>();
    unread.is_some_and(|unread| unread.cost == UnreadCost::Part)
}

impl ConvertReport {
    fn print(&self, args: &ConvertArgs) -> anyhow::Result<CommandOutcome> {
        let count = |cost| self.unread.count(cost);
        let (files, games) = (count(UnreadCost::File), count(UnreadCost::Game));
        // A bad game of one file is an error already.
        let is_bad = !args.skip_bad && files + games > 0;
        let outcome = if is_bad { CommandOutcome::Failed } else { CommandOutcome::Done };
        if args.json {
            report::json(self)?;
            return Ok(outcome);
        }
        let of =
            |count: u64, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        if !is_stream(args.target()) {
            let mut line = format!("{}: {}", args.target().display(), of(self.games, "game"));
            if self.files > 1 {
                line += &format!(" of {}", of(self.files, "file"));
            }
            report::print(&format!("{line}\n"))?;
        }
        if files + games > 0 && !game_files::is_one(args.sources()) {
            let (files, games) = (of(files, "file"), of(games, "game"));
            report::tell(format_args!(
                "tengen: {files} and {games} could not be read, and are named above"
            ));
        }
        if self.passed_over > 0 {
            let files = of(self.passed_over, "file");
            report::tell(format_args!("tengen: {files} of other kinds passed over"));
        }
        if !self.lost.is_empty() {
            let lost = tengen_lineup::joined(self.lost.iter().map(|loss| loss.name()), ", ");
            report::tell(format_args!("tengen: {} cannot store: {lost}", self.to));
        }
        Ok(outcome)
    }
}
