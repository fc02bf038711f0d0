//! What writing, reading, packing and replaying one game costs.
fn main() {}
