//! Events of brains, played through the program: the lines that they are sent, and the effect of
//! their answers.
#![cfg(target_os = "linux")]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use common::brain::{quirk, script};
use common::{ProgramRun, assert_whole, records, repository, tengen};
use tempfile::TempDir;
use tengen_arbiter::{Action, HistoryEntry, Termination};
use tengen_record::GameRecord;
use tengen_rules::{Answer, Move, Seat};

/// A folder with the brain of quirks.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    quirk(folder.path(), "pbrain-quirk");
    folder
}

/// Runs the program in that folder. A machine may be busy: scripts have long to start.
fn run(folder: &Path, arguments: &[&str]) -> ProgramRun {
    let mut command = tengen([]);
    command.args(arguments).current_dir(folder);
    if matches!(arguments[0], "match" | "tournament") {
        command.args(["--startup", "100", "--spoiled", "keep"]);
        // What scripts play begins on the empty board.
        if !arguments.contains(&"--opening") && !arguments.contains(&"resume") {
            command.args(["--opening", "none"]);
        }
    }
    ProgramRun::of(&mut command)
}

/// Plays a match in that folder, one game after the other, and gives its records.
fn play(folder: &Path, engines: [&str; 2], flags: &str) -> Vec<GameRecord> {
    let flags = flags.split_whitespace();
    let arguments = ["match", engines[0], engines[1], "--out", "event", "--concurrency", "1"];
    let arguments: Vec<&str> = arguments.into_iter().chain(flags).collect();
    run(folder, &arguments).done();
    let event = folder.join("event");
    let records = records(&event);
    assert_whole(&event, records.len() as u64);
    records
}

/// A brain that replays this transcript.
fn scripted(folder: &Path, name: &str, transcript: &str) -> String {
    script(folder, "scripted.py");
    let file = format!("{name}.txt");
    let lines: Vec<&str> = transcript.lines().map(str::trim).collect();
    fs::write(folder.join(&file), lines.join("\n")).unwrap();
    format!("cmd:python3 scripted.py {file}")
}

fn said(record: &GameRecord) -> Vec<&str> {
    record.actions.iter().flat_map(|action| &action.said).map(String::as_str).collect()
}

#[test]
fn two_games_are_played_to_the_letter_with_one_process_each() {
    let folder = folder();
    let one = "> START 15
        < OK
        > INFO timeout_match 600000
        > INFO timeout_turn 60000
        > INFO game_type 2
        > INFO rule 0
        > INFO folder *
        > INFO Style wild
        > INFO max_depth 9
        > INFO max_node 5000
        > INFO time_left 600000
        > BEGIN
        < MESSAGE depth 3 ev 12 n 500 pv H8
        < DEBUG naïve
        < 7,7
        > TURN 0,0
        < 8,8
        > TURN 0,2
        < suggest 9,9
        > PLAY 9,9
        < 9,9
        > TURN 0,4
        < 10,10
        > TURN 0,6
        < 11,11
        > START 15
        < ok
        > INFO rule 0
        > INFO Style wild
        > TURN 1,1
        < 0,14
        > TURN 2,2
        < 2,14
        > TURN 3,3
        < 4,14
        > TURN 4,4
        < 6,14";
    let other = "> START 15
        < Ok
        > INFO thread_num 2
        > TURN 7,7
        < 0,0
        > TURN 8,8
        < 0,2
        > TURN 9,9
        < 0,4
        > TURN 10,10
        < 0,6
        > START 15
        < OK
        > BEGIN
        < 1,1
        > TURN 0,14
        < 2,2
        > TURN 2,14
        < 3,3
        > TURN 4,14
        < 4,4
        > TURN 6,14
        < 5,5";
    let one = scripted(folder.path(), "one", one);
    let other = scripted(folder.path(), "other", other);
    let [one, other] = [&one, &other].map(|command| format!("cmd={command}"));
    let tc = "tc=600,move=60,depth=9,nodes=5000";
    let first = ["match", "--engine", &one, "name=one", tc, "option.Style=wild"];
    let second = ["--engine", &other, "name=other", "tc=600,move=60", "threads=2"];
    let rest = ["--games", "2", "--concurrency", "1", "--out", "event", "--log", "log.txt"];
    run(folder.path(), &[&first[..], &second, &rest, &["--sgf", "all.sgf"]].concat()).done();
    let records = records(&folder.path().join("event"));
    assert_whole(&folder.path().join("event"), 2);
    for record in &records {
        assert_eq!(record.result.winner, Some(Seat::First), "{:?}", record.detail);
        assert_eq!(record.result.termination, Termination::Five, "{:?}", record.detail);
    }
    let begun = records.iter().find(|record| record.header.seats.first.id == "one").unwrap();
    let words = ["MESSAGE depth 3 ev 12 n 500 pv H8", "DEBUG naïve"];
    // What its interpreter is denied is another machine's business.
    let said = |action: &HistoryEntry| -> Vec<String> {
        action.said.iter().filter(|line| !line.starts_with("was denied ")).cloned().collect()
    };
    assert_eq!(said(&begun.actions[0]), words);
    assert_eq!(begun.actions[0].info.unwrap().nodes, 500);
    assert!(begun.actions[1..].iter().all(|action| said(action).is_empty()));
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    for word in words {
        assert!(read("log.txt").contains(word) && read("all.sgf").contains(word), "{word}");
    }
}

