//! Plays an event with an engine that misbehaves.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use tempfile::TempDir;
use tengen_arbiter::{GameResult, Termination};
use tengen_record::GameRecord;
use tengen_rules::{Point, Seat};

use crate::common::{
    GREEDY, MINIMAL_C, ProgramRun, assert_whole, compile, records, repository, tengen,
};
use crate::exhibit::{Exhibit, ExhibitForm, ExpectedEnding, PATIENT};
use crate::module::WasmModule;
use crate::record_tally;
use crate::remains;

/// What an answer of those that behave may take, in nanoseconds.
const LIMIT: u64 = 30_000_000_000;
/// How games end that are played out.
const PLAYED: [Termination; 2] = [Termination::Five, Termination::BoardFull];

/// Shows an exhibit wherever it can run.
pub(crate) fn show(exhibit: &Exhibit) {
    if exhibit.plays_inside() {
        let inside = || drop(Show { isolation: "in-process", ..Show::of(exhibit) }.run());
        thread::scope(|scope| {
            scope.spawn(inside);
            Show::of(exhibit).run();
        });
    } else {
        Show::of(exhibit).run();
    }
}

/// The program, not yet started, as on a machine that lacks these layers of the sandbox.
pub(crate) fn without(folder: &Path, layers: &[&str]) -> Command {
    if layers.is_empty() {
        return tengen([]);
    }
    let program = folder.join(format!("tengen:{}", layers.join(":")));
    let host = format!("-DHOST=\"{}\"", env!("CARGO_BIN_EXE_tengen"));
    compile("platform/hosts/tests/engines/without.c", &program, &[&host]);
    let mut command = Command::new(program);
    command.current_dir(repository("")).stdin(Stdio::null());
    command
}

/// An event of an exhibit and two that behave, two games at once.
pub(crate) struct Show<'a> {
    pub exhibit: &'a Exhibit,
    pub isolation: &'static str,
    /// How often every two of the engines meet.
    pub games: u32,
    pub seed: u64,
    /// The stones that games begin with, one each, in a match against one engine that behaves.
    pub stones: &'a [Point],
    /// The layers of the sandbox that the machine does not have.
    pub without: &'a [&'a str],
    /// How a game ends in which the exhibit sits, where that is not the same in all.
    pub ends: Option<&'a dyn Fn(&GameRecord) -> ExpectedEnding>,
}

/// What came of it.
pub(crate) struct ShowOutcome {
    folder: TempDir,
    pub records: Vec<GameRecord>,
    /// What the event calls the exhibit.
    pub id: String,
}

impl ShowOutcome {
    /// A path of the event's own folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("event").join(name)
    }

    /// The games in which the exhibit sat, and where.
    pub(crate) fn games(&self) -> impl Iterator<Item = (Seat, &GameRecord)> {
        self.records.iter().filter_map(|record| Some((seat(record, &self.id)?, record)))
    }
}

