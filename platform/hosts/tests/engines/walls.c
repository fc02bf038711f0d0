/* A brain that leans on one of the walls, the one its first argument names, when it is asked for a
 * move. What it was given too much of is what the test sees; it never answers by itself. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stddef.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
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
    /* No single file is larger than the folder may be. */
    for (int number = 0; number < 90; number++) {
        char name[64], path[4096];
        if (!strcmp(wall, "allocated")) {
            snprintf(name, sizeof name, "%d", number);
            fallocate(scratch(name), FALLOC_FL_KEEP_SIZE, 0, 4 * MIB);
        }
        if (!strcmp(wall, "unlinked") && number < 3) {
            snprintf(path, sizeof path, "%s/%d", getenv("TMPDIR"), number);
            snprintf(name, sizeof name, "%d", number);
            int file = scratch(name);
            unlink(path);
            ftruncate(file, 2 * MIB);
            char *room = mmap(0, 2 * MIB, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
            close(file);
            memset(room, 1, 2 * MIB);
        }
        if (!strcmp(wall, "hidden")) {
            static char block[MIB];
            snprintf(path, sizeof path, "%s/hidden%d", getenv("TMPDIR"), number);
            mkdir(path, 0700);
            snprintf(name, sizeof name, "hidden%d/file", number);
            write(scratch(name), block, MIB);
            chmod(path, 0);
        }
    }
}

/* Whether a socket of this machine can be connected that has a path, or a name without one. */
static int meets(const char *name, int has_path, int listens) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    strncpy(at.sun_path + !has_path, name, sizeof at.sun_path - 2);
    socklen_t size = offsetof(struct sockaddr_un, sun_path) + !has_path + strlen(name) + has_path;
    int own = socket(AF_UNIX, SOCK_STREAM, 0), other = socket(AF_UNIX, SOCK_STREAM, 0);
    int met = 1;
    if (listens) met = bind(own, (void *)&at, size) == 0 && listen(own, 1) == 0;
    met = met && connect(other, (void *)&at, size) == 0;
    if (listens) met = met && accept(own, 0, 0) >= 0;
    close(own);
    close(other);
    return met;
}

/* Whether its own sockets work, and no others: the names are those of listeners outside. */
static int is_among_itself(const char *abstract, const char *path) {
    char own[4096];
    snprintf(own, sizeof own, "%s/socket", getenv("TMPDIR"));
    return meets("own", 0, 1) && meets(own, 1, 1) && !meets(abstract, 0, 0) &&
           !meets(path, 1, 0) && socket(AF_INET, SOCK_STREAM, 0) < 0 &&
           socket(AF_NETLINK, SOCK_RAW, 0) < 0;
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
            if (count > 3) puts(is_among_itself(words[2], words[3]) ? "7,7" : "0,0");
        }
    }
    return 0;
}
