//! Standings as text: the order, the cross table, and how games ended.

mod stages;

use std::fmt;
use std::io::{self, Write};
use std::iter;
use std::sync::{PoisonError, RwLock};

use anyhow::Context;
use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};
use tengen_arbiter::Termination;
use tengen_hosts::package::legible;
use tengen_lineup::joined;
use tengen_stats::{Elo, SprtDecision, SprtModel, WinDrawLoss, performance};
use tengen_tournament::{
    IncidentGroup, IncidentKind, PairStats, SetAside, SpoiledGames, SpoiledLoser, Standing,
    StandingColumn, Summary, Tally, TestState,
};

pub(crate) fn text(summary: &Summary) -> String {
    let mut out = head(summary) + &notes(summary) + &stages::text(summary);
    if !summary.stages.is_empty() {
        out += "All games\n";
    }
    out += &standings(summary);
    out += &legend(summary);
    out += &summary.pairs.as_ref().map(pair_figures).unwrap_or_default();
    out += &cross_table(summary);
    if summary.games > 0 {
        out += &format!("\nHow games ended, and who lost\n{}", terminations(summary));
    }
    out += &incidents(summary);
    out += &summary.sprt.as_ref().map(test).unwrap_or_default();
    out += &stages::tests(&summary.tests);
    out += &workers(summary);
    out += &timing(summary);
    out += &changes(summary);
    out
}

/// What the event is called, where and when it is played: where it says so.
fn head(Summary { title, occasion, .. }: &Summary) -> String {
    let told = [title.as_deref().unwrap_or_default(), occasion];
    let told: Vec<_> = told.into_iter().filter(|words| !words.is_empty()).collect();
    if told.is_empty() { String::new() } else { format!("{}\n\n", told.join(", ")) }
}

/// What was changed since the event was made.
fn changes(summary: &Summary) -> String {
    if summary.changes.is_empty() {
        return String::new();
    }
    let lines = summary.changes.iter().map(|change| format!("{:>4}  {change}\n", change.number));
    format!("\nChanges of the event\n{}", lines.collect::<String>())
}

/// What each worker played, and which of them does not fit the others.
fn workers(summary: &Summary) -> String {
    if summary.workers.is_empty() {
        return String::new();
    }
    let is_scaled = summary.workers.iter().any(|one| one.scale != 1.0);
    let mut table = table(
        ["Worker", "Machine", "Games", "Spoiled"]
            .into_iter()
            .chain(is_scaled.then_some("Times"))
            .chain(["chi²", "p"])
            .map(str::to_owned),
    );
    for one in &summary.workers {
        let scale = is_scaled.then(|| format!("× {:.2}", one.scale));
        let cells = [&one.worker, &one.machine].into_iter().map(|text| legible(text).into_owned());
        let counts = [one.games, one.spoiled].map(|count| count.to_string());
        let fit = [format!("{:.1}", one.chi2), format!("{:.2}", one.p)];
        table.add_row(cells.chain(counts).chain(scale).chain(fit));
    }
    align_right(&mut table, &(2..6 + usize::from(is_scaled)).collect::<Vec<_>>());
    let odd = summary.workers.iter().filter(|one| one.is_suspicious()).map(|one| {
        let engine = one.engine.as_deref().unwrap_or_default();
        format!(
            "The results of worker {} do not fit those of the others (p = {:.2e}): {engine} made \
             {:+.1} points more there than in such games elsewhere. See what differs on that \
             machine\n",
            one.worker, one.p, one.surplus
        )
    });
    let odd: String = odd.collect();
    format!("\nWorkers\n{table}\n{odd}")
}

/// What has to be known before the standings are read.
fn notes(summary: &Summary) -> String {
    let mut out = String::new();
    let SpoiledGames { games, void, numbers, void_numbers, losers, .. } = &summary.spoiled;
    let finished = summary.games + void;
    if *games > 0 {
        out += &format!(
            "{} of {finished} games were spoiled by this machine, which was asleep or stopped, or \
             had no memory left for an engine, and count all the same (*): {}. With --spoiled \
             replay such games are played again\n\n",
            games,
            listed(numbers, *games)
        );
    }
    if *void > 0 {
        out += &format!(
            "{void} of {finished} games do not count: this machine spoiled them, or the other \
             game of their pair, again and again: {}. Their records say why\n\n",
            listed(void_numbers, *void)
        );
    }
    out += &losers.iter().map(spoiled_loser).collect::<String>();
    if !losers.is_empty() {
        out.push('\n');
    }
    let (repeated, games) = (summary.repeated.repeated(), summary.repeated.games);
    if repeated > 0 {
        let distinct = summary.repeated.distinct;
        let advice = match 20 * repeated >= games {
            true => "; play from more openings, with --openings",
            false => "",
        };
        out += &format!(
            "{distinct} of {games} games are different from each other, and Elo and tests count \
             each once; the others are no new evidence, and count only for points{advice}\n\n"
        );
    }
    for SetAside { engine, reason } in &summary.set_aside {
        out += &format!("{engine} does not play: {reason}\n");
    }
    for SetAside { engine, reason } in &summary.removed {
        out += &format!("{engine} was removed ({reason}), and plays no more games\n");
    }
    out + if summary.set_aside.is_empty() && summary.removed.is_empty() { "" } else { "\n" }
}

