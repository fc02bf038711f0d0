use std::mem;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// The steps of a task, each announced and timed, and notes on what they had to leave out.
#[derive(Default)]
pub(crate) struct Steps {
    done: Vec<(&'static str, Duration)>,
    pub notes: Vec<String>,
}

impl Steps {
    /// Does one step; the first that fails ends the task.
    pub(crate) fn step<T>(
        &mut self,
        name: &'static str,
        action: impl FnOnce(&mut Vec<String>) -> Result<T>,
    ) -> Result<T> {
        println!("── {name}");
        let start = Instant::now();
        let made = action(&mut self.notes).with_context(|| format!("step `{name}`"))?;
        let spent = start.elapsed();
        println!("   {name}: {:.1} s", spent.as_secs_f64());
        self.done.push((name, spent));
        Ok(made)
    }

    /// Prints the steps since the last summary, how long they took, and what was left out.
    pub(crate) fn summarise(&mut self) {
        let Steps { done, notes } = mem::take(self);
        let total: Duration = done.iter().map(|(_, spent)| *spent).sum();
        let times: Vec<String> =
            done.iter().map(|(name, spent)| format!("{name} {} s", spent.as_secs())).collect();
        if !done.is_empty() {
            let (count, total) = (done.len(), total.as_secs());
            println!("── all {count} steps done in {total} s: {}", times.join(", "));
        }
        for note in notes {
            println!("   but: {note}");
        }
    }
}

/// Makes an error of what a step left out.
pub(crate) fn all_of(left_out: Option<String>) -> Result<()> {
    left_out.map_or(Ok(()), |reason| bail!(reason))
}
