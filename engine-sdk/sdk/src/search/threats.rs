//! Wins by threats alone: every move of the attacker asks for an answer, so that the tree is narrow
//! and deep. By fours alone that is called VCF, by fours and threes VCT.

use tengen_rules::{Color, Point};

use super::replies::{Stakes, stakes, unstoppable};
use super::table::{Bound, TranspositionTable};
use super::value::win_at;
use crate::analysis::{Analysis, PointSet, Threat};
use crate::random::mix;

/// The longest line that is told, in plies.
const MOST_LINE: usize = 120;
/// The depth of an entry that holds for every depth.
const FOR_EVER: i32 = 127;

/// Which threats the attacker makes.
///
/// ```
/// use tengen_sdk::analysis::Analysis;
/// use tengen_sdk::search::{ThreatBudget, ThreatKind, ThreatSearch};
/// use tengen_sdk::{Color, Rule, Size};
/// let mut analysis = Analysis::new(Rule::Freestyle, Size::STANDARD);
/// let mut search = ThreatSearch::new(1);
/// let budget = ThreatBudget::default();
/// for kind in [ThreatKind::Fours, ThreatKind::All] {
///     assert!(search.find(&mut analysis, Color::Black, kind, &budget).win().is_none());
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ThreatKind {
    /// Fours: a win by them is a VCF.
    Fours,
    /// Fours and threes: a win by them is a VCT. It costs far more to look for.
    All,
}

/// Where a search for threats must end.
///
/// ```
/// use tengen_sdk::search::ThreatBudget;
/// let quick = ThreatBudget { nodes: 2000, ..ThreatBudget::default() };
/// assert_eq!(quick.moves, 20);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ThreatBudget {
    /// The most positions to look at.
    pub nodes: u64,
    /// The most moves of the attacker, the five not counted; at most 60.
    pub moves: u32,
}

impl Default for ThreatBudget {
    fn default() -> ThreatBudget {
        ThreatBudget { nodes: 50_000, moves: 20 }
    }
}

/// A win that no defence stops.
///
/// ```
/// use tengen_sdk::analysis::Analysis;
/// use tengen_sdk::search::{ThreatBudget, ThreatKind, ThreatSearch};
/// use tengen_sdk::{Color, Point, Rule, Size};
/// let mut analysis = Analysis::new(Rule::Freestyle, Size::STANDARD);
/// for x in 6..9 {
///     analysis.place(Point::new(x, 7), Color::Black);
/// }
/// let budget = ThreatBudget::default();
/// let found =
///     ThreatSearch::new(1).find(&mut analysis, Color::Black, ThreatKind::Fours, &budget);
/// assert_eq!(found.win().unwrap().plies, 3);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreatWin {
    /// The attacker's first move.
    pub first: Point,
    /// The plies to the five at the longest defence found, the five included.
    pub plies: usize,
    /// The moves of that defence, as far as they are remembered, the attacker's first.
    pub line: Vec<Point>,
}

/// What came of a search for threats.
///
/// ```
/// use tengen_sdk::search::ThreatVerdict;
/// assert_eq!(ThreatVerdict::NoWin.win(), None);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ThreatVerdict {
    /// The attacker wins.
    Win(ThreatWin),
    /// It does not win by such threats.
    NoWin,
    /// The budget was not enough to tell.
    Unknown,
}

impl ThreatVerdict {
    /// The win, if it is one.
    pub fn win(self) -> Option<ThreatWin> {
        match self {
            ThreatVerdict::Win(win) => Some(win),
            ThreatVerdict::NoWin | ThreatVerdict::Unknown => None,
        }
    }
}

/// Searches for wins by threats, and remembers what it has seen. It needs no evaluation.
///
/// ```
/// use tengen_sdk::analysis::Analysis;
/// use tengen_sdk::search::{ThreatBudget, ThreatKind, ThreatSearch, ThreatVerdict};
/// use tengen_sdk::{Color, Rule, Size};
///
/// // Two open twos that meet: no four at all, but two threes win.
/// let mut analysis = Analysis::new(Rule::Freestyle, Size::STANDARD);
/// for point in ["h9", "h10", "i8", "j8"] {
///     analysis.place(point.parse()?, Color::Black);
/// }
/// let mut search = ThreatSearch::new(1);
/// let budget = ThreatBudget::default();
/// let fours = search.find(&mut analysis, Color::Black, ThreatKind::Fours, &budget);
/// assert_eq!(fours, ThreatVerdict::NoWin);
/// let threats = search.find(&mut analysis, Color::Black, ThreatKind::All, &budget);
/// let win = threats.win().unwrap();
/// assert_eq!(win.first, "h8".parse()?);
/// assert_eq!(win.line[0], win.first);
/// # Ok::<(), tengen_sdk::rules::ParsePointError>(())
/// ```
pub struct ThreatSearch {
    table: TranspositionTable,
    nodes: u64,
}

