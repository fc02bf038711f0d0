//! What is in a report.

use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::DeflateDecoder;
use serde_json::{Value, json};
use tempfile::TempDir;
use tengen_link::view::GameView;
use tengen_rules::{Procedure, Rule};
use tengen_tournament::{Event, StandingColumn};
use tengen_web::{write_csv, write_report};

use crate::event::{event, play};

/// What stands in the elements that begin so.
fn elements<'a>(html: &'a str, begin: &str) -> Vec<&'a str> {
    html.split(begin).skip(1).map(|rest| rest.split("</script>").next().unwrap()).collect()
}

fn games(html: &str) -> Vec<Value> {
    let block = |text: &&str| {
        let text: String = serde_json::from_str(text).unwrap();
        let mut json = String::new();
        DeflateDecoder::new(&STANDARD.decode(text).unwrap()[..]).read_to_string(&mut json).unwrap();
        serde_json::from_str::<Vec<Value>>(&json).unwrap()
    };
    let blocks = elements(html, "<script type=\"application/json\" class=\"block\">");
    blocks.iter().flat_map(block).collect()
}

fn data(html: &str) -> Value {
    let [json] = elements(html, "<script type=\"application/json\" id=\"report\">")[..] else {
        panic!("one element has the data")
    };
    serde_json::from_str(json).unwrap()
}

/// An event that was played, in a folder.
fn played(rule: Rule, opening: Procedure, games: u32) -> (TempDir, Event) {
    let folder = tempfile::tempdir().unwrap();
    let mut event = event(&folder.path().join("cup"), rule, opening, games);
    play(&mut event);
    (folder, event)
}

/// Writes a report in which so many games can be replayed. How many games it has, how many of them
/// can be, and its text.
fn report(folder: &TempDir, event: &Event, most: u64) -> ((u64, u64), String) {
    let path = folder.path().join("cup.html");
    let written = write_report(event, &path, most, 7).unwrap();
    ((written.games, written.replayable), std::fs::read_to_string(&path).unwrap())
}

#[test]
fn a_report_says_who_was_removed() {
    let (folder, event) = played(Rule::Freestyle, Procedure::None, 2);
    let label = event.config().labels().swap_remove(1);
    let event = event.remove(1, "it hangs", "today").unwrap();
    let data = data(&report(&folder, &event, 10_000).1);
    let removed = &data["event"]["removed"];
    assert_eq!(*removed, json!([{ "engine": label, "reason": "today: it hangs" }]));
    assert_eq!(data["event"]["total"], data["event"]["finished"]);
}

#[test]
fn a_report_has_every_game_and_every_figure() {
    let (folder, event) = played(Rule::Renju, Procedure::Swap2, 50);
    let (counts, html) = report(&folder, &event, 10_000);
    assert_eq!(counts, (150, 150));
    let (data, games) = (data(&html), games(&html));
    assert_eq!(games.len(), 150);
    assert_eq!(data["games"].as_array().unwrap().len(), 150);
    assert_eq!(data["event"]["title"], "cup");
    assert_eq!(data["event"]["standings"].as_array().unwrap().len(), 3);
    assert_eq!(data["event"]["cross"][0].as_array().unwrap().len(), 3);
    let sum = |list: &Value| list.as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum();
    let black: u64 = sum(&data["figures"]["black"]);
    assert_eq!(black, 150);
    let lengths = data["figures"]["lengths"]["classes"].as_array().unwrap();
    assert_eq!(lengths.iter().map(sum).sum::<u64>(), 150);
    assert_eq!(data["ratings"]["games"].as_array().unwrap().last().unwrap(), 150);
    for (row, game) in data["games"].as_array().unwrap().iter().zip(&games) {
        assert_eq!(row[0], game["number"]);
        let laid = |step: &Value| match step["move"].is_string() {
            true => 1,
            false => step["place"].as_array().map_or(0, Vec::len),
        };
        let stones: usize = game["steps"].as_array().unwrap().iter().map(laid).sum();
        assert_eq!(row[5], stones as u64, "{game}");
    }
    // Swap2 begins with a question that has no board to it but three stones.
    assert_eq!(games[0]["first"]["ask"]["ask"], "place");
    // What others read is what was written.
    for game in &games {
        #[cfg(feature = "server")]
        crate::peer::check_game(game);
        let read: GameView = serde_json::from_value(game.clone()).unwrap();
        assert_eq!(serde_json::to_value(read).unwrap(), *game);
    }
    let judged = games.iter().any(|game| game.to_string().contains("\"forbidden\":{"));
    assert!(judged, "somewhere a point is forbidden to Black");
}

