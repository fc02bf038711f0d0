//! Texts made to be too large or too deep: each is read, or refused with its place, and none
//! overflows a stack.

use std::io::BufReader;

use tengen_record::formats::{psq, sgf, suite};
use tengen_record::{GameRecord, Records, replay_line};
use tengen_rules::{Rule, Size};

const TIMES: usize = 100_000;

#[test]
fn sgf() {
    let games = |text: &str| {
        let read = sgf::read(text).map(|game| game.map_err(|error| error.to_string()));
        read.collect::<Vec<_>>()
    };
    let deep = games(&format!("(;SZ[15]{}{})", "(;C[x]".repeat(TIMES), ")".repeat(TIMES)));
    let [Ok(sheet)] = &deep[..] else { panic!("variations in variations") };
    assert!(sheet.to_record().is_err(), "no result is told");
    drop(deep);
    let long = games(&format!("(;SZ[15]{})", ";C[x]".repeat(TIMES)));
    assert!(matches!(&long[..], [Ok(_)]), "a long line");
    let open = games(&format!("(;SZ[15]{}", "(".repeat(TIMES)));
    assert!(matches!(&open[..], [Ok(_), Err(error)] if error.contains("text ends")), "{open:?}");
    for piece in ["(;FF[4];B[hh]", "(;FF[4]C[x", "(;B[hh]C[", "(;B]", "(", ")", "KO ", "(;(", "]"] {
        let many = games(&piece.repeat(TIMES));
        assert!(many.len() <= 3 * TIMES, "{piece}");
    }
    let wrong = games(&"(;SZ[15];B[zz])\n".repeat(TIMES));
    assert_eq!(wrong.len(), TIMES);
    let last = wrong[TIMES - 1].as_ref().unwrap_err();
    assert!(last.starts_with(&format!("line {TIMES}, column 10")), "{last}");
    for size in ["99999999999999999999", "-1", "0", "1:99999999999999", ""] {
        assert!(games(&format!("(;SZ[{size}];B[aa])")).iter().all(Result::is_err), "{size}");
    }
}

#[test]
fn json() {
    let error = |text: &str| GameRecord::from_json_line(text).unwrap_err().to_string();
    let deep = format!("{{\"format\":{}", "[".repeat(TIMES));
    assert!(error(&deep).contains("column"), "{}", error(&deep));
    assert!(replay_line(&deep).is_err());
    for number in ["9".repeat(TIMES), "1e999".into(), "-1".into(), "1e-999".into()] {
        let text = format!("{{\"format\":{number}}}");
        assert!(error(&text).contains("format"), "{}", error(&text));
    }
    let text = format!("{deep}\n{{}}\n{deep}\n");
    let numbers: Vec<_> =
        Records::new(BufReader::new(text.as_bytes())).map(|r| r.is_ok()).collect();
    assert_eq!(numbers, [false; 3], "reading goes on behind each");
}

#[test]
fn psq() {
    let error = |text: &str| psq::read(text).next().unwrap().unwrap_err().to_string();
    let many = format!("Piskvorky 15x15, 11:11, 0\n{}", "8,8,1\n".repeat(TIMES));
    assert!(error(&many).starts_with("line "), "{}", error(&many));
    let large = format!("Piskvorky 15x15, 11:11, 0\n8,8,{}\n", "9".repeat(TIMES));
    let seen = error(&large);
    assert!(seen.starts_with("line 2, column 1") && seen.len() < 200, "{seen:.300}");
    let bad = "Piskvorky 15x15, 11:11, 0\n8,8,1\n8,8,1\n".repeat(TIMES);
    assert_eq!(psq::read(&bad).filter(|game| game.is_err()).count(), TIMES);
    for header in ["99999999999x15", "0x0", "15", "-1x15"] {
        let seen = error(&format!("Piskvorky {header}, 11:11, 0\n"));
        assert!(seen.contains("not a saved game"), "{seen}");
    }
}

#[test]
fn suites() {
    let error =
        |text: &str| suite::read(text, Rule::Freestyle, Size::STANDARD).unwrap_err().to_string();
    for line in ["h8".repeat(TIMES), "0,0,".repeat(TIMES), "9".repeat(TIMES), "a".repeat(TIMES)] {
        let seen = error(&line);
        assert!(seen.starts_with("line 1") && seen.len() < 200, "{seen:.300}");
    }
}
