//! `tengen test run`: the tests of a queue are played side by side.

mod lines;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::File;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args as ClapArgs;
use tengen_hosts::{HostSettings, Interrupt};
use tengen_lineup::{EngineRoster, causes, date, lock};
use tengen_players::{RealTime, Time};
use tengen_tournament::{Event, EventFollower, EventProgress, RunOutcome, Stop, Watcher};
use tengen_workers::{BusError, CoordinatorError, NatsOptions};

use self::lines::{QueueLines, TestDoing, TestLine};
use super::QueueArgs;
use super::add::{SIDES, create_event};
use super::queue::{QueueState, QueuedTest, TestQueue};
use super::source::SideBuild;
use crate::event::workers;
use crate::flags::NatsAccessArgs;
use crate::outcome::event_error;
use crate::report::tell;
#[cfg(feature = "serve")]
use crate::serve;
use crate::serve::LiveArgs;
use crate::{CommandOutcome, WrongUse, report, stop};

/// How often what is shown is renewed, and how often the queue is looked at.
const SHOWN_EVERY: Duration = Duration::from_millis(200);
const LOOK: Duration = Duration::from_secs(1);

#[derive(Debug, ClapArgs)]
pub(crate) struct TestRunArgs {
    /// The NATS server whose workers play the tests
    #[arg(long, value_name = "URL")]
    pub workers: String,
    #[command(flatten)]
    pub queue: QueueArgs,
    #[command(flatten)]
    pub live: LiveArgs,
    /// Also build engines where the sandbox lacks a layer
    ///
    /// Without this, a test whose engines come from commits fails there.
    #[arg(long)]
    pub no_require_sandbox: bool,
    #[command(flatten)]
    pub access: NatsAccessArgs,
}

/// What the tests of a run have in common.
struct QueueRun {
    nats: NatsOptions,
    require_sandbox: bool,
    #[cfg(feature = "serve")]
    server: Option<tengen_web::Server>,
    /// Held by the test that builds: one at a time has the machine.
    builds: Mutex<()>,
    /// Why no test can be played.
    fault: Mutex<Option<anyhow::Error>>,
}

/// A test that is being played.
struct PlayedTest<'s> {
    test: Arc<QueuedTest>,
    end: Arc<TestStop>,
    line: Arc<Mutex<TestLine>>,
    thread: ScopedJoinHandle<'s, ()>,
}

/// Ends a test from another thread.
#[derive(Default)]
struct TestStop {
    /// Whether this program wants it: a server that denies something stops its event, too.
    is_wanted: AtomicBool,
    stop: Stop,
    interrupt: Interrupt,
}

impl TestStop {
    fn request(&self) {
        self.is_wanted.store(true, Ordering::SeqCst);
        self.stop.request();
        self.interrupt.raise();
    }

    fn is_wanted(&self) -> bool {
        self.is_wanted.load(Ordering::SeqCst)
    }
}

pub(super) fn run(args: &TestRunArgs) -> anyhow::Result<CommandOutcome> {
    let queue = args.queue.open()?;
    let _lock = queue.lock()?;
    let run = QueueRun {
        nats: args.access.options(&args.workers),
        require_sandbox: !args.no_require_sandbox,
        #[cfg(feature = "serve")]
        server: serve::begin_empty(&args.live)?,
        builds: Mutex::default(),
        fault: Mutex::default(),
    };
    #[cfg(not(feature = "serve"))]
    args.live.listen()?;
    let asked = Arc::new(Stop::new());
    let requested = Arc::clone(&asked);
    stop::on_interrupt(move || requested.request())?;
    tell(format_args!("tengen: plays the tests of {} (Ctrl-C ends it)", queue.dir().display()));
    let mut lines = QueueLines::begin();
    let played = thread::scope(|scope| {
        let mut playing =
            QueuePlay { run: &run, queue: &queue, done: BTreeSet::new(), tests: BTreeMap::new() };
        let played = playing.go_on(scope, &asked, &mut lines);
        playing.end(&mut lines);
        played
    });
    lines.end();
    played?;
    if let Some(fault) = lock(&run.fault).take() {
        return Err(fault);
    }
    tell(format_args!("tengen: stopped; the tests go on with the next `tengen test run`"));
    Ok(CommandOutcome::Interrupted)
}

