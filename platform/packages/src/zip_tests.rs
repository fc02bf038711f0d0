//! Archives from the folder of engines to the cache.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use super::archive::samples::packed;
use super::archive::unpack;
use super::discover::add_archive;
use super::test_folder::TestFolder;
use super::*;

/// A folder with archives and a cache.
struct ZipFolder(TestFolder);

impl ZipFolder {
    fn new() -> ZipFolder {
        ZipFolder(TestFolder::new())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path(name)
    }

    fn cache_dir(&self) -> PathBuf {
        self.path("cache")
    }

    fn in_cache(&self) -> Vec<PathBuf> {
        fs::read_dir(self.cache_dir())
            .expect("a cache")
            .map(|entry| entry.unwrap().path())
            .collect()
    }

    fn zip(&self, name: &str, files: &[(&str, &[u8])]) -> PathBuf {
        self.0.put(name, packed(files.iter().copied()))
    }

    fn listing(&self, archive: &Path) -> Listing {
        let mut listing = Listing::default();
        add_archive(&mut listing, archive.to_owned(), &self.cache_dir());
        listing
    }

    fn refusal(&self, archive: &Path) -> String {
        let Listing { engines, refused } = self.listing(archive);
        assert!(engines.is_empty(), "{engines:?}");
        let [refusal] = &refused[..] else { panic!("{refused:?}") };
        self.0.told(refusal)
    }
}

impl Drop for ZipFolder {
    fn drop(&mut self) {
        // What is unpacked is read-only, and only root removes it as it is.
        for path in walk(&self.cache_dir()) {
            let _ = fs::set_permissions(path, Permissions::from_mode(0o700));
        }
    }
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let inner = entries.flatten().flat_map(|entry| walk(&entry.path()));
    std::iter::once(folder.to_owned()).chain(inner).collect()
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it is there").mode() & 0o777
}

const SCRIPT: &[u8] = b"#!/bin/sh\n";

#[test]
fn an_archive_of_brains_is_an_engine() {
    let folder = ZipFolder::new();
    let archive = folder.zip(
        "Hoshi 1.2.zip",
        &[
            ("hoshi/pbrain-hoshi", SCRIPT),
            ("hoshi/pbrain-hoshi_renju", SCRIPT),
            ("hoshi/data/weights.bin", &[1; 5000]),
            ("__MACOSX/hoshi/._pbrain-hoshi", b"x"),
        ],
    );
    let Listing { engines, refused } = folder.listing(&archive);
    assert!(refused.is_empty(), "{refused:?}");
    let [engine] = &engines[..] else { panic!("one engine: {engines:?}") };
    assert_eq!((engine.id.as_str(), engine.kind), ("Hoshi-1.2", EngineKind::Gomocup));
    assert_eq!(engine.archive.as_ref(), Some(&archive));
    let home = engine.folder.as_deref().expect("a folder");
    assert!(home.starts_with(folder.cache_dir()) && home.ends_with("hoshi"));
    assert_eq!(engine.path, home.join("pbrain-hoshi"));
    assert_eq!(engine.launch.as_ref().expect("a text engine").programs.len(), 2);
    assert_eq!(fs::read(home.join("data/weights.bin")).expect("it is there"), [1; 5000]);
    assert_eq!(mode(&engine.path), 0o555, "what begins as a program can be started");
    assert_eq!(mode(&home.join("data/weights.bin")), 0o444);
    assert_eq!((mode(home), mode(&home.join("data"))), (0o555, 0o555));
    assert_eq!(mode(&folder.cache_dir()), 0o700);
}

