//! One stage of an event: its engines, draws and results.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use tengen_pairing::{
    Draw, Ladder, Met, PlaceLine, Round, Swiss, TieBreak, deal, lots, mix_groups, places,
};

use super::bracket::BracketRun;
use super::course::{PartScores, score_of};
use super::standing::{StageSummary, StageTable};
use crate::config::StagePlan;
use crate::schedule::{PartGames, Schedule, StagePart};
use crate::{EventFormat, FinishedGame, SeedingOption};

#[derive(Clone, Debug)]
pub(super) struct Stage {
    plan: StagePlan,
    /// The engines in the order of their seeding.
    seeds: Vec<usize>,
    run: StageState,
}

#[derive(Clone, Debug)]
enum StageState {
    /// Round-robins, or a gauntlet, drawn all at once: the groups, by seeds, and what they have
    /// played.
    Tables {
        groups: Vec<Vec<usize>>,
        played: Vec<Vec<Met>>,
        is_drawn: bool,
        is_over: bool,
    },
    Swiss {
        swiss: Swiss,
        draw: Option<Draw>,
    },
    Bracket(BracketRun),
    Ladder(Ladder),
}

impl Stage {
    /// A stage of these engines, in the order in which they come to it.
    pub fn new(
        plan: &StagePlan,
        engines: Vec<usize>,
        ratings: &[Option<i32>],
        seed: u64,
        number: usize,
    ) -> Stage {
        let mut seeds = engines;
        // A sequence of its own for each stage, apart from those of pairs.
        let seed = tengen_random::output(!seed, u64::MAX - number as u64);
        match plan.seeding {
            SeedingOption::Order => {}
            SeedingOption::Rating => seeds.sort_by_key(|&engine| Reverse(ratings[engine])),
            SeedingOption::Lot => {
                seeds = lots(seeds.len(), seed).into_iter().map(|place| seeds[place]).collect();
            }
        }
        let size = seeds.len();
        let run = match plan.format {
            EventFormat::RoundRobin | EventFormat::Gauntlet => {
                StageState::tables(vec![(0..size).collect()])
            }
            EventFormat::Groups => StageState::tables(deal(size, plan.groups)),
            EventFormat::Swiss => {
                let swiss = Swiss::new(size, plan.rounds, 2 * plan.games, seed);
                StageState::Swiss { swiss, draw: None }
            }
            EventFormat::Knockout | EventFormat::DoubleElimination => {
                StageState::Bracket(BracketRun::new(plan))
            }
            EventFormat::Ladder => StageState::Ladder(Ladder::new(size, plan.newcomers)),
        };
        Stage { plan: plan.clone(), seeds, run }
    }

    fn part(&self, games: PartGames, is_fast: bool) -> StagePart {
        StagePart { stage: 0, is_fast, games }
    }

    /// Meetings of these seeds, the first seat named first.
    fn drawn(&self, seeds: impl Iterator<Item = [usize; 2]>, games: u64) -> PartGames {
        let meetings = seeds.map(|two| two.map(|seed| self.seeds[seed] as u16)).collect();
        PartGames::Drawn { meetings, games }
    }

    /// The parts that are to be played next; none where the stage is over. `played` are the games
    /// behind those that were drawn, as far as they are known: where they tell how a round was
    /// drawn, it is not drawn again.
    pub fn draw(&mut self, played: &[FinishedGame]) -> Vec<StagePart> {
        let games = self.plan.games;
        let (drawn, is_fast) = match &mut self.run {
            StageState::Tables { is_drawn: true, .. } => return Vec::new(),
            StageState::Tables { groups, is_drawn, .. } => {
                *is_drawn = true;
                let challengers = self.plan.challengers;
                let of = |group: &Vec<usize>| {
                    let schedule = match self.plan.format {
                        EventFormat::Gauntlet => {
                            Schedule::gauntlet(group.len(), challengers, games, 0)
                        }
                        _ => Schedule::new(group.len(), games, 0),
                    };
                    let engines = group.iter().map(|&seed| self.seeds[seed] as u16).collect();
                    PartGames::Circle { schedule, engines }
                };
                let parts: Vec<PartGames> = groups.iter().map(of).collect();
                return parts.into_iter().map(|games| self.part(games, false)).collect();
            }
            StageState::Swiss { swiss, draw } => {
                if swiss.rounds().len() == self.plan.rounds {
                    return Vec::new();
                }
                let known = redrawn(&self.seeds, games, played);
                let drawn = draw.insert(known.unwrap_or_else(|| swiss.next_round()));
                (drawn.pairs.clone(), false)
            }
            StageState::Bracket(bracket) => {
                let wave = bracket.draw();
                let games = u64::from(if wave.is_decider { 2 } else { games });
                if wave.meetings.is_empty() {
                    return Vec::new();
                }
                let games = self.drawn(wave.meetings.into_iter(), games);
                return vec![self.part(games, wave.is_fast)];
            }
            StageState::Ladder(ladder) => (ladder.meeting().into_iter().collect(), false),
        };
        if drawn.is_empty() {
            return Vec::new();
        }
        let games = self.drawn(drawn.into_iter(), games.into());
        vec![self.part(games, is_fast)]
    }

