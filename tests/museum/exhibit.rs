//! An engine that misbehaves, and how its game must end.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use tengen_arbiter::Termination;
use tengen_testkit::compile_source;

use crate::common::{library, repository};
use crate::module::WasmModule;

/// What an exhibit's file is called where its name says that it is a text engine.
const BRAIN: &str = if cfg!(windows) { "pbrain-exhibit.exe" } else { "pbrain-exhibit" };

/// A time control under which no exhibit is ever late.
pub(crate) const PATIENT: &str = "move=30";
/// One for exhibits that never answer.
pub(crate) const BRIEF: &str = "move=0.2";

/// One engine and what it ends in.
#[derive(Clone, Copy)]
pub(crate) struct Exhibit {
    /// What it does, for the catalogue.
    pub does: &'static str,
    pub made_of: EngineSource,
    /// What it ends in on Unix.
    pub ends: ExpectedEnding,
    pub on_windows: WindowsEnding,
    /// Its own time control.
    pub tc: &'static str,
    /// The seconds that every engine of its event may take to get ready.
    pub startup: u32,
    /// Its own ceiling, in MiB.
    pub memory: Option<u32>,
    /// The lines that its event has beside the usual ones.
    pub event: &'static str,
    /// The options that it is given, as TOML.
    pub options: &'static str,
}

#[derive(Clone, Copy)]
pub(crate) enum EngineSource {
    /// `bad.c`, compiled with these definitions.
    Of(&'static [&'static str]),
    /// A module in the text format.
    Text(WasmModule),
    /// A module of just these bytes.
    Bytes(&'static [u8]),
    /// A module with a function of so many branches.
    Huge(usize),
    /// A file under the name of a library, with just these bytes.
    Junk(&'static [u8]),
    /// `bad_brain.c`, compiled with these definitions.
    Brain(&'static [&'static str]),
    /// A file that may be started as a text engine, with just these bytes.
    Program(&'static [u8]),
}

/// How an exhibit is run: a column of the catalogue.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExhibitForm {
    Library,
    WasmModule,
    Brain,
}

/// What becomes of an exhibit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExpectedEnding {
    /// Nothing comes of what it does: it plays on to the end of the game.
    Plays,
    /// It loses each of its games so.
    Loses(Termination),
    /// The event is refused before its first game, with these words.
    Refused(&'static str),
    /// The event is held without it, which is said with these words.
    SetAside(&'static str),
    /// It plays on where one of these layers of the sandbox holds, and otherwise loses so.
    Walled(&'static [&'static str], Termination),
}

/// What becomes of an exhibit on Windows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum WindowsEnding {
    /// The same as on Unix.
    Same,
    Other(ExpectedEnding),
    /// Windows has not what the exhibit uses.
    Nothing,
}

impl Exhibit {
    pub(crate) const fn new(
        does: &'static str,
        made_of: EngineSource,
        ends: ExpectedEnding,
    ) -> Exhibit {
        let tc = if matches!(ends, ExpectedEnding::Loses(Termination::Timeout)) {
            BRIEF
        } else {
            PATIENT
        };
        let (memory, event, options) = (None, "", "");
        let on_windows = WindowsEnding::Same;
        Exhibit { does, made_of, ends, on_windows, tc, startup: 60, memory, event, options }
    }

    pub(crate) const fn on_windows(mut self, ends: ExpectedEnding) -> Exhibit {
        self.on_windows = WindowsEnding::Other(ends);
        self
    }

    /// The same of Unix alone.
    pub(crate) const fn unix(mut self) -> Exhibit {
        self.on_windows = WindowsEnding::Nothing;
        self
    }

    /// What it ends in on the system that this is.
    pub(crate) fn ends_here(&self) -> ExpectedEnding {
        match self.on_windows {
            WindowsEnding::Other(ends) if cfg!(windows) => ends,
            _ => self.ends,
        }
    }

    pub(crate) const fn tc(mut self, tc: &'static str) -> Exhibit {
        self.tc = tc;
        self
    }

    pub(crate) const fn startup(mut self, seconds: u32) -> Exhibit {
        self.startup = seconds;
        self
    }

    pub(crate) const fn memory(mut self, mib: u32) -> Exhibit {
        self.memory = Some(mib);
        self
    }

    pub(crate) const fn event(mut self, lines: &'static str) -> Exhibit {
        self.event = lines;
        self
    }

    pub(crate) const fn options(mut self, options: &'static str) -> Exhibit {
        self.options = options;
        self
    }

    pub(crate) fn form(&self) -> ExhibitForm {
        match self.made_of {
            EngineSource::Of(_) | EngineSource::Junk(_) => ExhibitForm::Library,
            EngineSource::Text(_) | EngineSource::Bytes(_) | EngineSource::Huge(_) => {
                ExhibitForm::WasmModule
            }
            EngineSource::Brain(_) | EngineSource::Program(_) => ExhibitForm::Brain,
        }
    }

