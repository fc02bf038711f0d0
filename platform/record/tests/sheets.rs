//! Score sheets: what is written is read back the same, in every format that can express it.

mod common;

use std::collections::BTreeSet;

use proptest::prelude::*;
use tengen_arbiter::Termination;
use tengen_record::formats::*;
use tengen_record::{Unread, UnreadCost, replay};
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
    kept.settle().unwrap();
    kept
}

fn has_pass(sheet: &ScoreSheet) -> bool {
    sheet.moves().any(|(_, mv)| mv == Move::Pass)
}

/// A game of two persons, of whom the first leaves her seat to an engine.
const HANDED_OVER: &str = r#"{"format":1,"rule":"freestyle","size":15,"opening":"none","seats":{
    "first":{"id":"person","name":"Anna: [A]","time":"inf"},
    "second":{"id":"person","name":"Bob","time":"inf"}},
    "handovers":[{"after":2,"seat":"first",
        "player":{"id":"keima","name":"Keima","hash":"00ff","time":"inf"}}],"actions":[
    {"seat":"first","move":"h8","ns":1},{"seat":"second","move":"h9","ns":1},
    {"seat":"first","move":"i9","ns":1}],"result":{"winner":null,"termination":"aborted"}}"#;

#[test]
fn sgf_names_persons_and_says_who_played_what_after_a_hand_over() {
    let record = tengen_record::GameRecord::from_json_line(HANDED_OVER).unwrap();
    let sheet = ScoreSheet::from_record(&record).unwrap();
    let text = sgf::write(&sheet);
    for part in [
        r"PB[Anna: [A\] → keima]PW[Bob]",
        r"B[hh]SPENT[0.000000001]BY[Anna\: [A\]]",
        "BY[Bob]",
        "BY[keima:00ff]",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert_eq!(sgf::read(&text).next().unwrap(), Ok(sheet));
    let mut before = record;
    before.header.handovers.clear();
    let text = sgf::write(&ScoreSheet::from_record(&before).unwrap());
    assert!(text.contains("PW[Bob]") && !text.contains("BY["), "{text}");
}

#[test]
fn an_illegal_answer_after_a_hand_over_is_judged_as_that_of_its_player() {
    let occupied = r#"{"seat":"first","move":"h9","ns":1,"legal":false}"#;
    let ended = HANDED_OVER
        .replace(r#"{"seat":"first","move":"i9","ns":1}"#, occupied)
        .replace(r#""winner":null,"termination":"aborted""#, LOST)
        .replace(r#""handovers""#, r#""policies":{"persons":["first","second"]},"handovers""#);
    let record = tengen_record::GameRecord::from_json_line(&ended).unwrap();
    assert_eq!(replay(&record), Ok(record.result));
    let mut by_person = record;
    by_person.header.handovers[0].player.id = "person".to_owned();
    assert!(replay(&by_person).is_err(), "a person is asked again");
}

const LOST: &str = r#""winner":"second","termination":"illegal_answer""#;

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
            Ok(text) => {
                let read: Vec<_> = psq::read(&text).collect();
                prop_assert_eq!(read, [Ok(on_psq(&sheet))], "{}", text);
            }
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

const PIECES: [&str; 31] = [
    "(;FF[4]",
    "5A[6]",
    "_x[é]",
    "KO",
    "RE[0-1]",
    "\0",
    "C[(;SZ[15",
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
    let text = charset::decode(bytes).text;
    for sheet in sgf::read(&text).chain(sgf::read(&text).of_any_game()).flatten() {
        let written = sgf::write(&sheet);
        // A result that is not understood is said, and kept.
        let again: Vec<_> =
            sgf::read(&written).filter(|one| one.is_ok() || !written.contains("RE[")).collect();
        assert_eq!(again, [Ok(sheet.clone())], "{written}");
        let _ = (sheet.to_record(), pgn::write(&sheet));
    }
    for sheet in psq::read(&text).flatten() {
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

    // A property with a digit, of a site of renju, its words for the result, and an empty node.
    let sheet = one("(;US[x]5A[6,i7]PB[a]PW[b]RE[黑胜]SW[False]SZ[15];B[hh];W[hi];)");
    assert_eq!(sheet.outcome.unwrap().winner, Some(Color::Black));
    let names: Vec<_> = sheet.properties.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["US", "5A", "SW"]);

    // A result that is no known word stays, and gives way to one that becomes known.
    let mut sheet = one("(;SZ[15]RE[Desconhecido];B[hh])");
    assert_eq!(sheet.outcome, None);
    assert!(sgf::write(&sheet).contains("RE[Desconhecido]"));
    sheet.outcome = Some(SheetOutcome { winner: None, termination: None });
    assert!(sgf::write(&sheet).contains("RE[0]") && !sgf::write(&sheet).contains("Desc"));
}

/// What [`sgf::read`] gives, in words.
fn read_games(text: &str) -> Vec<String> {
    let shown = |game: Result<ScoreSheet, Unread>| match game {
        Ok(sheet) => format!("{} {}", sheet.players.black, sheet.moves().count()),
        Err(unread) => format!("{:?}: {unread}", unread.cost),
    };
    sgf::read(text).map(shown).collect()
}

#[test]
fn a_malformed_game_costs_itself_alone() {
    let bad = "(;PB[[team]one];B[hh](;W[hg])(;W[ig])C[(;] B[zz] )";
    let games = read_games(&format!("(;PB[a];B[hh])\n{bad}\n(;PB[b];B[hh];W[hg])"));
    let told = "Game: line 2, column 15: this ] ends no value: within one it is written \\]";
    assert_eq!(games, ["a 1", told, "b 2"]);

    // A game that is not closed, and a value that is not: the next game is its own.
    let games = read_games("(;PB[a];B[hh]\n(;FF[4]PB[b];B[hh];W[hg]C[x)\n(;GM[4]PB[c];B[hh])");
    let cut = "which is read as far as it goes: expected )";
    assert_eq!(games[0], "a 1");
    assert_eq!(
        games[1],
        format!("Part: line 2, column 1: another game begins within the game, {cut}")
    );
    assert_eq!(games[2], "b 2");
    assert!(games[3].starts_with("Part: line 2, column 26: the text ends, or another game begins"));
    assert_eq!(games[4..], ["c 1"]);
}

#[test]
fn what_stands_beside_games_is_said_and_costs_none() {
    let games = read_games("From: me\n(;PB[a];B[hh])\n---\n(;PB[b]KO;B[hh])\n\u{1a}\0\0");
    assert_eq!(games.len(), 5, "{games:?}");
    let skipped = "this belongs to no game: skipped up to the next (; or the end";
    assert_eq!(games[1], format!("Part: line 1, column 1: {skipped}"));
    assert_eq!(games[3], format!("Part: line 3, column 1: {skipped}"));
    assert_eq!((games[0].as_str(), games[2].as_str()), ("a 1", "b 1"));
    assert!(
        games[4].starts_with("Part: line 4, column 8, KO: a property without a value: skipped")
    );
    assert_eq!(read_games("(;PB[a];B[hh])\r\n\u{1a}"), ["a 1"]);
    assert_eq!(
        read_games("(;PB[a];B[hh]))---")[1..],
        [format!("Part: line 1, column 15: {skipped}")]
    );
    assert_eq!(read_games("nothing at all").len(), 1);
    let prose = read_games("look (;see) here (;PB[a];B[hh])");
    assert!(prose[0].starts_with("Game: line 1, column 7: no property of a game"), "{prose:?}");
}

#[test]
fn a_text_that_is_cut_off_is_read_as_far_as_it_goes() {
    let whole = "(;GM[4]PB[a](;B[hh](;W[hg];B[ig])(;W[ii]C[x])))";
    for end in 15..whole.len() {
        let games = read_games(&whole[..end]);
        assert_eq!(games.iter().filter(|one| one.starts_with("a ")).count(), 1, "{games:?}");
        assert!(games[1..].iter().any(|one| one.starts_with("Part: line 1, column")), "{games:?}");
    }
    assert_eq!(read_games(whole), ["a 3"]);
}

#[test]
fn a_file_of_another_game_is_read_when_that_is_wanted() {
    for number in ["1", "2", "5", "11"] {
        let text = format!("(;GM[{number}]SZ[15];B[hh])");
        let error = sgf::read(&text).next().unwrap().unwrap_err();
        assert!(error.to_string().contains("is another game"), "{error}");
        let games: Vec<_> = sgf::read(&text).of_any_game().collect();
        assert!(matches!(&games[..], [Ok(_), Err(unread)] if unread.cost == UnreadCost::Part));
    }
    for name in ["4", "", "Gomoku", "renju"] {
        assert!(sgf::read(&format!("(;GM[{name}];B[hh])")).all(|game| game.is_ok()), "{name}");
    }
}
