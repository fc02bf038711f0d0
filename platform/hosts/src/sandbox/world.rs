//! What an engine sees: a root of its own with the files that it may use, each at the same path as
//! outside; a folder in memory of limited size; and its own `/proc`.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use rustix::process::pivot_root;

use super::mounts::{self, Mount, NO_DEVICES, NO_PROGRAMS, NO_SUID, READ_ONLY};
use super::trail::Trail;

/// Where the new root stands until it is the root: any folder that is there.
const PLACES: [&str; 3] = ["/tmp", "/usr", "/dev"];
/// Where the old root stands until it is gone.
const OLD: &str = "/.outside";
/// The devices that programs take for granted.
const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];
/// Names of a process's own descriptors, as shells and languages know them.
const DESCRIPTORS: [(&str, &str); 4] = [
    ("dev/fd", "/proc/self/fd"),
    ("dev/stdin", "/proc/self/fd/0"),
    ("dev/stdout", "/proc/self/fd/1"),
    ("dev/stderr", "/proc/self/fd/2"),
];
/// What a folder in memory may hold beyond its limit: what is beyond the limit is seen then, and
/// ends the engine.
const BEYOND: u64 = 4 << 20;
/// The most files in that folder; the supervisor's own limit is lower, and so is seen first.
const MOST_FILES: &str = "11000";
const TEMPORARY: &str = "/tmp";
const SHARED: &str = "/dev/shm";
/// What is the machine's own below `/proc`, and no process's.
const MACHINES: [&str; 6] =
    ["/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs", "/proc/acpi"];

/// Where no engine's files can be shown.
const MACHINES_OWN: [&str; 2] = ["/proc", "/sys"];

/// What an engine is to see.
pub(super) struct World<'a> {
    /// The files and folders that it may read.
    pub reads: Vec<&'a Path>,
    /// Copies among them, each shown in the place of what it is of.
    pub copies: &'a [(PathBuf, PathBuf)],
    /// The folder that the program around it writes in.
    pub writes: Option<&'a Path>,
    /// Its own folder, which is empty, and how many bytes it may hold.
    pub scratch: Option<(&'a Path, u64)>,
    /// Whether its processes have numbers of their own.
    pub has_processes: bool,
}

/// What is wrong in a world that could be made.
#[derive(Default)]
pub(super) struct Made {
    /// Whether `/tmp` is its own folder. What else it sees there it cannot change.
    pub has_temporary: bool,
    /// Whether it sees the machine's `/tmp`, for its own files lie there.
    pub sees_temporary: bool,
    /// Why the engine's `/proc` shows the processes outside, if it does.
    pub no_proc: Option<String>,
}

/// Why a world could not be made.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Unmade {
    /// What the process sees is what it saw before.
    Undone(String),
    /// What it sees is neither that nor what it is to see.
    Broken(String),
}

/// A file or folder to be shown, by its real path.
#[derive(Clone, PartialEq, Eq, Debug)]
struct VisiblePath {
    path: PathBuf,
    /// What is shown there: itself, or a copy.
    source: PathBuf,
    is_written: bool,
}

