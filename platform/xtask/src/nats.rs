//! A NATS server to try workers with.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use xshell::{Shell, cmd};

use crate::cross_system;
use crate::process;
use crate::steps::Steps;

/// The oldest server that does not lose what it has acknowledged.
const OLDEST: (u32, u32) = (2, 12);
/// Suites of Debian that have such a server, the most settled one first.
const SUITES: [&str; 2] = ["forky", "sid"];
const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";
const PROGRAM: &str = "nats-server";

/// The task `nats`: a server on this machine, until it is interrupted.
pub(crate) fn run(sh: &Shell, steps: &mut Steps) -> Result<()> {
    let server = steps.step("server", |_| provide(sh))?;
    let folder = process::target(sh, "nats")?;
    sh.create_dir(folder.join("store"))?;
    let config = folder.join("server.conf");
    sh.write_file(&config, configuration(&folder.join("store"), 4222))?;
    println!("   the server is at nats://127.0.0.1:4222 until Ctrl-C. In other terminals:");
    println!("     tengen worker --nats nats://127.0.0.1:4222");
    println!("     tengen match greedy alphabeta --workers nats://127.0.0.1:4222");
    Ok(cmd!(sh, "{server} --config {config}").run()?)
}

/// What a server on this machine alone is told: nothing is acknowledged that is not on the disk.
pub(crate) fn configuration(store: &Path, port: u16) -> String {
    let store = store.display();
    format!(
        "listen: 127.0.0.1:{port}\nmax_payload: 1MB\njetstream {{\n  store_dir: \"{store}\"\n  \
         sync_interval: always\n  max_memory_store: 64MB\n  max_file_store: 4GB\n}}\n"
    )
}

/// Finds a server that is new enough: on the PATH, or one that was fetched before; or fetches one.
pub(crate) fn provide(sh: &Shell) -> Result<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let cached = cross_system::cache()?.join("nats").join(PROGRAM);
    let found = env::split_paths(&path).map(|folder| folder.join(PROGRAM)).chain([cached.clone()]);
    if let Some(found) = found.into_iter().find(|server| is_new_enough(sh, server)) {
        return Ok(found);
    }
    let fetched = fetch(sh, &cached);
    fetched.with_context(|| {
        format!("no nats-server of version {}.{} or newer; put one on the PATH", OLDEST.0, OLDEST.1)
    })?;
    ensure!(is_new_enough(sh, &cached), "the nats-server that was fetched does not run");
    Ok(cached)
}

fn is_new_enough(sh: &Shell, server: &Path) -> bool {
    let told = cmd!(sh, "{server} --version").quiet().ignore_stderr().read().unwrap_or_default();
    let version = told.rsplit(['v', ' ']).next().unwrap_or_default();
    let mut numbers = version.split('.').map_while(|part| part.parse().ok());
    server.is_file() && (numbers.next(), numbers.next()) >= (Some(OLDEST.0), Some(OLDEST.1))
}

/// Gets the package of a newer suite of Debian, whose signature apt checks, and takes the program
/// out of it. It needs nothing of that suite.
fn fetch(sh: &Shell, to: &Path) -> Result<()> {
    ensure!(Path::new(KEYRING).exists(), "this is no Debian, so none can be fetched");
    let folder = process::target(sh, "nats")?.join("debian");
    sh.remove_path(&folder)?;
    for part in ["lists/partial", "archives/partial"] {
        sh.create_dir(folder.join(part))?;
    }
    println!("   fetching nats-server from a newer Debian");
    let mirror = cross_system::mirror(sh)?;
    let mut failed = anyhow!("no suite has one");
    for suite in SUITES {
        let sources = folder.join("sources.list");
        let line = format!("deb [signed-by={KEYRING}] {mirror} {suite} main\n");
        fs::write(&sources, line)?;
        let at = folder.display();
        let options = [
            format!("Dir::Etc::sourcelist={at}/sources.list"),
            "Dir::Etc::sourceparts=/nonexistent".to_owned(),
            format!("Dir::State::Lists={at}/lists"),
            format!("Dir::Cache::archives={at}/archives"),
            "Dir::Cache::pkgcache=".to_owned(),
            "Dir::Cache::srcpkgcache=".to_owned(),
            "APT::Sandbox::User=root".to_owned(),
            "Acquire::Retries=1".to_owned(),
        ];
        let options: Vec<String> =
            options.into_iter().flat_map(|it| ["-o".to_owned(), it]).collect();
        let apt = |words: &[&str]| {
            let _in = sh.push_dir(&folder);
            let apt = cmd!(sh, "apt-get -q").args(&options).args(words);
            process::run_within(apt, Duration::from_secs(180))
        };
        match apt(&["update"]).and_then(|()| apt(&["download", PROGRAM])) {
            Ok(()) => {}
            Err(error) => {
                failed = error;
                continue;
            }
        }
        let packages = sh.read_dir(&folder)?;
        let package = packages.iter().find(|path| path.extension().is_some_and(|it| it == "deb"));
        let package = package.context("apt-get downloaded nothing")?;
        let unpacked = folder.join("unpacked");
        cmd!(sh, "dpkg-deb -x {package} {unpacked}").run()?;
        let places = ["usr/sbin", "usr/bin"].map(|place| unpacked.join(place).join(PROGRAM));
        let program = places.into_iter().find(|path| path.exists()).context("it has no program")?;
        if let Some(folder) = to.parent() {
            sh.create_dir(folder)?;
        }
        sh.copy_file(program, to)?;
        sh.remove_path(&folder)?;
        return Ok(());
    }
    Err(failed)
}
