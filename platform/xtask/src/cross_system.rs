//! Other systems from a Linux machine. Debian's newest suite has a compiler with the source of its
//! library, linkers for Windows and aarch64, Wine and qemu; no other place has them all. A small
//! system of that suite lies in the user's cache: it is made once, and each command enters it.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use xshell::{Cmd, Shell, cmd};

use crate::process;
use crate::provision;

/// The suite that moves: a stable one has no compiler that is new enough.
const SUITE: &str = "sid";

/// What it needs beyond the smallest system.
const PACKAGES: &str = "rustc cargo rust-src gcc-mingw-w64-x86-64-win32 g++-mingw-w64-x86-64-win32 \
    gcc-mingw-w64-i686-win32 wine wine64 libgl1 libegl1 libgl1-mesa-dri nsis \
    ca-certificates pkg-config git python3-pip zip";
/// What it needs for aarch64, whose standard library comes ready.
const PACKAGES_ARM: &str = "libstd-rust-dev:arm64 gcc-aarch64-linux-gnu g++-aarch64-linux-gnu \
    libc6-dev-arm64-cross qemu-user";

/// A C compiler, from the Python package index, with the headers of macOS and of every version of
/// Linux' C library.
const ZIG: &str = "ziglang";
/// How it is called for a system, and what it calls that. Programs for Linux need no newer C
/// library than Debian 11 has.
pub(crate) const ZIG_TARGETS: [(&str, &str); 3] = [
    ("/usr/local/bin/cc-aarch64-macos", "aarch64-macos"),
    ("/usr/local/bin/cc-x86_64-linux", "x86_64-linux-gnu.2.31"),
    ("/usr/local/bin/cc-aarch64-linux", "aarch64-linux-gnu.2.31"),
];
/// Leaves out what other compilers are told of the same, and names its own unwinder.
const ZIG_SCRIPT: &str = r#"#!/bin/sh
for word; do
    shift
    case $word in
        --target=* | -arch | arm64 | -isysroot | "$SDKROOT" | -mmacosx-version-min=*) ;;
        -lgcc_s | -lgcc_eh) set -- "$@" -lunwind ;;
        -lgcc) ;;
        *) set -- "$@" "$word" ;;
    esac
done
exec python3 -m ziglang cc -target @TARGET@ "$@"
"#;

/// The file that says what a finished system has.
const MARK: &str = "etc/tengen-packages";

/// The longest that a step of making it may take.
const PATIENCE: Duration = Duration::from_secs(30 * 60);

/// The home of the user in it.
pub(crate) const HOME: &str = "/root";

/// Mounts what a command needs within a namespace of its own, so that nothing stays mounted, and
/// runs it there. The words are the system, a list of pairs of folders to mount, each `FROM TO`, up
/// to `--`, the working folder, and the command.
const ENTER: &str = r#"
set -e
root=$0
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
while [ "$1" != -- ]; do
    mkdir -p "$root$2"
    mount --bind "$1" "$root$2"
    shift 2
done
at=$2
shift 2
exec chroot "$root" env -i HOME=@HOME@ LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    sh -c 'cd "$0" && exec env "$@"' "$at" "$@"
"#;

/// The system that compiles for others.
#[derive(Clone)]
pub(crate) struct CrossSystem {
    root: PathBuf,
    /// Folders of this machine that commands see, and where.
    folders: Vec<(PathBuf, PathBuf)>,
}

impl CrossSystem {
    /// The system, if it has been made on this machine.
    pub(crate) fn find(sh: &Shell) -> Result<Option<CrossSystem>> {
        let system = CrossSystem::at(sh, place()?)?;
        let mark = fs::read_to_string(system.root.join(MARK)).unwrap_or_default();
        Ok((mark == packages()).then_some(system))
    }

    /// The system, which is made now if it has not been made before.
    pub(crate) fn provide(sh: &Shell) -> Result<CrossSystem> {
        if let Some(system) = CrossSystem::find(sh)? {
            return Ok(system);
        }
        ensure!(cfg!(target_os = "linux"), "the compilers for other systems need Linux");
        ensure!(cmd!(sh, "id -u").quiet().read()? == "0", "only root can set up another system");
        let root = place()?;
        println!(
            "   setting up compilers for other systems in {}: about 10 minutes and 5 GB, once",
            root.display()
        );
        if !root.exists() {
            make(sh, &root)?;
        }
        let system = CrossSystem::at(sh, root)?;
        system.install(sh)?;
        Ok(system)
    }

    fn at(sh: &Shell, root: PathBuf) -> Result<CrossSystem> {
        let repository = sh.current_dir();
        let target = sh.create_dir(process::target(sh, "")?)?;
        let cargo = env::var_os("CARGO_HOME").map(PathBuf::from);
        let cargo = cargo.map_or_else(|| home().map(|home| home.join(".cargo")), Ok)?;
        let registry = sh.create_dir(cargo.join("registry"))?;
        let folders = vec![
            (repository.clone(), repository),
            (target.clone(), target),
            (registry, Path::new(HOME).join(".cargo/registry")),
        ];
        Ok(CrossSystem { root, folders })
    }

    /// Shows commands a folder of this machine under another path of it.
    pub(crate) fn show(mut self, from: PathBuf, to: PathBuf) -> CrossSystem {
        self.folders.push((from, to));
        self
    }

