//! The layer of system calls: seccomp filters.

use std::collections::BTreeMap;

use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as ArgLen, SeccompCmpOp as Op, SeccompCondition,
    SeccompRule, TargetArch, apply_filter_all_threads, sock_filter,
};

mod denied;
mod dispatch;

use denied::{
    CREATES, DEVICE_REQUESTS, FILE_COMMANDS, FILES, OLD_FILES, OLD_REACH, OLD_RUNS,
    PROCESS_OPTIONS, REACH, RUNS, SENDS, SOCKETS,
};

/// The number of the first system call that is not known here: later ones are as if this kernel
/// did not have them. The numbers of the x32 ABI, which would pass a filter of x86_64, are far
/// beyond it too.
const UNKNOWN: u32 = 463;

/// Calls that programs do without where a kernel has none of them. Their arguments lie in memory,
/// where a filter cannot look.
const ABSENT: [c_long; 2] = [libc::SYS_clone3, libc::SYS_openat2];

/// Flags of `clone` for a namespace of the new process's own, and for a parent that is not this
/// process: the new one would be the arbiter's child.
const AWAY: [i32; 8] = [
    libc::CLONE_PARENT,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
];

/// The rules for one system call: denied if one of them fits; always, if there is none.
type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// What is not forbidden to every engine alike.
#[derive(Clone, Copy)]
pub(super) struct CallPolicy {
    /// It may change the files that other layers leave it.
    pub write: bool,
    /// It may open files as if to create or to truncate them: another layer keeps it from doing so.
    /// Otherwise it could not even open /dev/null as everybody does.
    pub open: bool,
    /// It may run programs, and start processes of its own.
    pub run: bool,
    /// It may send signals to other processes: another layer keeps them among its own.
    pub signal: bool,
    /// It may have sockets of this machine: they reach nobody but its own processes.
    pub local_sockets: bool,
}

