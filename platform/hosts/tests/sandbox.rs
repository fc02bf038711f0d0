//! The sandbox around a native engine, tested from inside. Each test asks which layers the child
//! got, and whether this machine could have given the rest.
#![cfg(target_os = "linux")]

mod common;

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::path::Path;

use common::{EngineBuilder, PATIENT, ask, in_game, point};
use tengen_hosts::{EngineSpec, HostSettings, SandboxGap, WasmIsolation, probe};

const EPERM: i32 = libc::EPERM;
const EACCES: i32 = libc::EACCES;
const ENOSYS: i32 = libc::ENOSYS;

/// What an engine that tries everything must get, by the layer that answers.
const LANDLOCK: [(&str, i32); 3] = [("read", EACCES), ("list", EACCES), ("write", EACCES)];
/// The same where what it may not use is not there for it.
const UNSEEN: [(&str, i32); 3] =
    [("read", libc::ENOENT), ("list", EACCES), ("write", libc::ENOENT)];
const SECCOMP: [&str; 32] = [
    "remove", "chmod", "connect", "local", "fork", "exec", "parent", "trace", "peek", "unshare",
    "mount", "ring", "perf", "bpf", "key", "persona", "death", "limit", "cpu", "cpus", "nice",
    "shared", "memory", "timer", "alarm", "lock", "own-lock", "flock", "bind", "core", "async",
    "files",
];
/// The same of what is not there.
const ABSENT: [&str; 2] = ["clone3", "x32"];
/// What one of the layers answers, and whether an engine may open /dev/null as every program does:
/// the kernel's Landlock must know how to keep files from being cut, or the other layer denies
/// both.
const CUTS: i64 = 3;
/// And what is none of their business.
const FREE: [&str; 3] = ["own", "thread", "self"];

/// The version of Landlock that this kernel says it has; 0 or less where it has none.
fn landlock() -> i64 {
    const VERSION: libc::c_ulong = 1;
    let none = std::ptr::null::<u8>();
    // SAFETY: with this flag the call takes no memory and only gives a number.
    unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, none, 0_usize, VERSION) }
}

/// Whether this kernel says that it filters system calls.
fn has_seccomp() -> bool {
    let actions = std::fs::read_to_string("/proc/sys/kernel/seccomp/actions_avail");
    actions.is_ok_and(|actions| actions.split_whitespace().any(|action| action == "errno"))
}

/// What an engine that tries everything heard, by the name of the attempt.
fn outcomes(spec: &EngineSpec, settings: &HostSettings) -> BTreeMap<String, i32> {
    let mut player = in_game(spec, settings);
    let fault = ask(&mut *player, &[], Some(PATIENT)).outcome.unwrap_err();
    let told = fault.detail.split_whitespace().filter_map(|word| word.split_once('='));
    told.filter_map(|(name, errno)| Some((name.to_owned(), errno.parse().ok()?))).collect()
}

/// An engine that tries everything on a file beside it, and on its own.
fn tries(shop: &EngineBuilder, port: u16) -> EngineSpec {
    let canary = shop.path().join("canary");
    for end in ["", ".old"] {
        std::fs::write(shop.path().join(format!("canary{end}")), "alive").unwrap();
    }
    let library = shop.path().join("tries.so");
    let text = |name, path: &Path| format!("-D{name}=\"{}\"", path.display());
    let (canary, own) = (text("CANARY", &canary), text("OWN", &library));
    shop.native(&["-DBAD=TRIES", &canary, &own, &format!("-DPORT={port}")], "tries")
}

#[test]
fn every_wall_that_this_machine_has_is_put_up() {
    let shop = EngineBuilder::new();
    let probe = probe(&shop.bad("GOOD"), &shop.settings()).unwrap();
    let holds = |layer: &str| probe.layers.iter().any(|held| held == layer);
    assert_eq!(holds("landlock"), landlock() > 0, "{:?}", probe.gaps);
    assert_eq!(holds("seccomp"), has_seccomp(), "{:?}", probe.gaps);
    for layer in [
        "parent_death",
        "no_new_privs",
        "no_capabilities",
        "no_core",
        "open_files",
        "cpu_time",
        "no_files",
    ] {
        assert!(holds(layer), "{layer}: {:?} {:?}", probe.layers, probe.gaps);
    }
    for SandboxGap { layer, reason } in &probe.gaps {
        assert!(!holds(layer) && !reason.is_empty(), "{layer}: {reason}");
    }
}