#[test]
fn what_a_brain_said_before_its_time_was_over_is_kept() {
    let folder = folder();
    let transcript = "> START 15\n< OK\n> BEGIN\n< MESSAGE this is hard\n< DEBUG line 17\n";
    let hangs = scripted(folder.path(), "hangs", transcript);
    let records = play(folder.path(), [&hangs, "cmd:./pbrain-quirk fast"], "--games 1 --tc move=5");
    assert_eq!(records[0].result.termination, Termination::Timeout);
    let detail = records[0].detail.as_deref().unwrap_or_default();
    assert!(detail.ends_with("it said last:\nMESSAGE this is hard\nDEBUG line 17"), "{detail}");
}

#[test]
fn a_board_comes_in_playing_order_and_held_strictly_an_error_costs_the_game() {
    let folder = folder();
    fs::write(folder.path().join("book.txt"), "h8 h9 j7 g10\n").unwrap();
    let stones = ["7,7", "7,6", "9,8", "6,5"];
    let board = |own: [&str; 2], last: &str| {
        let line = |(ply, stone): (usize, &&str)| format!("> {stone},{}\n", own[ply % 2]);
        stones.iter().enumerate().map(line).collect::<String>() + last
    };
    let begun = "> RECTSTART 20,15\n< OK\n> INFO rule 4\n> BOARD\n";
    let black = format!("{begun}{}> DONE\n< 0,0\n", board(["1", "2"], ""));
    let white = format!("{begun}{}> DONE\n< ERROR enough\n", board(["2", "1"], "> 0,0,2\n"));
    let black = scripted(folder.path(), "black", &black);
    let white = scripted(folder.path(), "white", &white);
    let flags = "--games 1 --rule renju --size 20x15 --opening book --openings book.txt --tc 60 \
                 --strict-protocol";
    let [record] = &play(folder.path(), [&black, &white], flags)[..] else { panic!("one game") };
    assert_eq!(record.result.termination, Termination::ProtocolError);
    assert_eq!(record.result.winner, Some(Seat::First));
    let detail = record.detail.as_deref().unwrap_or_default();
    assert!(detail.contains("ERROR enough"), "{detail}");
}

#[test]
fn brains_of_every_manner_play_a_tournament() {
    let folder = folder();
    let modes = "fast lower cr crlf no-about free-about banner ok-info error-info message debug \
                 suggest one-game twice text-after error-first junk-first mute";
    let engines: Vec<_> =
        modes.split_whitespace().map(|mode| format!("cmd:./pbrain-quirk {mode}")).collect();
    let mut arguments = vec!["tournament", "run", "--out", "event", "--games", "2", "--tc"];
    arguments.extend(["600,nodes=9", "--engines"]);
    arguments.extend(engines.iter().map(String::as_str));
    run(folder.path(), &arguments).done();
    let event = folder.path().join("event");
    assert_whole(&event, 18 * 17);
    for record in records(&event) {
        let end = (record.result.termination, &record.detail);
        assert!(matches!(end.0, Termination::Five | Termination::BoardFull), "{end:?}");
        for action in &record.actions {
            let sitter = &record.header.seats[action.seat].id;
            let expected = match sitter.rsplit(' ').next() {
                Some("message") => 3,
                // Said before the first question of a process.
                Some("banner") => action.said.len().min(1),
                Some("debug") => 8,
                Some("text-after" | "error-first" | "junk-first") => 1,
                // An answer said again, an ERROR to what a brain need not know: noted where it was
                // heard.
                Some("twice" | "error-info") => action.said.len().min(8),
                _ => 0,
            };
            assert_eq!(action.said.len(), expected, "{sitter}: {:?}", action.said);
        }
    }
}

