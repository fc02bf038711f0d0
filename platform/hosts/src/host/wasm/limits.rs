//! What a WASM engine may take of memory and tables.

use std::fmt;

use wasmtime::ResourceLimiter;

/// The memory of a WASM engine whose package sets no ceiling, in MiB.
pub(crate) const DEFAULT_MEMORY_MIB: u32 = 1024;
/// The most elements of all tables.
const TABLE: usize = 1 << 20;

/// What an instance may take.
pub(crate) struct WasmLimits {
    memory: usize,
    /// What all of its memories and all of its tables have got.
    used: usize,
    elements: usize,
    refused: bool,
}

impl WasmLimits {
    pub(crate) fn new(memory_mib: u32) -> WasmLimits {
        let memory = (memory_mib as usize).saturating_mul(1 << 20);
        WasmLimits { memory, used: 0, elements: 0, refused: false }
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
        current: usize,
        desired: usize,
        _: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let wanted = grown(self.used, current, desired);
        let fits = wanted <= self.memory;
        self.refused |= !fits;
        if fits {
            self.used = wanted;
        }
        Ok(fits)
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        _: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let wanted = grown(self.elements, current, desired);
        let fits = wanted <= TABLE;
        if fits {
            self.elements = wanted;
        }
        Ok(fits)
    }
}

/// What all have when one of them grows.
fn grown(all: usize, current: usize, desired: usize) -> usize {
    all.saturating_add(desired.saturating_sub(current))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memories_and_tables_are_counted_together() {
        let mut limits = WasmLimits::new(1);
        let half = 1 << 19;
        assert!(limits.memory_growing(0, half, None).unwrap());
        assert!(limits.memory_growing(0, half, None).unwrap(), "a second memory");
        assert!(!limits.refused());
        assert!(!limits.memory_growing(half, half + 1, None).unwrap());
        assert!(limits.refused());
        assert!(limits.table_growing(0, TABLE / 2, None).unwrap());
        assert!(!limits.table_growing(0, TABLE, None).unwrap(), "a second table");
        assert!(limits.table_growing(0, TABLE / 2, None).unwrap());
    }
}
