/* Misdeeds of bad.c that reach for the machine, for the pipe to the arbiter, or for memory that is
 * not theirs. Each returns the status of the answer; one that was kept from its misdeed plays on. */
#include <dlfcn.h>
#include <limits.h>
#include <sys/stat.h>
#include <time.h>

#ifndef LOOP_IN
#define LOOP_IN ""
#endif
#ifndef ATTACK
#define ATTACK 0
#endif

/* A move that tells the test that something was within reach. */
#define CAUGHT TENGEN_XY(99, 99)

static void spin(void);
static void forge_start(uint32_t kind);

/* Called first thing in every export: does not return from the one that LOOP_IN names. */
static void enter(const char *name) {
    if (strcmp(name, LOOP_IN) == 0) spin();
}

__attribute__((constructor)) static void before_all(void) {
    if (strcmp(LOOP_IN, "constructor") == 0) {
        for (volatile unsigned long i = 0;; i++) {}
    }
    if (BAD == CRASH_CONSTRUCTOR) abort();
    if (BAD == FORGES_READY) forge_start(1);
    if (BAD == FORGES_SANDBOX) forge_start(9);
}

__attribute__((destructor)) static void after_all(void) {
    if (strcmp(LOOP_IN, "destructor") == 0) {
        for (volatile unsigned long i = 0;; i++) {}
    }
}

#ifdef INTERPOSES
/* In place of what the arbiter's own side of the process calls. */
int clock_gettime(clockid_t clock, struct timespec *now) { (void)clock, (void)now; abort(); }
ssize_t read(int fd, void *to, size_t count) { (void)fd, (void)to, (void)count; abort(); }
ssize_t write(int fd, const void *from, size_t count) { (void)fd, (void)from, (void)count; abort(); }
void *memcpy(void *to, const void *from, size_t count) { (void)to, (void)from, (void)count; abort(); }
#endif

/* An end of the pipes to the arbiter: O_RDONLY where questions come, O_WRONLY where answers go. */
static int wire(int access) {
    struct stat status;
    for (int fd = 3; fd < 64; fd++) {
        int flags = fcntl(fd, F_GETFL);
        if (flags >= 0 && (flags & O_ACCMODE) == access && fstat(fd, &status) == 0 &&
            S_ISFIFO(status.st_mode)) {
            return fd;
        }
    }
    abort();
}

/* Writes so much of a frame of the kind REPLY that claims to hold that many bytes. */
static void forge(uint32_t claims, const void *payload, size_t length) {
    unsigned char frame[128];
    uint32_t kind = 3;
    memcpy(frame, &claims, 4);
    memcpy(frame + 4, &kind, 4);
    memcpy(frame + 8, payload, length);
    if (write(wire(O_WRONLY), frame, 8 + length) < 0) abort();
}

/* What a child sends before its engine is asked anything: that it is ready, or what its walls are. */
static void forge_start(uint32_t kind) {
    unsigned char frame[16] = {8, 0, 0, 0, 0};
    memcpy(frame + 4, &kind, 4);
    if (write(wire(O_WRONLY), frame, sizeof frame) < 0) abort();
}

/* A good status and the reply as it stands, as a child would send it. */
static void forge_reply(const tengen_reply *reply) {
    unsigned char payload[4 + sizeof *reply] = {0};
    memcpy(payload + 4, reply, sizeof *reply);
    forge(sizeof payload, payload, sizeof payload);
}

static int overflow(volatile int depth) {
    volatile char frame[4096];
    frame[0] = (char)depth;
    return overflow(depth + 1) + frame[0];
}

/* Which file the engine itself is, with another name at the end. */
static const char *beside(const char *name) {
    static char path[PATH_MAX];
    Dl_info info;
    if (dladdr((void *)before_all, &info) == 0) abort();
    snprintf(path, sizeof path, "%s", info.dli_fname);
    char *end = strrchr(path, '/');
    snprintf(end + 1, sizeof path - (size_t)(end + 1 - path), "%s", name);
    return path;
}

/* Which file the engine itself is. */
__attribute__((unused)) static const char *own_file(void) {
    Dl_info info;
    if (dladdr((void *)before_all, &info) == 0) abort();
    return info.dli_fname;
}

static int reads_canary(void) {
    char byte;
    int fd = open(beside("canary"), O_RDONLY);
    return fd >= 0 && read(fd, &byte, 1) == 1;
}

/* Starts processes that outlive the question, each in a session of its own if `away`. */
static int forks(int count, int away) {
    for (int i = 0; i < count; i++) {
        pid_t pid = fork();
        if (pid < 0) return i > 0;
        if (pid > 0) continue;
        if (away) setsid();
        for (;;) pause();
    }
    return 1;
}

static void rest(long milliseconds) {
    struct timespec span = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    while (nanosleep(&span, &span) != 0) {}
}

/* Strikes with one of the signals that stop a process, or of all the others but those of real
 * time: the seed says with which. */
