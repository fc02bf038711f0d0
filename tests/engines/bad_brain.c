/* Text engines that misbehave, one for each value of BAD; all play the first empty point
 * otherwise, without a thought. LOOP_IN names the line of the protocol at which one loops, PORT a
 * port of this machine that one tries. The first stone of a game says with which signal one strikes
 * itself: points count from the left of the lowest row. */
#define _GNU_SOURCE
#include "misdeeds.h"

enum {
    GOOD,
    /* Ways to end. */
    ABORTS_AT_ONCE, CRASHES_IN_GAME, EXITS, EXITS_AFTER, STACK, STRIKES, HANGS_UP,
    /* Ways to hang. */
    READS_NOTHING, STOPS_ITSELF, IGNORES_SIGNALS, IGNORES_END, HALF_ANSWER, LATE, SLOW,
    SUGGESTS_ON,
    /* Words. */
    REFUSES, JUNK, BYTES, FORGES_FRAMES, ERRS, KNOWS_NOTHING, OCCUPIED, OFF_BOARD, NUMBERS, ANSWERS_TWICE,
    /* Floods. */
    FLOOD_LINES, FLOOD_BYTES, FLOOD_MESSAGES, FLOOD_PROGRESS, FLOOD_STDERR, FLOOD_AFTER,
    /* Resources. */
    HOG, THREAD_BOMB, FORK_BOMB, FILLS_FOLDER, HIDES_FILES,
    /* Processes and threads that stay. */
    WORKS_ON, LEAVES_GROUP, LEAVES_ORPHANS, LEAVES_HELPERS, HAS_HELPERS, HAS_WORKERS, CHURNS,
    NAMELESS, ORPHANS_WORK, ORPHANS_HOG, ORPHAN_BOMB, LEAVES_DEAD,
    /* What is not its own. */
    READS_CANARY, CONNECTS, WRITES_FILE, ATTACKS
};

#define HELPERS 3
#ifndef LOOP_IN
#define LOOP_IN ""
#endif
#ifndef ATTACK
#define ATTACK 0
#endif

static const char *program;
static int width, height, asked;
static char taken[32][32];
static int first = -1, last_x = -1, last_y = -1;

/* Does not come back from the line that LOOP_IN names. */
static void enter(const char *line)
{
    if (strcmp(line, LOOP_IN) == 0) {
        spin();
    }
}

#define NAMELESS_WORD "nameless"

#ifndef _WIN32
/* Starts processes without a living parent that keep nothing of what they were started with: in a
 * session of their own, if they may, and with no environment. */
static void nameless(void)
{
    for (int i = 0; i < HELPERS; i++) {
        if (fork() != 0) {
            continue;
        }
        signal(SIGTERM, SIG_IGN);
        signal(SIGHUP, SIG_IGN);
        setsid();
        if (fork() != 0) {
            _exit(0);
        }
        char *words[] = {(char *)program, NAMELESS_WORD, NULL}, *none[] = {NULL};
        execve(program, words, none);
        _exit(1);
    }
}
#endif

/* What is said in place of the move; with what is no move of the board where something was within
 * reach that is not its own. */
