//! The stages of an event: the keys of a format, and which of them go together.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tengen_arbiter::TimeControl;
use tengen_pairing::{Ladder, TieBreak};

use super::{ConfigError, EventConfig, EventFormat, ParseOptionError, SeedingOption, text};

/// A stage of an event, `[[stage]]` in its file. Each is fed by the one before: with `take = 4` the
/// best four go on, seeded by how they stand.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct StageConfig {
    /// Which engines meet.
    #[serde(with = "text")]
    pub format: EventFormat,
    /// How many of the stage before go on; none is all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub take: Option<u32>,
    /// The number of games of a meeting; none is the event's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<u32>,
    /// Each player's time in this stage; none is the event's.
    #[serde(with = "text::option", skip_serializing_if = "Option::is_none")]
    pub tc: Option<TimeControl>,
    /// How many of the first engines meet all others in a gauntlet; none is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub challengers: Option<u32>,
    /// The rounds of a Swiss; none are as many as a knockout would have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<u32>,
    /// How many of the last engines climb a ladder; none is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newcomers: Option<u32>,
    /// Which engine is the first seed, the second…
    #[serde(with = "text::option", skip_serializing_if = "Option::is_none")]
    pub seeding: Option<SeedingOption>,
    /// What decides between equal points, in order.
    #[serde(with = "text::option", skip_serializing_if = "Option::is_none")]
    pub tie_breaks: Option<TieBreaks>,
    /// The most pairs of games that are played on after a level match of a bracket; none is 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deciders: Option<u32>,
    /// The clock of as many more, where those have not decided it.
    #[serde(with = "text::option", skip_serializing_if = "Option::is_none")]
    pub decider_tc: Option<TimeControl>,
    /// Whether the losers of the semi-finals play for the third place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub third_place: Option<bool>,
    /// Whether the final of a double elimination is played again when its favourite has lost it; by
    /// default yes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bracket_reset: Option<bool>,
}

/// What decides between equal points, in order: `buchholz-cut1,buchholz,wins`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TieBreaks(pub Vec<TieBreak>);

impl FromStr for TieBreaks {
    type Err = ParseOptionError;

    fn from_str(text: &str) -> Result<TieBreaks, ParseOptionError> {
        let expected = "buchholz, buchholz-cut1, median-buchholz, sonneborn-berger, direct and \
                        wins, each once at most, in the order in which they decide, with commas";
        let refuse = || ParseOptionError::new(text, expected);
        let mut all = Vec::new();
        for name in text.split(',') {
            let tie_break = name.trim().parse().map_err(|()| refuse())?;
            if all.contains(&tie_break) {
                return Err(refuse());
            }
            all.push(tie_break);
        }
        Ok(TieBreaks(all))
    }
}

impl fmt::Display for TieBreaks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(|tie_break| tie_break.name()).collect();
        f.write_str(&names.join(","))
    }
}

/// A stage with everything that its file may leave out.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct StagePlan {
    pub format: EventFormat,
    /// How many engines are in it.
    pub size: usize,
    pub games: u32,
    pub challengers: usize,
    pub rounds: usize,
    pub groups: usize,
    pub newcomers: usize,
    pub seeding: SeedingOption,
    pub tie_breaks: Vec<TieBreak>,
    pub deciders: u32,
    pub has_fast_deciders: bool,
    pub third_place: bool,
    pub reset: bool,
}

impl StagePlan {
    /// The rounds of a knockout of this size.
    fn depth(&self) -> usize {
        self.size.next_power_of_two().ilog2() as usize
    }

    fn pairs(&self) -> u64 {
        self.games.div_ceil(2).into()
    }

    /// The most openings that one engine may meet in it.
    fn most_meetings(&self) -> u64 {
        let deciders = u64::from(self.deciders) * (1 + u64::from(self.has_fast_deciders));
        let of_match = self.pairs() + deciders;
        match self.format {
            EventFormat::RoundRobin | EventFormat::Gauntlet | EventFormat::Groups => self.pairs(),
            EventFormat::Swiss => self.rounds as u64 * self.pairs(),
            EventFormat::Knockout => self.depth() as u64 * of_match,
            EventFormat::DoubleElimination => (2 * self.depth() as u64 + 2) * of_match,
            EventFormat::Ladder => {
                Ladder::most_meetings(self.size, self.newcomers) as u64 * self.pairs()
            }
        }
    }

