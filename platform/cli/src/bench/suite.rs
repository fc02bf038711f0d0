//! The positions that engines are measured on.

use tengen_rules::{Move, Point, Rule};

/// A position of the suite, on 15×15.
pub(super) struct SuitePosition {
    pub name: String,
    pub rule: Rule,
    pub moves: Vec<Move>,
    /// The moves that are right; none where several may be.
    right: Vec<Point>,
    /// The moves that are wrong.
    wrong: Vec<Point>,
}

impl SuitePosition {
    pub(super) fn has_answer(&self) -> bool {
        !(self.right.is_empty() && self.wrong.is_empty())
    }

    pub(super) fn is_right(&self, point: Point) -> bool {
        if self.wrong.is_empty() {
            self.right.contains(&point)
        } else {
            !self.wrong.contains(&point)
        }
    }
}

/// The suite: lines of a name, a rule, the moves, and the moves that are right, or wrong after `!`.
pub(super) fn read() -> Vec<SuitePosition> {
    let lines = include_str!("suite.txt").lines();
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).filter_map(position).collect()
}

fn position(line: &str) -> Option<SuitePosition> {
    let fields: Vec<&str> = line.split(';').map(str::trim).collect();
    let [name, rule, moves, answer] = fields[..] else { return None };
    let (right, wrong) = match answer.strip_prefix('!') {
        Some(wrong) => (Vec::new(), points(wrong)?),
        None => (points(answer)?, Vec::new()),
    };
    let moves = points(moves)?.into_iter().map(Move::Stone).collect();
    Some(SuitePosition { name: name.to_owned(), rule: rule.parse().ok()?, moves, right, wrong })
}

fn points(text: &str) -> Option<Vec<Point>> {
    text.split_whitespace().map(|point| point.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::{Ending, Position, Size};

    #[test]
    fn every_line_is_a_position_in_which_a_move_is_due() {
        let text = include_str!("suite.txt").lines();
        let lines = text.filter(|line| !line.is_empty() && !line.starts_with('#')).count();
        let suite = read();
        assert_eq!(suite.len(), lines, "a line does not read");
        assert!(suite.iter().filter(|position| position.has_answer()).count() >= 12);
        for SuitePosition { name, rule, moves, right, wrong } in &suite {
            let mut position = Position::new(*rule, Size::STANDARD);
            for mv in moves {
                let ending = position.play(mv.point().unwrap()).expect(name);
                assert!(!matches!(ending, Some(Ending::Five(_))), "{name}");
            }
            for &point in right.iter().chain(wrong) {
                position.check(point).expect(name);
            }
            assert!(right.iter().all(|&point| position.foul_at(point).is_none()), "{name}");
        }
    }
}
