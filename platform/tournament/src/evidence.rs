//! Which games are evidence: each that was not counted before.

use std::collections::HashSet;
use std::convert::Infallible;
use std::hash::BuildHasher;

use tengen_arbiter::{Action, HistoryEntry};
use tengen_record::GameRecord;
use tengen_rules::{Answer, BySeat, Move, Point, Rule, Seat, Size, Symmetry};

use crate::store::Checksum;

/// The line of a game: a number that is the same for two games in which the same was done under one
/// rule, on boards that one of the eight symmetries turns into each other, and that ended for the
/// same seat.
///
/// What was done are the stones of the book and the legal answers: where a stone was laid, what was
/// chosen in the opening. What changes no position makes no other game: an offer of a draw, an
/// illegal answer, the time that was taken. Nor does the way in which a game was lost, but who won
/// it does.
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
    let lines = fitting.map(|symmetry| {
        let mut sum = Checksum::new();
        sum.bytes(rule.name().as_bytes());
        sum.bytes(&[size.width(), size.height(), winner.map_or(0, |seat| seat as u8 + 1)]);
        let lay = |sum: &mut Checksum, kind: u64, point: Point| {
            let point = symmetry.point(point, size);
            sum.number(kind << 16 | u64::from(point.x()) << 8 | u64::from(point.y()));
        };
        book.iter().for_each(|&point| lay(&mut sum, 1, point));
        for entry in actions.iter().filter(|entry| entry.legal) {
            let Action::Answer(answer) = &entry.action else { continue };
            sum.number(entry.seat as u64);
            match answer {
                Answer::Move(Move::Stone(point)) => lay(&mut sum, 2, *point),
                Answer::Pick(point) => lay(&mut sum, 3, *point),
                Answer::Place(points) => points.iter().for_each(|&one| lay(&mut sum, 4, one)),
                Answer::Offer(points) => points.iter().for_each(|&one| lay(&mut sum, 5, one)),
                // It shows itself, and has no point.
                other => sum.bytes(format!("{other:?}").as_bytes()),
            }
        }
        sum.finish()
    });
    lines.min().unwrap_or_default()
}

/// The line of a recorded game.
pub fn record_line(record: &GameRecord) -> u64 {
    let GameRecord { header, actions, result, .. } = record;
    game_line((header.rule, header.size), &header.opening.book, actions, result.winner)
}

/// The line of a game between these two: the same game of two others is another one.
pub fn line_between(players: BySeat<usize>, line: u64) -> u64 {
    let mut sum = Checksum::new();
    [players.first as u64, players.second as u64, line].into_iter().for_each(|it| sum.number(it));
    sum.finish()
}

/// The lines of the games that were counted, by [`line_between`].
pub trait CountedLines {
    /// Why they cannot be looked at.
    type Error;

    /// Whether a game of that line was counted.
    ///
    /// # Errors
    /// When they cannot be read.
    fn has(&mut self, line: u64) -> Result<bool, Self::Error>;

    /// Notes that one was.
    ///
    /// # Errors
    /// When they cannot be written.
    fn note(&mut self, line: u64) -> Result<(), Self::Error>;

    /// Counts the games of a pair by their lines, or a game that has none by its own; false where
    /// it is no evidence.
    ///
    /// A pair is one observation. If one of its games was counted before, so was its share of what
    /// the pair says: from n games of either order of seats there would be n² pairs that differ. So
    /// a pair counts if both its games are new.
    ///
    /// # Errors
    /// When the lines cannot be read or written.
    fn count(&mut self, lines: &[u64]) -> Result<bool, Self::Error> {
        for &line in lines {
            if self.has(line)? {
                return Ok(false);
            }
        }
        lines.iter().try_for_each(|&line| self.note(line))?;
        Ok(true)
    }
}

impl<S: BuildHasher> CountedLines for HashSet<u64, S> {
    type Error = Infallible;

    fn has(&mut self, line: u64) -> Result<bool, Infallible> {
        Ok(self.contains(&line))
    }

    fn note(&mut self, line: u64) -> Result<(), Infallible> {
        self.insert(line);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
