//! Rating lists, counts by properties that games share, and games that a proof ends.

mod common;

use std::fs;
use std::path::Path;

use common::{ProgramRun, assert_whole, done, games, json, records, tengen};
use serde_json::Value;
use tempfile::TempDir;
use tengen_arbiter::Termination;

/// Plays an event between the built-in engine with these numbers of nodes, each named by its own.
fn play(out: &Path, nodes: &[u32], games: &str, more: &[&str]) -> Value {
    let mut command = tengen(["tournament", "run", "--games", games, "--json", "--tc", "nodes=1"]);
    let mut file = String::from("engines = [\n");
    for nodes in nodes {
        file += &format!(
            "{{ id = \"builtin:alphabeta\", label = \"n{nodes}\", tc = \"nodes={nodes}\" }},\n"
        );
    }
    let cup = out.with_extension("toml");
    fs::write(&cup, file + "]\n").unwrap();
    command.arg(&cup).arg("--out").arg(out).args(more);
    serde_json::from_str(&ProgramRun::of(&mut command).done()).unwrap()
}

fn rated(list: &Value) -> Vec<(&str, f64)> {
    let ratings = list["ratings"].as_array().unwrap().iter();
    ratings.map(|one| (one["engine"].as_str().unwrap(), one["rating"].as_f64().unwrap())).collect()
}

#[test]
fn one_list_of_many_events_and_files() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let path = |name: &str| at(name).to_str().unwrap().to_owned();
    let first = play(&at("first"), &[20, 200], "6", &["--seed", "1"]);
    let second = play(&at("second"), &[200, 900], "6", &["--seed", "2"]);
    fs::copy(at("second/games.jsonl"), at("copy.jsonl")).unwrap();
    let both = json(["rate", &path("first"), &path("second"), "--json"]);
    assert_eq!(games(&both), games(&first) + games(&second));
    assert_eq!((&both["groups"], rated(&both).len()), (&1.into(), 3));
    let mean = rated(&both).iter().map(|one| one.1).sum::<f64>() / 3.0;
    assert!(mean.abs() < 1e-6, "{both}");
    assert!((both["los"][0][1].as_f64().unwrap() - 0.5).abs() <= 0.5, "{both}");
    // The records of an event say the same as the event.
    let mixed = json(["rate", &path("first"), &path("copy.jsonl"), "--json"]);
    assert_eq!(rated(&mixed), rated(&both));
    let anchored = ["--anchor", "n200=1800", "--model", "davidson", "--json"];
    let paths = [path("first"), path("second")];
    let events = ["rate", paths[0].as_str(), paths[1].as_str()];
    let list = json(events.into_iter().chain(anchored));
    assert!(rated(&list).contains(&("n200", 1800.0)), "{list}");
    let text = done(events);
    for words in ["Rating", "LOS", "Advantage of the first seat", "n900", "rao-kupper"] {
        assert!(text.contains(words), "no `{words}` in:\n{text}");
    }
    let csv = done(events.into_iter().chain(["--csv"]));
    assert_eq!(csv.lines().count(), 4, "{csv}");
    assert!(csv.starts_with("rank,engine,rating,error,"), "{csv}");
}

#[test]
fn results_of_other_programs_are_rated() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let game = |white: &str, black: &str, result: &str| {
        format!(
            "[Event \"x\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n\
             1. d4 {result}\n\n"
        )
    };
    let won = ["1-0", "1-0", "1/2-1/2", "0-1", "*"];
    let text: String = won.map(|result| game("a", "b", result)).concat();
    fs::write(at("one.pgn"), text).unwrap();
    let list = json(["rate", &at("one.pgn"), "--json", "--prior", "0"]);
    assert_eq!((games(&list), rated(&list)[0].0), (4, "a"));
    fs::write(at("other.pgn"), game("c", "d", "1-0")).unwrap();
    let two = json(["rate", &at("one.pgn"), &at("other.pgn"), "--json"]);
    assert_eq!((&two["groups"], &two["los"][0][2]), (&2.into(), &Value::Null));
    let text = done(["rate", &at("one.pgn"), &at("other.pgn")]);
    assert!(text.contains("2 groups that have not met"), "{text}");

    let refused = |arguments: &[&str], words: &[&str]| {
        let all = ["rate"].into_iter().chain(arguments.iter().copied());
        ProgramRun::of(&mut tengen(all)).refused(2, words);
    };
    refused(&[&at("other.pgn"), "--prior", "0"], &["only won, or only lost", "--prior 2"]);
    refused(&[&at("one.pgn"), "--anchor", "e=5"], &["--anchor e", "a, b"]);
    refused(&[&at("one.pgn"), "--anchor", "a"], &["alphabeta=1800"]);
    refused(&[&at("one.pgn"), "--anchor", "a=1", "--anchor", "b=2"], &["a and b", "one list"]);
    refused(&[&at("none")], &["there is no such event or file"]);
    refused(&[&at("one.pgn"), &at("one.pgn")], &["named twice"]);
    refused(&[&at("one.pgn"), "--model", "elo"], &["rao-kupper, davidson or logistic"]);
    refused(
        &[&at("one.pgn"), "--model", "davidson", "--draw-margin", "9"],
        &["--draw-margin", "davidson"],
    );
    // Latin-1, as older programs write it.
    let latin: Vec<u8> = game("Soosõrv", "b", "1-0").chars().map(|letter| letter as u8).collect();
    fs::write(at("latin.pgn"), latin).unwrap();
    let run = ProgramRun::of(&mut tengen(["rate", &at("latin.pgn")]));
    assert!(run.stderr.contains("read as windows-1252, which is a guess"), "{}", run.stderr);
    assert!(run.done().contains("Soosõrv"));
    fs::write(at("bad.pgn"), game("a", "b", "2-0")).unwrap();
    let bad = ProgramRun::of(&mut tengen(["rate", &at("bad.pgn")]));
    bad.refused(1, &["bad.pgn, line 4", "`2-0`"]);
}