impl World<'_> {
    /// Makes it the world of this process.
    pub(super) fn enter(&self) -> Result<Made, Unmade> {
        let undone =
            |what: &'static str| move |error: io::Error| Unmade::Undone(format!("{what}: {error}"));
        const ROOT: &str = "a root of its own";
        let (shown, links) = self.plan();
        mounts::keep_to_oneself().map_err(undone("private mounts"))?;
        let settings = [(c"size", "1m"), (c"mode", "0755")];
        let root = Mount::new(c"tmpfs", &settings, NO_SUID | NO_DEVICES).map_err(undone(ROOT))?;
        let place = PLACES.into_iter().map(Path::new).find(|place| place.is_dir());
        let place = place.ok_or_else(|| Unmade::Undone("no folder to stand on".to_owned()))?;
        let cwd = std::env::current_dir();
        root.place(place).map_err(undone(ROOT))?;
        let old = place.join(OLD.trim_start_matches('/'));
        if let Err(error) = make_folder(&old).and_then(|()| Ok(pivot_root(place, &old)?)) {
            return Err(undo(format!("{ROOT}: {error}"), || mounts::remove(place)));
        }
        let furnished = self.furnish(&shown, &links).and_then(|made| {
            mounts::remove(Path::new(OLD)).map_err(|error| format!("{OLD}: {error}"))?;
            Ok(made)
        });
        let made = furnished.map_err(|error| {
            // Back, so that what was there is there again.
            undo(error, || {
                std::env::set_current_dir(OLD)?;
                pivot_root(".", ".")?;
                mounts::remove(Path::new("."))?;
                std::env::set_current_dir(cwd.unwrap_or_else(|_| "/".into()))
            })
        })?;
        // From here there is no way back.
        fs::remove_dir(OLD)
            .and_then(|()| mounts::restrict_at(Path::new("/"), READ_ONLY))
            .map_err(|error| Unmade::Broken(format!("a root that cannot be changed: {error}")))?;
        Ok(made)
    }

    /// What is to be shown, without what lies in something else that is, and the links to it.
    fn plan(&self) -> (Vec<VisiblePath>, Vec<(PathBuf, PathBuf)>) {
        let (mut shown, mut links) = (Vec::new(), Vec::new());
        let reads = self.reads.iter().map(|&path| (path, false));
        for (path, is_written) in reads.chain(self.writes.map(|path| (path, true))) {
            // It has its own.
            if path.starts_with("/proc") {
                continue;
            }
            let copied = self.copies.iter().find_map(|(copy, original)| {
                let rest = path.strip_prefix(copy).or(path.strip_prefix(original)).ok()?;
                Some((place_of(original), rest, copy))
            });
            if let Some((trail, rest, copy)) = copied {
                // What of a folder is not copied is shown as it is; its place in the copy is empty.
                let copy = joined(copy.clone(), rest);
                let is_copied =
                    copy.is_file() || fs::read_dir(&copy).is_ok_and(|all| all.count() > 0);
                let source =
                    if is_copied { dunce::canonicalize(&copy) } else { dunce::canonicalize(path) };
                let Ok(source) = source else { continue };
                links.extend(trail.links);
                shown.push(VisiblePath { path: joined(trail.end, rest), source, is_written });
            } else if let Some(trail) = Trail::of(path) {
                links.extend(trail.links);
                if DEVICES.iter().any(|device| trail.end == Path::new(device)) {
                    continue;
                }
                shown.push(VisiblePath { source: trail.end.clone(), path: trail.end, is_written });
            }
        }
        // A copy comes before what it is of.
        shown.sort_by(|one, other| {
            let key = |shown: &VisiblePath| shown.source == shown.path;
            one.path.cmp(&other.path).then_with(|| key(one).cmp(&key(other)))
        });
        shown.dedup_by(|next, last| next.path == last.path);
        let mut kept: Vec<VisiblePath> = Vec::new();
        for next in shown {
            let around = kept.iter().rev().find(|last| next.path.starts_with(&last.path));
            let is_in = around.is_some_and(|last| next.source.starts_with(&last.source));
            if next.is_written || !is_in {
                kept.push(next);
            }
        }
        (kept, links)
    }

    fn furnish(&self, shown: &[VisiblePath], links: &[(PathBuf, PathBuf)]) -> Result<Made, String> {
        let told = |path: &Path| {
            let path = path.display().to_string();
            move |error: io::Error| format!("{path}: {error}")
        };
        std::env::set_current_dir("/").map_err(told(Path::new("/")))?;
        let mut made = Made::default();
        for device in DEVICES.map(Path::new) {
            show(device, 0).or_else(absent).map_err(told(device))?;
        }
        self.put_proc(&mut made).map_err(told(Path::new("/proc")))?;
        for (name, meant) in DESCRIPTORS {
            match std::os::unix::fs::symlink(meant, name) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                    return Err(told(Path::new(name))(error));
                }
                _ => {}
            }
        }
        let temporary = Path::new(TEMPORARY);
        let is_shown = shown.iter().any(|one| temporary.starts_with(&one.path));
        made.sees_temporary = is_shown;
        let folder = match self.scratch {
            Some((_, bytes)) => {
                let size = (bytes + BEYOND).to_string();
                let settings =
                    [(c"size", size.as_str()), (c"nr_inodes", MOST_FILES), (c"mode", "1777")];
                let folder = Mount::new(c"tmpfs", &settings, NO_SUID | NO_DEVICES);
                let folder = folder.map_err(told(temporary))?;
                if !is_shown {
                    make_folder(temporary)
                        .and_then(|()| folder.place(temporary))
                        .map_err(told(temporary))?;
                }
                Some(folder)
            }
            None => None,
        };
        for VisiblePath { path, source, is_written } in shown {
            let uses = if *is_written { 0 } else { READ_ONLY };
            let uses = uses | NO_SUID | NO_DEVICES;
            show_at(path, &outside(source), uses).or_else(absent).map_err(told(path))?;
        }
        if let (Some((scratch, _)), Some(folder)) = (self.scratch, folder) {
            let end = make_folder(scratch).and_then(|()| {
                match (scratch.starts_with(temporary), is_shown) {
                    (true, false) => Ok(()),
                    (false, false) => Mount::of(temporary, 0)?.place(scratch),
                    (_, true) => folder.place(scratch),
                }
            });
            end.map_err(told(scratch))?;
            made.has_temporary = !is_shown;
            if made.has_temporary {
                // Languages keep the locks of their own processes there.
                match symlink(temporary, SHARED) {
                    // An engine's own files lie there.
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                    linked => linked.map_err(told(Path::new(SHARED)))?,
                }
            }
        }
        for (link, target) in links {
            // Most are in a folder that is shown.
            let folder = link.parent().unwrap_or(link);
            if fs::symlink_metadata(link).is_err() {
                make_folder(folder).and_then(|()| symlink(target, link)).map_err(told(link))?;
            }
        }
        // Around what it sees there nothing is its own.
        let around = shown.iter().flat_map(|one| one.path.ancestors().skip(1));
        let is_there = |path: &Path| path.starts_with(temporary) && path != temporary;
        for folder in around.filter(|folder| !is_shown && is_there(folder)) {
            let shut = fs::set_permissions(folder, Permissions::from_mode(0o555));
            shut.or_else(absent).map_err(told(folder))?;
        }
        Ok(made)
    }

    /// Where the kernel does not let it have its own, it has that of the machine.
    fn put_proc(&self, made: &mut Made) -> io::Result<()> {
        let (proc, uses) = (Path::new("/proc"), NO_SUID | NO_DEVICES | NO_PROGRAMS);
        make_folder(proc)?;
        let own = match self.has_processes {
            true => Mount::new(c"proc", &[], uses).and_then(|own| own.place(proc)),
            false => Err(io::Error::other("its processes are those of the machine")),
        };
        own.or_else(|error| {
            made.no_proc = Some(error.to_string());
            Mount::of(&outside(proc), 0)?.place(proc)
        })?;
        for path in MACHINES.map(Path::new) {
            let shut = Mount::of(path, READ_ONLY).and_then(|mount| mount.place(path));
            shut.or_else(absent)?;
        }
        Ok(())
    }
}

