//! Host and engine in one process: each test is named for the misuse it tries.

mod host;

use std::ffi::CStr;
use std::ptr::null;
use std::sync::atomic::Ordering;
use std::time::Duration;

use host::{HostedEngine, TestHost, codes, game, point};
use tengen_abi::{Game, Limits, MoveCode, Question, Reply, Verdict, Wire, ask, status};
use tengen_sdk::{
    Choice, Description, Engine, Exports, GameInfo, OptionError, OptionSpec, Outcome, Package,
    Point, Position, Procedure, Rule, SearchInfo, Thinking, exports,
};

/// Plays the first empty point, and does whatever its options say.
#[derive(Default)]
struct MisuseEngine {
    mode: String,
    book: Vec<u8>,
}

impl Engine for MisuseEngine {
    fn describe() -> Description {
        Description {
            name: "Probe\n".into(),
            options: vec![
                OptionSpec::choice("Mode", "plain", &["plain", "panic", "wild", "busy"]),
                OptionSpec::int("Depth", 3, 1..=9),
            ],
            ..Description::default()
        }
    }

    fn choose(&mut self, position: &Position, thinking: &Thinking<'_>) -> Choice {
        match self.mode.as_str() {
            "panic" => panic!("no idea at ply {}", position.ply()),
            "wild" => return Point::new(200, 200).into(),
            "busy" => {
                let pv = [Point::new(7, 7), Point::new(8, 8)];
                thinking.info(&SearchInfo { depth: 4, pv: &pv, ..SearchInfo::default() });
                assert!(thinking.is_up(), "the host says so");
            }
            _ => {}
        }
        thinking.log(&format!("book of {}", self.book.len()));
        let first = position.size().points().find(|&point| position.check(point).is_ok());
        first.expect("an empty point").into()
    }

    fn load(&mut self, package: &Package<'_>) {
        assert!(package.read("other.bin").is_err());
        self.book = package.read("book.bin").expect("the book");
    }

    fn new_game(&mut self, game: &GameInfo) {
        assert!(game.threads > 0);
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        match name {
            "Mode" => self.mode = value.into(),
            "Depth" => {}
            _ => return Err(OptionError::Unknown),
        }
        Ok(())
    }

    fn end_game(&mut self, outcome: Outcome, _: u32) {
        assert!(outcome != Outcome::Loss, "cannot lose");
    }
}

/// Panics before there is any engine.
struct Stillborn;

impl Default for Stillborn {
    fn default() -> Stillborn {
        panic!("cannot be made")
    }
}

impl Engine for Stillborn {
    fn choose(&mut self, _: &Position, _: &Thinking<'_>) -> Choice {
        unreachable!("there is no engine")
    }
}

/// Panics as it says what it is.
#[derive(Default)]
struct Undescribed;

impl Engine for Undescribed {
    fn choose(&mut self, _: &Position, _: &Thinking<'_>) -> Choice {
        unreachable!("there is no engine")
    }

    fn describe() -> Description {
        panic!("cannot be described")
    }
}

const PROBE: Exports = exports::<MisuseEngine>();

#[test]
fn null_engine() {
    let (game, limits) = (game(Rule::Renju, Procedure::None), Limits::default());
    let (mut reply, question) = (Reply::default(), Question::default());
    let mut verdict = Verdict::default();
    let none = std::ptr::null_mut();
    // SAFETY: null is what is tried; the rest is valid.
    unsafe {
        assert_eq!((PROBE.new_game)(none, &game), status::ARGUMENT);
        assert_eq!((PROBE.set_position)(none, null(), 0), status::ARGUMENT);
        assert_eq!((PROBE.choose)(none, &limits, &mut reply), status::ARGUMENT);
        assert_eq!(PROBE.set_option.unwrap()(none, c"a".as_ptr(), c"b".as_ptr()), status::ARGUMENT);
        assert_eq!(PROBE.play.unwrap()(none, MoveCode::PASS), status::ARGUMENT);
        assert_eq!(PROBE.undo.unwrap()(none, 0), status::ARGUMENT);
        let decide = PROBE.decide.unwrap();
        assert_eq!(decide(none, &question, null(), &limits, &mut verdict), status::ARGUMENT);
        assert_eq!(PROBE.ponder.unwrap()(none, &limits), status::ARGUMENT);
        assert_eq!(PROBE.end_game.unwrap()(none, 0, 0), status::ARGUMENT);
        PROBE.destroy.unwrap()(none);
    }
}