/// The principal variation of a search is in the record as moves, from every kind of engine, goes
/// through the store, and is shown where the games are.
#[test]
fn lines_of_play_are_in_the_record_from_engines_of_every_kind() {
    let folder = folder();
    let wasm = repository("engines/alphabeta.wasm");
    let wasm = wasm.to_str().unwrap();
    let play = |out: &str, flags: &str, engines: &[&str]| {
        let mut arguments = vec!["tournament", "run", "--out", out, "--sgf"];
        let sgf = format!("{out}.sgf");
        arguments.push(&sgf);
        arguments.extend(flags.split_whitespace());
        arguments.push("--engines");
        arguments.extend(engines);
        run(folder.path(), &arguments).done();
        let event = folder.path().join(out);
        let all = records(&event);
        assert_whole(&event, all.len() as u64);
        (all, fs::read_to_string(folder.path().join(&sgf)).unwrap())
    };
    let check = |(all, sgf): (Vec<GameRecord>, String)| {
        let mut told = BTreeMap::<String, usize>::new();
        for record in &all {
            let mut stones = Vec::new();
            for action in &record.actions {
                let Action::Answer(Answer::Move(Move::Stone(stone))) = action.action else {
                    panic!("{:?}", action.action)
                };
                let is_brain = record.header.seats[action.seat].id.contains("quirk");
                if let Some(Move::Stone(first)) = action.pv.first() {
                    let id = &record.header.seats[action.seat].id;
                    *told.entry(id.clone()).or_default() += 1;
                    assert!(action.info.is_some() && action.pv.len() <= 64);
                    // What the brain tells is always the same.
                    assert!(is_brain || !stones.contains(first), "{stones:?}: {:?}", action.pv);
                    let line: Vec<_> = action.pv.iter().map(ToString::to_string).collect();
                    assert!(!is_brain || line == ["h8", "i7"], "{line:?}");
                    let remark = format!("pv {}", line.join(" "));
                    // A comment is broken nowhere.
                    assert!(sgf.contains(&remark), "no `{remark}` in {sgf}");
                }
                stones.push(stone);
            }
        }
        told
    };
    let engines = ["builtin:alphabeta", wasm, "cmd:./pbrain-quirk message"];
    let flags = "--games 2 --tc 600,nodes=400 --move-limit 12";
    let told = check(play("three", flags, &engines));
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told.values().all(|count| *count >= 20), "{told:?}");
    let inside = format!("{flags} --isolation in-process");
    let told = check(play("inside", &inside, &[wasm, wasm]));
    assert!(told.values().sum::<usize>() >= 20, "{told:?}");
}

#[test]
fn swap2_is_the_brains_own_where_it_knows_it_and_else_the_arbiters_by_name() {
    let folder = folder();
    script(folder.path(), "swap2.py");
    let [knows, other] = ["cmd:python3 swap2.py place swap", "cmd:python3 swap2.py stay stay"];
    let records = play(folder.path(), [knows, other], "--games 4 --opening swap2 --tc 600");
    for record in &records {
        let seats = &record.header.seats;
        assert!(!seats.first.opening_by_arbiter && !seats.second.opening_by_arbiter);
        let is_own = |action: &Action| matches!(action, Action::Answer(Answer::Choose(_)));
        assert!(record.actions.iter().any(|action| is_own(&action.action)));
        assert_ne!(record.result.termination, Termination::ProtocolError, "{:?}", record.detail);
    }

    let does_not = "cmd:./pbrain-quirk fast";
    let event = ["match", knows, does_not, "--games", "2", "--tc", "600", "--out", "other"];
    let words = [does_not, "swap2", "--opening-policy arbiter"];
    let refused = [&event[..], &["--opening", "swap2"]].concat();
    run(folder.path(), &refused).refused(2, &words);
    assert!(!folder.path().join("other").exists(), "nothing is begun");
    let allowed = [&refused[..], &["--opening-policy", "arbiter"]].concat();
    let said = run(folder.path(), &allowed);
    assert!(
        said.stderr.contains("the arbiter answers the opening questions of swap2 for"),
        "{}",
        said.stderr
    );
    said.done();
    let named = |event: &str, engine: Option<&str>| {
        for record in common::records(&folder.path().join(event)) {
            for seat in Seat::ALL {
                let sitter = &record.header.seats[seat];
                let is_silent = sitter.id == does_not;
                assert_eq!(sitter.opening_by_arbiter, is_silent);
                assert_eq!(sitter.opening_engine.as_deref(), engine.filter(|_| is_silent));
            }
        }
    };
    named("other", None);

    let assisted =
        [&allowed[..8], &["assisted", "--opening", "swap2", "--opening-engine"]].concat();
    let by = |engine, policy: &[&'static str]| {
        run(folder.path(), &[&assisted[..], &[engine], policy].concat())
    };
    by(knows, &[]).refused(2, &["opening-engine", "policy arbiter"]);
    let policy = ["--opening-policy", "arbiter"];
    by(does_not, &policy).refused(2, &[does_not, "does not support swap2"]);
    let said = by("builtin:alphabeta", &policy);
    assert!(
        said.stderr.contains("builtin:alphabeta answers the opening questions of swap2"),
        "{}",
        said.stderr
    );
    said.done();
    named("assisted", Some("builtin:alphabeta"));
    assert_whole(&folder.path().join("assisted"), 2);
}

