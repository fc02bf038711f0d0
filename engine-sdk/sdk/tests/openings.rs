//! Every opening procedure, played through the ABI by an engine that only chooses moves.

mod host;

use host::{HostedEngine, codes, game, play_opening};
use tengen_abi::{Question, ask};
use tengen_rules::{Ask, BySeat, Opening, OpeningSettings, Seat};
use tengen_sdk::{
    Choice, Engine, Exports, Point, Position, Procedure, Rule, Size, Thinking, exports,
};

/// Plays the first empty point in a scattered order of its seed.
#[derive(Default)]
struct Scatter;

impl Engine for Scatter {
    fn choose(&mut self, position: &Position, thinking: &Thinking<'_>) -> Choice {
        let area = position.size().area() as u64;
        let start = thinking.game().seed.wrapping_mul(101) + 17;
        let points: Vec<Point> = position.size().points().collect();
        let scattered = (0..area).map(|i| points[((start + i * 83) % area) as usize]);
        let empty = |point: &Point| position.check(*point).is_ok();
        scattered.into_iter().find(empty).expect("an empty point").into()
    }
}

const SCATTER: Exports = exports::<Scatter>();

/// Plays one opening to its end and gives its questions.
fn play(settings: &OpeningSettings, rule: Rule, size: Size, seed: u64) -> Vec<Ask> {
    let seats = BySeat::from_fn(|_| HostedEngine::new(SCATTER));
    for seat in Seat::ALL {
        let game = tengen_abi::Game {
            width: size.width().into(),
            height: size.height().into(),
            seed,
            ..game(rule, settings.procedure)
        };
        assert_eq!(seats[seat].new_game(&game), 0);
    }
    let mut opening = Opening::new(settings, rule, size).unwrap();
    println!("{} seed {seed}", settings.procedure);
    play_opening(&mut opening, BySeat { first: &seats.first, second: &seats.second })
}

#[test]
fn defaults_answer_every_procedure_legally() {
    for procedure in Procedure::ALL {
        for seed in 0..8 {
            play(&OpeningSettings::new(procedure), Rule::Renju, Size::STANDARD, seed);
        }
    }
}

#[test]
fn defaults_fit_other_boards_and_rules() {
    for size in ["5", "6x19", "20", "32"] {
        for procedure in [Procedure::Swap, Procedure::Swap2, Procedure::Pro, Procedure::LongPro] {
            // On a side of five nothing lies outside the central square of a pro opening.
            let beyond = matches!(procedure, Procedure::Pro | Procedure::LongPro);
            if !(beyond && size == "5") {
                let settings = OpeningSettings::new(procedure);
                play(&settings, Rule::Freestyle, size.parse().unwrap(), 3);
            }
        }
    }
}

#[test]
fn many_fifth_moves_are_found() {
    for number in [1, 12, 32] {
        let settings = OpeningSettings {
            fifth_moves: Some((number, number)),
            ..OpeningSettings::new(Procedure::Yamaguchi)
        };
        for seed in 0..8 {
            let asked = play(&settings, Rule::Renju, Size::STANDARD, seed);
            assert!(asked.contains(&Ask::Offer { count: number }));
        }
    }
}

#[test]
fn seeds_vary_the_opening_and_repeat_it() {
    let lay = |seed| {
        let hosted = HostedEngine::new(SCATTER);
        let game = tengen_abi::Game { seed, ..game(Rule::Renju, Procedure::Contest) };
        assert_eq!(hosted.new_game(&game), 0);
        let zone = tengen_rules::Zone::Within(2);
        format!(
            "{:?}",
            hosted.answer(Seat::First, Ask::Place { count: 3, zone, canonical: true }, &[])
        )
    };
    let openings: std::collections::BTreeSet<String> = (0..64).map(lay).collect();
    assert!(openings.len() > 8, "{} openings", openings.len());
    assert_eq!(lay(5), lay(5));
}

