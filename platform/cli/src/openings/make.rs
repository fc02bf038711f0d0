//! `tengen openings make`: a book of balanced openings.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{iter, thread};

use anyhow::{Context, anyhow, bail};
use clap::Args as ClapArgs;
use tengen_arbiter::TimeControl;
use tengen_hosts::{EngineSpec, HostSettings};
use tengen_random::output;
use tengen_record::formats::book::{BookPosition, OpeningBook};
use tengen_rules::{Point, Rule, Size};

use super::candidates::{CandidateKind, Candidates, EvenRange, Sieve};
use super::self_play::{BlackPoints, SelfPlay};
use super::{StoneCount, side_by_side, write_book};
use crate::lone_engine::LoneEngineArgs;
use crate::report::{print, tell};
use crate::{CommandOutcome, WrongUse, stop};

/// What Black is to be ahead by under renju, so that it makes half of the points in games: what is
/// forbidden to it costs it later, where a short search does not look.
const RENJU_LEAD: i32 = 80;
/// What is drawn and judged before it is saved.
const BATCH: usize = 64;
/// How often it is told how far it is.
const TOLD: Duration = Duration::from_secs(20);

#[derive(Debug, ClapArgs)]
pub(crate) struct BookMakeArgs {
    /// The book: packed where its name ends in .book, otherwise a line for each position
    pub file: PathBuf,
    /// The rule: freestyle, standard, renju or caro
    #[arg(long, default_value_t = Rule::Freestyle)]
    pub rule: Rule,
    /// The board: 15, or 20x15
    #[arg(long, value_name = "N|WxH", default_value_t = Size::STANDARD)]
    pub size: Size,
    /// How many positions
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub count: u32,
    /// How many stones a position has: 5, or 4..7
    #[arg(long, value_name = "N|A..B", default_value = "4..7")]
    pub stones: StoneCount,
    /// How far from the centre a stone may lie
    #[arg(long, value_name = "POINTS", default_value_t = 4)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=31))]
    pub reach: u8,
    /// How far from even two short searches may call a position, in the unit of Tengen's own
    /// evaluation; most positions are within 200
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub even: u32,
    /// What counts as even: Black is so much ahead, in the same unit [default: 80 under renju,
    /// which holds Black back later; otherwise 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub lead: Option<i32>,
    /// The engine that plays each position against itself: an id, a path, or builtin:NAME
    #[arg(long, value_name = "ENGINE", default_value = "builtin:alphabeta")]
    pub engine: String,
    /// Play two games from each position with this time control; can be given several times. One
    /// of the players has half as much again, and they change colours for the second game
    #[arg(long, value_name = "TC", default_values = ["nodes=20", "nodes=60"])]
    pub tc: Vec<TimeControl>,
    /// The seed: the same one makes the same book, byte for byte, if the engine's play follows
    /// from its seed and its nodes
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How many positions are played at once [default: the number of CPUs]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: Option<u16>,
    #[command(flatten)]
    pub seat: LoneEngineArgs,
}

/// How a book is made. Two makers of the same plan make the same book.
pub(super) struct BookPlan {
    kind: CandidateKind,
    count: usize,
    even: EvenRange,
    spec: EngineSpec,
    tc: Vec<TimeControl>,
}

/// A position that stays.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Kept {
    /// Its number among those drawn, counted from 0.
    number: u64,
    points: BlackPoints,
}

