//! A museum of bad engines. Each exhibit does one thing that no engine should do, and plays in an
//! event with two good engines. Every output names the same result, the next game begins, no trace
//! of the exhibit is left, and the others' clocks run as if it were not there.
//!
//! `docs/misbehaviour.md` is the catalogue, made of the same tables.
#![cfg(target_os = "linux")]

#[path = "../common/mod.rs"]
mod common;

/// The exhibits of a room: a table of all, and a test of each, under the name before it.
macro_rules! room {
    ($($name:ident: $exhibit:expr,)*) => {
        pub(crate) const ALL: &[crate::exhibit::Exhibit] = &[$($exhibit),*];
        $(
            #[test]
            fn $name() {
                crate::show::show(&$exhibit);
            }
        )*
    };
}

#[macro_use]
mod shared;

mod brain;
mod catalogue;
mod crowd;
mod exhibit;
mod killed;
mod left;
mod module;
mod native;
mod record_tally;
mod remains;
mod show;
mod special;
mod unasked;
mod walls;
mod wasm;

/// Everything that is made of C.
pub(crate) fn in_c() -> impl Iterator<Item = &'static exhibit::Exhibit> {
    let libraries = native::ALL.iter().chain(native::shared::ALL);
    libraries.chain(brain::ALL).chain(brain::shared::ALL)
}
