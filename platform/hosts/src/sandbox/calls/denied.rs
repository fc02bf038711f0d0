//! The system calls that a program must not make. This is a deny-list: what interpreters call by
//! themselves cannot be listed, but what reaches out of a process can.

use libc::{self, c_long};

/// Some have the same number everywhere, but not a name in every build of the bindings.
const QUOTACTL_FD: c_long = 443;
const SET_MEMPOLICY_HOME_NODE: c_long = 450;
const CACHESTAT: c_long = 451;
const FCHMODAT2: c_long = 452;
const STATMOUNT: c_long = 457;
const LISTMOUNT: c_long = 458;

/// Other processes, other machines, and the machine itself.
pub(super) const REACH: &[c_long] = &[
    // Sockets.
    libc::SYS_socket,
    libc::SYS_bind,
    libc::SYS_connect,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    // Other processes: their memory, their descriptors, their signals. `tkill` does not say which
    // process its thread belongs to.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    libc::SYS_kcmp,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pidfd_send_signal,
    libc::SYS_tkill,
    libc::SYS_move_pages,
    libc::SYS_migrate_pages,
    // Where memory lies: pages of the system's libraries are those of others too.
    libc::SYS_mbind,
    libc::SYS_set_mempolicy,
    SET_MEMPOLICY_HOME_NODE,
    // What others have read.
    CACHESTAT,
    // The group it is killed with.
    libc::SYS_setpgid,
    libc::SYS_setsid,
    // The CPUs it was given, and its weight and that of others on them.
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    // Ways around a filter, or deep into the kernel.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_personality,
    libc::SYS_fanotify_init,
    libc::SYS_inotify_init1,
    libc::SYS_inotify_add_watch,
    libc::SYS_io_setup,
    // Namespaces and mounts.
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_quotactl,
    QUOTACTL_FD,
    STATMOUNT,
    LISTMOUNT,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    // Memory that outlives the process, or is not counted as its own.
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    // The machine.
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_acct,
    libc::SYS_syslog,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_vhangup,
    // The disks of the machine.
    libc::SYS_sync,
    libc::SYS_syncfs,
];

/// Those of them that connect the sockets which a process has made.
pub(super) const SOCKETS: [c_long; 5] =
    [libc::SYS_bind, libc::SYS_connect, libc::SYS_listen, libc::SYS_accept, libc::SYS_accept4];

/// Those of them that newer architectures left behind.
#[cfg(target_arch = "x86_64")]
pub(super) const OLD_REACH: &[c_long] =
    &[libc::SYS_iopl, libc::SYS_ioperm, libc::SYS_modify_ldt, libc::SYS_inotify_init];
#[cfg(not(target_arch = "x86_64"))]
pub(super) const OLD_REACH: &[c_long] = &[];

/// What hands descriptors to others.
pub(super) const SENDS: [c_long; 2] = [libc::SYS_sendmsg, libc::SYS_sendmmsg];

/// Commands of `fcntl`: signals to others when a file can be read, a lease that lets any other
/// process that opens the file wait, a watch on a folder, a pipe that holds more, and a word about
/// a file that stays with it.
pub(super) const FILE_COMMANDS: &[u64] = &[
    libc::F_SETOWN as u64,
    F_SETSIG,
    F_SETOWN_EX,
    libc::F_SETLEASE as u64,
    libc::F_NOTIFY as u64,
    libc::F_SETPIPE_SZ as u64,
    F_SET_RW_HINT,
    F_SET_FILE_RW_HINT,
];
const F_SET_RW_HINT: u64 = 1036;
const F_SET_FILE_RW_HINT: u64 = 1038;

/// Commands of `fcntl` that lock a file.
pub(super) const LOCK_COMMANDS: &[u64] = &[
    libc::F_SETLK as u64,
    libc::F_SETLKW as u64,
    libc::F_OFD_SETLK as u64,
    libc::F_OFD_SETLKW as u64,
];
const F_SETSIG: u64 = 10;
const F_SETOWN_EX: u64 = 15;

/// Requests of `ioctl`: the same signals, and words put into a terminal.
pub(super) const DEVICE_REQUESTS: &[u64] = &[FIOASYNC, FIOSETOWN, SIOCSPGRP, TIOCSTI, TIOCLINUX];
const FIOASYNC: u64 = 0x5452;
const TIOCSTI: u64 = 0x5412;
const FIOSETOWN: u64 = 0x8901;
const SIOCSPGRP: u64 = 0x8902;
const TIOCLINUX: u64 = 0x541C;

/// Options of `prctl`: to outlive the arbiter, to hide from it, to give away what lost its parent,
/// to keep others off its cores, and to share equal pages with others.
pub(super) const PROCESS_OPTIONS: &[u64] = &[
    libc::PR_SET_PDEATHSIG as u64,
    libc::PR_SET_DUMPABLE as u64,
    libc::PR_SET_CHILD_SUBREAPER as u64,
    libc::PR_SCHED_CORE as u64,
    PR_SET_MEMORY_MERGE,
];
const PR_SET_MEMORY_MERGE: u64 = 67;

/// Calls that change files which an engine may not even read: no other layer checks them.
pub(super) const FILES: &[c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    libc::SYS_utimensat,
];

/// Ways to files around their names.
pub(super) const HANDLES: [c_long; 2] = [libc::SYS_name_to_handle_at, libc::SYS_open_by_handle_at];

/// Those of them that newer architectures left behind.
#[cfg(target_arch = "x86_64")]
pub(super) const OLD_FILES: &[c_long] = &[
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
];
#[cfg(not(target_arch = "x86_64"))]
pub(super) const OLD_FILES: &[c_long] = &[];

/// What makes, moves and removes files.
#[cfg(target_arch = "x86_64")]
pub(super) const CREATES: &[c_long] = &[
    libc::SYS_mkdirat,
    libc::SYS_mknodat,
    libc::SYS_unlinkat,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    libc::SYS_truncate,
    libc::SYS_creat,
    libc::SYS_mkdir,
    libc::SYS_mknod,
    libc::SYS_rmdir,
    libc::SYS_unlink,
    libc::SYS_rename,
    libc::SYS_link,
    libc::SYS_symlink,
];
/// As above; 38 is `renameat`.
#[cfg(not(target_arch = "x86_64"))]
pub(super) const CREATES: &[c_long] = &[
    libc::SYS_mkdirat,
    libc::SYS_mknodat,
    libc::SYS_unlinkat,
    38,
    libc::SYS_renameat2,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    libc::SYS_truncate,
];
