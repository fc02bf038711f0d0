//! An instance of a WASM engine and its exports.

use std::sync::Arc;

use tengen_abi::{Game, Limits, MoveCode, Question, Reply, Verdict, names, status};
use tengen_arbiter::Failure;
use tengen_players::Fault;
use tengen_random::Random;
use wasmtime::{
    Instance, Linker, Memory, Module, Store, TypedFunc, UpdateDeadline, WasmParams, WasmResults,
};

use super::limits::WasmLimits;
use super::{DEFAULT_MEMORY_MIB, GuestState, describe, fault, imports};
use crate::host::guest::{Guest, LoadError};
use crate::host::services::HostServices;
use crate::host::struct_fit::{FittedStruct, StructFit};
use crate::watchdog::Slot;
use crate::{Export, ExportSet};

/// The longest description that is read.
const MAX_DESCRIPTION: usize = 64 << 10;
/// What `tengen_create` is given: an opaque number that is not null.
const HOST: u32 = 8;

/// Arguments of `tengen_decide`: engine, question, candidates, limits, verdict.
type DecideArgs = (u32, u32, u32, u32, u32);

/// The exports of an instance. Pointers are offsets into its memory.
struct WasmExports {
    abi_v1: TypedFunc<(), u32>,
    describe: TypedFunc<(), u32>,
    create: TypedFunc<u32, u32>,
    new_game: TypedFunc<(u32, u32), i32>,
    set_position: TypedFunc<(u32, u32, u32), i32>,
    choose: TypedFunc<(u32, u32, u32), i32>,
    buffer: TypedFunc<u32, u32>,
    destroy: Option<TypedFunc<u32, ()>>,
    set_option: Option<TypedFunc<(u32, u32, u32), i32>>,
    play: Option<TypedFunc<(u32, u32), i32>>,
    undo: Option<TypedFunc<(u32, u32), i32>>,
    decide: Option<TypedFunc<DecideArgs, i32>>,
    end_game: Option<TypedFunc<(u32, u32, u32), i32>>,
    others: ExportSet,
}

/// An engine in its own memory, where all it can reach is that memory and the services.
pub(crate) struct WasmGuest {
    store: Store<GuestState>,
    memory: Memory,
    table: WasmExports,
    minor: u32,
    engine: u32,
    fit: StructFit,
}

impl WasmGuest {
    /// Makes an instance and runs its start functions. The deadline of `slot` stops it by an epoch;
    /// without a slot, this process must be one that can be killed.
    pub(crate) fn load(
        module: &Module,
        services: Arc<HostServices>,
        memory_mib: Option<u32>,
        slot: Option<Arc<Slot>>,
    ) -> Result<WasmGuest, LoadError> {
        let mut linker = Linker::new(module.engine());
        imports::bind(&mut linker, module)?;
        let has_epochs = slot.is_some();
        let state = GuestState {
            services,
            slot,
            bounds: WasmLimits::new(memory_mib.unwrap_or(DEFAULT_MEMORY_MIB)),
            random: Random::new(0),
            memory: None,
        };
        let mut store = Store::new(module.engine(), state);
        store.limiter(|state| &mut state.bounds);
        if has_epochs {
            store.set_epoch_deadline(1);
            store.epoch_deadline_callback(|context| match &context.data().slot {
                Some(slot) if slot.has_fired() => Ok(UpdateDeadline::Interrupt),
                // The deadline of another engine.
                _ => Ok(UpdateDeadline::Continue(1)),
            });
        }
        let instance = linker.instantiate(&mut store, module).map_err(|error| {
            if error.is::<wasmtime::Trap>() {
                LoadError::Failed(fault(&error, store.data()))
            } else {
                LoadError::Refused(format!("it cannot be set up: {}", describe(&error)))
            }
        })?;
        WasmGuest::start(store, &instance)
    }

    fn start(mut store: Store<GuestState>, instance: &Instance) -> Result<WasmGuest, LoadError> {
        let table = table(&mut store, instance)?;
        let memory = instance
            .get_memory(&mut store, "memory")
            .ok_or_else(|| LoadError::Refused("it exports no memory named `memory`".to_owned()))?;
        store.data_mut().memory = Some(memory);
        let abi_v1 = table.abi_v1.clone();
        let mut guest =
            WasmGuest { store, memory, table, minor: 0, engine: 0, fit: StructFit::default() };
        if let Some(initialize) = find::<(), ()>(&mut guest.store, instance, "_initialize")? {
            guest.call(&initialize, ())?;
        }
        guest.minor = guest.call(&abi_v1, ())?;
        Ok(guest)
    }

    fn call<P: WasmParams, R: WasmResults>(
        &mut self,
        function: &TypedFunc<P, R>,
        arguments: P,
    ) -> Result<R, Fault> {
        call(&mut self.store, function, arguments)
    }

