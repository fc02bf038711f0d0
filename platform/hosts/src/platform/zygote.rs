//! Starts processes of this program without running it anew each time. Loading it and setting all
//! addresses in it takes most of the time of a start.
//!
//! A zygote has done that once. It has one thread and nothing of any engine. It is told over a
//! socket what to start, and starts a copy of itself for it. The copy is a child of the process
//! that started the zygote, not of the zygote.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::mem::ManuallyDrop;
use std::os::fd::{AsFd, FromRawFd, IntoRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak, mpsc};
use std::thread;
use std::time::Duration;

use rustix::process::{DumpableBehavior, set_dumpable_behavior, setpgid};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

use super::process_title::ProcessTitle;
use super::{
    Cpus, HOST_COMMAND, Started, StartedProcess, clone_sibling, close_others, descriptors,
    die_with_parent, give_group, hide_memory, is_parent,
};

/// The word that makes a child a zygote: `PROGRAM host-engine --zygote PARENT`.
pub(crate) const ZYGOTE: &str = "--zygote";
/// The argument of a process that is given a namespace of networks, before the descriptor.
pub(crate) const NET_NS: &str = "--net-ns";
/// How long it may take to start a process.
const PATIENCE: Duration = Duration::from_secs(10);
/// The longest that it is told.
const MOST: usize = 1 << 20;
/// What a thread needs of stack that waits.
const STACK: usize = 64 << 10;

/// A process beside this one, which starts others. It ends with the last engine that came from it.
pub(crate) struct Zygote {
    stream: Mutex<UnixStream>,
    /// Whether it has failed, and starts nothing any more.
    is_broken: AtomicBool,
    /// The processes die with the thread that started the zygote. It ends when this is dropped.
    _keeper: mpsc::Sender<()>,
}

impl Zygote {
    /// The zygote of this process that runs that program. Without one, processes are started
    /// directly.
    pub(crate) fn share(program: &Path) -> Option<Arc<Zygote>> {
        static SHARED: Mutex<BTreeMap<PathBuf, Weak<Zygote>>> = Mutex::new(BTreeMap::new());
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        let known = shared.get(program).and_then(Weak::upgrade);
        if let Some(zygote) = known.filter(|known| !known.is_broken.load(Ordering::Relaxed)) {
            return Some(zygote);
        }
        match Zygote::start(program) {
            Ok(zygote) => {
                let zygote = Arc::new(zygote);
                shared.insert(program.to_owned(), Arc::downgrade(&zygote));
                Some(zygote)
            }
            Err(error) => {
                log::debug!("{}: engines are started directly: {error}", program.display());
                None
            }
        }
    }

    fn start(program: &Path) -> io::Result<Zygote> {
        let (stream, its) = UnixStream::pair()?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let mut command = super::command(program);
        command.args([HOST_COMMAND, ZYGOTE, &std::process::id().to_string()]);
        ProcessTitle::leave_room(&mut command);
        command.stdin(OwnedFd::from(its)).stdout(Stdio::null()).stderr(Stdio::null());
        give_group(&mut command);
        let (tell, started) = mpsc::channel();
        let (keeper, kept) = mpsc::channel::<()>();
        let keep = move || {
            let spawned = command.spawn();
            // It would hold the other end of the socket.
            drop(command);
            let (child, told) = match spawned {
                Ok(child) => (Some(child), Ok(())),
                Err(error) => (None, Err(error)),
            };
            let _unheard = tell.send(told);
            // Nothing is ever sent.
            let _gone = kept.recv();
            if let Some(mut child) = child
                && let Err(error) = child.kill().and_then(|()| child.wait())
            {
                log::error!("the zygote of engines was not stopped: {error}");
            }
        };
        thread::Builder::new().name("zygote".to_owned()).stack_size(STACK).spawn(keep)?;
        started.recv().map_err(io::Error::other)??;
        Ok(Zygote {
            stream: Mutex::new(stream),
            is_broken: AtomicBool::new(false),
            _keeper: keeper,
        })
    }

