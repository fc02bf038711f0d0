//! Repository tasks, run as `cargo xtask TASK`. Each provides what it needs and is missing, and
//! says what it could not provide.

use std::env;
use std::process::ExitCode;

use anyhow::{Result, bail, ensure};
use pico_args::Arguments;
use xshell::Shell;

mod bench;
mod deb;
mod demo;
mod engines;
mod fuzz;
mod graph;
mod interop;
mod items;
mod links;
mod page;
mod process;
mod provision;
mod smoke;
mod soak;
mod steps;
mod test;
mod tidy;

use fuzz::FuzzArgs;
use interop::InteropArgs;
use steps::Steps;

const USAGE: &str = "\
Usage: cargo xtask TASK

  engines    build every example engine, native and WASM, into engines/
  demo       build the program, without its window, and the engines, and play a short tournament
  test       run every check: tidiness, format, lints, tests, documentation
  fuzz       give every parser random bytes: fuzz [TARGET] [--seconds N]; fuzz TARGET FILE tries
             again an input that broke one
  soak       play an event whose engines are killed all the time, and check that nothing the
             program uses grows: soak [--games N]; soak --tables: 500 tables with 1,000 players and
             2,000 viewers, on a server that is killed in the middle
  interop    play every text engine of a folder through a fixed set of events, against itself and
             alphabeta, here and under c-gomoku-cli, and print a table:
             interop --brains DIR [--gomoku-cli PROGRAM] [--only ID]... [--games N] [--checks N]
  deb        build the Debian package, by cargo-deb
  smoke      open the window on a virtual display, start a game with clicks and play it to its end
  page       check the types of the page, and open a report and a live event in a real browser
  tidy       only the rules of this repository that a program can check
  bench      run every benchmark
  throughput only the benchmark of games per second and the program's memory

Example: cargo xtask demo";

/// The root of the repository, from which tasks name files.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

type Task = Box<dyn FnOnce(&Shell, &mut Steps) -> Result<()>>;

fn main() -> ExitCode {
    let task = match read(Arguments::from_env()) {
        Ok(task) => task,
        Err(error) => {
            eprintln!("error: {error:#}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    if let Err(error) = run(task) {
        eprintln!("error: {error:#}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// The task that was typed.
fn read(mut words: Arguments) -> Result<Task> {
    let asks_for_help = words.contains(["-h", "--help"]);
    let name = words.subcommand()?.filter(|_| !asks_for_help).unwrap_or_else(|| "help".to_owned());
    let task: Task = match name.as_str() {
        "help" => Box::new(|_, _| {
            println!("{USAGE}");
            Ok(())
        }),
        "engines" => Box::new(engines::run),
        "deb" => Box::new(deb::run),
        "demo" => Box::new(demo::run),
        "test" => Box::new(test::run),
        "page" => Box::new(page::run),
        "smoke" => Box::new(smoke::run),
        "tidy" => Box::new(|sh, _| tidy::run(sh)),
        "bench" => Box::new(bench::run),
        "throughput" => Box::new(bench::throughput),
        "soak" if words.contains("--tables") => Box::new(|sh, _| soak::tables(sh)),
        "soak" => {
            let games = words.opt_value_from_str("--games")?.unwrap_or(soak::GAMES);
            Box::new(move |sh, steps| soak::run(sh, steps, games))
        }
        "fuzz" => {
            let arguments = FuzzArgs::read(&mut words)?;
            Box::new(move |sh, _| fuzz::run(sh, &arguments))
        }
        "interop" => {
            let arguments = InteropArgs::read(&mut words)?;
            Box::new(move |sh, _| interop::run(sh, &arguments))
        }
        _ => bail!("`{name}` is not a task"),
    };
    let rest = words.finish();
    ensure!(rest.is_empty(), "`{name}` does not take {rest:?}");
    Ok(task)
}

fn run(task: Task) -> Result<()> {
    env::set_current_dir(ROOT)?;
    let mut steps = Steps::default();
    task(&Shell::new()?, &mut steps)?;
    steps.summarise();
    Ok(())
}
