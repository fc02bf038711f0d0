//! Knockouts and double elimination: a graph of matches, each between two seeds, winners or losers.

/// Where a side of a match comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatchSlot {
    /// The seed of that number, from 0.
    Seed(usize),
    /// No player: the other side goes through.
    Empty,
    /// The winner of an earlier match.
    Winner(usize),
    /// The loser of an earlier match.
    Loser(usize),
}

/// Which part of a bracket a match belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Section {
    /// The matches of those that have lost none.
    Main,
    /// The matches of those that have lost one, in double elimination.
    Losers,
    ThirdPlace,
    /// The final between both parts of a double elimination.
    Final,
    /// The second final, if the first one was lost by the player that had lost none.
    Reset,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BracketMatch {
    pub section: Section,
    /// Its round within that part, from 1.
    pub round: usize,
    /// When it is played: matches of one wave are played side by side.
    pub wave: usize,
    pub slots: [MatchSlot; 2],
}

/// The matches of a knockout or a double elimination. Every match stands after those that it
/// depends on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bracket {
    players: usize,
    matches: Vec<BracketMatch>,
}

/// The player on a side of a match, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatchSide {
    /// Not known yet.
    Open,
    /// No player, for good.
    Empty,
    Player(usize),
}

/// How a bracket stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BracketState {
    pub entrants: Vec<[MatchSide; 2]>,
    /// The winner of each; none where no player was.
    pub winners: Vec<MatchSide>,
    /// The matches of the earliest wave that are to be played now.
    pub ready: Vec<usize>,
}

impl Bracket {
    /// A knockout of so many players: the loser of a match is out. The first seed and the second
    /// one meet in the final at the earliest, the first four in the semi-finals; where there are
    /// fewer players than places, the first seeds have no opponent in the first round. The losers
    /// of the semi-finals may play for the third place.
    ///
    /// # Panics
    /// With fewer than two players.
    pub fn knockout(players: usize, third_place: bool) -> Bracket {
        let mut bracket = Bracket { players, matches: Vec::new() };
        let rounds = bracket.main(players);
        if third_place
            && let [.., one, other, _] = bracket.matches[..]
            && (one.round, other.round) == (rounds - 1, rounds - 1)
        {
            let last = bracket.matches.len();
            bracket.matches.insert(
                last - 1,
                BracketMatch {
                    section: Section::ThirdPlace,
                    round: 1,
                    wave: rounds,
                    slots: [MatchSlot::Loser(last - 3), MatchSlot::Loser(last - 2)],
                },
            );
        }
        bracket
    }

    /// A double elimination of so many players: two lost matches end it. Players that have lost
    /// once play on among themselves, and the best of them meets the one without a loss. If it
    /// wins, both have lost once, and with `reset` they meet again.
    ///
    /// # Panics
    /// With fewer than two players.
    pub fn double_elimination(players: usize, reset: bool) -> Bracket {
        let mut bracket = Bracket { players, matches: Vec::new() };
        let rounds = bracket.main(players);
        let of_round = |matches: &[BracketMatch], round| -> Vec<usize> {
            (0..matches.len()).filter(|&at| matches[at].round == round).collect()
        };
        let main: Vec<Vec<usize>> =
            (1..=rounds).map(|round| of_round(&bracket.matches, round)).collect();
        let mut alive: Vec<MatchSlot> = main[0].iter().map(|&at| MatchSlot::Loser(at)).collect();
        let mut round = 0;
        for (number, main) in main.iter().enumerate().skip(1) {
            // The players already there play each other, and then those that come down.
            round += 1;
            alive = bracket.play(Section::Losers, round, round + 1, &alive);
            let mut down: Vec<MatchSlot> = main.iter().map(|&at| MatchSlot::Loser(at)).collect();
            // From the other end, or the other half, so that no player meets the one it just met.
            if number % 2 == 1 {
                down.reverse();
            } else {
                let half = down.len() / 2;
                down.rotate_left(half);
            }
            round += 1;
            let both: Vec<MatchSlot> =
                alive.iter().zip(&down).flat_map(|(&a, &b)| [a, b]).collect();
            alive = bracket.play(Section::Losers, round, round + 1, &both);
        }
        let best = MatchSlot::Winner(main[rounds - 1][0]);
        let wave = rounds.max(round + 1) + 1;
        let last = bracket.matches.len();
        bracket.play(Section::Final, 1, wave, &[best, alive[0]]);
        if reset {
            bracket.play(
                Section::Reset,
                1,
                wave + 1,
                &[MatchSlot::Winner(last), MatchSlot::Loser(last)],
            );
        }
        bracket
    }

