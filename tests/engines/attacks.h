/* What an engine may try on the arbiter, on the machine and on other engines, whether it is a
 * library or a program. Each gives 1 if it got what it must not have. */
#include "bombs.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

#ifndef PORT
#define PORT 9
#endif
/* What the test outside looks for: nothing else on a machine has it. */
#define ATTACK_KEY 0x7e4e1234

/* Has the system kill the arbiter when something can be read from a pipe. */
static int attack_sigio(void)
{
    int ends[2], worked = 0;
    struct f_owner_ex owner = {F_OWNER_PID, getppid()};
    /* Nobody is there to be named where it has no number. */
    if (getppid() <= 0 || pipe(ends) != 0) {
        return 0;
    }
    worked |= fcntl(ends[0], F_SETOWN, getppid()) == 0;
    worked |= fcntl(ends[0], F_SETOWN_EX, &owner) == 0;
    pid_t parent = getppid();
    worked |= ioctl(ends[0], FIOSETOWN, &parent) == 0;
    worked |= fcntl(ends[0], F_SETSIG, SIGKILL) == 0;
    int on = 1;
    worked |= fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK) == 0;
    worked |= ioctl(ends[0], FIOASYNC, &on) == 0;
    if (write(ends[1], "x", 1) != 1) {
        return 0;
    }
    close(ends[0]);
    close(ends[1]);
    return worked;
}

/* Lets whoever opens the file after it wait. */
static int attack_lease(const char *own)
{
    int file = open(own, O_RDONLY);
    int worked = file >= 0 && (fcntl(file, F_SETLEASE, F_RDLCK) == 0 ||
                               fcntl(file, F_SETLEASE, F_WRLCK) == 0);
    if (file >= 0) {
        close(file);
    }
    return worked;
}

/* Locks files of the system and its own: others see the one, and no account has the memory. */
static int attack_locks(const char *own)
{
    const char *files[] = {own, "/usr/lib/os-release", "/etc/ld.so.cache"};
    const int commands[] = {F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW};
    int worked = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        int file = open(files[i], O_RDONLY);
        for (size_t c = 0; file >= 0 && c < sizeof commands / sizeof *commands; c++) {
            struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = 1, .l_len = 1};
            worked |= fcntl(file, commands[c], &lock) == 0;
        }
        worked |= file >= 0 && flock(file, LOCK_SH | LOCK_NB) == 0;
        if (file >= 0) {
            close(file);
        }
    }
    return worked;
}

/* Leaves words on files of the system, moves memory, asks for cores without others and for huge
 * pages, which are not counted. */
static int attack_hints(void)
{
    int file = open("/usr/lib/os-release", O_RDONLY), worked = 0;
    unsigned long hint = 2, nodes = 1;
    char *page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    worked |= file >= 0 && fcntl(file, 1036 /* F_SET_RW_HINT */, &hint) == 0;
    worked |= syscall(SYS_mbind, page, 4096, 2 /* MPOL_BIND */, &nodes, 64, 0) == 0;
    worked |= syscall(SYS_set_mempolicy, 0, 0, 0) == 0;
    worked |= prctl(62 /* PR_SCHED_CORE */, 1 /* create */, 0, 0, 0) == 0;
    worked |= prctl(67 /* PR_SET_MEMORY_MERGE */, 0, 0, 0, 0) == 0;
    worked |= mmap(0, 2 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0) !=
              MAP_FAILED;
    munmap(page, 4096);
    close(file);
    return worked;
}

/* Lists what is on the machine beside the system: the control groups of all, and what is
 * installed. */
static int attack_outside(void)
{
    const char *folders[] = {"/sys/fs/cgroup", "/opt"};
    int worked = 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        int folder = open(folders[i], O_RDONLY | O_DIRECTORY);
        worked |= folder >= 0;
        close(folder);
    }
    return worked;
}

/* Watches what others do with their files. */
static int attack_watch(void)
{
    int watch = inotify_init1(0);
    int folder = open("/usr/lib", O_RDONLY | O_DIRECTORY);
    return (watch >= 0 && inotify_add_watch(watch, "/tmp", IN_ALL_EVENTS) >= 0) ||
           (folder >= 0 && fcntl(folder, F_NOTIFY, DN_ACCESS | DN_MULTISHOT) == 0);
}