static void strike(uint64_t seed, int stops) {
    const int first = SIGSTOP, last = SIGTTOU;
    int number = stops ? first + (int)(seed % 4) : 1 + (int)(seed % 27);
    if (!stops && number >= first) number += last - first + 1;
    signal(number, SIG_DFL);
    raise(number);
}

static int32_t reach_out(tengen_engine *e, tengen_reply *reply) {
    static char text[4096];
    memset(text, 'x', sizeof text);
    switch (BAD) {
    case SIGNALS:
    case STOPS:
        /* The seed of a game says which signal strikes, and at which of its moves. */
        if (e->asked == 1 + (e->seed >> 8) % 3) strike(e->seed, BAD == STOPS);
        break;
    case HALF_ANSWER:
        forge(4 + sizeof *reply, text, 10);
        spin();
        break;
    case ANSWERS_TWICE:
        forge_reply(reply);
        break;
    case CLAIMS_LENGTH:
        forge(UINT32_MAX, text, 10);
        spin();
        break;
    case LEAVES_AFTER:
        close(wire(O_RDONLY));
        break;
    case SLOW:
        rest(100);
        break;
    case LATE:
        while (tengen_left_us(e->host) > -2000000) rest(10);
        break;
    case OCCUPIED:
        if (e->plies > 0) reply->move = e->last;
        break;
    case LIES_ABOUT_SIZES: {
        tengen_info info = {.size = UINT32_MAX, .pv_len = UINT32_MAX};
        if (tengen_send(e->host, TENGEN_SEND_INFO, &info, sizeof info) == TENGEN_OK ||
            tengen_send(e->host, TENGEN_SEND_INFO, &info, 3) == TENGEN_OK ||
            tengen_send(e->host, TENGEN_SEND_LOG, text, UINT32_MAX) == TENGEN_OK) {
            reply->move = CAUGHT;
        }
        reply->size = UINT32_MAX;
        break;
    }
    case WRITES_PAST:
        memset(reply, 'x', 64 << 20);
        break;
    case WILD_POINTER:
        tengen_send(e->host, TENGEN_SEND_LOG, (const void *)16, 4096);
        break;
    case UNKNOWN_STATUS:
        return 12345;
    case STACK:
        reply->depth = (uint32_t)overflow(0);
        break;
    case FLOOD_STDOUT:
        for (;;) {
            if (puts(text) < 0) _exit(1);
        }
        break;
    case READS_CANARY:
        if (reads_canary()) reply->move = CAUGHT;
        break;
    case CONNECTS:
        if (connects() == 0) reply->move = CAUGHT;
        break;
    case FORK_BOMB:
        if (forks(100, 0)) spin();
        break;
    case LEAVES_GROUP:
        if (forks(3, 1)) spin();
        break;
    case LEAVES_ORPHANS:
        if (forks(3, 1)) _exit(0);
        break;
#ifdef __linux__
    case ATTACKS:
        if (ATTACK == ATTACK_ALL) {
            attack_all(own_file(), text, 1024);
            tengen_send(e->host, TENGEN_SEND_LOG, text, (uint32_t)strlen(text));
            return TENGEN_E_INTERNAL;
        }
        if (e->asked == 1 && attack(ATTACK, own_file())) reply->move = CAUGHT;
        break;
#endif
    }
    return TENGEN_OK;
}

#ifdef WITH_ALL
TENGEN_API(tengen_set_option)
int32_t tengen_set_option(tengen_engine *e, const char *name, const char *value) {
    (void)e, (void)name, (void)value;
    enter("set_option");
    return TENGEN_OK;
}

TENGEN_API(tengen_undo) int32_t tengen_undo(tengen_engine *e, uint32_t count) {
    (void)e, (void)count;
    enter("undo");
    return TENGEN_E_UNSUPPORTED;
}

TENGEN_API(tengen_decide)
int32_t tengen_decide(tengen_engine *e, const tengen_question *question,
                      const tengen_move *candidates, const tengen_limits *limits,
                      tengen_verdict *verdict) {
    (void)e, (void)question, (void)candidates, (void)limits, (void)verdict;
    enter("decide");
    return TENGEN_E_UNSUPPORTED;
}

TENGEN_API(tengen_end_game)
int32_t tengen_end_game(tengen_engine *e, int32_t outcome, uint32_t reason) {
    (void)e, (void)outcome, (void)reason;
    enter("end_game");
    return TENGEN_OK;
}

TENGEN_API(tengen_ponder) int32_t tengen_ponder(tengen_engine *e, const tengen_limits *limits) {
    (void)e, (void)limits;
    enter("ponder");
    return TENGEN_E_UNSUPPORTED;
}

TENGEN_API(tengen_extra)
int32_t tengen_extra(tengen_engine *e, uint32_t op, const void *in, uint32_t in_len, void *out,
                     uint32_t out_capacity) {
    (void)e, (void)op, (void)in, (void)in_len, (void)out, (void)out_capacity;
    enter("extra");
    return TENGEN_E_UNSUPPORTED;
}

TENGEN_API(tengen_destroy) void tengen_destroy(tengen_engine *e) {
    (void)e;
    enter("destroy");
}
#endif
