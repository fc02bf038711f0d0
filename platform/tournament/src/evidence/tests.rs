use std::collections::{BTreeSet, HashMap};
use std::convert::Infallible;

use tengen_random::output;
use tengen_stats::{SprtDecision, rate_of_elo};

use super::*;
use crate::{EngineEntry, EventConfig, Openings, Tally};

fn stone(seat: Seat, point: Point) -> HistoryEntry {
    HistoryEntry::new(seat, Action::Answer(Answer::Move(Move::Stone(point))), 0, None)
}

fn line(book: &[Point], points: &[Point], winner: Option<Seat>) -> u64 {
    let seats = [Seat::First, Seat::Second].into_iter().cycle();
    let actions: Vec<HistoryEntry> =
        seats.zip(points).map(|(seat, &point)| stone(seat, point)).collect();
    game_line((Rule::Freestyle, Size::STANDARD), book, &actions, winner)
}

#[test]
fn a_turned_game_is_the_same_game() {
    for seed in 0..200 {
        let mut number = 0;
        let mut draw = |most: u64| {
            number += 1;
            output(seed, number) % most
        };
        let mut points = |count: u64| -> Vec<Point> {
            (0..count).map(|_| Point::new(draw(15) as u8, draw(15) as u8)).collect()
        };
        let (book, moves) = (points(seed % 4), points(1 + seed % 30));
        let turned = |points: &[Point]| -> Vec<Point> {
            let symmetry = Symmetry::ALL[seed as usize % 8];
            points.iter().map(|&point| symmetry.point(point, Size::STANDARD)).collect()
        };
        let one = line(&book, &moves, None);
        assert_eq!(line(&turned(&book), &turned(&moves), None), one);
        assert_ne!(line(&book, &moves[1..], None), one);
        assert_ne!(line(&book, &moves, Some(Seat::First)), one);
        // The book and the moves are turned together.
        if seed % 4 == 3 && seed % 8 != 0 {
            assert_ne!(line(&book, &turned(&moves), None), one, "{book:?} {moves:?}");
        }
    }
}

/// What changes no position makes no other game: an engine could do it by lot.
#[test]
fn offers_and_illegal_answers_make_no_other_game() {
    let size = (Rule::Renju, Size::STANDARD);
    let moves = [stone(Seat::First, Point::new(7, 7)), stone(Seat::Second, Point::new(8, 7))];
    let plain = game_line(size, &[], &moves, Some(Seat::First));
    let mut noisy = moves.to_vec();
    noisy.insert(1, HistoryEntry::new(Seat::First, Action::OfferDraw, 0, None));
    noisy.insert(2, HistoryEntry { legal: false, ..stone(Seat::Second, Point::new(7, 7)) });
    noisy[3].spent = 77;
    noisy.push(HistoryEntry::new(Seat::Second, Action::Resign, 0, None));
    assert_eq!(game_line(size, &[], &noisy, Some(Seat::First)), plain);
    let other = (Rule::Freestyle, Size::STANDARD);
    assert_ne!(game_line(other, &[], &moves, Some(Seat::First)), plain);
    let [one, swapped] = [(0, 1), (1, 0)].map(|(first, second)| BySeat { first, second });
    assert_ne!(line_between(one, plain), line_between(swapped, plain));
}

#[derive(Default)]
struct KnownLines {
    lowest: HashMap<u64, u64>,
    repeats: BTreeSet<u64>,
}

impl PlayedLines for KnownLines {
    type Error = Infallible;

    fn lowest(&mut self, line: u64) -> Result<Option<u64>, Infallible> {
        Ok(self.lowest.get(&line).copied())
    }

    fn set_lowest(&mut self, line: u64, number: u64) -> Result<(), Infallible> {
        self.lowest.insert(line, number);
        Ok(())
    }

    fn set_repeat(&mut self, number: u64) -> Result<bool, Infallible> {
        Ok(self.repeats.insert(number))
    }
}

#[test]
fn a_pair_counts_if_both_its_games_are_new() {
    let pairs: [(u64, &[u64]); 6] =
        [(1, &[1, 2]), (3, &[1, 2]), (5, &[1, 3]), (7, &[4, 3]), (9, &[5, 6]), (11, &[3])];
    let mut lines = KnownLines::default();
    let repeats = pairs.map(|(number, of_pair)| lines.add(number, of_pair).unwrap());
    assert_eq!(repeats, [vec![], vec![3], vec![5], vec![7], vec![], vec![11]]);

    // Turned round, each is evidence until one before it comes.
    let mut lines = KnownLines::default();
    let mut turned = pairs.into_iter().rev();
    let mut next = || turned.next().map(|(number, of_pair)| lines.add(number, of_pair).unwrap());
    let repeats: Vec<Vec<u64>> = std::iter::from_fn(&mut next).collect();
    assert_eq!(repeats, [vec![], vec![], vec![11], vec![7], vec![5], vec![3]]);
}