#[test]
fn where_an_opening_answer_is_unusable_the_arbiter_steps_in_if_it_may() {
    let folder = folder();
    script(folder.path(), "swap2.py");
    for answers in ["short swap", "occupied swap"] {
        let brain = format!("cmd:python3 swap2.py {answers}");
        let flags = "--games 2 --opening swap2 --tc 600,nodes=50 --opening-policy arbiter";
        let records = play(folder.path(), [&brain, "builtin:alphabeta"], flags);
        for record in &records {
            let end = (record.result.termination, &record.detail);
            assert!(
                matches!(end.0, Termination::Five | Termination::BoardFull),
                "{answers}: {end:?}"
            );
        }
        fs::remove_dir_all(folder.path().join("event")).unwrap();
    }
    // One that is set to answer none is asked none, whatever the event's policy.
    let brain = "cmd=cmd:python3 swap2.py short swap";
    let engines = ["match", "--engine", brain, "opening=none", "--engine", "cmd=builtin:alphabeta"];
    let flags = ["--games", "2", "--opening", "swap2", "--tc", "600,nodes=50", "--out", "event"];
    run(folder.path(), &[&engines[..], &flags].concat()).done();
    for record in records(&folder.path().join("event")) {
        for seat in Seat::ALL {
            let sitter = &record.header.seats[seat];
            assert_eq!(sitter.opening_by_arbiter, sitter.id != "builtin:alphabeta");
        }
        assert_eq!(record.result.termination, Termination::Five, "{:?}", record.detail);
    }
}

#[test]
fn who_does_not_play_on_the_board_is_set_aside_or_ends_the_match() {
    let folder = folder();
    let [refuses, minds] = ["cmd:./pbrain-quirk refuse", "cmd:./pbrain-quirk no-rule"];
    let [one, other] = ["cmd:./pbrain-quirk fast", "cmd:./pbrain-quirk lower"];
    let event = ["tournament", "run", "--out", "event", "--games", "2", "--tc", "600", "--engines"];
    let all = [&event[..], &[refuses, one, minds, other]].concat();
    let said = run(folder.path(), &all);
    for words in ["skipped: ", "not on this board", "Unknown rule id"] {
        assert!(said.stderr.contains(words), "{}", said.stderr);
    }
    said.done();
    assert_whole(&folder.path().join("event"), 2);
    let alone = ["match", one, refuses, "--size", "19", "--tc", "600", "--out", "other"];
    run(folder.path(), &alone).refused(1, &[refuses, "board of 19", "not on this board"]);
    assert!(!folder.path().join("other").exists(), "nothing is begun");
}

