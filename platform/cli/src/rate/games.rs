//! The results of events and files, by engine.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::BufReader;
use std::iter;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use tengen_arbiter::Termination;
use tengen_lineup::joined;
use tengen_record::formats::{Format, ScoreSheet, SheetOutcome, charset};
use tengen_record::{
    GameRecord, Lines, PlayerHeader, Records, RecordsError, UnreadCost, UnreadItem, UnreadList,
    open_stream, read_bytes,
};
use tengen_rules::{ByColor, BySeat, Color, Rule, Seat, Size};
use tengen_stats::{Meeting, PlayerOutcome, WinDrawLoss};
use tengen_tournament::{Event, LineSet, PlayedLines, game_line, line_between, record_line};

use super::{Join, scores};
use crate::WrongUse;
use crate::convert::{ConvertSource, SourceGame, is_part};
use crate::game_files::{SourceFile, game_files, is_one};
use crate::progress::FileProgress;

#[derive(Default)]
pub(super) struct Games {
    /// What each engine is called, in the order in which they came.
    pub names: Vec<String>,
    /// What they made against each other.
    pub meetings: Vec<Meeting>,
    /// What there is to say about the identity of engines.
    pub notes: Vec<String>,
    /// The games that were left out, since they say nothing new.
    pub repeated: u64,
    /// The files and games that could not be read.
    pub unread: UnreadList,
    /// The files of folders that are of no format.
    passed_over: u64,
    /// The games without a result, or without the names of both players.
    unfinished: u64,
    unnamed: u64,
    /// The games without a stone.
    empty: u64,
    lines: Option<LineSet>,
    /// The pairs, and games that have no other one, that were compared.
    compared: u64,
    /// Games that wait for the other game of their pair, by the pairs.
    halves: HashMap<u64, ComparedGame>,
    scores: BTreeMap<(usize, usize), WinDrawLoss>,
    places: HashMap<EngineKey, usize>,
    /// The program of each engine, as each source has it.
    programs: Vec<Vec<(Program, PathBuf)>>,
}

/// A game between two of the engines.
#[derive(Clone, Copy)]
struct ComparedGame {
    players: BySeat<usize>,
    winner: Option<Seat>,
    line: u64,
}

/// What an engine is told apart by.
#[derive(PartialEq, Eq, Hash)]
enum EngineKey {
    Name(String),
    Program(Program),
}

/// A file and what was set for it; nothing is known of an empty one.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
struct Program {
    hash: String,
    options: BTreeMap<String, String>,
}

impl Games {
    /// The most games that wait for others.
    const MOST_HALVES: usize = 10_000;

    /// The most of a file of scores, in bytes.
    const MOST_SCORES: u64 = 16 << 20;

    pub fn read(sources: &[PathBuf], join: Join) -> anyhow::Result<Games> {
        let lines = Some(LineSet::new()?);
        let mut games = Games { lines, ..Games::default() };
        for (place, source) in sources.iter().enumerate() {
            if sources[..place].contains(source) {
                return Err(WrongUse(anyhow!("{}: named twice", source.display())).into());
            }
        }
        let files = game_files(sources)?;
        let is_alone = files.len() == 1;
        let is_one = is_one(sources) || matches!(sources, [one] if Event::exists(one));
        let mut progress = FileProgress::new(files.len() as u64);
        for file in &files {
            let (before, skipped) = (games.seen(), games.unfinished + games.unnamed);
            let mut bad = Vec::new();
            if let Err(error) = games.add_file(file, join, is_alone, &mut bad) {
                bad.push((None, error));
            }
            for (game, error) in bad {
                if is_one {
                    return Err(error);
                }
                let (path, error) = (file.path.display().to_string(), file.problem(&error));
                let cost = if game.is_some() { UnreadCost::Game } else { UnreadCost::File };
                let item = UnreadItem { file: Some(path), game, cost, error };
                progress.tell(&format!("{item}; skipped"));
                games.unread.add(item);
            }
            games.count_halves()?;
            let is_empty = games.seen() == before && games.unfinished + games.unnamed == skipped;
            if is_empty && file.is_named && games.unread.is_empty() {
                games.notes.push(format!("{}: no game in it counts", file.path.display()));
            }
            progress.add(games.seen());
        }
        progress.end();
        games.finish(join);
        Ok(games)
    }

