//! What an engine prints and reports while it thinks.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use tengen_arbiter::Nanos;
use tengen_players::{Listener, Player, Reply, Request, SearchProgress, Subscription, Time};

/// The output of one engine: its search lines for each position, and a log of everything it printed
/// and of its failures.
///
/// A newer report of a search line replaces the older one. The log keeps the last
/// [`EngineOutput::MOST_LINES`] lines. The reader is woken when there is something new, but not
/// again within [`EngineOutput::PACE`] of a read: [`EngineOutput::look`] says when to read again.
pub struct EngineOutput {
    time: Arc<dyn Time + Send + Sync>,
    state: Mutex<OutputState>,
    on_update: OnceLock<Box<dyn Fn() + Send + Sync>>,
}

#[derive(Default)]
struct OutputState {
    /// The game the output belongs to.
    game: u64,
    /// The number of plies in the current question, and its time; none when idle.
    asked: Option<(usize, Nanos)>,
    /// Search lines by number of plies, best line first.
    said: BTreeMap<usize, Vec<SearchProgress>>,
    log: VecDeque<LogLine>,
    /// How many lines of the log were dropped.
    dropped: usize,
    /// Whether there is unread output, and when output was last read.
    unseen: bool,
    seen_at: Option<Nanos>,
}

/// A line of an engine's log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogLine {
    /// The number of plies on the board.
    pub ply: usize,
    pub text: String,
    /// Whether it is a failure.
    pub is_fault: bool,
}

impl EngineOutput {
    /// The most log lines kept.
    pub const MOST_LINES: usize = 5000;
    /// The shortest time between two updates.
    pub const PACE: Nanos = 200_000_000;
    /// The most search lines kept of a position.
    const MOST_CANDIDATES: usize = 32;

    /// An empty output.
    pub fn new(time: Arc<dyn Time + Send + Sync>) -> Arc<EngineOutput> {
        Arc::new(EngineOutput { time, state: Mutex::default(), on_update: OnceLock::new() })
    }

    /// Calls `wake` when there is new output, on some thread; it must return at once. Only the
    /// first call counts.
    pub fn on_update(&self, wake: impl Fn() + Send + Sync + 'static) {
        let _ = self.on_update.set(Box::new(wake));
    }

    /// Clears the search lines of another game.
    pub fn begin_game(&self, game: u64) {
        let mut state = self.lock();
        if state.game != game {
            (state.game, state.asked) = (game, None);
            state.said.clear();
        }
    }

    /// Asks a player and records its output. It is asked for so many lines.
    pub fn ask(
        self: &Arc<EngineOutput>,
        player: &mut dyn Player,
        request: &Request<'_>,
        lines: u32,
        time: &dyn Time,
    ) -> Reply {
        let ply = request.moves.len();
        {
            let mut state = self.lock();
            // Lines of later positions are from another variation.
            state.said.split_off(&ply);
            state.asked = Some((ply, self.time.now()));
        }
        let listener: Arc<dyn Listener> = Arc::clone(self) as Arc<dyn Listener>;
        let watch = Some(Subscription { listener: &listener, lines });
        let reply = player.ask(&Request { watch, ..*request }, time);
        let mut state = self.lock();
        let is_wanted = state.asked.take().is_some();
        if let Some(info) = reply.info.filter(|_| is_wanted && reply.outcome.is_ok()) {
            let elapsed = reply.answered_at.saturating_sub(reply.asked_at);
            state.conclude(ply, SearchProgress { info, elapsed, ..SearchProgress::default() });
        }
        drop(state);
        reply
    }

    /// The newest search lines of a position with so many plies, best first.
    pub fn lines(&self, ply: usize) -> Vec<SearchProgress> {
        self.lock().said.get(&ply).cloned().unwrap_or_default()
    }

    /// The newest best line of a position with at most so many plies.
    pub fn newest(&self, plies: usize) -> Option<(usize, SearchProgress)> {
        let state = self.lock();
        let (ply, lines) = state.said.range(..=plies).next_back()?;
        Some((*ply, lines.first()?.clone()))
    }

    pub fn is_thinking(&self) -> bool {
        self.lock().asked.is_some()
    }

    /// Marks the output as read, and returns when to read again; none is when there is something
    /// new.
    pub fn look(&self) -> Option<Nanos> {
        let now = self.time.now();
        let mut state = self.lock();
        if !state.unseen {
            return None;
        }
        (state.unseen, state.seen_at) = (false, Some(now));
        Some(EngineOutput::PACE)
    }

    /// Reads the log: the lines kept, and how many were dropped.
    pub fn read_log<T>(&self, read: impl FnOnce(&VecDeque<LogLine>, usize) -> T) -> T {
        let state = self.lock();
        read(&state.log, state.dropped)
    }

    /// Appends to the log.
    pub fn write(&self, ply: usize, text: &str, is_fault: bool) {
        self.update(|state| state.write(ply, text, is_fault));
    }

    fn update(&self, change: impl FnOnce(&mut OutputState)) {
        let now = self.time.now();
        let mut state = self.lock();
        change(&mut state);
        let rests = state.seen_at.is_some_and(|seen| now.saturating_sub(seen) < EngineOutput::PACE);
        let wakes = !state.unseen && !rests;
        state.unseen = true;
        drop(state);
        if let Some(wake) = self.on_update.get().filter(|_| wakes) {
            wake();
        }
    }