    /// How many games it has, as far as that is known before it.
    pub fn expected_games(&self) -> u64 {
        let (size, groups) = (self.size as u64, self.groups as u64);
        let of = |size: u64| size * (size - 1) / 2;
        let meetings = match self.format {
            EventFormat::RoundRobin => of(size),
            EventFormat::Gauntlet => {
                let challengers = self.challengers as u64;
                challengers * (size - challengers)
            }
            EventFormat::Groups => {
                let (few, more) = (size / groups, size % groups);
                more * of(few + 1) + (groups - more) * of(few)
            }
            EventFormat::Swiss => self.rounds as u64 * (size / 2),
            EventFormat::Knockout => size - 1 + u64::from(self.third_place && size > 3),
            EventFormat::DoubleElimination => 2 * (size - 1),
            EventFormat::Ladder => self.newcomers as u64,
        };
        meetings * u64::from(self.games)
    }
}

/// A key that not every format has.
struct OwnKey {
    name: &'static str,
    formats: &'static [EventFormat],
    /// What is said of these formats.
    words: &'static str,
    clear: fn(&mut StageConfig),
}

impl OwnKey {
    fn is_set(&self, stage: &StageConfig) -> bool {
        let mut without = stage.clone();
        (self.clear)(&mut without);
        without != *stage
    }
}

/// The keys of a stage that an event without stages has.
pub(super) fn own_keys() -> impl Iterator<Item = &'static str> {
    ["format"].into_iter().chain(OWN_KEYS.iter().map(|key| key.name))
}

const OWN_KEYS: [OwnKey; 10] = {
    use EventFormat::{DoubleElimination, Gauntlet, Groups, Knockout, Ladder, Swiss};
    const BRACKETS: &[EventFormat] = &[Knockout, DoubleElimination];
    const SEEDED: &[EventFormat] = &[Swiss, Knockout, DoubleElimination, Groups, Ladder];
    let both = "knockout and double-elimination have it";
    let seeded = "swiss, knockout, double-elimination, groups and ladder have seeds";
    let tied = "swiss, groups, and round-robin as a stage have tie-breaks";
    const fn key(
        name: &'static str,
        formats: &'static [EventFormat],
        words: &'static str,
        clear: fn(&mut StageConfig),
    ) -> OwnKey {
        OwnKey { name, formats, words, clear }
    }
    [
        key("challengers", &[Gauntlet], "a gauntlet has them", |it| it.challengers = None),
        key("rounds", &[Swiss], "swiss has them", |it| it.rounds = None),
        key("groups", &[Groups], "the format groups has them", |it| it.groups = None),
        key("newcomers", &[Ladder], "a ladder has them", |it| it.newcomers = None),
        key("third-place", &[Knockout], "a knockout has it", |it| it.third_place = None),
        key("bracket-reset", &[DoubleElimination], "double-elimination has it", |it| {
            it.bracket_reset = None;
        }),
        key("deciders", BRACKETS, both, |it| it.deciders = None),
        key("decider-tc", BRACKETS, both, |it| it.decider_tc = None),
        key("seeding", SEEDED, seeded, |it| it.seeding = None),
        key("tie-breaks", &[Swiss, Groups], tied, |it| it.tie_breaks = None),
    ]
};

