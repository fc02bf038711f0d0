//! The layers of the sandbox, with each of them removed in turn: what it stopped, another layer
//! must stop, or the test says that none does. For root and for a plain user.

use tengen_arbiter::Termination::{Crash, ResourceLimit};
use tengen_record::GameRecord;
use tengen_rules::Seat;
use tengen_testkit::shared_objects;

use crate::common::repository;
use crate::crowd::{Crowd, CrowdOutcome, User};
use crate::exhibit::ExpectedEnding::{Loses, Plays};
use crate::exhibit::{self, Exhibit};
use crate::show::{holds, judge, seat};
use crate::special::BUFFERS;
use crate::{brain, in_c};

/// What an engine may reach for, by the names in `attacks.h`, and the layers of which each alone
/// keeps it off. Where none holds, that is said.
const REACHES: &[(&str, &[&str])] = &[
    ("sigio", &["seccomp", "pid_ns"]),
    ("lease", &["seccomp", "own_user"]),
    ("watch", &["seccomp"]),
    ("clock", &["seccomp", "no_capabilities"]),
    ("siblings", &["pid_ns", "landlock", "own_user"]),
    ("secret", ALWAYS),
    ("neighbours", &["mount_ns", "landlock"]),
    ("stat", &["mount_ns"]),
    ("overwrite", &["mount_ns", "landlock", "own_user"]),
    ("settings", &["mount_ns", "landlock", "own_user"]),
    ("groups", &["mount_ns", "landlock", "own_user"]),
    ("signals", &["pid_ns", "landlock_signals", "own_user"]),
    ("ipc", ALWAYS),
    ("network", &["net_ns", "seccomp"]),
    ("devices", &["mount_ns", "landlock"]),
    ("locks", &["seccomp"]),
    ("hints", &["seccomp"]),
    ("outside", &["mount_ns", "landlock"]),
    ("around", &["seccomp"]),
    ("namespaces", &["seccomp"]),
];
/// No layer is needed for that: every engine has this one.
const ALWAYS: &[&str] = &["parent_death"];

const REACHES_ALL: [Exhibit; 2] = [
    // Its log is only told where it fails.
    exhibit::native("", &["BAD=ATTACKS", "ATTACK=ATTACK_ALL"], Loses(Crash)).memory(64),
    exhibit::brain("", &["BAD=ATTACKS", "ATTACK=ATTACK_ALL"], Plays).memory(64),
];

/// Every attack is named here once, however it ends in a layer.
fn walls_against(attack: &str) -> &'static [&'static str] {
    let known = REACHES.iter().find(|(name, _)| *name == attack);
    known.unwrap_or_else(|| panic!("{attack} is not in the table")).1
}

/// What bursts, and must be stopped by whatever is there. A program may do all of it.
fn bombs() -> Vec<Exhibit> {
    let is_bomb = |exhibit: &&Exhibit| {
        let folder = exhibit.event.is_empty() || exhibit.event.contains("folder-limit");
        exhibit.ends == Loses(ResourceLimit) && folder && !exhibit.does.contains("flood")
    };
    brain::ALL.iter().chain(brain::shared::ALL).chain([&BUFFERS]).filter(is_bomb).copied().collect()
}

/// What leaves folders behind that are hard to remove.
fn leftovers() -> Vec<Exhibit> {
    let leaves = |exhibit: &&Exhibit| {
        let is = |attack: &str| exhibit.defines().iter().any(|define| define.ends_with(attack));
        is("ATTACK_NEST") || is("ATTACK_CLOSED")
    };
    in_c().filter(leaves).copied().collect()
}

