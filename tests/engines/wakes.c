/* A Gomocup brain that computes in its opponent's time, once it has been stopped, by one of the
 * ways back from a stop that Linux has.
 *
 *     cc -O1 -pthread -o pbrain-wakes wakes.c && ./pbrain-wakes WAY [THREADS]
 *
 * It thinks for 2 ms, answers with the first empty point, and reads its next line. Each time that
 * it is continued, each of its THREADS (2) computes for 4 ms. Before an answer it says how much CPU
 * time, in milliseconds, all its processes have used since the one before, as `MESSAGE gained MS`.
 * The WAYS are in the table at the end. What is denied to it, it does not do.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MS 1000000LL

static long threads = 2;
static sem_t woken;
static pid_t brain;
/* What its other processes have used, in nanoseconds: all of them add to it. */
static volatile long long *helped;

static long long used(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000 * MS + time.tv_nsec;
}

static void compute(long long ns)
{
    for (long long end = used(CLOCK_THREAD_CPUTIME_ID) + ns; used(CLOCK_THREAD_CPUTIME_ID) < end;) {
        for (volatile int spin = 0; spin < 10000; spin++) {
        }
    }
}

static void *work(void *unused)
{
    for (;;) {
        if (sem_wait(&woken) == 0) {
            compute(4 * MS);
        }
    }
    return unused;
}

static void wake(int number)
{
    int before = errno;
    (void)number;
    for (long thread = 0; thread < threads; thread++) {
        sem_post(&woken);
    }
    errno = before;
}

/* Has a signal sent to `who`, this process if it is 0, every 10 ms, by ten timers. */
static void start_timers(int number, pid_t who)
{
    for (int count = 0; count < 10; count++) {
        struct sigevent event = {.sigev_notify = who == 0 ? SIGEV_SIGNAL : SIGEV_THREAD_ID};
        timer_t timer;
        event.sigev_signo = number;
        event._sigev_un._tid = who;
        if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) {
            struct itimerspec every = {{0, 10 * MS}, {0, (count + 1) * MS}};
            timer_settime(timer, 0, &every, 0);
        }
    }
}

/* Starts a process that has timers continue it, and does that whenever they did. */
static void start_helper(void (*does)(void))
{
    if (fork() != 0) {
        return;
    }
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCONT);
    sigprocmask(SIG_BLOCK, &signals, 0);
    start_timers(SIGCONT, 0);
    for (int number;;) {
        sigwait(&signals, &number);
        does();
    }
}

static void by_nothing(void) {}
static void by_timers(void) { start_timers(SIGCONT, 0); }
static void by_thread_timers(void) { start_timers(SIGCONT, (pid_t)syscall(SYS_gettid)); }

/* SIGCONT continues a process though it ignores it. */
static void by_ignored_timers(void)
{
    start_timers(SIGCONT, 0);
    signal(SIGCONT, SIG_IGN);
    start_timers(SIGUSR1, 0);
}

/* No other signal continues anybody. */
static void by_alarms(void)
{
    struct itimerval every = {{0, 10000}, {0, 10000}};
    setitimer(ITIMER_REAL, &every, 0);
    start_timers(SIGUSR1, 0);
    alarm(1);
}

static void kill_brain(void) { kill(brain, SIGCONT); }
static void by_helper(void) { start_helper(kill_brain); }

static void kill_group(void) { kill(0, SIGCONT); }
static void by_group(void) { start_helper(kill_group); }

static void queue_signal(void) { sigqueue(brain, SIGCONT, (union sigval){0}); }
static void by_queue(void) { start_helper(queue_signal); }

static void signal_thread(void) { syscall(SYS_tgkill, brain, brain, SIGCONT); }
static void by_thread_signal(void) { start_helper(signal_thread); }

static void signal_descriptor(void)
{
    int file = (int)syscall(SYS_pidfd_open, brain, 0);
    syscall(SYS_pidfd_send_signal, file, SIGCONT, 0, 0);
    close(file);
}
static void by_descriptor(void) { start_helper(signal_descriptor); }

