//! `tengen`: the arbiter for five-in-a-row engines, on the command line.
#![forbid(unsafe_code)]

mod analyse;
mod args;
mod bench;
mod brain;
mod check;
mod completions;
mod convert;
mod debug;
mod doctor;
mod engines;
mod event;
mod flags;
mod game_files;
mod game_log;
mod gomoku_cli;
#[cfg(feature = "gui")]
mod gui;
mod live;
mod lone_engine;
mod man;
mod new_engine;
mod openings;
mod outcome;
mod output_target;
mod package;
mod packed;
mod pairings;
mod play;
mod program_log;
mod progress;
mod rate;
mod referee;
mod report;
mod rules;
mod serve;
mod steer;
mod stop;
#[cfg(feature = "workers")]
mod test_queue;
mod user_folders;
#[cfg(feature = "workers")]
mod worker;

use std::io;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::args::{
    Args, CliCommand, EnginesCommand, OpeningsCommand, RulesCommand, TournamentCommand,
};
use crate::gomoku_cli::Extras;
pub(crate) use crate::outcome::CommandOutcome;
pub(crate) use tengen_lineup::WrongUse;

/// What `tengen gui` says in a build without the feature `gui`.
#[cfg(not(feature = "gui"))]
const NO_WINDOW: &str = "this build of tengen has no window. In the folder of its source, \
                         `cargo build --release` builds one with it: target/release/tengen gui";

/// What `tengen worker` and `tengen test` say in a build without the feature `workers`.
#[cfg(not(feature = "workers"))]
const NO_WORKERS: &str = "this build of tengen plays on this machine alone. In the folder of its \
                          source, `cargo build --release` builds one that plays elsewhere too";

fn main() -> ExitCode {
    let mut arguments = std::env::args_os();
    if arguments.nth(1).is_some_and(|first| first == tengen_hosts::HOST_COMMAND) {
        return tengen_hosts::host_main(arguments);
    }
    let (args, extras) = match typed() {
        Ok(typed) => typed,
        Err(error) => {
            report::tell(format_args!("tengen: {error:#}"));
            return ExitCode::from(2);
        }
    };
    program_log::start(&args.command);
    match run(args, extras) {
        Ok(outcome) => outcome.into(),
        Err(error) => {
            if has_no_reader(&error) {
                return ExitCode::SUCCESS;
            }
            report::tell(format_args!("tengen: {}", tengen_lineup::causes(&error)));
            let wrong_use = error.chain().any(|cause| cause.is::<WrongUse>());
            ExitCode::from(if wrong_use { 2 } else { 1 })
        }
    }
}

/// Whether standard output was closed by its reader, as by `tengen engines list | head -1`: that is
/// no failure.
fn has_no_reader(error: &anyhow::Error) -> bool {
    let closed = |cause: &io::Error| cause.kind() == io::ErrorKind::BrokenPipe;
    error.chain().filter_map(|cause| cause.downcast_ref()).any(closed)
}

/// What was typed, and what of it only c-gomoku-cli does.
fn typed() -> anyhow::Result<(Args, Option<Extras>)> {
    if let Some(typed) = packed::arguments()? {
        return Ok((Args::parse_from(typed), None));
    }
    #[cfg(all(windows, feature = "gui"))]
    if std::env::args_os().len() == 1 && tengen_hosts::is_own_console() {
        gui::open_from_icon();
        return Ok((Args::parse_from(["tengen", "gui"]), None));
    }
    let (arguments, extras) = match gomoku_cli::arguments()? {
        Some((arguments, extras)) => (arguments, Some(extras)),
        None => (std::env::args_os().collect(), None),
    };
    Ok((Args::parse_from(flags::in_one_spelling(arguments)), extras))
}

