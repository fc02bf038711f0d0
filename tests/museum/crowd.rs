//! Many exhibits in one event: by another user, or on a machine that lacks layers of the sandbox.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;
use tengen_record::GameRecord;

use crate::common::{GREEDY, ProgramRun, assert_whole, records, repository};
use crate::exhibit::{Exhibit, ExhibitForm};
use crate::remains::{self, Machine};
use crate::show::without;

/// A user that owns nothing, and one that runs nothing else beside.
const NOBODY: u32 = 65534;
const ALONE: u32 = 65533;

/// The user that runs the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum User {
    /// The user that runs the tests, which may be root.
    Own,
    /// A user that owns nothing.
    Plain,
    /// Such a user for the processes of one test only.
    Alone,
}

impl User {
    /// Whether the program can be run by that user here. If not, a note says why.
    pub(crate) fn is_here(self) -> bool {
        let is_root = fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0);
        match self {
            User::Own => return true,
            User::Plain | User::Alone if !is_root => {
                println!(
                    "skipped: only root becomes another user; the other test is by a plain one"
                );
                return false;
            }
            User::Plain | User::Alone => {}
        }
        let mut program = Command::new(env!("CARGO_BIN_EXE_tengen"));
        program.arg("--version").uid(NOBODY).gid(NOBODY).stdout(Stdio::null());
        let status = program.status();
        let runs = status.as_ref().is_ok_and(|status| status.success());
        if !runs {
            println!("skipped: the program cannot be run by another user: {status:?}");
        }
        runs
    }

    /// Gives all that is in a folder to that user, which is to run the command.
    pub(crate) fn takes(self, folder: &Path, command: &mut Command) {
        let user = match self {
            User::Own => return,
            User::Plain => NOBODY,
            User::Alone => ALONE,
        };
        give(folder, user);
        command.uid(user).gid(user).env("HOME", folder);
    }
}

fn give(path: &Path, user: u32) {
    chown(path, Some(user), Some(user)).expect("root gives files away");
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        give(&entry.path(), user);
    }
}

/// An event in which each of the exhibits meets one that behaves.
pub(crate) struct Crowd<'a> {
    pub exhibits: &'a [Exhibit],
    pub user: User,
    /// The layers of the sandbox that the machine does not have.
    pub without: &'a [&'a str],
    /// The most that the folder of each holds.
    pub folder: &'static str,
    /// What `prlimit` bounds the program and all that it starts by.
    pub limits: &'a [&'a str],
}

/// What came of it.
pub(crate) struct CrowdOutcome {
    _folder: TempDir,
    /// The game of each exhibit, and what the event calls it.
    pub games: Vec<(String, GameRecord)>,
    /// What was said on the terminal.
    pub told: String,
}

impl<'a> Crowd<'a> {
    pub(crate) fn of(exhibits: &'a [Exhibit], user: User) -> Crowd<'a> {
        Crowd { exhibits, user, without: &[], folder: "4MiB", limits: &[] }
    }

    pub(crate) fn run(&self) -> CrowdOutcome {
        let folder = TempDir::new().expect("a folder for the event");
        let at = |name: &str| folder.path().join(name);
        for name in ["engines", "tmp", "cache"] {
            fs::create_dir(at(name)).expect("a new folder");
        }
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port of this machine");
        listener.set_nonblocking(true).expect("a listener that does not wait");
        let port = listener.local_addr().expect("a listener has an address").port();
        let mut engines = Vec::new();
        for (number, exhibit) in self.exhibits.iter().enumerate() {
            let own = at("engines").join(number.to_string());
            fs::create_dir(&own).expect("a new folder");
            engines.push(exhibit.lay(&own, port).display().to_string());
        }
        for file in ["engines/canary", "canary"] {
            fs::write(at(file), "alive").expect("a new file");
        }
        fs::write(at("cup.toml"), self.cup(&engines)).expect("a new file");
        let event = at("event");
        let mut command = without(folder.path(), self.without);
        if !self.limits.is_empty() {
            let program = command.get_program().to_owned();
            command = Command::new("prlimit");
            command.args(self.limits).arg(program).current_dir(repository(""));
        }
        command.args(["tournament", "run"]).arg(at("cup.toml")).arg("--out").arg(&event);
        command.env("TMPDIR", at("tmp")).env("XDG_CACHE_HOME", at("cache"));
        command.env("SECRET_TOKEN", "hunter2").stdout(Stdio::piped()).stderr(Stdio::piped());
        self.user.takes(folder.path(), &mut command);
        let before = Machine::now();
        let program = command.spawn().expect("the program starts");
        let pid = program.id();
        let run = ProgramRun::from(program.wait_with_output().expect("it ends"));
        let told = run.stderr.clone();
        run.done();
        remains::assert_none(folder.path());
        before.assert_same(pid);
        assert_whole(&event, self.exhibits.len() as u64);
        assert_eq!(fs::read(at("canary")).ok().as_deref(), Some(&b"alive"[..]));
        assert!(!at("engines/written").exists(), "a file was made outside");
        let mut records = records(&event);
        let games = engines.into_iter().map(|id| {
            let is_its = |record: &GameRecord| crate::show::seat(record, &id).is_some();
            let place = records.iter().position(is_its).expect("it plays one game");
            (id.clone(), records.remove(place))
        });
        CrowdOutcome { games: games.collect(), told, _folder: folder }
    }

    fn cup(&self, engines: &[String]) -> String {
        let mut entries = format!("{GREEDY:?}");
        for (exhibit, engine) in self.exhibits.iter().zip(engines) {
            let Exhibit { tc, memory, .. } = exhibit;
            let memory = memory.map(|mib| format!(", memory-mib = {mib}")).unwrap_or_default();
            // An exhibit that is late is late by more.
            let margin = if exhibit.form() == ExhibitForm::Brain { ", margin = 0.1" } else { "" };
            entries += &format!(", {{ id = {engine:?}, tc = {tc:?}{memory}{margin} }}");
        }
        format!(
            "tc = \"move=30\"\ngames = 1\nstartup = 60\nconcurrency = 2\nspoiled = \"keep\"\n\
             format = \"gauntlet\"\nchallengers = 1\nopening = \"none\"\n\
             folder-limit = {:?}\nengines = [{entries}]\n",
            self.folder
        )
    }
}
