//! The kernel's walls of the sandbox, tested from inside, for root and for a plain user. What the
//! kernel here does not have is skipped, with a note.
#![cfg(target_os = "linux")]

mod common;

use std::fs;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::os::unix::process::CommandExt;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use common::{EngineBuilder, PATIENT, ask, in_game, point, within};
use tengen_arbiter::Failure;
use tengen_hosts::{EngineSpec, HostSettings, probe};
use tengen_players::Fault;
use tengen_testkit::{control_groups, descriptors, shared_objects};

/// A user that owns nothing.
const NOBODY: u32 = 65534;
/// How many engines are started, a sixth of which is killed, and how many at once.
const MANY: usize = 1000;
const AT_ONCE: usize = 4;
/// Longer than anything here takes.
const LONG: Duration = Duration::from_secs(60);
/// That of `attacks.h`: nothing else on a machine has it.
const KEY: u32 = 0x7e4e_1234;

/// A brain of `walls.c` that leans on that wall.
fn leaning(shop: &EngineBuilder, wall: &str) -> EngineSpec {
    let program = shop.path().join("pbrain-walls");
    if !program.exists() {
        common::compile("platform/hosts/tests/engines/walls.c", &program, &["-w", "-O1"]);
    }
    common::command(shop, &format!("cmd:./pbrain-walls {wall}"))
}

/// A brain in the language of the shell that plays h8 where a command succeeds, and a15 where not.
fn asking(shop: &EngineBuilder, condition: &str) -> EngineSpec {
    let text = format!(
        "#!/bin/sh\nwhile read -r line; do case $line in\nSTART*|RESTART*) echo OK;;\n\
         BEGIN*) if {condition}; then echo 7,7; else echo 0,0; fi;;\nEND*) exit 0;;\nesac\ndone\n"
    );
    let folder = shop.path().join("asking");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("pbrain-asking");
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let found = tengen_hosts::package::command("cmd:./pbrain-asking", Some(&folder), None);
    found.unwrap().unwrap()
}

fn holds(spec: &EngineSpec, settings: &HostSettings, layers: &[&str]) -> bool {
    let probe = probe(spec, settings).unwrap();
    let lacks = layers.iter().find(|layer| !probe.layers.iter().any(|held| held == *layer));
    if let Some(lacks) = lacks {
        println!("skipped: no {lacks} here: {:?}", probe.gaps);
    }
    lacks.is_none()
}

fn plays(spec: &EngineSpec, settings: &HostSettings) -> String {
    let mut player = in_game(spec, settings);
    let reply = ask(&mut *player, &[], Some(PATIENT));
    point(&reply).unwrap_or_else(|| panic!("{reply:?}")).to_string()
}

fn fault_of(spec: &EngineSpec, settings: &HostSettings) -> Fault {
    let mut player = in_game(spec, settings);
    ask(&mut *player, &[], Some(PATIENT)).outcome.unwrap_err()
}

fn memory_in_orphans(shop: &EngineBuilder) {
    let settings = shop.settings();
    if !holds(&leaning(shop, "none"), &settings, &["pid_ns"]) {
        return;
    }
    let mut spec = leaning(shop, "memory");
    spec.memory_mib = Some(200);
    let fault = fault_of(&spec, &settings);
    assert_eq!(fault.failure, Failure::ResourceLimit, "{}", fault.detail);
    assert!(fault.detail.contains("of memory, of 200"), "{}", fault.detail);
    assert!(!shop.has_processes(), "an orphan is left");
}

fn processes_without_parents(shop: &EngineBuilder) {
    let settings = shop.settings();
    if !holds(&leaning(shop, "none"), &settings, &["pid_ns"]) {
        return;
    }
    let fault = fault_of(&leaning(shop, "processes"), &settings);
    assert_eq!(fault.failure, Failure::ResourceLimit, "{}", fault.detail);
    assert!(fault.detail.contains("processes, of 64 at most"), "{}", fault.detail);
    assert!(!shop.has_processes(), "an orphan is left");
}

