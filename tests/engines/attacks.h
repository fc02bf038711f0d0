/* What an engine may try on the arbiter, on the machine and on other engines, whether it is a
 * library or a program. Each gives 1 if it got what it must not have. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

#define ATTACK_MIB ((size_t)1 << 20)

/* Has the system kill the arbiter when something can be read from a pipe. */
static int attack_sigio(void)
{
    int ends[2], worked = 0;
    struct f_owner_ex owner = {F_OWNER_PID, getppid()};
    if (pipe(ends) != 0) {
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
        struct iovec here = {&worked, 0}, there = {0, 0};
        worked |= ptrace(PTRACE_ATTACH, pid, 0, 0) == 0;
        worked |= syscall(SYS_process_vm_readv, pid, &here, 1, &there, 1, 0) >= 0;
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

/* Makes folders in each other, deeper than any path. */
static void attack_nest(int depth)
{
    char name[241];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = 0;
    for (int i = 0; i < depth; i++) {
        int folder;
        if (mkdirat(AT_FDCWD, name, 0700) != 0 ||
            (folder = openat(AT_FDCWD, name, O_RDONLY | O_DIRECTORY)) < 0) {
            return;
        }
        if (fchdir(folder) != 0) {
            return;
        }
        close(folder);
    }
}

/* Makes folders that nobody may read, with files in them and names that are no text. */
static void attack_close_folders(void)
{
    char name[64];
    for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "closed\xff\xfe%d", i);
        if (mkdir(name, 0700) != 0 || chdir(name) != 0) {
            return;
        }
        close(open("file", O_CREAT | O_WRONLY, 0));
        if (mkdir("inner", i % 2 ? 0300 : 0) != 0 || chdir("..") != 0) {
            return;
        }
    }
}

/* Takes the disk in ways that a list of files does not show: blocks behind the end, files without a
 * name that are mapped, folders that cannot be read, and descriptors on their way in a socket. */
static void attack_hoard(int way)
{
    static char block[1 << 16];
    char name[64];
    int pair[2] = {-1, -1};
    umask(0);
    if (way == 2 && mkdir("blind", 0300) != 0) {
        return;
    }
    if (way == 3 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) {
        return;
    }
    memset(block, 'x', sizeof block);
    for (int i = 0; i < 16; i++) {
        snprintf(name, sizeof name, way == 2 ? "blind/hoard%d" : "hoard%d", i);
        int file = open(name, O_CREAT | O_RDWR, 0600);
        if (file < 0) {
            return;
        }
        if (way == 0) {
            fallocate(file, FALLOC_FL_KEEP_SIZE, 0, 1 << 20);
        } else {
            for (int part = 0; part < 16 && write(file, block, sizeof block) > 0; part++) {
            }
        }
        if (way == 1) {
            mmap(0, 4096, PROT_READ, MAP_SHARED, file, 0);
        }
        if (way == 3) {
            char room[CMSG_SPACE(sizeof file)] = {0}, byte = 0;
            struct iovec part = {&byte, 1};
            struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = room,
                                     .msg_controllen = sizeof room};
            struct cmsghdr *header = CMSG_FIRSTHDR(&message);
            header->cmsg_level = SOL_SOCKET;
            header->cmsg_type = SCM_RIGHTS;
            header->cmsg_len = CMSG_LEN(sizeof file);
            memcpy(CMSG_DATA(header), &file, sizeof file);
            if (sendmsg(pair[0], &message, 0) < 0) {
                /* It keeps the file open, which shows. */
                unlink(name);
                continue;
            }
        }
        if (way == 1 || way == 3) {
            unlink(name);
        }
        close(file);
    }
}

/* Has the kernel make tables of pages: one for each 2 MiB of which a page is read. */
static void attack_page_tables(void)
{
    const size_t piece = 1 << 30;
    for (int i = 0; i < 200; i++) {
        char *room = mmap(0, piece, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (room == MAP_FAILED) {
            return;
        }
        madvise(room, piece, MADV_NOHUGEPAGE);
        for (size_t at = 0; at < piece; at += 2 * ATTACK_MIB) {
            (void)*(volatile char *)(room + at);
        }
    }
}

/* Fills shared memory and lets go of its pages, which stay. */
static void attack_shared_memory(void)
{
    for (int i = 0; i < 300; i++) {
        char *room = mmap(0, ATTACK_MIB, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (room == MAP_FAILED) {
            return;
        }
        memset(room, 1, ATTACK_MIB);
        madvise(room, ATTACK_MIB, MADV_DONTNEED);
    }
}

static void *attack_fill_stack(void *argument)
{
    volatile char room[4 << 20];
    for (size_t at = 0; at < sizeof room; at += 512) {
        room[at] = 1;
    }
    for (;;) {
        pause();
    }
    return argument;
}

/* Starts threads that each fill their stack. */
static void attack_stacks(void)
{
    pthread_attr_t large;
    pthread_t thread;
    pthread_attr_init(&large);
    pthread_attr_setstacksize(&large, 5 << 20);
    for (int i = 0; i < 64 && pthread_create(&thread, &large, attack_fill_stack, 0) == 0; i++) {
    }
}

/* Opens files until there are no more descriptors. */
static void attack_descriptors(void)
{
    int file;
    do {
        file = open("/dev/null", O_RDONLY);
    } while (file >= 0);
    while (pipe((int[2]){0}) == 0) {
    }
}

enum {
    ATTACK_NONE, ATTACK_SIGIO, ATTACK_LEASE, ATTACK_WATCH, ATTACK_CLOCK, ATTACK_SIBLINGS,
    ATTACK_AROUND, ATTACK_SECRET, ATTACK_NEIGHBOURS, ATTACK_NEST, ATTACK_CLOSED, ATTACK_DESCRIPTORS,
    /* Those that wait to be caught. */
    ATTACK_BOMBS, ATTACK_BLOCKS, ATTACK_MAPPED, ATTACK_BLIND, ATTACK_SENT, ATTACK_TABLES,
    ATTACK_SHARED, ATTACK_STACKS
};

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
    case ATTACK_NEST:
        attack_nest(60);
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
    default:
        break;
    }
    while (which > ATTACK_BOMBS) {
        pause();
    }
    return 0;
}