    /// Counts what a file has; what is wrong with one of its games is put aside.
    fn add_file(
        &mut self,
        file: &SourceFile,
        join: Join,
        is_alone: bool,
        bad: &mut Vec<(Option<u64>, anyhow::Error)>,
    ) -> anyhow::Result<()> {
        let path = &file.path;
        if path.is_dir() {
            return self.add_event(path, join, is_alone);
        }
        let extension = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
        match &*extension.to_ascii_lowercase() {
            "pgn" => return self.add_pgn(path),
            "txt" | "html" | "htm" => {
                let name = || path.display().to_string();
                if fs::metadata(path).with_context(name)?.len() <= Games::MOST_SCORES {
                    let bytes = read_bytes(path, Games::MOST_SCORES).with_context(name)?;
                    if let Some(scores) = scores::read(&charset::decode(&bytes).text) {
                        self.add_scores(scores, path);
                        return Ok(());
                    }
                }
            }
            _ => {}
        }
        match file.format() {
            Some(Format::Json | Format::JsonLines) => self.add_records(path, join, bad),
            Some(format) => self.add_sheets(path, format, bad),
            None if file.is_named => Err(WrongUse(anyhow!(
                "{}: not an event, nor a file of games or of results (.jsonl, .sgf, .psq, .pgn, \
                 .txt, _table.html)",
                path.display()
            ))
            .into()),
            None => {
                self.passed_over += 1;
                Ok(())
            }
        }
    }

    fn add_scores(&mut self, scores: Vec<scores::PairScore>, source: &Path) {
        for (one, other, score) in scores {
            let [one, other] =
                [one, other].map(|name| self.engine(name, Program::default(), source, Join::Id));
            let [first, second] = scores::halves(score);
            self.add(one, other, first);
            self.add(other, one, second.reversed());
        }
    }

    /// Counts games as they are written down: the player of Black has the first seat.
    fn add_sheets(
        &mut self,
        path: &Path,
        format: Format,
        bad: &mut Vec<(Option<u64>, anyhow::Error)>,
    ) -> anyhow::Result<()> {
        let mut number = 0;
        let source = ConvertSource::open(path, format, Size::STANDARD)?.of_any_game(true);
        source.each(&mut |game| {
            number += 1;
            match game {
                Ok(SourceGame::Sheet(mut sheet)) => match sheet.settle() {
                    Ok(_) => self.add_sheet(&sheet, path)?,
                    Err(error) => bad.push((Some(number), error.into())),
                },
                // Records are read elsewhere.
                Ok(SourceGame::Record(_)) => {}
                Err(error) if is_part(&error) => {}
                Err(error) => bad.push((Some(number), error)),
            }
            Ok(ControlFlow::Continue(()))
        })
    }

    fn add_sheet(&mut self, sheet: &ScoreSheet, path: &Path) -> anyhow::Result<()> {
        let ByColor { black, white } = &sheet.players;
        let Some(outcome) = sheet.outcome.filter(SheetOutcome::counts) else {
            self.unfinished += 1;
            return Ok(());
        };
        if black.is_empty() || white.is_empty() {
            self.unnamed += 1;
            return Ok(());
        }
        let [first, second] = [black, white]
            .map(|name| self.engine(name.clone(), Program::default(), path, Join::Id));
        let winner = outcome.winner.map(|color| match color {
            Color::Black => Seat::First,
            Color::White => Seat::Second,
        });
        let rule = (sheet.rule.unwrap_or(Rule::Freestyle), sheet.size);
        // A game without stones is none that another could repeat.
        let stones = sheet.stones().unwrap_or_default();
        self.empty += u64::from(stones.is_empty());
        let line = match stones.is_empty() {
            true => self.empty,
            false => game_line(rule, &stones, &[], winner),
        };
        self.count(ComparedGame { players: BySeat { first, second }, winner, line }, None)
    }

    /// The games that were counted or left out.
    fn seen(&self) -> u64 {
        self.scores.values().map(|score| score.games()).sum::<u64>() + self.repeated
    }

