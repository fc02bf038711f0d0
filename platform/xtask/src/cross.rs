//! Checks what this machine does not run: Linux on aarch64, of which qemu runs a part, and macOS.

use anyhow::Result;
use xshell::{Cmd, Shell};

use crate::cross_system::{CrossSystem, ZIG_TARGETS};
use crate::steps::Steps;

/// The folder of builds within cargo's.
const FOLDER: &str = "cross";
const ARM: &str = "aarch64-unknown-linux-gnu";
const MACOS: &str = "aarch64-apple-darwin";
/// Everything but what links a fuzzer of this machine.
const EVERYTHING: &str = "check --workspace --all-targets --exclude tengen-fuzz";

/// The task `cross`.
pub(crate) fn run(sh: &Shell, steps: &mut Steps) -> Result<()> {
    let system = steps.step("compilers", |_| CrossSystem::provide(sh))?;
    steps.step("Linux on aarch64", |_| Ok(arm(sh, &system, EVERYTHING)?.run()?))?;
    let tests = "test --package tengen-rules --package tengen-arbiter --lib";
    steps.step("rules and arbiter under qemu", |_| Ok(arm(sh, &system, tests)?.run()?))?;
    steps.step("macOS on aarch64", |_| Ok(macos(sh, &system)?.run()?))
}

fn arm<'a>(sh: &'a Shell, system: &CrossSystem, words: &str) -> Result<Cmd<'a>> {
    let variables = [
        "CC_aarch64_unknown_linux_gnu=aarch64-linux-gnu-gcc",
        "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc",
        "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=qemu-aarch64 -L /usr/aarch64-linux-gnu",
    ];
    system.cargo(sh, FOLDER, &variables, &format!("{words} --target {ARM}"))
}

fn macos<'a>(sh: &'a Shell, system: &CrossSystem) -> Result<Cmd<'a>> {
    let [(compiler, _), ..] = ZIG_TARGETS;
    let compiler = format!("CC_aarch64_apple_darwin={compiler}");
    // The compiler has its own headers; what Apple's tools would be asked for is not needed.
    let variables = [&*compiler, "AR_aarch64_apple_darwin=ar", "SDKROOT=/tmp"];
    let words = format!("{EVERYTHING} -Zbuild-std=std,panic_unwind --target {MACOS}");
    system.cargo(sh, FOLDER, &variables, &words)
}
