//! Mistakes that a user may make: each message names the mistake and what to do, and nothing is
//! lost.

mod common;

use std::fs;
use std::path::Path;

use common::{ProgramRun, done, json, module, tengen};
use tempfile::TempDir;

fn refused(arguments: &[&str], code: i32, words: &[&str]) {
    ProgramRun::of(&mut tengen(arguments.iter().copied())).refused(code, words);
}

/// A match of the built-in engine with these options more.
fn refused_match(options: &[&str], words: &[&str]) {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("event");
    let mut arguments = vec!["match", "builtin:alphabeta", "builtin:alphabeta"];
    arguments.extend(["--out", out.to_str().unwrap()]);
    arguments.extend(options);
    refused(&arguments, 2, words);
    assert!(!out.exists(), "nothing is made for an event that cannot be");
}

#[test]
fn nonsense_options() {
    refused_match(&["--tc", "soon"], &["--tc", "soon"]);
    refused_match(&["--tc", "60+"], &["--tc", "60+"]);
    refused_match(&["--rule", "go"], &["--rule", "freestyle, standard, renju or caro"]);
    refused_match(&["--size", "99"], &["--size", "5 to 32"]);
    refused_match(&["--opening", "swap3"], &["--opening", "swap3"]);
    refused_match(&["--games", "0"], &["games"]);
    refused_match(&["--concurrency", "0"], &["concurrency"]);
    refused_match(&["--format", "swiss", "--groups", "2"], &["groups", "swiss"]);
    refused_match(&["--format", "knockout", "--games", "3"], &["games", "odd"]);
    refused_match(&["--rule", "renju", "--opening", "contest", "--size", "19"], &["opening", "15"]);
    refused_match(&["--opening", "book", "--size", "9"], &["no balanced openings"]);
    refused_match(&["--opening", "book", "--openings", "no such file"], &["no such file"]);
    let empty = |option, value| ["--opening", "none", option, value];
    refused_match(&empty("--openings-order", "random"), &["openings-order", "no positions"]);
    refused_match(&empty("--openings-symmetries", "all"), &["openings-symmetries", "positions"]);
    refused_match(&["--isolation", "in-process"], &["builtin", "WASM"]);
    refused_match(&["--unheard-of"], &["--unheard-of"]);
}

#[test]
fn an_unknown_engine() {
    let words = ["greedi", "greedy"];
    refused(&["match", "greedi", "builtin:alphabeta"], 2, &words);
    refused(&["match", "builtin:beta", "builtin:alphabeta"], 2, &["beta", "builtin:alphabeta"]);
    refused(&["engines", "check", "nobody"], 2, &["nobody"]);
    refused(&["engines", "list", "--dir", "no such folder"], 2, &["no such folder", "--dir"]);
}

#[test]
fn an_out_folder_that_exists_or_cannot_be_written() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("event");
    let out = out.to_str().unwrap();
    let play = ["match", "builtin:alphabeta", "builtin:alphabeta", "--tc", "nodes=1"];
    fn with<'a>(play: &[&'a str], out: &'a str) -> Vec<&'a str> {
        [play, &["--games", "2", "--out", out]].concat()
    }
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let summary = json([&with(&play, out)[..], &["--json"]].concat());
    refused(&with(&play, out), 2, &[out, "resume"]);
    assert_eq!(json(["tournament", "report", out, "--json"]), summary, "nothing was touched");

    fs::create_dir(folder.path().join("used")).unwrap();
    fs::write(folder.path().join("used/letter.txt"), "dear").unwrap();
    refused(&with(&play, &path("used")), 2, &["not empty", "--out"]);
    refused(&with(&play, &path("used/letter.txt/event")), 1, &["letter.txt"]);
    // No user, not even root, can make a folder there.
    if cfg!(target_os = "linux") {
        refused(&with(&play, "/proc/event"), 1, &["/proc/event"]);
    }
    refused(&["tournament", "resume", folder.path().to_str().unwrap()], 2, &["no event"]);
}

#[test]
fn a_damaged_event() {
    let folder = TempDir::new().unwrap();
    let event = folder.path().join("event");
    let out = event.to_str().unwrap();
    let play = ["match", "builtin:alphabeta", "builtin:alphabeta", "--tc", "nodes=1"];
    done(play.into_iter().chain(["--games", "2", "--out", out]));
    let config = fs::read_to_string(event.join("event.toml")).unwrap();
    fs::write(event.join("event.toml"), config.replace("nodes=1", "nodes=2")).unwrap();
    refused(&["tournament", "report", out], 1, &["event.toml", "changed"]);
    fs::write(event.join("event.toml"), "rule = \"renju\"\nspeed = 3\n").unwrap();
    refused(&["tournament", "report", out], 1, &["event.toml", "speed", "resume"]);
    fs::write(event.join("event.toml"), config).unwrap();
    fs::write(event.join("event.db"), "not a database at all, but long enough to be one").unwrap();
    refused(&["tournament", "report", out], 1, &["event.db"]);
}

