//! Events with engines that play from other machines: `tengen tournament run --serve` with
//! `remote:NAME`, and `tengen play` with a team's link.
#![cfg(all(unix, feature = "serve"))]

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use common::running::RunningProgram;
use common::{ALPHABETA, GREEDY, ProgramRun, assert_whole, records, repository, tengen};
use serde_json::{Value, json};
use tempfile::TempDir;
use tengen_link::TableAddress;
use tengen_testkit::RawClient;

const PATIENCE: Duration = Duration::from_secs(240);

/// An organiser's event, with the links of these teams.
fn organise(arguments: &[&str], out: &Path, teams: &[&str]) -> (RunningProgram, Vec<String>) {
    let mut command = tengen(["tournament", "run"]);
    command.args(arguments).args(["--quiet", "--serve", "127.0.0.1:0", "--out"]).arg(out);
    let mut server = RunningProgram::start(&mut command);
    let links = teams.iter().map(|team| link(&mut server, team)).collect();
    (server, links)
}

fn link(server: &mut RunningProgram, team: &str) -> String {
    let told = server.told(&format!("waiting for {team}: tengen play '"));
    told.split('\'').next().unwrap().to_owned()
}

fn enter(link: &str, engine: &str) -> Command {
    tengen(["play", link, "--engine", engine])
}

#[test]
fn three_teams_play_a_round_robin_while_one_of_them_and_the_server_are_killed() {
    let folder = TempDir::new().unwrap();
    let (file, out) = (folder.path().join("cup.toml"), folder.path().join("cup"));
    let engines = "['remote:alpha', { id = 'remote:g', label = 'Greedy' }, 'remote:snake']";
    fs::write(
        &file,
        format!(
            "rule = 'renju'\nopening = 'swap2'\ntc = '60+1,nodes=300'\ngames = 10\n\
             concurrency = 2\nmove-limit = 60\nspoiled = 'keep'\nengines = {engines}\n"
        ),
    )
    .unwrap();
    let teams = ["alpha", "Greedy", "snake"];
    let (mut server, links) = organise(&[file.to_str().unwrap()], &out, &teams);
    let keys = out.join("remote-keys.json");
    assert_eq!(fs::metadata(&keys).unwrap().permissions().mode() & 0o777, 0o600);
    let mut alpha = enter(&links[0], ALPHABETA);
    let mut alpha = RunningProgram::start_printing(alpha.args(["--tables", "2"]));
    server.told("for 2 games at a time");
    let mut greedy = RunningProgram::start(&mut enter(&links[1], GREEDY));
    let mut python = Command::new("python3");
    python.arg(repository("examples/remote_player.py")).arg(&links[2]);
    let snake = RunningProgram::start_printing(&mut python);
    // One of the engines dies in its first game, and its team starts it again.
    greedy.told("has begun");
    greedy.kill();
    server.told("Greedy is away");
    let greedy = RunningProgram::start(&mut enter(&links[1], GREEDY));
    server.told("Greedy is there");
    alpha.told("game ");
    // A team hears of the end of a game before the disk does.
    let is_saved = (0..1000).any(|_| saved(&out) > 0);
    server.kill();
    let before = saved(&out);
    assert!(is_saved && before < 30, "killed in the middle: {before}");
    let address = links[0].split('/').nth(2).unwrap();
    let mut resume = tengen(["tournament", "resume", "--quiet", "--serve", address]);
    let mut server = RunningProgram::start(resume.arg(&out));
    assert_eq!(link(&mut server, "alpha"), links[0], "keys stay as they are");
    for team in [alpha, greedy, snake] {
        let (code, said) = team.end();
        assert_eq!(code, Some(0), "{said}");
    }
    server.told("the event is over");
    assert_whole(&out, 30);
    let secrets: Vec<&str> = links.iter().filter_map(|link| link.split('=').nth(1)).collect();
    for record in records(&out) {
        let by = record.result.termination.name();
        let fair = ["five", "board_full", "move_limit", "forbidden_move", "resignation"];
        assert!(fair.contains(&by), "game {:?}: {by}", record.header.game);
        let seats = [&record.header.seats.first, &record.header.seats.second];
        assert!(seats.iter().all(|seat| seat.layers == ["remote"]));
        assert!(record.actions.iter().any(|action| action.lag.is_some()));
    }
    for file in ["event.toml", "games.jsonl"] {
        let text = fs::read_to_string(out.join(file)).unwrap();
        assert!(!secrets.iter().any(|key| text.contains(key)), "{file} has a key");
    }
}

