//! The evaluations and times of a game.

use tengen_arbiter::{Nanos, SearchInfo};
use tengen_rules::{BySeat, Color, Seat};

use super::{MoveRow, Snapshot};

/// The evaluations and times of both players over a game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct EvaluationCurve {
    /// Each player's evaluation after its plies, from −1 (White wins) to 1 (Black wins).
    pub values: BySeat<Vec<(usize, f32)>>,
    /// The time of each ply, relative to the longest.
    pub times: Vec<(usize, f32)>,
    /// The longest time.
    pub longest: Nanos,
}

/// The evaluation that counts as half a win. Engines use different units, so only the shape of the
/// curve matters.
const HALF: f32 = 400.0;

impl EvaluationCurve {
    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty() && Seat::ALL.iter().all(|seat| self.values[*seat].is_empty())
    }

    /// The curve of a game.
    pub fn new(snapshot: &Snapshot) -> EvaluationCurve {
        let mut curve = EvaluationCurve {
            values: BySeat::from_fn(|_| Vec::new()),
            ..EvaluationCurve::default()
        };
        let timed = |row: &MoveRow| row.spent.filter(|_| row.seat.is_some());
        curve.longest = snapshot.rows.iter().filter_map(timed).max().unwrap_or(0);
        for row in snapshot.rows.iter() {
            let value = row.info.as_ref().and_then(|info| value(info, row.color));
            if let (Some(seat), Some(value)) = (row.seat, value) {
                curve.values[seat].push((row.ply, value));
            }
            if let Some(spent) = timed(row).filter(|_| curve.longest > 0) {
                curve.times.push((row.ply, spent as f32 / curve.longest as f32));
            }
        }
        curve
    }
}

/// The chances of Black by an evaluation for that side.
pub fn value(info: &SearchInfo, color: Color) -> Option<f32> {
    let own = match (info.win_in, info.eval) {
        (Some(plies), _) => (plies as f32).signum(),
        (None, Some(eval)) => eval as f32 / ((eval as f32).abs() + HALF),
        (None, None) => return None,
    };
    Some(if color == Color::Black { own } else { -own })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn up_is_good_for_black_in_reports_of_both_sides() {
        let said = |eval, win_in| SearchInfo { eval, win_in, ..SearchInfo::default() };
        let half = said(Some(400), None);
        assert_eq!(value(&half, Color::Black), Some(0.5));
        assert_eq!(value(&half, Color::White), Some(-0.5));
        assert_eq!(value(&said(Some(7), Some(-4)), Color::White), Some(1.0));
        assert_eq!(value(&said(None, None), Color::White), None);
    }
}
