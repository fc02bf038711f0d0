//! The little of WASI preview 1 that a C library asks for: printing goes to the log, randomness
//! comes from the game's seed, and there are no files.

use std::time::{SystemTime, UNIX_EPOCH};

use wasmtime::{Caller, FuncType, Linker};

use super::GuestState;
use super::imports::stub;
use super::memory::GuestMemory;
use crate::host::services::MAX_MESSAGE;

pub(super) const MODULE: &str = "wasi_snapshot_preview1";

/// The errnos of WASI preview 1 that are used here.
mod errno {
    pub(super) const SUCCESS: i32 = 0;
    pub(super) const FAULT: i32 = 21;
    pub(super) const INVAL: i32 = 28;
    pub(super) const NOSYS: i32 = 52;
}

/// The most buffers of one `fd_write` that are read.
const BUFFERS: u32 = 64;

pub(super) fn bind(
    linker: &mut Linker<GuestState>,
    name: &str,
    function: &FuncType,
) -> wasmtime::Result<()> {
    match name {
        "fd_write" => linker.func_wrap(MODULE, name, fd_write),
        "clock_time_get" => linker.func_wrap(MODULE, name, clock_time_get),
        "random_get" => linker.func_wrap(MODULE, name, random_get),
        "proc_exit" => linker.func_wrap(MODULE, name, proc_exit),
        _ => return stub(linker, MODULE, name, function, errno::NOSYS),
    }?;
    Ok(())
}

fn fd_write(
    mut caller: Caller<'_, GuestState>,
    _fd: u32,
    buffers: u32,
    count: u32,
    written: u32,
) -> i32 {
    let Some(mut guest) = GuestMemory::of(&mut caller) else { return errno::FAULT };
    let Some(text) = gather(&guest, buffers, count) else { return errno::FAULT };
    guest.services().send(tengen_abi::send::LOG, &text);
    let length = (text.len() as u32).to_le_bytes();
    guest.put(written, &length).map_or(errno::FAULT, |()| errno::SUCCESS)
}

/// The bytes of a list of buffers, cut at the longest message.
fn gather(guest: &GuestMemory<'_>, buffers: u32, count: u32) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    for index in 0..count.min(BUFFERS) {
        let buffer = buffers.checked_add(8 * index)?;
        let (at, len) = (guest.u32(buffer)?, guest.u32(buffer.checked_add(4)?)?);
        let bytes = guest.bytes(at, len)?;
        text.extend_from_slice(&bytes[..bytes.len().min(MAX_MESSAGE - text.len())]);
    }
    Some(text)
}

fn clock_time_get(mut caller: Caller<'_, GuestState>, clock: u32, _precision: u64, to: u32) -> i32 {
    const REALTIME: u32 = 0;
    const MONOTONIC: u32 = 1;
    if !matches!(clock, REALTIME | MONOTONIC) {
        return errno::INVAL;
    }
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let nanos = (since.as_nanos() as u64).to_le_bytes();
    let put = GuestMemory::of(&mut caller).and_then(|mut guest| guest.put(to, &nanos));
    put.map_or(errno::FAULT, |()| errno::SUCCESS)
}

fn random_get(mut caller: Caller<'_, GuestState>, to: u32, len: u32) -> i32 {
    let Some(guest) = GuestMemory::of(&mut caller) else { return errno::FAULT };
    let GuestMemory { memory, state } = guest;
    let end = to as usize + len as usize;
    match memory.get_mut(to as usize..end) {
        Some(bytes) => {
            state.random.fill(bytes);
            errno::SUCCESS
        }
        None => errno::FAULT,
    }
}

fn proc_exit(_: Caller<'_, GuestState>, code: u32) -> wasmtime::Result<()> {
    Err(wasmtime::Error::msg(format!("it called exit({code})")))
}
