//! `tengen rules`: JSON lines in, JSON lines out.

mod common;

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use common::{fed, tengen};
use serde_json::{Value, json};

/// Feeds lines to `tengen rules COMMAND` and gives the exit code and the answers.
fn answers(command: &str, lines: &[Value]) -> (Option<i32>, Vec<Value>) {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let run = fed(&mut tengen(["rules", command]), text);
    let answers = run.stdout.lines().map(|line| serde_json::from_str(line).unwrap());
    (run.code, answers.collect())
}

#[test]
fn forbidden_points_are_told_with_their_kinds() {
    // A double four, and an overline of the row above it.
    let black = ["d8", "f8", "g8", "h4", "h6", "h7", "a15", "b15", "c15", "e15", "f15"];
    let position = json!({ "black": black, "white": ["a1", "c1", "e1", "g1", "i1", "k1"] });
    let (code, answers) = answers("forbidden", &[position]);
    assert_eq!((code, answers.len()), (Some(0), 1));
    assert_eq!(answers[0]["forbidden"], json!(["d15", "h8"]), "in the order of the columns");
    assert_eq!(answers[0]["kinds"], json!({ "d15": "overline", "h8": "double_four" }));
}

#[test]
fn a_game_under_swap2_is_adjudicated() {
    let game = json!({
        "rule": "freestyle", "opening": "swap2", "size": 15,
        "actions": [
            { "seat": "first", "place": ["h8", "h9", "i10"] },
            { "seat": "second", "choose": "black" },
            { "seat": "first", "move": "g7" },
        ],
    });
    let (code, answers) = answers("replay", &[game]);
    assert_eq!(code, Some(0));
    assert_eq!(
        answers,
        [json!({
            "ok": true,
            "stones": ["h8", "h9", "i10", "g7"],
            "colors": { "first": "white", "second": "black" },
            "next": { "seat": "second", "ask": "move", "color": "black" },
            "result": null,
        })]
    );
}