/// A key of a stage that is wrong: which, and what is wrong.
type StageProblem = (&'static str, String);

impl EventConfig {
    const MOST_ROUNDS: u32 = 500;

    /// Whether every game that may come is known before the first one is played.
    pub(crate) fn is_drawn_at_once(&self) -> bool {
        self.stages.is_empty()
            && matches!(self.own.format, EventFormat::RoundRobin | EventFormat::Gauntlet)
    }

    /// Gives the event another format, without the keys that only the former one has.
    pub fn set_format(&mut self, format: EventFormat) {
        self.own.format = format;
        for key in OWN_KEYS.iter().filter(|key| !key.formats.contains(&format)) {
            (key.clear)(&mut self.own);
        }
    }

    /// The clock of a stage's games, as far as it has one of its own.
    pub(super) fn stage_tc(&self, stage: u16) -> Option<TimeControl> {
        self.stages.get(usize::from(stage)).and_then(|stage| stage.tc)
    }

    /// The clock of a stage's last deciders.
    pub(super) fn decider_tc(&self, stage: u16) -> Option<TimeControl> {
        self.stages.get(usize::from(stage)).unwrap_or(&self.own).decider_tc
    }

    /// The stages, with everything that the file may leave out.
    ///
    /// # Errors
    /// Names the stage and the key that is wrong or does not go with another.
    pub(crate) fn plan(&self) -> Result<Vec<StagePlan>, ConfigError> {
        if self.stages.is_empty() {
            let own = self.plan_stage(&self.own, self.engines.len());
            return own
                .map(|plan| vec![plan])
                .map_err(|(key, problem)| ConfigError::option(key, problem));
        }
        let set = OWN_KEYS.iter().find(|key| key.is_set(&self.own)).map(|key| key.name);
        let key = if self.own.format != EventFormat::default() { Some("format") } else { set };
        if let Some(key) = key {
            return Err(ConfigError::option(key, "the event has stages; write it in a [[stage]]"));
        }
        if self.sprt.is_some() {
            return Err(ConfigError::option(
                "sprt",
                "an event with stages is no test; leave it out",
            ));
        }
        let (mut plans, mut size) = (Vec::<StagePlan>::new(), self.engines.len());
        for (number, stage) in (1..).zip(&self.stages) {
            let refuse =
                |(key, problem): StageProblem| ConfigError::Stage { stage: number, key, problem };
            let before = plans.last();
            size = taken(stage, size, before).map_err(refuse)?;
            plans.push(self.plan_stage(stage, size).map_err(refuse)?);
        }
        Ok(plans)
    }

    fn plan_stage(&self, stage: &StageConfig, size: usize) -> Result<StagePlan, StageProblem> {
        use EventFormat::{DoubleElimination, Groups, Knockout, Ladder, Swiss};
        let format = stage.format;
        if size < 2 {
            return Err(("engines", format!("an event has 2 to 1000, not {size}")));
        }
        self.check_keys(stage)?;
        let games = stage.games.unwrap_or(self.games);
        if games == 0 {
            return Err(("games", "expected 1 or more".to_owned()));
        }
        let needs_pairs = [Knockout, DoubleElimination, Ladder].contains(&format);
        if needs_pairs && games % 2 == 1 {
            let problem = format!(
                "{games} is an odd number, and a match of {format} is fair in pairs of games \
                 alone; expected an even one"
            );
            return Err(("games", problem));
        }
        let within = |key, value: Option<u32>, usual: usize, most: usize, why: &str| {
            let value = value.map_or(usual, |value| value as usize);
            if (1..=most).contains(&value) {
                return Ok(value);
            }
            Err::<usize, StageProblem>((key, format!("expected 1 to {most}{why}, not {value}")))
        };
        let fewer = ": fewer than engines";
        let others = size.saturating_sub(1).max(1);
        let usual_rounds = size.next_power_of_two().ilog2().max(1) as usize;
        let most_rounds = EventConfig::MOST_ROUNDS as usize;
        let groups = within("groups", stage.groups, 1, (size / 2).max(1), ": of two engines each")?;
        if format == Groups && stage.groups.is_none() {
            return Err(("groups", "how many are there? name a number".to_owned()));
        }
        let deciders = stage.checked_deciders()?;
        let seeding = self.checked_seeding(stage)?;
        let usual_tie_breaks = match format {
            Swiss => vec![TieBreak::BuchholzCut1, TieBreak::Buchholz, TieBreak::SonnebornBerger],
            _ => vec![TieBreak::Direct, TieBreak::SonnebornBerger, TieBreak::Wins],
        };
        Ok(StagePlan {
            format,
            size,
            games,
            challengers: within("challengers", stage.challengers, 1, others, fewer)?,
            rounds: within("rounds", stage.rounds, usual_rounds, most_rounds, "")?,
            groups,
            newcomers: within("newcomers", stage.newcomers, 1, others, fewer)?,
            seeding,
            tie_breaks: stage.tie_breaks.clone().map_or(usual_tie_breaks, |all| all.0),
            deciders,
            has_fast_deciders: stage.decider_tc.is_some(),
            third_place: stage.third_place.unwrap_or(false),
            reset: stage.bracket_reset.unwrap_or(true),
        })
    }

    /// Refuses keys that the format of a stage does not have.
    fn check_keys(&self, stage: &StageConfig) -> Result<(), StageProblem> {
        let format = stage.format;
        for key @ OwnKey { name, formats, words, .. } in &OWN_KEYS {
            let is_tied_stage = *name == "tie-breaks"
                && format == EventFormat::RoundRobin
                && !self.stages.is_empty();
            if key.is_set(stage) && !formats.contains(&format) && !is_tied_stage {
                return Err((*name, format!("{format} has none; only {words}")));
            }
        }
        Ok(())
    }

    /// The seeding of a stage, which may need the ratings of all engines.
    fn checked_seeding(&self, stage: &StageConfig) -> Result<SeedingOption, StageProblem> {
        let seeding = stage.seeding.unwrap_or_default();
        let unrated = || self.engines.iter().position(|engine| engine.rating.is_none());
        if seeding == SeedingOption::Rating
            && let Some(place) = unrated()
        {
            let label = self.labels().swap_remove(place);
            return Err(("seeding", format!("{label} has no rating; write one beside its id")));
        }
        Ok(seeding)
    }

    /// The most openings that one engine may meet, two games at a time.
    pub(super) fn most_meetings(&self) -> u64 {
        // What cannot be planned is refused elsewhere.
        let plans = self.plan().unwrap_or_default();
        plans.iter().map(StagePlan::most_meetings).sum()
    }
}

impl StageConfig {
    /// A stage of the format, with the rest as by default.
    pub fn of(format: EventFormat) -> StageConfig {
        StageConfig { format, ..StageConfig::default() }
    }

    pub fn challengers(&self) -> usize {
        self.challengers.unwrap_or(1) as usize
    }

    fn checked_deciders(&self) -> Result<u32, StageProblem> {
        let deciders = self.deciders.unwrap_or(2);
        if deciders > 100 {
            return Err(("deciders", format!("expected 0 to 100, not {deciders}")));
        }
        if deciders == 0 && self.decider_tc.is_some() {
            return Err(("decider-tc", "there are no deciders to play by it".to_owned()));
        }
        Ok(deciders)
    }
}

/// How many engines a stage has, of `size` in the one before.
fn taken(
    stage: &StageConfig,
    size: usize,
    before: Option<&StagePlan>,
) -> Result<usize, StageProblem> {
    let Some(before) = before else {
        return match stage.take {
            Some(_) => Err(("take", "the first stage has all engines; leave it out".to_owned())),
            None => Ok(size),
        };
    };
    let take = stage.take.map_or(size, |take| take as usize);
    if !(2..=size).contains(&take) {
        let problem =
            format!("expected 2 to {size}, of as many as the stage before has, not {take}");
        return Err(("take", problem));
    }
    let groups = before.groups;
    let is_even = take.is_multiple_of(groups) && take / groups <= size / groups;
    if before.format == EventFormat::Groups && !is_even {
        let most = size / groups;
        let problem = format!(
            "{take} are not as many of each of the {groups} groups; expected {groups} times 1 to \
             {most}"
        );
        return Err(("take", problem));
    }
    Ok(take)
}

/// The line of a key in a file, within its `[[stage]]` of that number; the line where that begins
/// if the stage has no such key.
pub(super) fn line_of(text: &str, stage: usize, key: &str) -> Option<usize> {
    let (mut stages, mut header) = (0, None);
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_start();
        let is_key =
            || line.strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='));
        if line.starts_with('[') {
            stages += usize::from(line.starts_with("[[stage]]"));
            let is_this = line.starts_with("[[stage]]") && stages == stage;
            if header.is_some() && !is_this {
                return header;
            }
            header = is_this.then_some(number);
        } else if header.is_some() && is_key() {
            return Some(number);
        }
    }
    header
}
