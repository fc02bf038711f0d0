//! What came of an event by workers: whether each game is there once, and nothing is left.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::lab::Lab;

/// The streams of the server that are empty when an event is over.
const STREAMS: [&str; 2] = ["TENGEN_JOBS", "TENGEN_RESULTS"];

/// What was found.
#[derive(Default)]
pub(super) struct Verdict {
    /// How many games the report counts.
    pub saved: u64,
    expected: u64,
    lost: u64,
    doubled: u64,
    /// Games whose records do not lead to their results.
    wrong: u64,
    /// Jobs, results and consumers that are left at the server.
    ghosts: u64,
    /// How many results the server took, those that came again among them.
    pub results: u64,
    panics: usize,
    /// Results that did not count, though a worker had sent them.
    refused: usize,
    processes: Vec<String>,
}

impl Verdict {
    /// Looks at the event, the server and the logs; the workers end.
    pub fn of(mut lab: Lab, games: u64) -> Result<Verdict> {
        let processes = lab.end_workers()?;
        let places = &lab.places;
        let records = places.folder.join("records.jsonl");
        let mut report = places.tengen();
        report.args(["tournament", "report", "--json", "--records"]).arg(&records);
        let report = report.arg(places.event()).output()?;
        let said = String::from_utf8_lossy(&report.stderr);
        ensure!(report.status.success(), "the report failed ({}):\n{said}", report.status);
        let report: Value = serde_json::from_slice(&report.stdout)?;
        let saved = report["games"].as_u64().context("the report counts no games")?;
        let replayed = places.tengen().args(["rules", "replay"]).arg(&records).output()?;
        let answers = String::from_utf8(replayed.stdout)?;
        let sound = answers.lines().filter(|line| is_sound(line)).count() as u64;
        let [stored, journal] = [&records, &places.event().join("games.jsonl")].map(|path| {
            let text = fs::read_to_string(path);
            text.with_context(|| path.display().to_string()).and_then(|text| count(&text, games))
        });
        let [stored, journal] = [stored?, journal?];
        let (ghosts, results) = streams(&places.ask("/jsz?accounts=1&streams=1")?)?;
        let (mut panics, mut refused) = (0, 0);
        for entry in fs::read_dir(&places.folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|it| it == "log") {
                let log = read_log(&path)?;
                panics += log.matches("panicked at").count();
                refused += log.matches("does not count").count();
            }
        }
        Ok(Verdict {
            saved,
            expected: games,
            lost: stored.0.max(journal.0),
            doubled: stored.1.max(journal.1),
            wrong: games.saturating_sub(sound),
            ghosts,
            results,
            panics,
            refused,
            processes,
        })
    }

    /// The rows of the table.
    pub fn rows(&self) -> [(&'static str, u64); 7] {
        [
            ("lost", self.lost),
            ("doubled", self.doubled),
            ("not replayed to its end", self.wrong),
            ("ghosts at the server", self.ghosts),
            ("results refused", self.refused as u64),
            ("panics", self.panics as u64),
            ("processes left", self.processes.len() as u64),
        ]
    }

    /// An error where something is not as it must be.
    pub fn into_result(self) -> Result<()> {
        let (saved, expected) = (self.saved, self.expected);
        ensure!(saved == expected, "the report counts {saved} games of {expected}");
        let faults = self.rows().into_iter().filter(|(_, value)| *value > 0);
        let faults: Vec<String> = faults.map(|(name, value)| format!("{name}: {value}")).collect();
        let processes = self.processes.join(", ");
        ensure!(faults.is_empty(), "{} {processes}", faults.join("; "));
        Ok(())
    }
}

fn read_log(path: &Path) -> Result<String> {
    Ok(String::from_utf8_lossy(&fs::read(path)?).into_owned())
}

/// Whether a record was replayed to the result it has.
fn is_sound(answer: &str) -> bool {
    serde_json::from_str::<Value>(answer).is_ok_and(|answer| answer["ok"] == true)
}

/// How many of the games 1 to `games` have no record, and how many records are of no use.
fn count(records: &str, games: u64) -> Result<(u64, u64)> {
    let (mut found, mut doubled) = (BTreeSet::new(), 0);
    for line in records.lines() {
        let record: Value = serde_json::from_str(line)?;
        let number = record["game"].as_u64().context("a record without a number")?;
        let is_new = (1..=games).contains(&number) && found.insert(number);
        doubled += u64::from(!is_new);
    }
    Ok((games - found.len() as u64, doubled))
}

/// How many messages and consumers the streams of the event have, and how many results there were.
fn streams(told: &Value) -> Result<(u64, u64)> {
    let accounts = told["account_details"].as_array().context("the server has no JetStream")?;
    let details = accounts.iter().filter_map(|account| account["stream_detail"].as_array());
    let (mut left, mut results) = (Vec::new(), 0);
    for stream in details.flatten() {
        let name = stream["name"].as_str().unwrap_or_default();
        if STREAMS.contains(&name) {
            let state = &stream["state"];
            let messages = state["messages"].as_u64().context("a stream counts its messages")?;
            // Those of results are the coordinator's, and end some time after it.
            let is_of_jobs = name == STREAMS[0];
            let consumers = state["consumer_count"].as_u64().filter(|_| is_of_jobs);
            left.push(messages + consumers.unwrap_or_default());
            let sent = state["last_seq"].as_u64().filter(|_| !is_of_jobs);
            results += sent.unwrap_or_default();
        }
    }
    ensure!(left.len() == STREAMS.len(), "the server does not have {STREAMS:?}");
    Ok((left.iter().sum(), results))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lost_and_doubled_games_are_counted() {
        let records = |numbers: &[u64]| {
            numbers.iter().map(|number| format!("{{\"game\":{number}}}\n")).collect::<String>()
        };
        assert_eq!(count(&records(&[2, 1, 3]), 3).unwrap(), (0, 0));
        assert_eq!(count(&records(&[1, 3, 3, 3]), 4).unwrap(), (2, 2));
        assert_eq!(count(&records(&[1, 2, 3]), 2).unwrap(), (0, 1));
        assert!(count("{}", 2).is_err());
    }

    #[test]
    fn what_a_server_has_is_counted() {
        let told = |jobs: u64, results: u64, consumers: u64| {
            let jobs = json!({ "messages": jobs, "consumer_count": consumers, "last_seq": 50 });
            let results = json!({ "messages": results, "consumer_count": 1, "last_seq": 7 });
            json!({ "account_details": [{ "stream_detail": [
                { "name": "TENGEN_JOBS", "state": jobs },
                { "name": "TENGEN_RESULTS", "state": results },
                { "name": "KV_tengen_events", "state": { "messages": 9 } },
            ] }] })
        };
        assert_eq!(streams(&told(0, 0, 0)).unwrap(), (0, 7));
        assert_eq!(streams(&told(3, 2, 1)).unwrap(), (6, 7));
        assert!(streams(&json!({})).is_err());
    }
}
