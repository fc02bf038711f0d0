/* A small engine in one file of C99, without any library: start here if you write C.
 *
 *     cc -std=c99 -O2 -shared -fPIC -fvisibility=hidden -I engine-sdk/include \
 *         -o engines/minimal.so examples/minimal-c/minimal.c
 *     clang --target=wasm32-unknown-unknown -O2 -nostdlib -ffreestanding -Wl,--no-entry,--strip-all \
 *         -I engine-sdk/include -o engines/minimal.wasm examples/minimal-c/minimal.c
 *
 * It looks one move ahead: each empty point is worth what the rows of five through it are worth.
 * It knows the forbidden moves of renju and answers every opening question. */
#include "tengen.h"

enum { EMPTY, BLACK, WHITE, EDGE };
enum { PAD = 5, STRIDE = 32 + 2 * PAD, CELLS = STRIDE * STRIDE, MAX_PLIES = 4096 };

/* A host loads an engine once for each instance, so one game in a global is enough. */
struct tengen_engine {
    int width, height, rule, opening;
    uint64_t seed;
    int plies;
    tengen_move moves[MAX_PLIES];
    unsigned char cell[CELLS];         /* the board with an edge around it, see at() */
};
static struct tengen_engine engine;

static const int directions[4] = { 1, STRIDE, STRIDE + 1, STRIDE - 1 };

#if defined(__wasm__)
/* The compiler calls these for struct copies and fills; there is no libc to have them. */
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
#endif

/* ---- the board ---- */

static int at(int x, int y) { return (y + PAD) * STRIDE + x + PAD; }
static int x_of(int p) { return p % STRIDE - PAD; }
static int y_of(int p) { return p / STRIDE - PAD; }
static tengen_move move_of(int p) { return TENGEN_XY(x_of(p), y_of(p)); }

static int to_move(const struct tengen_engine *e) { return e->plies % 2 ? WHITE : BLACK; }

/* The point of a move; -1 if it is not on the board. */
static int point_of(const struct tengen_engine *e, tengen_move move)
{
    int x = move & 0xFF, y = move >> 8;
    return x < e->width && y < e->height ? at(x, y) : -1;
}

static int32_t play(struct tengen_engine *e, tengen_move move)
{
    if (e->plies == MAX_PLIES)
        return TENGEN_E_MEMORY;
    if (move != TENGEN_PASS) {
        int p = point_of(e, move);
        if (p < 0 || e->cell[p] != EMPTY)
            return TENGEN_E_ARGUMENT;
        e->cell[p] = (unsigned char)to_move(e);
    }
    e->moves[e->plies++] = move;
    return TENGEN_OK;
}

static void undo(struct tengen_engine *e)
{
    tengen_move move = e->moves[--e->plies];
    if (move != TENGEN_PASS)
        e->cell[point_of(e, move)] = EMPTY;
}

/* ---- rows ---- */

/* The length of the unbroken row through p, which counts as having that colour. */
static int row(const unsigned char *cell, int p, int step, int color)
{
    int length = 1, i;
    for (i = p + step; cell[i] == color; i += step)
        length++;
    for (i = p - step; cell[i] == color; i -= step)
        length++;
    return length;
}

/* Whether a stone of the colour on p wins. */
static int wins(const struct tengen_engine *e, int p, int color)
{
    for (int d = 0; d < 4; d++) {
        int step = directions[d], length = row(e->cell, p, step, color);
        int exact = e->rule == TENGEN_RULE_STANDARD || (e->rule == TENGEN_RULE_RENJU && color == BLACK);
        int blocked = 0;
        if (e->rule == TENGEN_RULE_CARO && length == 5) {
            int i = p, j = p, other = BLACK + WHITE - color;
            do i += step; while (e->cell[i] == color);
            do j -= step; while (e->cell[j] == color);
            blocked = e->cell[i] == other && e->cell[j] == other;
        }
        if (exact ? length == 5 : length >= 5 && !blocked)
            return 1;
    }
    return 0;
}

/* ---- forbidden moves: renju, Black alone (RIF 9) ---- */

static int forbidden(unsigned char *cell, int p);