#[test]
fn an_archive_with_a_manifest_is_its_engines() {
    let folder = ZipFolder::new();
    let manifest = |inside: &str| format!("<engines>\n{inside}</engines>").into_bytes();
    let module = samples::module();
    let text = manifest("<engine id=\"a\" kind=\"wasm\"><library>lib/a.wasm</library></engine>");
    let archive = folder.zip("a.zip", &[("engine.xml", &text), ("lib/a.wasm", &module)]);
    let Listing { engines, refused } = folder.listing(&archive);
    assert!(refused.is_empty(), "{refused:?}");
    assert_eq!((engines[0].id.as_str(), engines[0].kind), ("a", EngineKind::Wasm));
    let library = fs::read(samples::engine()).expect("the sample library");
    let name = format!("liba{}", std::env::consts::DLL_SUFFIX);
    let archive = folder.zip("native.zip", &[(&name, &library)]);
    assert_eq!(folder.listing(&archive).engines[0].kind, EngineKind::Native);
    let text = manifest("<engine id=\"a\" kind=\"wasm\"><library>../b.wasm</library></engine>");
    let archive = folder.zip("b.zip", &[("in/engine.xml", &text), ("in/a.wasm", &module)]);
    let refusal = folder.refusal(&archive);
    assert!(refusal.starts_with("b.zip/in/engine.xml: line 2: `../b.wasm` leads out"), "{refusal}");
}

#[test]
fn what_is_no_archive_is_refused_by_its_name() {
    let folder = ZipFolder::new();
    fs::write(folder.path("a.zip"), "words").expect("a file");
    assert!(folder.refusal(&folder.path("a.zip")).starts_with("a.zip: no whole zip archive"));
    fs::create_dir(folder.path("b.zip")).expect("a folder");
    assert_eq!(folder.refusal(&folder.path("b.zip")), "b.zip: not a plain file");
    assert!(matches!(
        unpack(Path::new("/dev/zero"), &folder.cache_dir()),
        Err(ArchiveError::NotAFile)
    ));
    let sparse = File::create(folder.path("c.zip")).expect("a file");
    sparse.set_len(1 << 40).expect("a sparse file");
    assert!(folder.refusal(&folder.path("c.zip")).contains("holds more than 70 MiB"));
    let empty = folder.zip("d.zip", &[("readme.txt", b"words")]);
    assert!(folder.refusal(&empty).starts_with("d.zip: the folder holds neither engine.xml"));
    let text = folder.zip("e.zip", &[("e/pbrain-e", b"words")]);
    assert!(folder.refusal(&text).starts_with("e.zip/e: none of its programs can be started"));
}

#[test]
fn an_archive_is_unpacked_once_and_again_when_something_is_lost() {
    let folder = ZipFolder::new();
    let archive = folder.zip("a.zip", &[("pbrain-a", SCRIPT), ("b/c", b"x")]);
    let place = unpack(&archive, &folder.cache_dir()).expect("it is whole");
    let file = || fs::metadata(place.join("b/c")).expect("it is there").ino();
    let first = file();
    let copy = folder.path("copy.zip");
    fs::copy(&archive, &copy).expect("a copy");
    assert_eq!(unpack(&archive, &folder.cache_dir()).expect("it is whole"), place);
    assert_eq!(unpack(&copy, &folder.cache_dir()).expect("it is whole"), place, "by its bytes");
    assert_eq!(file(), first, "nothing was written again");
    for inner in [place.clone(), place.join("b")] {
        fs::set_permissions(inner, Permissions::from_mode(0o700)).expect("rights");
    }
    fs::remove_file(place.join("b/c")).expect("a file less");
    assert_eq!(unpack(&archive, &folder.cache_dir()).expect("it is whole"), place);
    assert_eq!(fs::read(place.join("b/c")).expect("it is back"), b"x");
    fs::set_permissions(place.join("b/c"), Permissions::from_mode(0o600)).expect("rights");
    fs::write(place.join("b/c"), "").expect("a file cut short");
    assert_eq!(unpack(&copy, &folder.cache_dir()).expect("it is whole"), place);
    assert_eq!(fs::read(place.join("b/c")).expect("it is back"), b"x");
    assert_eq!(folder.in_cache(), [place]);
}