#[test]
fn misaligned_engine() {
    let hosted = HostedEngine::new(PROBE);
    let odd = hosted.engine.wrapping_byte_add(1);
    // SAFETY: the pointer is wrong, which is what is tried; it is refused before it is used.
    assert_eq!(unsafe { PROBE.undo.unwrap()(odd, 0) }, status::ARGUMENT);
}

#[test]
fn no_host_and_half_a_host() {
    let test_host = TestHost::new();
    let (mut short, mut mute) = (test_host.host(), test_host.host());
    short.size -= 8;
    mute.send = None;
    // SAFETY: a null host and damaged ones, which is what is tried.
    unsafe {
        assert!((PROBE.create)(null()).is_null());
        assert!((PROBE.create)(&raw const short).is_null());
        assert!((PROBE.create)(&raw const mute).is_null());
    }
}

#[test]
fn panic_before_there_is_an_engine() {
    const STILLBORN: Exports = exports::<Stillborn>();
    let test_host = TestHost::new();
    let host = test_host.host();
    // SAFETY: the host lives.
    assert!(unsafe { (STILLBORN.create)(&raw const host) }.is_null());
    assert!(test_host.logged("cannot be made"));
    const UNDESCRIBED: Exports = exports::<Undescribed>();
    // SAFETY: the text is static.
    let text = unsafe { CStr::from_ptr((UNDESCRIBED.describe)()) }.to_str().unwrap();
    assert!(text.starts_with("name Undescribed\nversion 0\n"), "{text}");
    // SAFETY: the host lives.
    assert!(unsafe { (UNDESCRIBED.create)(&raw const host) }.is_null());
    assert!(test_host.logged("cannot be described"));
}

#[test]
fn null_arguments() {
    let hosted = HostedEngine::playing(PROBE);
    let (engine, limits) = (hosted.engine, Limits::default());
    let (mut reply, mut verdict) = (Reply::default(), Verdict::default());
    let place = Question { kind: ask::PLACE, min: 1, max: 1, ..Question::default() };
    let pick = Question { kind: ask::PICK, candidates: 2, ..Question::default() };
    // SAFETY: null is what is tried; the engine is live.
    unsafe {
        assert_eq!((PROBE.new_game)(engine, null()), status::ARGUMENT);
        assert_eq!((PROBE.set_position)(engine, null(), 1), status::ARGUMENT);
        assert_eq!((PROBE.set_position)(engine, null(), 0), status::OK);
        assert_eq!((PROBE.choose)(engine, null(), &mut reply), status::ARGUMENT);
        assert_eq!((PROBE.choose)(engine, &limits, std::ptr::null_mut()), status::ARGUMENT);
        assert_eq!(PROBE.set_option.unwrap()(engine, null(), c"b".as_ptr()), status::ARGUMENT);
        assert_eq!(PROBE.set_option.unwrap()(engine, c"Mode".as_ptr(), null()), status::ARGUMENT);
        let decide = PROBE.decide.unwrap();
        assert_eq!(decide(engine, null(), null(), &limits, &mut verdict), status::ARGUMENT);
        assert_eq!(decide(engine, &place, null(), null(), &mut verdict), status::ARGUMENT);
        let nowhere = std::ptr::null_mut();
        assert_eq!(decide(engine, &place, null(), &limits, nowhere), status::ARGUMENT);
        assert_eq!(decide(engine, &pick, null(), &limits, &mut verdict), status::ARGUMENT);
        assert_eq!(PROBE.ponder.unwrap()(engine, null()), status::ARGUMENT);
    }
    assert_eq!(hosted.choose().map(|reply| reply.mv), Ok(MoveCode::xy(0, 0)));
}

#[test]
fn short_reply_struct() {
    let hosted = HostedEngine::playing(PROBE);
    let limits = Limits::default();
    for capacity in [0, 3, 4, 9, 10, 12, 24, 40, 48] {
        let mut reply = Reply { size: capacity, nodes: u64::MAX, ..Reply::default() };
        // SAFETY: the struct is at least as large as it claims.
        let status = unsafe { (PROBE.choose)(hosted.engine, &limits, &mut reply) };
        let fits = capacity >= 10;
        assert_eq!(status, if fits { status::OK } else { status::ARGUMENT }, "{capacity}");
        assert_eq!(reply.size, capacity);
        assert_eq!(reply.mv, if fits { MoveCode::xy(0, 0) } else { MoveCode::NONE });
        assert_eq!(reply.nodes, if capacity == 48 { 0 } else { u64::MAX });
    }
}

