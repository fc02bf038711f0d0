//! The system calls that a library or a module may make, and what each is for. Every other call is
//! refused, and reported by name. These calls reach only the process itself, the files that other
//! layers leave it, and the pipes to the arbiter. Conditions on their arguments are in `calls.rs`.

use libc::c_long;

/// Calls with the reason why they are left to a library.
pub(super) type Allowed = (&'static str, &'static [c_long]);

/// Some have the same number everywhere, but not a name in every build of the bindings.
const MAP_SHADOW_STACK: c_long = 453;
const FUTEX_WAKE: c_long = 454;
const FUTEX_WAIT: c_long = 455;
const FUTEX_REQUEUE: c_long = 456;
const MSEAL: c_long = 462;

/// What every library and module is left.
pub(super) const ALWAYS: &[Allowed] = &[
    ("the heap: malloc grows it", &[libc::SYS_brk]),
    (
        "memory: arenas, stacks, tables, libraries, weights that are mapped",
        &[libc::SYS_mmap, libc::SYS_munmap, libc::SYS_mremap, libc::SYS_mprotect, libc::SYS_msync],
    ),
    (
        "advice on memory: allocators give pages back, tables ask for large ones",
        &[libc::SYS_madvise, libc::SYS_mincore],
    ),
    (
        "pages that stay in memory, as far as the limit goes",
        &[
            libc::SYS_mlock,
            libc::SYS_mlock2,
            libc::SYS_mlockall,
            libc::SYS_munlock,
            libc::SYS_munlockall,
        ],
    ),
    ("the loader and the C library seal what they have set up", &[MSEAL, MAP_SHADOW_STACK]),
    ("libraries of linear algebra ask which memory is near", &[libc::SYS_get_mempolicy]),
    (
        "locks, condition variables and the end of threads",
        &[libc::SYS_futex, libc::SYS_futex_waitv, FUTEX_WAKE, FUTEX_WAIT, FUTEX_REQUEUE],
    ),
    (
        "what the C library registers for each thread",
        &[
            libc::SYS_set_robust_list,
            libc::SYS_get_robust_list,
            libc::SYS_set_tid_address,
            libc::SYS_rseq,
        ],
    ),
    (
        "how many threads are worth their while, and where they run",
        &[
            libc::SYS_sched_getaffinity,
            libc::SYS_sched_getattr,
            libc::SYS_sched_getparam,
            libc::SYS_sched_getscheduler,
            libc::SYS_sched_get_priority_max,
            libc::SYS_sched_get_priority_min,
            libc::SYS_getcpu,
            libc::SYS_getpriority,
        ],
    ),
    ("threads that wait by turning", &[libc::SYS_sched_yield]),
    (
        "its own process, group and user ids",
        &[
            libc::SYS_getpid,
            libc::SYS_getppid,
            libc::SYS_gettid,
            libc::SYS_getpgid,
            libc::SYS_getsid,
            libc::SYS_getuid,
            libc::SYS_geteuid,
            libc::SYS_getgid,
            libc::SYS_getegid,
            libc::SYS_getgroups,
            libc::SYS_getresuid,
            libc::SYS_getresgid,
        ],
    ),
    ("what the machine is, and what memory it has", &[libc::SYS_uname, libc::SYS_sysinfo]),
    (
        "the time",
        &[
            libc::SYS_clock_gettime,
            libc::SYS_clock_getres,
            libc::SYS_gettimeofday,
            libc::SYS_times,
            libc::SYS_getrusage,
        ],
    ),
    (
        "to sleep, without a timer that sends a signal",
        &[libc::SYS_nanosleep, libc::SYS_clock_nanosleep, libc::SYS_restart_syscall],
    ),
    ("seeds", &[libc::SYS_getrandom]),
    (
        "its own signals: panics, backtraces, a handler of its own",
        &[
            libc::SYS_rt_sigaction,
            libc::SYS_rt_sigprocmask,
            libc::SYS_rt_sigreturn,
            libc::SYS_rt_sigpending,
            libc::SYS_rt_sigsuspend,
            libc::SYS_rt_sigtimedwait,
            libc::SYS_sigaltstack,
        ],
    ),
    (
        "files that other layers let it see: weights, books, the pages of the loader",
        &[
            libc::SYS_openat,
            libc::SYS_close,
            libc::SYS_close_range,
            libc::SYS_read,
            libc::SYS_readv,
            libc::SYS_pread64,
            libc::SYS_preadv,
            libc::SYS_preadv2,
            libc::SYS_lseek,
            libc::SYS_fadvise64,
            libc::SYS_readahead,
        ],
    ),
    (
        "answers, its log, and its files in a folder of its own",
        &[
            libc::SYS_write,
            libc::SYS_writev,
            libc::SYS_pwrite64,
            libc::SYS_pwritev,
            libc::SYS_pwritev2,
            libc::SYS_ftruncate,
            libc::SYS_fallocate,
            libc::SYS_fsync,
            libc::SYS_fdatasync,
            libc::SYS_sendfile,
            libc::SYS_copy_file_range,
        ],
    ),
    (
        "what there is: std::filesystem, directory iterators",
        &[
            libc::SYS_fstat,
            libc::SYS_newfstatat,
            libc::SYS_statx,
            libc::SYS_statfs,
            libc::SYS_fstatfs,
            libc::SYS_faccessat,
            libc::SYS_faccessat2,
            libc::SYS_readlinkat,
            libc::SYS_getdents64,
            libc::SYS_getcwd,
            libc::SYS_chdir,
            libc::SYS_fchdir,
            libc::SYS_umask,
        ],
    ),
    ("copies of a descriptor", &[libc::SYS_dup, libc::SYS_dup3]),
    (
        "threads that wake each other by a pipe or a counter",
        &[
            libc::SYS_pipe2,
            libc::SYS_eventfd2,
            libc::SYS_ppoll,
            libc::SYS_pselect6,
            libc::SYS_epoll_create1,
            libc::SYS_epoll_ctl,
            libc::SYS_epoll_pwait,
            libc::SYS_epoll_pwait2,
        ],
    ),
    ("the end", &[libc::SYS_exit, libc::SYS_exit_group]),
];

