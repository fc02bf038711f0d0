/* Writes every struct of tengen.h, filled with known values, as one line of hex each. */
#include "tengen.h"
#include <stdio.h>
#include <string.h>

static void line(const char *name, const void *what, size_t size)
{
    const unsigned char *byte = what;
    printf("%s ", name);
    while (size--)
        printf("%02x", *byte++);
    putchar('\n');
}

int main(void)
{
    const tengen_score score = { -70000, -17, 601, 250, 149, 7 };
    tengen_game game = { 0 };
    tengen_limits limits = { 0 };
    tengen_reply reply = { 0 };
    tengen_question question = { 0 };
    tengen_verdict verdict = { 0 };
    tengen_info info = { 0 };
    unsigned i;

    game.size = sizeof game;
    game.width = 20;
    game.height = 15;
    game.rule = TENGEN_RULE_RENJU;
    game.opening = TENGEN_OPENING_TARAGUCHI10;
    game.flags = TENGEN_GAME_REPRODUCIBLE | TENGEN_GAME_DRAW_OFFERS;
    game.seed = UINT64_C(0x0123456789abcdef);
    game.threads = 3;
    game.memory_mib = 350;
    game.main_us = INT64_C(900000000);
    game.increment_us = 1000001;
    game.move_us = -1;
    game.period_us = INT64_C(-1);
    game.periods = 5;
    game.period_moves = 6;
    game.node_limit = UINT64_C(5000000000);
    game.depth_limit = 77;
    game.win_length = 5;
    game.reserved = 0x1234;
    line("game", &game, sizeof game);

    limits.size = sizeof limits;
    limits.flags = TENGEN_LIMIT_INFINITE | TENGEN_LIMIT_RETRY;
    limits.own_us = INT64_C(123456789012);
    limits.opponent_us = -1;
    limits.soft_us = 250000;
    limits.hard_us = 500001;
    limits.nodes = UINT64_C(0xfedcba9876543210);
    limits.depth = 12;
    limits.multipv = 4;
    limits.lag_us = 1234567;
    line("limits", &limits, sizeof limits);

    line("score", &score, sizeof score);

    reply.size = sizeof reply;
    reply.flags = TENGEN_REPLY_OFFER_DRAW | TENGEN_REPLY_CLAIM_FOUL;
    reply.move = TENGEN_XY(7, 14);
    reply.ponder = TENGEN_NONE;
    reply.depth = 9;
    reply.seldepth = 21;
    reply.reserved = 0xa5a5a5a5u;
    reply.score = score;
    reply.nodes = UINT64_C(1000000007);
    line("reply", &reply, sizeof reply);

    question.size = sizeof question;
    question.kind = TENGEN_ASK_TARAGUCHI;
    question.min = 1;
    question.max = 10;
    question.radius = 4;
    question.choices = 3;
    question.candidates = 8;
    question.flags = TENGEN_QUESTION_CANONICAL | TENGEN_QUESTION_BEYOND;
    line("question", &question, sizeof question);

    verdict.size = sizeof verdict;
    verdict.choice = 2;
    verdict.count = 32;
    verdict.reserved = 1;
    for (i = 0; i < 31; i++)
        verdict.moves[i] = TENGEN_XY(i, 31 - i);
    verdict.moves[31] = TENGEN_PASS;
    line("verdict", &verdict, sizeof verdict);

    info.size = sizeof info;
    info.multipv = 2;
    info.depth = 11;
    info.seldepth = 33;
    info.score = score;
    info.nodes = UINT64_C(0x1122334455667788);
    info.elapsed_us = UINT64_C(0x8877665544332211);
    info.hash_permille = 999;
    info.pv_len = 3;
    line("info", &info, sizeof info);
    return 0;
}