/// How many games are saved.
fn saved(event: &Path) -> u64 {
    common::games(&common::json(["tournament", "report", "--json", event.to_str().unwrap()]))
}

/// An event of two teams that never come, an engine of this machine, and `others`.
fn without(out: &Path, absent: &str, others: &str) -> (RunningProgram, Vec<String>) {
    let engines = ["--engines", "remote:never", "remote:nor", "builtin:alphabeta", others];
    let limits = ["--tc", "nodes=50", "--games", "2", "--size", "9", "--move-limit", "30"];
    let arguments = [&engines[..], &["--remote-wait", "0", "--absent", absent], &limits].concat();
    let names = ["never", "nor", "there"];
    organise(&arguments, out, &names[..if others.starts_with("remote") { 3 } else { 2 }])
}

#[test]
fn teams_that_never_come_cost_what_the_event_says_while_another_one_is_there() {
    let folder = TempDir::new().unwrap();
    for (absent, games) in [("forfeit", 12), ("aside", 2)] {
        let out = folder.path().join(absent);
        let (mut server, links) = without(&out, absent, "remote:there");
        // It may as well be the line of the server, as long as no engine is connected.
        server.told("no remote engine is connected");
        let there = RunningProgram::start(&mut enter(&links[2], "builtin:alphabeta"));
        server.told("the event is over");
        let (code, said) = there.end();
        assert_eq!(code, Some(0), "{said}");
        let report = common::json(["tournament", "report", "--json", out.to_str().unwrap()]);
        assert_eq!(common::games(&report), games, "{report}");
        for record in records(&out) {
            let is_there = |seat: &str| seat != "never" && seat != "nor";
            let seats = record.header.seats.clone();
            let is_lost = !is_there(&seats.first.id) || !is_there(&seats.second.id);
            assert_eq!(record.result.termination.name() == "crash", is_lost);
        }
        let changes = report["changes"].to_string();
        assert_eq!(changes.matches("not connected").count(), if games == 2 { 2 } else { 0 });
    }
}

#[test]
fn an_event_that_refuses_is_stopped_in_order_when_two_teams_are_away() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("refuse");
    let (code, said) = without(&out, "refuse", "builtin:alphabeta").0.end();
    assert_ne!(code, Some(0));
    assert_eq!(said.matches("the event stops here").count(), 1, "{said}");
    assert!(said.contains("stopped; 2 of 12 games are saved"), "{said}");
    assert_eq!(saved(&out), 2);
}

#[test]
fn a_team_is_removed_while_it_plays_and_another_one_added() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("cup");
    let local = "builtin:alphabeta";
    let arguments = ["--engines", "remote:one", local, local, "--games", "2"];
    let limits = ["--tc", "300,nodes=50", "--move-limit", "30"];
    let (mut server, links) = organise(&[&arguments[..], &limits].concat(), &out, &["one"]);
    let (mut client, _) = joined(&links[0]);
    let game = hear(&mut client, "game");
    client.send(&json!({ "type": "ready", "table": game["table"] }));
    let asked = hear(&mut client, "ask");
    let dir = out.to_str().unwrap();
    common::done(["tournament", "remove", dir, "one"]);
    common::done(["tournament", "add", dir, "remote:new"]);
    resign(&mut client, &asked);
    let reason = loop {
        let message = client.hear().expect("the end is told");
        match message["type"].as_str().unwrap() {
            // The other game of the pair may have begun before the server heard of the change.
            "game" => client.send(&json!({ "type": "ready", "table": message["table"] })),
            "ask" => resign(&mut client, &message),
            "end" => break message["reason"].to_string(),
            _ => {}
        }
    };
    assert!(reason.contains("removed"), "{reason}");
    let added = link(&mut server, "new");
    let new = RunningProgram::start(&mut enter(&added, local));
    server.told("the event is over");
    let (code, said) = new.end();
    assert_eq!(code, Some(0), "{said}");
    let with = |label: &str| {
        let plays = |record: &&tengen_record::GameRecord| {
            [&record.header.seats.first, &record.header.seats.second]
                .iter()
                .any(|one| one.id == label)
        };
        records(&out).iter().filter(plays).count()
    };
    // Those that it gave up before the server heard of the change are games, too.
    assert!((1..=4).contains(&with("one")), "{}", with("one"));
    assert_eq!(with("new"), 4);
}

