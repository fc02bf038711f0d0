//! The live line of a running event: games done, rate, time left; and that of many files.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use tengen_tournament::{EventConfig, EventProgress};

use crate::report::{self, tell};

/// How often a line is printed where there is no terminal to redraw one on.
pub(crate) const PLAIN_EVERY: Duration = Duration::from_secs(10);
/// How often one is made to be redrawn: a fast event tells of thousands of games a second.
const REDRAWN_EVERY: Duration = Duration::from_millis(100);

#[derive(Clone, Copy)]
pub(crate) struct Rate {
    before: u64,
    begun: Instant,
    /// The games that were finished at the last report, and when that was.
    last: (u64, Instant),
}

impl Rate {
    /// Begins with so many games done.
    pub(crate) fn new(before: u64) -> Rate {
        let now = Instant::now();
        Rate { before, begun: now, last: (before, now) }
    }

    /// So many are done by now.
    pub(crate) fn note(&mut self, finished: u64) {
        self.last = (finished, Instant::now());
    }

    /// Games a second, and how long the others take at that rate.
    pub(crate) fn text(&self, finished: u64, total: u64) -> String {
        let played = finished.saturating_sub(self.before) as f64;
        let seconds = (self.last.1 - self.begun).as_secs_f64().max(1e-3);
        let rate = played / seconds;
        if played == 0.0 {
            return String::new();
        }
        let left = total.saturating_sub(finished) as f64 / rate;
        format!("{}  {} left", per_second(rate), span(left))
    }
}

/// Shows how an event goes on standard error: one line redrawn on a terminal, else a line now and
/// then.
pub(crate) struct ProgressLine {
    bar: Option<ProgressBar>,
    labels: Vec<String>,
    rate: Rate,
    printed: Instant,
}

