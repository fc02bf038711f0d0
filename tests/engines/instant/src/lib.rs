//! Answers at once: the engine that benchmarks of the arbiter play, so that what is measured is
//! the arbiter.
//!
//! Each colour plays the first empty point of its own list. The lists fill the top of the board in
//! a pattern without rows, and then Black fills a row at the bottom: on 15×15 a game of two such
//! engines ends with a five at stone 69, legal under every rule. It uses the bare ABI, because the
//! SDK's board would take longer than the answer.

mod lists;
mod state;

use std::ffi::c_char;
use std::slice;

use tengen_abi::{
    Engine, Exports, Game, Host, Limits, MINOR, MoveCode, Reply, Wire, read, status, write,
};

use state::State;

/// The engine, for a program that links it in.
pub const EXPORTS: Exports = Exports {
    abi_v1: tengen_abi_v1,
    describe: tengen_describe,
    create: tengen_create,
    new_game: tengen_new_game,
    set_position: tengen_set_position,
    choose: tengen_choose,
    destroy: Some(tengen_destroy),
    set_option: None,
    play: Some(tengen_play),
    undo: Some(tengen_undo),
    decide: None,
    ponder: None,
    end_game: None,
    extra: None,
};

/// The engine behind the pointer.
///
/// # Safety
/// The pointer came from `tengen_create`, and no other call runs.
unsafe fn state<'a>(engine: *mut Engine) -> Option<&'a mut State> {
    // SAFETY: passed on.
    unsafe { engine.cast::<State>().as_mut() }
}

#[unsafe(no_mangle)]
extern "C" fn tengen_abi_v1() -> u32 {
    MINOR
}

#[unsafe(no_mangle)]
extern "C" fn tengen_describe() -> *const c_char {
    const TEXT: &str = concat!("name instant\nversion ", env!("CARGO_PKG_VERSION"), "\0");
    TEXT.as_ptr().cast()
}

#[unsafe(no_mangle)]
extern "C" fn tengen_create(_: *const Host) -> *mut Engine {
    Box::into_raw(Box::new(State::new())).cast()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn tengen_destroy(engine: *mut Engine) {
    if !engine.is_null() {
        // SAFETY: the pointer came from `tengen_create` and is not used again, by the ABI.
        drop(unsafe { Box::from_raw(engine.cast::<State>()) });
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn tengen_new_game(engine: *mut Engine, game: *const Game) -> i32 {
    // SAFETY: null or a live engine, by the ABI.
    let Some(state) = (unsafe { state(engine) }) else { return status::ARGUMENT };
    if game.is_null() {
        return status::ARGUMENT;
    }
    // SAFETY: a struct of the size it claims, by the ABI.
    match unsafe { read(game) } {
        Ok(game) if sides(&game) => state.new_game(game.width as u8, game.height as u8),
        _ => status::ARGUMENT,
    }
}

fn sides(game: &Game) -> bool {
    [game.width, game.height].iter().all(|side| (5..=32).contains(side))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn tengen_set_position(
    engine: *mut Engine,
    moves: *const MoveCode,
    count: u32,
) -> i32 {
    // SAFETY: null or a live engine, by the ABI.
    let Some(state) = (unsafe { state(engine) }) else { return status::ARGUMENT };
    let moves = match count {
        0 => &[],
        _ if moves.is_null() => return status::ARGUMENT,
        // SAFETY: there are `count` codes, by the ABI.
        _ => unsafe { slice::from_raw_parts(moves, count as usize) },
    };
    state.set_position(moves)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn tengen_play(engine: *mut Engine, code: MoveCode) -> i32 {
    // SAFETY: null or a live engine, by the ABI.
    unsafe { state(engine) }.map_or(status::ARGUMENT, |state| state.play(code))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn tengen_undo(engine: *mut Engine, count: u32) -> i32 {
    // SAFETY: null or a live engine, by the ABI.
    unsafe { state(engine) }.map_or(status::ARGUMENT, |state| state.undo(count as usize))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn tengen_choose(
    engine: *mut Engine,
    _: *const Limits,
    reply: *mut Reply,
) -> i32 {
    // SAFETY: null or a live engine, by the ABI.
    let Some(state) = (unsafe { state(engine) }) else { return status::ARGUMENT };
    let Some(mv) = state.choose() else { return status::STATE };
    if reply.is_null() {
        return status::ARGUMENT;
    }
    let answer = Reply { mv, ..Reply::default() };
    // SAFETY: a struct of the size it claims, by the ABI.
    match unsafe { write(reply, &answer, Reply::SIZE) } {
        Ok(()) => status::OK,
        Err(_) => status::ARGUMENT,
    }
}

/// The host's region: no engine call needs more than a game's moves and two structs, but the host
/// may ask for any size.
#[cfg(target_family = "wasm")]
#[unsafe(no_mangle)]
extern "C" fn tengen_buffer(bytes: u32) -> *mut u8 {
    use std::cell::RefCell;

    thread_local!(static REGION: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) });
    REGION.with_borrow_mut(|region| {
        let words = (bytes as usize).div_ceil(8).max(512);
        if region.len() < words {
            region.resize(words, 0);
        }
        region.as_mut_ptr().cast()
    })
}