/// How often an engine would have lost a game that this machine spoiled.
fn spoiled_loser(loser: &SpoiledLoser) -> String {
    let SpoiledLoser { engine, lost, won, p } = loser;
    let mut out = format!(
        "{engine} would have lost {lost} games that this machine spoiled, its opponents {won} \
         against it"
    );
    if loser.is_suspicious() {
        out += &format!(
            ": more than by chance (sign test, p = {p:.2e}). It may be the cause: see what it uses \
             of the machine, limit it, or let such games count with --spoiled keep"
        );
    }
    out + "\n"
}

/// The first of so many numbers, and whether there are more.
fn listed(numbers: &[u64], count: u64) -> String {
    let more = if numbers.len() as u64 == count { "" } else { ", …" };
    joined(numbers, ", ") + more
}

/// What the columns of the standings mean that do not say it themselves.
fn legend(summary: &Summary) -> String {
    let is_known = summary.standings.iter().any(|line| line.performance.is_some());
    if !is_known {
        return String::new();
    }
    "Elo: the difference from the opponents, and its 95 % interval; > and < where its other end is \
     open\n"
        .to_owned()
}

/// What the pairs of games say of the first engine of a match.
fn pair_figures(pairs: &PairStats) -> String {
    let PairStats { engine, counts, repeated, normalized, los, draw_ratio, pairs_ratio, .. } =
        pairs;
    let [lost, half_lost, even, half_won, won] = counts;
    let games = 2 * counts.iter().sum::<u64>();
    let different = if *repeated > 0 { "different " } else { "" };
    let (los, draws) = (100.0 * los, 100.0 * draw_ratio);
    let ratio = pairs_ratio.map_or("–".to_owned(), |ratio| format!("{ratio:.2}"));
    format!(
        "\n{engine} in {games} {different}games, two of each opening: nElo {normalized:.0}, \
         LOS {los:.1} %, \
         draw ratio {draws:.1} %, pairs ratio {ratio}, \
         Ptnml(0-2) [{lost}, {half_lost}, {even}, {half_won}, {won}]\n"
    )
}

pub(crate) fn test(state: &TestState) -> String {
    let TestState { elo0, elo1, model, accepted, pairs, played_pairs, .. } = state;
    let scale = match model {
        SprtModel::Logistic => "Elo",
        SprtModel::Normalized => "nElo",
    };
    let accepted = match accepted {
        Some(SprtDecision::H0) => format!("H0 is accepted ({elo0:+} {scale})"),
        Some(SprtDecision::H1) => format!("H1 is accepted ({elo1:+} {scale})"),
        None => match state.inconclusive {
            Some(reason) => format!("inconclusive: {reason}"),
            None => "not decided yet".to_owned(),
        },
    };
    let counted = match pairs < played_pairs {
        true => format!("; it counts {pairs} of {played_pairs} pairs, each once"),
        false => String::new(),
    };
    format!(
        "\nSPRT of {elo0:+} and {elo1:+} {scale}: {}, {accepted}{counted}\n",
        log_likelihood_ratio(state)
    )
}

/// The ratio of a test between the bounds at which it decides.
pub(crate) fn log_likelihood_ratio(TestState { llr, lower, upper, .. }: &TestState) -> String {
    format!("LLR {llr:.2} ({lower:.2} to {upper:.2})")
}

/// What the games of a match of two engines say so far of the first.
pub(crate) fn live_figures(engine: &str, tally: &Tally, test: Option<&TestState>) -> String {
    let (all, singles) = tally.pairs_and_singles(0);
    let WinDrawLoss { wins, draws, losses } = tally.total(0);
    let mut out =
        format!("{engine} {wins}-{draws}-{losses}  Elo {}", elo(performance(all, singles)));
    let pairs = tally.pairs(0, 1);
    if let Some(sample) = pairs.sample() {
        out += &format!("  nElo {:.0}  LOS {:.1} %", sample.normalized_elo(), 100.0 * sample.los());
    }
    if let Some(test) = test {
        out += &format!("  {}", log_likelihood_ratio(test));
    }
    out
}

