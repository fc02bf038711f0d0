//! Text engines as they are found. Programs are recognised by their permissions and first bytes.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use tengen_rules::{Rule, Size};

use super::test_folder::TestFolder;
use super::*;

const SCRIPT: &str = "#!/bin/sh\n";

fn engine(folder: &TestFolder) -> EngineSpec {
    let Listing { mut engines, refused } = folder.listing();
    assert_eq!((engines.len(), refused.len()), (1, 0), "{engines:?} {refused:?}");
    engines.remove(0)
}

/// The reason of the only refusal, where there is no engine.
fn refusal(folder: &TestFolder) -> String {
    let Listing { engines, refused } = folder.listing();
    assert!(engines.is_empty(), "{engines:?}");
    let [refusal] = &refused[..] else { panic!("{refused:?}") };
    refusal.reason.to_string()
}

fn manifest(engine: &str) -> String {
    format!("<engines>\n{engine}\n</engines>\n")
}

fn side(side: u8) -> Size {
    Size::new(side, side).expect("a size")
}

#[test]
fn a_bare_brain_is_an_engine() {
    let folder = TestFolder::new().with_program("pbrain-hoshi").with_program("notes.sh");
    let engine = engine(&folder);
    assert_eq!((engine.id.as_str(), engine.kind), ("pbrain-hoshi", EngineKind::Gomocup));
    assert_eq!((&engine.folder, &engine.path), (&None, &folder.path("pbrain-hoshi")));
    assert_eq!(engine.readable(), [folder.path("pbrain-hoshi")]);
    assert_eq!(engine.command(), Some((engine.path.clone(), Vec::new())));
}

#[test]
fn the_brains_of_a_folder_are_one_engine_and_the_event_picks() {
    let folder = TestFolder::new()
        .with_program("hoshi/pbrain-hoshi_15")
        .with_program("hoshi/pbrain-hoshi_20")
        .with_program("hoshi/pbrain-hoshi_renju")
        .with_mode("hoshi/pbrain-hoshi.exe", "words", 0o644)
        .with_mode("hoshi/libweights.so", "words", 0o644);
    let engine = engine(&folder);
    assert_eq!((engine.id.as_str(), engine.kind), ("hoshi", EngineKind::Gomocup));
    assert_eq!(engine.folder, Some(folder.path("hoshi")));
    let file = |rule, size| engine.clone().fitted(rule, size).path;
    assert_eq!(engine.path, folder.path("hoshi/pbrain-hoshi_15"));
    assert_eq!(file(Rule::Freestyle, side(20)), folder.path("hoshi/pbrain-hoshi_20"));
    assert_eq!(file(Rule::Renju, side(15)), folder.path("hoshi/pbrain-hoshi_renju"));
    let launch = engine.launch.expect("a text engine");
    assert_eq!((launch.programs.len(), launch.unfit.len()), (3, 1));
    assert_eq!(launch.unfit[0].path, folder.path("hoshi/pbrain-hoshi.exe"));
}

#[test]
fn a_folder_whose_brains_all_are_for_others_is_refused_with_the_first_reasons() {
    let folder = (0..5).fold(TestFolder::new(), |folder, number| {
        folder.with_mode(&format!("many/pbrain-{number}"), SCRIPT, 0o644)
    });
    let refusal = refusal(&folder);
    assert!(refusal.contains("pbrain-0: not executable"), "{refusal}");
    assert!(refusal.ends_with("; and 2 more"), "{refusal}");
}

#[test]
fn what_an_interpreter_runs_is_started_by_it() {
    let folder = TestFolder::new()
        .with_mode("pbrain-a.py", "print()", 0o644)
        .with_mode("b/pbrain-b.py", "print()", 0o644)
        .with_mode("b/pbrain-b_renju.py", "print()", 0o644)
        .with_program("c/pbrain-c")
        .with_mode("c/pbrain-c.py", "print()", 0o644)
        .with_mode("pbrain-j.jar", "PK", 0o644);
    let listing = folder.listing();
    let python = super::command::in_path("python3").expect("Python in PATH");
    let named = |id: &str| listing.get(id).unwrap().launch.clone().unwrap();
    for (id, programs) in [("pbrain-a", 1), ("b", 2)] {
        let launch = named(id);
        assert_eq!((launch.runner.as_ref(), launch.programs.len()), (Some(&python), programs));
    }
    let own = named("c");
    assert_eq!((own.runner, own.programs), (None, vec![folder.path("c/pbrain-c")]));
    assert_eq!(own.unfit[0].path, folder.path("c/pbrain-c.py"));
    match super::command::in_path("java") {
        Some(java) => assert_eq!(named("pbrain-j").runner, Some(java)),
        None => assert!(listing.refused[0].reason.to_string().starts_with("needs `java`")),
    }
    let (program, jar) = (PathBuf::from("/usr/bin/java"), folder.path("pbrain-j.jar"));
    let launch = Launch { runner: Some(program.clone()), ..Launch::of(vec![jar.clone()]) };
    assert_eq!(launch.command(&jar), (program, vec!["-jar".into(), jar.into()]));
}

