//! Looks for the tools that a build needs, and installs what is missing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::process;
use crate::workspace;

const TARGET: &str = "wasm32-unknown-unknown";
const DEBIAN_RUST: [&str; 3] = ["rustc-web", "cargo-web", "rust-web-src"];
/// What shows windows where there is no screen, and the hand that clicks in them.
const DEBIAN_DISPLAY: [&str; 12] = [
    "xvfb",
    "xclip",
    "xdotool",
    "imagemagick",
    "libgl1",
    "libegl1",
    "libgl1-mesa-dri",
    "libx11-6",
    "libx11-xcb1",
    "libxcursor1",
    "libxi6",
    "libxkbcommon-x11-0",
];
const DEBIAN_BROWSER: [&str; 3] = ["chromium", "fonts-dejavu-core", "fonts-wqy-microhei"];
const DEBIAN_CLANG: [&str; 2] = ["clang-19", "lld-19"];

/// What builds Rust for WebAssembly.
pub(crate) enum WasmToolchain {
    /// The usual toolchain has the target.
    Installed,
    /// Debian's toolchain, which builds the standard library itself.
    Debian {
        /// What links.
        linker: PathBuf,
    },
}

/// Finds, or else provides, what builds Rust for WebAssembly: what is there already goes first,
/// then `rustup`, then the packages of Debian.
pub(crate) fn rust_wasm() -> Result<WasmToolchain> {
    let sysroot = sysroot()?;
    if has_target(&sysroot) {
        return Ok(WasmToolchain::Installed);
    }
    if let Some(toolchain) = debian(&sysroot) {
        return Ok(toolchain);
    }
    if process::succeeds(Command::new("rustup").arg("--version")) {
        println!("   adding the target {TARGET} by rustup");
        let mut add = Command::new("rustup");
        add.args(["target", "add", TARGET]).env("RUSTUP_MAX_RETRIES", "1");
        match process::run_within(&mut add, Duration::from_secs(180)) {
            Ok(()) if has_target(&sysroot) => return Ok(WasmToolchain::Installed),
            Ok(()) => eprintln!("warning: rustup added {TARGET} to another toolchain"),
            Err(error) => eprintln!("warning: {error:#}"),
        }
    }
    if let Err(error) = apt_install(&DEBIAN_RUST) {
        eprintln!("warning: {error:#}");
    }
    match debian(&sysroot) {
        Some(toolchain) => Ok(toolchain),
        None => bail!(
            "the target {TARGET} is missing; install it by `rustup target add {TARGET}`, or on \
             Debian as root by `apt-get install --no-install-recommends {}`",
            DEBIAN_RUST.join(" ")
        ),
    }
}

fn sysroot() -> Result<PathBuf> {
    let sysroot = process::output(Command::new(workspace::rustc()).args(["--print", "sysroot"]))?;
    Ok(PathBuf::from(sysroot.trim()))
}

fn has_target(sysroot: &Path) -> bool {
    sysroot.join("lib/rustlib").join(TARGET).join("lib").is_dir()
}

fn debian(sysroot: &Path) -> Option<WasmToolchain> {
    let present = ["/usr/bin/rustc", "/usr/bin/cargo", "/usr/lib/rustlib/src/rust/library"];
    let linker = linker(sysroot)?;
    present.iter().all(|path| Path::new(path).exists()).then_some(WasmToolchain::Debian { linker })
}

/// Debian's packages bring no linker for WebAssembly; a toolchain of rustup does, and so does lld.
fn linker(sysroot: &Path) -> Option<PathBuf> {
    let hosts = fs::read_dir(sysroot.join("lib/rustlib")).ok()?;
    let bundled = hosts.flatten().map(|host| host.path().join("bin/rust-lld"));
    let system =
        ["/usr/bin/rust-lld", "/usr/bin/wasm-ld-19", "/usr/bin/wasm-ld"].map(PathBuf::from);
    bundled.chain(system).find(|path| path.exists())
}

/// Finds, or else provides, a clang that compiles and links for WebAssembly.
pub(crate) fn clang_for_wasm() -> Result<Command> {
    if let Some(clang) = find_clang()? {
        return Ok(clang);
    }
    if let Err(error) = apt_install(&DEBIAN_CLANG) {
        eprintln!("warning: {error:#}");
    }
    match find_clang()? {
        Some(clang) => Ok(clang),
        None => bail!(
            "no clang with wasm-ld was found; install clang and lld, on Debian as root by \
             `apt-get install --no-install-recommends {}`",
            DEBIAN_CLANG.join(" ")
        ),
    }
}