/* Sets the clock of the machine; to what it is, should that work. */
static int attack_clock(void)
{
    struct timespec now;
    struct timeval then;
    clock_gettime(CLOCK_REALTIME, &now);
    then.tv_sec = now.tv_sec;
    then.tv_usec = now.tv_nsec / 1000;
    return syscall(SYS_clock_settime, CLOCK_REALTIME, &now) == 0 ||
           syscall(SYS_settimeofday, &then, 0) == 0;
}

static int attack_opens(pid_t pid, const char *name, int flags)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    int file = open(path, flags);
    if (file >= 0) {
        close(file);
    }
    return file >= 0;
}

/* Reaches for the memory, the environment and the descriptors of the arbiter and of whoever was
 * started right before and after. */
static int attack_siblings(void)
{
    int worked = 0;
    for (pid_t pid = getpid() - 8; pid < getpid() + 8; pid++) {
        if (pid == getpid() || pid < 2) {
            continue;
        }
        char byte;
        struct iovec here = {&byte, 1}, there = {(void *)8, 1};
        worked |= ptrace(PTRACE_ATTACH, pid, 0, 0) == 0;
        /* There is no such address, which is looked at last. */
        worked |= syscall(SYS_process_vm_readv, pid, &here, 1, &there, 1, 0) >= 0 ||
                  errno == EFAULT;
        worked |= attack_opens(pid, "mem", O_RDWR);
        worked |= attack_opens(pid, "environ", O_RDONLY);
        worked |= attack_opens(pid, "maps", O_RDONLY);
    }
    worked |= ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0;
    worked |= attack_opens(getppid(), "mem", O_RDWR);
    worked |= attack_opens(getppid(), "environ", O_RDONLY);
    worked |= attack_opens(getppid(), "fd/0", O_RDONLY);
    return worked;
}

/* Goes around the filter of system calls. */
static int attack_around(void)
{
    static char parameters[256];
    int worked = syscall(SYS_io_uring_setup, 8, parameters) >= 0;
    worked |= syscall(SYS_memfd_create, "x", 0) >= 0;
    worked |= syscall(SYS_userfaultfd, 0) >= 0;
    worked |= syscall(SYS_io_setup, 8, parameters) == 0;
    worked |= prctl(PR_SET_DUMPABLE, 0) == 0;
    worked |= prctl(PR_SET_PDEATHSIG, 0) == 0;
#ifdef PR_SET_CHILD_SUBREAPER
    worked |= prctl(PR_SET_CHILD_SUBREAPER, 0) == 0;
#endif
    worked |= ioctl(0, TIOCSTI, "x") == 0;
    return worked;
}

/* Finds a secret of whoever started the arbiter. */
static int attack_secret(void)
{
    for (char **variable = environ; *variable != NULL; variable++) {
        if (strstr(*variable, "SECRET") != NULL) {
            return 1;
        }
    }
    return 0;
}

/* Lists the folder that a file lies in, where others' files are. */
static int attack_neighbours(const char *own)
{
    char path[4096];
    snprintf(path, sizeof path, "%s", own);
    char *end = strrchr(path, '/');
    if (end == NULL) {
        return 0;
    }
    *end = 0;
    DIR *folder = opendir(path);
    struct dirent *entry;
    int worked = 0;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        snprintf(path, sizeof path, "%.*s/%s", (int)(end - path), own, entry->d_name);
        int file = open(path, O_RDONLY);
        struct stat status, mine;
        worked |= file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
                  stat(own, &mine) == 0 && mine.st_ino != status.st_ino;
    }
    return worked;
}

/* Asks for what can be known of the files of others without opening them. */
static int attack_stat(void)
{
    struct stat status;
    return stat("/etc/shadow", &status) == 0 || stat("/var/log", &status) == 0 ||
           stat("/root", &status) == 0 || access("/home", F_OK) == 0;
}