#[test]
fn whatever_is_wrong_with_a_line_is_named_and_the_next_line_answered() {
    let deep = format!(r#"{{"rule":"renju","actions":{}"#, "[".repeat(100_000));
    let replay: [(&[u8], &str, &str); 17] = [
        (br#"{"rule":"gomoku","actions":[]}"#, "rule", "`gomoku` is not a rule"),
        (br#"{"rule":"renju","opening":"swap3","actions":[]}"#, "opening", "`swap3`"),
        (br#"{"rule":"renju","opening":"rif","size":19,"actions":[]}"#, "opening", "board of 15"),
        (br#"{"rule":"renju","size":4,"actions":[]}"#, "size", "expected 5 to 32"),
        (br#"{"rule":"renju","size":1e9,"actions":[]}"#, "size", "invalid type"),
        (br#"{"rule":"renju","actions":7}"#, "actions", "a list of actions"),
        (br#"{"rule":"renju"}"#, "actions", "missing field `actions`"),
        (br#"{"rule":"renju","rule":"renju","actions":[]}"#, "rule", "duplicate field `rule`"),
        (br#"{"rule":"renju","acts":[]}"#, "acts", "unknown field `acts`"),
        (
            br#"{"rule":"renju","actions":[{"seat":"third","move":"h8"}]}"#,
            "actions[0].seat",
            "`third` is not a seat",
        ),
        (
            br#"{"rule":"renju","actions":[{"seat":"first","move":"h8"},{"seat":"second","move":"8h"}]}"#,
            "actions[1].move",
            "`8h` is not a point",
        ),
        (
            br#"{"rule":"renju","actions":[{"seat":"first","declare":300}]}"#,
            "actions[0].declare",
            "300",
        ),
        (
            br#"{"rule":"freestyle","opening":{"procedure":"book","book":["h8","h8"]},"actions":[]}"#,
            "opening",
            "h8 is occupied",
        ),
        (b"{\"rule\":\"ren\0ju\",\"actions\":[]}", "rule", "control character"),
        (b"\xff\xfe{}", "", "byte 1 of the line is not UTF-8"),
        (deep.as_bytes(), "actions[0]", "invalid type: sequence"),
        (br#"{"rule":"renju","actions":[]"#, "", "not JSON"),
    ];
    let forbidden: [(&[u8], &str, &str); 7] = [
        (br#"{"black":"h8"}"#, "black", "invalid type"),
        (br#"{"black":["h8","h8"],"white":[]}"#, "black[1]", "h8 has a stone already"),
        (br#"{"black":["h8"],"white":["a1","h8"]}"#, "white[1]", "h8 has a stone already"),
        (br#"{"black":["h8","p1"],"white":[]}"#, "black[1]", "p1 is not on the board of 15"),
        (br#"{"black":[{"x":1}],"white":[]}"#, "black[0]", "invalid type"),
        (br#"{"black":[],"black":[],"white":[]}"#, "black", "duplicate field"),
        (b"[]", "", "not a JSON object"),
    ];
    let good: [(&str, &[u8], &str); 2] = [
        ("replay", br#"{"rule":"renju","actions":[]}"#, r#""ok":true"#),
        ("forbidden", br#"{"black":[],"white":[]}"#, r#""forbidden":[]"#),
    ];
    for ((command, good, answered), bad) in good.into_iter().zip([&replay[..], &forbidden[..]]) {
        let mut bytes = Vec::new();
        for (line, ..) in bad {
            bytes.extend_from_slice(line);
            bytes.push(b'\n');
            bytes.extend_from_slice(good);
            bytes.push(b'\n');
        }
        let run = fed(&mut tengen(["rules", command]), bytes);
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
        let lines: Vec<&str> = run.stdout.lines().collect();
        assert_eq!((run.code, lines.len()), (Some(1), 2 * bad.len()), "{lines:#?}");
        for (index, (line, field, words)) in bad.iter().enumerate() {
            let line = String::from_utf8_lossy(&line[..line.len().min(200)]);
            let answer: Value = serde_json::from_str(lines[2 * index]).unwrap();
            assert_eq!(answer["ok"], false, "{line}");
            assert_eq!(answer["line"], 2 * index + 1, "{line}");
            assert_eq!(answer["field"].as_str().unwrap_or(""), *field, "{line}: {answer}");
            assert!(answer["error"].as_str().unwrap().contains(words), "{line}: {answer}");
            assert!(lines[2 * index + 1].contains(answered), "{}", lines[2 * index + 1]);
        }
    }
}

#[test]
fn a_program_may_hold_a_conversation() {
    let mut child =
        tengen(["rules", "replay"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for said in ["{\"rule\":\"renju\",\"actions\":[]}\n", "nonsense\n\n  \n"] {
        // The next line is only written once this one has been answered.
        input.write_all(said.as_bytes()).unwrap();
        let answer: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
        assert_eq!(answer["ok"], said.contains("renju"));
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn a_line_of_a_hundred_megabytes_is_refused_in_little_memory() {
    let mut child = tengen(["rules", "forbidden"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    input.write_all(b"{\"black\":[\"").unwrap();
    let piece = vec![b'h'; 1 << 20];
    for _ in 0..100 {
        input.write_all(&piece).unwrap();
    }
    input.write_all(b"\n{\"black\":[],\"white\":[]}\n").unwrap();
    let long: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
    assert_eq!((&long["ok"], &long["line"]), (&json!(false), &json!(1)));
    assert!(long["error"].as_str().unwrap().contains("longer than 4 MiB"), "{long}");
    let good: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
    assert_eq!(good["forbidden"], json!([]));
    #[cfg(target_os = "linux")]
    {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        let kib: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
        // Of the line no more than 4 MiB is kept; the program itself, unoptimised and with its
        // window and its compiler of modules linked in, is the rest.
        assert!(kib < 64 << 10, "{kib} KiB at the most");
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}
