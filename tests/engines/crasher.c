/* Dies when it is asked for its move, in the way that WAY names, from the ply AT on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tengen.h"

#define READ 1
#define ABORT 2
#define DIVIDE 3
#define OVERFLOW 4
#define JUMP 5
#define FORGE 6

#ifndef AT
#define AT 0
#endif

struct tengen_engine {
    uint32_t width, height, plies;
    uint8_t taken[32][32];
};

struct row {
    int64_t before[2], count;
};

static struct tengen_engine the_engine;
static volatile int zero;

static int deeper(volatile int depth) {
    volatile char room[4096];
    room[0] = (char)depth;
    return deeper(depth + 1) + room[0];
}

/* What Tengen's own process writes when an engine dies. */
static int forge(void) {
    fputs("tengen crash report: signal b code 1 address 0 stack 0 at engine+0\n", stderr);
    _exit(3);
}

static int evaluate(const volatile struct row *row) {
    fputs("about to die\n", stderr);
    switch (WAY) {
    case READ: return (int)row->count;
    case ABORT: abort();
    case DIVIDE: return 100 / zero;
    case OVERFLOW: return deeper(0);
    case JUMP: return ((int (*volatile)(void))8)() + 1;
    default: return forge();
    }
}

static int search(const tengen_engine *e) {
    return e->plies >= AT ? evaluate(0) + 1 : 0;
}

TENGEN_API(tengen_abi_v1) uint32_t tengen_abi_v1(void) { return TENGEN_ABI_MINOR; }

TENGEN_API(tengen_describe) const char *tengen_describe(void) { return "name Crasher\n"; }

TENGEN_API(tengen_create) tengen_engine *tengen_create(const tengen_host *host) {
    (void)host;
    return &the_engine;
}

TENGEN_API(tengen_new_game) int32_t tengen_new_game(tengen_engine *e, const tengen_game *game) {
    e->width = game->width;
    e->height = game->height;
    return TENGEN_OK;
}

TENGEN_API(tengen_set_position)
int32_t tengen_set_position(tengen_engine *e, const tengen_move *moves, uint32_t count) {
    memset(e->taken, 0, sizeof e->taken);
    e->plies = count;
    for (uint32_t i = 0; i < count; i++) {
        if (moves[i] != TENGEN_PASS) e->taken[moves[i] & 31][moves[i] >> 8] = 1;
    }
    return TENGEN_OK;
}

TENGEN_API(tengen_choose)
int32_t tengen_choose(tengen_engine *e, const tengen_limits *limits, tengen_reply *reply) {
    (void)limits;
    if (search(e) != 0) return TENGEN_E_INTERNAL;
    for (uint32_t point = 0; point < e->width * e->height; point++) {
        uint32_t x = point % e->width, y = point / e->width;
        if (!e->taken[y][x]) {
            reply->move = (tengen_move)(x << 8 | y);
            return TENGEN_OK;
        }
    }
    return TENGEN_E_INTERNAL;
}