static const char *misbehave(const char *move)
{
    static char text[64];
    switch (BAD) {
    case EXITS:
        exit(3);
    case STACK:
        asked += overflow(0);
        break;
    case HANGS_UP:
        for (int descriptor = 0; descriptor < 64; descriptor++) {
            close(descriptor);
        }
        spin();
        break;
    case HALF_ANSWER:
        say("7,");
        hang();
        break;
    case LATE:
        rest(2000);
        break;
    case SLOW:
        rest(100);
        break;
    case SUGGESTS_ON:
        snprintf(text, sizeof text, "SUGGEST %s", move);
        return text;
    case JUNK:
        return "h8 or so\n";
    case BYTES:
        return "\xff\xfe\x01\x80,\xc3\n";
    case ERRS:
        return "ERROR no move comes to mind\n";
    case KNOWS_NOTHING:
        return "UNKNOWN command\n";
    case OCCUPIED:
        if (last_x >= 0) {
            snprintf(text, sizeof text, "%d,%d\n", last_x, last_y);
            return text;
        }
        break;
    case OFF_BOARD:
        return "99,99\n";
    case NUMBERS:
        return "18446744073709551616,-9223372036854775809\n";
    case ANSWERS_TWICE:
        /* At once, so that both are there before the next question is. */
        snprintf(text, sizeof text, "%s%s", move, move);
        return text;
    case FLOOD_LINES:
        flood(STDOUT_FILENO, "DEBUG nothing to see\n");
        break;
    case FLOOD_BYTES:
        flood(STDOUT_FILENO, "nothing to see ");
        break;
    case FLOOD_MESSAGES:
        flood(STDOUT_FILENO, "MESSAGE nothing to see\n");
        break;
    case FLOOD_PROGRESS:
        flood(STDOUT_FILENO, "MESSAGE depth 13-26 ev -7 n 240K n/ms 500 tm 480 pv H8 I9\n");
        break;
    case FLOOD_STDERR:
        flood(STDERR_FILENO, "nothing to see ");
        break;
    case HOG:
        if (take_all() < 1024) {
            abort();
        }
        break;
    case THREAD_BOMB:
        start_threads(4000, sleep_on);
        hang();
        break;
    case FORK_BOMB:
        start_processes(100, 0, 0);
        hang();
        break;
    case FILLS_FOLDER:
    case HIDES_FILES:
        /* Where it lies it writes nothing. */
        if (chdir(getenv(OWN_FOLDER)) != 0) {
            return move;
        }
        write_files(BAD == HIDES_FILES);
        hang();
        break;
    case WORKS_ON:
        if (asked == 1) {
            start_threads(2, work);
        }
        break;
    case LEAVES_GROUP:
        start_processes(HELPERS, 1, asked % 2);
        break;
    case LEAVES_ORPHANS:
        start_processes(HELPERS, 1, 1);
        exit(3);
    case HAS_HELPERS:
        start_processes(HELPERS, 1, 1);
        hang();
        break;
    case READS_CANARY:
        return reads_canary(program) ? "99,99\n" : move;
    case CONNECTS:
        return connects() ? "99,99\n" : move;
    case WRITES_FILE:
        return writes_file(program) ? "99,99\n" : move;
#ifndef _WIN32
    case STRIKES:
        if (asked == 1 + first % 3) {
            signal(first, SIG_DFL);
            raise(first);
        }
        break;
    case STOPS_ITSELF:
        raise(SIGSTOP);
        break;
    case IGNORES_SIGNALS:
        ignore_signals();
        spin();
        break;
    case NAMELESS:
        nameless();
        hang();
        break;
    case HAS_WORKERS:
    case CHURNS:
        for (int i = 0; asked == 1 && i < HELPERS; i++) {
            orphan(BAD == CHURNS ? churn : spin);
        }
        break;
    case ORPHANS_WORK:
        for (int i = 0; i < 8; i++) {
            orphan(spin);
        }
        spin();
        break;
    case ORPHANS_HOG:
        for (int i = 0; i < 8; i++) {
            orphan(hog_a_part);
        }
        hang();
        break;
    case ORPHAN_BOMB:
        for (int i = 0; i < 150; i++) {
            orphan(hang);
        }
        hang();
        break;
    case LEAVES_DEAD:
        for (int i = 0; i < 4000; i++) {
            if (fork() == 0) {
                _exit(0);
            }
        }
        hang();
        break;
    case ATTACKS:
        if (ATTACK == ATTACK_ALL) {
            if (asked == 1 && chdir(getenv(OWN_FOLDER)) == 0) {
                static char said[1024] = "MESSAGE ";
                attack_all(program, said + strlen(said), sizeof said - 16);
                say(strcat(said, "\n"));
            }
            break;
        }
        if (asked == 1 && (chdir(getenv(OWN_FOLDER)) != 0 || attack(ATTACK, program))) {
            return "99,99\n";
        }
        break;
#endif
    default:
        break;
    }
    return move;
}

