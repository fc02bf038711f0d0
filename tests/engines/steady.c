/* The minimal engine at a walking pace: it takes a moment before each game, so that a tournament
 * of it can be caught in the middle however fast or busy the machine is. */
#define _POSIX_C_SOURCE 199309L
#include "tengen.h"
#include <time.h>

#define tengen_new_game minimal_new_game
#include "../../examples/minimal-c/minimal.c"
#undef tengen_new_game

int32_t TENGEN_CALL tengen_new_game(tengen_engine *e, const tengen_game *game)
{
    const struct timespec moment = {0, 20 * 1000 * 1000};
    nanosleep(&moment, NULL);
    return minimal_new_game(e, game);
}
