/* A Gomocup brain that does not think, and shows one quirk.
 *
 *     cc -O2 -o pbrain-quirk brain.c && ./pbrain-quirk [MODE [NUMBER]]
 *
 * It plays the first empty point in a fixed order: two of them play 66 moves on 15x15, under
 * every rule that has no forbidden moves. POSIX only.
 *
 *     fast        nothing but the protocol, with no more system calls than needed (the default)
 *     lower       replies in small letters
 *     cr          lines that end with CR alone
 *     crlf        lines that end with CR LF
 *     no-about    prints nothing on ABOUT
 *     free-about  answers ABOUT with a free text of two lines
 *     banner      prints a banner before OK
 *     ok-info     says OK to INFO
 *     error-info  says ERROR to the keys of INFO that are Yixin's
 *     message     prints MESSAGE lines with a search before each move
 *     debug       prints NUMBER (1000) DEBUG lines before each move
 *     flood-lines prints DEBUG lines without end when asked
 *     flood-bytes prints bytes without a line end without end when asked
 *     junk        answers with no move
 *     occupied    answers with the first stone of the board, or 0,0
 *     off-board   answers 99,99
 *     text-after  says something behind each move, on its line
 *     error-first says ERROR about something else before each move
 *     junk-first  says what is no move before each move
 *     mute        answers START, BEGIN, TURN and BOARD, and no other word
 *     no-rule     says ERROR to INFO rule
 *     open-about  answers ABOUT with no line end
 *     half-start  answers START with half a line, and falls silent
 *     lf-number   takes no number before a CR
 *     lf-word     passes over words with a CR behind them, but for START
 *     owners      lays three stones as on an empty board if SWAP2BOARD shows stones without owners
 *     error       says ERROR to a question
 *     unknown     says UNKNOWN to a question
 *     one-game    says ERROR to a second START
 *     keeps       keeps its stones at a second START, as the protocol's examples do
 *     chance      plays by chance, and clears its board at START
 *     chance-keeps    plays by chance, and keeps its stones at a later START
 *     chance-board    the same, but clears its board at BOARD
 *     chance-own      the same as chance-keeps, but clears the stones of its opponent
 *     chance-late     plays by chance, keeps its stones from the NUMBERth (2nd) START on, and says
 *                     ERROR to TURN on a stone
 *     counts      tells in a MESSAGE how often it was asked; works NUMBER (0) ms at a later START
 *     refuse      says ERROR to START
 *     late        answers its NUMBERth question (the 1st) a second late, the others at once
 *     slow        answers each question after NUMBER (1000) ms
 *     twice       says every answer twice
 *     exit        exits after its first answer
 *     crash       aborts when asked
 *     hang-start  never answers START, and ignores SIGTERM
 *     hang        never answers a question, and ignores SIGTERM
 *     no-begin    never answers BEGIN
 *     no-end      ignores END, the end of its input and SIGTERM
 *     suggest     suggests its moves
 *     spoilt      thinks NUMBER (100) ms, and answers with junk if a line comes meanwhile
 *     ponder      computes between its moves, and tells how far it came in a MESSAGE
 *     fork        starts a helper that outlives it, holds its pipes and ignores SIGTERM
 *     memory      takes NUMBER (4096) MiB when first asked, or as much as it gets
 *     folder      writes NUMBER (100) MiB into the folder that INFO names
 *     hoard       the same, and then never answers
 */
#define _POSIX_C_SOURCE 200809L
#ifdef _WIN32
#include <windows.h>
#include <fcntl.h>
#include <io.h>
#else
#include <poll.h>
#include <signal.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

static const char *mode = "fast";
static long number = -1;
static const char *line_end = "\n";
enum { OWN = 1, THEIRS };

static int width, height, begun, starts, asked, order[32 * 32], next;
static char taken[32][32];
static char folder[4096];

static char in[1 << 16];
static size_t in_start, in_end;

static int is(const char *name) { return strcmp(mode, name) == 0; }

static int is_by_chance(void) { return strncmp(mode, "chance", 6) == 0; }

static void nap(long ms)
{
    struct timespec span = {ms / 1000, ms % 1000 * 1000000L};
    while (nanosleep(&span, &span) != 0) {
    }
}

static void forever(void)
{
    for (;;) {
        nap(3600000);
    }
}

static void write_all(const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, count);
        if (written <= 0) {
            if (is("no-end")) {
                forever();
            }
            exit(1);
        }
        bytes += written;
        count -= (size_t)written;
    }
}

/* Uses so many milliseconds of CPU time. */
static void work(long ms)
{
    clock_t end = clock() + ms * (CLOCKS_PER_SEC / 1000);
    while (clock() < end) {
    }
}