    /// Borrows `bytes` bytes of the engine's memory until its next call.
    fn buffer(&mut self, bytes: usize) -> Result<u32, Fault> {
        let at = call(&mut self.store, &self.table.buffer, bytes as u32)?;
        if at == 0 {
            let detail = format!("{} gave no room for {bytes} bytes", names::BUFFER);
            return Err(Fault { failure: Failure::ResourceLimit, detail });
        }
        // The memory may have moved; what is outside is seen when it is used.
        Ok(at)
    }

    fn put(&mut self, at: u32, bytes: &[u8]) -> Result<(), Fault> {
        let at = at as usize;
        let room = self.memory.data_mut(&mut self.store).get_mut(at..at + bytes.len());
        room.ok_or_else(outside).map(|room| room.copy_from_slice(bytes))
    }

    /// Lends structs, one behind the other, and moves behind them. Gives the place of each.
    fn lend<const N: usize>(
        &mut self,
        structs: [&FittedStruct; N],
        moves: &[MoveCode],
    ) -> Result<([u32; N], u32), Fault> {
        let mut bytes: Vec<u8> = structs.iter().flat_map(|one| one.bytes()).copied().collect();
        bytes.extend(moves.iter().flat_map(|mv| mv.0.to_le_bytes()));
        let mut at = self.buffer(bytes.len())?;
        self.put(at, &bytes)?;
        let places = structs.map(|one| {
            let place = at;
            at = at.saturating_add(one.bytes().len() as u32);
            place
        });
        Ok((places, at))
    }

    /// Reads back a struct that was lent.
    fn read_back(&self, at: u32, lent: &mut FittedStruct) -> Result<(), Fault> {
        let (at, length) = (at as usize, lent.bytes().len());
        let bytes = self.memory.data(&self.store).get(at..at + length).ok_or_else(outside)?;
        lent.bytes_mut().copy_from_slice(bytes);
        Ok(())
    }
}

/// The room an engine lent lies outside its own memory.
fn outside() -> Fault {
    let detail = format!("{} gave a place outside the engine's memory", names::BUFFER);
    Fault { failure: Failure::ProtocolError, detail }
}

fn call<P: WasmParams, R: WasmResults>(
    store: &mut Store<GuestState>,
    function: &TypedFunc<P, R>,
    arguments: P,
) -> Result<R, Fault> {
    function.call(&mut *store, arguments).map_err(|error| fault(&error, store.data()))
}

fn table(store: &mut Store<GuestState>, instance: &Instance) -> Result<WasmExports, LoadError> {
    let abi_v1 = find(store, instance, names::ABI_V1)?.ok_or_else(|| {
        LoadError::Refused(format!(
            "it exports no {}, so it is no Tengen engine or one of another major version",
            names::ABI_V1
        ))
    })?;
    let others = Export::ALL.map(|export| instance.get_func(&mut *store, export.name()).is_some());
    Ok(WasmExports {
        abi_v1,
        describe: need(store, instance, names::DESCRIBE)?,
        create: need(store, instance, names::CREATE)?,
        new_game: need(store, instance, names::NEW_GAME)?,
        set_position: need(store, instance, names::SET_POSITION)?,
        choose: need(store, instance, names::CHOOSE)?,
        buffer: need(store, instance, names::BUFFER)?,
        destroy: find(store, instance, names::DESTROY)?,
        set_option: find(store, instance, names::SET_OPTION)?,
        play: find(store, instance, names::PLAY)?,
        undo: find(store, instance, names::UNDO)?,
        decide: find(store, instance, names::DECIDE)?,
        end_game: find(store, instance, names::END_GAME)?,
        others: ExportSet::from_fn(|export| others[export as usize]),
    })
}

fn need<P: WasmParams, R: WasmResults>(
    store: &mut Store<GuestState>,
    instance: &Instance,
    name: &str,
) -> Result<TypedFunc<P, R>, LoadError> {
    find(store, instance, name)?.ok_or_else(|| {
        LoadError::Refused(format!("it lacks the required export {name}; see tengen.h"))
    })
}

fn find<P: WasmParams, R: WasmResults>(
    store: &mut Store<GuestState>,
    instance: &Instance,
    name: &str,
) -> Result<Option<TypedFunc<P, R>>, LoadError> {
    let Some(function) = instance.get_func(&mut *store, name) else { return Ok(None) };
    function.typed(&*store).map(Some).map_err(|error| {
        LoadError::Refused(format!("its export {name} is not as in tengen.h: {}", describe(&error)))
    })
}

impl Guest for WasmGuest {
    fn minor(&self) -> u32 {
        self.minor
    }

