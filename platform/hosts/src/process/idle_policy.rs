//! When the process of an engine is paused, and how long a question waits for one that is not
//! ready.

use std::thread;
use std::time::{Duration, Instant};

use tengen_arbiter::Nanos;

use crate::platform::Activity;
use crate::watchdog::{PriorState, Supervisor, WatchdogHandle, idle_allowance};

/// An answer that took this long is worth two signals: they cost a hundredth of it.
const LONG: Nanos = 1_000_000;
/// Threads are counted for answers of this length or more: little of such an answer is not search.
const COUNTED: Nanos = 100_000_000;
/// After this many quicker answers, the CPU time until the next question is read.
const AUDIT: u32 = 16;
/// The CPU time, in nanoseconds, that the engine may use until then: it has to finish the write of
/// its answer and to go back to its pipe.
const IDLE_CPU: u64 = 100_000;
/// A text engine may work through this many idle periods in a row: it may have something to finish.
const STRIKES: u32 = 4;
/// After this many answers since its start, a text engine is checked for several threads.
const FIRST: u32 = 32;
/// How long to wait until a text engine reads its next command: until it has used so much CPU time
/// or slept for so long. The slowest that is known takes half of it.
const SETTLING: Duration = Duration::from_millis(100);
/// The limit, however little of a CPU it gets.
const MOST_SETTLING: Duration = Duration::from_secs(1);
/// Where that failed a few times in a row, the wait is no longer than this, in which it can note
/// that it has answered.
const MAX_FAILED_WAITS: u32 = 3;
const BRIEF: Duration = Duration::from_millis(3);
/// The longest wait for what an engine does with what it is sent before its game; in its first
/// games, and in every game where it ever took this long.
const PREPARING: Duration = Duration::from_secs(3);
const SLOW: Duration = Duration::from_millis(5);
const FIRST_GAMES: u32 = 2;
/// How soon, and then how often, the engine is checked.
const POLL_INTERVAL: Duration = Duration::from_micros(50);
const MAX_POLL_INTERVAL: Duration = Duration::from_millis(1);

/// Keeps an engine from working while no question is open.
///
/// Its process is paused as soon as an answer that took long was read, and resumed before the next
/// question. Two signals a move are too much for engines that answer at once, and those have
/// nothing to gain: they run on, and their CPU time is checked, here after every so many answers
/// and by the monitor all the time. An engine that was ever seen to work without a question is
/// paused after every answer.
///
/// A text engine ends an answer with a line, and may have something to finish after that, in
/// another thread than the one that reads. The monitor pauses it once it has settled. Where the
/// next question comes before that, or the process was paused because it had been seen to ponder,
/// the arbiter first waits for it, on the engine's own clock: a command that comes before an engine
/// is ready to read may be dropped. An engine of one thread reads all that was written, whenever
/// that was.
pub(crate) struct IdlePolicy {
    ponder: bool,
    /// Whether answers are lines.
    is_text: bool,
    answers: u32,
    /// The CPU time at the last answer and when that was, if that is checked.
    used: Option<(u64, Instant)>,
    /// How many idle periods in a row it worked through.
    strikes: u32,
    /// Whether it was ever seen to have several threads.
    has_several_threads: bool,
    /// Whether it has answered and may have something to finish, though it is not paused.
    is_finishing: bool,
    /// How many waits in a row failed.
    failed_waits: u32,
    /// What it is to be charged for what it did before its question.
    unasked: Nanos,
    /// Its CPU time when its question was sent, if that is known.
    asked: Option<u64>,
    /// How many threads worked on its last question, in tenths, if they could be counted.
    at_work: Option<u64>,
    /// How many games it began, and whether it took long to prepare one.
    games: u32,
    prepares: bool,
}

impl IdlePolicy {
    /// With `ponder` an engine may work at any time.
    pub(crate) fn new(ponder: bool) -> IdlePolicy {
        IdlePolicy {
            ponder,
            is_text: false,
            answers: 0,
            used: None,
            strikes: 0,
            has_several_threads: false,
            is_finishing: false,
            failed_waits: 0,
            unasked: 0,
            asked: None,
            at_work: None,
            games: 0,
            prepares: false,
        }
    }

    /// The same for a text engine.
    pub(crate) fn of_text(ponder: bool) -> IdlePolicy {
        IdlePolicy { is_text: true, ..IdlePolicy::new(ponder) }
    }

    /// Another process starts.
    pub(crate) fn reset(&mut self) {
        *self = IdlePolicy { is_text: self.is_text, ..IdlePolicy::new(self.ponder) };
    }

    /// The engine has answered after so long.
    pub(crate) fn answered(&mut self, watchdog: &WatchdogHandle, spent: Nanos) {
        if self.ponder {
            return;
        }
        let is_long = spent >= LONG;
        self.answers = self.answers.wrapping_add(1);
        let is_audited = self.answers.is_multiple_of(AUDIT);
        if is_audited && !is_long || is_long && self.is_text {
            self.used = watchdog.read(Supervisor::cpu_time).map(|used| (used, Instant::now()));
        }
        if !self.is_text {
            let cpu = watchdog.begin_idle(is_long);
            return self.count_threads(cpu, spent);
        }
        self.count_threads(self.used.map(|(used, _)| used), spent);
        if !self.has_several_threads && (is_long || is_audited || self.answers <= FIRST) {
            self.has_several_threads = watchdog.has_several_threads();
        }
        if is_long {
            watchdog.begin_idle_until_settled();
        } else {
            watchdog.begin_idle(false);
        }
    }

