//! The functions of the ABI, implemented for any [`Engine`].

use std::any::{TypeId, type_name};
use std::ffi::{CStr, CString, c_char};
use std::marker::PhantomData;
use std::mem::offset_of;
use std::slice;
use std::sync::{Mutex, OnceLock, PoisonError};

use tengen_abi::{self as abi, Exports, MoveCode, Wire, status};

use crate::description::Cargo;
use crate::host::HostFunctions;
use crate::session::{EngineSession, StatusCode, contained};
use crate::{Description, Engine};

/// The exports of an engine, named after its type: for tests. See [`crate::exports!`] for one
/// named after its Cargo package.
///
/// ```
/// use tengen_sdk::{Choice, Engine, Position, Thinking};
///
/// #[derive(Default)]
/// struct Mine;
///
/// impl Engine for Mine {
///     fn choose(&mut self, position: &Position, _: &Thinking<'_>) -> Choice {
///         position.size().center().into()
///     }
/// }
///
/// let exports = tengen_sdk::exports::<Mine>();
/// // SAFETY: the function takes nothing.
/// assert_eq!(unsafe { (exports.abi_v1)() }, tengen_sdk::abi::MINOR);
/// ```
pub const fn exports<E: Engine>() -> Exports {
    struct Unpackaged;
    impl Packaged for Unpackaged {
        const CARGO: Cargo = Cargo { name: "", version: "0", authors: "", description: "" };
    }
    packaged::<E, Unpackaged>()
}

/// Ties an engine to the Cargo package it comes from.
#[doc(hidden)]
pub trait Packaged: 'static {
    const CARGO: Cargo;
}

/// The exports of an engine of a package.
#[doc(hidden)]
pub const fn packaged<E: Engine, P: Packaged>() -> Exports {
    Exports {
        abi_v1,
        describe: ExportedEngine::<E, P>::describe,
        create: ExportedEngine::<E, P>::create,
        new_game: ExportedEngine::<E, P>::new_game,
        set_position: ExportedEngine::<E, P>::set_position,
        choose: ExportedEngine::<E, P>::choose,
        destroy: Some(ExportedEngine::<E, P>::destroy),
        set_option: Some(ExportedEngine::<E, P>::set_option),
        play: Some(ExportedEngine::<E, P>::play),
        undo: Some(ExportedEngine::<E, P>::undo),
        decide: Some(ExportedEngine::<E, P>::decide),
        ponder: Some(ExportedEngine::<E, P>::ponder),
        end_game: Some(ExportedEngine::<E, P>::end_game),
        extra: None,
    }
}

extern "C" fn abi_v1() -> u32 {
    abi::MINOR
}

/// What all engines of one type share: the description, composed once.
struct SharedDescription {
    description: Description,
    text: CString,
    /// The message of the panic, if composing it panicked.
    panic: Option<String>,
}

struct ExportedEngine<E, P>(PhantomData<(E, P)>);

impl<E: Engine, P: Packaged> ExportedEngine<E, P> {
    fn shared() -> &'static SharedDescription {
        // One static serves every type that this function is made for, so it holds them by type.
        static ALL: Mutex<Vec<(TypeId, &'static OnceLock<SharedDescription>)>> =
            Mutex::new(Vec::new());
        let key = TypeId::of::<(E, P)>();
        let cell = {
            let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
            match all.iter().find(|(known, _)| *known == key) {
                Some((_, cell)) => *cell,
                None => {
                    let cell: &'static OnceLock<SharedDescription> = Box::leak(Box::default());
                    all.push((key, cell));
                    cell
                }
            }
        };
        cell.get_or_init(|| {
            let described = contained(E::describe);
            let panic = described.as_ref().err().cloned();
            let mut description = described.unwrap_or_default().or_cargo(&P::CARGO);
            if description.name.is_empty() {
                let name = type_name::<E>();
                description.name = name.rsplit("::").next().unwrap_or(name).into();
            }
            let text = CString::new(description.to_string())
                .expect("control characters are spaces by then");
            SharedDescription { description, text, panic }
        })
    }

    extern "C" fn describe() -> *const c_char {
        contained(Self::shared).map_or(c"".as_ptr(), |shared| shared.text.as_ptr())
    }

