//! The standard output of c-gomoku-cli while an event runs.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

use tengen_arbiter::Game;
use tengen_lineup::lock;
use tengen_players::RealTime;
use tengen_rules::Seat;
use tengen_tournament::{
    Event, EventError, EventProgress, FinishedGame, Roster, RunOutcome, ScheduledGame, Stop,
    TestState, Watcher,
};

use super::Extras;
use super::files::GameFiles;
use super::verdict::{is_error, verdict};
use crate::report;

/// An event as c-gomoku-cli shows it on standard output, and writes it to files.
pub(crate) struct GomokuCliOutput {
    labels: Vec<String>,
    /// The games of the event.
    total: u64,
    /// After how many games the whole table is shown.
    frequency: u64,
    stops_at_fault: bool,
    begun: Instant,
    state: Mutex<OutputProgress>,
}

#[derive(Default)]
struct OutputProgress {
    /// The games of each table that are not told yet, in order, each with the line that says that
    /// it has begun: shown when no game is before it.
    tables: BTreeMap<usize, VecDeque<(u64, String)>>,
    /// The score of either engine of a pair: won, lost and drawn by the first of them.
    counts: BTreeMap<(usize, usize), [u64; 3]>,
    finished: u64,
    /// The finished games that have to wait for one before them to be written.
    waiting: BTreeSet<u64>,
    /// The number of the last game written.
    written: u64,
    /// What ended the event before its time.
    fault: Option<String>,
    error: Option<anyhow::Error>,
}

impl GomokuCliOutput {
    pub(crate) fn new(extras: &Extras, event: &Event) -> GomokuCliOutput {
        GomokuCliOutput {
            labels: event.config().labels(),
            total: event.total(),
            frequency: extras.games.into(),
            stops_at_fault: extras.stops_at_fault,
            begun: Instant::now(),
            state: Mutex::default(),
        }
    }

    /// Plays the event. Gives the fault that ended it, if one did.
    ///
    /// # Errors
    /// When the event fails, or what is shown and written of it cannot be.
    pub(crate) fn run(
        &self,
        event: &mut Event,
        roster: &dyn Roster,
        stop: &Stop,
        mut files: GameFiles,
    ) -> anyhow::Result<(Result<RunOutcome, EventError>, Option<String>)> {
        // What is written of a game is what is on the disk.
        let kept = Event::open(event.dir())?;
        let config = event.config().clone();
        let mut tell = |progress: &EventProgress<'_>| {
            let state = config.test_state(progress.tally);
            let told = progress.games.iter().try_for_each(|game| {
                self.finish(game, state.as_ref())?;
                self.write(&kept, &mut files, Some(game.number))
            });
            if let Err(error) = told {
                self.state().error.get_or_insert(error);
            }
            let state = self.state();
            if state.error.is_some() || state.fault.is_some() {
                stop.request();
            }
        };
        let run = event.run_watched(roster, &RealTime::new(), stop, &mut tell, self);
        let error = self.state().error.take();
        let rest = error.map_or_else(|| self.write(&kept, &mut files, None), Err);
        rest.and(files.finish())?;
        Ok((run, self.state().fault.take()))
    }

    fn state(&self) -> MutexGuard<'_, OutputProgress> {
        lock(&self.state)
    }

    /// Adds to the files every game that no unfinished one is before, and at the end the others.
    fn write(&self, kept: &Event, files: &mut GameFiles, game: Option<u64>) -> anyhow::Result<()> {
        loop {
            let mut state = self.state();
            let written = state.written;
            state.waiting.extend(game.filter(|game| *game > written));
            let next = state.waiting.first().copied();
            let Some(next) = next.filter(|next| game.is_none() || *next == state.written + 1)
            else {
                return Ok(());
            };
            state.waiting.remove(&next);
            state.written = next;
            drop(state);
            if let Some(record) = kept.game(next)? {
                files.add(&record)?;
            }
        }
    }

    /// Shows a finished game and the score of its engines.
    fn finish(&self, game: &FinishedGame, test: Option<&TestState>) -> anyhow::Result<()> {
        let mut state = self.state();
        let (table, next) = state.leave(game.number);
        let (score, reason) = verdict(game.result);
        let (first, second) = (game.seats.first, game.seats.second);
        let (one, other) = (first.min(second), first.max(second));
        let (number, names) = (game.number, self.names(first, second));
        let mut text =
            format!("[{table}] Finished game {number} ({names}): {score} {{{reason}}}\n");
        let counts = state.counts.entry((one, other)).or_default();
        let winner =
            game.result.winner.map(|seat| if seat == Seat::First { first } else { second });
        // A game that the machine spoiled again and again does not count.
        if !game.conditions.is_void {
            counts[winner.map_or(2, |winner| usize::from(winner != one))] += 1;
        }
        text += &format!("Score of {}: {}\n", self.names(one, other), counted(*counts));
        text += &test.map(tested).unwrap_or_default();
        state.finished += 1;
        if state.finished.is_multiple_of(self.frequency.max(1)) {
            text += &self.standings(&state);
        }
        if self.stops_at_fault && is_error(game.result.termination) && state.fault.is_none() {
            let loser = game.result.winner.map(|winner| game.seats[!winner]);
            let loser = loser.map_or("an engine", |loser| self.name(loser));
            let how = game.result.termination.words();
            state.fault = Some(format!("{loser} lost game {number} by {how}"));
        }
        drop(state);
        // At once, so that lines of several tables do not mix.
        report::print(&(text + &next))
    }

    fn names(&self, one: usize, other: usize) -> String {
        format!("{} vs {}", self.name(one), self.name(other))
    }

    /// An engine that was added while the event ran has no name here.
    fn name(&self, engine: usize) -> &str {
        self.labels.get(engine).map_or("another engine", String::as_str)
    }

    fn standings(&self, state: &OutputProgress) -> String {
        let mut text = "Tournament update:\n".to_owned();
        for ((one, other), counts) in &state.counts {
            text += &format!("{}: {}\n", self.names(*one, *other), counted(*counts));
        }
        if state.finished < self.total {
            let a_game = self.begun.elapsed().as_secs_f64().max(1e-3) / state.finished as f64;
            let left = ((self.total - state.finished) as f64 * a_game) as u64;
            let (hours, minutes, seconds) = (left / 3600, left / 60 % 60, left % 60);
            let left = format!("{hours:02}:{minutes:02}:{seconds:02}");
            let speed = 60.0 / a_game;
            text += &format!("Matches/min: {speed:.3}, Estimated time to complete: {left}\n");
        }
        text
    }
}