/// A client of a remote engine, and how the server greets it.
fn joined(link: &str) -> (RawClient, Value) {
    let address: TableAddress = link.parse().unwrap();
    let mut client = RawClient::connect(&address.host, "/join", PATIENCE);
    client.send(&json!({ "type": "join", "version": 2, "key": address.team, "name": "raw" }));
    let greeting = hear(&mut client, "joined");
    (client, greeting)
}

/// Resigns in answer to a question.
fn resign(client: &mut RawClient, asked: &Value) {
    let (table, question) = (&asked["table"], &asked["question"]);
    client.send(&json!({ "type": "act", "table": table, "question": question, "resign": true }));
}

/// The next message of that type.
fn hear(client: &mut RawClient, kind: &str) -> Value {
    loop {
        let message = client.hear().unwrap_or_else(|| panic!("no {kind}"));
        if message["type"] == kind {
            return message;
        }
    }
}

#[test]
fn a_team_comes_back_to_its_game_and_its_newest_connection_counts() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("cup");
    let arguments =
        ["--engines", "remote:one", "builtin:alphabeta", "--tc", "300,nodes=50", "--games", "1"];
    let (mut server, links) =
        organise(&[&arguments[..], &["--opening", "none"]].concat(), &out, &["one"]);
    let (mut first, _) = joined(&links[0]);
    let game = hear(&mut first, "game");
    let table = game["table"].as_str().unwrap().to_owned();
    first.send(&json!({ "type": "ready", "table": table }));
    let asked = hear(&mut first, "ask");
    // What is none costs nothing.
    for (wrong, code) in [
        (json!({ "type": "act", "table": table, "question": 99, "move": "a1" }), "not_now"),
        (json!({ "type": "act", "table": "no", "question": 1, "move": "a1" }), "not_now"),
        (json!({ "type": "act", "table": table, "question": 1, "move": "zz99" }), "message"),
        (json!({ "type": "chat", "table": table, "text": "hello" }), "message"),
        (json!({ "type": "join", "version": 2, "key": "x" }), "join"),
    ] {
        first.send(&wrong);
        assert_eq!(hear(&mut first, "error")["code"], code, "{wrong}");
    }
    let (mut second, greeting) = joined(&links[0]);
    assert_eq!(hear(&mut first, "error")["code"], "replaced");
    assert_eq!(greeting["tables"], json!([table]));
    assert_eq!(hear(&mut second, "game"), game, "the same game");
    let again = hear(&mut second, "ask");
    assert_eq!((&again["question"], &again["moves"]), (&asked["question"], &asked["moves"]));
    assert!(again["limits"]["own"].as_u64() <= asked["limits"]["own"].as_u64());
    second.send(&json!({
        "type": "act", "table": table, "question": again["question"], "resign": true,
        "said": ["good game"], "took": 1,
    }));
    let over = hear(&mut second, "over");
    assert_eq!(over["result"]["termination"], "resignation", "{over}");
    assert!(hear(&mut second, "end")["reason"].as_str().unwrap().contains("over"));
    server.told("the event is over");
    assert_whole(&out, 1);
}

