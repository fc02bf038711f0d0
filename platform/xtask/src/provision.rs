//! Looks for the tools that a build needs, and installs what is missing.

use std::env;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use xshell::{Cmd, Shell, cmd};

use crate::process;

/// What cargo calls WebAssembly.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";

const DEBIAN_RUST: &str = "rustc-web cargo-web rust-web-src";
const DEBIAN_CLANG: &str = "clang-19 lld-19";
/// What shows windows where there is no screen, and what clicks in them.
const DEBIAN_DISPLAY: &str = "xvfb xclip xdotool imagemagick libgl1 libegl1 libgl1-mesa-dri \
    libx11-6 libx11-xcb1 libxcursor1 libxi6 libxkbcommon-x11-0";
const DEBIAN_BROWSER: &str = "chromium fonts-dejavu-core fonts-wqy-microhei";

/// Finds, or else provides, a cargo that builds for WebAssembly: what is there already goes first,
/// then `rustup`, then the packages of Debian.
pub(crate) fn rust_wasm(sh: &Shell) -> Result<Cmd<'_>> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let libraries = PathBuf::from(cmd!(sh, "{rustc} --print sysroot").read()?).join("lib/rustlib");
    let has_target = || libraries.join(WASM).join("lib").is_dir();
    let find = || match debian_cargo(sh, &libraries) {
        _ if has_target() => Ok(process::cargo(sh, "")),
        Some(cargo) => Ok(cargo),
        None => bail!("the target {WASM} is missing; install it by `rustup target add {WASM}`"),
    };
    if find().is_err() && process::succeeds(cmd!(sh, "rustup --version")) {
        println!("   adding the target {WASM} by rustup");
        let add = cmd!(sh, "rustup target add {WASM}").env("RUSTUP_MAX_RETRIES", "1");
        match process::run_within(add, Duration::from_secs(180)) {
            Ok(()) if has_target() => {}
            Ok(()) => eprintln!("warning: rustup added {WASM} to another toolchain"),
            Err(error) => eprintln!("warning: {error:#}"),
        }
    }
    provide(sh, DEBIAN_RUST, find)
}

/// Debian's compiler has no ready standard library for the target, but its source. Its packages
/// bring no linker for WebAssembly; a toolchain of rustup does, and so does lld.
fn debian_cargo<'a>(sh: &'a Shell, libraries: &Path) -> Option<Cmd<'a>> {
    let needed = ["/usr/bin/rustc", "/usr/bin/cargo", "/usr/lib/rustlib/src/rust/library"];
    let hosts = sh.read_dir(libraries).unwrap_or_default().into_iter();
    let system = ["/usr/bin/rust-lld", "/usr/bin/wasm-ld-19", "/usr/bin/wasm-ld"];
    let linkers = hosts.map(|host| host.join("bin/rust-lld")).chain(system.map(PathBuf::from));
    let linker = linkers.into_iter().find(|path| path.exists())?;
    if !needed.iter().all(|path| Path::new(path).exists()) {
        return None;
    }
    // Without the features of std, of which backtraces are the costly one: a module has none.
    let mut cargo = cmd!(sh, "/usr/bin/cargo -Zbuild-std=std,panic_abort -Zbuild-std-features=")
        .env("RUSTC", "/usr/bin/rustc")
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
    // What the usual toolchain set for its own children would lead this one astray.
    for name in ["CARGO", "RUSTDOC", "RUSTUP_TOOLCHAIN", "LD_LIBRARY_PATH"] {
        cargo = cargo.env_remove(name);
    }
    Some(cargo.quiet())
}

