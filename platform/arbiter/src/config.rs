use tengen_rules::{BySeat, OpeningSettings, Rule, Size};

use crate::{Nanos, Policies, TimeControl};

/// All that is settled before a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameConfig {
    pub rule: Rule,
    pub size: Size,
    pub opening: OpeningSettings,
    pub time: BySeat<TimeControl>,
    /// How late each seat's answers may be, by the [policy](Policies::margin); see
    /// [`Clock`](crate::Clock).
    pub margin: BySeat<Nanos>,
    pub policies: Policies,
}
