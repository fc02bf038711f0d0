/* What bad_brain.c does to others: to the arbiter by what it writes, to the machine by what it
 * takes, starts and reaches for. */
#include "os.h"
#ifdef __linux__
#include "attacks.h"
#endif
#ifndef _WIN32
#include <sys/wait.h>
#endif

static void write_all(int to, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t written = write(to, bytes, count);
        if (written < 0) {
            _exit(1);
        }
        bytes += written;
        count -= (size_t)written;
    }
}

static void say(const char *text)
{
    write_all(STDOUT_FILENO, text, strlen(text));
}

/* Writes it again and again. */
static void flood(int to, const char *text)
{
    char block[1 << 13];
    size_t length = strlen(text), filled = 0;
    while (filled + length <= sizeof block) {
        memcpy(block + filled, text, length);
        filled += length;
    }
    for (;;) {
        write_all(to, block, filled);
    }
}

#ifndef _WIN32
/* Starts a process that has no living parent and does that. */
static void orphan(void (*does)(void))
{
    if (fork() == 0) {
        if (fork() == 0) {
            does();
            hang();
        }
        _exit(0);
    }
}

/* Takes no more than a part of what the engine may. */
static void hog_a_part(void)
{
    take((size_t)24 << 20);
}

/* Works in processes that come and go, so that their accounts are never read. */
static void churn(void)
{
    signal(SIGCHLD, SIG_IGN);
    for (;;) {
        if (fork() == 0) {
            for (volatile unsigned long i = 0; i < 2000000; i++) {
            }
            _exit(0);
        }
        /* It comes back when the other has gone, and has not heard how. */
        wait(NULL);
    }
}
#endif

/* Whether it could read what lies beside the folder of the program. */
static int reads_canary(const char *program)
{
    return reads(beside(program, "../canary"));
}

/* Whether it could make a file beside the folder of the program. */
static int writes_file(const char *program)
{
    return writes(beside(program, "../written"));
}
