//! `tengen openings make`: a book of balanced openings.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::iter;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use clap::Args as ClapArgs;
use tengen_arbiter::TimeControl;
use tengen_hosts::{EngineSpec, HostSettings, Interrupt};
use tengen_lineup::joined;
use tengen_random::{Random, output};
use tengen_record::formats::book::{BookPosition, OpeningBook};
use tengen_rules::{Point, Rule, Seat, Size};

use super::candidates::{CandidateKind, Candidates, EvenRange, Sieve};
use super::choice::{BookChoice, Played};
use super::self_play::{SelfPlay, SelfPlayArgs};
use super::{StoneCount, side_by_side, write_book};
use crate::report::{percent, print, tell};
use crate::{CommandOutcome, WrongUse, stop};

/// What Black is to be ahead by under renju, so that it makes half of the points in games: what is
/// forbidden to it costs it later, where a short search does not look.
const RENJU_LEAD: i32 = 80;
/// The time controls that a book is balanced with. From an opening the built-in engine finishes no
/// ply with the first, one with the second, one or two with the third and two with the last, and
/// is another player each time.
const CONTROLS: [&str; 4] = ["nodes=30", "nodes=75", "nodes=220", "nodes=600"];
/// What is drawn and judged before it is saved.
const BATCH: usize = 64;
/// Of so many positions one is played once more, so that it is known how much is luck.
const PLAYED_AGAIN: u64 = 16;
/// From so many times as many positions a book can be chosen, or from none.
const MOST_PLAYED: usize = 3;
/// How often it is told how far it is.
const TOLD: Duration = Duration::from_secs(20);

#[derive(Debug, ClapArgs)]
pub(crate) struct BookMakeArgs {
    /// The file to make; if its name ends in .book it is packed, otherwise text
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
    /// How far from even two searches may judge a position
    ///
    /// The unit is that of Tengen's own evaluation; most positions are within 200.
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub even: u32,
    /// What counts as even, for Black [default: 0; 80 with renju]
    ///
    /// In renju, forbidden moves cost Black something later, where a short search does not look.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub lead: Option<i32>,
    /// A time control to balance the book with; can be given several times
    ///
    /// Positions are chosen so that Black makes half of the points with each. From each position a
    /// game is played with each time control, and at least four games; the players take turns at
    /// searching 50 % more. [default: nodes=30, 75, 220 and 600]
    #[arg(long, value_name = "TC", default_values = CONTROLS, hide_default_value = true)]
    pub tc: Vec<TimeControl>,
    /// The seed of the positions and the engine
    ///
    /// The same seed makes the same book, byte for byte, if the engine's play is determined by its
    /// seed and its nodes.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub play: SelfPlayArgs,
}

/// How a book is made. Two makers of the same plan make the same book.
pub(super) struct BookPlan {
    kind: CandidateKind,
    count: usize,
    even: EvenRange,
    spec: EngineSpec,
    tc: Vec<TimeControl>,
}

pub(crate) fn make(args: &BookMakeArgs) -> anyhow::Result<CommandOutcome> {
    let plan = BookPlan::of(args)?;
    if args.file.exists() {
        bail!(WrongUse(anyhow!("{} exists already; name another file", args.file.display())));
    }
    let settings = HostSettings::this_program().context("cannot find this program")?;
    stop::raise_on_interrupt(&settings.interrupt)?;
    let seat = || SelfPlay::new(&plan.spec, &settings, args.rule, args.size, &plan.tc);
    let mut workers: Vec<_> = (0..args.play.workers()).map(|_| (Sieve::new(), seat())).collect();
    let mut journal = MakeJournal::open(&args.file, &plan.text(), plan.tc.len())?;
    if journal.judged > 0 {
        let (even, judged) = (journal.played.len(), journal.judged);
        tell(format_args!("tengen: continuing after {judged} positions, of which {even} are even"));
    }
    let Some((book, shares)) = find(&plan, &mut journal, &mut workers, &settings.interrupt)? else {
        return Ok(CommandOutcome::Interrupted);
    };
    write_book(&args.file, &book)?;
    journal.remove();
    let (file, count) = (args.file.display(), book.positions.len());
    print(&format!("{file}: {count} openings; Black makes {shares}\n"))?;
    Ok(CommandOutcome::Done)
}

