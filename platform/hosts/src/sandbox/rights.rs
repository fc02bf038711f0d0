//! The layer of rights: privileges and capabilities.

use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, set_capabilities, set_no_new_privs,
};

/// Lets nothing that this process runs gain rights.
pub(super) fn no_new_privs() -> Result<(), String> {
    set_no_new_privs(true).map_err(|error| error.to_string())
}

/// Gives up the capabilities that a process of root has; without them it cannot raise its resource
/// limits. The right to read any file stays, for an engine may lie in the folder of a user for whom
/// root plays, and which files may be read is decided by another layer.
pub(super) fn no_capabilities() -> Result<(), String> {
    keep(CapabilitySet::DAC_READ_SEARCH)
}

/// Gives up every capability.
pub(super) fn none_at_all() -> Result<(), String> {
    keep(CapabilitySet::empty())
}

fn keep(kept: CapabilitySet) -> Result<(), String> {
    let kept = capabilities(None).map_err(|error| error.to_string())?.permitted & kept;
    let sets =
        CapabilitySets { effective: kept, permitted: kept, inheritable: CapabilitySet::empty() };
    set_capabilities(None, sets).map_err(|error| error.to_string())
}
