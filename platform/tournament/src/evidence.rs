//! Which games are evidence: each game that was not played before.

use std::collections::HashMap;

use tengen_arbiter::{Action, HistoryEntry};
use tengen_record::GameRecord;
use tengen_rules::{Answer, BySeat, Move, Point, Rule, Seat, Size, Symmetry};

use crate::Tally;
use crate::store::Checksum;

/// The line of a game: a number that is the same for two games in which the same was done under one
/// rule, on boards that one of the eight symmetries turns into each other, and that ended for the
/// same seat.
///
/// What was done means the stones of the book and the legal answers: where a stone was placed, what
/// was chosen in the opening. What changes no position does not make another game: an offer of a
/// draw, an illegal answer, the time used. Nor does the way in which a game was lost; its winner
/// does.
///
/// It has 64 bits. Of a million games two that differ have the same line with a chance of 3 in 10⁸;
/// one of them would then count for nothing.
pub fn game_line(
    (rule, size): (Rule, Size),
    book: &[Point],
    actions: &[HistoryEntry],
    winner: Option<Seat>,
) -> u64 {
    let fitting = Symmetry::ALL.into_iter().filter(|symmetry| symmetry.size(size) == size);
    let mut lines = LineSums(fitting.map(|symmetry| (symmetry, Checksum::new())).collect());
    lines.bytes(rule.name().as_bytes());
    lines.bytes(&[size.width(), size.height(), winner.map_or(0, |seat| seat as u8 + 1)]);
    book.iter().for_each(|&point| lines.stone(1, point, size));
    for entry in actions.iter().filter(|entry| entry.legal) {
        let Action::Answer(answer) = &entry.action else { continue };
        lines.number(entry.seat as u64);
        match answer {
            Answer::Move(Move::Stone(point)) => lines.stone(2, *point, size),
            Answer::Pick(point) => lines.stone(3, *point, size),
            Answer::Place(points) => points.iter().for_each(|&one| lines.stone(4, one, size)),
            Answer::Offer(points) => points.iter().for_each(|&one| lines.stone(5, one, size)),
            // It shows itself, and has no point.
            other => lines.bytes(format!("{other:?}").as_bytes()),
        }
    }
    lines.0.into_iter().map(|(_, sum)| sum.finish()).min().unwrap_or_default()
}

/// A sum of the game for each symmetry, all in one pass over it: every game that ends is summed.
struct LineSums(Vec<(Symmetry, Checksum)>);

impl LineSums {
    fn number(&mut self, number: u64) {
        self.0.iter_mut().for_each(|(_, sum)| sum.number(number));
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.0.iter_mut().for_each(|(_, sum)| sum.bytes(bytes));
    }

    fn stone(&mut self, kind: u64, point: Point, size: Size) {
        for (symmetry, sum) in &mut self.0 {
            let point = symmetry.point(point, size);
            sum.number(kind << 16 | u64::from(point.x()) << 8 | u64::from(point.y()));
        }
    }
}

/// The line of a recorded game.
pub fn record_line(record: &GameRecord) -> u64 {
    let GameRecord { header, actions, result, .. } = record;
    game_line((header.rule, header.size), &header.opening.book, actions, result.winner)
}

/// The line of a game between these two engines: the same game between others has another line.
pub fn line_between(players: BySeat<usize>, line: u64) -> u64 {
    let mut sum = Checksum::new();
    [players.first as u64, players.second as u64, line].into_iter().for_each(|it| sum.number(it));
    sum.finish()
}

/// A game that has ended and counts, as a half of its pair.
#[derive(Clone, Copy, Debug)]
pub struct EndedGame {
    pub number: u64,
    pub seats: BySeat<usize>,
    pub winner: Option<Seat>,
    /// What [`game_line`] gives, where that is known.
    pub line: u64,
}

/// A pair with both games ended, or a single game.
#[derive(Clone, Copy, Debug)]
pub struct EndedPair {
    /// The game with the lower number, which is also the pair's number.
    pub earlier: EndedGame,
    pub later: Option<EndedGame>,
}

