//! The arbiter itself, after all the exhibits have played in it.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;
use tengen_arbiter::{GameResult, Limits, Termination, TimeControl};
use tengen_hosts::{EngineKind, EngineSpec, HostSettings, WasmIsolation, package, player};
use tengen_players::{GameSetup, GameVariant, RealTime, Request};
use tengen_rules::{Ask, Procedure, Rule, Seat, Size, Zone};
use tengen_testkit::descriptors;

use crate::exhibit::{Exhibit, ExhibitForm};
use crate::remains::within;
use crate::{in_c, special, wasm};

/// The test that runs in a process of its own.
const ALONE: &str = "left::all_of_them_in_one_process";
/// How many play at once, most of which wait for something.
const AT_ONCE: usize = 8;
const PATIENCE: u64 = 200_000_000;

/// The threads of this process by their names, and its descriptors by what they are of.
fn holdings() -> [Vec<String>; 2] {
    let threads = fs::read_dir("/proc/self/task").unwrap().flatten();
    let names = threads.filter_map(|entry| fs::read_to_string(entry.path().join("comm")).ok());
    let mut names: Vec<_> = names.collect();
    names.sort();
    [names, descriptors()]
}

/// The thread that listens for what engines are denied, and its socket, end when the last engine
/// has, but that is not waited for.
fn has_settled() -> bool {
    !holdings()[0].iter().any(|name| name.trim() == "denials")
}

#[test]
fn no_thread_and_no_descriptor_is_left() {
    let this = std::env::current_exe().unwrap();
    let alone = Command::new(this).args(["--ignored", "--exact", ALONE]).output().unwrap();
    let told = String::from_utf8_lossy(&alone.stdout);
    assert!(alone.status.success() && told.contains("1 passed"), "{told}");
}

#[test]
#[ignore = "counts what the whole process holds, and so runs alone"]
fn all_of_them_in_one_process() {
    let folder = TempDir::new().unwrap();
    let exhibits: Vec<(&Exhibit, WasmIsolation)> = all().collect();
    // What the process makes once and keeps.
    let first = |isolation| exhibits.iter().find(|(_, other)| *other == isolation);
    let kept = [WasmIsolation::InProcess, WasmIsolation::Child].map(first);
    kept.into_iter().flatten().enumerate().for_each(|(number, (exhibit, isolation))| {
        play(exhibit, *isolation, &folder.path().join(format!("kept{number}")));
    });
    assert!(within(has_settled), "{:?}", holdings());
    let before = holdings();
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some((exhibit, isolation)) = exhibits.get(number) else { break };
                    play(exhibit, *isolation, &folder.path().join(number.to_string()));
                }
            });
        }
    });
    assert!(within(|| holdings() == before), "{before:?} became {:?}", holdings());
}

/// Every exhibit, everywhere it can play.
fn all() -> impl Iterator<Item = (&'static Exhibit, WasmIsolation)> {
    let all = in_c().chain(wasm::ALL).chain(special::ALL);
    all.flat_map(|exhibit| {
        let inside = exhibit.plays_inside().then_some((exhibit, WasmIsolation::InProcess));
        inside.into_iter().chain([(exhibit, WasmIsolation::Child)])
    })
}

/// Plays two games of a few questions, whatever comes of them.
fn play(exhibit: &Exhibit, isolation: WasmIsolation, folder: &Path) {
    fs::create_dir(folder).unwrap();
    let path = exhibit.lay(folder, 9);
    let mut spec = match exhibit.form() {
        ExhibitForm::Library => EngineSpec::bare(path, EngineKind::Native),
        ExhibitForm::WasmModule => EngineSpec::bare(path, EngineKind::Wasm),
        ExhibitForm::Brain => {
            let name = format!("cmd:{}", path.display());
            let found = package::command(&name, Some(folder), None).expect("a command");
            // An engine that cannot be started is refused before it becomes a player.
            let Ok(spec) = found else { return };
            spec
        }
    };
    spec.memory_mib = exhibit.memory;
    let mut settings = HostSettings::new(env!("CARGO_BIN_EXE_tengen"));
    settings.cache = Some(folder.join("cache"));
    settings.startup = Duration::from_secs(1);
    settings.isolation = isolation;
    settings.folder_mib = Some(4);
    let mut player = player(&spec, &settings);
    let time = RealTime::new();
    for _ in 0..2 {
        if player.new_game(&setup()).is_err() {
            continue;
        }
        let limits = Limits { hard: Some(PATIENCE), ..Limits::default() };
        let ask = Ask::Move { zone: Zone::Anywhere };
        let request = Request { limits, patience: Some(PATIENCE), ..Request::new(&[], ask) };
        for _ in 0..3 {
            let _whatever = player.ask(&request, &time);
        }
        player.end_game(GameResult { winner: None, termination: Termination::BoardFull });
    }
}

fn setup() -> GameSetup {
    let (rule, size, opening) = (Rule::Freestyle, Size::STANDARD, Procedure::None);
    GameVariant { rule, size, opening }.setup(Seat::First, TimeControl::default())
}