#[test]
fn the_link_of_a_team_is_on_the_terminal_and_in_a_file_and_nowhere_else() {
    let folder = TempDir::new().unwrap();
    let (out, stream) = (folder.path().join("cup"), folder.path().join("events.jsonl"));
    let local = "builtin:alphabeta";
    let arguments = ["--engines", "remote:one", local, "--tc", "300,nodes=50", "--games", "1"];
    let more = ["--opening", "none", "--margin", "0.5", "--events", stream.to_str().unwrap()];
    let (mut server, mut told) = organise(&[&arguments[..], &more].concat(), &out, &["one"]);
    let (mut team, _) = joined(&told[0]);
    let game = hear(&mut team, "game");
    team.send(&json!({ "type": "ready", "table": game["table"] }));
    let asked = hear(&mut team, "ask");
    assert_eq!(asked["limits"]["margin"], 500, "{asked}");
    // One more team joins the event while it is played.
    let event = out.to_str().unwrap();
    common::done(["tournament", "add", event, "remote:new"]);
    told.push(link(&mut server, "new"));
    resign(&mut team, &asked);
    assert_eq!(hear(&mut team, "over")["result"]["termination"], "resignation");
    common::done(["tournament", "stop", event]);
    let (_, rest) = server.end();
    let stream = fs::read_to_string(stream).unwrap();
    assert!(stream.contains("waiting for new: its link is in"), "{stream}\n{rest}");
    let file = out.join("remote-links.txt");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let links = fs::read_to_string(file).unwrap();
    for link in &told {
        assert!(links.lines().any(|line| line == link), "{link} is not in:\n{links}");
        let key = link.split('=').nth(1).unwrap();
        assert!(!stream.contains(key), "--events has a key");
        for file in ["event.toml", "games.jsonl"] {
            let text = fs::read_to_string(out.join(file)).unwrap_or_default();
            assert!(!text.contains(key), "{file} has a key");
        }
    }
}

#[test]
fn what_is_wrong_is_said() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("cup");
    let (_server, links) =
        organise(&["--engines", "remote:one", "remote:two"], &out, &["one", "two"]);
    let url = links[0].split('#').next().unwrap();
    let play = |link: &str, more: &[&str]| {
        let engine = ["--engine", "builtin:alphabeta"];
        ProgramRun::of(tengen(["play", link]).args(engine).args(more))
    };
    play(&format!("{url}#team=nobody"), &[]).refused(2, &["no team", "link"]);
    for option in [
        &["--games", "2"][..],
        &["--tc", "10"],
        &["--rule", "renju"],
        &["--size", "20"],
        &["--opening", "swap2"],
        &["--second"],
        &["--debug-engine"],
        &["--debug-wait", "1"],
    ] {
        play(&links[0], option).refused(2, &[option[0]]);
    }
    play(url, &["--tables", "2"]).refused(2, &["--tables"]);
    play(&format!("{url}#table=x"), &["--rule", "renju"]).refused(2, &["--rule", "table"]);
    let run = |remote: &str, more: &[&str], words: &[&str]| {
        let engines = ["tournament", "run", "--engines", remote, "builtin:alphabeta"];
        ProgramRun::of(tengen(engines).args(more)).refused(2, words);
    };
    let serve = ["--serve", "127.0.0.1:0"];
    run("remote:one", &[], &["remote:one", "--serve"]);
    let url = ["--url", "here"];
    run("remote:one", &[serve, url].concat(), &["--url", "here", "http://"]);
    let url = ["--url", "https://host/cup"];
    run("remote:one", &[serve, url].concat(), &["--url", "/cup"]);
    run("remote:a/b", &[], &["remote:a/b", "letters"]);
    run("remote:a", &["--require-sandbox"], &["remote:a", "require-sandbox"]);
    let debugged = ["--debug-engine", "a"];
    run("remote:a", &[debugged, serve].concat(), &["--debug-engine", "another machine"]);
}
