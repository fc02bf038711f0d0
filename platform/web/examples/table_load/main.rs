//! A load test of the tables: many of them, with players and viewers, on one server, which is
//! killed and started again in the middle. `cargo xtask soak --tables` runs it.
//!
//! Every player sends a move some time after it is its turn, and some that the rules refuse first.
//! A move is answered when its player is shown it. At the end every game is played again by its
//! record.

mod clients;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use tengen_record::{GameRecord, replay};
use tengen_web::play::{PlayOptions, Tables, raise_file_limit};
use tengen_web::{HttpListener, Server};

use clients::{Load, LoadFigures, run};

type LoadProblem = Box<dyn std::error::Error + Send + Sync>;

/// What is started, and for how long it runs before the server is killed, and after it.
const TABLES: usize = 500;
const VIEWERS_OF_ONE: usize = 4;
const SECONDS: u64 = 40;
/// The longest that 99 of 100 moves may take to be answered.
const MOST: Duration = Duration::from_millis(50);

fn main() -> Result<(), LoadProblem> {
    raise_file_limit();
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [word, folder, address] = &arguments[..]
        && word == "server"
    {
        return serve(Path::new(folder), address);
    }
    let number = |place: usize, usual: u64| {
        arguments.get(place).map_or(Ok(usual), |word| word.parse::<u64>())
    };
    let (tables, seconds) = (number(0, TABLES as u64)? as usize, number(1, SECONDS)?);
    let folder = env::temp_dir().join(format!("tengen-table-load-{}", std::process::id()));
    let measured = measure(&folder, tables, Duration::from_secs(seconds));
    fs::remove_dir_all(&folder)?;
    measured
}

/// The server alone, in a process that can be killed.
fn serve(folder: &Path, address: &str) -> Result<(), LoadProblem> {
    let listener = HttpListener::bind(address.parse()?)?;
    let options = PlayOptions {
        folder: folder.to_owned(),
        engines: Arc::new(()),
        most_engines: 0,
        most_tables: 2000,
        most_tables_of_one: 2000,
        password: None,
        only_owner_hosts: false,
        origins: Vec::new(),
    };
    let tables = Tables::open(options)?;
    let address = listener.address();
    let _server = Server::start_with_tables(listener, Duration::ZERO, Vec::new(), Some(tables))?;
    println!("{address}");
    loop {
        thread::park();
    }
}

fn measure(folder: &Path, tables: usize, half: Duration) -> Result<(), LoadProblem> {
    let viewers = tables * VIEWERS_OF_ONE;
    println!("{tables} tables, {} players, {viewers} viewers, one server", 2 * tables);
    let mut server = ServerProcess::start(folder, "127.0.0.1:0")?;
    let load = Arc::new(Load::new(server.address.clone(), tables));
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(2).enable_all().build()?;
    let began = Instant::now();
    runtime.block_on(run(Arc::clone(&load), VIEWERS_OF_ONE, half))?;
    let before = load.seen();
    report("before the kill", &before, began.elapsed(), server.memory());
    server.kill()?;
    let mut server = ServerProcess::start(folder, &load.address)?;
    let restarted = Instant::now();
    runtime.block_on(run(Arc::clone(&load), VIEWERS_OF_ONE, half))?;
    let after = load.seen();
    report("after the kill", &after, restarted.elapsed(), server.memory());
    let lost = load.lost.load(Ordering::SeqCst);
    server.kill()?;
    let (games, wrong) = replayed(&folder.join("games"))?;
    println!("{games} finished games replayed, {wrong} against the rules; {lost} games lost");
    let slowest = before.percentile(0.99).max(after.percentile(0.99));
    if lost > 0 || wrong > 0 || games == 0 || slowest > MOST {
        return Err(format!("not as it should be: 99 of 100 moves within {slowest:?}").into());
    }
    Ok(())
}

fn report(when: &str, seen: &LoadFigures, ran: Duration, memory: String) {
    let millis = |part: f64| seen.percentile(part).as_secs_f64() * 1e3;
    println!(
        "{when}: {} moves in {:.0} s, answered within {:.1} ms (half), {:.1} ms (99 of 100), \
         {:.1} ms (all); {} moves refused, {} messages to viewers; memory {memory}",
        seen.moves.len(),
        ran.as_secs_f64(),
        millis(0.5),
        millis(0.99),
        millis(1.0),
        seen.refused,
        seen.viewed
    );
}

/// How many games there are, and how many of them break the rules.
fn replayed(folder: &Path) -> Result<(usize, usize), LoadProblem> {
    let (mut games, mut wrong) = (0, 0);
    for entry in fs::read_dir(folder)? {
        let path: PathBuf = entry?.path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let record = GameRecord::from_json_line(fs::read_to_string(&path)?.trim_end())?;
        games += 1;
        if replay(&record).is_err() {
            println!("{}: breaks the rules", path.display());
            wrong += 1;
        }
    }
    Ok((games, wrong))
}

/// The server in a process of its own.
struct ServerProcess {
    child: Child,
    address: String,
}

impl ServerProcess {
    fn start(folder: &Path, address: &str) -> Result<ServerProcess, LoadProblem> {
        use std::io::{BufRead, BufReader};
        let mut command = Command::new(env::current_exe()?);
        command.arg("server").arg(folder).arg(address).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let output = child.stdout.take().ok_or("the server has no output")?;
        let mut address = String::new();
        BufReader::new(output).read_line(&mut address)?;
        let address = address.trim().to_owned();
        if address.is_empty() {
            return Err("the server did not start".into());
        }
        Ok(ServerProcess { child, address })
    }

    /// As `kill -9` does.
    fn kill(&mut self) -> Result<(), LoadProblem> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// The most memory that it ever had.
    fn memory(&self) -> String {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.unwrap_or_default();
        let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib: Option<f64> =
            most.and_then(|most| most.trim().trim_end_matches(" kB").parse().ok());
        kib.map_or_else(|| "unknown".to_owned(), |kib| format!("{:.0} MiB", kib / 1024.0))
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _ended = self.kill();
    }
}