/// Takes back what was done before something failed.
fn undo(failed: String, back: impl FnOnce() -> io::Result<()>) -> Unmade {
    match back() {
        Ok(()) => Unmade::Undone(failed),
        Err(error) => Unmade::Broken(format!("{failed}, and then the way back: {error}")),
    }
}

/// What is not there is not shown.
fn absent(error: io::Error) -> io::Result<()> {
    if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}

/// Shows what is at a path outside, at the same path.
fn show(path: &Path, uses: u64) -> io::Result<()> {
    show_at(path, &outside(path), uses)
}

fn show_at(path: &Path, source: &Path, uses: u64) -> io::Result<()> {
    if fs::metadata(source)?.is_dir() {
        make_folder(path)?
    } else {
        make_file(path)?
    }
    Mount::of(source, uses)?.place(path)
}

/// Of these copies, those that can be shown in the place of what they are of. Where something is
/// shown around that, nothing can be made there, so that a place is needed.
pub(super) fn placeable(
    copies: &[(PathBuf, PathBuf)],
    reads: &[PathBuf],
) -> Vec<(PathBuf, PathBuf)> {
    let is_other = |path: &&PathBuf| !copies.iter().any(|(copy, _)| path.starts_with(copy));
    let around: Vec<_> = reads.iter().filter(is_other).flat_map(|path| Trail::of(path)).collect();
    let can_be_placed = |copy: &Path, original: &Path| {
        let place = place_of(original).end;
        let is_own =
            place.parent().is_some() && !MACHINES_OWN.iter().any(|own| place.starts_with(own));
        let is_inside =
            around.iter().any(|outer| place != outer.end && place.starts_with(&outer.end));
        let kind = |path: &Path| fs::symlink_metadata(path).ok().map(|file| file.file_type());
        is_own && (!is_inside || kind(&place) == kind(copy))
    };
    copies.iter().filter(|(copy, original)| can_be_placed(copy, original)).cloned().collect()
}