#[test]
fn an_archive_that_changes_is_another() {
    let folder = ZipFolder::new();
    let archive = folder.zip("a.zip", &[("a", b"old")]);
    let old = unpack(&archive, &folder.cache_dir()).expect("it is whole");
    folder.zip("a.zip", &[("a", b"newer")]);
    let new = unpack(&archive, &folder.cache_dir()).expect("it is whole");
    assert_ne!(old, new);
    assert_eq!(fs::read(old.join("a")).expect("it is there"), b"old");
    assert_eq!(fs::read(new.join("a")).expect("it is there"), b"newer");
}

#[test]
fn many_may_unpack_at_once() {
    let folder = ZipFolder::new();
    let files: Vec<_> =
        (0..50).map(|number| (format!("d{}/{number}", number % 7), [7; 999])).collect();
    let files: Vec<_> = files.iter().map(|(name, bytes)| (name.as_str(), &bytes[..])).collect();
    // Under names of their own, so that no test sees another's.
    let archives: Vec<_> = (0..8).map(|n| folder.zip(&format!("{n}.zip"), &files)).collect();
    let cache_dir = folder.cache_dir();
    let places: Vec<_> = thread::scope(|scope| {
        let cache_dir = &cache_dir;
        let unpack = |archive: &PathBuf| unpack(archive, cache_dir).expect("it is whole");
        let threads: Vec<_> =
            archives.iter().map(|archive| scope.spawn(move || unpack(archive))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    assert!(places.windows(2).all(|two| two[0] == two[1]), "{places:?}");
    assert_eq!(folder.in_cache(), places[..1], "nothing unfinished is left");
}

#[test]
fn a_damaged_archive_leaves_nothing_behind() {
    let folder = ZipFolder::new();
    let archive = folder.zip("a.zip", &[("a", &[7; 1000]), ("b", &[8; 1000])]);
    let mut bytes = fs::read(&archive).expect("it is there");
    let second = bytes.windows(4).rposition(|four| four == b"PK\x03\x04").expect("two files");
    bytes[second + 31] ^= 0x55;
    fs::write(&archive, bytes).expect("a file");
    let error = unpack(&archive, &folder.cache_dir()).expect_err("damaged").to_string();
    assert!(error.contains("`b`: ") || error.contains("`b` in it"), "{error}");
    assert_eq!(folder.in_cache(), [] as [PathBuf; 0]);
}

#[test]
fn a_cache_that_others_write_to_is_not_used() {
    let folder = ZipFolder::new();
    fs::create_dir(folder.cache_dir()).expect("a folder");
    fs::set_permissions(folder.cache_dir(), Permissions::from_mode(0o777)).expect("rights");
    let archive = folder.zip("a.zip", &[("a", b"x")]);
    let error = unpack(&archive, &folder.cache_dir()).expect_err("not private").to_string();
    assert!(error.contains("cache: others may write there"), "{error}");
}

#[test]
fn the_cache_is_swept() {
    let folder = ZipFolder::new();
    let old = |name: &str, days: u32| {
        let path = folder.cache_dir().join(name);
        fs::create_dir_all(path.join("inner")).expect("a folder");
        fs::set_permissions(path.join("inner"), Permissions::from_mode(0o500)).expect("rights");
        let time = SystemTime::now() - Duration::from_hours(24) * days;
        File::open(&path).and_then(|opened| opened.set_modified(time)).expect("a time");
        path
    };
    let gone = [old("x.1-2.unfinished", 2), old("unused", 100)];
    let kept = [old("y.3-4.unfinished", 0), old("used", 60)];
    fs::set_permissions(folder.cache_dir(), Permissions::from_mode(0o700)).expect("rights");
    unpack(&folder.zip("a.zip", &[("a", b"x")]), &folder.cache_dir()).expect("it is whole");
    assert!(gone.iter().all(|path| !path.exists()), "{:?}", folder.in_cache());
    assert!(kept.iter().all(|path| path.exists()), "{:?}", folder.in_cache());
}
