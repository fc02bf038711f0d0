//! Games of the engine against itself, judged by the rules.

use tengen_abi::{Engine, Game, Limits, MoveCode, Reply, status};
use tengen_rules::{Color, Ending, Point, Position, Rule, Size};

const EXPORTS: tengen_abi::Exports = instant::EXPORTS;

fn seat(size: Size) -> *mut Engine {
    let game = Game { width: size.width().into(), height: size.height().into(), ..Game::default() };
    // SAFETY: the engine needs no host; the game is whole.
    unsafe {
        let engine = (EXPORTS.create)(std::ptr::null());
        assert_eq!((EXPORTS.new_game)(engine, &game), status::OK);
        engine
    }
}

fn choose(engine: *mut Engine) -> MoveCode {
    let mut reply = Reply::default();
    // SAFETY: a live engine and whole structs.
    let status = unsafe { (EXPORTS.choose)(engine, &Limits::default(), &mut reply) };
    assert_eq!(status, status::OK);
    reply.mv
}

fn play(rule: Rule, size: Size, opening: &[Point]) -> (Option<Ending>, usize) {
    let engine = seat(size);
    let mut position = Position::new(rule, size);
    let mut ending = None;
    for &point in opening {
        position.play(point).unwrap();
        let code = MoveCode::xy(point.x(), point.y());
        // SAFETY: a live engine.
        assert_eq!(unsafe { EXPORTS.play.unwrap()(engine, code) }, status::OK);
    }
    while ending.is_none() {
        let code = choose(engine);
        let (x, y) = code.stone().unwrap();
        ending = position.play(Point::new(x, y)).unwrap();
        // SAFETY: a live engine.
        assert_eq!(unsafe { EXPORTS.play.unwrap()(engine, code) }, status::OK);
    }
    // SAFETY: the engine is not used again.
    unsafe { EXPORTS.destroy.unwrap()(engine) };
    (ending, position.ply())
}

#[test]
fn a_game_ends_with_a_five_at_stone_69_under_every_rule() {
    for rule in Rule::ALL {
        let (ending, stones) = play(rule, Size::STANDARD, &[]);
        assert_eq!((ending, stones), (Some(Ending::Five(Color::Black)), 69), "{rule}");
    }
}

#[test]
fn opening_stones_in_the_middle_change_little() {
    for opening in ["h8 h9 i9 i8 g7", "h8 i9 j7", "h8"] {
        let opening: Vec<Point> = opening.split(' ').map(|point| point.parse().unwrap()).collect();
        let (ending, stones) = play(Rule::Renju, Size::STANDARD, &opening);
        assert!(matches!(ending, Some(Ending::Five(_))), "{opening:?}: {ending:?}");
        assert!((65..80).contains(&stones), "{stones} stones");
    }
}

#[test]
fn it_fills_any_board() {
    for size in ["5", "32", "6x20"] {
        play(Rule::Freestyle, size.parse().unwrap(), &[]);
    }
}

#[test]
fn positions_may_jump() {
    let engine = seat(Size::STANDARD);
    let first = choose(engine);
    let moves = [first, MoveCode::xy(7, 7), MoveCode::PASS];
    // SAFETY: a live engine and as many codes as said.
    unsafe {
        assert_eq!((EXPORTS.set_position)(engine, moves.as_ptr(), 3), status::OK);
        assert_eq!(EXPORTS.undo.unwrap()(engine, 3), status::OK);
        assert_eq!(choose(engine), first);
        assert_eq!((EXPORTS.set_position)(engine, [first, first].as_ptr(), 2), status::ARGUMENT);
        EXPORTS.destroy.unwrap()(engine);
    }
}