    fn exports(&self) -> ExportSet {
        self.table.others
    }

    fn describe(&mut self) -> Result<String, Fault> {
        let at = call(&mut self.store, &self.table.describe, ())? as usize;
        let rest = self.memory.data(&self.store).get(at..).unwrap_or_default();
        let rest = &rest[..rest.len().min(MAX_DESCRIPTION)];
        let end = rest.iter().position(|&byte| byte == 0).unwrap_or(rest.len());
        Ok(String::from_utf8_lossy(&rest[..end]).into_owned())
    }

    fn create(&mut self) -> Result<(), Fault> {
        self.engine = call(&mut self.store, &self.table.create, HOST)?;
        if self.engine == 0 {
            let detail = format!("{} gave no engine", names::CREATE);
            return Err(Fault { failure: Failure::Crash, detail });
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<i32, Fault> {
        if self.table.set_option.is_none() {
            return Ok(status::UNSUPPORTED);
        }
        if name.contains('\0') || value.contains('\0') {
            return Ok(status::ARGUMENT);
        }
        let at = self.buffer(name.len() + value.len() + 2)?;
        self.put(at, format!("{name}\0{value}\0").as_bytes())?;
        let value_at = at.saturating_add(name.len() as u32 + 1);
        let Some(set_option) = &self.table.set_option else { return Ok(status::UNSUPPORTED) };
        call(&mut self.store, set_option, (self.engine, at, value_at))
    }

    fn set_fit(&mut self, fit: StructFit) {
        self.fit = fit;
    }

    fn new_game(&mut self, game: &Game) -> Result<i32, Fault> {
        self.store.data_mut().random = Random::new(game.seed);
        let ([at], _) = self.lend([&self.fit.input(game)], &[])?;
        call(&mut self.store, &self.table.new_game, (self.engine, at))
    }

    fn set_position(&mut self, moves: &[MoveCode]) -> Result<i32, Fault> {
        let at = self.buffer(2 * moves.len())?;
        let start = at as usize;
        let memory = self.memory.data_mut(&mut self.store);
        let room = memory.get_mut(start..start + 2 * moves.len()).ok_or_else(outside)?;
        for (room, mv) in room.as_chunks_mut().0.iter_mut().zip(moves) {
            *room = mv.0.to_le_bytes();
        }
        let arguments = (self.engine, at, moves.len() as u32);
        call(&mut self.store, &self.table.set_position, arguments)
    }

    fn play(&mut self, mv: MoveCode) -> Result<i32, Fault> {
        let Some(play) = &self.table.play else { return Ok(status::UNSUPPORTED) };
        call(&mut self.store, play, (self.engine, mv.0.into()))
    }

    fn undo(&mut self, count: u32) -> Result<i32, Fault> {
        let Some(undo) = &self.table.undo else { return Ok(status::UNSUPPORTED) };
        call(&mut self.store, undo, (self.engine, count))
    }

    fn choose(&mut self, limits: &Limits) -> Result<(i32, Reply), Fault> {
        let (limits, mut reply) = (self.fit.input(limits), self.fit.output(&Reply::default()));
        let ([at, reply_at], _) = self.lend([&limits, &reply], &[])?;
        let code = call(&mut self.store, &self.table.choose, (self.engine, at, reply_at))?;
        self.read_back(reply_at, &mut reply)?;
        Ok((code, reply.read(names::CHOOSE)?))
    }

    fn decide(
        &mut self,
        question: &Question,
        candidates: &[MoveCode],
        limits: &Limits,
    ) -> Result<(i32, Verdict), Fault> {
        let Some(decide) = self.table.decide.clone() else {
            return Ok((status::UNSUPPORTED, Verdict::default()));
        };
        let (question, limits) = (self.fit.input(question), self.fit.input(limits));
        let mut verdict = self.fit.output(&Verdict::default());
        let ([at, limits_at, verdict_at], candidates_at) =
            self.lend([&question, &limits, &verdict], candidates)?;
        let arguments = (self.engine, at, candidates_at, limits_at, verdict_at);
        let code = call(&mut self.store, &decide, arguments)?;
        self.read_back(verdict_at, &mut verdict)?;
        Ok((code, verdict.read(names::DECIDE)?))
    }

    fn end_game(&mut self, outcome: i32, reason: u32) -> Result<i32, Fault> {
        let Some(end_game) = &self.table.end_game else { return Ok(status::UNSUPPORTED) };
        call(&mut self.store, end_game, (self.engine, outcome.cast_unsigned(), reason))
    }

    fn destroy(&mut self) -> Result<i32, Fault> {
        let Some(destroy) = &self.table.destroy else { return Ok(status::UNSUPPORTED) };
        call(&mut self.store, destroy, self.engine)?;
        Ok(status::OK)
    }
}
