//! Wins by fours: forced to the end, and proved.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use crate::line::{Direction, bits};
use crate::{Board, ByColor, Color, Point, Rule};

/// How much of a search there may be.
///
/// ```
/// use tengen_rules::FoursLimits;
/// let limits = FoursLimits { nodes: 1000, stones: None };
/// assert!(limits.stones.is_none());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FoursLimits {
    /// The most fours that are tried.
    pub nodes: u32,
    /// The most stones on the board at the end of the win, for games that are drawn at that number.
    pub stones: Option<usize>,
}

impl Board {
    /// A win of the colour, which is to move, by fours alone: each of its stones threatens a five,
    /// until one makes it, whatever the opponent replies. The stones of both in turn, the colour's
    /// first, with the replies that last longest.
    ///
    /// The last stone makes the five. Where White wins under renju because Black may not lay its
    /// only reply, that reply is the last stone. What is found is a win by the rules as
    /// [`Board::wins`] and [`Board::foul`] have them, every reply considered; if none is found, the
    /// limits were reached or there is none. The result is the same for the same board and limits,
    /// and it is one of the wins with the fewest fours.
    ///
    /// ```
    /// use tengen_rules::{Board, Color, FoursLimits, Rule, Size};
    /// let mut board = Board::new(Size::STANDARD);
    /// for text in ["h8", "i8", "j8", "h9", "h10"] {
    ///     board.place(text.parse()?, Color::Black);
    /// }
    /// let limits = FoursLimits { nodes: 1000, stones: None };
    /// let line = board.win_by_fours(Rule::Freestyle, Color::Black, limits).unwrap();
    /// assert_eq!(line.len(), 3, "an open four, a reply, five");
    /// assert_eq!(board.win_by_fours(Rule::Freestyle, Color::White, limits), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win_by_fours(
        &self,
        rule: Rule,
        color: Color,
        limits: FoursLimits,
    ) -> Option<Vec<Point>> {
        let room = self.size().area() - self.count();
        let stones = limits.stones.map_or(room, |most| most.saturating_sub(self.count()).min(room));
        let mut search = FourSearch {
            board: self.clone(),
            rule,
            us: color,
            nodes: limits.nodes,
            hash: 0,
            failed: BTreeMap::new(),
        };
        // One stone makes the five; each four before it comes with its reply.
        let most_fours = stones.checked_sub(1)? / 2;
        for fours in 0..=most_fours {
            match search.attack(fours) {
                Attack::Wins(line) => return Some(line),
                Attack::Fails { is_cut: true } => {}
                Attack::Fails { is_cut: false } | Attack::OutOfNodes => return None,
            }
        }
        None
    }

    /// The empty points of each stretch of five that has so many stones of the colour, and none of
    /// the other.
    fn stretches(&self, color: Color, stones: u32, mut see: impl FnMut(Point)) {
        for direction in Direction::ALL {
            for line in direction.lines(self.size()) {
                let on = self.on(line);
                let own = on[color];
                if own.count_ones() < stones {
                    continue;
                }
                let free = line.on_board(self.size()) & !on[!color];
                let starts = free & free >> 1 & free >> 2 & free >> 3 & free >> 4;
                for bit in bits(starts) {
                    let stretch = 0b1_1111 << bit;
                    if (own & stretch).count_ones() == stones {
                        bits(stretch & !own).for_each(|bit| see(line.point(bit)));
                    }
                }
            }
        }
    }

    /// The points on which the colour makes a five that wins.
    fn fives(&self, rule: Rule, color: Color) -> Vec<Point> {
        let mut fives = Vec::new();
        self.stretches(color, 4, |point| {
            if !fives.contains(&point) && self.wins(rule, point, color) {
                fives.push(point);
            }
        });
        fives
    }

    /// Whether the colour may lay a stone on the empty point that makes no five.
    fn may_lay(&self, rule: Rule, point: Point, color: Color) -> bool {
        self.foul_of(rule, point, color).is_none()
    }
}

/// What an attack comes to.
enum Attack {
    /// The stones of both, in turn.
    Wins(Vec<Point>),
    /// Whether more fours might have won.
    Fails { is_cut: bool },
    /// Not known: the search stopped first.
    OutOfNodes,
}

struct FourSearch {
    board: Board,
    rule: Rule,
    us: Color,
    nodes: u32,
    /// Of the stones laid since the beginning.
    hash: u64,
    /// Where so many fours did not win, and whether more might. Another position of the same hash
    /// would hide a win, and never make one.
    failed: BTreeMap<u64, (usize, bool)>,
}

