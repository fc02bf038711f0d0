//! `tengen openings check`: whether a book is what it should be.

use std::collections::BTreeMap;

use anyhow::Context;
use clap::Args as ClapArgs;
use serde::Serialize;
use tengen_arbiter::TimeControl;
use tengen_hosts::HostSettings;
use tengen_random::output;
use tengen_record::formats::book::OpeningBook;
use tengen_record::formats::suite::{check_position, same_opening};
use tengen_rules::Seat;

use super::candidates::{EvenRange, Sieve};
use super::self_play::{SelfPlay, SelfPlayArgs};
use super::{BookArgs, side_by_side};
use crate::{CommandOutcome, report, stop};

/// How far from a half Black's share of the points may be over a whole book, in percent.
const OFF: f64 = 3.0;
/// The time controls of games: as many nodes as chose no book, at every depth that those reach.
const CONTROLS: [&str; 4] = ["nodes=50", "nodes=120", "nodes=350", "nodes=1000"];
/// How many positions of a kind of fault are named.
const NAMED: usize = 10;

#[derive(Debug, ClapArgs)]
pub(crate) struct BookCheckArgs {
    #[command(flatten)]
    pub book: BookArgs,
    /// How far from even two searches may judge a position
    ///
    /// The unit is that of Tengen's own evaluation.
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub even: u32,
    /// Measure Black's share in this many games with each --tc
    ///
    /// They begin from positions spread over the book.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub games: u32,
    /// A time control of these games; can be given several times
    ///
    /// In half of the games White searches 50 % more, in the other half Black. [default: nodes=50,
    /// 120, 350 and 1000]
    #[arg(long, value_name = "TC", default_values = CONTROLS, hide_default_value = true)]
    pub tc: Vec<TimeControl>,
    /// The seed of the engine
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub play: SelfPlayArgs,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// What a check found. Positions are named by their numbers, counted from 1.
#[derive(Debug, Default, Serialize)]
struct BookReport {
    rule: String,
    size: String,
    positions: usize,
    /// How many positions there are of each number of stones.
    stones: BTreeMap<usize, usize>,
    /// Those from which no game can begin, each with the reason.
    illegal: Vec<(usize, String)>,
    /// Those that are another one before them, turned, mirrored or in another order of moves.
    repeated: Vec<(usize, usize)>,
    /// Those that a short search calls decided, or that have threats on the board.
    uneven: Vec<usize>,
    /// Black's share of the points that the book states, in percent.
    stated: Option<f64>,
    /// The same in games that were played now.
    played: Vec<PlayedShare>,
}

#[derive(Debug, Serialize)]
struct PlayedShare {
    tc: String,
    games: u32,
    black: f64,
}

pub(crate) fn check(args: &BookCheckArgs) -> anyhow::Result<CommandOutcome> {
    let book = args.book.read()?;
    let settings = HostSettings::this_program().context("cannot find this program")?;
    stop::raise_on_interrupt(&settings.interrupt)?;
    let mut report = look_at(&book);
    let wrong: Vec<usize> = report.illegal.iter().map(|(number, _)| number - 1).collect();
    let legal: Vec<usize> =
        (0..book.positions.len()).filter(|place| wrong.binary_search(place).is_err()).collect();
    let mut sieves: Vec<_> = (0..args.play.workers()).map(|_| Sieve::new()).collect();
    let even = side_by_side(&mut sieves, legal.len(), &settings.interrupt, |sieve, at| {
        let stones = &book.positions[legal[at]].stones;
        let range = EvenRange { lead: 0, most: args.even };
        Ok(sieve.passes(stones, book.rule, book.size, range))
    })?;
    let uneven = legal.iter().zip(even).filter(|(_, is_even)| !is_even);
    report.uneven = uneven.map(|(place, _)| place + 1).collect();
    if args.games > 0 && !legal.is_empty() {
        report.played = play(args, &book, &legal, &settings)?;
    }
    if settings.interrupt.is_raised() {
        return Ok(CommandOutcome::Interrupted);
    }
    report::show(args.json, || &report, || report.text())?;
    Ok(if report.is_fine() { CommandOutcome::Done } else { CommandOutcome::Failed })
}

/// Plays games from these positions of the book, with each time control.
fn play(
    args: &BookCheckArgs,
    book: &OpeningBook,
    legal: &[usize],
    settings: &HostSettings,
) -> anyhow::Result<Vec<PlayedShare>> {
    let spec = args.play.spec(book.rule, book.size)?;
    let count = args.games as usize;
    let share = |&tc: &TimeControl| {
        let seat = |_| SelfPlay::new(&spec, settings, book.rule, book.size, &[tc]);
        let mut players: Vec<_> = (0..args.play.workers()).map(seat).collect();
        let halves = side_by_side(&mut players, count, &settings.interrupt, |player, at| {
            let stones = &book.positions[legal[at * legal.len() / count % legal.len()]].stones;
            player.game(stones, tc, Seat::ALL[at % 2], output(args.seed, at as u64))
        })?;
        let games = halves.len() as u32;
        let black = 50.0 * f64::from(halves.iter().sum::<u32>()) / f64::from(games.max(1));
        Ok(PlayedShare { tc: tc.to_string(), games, black })
    };
    args.tc.iter().map(share).collect()
}

/// What can be seen without a search.
fn look_at(book: &OpeningBook) -> BookReport {
    let mut report = BookReport {
        rule: book.rule.to_string(),
        size: book.size.to_string(),
        positions: book.positions.len(),
        stated: book.black(),
        ..BookReport::default()
    };
    let mut seen = BTreeMap::new();
    for (number, position) in (1..).zip(&book.positions) {
        *report.stones.entry(position.stones.len()).or_default() += 1;
        if let Err(error) = check_position(&position.stones, book.rule, book.size) {
            report.illegal.push((number, error.message));
            continue;
        }
        let first = *seen.entry(same_opening(&position.stones, book.size)).or_insert(number);
        if first != number {
            report.repeated.push((number, first));
        }
    }
    report
}

impl BookReport {
    /// Whether Black's share is about a half: in games, as near as their number can tell.
    fn is_balanced(&self) -> bool {
        let stated = self.stated.is_none_or(|share| (share - 50.0).abs() <= OFF);
        stated && self.played.iter().all(PlayedShare::is_balanced)
    }