/* Whether the black stone on p stands in an exact five. */
static int five(const unsigned char *cell, int p)
{
    for (int d = 0; d < 4; d++)
        if (row(cell, p, directions[d], BLACK) == 5)
            return 1;
    return 0;
}

/* The fours on one line that hold the black stone on p: four stones that one more makes an exact
 * five. Two neighbouring windows with the same four stones are one straight four. */
static int fours(const unsigned char *cell, int p, int step)
{
    int count = 0, last_gap = -1;
    for (int start = p - 4 * step; start <= p; start += step) {
        int black = 0, gap = -1;
        for (int i = 0; i < 5; i++) {
            int q = start + i * step;
            if (cell[q] == BLACK)
                black++;
            else if (cell[q] == EMPTY)
                gap = q;
        }
        if (black != 4 || gap < 0 || cell[start - step] == BLACK || cell[start + 5 * step] == BLACK) {
            last_gap = -1;
            continue;
        }
        if (!(last_gap == start - step && gap == start + 4 * step))
            count++;
        last_gap = gap;
    }
    return count;
}

/* Whether the black stone on p is in a three on this line: some point q makes a straight four with
 * it, makes no five, and is not forbidden itself. */
static int three(unsigned char *cell, int p, int step)
{
    for (int q = p - 3 * step; q <= p + 3 * step; q += step) {
        int low, high, found = 0;
        if (cell[q] != EMPTY)
            continue;
        cell[q] = BLACK;
        for (low = q; cell[low - step] == BLACK;)
            low -= step;
        for (high = q; cell[high + step] == BLACK;)
            high += step;
        if (high - low == 3 * step && low <= p && p <= high && cell[low - step] == EMPTY
            && cell[high + step] == EMPTY && cell[low - 2 * step] != BLACK
            && cell[high + 2 * step] != BLACK)
            found = !five(cell, q);
        cell[q] = EMPTY;
        if (found && !forbidden(cell, q))
            return 1;
    }
    return 0;
}

/* Whether Black may not play on the empty point p. A five comes before every foul. */
static int forbidden(unsigned char *cell, int p)
{
    int found = 0, four_count = 0, three_count = 0;
    cell[p] = BLACK;
    if (!five(cell, p)) {
        for (int d = 0; d < 4; d++) {
            found |= row(cell, p, directions[d], BLACK) > 5;
            four_count += fours(cell, p, directions[d]);
        }
        found |= four_count > 1;
        for (int d = 0; d < 4 && !found; d++) {
            three_count += three(cell, p, directions[d]);
            found = three_count > 1;
        }
    }
    cell[p] = EMPTY;
    return found;
}

static int allowed(struct tengen_engine *e, int p, int color)
{
    return e->rule != TENGEN_RULE_RENJU || color != BLACK || !forbidden(e->cell, p);
}

/* ---- what a point is worth ---- */

/* What a stone of the colour on p adds: each row of five through p without the other colour counts
 * by its own stones, each without its own by the other's that are stopped. */
static int worth(const struct tengen_engine *e, int p, int color)
{
    static const int own[5] = { 2, 12, 100, 900, 3000 }, stop[5] = { 0, 8, 70, 500, 3000 };
    int other = BLACK + WHITE - color, sum = 0;
    if (wins(e, p, color))
        return 1000000;
    if (wins(e, p, other))
        return 100000;
    for (int d = 0; d < 4; d++)
        for (int start = -4; start <= 0; start++) {
            int count[4] = { 0, 0, 0, 0 };
            for (int i = start; i < start + 5; i++)
                count[e->cell[p + i * directions[d]]]++;
            if (count[EDGE] == 0 && count[other] == 0)
                sum += own[count[color] < 5 ? count[color] : 4];
            else if (count[EDGE] == 0 && count[color] == 0)
                sum += stop[count[other] < 5 ? count[other] : 4];
        }
    return sum;
}

/* A scattered number, the same for the same seed, ply and point: it parts equal points. */
static uint32_t scatter(const struct tengen_engine *e, int p)
{
    uint64_t z = (e->seed ^ (uint64_t)e->plies << 32) + (uint64_t)(p + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)(z >> 32);
}

