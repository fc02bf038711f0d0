use tengen_rules::{BySeat, OpeningSettings, Rule, Size};

use crate::{Nanos, Policies, TimeControl};

/// All that is settled before a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameConfig {
    /// What wins.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// The opening procedure.
    pub opening: OpeningSettings,
    /// Each seat's time.
    pub time: BySeat<TimeControl>,
    /// Each seat's margin, how late its answers may be, as the
    /// [policy](Policies::margin) has it; see [`Clock`](crate::Clock).
    pub margin: BySeat<Nanos>,
    /// What the event decided.
    pub policies: Policies,
}
