/* This file is yours: it chooses the moves. */
#include "board.h"

/* How many stones of a colour follow the point without a gap in a direction. */
static int count(const struct board *board, int x, int y, int dx, int dy, int color)
{
    int n = 0;
    for (x += dx, y += dy; x >= 0 && x < board->width && y >= 0 && y < board->height
         && board->cell[y][x] == color; x += dx, y += dy)
        n++;
    return n;
}

/* How good a point looks: the longer the row it makes or stops, the better; then the nearer to the
 * centre. */
static int64_t value(const struct board *board, int x, int y)
{
    static const int directions[4][2] = { { 1, 0 }, { 0, 1 }, { 1, 1 }, { 1, -1 } };
    static const int64_t worth[5] = { 1, 100, 10000, 1000000, 100000000 };
    int own = board->to_move, other = BLACK + WHITE - own;
    int dx = x - board->width / 2, dy = y - board->height / 2;
    int64_t sum = 0;
    for (int d = 0; d < 4; d++) {
        int sx = directions[d][0], sy = directions[d][1];
        int mine = count(board, x, y, sx, sy, own) + count(board, x, y, -sx, -sy, own);
        int theirs = count(board, x, y, sx, sy, other) + count(board, x, y, -sx, -sy, other);
        sum += 12 * worth[mine < 4 ? mine : 4] + 10 * worth[theirs < 4 ? theirs : 4];
    }
    return 1000 * sum - (dx * dx + dy * dy);
}

tengen_move choose(const struct board *board)
{
    tengen_move best = TENGEN_NONE;
    int64_t most = 0;
    for (int y = 0; y < board->height; y++)
        for (int x = 0; x < board->width; x++)
            if (board->cell[y][x] == EMPTY && (best == TENGEN_NONE || value(board, x, y) > most)) {
                best = TENGEN_XY(x, y);
                most = value(board, x, y);
            }
    return best;
}
