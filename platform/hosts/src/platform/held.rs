//! What the processes of an engine hold and neither a folder nor the account of their memory shows:
//! files that have lost their names, and shared memory that no page is mapped to at the moment.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use super::{Held, proc};

/// The longest list of mappings that is read, for all processes of an engine. The kernel allows a
/// process 65,530 of them.
const MOST_TEXT: u64 = 16 << 20;
const BLOCK: u64 = 512;
/// The most that the kernel keeps in a pipe and for a socket by default; and how many of them any
/// program may have.
const PIPE: u64 = 64 << 10;
const SOCKET: u64 = 208 << 10;
const FREE: u64 = 64;
/// How a file that has lost its name is marked in a list of mappings.
const GONE: &[u8] = b" (deleted)";
/// The name of memory that is shared with the processes that are started later.
const SHARED: &[u8] = b"/dev/zero (deleted)";

/// Looks at what these processes hold. Of files without a name only those of the folder count. If
/// the system does not tell the size of a file, it counts as the largest that a file there can be.
pub(crate) fn held(pids: &[u32], folder: Option<(&Path, u64)>) -> Held {
    let mut held = Held::default();
    let (mut pipes, mut sockets) = (HashSet::new(), HashSet::new());
    // A file may be held by several of them, and more than once.
    let mut open: HashMap<(u64, u64), u64> = HashMap::new();
    let mut mapped: HashMap<u64, u64> = HashMap::new();
    let mut shared: HashMap<u64, u64> = HashMap::new();
    let mut left = MOST_TEXT;
    for &pid in pids {
        let mut look = || -> io::Result<()> {
            add_open(pid, &mut open, &mut pipes, &mut sockets)?;
            let mut maps = Vec::new();
            File::open(format!("/proc/{pid}/maps"))?.take(left).read_to_end(&mut maps)?;
            left -= maps.len() as u64;
            add_mapped(pid, &maps, folder, &mut mapped, &mut shared);
            Ok(())
        };
        if let Err(error) = look() {
            // One that ends meanwhile holds nothing.
            held.is_hidden |=
                error.kind() == io::ErrorKind::PermissionDenied && proc::is_alive(pid);
        }
    }
    let known: HashSet<u64> = open.keys().map(|(_, inode)| *inode).collect();
    mapped.retain(|inode, _| !known.contains(inode));
    held.files =
        open.values().chain(mapped.values()).fold(0, |sum, bytes| sum.saturating_add(*bytes));
    if folder.is_none() {
        held.files = 0;
    }
    held.buffers = buffers(pipes.len() as u64, sockets.len() as u64);
    held.shared = shared.values().sum();
    held.is_endless = left == 0;
    held
}

/// The files that a process has open and that have no name.
fn add_open(
    pid: u32,
    open: &mut HashMap<(u64, u64), u64>,
    pipes: &mut HashSet<u64>,
    sockets: &mut HashSet<u64>,
) -> io::Result<()> {
    for descriptor in fs::read_dir(format!("/proc/{pid}/fd"))?.flatten() {
        let Ok(file) = fs::metadata(descriptor.path()) else { continue };
        if file.file_type().is_fifo() {
            pipes.insert(file.ino());
        } else if file.file_type().is_socket() {
            sockets.insert(file.ino());
        } else if file.is_file() && file.nlink() == 0 {
            open.insert((file.dev(), file.ino()), taken(&file));
        }
    }
    Ok(())
}

/// The most that these pipes and sockets can hold, not counting those that any program may have.
fn buffers(pipes: u64, sockets: u64) -> u64 {
    let few = FREE.min(sockets);
    (sockets - few) * SOCKET + pipes.saturating_sub(FREE - few) * PIPE
}

/// What a file takes: its length, or its blocks where those are more.
fn taken(file: &Metadata) -> u64 {
    file.len().max(file.blocks() * BLOCK)
}

/// One mapping of a process, as the system writes it.
struct Mapping<'a> {
    addresses: &'a [u8],
    is_shared: bool,
    offset: u64,
    length: u64,
    inode: u64,
    name: &'a [u8],
}

