//! Forbidden moves after RIF 9, exact and recursive.

use crate::line::{Direction, bits};
use crate::pattern::{Pattern, extensions};
use crate::traits::{Judgement, Traits};
use crate::{Board, Color, Foul, Point};

/// Where the traits of points and the straight windows of lines are looked up: read from the board
/// at once, or from a survey of all its lines.
pub(crate) trait Facts {
    /// The traits of an empty point, this direction left out.
    fn traits_without(&self, point: Point, direction: Direction) -> Traits;

    /// [`Pattern::straight`] of the line through the point.
    fn straight(&self, point: Point, direction: Direction) -> u32;
}

impl Facts for Board {
    fn traits_without(&self, point: Point, direction: Direction) -> Traits {
        Direction::ALL
            .into_iter()
            .filter(|other| *other != direction)
            .fold(Traits::default(), |traits, other| traits.and(self.traits_on(point, other)))
    }

    fn straight(&self, point: Point, direction: Direction) -> u32 {
        let (black, empty) = self.black_and_empty(direction.through(point));
        Pattern::of(black, empty).straight
    }
}

impl Board {
    /// Why a black stone on the empty point is forbidden under renju (RIF 9), if it is. None for a
    /// point that has a stone or is off the board.
    ///
    /// ```
    /// use tengen_rules::{Board, Color, Foul, Size};
    /// let mut board = Board::new(Size::STANDARD);
    /// for point in ["g8", "i8", "h7", "h9"] {
    ///     board.place(point.parse().unwrap(), Color::Black);
    /// }
    /// assert_eq!(board.foul("h8".parse().unwrap()), Some(Foul::DoubleThree));
    /// ```
    pub fn foul(&self, point: Point) -> Option<Foul> {
        if !self.is_empty(point) {
            return None;
        }
        let traits = Direction::ALL.into_iter().fold(Traits::default(), |traits, direction| {
            traits.and(self.traits_on(point, direction))
        });
        self.foul_of(point, traits, self)
    }

    /// The foul of an empty point whose traits are known.
    pub(crate) fn foul_of(&self, point: Point, traits: Traits, facts: &impl Facts) -> Option<Foul> {
        match traits.judge() {
            Judgement::Legal => None,
            Judgement::Foul(foul) => Some(foul),
            Judgement::Threes => {
                self.is_double_three(point, traits, facts).then_some(Foul::DoubleThree)
            }
        }
    }

    /// What a black stone on the empty point would make in one direction.
    fn traits_on(&self, point: Point, direction: Direction) -> Traits {
        let (black, empty) = self.black_and_empty(direction.through(point));
        let pattern = Pattern::of(black, empty);
        let bit = direction.bit(point);
        let when = |mask: u32, traits: Traits| {
            if mask >> bit & 1 == 1 { traits } else { Traits::default() }
        };
        when(pattern.five, Traits::five())
            .and(when(pattern.overline, Traits::overline()))
            .and(when(pattern.four, Traits::four(direction)))
            .and(when(pattern.two_fours, Traits::two_fours(direction)))
            .and(when(pattern.three, Traits::three(direction)))
    }

    /// Whether two or more of the point's threes are real (RIF 9.3). Only those that no glance
    /// decides are looked into, and only while they matter.
    fn is_double_three(&self, point: Point, traits: Traits, facts: &impl Facts) -> bool {
        let mut real = 0;
        let mut open = [(Direction::Row, 0); 4];
        let mut open_count = 0;
        for direction in Direction::ALL.into_iter().filter(|it| traits.has_three(*it)) {
            match self.glance(point, direction, facts) {
                Three::Real => real += 1,
                Three::Open(extensions) if extensions != 0 => {
                    open[open_count] = (direction, extensions);
                    open_count += 1;
                }
                Three::Open(_) => {}
            }
        }
        if real >= 2 || real + open_count < 2 {
            return real >= 2;
        }
        let mut deeper = self.clone();
        deeper.place(point, Color::Black);
        for (done, (direction, extensions)) in open[..open_count].iter().enumerate() {
            if real + open_count - done < 2 {
                return false;
            }
            let line = direction.through(point);
            let is_real = bits(*extensions).any(|bit| {
                let extension = line.point(bit);
                let others = facts.traits_without(extension, *direction);
                !deeper.is_double_three(extension, others, &deeper)
            });
            real += usize::from(is_real);
            if real == 2 {
                return true;
            }
        }
        false
    }

    /// What the points that would make a straight four of the three say at first sight.
    ///
    /// On the line itself such an extension makes that straight four and nothing else: one four, no
    /// three. The other lines through it do not meet `point`, so their traits are those of the
    /// board without it; only what lies a step deeper needs the stone on the board.
    fn glance(&self, point: Point, direction: Direction, facts: &impl Facts) -> Three {
        let line = direction.through(point);
        let (_, empty) = self.black_and_empty(line);
        let straight = facts.straight(point, direction);
        let mut open = 0;
        for bit in bits(extensions(straight, empty, direction.bit(point))) {
            let others = facts.traits_without(line.point(bit), direction);
            if others.makes_five() || others.makes_overline() || others.makes_four() {
                continue;
            }
            if others.judge() != Judgement::Threes {
                return Three::Real;
            }
            open |= 1 << bit;
        }
        Three::Open(open)
    }
}

/// Whether a three may really become a straight four.
enum Three {
    /// It may, on a point that is no foul.
    Real,
    /// It may if one of these points of its line is no double-three.
    Open(u32),
}