impl EndedPair {
    /// The pair of a game and the other one that it has, if any.
    pub fn of(game: EndedGame, other: Option<EndedGame>) -> EndedPair {
        match other {
            Some(other) if other.number < game.number => {
                EndedPair { earlier: other, later: Some(game) }
            }
            other => EndedPair { earlier: game, later: other },
        }
    }

    /// The lines of its games, by [`line_between`].
    pub fn lines(&self) -> Vec<u64> {
        let games = [self.earlier].into_iter().chain(self.later);
        games.map(|game| line_between(game.seats, game.line)).collect()
    }

    /// Counts the pair; its games are already counted.
    pub fn count(&self, tally: &mut Tally) {
        if let Some(later) = self.later {
            tally.add_pair(self.earlier.seats, self.earlier.winner, later.winner);
        }
    }

    /// Notes that it says nothing new.
    pub fn repeat(&self, tally: &mut Tally) {
        let EndedPair { earlier, later } = self;
        match later {
            Some(later) => tally.repeat_pair(earlier.seats, earlier.winner, later.winner),
            None => tally.repeat_single(earlier.seats, earlier.winner),
        }
    }
}

/// Makes pairs of games, in whatever order they end.
#[derive(Default)]
pub struct PairMaker {
    /// Games that wait for their twins to end, by number.
    waiting: HashMap<u64, EndedGame>,
}

impl PairMaker {
    /// Adds a game with the number of its twin, if it has one. Gives the pair that it completes.
    pub fn add(&mut self, game: EndedGame, twin: Option<u64>) -> Option<EndedPair> {
        let other = match twin {
            None => None,
            Some(twin) => match self.waiting.remove(&twin) {
                None => {
                    self.waiting.insert(game.number, game);
                    return None;
                }
                other => other,
            },
        };
        Some(EndedPair::of(game, other))
    }
}

/// The lines of the games that were played, by [`line_between`], each with the pair of the lowest
/// number that has it, and which pairs are no evidence. A pair has the number of its earlier game;
/// a game that has no other one is like a pair.
///
/// A pair is one observation. If one of its games was played before, so was its share of what the
/// pair says: from n games of either order of seats there would be n² pairs that differ. So a pair
/// is evidence if no pair of a lower number has one of its games. This depends on the games alone:
/// in whatever order they come, the same pairs are evidence.
pub trait PlayedLines {
    /// Why they cannot be looked at.
    type Error;

    /// The lowest number of those that have the line.
    ///
    /// # Errors
    /// When it cannot be read.
    fn lowest(&mut self, line: u64) -> Result<Option<u64>, Self::Error>;

    /// Notes that number for the line, in place of another one.
    ///
    /// # Errors
    /// When it cannot be written.
    fn set_lowest(&mut self, line: u64, number: u64) -> Result<(), Self::Error>;

    /// Notes that the pair of that number is no evidence; false where that is known.
    ///
    /// # Errors
    /// When it cannot be read or written.
    fn set_repeat(&mut self, number: u64) -> Result<bool, Self::Error>;

    /// Adds a pair with the lines of its games, or a game that has no other one with its own. Gives
    /// the numbers of those that are no evidence from now on: this one, or others that were added
    /// before it and come after it, or both.
    ///
    /// # Errors
    /// When something cannot be read or written.
    fn add(&mut self, number: u64, lines: &[u64]) -> Result<Vec<u64>, Self::Error> {
        let mut repeats = Vec::new();
        for &line in lines {
            let lowest = self.lowest(line)?;
            if lowest.is_none_or(|lowest| number < lowest) {
                self.set_lowest(line, number)?;
            }
            // Of two pairs with a game in common, the later one is no evidence.
            if let Some(lowest) = lowest.filter(|lowest| *lowest != number) {
                let later = lowest.max(number);
                repeats.extend(self.set_repeat(later)?.then_some(later));
            }
        }
        Ok(repeats)
    }
}

#[cfg(test)]
mod tests;
