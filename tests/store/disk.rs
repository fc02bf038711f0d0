//! A disk that fails at a given operation.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::common::compile;

/// How it fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DiskFault {
    /// Once.
    Error,
    /// From then on.
    Dead,
    /// It is full from then on.
    Full,
    /// The program is killed in the middle of the operation.
    Kill,
}

/// Lets the operation of this number in the folder fail.
pub fn fail_at(command: &mut Command, number: u32, fault: DiskFault, folder: &Path, log: &Path) {
    let kind = match fault {
        DiskFault::Error => "error",
        DiskFault::Dead => "dead",
        DiskFault::Full => "full",
        DiskFault::Kill => "kill",
    };
    command.env("LD_PRELOAD", library()).env("TENGEN_FAULT_KIND", kind);
    command.env("TENGEN_FAULT_AT", number.to_string());
    command.env("TENGEN_FAULT_DIR", folder).env("TENGEN_FAULT_LOG", log);
}

/// The operation that failed: its number and name, as the disk tells it.
pub fn failed(log: &Path) -> Option<String> {
    fs::read_to_string(log).ok().map(|text| text.trim().to_owned())
}

/// The library, built when it is first asked for.
fn library() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let (library, mine) = (folder.join("failing_disk.so"), std::process::id());
        let unfinished = folder.join(format!("failing_disk.{mine}.so"));
        let flags = ["-std=gnu11", "-O1", "-shared", "-fPIC", "-ldl"];
        compile("tests/store/failing_disk.c", &unfinished, &flags);
        // Tests that run side by side make the same.
        fs::rename(&unfinished, &library).unwrap();
        library
    })
}
