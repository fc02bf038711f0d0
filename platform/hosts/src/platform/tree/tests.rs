use std::fs::{self, File};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::process::Command;

use rustix::fs::mkdirat;
use rustix::process::{Resource, Rlimit, setrlimit};

use super::*;

/// Deeper than any stack of calls, and than any path.
const DEPTH: usize = 14_000;

/// Makes so many folders in each other, and gives the innermost.
fn nest(top: &Path, depth: usize, name: &CStr) -> OwnedFd {
    let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut here = openat(CWD, top, flags, Mode::empty()).unwrap();
    for _ in 0..depth {
        mkdirat(&here, name, Mode::RWXU).unwrap();
        here = openat(&here, name, flags, Mode::empty()).unwrap();
    }
    here
}

fn folder(within: &tempfile::TempDir) -> PathBuf {
    let folder = within.path().join("scratch");
    fs::create_dir(&folder).unwrap();
    folder
}

#[test]
fn a_tree_deeper_than_any_stack_and_path_is_removed() {
    let within = tempfile::tempdir().unwrap();
    let top = folder(&within);
    let inner = nest(&top, DEPTH, c"a folder with quite a long name, as these go");
    openat(&inner, c"file", OFlags::CREATE | OFlags::WRONLY, Mode::RWXU).unwrap();
    assert_eq!(tree_size(&top), TreeSize::Uncountable);
    remove_tree(&top).unwrap();
    assert!(!top.exists());
}

#[test]
fn too_many_files_are_too_much() {
    let dir = tempfile::tempdir().unwrap();
    for number in 0..=MOST_ENTRIES {
        File::create(dir.path().join(number.to_string())).unwrap();
    }
    assert_eq!(tree_size(dir.path()), TreeSize::Uncountable);
}

#[test]
fn names_and_rights_keep_nothing_from_being_removed() {
    let within = tempfile::tempdir().unwrap();
    let top = folder(&within);
    let odd = OsStr::from_bytes(b"\xff\xfe\n");
    for (name, mode) in [("closed", 0o000), ("blind", 0o300), ("fixed", 0o500)] {
        let folder = top.join(name);
        fs::create_dir_all(folder.join("inner")).unwrap();
        fs::write(folder.join(odd), [0; 1000]).unwrap();
        let inner = Mode::from_raw_mode(mode);
        rustix::fs::chmod(folder.join("inner"), inner).unwrap();
        rustix::fs::chmod(folder, inner).unwrap();
    }
    fs::create_dir(top.join(std::ffi::OsString::from_vec(vec![0x80; 255]))).unwrap();
    std::os::unix::fs::symlink("/", top.join("link")).unwrap();
    std::os::unix::net::UnixListener::bind(top.join("socket")).unwrap();
    assert!(matches!(tree_size(&top), TreeSize::Bytes(3000..)));
    remove_tree(&top).unwrap();
    assert!(!top.exists() && Path::new("/").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_counts_by_its_blocks_where_those_are_more() {
    use rustix::fs::{FallocateFlags, fallocate};

    let within = tempfile::tempdir().unwrap();
    let top = folder(&within);
    let file = File::create(top.join("kept")).unwrap();
    if fallocate(&file, FallocateFlags::KEEP_SIZE, 0, 1 << 20).is_ok() {
        assert_eq!(file.metadata().unwrap().len(), 0);
        assert!(matches!(tree_size(&top), TreeSize::Bytes(0x100000..)));
    }
}

#[test]
fn what_cannot_be_removed_is_named() {
    let within = tempfile::tempdir().unwrap();
    let error = remove_tree(&within.path().join("none")).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::NotFound);
    let mut left = Leftovers::default();
    left.add(&[], c"gone", Errno::NOENT);
    left.add(&[], c"kept", Errno::BUSY);
    left.add(&[], c"other", Errno::ACCESS);
    let told = left.into_result().unwrap_err().to_string();
    assert!(told.starts_with("kept is left") && told.contains("1 more"), "{told}");
}

/// The test that runs in a process of its own.
const ALONE: &str = "platform::tree::tests::a_tree_is_removed_with_few_descriptors";

#[test]
fn few_descriptors_are_enough() {
    let this = std::env::current_exe().unwrap();
    let alone = Command::new(this).args(["--ignored", "--exact", ALONE]).output().unwrap();
    let told = String::from_utf8_lossy(&alone.stdout);
    assert!(alone.status.success() && told.contains("1 passed"), "{told}");
}

#[test]
#[ignore = "limits the whole process, and so runs alone"]
fn a_tree_is_removed_with_few_descriptors() {
    let within = tempfile::tempdir().unwrap();
    let top = folder(&within);
    drop(nest(&top, 500, c"x"));
    let open = File::open("/dev/null").unwrap();
    let next = std::os::fd::AsRawFd::as_raw_fd(&open) as u64;
    drop(open);
    let most = Some(next + 4);
    setrlimit(Resource::Nofile, Rlimit { current: most, maximum: most }).unwrap();
    remove_tree(&top).unwrap();
    assert!(!top.exists());
}