    /// A command that is run in the system, from a folder that it sees. Words of the form
    /// `NAME=VALUE` before it are variables.
    pub(crate) fn command<'a>(
        &self,
        sh: &'a Shell,
        folder: &Path,
        words: impl IntoIterator<Item = impl AsRef<OsStr>>,
    ) -> Cmd<'a> {
        let root = &self.root;
        let script = ENTER.replace("@HOME@", HOME);
        let enter = cmd!(sh, "unshare --mount --propagation private sh -c {script} {root}");
        let folders = self.folders.iter().flat_map(|(from, to)| [from, to]);
        let enter = enter.args(folders).arg("--").arg(folder);
        // Behind a gateway nothing is reached without these.
        let names = ["http_proxy", "https_proxy", "no_proxy"];
        let proxies = names.iter().filter_map(|name| Some((name, env::var(name).ok()?)));
        let proxies = proxies.map(|(name, value)| format!("{name}={value}"));
        enter.args(proxies).args(words).quiet()
    }

    /// A command of the system's cargo, which builds in a folder of its own: another compiler would
    /// throw away what the usual one built.
    pub(crate) fn cargo<'a>(
        &self,
        sh: &'a Shell,
        target: &str,
        variables: &[&str],
        words: &str,
    ) -> Result<Cmd<'a>> {
        let folder = process::target(sh, target)?;
        let target_dir = format!("CARGO_TARGET_DIR={}", folder.display());
        let own = ["RUSTC_BOOTSTRAP=1", "CARGO_INCREMENTAL=0", &target_dir];
        let variables = own.into_iter().chain(variables.iter().copied());
        let mut words = words.split_whitespace();
        let name = words.next().context("cargo is given a command")?;
        let words = variables.chain(["cargo", name, "--locked"]).chain(words);
        Ok(self.command(sh, &sh.current_dir(), words))
    }

    /// Installs what is missing, and marks the system as finished.
    fn install(&self, sh: &Shell) -> Result<()> {
        let apt_get = |words: &str| {
            let options = "apt-get -q -y -o Acquire::Check-Valid-Until=false -o Acquire::Retries=2 \
                -o Dpkg::Use-Pty=0";
            let words = options.split_whitespace().chain(words.split_whitespace());
            process::run_within(self.command(sh, Path::new("/"), words), PATIENCE)
        };
        let dpkg = self.command(sh, Path::new("/"), ["dpkg", "--add-architecture", "arm64"]);
        dpkg.run()?;
        apt_get("update")?;
        apt_get(&format!("install --no-install-recommends {PACKAGES} {PACKAGES_ARM}"))?;
        apt_get("clean")?;
        // The machine's own certificates: a gateway may sign with one of its own.
        let certificates = Path::new("etc/ssl/certs/ca-certificates.crt");
        if Path::new("/").join(certificates).exists() {
            fs::copy(Path::new("/").join(certificates), self.root.join(certificates))?;
        }
        let pip = "python3 -m pip install --quiet --break-system-packages --no-cache-dir \
            --root-user-action ignore";
        let pip = pip.split_whitespace().chain([ZIG]);
        process::run_within(self.command(sh, Path::new("/"), pip), PATIENCE)?;
        for (path, target) in ZIG_TARGETS {
            let script = self.root.join(path.trim_start_matches('/'));
            sh.write_file(&script, ZIG_SCRIPT.replace("@TARGET@", target))?;
            cmd!(sh, "chmod 755 {script}").quiet().run()?;
        }
        Ok(fs::write(self.root.join(MARK), packages())?)
    }
}

fn packages() -> String {
    format!("{PACKAGES} {PACKAGES_ARM} {ZIG}\n")
}

fn home() -> Result<PathBuf> {
    env::var_os("HOME").map(PathBuf::from).context("HOME is not set")
}

/// Where the system is, outside the repository: a clean checkout finds it.
fn place() -> Result<PathBuf> {
    Ok(cache()?.join("cross"))
}

/// The folder of the user's cache for what these tasks fetch once.
pub(crate) fn cache() -> Result<PathBuf> {
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.map_or_else(|| home().map(|home| home.join(".cache")), Ok)?;
    Ok(cache.join("tengen"))
}

/// The mirror of Debian that apt uses here.
pub(crate) fn mirror(sh: &Shell) -> Result<String> {
    let mirrors = cmd!(sh, "apt-get indextargets")
        .args(["--format", "$(REPO_URI)", "Created-By: Packages"])
        .quiet()
        .read()?;
    let is_main = |line: &&str| line.trim_end_matches('/').ends_with("/debian");
    let mirror = mirrors.lines().find(is_main).context("apt knows no mirror of Debian")?;
    Ok(mirror.to_owned())
}

/// Makes the smallest system of the suite, which is there as a whole or not at all.
fn make(sh: &Shell, root: &Path) -> Result<()> {
    provision::debootstrap(sh)?;
    let mirror = mirror(sh)?;
    let part = root.with_extension("part");
    sh.remove_path(&part)?;
    sh.create_dir(&part)?;
    let make = cmd!(sh, "debootstrap --variant=minbase {SUITE} {part} {mirror}").ignore_stdout();
    process::run_within(make, PATIENCE)?;
    for file in ["etc/resolv.conf", "etc/hosts"] {
        fs::copy(Path::new("/").join(file), part.join(file))?;
    }
    Ok(fs::rename(&part, root)?)
}
