//! A part of the list of an event's finished games, as a client asks for it.

use std::cmp::Reverse;

use serde::Serialize;
use tengen_arbiter::Termination;
use tengen_tournament::GameLine;

use crate::game_row::GameRow;

/// The most games of one answer.
const MOST: usize = 200;
/// How many there are where a client does not say.
const USUAL: usize = 50;

/// Which games of an event are listed, in which order, and which part of that list.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct GameQuery {
    /// The engines that play in each of them.
    pub engines: Vec<usize>,
    /// Who wins them.
    pub result: Option<ListedResult>,
    pub end: Option<Termination>,
    order: GameOrder,
    is_rising: bool,
    from: usize,
    count: usize,
    /// The game whose neighbours are asked for.
    near: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum ListedResult {
    White,
    Draw,
    Black,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum GameOrder {
    #[default]
    Number,
    Black,
    White,
    Result,
    End,
    Stones,
    Time,
}

/// A part of the list of finished games.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct GameList {
    /// How many games fit.
    found: usize,
    /// How many of them stand before the first of these.
    from: usize,
    /// As in the data of a report.
    #[cfg_attr(test, schemars(with = "Vec<[u64; 9]>"))]
    pub games: Vec<GameRow>,
    /// The game before the one whose neighbours are asked for, and the one after it: in the order
    /// of the list, and of the numbers where it goes by them.
    before: Option<u64>,
    after: Option<u64>,
}

impl GameQuery {
    /// What the query of an address asks for; an error is the key that is wrong.
    pub fn parse(query: &str) -> Result<GameQuery, String> {
        let mut parsed = GameQuery { count: USUAL, ..GameQuery::default() };
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            parsed.take(key, value).ok_or_else(|| key.chars().take(40).collect::<String>())?;
        }
        Ok(parsed)
    }

    fn take(&mut self, key: &str, value: &str) -> Option<()> {
        match key {
            "engine" | "other" => self.engines.push(value.parse::<u16>().ok()?.into()),
            "result" => {
                self.result = Some(match value {
                    "black" => ListedResult::Black,
                    "draw" => ListedResult::Draw,
                    "white" => ListedResult::White,
                    _ => return None,
                });
            }
            "end" => self.end = Some(Termination::from_name(value)?),
            "sort" => {
                let falling = value.strip_prefix('-');
                self.is_rising = falling.is_none();
                self.order = match falling.unwrap_or(value) {
                    "number" => GameOrder::Number,
                    "black" => GameOrder::Black,
                    "white" => GameOrder::White,
                    "result" => GameOrder::Result,
                    "end" => GameOrder::End,
                    "stones" => GameOrder::Stones,
                    "time" => GameOrder::Time,
                    _ => return None,
                };
            }
            "from" => self.from = value.parse().ok()?,
            "count" => self.count = value.parse::<usize>().ok()?.min(MOST),
            "near" => self.near = Some(value.parse().ok()?),
            _ => return None,
        }
        Some(())
    }

    /// What a game goes by in the list. `ranks` are the places of the engines by their labels.
    fn key(&self, line: &GameLine, black_second: bool, ranks: &[usize]) -> u64 {
        let rank = |engine: usize| ranks.get(engine).copied().unwrap_or_default() as u64;
        let [black, white] = match black_second {
            false => [line.seats.first, line.seats.second],
            true => [line.seats.second, line.seats.first],
        };
        match self.order {
            GameOrder::Number => line.number,
            GameOrder::Black => rank(black),
            GameOrder::White => rank(white),
            GameOrder::Result => ListedResult::of(line, black_second) as u64,
            GameOrder::End => {
                let name = line.result.termination.name();
                Termination::ALL.iter().filter(|other| other.name() < name).count() as u64
            }
            GameOrder::Stones => line.plies.into(),
            GameOrder::Time => line.duration,
        }
    }

    /// Puts the games in order, and takes those that are asked for: their numbers, and all of the
    /// answer but themselves.
    pub fn part(&self, found: FoundGames<'_>) -> (Vec<u64>, GameList) {
        let mut keys = found.keys;
        // They come in the order of their numbers.
        if self.order != GameOrder::Number {
            keys.sort_unstable();
        }
        let (mut before, mut after) = (None, None);
        if let Some(near) = self.near {
            let place = match self.order {
                GameOrder::Number => Some(keys.partition_point(|(_, number)| *number < near)),
                _ => keys.iter().position(|(_, number)| *number == near),
            };
            if let Some(place) = place {
                let number = |(_, number): &(u64, u64)| *number;
                let is_there = keys.get(place).is_some_and(|one| one.1 == near);
                before = place.checked_sub(1).and_then(|place| keys.get(place)).map(number);
                after = keys.get(place + usize::from(is_there)).map(number);
            }
            if self.order != GameOrder::Number && !self.is_rising {
                (before, after) = (after, before);
            }
        }
        let number = |(_, number): (u64, u64)| number;
        let (found, from) = (keys.len(), self.from);
        let keys = keys.into_iter();
        let numbers = match self.is_rising {
            true => keys.map(number).skip(from).take(self.count).collect(),
            false => keys.rev().map(number).skip(from).take(self.count).collect(),
        };
        (numbers, GameList { found, from, games: Vec::new(), before, after })
    }
}