/// What is done to others, or with what others have.
fn attacks() -> Vec<Exhibit> {
    let does = |exhibit: &&Exhibit| {
        exhibit.defines().first() == Some(&"BAD=ATTACKS")
            || [
                "READS_CANARY",
                "CONNECTS",
                "WRITES_FILE",
                "FORGES_READY",
                "LEAVES",
                "WORK",
                "CHURNS",
            ]
            .iter()
            .any(|word| exhibit.defines().iter().any(|define| define.contains(word)))
    };
    let is_plain =
        |exhibit: &&Exhibit| exhibit.event.is_empty() || exhibit.event.contains("folder");
    // What bursts is tried below, where this user has no namespaces.
    let bursts = |exhibit: &&Exhibit| exhibit.ends == Loses(ResourceLimit);
    in_c().filter(does).filter(is_plain).filter(|exhibit| !bursts(exhibit)).copied().collect()
}

/// Runs what reaches out, and asserts that nothing of it comes of what a layer still holds, and
/// that the lack of the others is said.
fn lean(user: User, without: &[&str], bombs: &[Exhibit]) {
    if !user.is_here() {
        return;
    }
    let exhibits = [&REACHES_ALL[..], bombs].concat();
    let shown = Crowd { without, ..Crowd::of(&exhibits, user) }.run();
    let is_confined = |(id, record): &(String, GameRecord)| {
        let seat = seat(record, id).expect("it sits there");
        ["seccomp", "ipc_ns"].iter().any(|layer| holds(record, seat, layer))
    };
    let left = shared_objects(KEY);
    assert!(left.is_empty() || !shown.games.iter().all(is_confined), "{left:?} of its key is left");
    for ((id, record), exhibit) in shown.games.iter().zip(&exhibits) {
        judge(record, id, exhibit.ends);
        assert_lack_is_told(&shown, id, record, without);
        if exhibit.does.is_empty() {
            assert_held(id, record);
        }
    }
}

/// The key of `attacks.h`.
const KEY: u32 = 0x7e4e_1234;

/// Asserts that what it got is behind no layer that it had.
fn assert_held(id: &str, record: &GameRecord) {
    let seat = seat(record, id).expect("it sits there");
    let said = record.actions.iter().flat_map(|action| &action.said);
    let told = said.chain(&record.detail).find_map(|line| line.split_once("tried all, got:"));
    let got = told.unwrap_or_else(|| panic!("{id}: {:?}", record.detail)).1;
    for attack in got.split_whitespace() {
        let held: Vec<_> =
            walls_against(attack).iter().filter(|layer| holds(record, seat, layer)).collect();
        assert!(held.is_empty(), "{id} got {attack}, in spite of {held:?}");
    }
}

/// Asserts that a record does not name a layer that is not there, and that the terminal does.
fn assert_lack_is_told(shown: &CrowdOutcome, id: &str, record: &GameRecord, without: &[&str]) {
    let seat = seat(record, id).expect("it sits there");
    for layer in without {
        if holds(record, seat, layer) {
            assert!(OF_ROOT.contains(layer), "{id} has {layer}, which was taken away");
            println!("skipped: {layer} cannot be taken away by this user");
        } else if needs(record, layer) {
            let mut words = shown.told.split(|c: char| !c.is_alphanumeric() && c != '_');
            assert!(words.any(|word| word == *layer), "no word of {layer} in:\n{}", shown.told);
        }
    }
}

/// What only root takes away.
const OF_ROOT: [&str; 3] = ["cgroup_memory", "cgroup_pids", "cgroup_cpu"];

/// Whether that layer is missed: root has the other namespaces without one of users.
fn needs(record: &GameRecord, layer: &str) -> bool {
    layer != "user_ns" || !holds_any(record, "mount_ns")
}

fn holds_any(record: &GameRecord, layer: &str) -> bool {
    Seat::ALL.into_iter().any(|seat| holds(record, seat, layer))
}

