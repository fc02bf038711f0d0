/* What an engine sees of a game. */
#ifndef BOARD_H
#define BOARD_H
#include "tengen.h"

enum { EMPTY, BLACK, WHITE, MAX_SIDE = 32, MAX_PLIES = 4096 };

struct board {
    int width, height;
    int rule;                                /* TENGEN_RULE_* */
    int to_move;                             /* BLACK or WHITE */
    int plies;                               /* moves so far */
    tengen_move moves[MAX_PLIES];
    unsigned char cell[MAX_SIDE][MAX_SIDE];  /* cell[y][x]: EMPTY, BLACK or WHITE */
};

/* Yours: gives an empty point. */
tengen_move choose(const struct board *board);

/* Whether choose() must answer now. Ask about every thousand nodes of a search. It keeps back the
 * time that the answer needs. */
int is_up(void);

#endif
