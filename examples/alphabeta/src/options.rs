//! The options of the engine.

use std::ops::RangeInclusive;
use std::str::FromStr;

use tengen_sdk::{OptionError, OptionSpec};

const HASH: RangeInclusive<i64> = 1..=1024;
const DEPTH: RangeInclusive<i64> = 1..=64;
const VARIETY: RangeInclusive<i64> = 0..=100;

/// What the options set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AlphaBetaOptions {
    /// The transposition table's size in MiB.
    pub(crate) hash_mib: usize,
    /// The most plies to deepen to.
    pub(crate) depth: u32,
    /// How far evaluations may stray, for the sake of different games.
    pub(crate) variety: u32,
}

impl Default for AlphaBetaOptions {
    fn default() -> AlphaBetaOptions {
        AlphaBetaOptions { hash_mib: 16, depth: 64, variety: 2 }
    }
}

impl AlphaBetaOptions {
    /// The options and their defaults.
    pub(crate) fn options() -> Vec<OptionSpec> {
        let AlphaBetaOptions { hash_mib, depth, variety } = AlphaBetaOptions::default();
        vec![
            OptionSpec::int("Hash", hash_mib as i64, HASH).unit("MiB"),
            OptionSpec::int("Depth", depth.into(), DEPTH),
            OptionSpec::int("Variety", variety.into(), VARIETY),
        ]
    }

    /// Sets one option.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        match name {
            "Hash" => self.hash_mib = read(value, HASH)?,
            "Depth" => self.depth = read(value, DEPTH)?,
            "Variety" => self.variety = read(value, VARIETY)?,
            _ => return Err(OptionError::Unknown),
        }
        Ok(())
    }
}

fn read<T: FromStr>(value: &str, range: RangeInclusive<i64>) -> Result<T, OptionError> {
    let known = value.parse().is_ok_and(|number: i64| range.contains(&number));
    if known {
        value.parse().map_err(|_| OptionError::BadValue)
    } else {
        Err(OptionError::BadValue)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_set_within_their_ranges() {
        let mut settings = AlphaBetaOptions::default();
        assert_eq!(settings.set("Hash", "64"), Ok(()));
        assert_eq!(settings.set("Depth", "0"), Err(OptionError::BadValue));
        assert_eq!(settings.set("Depth", "x"), Err(OptionError::BadValue));
        assert_eq!(settings.set("Style", "1"), Err(OptionError::Unknown));
        assert_eq!(settings, AlphaBetaOptions { hash_mib: 64, ..AlphaBetaOptions::default() });
    }
}
