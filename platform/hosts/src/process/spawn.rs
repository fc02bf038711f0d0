//! Starts a process of this program: from a zygote, or directly.

use std::fs::File;
use std::io;
use std::process::Command;

use crate::HostSettings;
use crate::host::HostArgs;
use crate::platform::{self, GroupLimits, Started, StartedProcess, Zygote};
use crate::protocol::Ready;
#[cfg(windows)]
use crate::{ExportSet, sandbox::Sandbox};

/// Starts what the command says: from that zygote, if there is one and it can, in that namespace
/// of networks, and else directly. `limits`, and whether it is `closed` from its beginning, are for
/// systems where a process is born with that.
pub(super) fn spawn(
    command: &mut Command,
    zygote: Option<&Zygote>,
    net_ns: Option<&File>,
    limits: GroupLimits,
    closed: bool,
) -> io::Result<Started> {
    if let Some(zygote) = zygote {
        match zygote.spawn(command, net_ns) {
            Ok(started) => return Ok(started),
            Err(error) => log::debug!("a process is started directly: {error}"),
        }
    }
    platform::spawn(command, limits, closed)
}

/// Lets a new process run. For a program that was started at once, by those arguments, gives what
/// it is ready with, or why it must not run.
#[cfg(windows)]
pub(super) fn begin(
    child: &StartedProcess,
    direct: Option<&HostArgs>,
    settings: &HostSettings,
) -> io::Result<Option<Result<Ready, String>>> {
    let admitted = direct.map(|args| {
        let sandbox = Sandbox::of_started(child);
        if let Some(reason) = args.missed(&sandbox) {
            return Err(reason);
        }
        let layers = sandbox.held().iter().map(|layer| (*layer).to_owned()).collect();
        let (gaps, exports) = (sandbox.gaps().to_vec(), ExportSet::default());
        Ok(Ready { minor: 0, exports, layers, gaps, description: String::new() })
    });
    if let (Some(debug), true) = (&settings.debug, direct.is_some()) {
        debug.wait(child.id());
    }
    if !matches!(admitted, Some(Err(_))) {
        child.begin()?;
    }
    Ok(admitted)
}

/// It runs already.
#[cfg(not(windows))]
pub(super) fn begin(
    _: &StartedProcess,
    _: Option<&HostArgs>,
    _: &HostSettings,
) -> io::Result<Option<Result<Ready, String>>> {
    Ok(None)
}
