/* A Gomocup brain that searches in threads of its own, while its main thread only listens.
 *
 *     cc -O2 -pthread -o pbrain-searcher searcher.c && ./pbrain-searcher [THREADS [MS]]
 *
 * When it is asked for a move, each of its THREADS (1) computes for MS (100) milliseconds of its
 * own CPU time. The last to be done answers with the first empty point. With MS 0 they compute
 * without end, and with MS -1 they sleep without end. POSIX only.
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t asked = PTHREAD_COND_INITIALIZER;
static long threads = 1, ms = 100, question, at_work;
static int width, height;
static char taken[32][32];

static long used_ms(void)
{
    struct timespec used;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return used.tv_sec * 1000 + used.tv_nsec / 1000000;
}

static void answer(void)
{
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            if (!taken[x][y]) {
                taken[x][y] = 1;
                printf("%d,%d\n", x, y);
                fflush(stdout);
                return;
            }
        }
    }
}

static void *search(void *unused)
{
    long seen = 0;
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (question == seen || ms < 0) {
            pthread_cond_wait(&asked, &lock);
        }
        seen = question;
        pthread_mutex_unlock(&lock);
        for (long end = used_ms() + ms; ms == 0 || used_ms() < end;) {
            for (volatile int spin = 0; spin < 10000; spin++) {
            }
        }
        pthread_mutex_lock(&lock);
        if (--at_work == 0) {
            answer();
        }
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void ask(void)
{
    question++;
    at_work = threads;
    pthread_cond_broadcast(&asked);
}

int main(int argc, char **argv)
{
    static char line[4096];
    int x, y, in_board = 0;
    pthread_t thread;
    threads = argc > 1 ? atol(argv[1]) : threads;
    ms = argc > 2 ? atol(argv[2]) : ms;
    for (long count = 0; count < threads; count++) {
        if (pthread_create(&thread, NULL, search, NULL) != 0) {
            return 1;
        }
    }
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\r\n")] = 0;
        pthread_mutex_lock(&lock);
        if (in_board) {
            if (sscanf(line, "%d,%d", &x, &y) == 2) {
                taken[x & 31][y & 31] = 1;
            } else {
                in_board = 0;
                ask();
            }
        } else if (sscanf(line, "START %d", &x) == 1) {
            width = height = x <= 32 ? x : 32;
            memset(taken, 0, sizeof taken);
            puts("OK");
        } else if (strcasecmp(line, "RESTART") == 0) {
            memset(taken, 0, sizeof taken);
            puts("OK");
        } else if (strcasecmp(line, "BOARD") == 0) {
            memset(taken, 0, sizeof taken);
            in_board = 1;
        } else if (sscanf(line, "TURN %d,%d", &x, &y) == 2) {
            taken[x & 31][y & 31] = 1;
            ask();
        } else if (strcasecmp(line, "BEGIN") == 0) {
            ask();
        } else if (strcasecmp(line, "ABOUT") == 0) {
            puts("name=\"searcher\", version=\"1\"");
        } else if (strcasecmp(line, "END") == 0) {
            return 0;
        }
        fflush(stdout);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}
