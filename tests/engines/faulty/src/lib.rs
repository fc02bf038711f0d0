//! An engine that plays soundly except for one fault, named by its file: `libfaulty-leaks.so`
//! leaks. Without a fault in its name, as `libfaulty.so`, it passes `tengen engines check`.
//!
//! It is written against the bare ABI: the SDK leaves no room for most of these faults.

mod faults;
mod openings;
mod player;

use std::ffi::{CStr, c_char};
use std::slice;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tengen_abi::{
    Engine, Game, Host, Limits, MINOR, MoveCode, Question, Reply, Verdict, Wire, limit, read,
    reply, status, write,
};
use tengen_rules::{Color, Position, Rule, Size};

use faults::{describe, has, leak, misbehave};
use player::Player;

/// The engine's own idea of its structs, which a fault insists on.
fn is_odd_size(from: *const u32, own: usize) -> bool {
    // SAFETY: every struct begins with its size.
    let size = unsafe { from.read() } as usize;
    has("exact_sizes") && size != own
        || has("refuses_larger") && size > own
        || has("refuses_smaller") && size < own
}

/// The engine behind the pointer.
///
/// # Safety
/// The pointer came from `tengen_create`, and no other call runs.
unsafe fn player<'a>(engine: *mut Engine) -> Option<&'a mut Player> {
    // SAFETY: passed on.
    unsafe { engine.cast::<Player>().as_mut() }
}

#[unsafe(no_mangle)]
extern "C" fn tengen_abi_v1() -> u32 {
    MINOR
}

#[unsafe(no_mangle)]
extern "C" fn tengen_describe() -> *const c_char {
    describe().as_ptr()
}