/// The tests that are being played.
struct QueuePlay<'s, 'r> {
    run: &'r QueueRun,
    queue: &'r TestQueue,
    /// Those that are over for good.
    done: BTreeSet<u32>,
    tests: BTreeMap<u32, PlayedTest<'s>>,
}

impl<'s, 'r: 's> QueuePlay<'s, 'r> {
    /// Plays whatever is in the queue, until that is asked to end or cannot go on.
    fn go_on(
        &mut self,
        scope: &'s Scope<'s, '_>,
        asked: &Stop,
        lines: &mut QueueLines,
    ) -> anyhow::Result<()> {
        let mut looked: Option<Instant> = None;
        while !asked.is_requested() && lock(&self.run.fault).is_none() {
            if looked.is_none_or(|looked| looked.elapsed() >= LOOK) {
                looked = Some(Instant::now());
                self.look(scope)?;
            }
            self.show(lines);
            thread::sleep(SHOWN_EVERY);
        }
        Ok(())
    }

    /// Begins the tests that are new, and stops those that are to stop.
    fn look(&mut self, scope: &'s Scope<'s, '_>) -> anyhow::Result<()> {
        for number in self.queue.numbers()? {
            if self.done.contains(&number) {
                continue;
            }
            if let Some(played) = self.tests.get(&number) {
                if played.test.held_up()?.is_some() {
                    played.end.request();
                }
                continue;
            }
            let test = self.queue.test(number)?;
            if test.held_up()?.is_some() {
                continue;
            }
            match test.look()?.0 {
                QueueState::Finished => {
                    self.done.insert(number);
                }
                QueueState::Waiting => self.begin(scope, test)?,
                // Another program plays it, or did so a moment ago.
                QueueState::Running | QueueState::Stopped | QueueState::Failed(_) => {}
            }
        }
        Ok(())
    }

    fn begin(&mut self, scope: &'s Scope<'s, '_>, test: QueuedTest) -> anyhow::Result<()> {
        let (test, end) = (Arc::new(test), Arc::new(TestStop::default()));
        let line = Arc::new(Mutex::new(TestLine::new(&test)));
        let job = TestJob {
            run: self.run,
            test: Arc::clone(&test),
            end: Arc::clone(&end),
            line: Arc::clone(&line),
        };
        let name = format!("test {}", test.number);
        let thread = thread::Builder::new().name(name).spawn_scoped(scope, move || job.work())?;
        self.tests.insert(test.number, PlayedTest { test, end, line, thread });
        Ok(())
    }

    /// Shows how the tests stand, and takes away those that have ended.
    fn show(&mut self, lines: &mut QueueLines) {
        lines.show(self.tests.values().map(|played| &*played.line));
        let ended: Vec<u32> = self
            .tests
            .iter()
            .filter(|(_, played)| played.thread.is_finished())
            .map(|(number, _)| *number)
            .collect();
        for played in ended.iter().filter_map(|number| self.tests.remove(number)) {
            if played.thread.join().is_err() {
                let _unsaid = played.test.fail("a fault in tengen ended it; its log has more");
            }
        }
    }

    /// Stops all tests, and waits until their games are saved.
    fn end(mut self, lines: &mut QueueLines) {
        self.tests.values().for_each(|played| played.end.request());
        while !self.tests.is_empty() {
            self.show(lines);
            thread::sleep(SHOWN_EVERY);
        }
    }
}

/// A test, on a thread of its own.
struct TestJob<'r> {
    run: &'r QueueRun,
    test: Arc<QueuedTest>,
    end: Arc<TestStop>,
    line: Arc<Mutex<TestLine>>,
}