    /// Adds the matches of those that have lost none, and gives the number of rounds.
    fn main(&mut self, players: usize) -> usize {
        assert!(players >= 2, "a bracket has two players or more");
        let mut places = vec![0];
        while places.len() < players {
            let size = 2 * places.len();
            places = places.iter().flat_map(|&seed| [seed, size - 1 - seed]).collect();
        }
        let seed =
            |&seed: &usize| if seed < players { MatchSlot::Seed(seed) } else { MatchSlot::Empty };
        let mut alive: Vec<MatchSlot> = places.iter().map(seed).collect();
        let mut round = 0;
        while alive.len() > 1 {
            round += 1;
            alive = self.play(Section::Main, round, round, &alive);
        }
        round
    }

    /// Adds a round of matches, and gives their winners.
    fn play(
        &mut self,
        section: Section,
        round: usize,
        wave: usize,
        slots: &[MatchSlot],
    ) -> Vec<MatchSlot> {
        let begin = self.matches.len();
        self.matches.extend(slots.chunks_exact(2).map(|slots| {
            let slots = [slots[0], slots[1]];
            BracketMatch { section, round, wave, slots }
        }));
        (begin..self.matches.len()).map(MatchSlot::Winner).collect()
    }

    /// The number of players.
    pub fn players(&self) -> usize {
        self.players
    }

    pub fn matches(&self) -> &[BracketMatch] {
        &self.matches
    }

    /// How it stands if `winner` says which of two players has won their match.
    pub fn state(&self, winner: impl Fn(usize, [usize; 2]) -> Option<usize>) -> BracketState {
        let mut state =
            BracketState { entrants: Vec::new(), winners: Vec::new(), ready: Vec::new() };
        for (number, of_match) in self.matches.iter().enumerate() {
            let mut entrants = of_match.slots.map(|slot| match slot {
                MatchSlot::Seed(seed) => MatchSide::Player(seed),
                MatchSlot::Empty => MatchSide::Empty,
                MatchSlot::Winner(of) => state.winners[of],
                MatchSlot::Loser(of) => state.loser(of),
            });
            if of_match.section == Section::Reset
                && let MatchSlot::Winner(of) = of_match.slots[0]
                && state.winners[of] != MatchSide::Open
                && state.winners[of] == state.entrants[of][0]
            {
                // The player that has lost none has won the final.
                entrants = [state.winners[of], MatchSide::Empty];
            }
            let won = match entrants {
                [MatchSide::Player(one), MatchSide::Player(other)] => {
                    winner(number, [one, other]).map_or(MatchSide::Open, MatchSide::Player)
                }
                [MatchSide::Open, _] | [_, MatchSide::Open] => MatchSide::Open,
                [MatchSide::Empty, other] => other,
                [one, MatchSide::Empty] => one,
            };
            state.entrants.push(entrants);
            state.winners.push(won);
        }
        let open = |&number: &usize| {
            state.winners[number] == MatchSide::Open
                && state.entrants[number].iter().all(|side| matches!(side, MatchSide::Player(_)))
        };
        let wave = (0..self.matches.len()).filter(open).map(|at| self.matches[at].wave).min();
        state.ready = (0..self.matches.len())
            .filter(open)
            .filter(|&at| Some(self.matches[at].wave) == wave)
            .collect();
        state
    }

    /// All players in groups that share a place, best first: the later a player was finally beaten,
    /// the better. Those that are still in come first.
    pub fn ranking(&self, state: &BracketState) -> Vec<Vec<usize>> {
        // When a player was finally beaten; of two matches at the same time, the final counts for
        // more than the match for the third place.
        const IN: (usize, usize) = (usize::MAX, 0);
        let mut out = vec![IN; self.players];
        for (number, of_match) in self.matches.iter().enumerate() {
            let (won, lost) = (state.winners[number], state.loser(number));
            let is_third = of_match.section == Section::ThirdPlace;
            if let (MatchSide::Player(won), true) = (won, is_third) {
                out[won] = (of_match.wave, 1);
            }
            if let MatchSide::Player(lost) = lost
                && !self.loser_goes_on(number, state)
            {
                out[lost] = (of_match.wave, if is_third { 0 } else { 2 });
            }
        }
        let mut order: Vec<usize> = (0..self.players).collect();
        order.sort_by_key(|&player| (std::cmp::Reverse(out[player]), player));
        order.chunk_by(|&a, &b| out[a] == out[b]).map(<[usize]>::to_vec).collect()
    }

    fn loser_goes_on(&self, number: usize, state: &BracketState) -> bool {
        self.matches.iter().zip(&state.entrants).any(|(next, entrants)| {
            let is_idle = next.section == Section::Reset && entrants[1] == MatchSide::Empty;
            next.slots.contains(&MatchSlot::Loser(number)) && !is_idle
        })
    }
}

impl BracketState {
    /// The loser of a match; none where no player was.
    pub fn loser(&self, number: usize) -> MatchSide {
        match (self.entrants[number], self.winners[number]) {
            (_, MatchSide::Open) => MatchSide::Open,
            ([one, other], won) if won == one => other,
            ([one, _], _) => one,
        }
    }

    /// Whether every match is played.
    pub fn is_over(&self) -> bool {
        self.winners.iter().all(|&won| won != MatchSide::Open)
    }
}

#[cfg(test)]
mod tests;