/// Draws positions and plays from them until a book can be chosen, and says what Black makes; none
/// once stopped.
fn find(
    plan: &BookPlan,
    journal: &mut MakeJournal,
    workers: &mut [(Sieve, SelfPlay)],
    interrupt: &Interrupt,
) -> anyhow::Result<Option<(OpeningBook, String)>> {
    let mut candidates = Candidates::new(plan.kind);
    let mut drawn: Vec<Vec<Point>> = candidates.by_ref().take(journal.judged as usize).collect();
    let (begun, before) = (Instant::now(), journal.played.len());
    let mut told = begun;
    // What is chosen follows from how many were played, not from when it was looked at.
    let step = plan.count.div_ceil(100);
    let (mut looked, mut choice) = (0, BookChoice::default());
    loop {
        let ready = journal.played.len() / step * step;
        if ready > looked {
            looked = ready;
            choice = BookChoice::of(&journal.played[..ready], plan.rounds(), plan.count);
        }
        let (chosen, wanted) = (choice.chosen.len(), plan.count);
        if chosen == wanted {
            let book = plan.book(&choice, &journal.played[..ready], &drawn);
            return Ok(Some((book, plan.shares(&choice))));
        }
        let first = drawn.len();
        drawn.extend(candidates.by_ref().take(BATCH));
        if drawn.len() == first || ready > MOST_PLAYED * (wanted + BATCH) {
            bail!(
                "cannot find {wanted} balanced positions: of {first} drawn, {ready} were played \
                 and {chosen} are balanced; allow more --stones, a greater --reach or --even, or \
                 another --lead"
            );
        }
        let judged = judge(plan, &drawn[first..], first as u64, workers, interrupt);
        if interrupt.is_raised() {
            tell(format_args!(
                "tengen: {chosen} of {wanted} openings are made; run the same command to continue"
            ));
            return Ok(None);
        }
        journal.add(&judged?, drawn.len() as u64)?;
        if chosen > 0 && told.elapsed() >= TOLD {
            told = Instant::now();
            // Of those to come as many can be chosen as of those that were played.
            let played = journal.played.len();
            let left = (wanted * ready / chosen).saturating_sub(played);
            let seconds = begun.elapsed().as_secs_f64() / (played - before).max(1) as f64;
            let (drawn, minutes) = (drawn.len(), seconds * left as f64 / 60.0);
            tell(format_args!(
                "tengen: {chosen} of {wanted} openings, from {drawn} positions; about {minutes:.0} \
                 min left"
            ));
        }
    }
}

/// Looks at positions, the first of which has that number, and plays from those that are even, in
/// order.
fn judge(
    plan: &BookPlan,
    positions: &[Vec<Point>],
    first: u64,
    workers: &mut [(Sieve, SelfPlay)],
    interrupt: &Interrupt,
) -> anyhow::Result<Vec<Played>> {
    let judged = side_by_side(workers, positions.len(), interrupt, |(sieve, play), place| {
        let (stones, number) = (&positions[place], first + place as u64);
        let is_even = sieve.passes(stones, plan.kind.rule, plan.kind.size, plan.even);
        is_even.then(|| plan.play(stones, number, play)).transpose()
    });
    Ok(judged?.into_iter().flatten().collect())
}

impl BookPlan {
    fn of(args: &BookMakeArgs) -> anyhow::Result<BookPlan> {
        let side = |of: u8| usize::from((2 * args.reach + 1).min(of));
        let points = side(args.size.width()) * side(args.size.height());
        if usize::from(args.stones.most) > points {
            bail!(WrongUse(anyhow!(
                "{} stones do not fit within {} points of the centre; allow a greater --reach",
                args.stones.most,
                args.reach
            )));
        }
        Ok(BookPlan {
            kind: CandidateKind {
                rule: args.rule,
                size: args.size,
                stones: args.stones,
                reach: args.reach,
                seed: args.seed,
            },
            count: args.count as usize,
            even: EvenRange {
                lead: args.lead.unwrap_or(if args.rule == Rule::Renju { RENJU_LEAD } else { 0 }),
                most: args.even,
            },
            spec: args.play.spec(args.rule, args.size)?,
            tc: args.tc.clone(),
        })
    }

    /// What decides what the book is, in one line.
    fn text(&self) -> String {
        let CandidateKind { rule, size, stones, reach, seed } = self.kind;
        let StoneCount { least, most } = stones;
        let options = self.spec.options.iter().map(|(name, value)| format!(" {name}={value}"));
        format!(
            "openings for {rule} on {size}: {least} to {most} stones within {reach} points of the \
             centre, seed {seed}, Black ahead by {} ± {}, {}{}, balanced with {}",
            self.even.lead,
            self.even.most,
            self.spec.id,
            joined(options, ""),
            joined(&self.tc, " "),
        )
    }

