/* What an engine may try on the machine, and what came of each: its error number, 0 if it worked. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <netinet/in.h>
#include <time.h>

#ifndef CANARY
#define CANARY "/nowhere"
#endif
#ifndef OWN
#define OWN "/nowhere"
#endif
#ifndef PORT
#define PORT 9
#endif

static char told[1024];

static void note(const char *what, long outcome) {
    size_t length = strlen(told);
    snprintf(told + length, sizeof told - length, "%s=%d ", what, outcome < 0 ? errno : 0);
}

static void *nothing(void *argument) { return argument; }

static long child(long pid) {
    if (pid == 0) _exit(0);
    if (pid > 0) waitpid((pid_t)pid, 0, 0);
    return pid;
}

static long tries_to_connect(void) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0) return fd;
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    long outcome = connect(fd, (struct sockaddr *)&to, sizeof to);
    close(fd);
    return outcome;
}

static long starts_thread(void) {
    pthread_t thread;
    errno = pthread_create(&thread, 0, nothing, 0);
    if (errno) return -1;
    return pthread_join(thread, 0);
}

static long sets_timer(void) {
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
    return timer_create(CLOCK_MONOTONIC, &event, &timer);
}

static long sets_alarm(void) {
    struct itimerval soon = {{0, 1000}, {0, 1000}};
    signal(SIGALRM, SIG_IGN);
    return setitimer(ITIMER_REAL, &soon, 0);
}

/* Whether it gets no timer of any kind, and all of them are said to be refused. */
static int refuses_timers(void) {
    return sets_timer() < 0 && errno == EPERM && sets_alarm() < 0 && errno == EPERM;
}

static long locks(int command) {
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    int fd = open(OWN, O_RDONLY);
    long outcome = command < 0 ? flock(fd, LOCK_SH) : fcntl(fd, command, &lock);
    int kept = errno;
    close(fd);
    errno = kept;
    return outcome;
}

static const char *try_all(void) {
    struct rlimit more = {1 << 20, 1 << 20};
    cpu_set_t cpus;
    char *const arguments[] = {"true", 0};
    // Where the processes have numbers of their own, the parent has none, and the first is 1.
    pid_t parent = getppid() ? getppid() : 1;
    CPU_ZERO(&cpus);
    CPU_SET(0, &cpus);
    note("read", open(CANARY, O_RDONLY));
    note("list", open("/", O_RDONLY | O_DIRECTORY));
    note("own", open(OWN, O_RDONLY));
    note("write", open(CANARY, O_WRONLY));
    note("create", open(CANARY ".new", O_CREAT | O_WRONLY, 0600));
    note("null", open("/dev/null", O_CREAT | O_TRUNC | O_WRONLY, 0600));
    note("remove", unlink(CANARY ".old"));
    note("chmod", chmod(CANARY, 0));
    note("connect", tries_to_connect());
    note("local", socket(AF_UNIX, SOCK_STREAM, 0));
    note("fork", child(fork()));
    note("clone3", child(syscall(SYS_clone3, 0, 0)));
    note("exec", execv("/bin/true", arguments));
    note("thread", starts_thread());
    note("parent", kill(parent, 0));
    note("self", kill(getpid(), 0));
    note("trace", ptrace(PTRACE_ATTACH, parent, 0, 0));
    note("peek", syscall(SYS_process_vm_readv, parent, 0, 0, 0, 0, 0));
    note("unshare", unshare(CLONE_NEWUSER));
    note("mount", mount("none", "/", 0, MS_REMOUNT, 0));
    note("ring", syscall(SYS_io_uring_setup, 1, 0));
    note("perf", syscall(SYS_perf_event_open, 0, 0, 0, 0, 0));
    note("bpf", syscall(SYS_bpf, 0, 0, 0));
    note("key", syscall(SYS_keyctl, 0, 0));
    note("persona", personality(0xffffffff));
    note("death", prctl(PR_SET_PDEATHSIG, 0));
    note("limit", prlimit(parent, RLIMIT_CORE, 0, &more));
    note("files", setrlimit(RLIMIT_FSIZE, &more));
    note("cpu", setrlimit(RLIMIT_CPU, &more));
    note("cpus", sched_setaffinity(0, sizeof cpus, &cpus));
    note("nice", setpriority(PRIO_PROCESS, (id_t)parent, 1));
    note("shared", shmget(IPC_PRIVATE, 4096, 0600));
    note("memory", syscall(SYS_memfd_create, "x", 0));
    note("timer", sets_timer());
    note("alarm", sets_alarm());
    note("lock", locks(F_SETLK));
    note("own-lock", locks(37 /* F_OFD_SETLK */));
    note("flock", locks(-1));
    note("bind", syscall(SYS_mbind, 0, 0, 0, 0, 0, 0));
    note("core", prctl(62 /* PR_SCHED_CORE */, 0, 0, 0, 0));
    note("async", fcntl(0, F_SETFL, O_ASYNC));
    note("x32", syscall(0x40000000 + 39));
    return told;
}