static int distance(const struct tengen_engine *e, int p)
{
    int dx = x_of(p) - e->width / 2, dy = y_of(p) - e->height / 2;
    dx = dx < 0 ? -dx : dx;
    dy = dy < 0 ? -dy : dy;
    return dx > dy ? dx : dy;
}

/* Whether p lies where the question wants its stones. */
static int in_zone(const struct tengen_engine *e, const tengen_question *q, int p)
{
    int far = distance(e, p);
    if (!q)
        return 1;
    if (q->flags & TENGEN_QUESTION_CENTRE)
        return far == 0;
    if (q->flags & TENGEN_QUESTION_BEYOND)
        return far > (int)q->radius;
    return q->radius == 0 || far <= (int)q->radius;
}

/* The best empty point for the side to move, in the zone of the question if there is one, and not
 * among those marked; an allowed one if there is any; -1 if there is none. */
static int best(struct tengen_engine *e, const tengen_question *q, const unsigned char *marked)
{
    static unsigned char tried[CELLS];
    int color = to_move(e), fallback = -1;
    for (int p = 0; p < CELLS; p++)
        tried[p] = 0;
    for (;;) {
        int chosen = -1, most = -1;
        uint32_t chance = 0;
        for (int p = 0; p < CELLS; p++) {
            int value;
            if (e->cell[p] != EMPTY || tried[p] || (marked && marked[p]) || !in_zone(e, q, p))
                continue;
            /* Far from every stone all points are alike; the middle is the better one. */
            value = 32 * worth(e, p, color) + 32 - distance(e, p);
            if (value > most || (value == most && scatter(e, p) > chance)) {
                chosen = p;
                most = value;
                chance = scatter(e, p);
            }
        }
        if (chosen < 0)
            return fallback;
        if (allowed(e, chosen, color))
            return chosen;
        if (fallback < 0)
            fallback = chosen;
        tried[chosen] = 1;
    }
}

/* ---- opening questions ---- */

/* Whether Black looks better: the side to move has its best point, the other its next. */
static int black_is_better(struct tengen_engine *e)
{
    int own = to_move(e), other = BLACK + WHITE - own, most[4] = { 0, 0, 0, 0 };
    for (int p = 0; p < CELLS; p++)
        if (e->cell[p] == EMPTY)
            for (int color = BLACK; color <= WHITE; color++)
                if (worth(e, p, color) > most[color])
                    most[color] = worth(e, p, color);
    /* Having the move is worth about a tenth. */
    return own == BLACK ? most[own] * 11 >= most[other] * 10 : most[own] * 11 < most[other] * 10;
}

/* Lays stones: the canonical opening Sangetsu, or scattered ones, or the best points in turn. */
static void place(struct tengen_engine *e, const tengen_question *q, tengen_verdict *v)
{
    static const signed char sangetsu[3][2] = { { 0, 0 }, { 0, 1 }, { 1, -2 } };
    static const signed char apart[3][2] = { { -2, 1 }, { 0, 2 }, { 2, -2 } };
    int canonical = (q->flags & TENGEN_QUESTION_CANONICAL) != 0, start = e->plies;
    while (v->count < q->min) {
        int n = e->plies, p = -1;
        if (n < 3 && start == 0 && q->min == 3) {
            const signed char *offset = canonical ? sangetsu[n] : apart[n];
            p = at(e->width / 2 + offset[0], e->height / 2 + offset[1]);
            if (!in_zone(e, q, p) || e->cell[p] != EMPTY)
                p = -1;
        }
        if (p < 0)
            p = best(e, q, 0);
        if (p < 0)
            break;
        v->moves[v->count++] = move_of(p);
        play(e, move_of(p));
    }
    while (e->plies > start)
        undo(e);
}

