//! Finds an order in which a game may have placed the stones of a position.
//!
//! Stones are taken away from the last to the first, each where placing it did not end the game.
//! The fewer stones are left, the less is forbidden, so a choice hardly ever has to be taken back;
//! where one does, every other is tried.

use std::collections::HashSet;

use tengen_rules::{Board, Color, Foul, Point, Rule, Size};

use super::EditorProblem;

/// The most steps of the search.
const MOST_STEPS: usize = 20_000;
/// How far apart two stones of a row can be.
const REACH: i16 = 5;

/// An order in which a game may have placed these stones, colours alternating from Black; there are
/// as many black as white stones, or one more.
///
/// # Errors
/// Why there is none, or that none was found within the limit of steps.
pub(super) fn order(
    rule: Rule,
    size: Size,
    stones: &[(Point, Color)],
) -> Result<Vec<Point>, EditorProblem> {
    let mut search = OrderSearch::new(rule, size, stones);
    search.refute()?;
    search.run()
}

struct OrderSearch<'a> {
    rule: Rule,
    stones: &'a [(Point, Color)],
    board: Board,
    /// Which stones can end a game in some order: no others are checked.
    critical: Vec<bool>,
    /// The stones of each colour, in the order in which they are tried.
    wanted: [Vec<usize>; 2],
    /// The stones taken away so far.
    taken: Vec<usize>,
    /// Positions from which nothing more could be taken away.
    dead: HashSet<Vec<u64>>,
    steps: usize,
    /// The first stone that could not be taken away.
    problem: Option<EditorProblem>,
}

