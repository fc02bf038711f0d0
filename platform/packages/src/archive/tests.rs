use std::io;

use super::samples::{RawEntry, archive, finish, packed, quine};
use super::*;

fn refusal(bytes: &[u8]) -> ArchiveError {
    match Archive::read(bytes) {
        Ok(_) => panic!("it is refused"),
        Err(error) => error,
    }
}

/// Why the archive of this one entry is refused.
fn alone(entry: RawEntry) -> String {
    refusal(&archive(&[entry])).to_string()
}

fn contents(archive: &mut Archive<'_>, place: usize) -> Result<Vec<u8>, ArchiveError> {
    let mut bytes = Vec::new();
    archive.pour(place, &mut bytes).map(|()| bytes)
}

/// An honest archive, but its headers give another size for its only file.
fn lying(content: &[u8], size: u32) -> Vec<u8> {
    let mut bytes = packed([("a", content)]);
    let directory = bytes.windows(4).position(|four| four == b"PK\x01\x02").expect("a directory");
    for at in [22, directory + 24] {
        bytes[at..at + 4].copy_from_slice(&size.to_le_bytes());
    }
    bytes
}

#[test]
fn an_honest_archive_is_read() {
    let bytes = packed([("hoshi/pbrain-hoshi", &b"#!"[..]), ("hoshi/天元.bin", &[7; 100_000])]);
    let mut archive = Archive::read(&bytes).expect("it is whole");
    let paths: Vec<_> = archive.entries().iter().map(|entry| entry.path.as_str()).collect();
    assert_eq!(paths, ["hoshi/pbrain-hoshi", "hoshi/天元.bin"]);
    assert_eq!(contents(&mut archive, 1).expect("it is whole"), [7; 100_000]);
    assert_eq!(contents(&mut archive, 0).expect("it is whole"), b"#!");
}

#[test]
fn a_stored_archive_and_its_folders_are_read() {
    let folder = RawEntry { mode: 0o040_755, ..RawEntry::file("a/", "") };
    let program = RawEntry { mode: 0o100_755, ..RawEntry::file("a/b", "x") };
    let bytes = archive(&[folder, program, RawEntry { mode: 0, ..RawEntry::file("c", "y") }]);
    let mut archive = Archive::read(&bytes).expect("it is whole");
    let seen: Vec<_> = archive
        .entries()
        .iter()
        .map(|entry| (entry.path.as_str(), entry.size, entry.is_folder, entry.is_executable))
        .collect();
    assert_eq!(seen, [("a", 0, true, false), ("a/b", 1, false, true), ("c", 1, false, false)]);
    assert_eq!(contents(&mut archive, 1).expect("it is whole"), b"x");
}

