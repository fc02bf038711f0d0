//! Repository tasks, run as `cargo xtask TASK`. Each provides what it needs and is missing, and
//! says what it could not provide.

use std::process::ExitCode;

use anyhow::{Result, bail};

mod artifacts;
mod bench;
mod c_engines;
mod deb;
mod demo;
mod doc_examples;
mod engines;
mod features;
mod fuzz;
mod graph;
mod interop;
mod links;
mod names;
mod page;
mod process;
mod provision;
mod rust_engines;
mod smoke;
mod soak;
mod steps;
mod test;
mod throughput;
mod tidy;
mod workspace;

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

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let task: Box<dyn FnOnce() -> Result<()>> = match arguments[..] {
        ["engines"] => Box::new(engines::run),
        ["deb"] => Box::new(deb::run),
        ["demo"] => Box::new(demo::run),
        ["test"] => Box::new(test::run),
        ["page"] => Box::new(page::run),
        ["smoke"] => Box::new(smoke::run),
        ["tidy"] => Box::new(tidy::run),
        ["bench"] => Box::new(bench::run),
        ["throughput"] => Box::new(throughput::task),
        ["soak", "--tables"] => Box::new(soak::tables),
        ["soak"] => Box::new(|| soak::task(soak::GAMES)),
        ["soak", "--games", number] if let Ok(games) = number.parse() => {
            Box::new(move || soak::task(games))
        }
        [] | ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        ["fuzz", ref words @ ..] if let Some(arguments) = fuzz::FuzzArgs::read(words) => {
            Box::new(move || fuzz::run(&arguments))
        }
        ["interop", ref words @ ..] if let Some(arguments) = interop::InteropArgs::read(words) => {
            Box::new(move || interop::run(&arguments))
        }
        _ => {
            eprintln!("error: `{}` is not a task\n\n{USAGE}", arguments.join(" "));
            return ExitCode::from(2);
        }
    };
    match in_workspace(task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Chores name files from the workspace's root.
fn in_workspace(task: impl FnOnce() -> Result<()>) -> Result<()> {
    std::env::set_current_dir(workspace::root()?)?;
    if !std::path::Path::new("engine-sdk").is_dir() {
        bail!("the workspace's root holds no engine-sdk/; run this within the Tengen repository");
    }
    task()
}