#[test]
fn what_lies_in_a_package_is_picked_by_rule_board_and_processor() {
    let folder = folder();
    let engines = folder.path().join("engines");
    for package in ["house", "plain"] {
        fs::create_dir_all(engines.join(package)).unwrap();
        let names = ["pbrain-h", "pbrain-h_20", "pbrain-h_renju", "pbrain-h64"];
        for name in names.into_iter().filter(|name| package == "house" || !name.contains('_')) {
            fs::copy(folder.path().join("pbrain-quirk"), engines.join(package).join(name)).unwrap();
        }
    }
    let zipped = fs::File::create(engines.join("zipped.zip")).unwrap();
    let mut zip = zip::ZipWriter::new(zipped);
    for name in ["pbrain-h_20", "pbrain-h_15", "pbrain-h_renju"] {
        let options = zip::write::SimpleFileOptions::default().unix_permissions(0o755);
        zip.start_file(name, options).unwrap();
        let program = fs::read(folder.path().join("pbrain-quirk")).unwrap();
        std::io::Write::write_all(&mut zip, &program).unwrap();
    }
    zip.finish().unwrap();
    for (flags, house, zipped) in [
        (["--rule", "freestyle", "--size", "15"], "pbrain-h64", "pbrain-h_15"),
        (["--rule", "freestyle", "--size", "20"], "pbrain-h_20", "pbrain-h_20"),
        (["--rule", "renju", "--size", "15"], "pbrain-h_renju", "pbrain-h_renju"),
    ] {
        let out = format!("{}-{}", flags[1], flags[3]);
        let event = ["match", "house", "zipped", "--games", "2", "--tc", "600", "--out", &out];
        run(folder.path(), &[&event[..], &flags].concat()).done();
        assert_whole(&folder.path().join(&out), 2);
        let told = fs::read_to_string(folder.path().join(&out).join("event.toml")).unwrap();
        for program in [house, zipped] {
            assert!(told.contains(&format!("/{program}\"")), "{flags:?}: {told}");
        }
    }
    let event = ["match", "plain", "zipped", "--games", "2", "--tc", "600", "--size", "20"];
    run(folder.path(), &event).done();
}

#[test]
fn a_brain_that_fills_its_folder_loses_and_the_next_game_begins() {
    let folder = folder();
    let engines = ["cmd:./pbrain-quirk hoard 4", "cmd:./pbrain-quirk fast"];
    let records = play(folder.path(), engines, "--games 2 --folder-limit 1MiB --tc 600");
    assert_eq!(records.len(), 2);
    for record in &records {
        let detail = record.detail.as_deref().unwrap_or_default();
        assert_eq!(record.result.termination, Termination::ResourceLimit, "{detail}");
        let winner = &record.header.seats[record.result.winner.unwrap()];
        assert_eq!(winner.id, engines[1]);
        assert!(detail.contains("of 1 MiB"), "{detail}");
    }
}

#[test]
fn a_brain_works_while_its_opponent_thinks_if_it_may() {
    let folder = folder();
    let engines = ["cmd:./pbrain-quirk ponder", "cmd:./pbrain-quirk slow 100"];
    let records = play(folder.path(), engines, "--games 1 --ponder --move-limit 12 --tc 600");
    let rounds = said(&records[0]).into_iter().filter_map(|line| {
        line.strip_prefix("MESSAGE pondered ").and_then(|rounds| rounds.parse::<u64>().ok())
    });
    assert!(rounds.sum::<u64>() > 0, "{:?}", said(&records[0]));
}

#[test]
fn no_engine_is_forgiven_less_than_an_opponent_that_is_a_text_engine() {
    let folder = folder();
    for (flags, margin) in
        [("", 1_000_000_000), (" --margin 0.25", 250_000_000), (" --margin 0", 0)]
    {
        let flags = format!("--games 2 --tc 60,nodes=100 --move-limit 4{flags}");
        let records = play(folder.path(), ["cmd:./pbrain-quirk fast", "builtin:alphabeta"], &flags);
        for seats in records.iter().map(|record| &record.header.seats) {
            assert_eq!((seats.first.margin, seats.second.margin), (margin, margin));
        }
        fs::remove_dir_all(folder.path().join("event")).unwrap();
    }
}

