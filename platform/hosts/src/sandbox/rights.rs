use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, set_capabilities, set_no_new_privs,
};

/// Lets nothing that this process runs gain rights.
pub(super) fn no_new_privs() -> Result<(), String> {
    set_no_new_privs(true).map_err(|error| error.to_string())
}

/// Gives up the capabilities that a process of root has; without them the limits on resources are
/// out of its reach. The right to read any file stays, for an engine may lie in the folder of a
/// user whom root plays for, and what may be read is for another wall to say.
pub(super) fn no_capabilities() -> Result<(), String> {
    let kept = capabilities(None).map_err(|error| error.to_string())?.permitted
        & CapabilitySet::DAC_READ_SEARCH;
    let sets =
        CapabilitySets { effective: kept, permitted: kept, inheritable: CapabilitySet::empty() };
    set_capabilities(None, sets).map_err(|error| error.to_string())
}
