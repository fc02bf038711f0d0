//! A museum of bad engines. Each exhibit does one thing that no engine should do, and plays in an
//! event with two good engines. Every output names the same result, the next game begins, no trace
//! of the exhibit is left, and the others' clocks run as if it were not there.
//!
//! `docs/misbehaviour.md` is the catalogue, made of the same tables.
#![cfg(any(target_os = "linux", windows))]
#![cfg_attr(windows, allow(dead_code, reason = "some rooms are of Linux alone"))]

#[path = "../common/mod.rs"]
mod common;

/// The exhibits of a room: a table of all, and a test of each, under the name before it. `(unix)`
/// stands behind the names of those that use what only Unix has.
macro_rules! room {
    ($($name:ident $(($only:ident))?: $exhibit:expr,)*) => {
        pub(crate) const ALL: &[crate::exhibit::Exhibit] = &[$($exhibit $(.$only())?),*];
        $(
            $(#[cfg($only)])?
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
#[cfg(target_os = "linux")]
mod catalogue;
#[cfg(target_os = "linux")]
mod crowd;
mod exhibit;
#[cfg(target_os = "linux")]
mod killed;
#[cfg(target_os = "linux")]
mod left;
mod module;
mod native;
mod record_tally;
mod remains;
mod show;
#[cfg(target_os = "linux")]
mod special;
#[cfg(target_os = "linux")]
mod unasked;
#[cfg(target_os = "linux")]
mod walls;
mod wasm;

/// Everything that is made of C.
#[cfg(target_os = "linux")]
pub(crate) fn in_c() -> impl Iterator<Item = &'static exhibit::Exhibit> {
    let libraries = native::ALL.iter().chain(native::shared::ALL);
    libraries.chain(brain::ALL).chain(brain::shared::ALL)
}