pub(super) fn make(args: &BookMakeArgs) -> anyhow::Result<CommandOutcome> {
    let plan = BookPlan {
        kind: CandidateKind {
            rule: args.rule,
            size: args.size,
            stones: (args.stones.least, args.stones.most),
            reach: args.reach,
            seed: args.seed,
        },
        count: args.count as usize,
        even: EvenRange {
            lead: args.lead.unwrap_or(if args.rule == Rule::Renju { RENJU_LEAD } else { 0 }),
            most: args.even,
        },
        spec: args.seat.find(&args.engine)?.fitted(args.rule, args.size),
        tc: args.tc.clone(),
    };
    let side = |of: u8| usize::from((2 * args.reach + 1).min(of));
    let points = side(args.size.width()) * side(args.size.height());
    if usize::from(args.stones.most) > points {
        bail!(WrongUse(anyhow!(
            "{} stones do not fit within {} points of the centre; allow a greater --reach",
            args.stones.most,
            args.reach
        )));
    }
    if args.file.exists() {
        bail!(WrongUse(anyhow!("{} is there already; name another file", args.file.display())));
    }
    let stopped = Arc::new(AtomicBool::new(false));
    let settings = HostSettings::this_program().context("cannot find this program")?;
    let (flag, interrupt) = (Arc::clone(&stopped), settings.interrupt.clone());
    stop::on_interrupt(move || {
        flag.store(true, Ordering::SeqCst);
        interrupt.raise();
    })?;
    let cpus = thread::available_parallelism().map_or(1, usize::from);
    let players = args.concurrency.map_or(cpus, usize::from);
    let is_timed = plan.tc.iter().any(|tc| tc.nodes.or(tc.depth.map(u64::from)).is_none());
    let seat = || SelfPlay::new(&plan.spec, &settings, args.rule, args.size, is_timed);
    let mut workers: Vec<_> = (0..players).map(|_| (Sieve::new(), seat())).collect();
    let mut journal = MakeJournal::open(&args.file, &plan.text())?;
    if journal.judged > 0 {
        let (kept, judged) = (journal.kept.len(), journal.judged);
        tell(format_args!("tengen: goes on after {judged} positions, of which {kept} stay"));
    }
    let mut candidates = Candidates::new(plan.kind);
    let mut drawn: Vec<Vec<Point>> = candidates.by_ref().take(journal.judged as usize).collect();
    let (begun, before) = (Instant::now(), journal.kept.len());
    let mut told = begun;
    while journal.kept.len() < plan.count {
        let first = drawn.len();
        drawn.extend(candidates.by_ref().take(BATCH));
        if drawn.len() == first {
            bail!(
                "there are no {} balanced positions of such stones: {} were drawn, and {} of them \
                 stay; allow more stones, a greater reach, or more from even",
                plan.count,
                candidates.drawn(),
                journal.kept.len()
            );
        }
        let judged = judge(&plan, &drawn[first..], first as u64, &mut workers, &stopped);
        if stopped.load(Ordering::SeqCst) {
            tell(format_args!(
                "tengen: {} of {} openings are made; the same command goes on",
                journal.kept.len(),
                plan.count
            ));
            return Ok(CommandOutcome::Interrupted);
        }
        journal.add(&judged?, drawn.len() as u64)?;
        if told.elapsed() >= TOLD {
            told = Instant::now();
            let made = (journal.kept.len() - before).max(1);
            let left = plan.count.saturating_sub(journal.kept.len());
            let seconds = begun.elapsed().as_secs_f64() * left as f64 / made as f64;
            tell(format_args!(
                "tengen: {} of {} openings, of {} positions drawn; about {:.0} min more",
                journal.kept.len(),
                plan.count,
                drawn.len(),
                seconds / 60.0
            ));
        }
    }
    let book = plan.book(&journal.kept, &drawn);
    write_book(&args.file, &book)?;
    journal.remove();
    print(&format!(
        "{}: {} openings; Black makes {:.1} % of the points\n",
        args.file.display(),
        book.positions.len(),
        book.black().unwrap_or(50.0)
    ))?;
    Ok(CommandOutcome::Done)
}

/// Looks at positions, the first of which has that number, and gives those that stay, in order.
fn judge(
    plan: &BookPlan,
    positions: &[Vec<Point>],
    first: u64,
    workers: &mut [(Sieve, SelfPlay)],
    stopped: &AtomicBool,
) -> anyhow::Result<Vec<Kept>> {
    let judged = side_by_side(workers, positions.len(), stopped, |(sieve, play), place| {
        let number = first + place as u64;
        let points = plan.points(&positions[place], number, sieve, play)?;
        Ok(points.map(|points| Kept { number, points }))
    });
    Ok(judged?.into_iter().flatten().collect())
}

impl BookPlan {
    /// What decides what the book is, in one line.
    fn text(&self) -> String {
        let CandidateKind { rule, size, stones: (least, most), reach, seed } = self.kind;
        let options: Vec<String> =
            self.spec.options.iter().map(|(name, value)| format!(" {name}={value}")).collect();
        format!(
            "openings for {rule} on {size}: {least} to {most} stones within {reach} points of the \
             centre, seed {seed}, Black ahead by {} ± {}, {}{}, {}",
            self.even.lead,
            self.even.most,
            self.spec.id,
            options.concat(),
            self.controls(),
        )
    }