/* Opens its own program, the file beside its folder and the system's to write into them. */
static int attack_overwrite(const char *own)
{
    char path[4096];
    snprintf(path, sizeof path, "%.*s/../canary", (int)(strrchr(own, '/') - own), own);
    const char *files[] = {own, path, "/etc/passwd", "/usr/lib/os-release", "/bin/sh"};
    int worked = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        int file = open(files[i], O_WRONLY | O_APPEND);
        worked |= file >= 0;
        close(file);
    }
    return worked;
}

/* Sets the kernel to what it is set to, should that work. */
static int attack_settings(void)
{
    const char *files[] = {"/proc/sys/kernel/core_pattern", "/proc/sys/vm/swappiness",
                           "/proc/sys/kernel/randomize_va_space", "/proc/sysrq-trigger",
                           "/sys/kernel/mm/transparent_hugepage/enabled"};
    int worked = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        int file = open(files[i], O_WRONLY);
        worked |= file >= 0;
        close(file);
    }
    return worked;
}

/* Leaves the control groups that it is counted in. */
static int attack_groups(void)
{
    const char *files[] = {"/sys/fs/cgroup/memory/cgroup.procs", "/sys/fs/cgroup/pids/tasks",
                           "/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/unified/cgroup.procs"};
    int worked = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        int file = open(files[i], O_WRONLY);
        worked |= file >= 0 && write(file, "0", 1) == 1;
        close(file);
    }
    return worked;
}

/* Finds others to send signals to. */
static int attack_signals(void)
{
    int worked = getppid() > 1 && kill(getppid(), 0) == 0;
    for (pid_t pid = getpid() - 8; pid < getpid() + 8; pid++) {
        worked |= pid > 1 && pid != getpid() && kill(pid, 0) == 0;
    }
    return worked;
}

/* Leaves shared memory, semaphores and queues behind, which the test looks for outside. */
static int attack_ipc(void)
{
    syscall(SYS_shmget, ATTACK_KEY, 4096, IPC_CREAT | 0600);
    syscall(SYS_semget, ATTACK_KEY, 1, IPC_CREAT | 0600);
    syscall(SYS_msgget, ATTACK_KEY, IPC_CREAT | 0600);
    struct { long flags, most, size, now; } queue = {0, 1, 8, 0};
    syscall(SYS_mq_open, "tengen-attack", O_CREAT | O_RDWR, 0600, &queue);
    return 0;
}

/* Reaches this machine by its network, and what listens on it by a name. */
static int attack_network(void)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    struct sockaddr_un local = {.sun_family = AF_UNIX, .sun_path = "/run/dbus/system_bus_socket"};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int end = socket(AF_INET, SOCK_STREAM, 0);
    int worked = end >= 0 && connect(end, (struct sockaddr *)&to, sizeof to) == 0;
    close(end);
    end = socket(AF_UNIX, SOCK_STREAM, 0);
    worked |= end >= 0 && connect(end, (struct sockaddr *)&local, sizeof local) == 0;
    close(end);
    return worked;
}