    /// Notes how many threads worked on a question that took so long.
    fn count_threads(&mut self, cpu: Option<u64>, spent: Nanos) {
        let used = cpu.zip(self.asked.take()).map(|(after, before)| after.saturating_sub(before));
        self.at_work = used.filter(|_| spent >= COUNTED).map(|used| used / (spent / 10));
    }

    /// How many threads worked on the last question, in tenths, if they could be counted: its CPU
    /// time by how long it took.
    pub(crate) fn take_threads_at_work(&mut self) -> Option<u64> {
        self.at_work.take()
    }

    /// A text engine has answered outside a game, where it is not paused.
    pub(crate) fn answered_unpaused(&mut self, watchdog: &WatchdogHandle) {
        self.has_several_threads = self.has_several_threads || watchdog.has_several_threads();
        self.is_finishing = true;
    }

    /// A question is about to be sent, with so much time to answer. Gives whether some of that has
    /// gone by, because the engine had still something to finish.
    pub(crate) fn before_question(
        &mut self,
        watchdog: &WatchdogHandle,
        patience: Option<Duration>,
    ) -> bool {
        let is_finishing = std::mem::take(&mut self.is_finishing);
        if self.ponder {
            return false;
        }
        let unasked = self.check_use(watchdog);
        let before = watchdog.begin_question();
        if !watchdog.is_over() {
            self.unasked += unasked.max(before.unasked);
        }
        self.asked = before.cpu.or(self.asked);
        let prior = before.prior;
        let may_be_open = is_finishing || prior == PriorState::Unsettled;
        let is_open = self.is_text && self.has_several_threads && may_be_open;
        is_open && self.wait_until_settled(watchdog, patience)
    }

    /// What the engine is charged for what it did before the question that is about to be sent.
    pub(crate) fn take_unasked(&mut self) -> Nanos {
        std::mem::take(&mut self.unasked)
    }

    /// Checks what the engine has used since its last answer. Gives what it is charged for that:
    /// never more than the time that has gone by.
    fn check_use(&mut self, watchdog: &WatchdogHandle) -> Nanos {
        let Some((before, since)) = self.used.take() else { return 0 };
        let Some(after) = watchdog.read(Supervisor::cpu_time) else { return 0 };
        let (used, passed) = (after.saturating_sub(before), since.elapsed());
        if !self.is_text {
            if used > IDLE_CPU {
                watchdog.pause_always();
            }
            let is_much = used > idle_allowance(passed);
            return if is_much { used.min(passed.as_nanos() as Nanos) } else { 0 };
        }
        let half = (passed / 2).as_nanos();
        self.strikes =
            if used > IDLE_CPU && u128::from(used) > half { self.strikes + 1 } else { 0 };
        if self.strikes >= STRIKES {
            watchdog.pause_always();
        }
        watchdog.end_idle_text(after)
    }

    /// A game begins. Gives whether a text engine may take long to prepare for it.
    pub(crate) fn may_prepare(&mut self) -> bool {
        self.games = self.games.saturating_add(1);
        self.prepares || self.games <= FIRST_GAMES
    }

    /// Waits until a text engine has prepared for its game. It is on no clock.
    pub(crate) fn wait_until_prepared(&mut self, watchdog: &WatchdogHandle, startup: Duration) {
        let (since, mut interval) = (Instant::now(), POLL_INTERVAL);
        while watchdog.read(Supervisor::activity).is_some_and(|activity| !activity.is_settled()) {
            if since.elapsed() >= startup.min(PREPARING) || watchdog.is_over() {
                // It never settles, or not in a way that can be seen.
                self.prepares = false;
                return;
            }
            thread::sleep(interval);
            interval = (interval * 2).min(MAX_POLL_INTERVAL);
        }
        self.prepares |= since.elapsed() >= SLOW;
    }

    /// Waits until the engine reads its next command, but not for long. Gives whether it was not
    /// ready at once.
    fn wait_until_settled(
        &mut self,
        watchdog: &WatchdogHandle,
        patience: Option<Duration>,
    ) -> bool {
        let enough = if self.failed_waits < MAX_FAILED_WAITS { SETTLING } else { BRIEF };
        let most = patience.map_or(MOST_SETTLING, |patience| MOST_SETTLING.min(patience / 2));
        let (since, mut interval, mut base) = (Instant::now(), POLL_INTERVAL, None);
        loop {
            // Where the system shows nothing there is nothing to wait for.
            let Some(activity) =
                watchdog.read(Supervisor::activity).filter(|activity| !activity.is_settled())
            else {
                self.failed_waits = 0;
                return base.is_some();
            };
            let (cpu, passed) = (watchdog.read(Supervisor::cpu_time).unwrap_or(0), since.elapsed());
            let used = Duration::from_nanos(cpu.saturating_sub(*base.get_or_insert(cpu)));
            let is_enough = used >= enough || activity != Activity::Working && passed >= enough;
            if is_enough || passed >= most || watchdog.is_over() {
                self.failed_waits += 1;
                return true;
            }
            thread::sleep(interval);
            interval = (interval * 2).min(MAX_POLL_INTERVAL);
        }
    }
}