#[test]
fn a_manifest_describes_text_engines() {
    let text = manifest(
        r#"<engine id="hoshi" name="Hoshi" kind="gomocup">
             <program os="plan9">pbrain-hoshi.9</program>
             <program>bin/pbrain-hoshi</program>
             <program>bin/pbrain-hoshi_renju</program>
             <program runner="sh">hoshi.sh</program>
             <argument>--quiet</argument>
             <argument>a b</argument>
             <option name="caution_factor">3</option>
             <limits memory-mib="350" threads="2"/>
           </engine>
           <engine id="sau" kind="sau"><program runner="sh">hoshi.sh</program></engine>"#,
    )
    .replace("plan9", if cfg!(target_os = "macos") { "linux" } else { "macos" });
    let folder = TestFolder::new()
        .with_mode("h/engine.xml", &text, 0o644)
        .with_program("h/bin/pbrain-hoshi")
        .with_program("h/bin/pbrain-hoshi_renju")
        .with_mode("h/hoshi.sh", "exit", 0o644);
    let Listing { engines, refused } = folder.listing();
    assert!(refused.is_empty(), "{refused:?}");
    let [hoshi, sau] = &engines[..] else { panic!("two engines: {engines:?}") };
    assert_eq!((hoshi.name.as_deref(), hoshi.kind), (Some("Hoshi"), EngineKind::Gomocup));
    assert_eq!((hoshi.memory_mib, hoshi.threads), (Some(350), Some(2)));
    assert_eq!(hoshi.options, [("caution_factor".to_owned(), "3".to_owned())]);
    let (program, arguments) = hoshi.command().expect("a text engine");
    assert_eq!(program, folder.path("h/bin/pbrain-hoshi"));
    assert_eq!(arguments, ["--quiet", "a b"]);
    let renju = hoshi.clone().fitted(Rule::Renju, Size::STANDARD);
    assert_eq!(renju.path, folder.path("h/bin/pbrain-hoshi_renju"));
    assert_eq!(sau.kind, EngineKind::Sau);
    let (runner, arguments) = sau.command().expect("a text engine");
    assert!(runner.is_absolute() && runner.ends_with("sh"));
    assert_eq!(arguments, [OsString::from(folder.path("h/hoshi.sh"))]);
}

#[test]
fn a_manifest_of_a_text_engine_is_held_to_its_own_elements() {
    let refusal = |inside: &str| {
        let engine = format!("<engine id=\"a\" kind=\"gomocup\">{inside}</engine>");
        let folder = TestFolder::new().with_mode("e/engine.xml", &manifest(&engine), 0o644);
        refusal(&folder.with_program("e/a"))
    };
    let cases = [
        ("", "line 2: <engine> holds no <program>"),
        (
            "<library>a</library>",
            "line 2: <library> does not belong in an <engine> of kind gomocup",
        ),
        ("<program>b</program>", "there is no file `b`"),
        ("<program>../a</program>", "`../a` leads out of the engine's folder"),
        ("<program/>", "`` is not a value of <program>"),
        ("<program runner=\"/bin/sh\">a</program>", "expected the name of a program in PATH"),
        ("<program runner=\"sh -c\">a</program>", "expected the name of a program in PATH"),
        ("<program runner=\"no-such\">a</program>", "there is no program `no-such`"),
        ("<program>a</program><argument>x\ny</argument>", "expected one line of text"),
        ("<program arch=\"s390x\">a</program>", "has no program for"),
    ];
    for (inside, expected) in cases {
        let seen = refusal(inside);
        assert!(seen.contains(expected), "{inside}: {seen}");
    }
}

#[test]
fn a_program_of_any_name_is_a_brain_by_its_path() {
    let folder = TestFolder::new()
        .with_program("my brain.py")
        .with_mode("words.txt", "words", 0o755)
        .with_mode("still", SCRIPT, 0o644);
    let at = |file: &str| resolve(&folder.path(file).display().to_string(), Path::new("absent"));
    let engine = at("my brain.py").expect("a program");
    assert_eq!((engine.id.as_str(), engine.kind), ("my-brain", EngineKind::Gomocup));
    let error = |file| at(file).expect_err("no engine").to_string();
    assert!(error("words.txt").contains("not an engine: expected"), "{}", error("words.txt"));
    assert!(error("still").contains("make it so with chmod +x"), "{}", error("still"));
    assert!(folder.listing().engines.is_empty(), "in a folder of engines it is passed over");
}

#[test]
fn a_command_is_an_engine_wherever_an_engine_is_named() {
    let engine = resolve("cmd:sh -c exit", Path::new("absent")).expect("sh is there");
    assert_eq!((engine.id.as_str(), engine.kind), ("cmd:sh -c exit", EngineKind::Gomocup));
    assert_eq!(engine.folder, std::env::current_dir().ok());
    let error = resolve("sau:'sh", Path::new("absent")).expect_err("no command").to_string();
    assert_eq!(error, "`sau:'sh`: a quotation mark is not closed");
}
