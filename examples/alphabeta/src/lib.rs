//! Iterative deepening alpha-beta with threats: the built-in engine.
