//! The layer of system calls: seccomp filters.

use std::collections::BTreeMap;

use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as ArgLen, SeccompCmpOp as Op, SeccompCondition,
    SeccompRule, TargetArch, apply_filter_all_threads, sock_filter,
};

mod allowed;
mod denied;
mod dispatch;
pub(super) mod names;

use denied::{
    CREATES, DEVICE_REQUESTS, FILE_COMMANDS, FILES, HANDLES, LOCK_COMMANDS, OLD_FILES, OLD_REACH,
    PROCESS_OPTIONS, REACH, SENDS, SOCKETS,
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
    /// Otherwise it could not even open /dev/null as every program does.
    pub open: bool,
    /// It may run programs, and start processes of its own.
    pub run: bool,
    /// It may lock files and change their rights and times, as compilers do: those of others are
    /// kept from it by what it sees, which other layers make read-only.
    pub build: bool,
    /// It may send signals to other processes: another layer keeps them among its own.
    pub signal: bool,
    /// It may have sockets of this machine: they reach its own processes alone.
    pub local_sockets: bool,
}

/// What becomes of a call that a library is not left.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CallRefusal {
    /// The listener hears of it, and refuses it.
    Told,
    /// The kernel refuses it.
    Silent,
}

/// Forbids this process, for good, what reaches out of it. Of a library that is only what depends
/// on how files are opened: the rest is for [`listed`].
pub(super) fn close(call_policy: CallPolicy) -> Result<(), String> {
    let arch = arch()?;
    let absent = Rules::from_iter(ABSENT.map(|call| (call, Vec::new())));
    let told = |error: seccompiler::Error| error.to_string();
    let mut unknown = unknown();
    unknown.extend(program(absent, libc::ENOSYS, arch)?);
    apply(&unknown)?;
    if !call_policy.run {
        let mut denied = opens(call_policy).map_err(told)?;
        denied.extend(others_pages().map_err(told)?);
        return apply(&program(denied, libc::EPERM, arch)?);
    }
    if !call_policy.build {
        // As on a file system that has no locks, which programs expect.
        apply(&program(locks().map_err(told)?, libc::ENOLCK, arch)?)?;
    }
    let denied = denied(std::process::id(), call_policy).map_err(told)?;
    apply(&program(denied, libc::EPERM, arch)?)
}

/// Forbids a program what it took to come so far: to send descriptors, for what is on its way in a
/// socket is in no process's account, where its policy does not allow sockets; and to filter calls,
/// for what a filter takes is not counted as its memory.
pub(super) fn close_last(call_policy: CallPolicy) -> Result<(), String> {
    let mut denied = Rules::from_iter([(libc::SYS_seccomp, Vec::new())]);
    let filters = each(0, &[libc::PR_SET_SECCOMP as u64]).map_err(|error| error.to_string())?;
    denied.insert(libc::SYS_prctl, filters);
    if !call_policy.local_sockets {
        denied.extend(SENDS.map(|call| (call, Vec::new())));
    }
    apply(&program(denied, libc::EPERM, arch()?)?)
}

/// The filter that leaves a library only what it needs. Once it is there, a message and its answer
/// go by `channel`, if there is one; the library has no sockets that it could use in its place.
pub(super) fn listed(
    call_policy: CallPolicy,
    channel: Option<i32>,
    refusal: CallRefusal,
) -> Result<BpfProgram, String> {
    let rules = allowed(std::process::id(), call_policy, channel);
    let rules = rules.map_err(|error| error.to_string())?;
    // If other calls are reported, it stands for that: the library that makes filters has no word
    // for it.
    let placeholder = SeccompAction::Trace(0);
    let otherwise = match refusal {
        CallRefusal::Silent => SeccompAction::Errno(libc::EPERM.unsigned_abs()),
        CallRefusal::Told => placeholder.clone(),
    };
    let mut program = dispatch::program(rules, &otherwise, &SeccompAction::Allow, arch()?)?;
    if refusal == CallRefusal::Told {
        let is_return = |code: u16| u32::from(code) == libc::BPF_RET | libc::BPF_K;
        for instruction in program.iter_mut().filter(|instruction| is_return(instruction.code)) {
            if instruction.k == u32::from(placeholder.clone()) {
                instruction.k = libc::SECCOMP_RET_USER_NOTIF;
            }
        }
    }
    Ok(program)
}