fn a_full_folder(shop: &EngineBuilder) {
    let settings = HostSettings { folder_mib: Some(4), ..shop.settings() };
    if !holds(&leaning(shop, "none"), &settings, &["mount_ns"]) {
        return;
    }
    for way in ["allocated", "unlinked", "hidden"] {
        let fault = fault_of(&leaning(shop, way), &settings);
        assert_eq!(fault.failure, Failure::ResourceLimit, "{way}: {}", fault.detail);
        assert!(fault.detail.contains("of 4 MiB"), "{way}: {}", fault.detail);
    }
}

fn what_is_outside(shop: &EngineBuilder) {
    let settings = shop.settings();
    if !holds(&asking(shop, "true"), &settings, &["mount_ns", "pid_ns", "net_ns"]) {
        return;
    }
    fs::create_dir(shop.path().join("other")).unwrap();
    fs::write(shop.path().join("other/weights"), "theirs").unwrap();
    let (own, here) = (std::process::id(), env!("CARGO_MANIFEST_DIR"));
    // Landlock leaves a process its own folder of /proc, and not that of a program it starts.
    let lines = "n=0; while read -r l; do n=$((n+1)); done";
    for (what, condition) in [
        ("another engine's files", "[ ! -e ../other ] && [ ! -e ../other/weights ]".to_owned()),
        ("the host's files", format!("[ ! -e /etc/shadow ] && [ ! -e {here} ]")),
        ("the host's devices", "[ ! -e /dev/kmsg ] && [ ! -e /dev/mqueue ]".to_owned()),
        ("the arbiter", format!("[ ! -e /proc/{own} ]")),
        (
            "the host's mounts",
            format!("{lines} < /proc/self/mountinfo; [ $n -gt 3 ] && [ $n -lt 99 ]"),
        ),
        ("the old root", "[ ! -e /.outside ]".to_owned()),
        ("the network", format!("{lines} < /proc/self/net/dev; [ $n -le 3 ]")),
        ("a program that it could change", "! touch \"$0\" && ! echo >> \"$0\"".to_owned()),
        ("a root that it could change", "! echo x > /x && ! mkdir /dev/x".to_owned()),
        ("its folder", "echo x > \"$TMPDIR/x\" && [ $(cat \"$TMPDIR/x\") = x ]".to_owned()),
        (
            "devices",
            "echo x > /dev/null && head -c 1 /dev/zero && head -c 1 /dev/urandom".to_owned(),
        ),
    ] {
        let condition = format!("{{ {condition}; }} > \"$TMPDIR/out\" 2>&1");
        assert_eq!(plays(&asking(shop, &condition), &settings), "h8", "{what}");
    }
}

fn own_user(shop: &EngineBuilder) {
    let settings = shop.settings();
    let spec = asking(shop, "true");
    if !holds(&spec, &settings, &["own_user"]) {
        return;
    }
    let own = rustix::process::geteuid().as_raw();
    for (what, condition) in [
        ("another user", format!("[ $(id -u) -ge 1879048192 ] && [ $(id -u) != {own} ]")),
        ("no other group", "[ \"$(id -G)\" = \"$(id -u)\" ]".to_owned()),
        (
            "its folder",
            "echo x > \"$TMPDIR/y\" && mkdir \"$TMPDIR/z\" && ls \"$TMPDIR\"".to_owned(),
        ),
        ("its pipes by name", "echo x > /dev/stderr && : > /proc/self/fd/2".to_owned()),
        ("files of its organiser alone", "cat secret".to_owned()),
        ("the kernel's settings", "! echo x > /proc/sys/kernel/core_pattern".to_owned()),
        ("a file that it could change", "! chmod 777 \"$0\"".to_owned()),
        ("a folder for every user", "[ $(stat -c %a /tmp) = 1777 ] && echo x > /tmp/x".to_owned()),
        ("shared memory", "[ $(readlink /dev/shm) = /tmp ] && echo x > /dev/shm/y".to_owned()),
        ("its package", "cat \"$0\" && ls . && ! echo x > z".to_owned()),
        ("itself", "cat /proc/self/maps && read -r x < /proc/self/cgroup".to_owned()),
    ] {
        let secret = shop.path().join("asking/secret");
        fs::write(&secret, "its own").unwrap();
        fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).unwrap();
        let condition = format!("{{ {condition}; }} > /dev/null");
        assert_eq!(plays(&asking(shop, &condition), &settings), "h8", "{what}");
    }
    // A program that only its owner may run is run by its owner.
    let program = shop.path().join("asking/pbrain-asking");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
    let probe = probe(&spec, &settings).unwrap();
    let gap = probe.gaps.iter().find(|gap| gap.layer == "own_user").unwrap();
    assert!(gap.reason.contains("chmod o+x"), "{gap}");
}

