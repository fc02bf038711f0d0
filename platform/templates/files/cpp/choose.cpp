// This file is yours: it chooses the moves.
#include "board.h"

namespace {

/// How many stones of a colour follow the point without a gap in a direction.
int count(const board &b, int x, int y, int dx, int dy, int color)
{
    int n = 0;
    for (x += dx, y += dy; x >= 0 && x < b.width && y >= 0 && y < b.height
         && b.cell[y][x] == color; x += dx, y += dy)
        n++;
    return n;
}

/// How good a point looks: the longer the row it makes or stops, the better; then the nearer to
/// the centre.
int64_t value(const board &b, int x, int y)
{
    constexpr int directions[4][2] = { { 1, 0 }, { 0, 1 }, { 1, 1 }, { 1, -1 } };
    constexpr int64_t worth[5] = { 1, 100, 10000, 1000000, 100000000 };
    const int own = b.to_move, other = BLACK + WHITE - own;
    const int away_x = x - b.width / 2, away_y = y - b.height / 2;
    int64_t sum = 0;
    for (const auto &[dx, dy] : directions) {
        const int mine = count(b, x, y, dx, dy, own) + count(b, x, y, -dx, -dy, own);
        const int theirs = count(b, x, y, dx, dy, other) + count(b, x, y, -dx, -dy, other);
        sum += 12 * worth[mine < 4 ? mine : 4] + 10 * worth[theirs < 4 ? theirs : 4];
    }
    return 1000 * sum - (away_x * away_x + away_y * away_y);
}

} // namespace

tengen_move choose(const board *b)
{
    tengen_move best = TENGEN_NONE;
    int64_t most = 0;
    for (int y = 0; y < b->height; y++)
        for (int x = 0; x < b->width; x++)
            if (b->cell[y][x] == EMPTY && (best == TENGEN_NONE || value(*b, x, y) > most)) {
                best = TENGEN_XY(x, y);
                most = value(*b, x, y);
            }
    return best;
}