#[test]
fn a_browser_without_scripts_has_the_standings_and_the_cross_table() {
    let (folder, event) = played(Rule::Freestyle, Procedure::None, 2);
    let html = report(&folder, &event, 10_000).1;
    let (_, rest) = html.split_once("<noscript>").unwrap();
    let plain = rest.split_once("</noscript>").unwrap().0;
    assert_eq!(plain.matches("<table").count(), 2, "{plain}");
    assert_eq!(plain.matches("<tr>").count(), 8, "{plain}");
    for line in &event.summary().standings {
        let name = format!("<td>{}</td>", line.engine);
        assert!(plain.contains(&name), "{name} is not in {plain}");
    }
    assert!(plain.contains("积分榜") && plain.contains("<td>4</td>"), "{plain}");
    assert!(!plain.contains("<script"), "{plain}");
}

#[test]
fn the_standings_of_a_report_have_the_columns_that_they_have_everywhere() {
    let (folder, event) = played(Rule::Freestyle, Procedure::None, 2);
    let data = data(&report(&folder, &event, 10_000).1);
    let (columns, lines) = (&data["event"]["columns"], &data["event"]["standings"]);
    let summary = event.summary();
    for (number, column) in StandingColumn::ALL.into_iter().enumerate() {
        assert_eq!(columns[number]["titles"], json!(column.titles()));
        // The page knows a line's place by its order, and its engine by its number.
        if matches!(column, StandingColumn::Place | StandingColumn::Engine) {
            continue;
        }
        let name = columns[number]["name"].as_str().unwrap();
        for (place, line) in summary.standings.iter().enumerate() {
            assert_eq!(lines[place][name], json!(column.cell(place + 1, line)), "{name}");
        }
    }
}

#[test]
fn no_name_breaks_out_of_a_report() {
    let (folder, event) = played(Rule::Freestyle, Procedure::None, 2);
    let html = report(&folder, &event, 10_000).1;
    assert!(!html.contains("<script>alert"));
    assert!(!html.contains(['\u{2028}', '\u{2029}', '\u{202e}']));
    let name = data(&html)["event"]["engines"][0]["name"].as_str().unwrap().to_owned();
    assert_eq!(name, "</script><script>alert(1)</script>");
    // Nothing of the machine that made it.
    assert!(!html.contains(folder.path().to_str().unwrap()));
}

#[test]
fn of_many_games_a_sample_can_be_replayed_and_all_are_counted() {
    let (folder, event) = played(Rule::Freestyle, Procedure::None, 40);
    let (counts, html) = report(&folder, &event, 30);
    assert_eq!(counts, (120, 30));
    assert_eq!(games(&html).len(), 30);
    let black: u64 =
        data(&html)["figures"]["black"].as_array().unwrap().iter().filter_map(Value::as_u64).sum();
    assert_eq!(black, 120);
}

#[test]
fn the_table_has_a_line_for_every_game() {
    let (folder, event) = played(Rule::Caro, Procedure::None, 4);
    let path = folder.path().join("cup.csv");
    assert_eq!(write_csv(&event, &path).unwrap(), 12);
    let csv = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = csv.split_terminator("\r\n").collect();
    assert_eq!(lines.len(), 13);
    assert!(lines.iter().all(|line| line.split(',').count() == 16), "{csv}");
    assert!(lines[1].starts_with("1,1,1,"), "{csv}");
}

#[test]
fn a_report_that_cannot_be_written_says_where() {
    let folder = tempfile::tempdir().unwrap();
    let event = event(&folder.path().join("cup"), Rule::Freestyle, Procedure::None, 2);
    let path = folder.path().join("nowhere/cup.html");
    let error = write_report(&event, &path, 10_000, 7).unwrap_err().to_string();
    assert!(error.contains("nowhere/cup.html: cannot be written"), "{error}");
}
