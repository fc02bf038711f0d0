//! What a user may get wrong: each is told by name, with what to do, and loses nothing.

mod common;

use std::fs;
use std::path::Path;

use common::{Run, done, json, tengen};
use tempfile::TempDir;

fn refused(arguments: &[&str], code: i32, words: &[&str]) {
    Run::of(&mut tengen(arguments.iter().copied())).refused(code, words);
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
    refused_match(&["--format", "swiss"], &["swiss"]);
    refused_match(&["--rule", "renju", "--opening", "contest", "--size", "19"], &["opening", "15"]);
    refused_match(&["--opening", "book"], &["openings"]);
    refused_match(&["--opening", "book", "--openings", "no such file"], &["no such file"]);
    refused_match(&["--openings-order", "random"], &["openings-order", "no positions", "book"]);
    refused_match(&["--openings-symmetries", "all"], &["openings-symmetries", "no positions"]);
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
    // Nobody, not even root, can make a folder there.
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

/// A pipe that nobody writes to.
#[cfg(unix)]
fn pipe(path: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[cfg(unix)]
#[test]
fn pipes_devices_and_folders_in_place_of_files() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::create_dir(at("folder.toml")).unwrap();
    pipe(Path::new(&at("pipe.toml")));
    for path in [at("folder.toml"), at("pipe.toml"), "/dev/zero".to_owned()] {
        refused(&["tournament", "run", &path], 2, &[&path, "not a plain file"]);
        let book = ["--opening", "book", "--openings", &path];
        refused_match(&book, &[&path, "not a plain file"]);
    }
    for path in [at("folder.toml"), "/dev/zero".to_owned()] {
        let convert = ["convert", &path, "--from", "sgf", &at("out.jsonl")];
        refused(&convert, 2, &[&path, "not a plain file"]);
        refused(&["rules", "replay", &path], 1, &[&path, "cannot be read"]);
    }
    let engines = ["a.zip", "pbrain-b", "c.so", "d.wasm", "e/engine.xml"];
    fs::create_dir_all(at("engines/e")).unwrap();
    engines.iter().for_each(|name| pipe(&folder.path().join("engines").join(name)));
    let listing = json(["engines", "list", "--dir", &at("engines"), "--json"]);
    let reasons = listing["refused"].as_array().unwrap();
    assert_eq!(reasons.len(), engines.len() - usize::from(cfg!(target_os = "macos")), "{listing}");
    let is_plain = |reason: &str| reason.ends_with("not a plain file");
    assert!(reasons.iter().all(|one| is_plain(one["reason"].as_str().unwrap())), "{listing}");
}

#[cfg(unix)]
#[test]
fn an_event_with_pipes_in_it() {
    let folder = TempDir::new().unwrap();
    let event = folder.path().join("event");
    let out = event.to_str().unwrap();
    let play = ["match", "builtin:alphabeta", "builtin:alphabeta", "--tc", "nodes=1"];
    let summary = json(play.into_iter().chain(["--games", "2", "--json", "--out", out]));
    for file in ["event.toml", "event.db", "games.jsonl"] {
        let (path, kept) = (event.join(file), event.join("kept"));
        fs::rename(&path, &kept).unwrap();
        pipe(&path);
        if file != "games.jsonl" {
            refused(&["tournament", "report", out], 1, &[file, "not a plain file", "resume"]);
        }
        let resume = ["tournament", "resume", out, "--repair", "--json"];
        let repaired: serde_json::Value = serde_json::from_str(&done(resume)).unwrap();
        assert_eq!(common::games(&repaired), common::games(&summary), "after {file}");
        common::assert_whole(&event, 2);
        fs::remove_file(kept).unwrap();
    }
}

#[test]
fn tournament_files_that_are_bombs() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("cup.toml");
    let run = |bytes: &[u8], words: &[&str]| {
        fs::write(&file, bytes).unwrap();
        refused(&["tournament", "run", file.to_str().unwrap()], 2, words);
    };
    run(format!("games = {}", "[".repeat(100_000)).as_bytes(), &["cup.toml"]);
    run(format!("games = {}", "{a=".repeat(100_000)).as_bytes(), &["cup.toml"]);
    run(format!("{}a = 1", "a.".repeat(100_000)).as_bytes(), &["cup.toml"]);
    run(format!("games = {}", "9".repeat(100_000)).as_bytes(), &["cup.toml", "line 1"]);
    run(b"games = 2\n# \xff\n", &["cup.toml", "line 2", "UTF-8"]);
    let alphabeta = "engines = [\"builtin:alphabeta\", \"builtin:alphabeta\"]\n";
    run(format!("{alphabeta}games = 18446744073709551615").as_bytes(), &["cup.toml", "games"]);
    run(format!("{alphabeta}games = 9223372036854775807").as_bytes(), &["games"]);
    run(format!("{alphabeta}seed = -1").as_bytes(), &["cup.toml", "seed"]);
    fs::File::create(&file).unwrap().set_len(1 << 40).unwrap();
    refused(&["tournament", "run", file.to_str().unwrap()], 2, &["cup.toml", "64 MiB"]);
}