static void say(const char *text)
{
    char line[512];
    int length = snprintf(line, sizeof line, "%s%s", text, line_end);
    if (is("lower")) {
        for (char *c = line; *c; c++) {
            if (*c >= 'A' && *c <= 'Z') {
                *c += 'a' - 'A';
            }
        }
    }
    write_all(line, (size_t)length);
}

/* The next line without its end, or none at the end of input. */
static int has_cr;

static char *read_line(void)
{
    for (;;) {
        for (size_t at = in_start; at < in_end; at++) {
            if (in[at] == '\n' || in[at] == '\r') {
                char *line = in + in_start;
                has_cr = in[at] == '\r';
                in[at] = '\0';
                in_start = at + 1;
                if (*line != '\0') {
                    return line;
                }
            }
        }
        memmove(in, in + in_start, in_end - in_start);
        in_end -= in_start;
        in_start = 0;
        if (in_end == sizeof in) {
            return NULL;
        }
        ssize_t count = read(STDIN_FILENO, in + in_end, sizeof in - in_end);
        if (count <= 0) {
            return NULL;
        }
        in_end += (size_t)count;
    }
}

/* Whether it keeps what lies on its board. */
static int keeps_stones(int is_board)
{
    if (is("chance-late")) {
        return starts > (number < 0 ? 2 : number);
    }
    return starts > 1
        && (is("keeps") || is("chance-keeps") || is("chance-own")
            || (is("chance-board") && !is_board));
}

static void clear(int is_board)
{
    for (int point = 0; point < 32 * 32; point++) {
        char *stone = &taken[point / 32][point % 32];
        if (!keeps_stones(is_board) || (is("chance-own") && *stone == THEIRS)) {
            *stone = 0;
        }
    }
    next = keeps_stones(is_board) ? next : 0;
}

/* The points in steps of a number that has no divisor in common with theirs. */
static void start(int columns, int rows)
{
    int count = columns * rows, step = 29;
    width = columns;
    height = rows;
    while (count % step == 0) {
        step += 2;
    }
    for (int index = 0; index < count; index++) {
        order[index] = (int)((long)index * step % count);
    }
    starts++;
    clear(0);
}

static void put(int x, int y, char whose)
{
    if (x >= 0 && y >= 0 && x < width && y < height) {
        taken[y][x] = whose;
    }
}

static int pick(void)
{
    int count = width * height;
    for (int tries = 0; is_by_chance() && tries < 100000; tries++) {
        int point = rand() % count;
        if (!taken[point / width][point % width]) {
            return point;
        }
    }
    while (next < count && taken[order[next] / width][order[next] % width]) {
        next++;
    }
    return next < count ? order[next] : 0;
}

static void eat(long mib)
{
    for (long taken_mib = 0; taken_mib < mib; taken_mib++) {
        char *page = malloc(1 << 20);
        if (page == NULL) {
            return;
        }
        memset(page, 0x5a, 1 << 20);
        /* Held for good, and seen by the compiler to be. */
        *(char *volatile *)page = page;
    }
}

/* A file for each MiB, for one file alone is stopped by a limit of its own. */
static void fill_folder(long mib)
{
    char path[sizeof folder + 32], block[1 << 12];
    memset(block, 'x', sizeof block);
    for (long number_of_file = 0; number_of_file < mib; number_of_file++) {
        snprintf(path, sizeof path, "%s/filled-%ld", folder[0] ? folder : ".", number_of_file);
        FILE *file = fopen(path, "wb");
        if (file == NULL) {
            say("DEBUG the folder cannot be written to");
            return;
        }
        for (int count = 0; count < 256; count++) {
            if (fwrite(block, sizeof block, 1, file) != 1) {
                break;
            }
        }
        fclose(file);
    }
}

static void flood(const char *text)
{
    char block[1 << 13];
    size_t length = strlen(text), filled = 0;
    while (filled + length <= sizeof block) {
        memcpy(block + filled, text, length);
        filled += length;
    }
    for (;;) {
        write_all(block, filled);
    }
}

/* Whether input comes within the time. */
static int comes(long ms)
{
    /* The second half of CR LF is no line. */
    while (in_start < in_end && (in[in_start] == '\n' || in[in_start] == '\r')) {
        in_start++;
    }
    if (in_start < in_end) {
        return 1;
    }
#ifdef _WIN32
    HANDLE input = GetStdHandle(STD_INPUT_HANDLE);
    DWORD ready = 0;
    for (; ms >= 0; ms--) {
        if (!PeekNamedPipe(input, NULL, 0, NULL, &ready, NULL) || ready > 0) {
            return 1;
        }
        nap(1);
    }
    return 0;
#else
    struct pollfd input = {STDIN_FILENO, POLLIN, 0};
    return poll(&input, 1, (int)ms) > 0;
#endif
}