    /// Starts what the command says, which is this program with [`HOST_COMMAND`]. It has the CPUs
    /// of this thread, pipes as its standard input, output and error output, and that namespace of
    /// networks beside.
    ///
    /// # Errors
    /// When there is no zygote any more, or it could not start the process.
    pub(crate) fn spawn(&self, command: &Command, net_ns: Option<&File>) -> io::Result<Started> {
        let (its_input, input) = io::pipe()?;
        let (output, its_output) = io::pipe()?;
        let (errors, its_errors) = io::pipe()?;
        let pipes = [its_input.as_fd(), its_output.as_fd(), its_errors.as_fd()].into_iter();
        let all: Vec<_> = pipes.chain(net_ns.map(File::as_fd)).collect();
        let request = StartRequest::of(command).to_bytes();
        let length = u32::try_from(request.len()).map_err(io::Error::other)?;
        let stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        let mut pid = [0; 4];
        descriptors::send(&stream, &length.to_le_bytes(), &all)
            .and_then(|()| (&*stream).write_all(&request))
            .and_then(|()| (&*stream).read_exact(&mut pid))
            .inspect_err(|_| self.is_broken.store(true, Ordering::Relaxed))?;
        let process = match u32::from_le_bytes(pid) {
            0 => return Err(io::Error::other("its zygote could not start it")),
            pid => StartedProcess::of_child(pid),
        };
        let [input, output, errors] =
            [OwnedFd::from(input), OwnedFd::from(output), OwnedFd::from(errors)];
        Ok((process, input.into(), output.into(), errors.into()))
    }
}

#[derive(PartialEq, Eq, Default, Debug)]
struct StartRequest {
    cpus: Vec<usize>,
    arguments: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
}

impl StartRequest {
    fn of(command: &Command) -> StartRequest {
        let set = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
        StartRequest {
            cpus: Cpus::of_this_thread().iter().flat_map(Cpus::iter).collect(),
            arguments: command.get_args().skip(1).map(OsStr::to_owned).collect(),
            environment: set.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        }
    }

    /// Its texts with a NUL behind each, after a letter that says what it is.
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut put = |kind: u8, parts: &[&[u8]]| {
            bytes.push(kind);
            parts.iter().for_each(|part| bytes.extend_from_slice(part));
            bytes.push(0);
        };
        self.cpus.iter().for_each(|cpu| put(b'c', &[cpu.to_string().as_bytes()]));
        self.arguments.iter().for_each(|argument| put(b'a', &[argument.as_bytes()]));
        for (name, value) in &self.environment {
            put(b'e', &[name.as_bytes(), b"=", value.as_bytes()]);
        }
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<StartRequest> {
        let mut request = StartRequest::default();
        let text = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
        for part in bytes.strip_suffix(&[0])?.split(|byte| *byte == 0) {
            match part.split_first()? {
                (b'c', cpu) => request.cpus.push(std::str::from_utf8(cpu).ok()?.parse().ok()?),
                (b'a', argument) => request.arguments.push(text(argument)),
                (b'e', variable) => {
                    let cut = variable.iter().position(|byte| *byte == b'=')?;
                    request.environment.push((text(&variable[..cut]), text(&variable[cut + 1..])));
                }
                _ => return None,
            }
        }
        Some(request)
    }

    /// Makes this process, a copy of the zygote, what was asked for.
    fn take_on(&mut self, given: Vec<OwnedFd>, title: &ProcessTitle) -> io::Result<()> {
        // As those have it that are started directly; where it is not allowed, they have not.
        let _ = setpgid(None, None);
        let mut given = given.into_iter();
        let mut next = || given.next().ok_or(io::ErrorKind::InvalidData);
        dup2_stdin(next()?)?;
        dup2_stdout(next()?)?;
        dup2_stderr(next()?)?;
        if let Some(net_ns) = given.next() {
            let number = net_ns.into_raw_fd().to_string();
            self.arguments.splice(0..0, [NET_NS.into(), number.into()]);
        }
        for (name, _) in env::vars_os() {
            // SAFETY: this process has one thread.
            unsafe { env::remove_var(name) };
        }
        for (name, value) in &self.environment {
            // SAFETY: as above.
            unsafe { env::set_var(name, value) };
        }
        title.set(&self.arguments, &self.environment);
        set_dumpable_behavior(DumpableBehavior::Dumpable)?;
        Ok(())
    }
}

