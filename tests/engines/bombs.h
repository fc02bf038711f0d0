/* What an engine may take of a machine, or leave on it, whether it is a library or a program. */
#ifndef BOMBS_H
#define BOMBS_H
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define ATTACK_MIB ((size_t)1 << 20)

/* Makes folders in each other, deeper than any path. */
static void attack_nest(int depth)
{
    char name[241];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = 0;
    for (int i = 0; i < depth; i++) {
        int folder;
        if (mkdirat(AT_FDCWD, name, 0700) != 0 ||
            (folder = openat(AT_FDCWD, name, O_RDONLY | O_DIRECTORY)) < 0) {
            return;
        }
        if (fchdir(folder) != 0) {
            return;
        }
        close(folder);
    }
}

/* Makes folders without the right to read, with files in them and names that are no text. */
static void attack_close_folders(void)
{
    char name[64];
    for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "closed\xff\xfe%d", i);
        if (mkdir(name, 0700) != 0 || chdir(name) != 0) {
            return;
        }
        close(open("file", O_CREAT | O_WRONLY, 0));
        if (mkdir("inner", i % 2 ? 0300 : 0) != 0 || chdir("..") != 0) {
            return;
        }
    }
}

/* Takes the disk in ways that a list of files does not show: blocks behind the end, files without a
 * name that are mapped, folders that cannot be read, and descriptors on their way in a socket. */
static void attack_hoard(int way)
{
    static char block[1 << 16];
    char name[64];
    int pair[2] = {-1, -1};
    umask(0);
    if (way == 2 && mkdir("blind", 0300) != 0) {
        return;
    }
    if (way == 3 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) {
        return;
    }
    memset(block, 'x', sizeof block);
    for (int i = 0; i < 16; i++) {
        snprintf(name, sizeof name, way == 2 ? "blind/hoard%d" : "hoard%d", i);
        int file = open(name, O_CREAT | O_RDWR, 0600);
        if (file < 0) {
            return;
        }
        if (way == 0) {
            fallocate(file, FALLOC_FL_KEEP_SIZE, 0, 1 << 20);
        } else {
            for (int part = 0; part < 16 && write(file, block, sizeof block) > 0; part++) {
            }
        }
        if (way == 1) {
            mmap(0, 4096, PROT_READ, MAP_SHARED, file, 0);
        }
        if (way == 3) {
            char room[CMSG_SPACE(sizeof file)] = {0}, byte = 0;
            struct iovec part = {&byte, 1};
            struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = room,
                                     .msg_controllen = sizeof room};
            struct cmsghdr *header = CMSG_FIRSTHDR(&message);
            header->cmsg_level = SOL_SOCKET;
            header->cmsg_type = SCM_RIGHTS;
            header->cmsg_len = CMSG_LEN(sizeof file);
            memcpy(CMSG_DATA(header), &file, sizeof file);
            if (sendmsg(pair[0], &message, 0) < 0) {
                /* It keeps the file open, which shows. */
                unlink(name);
                continue;
            }
        }
        if (way == 1 || way == 3) {
            unlink(name);
        }
        close(file);
    }
}

/* Has the kernel make tables of pages: one for each 2 MiB of which a page is read. */
static void attack_page_tables(void)
{
    const size_t piece = 1 << 30;
    for (int i = 0; i < 200; i++) {
        char *room = mmap(0, piece, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (room == MAP_FAILED) {
            return;
        }
        madvise(room, piece, MADV_NOHUGEPAGE);
        for (size_t at = 0; at < piece; at += 2 * ATTACK_MIB) {
            (void)*(volatile char *)(room + at);
        }
    }
}

/* Fills shared memory and lets go of its pages, which stay. */
static void attack_shared_memory(void)
{
    for (int i = 0; i < 300; i++) {
        char *room = mmap(0, ATTACK_MIB, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (room == MAP_FAILED) {
            return;
        }
        memset(room, 1, ATTACK_MIB);
        madvise(room, ATTACK_MIB, MADV_DONTNEED);
    }
}

static void *attack_fill_stack(void *argument)
{
    volatile char room[4 << 20];
    for (size_t at = 0; at < sizeof room; at += 512) {
        room[at] = 1;
    }
    for (;;) {
        pause();
    }
    return argument;
}

/* Starts threads that each fill their stack. */
static void attack_stacks(void)
{
    pthread_attr_t large;
    pthread_t thread;
    pthread_attr_init(&large);
    pthread_attr_setstacksize(&large, 5 << 20);
    for (int i = 0; i < 64 && pthread_create(&thread, &large, attack_fill_stack, 0) == 0; i++) {
    }
}

/* Makes more files than anybody counts. */
static void attack_many_files(void)
{
    char name[32];
    for (int i = 0; i < 200000; i++) {
        snprintf(name, sizeof name, "f%d", i);
        int file = open(name, O_CREAT | O_WRONLY, 0600);
        if (file < 0) {
            return;
        }
        close(file);
    }
}

/* Fills pipes and sockets that no process reads, in several processes where it may have them. */
static void attack_buffers(void)
{
    static char block[1 << 16];
    for (int process = 0; process < 40 && (process == 0 || fork() == 0); process++) {
        /* Those of its parent stay as they are. */
        for (int file = 3; file < 256; file++) {
            close(file);
        }
        for (int i = 0; i < 100; i++) {
            int ends[2];
            if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) != 0 &&
                pipe2(ends, O_NONBLOCK) != 0) {
                break;
            }
            while (write(ends[1], block, sizeof block) > 0) {
            }
        }
    }
    for (;;) {
        pause();
    }
}

/* Opens files until there are no more descriptors. */
static void attack_descriptors(void)
{
    int file;
    do {
        file = open("/dev/null", O_RDONLY);
    } while (file >= 0);
    while (pipe((int[2]){0}) == 0) {
    }
}

#endif
