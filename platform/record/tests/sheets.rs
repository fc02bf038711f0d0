//! Score sheets: what is written is read back the same, in every format that can express it.

mod common;

use std::collections::BTreeSet;

use proptest::prelude::*;
use tengen_arbiter::Termination;
use tengen_record::formats::*;
use tengen_record::replay;
use tengen_rules::{Color, Move, Point, Procedure, Rule, Size};
use tengen_testkit::Dice;

fn config() -> ProptestConfig {
    ProptestConfig { cases: 150, failure_persistence: None, ..Default::default() }
}

/// A sheet with everything on it that one can have, made up from a seed.
fn sheet(seed: u64) -> ScoreSheet {
    let mut sheet = ScoreSheet::from_record(&common::record(seed)).unwrap();
    let mut dice = Dice::new(!seed);
    let word = |dice: &mut Dice| {
        let words = ["", "天元", "a]b\\", "\\", "[;(", "ü \"x\"", "one\ntwo", "42ms later"];
        words[dice.below(words.len() as u64) as usize].to_string()
    };
    for _ in 0..dice.below(8) {
        let nodes: Vec<_> = sheet.tree.preorder().collect();
        let parent = nodes[dice.below(nodes.len() as u64) as usize];
        let (x, y) = (dice.below(5) as u8, dice.below(5) as u8);
        let color = if dice.once_in(2) { Color::Black } else { Color::White };
        let mut node = Node::stone(Point::new(x, y), color);
        node.comment = word(&mut dice);
        if dice.once_in(2) {
            node.properties = vec![Property { name: "LB".into(), values: vec![r"hh:\]\:".into()] }];
        }
        if dice.once_in(3) {
            node.played = None;
        }
        let before = sheet.clone();
        sheet.tree.add(parent, node);
        if sheet.check().is_err() {
            sheet = before;
        }
    }
    sheet.name = word(&mut dice).replace('\n', " ");
    sheet.properties = vec![Property { name: "PC".into(), values: vec!["x".into(), "".into()] }];
    sheet
}

/// What a PSQ file can say of a sheet.
fn on_psq(sheet: &ScoreSheet) -> ScoreSheet {
    let mut kept = ScoreSheet::new(sheet.size);
    kept.append(sheet.moves().map(|(_, mv)| mv));
    let times: Vec<_> = sheet.tree.main_line().map(|id| sheet.tree.node(id).spent).collect();
    let nodes: Vec<_> = kept.tree.main_line().collect();
    for (id, spent) in nodes.into_iter().zip(times) {
        let millis = spent.unwrap_or(0) / 1_000_000;
        kept.tree.node_mut(id).spent = (millis > 0).then_some(millis * 1_000_000);
    }
    kept.players = sheet.players.clone();
    kept.rule = sheet.rule;
    kept.event = sheet.event.clone();
    let counts = sheet.outcome.filter(SheetOutcome::counts);
    kept.outcome = counts.map(|outcome| SheetOutcome { termination: None, ..outcome });
    kept
}

fn has_pass(sheet: &ScoreSheet) -> bool {
    sheet.moves().any(|(_, mv)| mv == Move::Pass)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn sgf_reads_as_it_was_written(seed: u64) {
        let sheet = sheet(seed);
        let text = sgf::write(&sheet);
        let read: Vec<_> = sgf::read(&text).collect();
        prop_assert_eq!(read, vec![Ok(sheet)], "{}", text);
    }

    #[test]
    fn psq_reads_as_it_was_written(seed: u64) {
        let sheet = ScoreSheet::from_record(&common::record(seed)).unwrap();
        match psq::write(&sheet) {
            Ok(text) => prop_assert_eq!(psq::read(&text).unwrap(), on_psq(&sheet), "{}", text),
            Err(error) => prop_assert!(has_pass(&sheet), "{}", error),
        }
    }

    #[test]
    fn a_sheet_has_the_moves_of_its_record(seed: u64) {
        let record = common::record(seed);
        let sheet = ScoreSheet::from_record(&record).unwrap();
        prop_assert!(sheet.check().is_ok());
        let outcome = sheet.outcome.unwrap();
        if record.conditions.is_void {
            prop_assert!(!outcome.counts());
            return Ok(());
        }
        prop_assert_eq!(outcome.termination, Some(record.result.termination));
        let Ok(again) = sheet.to_record() else { return Ok(()) };
        prop_assert_eq!(replay(&again), Ok(again.result));
        prop_assert_eq!(again.result.termination, record.result.termination);
        let again = ScoreSheet::from_record(&again).unwrap();
        prop_assert!(again.moves().eq(sheet.moves()));
        prop_assert_eq!(again.outcome, sheet.outcome);
        prop_assert_eq!(&again.players, &sheet.players);
        prop_assert_eq!(again.rule, sheet.rule);
    }

    #[test]
    fn no_bytes_break_a_reader(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read_anyhow(&bytes);
    }

    #[test]
    fn no_pieces_of_sgf_break_its_reader(pieces in prop::collection::vec(0..PIECES.len(), 0..60)) {
        let text: String = pieces.into_iter().map(|piece| PIECES[piece]).collect();
        read_anyhow(text.as_bytes());
        read_anyhow(format!("(;GM[4]{text}").as_bytes());
    }

    #[test]
    fn damage_is_told_or_read_but_breaks_nothing(
        seed: u64, cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let sheet = sheet(seed);
        let texts = [Some(sgf::write(&sheet)), psq::write(&sheet).ok()];
        for text in texts.into_iter().flatten() {
            let mut bytes = text.into_bytes();
            for (at, byte) in &cuts {
                let at = at.index(bytes.len());
                match byte % 3 {
                    0 => bytes[at] = *byte,
                    1 => drop(bytes.remove(at)),
                    _ => bytes.insert(at, b"()[];\\,\n"[usize::from(byte % 8)]),
                }
            }
            read_anyhow(&bytes);
        }
    }
}