impl<'a> OrderSearch<'a> {
    fn new(rule: Rule, size: Size, stones: &'a [(Point, Color)]) -> OrderSearch<'a> {
        let mut board = Board::new(size);
        stones.iter().for_each(|&(point, color)| board.place(point, color));
        let critical: Vec<bool> =
            stones.iter().map(|stone| is_critical(rule, stones, *stone)).collect();
        let near = |index: &usize| {
            let others = stones.iter().zip(&critical).filter(|(_, critical)| **critical);
            others.filter(|((other, _), _)| line(stones[*index].0, *other).is_some()).count()
        };
        let of = |color: Color| {
            let mut of: Vec<usize> =
                (0..stones.len()).filter(|&index| stones[index].1 == color).collect();
            // Stones of the same colour make rows with the critical ones; those of the other block
            // them.
            of.sort_by_key(|index| {
                let near = near(index) as i64;
                let is_other = !critical[*index];
                (is_other, if color == Color::Black { -near } else { near })
            });
            of
        };
        let wanted = [of(Color::Black), of(Color::White)];
        let (taken, dead, steps, problem) = (Vec::new(), HashSet::new(), 0, None);
        OrderSearch { rule, stones, board, critical, wanted, taken, dead, steps, problem }
    }

    /// Fails early where the position itself shows that no order exists: a row of five, or under
    /// Renju a longer black row, always had a last stone.
    fn refute(&mut self) -> Result<(), EditorProblem> {
        for &(point, color) in self.stones {
            if self.board.wins(self.rule, point, color) {
                return Err(EditorProblem::Over(point));
            }
        }
        for index in 0..self.stones.len() {
            if let problem @ Some(EditorProblem::Forbidden(_, Foul::Overline)) = self.ends(index) {
                return problem.map_or(Ok(()), Err);
            }
        }
        Ok(())
    }

    /// Takes stones away until none is left that could end a game.
    fn run(mut self) -> Result<Vec<Point>, EditorProblem> {
        // The index of the next choice, one for each stone taken away.
        let mut next = vec![0];
        while self.is_critical() {
            let begin = next.pop().unwrap_or_default();
            self.steps += 1;
            let found = if self.dead.contains(&self.left()) { None } else { self.choose(begin) };
            match found {
                _ if self.steps > MOST_STEPS => return Err(self.unsure()),
                Some((place, index)) => {
                    self.board.remove(self.stones[index].0);
                    self.taken.push(index);
                    next.extend([place + 1, 0]);
                }
                None => {
                    let left = self.left();
                    self.dead.insert(left);
                    let Some(back) = self.taken.pop() else { return Err(self.refuted()) };
                    let (point, color) = self.stones[back];
                    self.board.place(point, color);
                }
            }
        }
        Ok(self.finish())
    }

    /// The next stone that can be taken away, and its index among those of its colour.
    fn choose(&mut self, begin: usize) -> Option<(usize, usize)> {
        let color = Color::of_ply(self.board.count() - 1);
        let of = usize::from(color == Color::White);
        for place in begin..self.wanted[of].len() {
            let index = self.wanted[of][place];
            if self.board.get(self.stones[index].0).is_none() {
                continue;
            }
            match self.ends(index).or_else(|| self.leaves_row(index)) {
                None => return Some((place, index)),
                Some(problem) => drop(self.problem.get_or_insert(problem)),
            }
        }
        None
    }

    /// How the game would end with that stone as the last one, if it does.
    fn ends(&mut self, index: usize) -> Option<EditorProblem> {
        if !self.critical[index] {
            return None;
        }
        self.steps += 1;
        let (point, color) = self.stones[index];
        if self.board.wins(self.rule, point, color) {
            return Some(EditorProblem::Over(point));
        }
        if !self.rule.has_fouls(color) {
            return None;
        }
        self.board.remove(point);
        let foul = self.board.foul(point);
        self.board.place(point, color);
        foul.map(|foul| EditorProblem::Forbidden(point, foul))
    }

    /// A winning row that remains without that stone, longer with it or blocked by it: its last
    /// stone would end the game.
    fn leaves_row(&mut self, index: usize) -> Option<EditorProblem> {
        if !matches!(self.rule, Rule::Standard | Rule::Caro) {
            return None;
        }
        let (point, color) = self.stones[index];
        self.board.remove(point);
        let (board, rule) = (&self.board, self.rule);
        let wins = |at: &Point| board.get(*at).is_some_and(|of| board.wins(rule, *at, of));
        let row = around(point, board.size()).find(wins);
        self.board.place(point, color);
        row.map(EditorProblem::Over)
    }

    fn is_critical(&self) -> bool {
        let is_on_board = |(index, critical): (usize, &bool)| {
            *critical && self.board.get(self.stones[index].0).is_some()
        };
        self.critical.iter().enumerate().any(is_on_board)
    }

    /// Which stones are left.
    fn left(&self) -> Vec<u64> {
        let mut left = vec![0; self.stones.len().div_ceil(64)];
        for (index, (point, _)) in self.stones.iter().enumerate() {
            if self.board.get(*point).is_some() {
                left[index / 64] |= 1 << (index % 64);
            }
        }
        left
    }

    /// The order found: the remaining stones come first, in any order.
    fn finish(mut self) -> Vec<Point> {
        let mut left: [Vec<usize>; 2] = [Vec::new(), Vec::new()];
        for (of, left) in left.iter_mut().enumerate() {
            let is_on_board = |index: &usize| self.board.get(self.stones[*index].0).is_some();
            left.extend(self.wanted[of].iter().copied().filter(is_on_board));
        }
        for ply in (0..self.board.count()).rev() {
            self.taken.extend(left[ply % 2].pop());
        }
        self.taken.iter().rev().map(|index| self.stones[*index].0).collect()
    }

    fn refuted(&self) -> EditorProblem {
        // There is a problem, or the search would have gone on.
        self.problem.unwrap_or(EditorProblem::Full)
    }

    fn unsure(&self) -> EditorProblem {
        match self.refuted() {
            EditorProblem::Forbidden(point, foul) => EditorProblem::Unsure(point, Some(foul)),
            EditorProblem::Over(point) => EditorProblem::Unsure(point, None),
            other => other,
        }
    }
}

/// Whether a stone can end a game with some of the others. A forbidden four needs three more on its
/// line, a forbidden three two, and there are two of them.
fn is_critical(rule: Rule, stones: &[(Point, Color)], (point, color): (Point, Color)) -> bool {
    let mut others = [0; 4];
    for (other, _) in stones.iter().filter(|(other, of)| *of == color && *other != point) {
        if let Some(direction) = line(point, *other) {
            others[direction] += 1;
        }
    }
    let most = others.iter().max().is_some_and(|others| *others >= 4);
    let several = others.iter().filter(|others| **others >= 2).count() >= 2;
    match rule {
        // A row of five would still be there.
        Rule::Freestyle => false,
        Rule::Renju => color == Color::Black && (most || several),
        Rule::Standard | Rule::Caro => most,
    }
}

/// The points beside a point.
fn around(point: Point, size: Size) -> impl Iterator<Item = Point> {
    let beside = |at: u8| at.saturating_sub(1)..=at + 1;
    let points = beside(point.x()).flat_map(move |x| beside(point.y()).map(move |y| (x, y)));
    let points = points.map(|(x, y)| Point::new(x, y));
    points.filter(move |other| *other != point && size.contains(*other))
}

/// The line that two points share within reach, by its number.
fn line(one: Point, other: Point) -> Option<usize> {
    let right = i16::from(other.x()) - i16::from(one.x());
    let up = i16::from(other.y()) - i16::from(one.y());
    let is_near = right.abs() <= REACH && up.abs() <= REACH;
    let direction = match (right, up) {
        (_, 0) => 0,
        (0, _) => 1,
        _ if right == up => 2,
        _ if right == -up => 3,
        _ => return None,
    };
    is_near.then_some(direction)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use tengen_rules::Position;
    use tengen_testkit::Dice;

    use super::*;

    /// Whether a game lays the stones so and goes on all the while.
    fn goes_on(rule: Rule, size: Size, points: &[Point]) -> bool {
        let mut position = Position::new(rule, size);
        points.iter().all(|&point| position.play(point) == Ok(None))
    }

    /// Whether some order of the stones makes a game, by trying all.
    fn any_order(
        stones: &[(Point, Color)],
        position: &mut Position,
        left: u32,
        known: &mut HashMap<u32, bool>,
    ) -> bool {
        if left == 0 {
            return true;
        }
        if let Some(known) = known.get(&left) {
            return *known;
        }
        let color = position.to_move();
        let found = (0..stones.len()).any(|index| {
            let (point, of) = stones[index];
            if left >> index & 1 == 0 || of != color {
                return false;
            }
            let goes_on = position.play(point) == Ok(None)
                && any_order(stones, position, left & !(1 << index), known);
            position.undo();
            goes_on
        });
        known.insert(left, found);
        found
    }

    fn small(dice: &mut Dice) -> (Size, Vec<(Point, Color)>) {
        let side = 6 + dice.index(6) as u8;
        let size = Size::new(side, side).unwrap();
        // Black's lie together, so that there is much that may be forbidden.
        let is_inner = |point: &Point| {
            let inner = |at: u8| at.abs_diff(side / 2) <= 2;
            inner(point.x()) && inner(point.y())
        };
        let (mut inner, mut outer): (Vec<Point>, Vec<Point>) = size.points().partition(is_inner);
        let count = 8 + dice.index(9);
        let stones = (0..count).map(|ply| {
            let color = Color::of_ply(ply);
            let free = if color == Color::Black { &mut inner } else { &mut outer };
            (free.swap_remove(dice.index(free.len())), color)
        });
        let mut stones: Vec<_> = stones.collect();
        stones.sort();
        (size, stones)
    }

    #[test]
    fn an_order_is_found_exactly_where_there_is_one() {
        let mut dice = Dice::new(1);
        let mut refuted = 0;
        for round in 0..1500 {
            let rule = [Rule::Renju, Rule::Renju, Rule::Standard, Rule::Caro][round % 4];
            let (size, stones) = small(&mut dice);
            let found = order(rule, size, &stones);
            let mut position = Position::new(rule, size);
            let all = (1u32 << stones.len()) - 1;
            let is = any_order(&stones, &mut position, all, &mut HashMap::new());
            assert_eq!(found.is_ok(), is, "{rule} {size} {stones:?}: {found:?}");
            assert!(!matches!(found, Err(EditorProblem::Unsure(..))), "{stones:?}");
            refuted += usize::from(!is);
            if let Ok(points) = found {
                assert_eq!(points.len(), stones.len());
                assert!(goes_on(rule, size, &points), "{rule} {size} {stones:?}");
            }
        }
        assert!(refuted > 10, "{refuted} positions were none of a game");
    }

    #[test]
    fn whatever_a_game_reaches_is_found() {
        for seed in 0..60 {
            let mut dice = Dice::new(seed);
            let rule = Rule::ALL[seed as usize % Rule::ALL.len()];
            let size = Size::STANDARD;
            let mut position = Position::new(rule, size);
            let plies = 20 + dice.index(100);
            for _ in 0..10 * plies {
                let near = |dice: &mut Dice| {
                    let [one, other] = [dice.index(15), dice.index(15)];
                    one.min(other).max(3) as u8
                };
                let point = Point::new(near(&mut dice), near(&mut dice));
                if position.ply() < plies && position.play(point).is_ok_and(|end| end.is_some()) {
                    position.undo();
                }
            }
            let mut stones: Vec<(Point, Color)> = position.board().stones().collect();
            stones.sort();
            let found = order(rule, size, &stones);
            assert!(found.is_ok(), "{rule}, seed {seed}: {found:?}");
            assert!(goes_on(rule, size, &found.unwrap()), "{rule}, seed {seed}");
        }
    }
}
