//! Games counted by what they have in common: colours, openings, rules, terminations.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use tengen_arbiter::{Action, Termination};
use tengen_record::GameRecord;
use tengen_rules::{Answer, BySeat, Color, Move, Opening, Point, Seat, Symmetry, canonical};
use tengen_stats::{PlayerOutcome, WinDrawLoss};

use crate::ParseOptionError;

/// What games are counted by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BreakdownBy {
    /// Nothing: all together, each engine with either colour.
    Colour,
    /// The position they began from; without a book, the first three stones.
    Opening,
    /// The rule and the board.
    Rule,
    Termination,
}

impl BreakdownBy {
    pub const ALL: [BreakdownBy; 4] =
        [BreakdownBy::Colour, BreakdownBy::Opening, BreakdownBy::Rule, BreakdownBy::Termination];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            BreakdownBy::Colour => "colour",
            BreakdownBy::Opening => "opening",
            BreakdownBy::Rule => "rule",
            BreakdownBy::Termination => "termination",
        }
    }
}

impl fmt::Display for BreakdownBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for BreakdownBy {
    type Err = ParseOptionError;

    fn from_str(text: &str) -> Result<BreakdownBy, ParseOptionError> {
        let named = |by: &BreakdownBy| by.name() == text;
        let error = || ParseOptionError::new(text, "colour, opening, rule or termination");
        BreakdownBy::ALL.into_iter().find(named).ok_or_else(error)
    }
}

/// Games counted by what they have in common.
#[derive(Clone, PartialEq, Debug)]
pub struct Breakdown {
    by: BreakdownBy,
    groups: BTreeMap<String, BreakdownGroup>,
}

/// The games that have one thing in common.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct BreakdownGroup {
    /// What they have in common.
    pub name: String,
    /// How many games count.
    pub games: u64,
    /// How many of them were ended by the event's own decision, and not on the board or by a
    /// player: by its move limit, by scores, or by a proof.
    pub adjudicated: u64,
    /// What Black made.
    pub black: ScoreCounts,
    /// What the first seat made.
    pub first: ScoreCounts,
    /// The stones of all games together.
    pub stones: u64,
    /// What each engine made with each colour.
    pub engines: BTreeMap<String, ByBothColors>,
    /// When the first of the games came.
    #[serde(skip)]
    pub came: u64,
}

/// What an engine made with each colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ByBothColors {
    /// With the black stones.
    pub black: ScoreCounts,
    /// With the white ones.
    pub white: ScoreCounts,
}

/// Wins, draws and losses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ScoreCounts {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl ScoreCounts {
    /// The same as statistics have it.
    pub fn counts(self) -> WinDrawLoss {
        let ScoreCounts { wins, draws, losses } = self;
        WinDrawLoss { wins, draws, losses }
    }

    fn add(&mut self, outcome: PlayerOutcome) {
        match outcome {
            PlayerOutcome::Win => self.wins += 1,
            PlayerOutcome::Draw => self.draws += 1,
            PlayerOutcome::Loss => self.losses += 1,
        }
    }
}

impl Breakdown {
    /// The most separate groups; all further games make one more.
    pub const MOST_GROUPS: usize = 10_000;
    /// What these are called.
    pub const OTHERS: &'static str = "others";

    /// No games yet.
    pub fn new(by: BreakdownBy) -> Breakdown {
        Breakdown { by, groups: BTreeMap::new() }
    }

    /// What they are counted by.
    pub fn by(&self) -> BreakdownBy {
        self.by
    }

