//! Starts a process of this program: from a zygote, or directly.

use std::fs::File;
use std::io;
use std::process::Command;

use crate::platform::{Started, Zygote};

/// Starts what the command says: from that zygote, if there is one and it can, in that namespace of
/// networks, and else directly.
pub(super) fn spawn(
    command: &mut Command,
    zygote: Option<&Zygote>,
    net_ns: Option<&File>,
) -> io::Result<Started> {
    if let Some(zygote) = zygote {
        match zygote.spawn(command, net_ns) {
            Ok(started) => return Ok(started),
            Err(error) => log::debug!("a process is started directly: {error}"),
        }
    }
    let mut child = command.spawn()?;
    match (child.stdin.take(), child.stdout.take(), child.stderr.take()) {
        (Some(input), Some(output), Some(errors)) => Ok((child.into(), input, output, errors)),
        _ => Err(io::Error::other("a pipe of the process is missing")),
    }
}
