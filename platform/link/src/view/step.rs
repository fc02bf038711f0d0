//! One action of a game.

use serde::{Deserialize, Serialize};
use tengen_arbiter::{Correction, Game, HistoryEntry, Nanos};
use tengen_rules::Seat;

use super::{Circumstances, FaceView, MOST_LINE, black};
use crate::text::plain;

/// The most moves of a variation that are shown.
const MOST_PV: usize = 24;
/// The most lines that a player said before an answer that are shown.
const MOST_SAID: usize = 4;

/// One action, and how things are after it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StepView {
    /// What was done, as in a record. Its time is rounded, long texts are cut, and what was
    /// measured beside it is left out.
    #[serde(flatten)]
    pub entry: HistoryEntry,
    /// Which seat has Black from now on, where that has changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    black: Option<Seat>,
    /// What the clock shows of it, where it has byo-yomi: `clock` is the game's time alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    face: Option<FaceView>,
    #[serde(flatten)]
    after: Circumstances,
}

impl StepView {
    /// What was done, and how things are after it. Before it this seat had Black.
    pub(super) fn new(entry: &HistoryEntry, game: &Game, had_black: Seat) -> StepView {
        let has_black = black(game);
        let said = entry.said.iter().take(MOST_SAID).map(|line| plain(line, MOST_LINE)).collect();
        let pv = entry.pv.iter().copied().take(MOST_PV).collect();
        let (spent, clock) = (rounded(entry.spent), entry.clock.map(|clock| clock - clock % MILLI));
        // What the arbiter measured beside it is in the record; its digits cannot be packed either.
        let (ready, lag, correction) = (None, None, Correction::default());
        let entry =
            HistoryEntry { spent, clock, pv, said, ready, lag, correction, ..entry.clone() };
        let black = (has_black != had_black).then_some(has_black);
        let face = game.clock(entry.seat).face(0).and_then(FaceView::of);
        StepView { entry, black, face, after: Circumstances::of(game, game.result().is_none()) }
    }
}

const MICRO: Nanos = 1000;
const MILLI: Nanos = 1_000_000;

/// Three significant digits below a tenth of a second, whole milliseconds above: a report has
/// thousands of games, and digits that say nothing cannot be packed.
fn rounded(span: Nanos) -> Nanos {
    let unit = match span {
        0..MILLI => MICRO,
        MILLI..100_000_000 => 100 * MICRO,
        _ => MILLI,
    };
    span.saturating_add(unit / 2) / unit * unit
}
