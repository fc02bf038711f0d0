//! The matches of a knockout or a double elimination: games, deciders, winners.

use std::collections::BTreeMap;

use tengen_pairing::{Bracket, BracketState, MatchSide, Section};

use super::course::MeetingScore;
use super::standing::BracketLine;
use crate::EventFormat;
use crate::config::StagePlan;

/// A bracket, and what was played of it. Players are seeds.
#[derive(Clone, Debug)]
pub(super) struct BracketRun {
    bracket: Bracket,
    deciders: u32,
    has_fast_deciders: bool,
    matches: BTreeMap<usize, BegunMatch>,
    /// The matches that are being played.
    current: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
struct BegunMatch {
    players: [usize; 2],
    halves: [u32; 2],
    /// The pairs that were played on after it was level.
    deciders: u32,
    winner: Option<usize>,
    /// Whether the higher seed has gone on because everything else was level.
    by_seed: bool,
}

/// The matches that are to be played next, side by side.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Wave {
    pub meetings: Vec<[usize; 2]>,
    /// Whether they are level, and a pair of games is to decide them.
    pub is_decider: bool,
    /// Whether that is played by the shorter clock.
    pub is_fast: bool,
}

impl BracketRun {
    pub fn new(plan: &StagePlan) -> BracketRun {
        let bracket = match plan.format {
            EventFormat::DoubleElimination => Bracket::double_elimination(plan.size, plan.reset),
            _ => Bracket::knockout(plan.size, plan.third_place),
        };
        BracketRun {
            bracket,
            deciders: plan.deciders,
            has_fast_deciders: plan.has_fast_deciders,
            matches: BTreeMap::new(),
            current: Vec::new(),
        }
    }

    fn state(&self) -> BracketState {
        self.bracket.state(|number, _| self.matches.get(&number).and_then(|run| run.winner))
    }

    /// What is to be played next: deciders of matches that are level, or else the next matches.
    pub fn draw(&mut self) -> Wave {
        let level = |(_, run): &(&usize, &BegunMatch)| run.winner.is_none();
        let level: Vec<(&usize, &BegunMatch)> = self.matches.iter().filter(level).collect();
        if let Some((_, first)) = level.first() {
            let wave = Wave {
                meetings: level.iter().map(|(_, run)| run.players).collect(),
                is_decider: true,
                is_fast: first.deciders > self.deciders,
            };
            self.current = level.into_iter().map(|(&number, _)| number).collect();
            return wave;
        }
        let state = self.state();
        self.current.clone_from(&state.ready);
        let mut wave = Wave::default();
        for number in state.ready {
            if let [MatchSide::Player(one), MatchSide::Player(other)] = state.entrants[number] {
                let players = [one, other];
                let run = BegunMatch {
                    players,
                    halves: [0; 2],
                    deciders: 0,
                    winner: None,
                    by_seed: false,
                };
                self.matches.insert(number, run);
                wave.meetings.push(players);
            }
        }
        wave
    }

    /// What came of the matches that were drawn last.
    pub fn take_in(&mut self, score: impl Fn([usize; 2]) -> MeetingScore) {
        let most = self.deciders * (1 + u32::from(self.has_fast_deciders));
        for number in std::mem::take(&mut self.current) {
            let Some(run) = self.matches.get_mut(&number) else { continue };
            let halves = score(run.players).halves;
            run.halves = [run.halves[0] + halves[0], run.halves[1] + halves[1]];
            let [one, other] = run.players;
            run.winner = match run.halves[0].cmp(&run.halves[1]) {
                std::cmp::Ordering::Greater => Some(one),
                std::cmp::Ordering::Less => Some(other),
                std::cmp::Ordering::Equal if run.deciders == most => {
                    run.by_seed = true;
                    Some(one.min(other))
                }
                std::cmp::Ordering::Equal => {
                    run.deciders += 1;
                    None
                }
            };
        }
    }

    pub fn is_over(&self) -> bool {
        self.state().is_over()
    }

    /// The players in groups that share a place, best first.
    pub fn ranking(&self) -> Vec<Vec<usize>> {
        self.bracket.ranking(&self.state())
    }

