//! Schedules that are drawn as an event goes on: parts, one behind the other.

use std::sync::Arc;

use tengen_rules::BySeat;

use super::{Schedule, ScheduledGame, pair_seed};

/// Some games of a stage that are played side by side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct StagePart {
    /// The stage, counted from 0.
    pub stage: u16,
    /// Whether they are played by the shorter clock of deciders.
    pub is_fast: bool,
    pub games: PartGames,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PartGames {
    /// Those of a schedule, between these engines.
    Circle { schedule: Schedule, engines: Arc<[u16]> },
    /// So many games between every two of these; the first seat of the first game is named first.
    Drawn { meetings: Arc<[[u16; 2]]>, games: u64 },
}

impl PartGames {
    pub fn len(&self) -> u64 {
        match self {
            PartGames::Circle { schedule, .. } => schedule.len(),
            PartGames::Drawn { meetings, games } => meetings.len() as u64 * games,
        }
    }

    /// Its game of that number, counted within the part, all but its seed.
    fn get(&self, number: u64) -> Option<ScheduledGame> {
        match self {
            PartGames::Circle { schedule, engines } => {
                let game = schedule.get(number)?;
                let seats = BySeat::from_fn(|seat| usize::from(engines[game.seats[seat]]));
                Some(ScheduledGame { seats, ..game })
            }
            PartGames::Drawn { meetings, games } => {
                let index = number.checked_sub(1).filter(|&index| index < self.len())?;
                let count = meetings.len() as u64;
                let paired = games / 2 * 2 * count;
                let (pair, is_swapped) = match index.checked_sub(paired) {
                    Some(single) => (paired / 2 + single, false),
                    None => (index / 2, index % 2 == 1),
                };
                let [one, other] = meetings[(pair % count) as usize].map(usize::from);
                let (first, second) = if is_swapped { (other, one) } else { (one, other) };
                Some(ScheduledGame {
                    number,
                    round: 1,
                    pair: pair + 1,
                    meeting: pair / count + 1,
                    seats: BySeat { first, second },
                    seed: 0,
                    stage: 0,
                    is_fast: false,
                })
            }
        }
    }

    fn twin(&self, number: u64) -> Option<u64> {
        match self {
            PartGames::Circle { schedule, .. } => schedule.twin(number),
            PartGames::Drawn { meetings, games } => {
                let paired = games / 2 * 2 * meetings.len() as u64;
                (1..=paired).contains(&number).then(|| ((number - 1) ^ 1) + 1)
            }
        }
    }
}

/// Parts in the order in which they were drawn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Staged {
    parts: Vec<StagedPart>,
    /// Where the next part begins.
    end: Begin,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct StagedPart {
    part: StagePart,
    begin: Begin,
}

/// What there is before a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Begin {
    games: u64,
    pairs: u64,
    rounds: u64,
    meetings: u64,
}

impl Staged {
    /// Adds parts that are played side by side, from the same openings and in the same rounds.
    pub fn push(&mut self, parts: impl IntoIterator<Item = StagePart>) {
        let Begin { rounds, meetings, .. } = self.end;
        for part in parts {
            let begin = Begin { rounds, meetings, ..self.end };
            let last = part.games.get(part.games.len());
            self.end.games += part.games.len();
            if let Some(last) = last {
                self.end.pairs += last.pair;
                self.end.rounds = self.end.rounds.max(rounds + last.round);
                self.end.meetings = self.end.meetings.max(meetings + last.meeting);
            }
            self.parts.push(StagedPart { part, begin });
        }
    }

    pub fn len(&self) -> u64 {
        self.end.games
    }

    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// The place of the part that has a game.
    pub fn part_of(&self, number: u64) -> Option<usize> {
        if !(1..=self.len()).contains(&number) {
            return None;
        }
        let after = self.parts.partition_point(|part| part.begin.games < number);
        after.checked_sub(1)
    }

    pub fn get(&self, seed: u64, number: u64) -> Option<ScheduledGame> {
        let StagedPart { part, begin } = &self.parts[self.part_of(number)?];
        let game = part.games.get(number - begin.games)?;
        let pair = begin.pairs + game.pair;
        Some(ScheduledGame {
            number,
            round: begin.rounds + game.round,
            pair,
            meeting: begin.meetings + game.meeting,
            seats: game.seats,
            seed: pair_seed(seed, pair - 1),
            stage: part.stage,
            is_fast: part.is_fast,
        })
    }

    pub fn twin(&self, number: u64) -> Option<u64> {
        let StagedPart { part, begin } = &self.parts[self.part_of(number)?];
        part.games.twin(number - begin.games).map(|twin| twin + begin.games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(meetings: &[[u16; 2]], games: u64) -> StagePart {
        let games = PartGames::Drawn { meetings: meetings.into(), games };
        StagePart { stage: 0, is_fast: false, games }
    }

    #[test]
    fn parts_are_numbered_one_behind_the_other() {
        let mut staged = Staged::default();
        staged.push([drawn(&[[0, 3], [2, 1]], 3)]);
        let circle =
            PartGames::Circle { schedule: Schedule::new(3, 2, 0), engines: [4, 2, 0].into() };
        staged.push([
            StagePart { stage: 1, is_fast: false, games: circle },
            StagePart { is_fast: true, ..drawn(&[[1, 3]], 2) },
        ]);
        let schedule = Schedule::staged(Arc::new(staged), 7);
        assert_eq!(schedule.len(), 6 + 6 + 2);
        let all: Vec<ScheduledGame> = schedule.iter().collect();
        assert!(all.iter().zip(1..).all(|(game, number)| game.number == number));
        let seats: Vec<[usize; 2]> =
            all.iter().map(|game| [game.seats.first, game.seats.second]).collect();
        assert_eq!(seats[..6], [[0, 3], [3, 0], [2, 1], [1, 2], [0, 3], [2, 1]]);
        assert!(seats[6..12].iter().flatten().all(|engine| [4, 2, 0].contains(engine)));
        assert_eq!(seats[12..], [[1, 3], [3, 1]]);
        let meetings: Vec<u64> = all.iter().map(|game| game.meeting).collect();
        assert_eq!(meetings, [1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3]);
        let rounds: Vec<u64> = all.iter().map(|game| game.round).collect();
        assert_eq!(rounds, [1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 2, 2]);
        assert_eq!((all[5].stage, all[6].stage, all[13].is_fast), (0, 1, true));
        for game in &all {
            let twin = all
                .iter()
                .find(|other| other.pair == game.pair && other.number != game.number)
                .map(|twin| twin.number);
            assert_eq!(schedule.twin(game.number), twin);
            assert_eq!(game.seed, pair_seed(7, game.pair - 1));
        }
        assert_eq!((schedule.get(0), schedule.get(15)), (None, None));
    }
}
