//! The bytes of every struct, as C lays them out and as the codec writes them, against one file.

#[cfg(not(windows))]
use std::path::{Path, PathBuf};
#[cfg(not(windows))]
use std::process::Command;

use tengen_abi::*;

const GOLDEN: &str = include_str!("golden.txt");

/// Compiles a program against the header and gives where it lies. Tests that run under Wine were
/// compiled on another machine; there the engines in C of `hosts` use the header.
#[cfg(not(windows))]
fn compile(compiler: &str, standard: &str, source: &str, name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let status = Command::new(compiler)
        .args([standard, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I"])
        .arg(root.join("../include"))
        .arg("-o")
        .arg(&program)
        .arg(root.join("tests").join(source))
        .status()
        .unwrap_or_else(|error| panic!("{compiler} is needed for this test: {error}"));
    assert!(status.success(), "{source} does not compile");
    program
}

const SCORE: Score = Score { eval: -70000, win_in: -17, win: 601, draw: 250, loss: 149, have: 7 };

fn game() -> Game {
    Game {
        width: 20,
        height: 15,
        rule: rule::RENJU,
        opening: opening::TARAGUCHI10,
        flags: game::REPRODUCIBLE | game::DRAW_OFFERS,
        seed: 0x0123_4567_89ab_cdef,
        threads: 3,
        memory_mib: 350,
        main_us: 900_000_000,
        increment_us: 1_000_001,
        move_us: -1,
        period_us: -1,
        periods: 5,
        period_moves: 6,
        node_limit: 5_000_000_000,
        depth_limit: 77,
        win_length: 5,
        reserved: 0x1234,
        ..Game::ZERO
    }
}

fn limits() -> Limits {
    Limits {
        flags: limit::INFINITE | limit::RETRY,
        own_us: 123_456_789_012,
        opponent_us: -1,
        soft_us: 250_000,
        hard_us: 500_001,
        nodes: 0xfedc_ba98_7654_3210,
        depth: 12,
        multipv: 4,
        lag_us: 1_234_567,
        ..Limits::ZERO
    }
}

fn reply() -> Reply {
    Reply {
        flags: reply::OFFER_DRAW | reply::CLAIM_FOUL,
        mv: MoveCode::xy(7, 14),
        ponder: MoveCode::NONE,
        depth: 9,
        seldepth: 21,
        reserved: 0xa5a5_a5a5,
        score: SCORE,
        nodes: 1_000_000_007,
        ..Reply::ZERO
    }
}

fn question() -> Question {
    Question {
        kind: ask::TARAGUCHI,
        min: 1,
        max: 10,
        radius: 4,
        choices: 3,
        candidates: 8,
        flags: question::CANONICAL | question::BEYOND,
        ..Question::ZERO
    }
}

fn verdict() -> Verdict {
    let mut moves = std::array::from_fn(|i| MoveCode::xy(i as u8, 31 - i as u8));
    moves[31] = MoveCode::PASS;
    Verdict { choice: 2, count: 32, reserved: 1, moves, ..Verdict::ZERO }
}

fn info() -> Info {
    Info {
        multipv: 2,
        depth: 11,
        seldepth: 33,
        score: SCORE,
        nodes: 0x1122_3344_5566_7788,
        elapsed_us: 0x8877_6655_4433_2211,
        hash_permille: 999,
        pv_len: 3,
        ..Info::ZERO
    }
}

/// The golden bytes of a struct.
fn golden(name: &str) -> Vec<u8> {
    let line = GOLDEN.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    let hex = line.unwrap_or_else(|| panic!("{name} is in golden.txt"));
    let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex");
    (0..hex.len()).step_by(2).map(byte).collect()
}

/// Whether the struct has these bytes both ways, in the codec and in memory.
fn check<T: Wire + PartialEq + std::fmt::Debug>(name: &str, value: T) {
    let golden = golden(name);
    assert_eq!(value.to_bytes().as_ref(), golden, "{name} as bytes");
    assert_eq!(T::from_bytes(&golden), Ok(value), "{name} from bytes");
    // SAFETY: the struct claims its own size.
    assert_eq!(unsafe { read(&raw const value) }, Ok(value), "{name} in memory");
}

#[test]
fn the_codec_writes_and_reads_the_golden_bytes() {
    check("game", game());
    check("limits", limits());
    check("reply", reply());
    check("question", question());
    check("verdict", verdict());
    check("info", info());
    assert_eq!(golden("score"), reply().to_bytes()[24..40]);
}

#[cfg(not(windows))]
#[test]
fn c_lays_the_golden_bytes_out() {
    let program = compile("cc", "-std=c99", "golden.c", "golden");
    let output = Command::new(program).output().expect("the program runs");
    assert_eq!(String::from_utf8(output.stdout).expect("hex is text"), GOLDEN);
}

#[cfg(not(windows))]
#[test]
fn the_header_is_also_cpp() {
    compile("c++", "-std=c++11", "header.cpp", "header");
}

#[cfg(not(windows))]
#[test]
fn the_numbers_are_those_of_the_header() {
    let program = compile("cc", "-std=c99", "numbers.c", "numbers");
    let output = Command::new(program).output().expect("the program runs");
    let output = String::from_utf8(output.stdout).expect("numbers are text");
    let number = |name: &str| -> i64 {
        let line = output.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("{name} is printed")).parse().expect("a number")
    };
    let ours: [(&str, i64); 67] = [
        ("ABI_MINOR", MINOR.into()),
        ("OK", status::OK.into()),
        ("E_UNSUPPORTED", status::UNSUPPORTED.into()),
        ("E_ARGUMENT", status::ARGUMENT.into()),
        ("E_MEMORY", status::MEMORY.into()),
        ("E_STATE", status::STATE.into()),
        ("E_INTERNAL", status::INTERNAL.into()),
        ("RULE_FREESTYLE", rule::FREESTYLE.into()),
        ("RULE_STANDARD", rule::STANDARD.into()),
        ("RULE_RENJU", rule::RENJU.into()),
        ("RULE_CARO", rule::CARO.into()),
        ("OPENING_NONE", opening::NONE.into()),
        ("OPENING_BOOK", opening::BOOK.into()),
        ("OPENING_PRO", opening::PRO.into()),
        ("OPENING_LONG_PRO", opening::LONG_PRO.into()),
        ("OPENING_SWAP", opening::SWAP.into()),
        ("OPENING_SWAP2", opening::SWAP2.into()),
        ("OPENING_RIF", opening::RIF.into()),
        ("OPENING_CONTEST", opening::CONTEST.into()),
        ("OPENING_YAMAGUCHI", opening::YAMAGUCHI.into()),
        ("OPENING_SOOSORV8", opening::SOOSORV8.into()),
        ("OPENING_TARAGUCHI10", opening::TARAGUCHI10.into()),
        ("GAME_PONDER", game::PONDER.into()),
        ("GAME_REPRODUCIBLE", game::REPRODUCIBLE.into()),
        ("GAME_ANALYSIS", game::ANALYSIS.into()),
        ("GAME_DRAW_OFFERS", game::DRAW_OFFERS.into()),
        ("GAME_ALIKE_BOARD", game::ALIKE_BOARD.into()),
        ("LIMIT_INFINITE", limit::INFINITE.into()),
        ("LIMIT_DRAW_OFFERED", limit::DRAW_OFFERED.into()),
        ("LIMIT_RETRY", limit::RETRY.into()),
        ("REPLY_RESIGN", reply::RESIGN.into()),
        ("REPLY_OFFER_DRAW", reply::OFFER_DRAW.into()),
        ("REPLY_ACCEPT_DRAW", reply::ACCEPT_DRAW.into()),
        ("REPLY_CLAIM_FOUL", reply::CLAIM_FOUL.into()),
        ("ASK_PLACE", ask::PLACE.into()),
        ("ASK_SWAP", ask::SWAP.into()),
        ("ASK_SWAP2", ask::SWAP2.into()),
        ("ASK_COUNT", ask::COUNT.into()),
        ("ASK_OFFER", ask::OFFER.into()),
        ("ASK_PICK", ask::PICK.into()),
        ("ASK_TARAGUCHI", ask::TARAGUCHI.into()),
        ("QUESTION_CANONICAL", question::CANONICAL.into()),
        ("QUESTION_CENTRE", question::CENTRE.into()),
        ("QUESTION_BEYOND", question::BEYOND.into()),
        ("SEND_LOG", send::LOG.into()),
        ("SEND_INFO", send::INFO.into()),
        ("OUTCOME_LOSS", outcome::LOSS.into()),
        ("OUTCOME_DRAW", outcome::DRAW.into()),
        ("OUTCOME_WIN", outcome::WIN.into()),
        ("OUTCOME_ABORTED", outcome::ABORTED.into()),
        ("END_UNKNOWN", end::UNKNOWN.into()),
        ("END_FIVE", end::FIVE.into()),
        ("END_BOARD_FULL", end::BOARD_FULL.into()),
        ("END_PASSES", end::PASSES.into()),
        ("END_OVERLINE", end::OVERLINE.into()),
        ("END_DOUBLE_FOUR", end::DOUBLE_FOUR.into()),
        ("END_DOUBLE_THREE", end::DOUBLE_THREE.into()),
        ("END_ILLEGAL_ANSWER", end::ILLEGAL_ANSWER.into()),
        ("END_TIMEOUT", end::TIMEOUT.into()),
        ("END_RESIGNATION", end::RESIGNATION.into()),
        ("END_AGREEMENT", end::AGREEMENT.into()),
        ("END_ADJUDICATION", end::ADJUDICATION.into()),
        ("END_CRASH", end::CRASH.into()),
        ("END_STALL", end::STALL.into()),
        ("END_PROTOCOL_ERROR", end::PROTOCOL_ERROR.into()),
        ("END_RESOURCE_LIMIT", end::RESOURCE_LIMIT.into()),
        ("END_ABORTED", end::ABORTED.into()),
    ];
    for (name, value) in ours {
        assert_eq!(number(name), value, "{name}");
    }
    assert_eq!(number("PASS"), MoveCode::PASS.0.into());
    assert_eq!(number("NONE"), MoveCode::NONE.0.into());
    assert_eq!(number("XY"), MoveCode::xy(3, 9).0.into());
}