impl ThreatSearch {
    /// One that remembers in a table of at most this many MiB.
    pub fn new(hash_mib: usize) -> ThreatSearch {
        ThreatSearch { table: TranspositionTable::new(hash_mib), nodes: 0 }
    }

    /// Forgets everything; for another rule or board.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// The positions that the last search looked at.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Looks for a win of the side to move. The shortest are looked for first. The analysis comes
    /// back as it was.
    pub fn find(
        &mut self,
        analysis: &mut Analysis,
        us: Color,
        kind: ThreatKind,
        budget: &ThreatBudget,
    ) -> ThreatVerdict {
        self.find_while(analysis, us, kind, budget, &|| true)
    }

    /// The same, as long as `goes_on` says so; it is asked now and then.
    pub fn find_while(
        &mut self,
        analysis: &mut Analysis,
        us: Color,
        kind: ThreatKind,
        budget: &ThreatBudget,
        goes_on: &dyn Fn() -> bool,
    ) -> ThreatVerdict {
        self.table.begin();
        let salt = mix(0x5643 + 2 * kind as u64 + u64::from(us == Color::White));
        let most_nodes = budget.nodes;
        let (table, nodes, is_cut) = (&self.table, 0, false);
        let mut run =
            ThreatRun { analysis, table, us, kind, salt, nodes, most_nodes, is_cut, goes_on };
        let mut verdict = ThreatVerdict::Unknown;
        for moves in 1..=budget.moves.clamp(1, 60) as i32 {
            run.is_cut = false;
            match run.attack(moves, 0) {
                Ok(Some((plies, first))) => {
                    let mut line = vec![first];
                    run.follow(first, &mut line);
                    line.truncate(plies);
                    verdict = ThreatVerdict::Win(ThreatWin { first, plies, line });
                    break;
                }
                Ok(None) if !run.is_cut => {
                    verdict = ThreatVerdict::NoWin;
                    break;
                }
                Ok(None) => {}
                Err(OutOfNodes) => break,
            }
        }
        self.nodes = run.nodes;
        verdict
    }
}

/// How many nodes go by until it is asked whether to go on.
const ASKED_EVERY: u64 = 64;

/// The budget is used up.
struct OutOfNodes;

/// The ply of the five, and the move that leads there.
type Won = Option<(usize, Point)>;

/// One search while it runs.
struct ThreatRun<'a> {
    analysis: &'a mut Analysis,
    table: &'a TranspositionTable,
    /// The attacker.
    us: Color,
    kind: ThreatKind,
    /// Sets these positions apart from those of other searches.
    salt: u64,
    nodes: u64,
    most_nodes: u64,
    /// Whether something was left out because it was too deep.
    is_cut: bool,
    goes_on: &'a dyn Fn() -> bool,
}

