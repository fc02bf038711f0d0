use tengen_rules::{BySeat, OpeningSettings, Rule, Size};

use crate::{Nanos, Policies, TimeControl};

/// All that is settled before a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameConfig {
    pub rule: Rule,
    pub size: Size,
    pub opening: OpeningSettings,
    pub time: BySeat<TimeControl>,
    /// Each seat's margin, how late its answers may be, as the
    /// [policy](Policies::margin) has it; see [`Clock`](crate::Clock).
    pub margin: BySeat<Nanos>,
    pub policies: Policies,
}