/* What a quirk does before it answers. Gives 1 if it has answered. */
static int quirk(const char *move)
{
    char text[64];
    if (is("counts")) {
        snprintf(text, sizeof text, "MESSAGE question %d", asked);
        say(text);
    } else if (is("message")) {
        say("MESSAGE a thought");
        say("MESSAGE Depth 12-24 | Eval 42 | Time 350ms | H8 I9");
        say("MESSAGE depth 13-26 ev -7 n 240K n/ms 500 tm 480 pv H8 I9");
    } else if (is("debug")) {
        for (long count = 0; count < (number < 0 ? 1000 : number); count++) {
            say("DEBUG nothing to see");
        }
    } else if (is("flood-lines")) {
        flood("DEBUG nothing to see\n");
    } else if (is("flood-bytes")) {
        flood("nothing to see ");
    } else if (is("junk")) {
        say("h8 or so");
        return 1;
    } else if (is("error-first")) {
        say("ERROR Unknown command: TIME_LEFT");
    } else if (is("junk-first")) {
        say("let me see");
    } else if (is("off-board")) {
        say("99,99");
        return 1;
    } else if (is("occupied")) {
        for (int index = 0; index < width * height; index++) {
            if (taken[index / width][index % width]) {
                snprintf(text, sizeof text, "%d,%d", index % width, index / width);
                say(text);
                return 1;
            }
        }
        say("0,0");
        return 1;
    } else if (is("error")) {
        say("ERROR no move comes to mind");
        return 1;
    } else if (is("unknown")) {
        say("UNKNOWN command");
        return 1;
    } else if (is("late") && asked == (number < 0 ? 1 : number)) {
        nap(1000);
    } else if (is("slow")) {
        nap(number < 0 ? 1000 : number);
    } else if (is("crash")) {
        abort();
    } else if (is("hang")) {
        forever();
    } else if (is("suggest")) {
        snprintf(text, sizeof text, "SUGGEST %s", move);
        say(text);
        return 1;
    } else if (is("spoilt") && comes(number < 0 ? 100 : number)) {
        say("you spoilt it");
        return 1;
    } else if (is("memory") && asked == 1) {
        eat(number < 0 ? 4096 : number);
    } else if (is("folder") && asked == 1) {
        fill_folder(number < 0 ? 100 : number);
    } else if (is("hoard")) {
        fill_folder(number < 0 ? 100 : number);
        forever();
    }
    return 0;
}

static void ponder(void)
{
    char text[64];
    volatile long rounds = 0;
    while (!comes(0)) {
        for (int spin = 0; spin < 100000; spin++) {
            rounds++;
        }
    }
    snprintf(text, sizeof text, "MESSAGE pondered %ld", rounds);
    say(text);
}

static void answer(void)
{
    char move[32];
    int point = pick();
    asked++;
    snprintf(move, sizeof move, "%d,%d", point % width, point / width);
    if (quirk(move)) {
        return;
    }
    put(point % width, point / width, OWN);
    if (is("text-after")) {
        char text[96];
        snprintf(text, sizeof text, "%s\tValue:0 Nodes:(1, 1)", move);
        say(text);
        return;
    }
    say(move);
    if (is("twice")) {
        say(move);
    } else if (is("exit")) {
        exit(0);
    } else if (is("ponder")) {
        ponder();
    }
}

static void ready(void)
{
    if (is("refuse")) {
        say("ERROR not on this board");
        return;
    }
    if (is("hang-start")) {
        forever();
    }
    if (is("half-start")) {
        write_all("name=\"Half\"", 11);
        forever();
    }
    if (is("banner")) {
        say("A brain that shows one quirk");
        say("MESSAGE all rights left");
    }
    say("OK");
}

static void about(void)
{
    if (is("free-about")) {
        say("Quirk, a brain that shows one");
        say("written for tests");
    } else if (is("open-about")) {
        write_all("name=\"Open\"", 11);
    } else if (!is("no-about")) {
        say("name=\"Quirk\", version=\"1.0\", author=\"Tengen\", country=\"none\"");
    }
}

static void inform(const char *info)
{
    if (strncasecmp(info, "folder ", 7) == 0) {
        snprintf(folder, sizeof folder, "%s", info + 7);
    }
    if (is("ok-info")) {
        say("OK");
    } else if (is("no-rule") && strncasecmp(info, "rule", 4) == 0) {
        say("ERROR Unknown rule id");
    } else if (is("error-info")) {
        const char *keys[] = {"max_node", "max_depth", "thread_num", "hash_size", "time_inc"};
        for (size_t index = 0; index < sizeof keys / sizeof *keys; index++) {
            if (strncasecmp(info, keys[index], strlen(keys[index])) == 0) {
                say("ERROR what is that?");
            }
        }
    }
}