#[test]
fn nothing_outside_is_within_reach() {
    let shop = EngineBuilder::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let spec = tries(&shop, listener.local_addr().unwrap().port());
    let layers = probe(&spec, &shop.settings()).unwrap().layers;
    let outcomes = outcomes(&spec, &shop.settings());
    let is_unseen = layers.iter().any(|held| held == "mount_ns");
    let files = if is_unseen { &UNSEEN } else { &LANDLOCK };
    let absent = ABSENT.map(|name| (name, ENOSYS));
    let calls: Vec<_> = SECCOMP.map(|name| (name, EPERM)).into_iter().chain(absent).collect();
    let sandbox = [("landlock", &files[..]), ("seccomp", &calls)];
    for (layer, attempts) in sandbox {
        for (name, errno) in attempts.iter().filter(|_| layers.iter().any(|held| held == layer)) {
            assert_eq!(outcomes.get(*name), Some(errno), "{name}: {outcomes:?}");
        }
    }
    if layers.iter().any(|held| held == "seccomp") {
        let (create, null) = match landlock() >= CUTS {
            true if is_unseen => (libc::EROFS, 0),
            true => (EACCES, 0),
            false => (EPERM, EPERM),
        };
        let heard = ["create", "null"].map(|name| outcomes.get(name));
        assert_eq!(heard, [Some(&create), Some(&null)], "{outcomes:?}");
    }
    for name in FREE {
        assert_eq!(outcomes.get(name), Some(&0), "{name}: {outcomes:?}");
    }
    assert_eq!(outcomes.len(), LANDLOCK.len() + calls.len() + 2 + FREE.len());
    if layers.iter().any(|held| held == "seccomp") {
        assert!(listener.accept().is_err());
        assert!(!shop.path().join("canary.new").exists());
        assert!(shop.path().join("canary.old").exists());
        assert_eq!(std::fs::read(shop.path().join("canary")).unwrap(), b"alive");
    }
    assert!(!shop.has_processes(), "something that it started is left");
}

/// A library is left what it needs, and hears of nothing else; the record has the name.
#[test]
fn a_call_that_is_not_on_the_list_is_refused_and_named() {
    let shop = EngineBuilder::new();
    let spec = shop.bad("SETS_TIMERS");
    let layers = probe(&spec, &shop.settings()).unwrap().layers;
    if !["seccomp", "landlock"].iter().all(|layer| layers.iter().any(|held| held == layer)) {
        println!("skipped: calls are not filtered here, or not told");
        return;
    }
    let mut player = in_game(&spec, &shop.settings());
    let played = point(&ask(&mut *player, &[], Some(PATIENT))).unwrap().to_string();
    assert_eq!(played, "e5", "it got a timer");
    let said = player.take_said();
    for call in ["timer_create", "setitimer"] {
        let line = format!("was denied the system call `{call}`");
        assert!(said.contains(&line), "{said:?}");
    }
}

#[test]
fn what_honest_libraries_need_is_left_to_them() {
    let shop = EngineBuilder::new();
    let library = shop.path().join(format!("needs{}", std::env::consts::DLL_SUFFIX));
    let own = format!("-DOWN=\"{}\"", library.display());
    let spec = shop.native(&["-DBAD=NEEDS", &own], "needs");
    let mut player = in_game(&spec, &shop.settings());
    let played = ask(&mut *player, &[], Some(PATIENT));
    let said = player.take_said();
    assert_eq!(point(&played).map(|point| point.to_string()).as_deref(), Some("e5"), "{said:?}");
    assert!(!said.iter().any(|line| line.contains("system call")), "{said:?}");
}

#[test]
fn a_required_sandbox_holds_or_refuses() {
    let shop = EngineBuilder::new();
    let (spec, mut settings) = (shop.bad("GOOD"), shop.settings());
    let gaps = probe(&spec, &settings).unwrap().gaps;
    settings.require_sandbox = true;
    match probe(&spec, &settings) {
        Ok(probe) => assert!(gaps.is_empty() && probe.gaps.is_empty()),
        Err(error) => assert!(gaps.iter().all(|gap| error.to_string().contains(&gap.layer))),
    }
    let engine = shop.wasm("empty", "(module)");
    let inside = HostSettings { isolation: WasmIsolation::InProcess, ..settings };
    let error = probe(&engine, &inside).unwrap_err().to_string();
    assert!(error.contains("sandbox is required"), "{error}");
}

#[test]
fn of_the_layers_only_those_that_are_named_are_required() {
    let shop = EngineBuilder::new();
    let (spec, mut settings) = (shop.bad("GOOD"), shop.settings());
    let held = probe(&spec, &settings).unwrap().layers;
    settings.require_sandbox = true;
    settings.require_layers = held.iter().take(2).cloned().collect();
    assert_eq!(probe(&spec, &settings).unwrap().layers, held);
    settings.require_layers.push("a_wall_of_stone".to_owned());
    let error = probe(&spec, &settings).unwrap_err().to_string();
    assert!(error.contains("lacks a_wall_of_stone") && !error.contains(&held[0]), "{error}");
}

#[test]
fn an_engine_keeps_notes_in_its_own_folder_and_leaves_none() {
    let shop = EngineBuilder::new();
    let (spec, mut settings) = (shop.bad("KEEPS_NOTES"), shop.settings());
    let move_of = |settings: &HostSettings| {
        let mut player = in_game(&spec, settings);
        point(&ask(&mut *player, &[], Some(PATIENT))).unwrap().to_string()
    };
    assert_eq!(move_of(&settings), "a1", "it has no folder, and could write all the same");
    assert!(!Path::new("notes").exists());
    settings.folder_mib = Some(4);
    assert_eq!(move_of(&settings), "e5", "it could not write in its folder");
    let layers = probe(&spec, &settings).unwrap().layers;
    assert!(layers.iter().any(|held| held == "file_size"), "{layers:?}");
    let own = format!("tengen-engines-{}-", std::process::id());
    let left = std::fs::read_dir(std::env::temp_dir()).unwrap().flatten();
    assert_eq!(left.filter(|f| f.file_name().to_string_lossy().starts_with(&own)).count(), 0);
}
