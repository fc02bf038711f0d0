//! Repository tasks, run as `cargo xtask TASK`. Each installs missing tools that it needs, and says
//! what it could not install.

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Result, bail, ensure};
use pico_args::Arguments;
use xshell::Shell;

mod bench;
mod chaos;
mod cross;
mod cross_system;
mod dist;
mod engines;
mod fuzz;
mod graph;
mod interop;
mod items;
mod links;
mod nats;
mod page;
mod process;
mod program;
mod provision;
mod relay;
mod smoke;
mod steps;
mod test;
mod tidy;
mod windows;

use chaos::ChaosArgs;
use fuzz::FuzzArgs;
use interop::InteropArgs;
use steps::Steps;

const USAGE: &str = include_str!("../help.txt");

/// The root of the repository, from which tasks name files.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

type Task = Box<dyn FnOnce(&Shell, &mut Steps) -> Result<()>>;

fn main() -> ExitCode {
    let task = match read(Arguments::from_env()) {
        Ok(task) => task,
        Err(error) => {
            eprint!("error: {error:#}\n\n{USAGE}");
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
        "help" => Box::new(|_, _| Ok(io::stdout().write_all(USAGE.as_bytes())?)),
        "engines" => Box::new(engines::run),
        "deb" => Box::new(program::deb),
        "demo" => Box::new(program::demo),
        "test" => Box::new(test::run),
        "page" => Box::new(page::run),
        "smoke" => Box::new(smoke::run),
        "tidy" => Box::new(|sh, _| tidy::run(sh)),
        "windows" => {
            let only = words.opt_value_from_str::<_, String>("--only")?;
            Box::new(move |sh, steps| windows::run(sh, steps, only.as_deref()))
        }
        "cross" => Box::new(cross::run),
        "dist" => {
            let only = words.values_from_str("--only")?;
            Box::new(move |sh, steps| dist::run(sh, steps, &only))
        }
        "nats" => Box::new(nats::run),
        "chaos" => {
            let arguments = ChaosArgs::read(&mut words)?;
            Box::new(move |sh, steps| chaos::run(sh, steps, &arguments))
        }
        "bench" => Box::new(bench::run),
        "throughput" => Box::new(bench::throughput),
        "soak" if words.contains("--tables") => Box::new(|sh, _| bench::soak_tables(sh)),
        "soak" => {
            let games = words.opt_value_from_str("--games")?.unwrap_or(bench::SOAK_GAMES);
            Box::new(move |sh, steps| bench::soak(sh, steps, games))
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
