use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::*;
use crate::archive::beside;
use crate::test_folder::TestFolder;
use crate::{EngineKind, EngineSpec, command};

/// A folder of engines beside a folder of caches.
struct EnrolledFolder(TestFolder);

impl EnrolledFolder {
    fn new() -> EnrolledFolder {
        EnrolledFolder(TestFolder::new())
    }

    fn at(&self, name: &str) -> PathBuf {
        dunce::canonicalize(self.0.root()).unwrap().join(name)
    }

    fn put(&self, name: &str, text: &str) -> PathBuf {
        self.0.put(name, text);
        self.at(name)
    }

    fn cache(&self) -> PathBuf {
        self.at("caches")
    }

    /// A module with its weights beside it, where others' files are.
    fn single(&self) -> EngineSpec {
        let path = self.put("x.wasm", "code");
        let weights = self.put("x.weights", "old");
        self.put("y.weights", "others'");
        EngineSpec {
            reads: vec![path.clone(), weights],
            ..EngineSpec::bare(path, EngineKind::Wasm)
        }
    }

    fn enroll(&self, spec: EngineSpec) -> EngineSpec {
        spec.enrolled(Some(&self.cache())).unwrap()
    }
}

fn digest(spec: &EngineSpec) -> &str {
    &spec.enrolled.as_ref().unwrap().digest
}

fn changed(spec: &EngineSpec) -> Option<&Path> {
    spec.enrolled.as_ref().unwrap().changed()
}

/// A link made to it changes a file's time, and a build may write it once more: that is no reason
/// to refuse the engine.
#[test]
fn files_that_changed_while_they_were_copied_are_read_anew() {
    let ground = EnrolledFolder::new();
    let spec = ground.single();
    let list = || FileList::read(&roots(&spec), &[]).unwrap().unwrap();
    let stale = list();
    let weights = ground.put("x.weights", "newer");
    let keep = |list: FileList| match store::keep(&list, &ground.cache()).unwrap() {
        Kept::Copy(_) => None,
        Kept::Changed(path) => Some(path),
    };
    assert_eq!(keep(stale), Some(weights), "the file is named");
    assert_eq!(keep(list()), None);
}

#[test]
fn events_and_what_this_process_writes_are_no_files_of_an_engine() {
    let ground = EnrolledFolder::new();
    ground.put("own/brain.py", "print(1)");
    let spec = || {
        let command = command("cmd:sh brain.py", Some(&ground.at("own")), None).unwrap().unwrap();
        ground.enroll(command.apart_from(&[ground.at("own/brains/other")]))
    };
    let before = spec();
    ground.put("own/events/001/event.toml", "");
    ground.put("own/events/001/games.jsonl", "");
    let log = fs::File::create(ground.at("own/out.txt")).unwrap();
    fs::create_dir_all(ground.at("own/events")).unwrap();
    let other = ground.put("own/brains/other", "a program");
    let after = spec();
    let copied: Vec<_> = after.enrolled.as_ref().unwrap().copied.iter().collect();
    assert_eq!(copied.len(), 1, "{copied:?}");
    ground.put("own/events/001/games.jsonl", "{}");
    assert_eq!((changed(&before), changed(&after)), (None, None));
    drop((log, other));
}

#[test]
fn a_path_has_no_way_back_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let real = dunce::canonicalize(folder.path()).unwrap();
    fs::create_dir_all(real.join("a/b")).unwrap();
    fs::write(real.join("engine"), "").unwrap();
    symlink("engine", real.join("named")).unwrap();
    assert_eq!(absolute_path(&real.join("a/../named")), real.join("named"));
    assert_eq!(absolute_path(&real.join("a/b/../..")), real);
    // A link leads elsewhere than its name.
    symlink("a/b", real.join("c")).unwrap();
    assert_eq!(absolute_path(&real.join("c/../x")), real.join("a/x"));
}

/// However a file is changed, the copy is not, and it is seen which file that is.
#[test]
fn a_copy_stays_whatever_becomes_of_the_files() {
    type Change = fn(&EnrolledFolder);
    let changes: [(Change, &str); 5] = [
        (|ground| fs::write(ground.at("x.wasm"), "edoc").unwrap(), "x.wasm"),
        (|ground| fs::rename(ground.put("new", "edoc"), ground.at("x.wasm")).unwrap(), "x.wasm"),
        (|ground| fs::write(ground.at("x.weights"), "new").unwrap(), "x.weights"),
        (|ground| fs::remove_file(ground.at("x.weights")).unwrap(), "x.weights"),
        (
            |ground| {
                fs::remove_file(ground.at("x.wasm")).unwrap();
                symlink(ground.put("other", "edoc"), ground.at("x.wasm")).unwrap();
            },
            "x.wasm",
        ),
    ];
    for (change, name) in changes {
        let ground = EnrolledFolder::new();
        let spec = ground.enroll(ground.single());
        assert_eq!((changed(&spec), spec.original()), (None, &*ground.at("x.wasm")));
        assert_eq!(spec.readable(), [ground.at("x.wasm"), ground.at("x.weights")]);
        change(&ground);
        assert_eq!(changed(&spec), Some(&*ground.at(name)));
        assert_eq!(spec.enrolled.as_ref().unwrap().spoiled(), None);
        let contents: Vec<_> =
            spec.reads.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
        assert_eq!(
            (fs::read_to_string(&spec.path).unwrap().as_str(), contents),
            ("code", vec!["code".to_owned(), "old".to_owned()])
        );
        assert!(spec.path.starts_with(ground.cache()), "{}", spec.path.display());
    }
}