    fn add_event(&mut self, dir: &Path, join: Join, is_alone: bool) -> anyhow::Result<()> {
        let event = Event::open(dir).map_err(|error| WrongUse(error.into()))?;
        let config = event.config();
        let engines: Vec<usize> = config
            .labels()
            .into_iter()
            .zip(&config.engines)
            .map(|(label, engine)| {
                let (hash, options) = (engine.hash.clone(), engine.options.clone());
                self.engine(label, Program { hash, options }, dir, join)
            })
            .collect();
        if is_alone {
            // It has counted them already.
            self.repeated = event.tally().repeated();
            for (seats, score) in event.tally().meetings() {
                self.add(engines[seats.first], engines[seats.second], score);
            }
            return Ok(());
        }
        let schedule = event.schedule();
        for game in event.lines() {
            let (game, line) = game?;
            let players = BySeat::from_fn(|seat| engines[game.seats[seat]]);
            let rated = ComparedGame { players, winner: game.result.winner, line };
            let twin = schedule.twin(game.number);
            if !game.conditions.is_void {
                self.count(rated, twin.map(|twin| twin.min(game.number)))?;
            }
        }
        Ok(())
    }

    /// Counts a game; of a pair when both are there.
    fn count(&mut self, game: ComparedGame, pair: Option<u64>) -> anyhow::Result<()> {
        let Some(pair) = pair else { return self.count_once(&[game]) };
        let ComparedGame { players: BySeat { first, second }, .. } = game;
        match self.halves.remove(&pair) {
            Some(half) if half.players == (BySeat { first: second, second: first }) => {
                self.count_once(&[half, game])
            }
            other => {
                self.halves.insert(pair, game);
                if self.halves.len() > Games::MOST_HALVES {
                    self.count_halves()?;
                }
                other.map_or(Ok(()), |other| self.count_once(&[other]))
            }
        }
    }

    /// Counts the games whose pairs got no other one.
    fn count_halves(&mut self) -> anyhow::Result<()> {
        let mut halves: Vec<(u64, ComparedGame)> = self.halves.drain().collect();
        halves.sort_by_key(|(pair, _)| *pair);
        halves.iter().try_for_each(|(_, game)| self.count_once(&[*game]))
    }

    fn count_once(&mut self, games: &[ComparedGame]) -> anyhow::Result<()> {
        let lines: Vec<u64> =
            games.iter().map(|game| line_between(game.players, game.line)).collect();
        self.compared += 1;
        if let Some(played) = &mut self.lines
            && !played.add(self.compared, &lines)?.is_empty()
        {
            self.repeated += games.len() as u64;
            return Ok(());
        }
        for game in games {
            let mut score = WinDrawLoss::default();
            score.add(match game.winner {
                None => PlayerOutcome::Draw,
                Some(Seat::First) => PlayerOutcome::Win,
                Some(Seat::Second) => PlayerOutcome::Loss,
            });
            self.add(game.players.first, game.players.second, score);
        }
        Ok(())
    }

    fn add_records(
        &mut self,
        path: &Path,
        join: Join,
        bad: &mut Vec<(Option<u64>, anyhow::Error)>,
    ) -> anyhow::Result<()> {
        let name = || path.display().to_string();
        let file = open_stream(path).with_context(name)?;
        for (number, record) in (1..).zip(Records::new(BufReader::new(file))) {
            let record = match record {
                Err(error @ RecordsError::Line(_)) => {
                    bad.push((Some(number), anyhow::Error::from(error).context(name())));
                    continue;
                }
                record => record.with_context(name)?,
            };
            // What several players won together is no result of one of them.
            let is_shared = !record.header.handovers.is_empty();
            let is_open = record.result.termination == Termination::Aborted;
            if is_shared || is_open || record.conditions.is_void {
                continue;
            }
            let line = record_line(&record);
            let GameRecord { header, result, .. } = record;
            // The games of a pair have one seed.
            let pair = header.game.map(|_| header.seed);
            let BySeat { first, second } = header.seats;
            let [first, second] = [first, second].map(|player| {
                let PlayerHeader { id, hash, options, .. } = player;
                self.engine(id, Program { hash: hash.unwrap_or_default(), options }, path, join)
            });
            let players = BySeat { first, second };
            self.count(ComparedGame { players, winner: result.winner, line }, pair)?;
        }
        Ok(())
    }

