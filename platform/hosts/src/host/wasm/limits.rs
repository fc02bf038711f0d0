//! What a WASM engine may take of memory and tables.

use std::fmt;

use wasmtime::ResourceLimiter;

/// The memory of a WASM engine whose package sets no ceiling, in MiB.
pub(crate) const DEFAULT_MEMORY_MIB: u32 = 1024;
/// The most elements of a table.
const TABLE: usize = 1 << 20;

/// What an instance may take.
pub(crate) struct WasmLimits {
    memory: usize,
    refused: bool,
}

impl WasmLimits {
    pub(crate) fn new(memory_mib: u32) -> WasmLimits {
        let memory = (memory_mib as usize).saturating_mul(1 << 20);
        WasmLimits { memory, refused: false }
    }

    /// Whether it asked for more memory than it may have.
    pub(crate) fn refused(&self) -> bool {
        self.refused
    }
}

impl fmt::Display for WasmLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} MiB", self.memory >> 20)
    }
}

impl ResourceLimiter for WasmLimits {
    fn memory_growing(
        &mut self,
        _: usize,
        desired: usize,
        _: Option<usize>,
    ) -> wasmtime::Result<bool> {
        self.refused |= desired > self.memory;
        Ok(desired <= self.memory)
    }

    fn table_growing(
        &mut self,
        _: usize,
        desired: usize,
        _: Option<usize>,
    ) -> wasmtime::Result<bool> {
        Ok(desired <= TABLE)
    }
}