#[test]
fn a_word_that_names_a_copy_is_told_as_it_was() {
    let ground = EnrolledFolder::new();
    let spec = ground.enroll(ground.single());
    let files = spec.enrolled.as_ref().unwrap();
    let (copy, original) = (spec.path.display(), ground.at("x.wasm"));
    let original = original.display();
    assert_eq!(files.original_word(copy.to_string()), original.to_string());
    assert_eq!(files.original_word(format!("--code={copy}")), format!("--code={original}"));
    for word in ["-", "x.wasm", "--depth=9", "/usr/bin/env"] {
        assert_eq!(files.original_word(word.to_owned()), word);
    }
}

#[test]
fn what_has_the_same_in_it_is_copied_once_and_found_again() {
    let ground = EnrolledFolder::new();
    let first = ground.enroll(ground.single());
    let again = ground.enroll(ground.single());
    assert_eq!((&first.path, digest(&first)), (&again.path, digest(&again)));
    // What the engine is called does not matter, and what is in its files does.
    let path = ground.put("z.wasm", "code");
    let weights = ground.put("z.weights", "old");
    let named = EngineSpec {
        reads: vec![path.clone(), weights.clone()],
        ..EngineSpec::bare(path, EngineKind::Wasm)
    };
    let other = ground.enroll(named.clone());
    assert_eq!(digest(&other), digest(&first));
    assert_ne!(other.path, first.path);
    fs::write(weights, "new").unwrap();
    let changed = ground.enroll(named.clone());
    assert_ne!(digest(&changed), digest(&first));
    let before = named.enrolled_as(Some(&ground.cache()), digest(&first)).unwrap();
    assert_eq!((&before.path, &before.reads), (&other.path, &other.reads));
    assert_eq!(named.enrolled_as(Some(&ground.cache()), "00"), None);
}

#[test]
fn a_folder_is_copied_with_what_is_in_it() {
    let ground = EnrolledFolder::new();
    let folder = ground.at("eng");
    let program = ground.put("eng/pbrain-x", "#!/bin/sh\n");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o750)).unwrap();
    ground.put("eng/data/book", "book");
    ground.put("eng/.git/index", "versions");
    symlink(folder.join("data/book"), folder.join("data/link")).unwrap();
    symlink("/dev/null", folder.join("out")).unwrap();
    let words = format!(
        "cmd:{} --book={} data/book",
        program.display(),
        folder.join("data/book").display()
    );
    let spec = command(&words, Some(&folder), None).unwrap().unwrap();
    let spec = ground.enroll(spec);
    let copy = spec.folder.clone().unwrap();
    assert_eq!(spec.path, copy.join("pbrain-x"));
    let rights = fs::metadata(&spec.path).unwrap().permissions().mode();
    assert_eq!(rights & 0o777, 0o550);
    let arguments = &spec.launch.as_ref().unwrap().arguments;
    assert_eq!(
        *arguments,
        [format!("--book={}", copy.join("data/book").display()), "data/book".to_owned()]
    );
    assert_eq!(fs::read_link(copy.join("data/link")).unwrap(), Path::new("../data/book"));
    assert_eq!(fs::read_to_string(copy.join("data/link")).unwrap(), "book");
    assert_eq!(fs::read_link(copy.join("out")).unwrap(), Path::new("/dev/null"));
    // Versions are copied, and are no part of what the engine is.
    ground.put("eng/.git/index", "other versions");
    let spec = command(&words, Some(&folder), None).unwrap().unwrap();
    assert_eq!(ground.enroll(spec).folder.unwrap(), copy);
}

#[test]
fn where_nothing_can_be_copied_the_files_are_looked_at() {
    let ground = EnrolledFolder::new();
    ground.put("caches", "no folder");
    let spec = ground.enroll(ground.single());
    let files = spec.enrolled.clone().unwrap();
    assert_eq!((&spec.path, files.spoiled()), (&ground.at("x.wasm"), None));
    assert!(files.uncopied.is_some());
    fs::write(ground.at("x.weights"), "new").unwrap();
    assert_eq!(files.spoiled(), Some(&*ground.at("x.weights")));
    // An interpreter is the system's, and none is copied.
    let script = ground.put("far/my.sh", "exit");
    fs::remove_file(ground.cache()).unwrap();
    let words = format!("cmd:sh {}", script.display());
    let spec = ground.enroll(command(&words, Some(&ground.at("far")), None).unwrap().unwrap());
    assert!(!spec.path.starts_with(ground.cache()));
    assert!(spec.folder.unwrap().starts_with(ground.cache()));
}

/// Copies that are used stay; those that are not go when they are old, or too many, or were
/// left unfinished.
#[test]
fn copies_are_swept_and_those_in_use_are_not() {
    let ground = EnrolledFolder::new();
    let long_ago = SystemTime::now() - 2 * crate::archive::UNUSED;
    let used = ground.enroll(ground.single());
    let spec = ground.single();
    ground.put("x.weights", "another");
    let unused = ground.enroll(spec);
    let place = |spec: &EngineSpec| spec.path.ancestors().nth(2).unwrap().to_owned();
    let (in_use, left) = (place(&used), place(&unused));
    drop(unused);
    let unfinished = beside(&ground.cache().join("engines/new"));
    fs::create_dir(&unfinished).unwrap();
    for folder in [&in_use, &left, &unfinished] {
        File::open(folder).unwrap().set_modified(long_ago).unwrap();
    }
    let spec = ground.single();
    ground.put("x.weights", "a third");
    let third = ground.enroll(spec.clone());
    assert_eq!(
        [&in_use, &left, &unfinished, &place(&third)].map(|path| path.exists()),
        [true, false, false, true]
    );
    // What lacks a file is made again.
    let path = third.path.clone();
    drop(third);
    fs::set_permissions(path.parent().unwrap(), fs::Permissions::from_mode(0o700)).unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(fs::read_to_string(ground.enroll(spec).path).unwrap(), "code");
}