#[test]
fn short_verdict_struct() {
    let hosted = HostedEngine::playing(PROBE);
    let question = Question { kind: ask::PLACE, min: 3, max: 3, ..Question::default() };
    let limits = Limits::default();
    for (capacity, expected) in [(8, status::ARGUMENT), (20, status::ARGUMENT), (22, status::OK)] {
        let mut verdict = Verdict { size: capacity, ..Verdict::default() };
        let decide = PROBE.decide.unwrap();
        // SAFETY: the struct is at least as large as it claims.
        let status = unsafe { decide(hosted.engine, &question, null(), &limits, &mut verdict) };
        assert_eq!(status, expected, "{capacity}");
        assert_eq!(verdict.moves[3], MoveCode::NONE);
    }
}

#[test]
fn structs_with_wild_sizes() {
    let hosted = HostedEngine::playing(PROBE);
    let mut reply = Reply::default();
    for size in [0, 3] {
        let game = Game { size, ..game(Rule::Renju, Procedure::None) };
        assert_eq!(hosted.new_game(&game), status::ARGUMENT);
        let limits = Limits { size, ..Limits::default() };
        // SAFETY: the struct is larger than it claims.
        let status = unsafe { (PROBE.choose)(hosted.engine, &limits, &mut reply) };
        assert_eq!(status, status::ARGUMENT);
    }
    // A host of a later minor sends more than is known here.
    let mut later = [0_u64; 16];
    let bytes = host::with_size(&game(Rule::Renju, Procedure::None), 128);
    for (word, bytes) in later.iter_mut().zip(bytes.chunks_exact(8)) {
        *word = u64::from_le_bytes(bytes.try_into().unwrap());
    }
    // SAFETY: 128 bytes are there, as claimed.
    let status = unsafe { (PROBE.new_game)(hosted.engine, later.as_ptr().cast()) };
    assert_eq!(status, status::OK);
}

#[test]
fn games_that_cannot_be() {
    let hosted = HostedEngine::new(PROBE);
    let good = game(Rule::Renju, Procedure::None);
    for (width, height) in [(4, 15), (15, 33), (0, 0), (271, 15)] {
        assert_eq!(hosted.new_game(&Game { width, height, ..good }), status::ARGUMENT);
    }
    assert_eq!(hosted.new_game(&Game { rule: 9, ..good }), status::UNSUPPORTED);
    assert_eq!(hosted.new_game(&Game { win_length: 6, ..good }), status::UNSUPPORTED);
    assert_eq!(hosted.choose(), Err(status::STATE));
    assert_eq!(hosted.new_game(&Game { opening: 99, threads: 0, ..good }), status::OK);
}

#[test]
fn calls_before_any_game() {
    let hosted = HostedEngine::new(PROBE);
    assert_eq!(hosted.set_position(&[]), status::STATE);
    assert_eq!(hosted.play(MoveCode::xy(7, 7)), status::STATE);
    assert_eq!(hosted.undo(0), status::STATE);
    assert_eq!(hosted.choose(), Err(status::STATE));
    assert_eq!(hosted.decide(&Question::default(), &[]), Err(status::STATE));
    assert_eq!(hosted.set_option("Depth", "4"), status::OK);
}

#[test]
fn positions_with_illegal_points() {
    let hosted = HostedEngine::playing(PROBE);
    assert_eq!(hosted.set_position(&codes("a1 a2 b1")), status::OK);
    let wrong = [
        codes("a1 a2 a1"),
        codes("a1 a2 p8"),
        codes("a1 a2 c3 c3"),
        [codes("h8"), vec![MoveCode::NONE]].concat(),
        [codes("a1"), vec![MoveCode::xy(200, 200)]].concat(),
    ];
    for plies in wrong {
        assert_eq!(hosted.set_position(&plies), status::ARGUMENT, "{plies:?}");
    }
    for code in [MoveCode::xy(0, 0), MoveCode::xy(15, 0), MoveCode::NONE] {
        assert_eq!(hosted.play(code), status::ARGUMENT);
    }
    assert_eq!(hosted.undo(4), status::ARGUMENT);
    // After all that the position is still a1 a2 b1, whose first empty point is a3.
    assert_eq!(hosted.choose().map(|reply| point(reply.mv)), Ok("a3".parse().unwrap()));
}