/* Makes a world of its own, where it would be root. */
static int attack_namespaces(void)
{
    return unshare(CLONE_NEWUSER) == 0 || unshare(CLONE_NEWNS) == 0 || chroot(".") == 0 ||
           mount("", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

/* Opens the devices of the machine, or makes one and opens that. */
static int attack_devices(void)
{
    const char *files[] = {"/dev/kmsg", "/dev/mem", "/dev/vda", "/dev/sda", "/dev/fuse",
                           "/dev/shm", "attack-device"};
    int worked = 0;
    mknod("attack-device", S_IFCHR | 0600, makedev(1, 11));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        /* A link leads to a folder of its own. */
        int file = open(files[i], O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
        worked |= file >= 0;
        close(file);
    }
    return worked;
}

enum {
    ATTACK_NONE, ATTACK_SIGIO, ATTACK_LEASE, ATTACK_WATCH, ATTACK_CLOCK, ATTACK_SIBLINGS,
    ATTACK_SECRET, ATTACK_NEIGHBOURS, ATTACK_STAT, ATTACK_OVERWRITE, ATTACK_SETTINGS, ATTACK_GROUPS,
    ATTACK_SIGNALS, ATTACK_IPC, ATTACK_NETWORK, ATTACK_DEVICES, ATTACK_LOCKS, ATTACK_HINTS,
    ATTACK_OUTSIDE,
    /* These change what it is itself. */
    ATTACK_AROUND, ATTACK_NAMESPACES,
    /* All of these, by name. */
    ATTACK_ALL,
    ATTACK_NEST, ATTACK_CLOSED, ATTACK_DESCRIPTORS,
    /* Those that wait to be caught. */
    ATTACK_BOMBS, ATTACK_BLOCKS, ATTACK_MAPPED, ATTACK_BLIND, ATTACK_SENT, ATTACK_TABLES,
    ATTACK_SHARED, ATTACK_STACKS, ATTACK_MANY_FILES, ATTACK_BUFFERS
};

static const char *const attack_names[ATTACK_ALL] = {
    "none", "sigio", "lease", "watch", "clock", "siblings", "secret", "neighbours", "stat",
    "overwrite", "settings", "groups", "signals", "ipc", "network", "devices", "locks", "hints",
    "outside", "around", "namespaces"
};

/* How many folders it makes in each other. */
#ifndef DEPTH
#define DEPTH 60
#endif

/* Does it, and gives 1 if it got what it must not have. `own` is the engine's file. */
static int attack(int which, const char *own)
{
    switch (which) {
    case ATTACK_SIGIO:
        return attack_sigio();
    case ATTACK_LEASE:
        return attack_lease(own);
    case ATTACK_WATCH:
        return attack_watch();
    case ATTACK_CLOCK:
        return attack_clock();
    case ATTACK_SIBLINGS:
        return attack_siblings();
    case ATTACK_AROUND:
        return attack_around();
    case ATTACK_SECRET:
        return attack_secret();
    case ATTACK_NEIGHBOURS:
        return attack_neighbours(own);
    case ATTACK_STAT:
        return attack_stat();
    case ATTACK_OVERWRITE:
        return attack_overwrite(own);
    case ATTACK_SETTINGS:
        return attack_settings();
    case ATTACK_GROUPS:
        return attack_groups();
    case ATTACK_SIGNALS:
        return attack_signals();
    case ATTACK_IPC:
        return attack_ipc();
    case ATTACK_NETWORK:
        return attack_network();
    case ATTACK_NAMESPACES:
        return attack_namespaces();
    case ATTACK_DEVICES:
        return attack_devices();
    case ATTACK_LOCKS:
        return attack_locks(own);
    case ATTACK_HINTS:
        return attack_hints();
    case ATTACK_OUTSIDE:
        return attack_outside();
    case ATTACK_NEST:
        attack_nest(DEPTH);
        break;
    case ATTACK_CLOSED:
        attack_close_folders();
        break;
    case ATTACK_DESCRIPTORS:
        attack_descriptors();
        break;
    case ATTACK_BLOCKS:
    case ATTACK_MAPPED:
    case ATTACK_BLIND:
    case ATTACK_SENT:
        attack_hoard(which - ATTACK_BLOCKS);
        break;
    case ATTACK_TABLES:
        attack_page_tables();
        break;
    case ATTACK_SHARED:
        attack_shared_memory();
        break;
    case ATTACK_STACKS:
        attack_stacks();
        break;
    case ATTACK_MANY_FILES:
        attack_many_files();
        break;
    case ATTACK_BUFFERS:
        attack_buffers();
        break;
    default:
        break;
    }
    while (which > ATTACK_BOMBS) {
        pause();
    }
    return 0;
}

/* Tries them all one after another, and writes which got what they must not have. */
static void attack_all(const char *own, char *text, size_t size)
{
    int length = snprintf(text, size, "tried all, got:");
    for (int which = ATTACK_NONE + 1; which < ATTACK_ALL; which++) {
        if (attack(which, own)) {
            length += snprintf(text + length, size - (size_t)length, " %s", attack_names[which]);
        }
    }
}
