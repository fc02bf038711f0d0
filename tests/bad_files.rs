//! Files that are not what their names say: pipes and devices, bombs, archives that are damaged or
//! try to write elsewhere. Each is refused by name, or read as far as possible, and nothing hangs
//! or breaks.

mod common;

use std::fs;
use std::path::Path;

#[cfg(unix)]
use common::json;
use common::{ProgramRun, module, tengen};
use tempfile::TempDir;

#[cfg(unix)]
fn refused(arguments: &[&str], code: i32, words: &[&str]) {
    ProgramRun::of(&mut tengen(arguments.iter().copied())).refused(code, words);
}

/// A pipe that no program writes to.
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
    refused(&["tournament", "run", &at("folder.toml")], 2, &["folder.toml", "not a plain file"]);
    for (path, code, problem) in
        [(at("folder.toml"), 1, "no games found"), ("/dev/zero".to_owned(), 2, "not a plain file")]
    {
        let convert = ["convert", &path, "--from", "sgf", &at("out.jsonl")];
        refused(&convert, code, &[&path, problem]);
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
    archive(&dir.join("bomb.zip"), &[("a.wasm", &vec![0; (70 << 20) + 1])]);
    fs::write(dir.join("torn.zip"), "PK").unwrap();
    let list = ["engines", "list", "--json", "--dir", dir.to_str().unwrap()];
    let run = || ProgramRun::of(tengen(list).env("XDG_CACHE_HOME", &caches)).done();
    let listing: serde_json::Value = serde_json::from_str(&run()).unwrap();
    let engines = listing["engines"].as_array().unwrap();
    let hoshi = engines.iter().find(|engine| engine["id"] == "hoshi").unwrap();
    assert_eq!(hoshi["archive"], dir.join("hoshi.zip").to_str().unwrap(), "{listing}");
    let path = Path::new(hoshi["path"].as_str().unwrap());
    assert!(path.starts_with(&caches) && fs::read(path).unwrap() == bytes, "{path:?}");
    let reasons: Vec<_> = listing["refused"].as_array().unwrap().iter().collect();
    let words = ["larger than 70 MiB", "one file on some systems", "leads out", "no whole zip"];
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
    if folder.is_dir() {
        #[cfg(unix)]
        {
            let rights = std::os::unix::fs::PermissionsExt::from_mode(0o700);
            fs::set_permissions(folder, rights).unwrap();
        }
        fs::read_dir(folder).unwrap().for_each(|entry| loosen(&entry.unwrap().path()));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_a_terminal_would_obey() {
    let folder = TempDir::new().unwrap();
    let dir = folder.path().to_str().unwrap();
    let odd = folder.path().join("good\n  hoshi: a good engine\u{1b}[2J\u{202e}.so");
    fs::write(&odd, "no library").unwrap();
    let named = module("").replace("name Module", "name \\1b]0;Owned\\07\\c2\\9b2J");
    fs::write(folder.path().join("hoshi.wasm"), wat::parse_str(named).unwrap()).unwrap();
    let is_harmless = |text: &str| !text.contains(|c: char| c.is_control() && c != '\n');
    let listed = common::done(["engines", "list", "--dir", dir]);
    assert!(is_harmless(&listed) && listed.contains("Owned"), "{listed:?}");
    let line = listed.lines().find(|line| line.contains("a good engine")).unwrap();
    assert!(line.contains(dir) && line.contains("good\\n") && line.contains("\\u{202e}"), "{line}");
    let listing = json(["engines", "list", "--dir", dir, "--json"]);
    assert_eq!(listing["refused"][0]["path"], odd.to_str().unwrap(), "a machine gets it as it is");
    let play = ["match", odd.to_str().unwrap(), "builtin:alphabeta", "--dir", dir];
    let run = ProgramRun::of(&mut tengen(play));
    assert!(is_harmless(&run.stderr), "{:?}", run.stderr);
    run.refused(2, &["good\\n", "not a shared library"]);
}
