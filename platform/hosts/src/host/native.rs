//! Engines of machine code: a shared library, or one linked into this program. Both are called
//! through the same table of functions.

use std::error::Error;
use std::ffi::{CStr, CString, c_char, c_void};
use std::path::Path;
use std::ptr;
use std::sync::Arc;

use tengen_abi::{
    Exports, Game, Host, Limits, MINOR, MoveCode, Question, Reply, Verdict, names, status,
};
use tengen_arbiter::Failure;
use tengen_packages::open_file;
use tengen_players::Fault;

use crate::host::guest::{Guest, LoadError};
use crate::host::services::HostServices;
use crate::host::struct_fit::StructFit;
use crate::{Export, ExportSet};

/// The longest description that is read.
const MAX_DESCRIPTION: usize = 64 << 10;

/// An engine called by its address. What it does wrong beyond its answers ends the process, so
/// this lives in a child only.
pub(crate) struct NativeGuest {
    exports: Exports,
    engine: *mut tengen_abi::Engine,
    host: Box<Host>,
    fit: StructFit,
    /// Behind the context of `host`; kept as long as the engine may call back.
    _services: Arc<HostServices>,
}

impl NativeGuest {
    /// Loads a shared library. It stays loaded until the process ends: an engine's own threads
    /// may still run its code.
    pub(crate) fn load(path: &Path, services: Arc<HostServices>) -> Result<NativeGuest, LoadError> {
        // While this is open, no process gets a lease on the file that would keep the loader
        // waiting.
        let _held = open_file(path)
            .map_err(|error| LoadError::Refused(format!("{}: {error}", path.display())))?;
        let library = open(path).map_err(|error| {
            // What the loader said is the cause behind the error.
            let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
            let missing = tengen_packages::missing_dlls(path);
            let lack = match missing.is_empty() {
                true => String::new(),
                false => format!("; it lacks {}; put it beside the library", missing.join(", ")),
            };
            LoadError::Refused(format!("{error}{cause}{lack}"))
        })?;
        let library: &'static _ = Box::leak(Box::new(library));
        Ok(NativeGuest::new(table(library)?, services))
    }

    /// Wraps an engine that is linked in.
    pub(crate) fn new(exports: Exports, services: Arc<HostServices>) -> NativeGuest {
        let host = Box::new(Host {
            size: size_of::<Host>() as u32,
            minor: MINOR,
            context: Arc::as_ptr(&services).cast_mut().cast(),
            left_us: Some(left_us),
            send: Some(send),
            fetch: Some(fetch),
        });
        let (engine, fit) = (ptr::null_mut(), StructFit::default());
        NativeGuest { exports, engine, host, fit, _services: services }
    }
}

#[cfg(unix)]
fn open(path: &Path) -> Result<libloading::Library, libloading::Error> {
    use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
    // SAFETY: the library's constructors run here; this process exists to bear that.
    unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }.map(libloading::Library::from)
}

#[cfg(windows)]
fn open(path: &Path) -> Result<libloading::Library, libloading::Error> {
    use libloading::os::windows::{LOAD_WITH_ALTERED_SEARCH_PATH, Library};
    // The DLLs that it needs may lie beside it.
    // SAFETY: the library's constructors run here; this process exists to bear that.
    unsafe { Library::load_with_flags(path, LOAD_WITH_ALTERED_SEARCH_PATH) }
        .map(libloading::Library::from)
}

fn table(library: &'static libloading::Library) -> Result<Exports, LoadError> {
    let symbols = Symbols(library);
    if symbols.find::<unsafe extern "C" fn() -> u32>(names::ABI_V1).is_none() {
        let reason = format!(
            "it exports no {}, so it is no Tengen engine or one of another major version",
            names::ABI_V1
        );
        return Err(LoadError::Refused(reason));
    }
    Ok(Exports {
        abi_v1: symbols.need(names::ABI_V1)?,
        describe: symbols.need(names::DESCRIBE)?,
        create: symbols.need(names::CREATE)?,
        new_game: symbols.need(names::NEW_GAME)?,
        set_position: symbols.need(names::SET_POSITION)?,
        choose: symbols.need(names::CHOOSE)?,
        destroy: symbols.find(names::DESTROY),
        set_option: symbols.find(names::SET_OPTION),
        play: symbols.find(names::PLAY),
        undo: symbols.find(names::UNDO),
        decide: symbols.find(names::DECIDE),
        ponder: symbols.find(names::PONDER),
        end_game: symbols.find(names::END_GAME),
        extra: symbols.find(names::EXTRA),
    })
}

