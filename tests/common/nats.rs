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
        NatsServer::configured("")
    }

    /// One that is told more than where to listen and what to keep.
    pub fn configured(more: &str) -> NatsServer {
        let jetstream = "jetstream { store_dir: \"/var/lib/nats\", sync_interval: always }";
        NatsServer::printed(&format!("listen: \"0.0.0.0:4222\"\n{jetstream}\n{more}\n"))
    }

    /// One with a configuration that the program has printed, but for where it listens and keeps.
    pub fn printed(config: &str) -> NatsServer {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let folder = TempDir::new().unwrap();
        configure(folder.path(), port, config);
        let server = begin(folder.path());
        NatsServer { port, folder, server }
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Has it read another configuration that the program has printed.
    pub fn reload(&mut self, config: &str) {
        configure(self.folder.path(), self.port, config);
        let server = self.server.child.id().to_string();
        assert!(Command::new("kill").args(["-HUP", &server]).status().unwrap().success());
    }

    /// Ends it as a loss of power would, and starts it again.
    pub fn restart(&mut self) {
        self.server.kill();
        self.server = begin(self.folder.path());
    }

    /// The same, and all that it kept is gone.
    pub fn restart_empty(&mut self) {
        self.server.kill();
        fs::remove_dir_all(self.folder.path().join("store")).unwrap();
        self.server = begin(self.folder.path());
    }
}

fn configure(folder: &Path, port: u16, config: &str) {
    let store = folder.join("store").into_os_string().into_string().unwrap();
    let config = config.replace("0.0.0.0:4222", &format!("127.0.0.1:{port}"));
    fs::write(folder.join("server.conf"), config.replace("/var/lib/nats", &store)).unwrap();
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

/// A worker, which ends with the test.
pub struct WorkerProcess(Child);

impl WorkerProcess {
    pub fn start(url: &str, name: &str, cache: &Path) -> WorkerProcess {
        let mut worker = worker(url, name, cache);
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

/// A worker of one game at a time.
pub fn worker(url: &str, name: &str, cache: &Path) -> Command {
    let mut worker = tengen(["worker", "--nats", url, "--name", name, "--concurrency", "1"]);
    worker.arg("--cache").arg(cache).arg("--no-require-sandbox");
    worker
}
