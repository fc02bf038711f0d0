/* Engines that misbehave, one for each value of BAD; all play the first empty point otherwise. */
#define _GNU_SOURCE
#include "../../../../tests/engines/os.h"
#if defined(__linux__)
#include "../../../../tests/engines/attacks.h"
#endif

#include "tengen.h"

#define GOOD 0
#define CRASH 1
#define LOOP_CHOOSE 2
#define CRASH_CONSTRUCTOR 5
#define FLOOD_STDERR 6
#define FLOOD_INFO 7
#define FLOOD_LOG 8
#define LIE 9
#define EXIT 10
#define GARBAGE 11
#define CLOSE_ALL 12
#define HOG 14
#define CHATTER 15
#define INTERNAL 16
#define WRITE_FILE 17
#define OPTIONS 18
#define EXIT_AFTER 19
#define NO_MOVE 20
#define HEARS_THE_END 21
#define POLLS 22
#define CLAIMS 23
#define FETCHES 24
#define TRIES 25
#define STOPS_ITSELF 26
#define IGNORES_SIGNALS 27
#define WORKS_ON 28
#define THREAD_BOMB 29
#define KEEPS_NOTES 30
#define FILLS_FOLDER 31
#define HIDES_FILES 32
#define WORKS_ONCE 33
#define SIGNALS 34
#define HALF_ANSWER 35
#define ANSWERS_TWICE 36
#define CLAIMS_LENGTH 37
#define LEAVES_AFTER 38
#define SLOW 39
#define LATE 40
#define OCCUPIED 41
#define LIES_ABOUT_SIZES 42
#define WRITES_PAST 43
#define WILD_POINTER 44
#define UNKNOWN_STATUS 45
#define STACK 46
#define FLOOD_STDOUT 47
#define READS_CANARY 48
#define CONNECTS 49
#define FORK_BOMB 50
#define LEAVES_GROUP 51
#define WILD_DESCRIPTION 52
#define NO_ENGINE 53
#define CRASH_NEW_GAME 54
#define TALKS 55
#define STOPS 56
#define LEAVES_ORPHANS 57
#define SPENDS_TIME 58
#define ATTACKS 59
#define FORGES_READY 60
#define FORGES_SANDBOX 61
#define READS_NEIGHBOUR 62
#define LOOP_FIRST 63
#define SETS_TIMERS 70
#define NEEDS 71

#ifdef __linux__
#include "tries.h"
#include "needs.h"
#else
#define unmet_need(file) 0
static const char *try_all(void) { return ""; }
static int refuses_timers(void) { return 1; }
#endif

struct tengen_engine {
    const tengen_host *host;
    uint32_t width, height, plies, asked;
    uint64_t seed;
    tengen_move last;
    uint8_t taken[32][32];
};

#include "wrong.h"

static struct tengen_engine the_engine;

/* Thinks until so many microseconds are left: RESERVE_US, or what tengen.h says to keep. */
static void spend(const struct tengen_engine *e, const tengen_limits *limits) {
#ifdef RESERVE_US
    while (limits->hard_us >= 0 && tengen_left_us(e->host) > RESERVE_US) {}
#else
    int64_t half = limits->hard_us / 2, keep = limits->hard_us / 40, left, last;
    if (limits->hard_us < 0) return;
    if (keep > 50000) keep = 50000;
    if (keep < 5000) keep = 5000;
    if (keep < 2 * limits->lag_us) keep = 2 * limits->lag_us;
    for (last = tengen_left_us(e->host);; last = left) {
        left = tengen_left_us(e->host);
        if (keep < 2 * (last - left)) keep = 2 * (last - left);
        if (left <= (keep < half ? keep : half)) return;
    }
#endif
}

/* Tells a number through the log, for the test to read in the account of the failure. */
__attribute__((unused)) static void log_number(const struct tengen_engine *e, const char *what, long number) {
    char text[64];
    int length = snprintf(text, sizeof text, "%s %ld", what, number);
    tengen_send(e->host, TENGEN_SEND_LOG, text, (uint32_t)length);
}

static void *work_a_while(void *argument) {
    for (volatile unsigned long i = 0; i < 200000000;) i = i + 1;
    return argument;
}

#ifndef NO_ABI
TENGEN_API(tengen_abi_v1) uint32_t tengen_abi_v1(void) {
    enter("abi_v1");
    return TENGEN_ABI_MINOR;
}
#endif