/// A test for each layer, by name, and for some what bursts beside what reaches out: where no limit
/// comes of the layer, that takes time and shows nothing.
macro_rules! each_layer {
    ($user:ident: $($layer:ident $(with $bombs:expr)?;)*) => {
        $(
            #[test]
            fn $layer() {
                let bombs: &[crate::exhibit::Exhibit] = &[];
                $(let bombs = &[bombs, &$bombs].concat();)?
                super::lean(super::User::$user, &[stringify!($layer)], bombs);
            }
        )*
    };
}

mod root {
    each_layer! { Own:
        seccomp;
        landlock;
        landlock_tcp;
        landlock_signals;
        mount_ns with [super::bombs(), super::leftovers()].concat();
        pid_ns with super::bombs();
        net_ns;
        ipc_ns;
        uts_ns;
        cgroup_ns;
        cgroup_memory with super::bombs();
        cgroup_pids with super::bombs();
        cgroup_cpu;
        no_capabilities;
        no_new_privs;
        own_user with super::leftovers();
        memory;
        open_files;
        file_size;
    }
}

mod plain {
    each_layer! { Plain:
        seccomp;
        landlock;
        landlock_tcp;
        landlock_signals;
        mount_ns with super::leftovers();
        pid_ns;
        net_ns;
        ipc_ns;
        uts_ns;
        cgroup_ns;
        user_ns with [super::bombs(), super::leftovers()].concat();
        no_capabilities;
        no_new_privs;
        memory;
        open_files;
        file_size;
    }
}

#[test]
fn a_plain_users_tengen_meets_every_attack() {
    if !User::Plain.is_here() {
        return;
    }
    let exhibits = attacks();
    let shown = Crowd::of(&exhibits, User::Plain).run();
    for ((id, record), exhibit) in shown.games.iter().zip(&exhibits) {
        judge(record, id, exhibit.ends);
    }
}

/// Landlock walks up from every folder, which takes long.
#[test]
fn folders_on_a_disk_are_removed_however_deep() {
    const DEEP: Exhibit = exhibit::brain(
        "makes 5,000 folders in each other",
        &["BAD=ATTACKS", "ATTACK=ATTACK_NEST", "DEPTH=5000"],
        Plays,
    );
    for user in [User::Own, User::Plain].into_iter().filter(|user| user.is_here()) {
        let crowd = Crowd {
            folder: "70MiB",
            without: &["mount_ns", "landlock"],
            ..Crowd::of(&[DEEP], user)
        };
        for (id, record) in crowd.run().games {
            judge(&record, &id, DEEP.ends);
        }
    }
}

/// What takes all that a user may have is no fault of an engine that plays beside it.
#[test]
fn an_arbiter_that_may_have_little_blames_no_engine() {
    let brain = |defines| exhibit::brain("", defines, Loses(ResourceLimit)).tc("move=2");
    let exhibits = [
        brain(&["BAD=FORK_BOMB"]),
        brain(&["BAD=ORPHAN_BOMB"]),
        brain(&["BAD=THREAD_BOMB"]),
        brain(&["BAD=ATTACKS", "ATTACK=ATTACK_BUFFERS"]),
    ];
    let limits = ["--nofile=64", "--nproc=60"];
    for user in [User::Own, User::Alone].into_iter().filter(|user| user.is_here()) {
        let shown = Crowd { limits: &limits, ..Crowd::of(&exhibits, user) }.run();
        for (id, record) in &shown.games {
            let lost = record.result.winner.map(|winner| !winner);
            assert_eq!(lost, seat(record, id), "{id}: {:?} {:?}", record.result, record.detail);
        }
    }
}

#[test]
fn every_name_of_an_attack_is_in_the_table() {
    let source = std::fs::read_to_string(repository("tests/engines/attacks.h")).unwrap();
    let names = source.split_once("attack_names[ATTACK_ALL] = {").unwrap().1;
    let names = names.split_once('}').unwrap().0;
    let mut names: Vec<_> = names.split('"').skip(1).step_by(2).collect();
    names.retain(|name| *name != "none");
    let known: Vec<_> = REACHES.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, known);
}
