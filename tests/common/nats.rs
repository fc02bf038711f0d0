//! A NATS server for a test, and workers that play by way of it.

use std::env;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use super::running::RunningProgram;
use super::tengen;

/// A server with a folder of its own, which ends with the test.
pub struct NatsServer {
    pub port: u16,
    folder: TempDir,
    server: RunningProgram,
}

impl NatsServer {
    pub fn start() -> NatsServer {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let folder = TempDir::new().unwrap();
        let config = configuration(folder.path(), port);
        fs::write(folder.path().join("server.conf"), config).unwrap();
        let server = begin(folder.path());
        NatsServer { port, folder, server }
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Ends it as a loss of power would, and starts it again.
    pub fn restart(&mut self) {
        self.server.kill();
        self.server = begin(self.folder.path());
    }
}

fn configuration(folder: &Path, port: u16) -> String {
    let store = folder.join("store");
    let jetstream = format!("jetstream {{ store_dir: {store:?}, sync_interval: always }}");
    format!("listen: 127.0.0.1:{port}\n{jetstream}\n")
}

fn begin(folder: &Path) -> RunningProgram {
    let mut server = Command::new(program());
    server.arg("--config").arg(folder.join("server.conf")).stdin(Stdio::null());
    let mut server = RunningProgram::start(&mut server);
    server.told("Server is ready");
    server
}

/// The server that `cargo xtask nats` finds or fetches.
fn program() -> PathBuf {
    let home = env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or(home);
    let fetched = cache.map(|cache| cache.join("tengen/nats/nats-server"));
    let path = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&path).map(|folder| folder.join("nats-server"));
    let found = fetched.into_iter().chain(on_path).find(|path| path.is_file());
    found.expect("no nats-server; `cargo xtask nats` gets one")
}

/// A worker of one game at a time, which ends with the test.
pub struct WorkerProcess(Child);

impl WorkerProcess {
    pub fn start(url: &str, name: &str, cache: &Path) -> WorkerProcess {
        let mut worker = tengen(["worker", "--nats", url, "--name", name, "--concurrency", "1"]);
        worker.arg("--cache").arg(cache).arg("--no-require-sandbox");
        WorkerProcess(worker.stderr(Stdio::null()).spawn().expect("the program starts"))
    }

    pub fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        let _gone = self.0.kill();
        let _reaped = self.0.wait();
    }
}