#[test]
fn what_it_takes_to_get_ready_counts_where_the_event_counts_it() {
    let folder = folder();
    let slow = scripted(folder.path(), "slow", "> START 15\n~ 200\n< OK\n> BEGIN\n< 7,7\n! 0");
    let engines = [slow.as_str(), "cmd:./pbrain-quirk fast"];
    let clocks = |record: &GameRecord| {
        let first = &record.actions[0];
        (first.ready, first.spent, first.clock)
    };
    let records = play(folder.path(), engines, "--games 1 --tc 600 --count-startup");
    let (ready, spent, clock) = clocks(&records[0]);
    let ready = ready.expect("it is told");
    assert!(ready >= 200_000_000, "{ready}");
    assert_eq!(clock, Some(600_000_000_000 - ready - spent));

    fs::remove_dir_all(folder.path().join("event")).unwrap();
    let records = play(folder.path(), engines, "--games 1 --tc 600");
    let (ready, spent, clock) = clocks(&records[0]);
    assert_eq!((ready, clock), (None, Some(600_000_000_000 - spent)));

    fs::remove_dir_all(folder.path().join("event")).unwrap();
    let records = play(folder.path(), engines, "--games 1 --tc 0.1 --margin 0.05 --count-startup");
    assert_eq!(records[0].result.termination, Termination::Timeout);
    assert_eq!((records[0].result.winner, records[0].actions.len()), (Some(Seat::Second), 0));
    assert!(records[0].detail.as_deref().unwrap().contains("to get ready"));
}

/// The most bytes that a file of an archive may have to be played from there.
const LARGEST_IN_ARCHIVE: u64 = 70 << 20;

#[test]
fn tengen_itself_is_a_brain_here_and_so_is_what_it_packs() {
    let folder = folder();
    let program = env!("CARGO_BIN_EXE_tengen");
    // Half of it is symbols.
    let small = folder.path().join("tengen-small");
    let mut strip = Command::new("strip");
    let stripped = strip.arg("-o").args([&small, Path::new(program)]).status();
    assert!(stripped.expect("strip, which comes with the compiler").success());
    let package = ["engines", "package", "builtin:alphabeta", "--name", "packed"];
    let flags = ["--option", "Depth=1", "--program", "tengen-small", "--out"];
    fs::create_dir(folder.path().join("engines")).unwrap();
    run(folder.path(), &[&package[..], &flags, &["engines/pbrain-packed.zip"]].concat()).done();
    if fs::metadata(&small).unwrap().len() > LARGEST_IN_ARCHIVE {
        // A program that is not optimised may be too large to be played from an archive, and lies
        // beside it then, as the refusal has it.
        let zip = folder.path().join("engines/pbrain-packed.zip");
        let mut archive = zip::ZipArchive::new(fs::File::open(&zip).unwrap()).unwrap();
        archive.extract(zip.with_extension("")).unwrap();
        fs::remove_file(zip).unwrap();
    }
    let brain = format!("cmd:{program} brain builtin:alphabeta");
    let flags = "--games 2 --opening swap2 --tc 600,nodes=50";
    let records = play(folder.path(), ["pbrain-packed", &brain], flags);
    assert_eq!(records.len(), 2);
    for record in &records {
        let detail = record.detail.as_deref();
        assert!(!record.header.seats.first.opening_by_arbiter);
        // A brain takes its seed from the time of day: now and then there is no winner.
        let end = record.result.termination;
        assert!(matches!(end, Termination::Five | Termination::BoardFull), "{end}: {detail:?}");
        assert!(said(record).iter().any(|line| line.contains("MESSAGE depth 1")));
    }
}

#[test]
fn an_engine_of_the_sau_platform_plays_from_openings_that_are_set() {
    let folder = folder();
    script(folder.path(), "sau.py");
    let engines = ["sau:python3 sau.py", "sau:python3 sau.py chatty", "cmd:./pbrain-quirk fast"];
    fs::write(folder.path().join("book.txt"), "h8 i9 j8\nh8 h9 j7 g10\n").unwrap();
    for (out, opening) in [
        ("book", &["book", "--openings", "book.txt"][..]),
        ("swap2", &["swap2", "--opening-policy", "arbiter"]),
    ] {
        let event = ["tournament", "run", "--out", out, "--games", "4", "--tc", "600,nodes=50"];
        let engines = [&["--engines"][..], &engines, &["builtin:alphabeta"]].concat();
        let flags = [&["--opening"][..], opening].concat();
        run(folder.path(), &[&event[..], &engines, &flags].concat()).done();
        let event = folder.path().join(out);
        assert_whole(&event, 4 * 6);
        for record in records(&event) {
            let end = (record.result.termination, &record.detail);
            assert!(matches!(end.0, Termination::Five | Termination::BoardFull), "{end:?}");
            for seat in Seat::ALL {
                let sitter = &record.header.seats[seat];
                let is_text = sitter.id != "builtin:alphabeta";
                assert_eq!(sitter.opening_by_arbiter, is_text && out == "swap2", "{}", sitter.id);
            }
        }
    }
}
