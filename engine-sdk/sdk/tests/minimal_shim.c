/* The C example with one function of its inside made callable, for a comparison with the rules. */
#include "minimal.c"

__attribute__((visibility("default")))
int shim_forbidden(const unsigned char *stones, unsigned x, unsigned y)
{
    for (int i = 0; i < 225; i++)
        engine.cell[at(i % 15, i / 15)] = stones[i];
    return forbidden(engine.cell, at((int)x, (int)y));
}