fn run(args: Args, extras: Option<Extras>) -> anyhow::Result<CommandOutcome> {
    match args.command {
        CliCommand::Analyse(args) => analyse::analyse(&args),
        CliCommand::Bench(args) => bench::bench(&args),
        CliCommand::Brain(args) => brain::brain(&args),
        CliCommand::Convert(args) => convert::convert(&args),
        CliCommand::Debug(args) => debug::debug(&args),
        CliCommand::Completions(args) => completions::print(&args, Args::command()),
        CliCommand::Doctor(args) => doctor::examine(&args),
        CliCommand::Engines(EnginesCommand::New(args)) => new_engine::create(&args),
        CliCommand::Engines(EnginesCommand::List(args)) => engines::list(&args),
        CliCommand::Engines(EnginesCommand::Check(args)) => check::check(&args),
        CliCommand::Engines(EnginesCommand::Show(args)) => engines::show(&args),
        CliCommand::Engines(EnginesCommand::Package(args)) => package::package(&args),
        CliCommand::Man(args) => man::print(&args, Args::command()),
        CliCommand::Rate(args) => rate::rate(&args),
        CliCommand::Match(args) => event::run_match(&args, extras.as_ref()),
        #[cfg(feature = "gui")]
        CliCommand::Gui(args) => gui::show(&args),
        #[cfg(not(feature = "gui"))]
        CliCommand::Gui(_) => Err(WrongUse(anyhow::anyhow!(NO_WINDOW)).into()),
        #[cfg(feature = "serve")]
        CliCommand::Serve(args) => serve::serve(&args),
        #[cfg(not(feature = "serve"))]
        CliCommand::Serve(_) => Err(WrongUse(anyhow::anyhow!(tengen_lineup::NO_SERVER)).into()),
        #[cfg(feature = "workers")]
        CliCommand::Worker(args) => worker::run(&args),
        #[cfg(not(feature = "workers"))]
        CliCommand::Worker(_) => Err(WrongUse(anyhow::anyhow!(NO_WORKERS)).into()),
        #[cfg(feature = "workers")]
        CliCommand::Test(command) => test_queue::run(&command),
        #[cfg(not(feature = "workers"))]
        CliCommand::Test(_) => Err(WrongUse(anyhow::anyhow!(NO_WORKERS)).into()),
        CliCommand::Tournament(TournamentCommand::Run(args)) => event::run_tournament(&args),
        CliCommand::Tournament(TournamentCommand::Resume(args)) => event::resume(&args),
        CliCommand::Tournament(TournamentCommand::Extend(args)) => steer::extend(&args),
        CliCommand::Tournament(TournamentCommand::Add(args)) => steer::add(&args),
        CliCommand::Tournament(TournamentCommand::Remove(args)) => steer::remove(&args),
        CliCommand::Tournament(TournamentCommand::Pause(args)) => steer::pause(&args),
        CliCommand::Tournament(TournamentCommand::Continue(args)) => steer::go_on(&args),
        CliCommand::Tournament(TournamentCommand::Stop(args)) => steer::stop(&args),
        CliCommand::Tournament(TournamentCommand::Merge(args)) => steer::merge(&args),
        CliCommand::Tournament(TournamentCommand::Pairings(args)) => pairings::pairings(&args),
        CliCommand::Tournament(TournamentCommand::Referee(act)) => referee::run(&act),
        CliCommand::Tournament(TournamentCommand::Log(args)) => game_log::show(&args),
        CliCommand::Tournament(TournamentCommand::Report(args)) => event::report(&args),
        CliCommand::Tournament(TournamentCommand::List(args)) => event::list(&args),
        CliCommand::Openings(OpeningsCommand::Make(args)) => openings::make(&args),
        CliCommand::Openings(OpeningsCommand::Check(args)) => openings::check(&args),
        CliCommand::Openings(OpeningsCommand::Show(args)) => openings::show(&args),
        CliCommand::Play(args) => play::play(&args),
        CliCommand::Rules(RulesCommand::Forbidden(args)) => rules::forbidden(&args),
        CliCommand::Rules(RulesCommand::Replay(args)) => rules::replay(&args),
    }
}