#[test]
fn positions_that_jump_about_are_followed() {
    let hosted = HostedEngine::playing(PROBE);
    let first = |expected: &str| {
        let chosen = hosted.choose().map(|reply| point(reply.mv).to_string());
        assert_eq!(chosen.as_deref(), Ok(expected));
    };
    assert_eq!(hosted.set_position(&codes("a1 a2 a3 a4")), status::OK);
    first("a5");
    assert_eq!(hosted.set_position(&codes("a1 a3")), status::OK);
    first("a2");
    assert_eq!(hosted.play(MoveCode::PASS), status::OK);
    assert_eq!(hosted.play(MoveCode::xy(0, 1)), status::OK);
    first("a4");
    assert_eq!(hosted.undo(3), status::OK);
    first("a2");
    assert_eq!(hosted.undo(1), status::OK);
    first("a1");
}

#[test]
fn full_board() {
    let hosted = HostedEngine::new(PROBE);
    let small = Game { width: 5, height: 5, ..game(Rule::Freestyle, Procedure::None) };
    assert_eq!(hosted.new_game(&small), status::OK);
    let mut all: Vec<MoveCode> = (0..25).map(|i| MoveCode::xy(i % 5, i / 5)).collect();
    all.rotate_left(7);
    assert_eq!(hosted.set_position(&all), status::OK);
    assert_eq!(hosted.choose(), Err(status::STATE));
}

#[test]
fn panic_in_choose() {
    let hosted = HostedEngine::playing(PROBE);
    assert_eq!(hosted.set_option("Depth", "5"), status::OK);
    assert_eq!(hosted.set_option("Mode", "panic"), status::OK);
    assert_eq!(hosted.choose(), Err(status::INTERNAL));
    assert!(hosted.test_host.logged("the engine panicked: no idea at ply 0"));
    // What is left of the engine is asked nothing more.
    assert_eq!(hosted.choose(), Err(status::INTERNAL));
    assert_eq!(hosted.play(MoveCode::xy(7, 7)), status::INTERNAL);
    // The next game has a new one, with the same options.
    assert_eq!(hosted.new_game(&game(Rule::Renju, Procedure::None)), status::OK);
    assert_eq!(hosted.choose(), Err(status::INTERNAL));
    assert_eq!(hosted.new_game(&game(Rule::Renju, Procedure::None)), status::OK);
    assert_eq!(hosted.set_option("Mode", "plain"), status::OK);
    assert!(hosted.choose().is_ok());
}

#[test]
fn panic_at_the_end() {
    let hosted = HostedEngine::playing(PROBE);
    let end_game = PROBE.end_game.unwrap();
    // SAFETY: the engine is live.
    unsafe {
        assert_eq!(end_game(hosted.engine, 1, 99), status::OK);
        assert_eq!(end_game(hosted.engine, 7, 0), status::ARGUMENT);
        assert_eq!(end_game(hosted.engine, -1, 1), status::INTERNAL);
    }
    assert!(hosted.test_host.logged("cannot lose"));
}

#[test]
fn unknown_option() {
    let hosted = HostedEngine::new(PROBE);
    assert_eq!(hosted.set_option("Hash", "16"), status::UNSUPPORTED);
    assert_eq!(hosted.set_option("Mode", "loud"), status::ARGUMENT);
    assert_eq!(hosted.set_option("Depth", "10"), status::ARGUMENT);
    assert_eq!(hosted.set_option("Depth", "ten"), status::ARGUMENT);
    // SAFETY: the engine is live; the text is no UTF-8, which is what is tried.
    let status =
        unsafe { PROBE.set_option.unwrap()(hosted.engine, c"Mode".as_ptr(), c"\xff".as_ptr()) };
    assert_eq!(status, status::ARGUMENT);
}

#[test]
fn question_kinds_unknown() {
    let hosted = HostedEngine::playing(PROBE);
    for kind in [0, 8, u32::MAX] {
        let question = Question { kind, min: 1, max: 1, ..Question::default() };
        assert_eq!(hosted.decide(&question, &[]), Err(status::UNSUPPORTED));
    }
}

