//! Write a five-in-a-row engine for Tengen.
