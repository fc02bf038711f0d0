use std::process::Command;

use anyhow::Result;

use crate::engines;
use crate::process;
use crate::steps::Steps;
use crate::throughput;
use crate::workspace;

/// Every measurement: its name, and the arguments of cargo.
const BENCHES: &[(&str, &[&str])] = &[
    ("forbidden map", &["bench", "--package", "tengen-rules", "--bench", "forbidden"]),
    ("arbiter", &["bench", "--package", "tengen-arbiter", "--bench", "arbiter"]),
    ("record", &["bench", "--package", "tengen-record", "--bench", "record"]),
    ("table and store", &["bench", "--package", "tengen-tournament", "--bench", "throughput"]),
    ("ratings and tests", &["bench", "--package", "tengen-stats", "--bench", "figures"]),
    ("overhead a move", &["bench", "--package", "tengen-hosts", "--bench", "overhead"]),
    ("words of brains", &["bench", "--package", "tengen-gomocup", "--bench", "dialogue"]),
    ("ten thousand games in a report", &["bench", "--package", "tengen-web"]),
    ("alphabeta", &["bench", "--package", "alphabeta"]),
    // Without optimisation, for an optimised window takes long to build.
    (
        "ten thousand games in the window",
        &[
            "test",
            "--workspace",
            "--test",
            "gui",
            "--",
            "lists::frames",
            "--ignored",
            "--nocapture",
        ],
    ),
];

/// The task `bench`.
pub(crate) fn run() -> Result<()> {
    let mut steps = Steps::default();
    steps.step("engines", |notes| {
        engines::build_examples(notes)?;
        engines::build_test_engines(notes)
    })?;
    for (name, arguments) in BENCHES {
        steps.step(name, |_| process::run(Command::new(workspace::cargo()).args(*arguments)))?;
    }
    steps.step("games a second", |_| throughput::run())?;
    steps.summarise();
    Ok(())
}
