//! Processes of one engine, one after the other: a later one comes from a process that is ready to
//! be one, and finds nothing of those before it.
#![cfg(target_os = "linux")]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use common::{EngineBuilder, PATIENT, ask, command, point, quirk, setup, stat_field, within};
use tengen_hosts::{EngineSpec, HostSettings, RestartPolicy, player, probe};
use tengen_players::Player;

/// Longer than anything takes here.
const LONG: Duration = Duration::from_secs(60);

fn restarting(shop: &EngineBuilder) -> HostSettings {
    HostSettings { restart: RestartPolicy::On, ..shop.settings() }
}

/// Begins a game and gives the one process that runs an engine then.
fn process_of_game(shop: &EngineBuilder, player: &mut dyn Player) -> u32 {
    player.new_game(&setup()).expect("a game begins");
    assert!(point(&ask(player, &[], Some(PATIENT))).is_some());
    let [pid] = shop.processes()[..] else { panic!("{:?}", shop.processes()) };
    pid
}

/// The processes of the zygotes of this process.
fn zygotes() -> Vec<u32> {
    zygotes_of(std::process::id())
}

fn zygotes_of(arbiter: u32) -> Vec<u32> {
    let own = arbiter.to_string();
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let numbers = processes.filter_map(|process| process.file_name().to_str()?.parse().ok());
    let is_one = |pid: &u32| {
        let command = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let mut words = command.split(|byte| *byte == 0).skip(2);
        words.next() == Some(b"--zygote") && words.next() == Some(own.as_bytes())
    };
    numbers.filter(is_one).collect()
}

/// What the system says of a process that is the same of every process of an engine.
fn traits(pid: u32) -> BTreeMap<String, String> {
    let read = |file: &str| fs::read_to_string(format!("/proc/{pid}/{file}")).unwrap_or_default();
    let link = |file: &str| {
        let link = fs::read_link(format!("/proc/{pid}/{file}")).unwrap_or_default();
        link.to_string_lossy().into_owned()
    };
    let mut traits = BTreeMap::new();
    for line in read("status").lines() {
        let (key, value) = line.split_once(':').unwrap();
        let same = [
            "Name",
            "Umask",
            "PPid",
            "Groups",
            "Threads",
            "SigIgn",
            "SigCgt",
            "SigBlk",
            "CapInh",
            "CapPrm",
            "CapEff",
            "CapBnd",
            "CapAmb",
            "NoNewPrivs",
            "Seccomp",
            "Seccomp_filters",
            "Cpus_allowed_list",
        ];
        if same.contains(&key) {
            traits.insert(key.to_owned(), value.to_owned());
        }
    }
    traits.insert("limits".to_owned(), read("limits"));
    traits.insert("cmdline".to_owned(), read("cmdline"));
    traits.insert("oom".to_owned(), read("oom_score_adj"));
    traits.insert("program".to_owned(), link("exe"));
    traits.insert("folder".to_owned(), link("cwd"));
    traits.insert("root".to_owned(), link("root"));
    let names = read("environ");
    let names: Vec<_> = names.split('\0').filter_map(|one| one.split('=').next()).collect();
    traits.insert("environ".to_owned(), format!("{names:?}"));
    let mounts = read("mountinfo");
    let mounts: Vec<_> = mounts.lines().filter_map(|line| line.split(' ').nth(5)).collect();
    traits.insert("mounts".to_owned(), format!("{mounts:?}"));
    let descriptors = fs::read_dir(format!("/proc/{pid}/fd")).unwrap().count();
    traits.insert("descriptors".to_owned(), descriptors.to_string());
    let group = stat_field(pid, 5);
    let own = std::process::id().to_string();
    traits.insert("group".to_owned(), (group != Some(own)).to_string());
    traits
}

#[test]
fn a_later_process_is_as_the_first() {
    let shop = EngineBuilder::new();
    let mut player = player(&quirk(&shop, "fast"), &restarting(&shop));
    let first = process_of_game(&shop, &mut *player);
    let known = traits(first);
    assert_eq!(zygotes(), [0; 0], "nothing is made for an engine that is started once");
    for _ in 0..3 {
        let next = process_of_game(&shop, &mut *player);
        assert_ne!(next, first);
        assert_eq!(traits(next), known);
        assert_eq!(zygotes().len(), 1);
    }
    let all = shop.all_processes();
    drop(player);
    assert!(!shop.has_processes(), "{all:?}");
    assert!(within(LONG, || zygotes().is_empty()), "it ends with its engines");
}

