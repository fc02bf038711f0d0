/* Misdeeds of bad.c that reach for the machine, for the pipe to the arbiter, or for memory that is
 * not theirs. Each returns the status of the answer; one that was kept from its misdeed plays on. */
#ifdef _WIN32
#define OUTSIDE "C:\\Users\\Public\\tengen-bad-engine"
#else
#include <dlfcn.h>
#include <limits.h>
#include <sys/stat.h>
#define OUTSIDE "/tmp/tengen-bad-engine"
#endif

#ifndef LOOP_IN
#define LOOP_IN ""
#endif
#ifndef ATTACK
#define ATTACK 0
#endif

/* A move that tells the test that something was within reach. */
#define CAUGHT TENGEN_XY(99, 99)

static void forge_start(uint32_t kind);

/* Called first thing in every export: does not return from the one that LOOP_IN names. */
static void enter(const char *name) {
    if (strcmp(name, LOOP_IN) == 0) spin();
}

__attribute__((constructor)) static void before_all(void) {
    if (strcmp(LOOP_IN, "constructor") == 0) spin();
    if (BAD == CRASH_CONSTRUCTOR) abort();
    if (BAD == FORGES_READY) forge_start(1);
    if (BAD == FORGES_SANDBOX) forge_start(9);
}

__attribute__((destructor)) static void after_all(void) {
    if (strcmp(LOOP_IN, "destructor") == 0) spin();
}

#ifdef INTERPOSES
/* In place of what the arbiter's own side of the process calls. */
int clock_gettime(clockid_t clock, struct timespec *now) { (void)clock, (void)now; abort(); }
ssize_t read(int fd, void *to, size_t count) { (void)fd, (void)to, (void)count; abort(); }
ssize_t write(int fd, const void *from, size_t count) { (void)fd, (void)from, (void)count; abort(); }
void *memcpy(void *to, const void *from, size_t count) { (void)to, (void)from, (void)count; abort(); }
#endif

#ifdef _WIN32
#define MOST_HANDLES 4096

/* Ends of the pipes to the arbiter look like those of a log: what is written goes into all that
 * take it. */
static void write_everywhere(const void *bytes, size_t count) {
    for (uintptr_t number = 4; number < MOST_HANDLES; number += 4) {
        DWORD written;
        HANDLE handle = (HANDLE)number;
        if (GetFileType(handle) == FILE_TYPE_PIPE) WriteFile(handle, bytes, (DWORD)count, &written, NULL);
    }
}

static void write_wire(const void *bytes, size_t count) { write_everywhere(bytes, count); }

static void close_questions(void) {
    for (uintptr_t number = 4; number < MOST_HANDLES; number += 4) {
        DWORD waiting;
        HANDLE handle = (HANDLE)number;
        if (GetFileType(handle) != FILE_TYPE_PIPE) continue;
        if (PeekNamedPipe(handle, NULL, 0, NULL, &waiting, NULL)) CloseHandle(handle);
    }
}

static void close_all(void) {
    for (uintptr_t number = 4; number < MOST_HANDLES; number += 4) CloseHandle((HANDLE)number);
}
#else
static void write_everywhere(const void *bytes, size_t count) {
    for (int fd = 3; fd < 64; fd++) {
        if (write(fd, bytes, count) < 0) continue;
    }
}

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

static void write_wire(const void *bytes, size_t count) {
    if (write(wire(O_WRONLY), bytes, count) < 0) abort();
}

static void close_questions(void) { close(wire(O_RDONLY)); }

static void close_all(void) {
    for (int fd = 0; fd < 64; fd++) close(fd);
}
#endif

/* Writes so much of a frame of the kind REPLY that claims to hold that many bytes. */
static void forge(uint32_t claims, const void *payload, size_t length) {
    unsigned char frame[128];
    uint32_t kind = 3;
    memcpy(frame, &claims, 4);
    memcpy(frame + 4, &kind, 4);
    memcpy(frame + 8, payload, length);
    write_wire(frame, 8 + length);
}

/* What a child sends before its engine is asked anything: that it is ready, or what its walls are. */
static void forge_start(uint32_t kind) {
    unsigned char frame[16] = {8, 0, 0, 0, 0};
    memcpy(frame + 4, &kind, 4);
    write_wire(frame, sizeof frame);
}

/* A good status and the reply as it stands, as a child would send it. */
static void forge_reply(const tengen_reply *reply) {
    unsigned char payload[4 + sizeof *reply] = {0};
    memcpy(payload + 4, reply, sizeof *reply);
    forge(sizeof payload, payload, sizeof payload);
}

/* Which file the engine itself is. */
static const char *own_file(void) {
#ifdef _WIN32
    static char path[4096];
    HMODULE module;
    DWORD flags = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS |
                  GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
    if (!GetModuleHandleExA(flags, (const char *)own_file, &module)) abort();
    if (GetModuleFileNameA(module, path, sizeof path) == 0) abort();
    return path;
#else
    Dl_info info;
    if (dladdr((void *)own_file, &info) == 0) abort();
    return info.dli_fname;
#endif
}

#ifndef _WIN32
/* Strikes with one of the signals that stop a process, or of all the others but those of real
 * time: the seed says with which. */
static void strike(uint64_t seed, int stops) {
    const int first = SIGSTOP, last = SIGTTOU;
    int number = stops ? first + (int)(seed % 4) : 1 + (int)(seed % 27);
    if (!stops && number >= first) number += last - first + 1;
    signal(number, SIG_DFL);
    raise(number);
}

#endif

static int32_t reach_out(tengen_engine *e, tengen_reply *reply) {
    static char text[4096];
    memset(text, 'x', sizeof text);
    switch (BAD) {
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
        close_questions();
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
        if (reads(beside(own_file(), "canary"))) reply->move = CAUGHT;
        break;
    case CONNECTS:
        if (connects()) reply->move = CAUGHT;
        break;
    case FORK_BOMB:
        if (start_processes(100, 0, 0)) spin();
        break;
    case LEAVES_GROUP:
        if (start_processes(3, 1, 0)) spin();
        break;
    case LEAVES_ORPHANS:
        if (start_processes(3, 1, 0)) _exit(0);
        break;
#ifndef _WIN32
    case SIGNALS:
    case STOPS:
        /* The seed of a game says which signal strikes, and at which of its moves. */
        if (e->asked == 1 + (e->seed >> 8) % 3) strike(e->seed, BAD == STOPS);
        break;
#endif
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
