/* A brain that leans on one of the walls, the one its first argument names, when it is asked for a
 * move. What it was given too much of is what the test sees; it never answers by itself. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB (1L << 20)

static void hold(long bytes) {
    char *room = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) _exit(1);
    memset(room, 1, bytes);
    for (;;) pause();
}

/* Processes whose parents have ended. */
static void orphans(int count, long bytes) {
    for (int i = 0; i < count; i++) {
        pid_t child = fork();
        if (child == 0) {
            if (fork() == 0) {
                close(0);
                close(1);
                close(2);
                if (bytes) hold(bytes);
                for (;;) pause();
            }
            _exit(0);
        }
        if (child > 0) waitpid(child, 0, 0);
    }
}

static int scratch(const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", getenv("TMPDIR"), name);
    return open(path, O_CREAT | O_RDWR, 0600);
}

static void lean(const char *wall) {
    if (!strcmp(wall, "memory")) orphans(15, 100 * MIB);
    if (!strcmp(wall, "processes")) orphans(150, 0);
    if (!strcmp(wall, "allocated")) {
        int file = scratch("allocated");
        for (long at = 0; at < 360; at++) fallocate(file, FALLOC_FL_KEEP_SIZE, at * MIB, MIB);
    }
    if (!strcmp(wall, "unlinked")) {
        int file = scratch("unlinked");
        char path[4096];
        snprintf(path, sizeof path, "%s/unlinked", getenv("TMPDIR"));
        unlink(path);
        ftruncate(file, 40 * MIB);
        char *room = mmap(0, 40 * MIB, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);
        /* Beyond what there is, a write to the mapping is SIGBUS. */
        signal(SIGBUS, SIG_DFL);
        for (long at = 0; at < 6; at++) memset(room + at * MIB, 1, MIB);
    }
    if (!strcmp(wall, "hidden")) {
        char path[4096];
        snprintf(path, sizeof path, "%s/hidden", getenv("TMPDIR"));
        mkdir(path, 0700);
        int file = scratch("hidden/file");
        static char block[MIB];
        for (int i = 0; i < 40; i++) write(file, block, MIB);
        chmod(path, 0);
    }
}

int main(int count, char **words) {
    char line[4096];
    setvbuf(stdout, 0, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "START", 5) || !strncmp(line, "RESTART", 7)) puts("OK");
        if (!strncmp(line, "ABOUT", 5)) puts("name=\"Walls\"");
        if (!strncmp(line, "END", 3)) return 0;
        if (!strncmp(line, "BEGIN", 5)) {
            if (count > 1) lean(words[1]);
            if (count > 1 && !strcmp(words[1], "none")) puts("7,7");
        }
    }
    return 0;
}
