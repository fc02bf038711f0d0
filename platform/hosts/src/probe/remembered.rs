//! What was learnt of engines, so that a list of them runs each of them once.
//!
//! An answer is remembered by all that it can depend on: this program, the walls that this machine
//! has, how the engine is started, and every file of it. Of a file that is its place, size and
//! times, the last of which no program can set; its contents are in the answer, by their hash.

use std::fs::{self, Metadata};
use std::hash::{Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use sha2::{Digest, Sha256};
use tengen_packages::{EngineDescription, EngineKind, EngineSpec, make_private};

use super::{ObservedSupport, Probe, probe};
use crate::host::hex;
use crate::process::EngineProcess;
use crate::protocol::wire::{Payload, Truncated, put_u32};
use crate::protocol::{FrameProtocol, Ready};
use crate::{ExportSet, HostError, HostSettings, SandboxGap};

/// The folder of the answers in that of the user.
const FOLDER: &str = "probes";
/// The most files of an engine that are looked at. One with more is asked each time.
const MOST_FILES: usize = 1000;
/// The most answers that are kept.
const MOST_ANSWERS: usize = 4000;
/// The most engines that are asked at once.
const MOST_AT_ONCE: usize = 16;

/// Asks several engines what they are, side by side; what `begin` gives is dropped when an engine
/// has answered. One that has answered this program before, and has not changed, is not run again.
/// One that could not be loaded is tried again.
pub fn probe_all<T>(
    specs: &[EngineSpec],
    settings: &HostSettings,
    begin: impl Fn(&EngineSpec) -> T + Sync,
) -> Vec<Result<Probe, HostError>> {
    let machine = machine(settings);
    let next = AtomicUsize::new(0);
    let answers = Mutex::new(Vec::with_capacity(specs.len()));
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(spec) = specs.get(number) else { return };
            let waiting = begin(spec);
            let answer = ask(spec, settings, machine.as_deref());
            drop(waiting);
            answers.lock().unwrap_or_else(PoisonError::into_inner).push((number, answer));
        }
    };
    let cpus = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 1..cpus.min(MOST_AT_ONCE).min(specs.len()) {
            scope.spawn(work);
        }
        work();
    });
    let mut answers = answers.into_inner().unwrap_or_else(PoisonError::into_inner);
    answers.sort_by_key(|(number, _)| *number);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

/// The answer of one engine: the one before, if nothing has changed that it depends on.
fn ask(
    spec: &EngineSpec,
    settings: &HostSettings,
    machine: Option<&str>,
) -> Result<Probe, HostError> {
    let place = machine.and_then(|machine| {
        let folder = settings.cache.as_deref()?.join(FOLDER);
        Some(folder.join(key(spec, settings, machine)?))
    });
    let Some(place) = place else { return probe(spec, settings) };
    if let Some(mut known) = fs::read(&place).ok().and_then(|bytes| read(&bytes)) {
        if spec.kind.is_text() {
            // It may have shown more since.
            let stored = ObservedSupport::default();
            known.observed = stored.merge_stored(settings.cache.as_deref(), &known.hash);
        }
        return Ok(known);
    }
    let probe = probe(spec, settings)?;
    if let Err(error) = write(&place, &probe) {
        log::warn!("{}: what the engine says is not kept: {error}", place.display());
    }
    Ok(probe)
}

/// The walls that engines have here, as one of this program's own has them now. None where that is
/// not known.
fn machine(settings: &HostSettings) -> Option<String> {
    let own = EngineSpec::builtin(tengen_packages::BUILTINS[0])?;
    let mut process = EngineProcess::new(own, settings.clone(), FrameProtocol::new());
    let Ready { layers, gaps, .. } = process.start().ok()?;
    Some(format!("{layers:?} {gaps:?}"))
}