/// Prints what came of a command: one JSON object, or a text.
pub(crate) fn show<J: serde::Serialize>(
    is_json: bool,
    object: impl FnOnce() -> J,
    text: impl FnOnce() -> String,
) -> anyhow::Result<()> {
    if is_json { json(&object()) } else { print(&text()) }
}

pub(crate) fn json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    let mut line = serde_json::to_string(value)?;
    line.push('\n');
    write(&line)
}

/// Takes messages while an event is shown in the whole terminal.
type Ear = Box<dyn Fn(&str) -> bool + Send + Sync>;
static EAR: RwLock<Option<Ear>> = RwLock::new(None);

/// Passes messages to a listener first, which returns whether it shows them.
pub(crate) fn listen(ear: Option<Ear>) {
    *EAR.write().unwrap_or_else(PoisonError::into_inner) = ear;
}

/// Prints a message to standard error. If that is closed, there is nowhere to say so.
pub(crate) fn tell(line: fmt::Arguments<'_>) {
    tell_secret(line, line);
}

/// The same with a line for standard error alone. Everything else gets `public`.
pub(crate) fn tell_secret(public: fmt::Arguments<'_>, secret: fmt::Arguments<'_>) {
    let ear = EAR.read().unwrap_or_else(PoisonError::into_inner);
    if !ear.as_ref().is_some_and(|ear| ear(&lines(&public.to_string()))) {
        let _unheard = writeln!(io::stderr(), "{}", lines(&secret.to_string()));
    }
}

/// Prints a text. That its disk is full is an error like another.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    write(&lines(text))
}

/// The lines of a text, in which strangers may have put what a terminal would obey.
fn lines(text: &str) -> String {
    text.split('\n').map(legible).collect::<Vec<_>>().join("\n")
}

fn write(text: &str) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
        .context("cannot write to standard output; check that the disk is not full")
}

fn standings(summary: &Summary) -> String {
    let columns = StandingColumn::ALL;
    let mut table = table(columns.map(StandingColumn::title));
    let (lines, more) = first_lines(&summary.standings);
    for (place, line) in (1..).zip(lines) {
        table.add_row(columns.map(|column| column.text(place, line)));
    }
    let is_number = |place: &usize| columns[*place].is_number();
    align_right(&mut table, &(0..columns.len()).filter(is_number).collect::<Vec<_>>());
    format!("{table}\n{more}")
}

/// The lines that there is room for, and how many more engines there are, in words.
fn first_lines<T>(lines: &[T]) -> (&[T], String) {
    if lines.len() <= MOST_LINES {
        return (lines, String::new());
    }
    let more = lines.len() - FEWER_LINES;
    (&lines[..FEWER_LINES], format!("… and {more} more engines; --html and --json have all\n"))
}

/// Who scored what against whom: in full, in points alone, or not at all where there is no room.
fn cross_table(summary: &Summary) -> String {
    let engines = summary.standings.len();
    let (cell, what): (fn(&WinDrawLoss) -> String, _) = match engines {
        ..3 => return String::new(),
        3..=WIDEST => (against, "points, wins-draws-losses"),
        _ if engines <= WIDEST_CROSS_TABLE => (points_against, "points"),
        _ => return format!("\nThe cross table of {engines} engines is in a page: --html FILE\n"),
    };
    let head = ["#".to_owned(), "Engine".to_owned()];
    let mut table = table(head.into_iter().chain((1..=engines).map(|place| place.to_string())));
    for (place, (line, row)) in summary.standings.iter().zip(&summary.cross_table).enumerate() {
        let scores = row.iter().enumerate();
        let scores = scores.map(|(it, score)| if it == place { "·".into() } else { cell(score) });
        table.add_row([(place + 1).to_string(), line.engine.clone()].into_iter().chain(scores));
    }
    format!("\nCross table ({what})\n{table}\n")
}

fn points_against(score: &WinDrawLoss) -> String {
    if score.games() == 0 { String::new() } else { points(score.points()) }
}

fn against(score: &WinDrawLoss) -> String {
    if score.games() == 0 {
        return String::new();
    }
    let WinDrawLoss { wins, draws, losses } = score;
    format!("{} ({wins}-{draws}-{losses})", points(score.points()))
}

fn terminations(summary: &Summary) -> String {
    if summary.standings.len() > WIDEST {
        return terminations_by_engine(summary);
    }
    let names = summary.standings.iter().map(|line| line.engine.clone());
    let head = ["Termination".to_owned(), "Games".to_owned()];
    let mut table = table(head.into_iter().chain(names));
    for (termination, count) in &summary.terminations {
        let mut cells = vec![termination.words(), count.to_string()];
        cells.extend(summary.standings.iter().map(|line| lost(line, *termination)));
        table.add_row(cells);
    }
    align_right(&mut table, &(1..summary.standings.len() + 2).collect::<Vec<_>>());
    format!("{table}\n")
}