/// Where the original of a copy lies, or lay: it may be gone, or a link that leads elsewhere now.
fn place_of(original: &Path) -> Trail {
    let as_named = || Trail { links: Vec::new(), end: original.to_owned() };
    let (Some(folder), Some(name)) = (original.parent(), original.file_name()) else {
        return as_named();
    };
    Trail::of(folder).map_or_else(as_named, |trail| Trail { end: trail.end.join(name), ..trail })
}

/// A path in a folder; the folder itself where it is empty.
fn joined(folder: PathBuf, rest: &Path) -> PathBuf {
    if rest.as_os_str().is_empty() { folder } else { folder.join(rest) }
}

fn outside(path: &Path) -> PathBuf {
    Path::new(OLD).join(path.strip_prefix("/").unwrap_or(path))
}

/// Makes a folder, and those above it. Most are there already.
fn make_folder(path: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o755).create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            DirBuilder::new().recursive(true).mode(0o755).create(path)
        }
        made => made,
    }
}

/// Makes an empty file, and the folders above it, where nothing is.
fn make_file(path: &Path) -> io::Result<()> {
    let create = || match File::create_new(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made.map(drop),
    };
    match create() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            make_folder(path.parent().unwrap_or(path))?;
            create()
        }
        made => made,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_world_that_is_neither_made_nor_undone_is_told_apart() {
        let failed = || "/proc: not enough".to_owned();
        assert_eq!(undo(failed(), || Ok(())), Unmade::Undone(failed()));
        let broken = undo(failed(), || Err(io::Error::other("stuck")));
        assert!(matches!(&broken, Unmade::Broken(told) if told.contains("stuck")), "{broken:?}");
    }

    #[test]
    fn what_lies_in_something_shown_is_not_shown_twice() {
        let folder = tempfile::tempdir().unwrap();
        let real = dunce::canonicalize(folder.path()).unwrap();
        fs::create_dir_all(real.join("a/b")).unwrap();
        fs::create_dir_all(real.join("ab")).unwrap();
        let [a, b, ab] = ["a", "a/b", "ab"].map(|name| real.join(name));
        let world = World {
            reads: vec![&b, &ab, &a, Path::new("/proc/self")],
            copies: &[],
            writes: None,
            scratch: None,
            has_processes: true,
        };
        let paths: Vec<_> = world.plan().0.into_iter().map(|shown| shown.path).collect();
        assert_eq!(paths, [a, ab]);
    }

    #[test]
    fn a_copy_is_shown_where_its_original_lies_or_lay() {
        let folder = tempfile::tempdir().unwrap();
        let real = dunce::canonicalize(folder.path()).unwrap();
        for made in ["copy/eng/live", "far/eng/live", "far/others"] {
            fs::create_dir_all(real.join(made)).unwrap();
        }
        symlink("far", real.join("near")).unwrap();
        let [copy, live] = ["copy/eng", "near/eng/live"].map(|name| real.join(name));
        let [lost, others] = ["copy/lost.so", "far"].map(|name| real.join(name));
        fs::write(&lost, "").unwrap();
        // What lies there now is another program by the same name.
        let [program, replaced] =
            ["copy/eng/program", "near/eng/program"].map(|name| real.join(name));
        fs::write(&program, "").unwrap();
        fs::write(&replaced, "another").unwrap();
        let copies =
            [(copy.clone(), real.join("near/eng")), (lost.clone(), real.join("gone/lost.so"))];
        let world = World {
            reads: vec![&copy, &live, &lost, &others, &replaced],
            copies: &copies,
            writes: None,
            scratch: None,
            has_processes: true,
        };
        let (shown, links) = world.plan();
        let shown: Vec<_> = shown.into_iter().map(|one| (one.path, one.source)).collect();
        let far = |name: &str| real.join("far").join(name);
        assert_eq!(
            shown,
            [
                (real.join("far"), real.join("far")),
                (far("eng"), copy.clone()),
                (far("eng/live"), far("eng/live")),
                (real.join("gone/lost.so"), lost.clone()),
            ]
        );
        assert!(links.contains(&(real.join("near"), "far".into())), "{links:?}");
        // What is shown around it has no place for it.
        let reads = [real.join("far"), real.clone()];
        assert_eq!(placeable(&copies, &reads[..1]).len(), 2);
        assert_eq!(placeable(&copies, &reads), [(copy, real.join("near/eng"))]);
    }
}
