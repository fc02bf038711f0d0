//! Reproducible random numbers: the same numbers from the same seed, natively and in WebAssembly.

pub use tengen_random::{Random, mix, output};