/// The name of the answer of an engine as it lies there.
fn key(spec: &EngineSpec, settings: &HostSettings, machine: &str) -> Option<String> {
    struct KeyHasher(Sha256);
    impl Hasher for KeyHasher {
        fn write(&mut self, bytes: &[u8]) {
            self.0.update(bytes);
        }
        fn finish(&self) -> u64 {
            0 // The whole digest is taken instead.
        }
    }
    let mut hasher = KeyHasher(Sha256::new());
    (env!("CARGO_PKG_VERSION"), machine, format!("{spec:?}")).hash(&mut hasher);
    let HostSettings { isolation, require_sandbox, require_layers, folder_mib, .. } = settings;
    format!("{isolation:?} {require_sandbox} {require_layers:?} {folder_mib:?}").hash(&mut hasher);
    // A builtin engine is a part of the program, and every other is hosted by it.
    for path in files(spec)?.into_iter().chain([settings.program.clone()]) {
        path.hash(&mut hasher);
        identity(&fs::metadata(&path).ok()?).hash(&mut hasher);
    }
    Some(hex(&hasher.0.finalize()))
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

#[cfg(unix)]
fn identity(file: &Metadata) -> impl Hash {
    use std::os::unix::fs::MetadataExt;
    let times = (file.mtime(), file.mtime_nsec(), file.ctime(), file.ctime_nsec());
    (file.dev(), file.ino(), file.size(), times)
}

#[cfg(not(unix))]
fn identity(file: &Metadata) -> impl Hash {
    (file.len(), file.modified().ok(), file.created().ok())
}

fn write(place: &Path, probe: &Probe) -> io::Result<()> {
    let bytes = to_bytes(probe);
    // A description that reads otherwise than it was written is not kept.
    let same = Probe { observed: ObservedSupport::default(), ..probe.clone() };
    if read(&bytes) != Some(same) {
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

fn to_bytes(probe: &Probe) -> Vec<u8> {
    let mut bytes = Vec::new();
    let put = |bytes: &mut Vec<u8>, text: &str| {
        put_u32(bytes, text.len() as u32);
        bytes.extend_from_slice(text.as_bytes());
    };
    put(&mut bytes, probe.kind.name());
    put_u32(&mut bytes, probe.abi_minor);
    put_u32(&mut bytes, probe.exports.to_bits());
    put(&mut bytes, &probe.layers.join(" "));
    put_u32(&mut bytes, probe.gaps.len() as u32);
    for gap in &probe.gaps {
        put(&mut bytes, &gap.layer);
        put(&mut bytes, &gap.reason);
    }
    put(&mut bytes, &probe.hash);
    put(&mut bytes, &probe.description.to_text());
    let digest = Sha256::digest(&bytes);
    bytes.extend_from_slice(&digest);
    bytes
}

/// None where it is damaged.
fn read(bytes: &[u8]) -> Option<Probe> {
    let (bytes, digest) = bytes.split_last_chunk::<32>()?;
    if Sha256::digest(bytes)[..] != *digest {
        return None;
    }
    read_probe(Payload(bytes)).ok()
}

fn read_probe(mut payload: Payload<'_>) -> Result<Probe, Truncated> {
    let text = |payload: &mut Payload<'_>| -> Result<String, Truncated> {
        let length = payload.u32()? as usize;
        Ok(Payload(payload.take(length)?).text())
    };
    let kind = EngineKind::of_name(&text(&mut payload)?).ok_or(Truncated)?;
    let (abi_minor, exports) = (payload.u32()?, ExportSet::from_bits(payload.u32()?));
    let layers = text(&mut payload)?.split_whitespace().map(str::to_owned).collect();
    let mut gaps = Vec::new();
    for _ in 0..payload.u32()? {
        gaps.push(SandboxGap { layer: text(&mut payload)?, reason: text(&mut payload)? });
    }
    let hash = text(&mut payload)?;
    let description = EngineDescription::parse(&text(&mut payload)?).map_err(|_| Truncated)?;
    let observed = ObservedSupport::default();
    Ok(Probe { kind, description, abi_minor, exports, layers, gaps, hash, observed })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Probe {
        Probe {
            kind: EngineKind::Wasm,
            description: EngineDescription::parse("name A B\nrule renju 15..15\nthreads 1..8\n")
                .unwrap(),
            abi_minor: 3,
            exports: ExportSet::from_bits(5),
            layers: vec!["landlock".into(), "seccomp".into()],
            gaps: vec![SandboxGap { layer: "x".into(), reason: "none here".into() }],
            hash: "abc".into(),
            observed: ObservedSupport::default(),
        }
    }

    #[test]
    fn an_answer_reads_as_it_was_written_and_damage_shows() {
        let bytes = to_bytes(&sample());
        assert_eq!(read(&bytes), Some(sample()));
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert_eq!(read(&damaged), None, "{at}");
            assert_eq!(read(&bytes[..at]), None, "{at}");
        }
    }

    #[test]
    fn an_answer_is_that_of_the_files_as_they_lie_there() {
        let folder = tempfile::tempdir().unwrap();
        let package = folder.path().join("package");
        fs::create_dir(&package).unwrap();
        let engine = package.join("engine.so");
        fs::write(&engine, "one").unwrap();
        let mut spec = EngineSpec::bare(engine.clone(), EngineKind::Native);
        spec.folder = Some(package.clone());
        let settings = HostSettings::new(std::env::current_exe().unwrap());
        let mut keys = vec![key(&spec, &settings, "walls").unwrap()];
        assert_eq!(key(&spec, &settings, "walls").unwrap(), keys[0]);
        let changes = |keys: &mut Vec<String>, key: String| {
            assert!(!keys.contains(&key));
            keys.push(key);
        };
        changes(&mut keys, key(&spec, &settings, "fewer walls").unwrap());
        // Of the same size, and in the same place.
        fs::write(&engine, "two").unwrap();
        changes(&mut keys, key(&spec, &settings, "walls").unwrap());
        fs::write(package.join("weights"), "1").unwrap();
        changes(&mut keys, key(&spec, &settings, "walls").unwrap());
        spec.options.push(("Style".into(), "wild".into()));
        changes(&mut keys, key(&spec, &settings, "walls").unwrap());
        let other = HostSettings { require_sandbox: true, ..settings.clone() };
        changes(&mut keys, key(&spec, &other, "walls").unwrap());
        fs::remove_file(&engine).unwrap();
        assert_eq!(key(&spec, &settings, "walls"), None);
    }
}