    unsafe extern "C" fn create(host: *const abi::Host) -> *mut abi::Engine {
        let made = contained(|| {
            // SAFETY: the host is null or valid until it destroys the engine, by the ABI.
            let services = unsafe { HostFunctions::new(host) }?;
            if let Some(why) = &Self::shared().panic {
                // It is not known what it plays, so it must not seem to play everything.
                let text = format!("the engine panicked as it described itself: {why}");
                services.send(abi::send::LOG, text.as_bytes());
                return None;
            }
            match contained(|| Box::new(EngineSession::<E>::new(services))) {
                Ok(session) => Some(Box::into_raw(session).cast()),
                Err(why) => {
                    // SAFETY: as above; the first services went into the failed session.
                    if let Some(services) = unsafe { HostFunctions::new(host) } {
                        let text = format!("the engine panicked: {why}");
                        services.send(abi::send::LOG, text.as_bytes());
                    }
                    None
                }
            }
        });
        made.ok().flatten().unwrap_or(std::ptr::null_mut())
    }

    unsafe extern "C" fn destroy(engine: *mut abi::Engine) {
        if engine.is_null() {
            return;
        }
        // SAFETY: the pointer came from `create`, by the ABI, and is not used after this call.
        let session = unsafe { Box::from_raw(engine.cast::<EngineSession<E>>()) };
        // A panic while dropping changes nothing: the session is gone either way.
        let _ = contained(move || drop(session));
    }

    /// The only entry to an engine: it is checked, panics end here, refusals become a status.
    fn enter(
        engine: *mut abi::Engine,
        body: impl FnOnce(&mut EngineSession<E>) -> Result<(), StatusCode>,
    ) -> i32 {
        let engine = engine.cast::<EngineSession<E>>();
        if engine.is_null() || !engine.is_aligned() {
            return status::ARGUMENT;
        }
        // SAFETY: the pointer came from `create`, by the ABI, and calls are never nested.
        let session = unsafe { &mut *engine };
        match contained(|| body(session)) {
            Ok(Ok(())) => status::OK,
            Ok(Err(refusal)) => refusal,
            Err(why) => {
                session.fail(&why);
                status::INTERNAL
            }
        }
    }

    unsafe extern "C" fn new_game(engine: *mut abi::Engine, game: *const abi::Game) -> i32 {
        // SAFETY: the pointer is null or a struct of the size it claims, by the ABI.
        Self::enter(engine, |session| session.new_game(&unsafe { input(game) }?))
    }

    unsafe extern "C" fn set_position(
        engine: *mut abi::Engine,
        moves: *const MoveCode,
        count: u32,
    ) -> i32 {
        Self::enter(engine, |session| {
            // SAFETY: the pointer is null or has `count` codes, by the ABI.
            session.set_position(unsafe { array(moves, count) }?)
        })
    }

    unsafe extern "C" fn choose(
        engine: *mut abi::Engine,
        limits: *const abi::Limits,
        to: *mut abi::Reply,
    ) -> i32 {
        Self::enter(engine, |session| {
            const LEAST: usize = offset_of!(abi::Reply, ponder);
            // SAFETY: the pointers are null or structs of the sizes they claim, by the ABI.
            let limits = unsafe { input(limits) }?;
            // A whole answer lies there from the start, should the engine fail to give one.
            // SAFETY: as above.
            unsafe { output(to, &abi::Reply::default(), LEAST) }?;
            let reply = session.choose(&limits)?;
            // SAFETY: as above.
            unsafe { output(to, &reply, LEAST) }
        })
    }

    unsafe extern "C" fn set_option(
        engine: *mut abi::Engine,
        name: *const c_char,
        value: *const c_char,
    ) -> i32 {
        Self::enter(engine, |session| {
            // SAFETY: the pointers are null or C strings, by the ABI.
            let (name, value) = unsafe { (string(name)?, string(value)?) };
            session.set_option(&Self::shared().description, name, value)
        })
    }

    unsafe extern "C" fn play(engine: *mut abi::Engine, code: MoveCode) -> i32 {
        Self::enter(engine, |session| session.play(code))
    }

    unsafe extern "C" fn undo(engine: *mut abi::Engine, count: u32) -> i32 {
        Self::enter(engine, |session| session.undo(count))
    }