/// Without its namespaces and with every other wall left out, an engine of root's is still another
/// user than its opponent and the arbiter.
fn each_wall_alone(shop: &EngineBuilder) {
    let settings = shop.settings();
    if !holds(&asking(shop, "true"), &settings, &["own_user"]) {
        return;
    }
    let left_out = ["pid_ns", "mount_ns", "net_ns", "landlock", "seccomp"];
    let left_out = left_out.map(str::to_owned).to_vec();
    let settings = HostSettings { left_out: left_out.clone(), ..settings };
    let _opponent = in_game(&leaning(shop, "none"), &settings);
    let others = [std::process::id(), shop.processes()[0]];
    let keeps_off = |pid: &u32| {
        let files = ["environ", "mem", "maps", "fd/0"].map(|file| {
            format!("! cat /proc/{pid}/{file} > /dev/null && ! echo > /proc/{pid}/{file}")
        });
        format!("[ -d /proc/{pid} ] && ! kill -0 {pid} && {}", files.join(" && "))
    };
    let condition = others.iter().map(keeps_off).collect::<Vec<_>>().join(" && ");
    let spec = asking(shop, &condition);
    let probe = probe(&spec, &settings).unwrap();
    for layer in &left_out {
        let gap = probe.gaps.iter().find(|gap| gap.layer == *layer);
        assert!(
            gap.is_some_and(|gap| gap.reason.contains("left out")),
            "{layer}: {:?}",
            probe.gaps
        );
    }
    assert_eq!(plays(&spec, &settings), "h8");
}

/// Sockets of this machine, for an engine that asks for them: they reach its own processes.
fn sockets_of_its_own(shop: &EngineBuilder) {
    let settings = shop.settings();
    let mut spec = leaning(shop, "sockets");
    if !holds(&spec, &settings, &["mount_ns", "net_ns", "seccomp", "landlock"]) {
        return;
    }
    let name = format!("tengen-walls-{}", std::process::id());
    let address = SocketAddr::from_abstract_name(&name).unwrap();
    let _listener = UnixListener::bind_addr(&address).unwrap();
    // Not in its package, which it sees.
    let outside = tempfile::tempdir().unwrap();
    let at = outside.path().join("listener");
    let _other = UnixListener::bind(&at).unwrap();
    spec.launch.as_mut().unwrap().arguments.extend([name, at.display().to_string()]);
    assert_eq!(plays(&spec, &settings), "a15", "it has not asked for any");
    spec.needs.local_sockets = true;
    assert_eq!(plays(&spec, &settings), "h8");
    let without = HostSettings { left_out: vec!["net_ns".to_owned()], ..settings };
    assert_eq!(plays(&spec, &without), "a15", "they would reach others");
}

/// What the test itself holds, and what a machine has that is of no folder.
fn holdings() -> [Vec<String>; 3] {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let mut mounts: Vec<_> = mounts.lines().map(str::to_owned).collect();
    mounts.sort();
    let shared = shared_objects(KEY).into_iter().map(str::to_owned).collect();
    [descriptors(), mounts, shared]
}

/// Starts engines that each end in their own way, and ends them.
fn come_and_go(shop: &EngineBuilder, settings: &HostSettings, specs: &[EngineSpec], count: usize) {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        break;
                    }
                    let spec = &specs[number % specs.len()];
                    let mut player = in_game(spec, settings);
                    // One that is late is killed; others crash, or end as they are told.
                    let _whatever = ask(&mut *player, &[], Some(common::BRIEF));
                }
            });
        }
    });
    assert!(!shop.has_processes(), "a process is left");
}