    /// No invariant spans a panic.
    fn lock(&self) -> MutexGuard<'_, OutputState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OutputState {
    fn add_progress(&mut self, mut progress: SearchProgress, now: Nanos) {
        let Some((ply, since)) = self.asked else { return };
        if progress.elapsed == 0 {
            progress.elapsed = now.saturating_sub(since);
        }
        let lines = self.said.entry(ply).or_default();
        let place = progress.line.max(1) as usize - 1;
        if place < lines.len() {
            lines[place] = progress;
        } else if place == lines.len() && place < EngineOutput::MOST_CANDIDATES {
            lines.push(progress);
        }
    }

    /// Takes the search info of the answer; the line itself stays.
    fn conclude(&mut self, ply: usize, last: SearchProgress) {
        let lines = self.said.entry(ply).or_default();
        match lines.first_mut() {
            Some(best) => (best.info, best.elapsed) = (last.info, last.elapsed),
            None => lines.push(last),
        }
    }

    fn write(&mut self, ply: usize, text: &str, is_fault: bool) {
        for line in text.lines() {
            let line: String =
                line.chars().map(|c| if c.is_control() { ' ' } else { c }).take(500).collect();
            self.log.push_back(LogLine { ply, text: line, is_fault });
        }
        let excess = self.log.len().saturating_sub(EngineOutput::MOST_LINES);
        self.log.drain(..excess);
        self.dropped += excess;
    }
}

impl Listener for EngineOutput {
    fn progress(&self, progress: SearchProgress) {
        let now = self.time.now();
        self.update(|state| state.add_progress(progress, now));
    }

    fn message(&self, text: &str) {
        self.update(|state| {
            let last = state.said.keys().next_back().copied().unwrap_or(0);
            let ply = state.asked.map_or(last, |(ply, _)| ply);
            state.write(ply, text, false);
        });
    }
}

impl fmt::Debug for EngineOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EngineOutput").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tengen_arbiter::{Failure, SearchInfo};
    use tengen_players::{Fault, GameSetup};
    use tengen_rules::{Ask, Zone};
    use tengen_testkit::VirtualTime;

    use super::*;

    /// Reports these lines of a search.
    struct Talker(Vec<(u32, u64)>);

    impl Player for Talker {
        fn new_game(&mut self, _: &GameSetup) -> Result<(), Fault> {
            Ok(())
        }

        fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
            let listener = request.watch.expect("the request is watched").listener;
            for &(line, nodes) in &self.0 {
                let info = SearchInfo { nodes, ..SearchInfo::default() };
                listener.progress(SearchProgress { line, info, ..SearchProgress::default() });
            }
            listener.message("one\ntwo");
            let (asked_at, answered_at) = (time.now(), time.now());
            let outcome = Err(Fault { failure: Failure::Crash, detail: "fell over".into() });
            Reply { asked_at, answered_at, offers_draw: false, outcome, info: None, pv: Vec::new() }
        }

        fn end_game(&mut self, _: tengen_arbiter::GameResult) {}
    }

    fn ask(output: &Arc<EngineOutput>, said: &[(u32, u64)], time: &VirtualTime) {
        let request = Request::new(&[], Ask::Move { zone: Zone::Anywhere });
        output.ask(&mut Talker(said.to_vec()), &request, 2, time);
    }

    #[test]
    fn the_newest_word_of_each_line_is_kept_and_the_whole_log() {
        let time = Arc::new(VirtualTime::default());
        let output = EngineOutput::new(time.clone());
        ask(&output, &[(1, 10), (2, 11), (1, 20), (9, 9)], &time);
        let nodes: Vec<u64> = output.lines(0).iter().map(|line| line.info.nodes).collect();
        assert_eq!(nodes, [20, 11], "a ninth line without a third is no line");
        assert_eq!(output.newest(7).unwrap().1.info.nodes, 20);
        let texts =
            output.read_log(|log, _| log.iter().map(|l| l.text.clone()).collect::<Vec<_>>());
        assert_eq!(texts, ["one", "two"]);
        for number in 0..EngineOutput::MOST_LINES {
            output.write(0, &number.to_string(), false);
        }
        output.read_log(|log, dropped| {
            assert_eq!((log.len(), dropped), (EngineOutput::MOST_LINES, 2))
        });
    }

    #[test]
    fn a_watcher_is_woken_once_a_look_and_not_too_often() {
        let time = Arc::new(VirtualTime::default());
        let output = EngineOutput::new(time.clone());
        let woken = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&woken);
        output.on_update(move || {
            count.fetch_add(1, Ordering::SeqCst);
        });
        let woken = || woken.load(Ordering::SeqCst);
        (0..1000).for_each(|_| output.write(0, "news", false));
        assert_eq!(woken(), 1);
        assert_eq!(output.look(), Some(EngineOutput::PACE));
        assert_eq!(output.look(), None);
        output.write(0, "soon after", false);
        assert_eq!(woken(), 1, "the look that was announced will find it");
        time.advance(EngineOutput::PACE);
        assert_eq!(output.look(), Some(EngineOutput::PACE));
        time.advance(EngineOutput::PACE);
        output.write(0, "later", false);
        assert_eq!(woken(), 2);
    }
}