static void read_board(void)
{
    char *line;
    int x, y, whose;
    clear(1);
    while ((line = read_line()) != NULL && strcasecmp(line, "DONE") != 0) {
        whose = THEIRS;
        if (sscanf(line, "%d,%d,%d", &x, &y, &whose) >= 2) {
            put(x, y, whose == OWN ? OWN : THEIRS);
        }
    }
}

static void swap2(void)
{
    char *line;
    int x, y, f, stones = 0;
    while ((line = read_line()) != NULL && strcasecmp(line, "DONE") != 0) {
        if (sscanf(line, "%d,%d,%d", &x, &y, &f) == 3) {
            stones++;
        } else {
            say("ERROR Color is not a valid value");
        }
    }
    say(stones == 0 ? "7,7 8,6 6,9" : "SWAP");
}

/* Whether a line is one that the brain does not take. */
static int passes_over(const char *line)
{
    if (is("mute")) {
        return strncasecmp(line, "START ", 6) != 0 && strcasecmp(line, "BEGIN") != 0
            && strncasecmp(line, "TURN ", 5) != 0 && strcasecmp(line, "BOARD") != 0;
    }
    return is("lf-word") && has_cr && strncasecmp(line, "START ", 6) != 0;
}

static int obey(char *line)
{
    int x, y;
    char text[64];
    if (passes_over(line)) {
        return 1;
    }
    if (is("lf-number") && has_cr && strchr(line, ' ') != NULL) {
        say("ERROR not a number");
        return 1;
    }
    if (is("owners") && strcasecmp(line, "SWAP2BOARD") == 0) {
        swap2();
        return 1;
    }
    if (strncasecmp(line, "TURN ", 5) == 0 && sscanf(line + 5, "%d,%d", &x, &y) == 2) {
        if (is("chance-late") && x < width && y < height && taken[y][x]) {
            say("ERROR a stone lies there");
            return 1;
        }
        put(x, y, THEIRS);
        answer();
    } else if (strncasecmp(line, "INFO ", 5) == 0) {
        inform(line + 5);
    } else if (strcasecmp(line, "BEGIN") == 0) {
        if (is("no-begin")) {
            forever();
        }
        answer();
    } else if (strcasecmp(line, "BOARD") == 0) {
        read_board();
        answer();
    } else if (strcasecmp(line, "YXBOARD") == 0) {
        read_board();
    } else if (strncasecmp(line, "START ", 6) == 0 && sscanf(line + 6, "%d", &x) == 1 && x > 4
               && x <= 32) {
        if (is("one-game") && begun++ > 0) {
            say("ERROR the game is on");
            return 1;
        }
        if (is("counts") && begun++ > 0) {
            work(number);
        }
        start(x, x);
        ready();
    } else if (strncasecmp(line, "RECTSTART ", 10) == 0 && sscanf(line + 10, "%d,%d", &x, &y) == 2
               && x > 4 && y > 4 && x <= 32 && y <= 32) {
        start(x, y);
        ready();
    } else if (strcasecmp(line, "RESTART") == 0) {
        clear(0);
        say("OK");
    } else if (strncasecmp(line, "PLAY ", 5) == 0 && sscanf(line + 5, "%d,%d", &x, &y) == 2) {
        put(x, y, OWN);
        snprintf(text, sizeof text, "%d,%d", x, y);
        say(text);
    } else if (strncasecmp(line, "TAKEBACK ", 9) == 0 && sscanf(line + 9, "%d,%d", &x, &y) == 2) {
        if (x >= 0 && y >= 0 && x < width && y < height) {
            taken[y][x] = 0;
            next = 0;
        }
        say("OK");
    } else if (strcasecmp(line, "ABOUT") == 0) {
        about();
    } else if (strcasecmp(line, "END") == 0) {
        return 0;
    } else {
        say("UNKNOWN command");
    }
    return 1;
}

int main(int count, char **arguments)
{
    char *line;
    if (count > 1) {
        mode = arguments[1];
    }
    if (count > 2) {
        number = atol(arguments[2]);
    }
    if (is("cr")) {
        line_end = "\r";
    } else if (is("crlf")) {
        line_end = "\r\n";
    }
#ifdef _WIN32
    /* Lines end as they are written. */
    _setmode(STDIN_FILENO, _O_BINARY);
    _setmode(STDOUT_FILENO, _O_BINARY);
#else
    if (is("hang") || is("hang-start") || is("no-end")) {
        signal(SIGTERM, SIG_IGN);
    }
    if (is("no-end")) {
        signal(SIGPIPE, SIG_IGN);
    }
    if (is("fork") && fork() == 0) {
        signal(SIGTERM, SIG_IGN);
        forever();
    }
#endif
    srand((unsigned)time(NULL) ^ (unsigned)getpid());
    start(15, 15);
    while ((line = read_line()) != NULL && obey(line)) {
    }
    if (is("no-end")) {
        forever();
    }
    return 0;
}
