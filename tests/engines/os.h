/* What the engines of tests ask of their system, under the same names on Unix and on Windows. */
#ifndef OS_H
#define OS_H
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef PORT
#define PORT 9
#endif

#ifdef _WIN32
#include <winsock2.h>
#include <windows.h>
#include <direct.h>
#include <io.h>
#define SEPARATOR '\\'
#define OWN_FOLDER "TEMP"
/* Files that may not stay: the name goes with the last handle. */
#define HIDDEN (_O_TEMPORARY | _O_BINARY)
#else
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#define SEPARATOR '/'
#define OWN_FOLDER "TMPDIR"
#define HIDDEN 0
#endif

#define UNUSED __attribute__((unused)) static

UNUSED void spin(void) {
    for (volatile unsigned long i = 0;;) i = i + 1;
}

UNUSED void rest(long milliseconds) {
#ifdef _WIN32
    Sleep((DWORD)milliseconds);
#else
    struct timespec span = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    while (nanosleep(&span, &span) != 0) {}
#endif
}

UNUSED void hang(void) {
    for (;;) rest(1000000);
}

UNUSED int overflow(volatile int depth) {
    volatile char frame[4096];
    frame[0] = (char)depth;
    return overflow(depth + 1) + frame[0];
}

#ifndef _WIN32
UNUSED void ignore_signals(void) {
    for (int number = 1; number < 32; number++) signal(number, SIG_IGN);
}
#endif

/* Memory that is written to, if it is given. */
UNUSED void *take(size_t size) {
#ifdef _WIN32
    void *room = VirtualAlloc(NULL, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
#else
    void *room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) room = NULL;
#endif
    return room == NULL ? NULL : memset(room, 1, size);
}

/* How many MiB it is given before one is refused, up to a GiB. */
UNUSED int take_all(void) {
    int taken = 0;
    while (taken < 1024 && take(1 << 20) != NULL) taken++;
    return taken;
}

UNUSED void *work(void *argument) {
    spin();
    return argument;
}

UNUSED void *sleep_on(void *argument) {
    hang();
    return argument;
}

/* Starts threads until there are that many or no more are to be had. */
UNUSED int start_threads(int count, void *(*body)(void *)) {
    pthread_attr_t small;
    pthread_t thread;
    int started = 0;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 << 10);
    while (started < count && pthread_create(&thread, &small, body, NULL) == 0) started++;
    return started;
}

/* Starts processes that outlive the question and do nothing, each in a session of its own if
 * `away`, and without a living parent if `alone`. Gives how many were started. */
UNUSED int start_processes(int count, int away, int alone) {
    int started = 0;
    for (; started < count; started++) {
#ifdef _WIN32
        /* It waits for a line from a pipe that stays open. Windows has no sessions that one could
         * leave; what there is of them is a console, and a job. */
        SECURITY_ATTRIBUTES handed_on = {.nLength = sizeof handed_on, .bInheritHandle = TRUE};
        STARTUPINFOA start = {.cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES};
        PROCESS_INFORMATION made;
        HANDLE kept;
        char words[] = "cmd.exe /q /k";
        DWORD leaves = DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP | CREATE_BREAKAWAY_FROM_JOB;
        DWORD flags[] = {away ? leaves : CREATE_NO_WINDOW, CREATE_NO_WINDOW};
        int is_made = 0;
        if (!CreatePipe(&start.hStdInput, &kept, &handed_on, 0)) break;
        for (int i = 0; i < 2 && !is_made; i++) {
            is_made = CreateProcessA(NULL, words, NULL, NULL, TRUE, flags[i], NULL, NULL, &start, &made);
        }
        if (!is_made) break;
        (void)alone;
#else
        pid_t pid = fork();
        if (pid < 0) break;
        if (pid > 0) continue;
        signal(SIGTERM, SIG_IGN);
        signal(SIGHUP, SIG_IGN);
        if (away) setsid();
        if (alone && fork() != 0) _exit(0);
        hang();
#endif
    }
    return started;
}

/* Writes that many MiB into a file of the working folder, and gives how many went in. */
UNUSED int write_file(const char *name, int mib, int flags) {
    static char block[1 << 20];
    int file = open(name, O_CREAT | O_WRONLY | flags, 0600), written = 0;
    memset(block, 'x', sizeof block);
    while (file >= 0 && written < mib && write(file, block, sizeof block) == sizeof block) written++;
    return written;
}

/* Writes 64 files of one MiB each, whose names are gone if they are hidden. */
UNUSED void write_files(int hidden) {
    char name[32];
    for (int i = 0; i < 64; i++) {
        snprintf(name, sizeof name, "file%d", i);
        write_file(name, 1, hidden ? HIDDEN : 0);
        if (hidden) unlink(name);
    }
}

/* The path of what lies beside a file under another name. */
UNUSED const char *beside(const char *file, const char *name) {
    static char path[4096];
    snprintf(path, sizeof path, "%s", file);
    char *end = strrchr(path, SEPARATOR);
    if (end == NULL) abort();
    snprintf(end + 1, sizeof path - (size_t)(end + 1 - path), "%s", name);
    return path;
}

/* Whether a file can be read. */
UNUSED int reads(const char *path) {
    char byte;
    int file = open(path, O_RDONLY);
    return file >= 0 && read(file, &byte, 1) == 1;
}

/* Whether it can make a file there. */
UNUSED int writes(const char *path) {
    int file = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0600);
    int written = file >= 0 && write(file, "x", 1) == 1;
    if (file >= 0) close(file);
    unlink(path);
    return written;
}

/* Whether it reaches the port of this machine. */
UNUSED int connects(void) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
#ifdef _WIN32
    WSADATA data;
    if (WSAStartup(MAKEWORD(2, 2), &data) != 0) return 0;
    SOCKET end = socket(AF_INET, SOCK_STREAM, 0);
    return end != INVALID_SOCKET && connect(end, (struct sockaddr *)&to, sizeof to) == 0;
#else
    int end = socket(AF_INET, SOCK_STREAM, 0);
    return end >= 0 && connect(end, (struct sockaddr *)&to, sizeof to) == 0;
#endif
}
#endif
