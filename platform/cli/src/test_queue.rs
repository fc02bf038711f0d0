//! `tengen test`: a queue of tests, which the workers of a NATS server play side by side.
//!
//! A test is an event with two engines and a sequential test. Its folder in the queue says where
//! the engines come from (`test.toml`, never changed once it is there), and has the event beside
//! that. What becomes of it is said by files alone, each of which one process writes: the event,
//! `stopped` and `failed`.

mod add;
mod queue;
mod run;
mod show;
mod source;

use std::path::PathBuf;

use clap::Args as ClapArgs;
use tengen_tournament::Event;

use self::queue::{QueueState, TestQueue};
use crate::args::TestCommand;
use crate::outcome::event_error;
use crate::report::tell;
use crate::user_folders::data_folder;
use crate::{CommandOutcome, WrongUse};

pub(crate) use self::add::TestAddArgs;
pub(crate) use self::run::TestRunArgs;
pub(crate) use self::show::{TestListArgs, TestShowArgs};

/// Where a queue is.
#[derive(Debug, ClapArgs)]
pub(crate) struct QueueArgs {
    /// The folder of the queue [default: the user's]
    #[arg(long, value_name = "DIR")]
    pub queue: Option<PathBuf>,
}

impl QueueArgs {
    fn open(&self) -> anyhow::Result<TestQueue> {
        let usual = || data_folder().map(|data| data.join("queue"));
        let dir = self.queue.clone().or_else(usual).ok_or_else(|| {
            WrongUse(anyhow::anyhow!("this user has no data folder; name one with --queue DIR"))
        })?;
        Ok(TestQueue::new(std::path::absolute(dir)?))
    }
}

/// One test of a queue.
#[derive(Debug, ClapArgs)]
pub(crate) struct QueuedTestArgs {
    /// Its number, or the commit of one of its engines
    #[arg(value_name = "N|COMMIT")]
    pub test: String,
    #[command(flatten)]
    pub queue: QueueArgs,
}

pub(crate) fn run(command: &TestCommand) -> anyhow::Result<CommandOutcome> {
    match command {
        TestCommand::Add(args) => add::add(args),
        TestCommand::Run(args) => run::run(args),
        TestCommand::List(args) => show::list(args),
        TestCommand::Show(args) => show::show(args),
        TestCommand::Stop(args) => stop(args),
        TestCommand::Continue(args) => go_on(args),
    }
}

/// A run of the queue sees this within a second, and gives up its games.
fn stop(args: &QueuedTestArgs) -> anyhow::Result<CommandOutcome> {
    let test = args.queue.open()?.find(&args.test)?;
    let number = test.number;
    match test.state()? {
        QueueState::Finished => tell(format_args!("tengen: test {number} is over already")),
        QueueState::Failed(_) => tell(format_args!("tengen: test {number} has failed already")),
        QueueState::Waiting | QueueState::Running | QueueState::Stopped => {
            test.stop()?;
            let event = test.event();
            if Event::exists(&event) {
                Event::wait_until_free(&event).map_err(event_error)?;
            }
            tell(format_args!(
                "tengen: test {number} is stopped; `tengen test continue {number}` lets it go on"
            ));
        }
    }
    Ok(CommandOutcome::Done)
}

fn go_on(args: &QueuedTestArgs) -> anyhow::Result<CommandOutcome> {
    let test = args.queue.open()?.find(&args.test)?;
    let number = test.number;
    test.let_go_on()?;
    tell(format_args!("tengen: test {number} goes on when `tengen test run` plays the queue"));
    Ok(CommandOutcome::Done)
}