#[test]
fn games_that_are_bombs() {
    let folder = TempDir::new().unwrap();
    let convert = |name: &str, text: &str| {
        let (from, to) = (folder.path().join(name), folder.path().join("out.jsonl"));
        fs::write(&from, text).unwrap();
        let (from, to) = (from.to_str().unwrap(), to.to_str().unwrap());
        let run = Run::of(&mut tengen(["convert", from, to, "--skip-bad", "--force"]));
        assert!(matches!(run.code, Some(0..=2)), "{name}: {:?} {}", run.code, run.stderr);
        assert!(!run.stderr.contains("panicked"), "{name}: {}", run.stderr);
    };
    let times = 100_000;
    convert("deep.sgf", &format!("(;SZ[15]{}{})", "(;C[x]".repeat(times), ")".repeat(times)));
    convert("open.sgf", &format!("(;SZ[15]{}", "(".repeat(times)));
    convert("long.sgf", &format!("(;SZ[15]{})", ";C[x]".repeat(times)));
    convert("wrong.sgf", &"(;SZ[15];B[zz])".repeat(times));
    convert("deep.jsonl", &format!("{{\"format\":{}\n", "[".repeat(times)));
    convert("large.jsonl", &format!("{{\"format\":{}}}\n{{\"format\":1e999}}\n", "9".repeat(times)));
    convert("many.psq", &format!("Piskvorky 15x15, 11:11, 0\n{}", "8,8,1\n".repeat(times)));
    convert("large.psq", &format!("Piskvorky 15x15, 11:11, 0\n8,8,{}\n", "9".repeat(times)));
    convert("wide.psq", "Piskvorky 99999999999x15, 11:11, 0\n");
    convert("many.pos", &"h8".repeat(times));
    convert("many.txt", "h8");
}

/// An archive of these files.
fn archive(path: &Path, files: &[(&str, &[u8])]) {
    let mut writer = zip::ZipWriter::new(fs::File::create(path).unwrap());
    for (name, bytes) in files {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut writer, bytes).unwrap();
    }
    writer.finish().unwrap();
}

#[test]
fn archives_good_and_bad() {
    let folder = TempDir::new().unwrap();
    let (dir, caches) = (folder.path().join("engines"), folder.path().join("caches"));
    fs::create_dir(&dir).unwrap();
    let bytes = wat::parse_str(module("")).unwrap();
    archive(&dir.join("hoshi.zip"), &[("hoshi/hoshi.wasm", &bytes), ("hoshi/words.txt", b"x")]);
    archive(&dir.join("slip.zip"), &[("hoshi.wasm", &bytes), ("../../slipped", b"x")]);
    archive(&dir.join("case.zip"), &[("a.wasm", &bytes), ("A.wasm", b"x")]);
    archive(&dir.join("bomb.zip"), &[("a.wasm", &vec![0; (64 << 20) + 1])]);
    fs::write(dir.join("torn.zip"), "PK").unwrap();
    let list = ["engines", "list", "--json", "--dir", dir.to_str().unwrap()];
    let run = || Run::of(tengen(list).env("XDG_CACHE_HOME", &caches)).done();
    let listing: serde_json::Value = serde_json::from_str(&run()).unwrap();
    let engines = listing["engines"].as_array().unwrap();
    let hoshi = engines.iter().find(|engine| engine["id"] == "hoshi").unwrap();
    assert_eq!(hoshi["archive"], dir.join("hoshi.zip").to_str().unwrap(), "{listing}");
    let path = Path::new(hoshi["path"].as_str().unwrap());
    assert!(path.starts_with(&caches) && fs::read(path).unwrap() == bytes, "{path:?}");
    let reasons: Vec<_> = listing["refused"].as_array().unwrap().iter().collect();
    let words = ["larger than 64 MiB", "one file on some systems", "leads out", "no whole zip"];
    assert_eq!(reasons.len(), words.len(), "{listing}");
    for (reason, words) in reasons.into_iter().zip(words) {
        assert!(reason["reason"].as_str().unwrap().contains(words), "{reason}");
    }
    let unpacked: Vec<_> = fs::read_dir(caches.join("tengen/packages")).unwrap().collect();
    assert_eq!(unpacked.len(), 1, "nothing of a bad archive is unpacked");
    assert_eq!(run(), run(), "the second time as the first");
    loosen(&caches);
}

/// Lets what was unpacked be removed.
fn loosen(folder: &Path) {
    let mut rights = fs::metadata(folder).unwrap().permissions();
    if folder.is_dir() {
        #[cfg(unix)]
        std::os::unix::fs::PermissionsExt::set_mode(&mut rights, 0o700);
        fs::set_permissions(folder, rights).unwrap();
        fs::read_dir(folder).unwrap().for_each(|entry| loosen(&entry.unwrap().path()));
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
    let run = Run::of(&mut tengen(arguments));
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

/// The shortest module with every export an engine needs, and something else in it.
fn module(more: &str) -> String {
    format!(
        r#"(module {more}
        (memory (export "memory") 1)
        (data (i32.const 16) "name Module\0a\00")
        (func (export "tengen_abi_v1") (result i32) i32.const 0)
        (func (export "tengen_describe") (result i32) i32.const 16)
        (func (export "tengen_create") (param i32) (result i32) i32.const 8)
        (func (export "tengen_new_game") (param i32 i32) (result i32) i32.const 0)
        (func (export "tengen_set_position") (param i32 i32 i32) (result i32) i32.const 0)
        (func (export "tengen_choose") (param i32 i32 i32) (result i32) i32.const -5)
        (func (export "tengen_buffer") (param i32) (result i32) i32.const 1024))"#
    )
}

#[test]
fn a_module_that_loops_in_its_start_function() {
    let folder = TempDir::new().unwrap();
    let text = module("(func $spin (loop $again br $again)) (start $spin)");
    fs::write(folder.path().join("spin.wasm"), wat::parse_str(text).unwrap()).unwrap();
    let dir = folder.path().to_str().unwrap();
    for isolation in ["child", "in-process"] {
        let arguments = ["match", "spin-wasm", "spin-wasm", "--dir", dir, "--startup", "0.5"];
        let run = Run::of(&mut tengen(arguments.into_iter().chain(["--isolation", isolation])));
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
