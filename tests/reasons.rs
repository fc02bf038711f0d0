//! Why a game was lost, shown where people look: while it is played, in reports, in a debugger.

mod common;

use std::fs;
use std::path::Path;

use common::{GREEDY, ProgramRun, bad_engine, done, json, repository, tengen};
use serde_json::Value;

const BUILTIN: &str = "builtin:alphabeta";

fn text(path: &Path) -> &str {
    path.to_str().expect("the path is UTF-8")
}

/// Plays a match of so many games against an engine that is sound.
fn play(engine: &Path, out: &Path, games: &str) -> ProgramRun {
    let arguments = ["match", text(engine), BUILTIN, "--games", games, "--tc", "nodes=10"];
    ProgramRun::of(tengen(arguments).args(["--seed", "1", "--out", text(out)]))
}

/// Compiles an engine of `tests/engines` with what a debugger needs.
#[cfg(target_os = "linux")]
fn crasher(folder: &Path, flags: &[&str]) -> std::path::PathBuf {
    let library = common::library(folder, "crasher");
    let flags = [&["-shared", "-fPIC", "-g", "-O0"], flags].concat();
    common::compile("tests/engines/crasher.c", &library, &flags);
    library
}

#[test]
fn each_game_that_a_fault_lost_is_named_and_the_report_lists_them() {
    let folder = tempfile::tempdir().unwrap();
    let (engine, out) = (bad_engine(folder.path(), "CRASH"), folder.path().join("event"));
    let stdout = play(&engine, &out, "24").done();
    let label = text(&engine);
    let named: Vec<_> = stdout.lines().filter(|line| line.starts_with("game ")).collect();
    assert_eq!(named.len(), 10, "a flood says no more: {stdout}");
    let end = if cfg!(windows) { "was ended by " } else { "was killed by SIG" };
    for line in &named {
        assert!(line.contains(&format!("{label} lost by crash: {end}")), "{line}");
    }
    assert!(named[9].ends_with("; more such games are counted in the report"), "{}", named[9]);
    let first = stdout.find("Lost by faults, void or played again\n").expect("a list of them");
    let told = &stdout[first..];
    let dir = text(&out);
    for words in
        [format!("{label} lost 24 games by crash: "), format!("tengen tournament log {dir} ")]
    {
        assert!(told.contains(&words), "no `{words}` in:\n{told}");
    }
    let report = json(["tournament", "report", dir, "--json"]);
    let incidents = report["incidents"].as_array().unwrap();
    assert_eq!(incidents.len(), 1, "{report:#}");
    let Value::Object(group) = &incidents[0] else { panic!("{report:#}") };
    assert_eq!((&group["kind"], &group["termination"]), (&"fault".into(), &"crash".into()));
    assert_eq!((&group["engine"], &group["games"]), (&label.into(), &24.into()));
    assert_eq!(group["numbers"].as_array().unwrap().len(), 20);
    // Each command that it tells shows its game.
    let command = told.lines().find_map(|line| line.trim().strip_prefix("tengen ")).unwrap();
    let shown = done(command.split(' '));
    assert!(shown.contains("lost") || shown.contains("won, by crash"), "{shown}");
}

#[test]
fn a_game_that_ends_well_is_not_named() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("event");
    let stdout = play(Path::new(BUILTIN), &out, "2").done();
    assert!(!stdout.contains("game 1:") && !stdout.contains("Lost by faults"), "{stdout}");
    assert!(json(["tournament", "report", text(&out), "--json"])["incidents"].is_null());
}

