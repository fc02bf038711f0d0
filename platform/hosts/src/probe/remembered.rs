//! What was learnt about engines, so that listing them runs each of them only once.
//!
//! An answer is stored under all that it can depend on: this program, the sandbox of this machine,
//! how the engine is started, and the contents of all its files. The contents are read again only
//! if the place, size or times of a file have changed; no program can set the last of those times.

use std::fs;
use std::hash::Hash;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use sha2::{Digest, Sha256};
use tengen_packages::{EngineDescription, EngineKind, EngineSpec, FileStamp, make_private};
use tengen_players::Fault;

use super::{ObservedSupport, Probe, hash_file, probe, side_by_side};
use crate::digest::KeyHasher;
use crate::process::EngineProcess;
use crate::protocol::wire::{Payload, Truncated, put_text, put_u32};
use crate::protocol::{FrameProtocol, HeldLayers, Ready};
use crate::{ExportSet, HostError, HostSettings, failure};

/// The folder of the answers in that of the user.
const FOLDER: &str = "probes";
/// The most files of an engine that are looked at. One with more is asked each time.
const MOST_FILES: usize = 1000;
/// The most files that are kept: two for each engine.
const MOST_ANSWERS: usize = 8000;
/// For how long an engine that failed once counts as failed.
const PATIENCE: Duration = Duration::from_secs(60);
/// The most engines that are asked at once.
const MOST_AT_ONCE: usize = 16;

/// The sandbox that engines have on this machine. It is found out in the background: a process of
/// this program is started and ended for it.
pub struct MachineWalls {
    found: Receiver<String>,
    thread: Option<JoinHandle<()>>,
}

impl MachineWalls {
    /// Begins to find them out.
    pub fn find(settings: &HostSettings) -> MachineWalls {
        let (tell, found) = mpsc::channel();
        let settings = settings.clone();
        let look = move || {
            let Some(own) = EngineSpec::builtin(tengen_packages::BUILTINS[0]) else { return };
            let mut process = EngineProcess::new(own, settings, FrameProtocol::new());
            if let Ok(Ready { layers, gaps, .. }) = process.start() {
                let _unheard = tell.send(format!("{layers:?} {gaps:?}"));
            }
        };
        let thread = thread::Builder::new().name("walls".to_owned()).spawn(look);
        MachineWalls { found, thread: thread.ok() }
    }

    /// What they are; they are told once. None where that is not known.
    fn told(&self) -> Option<String> {
        self.found.recv().ok()
    }
}

impl Drop for MachineWalls {
    fn drop(&mut self) {
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            log::error!("the thread that finds out this machine's sandbox panicked");
        }
    }
}

/// Asks several engines what they are, side by side; what `begin` gives is dropped when an engine
/// has answered. An engine that has answered this program before, in the same sandbox, and has not
/// changed is not run again. An engine that failed may have met a busy machine or missed a library,
/// so it is run again after a minute.
pub fn probe_all<T>(
    walls: MachineWalls,
    specs: &[EngineSpec],
    settings: &HostSettings,
    begin: impl Fn(&EngineSpec) -> T + Sync,
) -> Vec<Result<Probe, HostError>> {
    let machine = walls.told();
    side_by_side(specs, MOST_AT_ONCE, |spec| {
        let waiting = begin(spec);
        let answer = ask(spec, settings, machine.as_deref());
        drop(waiting);
        answer
    })
}

/// The answer of one engine: the one before, if nothing has changed that it depends on.
fn ask(
    spec: &EngineSpec,
    settings: &HostSettings,
    machine: Option<&str>,
) -> Result<Probe, HostError> {
    let folder = settings.cache.as_deref().map(|cache| cache.join(FOLDER));
    let Some((folder, machine)) = folder.zip(machine) else { return probe(spec, settings) };
    let Some(name) = key(spec, settings, machine, BY_IDENTITY) else {
        return probe(spec, settings);
    };
    let name = folder.join(name);
    // The name of the answer by its contents lies by that of the files as they lie there.
    let known = fs::read_to_string(&name).ok().filter(|contents| is_key(contents));
    let is_new = known.is_none();
    let contents = known.or_else(|| key(spec, settings, machine, BY_CONTENTS));
    let Some(contents) = contents else { return probe(spec, settings) };
    let place = folder.join(&contents);
    let remembered = fs::read(&place).ok().and_then(|bytes| {
        let answer = read(&bytes)?;
        (!answer.is_failure() || is_young(&place)).then_some(answer)
    });
    let answer = match remembered {
        Some(answer) => answer,
        None => {
            let outcome = probe(spec, settings);
            let Some(answer) = RememberedAnswer::of(&outcome) else { return outcome };
            if let Err(error) = write(&place, &answer) {
                log::warn!("{}: what the engine says is not kept: {error}", place.display());
                return outcome;
            }
            answer
        }
    };
    if is_new && let Err(error) = tengen_files::write(&name, contents.as_bytes(), false) {
        log::warn!("{}: not kept: {error}", name.display());
    }
    answer.into_outcome(spec, settings)
}

