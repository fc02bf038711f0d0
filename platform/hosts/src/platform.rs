//! What differs between operating systems: process groups, the pipes of a child, and the walls
//! around an engine. Every wall is a best effort; the layers that held are reported.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use unix::{confine, describe_exit, give_group, is_private, kill_group, make_private};
#[cfg(unix)]
pub(crate) use unix::{default_signals, forbid_files, take_wires, tie_to_parent};
#[cfg(windows)]
pub(crate) use windows::{
    confine, describe_exit, give_group, is_private, kill_group, make_private,
};
#[cfg(windows)]
pub(crate) use windows::{default_signals, forbid_files, take_wires, tie_to_parent};

/// The two ends of a child's conversation with the arbiter.
pub(crate) struct Wires {
    /// Requests come here.
    pub requests: std::fs::File,
    /// Answers go there.
    pub answers: std::fs::File,
}
