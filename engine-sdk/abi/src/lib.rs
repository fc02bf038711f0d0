//! The Tengen engine ABI: the structs of tengen.h and their bytes.