/// How two engines play that a test is of.
#[derive(Clone, Copy)]
struct Engines {
    /// What the first makes of a game, 0 to 1, over all positions.
    rate: f64,
    /// By how much more or less it makes from a position, at most; each part is as likely.
    favour: f64,
    /// The positions of the book; without any, all games begin from one.
    positions: usize,
    /// How often a game differs from the one that was played before from its position, 0 to 1.
    chance: f64,
    /// The test: of differences so great that few pairs decide it, rightly or wrongly.
    test: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TestEnd {
    Accepted(SprtDecision),
    Inconclusive,
    Open,
}

const H0: TestEnd = TestEnd::Accepted(SprtDecision::H0);
const H1: TestEnd = TestEnd::Accepted(SprtDecision::H1);
const TEST: &str = "elo0=0,elo1=200";

impl Engines {
    /// Plays a test of at most so many pairs, which counts them as an event does, or else `again`
    /// as often as they come.
    fn test(self, pairs: u64, seed: u64, again: bool) -> TestEnd {
        let position = vec![Point::new(7, 7)];
        let config = EventConfig {
            engines: ["new", "old"].map(EngineEntry::new).into(),
            openings: Openings::Positions(vec![position; self.positions]),
            sprt: self.test.parse().ok(),
            ..EventConfig::default()
        };
        let mut number = 0;
        let mut draw = || {
            number += 1;
            (output(seed, number) >> 11) as f64 / (1_u64 << 53) as f64
        };
        let places = self.positions.max(1);
        let rates: Vec<f64> =
            (0..places).map(|_| self.rate + self.favour * (2.0 * draw() - 1.0)).collect();
        let (mut tally, mut lines) = (Tally::default(), KnownLines::default());
        let seats = BySeat { first: 0, second: 1 };
        // What was played from each position last: its line, and whether the first engine won.
        let mut last = vec![[None; 2]; places];
        for pair in 0..pairs {
            let place = pair as usize % places;
            let mut played = [(0, false); 2];
            for (half, played) in played.iter_mut().enumerate() {
                let known = last[place][half].filter(|_| draw() >= self.chance);
                let line = output(!seed, 2 * pair + half as u64);
                *played = known.unwrap_or_else(|| (line, draw() < rates[place]));
                last[place][half] = Some(*played);
            }
            let won = |seat: Seat, won: bool| Some(if won { seat } else { !seat });
            let winners = [won(Seat::First, played[0].1), won(Seat::Second, played[1].1)];
            tally.add_pair(seats, winners[0], winners[1]);
            if lines.add(pair, &played.map(|(line, _)| line)) == Ok(vec![pair]) {
                tally.repeat_pair(seats, winners[0], winners[1]);
            }
            let state = config.test_state(&tally).unwrap();
            let (accepted, inconclusive) = match again {
                true => (config.sprt.unwrap().0.decision(tally.played_pairs(0, 1)), None),
                false => (state.accepted, state.inconclusive),
            };
            match accepted {
                Some(accepted) => return TestEnd::Accepted(accepted),
                None if inconclusive.is_some() => return TestEnd::Inconclusive,
                None => {}
            }
        }
        TestEnd::Open
    }

    /// How many of so many tests came to this end.
    fn count(self, tests: u64, pairs: u64, again: bool, end: TestEnd) -> u64 {
        let test = |seed| self.test(pairs, output(2026, seed), again);
        (0..tests).filter(|&seed| test(seed) == end).count() as u64
    }
}

/// Of 2,000 tests with an error rate of 5 %, more than this many go wrong only once in 10,000
/// times: 100, plus 3.7 times the standard deviation, √(2000 · 0.05 · 0.95).
const MOST_WRONG: u64 = 136;
const TESTS: u64 = 2_000;

/// No more tests go wrong of engines that are exactly as H0 or H1 says.
fn assert_errors(engines: Engines, pairs: u64) {
    for (elo, wrong) in [(0.0, H1), (200.0, H0)] {
        let Engines { positions, chance, .. } = engines;
        let engines = Engines { rate: rate_of_elo(elo), ..engines };
        let wrong = engines.count(TESTS, pairs, false, wrong);
        println!("{positions} positions, {chance} by lot, {elo} Elo: {wrong} of {TESTS} wrong");
        assert!(wrong <= MOST_WRONG, "{positions}, {chance}, {elo}: {wrong}");
    }
}

/// However few the positions of a book are, and however much the engines play by lot: in no game,
/// in some, or in all.
#[test]
fn small_books_decide_no_more_tests_wrongly() {
    for (positions, chance) in [(8, 0.0), (40, 0.0), (40, 0.1), (40, 1.0), (300, 0.0)] {
        assert_errors(Engines { rate: 0.5, favour: 0.2, positions, chance, test: TEST }, 1_000);
    }
}

/// Without a book the engines play from one position, and what differs is what they do by lot.
#[test]
fn games_by_lot_without_a_book_decide_no_more_tests_wrongly() {
    for chance in [0.5, 1.0] {
        assert_errors(Engines { rate: 0.5, favour: 0.0, positions: 0, chance, test: TEST }, 200);
    }
    let alike = Engines { rate: 0.5, favour: 0.0, positions: 0, chance: 0.0, test: TEST };
    assert_eq!(alike.count(50, 200, false, TestEnd::Inconclusive), 50, "one pair says nothing");
}

/// The same tests go wrong if the pairs count as often as they come.
#[test]
fn pairs_that_count_again_decide_wrongly() {
    let test = "elo0=0,elo1=20";
    let engines = Engines { rate: 0.5, favour: 0.2, positions: 40, chance: 0.0, test };
    let wrong = [false, true].map(|again| engines.count(100, 2_000, again, H1));
    println!("{wrong:?} of 100 wrong: counted once, and as often as they come");
    assert!(wrong[0] <= 12 && wrong[1] > 20, "{wrong:?}");
}