    /// Every match, with what was made in it by now.
    pub fn lines<'a>(
        &self,
        now: impl Fn([usize; 2]) -> MeetingScore,
        label: impl Fn(usize) -> &'a str,
    ) -> Vec<BracketLine> {
        let state = self.state();
        let line = |(number, of_match): (usize, &tengen_pairing::BracketMatch)| {
            let run = self.matches.get(&number);
            let mut halves = run.map_or([0; 2], |run| run.halves);
            if let Some(run) = run.filter(|_| self.current.contains(&number)) {
                let open = now(run.players).halves;
                halves = [halves[0] + open[0], halves[1] + open[1]];
            }
            let name = |entrant| match entrant {
                MatchSide::Player(player) => Some(label(player).to_owned()),
                MatchSide::Open | MatchSide::Empty => None,
            };
            let entrants = state.entrants[number];
            // The deciders that were played; the last may still be running.
            let deciders = run.map_or(0, |run| run.deciders);
            BracketLine {
                section: match of_match.section {
                    Section::Main => "main",
                    Section::Losers => "losers",
                    Section::ThirdPlace => "third-place",
                    Section::Final => "final",
                    Section::Reset => "second-final",
                },
                round: of_match.round,
                engines: entrants.map(name),
                points: halves.map(|halves| f64::from(halves) / 2.0),
                winner: name(state.winners[number]),
                deciders,
                by_seed: run.is_some_and(|run| run.by_seed),
                is_walkover: entrants.contains(&MatchSide::Empty),
            }
        };
        self.bracket.matches().iter().enumerate().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SeedingOption;

    fn plan(size: usize, deciders: u32, has_fast_deciders: bool) -> StagePlan {
        StagePlan {
            format: EventFormat::Knockout,
            size,
            games: 4,
            challengers: 1,
            rounds: 1,
            groups: 1,
            newcomers: 1,
            seeding: SeedingOption::Order,
            tie_breaks: Vec::new(),
            deciders,
            has_fast_deciders,
            third_place: false,
            reset: true,
        }
    }

    fn level(_: [usize; 2]) -> MeetingScore {
        MeetingScore { halves: [4, 4], void: 0 }
    }

    #[test]
    fn level_matches_have_deciders_then_a_shorter_clock_then_the_higher_seed() {
        let mut run = BracketRun::new(&plan(2, 2, true));
        let mut waves = Vec::new();
        while !run.is_over() {
            let wave = run.draw();
            waves.push((wave.is_decider, wave.is_fast));
            run.take_in(level);
        }
        let expected = [(false, false), (true, false), (true, false), (true, true), (true, true)];
        assert_eq!(waves, expected);
        assert_eq!(run.ranking(), [[0], [1]]);
        let lines = run.lines(level, |_| "x");
        assert!(lines[0].by_seed && lines[0].deciders == 4 && lines[0].points == [10.0, 10.0]);
    }

    /// Void games leave a match as it is; where all are void, the higher seed goes on.
    #[test]
    fn void_games_decide_nothing() {
        let mut run = BracketRun::new(&plan(3, 0, false));
        assert_eq!(run.draw().meetings, [[1, 2]], "the first seed has no opponent");
        run.take_in(|_| MeetingScore { halves: [0, 0], void: 4 });
        assert_eq!(run.draw().meetings, [[0, 1]]);
        run.take_in(|_| MeetingScore { halves: [0, 2], void: 3 });
        assert_eq!(run.draw(), Wave::default());
        assert_eq!(run.ranking(), [[1], [0], [2]]);
    }

    #[test]
    fn only_those_that_are_level_play_on() {
        let mut run = BracketRun::new(&plan(4, 3, false));
        assert_eq!(run.draw().meetings, [[0, 3], [1, 2]]);
        run.take_in(|two| MeetingScore {
            halves: if two == [0, 3] { [8, 0] } else { [4, 4] },
            void: 0,
        });
        let wave = run.draw();
        assert_eq!((wave.meetings, wave.is_decider), (vec![[1, 2]], true));
        run.take_in(|_| MeetingScore { halves: [1, 3], void: 0 });
        assert_eq!(run.draw().meetings, [[0, 2]]);
    }
}
