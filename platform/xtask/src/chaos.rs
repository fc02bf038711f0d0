//! A long event that workers play, while workers, server and coordinator are killed at random, and
//! workers frozen. Each game must count once all the same.

mod lab;
mod verdict;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::{self, Display, Formatter};
use std::path::{self, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result, ensure};
use pico_args::Arguments;
use tengen_random::Random;
use xshell::Shell;

use crate::nats;
use crate::process;
use crate::steps::Steps;
use lab::{Lab, LabPlaces};
use verdict::Verdict;

/// How Tengen is built for this task.
const BUILD: &str = "build --bin tengen --release --no-default-features --features workers";
/// Longer than a worker may be silent before its games are given to another one.
const FROZEN: Duration = Duration::from_secs(40);
/// How often progress is printed.
const TELL: Duration = Duration::from_secs(10);
/// How often the event is looked at.
const LOOK: Duration = Duration::from_millis(50);
/// An event that saves no game for so long waits for ever.
const STUCK: Duration = Duration::from_secs(300);
/// How long a worker may go on with a game of an event that is over.
const LAST_WORDS: Duration = Duration::from_secs(10);
/// So many games before the end all kills have been begun: more than are on their way at once, for
/// these may come in one go.
const LAST_KILL: u64 = 60;
/// The last freeze is begun so many games before the end.
const LAST_FREEZE: u64 = 36;

/// What was typed behind `chaos`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ChaosArgs {
    pairs: u64,
    blows: BTreeMap<Blow, usize>,
    workers: usize,
    /// None is one that nobody has chosen.
    seed: Option<u64>,
    /// None is built.
    program: Option<PathBuf>,
}

/// What is done to what takes part in the event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Blow {
    KillWorker,
    KillServer,
    KillCoordinator,
    Freeze,
    /// A freeze until the event is over.
    LastFreeze,
}

/// Each blow with its option, and how often it is done unless that is said.
const BLOWS: [(Blow, &str, usize); 4] = [
    (Blow::KillWorker, "--worker-kills", 200),
    (Blow::KillServer, "--server-kills", 5),
    (Blow::KillCoordinator, "--coordinator-kills", 5),
    (Blow::Freeze, "--freezes", 10),
];

impl ChaosArgs {
    /// Reads `[--pairs N] [--worker-kills N] [--server-kills N] [--coordinator-kills N]
    /// [--freezes N] [--workers N] [--seed N] [--program FILE]`.
    pub(crate) fn read(words: &mut Arguments) -> Result<ChaosArgs> {
        let mut blows = BTreeMap::from([(Blow::LastFreeze, 1)]);
        for (blow, option, usual) in BLOWS {
            blows.insert(blow, words.opt_value_from_str(option)?.unwrap_or(usual));
        }
        let pairs = words.opt_value_from_str("--pairs")?.unwrap_or(2_000);
        ensure!(pairs >= 40, "--pairs takes a number of at least 40");
        let workers = words.opt_value_from_str("--workers")?.unwrap_or(2);
        ensure!(workers >= 2, "--workers takes a number of at least 2: one of them may be frozen");
        let seed = words.opt_value_from_str("--seed")?;
        // Tasks run in the root of the repository, which need not be where a name was typed.
        let absolute = |path: &OsStr| path::absolute(path);
        let program = words.opt_value_from_os_str("--program", absolute)?;
        Ok(ChaosArgs { pairs, blows, workers, seed, program })
    }
}

/// How often each blow was done.
#[derive(Default)]
struct BlowCounts(BTreeMap<Blow, usize>);

impl BlowCounts {
    fn of(&self, blow: Blow) -> usize {
        self.0.get(&blow).copied().unwrap_or_default()
    }

    fn freezes(&self) -> usize {
        self.of(Blow::Freeze) + self.of(Blow::LastFreeze)
    }
}

impl Display for BlowCounts {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let [workers, servers, coordinators] =
            [Blow::KillWorker, Blow::KillServer, Blow::KillCoordinator].map(|it| self.of(it));
        let frozen = self.freezes();
        write!(
            f,
            "killed: {workers} workers, {servers} servers, {coordinators} coordinators; {frozen} \
             workers frozen"
        )
    }
}

/// The task `chaos`.
pub(crate) fn run(sh: &Shell, steps: &mut Steps, arguments: &ChaosArgs) -> Result<()> {
    ensure!(cfg!(target_os = "linux"), "chaos is set up for Linux");
    let server = steps.step("server", |_| nats::provide(sh))?;
    let program = match &arguments.program {
        Some(program) => program.clone(),
        None => steps.step("program", |_| process::build_program(sh, BUILD))?,
    };
    let clock = || SystemTime::UNIX_EPOCH.elapsed().map(|time| u64::from(time.subsec_nanos()));
    let seed = arguments.seed.map_or_else(clock, Ok)?;
    let folder = sh.create_dir(process::clear_target(sh, "chaos")?)?;
    println!("   the same again: --seed {seed}; logs and event: {}", folder.display());
    let places = LabPlaces::new(program, server, folder)?;
    steps.step("event", |_| play(arguments, places, seed))
}