/// Whether a text is the name of an answer.
fn is_key(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Whether a file was written a short while ago.
fn is_young(place: &Path) -> bool {
    let written = fs::metadata(place).and_then(|file| file.modified());
    written.is_ok_and(|at| at.elapsed().is_ok_and(|age| age < PATIENCE))
}

/// What came of asking an engine, as far as it is the engine's own doing.
#[derive(Clone, PartialEq, Eq, Debug)]
enum RememberedAnswer {
    Probe(Box<Probe>),
    Refused(String),
    Failed(Fault),
    Unusable(String),
}

impl RememberedAnswer {
    fn of(outcome: &Result<Probe, HostError>) -> Option<RememberedAnswer> {
        Some(match outcome {
            // What it has shown is kept elsewhere, for it may show more.
            Ok(probe) => RememberedAnswer::Probe(Box::new(Probe {
                observed: ObservedSupport::default(),
                ..probe.clone()
            })),
            Err(HostError::Refused { reason, .. }) => RememberedAnswer::Refused(reason.clone()),
            Err(HostError::Failed { fault, .. }) => RememberedAnswer::Failed(fault.clone()),
            Err(HostError::UnusableProgram { reason, .. }) => {
                RememberedAnswer::Unusable(reason.clone())
            }
            Err(
                HostError::Read { .. }
                | HostError::Start { .. }
                | HostError::Changed { .. }
                | HostError::Enroll(_)
                | HostError::Interrupted { .. },
            ) => return None,
        })
    }

    /// Such a failure may be due to something the machine lacks, and nothing here shows when that
    /// changes.
    fn is_failure(&self) -> bool {
        !matches!(self, RememberedAnswer::Probe(_))
    }

    fn into_outcome(self, spec: &EngineSpec, settings: &HostSettings) -> Result<Probe, HostError> {
        let engine = spec.id.clone();
        match self {
            RememberedAnswer::Probe(mut known) => {
                if spec.kind.is_text() {
                    // It may have shown more since.
                    let stored = ObservedSupport::default();
                    known.observed = stored.merge_stored(settings.cache.as_deref(), &known.hash);
                }
                Ok(*known)
            }
            RememberedAnswer::Refused(reason) => Err(HostError::Refused { engine, reason }),
            RememberedAnswer::Failed(fault) => Err(HostError::Failed { engine, fault }),
            RememberedAnswer::Unusable(reason) => {
                Err(HostError::UnusableProgram { engine, reason })
            }
        }
    }
}

/// A way to take the files of an engine into a name. The way's own name goes in too: a builtin
/// engine has no files, and still needs two names.
type FileKey = (&'static str, fn(&Path, &mut KeyHasher) -> Option<()>);

const BY_IDENTITY: FileKey = ("identity", by_identity);
const BY_CONTENTS: FileKey = ("contents", by_contents);

/// The name under which an engine's answer is kept, with its files taken in that way.
fn key(
    spec: &EngineSpec,
    settings: &HostSettings,
    machine: &str,
    (way, take): FileKey,
) -> Option<String> {
    let mut hasher = KeyHasher::new();
    way.hash(&mut hasher);
    (env!("CARGO_PKG_VERSION"), machine, format!("{spec:?}")).hash(&mut hasher);
    let HostSettings { isolation, require_sandbox, require_layers, folder_mib, .. } = settings;
    format!("{isolation:?} {require_sandbox} {require_layers:?} {folder_mib:?}").hash(&mut hasher);
    settings.left_out.hash(&mut hasher);
    for path in files(spec)? {
        path.hash(&mut hasher);
        take(&path, &mut hasher)?;
    }
    // A builtin engine is a part of the program, and every other is hosted by it. It is large, and
    // another one may ask otherwise.
    by_identity(&settings.program, &mut hasher)?;
    Some(hasher.key())
}

/// A file as it lies there.
fn by_identity(path: &Path, hasher: &mut KeyHasher) -> Option<()> {
    FileStamp::of(path)?.hash(hasher);
    Some(())
}

/// What a file holds. Those of a folder are taken one by one.
fn by_contents(path: &Path, hasher: &mut KeyHasher) -> Option<()> {
    if !path.is_dir() {
        hash_file(path).ok()?.hash(hasher);
    }
    Some(())
}

/// All files that an engine is made of; None where they are too many.
fn files(spec: &EngineSpec) -> Option<Vec<PathBuf>> {
    let (program, arguments) = spec.command().unwrap_or_default();
    let folder = spec.folder.clone().unwrap_or_default();
    let named = arguments.iter().map(|argument| folder.join(argument));
    let mut found = vec![spec.path.clone(), program];
    found.extend(spec.reads.iter().cloned().chain(spec.folder.clone()));
    found.extend(named.filter(|path| path.exists()));
    found.retain(|path| !path.as_os_str().is_empty());
    let mut seen = 0;
    while let Some(path) = found.get(seen) {
        seen += 1;
        if path.is_dir() {
            let entries = fs::read_dir(path).ok()?;
            let mut inner: Vec<_> =
                entries.take(MOST_FILES + 1).flatten().map(|entry| entry.path()).collect();
            // A link might lead round and round.
            inner.retain(|path| !(path.is_symlink() && path.is_dir()));
            inner.sort();
            found.extend(inner);
        }
        if found.len() > MOST_FILES {
            return None;
        }
    }
    Some(found)
}

fn write(place: &Path, answer: &RememberedAnswer) -> io::Result<()> {
    let bytes = to_bytes(answer);
    // A description that reads otherwise than it was written is not kept.
    if read(&bytes).as_ref() != Some(answer) {
        return Ok(());
    }
    let folder = place.parent().unwrap_or(Path::new(""));
    make_private(folder)?;
    if fs::read_dir(folder)?.count() >= MOST_ANSWERS {
        fs::remove_dir_all(folder)?;
        make_private(folder)?;
    }
    tengen_files::write(place, &bytes, false)
}

/// The first number of an answer: what it is.
mod tag {
    pub(super) const PROBE: u32 = 1;
    pub(super) const REFUSED: u32 = 2;
    pub(super) const FAILED: u32 = 3;
    pub(super) const UNUSABLE: u32 = 4;
}

fn to_bytes(answer: &RememberedAnswer) -> Vec<u8> {
    let mut bytes = Vec::new();
    match answer {
        RememberedAnswer::Probe(probe) => {
            put_u32(&mut bytes, tag::PROBE);
            put_probe(&mut bytes, probe);
        }
        RememberedAnswer::Refused(reason) => {
            put_u32(&mut bytes, tag::REFUSED);
            put_text(&mut bytes, reason);
        }
        RememberedAnswer::Failed(Fault { failure, detail }) => {
            put_u32(&mut bytes, tag::FAILED);
            put_u32(&mut bytes, failure::to_number(*failure));
            put_text(&mut bytes, detail);
        }
        RememberedAnswer::Unusable(reason) => {
            put_u32(&mut bytes, tag::UNUSABLE);
            put_text(&mut bytes, reason);
        }
    }
    let digest = Sha256::digest(&bytes);
    bytes.extend_from_slice(&digest);
    bytes
}

fn put_probe(bytes: &mut Vec<u8>, probe: &Probe) {
    put_text(bytes, probe.kind.name());
    put_u32(bytes, probe.abi_minor);
    put_u32(bytes, probe.exports.to_bits());
    HeldLayers::put(bytes, &probe.layers.join(" "), &probe.gaps);
    put_text(bytes, &probe.hash);
    put_text(bytes, &probe.description.to_text());
}

/// None where it is damaged.
fn read(bytes: &[u8]) -> Option<RememberedAnswer> {
    let (bytes, digest) = bytes.split_last_chunk::<32>()?;
    if Sha256::digest(bytes)[..] != *digest {
        return None;
    }
    let mut payload = Payload(bytes);
    let number = |payload: &mut Payload<'_>| payload.u32().ok();
    Some(match number(&mut payload)? {
        tag::PROBE => RememberedAnswer::Probe(Box::new(read_probe(payload).ok()?)),
        tag::REFUSED => RememberedAnswer::Refused(payload.counted_text().ok()?),
        tag::FAILED => RememberedAnswer::Failed(Fault {
            failure: failure::from_number(number(&mut payload)?)?,
            detail: payload.counted_text().ok()?,
        }),
        tag::UNUSABLE => RememberedAnswer::Unusable(payload.counted_text().ok()?),
        _ => return None,
    })
}

fn read_probe(mut payload: Payload<'_>) -> Result<Probe, Truncated> {
    let kind = EngineKind::of_name(&payload.counted_text()?).ok_or(Truncated)?;
    let (abi_minor, exports) = (payload.u32()?, ExportSet::from_bits(payload.u32()?));
    let HeldLayers { layers, gaps } = HeldLayers::read(&mut payload)?;
    let hash = payload.counted_text()?;
    let description = EngineDescription::parse(&payload.counted_text()?).map_err(|_| Truncated)?;
    let observed = ObservedSupport::default();
    Ok(Probe { kind, description, abi_minor, exports, layers, gaps, hash, observed })
}

#[cfg(test)]
mod tests;
