//! Two built-in engines answer every question of every opening procedure.

use std::time::Duration;

use alphabeta::AlphaBeta;
use tengen_sdk::rules::{Answer, Ask, BySeat, Opening, OpeningSettings, Seat};
use tengen_sdk::{
    Color, Engine, GameInfo, Limits, Move, Placement, Point, Position, Procedure, Rule, Size,
    Swap2, Taraguchi, Thinking, Zone,
};

fn position(opening: &Opening, game: &GameInfo) -> Position {
    let mut position = Position::new(game.rule, game.size);
    for &point in opening.stones() {
        position.play(point).unwrap();
    }
    position
}

fn answer(
    engine: &mut AlphaBeta,
    opening: &Opening,
    (seat, ask): (Seat, Ask),
    thinking: &Thinking<'_>,
) -> Answer {
    let position = position(opening, thinking.game());
    let own = opening.colors()[seat];
    let thinking = &match opening.fifth_moves() {
        Some((least, most)) => thinking.with_fifth_moves(least..=most),
        None => *thinking,
    };
    let mut place = |count: u8, zone, canonical| {
        let (min, max) = (count.into(), count.into());
        engine.place(&position, &Placement { min, max, zone, canonical }, thinking)
    };
    match ask {
        Ask::Place { count, zone, canonical } => Answer::Place(place(count, zone, canonical)),
        Ask::Move { zone: Zone::Anywhere } => Answer::Move(engine.choose(&position, thinking).mv),
        Ask::Move { zone } => Answer::Move(Move::Stone(place(1, zone, false)[0])),
        Ask::Choose if engine.swap(&position, own, thinking) => Answer::Choose(!own),
        Ask::Choose => Answer::Choose(own),
        Ask::ChooseOrPlace { .. } => match engine.swap2(&position, thinking) {
            Swap2::KeepWhite => Answer::Choose(Color::White),
            Swap2::TakeBlack => Answer::Choose(Color::Black),
            Swap2::Place(stones) => Answer::Place(stones.to_vec()),
        },
        Ask::Swap => Answer::Swap(engine.swap(&position, own, thinking)),
        Ask::Declare { min, max } => {
            Answer::Declare(engine.declare(&position, min..=max, thinking))
        }
        Ask::Offer { count } => Answer::Offer(engine.offer(&position, count.into(), thinking)),
        Ask::Pick => Answer::Pick(engine.pick(&position, opening.offered(), thinking)),
        Ask::MoveOrOffer { zone, count } => {
            match engine.taraguchi(&position, zone, count.into(), thinking) {
                Taraguchi::Move(point) => Answer::Move(Move::Stone(point)),
                Taraguchi::Offer(points) => Answer::Offer(points),
            }
        }
    }
}

/// Plays an opening to its end; panics at an illegal answer.
fn play(settings: &OpeningSettings, game: &GameInfo, thinking: &Thinking<'_>) -> Opening {
    let mut engines = BySeat::from_fn(|_| AlphaBeta::default());
    for seat in Seat::ALL {
        engines[seat].new_game(game);
    }
    let mut opening = Opening::new(settings, game.rule, game.size).unwrap();
    while let Some((seat, ask)) = opening.asked() {
        let answer = answer(&mut engines[seat], &opening, (seat, ask), thinking);
        if let Err(illegal) = opening.answer(seat, &answer) {
            panic!("{} seed {}: {answer:?}: {illegal}", settings.procedure, game.seed);
        }
    }
    opening
}

/// A game that begins by that procedure.
fn opened(procedure: Procedure, rule: Rule, size: Size) -> GameInfo {
    GameInfo { opening: Some(procedure), ..GameInfo::new(rule, size) }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

#[test]
fn every_procedure_is_answered_legally_and_again_the_same() {
    for procedure in Procedure::ALL {
        let settings = OpeningSettings::new(procedure);
        for seed in 0..3 {
            let game = GameInfo { seed, ..opened(procedure, Rule::Renju, Size::STANDARD) };
            let thinking = Thinking::free().in_game(&game).with_limits(nodes(1000));
            let one = play(&settings, &game, &thinking);
            assert_eq!(one, play(&settings, &game, &thinking), "{procedure} seed {seed}");
        }
    }
}

#[test]
fn no_node_and_no_time_are_enough() {
    let up = || Some(Duration::ZERO);
    for procedure in Procedure::ALL {
        let game = opened(procedure, Rule::Renju, Size::STANDARD);
        let settings = OpeningSettings::new(procedure);
        play(&settings, &game, &Thinking::until(&up).in_game(&game));
        play(&settings, &game, &Thinking::free().in_game(&game).with_limits(nodes(1)));
    }
}

#[test]
fn other_boards_are_opened_too() {
    for size in ["6", "7x32", "20"] {
        for procedure in [Procedure::Swap, Procedure::Swap2, Procedure::Pro] {
            for rule in Rule::ALL {
                let game = opened(procedure, rule, size.parse().unwrap());
                let thinking = Thinking::free().in_game(&game).with_limits(nodes(200));
                play(&OpeningSettings::new(procedure), &game, &thinking);
            }
        }
    }
}

#[test]
fn many_fifth_moves_are_offered() {
    for number in [1, 12, 32] {
        let settings = OpeningSettings {
            fifth_moves: Some((number, number)),
            ..OpeningSettings::new(Procedure::Yamaguchi)
        };
        let game = opened(Procedure::Yamaguchi, Rule::Renju, Size::STANDARD);
        let thinking = Thinking::free().in_game(&game).with_limits(nodes(500));
        play(&settings, &game, &thinking);
    }
}

#[test]
fn the_winning_colour_is_taken() {
    let game = opened(Procedure::Swap, Rule::Freestyle, Size::STANDARD);
    let thinking = Thinking::free().in_game(&game).with_limits(nodes(2000));
    let mut engine = AlphaBeta::default();
    engine.new_game(&game);
    let mut at = |stones: &str| {
        let mut position = Position::new(game.rule, game.size);
        for point in stones.split(' ') {
            position.play(point.parse::<Point>().unwrap()).unwrap();
        }
        (engine.swap(&position, Color::White, &thinking), engine.swap2(&position, &thinking))
    };
    // Two black stones together and the white one away: Black. The other way about: White.
    assert_eq!(at("h8 a1 h9"), (true, Swap2::TakeBlack));
    assert_eq!(at("a1 h8 o1"), (false, Swap2::KeepWhite));
}

#[test]
fn the_number_of_fifth_moves_decides_which_colour_is_better_off() {
    let mut engine = AlphaBeta::default();
    let mut position = Position::new(Rule::Renju, Size::STANDARD);
    for stone in ["h8", "h9", "i9"] {
        position.play(stone.parse().unwrap()).unwrap();
    }
    let game = opened(Procedure::Contest, Rule::Renju, Size::STANDARD);
    let mut swaps = |number: u8| {
        engine.new_game(&game);
        let thinking = Thinking::free().in_game(&game).with_fifth_moves(number..=number);
        engine.swap(&position, Color::White, &thinking)
    };
    assert!(swaps(1), "Black keeps its best fifth move of an opening that is Black's");
    assert!(!swaps(12), "White leaves Black the worst of twelve");
}
