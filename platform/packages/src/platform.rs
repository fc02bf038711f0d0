//! What differs between systems: the rights of files.

#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub(super) use other::{
    forbids_programs, is_executable, is_private, keep_rights, link, make_private, make_read_only,
    make_writable, written_files,
};
#[cfg(unix)]
pub(super) use unix::{
    forbids_programs, is_executable, is_private, keep_rights, link, make_private, make_read_only,
    make_writable, written_files,
};