impl TestJob<'_> {
    fn work(self) {
        let outcome = match self.play() {
            Ok(RunOutcome::Finished) => return,
            Ok(RunOutcome::Stopped) if self.end.is_wanted() => Ok(()),
            // By another command than that of the queue.
            Ok(RunOutcome::Stopped) => self.test.stop(),
            Err(_) if self.end.is_wanted() => Ok(()),
            Err(error) if error.is::<CoordinatorError>() || error.is::<BusError>() => {
                // All of them have the same server.
                lock(&self.run.fault).get_or_insert(error);
                Ok(())
            }
            Err(error) => self.fail(&causes(&error)),
        };
        if let Err(error) = outcome {
            lock(&self.run.fault).get_or_insert(error);
        }
    }

    fn fail(&self, reason: &str) -> anyhow::Result<()> {
        let number = self.test.number;
        tell(format_args!(
            "tengen: test {number} ({}) has failed: {reason}\ntengen: `tengen test continue \
             {number}` tries it again",
            self.test.ticket.name
        ));
        self.test.fail(reason)
    }

    fn doing(&self, doing: TestDoing) {
        lock(&self.line).doing = doing;
    }

    /// Plays it to its end, or until it is stopped.
    fn play(&self) -> anyhow::Result<RunOutcome> {
        let dir = self.test.event();
        let mut event = match Event::exists(&dir) {
            true => Event::open(&dir).map_err(event_error)?,
            false => self.make_event()?,
        };
        if event.is_finished() {
            return Ok(RunOutcome::Finished);
        }
        let roster = EngineRoster::gather(event.config(), None)?;
        let follower = Arc::new(EventFollower::new(&event));
        self.doing(TestDoing::Playing(Arc::clone(&follower)));
        let log = self.test.dir.join("run.log");
        let log = File::options().create(true).append(true).open(&log);
        let log = Mutex::new(log.context("run.log")?);
        let say = |line: fmt::Arguments<'_>| {
            // It is told once more by the next run.
            let _unsaid = writeln!(lock(&log), "{} {line}", date());
        };
        #[cfg(feature = "serve")]
        let served = self.serve(&follower)?;
        let server = (&self.run.nats, self.test.ticket.priority, self.test.title());
        let time = RealTime::new();
        let mut observe = |progress: &EventProgress<'_>| {
            follower.take_in(progress);
        };
        let time = (&time as &dyn Time, &self.end.stop);
        let watching = (&*follower as &dyn Watcher, &*follower);
        let run = workers::run(&mut event, &roster, server, time, &mut observe, watching, &say);
        #[cfg(feature = "serve")]
        served.into_iter().for_each(tengen_web::AddedEvent::end);
        let run = run?.map_err(event_error)?;
        event.keep_records()?;
        if run == RunOutcome::Finished {
            let verdict = event.config().test_state(event.tally());
            let verdict = verdict.map(|test| report::test(&test)).unwrap_or_default();
            let (number, name) = (self.test.number, &self.test.ticket.name);
            let (games, verdict) = (event.tally().len(), verdict.trim());
            tell(format_args!("tengen: test {number} ({name}) is over: {games} games; {verdict}"));
        }
        Ok(run)
    }

    #[cfg(feature = "serve")]
    fn serve(
        &self,
        follower: &Arc<EventFollower>,
    ) -> anyhow::Result<Option<tengen_web::AddedEvent>> {
        let Some(server) = &self.run.server else { return Ok(None) };
        let (dir, live) = (self.test.event(), Some(Arc::clone(follower)));
        let title = self.test.title();
        let added = server.add(tengen_web::ServedEvent { dir, title, live });
        Ok(Some(added.map_err(tengen_lineup::serve_error)?))
    }

    /// Builds the engines that come from commits, and makes the event.
    fn make_event(&self) -> anyhow::Result<Event> {
        let mut config = self.test.plan()?;
        let ticket = &self.test.ticket;
        let Some(file) = &ticket.file else {
            bail!(WrongUse(anyhow::anyhow!("test.toml names no file of the engine")));
        };
        let _alone = lock(&self.run.builds);
        self.doing(TestDoing::Building);
        for (place, side) in ticket.sides().into_iter().enumerate() {
            let Some(commit) = &side.commit else { continue };
            let settings = HostSettings::this_program()?;
            let (require_sandbox, interrupt) =
                (self.run.require_sandbox, self.end.interrupt.clone());
            let settings = HostSettings { require_sandbox, interrupt, ..settings };
            let (dir, side, command) = (&*self.test.dir, SIDES[place], ticket.build.as_deref());
            let build = SideBuild { dir, side, commit, command, file };
            let built = build.run(settings)?;
            let path = built.into_os_string().into_string();
            let path = path.map_err(|path| anyhow::anyhow!("{}: not UTF-8", path.display()))?;
            config.engines[place].id = path;
        }
        create_event(config, &self.test.event())
    }
}
