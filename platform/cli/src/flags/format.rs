use clap::Args as ClapArgs;
use tengen_tournament::{EventConfig, EventFormat, SeedingOption, TieBreaks};

/// The format of an event. A tournament file has the same names, and stages besides.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Event")]
pub(crate) struct FormatArgs {
    /// The format: round-robin, gauntlet, swiss, knockout and others
    ///
    /// One of round-robin (the default), gauntlet (the first engines meet all others), swiss,
    /// knockout, double-elimination, ladder (the last engines climb) and groups.
    #[arg(long)]
    pub format: Option<EventFormat>,
    /// How many of the first engines meet all others in a gauntlet [default: 1]
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub challengers: Option<u32>,
    /// The number of rounds of a Swiss [default: as many as a knockout has]
    #[arg(long, value_name = "N")]
    pub rounds: Option<u32>,
    /// The number of groups
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub groups: Option<u32>,
    /// How many of the last engines climb a ladder [default: 1]
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub newcomers: Option<u32>,
    /// How engines are seeded: order (as they are listed), rating (by the key of each engine), or
    /// lot (from the seed) [default: order]
    #[arg(long, value_name = "WAY", hide_short_help = true)]
    pub seeding: Option<SeedingOption>,
    /// What breaks ties, in order: buchholz, buchholz-cut1, median-buchholz, sonneborn-berger,
    /// direct, wins [default: buchholz-cut1,buchholz,sonneborn-berger in a Swiss,
    /// direct,sonneborn-berger,wins in groups]
    #[arg(long, value_name = "NAMES", hide_short_help = true)]
    pub tie_breaks: Option<TieBreaks>,
    /// Wait after each round until the referee begins the next one
    ///
    /// `tengen tournament pairings` shows who meets whom, and `tengen tournament referee begin`
    /// begins the round. Until then its results can still be ruled on.
    #[arg(long, hide_short_help = true)]
    pub rounds_by_hand: bool,
}

impl FormatArgs {
    /// Overrides the configuration with the options given.
    pub(crate) fn apply(&self, config: &mut EventConfig) {
        if self.rounds_by_hand {
            config.rounds_by_hand.get_or_insert(1);
        }
        let own = &mut config.own;
        own.format = self.format.unwrap_or(own.format);
        own.challengers = self.challengers.or(own.challengers).filter(|&count| count != 1);
        own.rounds = self.rounds.or(own.rounds);
        own.groups = self.groups.or(own.groups);
        own.newcomers = self.newcomers.or(own.newcomers);
        own.seeding = self.seeding.or(own.seeding);
        own.tie_breaks = self.tie_breaks.clone().or(own.tie_breaks.take());
    }
}