TENGEN_API(tengen_describe) const char *tengen_describe(void) {
    enter("describe");
    if (BAD == WILD_DESCRIPTION) return (const char *)16;
    return "name Bad\nversion 1\nunheard of\n";
}

TENGEN_API(tengen_create) tengen_engine *tengen_create(const tengen_host *host) {
    the_engine.host = host;
    enter("create");
    return BAD == NO_ENGINE ? 0 : &the_engine;
}

TENGEN_API(tengen_new_game) int32_t tengen_new_game(tengen_engine *e, const tengen_game *game) {
    enter("new_game");
    if (BAD == CRASH_NEW_GAME) abort();
    e->width = game->width;
    e->height = game->height;
    e->seed = game->seed;
    e->asked = 0;
    return TENGEN_OK;
}

TENGEN_API(tengen_set_position)
int32_t tengen_set_position(tengen_engine *e, const tengen_move *moves, uint32_t count) {
    enter("set_position");
    memset(e->taken, 0, sizeof e->taken);
    e->plies = count;
    for (uint32_t i = 0; i < count; i++) {
        if (moves[i] != TENGEN_PASS) e->taken[moves[i] & 31][moves[i] >> 8] = 1;
        e->last = moves[i];
    }
    return TENGEN_OK;
}

#if defined(WITH_PLAY) || defined(WITH_ALL)
TENGEN_API(tengen_play) int32_t tengen_play(tengen_engine *e, tengen_move move) {
    enter("play");
    e->plies++;
    e->taken[move & 31][move >> 8] = 1;
    return TENGEN_OK;
}
#endif