    /// Counts a game, unless it is void.
    pub fn add(&mut self, record: &GameRecord) {
        let result = record.result;
        if record.conditions.is_void || result.termination == Termination::Aborted {
            return;
        }
        let stones = stones(record);
        let mut name = match self.by {
            BreakdownBy::Colour => "all games".to_owned(),
            BreakdownBy::Opening => opening(record, &stones),
            BreakdownBy::Rule => format!("{} {}", record.header.rule, record.header.size),
            BreakdownBy::Termination => result.termination.name().to_owned(),
        };
        if self.groups.len() >= Breakdown::MOST_GROUPS && !self.groups.contains_key(&name) {
            name = Breakdown::OTHERS.to_owned();
        }
        let came = self.groups.len() as u64;
        let new = || BreakdownGroup { name: name.clone(), came, ..BreakdownGroup::default() };
        let group = self.groups.entry(name.clone()).or_insert_with(new);
        group.games += 1;
        group.stones += stones.len() as u64;
        let decided = [Termination::Adjudication, Termination::Proof, Termination::Ruling];
        group.adjudicated += u64::from(decided.contains(&result.termination));
        let colors = colors(record);
        for seat in Seat::ALL {
            let outcome = match result.winner {
                None => PlayerOutcome::Draw,
                Some(winner) if winner == seat => PlayerOutcome::Win,
                Some(_) => PlayerOutcome::Loss,
            };
            if seat == Seat::First {
                group.first.add(outcome);
            }
            let engine = group.engines.entry(record.header.seats[seat].id.clone()).or_default();
            if colors[seat] == Color::Black {
                group.black.add(outcome);
                engine.black.add(outcome);
            } else {
                engine.white.add(outcome);
            }
        }
    }

    /// The groups: openings in the order in which they came, others with the most games first.
    pub fn groups(&self) -> Vec<&BreakdownGroup> {
        let mut groups: Vec<&BreakdownGroup> = self.groups.values().collect();
        match self.by {
            BreakdownBy::Opening => groups.sort_by_key(|group| group.came),
            _ => groups.sort_by_key(|group| (std::cmp::Reverse(group.games), group.came)),
        }
        groups
    }
}

/// Which colour each seat holds at the end of the opening.
fn colors(record: &GameRecord) -> BySeat<Color> {
    let usual = BySeat { first: Color::Black, second: Color::White };
    let header = &record.header;
    if !header.opening.procedure.asks() {
        return usual;
    }
    let Ok(mut opening) = Opening::new(&header.opening, header.rule, header.size) else {
        return usual;
    };
    for entry in record.actions.iter().filter(|entry| entry.legal) {
        if opening.asked().is_none() {
            break;
        }
        if let Action::Answer(answer) = &entry.action {
            // A record that is no game is not judged here.
            let _refused = opening.answer(entry.seat, answer);
        }
    }
    opening.colors()
}

/// The stones in the order in which they were laid.
fn stones(record: &GameRecord) -> Vec<Point> {
    let mut stones = record.header.opening.book.clone();
    for entry in record.actions.iter().filter(|entry| entry.legal) {
        match &entry.action {
            Action::Answer(Answer::Move(Move::Stone(point)) | Answer::Pick(point)) => {
                stones.push(*point);
            }
            Action::Answer(Answer::Place(points)) => stones.extend(points),
            _ => {}
        }
    }
    stones
}

/// What the opening is called: its stones, turned so that the same position is always the same
/// one, and its name where it has one.
fn opening(record: &GameRecord, stones: &[Point]) -> String {
    let size = record.header.size;
    let book = record.header.opening.book.len();
    let first = &stones[..if book > 0 { book } else { stones.len().min(3) }];
    if let &[one, other, third] = first
        && let Some(named) = canonical::recognise(size, [one, other, third])
    {
        return format!("{} {}", named.code, named.romaji);
    }
    let fitting = Symmetry::ALL.into_iter().filter(|symmetry| symmetry.size(size) == size);
    let images = fitting.map(|symmetry| {
        first.iter().map(|&point| symmetry.point(point, size)).collect::<Vec<Point>>()
    });
    let image = images.min().unwrap_or_default();
    image.iter().map(Point::to_string).collect::<Vec<_>>().join(" ")
}
