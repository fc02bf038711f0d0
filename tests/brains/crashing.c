/* A Gomocup brain that dies when it has been told two moves of its opponent. */
#include <stdio.h>
#include <string.h>

struct row {
    int before[4], count;
};

static int taken[32][32], size = 15, told;

static int evaluate(const volatile struct row *row) { return row->count; }

static int search(void) { return told >= 2 ? evaluate(0) + 1 : 0; }

static void play(void) {
    if (search()) return;
    for (int point = 0; point < size * size; point++) {
        int x = point % size, y = point / size;
        if (taken[y][x]) continue;
        taken[y][x] = 1;
        printf("%d,%d\n", x, y);
        return;
    }
}

int main(void) {
    char line[256];
    int x, y, owner, in_board = 0;
    setvbuf(stdout, 0, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "START %d", &size) == 1) {
            memset(taken, 0, sizeof taken);
            told = 0;
            puts("OK");
        } else if (strncmp(line, "BEGIN", 5) == 0) {
            play();
        } else if (sscanf(line, "TURN %d,%d", &x, &y) == 2) {
            taken[y][x] = 1;
            told++;
            play();
        } else if (strncmp(line, "BOARD", 5) == 0) {
            in_board = 1;
            memset(taken, 0, sizeof taken);
        } else if (in_board && sscanf(line, "%d,%d,%d", &x, &y, &owner) == 3) {
            taken[y][x] = 1;
        } else if (strncmp(line, "DONE", 4) == 0) {
            in_board = 0;
            play();
        } else if (strncmp(line, "END", 3) == 0) {
            return 0;
        }
    }
    return 0;
}