/// The same with a line for each engine, where there are too many for columns.
fn terminations_by_engine(summary: &Summary) -> String {
    let names = summary.terminations.keys().map(|termination| termination.words());
    let mut table = table(iter::once("Lost by".to_owned()).chain(names));
    let all = summary.terminations.values().map(u64::to_string);
    table.add_row(iter::once("All games".to_owned()).chain(all));
    let (lines, more) = first_lines(&summary.standings);
    for line in lines {
        let counts = summary.terminations.keys().map(|termination| lost(line, *termination));
        table.add_row(iter::once(line.engine.clone()).chain(counts));
    }
    align_right(&mut table, &(1..=summary.terminations.len()).collect::<Vec<_>>());
    format!("{table}\n{more}")
}

/// The incidents by engine and reason, with the command that shows the first of each.
fn incidents(summary: &Summary) -> String {
    if summary.incidents.is_empty() {
        return String::new();
    }
    let mut out = "\nLost by faults, void or played again\n".to_owned();
    for group in summary.incidents.iter().take(MOST_GROUPS) {
        let IncidentGroup { reason, numbers, .. } = group;
        out += &format!("{}: {}\n", group.text(), group.listed());
        if !reason.is_empty() {
            out += &format!("  {reason}\n");
        }
        if let (Some(first), true) = (numbers.first(), group.kind != IncidentKind::Replayed) {
            let dir = summary.dir.display();
            out += &format!("  tengen tournament log {dir} {first}\n");
            if group.kind == IncidentKind::Fault {
                out += &format!("  tengen debug {dir} {first}\n");
            }
        }
    }
    match summary.incidents.len().saturating_sub(MOST_GROUPS) {
        0 => {}
        more => out += &format!("… and {more} other reasons; --json has all\n"),
    }
    out
}

/// What the machine had to do with the games.
fn timing(summary: &Summary) -> String {
    let mut out = String::new();
    if let Some(latency) = &summary.latency {
        out += &format!(
            "\nRound trip to the engines: {} (median of {} answers), {} (99%), {} (99.9%), \
             {} (maximum)\n",
            span(latency.p50_ns),
            latency.answers,
            span(latency.p99_ns),
            span(latency.p999_ns),
            span(latency.max_ns),
        );
    }
    let replayed = summary.spoiled.replayed;
    if replayed > 0 {
        out += &format!("\nGames spoiled by the machine and played again: {replayed}\n");
    }
    out
}

/// A part of a whole in percent.
pub(crate) fn percent(part: f64) -> String {
    format!("{:.1} %", 100.0 * part)
}

/// A span of nanoseconds in the unit that suits it.
pub(crate) fn span(nanos: u64) -> String {
    match nanos {
        0..1_000 => format!("{nanos} ns"),
        1_000..1_000_000 => format!("{:.1} µs", nanos as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} ms", nanos as f64 / 1e6),
        _ => format!("{:.2} s", nanos as f64 / 1e9),
    }
}

fn lost(line: &Standing, termination: Termination) -> String {
    line.terminations.get(&termination).map(u64::to_string).unwrap_or_default()
}

pub(crate) fn points(points: f64) -> String {
    format!("{points:.1}")
}

/// An Elo difference, or a dash where there is none.
fn elo(elo: Option<Elo>) -> String {
    elo.map_or("–".to_owned(), |elo| format!("{elo:.0}"))
}

/// Elo points, to the whole number.
pub(crate) fn elo_points(points: f64) -> String {
    // Adding zero keeps "-0" out.
    format!("{:.0}", points.round() + 0.0)
}

/// The most engines and reasons whose games are listed.
const MOST_GROUPS: usize = 40;
/// The most engines that have a column each.
const WIDEST: usize = 8;
/// The most engines that have a narrow column each: so it fits into 160 of a terminal.
const WIDEST_CROSS_TABLE: usize = 16;
/// The most lines of a table, and how many there are of one that would have more.
const MOST_LINES: usize = 60;
const FEWER_LINES: usize = 30;

/// A line under the heads, and no other.
const STYLE: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

pub(crate) fn table<T: Into<String>>(heads: impl IntoIterator<Item = T>) -> Table {
    let mut table = Table::new();
    table.load_style(STYLE);
    table.set_header(heads.into_iter().map(Into::into).collect::<Vec<String>>());
    table
}

/// Puts the text of these columns on the right.
pub(crate) fn align_right(table: &mut Table, columns: &[usize]) {
    for &column in columns {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

#[cfg(test)]
mod tests;