#[test]
fn a_tournament_file_with_a_slip() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("cup.toml");
    let run = |text: &str, words: &[&str]| {
        fs::write(&file, text).unwrap();
        refused(&["tournament", "run", file.to_str().unwrap()], 2, words);
    };
    run("games = 2\nengine = [\"a\"]\n", &["cup.toml", "line 2", "engine"]);
    run("tc = \"soon\"\n", &["cup.toml", "line 1", "soon"]);
    run("games = [\n", &["cup.toml"]);
    run("engines = [\"builtin:alphabeta\"]\n", &["engines", "2"]);
    refused(&["tournament", "run", "no such file.toml"], 2, &["no such file.toml"]);
    refused(&["tournament", "run"], 2, &["--engines"]);
}

/// Twenty files that contradict themselves or the rules: each is refused with its line and key, and
/// nothing is made.
#[test]
fn tournament_files_that_cannot_be_played() {
    let folder = TempDir::new().unwrap();
    let (file, out) = (folder.path().join("cup.toml"), folder.path().join("event"));
    fs::write(folder.path().join("book.pos"), "h8 i9\nh8 i9 h8\n").unwrap();
    let book = |positions: &str| format!("\nopening = \"book\"\nopenings = {positions}");
    for (text, words) in [
        ("rules = 'renju'", vec!["line 1", "`rules`"]),
        ("games = -2", vec!["line 1", "games", "a whole number from 0"]),
        ("games = 'ten'", vec!["line 1", "games", "a whole number from 0"]),
        ("seed = 0\ngames = 0", vec!["line 2: games", "1 or more"]),
        ("games = 2\ngames = 4", vec!["line 2", "duplicate key"]),
        ("seed = 99999999999999999999", vec!["line 1", "a whole number"]),
        ("rule = 'renju'\nopening = 'book'", vec!["line 2: opening", "positions"]),
        (&book("['h8 h8']"), vec!["line 1: opening: position 1", "h8 is occupied"]),
        (&book("['h8 h9 i8 i9 j8 j9 k8 k9 l8']"), vec!["line 1: opening", "l8 ends the game"]),
        (
            &format!("rule = 'renju'{}", book("['g8 a1 i8 c1 h7 e1 h9 g1 h8']")),
            vec!["line 2: opening", "h8 ends the game"],
        ),
        (&book("'book.pos'"), vec!["book.pos", "line 2", "h8"]),
        (&book("'none.pos'"), vec!["none.pos", "cannot be read"]),
        ("opening = 'swap2'\nopenings = ['h8']", vec!["line 2: openings", "add the opening book"]),
        ("size = 20\nopening = 'soosorv8'\nrule = 'renju'", vec!["line 2: opening", "15, not 20"]),
        ("challengers = 3", vec!["line 1: challengers", "gauntlet"]),
        ("concurrency = 3\ncpus = '0,1'", vec!["line 2: cpus", "too few"]),
        ("move-limit = 0", vec!["line 1: move-limit", "1 or more"]),
        (
            &format!("move-limit = 2{}", book("['h8 h9 i8']")),
            vec!["line 1: move-limit", "3 stones", "drawn before a move"],
        ),
        (
            "adjudicate-draw = { moves = 0, score = 3 }",
            vec!["line 1: adjudicate-draw", "1 or more"],
        ),
        (
            "adjudicate-resign = { moves = 3, score = 3, by = 'one' }",
            vec!["line 1", "`one`", "`loser`"],
        ),
        ("adjudicate-proof = 0", vec!["line 1: adjudicate-proof", "1 to 1000000"]),
        ("sprt = 'elo0=5,elo1=0'", vec!["line 1", "sprt", "elo0 below elo1"]),
    ] {
        let engines = "engines = ['builtin:alphabeta', 'builtin:alphabeta']\n";
        fs::write(&file, format!("{}\n{engines}", text.trim_start())).unwrap();
        let mut command = tengen(["tournament", "run", file.to_str().unwrap()]);
        command.arg("--out").arg(&out);
        ProgramRun::of(&mut command).refused(2, &words);
        assert!(!out.exists(), "{text}");
    }
}