impl Mapping<'_> {
    fn read(line: &[u8]) -> Option<Mapping<'_>> {
        let mut rest = line;
        let mut word = || {
            let end = rest.iter().position(|byte| *byte == b' ').unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            rest = after.strip_prefix(b" ").unwrap_or(after);
            word
        };
        let [addresses, rights, offset, _device, inode] = [word(), word(), word(), word(), word()];
        let hex = |digits: &[u8]| u64::from_str_radix(str::from_utf8(digits).ok()?, 16).ok();
        let dash = addresses.iter().position(|byte| *byte == b'-')?;
        let (start, end) = (hex(&addresses[..dash])?, hex(&addresses[dash + 1..])?);
        Some(Mapping {
            addresses,
            is_shared: rights.get(3) == Some(&b's'),
            offset: hex(offset)?,
            length: end.saturating_sub(start),
            inode: str::from_utf8(inode).ok()?.parse().ok()?,
            name: rest.trim_ascii_start(),
        })
    }
}

fn add_mapped(
    pid: u32,
    maps: &[u8],
    folder: Option<(&Path, u64)>,
    mapped: &mut HashMap<u64, u64>,
    shared: &mut HashMap<u64, u64>,
) {
    for line in maps.split(|byte| *byte == b'\n') {
        // Most have a name that lives.
        if !line.ends_with(GONE) {
            continue;
        }
        let Some(mapping) = Mapping::read(line) else { continue };
        if mapping.name == SHARED {
            if mapping.is_shared {
                let end = mapping.offset.saturating_add(mapping.length);
                let size = shared.entry(mapping.inode).or_default();
                *size = end.max(*size);
            }
            continue;
        }
        let Some((folder, most)) = folder else { continue };
        if !mapping.name.starts_with(folder.as_os_str().as_bytes())
            || mapped.contains_key(&mapping.inode)
        {
            continue;
        }
        let addresses = String::from_utf8_lossy(mapping.addresses);
        // Only a privileged process may follow these.
        let file = fs::metadata(format!("/proc/{pid}/map_files/{addresses}"));
        mapped.insert(mapping.inode, file.map_or(most, |file| taken(&file)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    fn own(folder: &Path) -> Held {
        held(&[std::process::id()], Some((folder, 7 * MIB)))
    }

    #[test]
    fn a_file_without_a_name_counts_while_it_is_open() {
        let folder = tempfile::tempdir().unwrap();
        let before = own(folder.path()).files;
        let file = tempfile::tempfile_in(folder.path()).unwrap();
        file.set_len(3 * MIB).unwrap();
        let same = file.try_clone().unwrap();
        assert!(own(folder.path()).files >= before + 3 * MIB);
        drop((file, same));
    }

    #[test]
    fn pipes_and_sockets_count_from_the_65th_on() {
        assert_eq!(buffers(64, 0) + buffers(0, 64) + buffers(32, 32), 0);
        assert_eq!(buffers(65, 0), PIPE);
        assert_eq!(buffers(0, 66), 2 * SOCKET);
        assert_eq!(buffers(10, 70), 6 * SOCKET + 10 * PIPE);
        let folder = tempfile::tempdir().unwrap();
        let before = own(folder.path()).buffers;
        let pipes: Vec<_> = (0..70).map(|_| io::pipe().unwrap()).collect();
        assert!(own(folder.path()).buffers >= before + 6 * PIPE);
        drop(pipes);
    }

    #[test]
    fn a_line_of_mappings_is_read() {
        let line = b"7f00-7f20 rw-s 00000010 00:01 3072                       /a b (deleted)";
        let mapping = Mapping::read(line).unwrap();
        assert_eq!((mapping.offset, mapping.length, mapping.inode), (16, 32, 3072));
        assert!(mapping.is_shared && mapping.name == b"/a b (deleted)");
        assert!(Mapping::read(b"nothing").is_none());
    }

    #[test]
    fn a_mapped_file_without_a_name_counts_once() {
        let (mut mapped, mut shared) = (HashMap::new(), HashMap::new());
        let maps = b"1000-2000 r--p 00000000 00:01 5    /scratch/1/x (deleted)\n\
            3000-4000 r--p 00001000 00:01 5    /scratch/1/x (deleted)\n\
            5000-6000 r--p 00000000 00:01 6    /scratch/1/kept\n\
            5000-6000 r--p 00000000 00:01 7    /elsewhere (deleted)\n\
            8000-a000 rw-s 00001000 00:01 8    /dev/zero (deleted)\n";
        let unused = (1 << 22) + 1;
        let folder = Some((Path::new("/scratch/1"), 7 * MIB));
        add_mapped(unused, maps, folder, &mut mapped, &mut shared);
        assert_eq!(mapped, HashMap::from([(5, 7 * MIB)]));
        assert_eq!(shared, HashMap::from([(8, 0x3000)]));
    }
}
