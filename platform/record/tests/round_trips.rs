//! What is written is read back the same, and a replay gives what was played.

mod common;

use std::collections::BTreeSet;

use proptest::prelude::*;
use tengen_arbiter::Termination;
use tengen_record::{GameRecord, Records, pack, replay, unpack};

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200, failure_persistence: None, ..Default::default()
    })]

    #[test]
    fn every_record_reads_as_it_was_written(seed: u64) {
        let record = common::record(seed);
        let line = record.to_json_line();
        prop_assert!(!line.contains('\n'));
        let read = GameRecord::from_json_line(&line).unwrap();
        prop_assert_eq!(&read, &record);
        prop_assert_eq!(read.to_json_line(), line.as_str());
        // The hand-made writing of its actions, for speed, gives the same as the derived one.
        let actions = serde_json::to_string(&record.actions).unwrap();
        prop_assert!(line.contains(&actions), "{}\n{}", line, actions);
    }

    #[test]
    fn every_record_replays_to_its_result(seed: u64) {
        let record = common::record(seed);
        prop_assert_eq!(replay(&record), Ok(record.result));
    }

    #[test]
    fn every_list_of_actions_unpacks_as_it_was_packed(seed: u64) {
        let actions = common::record(seed).actions;
        prop_assert_eq!(unpack(&pack(&actions)), Ok(actions));
    }

    #[test]
    fn no_bytes_break_the_unpacker(bytes: Vec<u8>) {
        let _ = unpack(&bytes);
    }

    #[test]
    fn a_damaged_pack_is_told_or_read_but_breaks_nothing(seed: u64, at: usize, bit in 0..8u32) {
        let mut bytes = pack(&common::record(seed).actions);
        let at = at % bytes.len();
        bytes[at] ^= 1 << bit;
        let _ = unpack(&bytes);
        prop_assert!(unpack(&bytes[..at]).is_err());
    }

    #[test]
    fn no_text_breaks_the_reader(seed: u64, at: usize, byte in 32..127u8) {
        let mut line = common::record(seed).to_json_line().into_bytes();
        let at = at % line.len();
        line[at] = byte;
        let text = String::from_utf8_lossy(&line);
        if let Ok(record) = GameRecord::from_json_line(&text) {
            let _ = replay(&record);
        }
    }
}

/// The made-up games are of use only if they end in every way.
#[test]
fn the_games_end_in_every_way() {
    let mut missing = BTreeSet::from(Termination::ALL);
    // A referee gives it, and no game ends so.
    missing.remove(&Termination::Ruling);
    for seed in 0..50_000 {
        missing.remove(&common::record(seed).result.termination);
        if missing.is_empty() {
            return;
        }
    }
    panic!("no game ended by {missing:?}");
}

#[test]
fn many_records_are_read_one_a_line() {
    let records: Vec<_> = (0..20).map(common::record).collect();
    let mut text = Vec::new();
    for (index, record) in records.iter().enumerate() {
        record.write_json(&mut text);
        text.extend(if index == 7 { &b"\r\n\nnot a record\n"[..] } else { b"\n" });
    }
    let (read, bad): (Vec<_>, Vec<_>) = Records::new(&text[..]).partition(Result::is_ok);
    let read: Vec<_> = read.into_iter().map(Result::unwrap).collect();
    assert_eq!(read, records);
    assert_eq!(bad.len(), 1);
    let error = bad[0].as_ref().unwrap_err().to_string();
    assert_eq!(error, "line 10, column 1: not a JSON object: expected {");
}