impl ThreatRun<'_> {
    fn visit(&mut self) -> Result<(), OutOfNodes> {
        let is_asked = self.nodes.is_multiple_of(ASKED_EVERY);
        if self.nodes >= self.most_nodes || (is_asked && !(self.goes_on)()) {
            return Err(OutOfNodes);
        }
        self.nodes += 1;
        Ok(())
    }

    /// Whether the attacker, which is to move, wins with so many more moves before the last three
    /// plies.
    fn attack(&mut self, left: i32, ply: usize) -> Result<Won, OutOfNodes> {
        let us = self.us;
        if let Some(five) = self.analysis.points(us, Threat::Five).first() {
            return Ok(Some((ply + 1, five)));
        }
        let only = if self.analysis.points(!us, Threat::Five).is_empty() {
            if let Some(point) = unstoppable(self.analysis, us) {
                return Ok(Some((ply + 3, point)));
            }
            None
        } else {
            match stakes(self.analysis, us) {
                Stakes::Forced(points) => Some(points),
                _ => return Ok(None),
            }
        };
        let key = self.analysis.hash() ^ self.salt;
        if let Some(entry) = self.table.get(key) {
            if entry.bound == Bound::Exact
                && let Some(best) = entry.best()
            {
                return Ok(Some(((win_at(0) - entry.value(ply)) as usize, best)));
            }
            if entry.bound == Bound::Upper && i32::from(entry.depth) >= left {
                self.is_cut |= i32::from(entry.depth) < FOR_EVER;
                return Ok(None);
            }
        }
        let moves = self.threats(only.as_ref());
        if left == 0 {
            self.is_cut |= !moves.is_empty();
            return Ok(None);
        }
        let was_cut = std::mem::take(&mut self.is_cut);
        for point in moves {
            self.visit()?;
            self.analysis.place(point, us);
            let won = self.defend(left, ply);
            self.analysis.remove(point);
            if let Some(at) = won? {
                self.is_cut = was_cut;
                self.table.put(key, Some(point), win_at(at), (FOR_EVER, Bound::Exact), ply);
                return Ok(Some((at, point)));
            }
        }
        let depth = if self.is_cut { left } else { FOR_EVER };
        self.table.put(key, None, 0, (depth, Bound::Upper), ply);
        self.is_cut |= was_cut;
        Ok(None)
    }

    /// The attacker's threats, the sharpest first.
    fn threats(&self, only: Option<&PointSet>) -> Vec<Point> {
        let threes = [Threat::DoubleThree, Threat::Three];
        let threes = threes.into_iter().filter(|_| self.kind == ThreatKind::All);
        let kinds = Threat::FOURS.into_iter().chain(threes);
        kinds
            .flat_map(|threat| self.analysis.points(self.us, threat).iter())
            .filter(|&point| only.is_none_or(|only| only.contains(point)))
            .filter(|&point| self.analysis.is_legal(point, self.us))
            .collect()
    }

    /// Whether the attacker wins against every answer to the threat that it has just made: the ply
    /// of the five.
    fn defend(&mut self, left: i32, ply: usize) -> Result<Option<usize>, OutOfNodes> {
        let Some((replies, least)) = self.replies(ply) else { return Ok(None) };
        let mut latest = least;
        for reply in replies.iter() {
            if !self.analysis.is_legal(reply, !self.us) {
                continue;
            }
            self.visit()?;
            self.analysis.place(reply, !self.us);
            let won = self.attack(left - 1, ply + 2);
            self.analysis.remove(reply);
            match won? {
                Some((at, _)) => latest = latest.max(at),
                None => return Ok(None),
            }
        }
        Ok(Some(latest))
    }

    /// The answers that may help against the attacker's last move, and the ply of its five where
    /// none does; none if it was no threat.
    fn replies(&self, ply: usize) -> Option<(PointSet, usize)> {
        let (us, them) = (self.us, !self.us);
        if !self.analysis.points(them, Threat::Five).is_empty() {
            return None;
        }
        let is_four = !self.analysis.points(us, Threat::Five).is_empty();
        match stakes(self.analysis, them) {
            Stakes::Lost(_) => Some((PointSet::new(), ply + 3)),
            Stakes::Forced(points) => Some((points, ply + 3)),
            // A four of theirs that nothing stops comes before a three.
            Stakes::Menaced(points) if !is_four && self.kind == ThreatKind::All => {
                Some((points, ply + 5))
            }
            _ => None,
        }
    }

    /// Appends the moves after the attacker's, by what is remembered of them.
    fn follow(&mut self, point: Point, line: &mut Vec<Point>) {
        self.analysis.place(point, self.us);
        let replies = match stakes(self.analysis, !self.us) {
            Stakes::Lost(points) | Stakes::Forced(points) | Stakes::Menaced(points) => points,
            Stakes::Won | Stakes::Quiet => PointSet::new(),
        };
        let mut longest: Option<(usize, Point, Point)> = None;
        for reply in replies.iter() {
            if !self.analysis.is_legal(reply, !self.us) {
                continue;
            }
            self.analysis.place(reply, !self.us);
            let known = self.known();
            self.analysis.remove(reply);
            if let Some((plies, next)) = known
                && longest.is_none_or(|(most, ..)| plies > most)
            {
                longest = Some((plies, reply, next));
            }
        }
        if let Some((plies, reply, next)) = longest {
            line.extend([reply, next]);
            if plies > 1 && line.len() < MOST_LINE {
                self.analysis.place(reply, !self.us);
                self.follow(next, line);
                self.analysis.remove(reply);
            }
        }
        self.analysis.remove(point);
    }

    /// The win of the attacker, which is to move, if it is at hand or remembered.
    fn known(&self) -> Won {
        if let Some(five) = self.analysis.points(self.us, Threat::Five).first() {
            return Some((1, five));
        }
        if self.analysis.points(!self.us, Threat::Five).is_empty()
            && let Some(point) = unstoppable(self.analysis, self.us)
        {
            return Some((3, point));
        }
        let entry = self.table.get(self.analysis.hash() ^ self.salt)?;
        let plies = (entry.bound == Bound::Exact).then(|| (win_at(0) - entry.value(0)) as usize)?;
        Some((plies, entry.best()?))
    }
}