/// What Gomocup and Piskvork leave of a tournament, and a folder of games with a bad one in it.
#[test]
fn folders_and_results_without_games_are_rated() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::create_dir(at("records")).unwrap();
    fs::write(at("records/2026_1.txt"), "A - B: 3 : 1\nA - C: 2 : 1\nB - C: 0 : 0\n").unwrap();
    fs::write(at("records/2026_2.txt"), "A - C: 4 : 0\r\n").unwrap();
    let list = json(["rate", &at("records"), "--json"]);
    assert_eq!((games(&list), rated(&list)[0].0), (12, "A"));
    let c = list["ratings"].as_array().unwrap().iter().find(|one| one["engine"] == "C").unwrap();
    assert_eq!((&c["wins"], &c["draws"], &c["losses"]), (&1.into(), &1.into(), &6.into()));
    assert!(list["advantage"]["elo"].as_f64().unwrap().abs() < 150.0, "{list}");
    let table = "<HTML><BODY><TABLE><TBODY>\n<TR><TD>-</TD><TH>A</TH><TH>B</TH></TR>\n\
                 <TR><TH>A</TH><TD>-</TD><TD>1 : 3</TD></TR>\n\
                 <TR><TH>B</TH><TD>3 : 1</TD><TD>-</TD></TR></TABLE>";
    fs::write(at("_table.html"), table).unwrap();
    assert_eq!(games(&json(["rate", &at("_table.html"), "--json"])), 4);

    fs::create_dir(at("games")).unwrap();
    for number in 1..=6 {
        let text = format!(
            "Piskvorky 15x15, 11:11, 0\n8,8,5\n{number},1,7\nPELA\nWINE\n-1\n{},Freestyle\n",
            number % 2 + 1
        );
        fs::write(at(&format!("games/{number}.psq")), text).unwrap();
    }
    fs::write(at("games/bad.psq"), "Piskvorky 15x15, 11:11, 0\n8,8,5\n8,8,5\n").unwrap();
    fs::write(at("games/messages.log"), "hello").unwrap();
    let run = ProgramRun::of(&mut tengen(["rate", &at("games"), "--json"]));
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("bad.psq: line 3: move 2: h8 is occupied"), "{}", run.stderr);
    let list: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((games(&list), rated(&list).len()), (6, 2));
    assert_eq!(list["unread"]["bad_games"], 1);
    let pattern = at("games/?.psq");
    assert_eq!(games(&json(["rate", &pattern, "--json"])), 6);
    done(["rate", &at("games"), "--skip-bad"]);
}

/// A folder and its copy are one event: each game counts once.
#[test]
fn a_copy_of_an_event_says_nothing_new() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    play(&folder.path().join("cup"), &[20, 200, 900], "5", &["--seed", "3"]);
    fs::create_dir(at("copy")).unwrap();
    for file in ["event.db", "event.toml", "games.jsonl"] {
        fs::copy(folder.path().join("cup").join(file), folder.path().join("copy").join(file))
            .unwrap();
    }
    let once = json(["rate", &at("cup"), "--json"]);
    assert_eq!((games(&once), &once["repeated"]), (15, &0.into()));
    for copy in ["copy", "copy/games.jsonl"] {
        let list = json(["rate", &at("cup"), &at(copy), "--json"]);
        assert_eq!((games(&list), &list["repeated"]), (15, &15.into()));
        assert_eq!(rated(&list), rated(&once));
        assert!(list["notes"][0].as_str().unwrap().contains("15 games repeat others"), "{list}");
    }
}

