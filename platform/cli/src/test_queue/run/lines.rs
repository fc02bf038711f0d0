//! How the tests of a queue stand, as lines on the terminal.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use tengen_lineup::lock;
use tengen_tournament::{EventFollower, FollowedEvent};

use super::super::queue::QueuedTest;
use crate::progress::{PLAIN_EVERY, StatusLine};
use crate::report;

/// A test, as its line says.
pub(super) struct TestLine {
    number: u32,
    name: String,
    pub doing: TestDoing,
    /// What was said of it where there is no terminal.
    told: &'static str,
}

/// What is done for a test.
pub(super) enum TestDoing {
    Waiting,
    Building,
    Playing(Arc<EventFollower>),
}

impl TestLine {
    pub fn new(test: &QueuedTest) -> TestLine {
        let (number, name) = (test.number, test.ticket.name.clone());
        TestLine { number, name, doing: TestDoing::Waiting, told: "" }
    }

    fn state(&self) -> &'static str {
        match &self.doing {
            TestDoing::Waiting => "waits",
            TestDoing::Building => "builds",
            TestDoing::Playing(follower) if follower.event().workers.is_empty() => "no workers yet",
            TestDoing::Playing(_) => "plays",
        }
    }

    fn text(&self) -> String {
        let TestLine { number, name, .. } = self;
        let figures = match &self.doing {
            TestDoing::Playing(follower) => figures(&follower.event()),
            TestDoing::Waiting | TestDoing::Building => String::new(),
        };
        format!("test {number} ({name}): {}{figures}", self.state())
    }
}

fn figures(event: &FollowedEvent) -> String {
    let FollowedEvent { finished, total, standings, workers, .. } = event;
    let first = standings.standings.iter().find(|line| line.index == 0);
    let score = first.map(|line| format!(", {}-{}-{}", line.wins, line.draws, line.losses));
    let llr =
        standings.test.as_ref().map(|test| format!(", {}", report::log_likelihood_ratio(test)));
    let workers =
        if workers.is_empty() { String::new() } else { format!(", workers: {}", workers.len()) };
    let [score, llr] = [score, llr].map(Option::unwrap_or_default);
    format!(", {finished}/{total} games{score}{llr}{workers}")
}

/// The lines of all tests: redrawn on a terminal, else told now and then.
pub(super) struct QueueLines {
    shown: Option<StatusLine>,
    printed: Instant,
}

impl QueueLines {
    pub fn begin() -> QueueLines {
        QueueLines { shown: StatusLine::begin(), printed: Instant::now() }
    }

    pub fn show<'a>(&mut self, lines: impl Iterator<Item = &'a Mutex<TestLine>>) {
        if let Some(shown) = &self.shown {
            let lines: Vec<String> = lines.map(|line| lock(line).text()).collect();
            return shown.put(lines.join("\n"));
        }
        let is_due = self.printed.elapsed() >= PLAIN_EVERY;
        if is_due {
            self.printed = Instant::now();
        }
        for line in lines {
            let mut line = lock(line);
            let state = line.state();
            if is_due || line.told != state {
                line.told = state;
                report::tell(format_args!("tengen: {}", line.text()));
            }
        }
    }

    pub fn end(self) {
        self.shown.into_iter().for_each(StatusLine::end);
    }
}
