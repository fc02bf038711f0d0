//! Test helpers: a virtual clock, misbehaving players, board diagrams.