    /// The results of the parts that were drawn last; all their games are finished.
    pub fn take_in(&mut self, scores: &[PartScores]) {
        let Stage { plan, seeds, run } = self;
        let score = |scores: &PartScores, [one, other]: [usize; 2]| {
            score_of(scores, seeds[one], seeds[other])
        };
        // A void game is half a point for each.
        let met = |scores: &PartScores, players: [usize; 2]| {
            let score = score(scores, players);
            let halves = score.halves.map(|halves| halves + score.void);
            Met { players, halves, is_odd: plan.games % 2 == 1 }
        };
        match run {
            StageState::Tables { groups, played, is_over, .. } => {
                *is_over = true;
                *played = groups
                    .iter()
                    .zip(scores)
                    .map(|(group, scores)| {
                        let pairs =
                            |place: usize| group[place + 1..].iter().map(move |b| (place, b));
                        let pairs = (0..group.len()).flat_map(pairs);
                        let pairs = pairs.map(|(place, &other)| [group[place], other]);
                        pairs
                            .filter(|players| {
                                let [a, b] = players.map(|seed| seeds[seed] as u16);
                                scores.contains_key(&[a.min(b), a.max(b)])
                            })
                            .map(|players| met(scores, players))
                            .collect()
                    })
                    .collect();
            }
            StageState::Swiss { swiss, draw } => {
                let Draw { pairs, bye } = draw.take().unwrap_or_default();
                let none = PartScores::default();
                let scores = scores.first().unwrap_or(&none);
                let has_begun = |players: &[usize; 2]| {
                    let [a, b] = players.map(|seed| seeds[seed] as u16);
                    scores.contains_key(&[a.min(b), a.max(b)])
                };
                let pairs = pairs.into_iter().filter(has_begun);
                let met = pairs.map(|players| met(scores, players)).collect();
                swiss.add(Round { met, bye });
            }
            StageState::Bracket(bracket) => {
                bracket.take_in(|players| {
                    scores.first().map(|scores| score(scores, players)).unwrap_or_default()
                });
            }
            StageState::Ladder(ladder) => {
                if let Some(two) = ladder.meeting() {
                    let [climber, above] =
                        scores.first().map(|scores| score(scores, two).halves).unwrap_or_default();
                    ladder.note(climber > above);
                }
            }
        }
    }

    /// The engines, where all of them play on to the end.
    pub fn pool(&self) -> Vec<usize> {
        match &self.run {
            StageState::Swiss { .. } => self.seeds.clone(),
            StageState::Tables { .. } if self.plan.format != EventFormat::Gauntlet => {
                self.seeds.clone()
            }
            _ => Vec::new(),
        }
    }

    /// Whether nothing more will be drawn.
    pub fn is_over(&self) -> bool {
        match &self.run {
            StageState::Tables { is_over, .. } => *is_over,
            StageState::Swiss { swiss, .. } => swiss.rounds().len() == self.plan.rounds,
            StageState::Bracket(bracket) => bracket.is_over(),
            StageState::Ladder(ladder) => ladder.meeting().is_none(),
        }
    }

    /// The engines in the order of their standing, for the next stage; so many of them.
    pub fn going_on(&self, count: usize) -> Vec<usize> {
        let seeds: Vec<usize> = match &self.run {
            StageState::Tables { groups, played, .. } if groups.len() > 1 => {
                let tables = self.tables(played);
                let mut ranked = Vec::new();
                for rank in 0..count / groups.len() {
                    let mut row: Vec<(&PlaceLine, usize)> = (0..groups.len())
                        .filter_map(|group| Some((tables[group].get(rank)?, group)))
                        .collect();
                    // Groups may differ in size: what a game was worth on average.
                    row.sort_by(|(one, a), (other, b)| {
                        let others = |group: &usize| groups[*group].len() as u64 - 1;
                        let mine = u64::from(one.halves) * others(b);
                        let theirs = u64::from(other.halves) * others(a);
                        theirs.cmp(&mine).then(one.player.cmp(&other.player))
                    });
                    ranked
                        .push(row.into_iter().map(|(line, group)| (line.player, group)).collect());
                }
                mix_groups(&ranked)
            }
            StageState::Tables { played, .. } => {
                self.tables(played)[0].iter().map(|line| line.player).collect()
            }
            StageState::Swiss { swiss, .. } => {
                self.lines(swiss.rounds()).iter().map(|line| line.player).collect()
            }
            StageState::Bracket(bracket) => bracket.ranking().into_iter().flatten().collect(),
            StageState::Ladder(ladder) => ladder.order().to_vec(),
        };
        seeds.into_iter().take(count).map(|seed| self.seeds[seed]).collect()
    }