/// As Windows PowerShell's `Compress-Archive` makes it.
#[test]
fn folders_with_backslashes_are_folders() {
    let empty = RawEntry { mode: 0, ..RawEntry::file(r"hoshi\data\", "") };
    let brain = RawEntry { mode: 0, ..RawEntry::file(r"hoshi\pbrain-hoshi.exe", "MZ") };
    let bytes = archive(&[empty, brain]);
    let mut archive = Archive::read(&bytes).expect("it is whole");
    let seen: Vec<_> =
        archive.entries().iter().map(|entry| (entry.path.as_str(), entry.is_folder)).collect();
    assert_eq!(seen, [("hoshi/data", true), ("hoshi/pbrain-hoshi.exe", false)]);
    assert_eq!(contents(&mut archive, 1).expect("it is whole"), b"MZ");
    let two = [RawEntry::file("a/b", "1"), RawEntry::file(r"a\b", "2")];
    let clash = refusal(&super::samples::archive(&two));
    assert!(matches!(clash, ArchiveError::Clash { .. }), "{clash}");
}

#[test]
fn names_that_lead_elsewhere_are_refused() {
    let cases = [
        ("../a", "`../a` in it leads out of its folder"),
        (r"a\..\..\b", r"`a\\..\\..\\b` in it leads out of its folder"),
        (r"C:\a", r"`C:\\a` in it has a character"),
        (r"\a", r"`\\a` in it is absolute"),
        (r"a/..\b", r"`a/..\\b` in it has both `/` and `\`"),
        ("a\u{1b}[2Jb", "`a\\u{1b}[2Jb` in it has a character"),
        ("a\0b", "`a\\0b` in it has a character"),
    ];
    for (name, expected) in cases {
        let seen = alone(RawEntry::file(name, "x"));
        assert!(seen.contains(expected), "{name:?}: {seen}");
    }
    // Without the flag for UTF-8 every byte is a letter, so nothing is let through by decoding.
    let seen = alone(RawEntry { name: b"..\\\xff", flags: 0, ..RawEntry::file("", "x") });
    assert!(seen.contains("leads out of its folder"), "{seen}");
    let clash =
        refusal(&archive(&[RawEntry::file("Weights", "1"), RawEntry::file("weights", "2")]));
    assert!(clash.to_string().starts_with("`Weights` and `weights` in it are one file"));
    let clash = refusal(&archive(&[RawEntry::file("a", "1"), RawEntry::file("a/b", "2")]));
    assert!(matches!(clash, ArchiveError::Clash { .. }), "{clash}");
    let twice = refusal(&archive(&[RawEntry::file("a", "1"), RawEntry::file("a", "2")]));
    assert!(twice.to_string().contains("a name is there twice"), "{twice}");
}

#[test]
fn links_devices_passwords_and_odd_packing_are_refused() {
    let special = |mode| alone(RawEntry { mode, ..RawEntry::file("a", "x") });
    assert!(special(0o120_777).starts_with("`a` in it is a symbolic link"));
    for mode in [0o010_644, 0o020_644, 0o060_644, 0o140_644, 0o040_755] {
        assert!(special(mode).starts_with("`a` in it is no plain file"), "{mode:o}");
    }
    let folder = alone(RawEntry { mode: 0o120_777, ..RawEntry::file("a/", "") });
    assert!(folder.contains("is a symbolic link"), "{folder}");
    let encrypted = alone(RawEntry { flags: 1, ..RawEntry::file("a", "0123456789abcdef") });
    assert!(encrypted.starts_with("`a` in it is encrypted"), "{encrypted}");
    for method in [8 + 1, 12, 14, 93, 99, 1000] {
        let seen = alone(RawEntry { method, ..RawEntry::file("a", "x") });
        assert!(seen.starts_with("`a` in it is packed by"), "{method}: {seen}");
    }
}

#[test]
fn too_much_is_refused_before_it_is_unpacked() {
    let zeros = vec![0; 40 << 20];
    let two = refusal(&packed([("a", &zeros[..]), ("b", &zeros[..])]));
    assert!(matches!(two, ArchiveError::TooLarge), "{two}");
    let one = alone(RawEntry { size: (70 << 20) + 1, ..RawEntry::file("a", "x") });
    assert!(one.starts_with("`a` in it is larger than 70 MiB"), "{one}");
    let many = (0..2001_u32).map(|number| number.to_string()).collect::<Vec<_>>();
    let many = refusal(&packed(many.iter().map(|name| (name.as_str(), &b""[..]))));
    assert!(matches!(many, ArchiveError::TooMany), "{many}");
    let lengths = [1, 0, 99].map(u16::to_le_bytes).concat();
    let header = [&b"PK\x01\x02"[..], &[0; 24], &lengths, &[0; 12], b"a", &[b' '; 99]].concat();
    let endless = refusal(&finish(Vec::new(), &header.repeat(60_000), 60_000));
    assert!(matches!(endless, ArchiveError::TooMany), "{endless}");
    let large = refusal(&vec![0; (70 << 20) + 1]);
    assert!(matches!(large, ArchiveError::TooLarge), "{large}");
}

#[test]
fn a_header_that_lies_about_the_size_is_caught_while_unpacking() {
    let content = vec![0; 1 << 20];
    for size in [0, 10, (1 << 20) - 1, (1 << 20) + 1, 60 << 20] {
        let bytes = lying(&content, size);
        let mut archive = Archive::read(&bytes).expect("the headers agree");
        let mut sink = Vec::new();
        let error = archive.pour(0, &mut sink).expect_err("a lie");
        assert!(matches!(error, ArchiveError::Lie(_) | ArchiveError::Damaged(_)), "{error}");
        assert!(sink.len() <= (size as usize).min(1 << 20), "no more than promised comes out");
    }
}

#[test]
fn entries_that_share_bytes_are_refused() {
    let bomb = quine(&RawEntry::file("a", "0123456789"), &[b"a", b"b", b"c"]);
    assert!(matches!(refusal(&bomb), ArchiveError::Overlap), "{}", refusal(&bomb));
    let inner = archive(&[RawEntry::file("b", "x")]);
    let mut outer = packed([("a", &inner[..])]);
    outer.truncate(outer.len() - 1);
    assert!(matches!(refusal(&outer), ArchiveError::Damaged(_)));
}

#[test]
fn no_prefix_and_no_single_byte_of_an_archive_does_harm() {
    let whole = packed([("a/pbrain-a", &b"#!/bin/sh\nexit\n"[..]), ("a/b", b"words words words")]);
    for length in 0..whole.len() {
        assert!(Archive::read(&whole[..length]).is_err(), "{length} bytes of {}", whole.len());
    }
    for place in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[place] ^= 0xff;
        if let Ok(mut archive) = Archive::read(&bytes) {
            for place in 0..archive.entries().len() {
                let size = archive.entries()[place].size;
                match contents(&mut archive, place) {
                    Ok(bytes) => assert_eq!(bytes.len() as u64, size),
                    Err(error) => assert!(!error.to_string().is_empty()),
                }
            }
        }
    }
}

#[test]
fn an_archive_of_nothing_is_refused() {
    assert!(matches!(refusal(&packed([])), ArchiveError::Empty));
    let folder = RawEntry { mode: 0o040_755, ..RawEntry::file("a/", "") };
    assert!(matches!(refusal(&archive(&[folder])), ArchiveError::Empty));
}

#[test]
fn a_disk_that_is_full_is_told_as_such() {
    struct Full;
    impl io::Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let bytes = packed([("a", &b"x"[..])]);
    let error = Archive::read(&bytes).expect("it is whole").pour(0, &mut Full).expect_err("full");
    assert!(error.to_string().starts_with("cannot be unpacked"), "{error}");
}