impl ListedResult {
    fn of(line: &GameLine, black_second: bool) -> ListedResult {
        match line.result.winner {
            None => ListedResult::Draw,
            Some(winner) if (winner as u8 == 1) == black_second => ListedResult::Black,
            Some(_) => ListedResult::White,
        }
    }
}

/// The games that fit, in the order of their numbers, each with what it goes by.
pub(super) struct FoundGames<'a> {
    query: &'a GameQuery,
    ranks: Vec<usize>,
    keys: Vec<(u64, u64)>,
}

impl FoundGames<'_> {
    /// Of an event whose engines have these labels.
    pub fn new<'a>(query: &'a GameQuery, labels: &[String]) -> FoundGames<'a> {
        let mut order: Vec<usize> = (0..labels.len()).collect();
        order.sort_by_key(|engine| (labels[*engine].to_lowercase(), Reverse(*engine)));
        let mut ranks = vec![0; labels.len()];
        order.iter().enumerate().for_each(|(rank, engine)| ranks[*engine] = rank);
        FoundGames { query, ranks, keys: Vec::new() }
    }

    /// A game of the engines and the end that are asked for, and whether its second seat had Black
    /// at the end.
    pub fn add(&mut self, line: &GameLine, black_second: bool) {
        let result = ListedResult::of(line, black_second);
        if self.query.result.is_none_or(|wanted| wanted == result) {
            self.keys.push((self.query.key(line, black_second, &self.ranks), line.number));
        }
    }
}

#[cfg(test)]
mod tests {
    use tengen_arbiter::GameResult;
    use tengen_rules::{BySeat, Seat};

    use super::*;

    /// Ten games: each is won by its first seat, which has Black in those with an odd number.
    fn list(query: &str) -> (Vec<u64>, GameList) {
        let query = GameQuery::parse(query).unwrap();
        let mut listing = FoundGames::new(&query, &["red".to_owned(), "Blue".to_owned()]);
        for number in 1..=10 {
            let result = GameResult { winner: Some(Seat::First), termination: Termination::Five };
            let seats = BySeat { first: 0, second: 1 };
            let plies = 100 - number as u32 % 3;
            let line = GameLine { number, seats, result, plies, duration: 7 };
            listing.add(&line, number % 2 == 0);
        }
        query.part(listing)
    }

    fn numbers(query: &str) -> Vec<u64> {
        list(query).0
    }

    fn near(query: &str) -> [Option<u64>; 2] {
        let list = list(query).1;
        [list.before, list.after]
    }

    #[test]
    fn games_come_in_parts_and_in_order() {
        assert_eq!(numbers("count=3"), [10, 9, 8]);
        assert_eq!(numbers("from=8"), [2, 1]);
        assert_eq!(list("from=90").1.found, 10);
        assert_eq!(numbers("sort=number&from=1&count=2"), [2, 3]);
        assert_eq!(numbers("sort=stones&count=4"), [2, 5, 8, 1]);
        assert_eq!(numbers("sort=-stones&count=4"), [9, 6, 3, 10]);
        assert_eq!(numbers("sort=black&count=5"), [2, 4, 6, 8, 10], "Blue comes before red");
        assert_eq!(numbers("result=black"), [9, 7, 5, 3, 1]);
        assert_eq!(numbers("result=draw"), [0; 0]);
        assert_eq!(list("count=100000").0.len(), 10);
    }

    #[test]
    fn a_game_has_neighbours_among_those_that_fit() {
        assert_eq!(near("near=5"), [Some(4), Some(6)]);
        assert_eq!(near("sort=number&near=1"), [None, Some(2)]);
        assert_eq!(near("result=black&near=5"), [Some(3), Some(7)]);
        assert_eq!(near("result=black&near=6"), [Some(5), Some(7)], "one that does not fit");
        assert_eq!(near("near=12"), [Some(10), None], "one that is not finished");
        assert_eq!(near("sort=stones&near=8"), [Some(5), Some(1)]);
        assert_eq!(near("sort=-stones&near=10"), [Some(3), Some(7)]);
        assert_eq!(near("sort=stones&near=12"), [None, None]);
    }

    #[test]
    fn a_wrong_question_is_named() {
        for (query, wrong) in
            [("engine=x", "engine"), ("a&from=1", "a"), ("sort=sort", "sort"), ("end=won", "end")]
        {
            assert_eq!(GameQuery::parse(query).unwrap_err(), wrong);
        }
        assert_eq!(GameQuery::parse("").unwrap().count, USUAL);
    }
}
