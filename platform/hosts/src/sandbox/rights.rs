//! The layer of rights: privileges and capabilities.

use rustix::io::Errno;
use rustix::thread::{
    CapabilitiesSecureBits, CapabilitySet, CapabilitySets, capabilities,
    configure_capability_in_ambient_set, remove_capability_from_bounding_set, set_capabilities,
    set_capabilities_secure_bits, set_no_new_privs,
};

/// Lets nothing that this process runs gain rights.
pub(super) fn no_new_privs() -> Result<(), String> {
    set_no_new_privs(true).map_err(|error| error.to_string())
}

/// The right to read any file. An engine keeps it: its files may belong to a user for whom root
/// plays, and another layer decides which files may be read.
pub(super) const KEPT: CapabilitySet = CapabilitySet::DAC_READ_SEARCH;

/// Gives up the capabilities that a process of root has, except these and [`KEPT`]; without them it
/// cannot raise its resource limits.
pub(super) fn no_capabilities(but: CapabilitySet) -> Result<(), String> {
    let for_good = no_way_back();
    keep(KEPT.union(but), CapabilitySet::empty()).map_err(|error| error.to_string())?;
    // Where that could not be done, nothing is gained by running a program if this says so.
    if no_new_privs_hold() { Ok(()) } else { for_good.map_err(|error| error.to_string()) }
}

/// Lets no program that root runs have its capabilities again.
fn no_way_back() -> rustix::io::Result<()> {
    let own = capabilities(None)?;
    if own.permitted.is_empty() && !rustix::process::geteuid().is_root() {
        return Ok(());
    }
    for capability in CapabilitySet::all().difference(KEPT).iter() {
        match remove_capability_from_bounding_set(capability) {
            // An older kernel has not got it.
            Ok(()) | Err(Errno::INVAL) => {}
            Err(error) => return Err(error),
        }
    }
    let no_root = CapabilitiesSecureBits::NO_ROOT | CapabilitiesSecureBits::NO_ROOT_LOCKED;
    set_capabilities_secure_bits(no_root)
}

fn no_new_privs_hold() -> bool {
    rustix::thread::no_new_privs().unwrap_or(false)
}

/// Gives up every capability but [`KEPT`].
pub(super) fn only_kept() -> Result<(), String> {
    keep(KEPT, CapabilitySet::empty()).map_err(|error| error.to_string())
}

/// Gives up every capability.
pub(super) fn none_at_all() -> Result<(), String> {
    keep(CapabilitySet::empty(), CapabilitySet::empty()).map_err(|error| error.to_string())
}

/// Gives up every capability but [`KEPT`], which the program that this process becomes has too.
pub(super) fn pass_on() -> Result<(), String> {
    let has_it = capabilities(None).map(|own| own.permitted.contains(KEPT));
    let passed = has_it.and_then(|has_it| {
        keep(KEPT, KEPT)?;
        if has_it { configure_capability_in_ambient_set(KEPT, true) } else { Ok(()) }
    });
    passed.map_err(|error| error.to_string())
}

fn keep(kept: CapabilitySet, inheritable: CapabilitySet) -> rustix::io::Result<()> {
    let kept = capabilities(None)?.permitted & kept;
    let inheritable = kept & inheritable;
    set_capabilities(None, CapabilitySets { effective: kept, permitted: kept, inheritable })
}