/// Forbids this process, for good, what reaches out of it.
pub(super) fn close(call_policy: CallPolicy) -> Result<(), String> {
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(|error| error.to_string())?;
    let absent = Rules::from_iter(ABSENT.map(|call| (call, Vec::new())));
    let denied = denied(std::process::id(), call_policy).map_err(|error| error.to_string())?;
    let mut unknown = unknown();
    unknown.extend(program(absent, libc::ENOSYS, arch)?);
    for program in [unknown, program(denied, libc::EPERM, arch)?] {
        apply_filter_all_threads(&program).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Forbids to send descriptors: what is on its way in a socket is in nobody's account.
pub(super) fn forbid_sending() -> Result<(), String> {
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(|error| error.to_string())?;
    let denied = Rules::from_iter(SENDS.map(|call| (call, Vec::new())));
    let program = program(denied, libc::EPERM, arch)?;
    apply_filter_all_threads(&program).map_err(|error| error.to_string())
}

fn program(rules: Rules, errno: i32, arch: TargetArch) -> Result<BpfProgram, String> {
    let errno = SeccompAction::Errno(errno.unsigned_abs());
    dispatch::program(rules, &SeccompAction::Allow, &errno, arch)
}

/// The head of a program that has no calls from [`UNKNOWN`] on: load the call's number, which is
/// the first word, and answer those at once.
fn unknown() -> BpfProgram {
    let answer = libc::SECCOMP_RET_ERRNO | libc::ENOSYS.unsigned_abs();
    let instruction = |code: u32, jf, k| sock_filter { code: code as u16, jt: 0, jf, k };
    vec![
        instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0),
        instruction(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, 1, UNKNOWN),
        instruction(libc::BPF_RET | libc::BPF_K, 0, answer),
    ]
}

fn denied(own: u32, call_policy: CallPolicy) -> seccompiler::Result<Rules> {
    let mut rules = Rules::new();
    let always = [REACH, OLD_REACH].into_iter().chain([FILES, OLD_FILES]);
    let creates = CREATES.iter().filter(|_| !call_policy.write);
    let runs = RUNS.iter().chain(OLD_RUNS).filter(|_| !call_policy.run);
    for &call in always.flatten().chain(creates).chain(runs) {
        rules.insert(call, Vec::new());
    }
    if call_policy.local_sockets {
        SOCKETS.iter().for_each(|call| drop(rules.remove(call)));
        let is_other = condition(0, Op::Ne, libc::AF_UNIX as u64)?;
        rules.insert(libc::SYS_socket, vec![rule([is_other])?]);
    }
    let own = u64::from(own);
    let not = |value| condition(0, Op::Ne, value);
    // Threads are made by clone as well.
    let thread = libc::CLONE_THREAD as u64;
    let mut clones = AWAY
        .map(|flag| rule([condition(0, Op::MaskedEq(flag as u64), flag as u64)?]))
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    if !call_policy.run {
        clones.push(rule([condition(0, Op::MaskedEq(thread), 0)?])?);
    }
    rules.insert(libc::SYS_clone, clones);
    // A process may signal itself, and its own children where it has some.
    if !(call_policy.run && call_policy.signal) {
        for call in [libc::SYS_kill, libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo] {
            rules.insert(call, vec![rule([not(own)?])?]);
        }
        rules.insert(libc::SYS_rt_tgsigqueueinfo, vec![rule([not(own)?])?]);
    }
    // The arbiter renews this limit, which is no hard one.
    let is_cpu = condition(1, Op::Eq, u64::from(libc::RLIMIT_CPU))?;
    let is_set = SeccompCondition::new(2, ArgLen::Qword, Op::Ne, 0)?;
    let limits = vec![rule([not(0)?, not(own)?])?, rule([is_cpu, is_set])?];
    rules.insert(libc::SYS_prlimit64, limits);
    #[cfg(target_arch = "x86_64")]
    rules.insert(
        libc::SYS_setrlimit,
        vec![rule([condition(0, Op::Eq, u64::from(libc::RLIMIT_CPU))?])?],
    );
    // A pair connects only those who have it. Virtual machines wake their threads by one.
    let pairs = match call_policy.run {
        true => vec![rule([condition(0, Op::Ne, libc::AF_UNIX as u64)?])?],
        false => Vec::new(),
    };
    rules.insert(libc::SYS_socketpair, pairs);
    rules.insert(libc::SYS_prctl, each(0, PROCESS_OPTIONS)?);
    rules.insert(libc::SYS_ioctl, each(1, DEVICE_REQUESTS)?);
    let mut commands = each(1, FILE_COMMANDS)?;
    let signals = libc::O_ASYNC as u64;
    let is_flags = condition(1, Op::Eq, libc::F_SETFL as u64)?;
    commands.push(rule([is_flags, condition(2, Op::MaskedEq(signals), signals)?])?);
    rules.insert(libc::SYS_fcntl, commands);
    if !call_policy.write {
        rules.insert(libc::SYS_openat, opens_to_write(2, call_policy)?);
        #[cfg(target_arch = "x86_64")]
        rules.insert(libc::SYS_open, opens_to_write(1, call_policy)?);
    }
    Ok(rules)
}

/// Flags of opening that change a folder or a file by themselves.
fn opens_to_write(argument: u8, call_policy: CallPolicy) -> seccompiler::Result<Vec<SeccompRule>> {
    let makes = [libc::O_CREAT, libc::O_TRUNC].into_iter().filter(|_| !call_policy.open);
    let flags = makes.chain([libc::O_TMPFILE & !libc::O_DIRECTORY]);
    let flag = |flag: i32| {
        let flag = flag as u64;
        rule([condition(argument, Op::MaskedEq(flag), flag)?])
    };
    flags.map(flag).collect()
}

/// Fits when the argument is one of these.
fn each(argument: u8, values: &[u64]) -> seccompiler::Result<Vec<SeccompRule>> {
    values.iter().map(|value| rule([condition(argument, Op::Eq, *value)?])).collect()
}

/// Fits when all the conditions do.
fn rule<const N: usize>(conditions: [SeccompCondition; N]) -> seccompiler::Result<SeccompRule> {
    Ok(SeccompRule::new(conditions.into())?)
}

fn condition(argument: u8, op: Op, value: u64) -> seccompiler::Result<SeccompCondition> {
    Ok(SeccompCondition::new(argument, ArgLen::Dword, op, value)?)
}
