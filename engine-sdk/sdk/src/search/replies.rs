//! The moves that a threat on the board leaves to the side to move.

use tengen_rules::{Color, Point};

use super::node::SearchRun;
use super::order::MoveOrder;
use crate::analysis::{Analysis, PointSet, Threat};
use crate::eval::Evaluate;

/// What the threats on the board leave to the side to move, which has no five to make.
///
/// ```
/// use tengen_sdk::analysis::Analysis;
/// use tengen_sdk::search::{Stakes, stakes};
/// use tengen_sdk::{Color, Rule, Size};
/// let analysis = Analysis::new(Rule::Freestyle, Size::STANDARD);
/// assert_eq!(stakes(&analysis, Color::Black), Stakes::Quiet);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stakes {
    /// The opponent makes a five next, whatever is done; these would stop one of its fives.
    Lost(PointSet),
    /// The opponent threatens a five, and only these may stop it.
    Forced(PointSet),
    /// The side to move makes a four that no reply stops.
    Won,
    /// The opponent threatens such a four, and only these may help.
    Menaced(PointSet),
    /// Nothing presses.
    Quiet,
}

impl<E: Evaluate, O: MoveOrder> SearchRun<'_, E, O> {
    pub(super) fn stakes(&self, to_move: Color) -> Stakes {
        stakes(self.analysis, to_move)
    }
}

/// What the threats on the board leave to this side, which is to move and has no five to make.
///
/// ```
/// use tengen_rules::{Color, Point, Rule, Size};
/// use tengen_sdk::{analysis::Analysis, search::{Stakes, stakes}};
/// let mut analysis = Analysis::new(Rule::Freestyle, Size::STANDARD);
/// for x in 6..10 {
///     analysis.place(Point::new(x, 7), Color::Black);
/// }
/// analysis.place(Point::new(5, 7), Color::White);
/// let Stakes::Forced(replies) = stakes(&analysis, Color::White) else { panic!("a four") };
/// assert_eq!(replies.first(), Some(Point::new(10, 7)));
/// ```
pub fn stakes(analysis: &Analysis, us: Color) -> Stakes {
    let them = !us;
    if !analysis.points(them, Threat::Five).is_empty() {
        return forced(analysis, us);
    }
    if unstoppable(analysis, us).is_some() {
        return Stakes::Won;
    }
    if unstoppable(analysis, them).is_some() {
        // Under caro a stone beyond the end of a row helps too, which no set of shapes tells.
        return Stakes::Menaced(match analysis.rule().blocks_fives() {
            true => analysis.near().clone(),
            false => counters(analysis, us),
        });
    }
    Stakes::Quiet
}

/// The replies to the opponent's fours.
fn forced(analysis: &Analysis, us: Color) -> Stakes {
    let them = !us;
    let mut all = PointSet::new();
    let mut common: Option<PointSet> = None;
    for five in analysis.points(them, Threat::Five).iter() {
        let defences = analysis.defences(five, them);
        all.extend(defences.iter());
        common = Some(match common {
            Some(common) => common.iter().filter(|&point| defences.contains(point)).collect(),
            None => defences,
        });
    }
    let legal: PointSet =
        common.iter().flat_map(PointSet::iter).filter(|&p| analysis.is_legal(p, us)).collect();
    if legal.is_empty() { Stakes::Lost(all) } else { Stakes::Forced(legal) }
}

/// A point on which the colour makes a four that no reply stops, if it may play there.
///
/// ```
/// use tengen_sdk::analysis::Analysis;
/// use tengen_sdk::search::unstoppable;
/// use tengen_sdk::{Color, Point, Rule, Size};
/// let mut analysis = Analysis::new(Rule::Freestyle, Size::STANDARD);
/// for x in 6..9 {
///     analysis.place(Point::new(x, 7), Color::Black);
/// }
/// assert!(unstoppable(&analysis, Color::Black).is_some());
/// assert_eq!(unstoppable(&analysis, Color::White), None);
/// ```
pub fn unstoppable(analysis: &Analysis, color: Color) -> Option<Point> {
    Threat::UNSTOPPABLE.into_iter().find_map(|threat| {
        let points = analysis.points(color, threat);
        points.iter().find(|&point| analysis.is_legal(point, color))
    })
}

/// What may help against a four that no reply stops: our own fours, and every point on which the
/// opponent would make a four.
fn counters(analysis: &Analysis, us: Color) -> PointSet {
    let mut counters = PointSet::new();
    for color in Color::ALL {
        for threat in Threat::FOURS {
            counters.extend(analysis.points(color, threat).iter());
        }
    }
    if analysis.rule().has_fouls(!us) {
        // Their double-four is forbidden, but the rest of its line may not be.
        counters.extend(analysis.points(!us, Threat::Foul).iter());
    }
    counters
}
