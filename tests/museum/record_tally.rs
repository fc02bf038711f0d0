//! What the records of an event say about an engine.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use tengen_arbiter::Termination;
use tengen_record::GameRecord;
use tengen_rules::Seat;

use crate::common::json;

/// What the records say of an engine.
#[derive(Default)]
struct RecordTally {
    wins: u64,
    draws: u64,
    losses: BTreeMap<Termination, u64>,
}

/// Asserts that the text that the event printed, the report in JSON and the records agree on the
/// winner and how it won.
pub(crate) fn assert_alike(records: &[GameRecord], event: &Path, text: &str) {
    // A star marks points with games that a busy machine has spoiled; they are counted here.
    let text = &text.replace('*', "");
    let (engines, terminations) = count(records);
    let event = event.to_str().expect("the path is UTF-8");
    let summary = json(["tournament", "report", event, "--json"]);
    assert_eq!(summary["games"], records.len());
    let standings = summary["standings"].as_array().expect("a summary has standings");
    assert_eq!(standings.len(), engines.len());
    for (place, line) in standings.iter().enumerate() {
        let label = line["engine"].as_str().expect("an engine has a label");
        let RecordTally { wins, draws, losses } = &engines[label];
        let lost: u64 = losses.values().sum();
        let counted = [&line["wins"], &line["draws"], &line["losses"]].map(|n| n.as_u64().unwrap());
        assert_eq!(counted, [*wins, *draws, lost], "{label}");
        assert_eq!(named(&line["terminations"]), *losses, "{label}");
        let (points, games) = (*wins as f64 + *draws as f64 / 2.0, wins + draws + lost);
        let row = format!("{} {label} {points:.1} {games} {wins} {draws} {lost} ", place + 1);
        assert!(has_row(text, &row), "no row `{row}` in\n{text}");
    }
    assert_eq!(named(&summary["terminations"]), terminations);
    for (termination, games) in &terminations {
        let mut row = format!("{} {games}", termination.name().replace('_', " "));
        for line in standings {
            let lost = &engines[line["engine"].as_str().unwrap()].losses;
            row += &lost.get(termination).map(|lost| format!(" {lost}")).unwrap_or_default();
        }
        assert!(has_row(text, &format!("{row} ")), "no row `{row}` in\n{text}");
    }
}

fn count(records: &[GameRecord]) -> (BTreeMap<&str, RecordTally>, BTreeMap<Termination, u64>) {
    let mut engines: BTreeMap<&str, RecordTally> = BTreeMap::new();
    let mut terminations = BTreeMap::new();
    for GameRecord { header, result, .. } in records {
        *terminations.entry(result.termination).or_default() += 1;
        for seat in Seat::ALL {
            let tally = engines.entry(&header.seats[seat].id).or_default();
            match result.winner {
                None => tally.draws += 1,
                Some(winner) if winner == seat => tally.wins += 1,
                Some(_) => *tally.losses.entry(result.termination).or_default() += 1,
            }
        }
    }
    (engines, terminations)
}

fn named(counts: &Value) -> BTreeMap<Termination, u64> {
    let counts = counts.as_object().expect("terminations are an object").iter();
    let known = |name| Termination::from_name(name).expect("a termination that is known");
    counts.map(|(name, count)| (known(name), count.as_u64().unwrap())).collect()
}

/// Whether a line begins so, however its columns are set apart.
fn has_row(text: &str, row: &str) -> bool {
    let words = |line: &str| line.split_whitespace().map(|word| format!("{word} ")).collect();
    text.lines().map(words).any(|line: String| line.starts_with(row))
}
