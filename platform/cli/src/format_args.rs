use clap::Args as ClapArgs;
use tengen_arbiter::TimeControl;
use tengen_tournament::{EventConfig, EventFormat, SeedingOption, TieBreaks};

/// Who meets whom. A tournament file has the same names, and stages besides.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Format")]
pub(crate) struct FormatArgs {
    /// Who meets whom: round-robin, gauntlet (the first engines meet all others), swiss, knockout,
    /// double-elimination, ladder (the last engines climb) or groups [default: round-robin]
    #[arg(long)]
    pub format: Option<EventFormat>,
    /// How many of the first engines meet all others in a gauntlet [default: 1]
    #[arg(long, value_name = "N")]
    pub challengers: Option<u32>,
    /// The rounds of a Swiss [default: as many as a knockout has]
    #[arg(long, value_name = "N")]
    pub rounds: Option<u32>,
    /// The number of groups
    #[arg(long, value_name = "N")]
    pub groups: Option<u32>,
    /// How many of the last engines climb a ladder [default: 1]
    #[arg(long, value_name = "N")]
    pub newcomers: Option<u32>,
    /// Who is the first seed: order (as the engines are listed), rating (the key of each engine),
    /// or lot (from the seed) [default: order]
    #[arg(long, value_name = "WAY")]
    pub seeding: Option<SeedingOption>,
    /// What decides between equal points, in order: buchholz, buchholz-cut1, median-buchholz,
    /// sonneborn-berger, direct, wins [default: buchholz-cut1,buchholz,sonneborn-berger in a Swiss,
    /// direct,sonneborn-berger,wins in groups]
    #[arg(long, value_name = "NAMES")]
    pub tie_breaks: Option<TieBreaks>,
    /// In a bracket, the most pairs of games that are played on after a level match; whoever leads
    /// after one of them goes on [default: 2]
    #[arg(long, value_name = "N")]
    pub deciders: Option<u32>,
    /// The time control of as many more, where those have not decided; after them the higher seed
    /// goes on [default: none are played]
    #[arg(long, value_name = "TC")]
    pub decider_tc: Option<TimeControl>,
    /// In a knockout, let the losers of the semi-finals play for the third place
    #[arg(long)]
    pub third_place: bool,
    /// In a double elimination, whether the final is played again when it is lost by who had lost
    /// no match [default: true]
    #[arg(long, value_name = "true|false")]
    pub bracket_reset: Option<bool>,
}

impl FormatArgs {
    /// Overrides the configuration with the options given.
    pub(crate) fn apply(&self, config: &mut EventConfig) {
        config.format = self.format.unwrap_or(config.format);
        config.challengers = self.challengers.unwrap_or(config.challengers);
        config.rounds = self.rounds.or(config.rounds);
        config.groups = self.groups.or(config.groups);
        config.newcomers = self.newcomers.or(config.newcomers);
        config.seeding = self.seeding.or(config.seeding);
        config.tie_breaks = self.tie_breaks.clone().or(config.tie_breaks.take());
        config.deciders = self.deciders.or(config.deciders);
        config.decider_tc = self.decider_tc.or(config.decider_tc);
        config.third_place = self.third_place.then_some(true).or(config.third_place);
        config.bracket_reset = self.bracket_reset.or(config.bracket_reset);
    }
}