/* A helper that works by itself, and continues no process. */
static void help(void)
{
    compute(8 * MS);
    __atomic_add_fetch(helped, 8 * MS, __ATOMIC_RELAXED);
}
static void by_working_helper(void) { start_helper(help); }

/* The same out of the group that is stopped, and without a parent. */
static void work_alone(void)
{
    setsid();
    setpgid(0, 0);
    for (;;) {
        help();
    }
}

static void by_leaving(void)
{
    if (fork() == 0) {
        for (struct timespec span = {0, 50 * MS}; setsid() < 0 && nanosleep(&span, 0) == 0;) {
        }
        work_alone();
    }
}

static void by_orphan(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    pid_t child = fork();
    if (child == 0) {
        if (fork() == 0) {
            start_helper(help);
        }
        _exit(0);
    }
    waitpid(child, 0, 0);
}

/* The kernel tells of a child's end by SIGCONT, and timers end one child after the other. */
static int end_later(void *number)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
    struct itimerspec once = {{0, 0}, {0, (long)(size_t)number * 8 * MS}};
    timer_t timer;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) {
        timer_settime(timer, 0, &once, 0);
    }
    for (;;) {
        pause();
    }
    return 0;
}

static void start_mortals(int number)
{
    static char stacks[24][16 << 10];
    for (size_t count = 0; count < 24; count++) {
        clone(end_later, stacks[count] + sizeof stacks[0] - 64, number, (void *)(count + 1));
    }
}

/* For each question anew. */
static void by_exit_signals(void)
{
    while (waitpid(-1, 0, WNOHANG | __WALL) > 0) {
    }
    start_mortals(SIGCONT);
}

/* A process whose parent ends is continued, and continues the brain. */
static void by_death_signals(void)
{
    for (size_t count = 1; count < 12; count++) {
        if (fork() == 0) {
            if (fork() == 0) {
                prctl(PR_SET_PDEATHSIG, SIGCONT);
                pause();
                kill(brain, SIGCONT);
                _exit(0);
            }
            end_later((void *)count);
        }
    }
}

/* What is written into a pipe is told its owner by a signal of its choice. */
static int ends[2];
static void write_pipe(void)
{
    char byte;
    if (write(ends[1], "x", 1) == 1 && read(ends[0], &byte, 1) < 0) {
        _exit(1);
    }
}

static void by_owned_pipe(void)
{
    if (pipe(ends) == 0) {
        fcntl(ends[0], F_SETOWN, brain);
        fcntl(ends[0], F_SETSIG, SIGCONT);
        fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK);
        start_helper(write_pipe);
    }
}

/* So is a change in a folder, and a message in a queue. */
static void make_file(void)
{
    char name[64];
    snprintf(name, sizeof name, "%s/noted", getenv("TMPDIR"));
    close(open(name, O_CREAT | O_WRONLY, 0600));
    unlink(name);
}

static void by_folder(void)
{
    int folder = open(getenv("TMPDIR"), O_RDONLY | O_DIRECTORY);
    fcntl(folder, F_SETSIG, SIGCONT);
    fcntl(folder, F_NOTIFY, DN_CREATE | DN_DELETE | DN_MULTISHOT);
    start_helper(make_file);
}

static mqd_t queue;
static void send_message(void)
{
    char byte[8];
    struct timespec none = {0, 0};
    mq_send(queue, "x", 1, 0);
    mq_timedreceive(queue, byte, sizeof byte, 0, &none);
}

static void by_message(void)
{
    struct mq_attr kind = {.mq_maxmsg = 1, .mq_msgsize = 8};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
    queue = mq_open("/tengen-wakes", O_CREAT | O_RDWR | O_NONBLOCK, 0600, &kind);
    mq_notify(queue, &event);
    start_helper(send_message);
}

/* One thread waits for a child as if it ran in its place, which no stop reaches. */
static void *borrow(void *unused)
{
    if (vfork() == 0) {
        for (;;) {
            pause();
        }
    }
    return unused;
}

static void by_borrowing(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, borrow, 0);
    start_timers(SIGCONT, 0);
}

