/* A Gomocup brain of two threads that works on after its answer, as some do that print their move
 * before they note that they are done.
 *
 *     cc -O2 -pthread -o pbrain-tail tail.c && ./pbrain-tail [MODE [MILLISECONDS [THINK]]]
 *
 * One thread reads and the other searches. Such brains drop a command that comes before the second
 * has noted that it is done; this one ends then, with exit code 3. The tail lasts for 0 to
 * MILLISECONDS (50), and a thought of THINK (2) milliseconds comes before each answer.
 *
 *     works       the tail is work (the default)
 *     sleeps      the tail is a sleep
 *     ponders     notes that it is done, and works on until it is asked again
 *     prepares    uses MILLISECONDS of CPU time when it is told what memory it may use, and has no
 *                 tail
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *mode = "works";
static long most = 50, think = 2;
static int size, moves;
static char taken[32][32];
static atomic_int thinking;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t asked = PTHREAD_COND_INITIALIZER;
static int is_asked;

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void spend(long long ns, int asleep)
{
    struct timespec span = {ns / 1000000000, ns % 1000000000};
    long long until = now() + ns;
    while (asleep && nanosleep(&span, &span) != 0) {
    }
    while (!asleep && now() < until) {
    }
}

static void prepare(void)
{
    struct timespec used;
    do {
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    } while (used.tv_sec * 1000 + used.tv_nsec / 1000000 < most);
}

static void say(const char *text)
{
    printf("%s\n", text);
    fflush(stdout);
}

static void *search(void *unused)
{
    unsigned seed = 7;
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (!is_asked) {
            pthread_cond_wait(&asked, &lock);
        }
        is_asked = 0;
        pthread_mutex_unlock(&lock);
        spend(think * 1000000LL, 0);
        int point = moves * 29 % (size * size);
        while (taken[point / size][point % size]) {
            point = (point + 29) % (size * size);
        }
        moves++;
        taken[point / size][point % size] = 1;
        char text[32];
        snprintf(text, sizeof text, "%d,%d", point % size, point / size);
        say(text);
        if (strcmp(mode, "ponders") == 0) {
            thinking = 0;
            while (!thinking) {
            }
            continue;
        }
        if (strcmp(mode, "prepares") == 0) {
            thinking = 0;
            continue;
        }
        seed = seed * 1103515245 + 12345;
        spend(seed / 65536 % (unsigned)(most * 1000 + 1) * 1000LL, strcmp(mode, "sleeps") == 0);
        thinking = 0;
    }
    return NULL;
}

static void ask(void)
{
    thinking = 1;
    pthread_mutex_lock(&lock);
    is_asked = 1;
    pthread_cond_signal(&asked);
    pthread_mutex_unlock(&lock);
}

static void clear(void)
{
    memset(taken, 0, sizeof taken);
    moves = 0;
}

int main(int count, char **words)
{
    char word[256], rest[256];
    int x, y;
    pthread_t searcher;
    if (count > 1) {
        mode = words[1];
    }
    if (count > 2) {
        most = atol(words[2]);
    }
    if (count > 3) {
        think = atol(words[3]);
    }
    pthread_create(&searcher, NULL, search, NULL);
    while (scanf("%255s", word) == 1) {
        if (strcmp(word, "END") == 0) {
            return 0;
        }
        if (thinking) {
            say("MESSAGE dropped a command");
            return 3;
        }
        if (strcmp(word, "START") == 0 && scanf("%d", &size) == 1 && size > 4 && size <= 32) {
            clear();
            say("OK");
        } else if (strcmp(word, "RESTART") == 0) {
            clear();
            say("OK");
        } else if (strcmp(word, "ABOUT") == 0) {
            say("name=\"Tail\", version=\"1.0\"");
        } else if (strcmp(word, "INFO") == 0) {
            if (scanf("%255s %255s", word, rest) != 2) {
                return 1;
            }
            if (strcmp(mode, "prepares") == 0 && strcmp(word, "max_memory") == 0) {
                prepare();
            }
        } else if (strcmp(word, "BEGIN") == 0) {
            ask();
        } else if (strcmp(word, "TURN") == 0 && scanf("%d,%d", &x, &y) == 2) {
            taken[y][x] = 1;
            ask();
        } else if (strcmp(word, "BOARD") == 0) {
            while (scanf("%255s", word) == 1 && strcmp(word, "DONE") != 0) {
                if (sscanf(word, "%d,%d", &x, &y) == 2) {
                    taken[y][x] = 1;
                }
            }
            ask();
        } else {
            printf("ERROR Unknown command: %s\n", word);
            fflush(stdout);
        }
    }
    return 0;
}