#[unsafe(no_mangle)]
extern "C" fn tengen_create(host: *const Host) -> *mut Engine {
    Box::into_raw(Box::new(Player::new(host))).cast()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn tengen_destroy(engine: *mut Engine) {
    if has("destroy_hangs") {
        rest_for_ever();
    }
    if !engine.is_null() {
        // SAFETY: the pointer came from `tengen_create` and is not used again, by the ABI.
        drop(unsafe { Box::from_raw(engine.cast::<Player>()) });
    }
}

fn rest_for_ever() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn tengen_set_option(
    engine: *mut Engine,
    name: *const c_char,
    value: *const c_char,
) -> i32 {
    // SAFETY: null or a live engine, by the ABI.
    let Some(player) = (unsafe { player(engine) }) else { return status::ARGUMENT };
    // SAFETY: both end with a NUL, by the ABI.
    let (name, value) = unsafe { (CStr::from_ptr(name), CStr::from_ptr(value)) };
    if name.to_bytes() != b"Speed" {
        return if has("takes_unknown_options") { status::OK } else { status::UNSUPPORTED };
    }
    let speed = value.to_str().ok().and_then(|value| value.parse::<u32>().ok());
    match speed {
        Some(9) if has("option_aborts") => std::process::abort(),
        Some(9) if has("refuses_bound") => status::ARGUMENT,
        Some(speed @ 1..=9) => {
            player.speed = speed;
            status::OK
        }
        _ if has("takes_any_value") => status::OK,
        _ => status::ARGUMENT,
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn tengen_new_game(engine: *mut Engine, game: *const Game) -> i32 {
    // SAFETY: null or a live engine, by the ABI.
    let Some(player) = (unsafe { player(engine) }) else { return status::ARGUMENT };
    if game.is_null() || is_odd_size(game.cast(), Game::SIZE) {
        return status::ARGUMENT;
    }
    // SAFETY: a struct of the size it claims, by the ABI.
    let Ok(game) = (unsafe { read(game) }) else { return status::ARGUMENT };
    player.new_game(&game)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn tengen_set_position(
    engine: *mut Engine,
    moves: *const MoveCode,
    count: u32,
) -> i32 {
    // SAFETY: null or a live engine, by the ABI.
    let Some(player) = (unsafe { player(engine) }) else { return status::ARGUMENT };
    let moves = match count {
        0 if has("refuses_empty") => return status::ARGUMENT,
        0 => &[],
        // SAFETY: there are `count` codes, by the ABI.
        _ => unsafe { slice::from_raw_parts(moves, count as usize) },
    };
    player.set_position(moves)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn tengen_play(engine: *mut Engine, code: MoveCode) -> i32 {
    // SAFETY: null or a live engine, by the ABI.
    let Some(player) = (unsafe { player(engine) }) else { return status::ARGUMENT };
    if has("play_does_nothing") { status::OK } else { player.play(code) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn tengen_undo(engine: *mut Engine, count: u32) -> i32 {
    // SAFETY: null or a live engine, by the ABI.
    let Some(player) = (unsafe { player(engine) }) else { return status::ARGUMENT };
    player.undo(count as usize)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn tengen_choose(
    engine: *mut Engine,
    limits: *const Limits,
    to: *mut Reply,
) -> i32 {
    // SAFETY: null or a live engine, by the ABI.
    let Some(player) = (unsafe { player(engine) }) else { return status::ARGUMENT };
    if limits.is_null() || to.is_null() || is_odd_size(limits.cast(), Limits::SIZE) {
        return status::ARGUMENT;
    }
    if has("reads_beyond") {
        // SAFETY: none: this is the fault, though this host's own struct is as long as that.
        let lag_us = unsafe { (&raw const (*limits).lag_us).read() };
        if lag_us < 0 {
            return status::ARGUMENT;
        }
    }
    // SAFETY: a struct of the size it claims, by the ABI.
    let Ok(limits) = (unsafe { read(limits) }) else { return status::ARGUMENT };
    let Some(answer) = player.choose(&limits) else { return status::STATE };
    if has("writes_past") {
        // SAFETY: none: this is the fault.
        unsafe { to.cast::<u8>().add(Reply::SIZE).write_bytes(0x11, 16) };
    }
    // SAFETY: a struct of the size it claims, by the ABI.
    match unsafe { write(to, &answer, 16) } {
        Ok(()) => status::OK,
        Err(_) => status::ARGUMENT,
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn tengen_decide(
    engine: *mut Engine,
    question: *const Question,
    _candidates: *const MoveCode,
    limits: *const Limits,
    to: *mut Verdict,
) -> i32 {
    // SAFETY: null or a live engine, by the ABI.
    let Some(player) = (unsafe { player(engine) }) else { return status::ARGUMENT };
    if question.is_null() || limits.is_null() || to.is_null() {
        return status::ARGUMENT;
    }
    // SAFETY: a struct of the size it claims, by the ABI.
    let Ok(question) = (unsafe { read(question) }) else { return status::ARGUMENT };
    let verdict = openings::decide(player, &question);
    // SAFETY: a struct of the size it claims, by the ABI.
    match unsafe { write(to, &verdict, Verdict::SIZE) } {
        Ok(()) => status::OK,
        Err(_) => status::ARGUMENT,
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn tengen_end_game(_: *mut Engine, _outcome: i32, _reason: u32) -> i32 {
    if has("end_game_fails") { status::STATE } else { status::OK }
}

/// How often it was asked since it was loaded.
static ASKED: AtomicU32 = AtomicU32::new(0);

impl Player {
    fn new_game(&mut self, game: &Game) -> i32 {
        let (width, height) = match has("swaps_sides") {
            true => (game.height, game.width),
            false => (game.width, game.height),
        };
        if has("squares_only") && width != height {
            return status::UNSUPPORTED;
        }
        if has("dies_unasked") && self.is_unasked {
            std::process::abort();
        }
        let side = |side: u16| u8::try_from(side).unwrap_or(0);
        let Ok(mut size) = Size::new(side(width), side(height)) else { return status::ARGUMENT };
        let known = Rule::from_number(game.rule);
        let played = known.filter(|rule| !(*rule == Rule::Caro && has("no_caro")));
        let Some(mut rule) = played else { return status::UNSUPPORTED };
        if has("only_15") {
            size = Size::STANDARD;
        }
        if has("keeps_size") && self.games > 0 {
            size = self.position.size();
        }
        if has("keeps_rule") && self.games > 0 {
            rule = self.position.rule();
        }
        if has("leaks") {
            leak(16);
        }
        if has("leaks_threads") {
            std::thread::spawn(rest_for_ever);
        }
        self.games += 1;
        self.is_unasked = true;
        self.seed = game.seed;
        self.is_reproducible = game.flags & tengen_abi::game::REPRODUCIBLE != 0;
        self.position = Position::new(rule, size);
        self.is_turned = false;
        status::OK
    }

    fn set_position(&mut self, moves: &[MoveCode]) -> i32 {
        if !has("position_appends") {
            self.position = Position::new(self.position.rule(), self.position.size());
        }
        self.is_turned = false;
        for &code in moves {
            let code = self.play(code);
            if code != status::OK && !has("position_appends") {
                return code;
            }
        }
        status::OK
    }

    fn undo(&mut self, count: usize) -> i32 {
        let count = match count {
            0 if has("refuses_undo_0") => return status::ARGUMENT,
            _ if has("undo_does_nothing") => 0,
            0 => 0,
            _ if has("undo_takes_one") => 1,
            count => count,
        };
        if count > self.position.moves().len() {
            return status::ARGUMENT;
        }
        for _ in 0..count {
            self.position.undo();
        }
        self.is_turned = has("undo_keeps_turn") && count % 2 == 1;
        status::OK
    }

    fn choose(&mut self, limits: &Limits) -> Option<Reply> {
        let asked = ASKED.fetch_add(1, Ordering::Relaxed);
        self.is_unasked = false;
        misbehave(self, limits, asked);
        let empty = self.position.size().area() - self.position.board().count();
        if has("dies_on_full") && empty <= 3 {
            std::process::abort();
        }
        let retries = limits.flags & limit::RETRY != 0;
        let mut answer = self.answer()?;
        if has("repeats_itself") && retries {
            let last = self.position.board().stones().next();
            answer.mv =
                last.map_or(MoveCode::NONE, |(point, _)| MoveCode::xy(point.x(), point.y()));
        }
        let ply = self.position.ply();
        if has("resigns") && (1..8).contains(&ply) {
            answer.flags |= reply::RESIGN;
        }
        if has("accepts_unasked") && limits.flags & limit::DRAW_OFFERED == 0 {
            answer.flags |= reply::ACCEPT_DRAW;
        }
        Some(answer)
    }

    /// The side that it takes to be to move.
    fn own_color(&self) -> Color {
        let turned = has("wrong_side") != self.is_turned;
        if turned { !self.position.to_move() } else { self.position.to_move() }
    }
}
