//! A NATS server for a test.

use std::env;
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// How long it may take to answer on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server with a folder of its own, which ends with the test.
pub struct NatsServer {
    pub port: u16,
    folder: TempDir,
    child: Child,
}

impl NatsServer {
    pub fn start() -> NatsServer {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let folder = TempDir::new().unwrap();
        let config = configuration(folder.path(), port);
        fs::write(folder.path().join("server.conf"), config).unwrap();
        let child = begin(folder.path(), port);
        NatsServer { port, folder, child }
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Ends it as a loss of power would, and starts it again.
    pub fn restart(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.child = begin(self.folder.path(), self.port);
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _reaped = self.child.wait();
    }
}

fn configuration(folder: &Path, port: u16) -> String {
    let store = folder.join("store");
    let jetstream = format!("jetstream {{ store_dir: {store:?}, sync_interval: always }}");
    format!("listen: 127.0.0.1:{port}\n{jetstream}\n")
}

fn begin(folder: &Path, port: u16) -> Child {
    let mut server = Command::new(program());
    server.arg("--config").arg(folder.join("server.conf"));
    server.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let child = server.spawn().expect("the server starts");
    let begun = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(begun.elapsed() < PATIENCE, "the server does not answer");
        thread::sleep(Duration::from_millis(10));
    }
    child
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