/// Engines that play alike from a few positions: the test says that it cannot say.
#[test]
fn a_test_whose_openings_are_used_up_is_inconclusive() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(at("book.pos"), "h8 h9 k8\nh8 i9 l8\nh8 h9 k9\nh8 i9 k11\n").unwrap();
    let (book, one) = (at("book.pos"), at("one"));
    let run = |out: &str, more: &[&str]| {
        let engines = ["builtin:alphabeta", "builtin:alphabeta", "--tc", "nodes=100"];
        let test = ["--openings", &book, "--games", "4000", "--sprt", "elo0=0,elo1=5"];
        let all = ["match"].into_iter().chain(engines).chain(test).chain(["--out", out]);
        ProgramRun::of(&mut tengen(all.chain(more.iter().copied())))
    };
    let said = run(&one, &[]);
    assert_eq!(said.code, Some(4), "{}", said.stderr);
    assert!(said.stdout.contains("inconclusive: openings are used up"), "{}", said.stdout);
    let said = run(&at("other"), &["--json"]);
    let summary: Value = serde_json::from_str(&said.stdout).unwrap();
    let test = &summary["sprt"];
    assert_eq!(test["inconclusive"], "openings are used up", "{test}");
    assert_eq!((&test["accepted"], &test["played_pairs"]), (&Value::Null, &4.into()));
    assert_eq!(said.code, Some(4));
    let again = ["tournament", "resume", &one];
    assert_eq!(ProgramRun::of(&mut tengen(again)).code, Some(4), "it is over");
}

/// A game that a proof ended says so, with the line; replayed it ends the same way.
#[test]
fn a_proof_ends_a_game_and_is_kept() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("event");
    let path = out.to_str().unwrap();
    let summary = play(&out, &[30, 300], "8", &["--rule", "renju", "--adjudicate-proof"]);
    let proved = summary["terminations"]["proof"].as_u64().unwrap();
    assert!(proved > 0, "{summary}");
    assert_whole(&out, 8);
    let records = records(&out);
    let proofs = records.iter().filter(|game| game.result.termination == Termination::Proof);
    assert_eq!(proofs.clone().count() as u64, proved);
    for game in proofs {
        let detail = game.detail.as_ref().unwrap();
        assert!(detail.starts_with("wins by fours: "), "{detail}");
    }
    let by = |what: &str| json(["tournament", "report", path, "--by", what, "--json"]);
    let groups = |what: &str| by(what)["groups"].as_array().unwrap().clone();
    let proof = groups("termination").into_iter().find(|group| group["name"] == "proof").unwrap();
    assert_eq!((&proof["games"], &proof["adjudicated"]), (&proved.into(), &proved.into()));
    let openings = groups("opening");
    assert_eq!(openings.len(), 4, "each is played twice");
    assert!(openings.iter().all(|group| group["games"] == 2), "{openings:?}");
    let all = groups("colour").remove(0);
    let n30 = &all["engines"]["n30"];
    let sum = |of: &Value| ["wins", "draws", "losses"].map(|key| of[key].as_u64().unwrap());
    assert_eq!(sum(&n30["black"]).iter().sum::<u64>(), 4);
    assert_eq!(sum(&n30["white"]).iter().sum::<u64>(), 4);
    assert_eq!(groups("rule")[0]["name"], "renju 15");
    let text = done(["tournament", "report", path, "--by", "opening"]);
    assert!(text.contains("Black made") && text.contains("from 4 openings"), "{text}");
    let refused = ["tournament", "report", path, "--by", "time"];
    ProgramRun::of(&mut tengen(refused)).refused(2, &["colour, opening, rule or termination"]);
}

/// Two machines play one test without an opening in common, and their games are one event.
#[test]
fn the_parts_of_a_test_are_merged() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let run = |out: &str, start: &str, more: &[&str]| {
        let engines = ["builtin:alphabeta", "builtin:alphabeta", "--tc", "nodes=60"];
        let window = ["--openings-start", start, "--openings-count", "2", "--out", out];
        let all = ["match"].into_iter().chain(engines).chain(window);
        ProgramRun::of(&mut tengen(all.chain(more.iter().copied())))
    };
    let merge = |names: [&str; 3]| {
        let [one, other, out] = names.map(at);
        ProgramRun::of(&mut tengen(["tournament", "merge", &one, &other, "--out", &out]))
    };
    let test = ["--sprt", "elo0=0,elo1=5", "--games", "40"];
    for (name, start) in [("one", "1"), ("other", "3")] {
        run(&at(name), start, &test);
    }
    let merged = merge(["one", "other", "both"]);
    assert!(merged.code == Some(0) && merged.stderr.contains("8 of "), "{}", merged.stderr);
    let both = json(["tournament", "report", &at("both"), "--json"]);
    assert_eq!(both["games"], 8, "of four openings");
    // Games beyond their openings would have others there.
    for (name, start) in [("three", "1"), ("four", "3")] {
        run(&at(name), start, &["--games", "8"]).done();
    }
    merge(["three", "four", "none"]).refused(2, &["4 openings", "leaves 2", "come again"]);
}