/* A number that equals for fifth moves whose five-stone shapes are alike: the stones' distances. */
static uint32_t shape(const struct tengen_engine *e, int p)
{
    uint32_t sum = 0;
    for (int i = 0; i < e->plies; i++) {
        int q = e->moves[i] == TENGEN_PASS ? p : point_of(e, e->moves[i]);
        int dx = x_of(p) - x_of(q), dy = y_of(p) - y_of(q);
        uint32_t square = (uint32_t)(dx * dx + dy * dy);
        sum += (square + 1) * (square + 7) * (i % 2 ? 0x9E3779B1u : 0x85EBCA6Bu);
    }
    return sum;
}

/* Offers Black's best points, none with the shape of another. */
static void offer(struct tengen_engine *e, uint32_t count, tengen_verdict *v)
{
    static unsigned char marked[CELLS];
    for (int p = 0; p < CELLS; p++)
        marked[p] = 0;
    while (v->count < count) {
        int p = best(e, 0, marked), alike = 0;
        if (p < 0)
            break;
        marked[p] = 1;
        for (uint32_t i = 0; i < v->count; i++)
            alike |= shape(e, point_of(e, v->moves[i])) == shape(e, p);
        if (!alike)
            v->moves[v->count++] = move_of(p);
    }
}

/* The choice if it is legal, else the first that is. */
static uint32_t legal(const tengen_question *q, uint32_t choice)
{
    if (q->choices == 0 || q->choices >> choice & 1)
        return choice;
    for (choice = 0; choice < 31 && !(q->choices >> choice & 1);)
        choice++;
    return choice;
}

static int32_t pick(struct tengen_engine *e, const tengen_question *q, const tengen_move *candidates,
                    tengen_verdict *v)
{
    int least = 0;
    if (!candidates || q->candidates == 0)
        return TENGEN_E_ARGUMENT;
    for (uint32_t i = 0; i < q->candidates; i++) {
        int p = point_of(e, candidates[i]);
        if (p < 0 || e->cell[p] != EMPTY)
            return TENGEN_E_ARGUMENT;
        if (i == 0 || worth(e, p, BLACK) < least) {
            least = worth(e, p, BLACK);
            v->choice = i;
        }
    }
    return TENGEN_OK;
}

static int32_t decide(struct tengen_engine *e, const tengen_question *q,
                      const tengen_move *candidates, tengen_verdict *v)
{
    tengen_question two = { sizeof two, TENGEN_ASK_PLACE, 2, 2, 0, 0, 0, 0 }, one = *q;
    /* The player that may swap holds the colour to move, but for the last choice of swap2. */
    int swap2_end = e->opening == TENGEN_OPENING_SWAP2 && e->plies == 5;
    int own = swap2_end ? BLACK : to_move(e);
    if (q->min > q->max || q->max > 32)
        return TENGEN_E_ARGUMENT;
    switch (q->kind) {
    case TENGEN_ASK_PLACE:
        place(e, q, v);
        return TENGEN_OK;
    case TENGEN_ASK_SWAP:
        v->choice = legal(q, (own == BLACK) != black_is_better(e));
        return TENGEN_OK;
    case TENGEN_ASK_SWAP2:
        v->choice = legal(q, (uint32_t)black_is_better(e));
        if (v->choice == 2)
            place(e, &two, v);
        return TENGEN_OK;
    case TENGEN_ASK_COUNT:
        v->choice = q->min;
        return TENGEN_OK;
    case TENGEN_ASK_OFFER:
        offer(e, q->max, v);
        return TENGEN_OK;
    case TENGEN_ASK_PICK:
        return pick(e, q, candidates, v);
    case TENGEN_ASK_TARAGUCHI:
        v->choice = legal(q, 0);
        one.min = one.max = 1;
        if (v->choice == 0)
            place(e, &one, v);
        else
            offer(e, q->max, v);
        return TENGEN_OK;
    default:
        return TENGEN_E_UNSUPPORTED;
    }
}

/* ---- what the host calls ---- */

uint32_t TENGEN_CALL tengen_abi_v1(void) { return TENGEN_ABI_MINOR; }

const char *TENGEN_CALL tengen_describe(void)
{
    return "name Minimal\nversion 0.1.0\nabout one move ahead, in one file of C\n"
           "rule freestyle 5..32\nrule standard 5..32\nrule renju 5..32\nrule caro 5..32\n"
           "opening none book pro long-pro swap swap2 rif contest yamaguchi soosorv8 taraguchi10\n";
}

