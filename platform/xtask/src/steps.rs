use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// A task in steps, each announced and timed.
#[derive(Default)]
pub(crate) struct Steps {
    done: Vec<(&'static str, Duration)>,
    notes: Vec<String>,
}

impl Steps {
    /// Does one step; the first that fails ends the task.
    pub(crate) fn step(
        &mut self,
        name: &'static str,
        action: impl FnOnce(&mut Vec<String>) -> Result<()>,
    ) -> Result<()> {
        println!("── {name}");
        let start = Instant::now();
        action(&mut self.notes).with_context(|| format!("step `{name}`"))?;
        let spent = start.elapsed();
        println!("   {name}: {:.1} s", spent.as_secs_f64());
        self.done.push((name, spent));
        Ok(())
    }

    /// Says what was done, how long it took, and what was left out.
    pub(crate) fn summarise(&self) {
        let times: Vec<String> =
            self.done.iter().map(|(name, spent)| format!("{name} {} s", spent.as_secs())).collect();
        let total: Duration = self.done.iter().map(|(_, spent)| *spent).sum();
        println!(
            "── all {} steps done in {} s: {}",
            times.len(),
            total.as_secs(),
            times.join(", ")
        );
        for note in &self.notes {
            println!("   but: {note}");
        }
    }
}