/// Body of a zygote, which comes back in each process that it has started, with the arguments of
/// that; and with none when it is to end.
///
/// # Errors
/// When it is not what it should be, or its parent is gone.
pub(crate) fn run_zygote(
    mut arguments: impl Iterator<Item = OsString>,
) -> io::Result<Option<Vec<OsString>>> {
    let parent = arguments.next().and_then(|parent| parent.to_str()?.parse().ok());
    close_others(None);
    die_with_parent().map_err(io::Error::other)?;
    if !parent.is_some_and(is_parent) {
        return Err(io::Error::other("this command is for the program's own use"));
    }
    // It keeps nothing secret, but processes that are to be walled in come from it.
    hide_memory().map_err(io::Error::other)?;
    let title = ProcessTitle::of_this_process();
    // SAFETY: the standard input is the socket, and nothing else here uses it. It is not closed: in
    // the processes that are started something else takes its number.
    let stream = ManuallyDrop::new(unsafe { UnixStream::from_raw_fd(0) });
    loop {
        let mut length = [0; 4];
        let Ok(given) = descriptors::receive(&stream, &mut length) else { return Ok(None) };
        let length = u32::from_le_bytes(length) as usize;
        if length > MOST {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut bytes = vec![0; length];
        (&*stream).read_exact(&mut bytes)?;
        let mut request = StartRequest::from_bytes(&bytes).ok_or(io::ErrorKind::InvalidData)?;
        Cpus::of(&request.cpus).apply_here();
        let pid = match clone_sibling() {
            Ok(None) => {
                request.take_on(given, &title)?;
                return Ok(Some(request.arguments));
            }
            Ok(Some(pid)) => pid,
            Err(_) => 0,
        };
        (&*stream).write_all(&pid.to_le_bytes())?;
    }
}

/// The namespace of networks that a process is in, for the next one in its place.
pub(crate) fn net_ns(pid: u32) -> Option<File> {
    File::open(format!("/proc/{pid}/ns/net")).ok()
}

/// Enters a namespace of networks that another process was in before. Gives whether this one is in
/// it, and alone: what that could have left there are sockets.
pub(crate) fn enter_net_ns(descriptor: RawFd) -> bool {
    // SAFETY: it was left open for this, and its number is given up here.
    let net_ns = unsafe { OwnedFd::from_raw_fd(descriptor) };
    let network = Some(LinkNameSpaceType::Network);
    // The head of a table without rows.
    let is_empty = |table: String| table.lines().count() == 1;
    move_into_link_name_space(net_ns.as_fd(), network).is_ok()
        && fs::read_to_string("/proc/self/net/unix").is_ok_and(is_empty)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_reads_as_it_is_written() {
        let mut command = Command::new("tengen");
        command.args([HOST_COMMAND, "--path", "a b\n", "", "--"]).env_clear();
        command.env("HOME", "/x=y").env("EMPTY", "");
        let request = StartRequest::of(&command);
        assert!(!request.cpus.is_empty());
        assert_eq!(request.arguments, ["--path", "a b\n", "", "--"]);
        assert_eq!(request.environment.len(), 2);
        assert_eq!(StartRequest::from_bytes(&request.to_bytes()), Some(request));
        for wrong in [&b""[..], b"a", b"x\0", b"\0", b"ex\0", b"cx\0"] {
            assert_eq!(StartRequest::from_bytes(wrong), None, "{wrong:?}");
        }
    }
}