tengen_engine *TENGEN_CALL tengen_create(const tengen_host *host)
{
    (void)host; /* it needs no service: it answers in microseconds and has nothing to tell */
    return &engine;
}

int32_t TENGEN_CALL tengen_new_game(tengen_engine *e, const tengen_game *game)
{
    if (!e || !game || game->size < sizeof *game || game->width < 5 || game->width > 32
        || game->height < 5 || game->height > 32)
        return TENGEN_E_ARGUMENT;
    if (game->rule < TENGEN_RULE_FREESTYLE || game->rule > TENGEN_RULE_CARO)
        return TENGEN_E_UNSUPPORTED;
    e->width = game->width;
    e->height = game->height;
    e->rule = game->rule;
    e->opening = game->opening;
    e->seed = game->seed;
    e->plies = 0;
    for (int p = 0; p < CELLS; p++) {
        int x = x_of(p), y = y_of(p);
        e->cell[p] = x >= 0 && x < e->width && y >= 0 && y < e->height ? EMPTY : EDGE;
    }
    return TENGEN_OK;
}

int32_t TENGEN_CALL tengen_set_position(tengen_engine *e, const tengen_move *moves, uint32_t count)
{
    uint32_t kept = 0;
    if (!e || (!moves && count > 0))
        return TENGEN_E_ARGUMENT;
    if (e->width == 0)
        return TENGEN_E_STATE;
    while (kept < count && kept < (uint32_t)e->plies && moves[kept] == e->moves[kept])
        kept++;
    while ((uint32_t)e->plies > kept)
        undo(e);
    for (; kept < count; kept++) {
        int32_t status = play(e, moves[kept]);
        if (status != TENGEN_OK)
            return status;
    }
    return TENGEN_OK;
}

int32_t TENGEN_CALL tengen_play(tengen_engine *e, tengen_move move)
{
    return !e ? TENGEN_E_ARGUMENT : e->width == 0 ? TENGEN_E_STATE : play(e, move);
}

int32_t TENGEN_CALL tengen_undo(tengen_engine *e, uint32_t count)
{
    if (!e || count > (uint32_t)e->plies)
        return TENGEN_E_ARGUMENT;
    while (count-- > 0)
        undo(e);
    return TENGEN_OK;
}

int32_t TENGEN_CALL tengen_choose(tengen_engine *e, const tengen_limits *limits, tengen_reply *reply)
{
    int p;
    if (!e || !limits || !reply || reply->size < sizeof *reply)
        return TENGEN_E_ARGUMENT;
    p = e->width == 0 ? -1 : best(e, 0, 0);
    if (p < 0)
        return TENGEN_E_STATE;
    reply->size = sizeof *reply;
    reply->flags = 0;
    reply->move = move_of(p);
    reply->ponder = TENGEN_NONE;
    reply->depth = reply->seldepth = 1;
    reply->reserved = 0;
    reply->score.eval = worth(e, p, to_move(e));
    reply->score.win_in = 0;
    reply->score.win = reply->score.draw = reply->score.loss = 0;
    reply->score.have = 1;
    reply->nodes = (uint64_t)(e->width * e->height - e->plies);
    return TENGEN_OK;
}

int32_t TENGEN_CALL tengen_decide(tengen_engine *e, const tengen_question *question,
                                  const tengen_move *candidates, const tengen_limits *limits,
                                  tengen_verdict *verdict)
{
    if (!e || !question || question->size < sizeof *question || !limits || !verdict
        || verdict->size < sizeof *verdict)
        return TENGEN_E_ARGUMENT;
    if (e->width == 0)
        return TENGEN_E_STATE;
    verdict->size = sizeof *verdict;
    verdict->choice = verdict->count = verdict->reserved = 0;
    return decide(e, question, candidates, verdict);
}

#if defined(__wasm__)
void *TENGEN_CALL tengen_buffer(uint32_t bytes)
{
    static uint64_t region[4096];
    return bytes <= sizeof region ? region : NULL;
}
#endif