#[test]
fn the_better_colour_is_kept_or_taken() {
    let swap = Question { kind: ask::SWAP, choices: 0b11, ..Question::default() };
    let asked = |procedure: Procedure, stones: &str| {
        let hosted = HostedEngine::new(SCATTER);
        assert_eq!(hosted.new_game(&game(Rule::Freestyle, procedure)), 0);
        assert_eq!(hosted.set_position(&codes(stones)), 0);
        hosted.decide(&swap, &[]).unwrap().choice
    };
    // White is asked and takes Black; after five stones of swap2 Black is asked and keeps it.
    assert_eq!(asked(Procedure::Swap, "h8 a1 h9"), 1);
    assert_eq!(asked(Procedure::Swap2, "h8 a1 h9 o15 i9"), 0);
    assert_eq!(asked(Procedure::Swap2, "a1 h8 o15 h9 o1"), 1);
    // Black is asked after four stones.
    assert_eq!(asked(Procedure::Soosorv8, "h8 h9 i9 a1"), 0);
    // Yusei is White's.
    assert_eq!(asked(Procedure::Rif, "h8 h9 j6"), 0);
    assert_eq!(asked(Procedure::Rif, "h8 h9 i9"), 1);
}

/// Writes to its log what it knows of the fifth moves whenever it is asked something.
#[derive(Default)]
struct Teller;

impl Teller {
    fn tell(asked: &str, thinking: &Thinking<'_>) {
        let alike = thinking.game().alike;
        thinking.log(&format!("{asked}: {:?} {alike:?}", thinking.fifth_moves()));
    }
}

impl Engine for Teller {
    fn choose(&mut self, position: &Position, thinking: &Thinking<'_>) -> Choice {
        Teller::tell("choose", thinking);
        Scatter.choose(position, thinking)
    }

    fn swap(&mut self, _: &Position, _: tengen_rules::Color, thinking: &Thinking<'_>) -> bool {
        Teller::tell("swap", thinking);
        false
    }

    fn declare(
        &mut self,
        _: &Position,
        range: std::ops::RangeInclusive<u8>,
        thinking: &Thinking<'_>,
    ) -> u8 {
        Teller::tell("declare", thinking);
        *range.end()
    }
}

#[test]
fn an_engine_knows_how_many_fifth_moves_are_to_come() {
    let count = |min, max| Question { kind: ask::COUNT, min, max, ..Question::default() };
    let swap = |min, max| Question { kind: ask::SWAP, min, max, choices: 3, ..Question::default() };
    let board = tengen_abi::Game {
        flags: tengen_abi::game::ALIKE_BOARD,
        ..game(Rule::Renju, Procedure::Contest)
    };

    // The engine that is asked to swap is told the number, and knows it still at the fourth move.
    let told = HostedEngine::new(exports::<Teller>());
    assert_eq!(told.new_game(&board), 0);
    assert_eq!(told.set_position(&codes("h8 h9 i9")), 0);
    told.decide(&swap(4, 4), &[]).unwrap();
    told.choose().unwrap();
    assert!(told.test_host.logged("swap: Some(4..=4) Board"));
    assert!(told.test_host.logged("choose: Some(4..=4) Board"));

    // The engine that declares it knows it from then on, and a new game knows nothing of it.
    let declared = HostedEngine::new(exports::<Teller>());
    assert_eq!(declared.new_game(&game(Rule::Renju, Procedure::Contest)), 0);
    assert_eq!(declared.set_position(&codes("h8 h9 i9")), 0);
    assert_eq!(declared.decide(&count(1, 5), &[]).unwrap().choice, 5);
    declared.choose().unwrap();
    assert!(declared.test_host.logged("declare: Some(1..=5) Shape"));
    assert!(declared.test_host.logged("choose: Some(5..=5) Shape"));
    assert_eq!(declared.new_game(&game(Rule::Renju, Procedure::Swap)), 0);
    declared.decide(&swap(0, 0), &[]).unwrap();
    assert!(declared.test_host.logged("swap: None Shape"));
}

#[test]
fn the_more_fifth_moves_are_declared_the_sooner_white_is_taken() {
    let takes = |number| {
        let hosted = HostedEngine::new(SCATTER);
        assert_eq!(hosted.new_game(&game(Rule::Renju, Procedure::Contest)), 0);
        assert_eq!(hosted.set_position(&codes("h8 h9 i9")), 0);
        let swap = Question {
            kind: ask::SWAP,
            min: number,
            max: number,
            choices: 3,
            ..Question::default()
        };
        // White is asked: to swap is to take Black.
        hosted.decide(&swap, &[]).unwrap().choice
    };
    assert_eq!(takes(1), 1, "Black keeps its best fifth move");
    assert_eq!(takes(32), 0, "White leaves Black the worst of all");
}