    fn controls(&self) -> String {
        self.tc.iter().map(TimeControl::to_string).collect::<Vec<_>>().join(" ")
    }

    /// Black's points in games from the position, if it stays: searches call it even, and each
    /// colour makes a quarter of the points at least.
    fn points(
        &self,
        stones: &[Point],
        number: u64,
        sieve: &mut Sieve,
        play: &mut SelfPlay,
    ) -> anyhow::Result<Option<BlackPoints>> {
        if !sieve.passes(stones, self.kind.rule, self.kind.size, self.even) {
            return Ok(None);
        }
        let mut points = BlackPoints::default();
        for &tc in &self.tc {
            points = points.with(play.pair(stones, tc, output(self.kind.seed, number))?);
        }
        let BlackPoints { halves, games } = points;
        Ok((games..=3 * games).contains(&(2 * halves)).then_some(points))
    }

    fn book(&self, kept: &[Kept], drawn: &[Vec<Point>]) -> OpeningBook {
        let kept = &kept[..self.count.min(kept.len())];
        let positions = kept.iter().map(|one| BookPosition {
            stones: drawn[one.number as usize].clone(),
            black: Some(one.points.percent().round() as u8),
        });
        let all = kept.iter().fold(BlackPoints::default(), |sum, one| sum.with(one.points));
        let judged = kept.last().map_or(0, |last| last.number + 1);
        let notes = vec![
            format!("made by tengen openings make: {}", self.text()),
            format!(
                "of {judged} positions drawn; in {} games from these Black made {:.1} % of the \
                 points",
                all.games,
                all.percent()
            ),
        ];
        let CandidateKind { rule, size, .. } = self.kind;
        OpeningBook { rule, size, notes, positions: positions.collect() }
    }
}

/// What was found so far, in a file beside the book. It is only added to, a batch at a time, so
/// that one that was cut off lacks its last batch and nothing else.
struct MakeJournal {
    path: PathBuf,
    kept: Vec<Kept>,
    /// How many positions were judged.
    judged: u64,
}

impl MakeJournal {
    /// Opens the file beside a book, or begins it.
    ///
    /// # Errors
    /// When it is of another plan.
    fn open(book: &Path, plan: &str) -> anyhow::Result<MakeJournal> {
        let mut path = book.as_os_str().to_owned();
        path.push(".part");
        let path = PathBuf::from(path);
        let mut journal = MakeJournal { path, kept: Vec::new(), judged: 0 };
        let text = match fs::read_to_string(&journal.path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error).context(journal.path.display().to_string()),
        };
        let shown = journal.path.display().to_string();
        let (head, lines) = text.split_once('\n').unwrap_or_default();
        if !head.is_empty() && head != plan {
            bail!(WrongUse(anyhow!(
                "{shown} is of another book ({head}); remove it, or name another file"
            )));
        }
        let mut batch = Vec::new();
        let mut whole = String::new();
        let mut rest = lines;
        while let Some((line, after)) = rest.split_once('\n') {
            rest = after;
            let numbers: Vec<u64> = line.split(' ').map_while(|word| word.parse().ok()).collect();
            match numbers[..] {
                [number, halves, games] => batch.push(Kept {
                    number,
                    points: BlackPoints { halves: halves as u32, games: games as u32 },
                }),
                [judged] => {
                    journal.judged = judged;
                    journal.kept.append(&mut batch);
                    whole = lines[..lines.len() - rest.len()].to_owned();
                }
                _ => bail!("{shown} is damaged at `{line}`; remove it"),
            }
        }
        // What a batch left that was not finished is written anew.
        fs::write(&journal.path, format!("{plan}\n{whole}")).context(shown)?;
        Ok(journal)
    }

    /// Adds a batch, after which so many positions were judged.
    fn add(&mut self, kept: &[Kept], judged: u64) -> anyhow::Result<()> {
        let lines = kept.iter().map(|Kept { number, points }| {
            format!("{number} {} {}\n", points.halves, points.games)
        });
        let lines: String = lines.chain(iter::once(format!("{judged}\n"))).collect();
        let file = OpenOptions::new().append(true).open(&self.path);
        file.and_then(|mut file| file.write_all(lines.as_bytes()))
            .with_context(|| self.path.display().to_string())?;
        self.kept.extend_from_slice(kept);
        self.judged = judged;
        Ok(())
    }

    fn remove(self) {
        // What is left of it harms nobody.
        let _ignored = fs::remove_file(self.path);
    }
}
