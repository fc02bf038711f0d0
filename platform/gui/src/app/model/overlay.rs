//! Engine lines over the board.

use tengen_players::SearchProgress;
use tengen_rules::{Color, Ending, Move, Point, Position};

use super::Snapshot;

/// What an engine thinks of a position, drawn over the board. Engines may report illegal lines:
/// they are shown as far as they can be played.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Overlay {
    /// The stones of its best line, in order.
    pub stones: Vec<(Point, Color)>,
    /// The first stones of its lines if it reported several, best first, each with its evaluation.
    pub candidates: Vec<(Point, SearchProgress)>,
}

impl Overlay {
    /// How many stones of a line are shown by default.
    pub const FIRST: usize = 6;

    /// The overlay of lines reported after `ply` plies, on the board after `shown` plies. The best
    /// line of an earlier position counts as far as it was played. `walk` is how many of its stones
    /// to show.
    pub fn new(
        snapshot: &Snapshot,
        shown: usize,
        (ply, lines): (usize, &[SearchProgress]),
        walk: Option<usize>,
    ) -> Overlay {
        let played: Vec<Move> =
            snapshot.rows.iter().take(shown).skip(ply).map(|row| row.mv).collect();
        let Some(rest) = lines.first().and_then(|best| best.pv.strip_prefix(played.as_slice()))
        else {
            return Overlay::default();
        };
        let Some((mut position, _)) = snapshot.position(shown) else { return Overlay::default() };
        let candidates = match lines {
            [_, _, ..] if played.is_empty() => candidates(&position, lines),
            _ => Vec::new(),
        };
        let mut stones = Vec::new();
        for mv in rest.iter().take(walk.unwrap_or(Overlay::FIRST)) {
            let (Move::Stone(point), color) = (*mv, position.to_move()) else { break };
            let Ok(ending) = position.play(point) else { break };
            stones.push((point, color));
            if matches!(ending, Some(Ending::Five(_) | Ending::Foul(_))) {
                break;
            }
        }
        Overlay { stones, candidates }
    }
}

fn candidates(position: &Position, lines: &[SearchProgress]) -> Vec<(Point, SearchProgress)> {
    let mut found: Vec<(Point, SearchProgress)> = Vec::new();
    for line in lines {
        if let Some(Move::Stone(point)) = line.pv.first().copied()
            && position.check(point).is_ok()
            && found.iter().all(|(known, _)| *known != point)
        {
            found.push((point, line.clone()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tengen_rules::Seat;

    use super::*;
    use crate::app::model::MoveRow;

    fn stones(text: &str) -> Vec<Move> {
        text.split_whitespace().map(|at| Move::Stone(at.parse().unwrap())).collect()
    }

    fn snapshot(moves: &str) -> Snapshot {
        let row = |(index, mv)| MoveRow {
            ply: index + 1,
            mv,
            color: Color::of_ply(index),
            seat: Some(Seat::First),
            spent: None,
            info: None,
            is_substitute: false,
        };
        let rows = stones(moves).into_iter().enumerate().map(row).collect();
        Snapshot { rows: Arc::new(rows), ..crate::app::model::snapshot::empty() }
    }

    fn line(pv: &str) -> SearchProgress {
        SearchProgress { pv: stones(pv), ..SearchProgress::default() }
    }

    fn laid(overlay: &Overlay) -> String {
        overlay.stones.iter().map(|(point, _)| point.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_line_is_laid_as_far_as_it_can_be_played() {
        let game = snapshot("h8 h9");
        let over = |pv: &str, walk| laid(&Overlay::new(&game, 2, (2, &[line(pv)]), walk));
        assert_eq!(over("g7 g8 h8 a1", None), "g7 g8", "h8 is taken");
        assert_eq!(over("g7 g8", Some(1)), "g7");
        assert_eq!(over("a1 b1 a2 b2 a3 b3 a4", None), "a1 b1 a2 b2 a3 b3");
        assert_eq!(over("z9", None), "");
    }

    #[test]
    fn a_line_goes_on_when_its_moves_are_played() {
        let game = snapshot("h8 h9 g7");
        let over = |pv: &str| Overlay::new(&game, 3, (2, &[line(pv), line("a1")]), None);
        assert_eq!(laid(&over("g7 g8 g9")), "g8 g9");
        assert!(over("g7 g8").candidates.is_empty());
        assert_eq!(over("f7 g8"), Overlay::default(), "something else was played");
    }

    #[test]
    fn several_lines_are_candidates() {
        let lines = [line("g7 g8"), line("h8"), line("f7"), line("g7")];
        let overlay = Overlay::new(&snapshot("h8"), 1, (1, &lines), None);
        let points: Vec<String> =
            overlay.candidates.iter().map(|(point, _)| point.to_string()).collect();
        assert_eq!(points, ["g7", "f7"]);
    }
}
