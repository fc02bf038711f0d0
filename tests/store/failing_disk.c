/* A disk that fails, to be loaded before the C library of a program under test.
 *
 * Operations that change something in the folder TENGEN_FAULT_DIR are counted. The one of number
 * TENGEN_FAULT_AT fails as TENGEN_FAULT_KIND says: `error` is an I/O error, `dead` is one from then
 * on, `full` is a full disk from then on, `kill` ends the program by SIGKILL, in the middle of what
 * was to be written. A line about the first failure is appended to TENGEN_FAULT_LOG. Processes that
 * the program starts have a sound disk. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *folder, *kind, *report;
static long at;
static atomic_long count;

__attribute__((constructor)) static void begin(void) {
    folder = getenv("TENGEN_FAULT_DIR");
    kind = getenv("TENGEN_FAULT_KIND");
    report = getenv("TENGEN_FAULT_LOG");
    at = atol(getenv("TENGEN_FAULT_AT"));
    unsetenv("LD_PRELOAD");
}

static int in_folder(const char *path) {
    return folder && strncmp(path, folder, strlen(folder)) == 0;
}

static int fd_in_folder(int fd) {
    char name[64], path[4096];
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    ssize_t len = syscall(SYS_readlink, name, path, sizeof path - 1);
    if (len <= 0) return 0;
    path[len] = 0;
    return in_folder(path);
}

static void tell(long number, const char *what) {
    char line[128];
    int len = snprintf(line, sizeof line, "%ld %s\n", number, what);
    int fd = syscall(SYS_openat, AT_FDCWD, report, O_WRONLY | O_CREAT | O_APPEND, 0644);
    syscall(SYS_write, fd, line, len);
    syscall(SYS_close, fd);
}

/* The error with which this operation fails, or 0. */
static int fault(const char *what) {
    long number = atomic_fetch_add(&count, 1) + 1;
    int on = strcmp(kind, "dead") == 0 || strcmp(kind, "full") == 0;
    if (number < at || (number > at && !on)) return 0;
    if (number == at) tell(number, what);
    return strcmp(kind, "full") == 0 ? ENOSPC : EIO;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAIL_IF(in, what)                            \
    do {                                             \
        int error = (in) ? fault(what) : 0;          \
        if (error && strcmp(kind, "kill") == 0)      \
            kill(getpid(), SIGKILL);                 \
        if (error) return errno = error, -1;         \
    } while (0)

/* A write that is cut short by the kill has been half done. */
#define WRITE_OR_FAIL(fd, what, half)                \
    do {                                             \
        int error = fd_in_folder(fd) ? fault(what) : 0; \
        if (error && strcmp(kind, "kill") == 0) {    \
            half;                                    \
            kill(getpid(), SIGKILL);                 \
        }                                            \
        if (error) return errno = error, -1;         \
    } while (0)

ssize_t write(int fd, const void *from, size_t len) {
    WRITE_OR_FAIL(fd, "write", syscall(SYS_write, fd, from, len / 2));
    return REAL(write)(fd, from, len);
}

ssize_t pwrite(int fd, const void *from, size_t len, off_t to) {
    WRITE_OR_FAIL(fd, "pwrite", syscall(SYS_pwrite64, fd, from, len / 2, to));
    return REAL(pwrite)(fd, from, len, to);
}

ssize_t pwrite64(int fd, const void *from, size_t len, off64_t to) {
    WRITE_OR_FAIL(fd, "pwrite", syscall(SYS_pwrite64, fd, from, len / 2, to));
    return REAL(pwrite64)(fd, from, len, to);
}

int fsync(int fd) {
    FAIL_IF(fd_in_folder(fd), "fsync");
    return REAL(fsync)(fd);
}

int fdatasync(int fd) {
    FAIL_IF(fd_in_folder(fd), "fdatasync");
    return REAL(fdatasync)(fd);
}

int ftruncate(int fd, off_t len) {
    FAIL_IF(fd_in_folder(fd), "ftruncate");
    return REAL(ftruncate)(fd, len);
}

int ftruncate64(int fd, off64_t len) {
    FAIL_IF(fd_in_folder(fd), "ftruncate");
    return REAL(ftruncate64)(fd, len);
}

int rename(const char *from, const char *to) {
    FAIL_IF(in_folder(to), "rename");
    return REAL(rename)(from, to);
}

int unlink(const char *path) {
    FAIL_IF(in_folder(path), "unlink");
    return REAL(unlink)(path);
}

int mkdir(const char *path, mode_t mode) {
    FAIL_IF(in_folder(path), "mkdir");
    return REAL(mkdir)(path, mode);
}

ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t len, unsigned flags) {
    FAIL_IF(fd_in_folder(out), "copy_file_range");
    return REAL(copy_file_range)(in, from, out, to, len, flags);
}

#define OPEN(name)                                                   \
    int name(const char *path, int flags, ...) {                     \
        mode_t mode = 0;                                             \
        if (flags & O_CREAT) {                                       \
            va_list more;                                            \
            va_start(more, flags);                                   \
            mode = va_arg(more, mode_t);                             \
            va_end(more);                                            \
        }                                                            \
        FAIL_IF((flags & (O_WRONLY | O_RDWR)) && in_folder(path), "open"); \
        return REAL(name)(path, flags, mode);                        \
    }

OPEN(open)
OPEN(open64)
