//! How a text engine is started.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use tengen_rules::{Rule, Size};

use super::path::{absolute, file_name};
use super::pick::{Processor, pick};
use super::{EngineKind, EngineSpec};

/// How a text engine is started: programs and their arguments. The event picks one of the programs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Launch {
    /// What the program is started by, as `wine` or `python3`; None starts the program itself.
    pub runner: Option<PathBuf>,
    /// The programs that run on this machine; at least one.
    pub programs: Vec<PathBuf>,
    /// What follows the program on its command line.
    pub arguments: Vec<String>,
    /// The programs beside them that cannot be started here.
    pub unfit: Vec<UnusableProgram>,
}

/// A program of an engine that cannot be started on this machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnusableProgram {
    pub path: PathBuf,
    /// Why, and what to do.
    pub reason: String,
}

impl Launch {
    /// A program alone.
    pub(super) fn of(programs: Vec<PathBuf>) -> Launch {
        Launch { programs, ..Launch::default() }
    }

    /// The program for games by this rule on boards of this size: what [`pick`] picks by the file
    /// names, on this machine. None when there is no program at all.
    pub fn program(&self, rule: Rule, size: Size) -> Option<&Path> {
        let names: Vec<_> = self.programs.iter().map(|path| file_name(path)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let place = pick(&names, rule, size, Processor::here())?;
        Some(&self.programs[place])
    }

    /// What is to be run to start `program`, one of [`Launch::programs`]: the absolute path of an
    /// executable, and its arguments.
    pub fn command(&self, program: &Path) -> (PathBuf, Vec<OsString>) {
        let arguments = self.arguments.iter().map(OsString::from);
        match &self.runner {
            None => (absolute(program), arguments.collect()),
            Some(runner) => {
                let is_jar = program.extension().is_some_and(|end| end.eq_ignore_ascii_case("jar"));
                let is_java = runner.file_stem().is_some_and(|name| name == "java");
                let program = absolute(program).into_os_string();
                let flag = (is_jar && is_java).then(|| "-jar".into());
                (absolute(runner), flag.into_iter().chain([program]).chain(arguments).collect())
            }
        }
    }
}

impl EngineSpec {
    /// A text engine of these programs, at least one; all of them run here.
    pub(super) fn text(id: String, kind: EngineKind, launch: Launch) -> EngineSpec {
        let usual = launch.program(Rule::Freestyle, Size::STANDARD);
        let path = usual.map(Path::to_owned).unwrap_or_default();
        EngineSpec { id, launch: Some(launch), ..EngineSpec::bare(path, kind) }
    }

    /// The engine as it plays by this rule on boards of this size: `path` becomes the program that
    /// is picked among several. Any other engine stays as it is.
    #[must_use]
    pub fn fitted(mut self, rule: Rule, size: Size) -> EngineSpec {
        let program = self.launch.as_ref().and_then(|launch| launch.program(rule, size));
        if let Some(program) = program.map(Path::to_owned) {
            self.path = program;
        }
        self
    }

    /// What is to be run to start a text engine: the absolute path of an executable, and its
    /// arguments. None for an engine that is loaded.
    pub fn command(&self) -> Option<(PathBuf, Vec<OsString>)> {
        self.launch.as_ref().map(|launch| launch.command(&self.path))
    }
}