#[test]
fn a_zygote_that_is_killed_is_replaced() {
    let shop = EngineBuilder::new();
    let mut player = player(&quirk(&shop, "fast"), &restarting(&shop));
    let mut game = || process_of_game(&shop, &mut *player);
    game();
    game();
    let [zygote] = zygotes()[..] else { panic!("{:?}", zygotes()) };
    let pid = rustix::process::Pid::from_raw(zygote.try_into().unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    game();
    game();
    assert!(zygotes().iter().any(|other| *other != zygote), "{:?}", zygotes());
}

#[test]
fn nothing_outlives_an_arbiter_that_is_killed_between_games() {
    let shop = EngineBuilder::new();
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.args(["--ignored", "--exact", "--test-threads=1", "plays_until_it_is_killed"]);
    let mut arbiter = again.env("TMPDIR", shop.path()).stdout(Stdio::null()).spawn().unwrap();
    let number = arbiter.id();
    assert!(within(LONG, || !zygotes_of(number).is_empty()), "it plays a second game");
    arbiter.kill().unwrap();
    arbiter.wait().unwrap();
    let is_left = || shop.all_processes().len() + zygotes_of(number).len();
    assert!(within(LONG, || is_left() == 0), "{:?}", shop.all_processes());
}

#[test]
#[ignore = "run by the test before"]
fn plays_until_it_is_killed() {
    let shop = EngineBuilder::new();
    let mut player = player(&quirk(&shop, "fast"), &restarting(&shop));
    loop {
        process_of_game(&shop, &mut *player);
    }
}

/// Tells in MESSAGE lines what it finds of those before it, and leaves all that it can.
const LEAVES: &str = r#"
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)

def find():
    found = []
    with open('/proc/self/net/unix') as table:
        found += [line.strip() for line in table][1:]
    with open('/proc/sysvipc/shm') as table:
        found += [line.strip() for line in table][1:]
    found += [name for name in os.listdir(os.environ['TMPDIR']) if name != 'pbrain-leaves.py']
    found += [name for name in os.listdir('/tmp') if name.startswith('left')]
    own = (1, os.getpid())
    found += [pid for pid in os.listdir('/proc') if pid.isdigit() and int(pid) not in own]
    return found

def leave():
    import socket
    kept = socket.socketpair()
    for folder in (os.environ['TMPDIR'], '/tmp'):
        with open(folder + '/left', 'w') as file:
            file.write('x' * 4096)
    libc.shmget(4711, 4096, 0o1666)
    if os.fork() == 0:
        os.setsid()
        while True:
            libc.sleep(1000)
    return kept

for line in sys.stdin:
    words = line.split()
    if words[:1] == ['START']:
        print('OK', flush=True)
    elif words[:1] == ['ABOUT']:
        print('name="Leaves"', flush=True)
    elif words[:1] == ['SWAP2BOARD']:
        print('UNKNOWN', flush=True)
    elif words[:1] == ['BEGIN']:
        print('MESSAGE network', os.readlink('/proc/self/ns/net'))
        print('MESSAGE found', find(), flush=True)
        kept = leave()
        print('7,7', flush=True)
    elif words[:1] == ['END']:
        break
"#;

#[test]
fn a_later_process_finds_nothing_of_those_before_it() {
    let shop = EngineBuilder::new();
    fs::write(shop.path().join("pbrain-leaves.py"), LEAVES).unwrap();
    let spec: EngineSpec = command(&shop, "cmd:python3 pbrain-leaves.py");
    let layers = probe(&spec, &restarting(&shop)).unwrap().layers;
    if !["pid_ns", "net_ns", "ipc_ns", "mount_ns"].iter().all(|one| layers.iter().any(|l| l == one))
    {
        println!("skipped: {layers:?}");
        return;
    }
    let mut player = player(&spec, &restarting(&shop));
    let mut networks = Vec::new();
    for _ in 0..4 {
        player.new_game(&setup()).unwrap();
        let reply = ask(&mut *player, &[], Some(PATIENT));
        assert!(point(&reply).is_some(), "{reply:?}");
        let said = player.take_said();
        assert!(said.iter().any(|line| line == "MESSAGE found []"), "{said:?}");
        networks.extend(said.into_iter().find(|line| line.starts_with("MESSAGE network")));
    }
    let own = fs::read_link("/proc/self/ns/net").unwrap();
    let own = format!("MESSAGE network {}", own.display());
    assert!(networks.len() == 4 && networks.iter().all(|network| *network != own), "{networks:?}");
}
