//! Benchmarks of the forbidden-move detector.
fn main() {}
