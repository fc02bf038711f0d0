//! The `tengen` program.
fn main() {}