static void put(int x, int y)
{
    if (x >= 0 && y >= 0 && x < 32 && y < 32) {
        taken[y][x] = 1;
        first = first < 0 ? (height - 1 - y) * width + x : first;
        last_x = x;
        last_y = y;
    }
}

static void answer(void)
{
    char move[32];
    int at = 0;
    enter("question");
    while (at < width * height && taken[at / width][at % width]) {
        at++;
    }
    snprintf(move, sizeof move, "%d,%d\n", at % width, at / width);
    asked++;
    const char *text = misbehave(move);
    put(at % width, at / width);
    say(text);
    if (BAD == EXITS_AFTER) {
        exit(0);
    }
    if (BAD == FLOOD_AFTER) {
        flood(STDOUT_FILENO, "DEBUG nothing to see\n");
    }
}

static void begin_game(int columns, int rows)
{
    memset(taken, 0, sizeof taken);
    width = columns;
    height = rows;
    first = last_x = last_y = -1;
    asked = 0;
    say(BAD == REFUSES ? "ERROR not on this board\n" : "OK\n");
}

static void read_board(void)
{
    char line[4096];
    int x, y;
    memset(taken, 0, sizeof taken);
    while (fgets(line, sizeof line, stdin) != NULL && strncmp(line, "DONE", 4) != 0) {
        if (sscanf(line, "%d,%d", &x, &y) == 2) {
            put(x, y);
        }
    }
}

static int begins(const char *line, const char *word)
{
    return strncmp(line, word, strlen(word)) == 0;
}

/* Gives 0 when it has been told to end. */
static int obey(const char *line)
{
    int x, y;
    if (begins(line, "START") && sscanf(line, "START %d", &x) == 1 && x <= 32) {
        enter("START");
        begin_game(x, x);
    } else if (begins(line, "RESTART")) {
        enter("RESTART");
        begin_game(width, height);
    } else if (begins(line, "INFO")) {
        enter("INFO");
        /* Nobody but an event says that the game is one of a tournament. */
        if (BAD == CRASHES_IN_GAME && begins(line, "INFO game_type 2")) {
            abort();
        }
    } else if (begins(line, "BEGIN")) {
        answer();
    } else if (begins(line, "TURN") && sscanf(line, "TURN %d,%d", &x, &y) == 2) {
        put(x, y);
        answer();
    } else if (BAD == SUGGESTS_ON && begins(line, "PLAY")) {
        answer();
    } else if (begins(line, "BOARD")) {
        read_board();
        answer();
    } else if (begins(line, "ABOUT")) {
        enter("ABOUT");
        say("name=\"Bad\", version=\"1\"\n");
    } else if (begins(line, "SWAP2BOARD")) {
        enter("SWAP2BOARD");
        say("UNKNOWN SWAP2BOARD\n");
    } else if (begins(line, "END")) {
        enter("END");
        return 0;
    } else if (!begins(line, "DONE")) {
        say("UNKNOWN command\n");
    }
    return 1;
}

int main(int count, char **arguments)
{
    char line[4096];
    program = arguments[0];
    if (count > 1 && strcmp(arguments[1], NAMELESS_WORD) == 0) {
        hang();
    }
    enter("main");
    if (BAD == ABORTS_AT_ONCE) {
        abort();
    }
    if (BAD == READS_NOTHING) {
        hang();
    }
    if (BAD == IGNORES_END) {
        signal(SIGTERM, SIG_IGN);
    }
    if (BAD == FORGES_FRAMES) {
        /* Frames of every kind, as the program before it wrote them. */
        for (unsigned char kind = 0; kind < 16; kind++) {
            unsigned char frame[] = {4, 0, 0, 0, kind, 0, 0, 0, 1, 1, 0, 0};
            fwrite(frame, sizeof frame, 1, stdout);
        }
        say("\n");
    }
    if (BAD == LEAVES_HELPERS) {
        start_processes(2, 0, 0);
    }
    while (fgets(line, sizeof line, stdin) != NULL && obey(line)) {
    }
    if (BAD == IGNORES_END) {
        hang();
    }
    return 0;
}