    unsafe extern "C" fn decide(
        engine: *mut abi::Engine,
        question: *const abi::Question,
        candidates: *const MoveCode,
        limits: *const abi::Limits,
        to: *mut abi::Verdict,
    ) -> i32 {
        Self::enter(engine, |session| {
            const LEAST: usize = offset_of!(abi::Verdict, reserved);
            // SAFETY: the pointers are null or structs of the sizes they claim, by the ABI.
            let (question, limits) = unsafe { (input(question)?, input(limits)?) };
            // SAFETY: null or as many codes as the question says, by the ABI.
            let candidates = unsafe { array(candidates, question.candidates) }?;
            // SAFETY: as for the inputs.
            unsafe { output(to, &abi::Verdict::default(), LEAST) }?;
            let verdict = session.decide(&question, candidates, &limits)?;
            let least = match verdict.count as usize {
                0 => LEAST,
                count => offset_of!(abi::Verdict, moves) + count * size_of::<MoveCode>(),
            };
            // SAFETY: as for the inputs.
            unsafe { output(to, &verdict, least) }
        })
    }

    unsafe extern "C" fn ponder(engine: *mut abi::Engine, limits: *const abi::Limits) -> i32 {
        // SAFETY: the pointer is null or a struct of the size it claims, by the ABI.
        Self::enter(engine, |session| session.ponder(&unsafe { input(limits) }?))
    }

    unsafe extern "C" fn end_game(engine: *mut abi::Engine, outcome: i32, reason: u32) -> i32 {
        Self::enter(engine, |session| session.end_game(outcome, reason))
    }
}

/// Reads a struct.
///
/// # Safety
/// The pointer is null, or has as many readable bytes as the struct claims, and at least four.
unsafe fn input<T: Wire>(from: *const T) -> Result<T, StatusCode> {
    if from.is_null() {
        return Err(status::ARGUMENT);
    }
    // SAFETY: passed on.
    unsafe { abi::read(from) }.map_err(|_| status::ARGUMENT)
}

/// Writes a struct, no further than the host's capacity.
///
/// # Safety
/// The pointer is null, or has as many writable bytes as the struct claims, and at least four.
unsafe fn output<T: Wire>(to: *mut T, value: &T, least: usize) -> Result<(), StatusCode> {
    if to.is_null() {
        return Err(status::ARGUMENT);
    }
    // SAFETY: passed on.
    unsafe { abi::write(to, value, least) }.map_err(|_| status::ARGUMENT)
}

/// Borrows codes; null is none of them.
///
/// # Safety
/// The pointer is null, or has `count` codes that are not written while they are borrowed.
unsafe fn array<'a>(from: *const MoveCode, count: u32) -> Result<&'a [MoveCode], StatusCode> {
    // More plies than any game has; the bound also keeps a wild count within the address space.
    const MOST: u32 = 1 << 16;
    match count {
        0 => Ok(&[]),
        1..=MOST if !from.is_null() && from.is_aligned() => {
            // SAFETY: passed on; the count is far below the address space.
            Ok(unsafe { slice::from_raw_parts(from, count as usize) })
        }
        _ => Err(status::ARGUMENT),
    }
}

/// Borrows a text.
///
/// # Safety
/// The pointer is null or a C string.
unsafe fn string<'a>(from: *const c_char) -> Result<&'a str, StatusCode> {
    if from.is_null() {
        return Err(status::ARGUMENT);
    }
    // SAFETY: passed on.
    unsafe { CStr::from_ptr(from) }.to_str().map_err(|_| status::ARGUMENT)
}

/// `tengen_buffer` of a WebAssembly engine: a region of at least `bytes`, the host's until its
/// next call; null when there is not so much memory.
#[doc(hidden)]
pub fn buffer(bytes: u32) -> *mut u8 {
    // Words, so that every struct of the ABI is aligned in it.
    static REGION: Mutex<Vec<u64>> = Mutex::new(Vec::new());
    let mut region = REGION.lock().unwrap_or_else(PoisonError::into_inner);
    let words = (bytes as usize).div_ceil(8).max(1);
    if words > region.len() {
        let more = words - region.len();
        if region.try_reserve(more).is_err() {
            return std::ptr::null_mut();
        }
        region.resize(words, 0);
    }
    region.as_mut_ptr().cast()
}