const PIECES: [&str; 24] = [
    "(",
    ")",
    ";",
    "[",
    "]",
    "\\",
    "B[hh]",
    "W[ii]",
    "B[]",
    "AB[aa:oo]",
    "AW[cc]",
    "SZ[15]",
    "SZ[5:32]",
    "GM[4]",
    "C[x]",
    "PL[W]",
    "RE[B+]",
    "AE[aa]",
    "B[zz]",
    "FF",
    "é",
    "\n",
    "(;B[aa]",
    "W[h8]",
];

/// Reads bytes in every way there is; what is read can be written, and reads again as it is.
fn read_anyhow(bytes: &[u8]) {
    let text = charset::any(bytes);
    let as_sgf = charset::sgf(bytes);
    for sheet in sgf::read(&text).chain(as_sgf.iter().flat_map(|text| sgf::read(text))).flatten() {
        let again = sgf::read(&sgf::write(&sheet)).next();
        assert_eq!(again, Some(Ok(sheet.clone())));
        let _ = (sheet.to_record(), pgn::write(&sheet));
    }
    if let Ok(sheet) = psq::read(&text) {
        let _ = (sheet.to_record(), psq::write(&sheet).unwrap());
    }
    let _ = suite::read(&text, Rule::Renju, Size::STANDARD);
}

#[test]
fn every_rule_opening_and_end_went_through() {
    let (mut kinds, mut ends, mut recorded) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for seed in 0..4000 {
        let sheet = ScoreSheet::from_record(&common::record(seed)).unwrap();
        kinds.insert((sheet.rule.unwrap().name(), sheet.opening.map_or("none", Procedure::name)));
        let end = sheet.outcome.unwrap().termination.unwrap();
        ends.insert(end);
        if sheet.to_record().is_ok() {
            recorded.insert(end);
        }
    }
    assert_eq!(kinds.len(), 4 * 11, "every rule with every procedure");
    assert!(ends.len() >= 14, "{ends:?}");
    let never = BTreeSet::from([Termination::IllegalAnswer]);
    let lost: BTreeSet<_> = ends.difference(&recorded).copied().collect();
    assert!(lost.is_subset(&never), "never made a record of: {lost:?}");
}

#[test]
fn sgf_of_other_programs_reads() {
    let one = |text| sgf::read(text).next().unwrap().unwrap();
    // As command-line managers write it: a rule by its number, times as comments.
    let sheet = one("(;FF[4]GM[4]GN[1]EV[a x b]RO[1.1]RU[4]SZ[15]PB[a]PW[b]RE[B+1]TE[by five]\n\
                     ;B[hh]C[opening move]\n;W[ig]C[12ms])\n\n");
    assert_eq!((sheet.rule, sheet.round.as_str()), (Some(Rule::Renju), "1.1"));
    assert_eq!(sheet.outcome.unwrap().winner, Some(Color::Black));
    let answer = sheet.tree.node(sheet.tree.main_line().nth(1).unwrap());
    assert_eq!((answer.spent, answer.comment.as_str()), (Some(12_000_000), ""));

    // A move in the first node, and one written as on the board's rim.
    let sheet = one("(;GM[4]SZ[15]GN[x]B[hh]C[first];W[I9])");
    let moves: Vec<_> = sheet.moves().filter_map(|(_, mv)| mv.point()).collect();
    assert_eq!(moves, [Point::new(7, 7), Point::new(8, 8)]);
    assert_eq!(sheet.tree.node(sheet.tree.main_line().next().unwrap()).comment, "first");

    // A problem: stones set up, in a rectangle too, and one taken away again.
    let sheet = one("(;GM[4]SZ[15]AB[hh:hi]AW[ig][jf];AE[jf];W[aa])");
    assert_eq!((sheet.set_up.black.len(), sheet.set_up.white.len()), (2, 1));
    assert_eq!(sheet.to_record(), Err(RecordError::SetUp));

    // Small letters in names, as up to FF[3], and something before the game.
    let sheet = one("From: me\n\n(;GaMe[4]SiZe[20:15];Black[to])");
    assert_eq!(sheet.size, Size::new(20, 15).unwrap());
}
