//! Trains the network on games of its own and writes its file of weights.

use std::process::ExitCode;

use nnue::training::{TrainingPlan, train};

const USAGE: &str = "usage: train --out FILE [--games N] [--nodes N] [--threads N] [--epochs N] \
                     [--seed N]";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let (mut plan, mut out) = (TrainingPlan::default(), None);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or(USAGE)?;
        let number =
            || value.parse::<usize>().map_err(|_| format!("{word} {value}: no number; {USAGE}"));
        match &*word {
            "--out" => out = Some(value),
            "--games" => plan.games = number()?,
            "--nodes" => plan.nodes = number()? as u64,
            "--threads" => plan.threads = number()?,
            "--epochs" => plan.epochs = number()?,
            "--seed" => plan.seed = number()? as u64,
            _ => return Err(format!("{word} is unknown; {USAGE}")),
        }
    }
    let out = out.ok_or(USAGE)?;
    let trained = train(&plan, &mut |line| println!("{line}"));
    std::fs::write(&out, trained.weights).map_err(|error| format!("{out}: {error}"))
}