/// A folder of engines with one bad one; the list goes on, the engine itself is refused by name.
fn bad_engine(fill: impl FnOnce(&Path), id: &str, words: &[&str]) {
    let folder = TempDir::new().unwrap();
    fill(folder.path());
    let dir = folder.path().to_str().unwrap();
    let listing = json(["engines", "list", "--dir", dir, "--json"]);
    let refused_files = listing["refused"].as_array().unwrap();
    assert_eq!(refused_files.len(), 1, "{listing}");
    let reason = format!("{} {}", refused_files[0]["path"], refused_files[0]["reason"]);
    for word in words {
        assert!(reason.contains(word), "no `{word}` in {reason}");
    }
    let out = folder.path().join("event");
    let arguments =
        ["match", id, "builtin:alphabeta", "--dir", dir, "--out", out.to_str().unwrap()];
    let run = ProgramRun::of(&mut tengen(arguments));
    assert!(matches!(run.code, Some(1 | 2)), "{:?} {}", run.code, run.stderr);
    let code = run.code.unwrap();
    run.refused(code, words);
    assert!(!out.exists());
}

/// A library from C source.
fn compile(source: &str, to: &Path) {
    let c = to.with_extension("c");
    fs::write(&c, source).unwrap();
    let include = common::repository("engine-sdk/include");
    let mut cc = std::process::Command::new("cc");
    cc.args(["-shared", "-fPIC", "-I"]).arg(include).arg("-o").arg(to).arg(&c);
    assert!(cc.status().unwrap().success());
    fs::remove_file(c).unwrap();
}

#[cfg(target_os = "linux")]
mod native {
    use super::*;

    #[test]
    fn a_library_without_the_abi() {
        let fill = |dir: &Path| compile("int answer(void) { return 42; }", &dir.join("other.so"));
        bad_engine(fill, "other", &["other.so", "tengen_abi_v1"]);
    }

    #[test]
    fn a_library_without_a_required_export() {
        let source = "#include \"tengen.h\"\nuint32_t tengen_abi_v1(void) { return 0; }\n";
        bad_engine(|dir| compile(source, &dir.join("half.so")), "half", &["half.so", "tengen_"]);
    }

    #[test]
    fn a_library_of_another_architecture() {
        let fill = |dir: &Path| {
            let path = dir.join("far.so");
            compile("int answer(void) { return 42; }", &path);
            let mut bytes = fs::read(&path).unwrap();
            // The machine field of an ELF header: AArch64, or x86-64 on such a machine.
            let other: u16 = if cfg!(target_arch = "aarch64") { 62 } else { 183 };
            bytes[18..20].copy_from_slice(&other.to_le_bytes());
            fs::write(path, bytes).unwrap();
        };
        let theirs = if cfg!(target_arch = "aarch64") { "x86_64" } else { "aarch64" };
        bad_engine(fill, "far", &["far.so", theirs]);
    }
}

fn put(name: &'static str, bytes: &'static [u8]) -> impl FnOnce(&Path) {
    move |dir| fs::write(dir.join(name), bytes).unwrap()
}

#[test]
fn a_module_that_is_corrupt() {
    bad_engine(put("torn.wasm", b"\0asm\x01\0\0\0\x63\x63"), "torn-wasm", &["torn.wasm"]);
    bad_engine(put("text.wasm", b"hello"), "text-wasm", &["text.wasm"]);
}

#[test]
fn a_module_that_loops_in_its_start_function() {
    let folder = TempDir::new().unwrap();
    let text = module("(func $spin (loop $again br $again)) (start $spin)");
    fs::write(folder.path().join("spin.wasm"), wat::parse_str(text).unwrap()).unwrap();
    let dir = folder.path().to_str().unwrap();
    for isolation in ["child", "in-process"] {
        let arguments = ["match", "spin-wasm", "spin-wasm", "--dir", dir, "--startup", "0.5"];
        let run =
            ProgramRun::of(&mut tengen(arguments.into_iter().chain(["--isolation", isolation])));
        run.refused(1, &["spin-wasm", "500ms"]);
    }
}

#[test]
fn a_module_that_imports_what_it_may_not() {
    let text = module(r#"(import "env" "open" (func (param i32) (result i32)))"#);
    let bytes = wat::parse_str(text).unwrap();
    bad_engine(
        move |dir| fs::write(dir.join("nosy.wasm"), bytes).unwrap(),
        "nosy-wasm",
        &["nosy.wasm", "env"],
    );
}

#[test]
fn manifests_that_are_damaged_or_reach_out() {
    let manifest = |text: &'static str| {
        move |dir: &Path| {
            fs::create_dir(dir.join("hoshi")).unwrap();
            fs::write(dir.join("hoshi/engine.xml"), text).unwrap();
        }
    };
    let dtd = "<!DOCTYPE engines [<!ENTITY a \"b\">]>\n<engines/>\n";
    bad_engine(manifest(dtd), "hoshi", &["engine.xml", "DTD"]);
    let out = "<engines>\n<engine id=\"hoshi\" kind=\"native\">\n\
               <library>../../etc/passwd</library>\n</engine>\n</engines>\n";
    bad_engine(manifest(out), "hoshi", &["engine.xml", "line 3"]);
    bad_engine(manifest("<engines><engine"), "hoshi", &["engine.xml"]);
}