impl ProgressLine {
    /// Begins with `finished` of `total` games done.
    pub(crate) fn new(total: u64, finished: u64, labels: Vec<String>) -> ProgressLine {
        let bar = io::stderr().is_terminal().then(|| {
            let style = "{bar:24} {pos}/{len} games  {msg}";
            let style = ProgressStyle::with_template(style).expect("the template is right");
            let bar = ProgressBar::new(total).with_style(style).with_position(finished);
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        ProgressLine { bar, labels, rate: Rate::new(finished), printed: Instant::now() }
    }

    /// Shows what was told of such an event.
    pub(crate) fn show(&mut self, progress: &EventProgress<'_>, config: &EventConfig) {
        let every = if self.bar.is_some() { REDRAWN_EVERY } else { PLAIN_EVERY };
        if self.printed.elapsed() < every {
            return;
        }
        self.printed = Instant::now();
        let line = self.line(progress, config);
        if let Some(bar) = &self.bar {
            bar.set_length(progress.total);
            bar.set_position(progress.finished);
            bar.set_message(line);
        } else {
            tell(format_args!("{}/{} games  {line}", progress.finished, progress.total));
        }
    }

    /// Names single games, on standard output or beside it.
    pub(crate) fn name(&self, games: &[String], is_standard: bool) {
        if games.is_empty() {
            return;
        }
        let show = || {
            for game in games {
                // If standard output is closed, printing the report fails too.
                match is_standard {
                    true => drop(report::print(&format!("{game}\n"))),
                    false => tell(format_args!("tengen: {game}")),
                }
            }
        };
        beside(self.bar.as_ref(), show);
    }

    /// Leaves the screen to what follows.
    pub(crate) fn end(self) {
        self.bar.iter().for_each(ProgressBar::finish_and_clear);
    }

    fn line(&mut self, progress: &EventProgress<'_>, config: &EventConfig) -> String {
        self.rate.note(progress.finished);
        let pace = self.rate.text(progress.finished, progress.total);
        let leader = match &self.labels[..] {
            [one, _] => {
                let test = config.test_state(progress.tally);
                report::live_figures(one, progress.tally, test.as_ref())
            }
            _ => self.leader(progress),
        };
        format!("{pace}  {leader}")
    }

    fn leader(&self, progress: &EventProgress<'_>) -> String {
        let Some((best, points)) = progress.tally.leader() else { return String::new() };
        let label = self.labels.get(best).map(String::as_str).unwrap_or_default();
        format!("{label} leads with {points:.1}")
    }
}

/// The last lines on a terminal, which say what there is. Messages go above them.
#[cfg(any(feature = "serve", feature = "workers"))]
pub(crate) struct StatusLine(ProgressBar);

#[cfg(any(feature = "serve", feature = "workers"))]
impl StatusLine {
    /// Begins one, where standard error is a terminal.
    pub(crate) fn begin() -> Option<StatusLine> {
        let bar = io::stderr().is_terminal().then(ProgressBar::new_spinner)?;
        bar.set_style(ProgressStyle::with_template("{msg}").expect("the template is right"));
        let above = bar.clone();
        report::listen(Some(Box::new(move |line| {
            above.println(line);
            true
        })));
        Some(StatusLine(bar))
    }

    /// Shows so many of each thing, which is named as if there were one.
    #[cfg(feature = "serve")]
    pub(crate) fn show(&self, counts: &[(u64, &str)]) {
        let count = |(number, name): &(u64, &str)| match (number, name.split_once(' ')) {
            (1, _) => format!("{number} {name}"),
            (_, None) => format!("{number} {name}s"),
            (_, Some((noun, rest))) => format!("{number} {noun}s {rest}"),
        };
        let counts: Vec<String> = counts.iter().map(count).collect();
        self.put(counts.join(", "));
    }

    /// Shows these lines.
    pub(crate) fn put(&self, lines: String) {
        self.0.set_message(lines);
        self.0.tick();
    }

    pub(crate) fn end(self) {
        report::listen(None);
        self.0.finish_and_clear();
    }
}

/// Shows how far many files are read on standard error, as [`ProgressLine`] does for events.
pub(crate) struct FileProgress {
    bar: Option<ProgressBar>,
    total: u64,
    done: u64,
    printed: Instant,
}

impl FileProgress {
    pub(crate) fn new(total: u64) -> FileProgress {
        let bar = (total > 1 && io::stderr().is_terminal()).then(|| {
            let style = "{bar:24} {pos}/{len} files  {msg}";
            let style = ProgressStyle::with_template(style).expect("the template is right");
            ProgressBar::new(total).with_style(style)
        });
        FileProgress { bar, total, done: 0, printed: Instant::now() }
    }

    /// One file more is done; so many games were read by now.
    pub(crate) fn add(&mut self, games: u64) {
        self.done += 1;
        let every = if self.bar.is_some() { REDRAWN_EVERY } else { PLAIN_EVERY };
        if self.printed.elapsed() < every {
            return;
        }
        self.printed = Instant::now();
        let FileProgress { total, done, .. } = self;
        match &self.bar {
            Some(bar) => {
                bar.set_position(*done);
                bar.set_message(format!("{games} games"));
            }
            None => tell(format_args!("{done}/{total} files  {games} games")),
        }
    }

    /// Says something beside it.
    pub(crate) fn tell(&self, line: &str) {
        beside(self.bar.as_ref(), || tell(format_args!("tengen: {line}")));
    }

    /// Leaves the screen to what follows.
    pub(crate) fn end(self) {
        self.bar.iter().for_each(ProgressBar::finish_and_clear);
    }
}

/// Shows something that a line on the terminal, if there is one, must not be drawn through.
fn beside(bar: Option<&ProgressBar>, show: impl FnOnce()) {
    match bar {
        Some(bar) => bar.suspend(show),
        None => show(),
    }
}

fn per_second(rate: f64) -> String {
    match rate {
        10.0.. => format!("{rate:.0} games/s"),
        0.1.. => format!("{rate:.1} games/s"),
        _ => format!("{:.1} games/min", rate * 60.0),
    }
}

fn span(seconds: f64) -> String {
    let seconds = seconds.ceil().min(1e9) as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds:02} s"),
        (hours, minutes, _) => format!("{hours} h {minutes:02} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_that_of_the_games_of_this_run() {
        let mut rate = Rate::new(100);
        assert_eq!(rate.text(100, 200), "");
        rate.last = (150, rate.begun + Duration::from_secs(10));
        assert_eq!(rate.text(150, 200), "5.0 games/s  10 s left");
    }

    #[test]
    fn spans_and_rates_read_well() {
        assert_eq!(span(0.2), "1 s");
        assert_eq!(span(61.0), "1 min 01 s");
        assert_eq!(span(7322.0), "2 h 02 min");
        assert_eq!(per_second(2512.3), "2512 games/s");
        assert_eq!(per_second(1.26), "1.3 games/s");
        assert_eq!(per_second(0.05), "3.0 games/min");
    }
}