    fn lines(&self, rounds: &[Round]) -> Vec<PlaceLine> {
        places(self.seeds.len(), rounds, 2 * self.plan.games, &self.plan.tie_breaks)
    }

    /// The lines of each group.
    fn tables(&self, played: &[Vec<Met>]) -> Vec<Vec<PlaceLine>> {
        let StageState::Tables { groups, .. } = &self.run else { return Vec::new() };
        let none = Vec::new();
        groups
            .iter()
            .enumerate()
            .map(|(number, group)| {
                let met = played.get(number).unwrap_or(&none).clone();
                let lines = self.lines(&[Round { met, bye: None }]);
                let mut lines: Vec<PlaceLine> =
                    lines.into_iter().filter(|line| group.contains(&line.player)).collect();
                let mut place = 0;
                for at in 0..lines.len() {
                    let is_equal = at > 0
                        && (lines[at - 1].halves, &lines[at - 1].values)
                            == (lines[at].halves, &lines[at].values);
                    if !is_equal {
                        place = at + 1;
                    }
                    lines[at].place = place;
                }
                lines
            })
            .collect()
    }

    /// How it stands, the games of its open parts included as far as they are finished.
    pub fn summary(&self, number: usize, open: &[PartScores], labels: &[String]) -> StageSummary {
        let mut shown = self.clone();
        let is_begun = open.iter().any(|scores| !scores.is_empty());
        let (mut round, mut rounds) = (None, None);
        if let StageState::Swiss { swiss, draw } = &self.run {
            round = Some(swiss.rounds().len() + usize::from(draw.is_some()));
            rounds = Some(self.plan.rounds);
        }
        if is_begun && matches!(self.run, StageState::Tables { .. } | StageState::Swiss { .. }) {
            shown.take_in(open);
        }
        let label = |seed: usize| labels[self.seeds[seed]].as_str();
        let names: Vec<&'static str> =
            self.plan.tie_breaks.iter().map(|tie_break: &TieBreak| tie_break.name()).collect();
        let mut tables = Vec::new();
        let mut bracket = Vec::new();
        match &shown.run {
            StageState::Tables { groups, played, .. } => {
                for (group, lines) in shown.tables(played).iter().enumerate() {
                    let group = (groups.len() > 1).then_some(group + 1);
                    tables.push(StageTable::of(group, &names, lines, label));
                }
            }
            StageState::Swiss { swiss, .. } => {
                let lines = shown.lines(swiss.rounds());
                tables.push(StageTable::of(None, &names, &lines, label));
            }
            StageState::Bracket(run) => {
                let none = PartScores::default();
                let scores = open.first().unwrap_or(&none);
                let now =
                    |[one, other]: [usize; 2]| score_of(scores, self.seeds[one], self.seeds[other]);
                bracket = run.lines(now, label);
                tables.push(StageTable::ranked(run.ranking(), label));
            }
            StageState::Ladder(ladder) => {
                let order = ladder.order().iter().map(|&seed| vec![seed]).collect();
                tables.push(StageTable::ranked(order, label));
            }
        }
        StageSummary {
            stage: number,
            format: self.plan.format.to_string(),
            is_over: self.is_over(),
            round,
            rounds,
            tables,
            bracket,
        }
    }
}

/// The draw of a Swiss round of these seeds, where the first games of all its pairs are there.
fn redrawn(seeds: &[usize], games: u32, played: &[FinishedGame]) -> Option<Draw> {
    // Two games of a pair stand next to each other.
    let of_pair = games.min(2) as usize;
    let first = played.get(..seeds.len() / 2 * of_pair)?;
    drawn_by(seeds, first.iter().step_by(of_pair))
}

/// The draw of which these are the first games of the pairs, if each seed is in one or has the bye.
fn drawn_by<'a>(seeds: &[usize], games: impl Iterator<Item = &'a FinishedGame>) -> Option<Draw> {
    let seed_of: BTreeMap<usize, usize> = seeds.iter().copied().zip(0..).collect();
    let mut left: BTreeSet<usize> = (0..seeds.len()).collect();
    let mut pairs = Vec::new();
    for game in games {
        let pair = [game.seats.first, game.seats.second].map(|engine| seed_of.get(&engine));
        let [Some(&one), Some(&other)] = pair else { return None };
        if !(left.remove(&one) && left.remove(&other)) {
            return None;
        }
        pairs.push([one, other]);
    }
    (left.len() < 2).then(|| Draw { pairs, bye: left.into_iter().next() })
}

impl StageState {
    fn tables(groups: Vec<Vec<usize>>) -> StageState {
        StageState::Tables { groups, played: Vec::new(), is_drawn: false, is_over: false }
    }
}
