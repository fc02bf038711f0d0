/* What Tengen calls. It keeps the position and the time, and calls choose(). You need not change
 * it, except for the rules that the engine plays: see tengen_describe(). */
#include "board.h"

struct tengen_engine {
    const tengen_host *host;
    struct board board;
    int64_t reserve, last_left, longest_gap, hard, spare, lag;
};
static struct tengen_engine engine;

#if defined(__wasm__)
/* The compiler calls these; there is no C library to have them. */
#ifdef __cplusplus
extern "C" {
#endif
void *memcpy(void *to, const void *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
    return to;
}

void *memset(void *to, int byte, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((unsigned char *)to)[i] = (unsigned char)byte;
    return to;
}
#ifdef __cplusplus
}
#endif
#endif

/* ---- time: the reserve that tengen.h asks for ---- */

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

int is_up(void)
{
    int64_t left = engine.host ? tengen_left_us(engine.host) : INT64_MAX;
    if (left == INT64_MAX)
        return 0;
    if (engine.hard < 0)
        return left <= 0;
    left -= engine.spare;
    if (engine.last_left >= 0)
        engine.longest_gap = larger(engine.longest_gap, engine.last_left - left);
    engine.last_left = left;
    engine.reserve = larger(5000, smaller(engine.hard / 40, 50000));
    engine.reserve = larger(engine.reserve, 2 * larger(engine.lag, engine.longest_gap));
    return left <= smaller(engine.reserve, engine.hard / 2);
}

static void start_clock(const tengen_limits *limits)
{
    engine.hard = limits->hard_us;
    /* The periods of byo-yomi after this one stay for later. */
    engine.spare = limits->own_us < 0 ? 0 : larger(0, engine.hard - limits->own_us);
    engine.hard -= engine.spare;
    engine.lag = limits->size >= sizeof *limits ? limits->lag_us : 0;
    engine.last_left = -1;
    engine.longest_gap = 0;
}

/* ---- the position ---- */

static int32_t play(struct board *board, tengen_move move)
{
    int x = move & 255, y = move >> 8;
    if (board->plies == MAX_PLIES)
        return TENGEN_E_STATE;
    if (move != TENGEN_PASS) {
        if (x >= board->width || y >= board->height || board->cell[y][x] != EMPTY)
            return TENGEN_E_ARGUMENT;
        board->cell[y][x] = (unsigned char)board->to_move;
    }
    board->moves[board->plies++] = move;
    board->to_move = BLACK + WHITE - board->to_move;
    return TENGEN_OK;
}

static void undo(struct board *board)
{
    tengen_move move = board->moves[--board->plies];
    if (move != TENGEN_PASS)
        board->cell[move >> 8][move & 255] = EMPTY;
    board->to_move = BLACK + WHITE - board->to_move;
}

/* ---- what Tengen calls ---- */

uint32_t TENGEN_CALL tengen_abi_v1(void) { return TENGEN_ABI_MINOR; }

const char *TENGEN_CALL tengen_describe(void)
{
    return "name @NAME@\nversion 0.1.0\n"
           "rule freestyle 5..32\nrule standard 5..32\nrule caro 5..32\n";
}

tengen_engine *TENGEN_CALL tengen_create(const tengen_host *host)
{
    engine.host = host;
    return &engine;
}

int32_t TENGEN_CALL tengen_new_game(tengen_engine *e, const tengen_game *game)
{
    struct board *board;
    if (!e || !game || game->width < 5 || game->width > MAX_SIDE || game->height < 5
        || game->height > MAX_SIDE)
        return TENGEN_E_ARGUMENT;
    if (game->rule == TENGEN_RULE_RENJU)
        return TENGEN_E_UNSUPPORTED;
    board = &e->board;
    board->width = game->width;
    board->height = game->height;
    board->rule = game->rule;
    board->to_move = BLACK;
    board->plies = 0;
    for (int y = 0; y < MAX_SIDE; y++)
        for (int x = 0; x < MAX_SIDE; x++)
            board->cell[y][x] = EMPTY;
    return TENGEN_OK;
}

int32_t TENGEN_CALL tengen_set_position(tengen_engine *e, const tengen_move *moves, uint32_t count)
{
    if (!e || (!moves && count > 0))
        return TENGEN_E_ARGUMENT;
    while (e->board.plies > 0)
        undo(&e->board);
    for (uint32_t i = 0; i < count; i++) {
        int32_t status = play(&e->board, moves[i]);
        if (status != TENGEN_OK)
            return status;
    }
    return TENGEN_OK;
}

int32_t TENGEN_CALL tengen_play(tengen_engine *e, tengen_move move)
{
    return e ? play(&e->board, move) : TENGEN_E_ARGUMENT;
}

int32_t TENGEN_CALL tengen_undo(tengen_engine *e, uint32_t count)
{
    if (!e || count > (uint32_t)e->board.plies)
        return TENGEN_E_ARGUMENT;
    while (count-- > 0)
        undo(&e->board);
    return TENGEN_OK;
}

int32_t TENGEN_CALL tengen_choose(tengen_engine *e, const tengen_limits *limits,
                                  tengen_reply *reply)
{
    tengen_move move;
    if (!e || !limits || !reply || reply->size < sizeof *reply)
        return TENGEN_E_ARGUMENT;
    if (e->board.width == 0)
        return TENGEN_E_STATE;
    start_clock(limits);
#ifdef __cpp_exceptions
    try {
        move = choose(&e->board);
    } catch (...) {
        return TENGEN_E_INTERNAL; /* no exception may leave an engine */
    }
#else
    move = choose(&e->board);
#endif
    reply->size = sizeof *reply;
    reply->flags = 0;
    reply->move = move;
    reply->ponder = TENGEN_NONE;
    reply->depth = reply->seldepth = reply->reserved = 0;
    reply->score.have = 0;
    reply->nodes = 0;
    return TENGEN_OK;
}

#if defined(__wasm__)
void *TENGEN_CALL tengen_buffer(uint32_t bytes)
{
    static uint64_t region[2048];
    return bytes <= sizeof region ? region : NULL;
}
#endif