/// The symbols of a library that is never unloaded.
struct Symbols(&'static libloading::Library);

impl Symbols {
    fn find<T: Copy>(&self, name: &str) -> Option<T> {
        // SAFETY: `T` is the function type that the ABI gives to this name; a library that
        // exports another under it harms only this process.
        unsafe { self.0.get::<T>(name) }.ok().map(|symbol| *symbol)
    }

    fn need<T: Copy>(&self, name: &str) -> Result<T, LoadError> {
        self.find(name).ok_or_else(|| {
            LoadError::Refused(format!("it lacks the required export {name}; see tengen.h"))
        })
    }
}

/// Text without the NUL that would end it early for the engine.
fn c_text(text: &str) -> Result<CString, i32> {
    CString::new(text).map_err(|_| status::ARGUMENT)
}

impl Guest for NativeGuest {
    fn minor(&self) -> u32 {
        // SAFETY: the function takes nothing and is called from the one thread of the exports, as
        // everything in this implementation is.
        unsafe { (self.exports.abi_v1)() }
    }

    fn exports(&self) -> ExportSet {
        let exports = &self.exports;
        ExportSet::from_fn(|export| match export {
            Export::Destroy => exports.destroy.is_some(),
            Export::SetOption => exports.set_option.is_some(),
            Export::Play => exports.play.is_some(),
            Export::Undo => exports.undo.is_some(),
            Export::Decide => exports.decide.is_some(),
            Export::Ponder => exports.ponder.is_some(),
            Export::EndGame => exports.end_game.is_some(),
            Export::Extra => exports.extra.is_some(),
        })
    }

    fn describe(&mut self) -> Result<String, Fault> {
        // SAFETY: the engine promises static text that ends with a NUL.
        let text = unsafe {
            let text = (self.exports.describe)();
            if text.is_null() { c"" } else { CStr::from_ptr(text) }
        };
        let bytes = text.to_bytes();
        Ok(String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_DESCRIPTION)]).into_owned())
    }

    fn create(&mut self) -> Result<(), Fault> {
        // SAFETY: the host lives in a box that this guest keeps.
        self.engine = unsafe { (self.exports.create)(&raw const *self.host) };
        if self.engine.is_null() {
            let detail = format!("{} gave no engine", names::CREATE);
            return Err(Fault { failure: Failure::Crash, detail });
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<i32, Fault> {
        let Some(set_option) = self.exports.set_option else { return Ok(status::UNSUPPORTED) };
        let (name, value) = match (c_text(name), c_text(value)) {
            (Ok(name), Ok(value)) => (name, value),
            (Err(code), _) | (_, Err(code)) => return Ok(code),
        };
        // SAFETY: the engine was made by `create`; both texts end with a NUL and outlive the call.
        Ok(unsafe { set_option(self.engine, name.as_ptr(), value.as_ptr()) })
    }

    fn set_fit(&mut self, fit: StructFit) {
        self.fit = fit;
    }

    fn new_game(&mut self, game: &Game) -> Result<i32, Fault> {
        if self.fit != StructFit::Plain {
            let game = self.fit.input(game);
            // SAFETY: the engine was made by `create`; the struct is aligned, and as long as it
            // says or longer.
            return Ok(unsafe {
                (self.exports.new_game)(self.engine, game.bytes().as_ptr().cast())
            });
        }
        // SAFETY: the engine was made by `create`; the struct says its own size.
        Ok(unsafe { (self.exports.new_game)(self.engine, game) })
    }

    fn set_position(&mut self, moves: &[MoveCode]) -> Result<i32, Fault> {
        // SAFETY: the engine was made by `create`; the count is the slice's own.
        let code =
            unsafe { (self.exports.set_position)(self.engine, moves.as_ptr(), moves.len() as u32) };
        Ok(code)
    }

    fn play(&mut self, mv: MoveCode) -> Result<i32, Fault> {
        let Some(play) = self.exports.play else { return Ok(status::UNSUPPORTED) };
        // SAFETY: the engine was made by `create`.
        Ok(unsafe { play(self.engine, mv) })
    }

    fn undo(&mut self, count: u32) -> Result<i32, Fault> {
        let Some(undo) = self.exports.undo else { return Ok(status::UNSUPPORTED) };
        // SAFETY: the engine was made by `create`.
        Ok(unsafe { undo(self.engine, count) })
    }

    fn choose(&mut self, limits: &Limits) -> Result<(i32, Reply), Fault> {
        if self.fit != StructFit::Plain {
            let (limits, mut reply) = (self.fit.input(limits), self.fit.output(&Reply::default()));
            let to = reply.bytes_mut().as_mut_ptr().cast();
            // SAFETY: as for a game.
            let code =
                unsafe { (self.exports.choose)(self.engine, limits.bytes().as_ptr().cast(), to) };
            return Ok((code, reply.read(names::CHOOSE)?));
        }
        let mut reply = Reply::default();
        // SAFETY: the engine was made by `create`; both structs say their own sizes.
        let code = unsafe { (self.exports.choose)(self.engine, limits, &mut reply) };
        Ok((code, reply))
    }

    fn decide(
        &mut self,
        question: &Question,
        candidates: &[MoveCode],
        limits: &Limits,
    ) -> Result<(i32, Verdict), Fault> {
        let mut verdict = Verdict::default();
        let Some(decide) = self.exports.decide else { return Ok((status::UNSUPPORTED, verdict)) };
        debug_assert_eq!(question.candidates as usize, candidates.len());
        if self.fit != StructFit::Plain {
            let (question, limits) = (self.fit.input(question), self.fit.input(limits));
            let mut verdict = self.fit.output(&verdict);
            let to = verdict.bytes_mut().as_mut_ptr().cast();
            let (question, limits) = (question.bytes().as_ptr(), limits.bytes().as_ptr());
            // SAFETY: as for a game; the question says the number of candidates.
            let code = unsafe {
                let candidates = candidates.as_ptr();
                decide(self.engine, question.cast(), candidates, limits.cast(), to)
            };
            return Ok((code, verdict.read(names::DECIDE)?));
        }
        // SAFETY: the engine was made by `create`; the structs say their own sizes, and the
        // question the number of candidates.
        let code =
            unsafe { decide(self.engine, question, candidates.as_ptr(), limits, &mut verdict) };
        Ok((code, verdict))
    }

    fn end_game(&mut self, outcome: i32, reason: u32) -> Result<i32, Fault> {
        let Some(end_game) = self.exports.end_game else { return Ok(status::UNSUPPORTED) };
        // SAFETY: the engine was made by `create`.
        Ok(unsafe { end_game(self.engine, outcome, reason) })
    }

    fn destroy(&mut self) -> Result<i32, Fault> {
        let Some(destroy) = self.exports.destroy else { return Ok(status::UNSUPPORTED) };
        // SAFETY: the engine was made by `create`, and nothing is called after this.
        unsafe { destroy(self.engine) };
        Ok(status::OK)
    }
}

/// The services behind a context that [`NativeGuest::new`] made.
///
/// # Safety
/// `context` is that of the host the engine was given.
unsafe fn services<'a>(context: *mut c_void) -> Option<&'a HostServices> {
    // SAFETY: by this function's contract it points to what an `Arc` of the guest keeps alive.
    unsafe { context.cast::<HostServices>().as_ref() }
}

unsafe extern "C" fn left_us(context: *mut c_void) -> i64 {
    // SAFETY: the engine passes the context it was given.
    unsafe { services(context) }.map_or(0, HostServices::left_us)
}

unsafe extern "C" fn send(context: *mut c_void, kind: u32, data: *const c_void, len: u32) -> i32 {
    // SAFETY: the engine passes the context it was given.
    let Some(services) = (unsafe { services(context) }) else { return status::ARGUMENT };
    let message = match (data.is_null(), len) {
        (_, 0) => &[],
        (true, _) => return status::ARGUMENT,
        // SAFETY: the engine promises `len` readable bytes.
        (false, _) => unsafe { std::slice::from_raw_parts(data.cast::<u8>(), len as usize) },
    };
    services.send(kind, message)
}

unsafe extern "C" fn fetch(
    context: *mut c_void,
    name: *const c_char,
    offset: u64,
    to: *mut c_void,
    len: u32,
) -> i64 {
    // SAFETY: the engine passes the context it was given.
    let Some(services) = (unsafe { services(context) }) else { return status::ARGUMENT.into() };
    if name.is_null() || to.is_null() && len > 0 {
        return status::ARGUMENT.into();
    }
    // SAFETY: the engine promises a name that ends with a NUL.
    let Ok(name) = unsafe { CStr::from_ptr(name) }.to_str() else {
        return status::ARGUMENT.into();
    };
    if len == 0 {
        return services.fetch(name, offset, &mut []);
    }
    // SAFETY: the engine promises `len` writable bytes, and plain bytes are never uninitialised
    // in a way that a file's read would look at.
    let to = unsafe { std::slice::from_raw_parts_mut(to.cast::<u8>(), len as usize) };
    services.fetch(name, offset, to)
}