#[test]
fn questions_with_wild_numbers() {
    let hosted = HostedEngine::playing(PROBE);
    for kind in [ask::PLACE, ask::COUNT, ask::OFFER, ask::TARAGUCHI] {
        for (min, max) in [(2, 1), (0, 0), (1, 33), (u32::MAX, u32::MAX)] {
            let question = Question { kind, min, max, ..Question::default() };
            assert_eq!(hosted.decide(&question, &[]), Err(status::ARGUMENT), "{kind}");
        }
    }
    let far = Question { kind: ask::PLACE, min: 1, max: 1, radius: 300, ..Question::default() };
    assert_eq!(hosted.decide(&far, &[]), Err(status::ARGUMENT));
    let closed = Question { kind: ask::SWAP, choices: 0b100, ..Question::default() };
    assert_eq!(hosted.decide(&closed, &[]), Err(status::ARGUMENT));
    for choices in [0b001, 0b010, 0b100] {
        let forced = Question { kind: ask::SWAP2, choices, ..Question::default() };
        let verdict = hosted.decide(&forced, &[]).unwrap();
        assert_eq!(1 << verdict.choice, choices);
        assert_eq!(verdict.count, if choices == 0b100 { 2 } else { 0 });
    }
}

#[test]
fn picks_among_points_that_cannot_be() {
    let hosted = HostedEngine::playing(PROBE);
    assert_eq!(hosted.set_position(&codes("h8 h9 i9 i8")), status::OK);
    let pick = Question { kind: ask::PICK, ..Question::default() };
    let wrong = [codes("h8 g8"), vec![MoveCode::NONE], vec![MoveCode::PASS], Vec::new()];
    for candidates in wrong {
        assert_eq!(hosted.decide(&pick, &candidates), Err(status::ARGUMENT));
    }
    assert!(hosted.decide(&pick, &codes("g8 j8")).unwrap().choice < 2);
}

#[test]
fn illegal_choice_is_told_to_the_log_and_left_to_the_arbiter() {
    let hosted = HostedEngine::playing(PROBE);
    assert_eq!(hosted.set_option("Mode", "wild"), status::OK);
    assert_eq!(hosted.choose().map(|reply| reply.mv), Ok(MoveCode::xy(200, 200)));
    assert!(hosted.test_host.logged("illegal move"));
}

#[test]
fn a_foul_that_was_not_adjudicated_is_claimed() {
    let hosted = HostedEngine::playing(PROBE);
    // h8 is a double-three: f8 g8 and h6 h7, all open.
    assert_eq!(hosted.set_position(&codes("f8 a1 g8 a15 h6 o1 h7 o15 h8")), status::OK);
    let claim = tengen_abi::reply::CLAIM_FOUL;
    assert_eq!(hosted.choose().map(|reply| reply.flags), Ok(claim));
    assert_eq!(hosted.undo(1), status::OK);
    assert_eq!(hosted.play(MoveCode::xy(8, 7)), status::OK);
    assert_eq!(hosted.choose().map(|reply| reply.flags), Ok(0));
}

#[test]
fn time_progress_and_files_go_through_the_host() {
    let mut hosted = HostedEngine::new(PROBE);
    hosted.test_host.file = vec![7; 1000];
    assert_eq!(hosted.new_game(&game(Rule::Renju, Procedure::None)), status::OK);
    assert_eq!(hosted.set_option("Mode", "busy"), status::OK);
    hosted.test_host.left_us.store(-3, Ordering::Relaxed);
    let hard_us = Duration::from_millis(5).as_micros() as i64;
    hosted.choose_within(&Limits { hard_us, ..Limits::default() }).unwrap();
    assert!(hosted.test_host.logged("book of 1000"));
    let infos = hosted.test_host.infos.lock().unwrap();
    let (info, variation) = infos.first().expect("one info");
    assert_eq!((info.depth, info.elapsed_us), (4, 5000));
    assert_eq!(*variation, codes("h8 i9"));
}

#[test]
fn pondering_is_refused_where_the_engine_does_not() {
    let hosted = HostedEngine::playing(PROBE);
    let limits = Limits::default();
    // SAFETY: the engine is live.
    let status = unsafe { PROBE.ponder.unwrap()(hosted.engine, &limits) };
    assert_eq!(status, status::UNSUPPORTED);
}

#[test]
fn two_engines_describe_themselves_apart() {
    #[derive(Default)]
    struct Other;
    impl Engine for Other {
        fn choose(&mut self, _: &Position, _: &Thinking<'_>) -> Choice {
            Point::new(0, 0).into()
        }
    }
    let text = |exports: Exports| {
        // SAFETY: the text is static.
        unsafe { CStr::from_ptr((exports.describe)()) }.to_str().unwrap()
    };
    let other = text(tengen_sdk::exports!(Other));
    assert!(other.starts_with("name tengen-sdk\nversion "), "{other}");
    let probe = text(PROBE);
    assert!(probe.starts_with("name Probe\n"), "{probe}");
    assert!(std::ptr::eq(text(PROBE), probe), "composed once");
    assert_eq!(Limits::SIZE, 64);
}
