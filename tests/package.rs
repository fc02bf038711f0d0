//! `tengen engines package`: an engine in a zip of its own, unpacked and played.

mod common;

use std::collections::BTreeMap;
use std::env::consts::EXE_SUFFIX;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::brain::BrainProcess;
use common::{ProgramRun, tengen};
use tempfile::TempDir;

fn package(folder: &Path, arguments: &[&str]) -> ProgramRun {
    let mut command = tengen(["engines", "package"]);
    ProgramRun::of(command.args(arguments).current_dir(folder))
}

/// What lies in a package, and the rights of each file.
fn contents(package: &Path) -> BTreeMap<String, (Vec<u8>, u32)> {
    let mut archive = zip::ZipArchive::new(File::open(package).unwrap()).unwrap();
    let count = archive.len();
    let entry = |index| {
        let mut file = archive.by_index(index).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        let rights = file.unix_mode().expect("a file has rights") & 0o777;
        (file.name().unwrap().into_owned(), (bytes, rights))
    };
    (0..count).map(entry).collect()
}

/// A folder with a manifest; its engine needs another file of the folder.
fn hoshi(folder: &Path) -> PathBuf {
    let package = folder.join("engines/hoshi-1.2");
    fs::create_dir_all(package.join("data")).unwrap();
    let library = common::bad_engine(&package, "GOOD");
    let library = library.file_name().unwrap().to_str().unwrap();
    let manifest = format!(
        "<engines><engine id=\"hoshi\" name=\"Hoshi\" kind=\"native\">\
         <library>{library}</library></engine></engines>"
    );
    fs::write(package.join("engine.xml"), manifest).unwrap();
    fs::write(package.join("data/weights"), "1234").unwrap();
    package
}

#[test]
fn a_package_is_a_brain_wherever_it_is_unpacked() {
    let folder = TempDir::new().unwrap();
    hoshi(folder.path());
    let arguments = ["hoshi", "--threads", "1", "--out", "hoshi.zip", "--reserve", "0.2"];
    let run = package(folder.path(), &arguments);
    let name = if cfg!(windows) { "pbrain-hoshi64" } else { "pbrain-hoshi" };
    let program = format!("{name}{EXE_SUFFIX}");
    assert!(run.stderr.contains(&format!("hoshi.zip: {name}, ")), "{}", run.stderr);
    assert_eq!(run.done(), "");

    let away = folder.path().join("some where else");
    let packed = contents(&folder.path().join("hoshi.zip"));
    for (name, (bytes, rights)) in &packed {
        let path = away.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        let is_program = *name == program;
        let wanted = if is_program { 0o755 } else { 0o644 };
        // A zip of Windows has none.
        assert!(cfg!(windows) || *rights == wanted, "{name}: {rights:o}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&path, fs::Permissions::from_mode(*rights)).unwrap();
        }
    }
    fs::remove_dir_all(folder.path().join("engines")).unwrap();
    assert_eq!(packed["engines/hoshi-1.2/data/weights"].0, b"1234");

    let program = away.join(program);
    let elsewhere = TempDir::new().unwrap();
    let mut brain = BrainProcess::start(Command::new(&program).current_dir(elsewhere.path()));
    assert!(brain.ask(&["ABOUT"]).contains("name=\"Hoshi\""));
    assert_eq!(brain.ask(&["INFO timeout_turn 60000", "START 20"]), "OK");
    for stone in ["TURN 10,10", "TURN 19,19"] {
        brain.say(&[stone]);
        brain.hear_point();
    }
    brain.end();
    let odd = ProgramRun::of(Command::new(&program).arg("--nonsense").stdin(Stdio::null()));
    odd.refused(2, &["--nonsense"]);
    fs::remove_dir_all(away.join("engines")).unwrap();
    let lost = ProgramRun::of(Command::new(&program).stdin(Stdio::null()));
    lost.refused(2, &["engines"]);
}

#[test]
fn a_package_for_another_system_is_named_for_it() {
    let folder = TempDir::new().unwrap();
    let mut windows = vec![0; 0x80];
    windows[..2].copy_from_slice(b"MZ");
    windows[0x3c] = 0x40;
    windows[0x40..0x46].copy_from_slice(b"PE\0\0\x64\x86");
    windows.extend_from_slice(b"host-engine");
    fs::write(folder.path().join("tengen.exe"), &windows).unwrap();
    let flags = ["--program", "tengen.exe", "--option", "Depth=6", "--name", "first.2"];
    let arguments = [&["builtin:alphabeta"][..], &flags].concat();
    package(folder.path(), &arguments).done();
    let path = folder.path().join("pbrain-first-2.zip");
    let packed = contents(&path);
    let names = ["pbrain-first-264.args", "pbrain-first-264.exe"];
    assert_eq!(packed.keys().collect::<Vec<_>>(), names);
    assert_eq!(packed[names[1]].0, windows);
    let told = String::from_utf8(packed[names[0]].0.clone()).unwrap();
    let told: Vec<_> = told.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(told, ["builtin:alphabeta", "--option", "Depth=6"]);

    let first = fs::read(&path).unwrap();
    package(folder.path(), &arguments).refused(2, &["exists already", "--force"]);
    package(folder.path(), &[&arguments[..], &["--force"]].concat()).done();
    assert!(first == fs::read(&path).unwrap(), "the same files make the same package");
}

#[test]
fn what_cannot_be_packed_is_said_in_words() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("text"), "no program").unwrap();
    let shell = if cfg!(windows) { "cmd:cmd" } else { "cmd:sh" };
    for (arguments, words) in [
        (&["nobody", "--dir", "engines"][..], &["no folder engines"][..]),
        (&[shell], &[shell, "gomocup engine already"]),
        (&["builtin:alphabeta", "--name", "a/b"], &["--name a/b", "letters"]),
        (&["builtin:alphabeta", "--option", "Foo=1"], &["Foo", "no such option"]),
        (&["builtin:alphabeta", "--option", "Depth=1\n2"], &["one line"]),
        (&["builtin:alphabeta", "--program", "text"], &["text", "not a build of tengen"]),
        (&["builtin:alphabeta", "--program", "none"], &["none", "cannot be read"]),
        (&["builtin:alphabeta", "--out", "."], &["is a folder"]),
    ] {
        package(folder.path(), arguments).refused(2, words);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left");
}
