//! The C example, loaded as a host loads it: its openings, its games and its forbidden moves are
//! held against the rules.
#![cfg(unix)]

mod host;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use host::{HostedEngine, code, game, play_opening, point};
use libloading::{Library, Symbol};
use tengen_abi::{Exports, Game, names, status};
use tengen_rules::{
    Board, BySeat, Color, Ending, Opening, OpeningSettings, Point, Position, Procedure, Rule, Size,
};
use tengen_sdk::random::Random;

/// Compiles the engine, with what the test adds, into a library of this name.
fn build(name: &str, source: &Path) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // Tests run in processes of their own, side by side, and none may load what is half written.
    let mine = library.with_extension(std::process::id().to_string());
    let status = Command::new("cc")
        .args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O2", "-shared", "-fPIC"])
        .args(["-fvisibility=hidden", "-I"])
        .arg(root.join("../include"))
        .arg("-I")
        .arg(root.join("../../examples/minimal-c"))
        .arg("-o")
        .args([&*mine, source])
        .status()
        .unwrap_or_else(|error| panic!("cc is needed for this test: {error}"));
    assert!(status.success(), "{} does not compile", source.display());
    std::fs::rename(&mine, &library).expect("a folder of our own");
    library
}

fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let shim = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/minimal_shim.c");
        // SAFETY: the library has no constructors.
        unsafe { Library::new(build("libminimal.so", &shim)) }.expect("a library")
    })
}

/// One engine lives in globals, so one test at a time may use it.
fn seat() -> (HostedEngine, impl Drop) {
    static TABLE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let turn = TABLE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    (HostedEngine::new(exports(library())), turn)
}

fn exports(library: &Library) -> Exports {
    /// Copies a function out of the library, which is never unloaded.
    ///
    /// # Safety
    /// The function has that type.
    unsafe fn get<T: Copy>(library: &Library, name: &str) -> Option<T> {
        // SAFETY: passed on.
        unsafe { library.get(name).map(|function: Symbol<'_, T>| *function).ok() }
    }
    // SAFETY: the functions are those of tengen.h.
    unsafe {
        Exports {
            abi_v1: get(library, names::ABI_V1).expect("abi_v1"),
            describe: get(library, names::DESCRIBE).expect("describe"),
            create: get(library, names::CREATE).expect("create"),
            new_game: get(library, names::NEW_GAME).expect("new_game"),
            set_position: get(library, names::SET_POSITION).expect("set_position"),
            choose: get(library, names::CHOOSE).expect("choose"),
            destroy: get(library, names::DESTROY),
            set_option: get(library, names::SET_OPTION),
            play: get(library, names::PLAY),
            undo: get(library, names::UNDO),
            decide: get(library, names::DECIDE),
            ponder: get(library, names::PONDER),
            end_game: get(library, names::END_GAME),
            extra: get(library, names::EXTRA),
        }
    }
}

#[test]
fn it_answers_every_procedure_legally() {
    let (hosted, _turn) = seat();
    for procedure in Procedure::ALL {
        for seed in 0..8 {
            let number = seed as u8 + 5;
            let fifth_moves = matches!(procedure, Procedure::Contest | Procedure::Yamaguchi)
                .then_some((number, number));
            let settings = OpeningSettings { fifth_moves, ..OpeningSettings::new(procedure) };
            let game = Game { seed, ..game(Rule::Renju, procedure) };
            assert_eq!(hosted.new_game(&game), status::OK);
            let mut opening = Opening::new(&settings, Rule::Renju, Size::STANDARD).unwrap();
            println!("{procedure} seed {seed}");
            play_opening(&mut opening, BySeat { first: &hosted, second: &hosted });
        }
    }
}

#[test]
fn it_lays_stones_on_small_and_odd_boards() {
    let (hosted, _turn) = seat();
    for size in ["5", "6x19", "32"] {
        let size: Size = size.parse().unwrap();
        let (width, height) = (size.width().into(), size.height().into());
        let game = Game { width, height, ..game(Rule::Freestyle, Procedure::Swap2) };
        assert_eq!(hosted.new_game(&game), status::OK);
        let settings = OpeningSettings::new(Procedure::Swap2);
        let mut opening = Opening::new(&settings, Rule::Freestyle, size).unwrap();
        play_opening(&mut opening, BySeat { first: &hosted, second: &hosted });
    }
}

#[test]
fn its_games_end_without_a_foul() {
    let (hosted, _turn) = seat();
    for (seed, rule) in (0..20).zip(Rule::ALL.into_iter().cycle()) {
        let mut position = Position::new(rule, Size::STANDARD);
        assert_eq!(hosted.new_game(&Game { seed, ..game(rule, Procedure::None) }), status::OK);
        let mut random = Random::new(seed);
        let ending = loop {
            // A few scattered stones at first, so that the games differ.
            let next = if position.ply() < 6 {
                Point::new(random.below(15) as u8, random.below(15) as u8)
            } else {
                point(hosted.choose().expect("a move").mv)
            };
            if position.ply() < 6 && position.check(next).is_err() {
                continue;
            }
            assert_eq!(hosted.play(code(next)), status::OK);
            if let Some(ending) = position.play(next).expect("a legal move") {
                break ending;
            }
        };
        assert!(matches!(ending, Ending::Five(_) | Ending::BoardFull), "{rule}: {ending:?}");
    }
}

#[test]
fn its_forbidden_moves_are_those_of_the_rules() {
    let (hosted, _turn) = seat();
    assert_eq!(hosted.new_game(&game(Rule::Renju, Procedure::None)), status::OK);
    type Forbidden = unsafe extern "C" fn(*const u8, u32, u32) -> i32;
    // SAFETY: the shim's function has this type.
    let forbidden: Symbol<'_, Forbidden> = unsafe { library().get("shim_forbidden") }.unwrap();
    let (mut random, mut found) = (Random::new(1), 0);
    for round in 0..600 {
        let mut board = Board::new(Size::STANDARD);
        let mut stones = [0_u8; 225];
        for _ in 0..30 + round % 60 {
            let (x, y) = (random.below(15), random.below(15));
            // Crowded in the middle, and Black ahead, so that fouls are common.
            let (x, y) = if round % 2 == 0 { (3 + x * 9 / 15, 3 + y * 9 / 15) } else { (x, y) };
            let black = random.below(8) < 5;
            let at = Point::new(x as u8, y as u8);
            if board.is_empty(at) {
                board.place(at, if black { Color::Black } else { Color::White });
                stones[y * 15 + x] = if black { 1 } else { 2 };
            }
        }
        for point in Size::STANDARD.points().filter(|&point| board.is_empty(point)) {
            let (x, y) = (point.x().into(), point.y().into());
            // SAFETY: 225 stones, as the shim reads.
            let theirs = unsafe { forbidden(stones.as_ptr(), x, y) } != 0;
            assert_eq!(theirs, board.foul(point).is_some(), "{point} in round {round}");
            found += u32::from(theirs);
        }
    }
    assert!(found > 1000, "only {found} forbidden points in all positions");
}
