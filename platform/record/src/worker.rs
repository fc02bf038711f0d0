//! Where a game was played, if by a worker of another process.

use serde::{Deserialize, Serialize};
use tengen_arbiter::{ByoYomi, Nanos, TimeControl};

/// The worker that played a game, as its record names it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordWorker {
    pub name: String,
    /// Its system and processor, for people to read.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub machine: String,
    /// By how much it multiplied the times of the event.
    #[serde(default, skip_serializing_if = "TimeScale::is_one")]
    pub scale: TimeScale,
}

/// What the times of an event are multiplied by on one machine, in thousandths, so that a slow
/// machine thinks as far as a fast one. It is a decimal number in JSON.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TimeScale(u32);

impl Default for TimeScale {
    fn default() -> TimeScale {
        TimeScale::ONE
    }
}

impl TimeScale {
    pub const ONE: TimeScale = TimeScale(1000);
    /// A machine that needs more than this, or less than one tenth of it, is too unlike the others
    /// for any factor to make up for it.
    pub const MOST: f64 = 10.0;

    /// The nearest thousandth, between a tenth and ten.
    pub fn new(factor: f64) -> TimeScale {
        let factor = factor.clamp(1.0 / TimeScale::MOST, TimeScale::MOST);
        TimeScale((factor * 1000.0).round() as u32)
    }

    pub fn is_one(&self) -> bool {
        *self == TimeScale::ONE
    }

    pub fn factor(self) -> f64 {
        f64::from(self.0) / 1000.0
    }

    /// A time control with every time of it multiplied; other limits are as they were.
    pub fn of(self, control: TimeControl) -> TimeControl {
        let scaled = |nanos: Nanos| {
            let scaled = u128::from(nanos) * u128::from(self.0) / 1000;
            Nanos::try_from(scaled).unwrap_or(Nanos::MAX)
        };
        TimeControl {
            main: control.main.map(scaled),
            increment: scaled(control.increment),
            byo_yomi: control.byo_yomi.map(|it| ByoYomi { span: scaled(it.span), ..it }),
            per_move: control.per_move.map(scaled),
            ..control
        }
    }
}

impl Serialize for TimeScale {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(self.factor())
    }
}

impl<'de> Deserialize<'de> for TimeScale {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<TimeScale, D::Error> {
        let factor = f64::deserialize(from)?;
        if !(1.0 / TimeScale::MOST..=TimeScale::MOST).contains(&factor) {
            let problem = format!("scale {factor}: expected 0.1 to 10");
            return Err(serde::de::Error::custom(problem));
        }
        Ok(TimeScale::new(factor))
    }
}
