use tengen_sdk::Options;

/// What the options set.
#[derive(Clone, PartialEq, Eq, Debug, Options)]
pub(crate) struct AlphaBetaOptions {
    /// The transposition table's size in MiB.
    #[option(name = "Hash", default = 16, range = 1..=1024, unit = "MiB")]
    pub(crate) hash_mib: usize,
    /// The most plies to deepen to.
    #[option(default = 64, range = 1..=64)]
    pub(crate) depth: u32,
    /// How far evaluations may stray, for the sake of different games.
    #[option(default = 2, range = 0..=100)]
    pub(crate) variety: u32,
}

#[cfg(test)]
mod tests {
    use tengen_sdk::OptionError;

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