/// What a brain did is in the first words, whether it says so or only shows it.
#[cfg(target_os = "linux")]
#[test]
fn the_reason_of_a_brain_is_in_the_first_words() {
    let folder = tempfile::tempdir().unwrap();
    for (name, on_begin, words) in [
        ("off", "echo 300,256", "the point is not on the board: answered 300,256"),
        (
            "silent",
            ":",
            "seems to wait for its next command, so its move may not have been flushed",
        ),
        ("gone", "echo 'fatal: no weights' >&2; exit 3", "exited with code 3: fatal: no weights"),
    ] {
        let brain = folder.path().join(format!("pbrain-{name}.sh"));
        let script = [
            "#!/bin/sh\nwhile read line; do case $line in",
            "START*|RESTART*) echo OK;;\nABOUT*) echo 'name=\"brain\"';;",
            &format!("BEGIN*|TURN*|DONE*) {on_begin};;\nEND*) exit;;\nesac; done\n"),
        ];
        fs::write(&brain, script.join("\n")).unwrap();
        let out = folder.path().join(name);
        let engine = format!("cmd:sh {}", text(&brain));
        let arguments = ["match", &engine, BUILTIN, "--games", "2", "--tc", "move=0.2"];
        let more = ["--margin", "0", "--restart=on", "--quiet", "--out", text(&out)];
        ProgramRun::of(tengen(arguments).args(more)).done();
        let report = json(["tournament", "report", text(&out), "--json"]);
        let incidents = report["incidents"].as_array().unwrap();
        assert_eq!(incidents.len(), 1, "{name}: one fault: {report:#}");
        let reason = incidents[0]["reason"].as_str().unwrap();
        assert!(reason.contains(words), "{name}: {reason}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_crash_of_machine_code_says_signal_address_and_function() {
    let folder = tempfile::tempdir().unwrap();
    for (way, words, is_whole) in [
        ("READ", "SIGSEGV (bad memory access) at address 0x10 in evaluate (crasher.c:", true),
        ("ABORT", "SIGABRT (it aborted) in evaluate (crasher.c:", true),
        ("DIVIDE", "SIGFPE (division by zero or the like) in evaluate (crasher.c:", true),
        (
            "OVERFLOW",
            "SIGSEGV (bad memory access), for its stack was full, in deeper (crasher.c:",
            false,
        ),
        ("JUMP", "SIGSEGV (bad memory access) at address 0x8 in evaluate (crasher.c:", false),
    ] {
        // Not every processor minds.
        if way == "DIVIDE" && !cfg!(target_arch = "x86_64") {
            continue;
        }
        let engine = crasher(folder.path(), &[&format!("-DWAY={way}")]);
        let out = folder.path().join(way);
        play(&engine, &out, "2").done();
        for record in common::records(&out) {
            let detail = record.detail.unwrap_or_default();
            assert!(detail.starts_with(&format!("was killed by {words}")), "{way}: {detail}");
            for caller in ["search (crasher.c:", "tengen_choose (crasher.c:"] {
                assert!(!is_whole || detail.contains(caller), "{way}, no `{caller}`: {detail}");
            }
            assert!(detail.contains("it said last:\nabout to die"), "{way}: {detail}");
            assert!(!detail.contains("crash report"), "{way}: {detail}");
        }
    }
    // Without what -g adds, the names that are exported are left.
    let engine = crasher(folder.path(), &["-DWAY=READ", "-s"]);
    let out = folder.path().join("stripped");
    play(&engine, &out, "2").done();
    let detail = common::records(&out)[0].detail.clone().unwrap_or_default();
    assert!(detail.contains("at address 0x10 in crasher.so+0x"), "{detail}");
    assert!(detail.contains(", tengen_choose"), "{detail}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_crash_report_that_an_engine_writes_itself_is_believed_of_its_own_death_alone() {
    let folder = tempfile::tempdir().unwrap();
    let engine = crasher(folder.path(), &["-DWAY=FORGE"]);
    let out = folder.path().join("event");
    play(&engine, &out, "2").done();
    for record in common::records(&out) {
        let detail = record.detail.unwrap_or_default();
        assert!(detail.starts_with("exited with code 3; it said last:\nabout to die"), "{detail}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_game_is_played_again_for_the_engine_that_lost_it() {
    let folder = tempfile::tempdir().unwrap();
    let engine = crasher(folder.path(), &["-DWAY=READ", "-DAT=6"]);
    let out = folder.path().join("event");
    play(&engine, &out, "2").done();
    let run = ProgramRun::of(&mut tengen(["debug", text(&out), "1"]));
    assert_eq!(run.code, Some(1), "{}\n{}", run.stdout, run.stderr);
    let end = run.stdout.rfind("fails by crash: was killed by SIGSEGV").expect("how it dies");
    assert!(run.stdout[end..].contains("in evaluate (crasher.c:"), "{}", run.stdout);
    assert!(run.stdout.contains(" > Move { "), "what it is asked: {}", run.stdout);
    assert!(run.stderr.contains("the game ended by crash: was killed by"), "{}", run.stderr);
    // Nothing of the event is changed.
    assert_eq!(common::records(&out).len(), 2);
    let arguments = ["debug", text(&out), "1", "--ply", "3", "--debug-wait", "0.01"];
    let run = ProgramRun::of(&mut tengen(arguments));
    assert!(run.stderr.contains(" is process "), "{}", run.stderr);
    assert!(run.stderr.contains(" next: attach a debugger (gdb -p "), "{}", run.stderr);
    assert_eq!(run.code, Some(1), "{}\n{}", run.stdout, run.stderr);
    // Of the winner there is nothing to find.
    let run = ProgramRun::of(&mut tengen(["debug", text(&out), "1", "--engine", BUILTIN]));
    assert_eq!(run.code, Some(0), "{}\n{}", run.stdout, run.stderr);
    for (arguments, words) in [
        (["debug", text(&out), "9"].as_slice(), "the event has games 1 to 2"),
        (&["debug", text(&out), "1", "--engine", "x"], "--engine x: "),
    ] {
        ProgramRun::of(&mut tengen(arguments.iter().copied())).refused(2, &[words]);
    }
    // It was built again since: that which played is debugged, unless the new file is named.
    crasher(folder.path(), &["-DWAY=ABORT", "-DAT=6"]);
    for (dir, death, words) in [
        (None, "killed by SIGSEGV", "using the copy that played it"),
        (Some(text(folder.path())), "killed by SIGABRT", "is not the file that played the game"),
    ] {
        let arguments = ["debug", text(&out), "1"].into_iter();
        let run =
            ProgramRun::of(tengen(arguments).args(dir.map(|dir| ["--dir", dir]).iter().flatten()));
        assert!(run.stdout.contains(death), "{}\n{}", run.stdout, run.stderr);
        assert!(run.stderr.contains(words), "{}", run.stderr);
    }
    // Its file is gone.
    fs::remove_file(&engine).unwrap();
    let run = ProgramRun::of(&mut tengen(["debug", text(&out), "1"]));
    assert!(run.stdout.contains("killed by SIGSEGV"), "{}\n{}", run.stdout, run.stderr);
    assert!(run.stderr.contains("its files are no longer where they were"), "{}", run.stderr);
}

/// The engine has the same options, limits and seed, so that it plays the same moves.
#[test]
fn an_engine_answers_as_it_did_in_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("event");
    let arguments = ["match", BUILTIN, GREEDY, "--games", "2", "--tc", "nodes=300"];
    ProgramRun::of(tengen(arguments).args(["--out", text(&out)])).done();
    let run = ProgramRun::of(&mut tengen(["debug", text(&out), "2", "--engine", BUILTIN]));
    assert_eq!(run.code, Some(0), "{}\n{}", run.stdout, run.stderr);
    assert!(!run.stderr.contains(" now, and answered "), "{}", run.stderr);
    assert!(run.stdout.contains("answered everything that it was asked"), "{}", run.stdout);
    ProgramRun::of(&mut tengen(["debug", text(&out), "2"]))
        .refused(2, &["no engine lost it by a fault", "--engine builtin:alphabeta"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_dies_in_a_debugger_where_there_is_one() {
    if std::process::Command::new("gdb").arg("--version").output().is_err() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("pbrain-crash");
    common::compile("tests/brains/crashing.c", &program, &["-g", "-O0"]);
    let out = folder.path().join("event");
    let arguments = ["match", text(&program), GREEDY, "--games", "2", "--tc", "move=5"];
    ProgramRun::of(tengen(arguments).args(["--opening", "none", "--out", text(&out)])).done();
    let run = ProgramRun::of(&mut tengen(["debug", text(&out), "1"]));
    assert_eq!(run.code, Some(1), "{}\n{}", run.stdout, run.stderr);
    for words in ["received signal SIGSEGV", " in evaluate ", "crashing.c:", "search", "killed by"]
    {
        assert!(run.stdout.contains(words), "no `{words}` in:\n{}", run.stdout);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_check_reports_one_fault_once() {
    let folder = tempfile::tempdir().unwrap();
    let engine = crasher(folder.path(), &["-DWAY=READ"]);
    let arguments = ["engines", "check", text(&engine), "--quick", "--rule", "freestyle"];
    let run = ProgramRun::of(tengen(arguments).args(["--size", "15"]));
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let told = run.stdout.matches("killed by SIGSEGV").count();
    assert_eq!(told, 2, "where it is found, and at the end: {}", run.stdout);
    assert!(run.stdout.contains("the same fault as in `"), "{}", run.stdout);
    assert!(run.stdout.contains("\n  fails because of it: "), "{}", run.stdout);
}

#[test]
fn a_silent_engine_is_told_of_flushing() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("silent.py");
    fs::copy(repository("tests/brains/silent.py"), &script).unwrap();
    let command = format!("cmd:python3 {}", text(&script));
    let arguments = ["match", &command, BUILTIN, "--games", "2", "--startup", "2"];
    let run = ProgramRun::of(tengen(arguments).args(["--out", text(&folder.path().join("e"))]));
    run.refused(1, &["does not flush its standard output", "print(..., flush=True)"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_that_has_no_room_says_so_once() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("event");
    let arguments = ["match", BUILTIN, BUILTIN, "--games", "4", "--tc", "nodes=10"];
    let run = ProgramRun::of(tengen(arguments).args(["--log", "/dev/full", "--out", text(&out)]));
    let told = run.stderr.matches("/dev/full: the log ends here").count();
    assert_eq!(told, 1, "{}", run.stderr);
    run.done();
}

#[test]
fn engines_of_any_name_have_a_folder_that_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let script = repository("tests/brains/first.py");
    let long = |letter: &str| format!("cmd:python3 {} {}", text(&script), letter.repeat(150));
    let arguments = ["match", &long("a"), &long("b"), "--games", "2", "--tc", "move=5"];
    ProgramRun::of(tengen(arguments).current_dir(folder.path())).done();
    let arguments = ["match", "--engine", "cmd=builtin:alphabeta", "name=天元", "--engine"];
    let more = ["cmd=builtin:alphabeta", "name=Été", "--games", "2", "--tc", "nodes=10"];
    ProgramRun::of(tengen(arguments).args(more).current_dir(folder.path())).done();
    let entries = fs::read_dir(folder.path().join("events")).unwrap().flatten();
    let mut names: Vec<_> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(
        names[0].starts_with("001-python3-") && names[0].contains("aaa-vs-python3-"),
        "{names:?}"
    );
    assert_eq!(names[1], "002-天元-vs-Été");
}

#[cfg(target_os = "linux")]
#[test]
fn a_library_has_every_layer_however_its_path_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let engine = bad_engine(folder.path(), "GOOD");
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    let sandbox = |path: &str| {
        let arguments = ["engines", "check", path, "--quick", "--rule", "freestyle", "--json"];
        let mut command = tengen(arguments);
        let run = ProgramRun::of(command.args(["--size", "15"]).current_dir(&inner));
        let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
        let steps = report["steps"].as_array().unwrap().clone();
        steps.iter().find(|step| step["name"] == "sandbox").unwrap()["detail"].clone()
    };
    assert_eq!(sandbox("../good.so"), sandbox(text(&engine)));
}
