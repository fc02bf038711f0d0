//! The memory of a WASM engine, while the engine calls the host.

use wasmtime::{Caller, Memory};

use super::{GuestState, HostServices};

/// A guest's memory and the host's data, taken apart for the length of one import.
pub(super) struct GuestMemory<'a> {
    pub memory: &'a mut [u8],
    pub state: &'a mut GuestState,
}

impl<'a> GuestMemory<'a> {
    /// None before the memory is known, as in a start function.
    pub(super) fn of(caller: &'a mut Caller<'_, GuestState>) -> Option<GuestMemory<'a>> {
        let memory: Memory = match caller.data().memory {
            Some(memory) => memory,
            None => caller.get_export("memory")?.into_memory()?,
        };
        let (memory, state) = memory.data_and_store_mut(caller);
        Some(GuestMemory { memory, state })
    }

    pub(super) fn services(&self) -> &HostServices {
        &self.state.services
    }

    /// `len` bytes from `at` on; none when any of them lies outside.
    pub(super) fn bytes(&self, at: u32, len: u32) -> Option<&[u8]> {
        self.memory.get(span(at, len))
    }

    pub(super) fn bytes_mut(&mut self, at: u32, len: u32) -> Option<&mut [u8]> {
        self.memory.get_mut(span(at, len))
    }

    /// Text up to a NUL, no longer than `most` bytes.
    pub(super) fn text(&self, at: u32, most: usize) -> Option<&str> {
        let rest = self.memory.get(at as usize..)?;
        let end = rest.iter().take(most).position(|&byte| byte == 0)?;
        str::from_utf8(&rest[..end]).ok()
    }

    pub(super) fn u32(&self, at: u32) -> Option<u32> {
        let bytes = self.bytes(at, 4)?;
        bytes.first_chunk().map(|&bytes| u32::from_le_bytes(bytes))
    }

    pub(super) fn put(&mut self, at: u32, bytes: &[u8]) -> Option<()> {
        self.bytes_mut(at, bytes.len() as u32)?.copy_from_slice(bytes);
        Some(())
    }
}

fn span(at: u32, len: u32) -> std::ops::Range<usize> {
    at as usize..at as usize + len as usize
}