/// The calls that a library is left whatever their arguments are.
pub(super) fn left(call_policy: CallPolicy) -> Vec<c_long> {
    let creates = CREATES.iter().filter(|_| call_policy.write);
    let always = allowed::ALWAYS.iter().chain(allowed::OLD).flat_map(|(_, calls)| *calls);
    always.chain(creates).copied().collect()
}

/// A filter as the bindings have it.
pub(super) fn instructions(program: &BpfProgram) -> Vec<libc::sock_filter> {
    let bound =
        |one: &sock_filter| libc::sock_filter { code: one.code, jt: one.jt, jf: one.jf, k: one.k };
    program.iter().map(bound).collect()
}

/// Puts up a filter for all threads of this process.
///
/// # Errors
/// When the kernel does not take it.
pub(super) fn apply(program: &BpfProgram) -> Result<(), String> {
    apply_filter_all_threads(program).map_err(|error| error.to_string())
}

fn arch() -> Result<TargetArch, String> {
    TargetArch::try_from(std::env::consts::ARCH).map_err(|error| error.to_string())
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
    let always = [REACH, OLD_REACH, &HANDLES].into_iter().flatten();
    let files = [FILES, OLD_FILES].into_iter().flatten().filter(|_| !call_policy.build);
    let creates = CREATES.iter().filter(|_| !call_policy.write);
    for &call in always.chain(files).chain(creates) {
        rules.insert(call, Vec::new());
    }
    if call_policy.local_sockets {
        SOCKETS.iter().for_each(|call| drop(rules.remove(call)));
        let is_other = condition(0, Op::Ne, libc::AF_UNIX as u64)?;
        rules.insert(libc::SYS_socket, vec![rule([is_other])?]);
    }
    let own = u64::from(own);
    let not = |value| condition(0, Op::Ne, value);
    let clones = AWAY
        .map(|flag| rule([condition(0, Op::MaskedEq(flag as u64), flag as u64)?]))
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    rules.insert(libc::SYS_clone, clones);
    // A process may signal itself, and its own children where it has some.
    if !call_policy.signal {
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
    // A pair connects only the processes that have it. Virtual machines wake their threads by one.
    let is_other = condition(0, Op::Ne, libc::AF_UNIX as u64)?;
    rules.insert(libc::SYS_socketpair, vec![rule([is_other])?]);
    rules.insert(libc::SYS_prctl, each(0, PROCESS_OPTIONS)?);
    rules.insert(libc::SYS_ioctl, each(1, DEVICE_REQUESTS)?);
    let mut commands = each(1, FILE_COMMANDS)?;
    let signals = libc::O_ASYNC as u64;
    let is_flags = condition(1, Op::Eq, libc::F_SETFL as u64)?;
    commands.push(rule([is_flags, condition(2, Op::MaskedEq(signals), signals)?])?);
    rules.insert(libc::SYS_fcntl, commands);
    rules.extend(opens(call_policy)?);
    rules.extend(others_pages()?);
    Ok(rules)
}

/// What a library is left, with conditions on arguments.
fn allowed(own: u32, call_policy: CallPolicy, channel: Option<i32>) -> seccompiler::Result<Rules> {
    let mut rules = Rules::from_iter(left(call_policy).into_iter().map(|call| (call, vec![])));
    let own = u64::from(own);
    let is = |argument, value| rule([condition(argument, Op::Eq, value)?]);
    // Threads, with no namespace of their own and no other parent.
    let away = AWAY.iter().fold(0, |all, flag| all | *flag as u64);
    let thread = libc::CLONE_THREAD as u64;
    let clone = rule([condition(0, Op::MaskedEq(thread | away), thread)?])?;
    rules.insert(libc::SYS_clone, vec![clone]);
    for call in
        [libc::SYS_kill, libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo]
    {
        rules.insert(call, vec![is(0, own)?]);
    }
    // Its own limits. The arbiter renews that of CPU time, which is no hard one.
    let limits = [0, own].map(|process| {
        let process = condition(0, Op::Eq, process)?;
        let not_cpu = condition(1, Op::Ne, u64::from(libc::RLIMIT_CPU))?;
        let reads = SeccompCondition::new(2, ArgLen::Qword, Op::Eq, 0)?;
        Ok([rule([process.clone(), not_cpu])?, rule([process, reads])?])
    });
    let limits = limits.into_iter().collect::<seccompiler::Result<Vec<_>>>()?;
    rules.insert(libc::SYS_prlimit64, limits.into_flattened());
    #[cfg(target_arch = "x86_64")]
    rules.insert(
        libc::SYS_setrlimit,
        vec![rule([condition(0, Op::Ne, u64::from(libc::RLIMIT_CPU))?])?],
    );
    rules.insert(libc::SYS_prctl, each(0, allowed::NAMES)?);
    rules.insert(libc::SYS_membarrier, each(0, allowed::OWN_BARRIERS)?);
    rules.insert(libc::SYS_ioctl, each(1, allowed::STREAM_REQUESTS)?);
    let mut commands = each(1, allowed::DESCRIPTOR_COMMANDS)?;
    let is_flags = condition(1, Op::Eq, libc::F_SETFL as u64)?;
    commands.push(rule([is_flags, condition(2, Op::MaskedEq(libc::O_ASYNC as u64), 0)?])?);
    rules.insert(libc::SYS_fcntl, commands);
    if let Some(channel) = channel {
        for call in [libc::SYS_sendmsg, libc::SYS_sendto, libc::SYS_recvfrom] {
            rules.insert(call, vec![is(0, u64::from(channel.unsigned_abs()))?]);
        }
    }
    Ok(rules)
}

/// Opening a file to write where nothing may be written.
fn opens(call_policy: CallPolicy) -> seccompiler::Result<Rules> {
    let mut rules = Rules::new();
    if !call_policy.write {
        rules.insert(libc::SYS_openat, opens_to_write(2, call_policy)?);
        #[cfg(target_arch = "x86_64")]
        rules.insert(libc::SYS_open, opens_to_write(1, call_policy)?);
    }
    Ok(rules)
}

/// Locks on files. Their memory is in no process's account, and on the system's files they can be
/// seen by every process that reads these.
fn locks() -> seccompiler::Result<Rules> {
    let commands = each(1, LOCK_COMMANDS)?;
    Ok(Rules::from_iter([(libc::SYS_flock, Vec::new()), (libc::SYS_fcntl, commands)]))
}

/// Pages that are not its own: huge ones from the machine's pool, which are not counted as memory,
/// and those that are merged with equal ones of others.
fn others_pages() -> seccompiler::Result<Rules> {
    let huge = libc::MAP_HUGETLB as u64;
    let flags = vec![rule([condition(3, Op::MaskedEq(huge), huge)?])?];
    let merged = each(2, &[libc::MADV_MERGEABLE as u64])?;
    Ok(Rules::from_iter([(libc::SYS_mmap, flags), (libc::SYS_madvise, merged)]))
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const POLICY: CallPolicy = CallPolicy {
        write: true,
        open: true,
        run: false,
        build: false,
        signal: true,
        local_sockets: false,
    };

    #[test]
    fn what_a_library_is_left_is_named_once_and_never_denied() {
        let calls = left(POLICY);
        assert_eq!(calls.iter().collect::<BTreeSet<_>>().len(), calls.len());
        let denied: Vec<_> = [REACH, OLD_REACH, FILES, OLD_FILES].concat();
        for call in calls.iter().chain(&denied) {
            assert!(!names::name(*call).starts_with("number"), "{call} has no name");
        }
        let both: Vec<_> = calls.iter().filter(|call| denied.contains(call)).collect();
        assert!(both.is_empty(), "{both:?}");
        for call in [libc::SYS_timer_create, libc::SYS_setitimer, libc::SYS_flock] {
            assert!(!allowed(1, POLICY, None).unwrap().contains_key(&call));
        }
        assert_eq!(names::name(libc::SYS_timer_create), "timer_create");
        assert_eq!(names::name(4000), "number 4000");
    }

    #[test]
    fn only_what_is_refused_asks_the_listener() {
        let ends = |refusal| {
            let program = listed(POLICY, Some(7), refusal).unwrap();
            let returns = program.iter().filter(|one| u32::from(one.code) == libc::BPF_RET);
            returns.map(|one| one.k).collect::<BTreeSet<_>>()
        };
        assert!(ends(CallRefusal::Told).contains(&libc::SECCOMP_RET_USER_NOTIF));
        assert!(!ends(CallRefusal::Silent).contains(&libc::SECCOMP_RET_USER_NOTIF));
        for refusal in [CallRefusal::Told, CallRefusal::Silent] {
            assert!(!ends(refusal).contains(&libc::SECCOMP_RET_TRACE), "no process traces it");
        }
    }
}