    /// Reads the tags `White` (the first seat), `Black` and `Result` of each game.
    fn add_pgn(&mut self, path: &Path) -> anyhow::Result<()> {
        let name = || path.display().to_string();
        let mut lines = Lines::new(BufReader::new(open_stream(path).with_context(name)?));
        let (mut white, mut black, mut result) = (None, None, None);
        while let Some(line) = lines.next_text().with_context(name)? {
            let line = line.with_context(name)?;
            let Some((tag, value)) = tag(&line) else {
                // The moves: the tags are over.
                (white, black, result) = (None, None, None);
                continue;
            };
            match tag {
                "White" => white = Some(value),
                "Black" => black = Some(value),
                "Result" => result = Some(value),
                _ => continue,
            }
            if white.is_none() || black.is_none() || result.is_none() {
                continue;
            }
            let players = [white.take(), black.take()].map(|name| {
                let name = name.unwrap_or_default();
                self.engine(name, Program::default(), path, Join::Id)
            });
            let mut score = WinDrawLoss::default();
            match result.take().unwrap_or_default().as_str() {
                "1-0" => score.wins = 1,
                "0-1" => score.losses = 1,
                "1/2-1/2" => score.draws = 1,
                "*" => continue,
                other => {
                    let number = lines.number();
                    return Err(anyhow!(
                        "{}, line {number}: `{other}` is no result; expected 1-0, 0-1, 1/2-1/2 \
                         or *",
                        path.display()
                    ));
                }
            }
            self.add(players[0], players[1], score);
        }
        if let Some(charset) = lines.guessed() {
            self.notes.push(format!("{}: read as {charset}, which is a guess", path.display()));
        }
        Ok(())
    }

    /// The place of an engine, which may be new.
    fn engine(&mut self, name: String, program: Program, source: &Path, join: Join) -> usize {
        let key = if join == Join::Id || program.hash.is_empty() {
            EngineKey::Name(name.clone())
        } else {
            EngineKey::Program(program.clone())
        };
        let next = self.names.len();
        let place = *self.places.entry(key).or_insert(next);
        if place == next {
            self.names.push(name);
            self.programs.push(Vec::new());
        }
        let known = &mut self.programs[place];
        if known.iter().all(|(other, _)| *other != program) {
            known.push((program, source.to_owned()));
        }
        place
    }

    fn add(&mut self, first: usize, second: usize, score: WinDrawLoss) {
        // An engine that met itself says nothing of its strength.
        if first != second {
            *self.scores.entry((first, second)).or_default() += score;
        }
    }

    fn finish(&mut self, join: Join) {
        let meeting = |(&(first, second), &score)| Meeting { first, second, score };
        self.meetings = self.scores.iter().map(meeting).collect();
        if self.repeated > 0 {
            let repeated = self.repeated;
            self.notes.push(format!(
                "{repeated} games repeat others, or belong to a pair with one that does, and are \
                 left out: they are no new evidence"
            ));
        }
        for (count, what) in [
            (self.unfinished, "games have no result"),
            (self.unnamed, "games do not name both players"),
        ] {
            if count > 0 {
                self.notes.push(format!("{count} {what}, and are left out"));
            }
        }
        if self.passed_over > 0 {
            self.notes.push(format!("{} files of other kinds passed over", self.passed_over));
        }
        for (name, programs) in self.names.iter().zip(&self.programs) {
            let mut known = programs.iter().filter(|(program, _)| !program.hash.is_empty());
            if let (Some((one, here)), Some((other, there))) = (known.next(), known.next())
                && join == Join::Id
            {
                let what = if one.hash == other.hash { "options" } else { "program" };
                self.notes.push(format!(
                    "{name} has another {what} in {} than in {}, and is rated as one; to rate them \
                     apart, use --join hash",
                    there.display(),
                    here.display()
                ));
            }
        }
        // Two programs of one name are told apart by their files.
        let names = self.names.clone();
        for (place, name) in self.names.iter_mut().enumerate() {
            let is_shared = names.iter().filter(|other| *other == name).count() > 1;
            if let Some((program, _)) = self.programs[place].first()
                && is_shared
            {
                let (hash, options) = (program.hash.get(..8).unwrap_or(""), &program.options);
                let options = options.iter().map(|(key, value)| format!("{key}={value}"));
                let parts = iter::once(hash.to_owned()).chain(options);
                *name = format!("{name} ({})", joined(parts, " "));
            }
        }
    }
}

/// The name and the value of a line `[Name "value"]`.
fn tag(line: &str) -> Option<(&str, String)> {
    let inner = line.trim().strip_prefix('[')?.strip_suffix(']')?;
    let (name, value) = inner.split_once(char::is_whitespace)?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::with_capacity(value.len());
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        text.extend(if letter == '\\' { letters.next() } else { Some(letter) });
    }
    Some((name, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_as_they_are_written() {
        assert_eq!(tag(r#"[White "a \"b\" \\ c"]"#), Some(("White", r#"a "b" \ c"#.to_owned())));
        assert_eq!(tag("1. d4 d5 1-0"), None);
        assert_eq!(tag("[White]"), None);
    }
}
