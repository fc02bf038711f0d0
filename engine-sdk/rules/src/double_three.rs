//! Double-threes after RIF 9.3: which of a point's threes are real, exactly and as deep as it
//! takes.
//!
//! An *extension* of a three is a point that makes a straight four of it. A three is real if one of
//! its extensions is legal, with the stone that makes the three on the board; two real threes are
//! forbidden.

use crate::forbidden::Facts;
use crate::line::{Direction, bits};
use crate::pattern::extensions;
use crate::traits::{Judgement, Traits};
use crate::{Fouls, Point};

/// The threes of one point, as far as they are looked into.
#[derive(Clone, Copy)]
pub(crate) struct Threes {
    /// How many are known to be real.
    real: u32,
    /// Per direction the bits of the line on which an extension may yet turn out legal; none where
    /// there is no three or all is known of it.
    open: [u32; 4],
}

/// An extension and its own threes, from which its legality follows.
#[derive(Clone, Copy)]
struct Extension {
    direction: Direction,
    bit: u32,
    point: Point,
    threes: Threes,
}

impl Threes {
    /// No line has more than two extensions of the threes through one point.
    const EXTENSIONS: usize = 8;

    /// Judges each extension by the lines through it, but not deeper.
    ///
    /// On the three's own line an extension makes that straight four and nothing else. Its other
    /// lines do not meet the point, so they read the same without a stone there.
    #[inline]
    pub(crate) fn glance(facts: &impl Facts, point: Point, traits: Traits) -> Threes {
        let mut threes = Threes { real: 0, open: [0; 4] };
        for direction in Direction::ALL.into_iter().filter(|it| traits.has_three(*it)) {
            let line = direction.through(point);
            let (straight, empty) = facts.straight_and_empty(line);
            let mut open = 0;
            let is_real = bits(extensions(straight, empty, direction.bit(point))).any(|bit| {
                let others = facts.traits(line.point(bit)).without(direction);
                if others.makes_more_than_threes() {
                    return false;
                }
                open |= u32::from(others.judge() == Judgement::Threes) << bit;
                others.judge() == Judgement::Legal
            });
            threes.real += u32::from(is_real);
            threes.open[direction as usize] = if is_real { 0 } else { open };
        }
        threes
    }

    /// Whether they make a double-three, where that is known by now.
    #[inline]
    pub(crate) fn verdict(&self) -> Option<bool> {
        let open = self.open.into_iter().filter(|open| *open != 0).count() as u32;
        match self.real {
            2.. => Some(true),
            real if real + open < 2 => Some(false),
            _ => None,
        }
    }

    /// Whether they make a double-three. The stones are left as they were.
    ///
    /// All extensions are glanced at before one is looked into, and then the one with the fewest
    /// extensions of its own comes first: most threes are decided a step or two away.
    pub(crate) fn is_double(mut self, fouls: &mut Fouls, point: Point) -> bool {
        let lines_before = fouls.lay(point);
        let mut waiting = [None; Threes::EXTENSIONS];
        let mut count = 0;
        for direction in Direction::ALL {
            for bit in bits(self.open[direction as usize]) {
                let extension = Extension::glance(fouls, direction, bit, point);
                match extension.threes.verdict() {
                    Some(is_double) => self.settle(&extension, is_double),
                    None => {
                        waiting[count] = Some(extension);
                        count += 1;
                    }
                }
            }
        }
        while self.verdict().is_none() {
            let least = |it: &&mut Option<Extension>| it.map_or(u32::MAX, |it| it.threes.weight());
            let next = waiting[..count].iter_mut().min_by_key(least).and_then(Option::take);
            let extension = next.expect("an open three has an extension that is not looked into");
            if self.open[extension.direction as usize] != 0 {
                let is_double = extension.threes.is_double(fouls, extension.point);
                self.settle(&extension, is_double);
            }
        }
        fouls.lift(point, lines_before);
        self.real >= 2
    }

    /// Takes note of what an extension is.
    fn settle(&mut self, extension: &Extension, is_double: bool) {
        let open = &mut self.open[extension.direction as usize];
        if is_double {
            *open &= !(1 << extension.bit);
        } else if *open != 0 {
            *open = 0;
            self.real += 1;
        }
    }

    /// How many extensions are open.
    fn weight(&self) -> u32 {
        self.open.into_iter().map(u32::count_ones).sum()
    }
}

impl Extension {
    /// The extension at a bit of the point's line.
    fn glance(fouls: &Fouls, direction: Direction, bit: u32, point: Point) -> Extension {
        let point = direction.through(point).point(bit);
        let others = fouls.traits(point).without(direction);
        Extension { direction, bit, point, threes: Threes::glance(fouls, point, others) }
    }
}