/// Not every clang has the target and its linker: only a try shows.
fn find_clang() -> Result<Option<Command>> {
    let folder = workspace::target()?.join("c");
    fs::create_dir_all(&folder)?;
    let probe = folder.join("probe.c");
    fs::write(&probe, "int probe(void) { return 0; }\n")?;
    for name in ["clang", "clang-19", "clang-20", "clang-21", "clang-18", "clang-17", "clang-16"] {
        let clang = || {
            let mut clang = Command::new(name);
            clang.args(["--target=wasm32-unknown-unknown", "-nostdlib"]);
            clang
        };
        let mut trial = clang();
        trial.arg("-Wl,--no-entry").arg(&probe).arg("-o").arg(folder.join("probe.wasm"));
        if process::succeeds(&mut trial) {
            return Ok(Some(clang()));
        }
    }
    Ok(None)
}

/// Finds, or else provides, a display without a screen, with OpenGL by software.
pub(crate) fn display() -> Result<()> {
    let missing = || {
        let programs = ["Xvfb", "xclip", "xdotool", "import"];
        let path = std::env::var_os("PATH").unwrap_or_default();
        let is_there =
            |name: &&str| std::env::split_paths(&path).any(|folder| folder.join(name).exists());
        let mut missing: Vec<&str> = programs.into_iter().filter(|name| !is_there(name)).collect();
        // A display without OpenGL shows no window; no program says where the drivers are.
        let folders = ["/usr/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"];
        for library in ["libGL.so.1", "libEGL.so.1", "libxkbcommon-x11.so.0", "dri"] {
            if !folders.iter().any(|folder| Path::new(folder).join(library).exists()) {
                missing.push(library);
            }
        }
        missing
    };
    if missing().is_empty() {
        return Ok(());
    }
    if let Err(error) = apt_install(&DEBIAN_DISPLAY) {
        eprintln!("warning: {error:#}");
    }
    match missing()[..] {
        [] => Ok(()),
        ref missing => bail!(
            "{} cannot be found; on Debian, as root: `apt-get install --no-install-recommends {}`",
            missing.join(", "),
            DEBIAN_DISPLAY.join(" ")
        ),
    }
}

/// Finds, or else provides, a browser that runs without a screen.
pub(crate) fn browser() -> Result<PathBuf> {
    let find = || {
        let names = ["chromium", "chromium-browser", "google-chrome"];
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
        let mut places = folders.iter().flat_map(|folder| names.map(|name| folder.join(name)));
        // There are files of that name that only say how to install it.
        places.find(|place| {
            place.is_file() && process::succeeds(Command::new(place).arg("--version"))
        })
    };
    if let Some(browser) = find() {
        return Ok(browser);
    }
    if let Err(error) = apt_install(&DEBIAN_BROWSER) {
        eprintln!("warning: {error:#}");
    }
    find().with_context(|| {
        format!(
            "no Chromium; on Debian, as root: `apt-get install --no-install-recommends {}`",
            DEBIAN_BROWSER.join(" ")
        )
    })
}

/// Installs packages where that is possible: as root on Debian and its kin.
fn apt_install(packages: &[&str]) -> Result<()> {
    if !Path::new("/etc/debian_version").exists() {
        bail!("this is no Debian, so {} cannot be installed here", packages.join(" "));
    }
    let id = process::output(Command::new("id").arg("-u"))?;
    if id.trim() != "0" {
        bail!("only root can install {}", packages.join(" "));
    }
    println!("   installing {} by apt-get", packages.join(" "));
    // A fresh machine has no lists of packages, and old lists name files that are gone.
    let installed = apt_get(&["install", "-y", "--no-install-recommends"], packages);
    installed.or_else(|_| {
        apt_get(&["update"], &[])?;
        apt_get(&["install", "-y", "--no-install-recommends"], packages)
    })
}

fn apt_get(words: &[&str], packages: &[&str]) -> Result<()> {
    let mut apt = Command::new("apt-get");
    apt.args(["-q", "-o", "DPkg::Lock::Timeout=120", "-o", "Acquire::Retries=1"]);
    apt.args(["-o", "Acquire::http::Timeout=20", "-o", "Dpkg::Use-Pty=0"]);
    apt.args(words).args(packages).env("DEBIAN_FRONTEND", "noninteractive");
    process::run_within(&mut apt, Duration::from_secs(300))
}
