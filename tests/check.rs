//! `tengen engines check` as an author runs it; what it finds is tested in `platform/hosts/tests`.

mod common;

use common::{GREEDY, ProgramRun, bad_engine, json, tengen};

#[test]
fn a_sound_engine_passes_with_the_options_it_is_given() {
    let arguments = ["engines", "check", "builtin:alphabeta", "--quick", "--json"];
    let only = ["--rule", "renju", "--size", "15", "--option", "Depth=3"];
    let report = json(arguments.into_iter().chain(only));
    assert_eq!((&report["ok"], &report["quick"]), (&true.into(), &true.into()), "{report:#}");
    let steps = report["steps"].as_array().expect("steps");
    let step = |name: &str| steps.iter().find(|step| step["name"] == name).expect("it is there");
    assert_eq!(step("taking back")["verdict"], "passed");
    let options = step("options")["detail"].as_str().expect("a text");
    assert!(options.contains("played with Depth=3"), "{options}");
    assert!(steps.iter().all(|step| step["advice"].is_null()), "{report:#}");
}

#[test]
fn a_wrong_engine_fails_with_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = bad_engine(folder.path(), "LIE");
    let engine = engine.to_str().expect("a plain name");
    let run = ProgramRun::of(&mut tengen(["engines", "check", engine, "--quick"]));
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let line = run.stdout.lines().find(|line| line.starts_with("FAIL  moves under freestyle"));
    let line = line.expect("a verdict a line");
    assert!(line.contains("is not on the board") && line.contains("– answer with"), "{line}");
    assert!(run.stdout.contains("checks failed"), "{}", run.stdout);
}

#[test]
fn options_must_be_written_right_and_known_to_the_engine() {
    let wrong = ["engines", "check", GREEDY, "--option", "Depth"];
    ProgramRun::of(&mut tengen(wrong)).refused(2, &["--option Depth", "NAME=VALUE"]);
    let unknown = ["engines", "check", "builtin:alphabeta", "--option", "NoSuch=1"];
    let run = ProgramRun::of(&mut tengen(unknown));
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stdout.contains("FAIL  load") && run.stdout.contains("NoSuch"), "{}", run.stdout);
}
