//! An engine as it is found on the disk.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::enrolled::EnrolledFiles;
use super::id;
use super::launch::Launch;

/// The engines linked into this program, named `builtin:NAME` on the command line.
pub const BUILTINS: [&str; 1] = ["alphabeta"];

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EngineKind {
    /// A shared library of this operating system and architecture.
    Native,
    Wasm,
    /// Linked into this program.
    Builtin,
    /// A program that speaks the Gomocup protocol over its standard input and output: a brain.
    Gomocup,
    /// A program that speaks the protocol of the SAU platform, of the Chinese university contest.
    Sau,
}

impl EngineKind {
    const ALL: [EngineKind; 5] = [
        EngineKind::Native,
        EngineKind::Wasm,
        EngineKind::Builtin,
        EngineKind::Gomocup,
        EngineKind::Sau,
    ];

    /// The kind of that [`EngineKind::name`].
    pub fn of_name(name: &str) -> Option<EngineKind> {
        EngineKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether it is a program of its own that is spoken to in lines of text.
    pub const fn is_text(self) -> bool {
        matches!(self, EngineKind::Gomocup | EngineKind::Sau)
    }

    /// `native`, `wasm`, `builtin`, `gomocup` or `sau`.
    pub const fn name(self) -> &'static str {
        match self {
            EngineKind::Native => "native",
            EngineKind::Wasm => "wasm",
            EngineKind::Builtin => "builtin",
            EngineKind::Gomocup => "gomocup",
            EngineKind::Sau => "sau",
        }
    }
}

impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Whether an engine gets a new process for each game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum RestartPolicy {
    /// Where one process cannot be shown to begin every game as a new one would.
    #[default]
    Auto,
    /// For each game.
    On,
    /// Only where the one before has ended, refuses another game or shows that it has not cleared
    /// its board.
    Off,
}

/// One engine as it is on the disk: all that is needed to start it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineSpec {
    /// The name on the command line, unique within a folder of engines.
    pub id: String,
    /// The name a manifest gives for display; the engine's own description is used without it.
    pub name: Option<String>,
    pub kind: EngineKind,
    /// The library, module or program; empty for a builtin engine. Of several programs of a text
    /// engine it is the one for freestyle at 15×15, until [`EngineSpec::fitted`] puts another.
    pub path: PathBuf,
    /// How it is started; there for a text engine alone.
    pub launch: Option<Launch>,
    /// The engine's own folder, which it may read; None if other engines' files are in it. A text
    /// engine is started in it; without one, in its scratch folder, where its own files are found
    /// by their names.
    pub folder: Option<PathBuf>,
    /// What it may read besides: for an engine without a folder, its own files beside it; for a
    /// command, the files that it names.
    pub reads: Vec<PathBuf>,
    /// Files beside it that look like its own but are not read, each with the reason and what to
    /// do.
    pub unread: Vec<String>,
    /// Files and folders of its opponents, which are none of its own wherever they lie.
    pub strangers: Vec<PathBuf>,
    /// Programs in its folder that it may start, as its manifest says.
    pub helpers: Vec<PathBuf>,
    /// Of an engine that a command names, the folder that its words are meant in.
    pub typed_in: Option<PathBuf>,
    pub archive: Option<PathBuf>,
    /// Whether lines to a text engine end with LF alone, where that is set; otherwise it is found
    /// out.
    pub lf_alone: Option<bool>,
    /// Whether it gets a new process for each game, where that is set for this engine.
    pub restart: Option<RestartPolicy>,
    /// Options to set after start, in the manifest's order; of a brain, keys of `INFO`.
    pub options: Vec<(String, String)>,
    /// The ceiling on memory in MiB, where the manifest sets one.
    pub memory_mib: Option<u32>,
    /// The ceiling on threads, where the manifest sets one.
    pub threads: Option<u32>,
    /// What it asks for beyond what every engine is allowed.
    pub needs: EngineNeeds,
    /// The files that it was enrolled with, if it was: then all paths here are those of a copy.
    pub enrolled: Option<Arc<EnrolledFiles>>,
}

/// What an engine needs to be allowed, as its manifest says.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct EngineNeeds {
    /// The most processes that it has at once. It is held to that.
    pub processes: Option<u32>,
    /// The memory in MiB without which it cannot play.
    pub memory_mib: Option<u32>,
    /// Whether its processes speak to each other by sockets of this machine.
    pub local_sockets: bool,
}

impl EngineSpec {
    /// A bare library, module or program, with the id that its file name gives.
    pub fn bare(path: PathBuf, kind: EngineKind) -> EngineSpec {
        let id = id::of_file(&path, kind);
        EngineSpec {
            id,
            name: None,
            kind,
            path,
            launch: None,
            folder: None,
            reads: Vec::new(),
            unread: Vec::new(),
            strangers: Vec::new(),
            helpers: Vec::new(),
            typed_in: None,
            archive: None,
            lf_alone: None,
            restart: None,
            options: Vec::new(),
            memory_mib: None,
            threads: None,
            needs: EngineNeeds::default(),
            enrolled: None,
        }
    }

    /// Sets an option, in place of the value it had.
    pub fn set_option(&mut self, name: &str, value: &str) {
        match self.options.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => value.clone_into(known),
            None => self.options.push((name.to_owned(), value.to_owned())),
        }
    }

    /// The engine `name` of this program, with the id `builtin:NAME`; None when [`BUILTINS`] does
    /// not hold it.
    pub fn builtin(name: &str) -> Option<EngineSpec> {
        BUILTINS.contains(&name).then(|| EngineSpec {
            id: format!("builtin:{name}"),
            ..EngineSpec::bare(PathBuf::new(), EngineKind::Builtin)
        })
    }
}