/// Those of them that newer architectures left behind.
#[cfg(target_arch = "x86_64")]
pub(super) const OLD: &[Allowed] = &[
    ("the register that finds what is a thread's own", &[libc::SYS_arch_prctl]),
    (
        "files, as older libraries open and look at them",
        &[
            libc::SYS_open,
            libc::SYS_stat,
            libc::SYS_lstat,
            libc::SYS_access,
            libc::SYS_readlink,
            libc::SYS_getdents,
            libc::SYS_dup2,
        ],
    ),
    (
        "the same to wait and to wake",
        &[
            libc::SYS_pipe,
            libc::SYS_eventfd,
            libc::SYS_poll,
            libc::SYS_select,
            libc::SYS_epoll_create,
            libc::SYS_epoll_wait,
            libc::SYS_pause,
        ],
    ),
    ("the same of itself", &[libc::SYS_getpgrp, libc::SYS_getrlimit, libc::SYS_time]),
];
#[cfg(not(target_arch = "x86_64"))]
pub(super) const OLD: &[Allowed] = &[];

/// Operations of `fcntl` on a descriptor itself; locks, leases, owners and seals are not here.
pub(super) const DESCRIPTOR_COMMANDS: &[u64] = &[
    libc::F_DUPFD as u64,
    libc::F_DUPFD_CLOEXEC as u64,
    libc::F_GETFD as u64,
    libc::F_SETFD as u64,
    libc::F_GETFL as u64,
];

/// Requests of `ioctl`: whether something is a terminal, how wide it is, and how much can be read.
pub(super) const STREAM_REQUESTS: &[u64] =
    &[TCGETS, TCGETS2, TIOCGWINSZ, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX];
const TCGETS: u64 = 0x5401;
const TCGETS2: u64 = 0x802C_542A;
const TIOCGWINSZ: u64 = 0x5413;
const FIONREAD: u64 = 0x541B;
const FIONBIO: u64 = 0x5421;
const FIOCLEX: u64 = 0x5451;
const FIONCLEX: u64 = 0x5450;

/// Options of `prctl`: the names of threads and of memory.
pub(super) const NAMES: &[u64] =
    &[libc::PR_SET_NAME as u64, libc::PR_GET_NAME as u64, libc::PR_SET_VMA as u64];

/// Commands of `membarrier` that bind the process's own threads alone.
pub(super) const OWN_BARRIERS: &[u64] = &[0, 8, 16, 32, 64, 128, 256, 512];