fn what_is_left(shop: &EngineBuilder) {
    // Its length is no matter here, and the machine may stand still for minutes.
    let settings = HostSettings { startup: 60 * HostSettings::STARTUP, ..shop.settings() };
    let specs = [
        leaning(shop, "none"),
        leaning(shop, "waits"),
        shop.bad("GOOD"),
        shop.bad("CRASH"),
        common::bad_brain(shop, "LEAVES_ORPHANS"),
        shop.native(&["-DBAD=ATTACKS", "-DATTACK=ATTACK_IPC"], "ipc"),
    ];
    // What the process makes once and keeps.
    come_and_go(shop, &settings, &specs, specs.len());
    assert!(within(LONG, || !is_listening()));
    let before = holdings();
    come_and_go(shop, &settings, &specs, MANY);
    assert!(within(LONG, || !is_listening()));
    assert_eq!(holdings(), before, "something is left");
    let own = format!("tengen-engines-{}-", std::process::id());
    let folders = fs::read_dir(std::env::temp_dir()).unwrap().flatten();
    assert_eq!(folders.filter(|f| f.file_name().to_string_lossy().starts_with(&own)).count(), 0);
    let own = format!("tengen-{}-", std::process::id());
    let groups = control_groups(&own);
    assert!(groups.is_empty(), "{groups:?}");
}

/// Whether the thread still runs that hears what engines are denied. Its end is not waited for.
fn is_listening() -> bool {
    let threads = fs::read_dir("/proc/self/task").unwrap().flatten();
    let mut names = threads.filter_map(|task| fs::read_to_string(task.path().join("comm")).ok());
    names.any(|name| name.trim() == "denials")
}

/// Runs the test of that name again as a user that owns nothing.
fn as_nobody(name: &str) {
    if !rustix::process::geteuid().is_root() {
        println!("skipped: only root becomes another user");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::chown(folder.path(), Some(NOBODY), Some(NOBODY)).unwrap();
    let mut again = again(name);
    again.env("TMPDIR", folder.path()).env("HOME", folder.path()).current_dir(folder.path());
    match again.uid(NOBODY).gid(NOBODY).output() {
        Ok(output) => assert_passed(&output),
        Err(error) => println!("skipped: this test cannot be run by another user: {error}"),
    }
}

/// The test of that name, in a process of its own.
fn again(name: &str) -> Command {
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.args(["--ignored", "--exact", "--nocapture", name]);
    again
}

fn assert_passed(output: &Output) {
    let told = String::from_utf8_lossy(&output.stdout);
    println!("{told}");
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
    assert!(told.contains("1 passed"), "{told}");
}

macro_rules! both {
    ($($test:ident: $what:ident;)*) => {
        $(
            #[test]
            fn $test() {
                // Some count what the whole process holds.
                assert_passed(&again(concat!("again::", stringify!($test))).output().unwrap());
            }
        )*

        mod plain {
            $(
                #[test]
                fn $test() {
                    super::as_nobody(concat!("again::", stringify!($test)));
                }
            )*
        }

        mod again {
            $(
                #[test]
                #[ignore = "run in a process of its own, by another user too"]
                fn $test() {
                    super::$what(&super::EngineBuilder::new());
                }
            )*
        }
    };
}

both! {
    memory_counts_in_processes_without_parents: memory_in_orphans;
    processes_count_without_their_parents: processes_without_parents;
    no_file_is_beyond_the_limit_of_its_folder: a_full_folder;
    an_engine_sees_its_own_files_and_no_others: what_is_outside;
    an_engine_of_root_is_a_user_of_its_own: own_user;
    an_engine_reaches_no_process_without_other_walls: each_wall_alone;
    sockets_of_this_machine_reach_its_own_processes: sockets_of_its_own;
    nothing_is_left_of_engines_that_were_started_and_killed: what_is_left;
}
