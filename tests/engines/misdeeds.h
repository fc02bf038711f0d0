/* What bad_brain.c does to others: to the arbiter by what it writes, to the machine by what it
 * takes, starts and reaches for. */
#include "attacks.h"
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef PORT
#define PORT 9
#endif

static void spin(void)
{
    for (volatile unsigned long i = 0;; i++) {
    }
}

static void rest(long milliseconds)
{
    struct timespec span = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    while (nanosleep(&span, &span) != 0) {
    }
}

static void hang(void)
{
    for (;;) {
        pause();
    }
}

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

static int overflow(volatile int depth)
{
    volatile char frame[4096];
    frame[0] = (char)depth;
    return overflow(depth + 1) + frame[0];
}

static void hog(void)
{
    const size_t mib = 1 << 20;
    for (int i = 0; i < 1024; i++) {
        void *room = mmap(0, mib, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (room == MAP_FAILED) {
            abort();
        }
        memset(room, 1, mib);
    }
}

static void *work(void *argument)
{
    spin();
    return argument;
}

static void *sleep_on(void *argument)
{
    hang();
    return argument;
}

static void start_threads(int count, void *(*body)(void *))
{
    pthread_attr_t small;
    pthread_t thread;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 << 10);
    while (count-- > 0 && pthread_create(&thread, &small, body, 0) == 0) {
    }
}

/* Starts processes that outlive it, each in a session of its own if `away`, and without a
 * living parent if `alone`. */
static void forks(int count, int away, int alone)
{
    for (int i = 0; i < count; i++) {
        if (fork() != 0) {
            continue;
        }
        signal(SIGTERM, SIG_IGN);
        signal(SIGHUP, SIG_IGN);
        if (away) {
            setsid();
        }
        if (alone && fork() != 0) {
            _exit(0);
        }
        hang();
    }
}

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
    const size_t part = (size_t)24 << 20;
    char *room = mmap(0, part, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room != MAP_FAILED) {
        memset(room, 1, part);
    }
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

static void write_files(int hidden)
{
    static char block[1 << 20];
    char name[32];
    memset(block, 'x', sizeof block);
    for (int i = 0; i < 64; i++) {
        snprintf(name, sizeof name, "file%d", i);
        int file = open(name, O_CREAT | O_WRONLY, 0600);
        if (file >= 0 && write(file, block, sizeof block) < 0) {
            rest(1);
        }
        if (hidden) {
            unlink(name);
        }
    }
}

/* Whether it could read what lies beside the folder of the program. */
static int reads_canary(const char *program)
{
    char path[4096], byte;
    snprintf(path, sizeof path, "%s", program);
    char *end = strrchr(path, '/');
    snprintf(end + 1, sizeof path - (size_t)(end + 1 - path), "../canary");
    int file = open(path, O_RDONLY);
    return file >= 0 && read(file, &byte, 1) == 1;
}

static int connects(void)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int end = socket(AF_INET, SOCK_STREAM, 0);
    return end >= 0 && connect(end, (struct sockaddr *)&to, sizeof to) == 0;
}

/* Whether it could make a file beside the folder of the program. */
static int writes_file(const char *program)
{
    char path[4096];
    snprintf(path, sizeof path, "%.*s/../written", (int)(strrchr(program, '/') - program), program);
    int file = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0600);
    if (file < 0) {
        return 0;
    }
    unlink(path);
    return write(file, "x", 1) == 1;
}