/// Finds, or else provides, a clang that compiles and links for WebAssembly. Not every clang has
/// the target and its linker: only a try shows.
pub(crate) fn clang_for_wasm(sh: &Shell) -> Result<Cmd<'_>> {
    let folder = process::target(sh, "c")?;
    let (probe, module) = (folder.join("probe.c"), folder.join("probe.wasm"));
    sh.write_file(&probe, "int probe(void) { return 0; }\n")?;
    let names = ["clang", "clang-19", "clang-20", "clang-21", "clang-18", "clang-17", "clang-16"];
    let clang = |name: &str| cmd!(sh, "{name} --target={WASM} -nostdlib");
    provide(sh, DEBIAN_CLANG, || {
        let trial = |name| clang(name).arg("-Wl,--no-entry").arg(&probe).arg("-o").arg(&module);
        let found = names.into_iter().find(|name| process::succeeds(trial(name)));
        found.map(&clang).context("no clang with wasm-ld was found; install clang and lld")
    })
}

/// Finds, or else provides, a display without a screen, with OpenGL by software.
pub(crate) fn display(sh: &Shell) -> Result<()> {
    provide(sh, DEBIAN_DISPLAY, || {
        // A display without OpenGL shows no window; no program says where the drivers are.
        let libraries = ":/usr/lib:/usr/lib/x86_64-linux-gnu:/usr/lib/aarch64-linux-gnu";
        let path = env::var("PATH").unwrap_or_default() + libraries;
        let is_there = |name: &str| env::split_paths(&path).any(|at| at.join(name).exists());
        let programs = ["Xvfb", "xclip", "xdotool", "import"].into_iter();
        let needed = programs.chain(["libGL.so.1", "libEGL.so.1", "libxkbcommon-x11.so.0", "dri"]);
        let missing: Vec<&str> = needed.filter(|name| !is_there(name)).collect();
        ensure!(missing.is_empty(), "{} cannot be found", missing.join(", "));
        Ok(())
    })
}

/// Finds, or else provides, a browser that runs without a screen.
pub(crate) fn browser(sh: &Shell) -> Result<&'static str> {
    provide(sh, DEBIAN_BROWSER, || {
        let names = ["chromium", "chromium-browser", "google-chrome"];
        // There are files of that name that only say how to install it.
        let runs = |name: &&str| process::succeeds(cmd!(sh, "{name} --version"));
        names.into_iter().find(runs).context("no Chromium")
    })
}

/// Finds, or else provides, what makes a small Debian in a folder.
pub(crate) fn debootstrap(sh: &Shell) -> Result<()> {
    provide(sh, "debootstrap", || {
        let is_there = process::succeeds(cmd!(sh, "debootstrap --version"));
        ensure!(is_there, "debootstrap cannot be found");
        Ok(())
    })
}

/// What is found now, or once packages are installed where that is possible.
fn provide<T>(sh: &Shell, packages: &str, find: impl Fn() -> Result<T>) -> Result<T> {
    find().or_else(|_| {
        if let Err(error) = apt_install(sh, packages) {
            eprintln!("warning: {error:#}");
        }
        let install = format!("apt-get install --no-install-recommends {packages}");
        find().map_err(|error| anyhow!("{error:#}; on Debian, as root: `{install}`"))
    })
}

/// Installs packages as root on Debian and its kin.
fn apt_install(sh: &Shell, packages: &str) -> Result<()> {
    let is_debian = Path::new("/etc/debian_version").exists();
    ensure!(is_debian, "this is no Debian, so {packages} cannot be installed here");
    ensure!(cmd!(sh, "id -u").read()? == "0", "only root can install {packages}");
    println!("   installing {packages} by apt-get");
    let apt_get = |words: &str| {
        let options = "-q -o DPkg::Lock::Timeout=120 -o Acquire::Retries=1 \
            -o Acquire::http::Timeout=20 -o Dpkg::Use-Pty=0";
        let words = options.split_whitespace().chain(words.split_whitespace());
        let apt_get = sh.cmd("apt-get").args(words).env("DEBIAN_FRONTEND", "noninteractive");
        process::run_within(apt_get, Duration::from_secs(300))
    };
    let install = format!("install -y --no-install-recommends {packages}");
    // A fresh machine has no lists of packages, and old lists name files that are gone.
    apt_get(&install).or_else(|_| {
        apt_get("update")?;
        apt_get(&install)
    })
}