/* A debugger continues whom it has stopped. */
static void debug(void)
{
    ptrace(PTRACE_SEIZE, brain, 0, 0);
    ptrace(PTRACE_INTERRUPT, brain, 0, 0);
    waitpid(brain, 0, WNOHANG);
    ptrace(PTRACE_CONT, brain, 0, SIGCONT);
}
static void by_debugger(void) { start_helper(debug); }

/* A thread of the kernel's works for the process: it takes no signals. */
static void by_ring(void)
{
    static char parameters[120];
    *(unsigned *)(parameters + 8) = 2; /* IORING_SETUP_SQPOLL */
    syscall(SYS_io_uring_setup, 8, parameters);
}

static const struct {
    const char *name;
    void (*begin)(void);
    int at_each_question;
} ways[] = {
    {"none", by_nothing, 0},
    {"timers", by_timers, 0},
    {"thread-timers", by_thread_timers, 0},
    {"ignored-timers", by_ignored_timers, 0},
    {"alarms", by_alarms, 0},
    {"helper", by_helper, 0},
    {"group", by_group, 0},
    {"queue", by_queue, 0},
    {"thread-signal", by_thread_signal, 0},
    {"descriptor", by_descriptor, 0},
    {"working-helper", by_working_helper, 0},
    {"leaving", by_leaving, 0},
    {"orphan", by_orphan, 0},
    {"exit-signals", by_exit_signals, 1},
    {"death-signals", by_death_signals, 1},
    {"owned-pipe", by_owned_pipe, 0},
    {"folder", by_folder, 0},
    {"message", by_message, 0},
    {"borrowing", by_borrowing, 0},
    {"debugger", by_debugger, 0},
    {"ring", by_ring, 0},
};

static int width;
static char taken[32][32];
static size_t way;

static void answer(void)
{
    static int asked;
    static long long before;
    long long now = used(CLOCK_PROCESS_CPUTIME_ID) + *helped;
    if (asked++ > 0) {
        printf("MESSAGE gained %lld\n", (now - before) / MS);
    }
    if (asked == 1 || ways[way].at_each_question) {
        ways[way].begin();
    }
    compute(2 * MS);
    for (int at = 0; at < width * width; at++) {
        if (!taken[at / width][at % width]) {
            taken[at / width][at % width] = 1;
            before = used(CLOCK_PROCESS_CPUTIME_ID) + *helped;
            printf("%d,%d\n", at % width, at / width);
            return;
        }
    }
}

int main(int count, char **words)
{
    char line[256];
    int x, y;
    brain = getpid();
    threads = count > 2 ? atol(words[2]) : threads;
    while (count > 1 && strcmp(ways[way].name, words[1]) != 0) {
        if (++way == sizeof ways / sizeof ways[0]) {
            return 2;
        }
    }
    helped = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    sem_init(&woken, 0, 0);
    struct sigaction action = {.sa_handler = wake, .sa_flags = SA_RESTART};
    sigaction(SIGCONT, &action, 0);
    sigaction(SIGUSR1, &action, 0);
    sigaction(SIGALRM, &action, 0);
    for (long thread = 0; thread < threads; thread++) {
        pthread_t worker;
        pthread_create(&worker, 0, work, 0);
    }
    while (fgets(line, sizeof line, stdin) != 0) {
        if (sscanf(line, "START %d", &x) == 1) {
            width = x <= 32 ? x : 32;
            memset(taken, 0, sizeof taken);
            puts("OK");
        } else if (strncmp(line, "BEGIN", 5) == 0) {
            answer();
        } else if (sscanf(line, "TURN %d,%d", &x, &y) == 2) {
            taken[y & 31][x & 31] = 1;
            answer();
        } else if (strncmp(line, "ABOUT", 5) == 0) {
            puts("name=\"wakes\", version=\"1\"");
        } else if (strncmp(line, "END", 3) == 0) {
            return 0;
        } else if (strncmp(line, "INFO", 4) != 0) {
            puts("UNKNOWN command");
        }
        fflush(stdout);
    }
    return 0;
}