    /// What its source is compiled with.
    pub(crate) fn defines(&self) -> &'static [&'static str] {
        match self.made_of {
            EngineSource::Of(defines) | EngineSource::Brain(defines) => defines,
            _ => &[],
        }
    }

    /// Whether it plays in the arbiter's own process, too.
    pub(crate) fn plays_inside(&self) -> bool {
        self.form() == ExhibitForm::WasmModule
            && !matches!(self.ends_here(), ExpectedEnding::Refused(_))
    }

    /// Lays its file into the folder. `port` is one that an engine may try to connect to.
    pub(crate) fn lay(&self, folder: &Path, port: u16) -> PathBuf {
        match self.made_of {
            EngineSource::Of(defines) => {
                let flags = ["-shared", "-fPIC", "platform/hosts/tests/engines/bad.c"];
                compile(library(folder, "exhibit"), flags, defines, port)
            }
            EngineSource::Brain(defines) => {
                let program = ["-pthread", "-w", "tests/engines/bad_brain.c"];
                compile(folder.join(BRAIN), program, defines, port)
            }
            EngineSource::Text(module) => module.lay(folder, "exhibit"),
            EngineSource::Huge(branches) => {
                WasmModule::PLAIN.lay_with(folder, "exhibit", &many(branches))
            }
            EngineSource::Bytes(bytes) => write(folder.join("exhibit.wasm"), bytes),
            EngineSource::Junk(bytes) => write(library(folder, "exhibit"), bytes),
            EngineSource::Program(bytes) => {
                let path = write(folder.join(BRAIN), bytes);
                #[cfg(unix)]
                {
                    use std::os::unix::fs::PermissionsExt;
                    let rights = fs::Permissions::from_mode(0o755);
                    fs::set_permissions(&path, rights).expect("a file of our own");
                }
                path
            }
        }
    }
}

/// A library in C that is compiled with these definitions.
pub(crate) const fn native(
    does: &'static str,
    defines: &'static [&'static str],
    ends: ExpectedEnding,
) -> Exhibit {
    Exhibit::new(does, EngineSource::Of(defines), ends)
}

/// The same of a text engine.
pub(crate) const fn brain(
    does: &'static str,
    defines: &'static [&'static str],
    ends: ExpectedEnding,
) -> Exhibit {
    Exhibit::new(does, EngineSource::Brain(defines), ends)
}

/// A WASM engine.
pub(crate) const fn wasm(does: &'static str, module: WasmModule, ends: ExpectedEnding) -> Exhibit {
    Exhibit::new(does, EngineSource::Text(module), ends)
}

/// A function in the text format that is hard to compile.
fn many(branches: usize) -> String {
    let branch = "(block (br_if 0 (call $taken (local.get 0)))
        (local.set 1 (i32.add (local.get 0) (local.get 1))))";
    format!("(func (param i32 i32) (result i32) {} (local.get 1))", branch.repeat(branches))
}

fn write(path: PathBuf, bytes: &[u8]) -> PathBuf {
    fs::write(&path, bytes).expect("the engine's file is written");
    path
}

/// Compiles the C source that comes last among the words, or takes what was compiled before.
fn compile(to: PathBuf, words: [&str; 3], defines: &[&str], port: u16) -> PathBuf {
    let [.., source] = words;
    // Most make no connection: the port differs from run to run, and would compile them anew.
    let connects = ["CONNECTS", "ATTACK_ALL", "ATTACK_NETWORK"];
    let is_own = defines.iter().any(|define| connects.iter().any(|word| define.contains(word)));
    let port = if is_own { port } else { 9 };
    let mut key = DefaultHasher::new();
    // This file says how it is compiled.
    (words, defines, include_str!("exhibit.rs")).hash(&mut key);
    let known = format!("exhibit-{:016x}", key.finish());
    let known = Path::new(env!("CARGO_TARGET_TMPDIR")).join(known);
    if !is_own && is_newer_than_sources(&known) {
        link(&known, &to).expect("an exhibit that was compiled before");
        return to;
    }
    let defines = defines.iter().map(|define| format!("-D{define}"));
    let defines: Vec<_> = defines.chain([format!("-DPORT={port}")]).collect();
    let flags = words[..2].iter().copied().chain(["-O1"]).chain(defines.iter().map(|it| &**it));
    compile_source(source, &to, &flags.collect::<Vec<_>>());
    if !is_own {
        // Others may do the same at this moment.
        let mine = known.with_extension(std::process::id().to_string());
        link(&to, &mine).and_then(|()| fs::rename(&mine, &known)).expect("a folder of ours");
    }
    to
}

/// Gives a program another name. A thread that copies one has it open for writing, and another of
/// this process that starts something meanwhile hands that on: for a moment the copy could not be
/// run.
fn link(program: &Path, to: &Path) -> std::io::Result<()> {
    fs::hard_link(program, to).or_else(|_| fs::copy(program, to).map(drop))
}

/// Whether a file was written after everything that exhibits are made of.
fn is_newer_than_sources(file: &Path) -> bool {
    let written = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
    let Some(made) = written(file) else { return false };
    let folders = ["tests/engines", "platform/hosts/tests/engines", "engine-sdk/include"];
    let entries = folders.iter().flat_map(|folder| fs::read_dir(repository(folder)));
    entries.flatten().flatten().all(|source| written(&source.path()).is_some_and(|at| at < made))
}
