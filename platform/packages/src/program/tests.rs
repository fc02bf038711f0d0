use std::io::Cursor;

use super::*;
use crate::samples::{PE_ARM64, PE_X64, PE_X86, pe};

fn verdict(bytes: &[u8]) -> String {
    match examine(Cursor::new(bytes)) {
        Ok(()) => "fine".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// The header of an ELF program for a processor of this number.
fn elf(class: u8, machine: u16) -> Vec<u8> {
    let mut header = vec![0; 64];
    header[..7].copy_from_slice(&[0x7f, b'E', b'L', b'F', class, 1, 1]);
    header[16..18].copy_from_slice(&2_u16.to_le_bytes());
    header[18..20].copy_from_slice(&machine.to_le_bytes());
    header[20] = 1;
    header
}

#[test]
fn a_program_of_this_machine_is_fine() {
    let own = std::env::current_exe().expect("this test");
    look(&own).expect("it runs");
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn files_are_told_apart_by_what_they_begin_with() {
    let cases: [(&[u8], &str); 12] = [
        (b"#!/usr/bin/env python3\n", "fine"),
        (&elf(2, 62), "fine"),
        (&elf(1, 3), "fine"),
        (&elf(2, 183), "is for aarch64, this is x86_64"),
        (b"MZ\x90\0", "a Windows program; build it for linux, or run it with Wine"),
        (&pe(PE_X86, &[]), "a Windows program for x86; build it for linux"),
        (&pe(PE_X64, &["KERNEL32.dll"]), "a Windows program for x86_64; build it for linux"),
        (&pe(PE_ARM64, &[]), "a Windows program for aarch64; build it for linux"),
        (
            b"\xcf\xfa\xed\xfe\x07\0\0\x01\x03\0\0\0\x02\0\0\0",
            "a macOS program, which does not run on linux",
        ),
        (b"print('hello')", "neither a program nor a script"),
        (b"", "neither a program nor a script"),
        (&elf(2, 62)[..20], "damaged: "),
    ];
    for (bytes, expected) in cases {
        let seen = verdict(bytes);
        assert!(seen.starts_with(expected), "{bytes:?}: {seen}");
    }
}

#[test]
fn a_system_starts_programs_for_some_other_processors() {
    use Architecture::{Aarch64, I386, X86_64};
    use BinaryFormat::{Elf, Pe};
    let of = |here: &str, format| [I386, X86_64, Aarch64].map(|found| starts(here, found, format));
    assert_eq!(of("x86_64", Pe), [true, true, false]);
    assert_eq!(of("x86_64", Elf), [true, true, false]);
    assert_eq!(of("aarch64", Pe), [true, true, true]);
    assert_eq!(of("aarch64", Elf), [false, false, true]);
    assert_eq!(of("x86", Pe), [true, false, false]);
}

#[cfg(all(windows, target_arch = "x86_64"))]
#[test]
fn files_are_told_apart_on_windows_too() {
    let cases: [(&[u8], &str); 6] = [
        (&pe(PE_X64, &["KERNEL32.dll"]), "fine"),
        (&pe(PE_X86, &[]), "fine"),
        (&pe(PE_ARM64, &[]), "is for aarch64, this is x86_64"),
        (&elf(2, 62), "a Linux program (ELF) for x86_64, which does not run on windows"),
        (
            b"\xca\xfe\xba\xbe\0\0\0\x02\0\0\0\0\0\0\0\0",
            "a macOS program, which does not run on windows",
        ),
        (b"#!/usr/bin/env python3\n", "no program of Windows; name a script with what runs it"),
    ];
    for (bytes, expected) in cases {
        let seen = verdict(bytes);
        assert!(seen.starts_with(expected), "{bytes:?}: {seen}");
    }
}

#[cfg(unix)]
#[test]
fn a_program_needs_the_right_to_be_started_and_a_pipe_is_none() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("pbrain-a");
    fs::write(&path, "#!/bin/sh\n").expect("a file");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("rights");
    assert!(matches!(look(&path), Err(ProgramError::NotExecutable)));
    assert!(look_at_file(&path).is_ok());
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("rights");
    assert!(look(&path).is_ok());
    assert!(matches!(look(folder.path()), Err(ProgramError::NotAFile)));
    assert!(matches!(look(Path::new("/dev/zero")), Err(ProgramError::NotAFile)));
}

#[test]
fn what_others_run_is_started_by_the_first_of_them_that_is_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("a file");
        path
    };
    let there = |wanted: &'static str| move |name: &str| (name == wanted).then(|| name.into());
    let jar = file("a.JAR", "PK");
    assert_eq!(starter_among(&jar, there("java")).unwrap(), Some("java".into()));
    let missing = starter_among(&jar, |_| None).unwrap_err();
    assert!(missing.to_string().starts_with("needs `java`"), "{missing}");
    let script = file("a.py", "print()");
    assert_eq!(starter_among(&script, there("python")).unwrap(), Some("python".into()));
    assert!(matches!(
        starter_among(&file("a.txt", ""), there("java")),
        Err(ProgramError::NoProgram)
    ));
    assert_eq!(with_this_ending(&folder.path().join("a"), ".py"), script);
    assert_eq!(with_this_ending(&jar, ".py"), jar);
}