impl<'a> Show<'a> {
    pub(crate) fn of(exhibit: &'a Exhibit) -> Show<'a> {
        Show {
            exhibit,
            isolation: "child",
            games: 2,
            seed: 0,
            stones: &[],
            without: &[],
            ends: None,
        }
    }

    pub(crate) fn run(&self) -> ShowOutcome {
        let folder = TempDir::new().expect("a folder for the event");
        let at = |name: &str| folder.path().join(name);
        for name in ["engines", "tmp", "cache"] {
            fs::create_dir(at(name)).expect("a new folder");
        }
        // What lies beside a program is its own.
        for file in ["engines/canary", "canary"] {
            fs::write(at(file), "alive").expect("a new file");
        }
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port of this machine");
        listener.set_nonblocking(true).expect("a listener that does not wait");
        let port = listener.local_addr().expect("a listener has an address").port();
        let engine = self.exhibit.lay(&at("engines"), port);
        let event = at("event");
        let book: String = self.stones.iter().map(|stone| format!("{stone}\n")).collect();
        fs::write(at("book.txt"), book).expect("a new file");
        fs::write(at("cup.toml"), self.cup(&engine)).expect("a new file");

        let mut command = without(folder.path(), self.without);
        command.args(["tournament", "run"]).arg(at("cup.toml")).arg("--out").arg(&event);
        command.envs(["TMPDIR", "TMP", "TEMP"].map(|name| (name, at("tmp"))));
        command.env("XDG_CACHE_HOME", at("cache"));
        command.env("SECRET_TOKEN", "hunter2");
        let run = ProgramRun::of(&mut command);
        remains::assert_none(folder.path());
        let id = engine.to_str().expect("the path is UTF-8").to_owned();
        if let ExpectedEnding::Refused(words) = self.exhibit.ends_here() {
            assert!(!event.exists(), "it is refused before there is an event");
            let code = run.code.filter(|&code| code == 2).unwrap_or(1);
            run.refused(code, &[words]);
            return ShowOutcome { folder, records: Vec::new(), id };
        }
        if let ExpectedEnding::SetAside(words) = self.exhibit.ends_here() {
            assert!(run.stderr.contains(words), "no `{words}` in {}", run.stderr);
            run.done();
            assert_whole(&event, self.games.into());
            let records = records(&event);
            assert!(records.iter().all(|record| seat(record, &id).is_none()), "it does not play");
            return ShowOutcome { folder, records, id };
        }
        let text = run.done();
        let pairs = if self.stones.is_empty() { 3 } else { 1 };
        assert_whole(&event, pairs * u64::from(self.games));
        let shown = ShowOutcome { folder, records: records(&event), id };
        for record in &shown.records {
            judge(
                record,
                &shown.id,
                self.ends.map_or(self.exhibit.ends_here(), |ends| ends(record)),
            );
        }
        record_tally::assert_alike(&shown.records, &event, &text);
        if shown.games().any(|(seat, record)| holds(record, seat, "seccomp")) {
            assert!(listener.accept().is_err(), "it reached out of its process");
        }
        shown
    }

    /// The file of the event. The exhibit stands first, so that it is the first to be looked at.
    fn cup(&self, engine: &Path) -> String {
        let Show { exhibit, isolation, games, seed, stones, .. } = self;
        let Exhibit { tc, startup, event, options, .. } = exhibit;
        let memory = exhibit.memory.map(|mib| format!(", memory-mib = {mib}")).unwrap_or_default();
        // An exhibit that is late is late by more.
        let margin = match exhibit.form() {
            ExhibitForm::Brain => ", margin = 0.1",
            _ => "",
        };
        let absent = match exhibit.ends_here() {
            ExpectedEnding::SetAside(_) => "aside",
            _ => "refuse",
        };
        let [one, other] = self.neighbours(engine);
        let neighbours = match stones {
            [] => format!("{one:?}, {other:?}"),
            _ => format!("{one:?}"),
        };
        let book = match stones {
            [] if event.contains("opening") => "",
            [] => "opening = \"none\"",
            _ => "opening = \"book\"\nopenings = \"book.txt\"",
        };
        format!(
            "tc = {PATIENT:?}\ngames = {games}\nseed = {seed}\nstartup = {startup}\n\
             concurrency = 2\nabsent = {absent:?}\nspoiled = \"keep\"\n\
             isolation = {isolation:?}\n{event}\n{book}\n\
             engines = [{{ id = {engine:?}, tc = {tc:?}{memory}{margin}, \
             options = {{ {options} }} }}, {neighbours}]\n",
        )
    }

    fn neighbours(&self, engine: &Path) -> [PathBuf; 2] {
        let folder = engine.parent().expect("it lies in a folder");
        match self.isolation {
            "child" => [GREEDY.into(), MINIMAL_C.into()],
            _ => ["one", "other"].map(|name| WasmModule::PLAIN.lay(folder, name)),
        }
    }
}

/// Asserts that a game went as it should: the others kept their clocks, and the exhibit lost by
/// what it did, or by nothing but its play.
pub(crate) fn judge(record: &GameRecord, id: &str, ends: ExpectedEnding) {
    let GameRecord { header, actions, result, detail, .. } = record;
    let exhibit = seat(record, id);
    let about = format!("{id}, game {:?}, {result:?}: {detail:?}", header.game);
    for action in actions.iter().filter(|action| Some(action.seat) != exhibit) {
        assert!(action.spent < LIMIT, "{about}");
    }
    let lost = exhibit.and_then(|seat| match ends {
        ExpectedEnding::Loses(termination) => Some((seat, termination)),
        ExpectedEnding::Walled(layers, termination) => {
            let is_held = layers.iter().any(|layer| holds(record, seat, layer));
            (!is_held).then_some((seat, termination))
        }
        ExpectedEnding::Plays | ExpectedEnding::Refused(_) | ExpectedEnding::SetAside(_) => None,
    });
    match lost {
        // On a machine that is too busy for a flood its time runs out first.
        Some((seat, _)) if is_kept_waiting(record) || is_slow_flood(record, lost) => {
            assert_eq!(result.winner, Some(!seat), "{about}");
        }
        Some((seat, termination)) => {
            assert_eq!(*result, GameResult { winner: Some(!seat), termination }, "{about}");
            assert!(termination == Termination::Timeout || detail.is_some(), "{about}");
        }
        None => assert!(PLAYED.contains(&result.termination), "{about}"),
    }
    assert!(detail.as_ref().is_none_or(|detail| detail.len() < 4096), "{about}");
}

/// The exhibit's seat in a game, if it sits there.
pub(crate) fn seat(record: &GameRecord, id: &str) -> Option<Seat> {
    Seat::ALL.into_iter().find(|&seat| record.header.seats[seat].id == id)
}

/// Whether that layer held around the engine that sat there.
pub(crate) fn holds(record: &GameRecord, seat: Seat, layer: &str) -> bool {
    record.header.seats[seat].layers.iter().any(|held| held == layer)
}

/// Whether the time ran out of an engine that said a lot, where nothing tells how long it was kept
/// waiting.
fn is_slow_flood(record: &GameRecord, lost: Option<(Seat, Termination)>) -> bool {
    let says_much = record.detail.as_ref().is_some_and(|detail| detail.contains("it said last"));
    let is_flood = matches!(lost, Some((_, Termination::ResourceLimit)));
    cfg!(windows) && is_flood && says_much && record.result.termination == Termination::Timeout
}

/// Whether the time ran out of an engine that the machine kept waiting for a good part of it.
fn is_kept_waiting(record: &GameRecord) -> bool {
    let stats = record.conditions.forfeit.map(|forfeit| forfeit.cpu_stats).unwrap_or_default();
    record.result.termination == Termination::Timeout && stats.waited > stats.cpu / 4
}