    fn is_fine(&self) -> bool {
        let is_clean =
            self.illegal.is_empty() && self.repeated.is_empty() && self.uneven.is_empty();
        is_clean && self.is_balanced()
    }

    fn text(&self) -> String {
        let BookReport { rule, size, positions, stones, .. } = self;
        let counts = stones.iter().map(|(count, some)| format!("{some} of {count}"));
        let counts = tengen_lineup::joined(counts, ", ");
        let mut text = format!("{positions} positions, {rule} on {size}; stones: {counts}\n");
        let mut fault = |count: usize, what: &str, named: Vec<String>| {
            if count > 0 {
                let more = if count > NAMED { "; …" } else { "" };
                text += &format!("FAIL {count} {what}: {}{more}\n", named.join("; "));
            } else {
                text += &format!("ok   0 {what}\n");
            }
        };
        let named = self.illegal.iter().take(NAMED);
        let named = named.map(|(number, reason)| format!("{number} ({reason})")).collect();
        fault(self.illegal.len(), "from which no game can begin", named);
        let named = self.repeated.iter().take(NAMED);
        let named = named.map(|(number, first)| format!("{number} is {first}")).collect();
        fault(self.repeated.len(), "that repeat another one, turned or mirrored", named);
        let named = self.uneven.iter().take(NAMED).map(usize::to_string).collect();
        fault(self.uneven.len(), "with a threat on the board, or far from even", named);
        let verdict = |is_fine: bool| if is_fine { "ok  " } else { "FAIL" };
        text += &match self.stated {
            Some(share) => format!(
                "{} the book states {share:.1} % of the points for Black\n",
                verdict((share - 50.0).abs() <= OFF)
            ),
            None => "     the book does not state Black's share\n".to_owned(),
        };
        for played in &self.played {
            text += &format!(
                "{} {} games with {}: {:.1} % of the points for Black (± {:.1})\n",
                verdict(played.is_balanced()),
                played.games,
                played.tc,
                played.black,
                2.0 * played.error()
            );
        }
        text
    }
}

impl PlayedShare {
    /// The standard error of the share in percent, if no game were drawn.
    fn error(&self) -> f64 {
        50.0 / f64::from(self.games.max(1)).sqrt()
    }

    /// Whether these games leave it possible that the share is about a half.
    fn is_balanced(&self) -> bool {
        (self.black - 50.0).abs() <= OFF + 2.0 * self.error()
    }
}
