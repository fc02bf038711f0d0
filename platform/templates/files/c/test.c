/* `make test`: the engine completes a row of five. */
#include <stdio.h>
#include "board.h"

int main(void)
{
    static const tengen_move moves[8] = {
        TENGEN_XY(7, 7), TENGEN_XY(0, 0), TENGEN_XY(8, 7), TENGEN_XY(0, 1),
        TENGEN_XY(9, 7), TENGEN_XY(1, 0), TENGEN_XY(10, 7), TENGEN_XY(1, 1),
    };
    static tengen_game game;
    static tengen_limits limits;
    static tengen_reply reply;
    tengen_engine *engine = tengen_create(NULL);
    game.size = sizeof game;
    game.width = game.height = 15;
    game.rule = TENGEN_RULE_FREESTYLE;
    limits.size = sizeof limits;
    limits.hard_us = -1;
    reply.size = sizeof reply;
    if (tengen_new_game(engine, &game) || tengen_set_position(engine, moves, 8)
        || tengen_choose(engine, &limits, &reply)) {
        puts("failed: the engine refused the game");
        return 1;
    }
    if (reply.move != TENGEN_XY(6, 7) && reply.move != TENGEN_XY(11, 7)) {
        printf("failed: it played %d,%d and made no five\n", reply.move & 255, reply.move >> 8);
        return 1;
    }
    puts("passed");
    return 0;
}
