//! Repository chores, run as `cargo xtask CHORE`. Each provides what it needs and is missing, and
//! says what it could not provide.

use std::process::ExitCode;

use anyhow::{Result, bail};

mod artifacts;
mod bench;
mod c_engines;
mod deb;
mod demo;
mod engines;
mod features;
mod fuzz;
mod graph;
mod interop;
mod links;
mod process;
mod provision;
mod rust_engines;
mod smoke;
mod soak;
mod steps;
mod suites;
mod test;
mod throughput;
mod tidy;
mod workspace;

const USAGE: &str = "\
Usage: cargo xtask CHORE

  engines    build every example engine, native and WASM, into engines/
  demo       build the program, without its window, and the engines, and play a short tournament
  test       every check there is: tidiness, format, lints, tests, documentation
  fuzz       give every parser bytes made up to break it: fuzz [TARGET] [--seconds N]; an input
             that did is given once more by fuzz TARGET FILE
  soak       play an event whose engines are killed all along, and see that nothing the program
             uses grows: soak [--games N]
  interop    play every text engine of a folder through a fixed set of events, against itself and
             alphabeta, here and under c-gomoku-cli, and print a table:
             interop --brains DIR [--gomoku-cli PROGRAM] [--only ID]... [--games N] [--checks N]
  suites     make the balanced opening suites anew: suites [--program TENGEN] [--only renju-15]
  deb        build the Debian package, by cargo-deb
  smoke      the window on a display of its own: a game begun by clicks, played to its end
  tidy       only the rules of the house that a program can check
  bench      measure what the project promises to be fast
  throughput of that, only whole games a second and the program's memory

Example: cargo xtask demo";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let chore: Box<dyn FnOnce() -> Result<()>> = match arguments[..] {
        ["engines"] => Box::new(engines::run),
        ["deb"] => Box::new(deb::run),
        ["demo"] => Box::new(demo::run),
        ["test"] => Box::new(test::run),
        ["smoke"] => Box::new(smoke::run),
        ["tidy"] => Box::new(tidy::run),
        ["bench"] => Box::new(bench::run),
        ["throughput"] => Box::new(throughput::chore),
        ["soak"] => Box::new(|| soak::chore(soak::GAMES)),
        ["soak", "--games", number] if let Ok(games) = number.parse() => {
            Box::new(move || soak::chore(games))
        }
        [] | ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        ["fuzz", ref words @ ..] if let Some(arguments) = fuzz::FuzzArgs::read(words) => {
            Box::new(move || fuzz::run(&arguments))
        }
        ["suites", ref words @ ..] if let Some(arguments) = suites::SuitesArgs::read(words) => {
            Box::new(move || suites::run(&arguments))
        }
        ["interop", ref words @ ..] if let Some(arguments) = interop::InteropArgs::read(words) => {
            Box::new(move || interop::run(&arguments))
        }
        _ => {
            eprintln!("error: `{}` is no chore\n\n{USAGE}", arguments.join(" "));
            return ExitCode::from(2);
        }
    };
    match in_workspace(chore) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Chores name files from the workspace's root.
fn in_workspace(chore: impl FnOnce() -> Result<()>) -> Result<()> {
    std::env::set_current_dir(workspace::root()?)?;
    if !std::path::Path::new("engine-sdk").is_dir() {
        bail!("the workspace's root holds no engine-sdk/; run this within the Tengen repository");
    }
    chore()
}
