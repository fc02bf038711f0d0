use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::HostSettings;
use tengen_packages::{EngineSpec, Kind};

/// What a child is told on its command line: which engine, and behind which walls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Job {
    /// The process that started it.
    pub parent: u32,
    /// How the engine is run.
    pub kind: Kind,
    /// The library or module, or the name of a builtin engine.
    pub path: PathBuf,
    /// The engine's own folder.
    pub folder: Option<PathBuf>,
    /// Where compiled modules are kept.
    pub cache: Option<PathBuf>,
    /// The ceiling on memory.
    pub memory_mib: Option<u32>,
    /// The engine's private folder, and the most MiB it may hold.
    pub desk: Option<(PathBuf, u32)>,
    /// Whether a wall that does not hold refuses the engine.
    pub require_sandbox: bool,
    /// Whether an answer may be wanted before its time.
    pub may_hurry: bool,
    /// Options to set before the first game.
    pub options: Vec<(String, String)>,
}

impl Job {
    /// The job of hosting that engine for this process.
    pub(crate) fn of(spec: &EngineSpec, settings: &HostSettings, desk: Option<&Path>) -> Job {
        let path = match spec.kind {
            Kind::Builtin => PathBuf::from(spec.id.strip_prefix("builtin:").unwrap_or(&spec.id)),
            _ => absolute(&spec.path),
        };
        Job {
            parent: std::process::id(),
            kind: spec.kind,
            path,
            folder: spec.folder.as_deref().map(absolute),
            cache: settings.cache.clone(),
            memory_mib: spec.memory_mib,
            desk: desk.map(Path::to_owned).zip(settings.folder_mib),
            require_sandbox: settings.require_sandbox,
            may_hurry: settings.hurry.is_some(),
            options: spec.options.clone(),
        }
    }

    /// Appends what [`Job::read`] reads.
    pub(crate) fn write(&self, command: &mut Command) {
        command.args(["--parent", &self.parent.to_string(), "--kind", self.kind.name()]);
        command.arg("--path").arg(&self.path);
        if let Some(folder) = &self.folder {
            command.arg("--folder").arg(folder);
        }
        if let Some(cache) = &self.cache {
            command.arg("--cache").arg(cache);
        }
        if let Some(mib) = self.memory_mib {
            command.args(["--memory-mib", &mib.to_string()]);
        }
        if let Some((desk, mib)) = &self.desk {
            command.arg("--desk").arg(desk).arg(mib.to_string());
        }
        if self.require_sandbox {
            command.arg("--require-sandbox");
        }
        if self.may_hurry {
            command.arg("--may-hurry");
        }
        for (name, value) in &self.options {
            command.args(["--option", name, value]);
        }
    }

    /// Reads a child's command line.
    pub(crate) fn read(mut args: impl Iterator<Item = OsString>) -> Result<Job, String> {
        let (mut parent, mut kind, mut path) = (None, None, None);
        let (mut folder, mut cache, mut memory_mib) = (None, None, None);
        let (mut desk, mut require_sandbox, mut may_hurry) = (None, false, false);
        let mut options = Vec::new();
        while let Some(flag) = args.next() {
            let mut next =
                || args.next().ok_or_else(|| format!("{} lacks its value", flag.display()));
            match flag.to_str() {
                Some("--parent") => parent = Some(number(&next()?)?),
                Some("--kind") => kind = Some(read_kind(&next()?)?),
                Some("--path") => path = Some(next()?.into()),
                Some("--folder") => folder = Some(next()?.into()),
                Some("--cache") => cache = Some(next()?.into()),
                Some("--memory-mib") => memory_mib = Some(number(&next()?)?),
                Some("--desk") => desk = Some((next()?.into(), number(&next()?)?)),
                Some("--require-sandbox") => require_sandbox = true,
                Some("--may-hurry") => may_hurry = true,
                Some("--option") => options.push((text(next()?)?, text(next()?)?)),
                _ => return Err(format!("{} is unknown", flag.display())),
            }
        }
        let missing = |flag: &str| format!("{flag} is missing; it is for the program's own use");
        Ok(Job {
            parent: parent.ok_or_else(|| missing("--parent"))?,
            kind: kind.ok_or_else(|| missing("--kind"))?,
            path: path.ok_or_else(|| missing("--path"))?,
            folder,
            cache,
            memory_mib,
            desk,
            require_sandbox,
            may_hurry,
            options,
        })
    }
}

/// The path from wherever the child goes.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn number(value: &OsStr) -> Result<u32, String> {
    let number = value.to_str().and_then(|value| value.parse().ok());
    number.ok_or_else(|| format!("{} is no number", value.display()))
}

fn text(value: OsString) -> Result<String, String> {
    value.into_string().map_err(|value| format!("{} is no text", value.display()))
}

fn read_kind(value: &OsStr) -> Result<Kind, String> {
    let kinds = [Kind::Native, Kind::Wasm, Kind::Builtin, Kind::Gomocup, Kind::Sau];
    let kind = kinds.into_iter().find(|kind| value == kind.name());
    kind.ok_or_else(|| format!("{} is no kind of engine", value.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_reads_as_it_is_written() {
        let job = Job {
            parent: 17,
            kind: Kind::Wasm,
            path: "a b/--parent.wasm".into(),
            folder: Some("a b".into()),
            cache: Some("c".into()),
            memory_mib: Some(350),
            desk: Some(("d e".into(), 70)),
            require_sandbox: true,
            may_hurry: true,
            options: vec![("Style".into(), "--option x".into()), ("Empty".into(), String::new())],
        };
        let mut command = Command::new("tengen");
        job.write(&mut command);
        assert_eq!(Job::read(command.get_args().map(OsStr::to_owned)), Ok(job));
    }

    #[test]
    fn a_command_line_by_hand_is_refused() {
        for args in [&[][..], &["--help"], &["--parent"], &["--parent", "x"], &["--kind", "magic"]]
        {
            assert!(Job::read(args.iter().map(OsString::from)).is_err(), "{args:?}");
        }
    }
}