impl OutputProgress {
    /// The table of a game that has been told, and the line of the game that it plays since.
    fn leave(&mut self, game: u64) -> (usize, String) {
        for (table, games) in &mut self.tables {
            if let Some(place) = games.iter().position(|(number, _)| *number == game) {
                games.remove(place);
                let next = games.front().filter(|_| place == 0);
                return (*table, next.map(|(_, line)| line.clone()).unwrap_or_default());
            }
        }
        (1, String::new())
    }
}

impl Watcher for GomokuCliOutput {
    fn look(&self, table: usize, scheduled: &ScheduledGame, game: &Game) {
        if !game.history().is_empty() {
            return;
        }
        let mut state = self.state();
        let games = state.tables.entry(table + 1).or_default();
        let (number, total) = (scheduled.number, self.total);
        if games.iter().any(|(known, _)| *known == number) {
            return;
        }
        let names = self.names(scheduled.seats.first, scheduled.seats.second);
        let line = format!("[{}] Started game {number} of {total} ({names})\n", table + 1);
        games.push_back((number, line.clone()));
        // A table goes on while its last game is being saved, and nothing is told before that.
        if games.len() == 1
            && let Err(error) = report::print(&line)
        {
            state.error.get_or_insert(error);
        }
    }
}

/// `3 - 1 - 2  [0.667] 6`: won, lost, drawn, the share of the points, the games.
fn counted([won, lost, drawn]: [u64; 3]) -> String {
    let games = won + lost + drawn;
    let share = (won as f64 + 0.5 * drawn as f64) / games.max(1) as f64;
    format!("{won} - {lost} - {drawn}  [{share:.3}] {games}")
}

fn tested(test: &TestState) -> String {
    let accepted = test.accepted.map(|accepted| format!(". {accepted:?} accepted."));
    let inconclusive = test.inconclusive.map(|reason| format!(". Inconclusive: {reason}."));
    let accepted = accepted.or(inconclusive).unwrap_or_default();
    let TestState { llr, lower, upper, .. } = test;
    format!("SPRT: LLR = {llr:.3} [{lower:.3},{upper:.3}]{accepted}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_counted_as_there() {
        assert_eq!(counted([3, 1, 2]), "3 - 1 - 2  [0.667] 6");
        assert_eq!(counted([0, 0, 1]), "0 - 0 - 1  [0.500] 1");
    }

    #[test]
    fn a_test_is_told_as_there() {
        let (elo0, elo1, lower, upper) = (0.0, 5.0, -2.944, 2.944);
        let test = TestState {
            pairs: 0,
            played_pairs: 0,
            inconclusive: None,
            elo0,
            elo1,
            llr: 0.25,
            lower,
            upper,
            model: Default::default(),
            accepted: None,
        };
        assert_eq!(tested(&test), "SPRT: LLR = 0.250 [-2.944,2.944]\n");
        let accepted = Some(tengen_stats::SprtDecision::H1);
        let text = tested(&TestState { llr: 3.0, accepted, ..test });
        assert_eq!(text, "SPRT: LLR = 3.000 [-2.944,2.944]. H1 accepted.\n");
    }
}