    /// How many games are played from each position with each time control: four at least in all.
    fn rounds(&self) -> u32 {
        4_u32.div_ceil(self.tc.len() as u32)
    }

    /// Plays from a position; the stronger colour changes from game to game.
    fn play(&self, stones: &[Point], number: u64, play: &mut SelfPlay) -> anyhow::Result<Played> {
        let mut random = Random::new(output(self.kind.seed, number));
        let mut all = |rounds| -> anyhow::Result<Vec<u32>> {
            let mut strong = if random.coin() { Seat::First } else { Seat::Second };
            let mut game = |tc| {
                strong = !strong;
                play.game(stones, tc, strong, random.bits())
            };
            self.tc.iter().map(|&tc| (0..rounds).map(|_| game(tc)).sum()).collect()
        };
        let halves = all(self.rounds())?;
        let is_again = number.is_multiple_of(PLAYED_AGAIN);
        Ok(Played { number, halves, again: if is_again { all(1)? } else { Vec::new() } })
    }

    fn shares(&self, choice: &BookChoice) -> String {
        let shares = self.tc.iter().zip(&choice.shares);
        let shares = shares.map(|(tc, share)| format!("{} with {tc}", percent(*share)));
        joined(shares, ", ")
    }

    fn book(&self, choice: &BookChoice, played: &[Played], drawn: &[Vec<Point>]) -> OpeningBook {
        let positions = choice.chosen.iter().map(|&(place, share)| BookPosition {
            stones: drawn[played[place].number as usize].clone(),
            black: Some((100.0 * share).round() as u8),
        });
        let notes = vec![
            format!("made by tengen openings make: {}", self.text()),
            format!(
                "of {} positions drawn, of which {} were played; in games to come Black makes {}",
                played.last().map_or(0, |last| last.number + 1),
                played.len(),
                self.shares(choice)
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
    /// Those that were even, and the games from them.
    played: Vec<Played>,
    /// How many positions were judged.
    judged: u64,
}

impl MakeJournal {
    /// Opens the file beside a book, or begins it.
    ///
    /// # Errors
    /// When it is of another plan.
    fn open(book: &Path, plan: &str, controls: usize) -> anyhow::Result<MakeJournal> {
        let mut path = book.as_os_str().to_owned();
        path.push(".part");
        let path = PathBuf::from(path);
        let mut journal = MakeJournal { path, played: Vec::new(), judged: 0 };
        let text = match fs::read_to_string(&journal.path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error).context(journal.path.display().to_string()),
        };
        let shown = journal.path.display().to_string();
        let (head, lines) = text.split_once('\n').unwrap_or_default();
        if !head.is_empty() && head != plan {
            bail!(WrongUse(anyhow!(
                "{shown} belongs to another book ({head}); remove it, or name another file"
            )));
        }
        let mut batch = Vec::new();
        let mut whole = String::new();
        let mut rest = lines;
        while let Some((line, after)) = rest.split_once('\n') {
            rest = after;
            let mut words = line.split(' ');
            let number = words.next().and_then(|word| word.parse().ok());
            let halves: Vec<u32> = words.map_while(|word| word.parse().ok()).collect();
            match (number, halves.split_at_checked(controls)) {
                (Some(number), Some((halves, again)))
                    if again.is_empty() || again.len() == controls =>
                {
                    let (halves, again) = (halves.to_vec(), again.to_vec());
                    batch.push(Played { number, halves, again });
                }
                (Some(judged), None) if halves.is_empty() => {
                    journal.judged = judged;
                    journal.played.append(&mut batch);
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
    fn add(&mut self, played: &[Played], judged: u64) -> anyhow::Result<()> {
        let lines = played.iter().map(|Played { number, halves, again }| {
            let halves = halves.iter().chain(again).map(|halves| format!(" {halves}"));
            format!("{number}{}\n", halves.collect::<String>())
        });
        let lines: String = lines.chain(iter::once(format!("{judged}\n"))).collect();
        let file = OpenOptions::new().append(true).open(&self.path);
        file.and_then(|mut file| file.write_all(lines.as_bytes()))
            .with_context(|| self.path.display().to_string())?;
        self.played.extend_from_slice(played);
        self.judged = judged;
        Ok(())
    }

    fn remove(self) {
        // A file that is left does no harm.
        let _ignored = fs::remove_file(self.path);
    }
}
