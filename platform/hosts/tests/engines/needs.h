/* What honest libraries do with the system: threads that share work, weights that are mapped, a look
 * at the machine, a handler for a crash. Each gives 0 if it worked. */
#include <dirent.h>
#include <execinfo.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

static pthread_mutex_t needs_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t needs_bell = PTHREAD_COND_INITIALIZER;
static int needs_ready;

/* Works in an arena of its own, and wakes the others. */
static void *needs_helper(void *room) {
    pthread_setname_np(pthread_self(), "helper");
    for (size_t size = 1; size < (size_t)8 << 20; size *= 4) {
        char *memory = realloc(0, size);
        if (!memory) return room;
        memset(memory, 1, size);
        memory = realloc(memory, size * 2);
        free(memory);
        sched_yield();
    }
    pthread_mutex_lock(&needs_lock);
    needs_ready++;
    pthread_cond_broadcast(&needs_bell);
    while (needs_ready < 4) pthread_cond_wait(&needs_bell, &needs_lock);
    pthread_mutex_unlock(&needs_lock);
    return 0;
}

static int needs_threads(void) {
    pthread_t threads[4];
    void *failed;
    int failures = 0;
    for (int i = 0; i < 4; i++) failures |= pthread_create(&threads[i], 0, needs_helper, &threads);
    for (int i = 0; i < 4; i++) failures |= pthread_join(threads[i], &failed) || failed;
    return failures;
}

/* Reads a file as libraries do: by a stream, by a map, and what is known of it. */
static int needs_files(const char *path) {
    char text[16], folder[4096], *real = realpath(path, 0);
    struct stat known;
    FILE *file = fopen(path, "rb");
    int fd = open(path, O_RDONLY | O_CLOEXEC), failures = !file || fd < 0 || !real;
    failures |= !file || fread(text, 1, sizeof text, file) != sizeof text || fseek(file, 0, SEEK_END);
    failures |= stat(path, &known) || fstat(fd, &known) || access(path, R_OK) || !getcwd(folder, 4096);
    posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    for (int kind = MAP_SHARED; kind <= MAP_PRIVATE; kind++) {
        char *mapped = mmap(0, (size_t)known.st_size, PROT_READ, kind, fd, 0);
        failures |= mapped == MAP_FAILED || memcmp(mapped, text, sizeof text);
        madvise(mapped, (size_t)known.st_size, MADV_WILLNEED);
        munmap(mapped, (size_t)known.st_size);
    }
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    failures |= copy < 0 || fcntl(copy, F_GETFL) < 0 || pread(copy, text, 1, 1) != 1;
    /* Where it may not be listed it is said so, and that is no matter of calls. */
    DIR *list = opendir("/proc/self/task");
    while (list && readdir(list)) {}
    if (list) closedir(list);
    if (file) fclose(file);
    close(copy);
    close(fd);
    free(real);
    return failures;
}

static int needs_memory(void) {
    size_t size = (size_t)4 << 20;
    char *table = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (table == MAP_FAILED) return 1;
    madvise(table, size, MADV_HUGEPAGE);
    memset(table, 1, size);
    table = mremap(table, size, size * 2, MREMAP_MAYMOVE);
    int failures = table == MAP_FAILED || mprotect(table, size, PROT_READ | PROT_EXEC);
    mlock(table, 4096);
    failures |= madvise(table + size, size, MADV_DONTNEED) || munmap(table, size * 2);
    return failures;
}

static int needs_machine(void) {
    struct timespec now, rest = {0, 1000};
    struct sysinfo machine;
    struct utsname name;
    struct rusage used;
    struct rlimit limit;
    cpu_set_t cpus;
    unsigned char seed[32];
    int failures = sched_getaffinity(0, sizeof cpus, &cpus) || sysconf(_SC_NPROCESSORS_ONLN) < 1;
    failures |= sysinfo(&machine) || uname(&name) || getrusage(RUSAGE_THREAD, &used);
    failures |= getrlimit(RLIMIT_STACK, &limit) || setrlimit(RLIMIT_STACK, &limit);
    failures |= clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) || nanosleep(&rest, 0);
    failures |= getrandom(seed, sizeof seed, 0) != sizeof seed || getpid() <= 0;
    isatty(1);
    return failures;
}

static void needs_handler(int signal_number) { needs_ready = -signal_number; }

static int needs_signals(void) {
    static char room[1 << 16];
    stack_t stack = {.ss_sp = room, .ss_size = sizeof room}, none = {.ss_flags = SS_DISABLE};
    struct sigaction action = {.sa_handler = needs_handler, .sa_flags = SA_ONSTACK}, before;
    void *frames[8];
    int failures = sigaltstack(&stack, 0) || sigaction(SIGUSR1, &action, &before);
    failures |= raise(SIGUSR1) || needs_ready != -SIGUSR1 || backtrace(frames, 8) < 1;
    failures |= sigaction(SIGUSR1, &before, 0) || sigaltstack(&none, 0);
    return failures;
}

static int needs_wakes(void) {
    int ends[2], bell = eventfd(0, EFD_CLOEXEC), failures = bell < 0 || pipe(ends);
    failures |= write(ends[1], "x", 1) != 1;
    struct pollfd ready = {ends[0], POLLIN, 0};
    failures |= poll(&ready, 1, 1000) != 1;
    close(ends[0]);
    close(ends[1]);
    close(bell);
    return failures;
}

/* The first need that is not met, from 1 on; 0 if all are. */
static int unmet_need(const char *file) {
    if (needs_threads()) return 1;
    if (needs_files(file)) return 2;
    if (needs_memory()) return 3;
    if (needs_machine()) return 4;
    if (needs_signals()) return 5;
    return needs_wakes() ? 6 : 0;
}