/// Plays the event, says what came of it, and fails where something is lost, doubled or left.
fn play(arguments: &ChaosArgs, places: LabPlaces, seed: u64) -> Result<()> {
    let games = 2 * arguments.pairs;
    let mut random = Random::new(seed);
    let mut plan = plan(&arguments.blows, games, &mut random);
    let begun = Instant::now();
    let mut lab = Lab::open(places, arguments.workers, games, seed)?;
    let counts = strike(&mut lab, &mut plan, games, &mut random)?;
    lab.thaw_all()?;
    thread::sleep(LAST_WORDS);
    let started_again = lab.started_again;
    let minutes = begun.elapsed().as_secs_f64() / 60.0;
    let verdict = Verdict::of(lab, games)?;
    let row = |name: &str, value: &dyn Display| println!("   {name:<24}{value:>8}");
    row("pairs", &arguments.pairs);
    row("games", &verdict.saved);
    row("workers killed", &counts.of(Blow::KillWorker));
    row("workers frozen", &counts.freezes());
    row("servers killed", &counts.of(Blow::KillServer));
    row("coordinators killed", &counts.of(Blow::KillCoordinator));
    row("found no server", &started_again);
    row("results sent", &verdict.results);
    verdict.rows().iter().for_each(|(name, value)| row(name, value));
    row("minutes", &format_args!("{minutes:.1}"));
    plan.retain(|(_, blow)| !matches!(blow, Blow::Freeze | Blow::LastFreeze));
    let left = plan.len();
    ensure!(left == 0, "the event was over before the last {left} kills: take more --pairs");
    verdict.into_result()
}

/// After how many games what is done, spread over the event.
fn plan(blows: &BTreeMap<Blow, usize>, games: u64, random: &mut Random) -> Vec<(u64, Blow)> {
    let mut plan = Vec::new();
    for (&blow, &count) in blows {
        for _ in 0..count {
            let bits = random.bits();
            let at = match blow {
                Blow::LastFreeze => games - LAST_FREEZE,
                _ => 1 + bits % (games - LAST_KILL),
            };
            plan.push((at, blow));
        }
    }
    plan.sort_unstable();
    plan
}

/// Does what is planned, until the event is over.
fn strike(
    lab: &mut Lab,
    plan: &mut Vec<(u64, Blow)>,
    games: u64,
    random: &mut Random,
) -> Result<BlowCounts> {
    let mut counts = BlowCounts::default();
    let (mut told, mut latest, mut grown) = (Instant::now(), 0, Instant::now());
    while !lab.is_over()? {
        lab.thaw_due()?;
        let saved = lab.saved();
        if saved > latest {
            (latest, grown) = (saved, Instant::now());
        }
        let waited = STUCK.as_secs() / 60;
        ensure!(grown.elapsed() < STUCK, "no game was saved for {waited} minutes, after {saved}");
        if told.elapsed() > TELL {
            told = Instant::now();
            println!("   {saved} of {games} games; {counts}");
        }
        let can_freeze = lab.awake().len() > 1;
        let is_due = |(at, blow): &(u64, Blow)| {
            *at <= saved && (can_freeze || !matches!(blow, Blow::Freeze | Blow::LastFreeze))
        };
        let Some(due) = plan.iter().position(is_due) else {
            thread::sleep(LOOK);
            continue;
        };
        // At a moment that no look has chosen.
        thread::sleep(Duration::from_millis(random.below(300) as u64));
        if lab.is_over()? {
            break;
        }
        let (_, blow) = plan.remove(due);
        let awake = lab.awake();
        let worker = awake[random.below(awake.len())];
        let pause = Duration::from_millis(random.below(4_000) as u64);
        let done = match blow {
            Blow::KillWorker => lab.kill_worker(worker),
            Blow::KillServer => lab.kill_server(pause),
            Blow::KillCoordinator => lab.kill_coordinator(pause),
            Blow::Freeze => lab.freeze(worker, Some(Instant::now() + FROZEN)),
            Blow::LastFreeze => lab.freeze(worker, None),
        };
        done.with_context(|| format!("{blow:?}, with {saved} games saved"))?;
        *counts.0.entry(blow).or_default() += 1;
    }
    println!("   the event is over; {counts}");
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Option<ChaosArgs> {
        let mut words = Arguments::from_vec(words.iter().map(Into::into).collect());
        let read = ChaosArgs::read(&mut words).ok()?;
        words.finish().is_empty().then_some(read)
    }

    #[test]
    fn arguments_have_defaults_and_bounds() {
        let usual = read(&[]).unwrap();
        assert_eq!((usual.pairs, usual.workers, usual.seed), (2_000, 2, None));
        assert_eq!(usual.blows[&Blow::KillWorker], 200);
        let few = read(&["--pairs", "40", "--server-kills", "0", "--seed", "7"]).unwrap();
        assert_eq!((few.pairs, few.blows[&Blow::KillServer], few.seed), (40, 0, Some(7)));
        for wrong in [&["--pairs", "1"][..], &["--workers", "1"], &["--seed"], &["--kills", "2"]] {
            assert_eq!(read(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn kills_are_spread_over_the_event_and_come_before_its_end() {
        let blows = read(&[]).unwrap().blows;
        let plan_of = |seed| plan(&blows, 4_000, &mut Random::new(seed));
        let plan = plan_of(1);
        assert_eq!(plan, plan_of(1));
        assert_ne!(plan, plan_of(2));
        assert_eq!(plan.len(), 221);
        assert_eq!(plan.last(), Some(&(3_964, Blow::LastFreeze)));
        let tenth = |from: u64| plan.iter().filter(move |(at, _)| (from..from + 400).contains(at));
        assert!((0..3_600).step_by(400).all(|from| tenth(from).count() > 5), "{plan:?}");
    }
}