#ifndef NO_CHOOSE
static int32_t misbehave(tengen_engine *e, const tengen_limits *limits, tengen_reply *reply) {
    (void)limits;
    static char text[4096];
    memset(text, 'x', sizeof text);
    switch (BAD) {
    case CRASH:
        fprintf(stderr, "about to crash\n");
        *(volatile int *)8 = 1;
        break;
    case LOOP_FIRST:
        if (e->plies == 0) spin();
        break;
    case LOOP_CHOOSE:
        log_number(e, "pid", getpid());
        spin();
        break;
    case FLOOD_STDERR:
        for (;;) {
            if (write(2, text, sizeof text) < 0) _exit(1);
        }
        break;
    case TALKS: {
        struct { tengen_info info; tengen_move pv[2]; } said = {
            .info = {.size = sizeof(tengen_info), .multipv = 1, .depth = 5, .nodes = 1234,
                     .score = {.eval = 35, .have = 1}, .elapsed_us = 7, .pv_len = 2},
            .pv = {TENGEN_XY(7, 7), TENGEN_XY(7, 8)}};
        fprintf(stderr, "a word aside\n");
        tengen_send(e->host, TENGEN_SEND_LOG, "thinking", 8);
        tengen_send(e->host, TENGEN_SEND_INFO, &said, sizeof said.info + 4);
        said.info.multipv = 2;
        said.info.pv_len = 0;
        tengen_send(e->host, TENGEN_SEND_INFO, &said, sizeof said.info);
        spin();
        break;
    }
    case FLOOD_INFO:
        for (;;) {
            tengen_info info = {.size = sizeof info, .depth = 1};
            tengen_send(e->host, TENGEN_SEND_INFO, &info, sizeof info);
        }
        break;
    case FLOOD_LOG:
        for (;;) tengen_send(e->host, TENGEN_SEND_LOG, text, sizeof text);
        break;
    case LIE:
        reply->move = TENGEN_XY(99, 99);
        break;
    case NO_MOVE:
        reply->move = TENGEN_NONE;
        break;
    case EXIT:
        exit(3);
    case GARBAGE:
        write_everywhere(text, 64);
        break;
    case CLOSE_ALL:
        close_all();
        spin();
        break;
    case HOG: {
        int taken = take_all();
        if (taken < 1024) {
            log_number(e, "refused after MiB", taken);
            abort();
        }
        break;
    }
    case CHATTER:
        printf("this is no frame\n");
        fflush(stdout);
        if (getchar() != EOF) abort();
        break;
    case INTERNAL:
        tengen_send(e->host, TENGEN_SEND_LOG, "it all went wrong", 17);
        return TENGEN_E_INTERNAL;
    case WRITE_FILE:
        if (writes(OUTSIDE)) abort();
        break;
    case POLLS:
        if (tengen_left_us(e->host) > 1000000000) return TENGEN_E_STATE;
        while (tengen_left_us(e->host) > 0) {}
        break;
    case SPENDS_TIME:
        spend(e, limits);
        break;
    case CLAIMS:
        reply->flags = TENGEN_REPLY_CLAIM_FOUL;
        break;
    case FETCHES: {
        char to[4] = {0};
        int64_t size = tengen_fetch(e->host, "weights", 1, to, 3);
        if (tengen_fetch(e->host, "../outside", 0, to, 3) >= 0) abort();
        if (size == 5 && strcmp(to, "234") == 0) reply->move = TENGEN_XY(4, 4);
        break;
    }
    case READS_NEIGHBOUR: {
        const char *name = "READS_NEIGHBOUR.weights";
        char to[4] = {0}, own[4] = {0};
        if (tengen_fetch(e->host, "outside", 0, to, 3) != TENGEN_E_ARGUMENT) abort();
        if (tengen_fetch(e->host, name, 1, to, 3) != 5 || strcmp(to, "234") != 0) abort();
        FILE *file = fopen(name, "r");
        if (file == NULL || fread(own, 1, 3, file) != 3 || strcmp(own, "123") != 0) abort();
        fclose(file);
        reply->move = TENGEN_XY(4, 4);
        break;
    }
    case TRIES: {
        const char *outcomes = try_all();
        tengen_send(e->host, TENGEN_SEND_LOG, outcomes, (uint32_t)strlen(outcomes));
        return TENGEN_E_INTERNAL;
    }
    case WORKS_ON:
        if (e->plies == 0) start_threads(2, work);
        break;
    case WORKS_ONCE: {
        static int started;
        if (!started++) start_threads(1, work_a_while);
        break;
    }
    case THREAD_BOMB:
        log_number(e, "threads", start_threads(4000, sleep_on));
        spin();
        break;
    case NEEDS: {
        int unmet = unmet_need(OWN);
        if (!unmet) {
            reply->move = TENGEN_XY(4, 4);
        } else {
            snprintf(text, sizeof text, "need %d is not met", unmet);
            tengen_send(e->host, TENGEN_SEND_LOG, text, (uint32_t)strlen(text));
        }
        break;
    }
    case SETS_TIMERS:
        if (refuses_timers()) reply->move = TENGEN_XY(4, 4);
        break;
    case KEEPS_NOTES:
        if (write_file("notes", 1, 0) == 1 && open("notes", O_RDONLY) >= 0) {
            reply->move = TENGEN_XY(4, 4);
        }
        break;
    case FILLS_FOLDER:
    case HIDES_FILES:
        write_files(BAD == HIDES_FILES);
        spin();
        break;
    case EXIT_AFTER:
        if (e->plies > 0) _exit(0);
        break;
#ifndef _WIN32
    case STOPS_ITSELF:
        raise(SIGSTOP);
        break;
    case IGNORES_SIGNALS:
        ignore_signals();
        spin();
        break;
#endif
    default:
        return reach_out(e, reply);
    }
    return TENGEN_OK;
}

TENGEN_API(tengen_choose)
int32_t tengen_choose(tengen_engine *e, const tengen_limits *limits, tengen_reply *reply) {
    for (unsigned i = 0; i < e->width * e->height; i++) {
        unsigned x = i % e->width, y = i / e->width;
        if (!e->taken[x][y]) {
            reply->move = TENGEN_XY(x, y);
            break;
        }
    }
    reply->nodes = 17;
    e->asked++;
    enter("choose");
    return misbehave(e, limits, reply);
}
#endif

#if BAD == OPTIONS
TENGEN_API(tengen_set_option)
int32_t tengen_set_option(tengen_engine *e, const char *name, const char *value) {
    (void)e;
    if (strcmp(name, "Known") != 0) return TENGEN_E_UNSUPPORTED;
    return strcmp(value, "good") == 0 ? TENGEN_OK : TENGEN_E_ARGUMENT;
}
#endif

#if BAD == HEARS_THE_END
TENGEN_API(tengen_end_game)
int32_t tengen_end_game(tengen_engine *e, int32_t outcome, uint32_t reason) {
    log_number(e, "outcome", outcome);
    log_number(e, "reason", (long)reason);
    _exit(0);
}
#endif