impl FourSearch {
    /// Whether we, to move, win with at most so many fours before the five.
    fn attack(&mut self, fours: usize) -> Attack {
        if let Some(five) = self.board.fives(self.rule, self.us).first() {
            return Attack::Wins(vec![*five]);
        }
        if fours == 0 {
            return Attack::Fails { is_cut: true };
        }
        if let Some(&(tried, is_cut)) = self.failed.get(&self.hash)
            && (tried >= fours || !is_cut)
        {
            return Attack::Fails { is_cut };
        }
        let theirs = self.board.fives(self.rule, !self.us);
        let mut points = Vec::new();
        self.board.stretches(self.us, 3, |point| {
            if !points.contains(&point) {
                points.push(point);
            }
        });
        let mut is_cut = false;
        for point in points {
            // Their threats come first. Under caro a five can be stopped from the side.
            let may_stop = theirs.is_empty() || theirs.contains(&point) || self.rule.blocks_fives();
            if !may_stop || !self.board.may_lay(self.rule, point, self.us) {
                continue;
            }
            if self.nodes == 0 {
                return Attack::OutOfNodes;
            }
            self.nodes -= 1;
            self.lay(point, self.us);
            let after = self.after_four(&theirs, fours);
            self.take(point, self.us);
            match after {
                Attack::Wins(mut line) => {
                    line.insert(0, point);
                    return Attack::Wins(line);
                }
                Attack::Fails { is_cut: more } => is_cut |= more,
                Attack::OutOfNodes => return Attack::OutOfNodes,
            }
        }
        self.failed.insert(self.hash, (fours, is_cut));
        Attack::Fails { is_cut }
    }

    /// Whether the stone just laid wins, with what they threatened before it.
    fn after_four(&mut self, theirs: &[Point], fours: usize) -> Attack {
        let is_still = |point: &Point| {
            self.board.is_empty(*point) && self.board.wins(self.rule, *point, !self.us)
        };
        let fives = self.board.fives(self.rule, self.us);
        if fives.is_empty() || theirs.iter().any(is_still) {
            return Attack::Fails { is_cut: false };
        }
        let replies = self.replies(&fives);
        let mut longest: Option<Vec<Point>> = None;
        for &reply in &replies {
            if !self.board.may_lay(self.rule, reply, !self.us) {
                continue;
            }
            self.lay(reply, !self.us);
            let result = self.attack(fours - 1);
            self.take(reply, !self.us);
            match result {
                Attack::Wins(mut line) => {
                    line.insert(0, reply);
                    if longest.as_ref().is_none_or(|longest| longest.len() < line.len()) {
                        longest = Some(line);
                    }
                }
                fails => return fails,
            }
        }
        Attack::Wins(longest.unwrap_or_else(|| match (replies.first(), fives[0]) {
            (Some(&forbidden), _) => vec![forbidden],
            // Nothing stops both: whichever they take, the other is the five.
            (None, one) => {
                let other = fives.iter().copied().find(|five| self.wins_after(one, *five));
                other.map_or(vec![one], |other| vec![one, other])
            }
        }))
    }

    /// Whether we make five on the point though they have laid a stone on this one.
    fn wins_after(&self, reply: Point, five: Point) -> bool {
        let mut board = self.board.clone();
        board.place(reply, !self.us);
        five != reply && board.wins(self.rule, five, self.us)
    }

    /// The replies after which we make no five at once; forbidden ones too.
    fn replies(&self, fives: &[Point]) -> Vec<Point> {
        if !self.rule.blocks_fives() {
            // A five is stopped only where it would be made.
            return if let [five] = fives { vec![*five] } else { Vec::new() };
        }
        // Under caro it may be stopped at an end of its row, too.
        let mut board = self.board.clone();
        let near = self.board.size().points().filter(|&point| {
            fives.iter().any(|five| {
                let (x, y) = (point.x().abs_diff(five.x()), point.y().abs_diff(five.y()));
                (x == y || x == 0 || y == 0) && x.max(y) <= 5
            })
        });
        near.filter(|&point| {
            if !board.is_empty(point) {
                return false;
            }
            board.place(point, !self.us);
            let stops = |five: &Point| *five == point || !board.wins(self.rule, *five, self.us);
            let all = fives.iter().all(stops);
            board.remove(point);
            all
        })
        .collect()
    }

    fn lay(&mut self, point: Point, color: Color) {
        self.board.place(point, color);
        self.hash ^= key(point, color);
    }

    fn take(&mut self, point: Point, color: Color) {
        self.board.remove(point);
        self.hash ^= key(point, color);
    }
}

/// A number of its own for each stone (SplitMix64 of its place).
fn key(point: Point, color: Color) -> u64 {
    let colors = ByColor { black: 0, white: 1 };
    let place = u64::from(point.x()) << 16 | u64::from(point.y()) << 8 | colors[color];
    let mut mixed = (place + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}
