/* Runs HOST as on a machine whose kernel does not give certain layers of the sandbox: those that
 * its own name lists, each after a colon, as in `host:seccomp:landlock`. What asks the kernel for
 * one of them is told that there is none; the mounts of control groups are gone. A layer that
 * cannot be taken away here is there as ever. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define JUMP(test, value, yes, no) BPF_JUMP(BPF_JMP | (test) | BPF_K, value, yes, no)
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, value)
#define LANDLOCK_VERSION 1

static struct sock_filter code[64];
static unsigned short length;

static void add(struct sock_filter instruction) {
    code[length++] = instruction;
}

/* A call is not there. */
static void deny(int call) {
    add((struct sock_filter)LOAD(nr));
    add((struct sock_filter)JUMP(BPF_JEQ, call, 0, 1));
    add((struct sock_filter)ANSWER(SECCOMP_RET_ERRNO | ENOSYS));
}

/* A call fails where an argument has these bits. */
static void deny_flag(int call, unsigned flag) {
    add((struct sock_filter)LOAD(nr));
    add((struct sock_filter)JUMP(BPF_JEQ, call, 0, 3));
    add((struct sock_filter)LOAD(args[0]));
    add((struct sock_filter)JUMP(BPF_JSET, flag, 0, 1));
    add((struct sock_filter)ANSWER(SECCOMP_RET_ERRNO | EPERM));
}

/* A call fails where an argument has this value. */
static void deny_value(int call, int argument, unsigned value) {
    add((struct sock_filter)LOAD(nr));
    add((struct sock_filter)JUMP(BPF_JEQ, call, 0, 3));
    add((struct sock_filter)LOAD(args[argument]));
    add((struct sock_filter)JUMP(BPF_JEQ, value, 0, 1));
    add((struct sock_filter)ANSWER(SECCOMP_RET_ERRNO | EINVAL));
}

/* A limit may be asked for and not be set. */
static void deny_limit(unsigned resource) {
    add((struct sock_filter)LOAD(nr));
    add((struct sock_filter)JUMP(BPF_JEQ, SYS_prlimit64, 0, 5));
    add((struct sock_filter)LOAD(args[1]));
    add((struct sock_filter)JUMP(BPF_JEQ, resource, 0, 3));
    add((struct sock_filter)LOAD(args[2]));
    add((struct sock_filter)JUMP(BPF_JEQ, 0, 1, 0));
    add((struct sock_filter)ANSWER(SECCOMP_RET_ERRNO | EPERM));
}

/* Answers for the kernel which version of Landlock it has, until no process is left to ask. */
static void be_old(int listener, int version) {
    struct pollfd asked = {.fd = listener, .events = POLLIN};
    while (poll(&asked, 1, -1) > 0 && !(asked.revents & POLLHUP)) {
        struct seccomp_notif call = {0};
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0) continue;
        struct seccomp_notif_resp answer = {.id = call.id};
        if (call.data.args[2] == LANDLOCK_VERSION) answer.val = version;
        else answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
        ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
    }
    _exit(0);
}

static void pass(int socket, int *listener, int is_sender) {
    union { char room[CMSG_SPACE(sizeof(int))]; struct cmsghdr header; } control = {{0}};
    char byte = 0;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room,
                             .msg_controllen = sizeof control.room};
    if (!is_sender) {
        if (recvmsg(socket, &message, 0) != 1 || CMSG_FIRSTHDR(&message) == NULL) _exit(1);
        memcpy(listener, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(int));
        return;
    }
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(&control.header), listener, sizeof(int));
    if (sendmsg(socket, &message, 0) != 1) _exit(6);
}

/* Landlock is there, in an older version. */
static int make_old(int version) {
    int pair[2], listener;
    struct sock_filter old[] = {LOAD(nr), JUMP(BPF_JEQ, SYS_landlock_create_ruleset, 0, 1),
                                ANSWER(SECCOMP_RET_USER_NOTIF), ANSWER(SECCOMP_RET_ALLOW)};
    struct sock_fprog program = {sizeof old / sizeof *old, old};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return 7;
    if (fork() == 0) {
        pass(pair[1], &listener, 0);
        dup2(listener, 0);
        syscall(SYS_close_range, 1, ~0U, 0);
        be_old(0, version);
    }
    listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                            SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
    if (listener < 0) return 8;
    pass(pair[0], &listener, 1);
    close(pair[0]);
    close(pair[1]);
    close(listener);
    return 0;
}

/* Unmounts the trees of control groups that have a controller, and those of version 2. */
static void unmount(const char *controller) {
    char line[4096], paths[64][256];
    int count = 0;
    FILE *mounts = fopen("/proc/self/mountinfo", "r");
    while (mounts != NULL && count < 64 && fgets(line, sizeof line, mounts) != NULL) {
        char *kind = strstr(line, " - cgroup");
        if (kind == NULL || sscanf(line, "%*s %*s %*s %*s %255s", paths[count]) != 1) continue;
        char *options = strrchr(kind, ' ');
        options[strcspn(options, "\n")] = 0;
        int is_new = strncmp(kind, " - cgroup2", 10) == 0;
        char *place = NULL, *one = strtok_r(options, " ,", &place);
        for (; one != NULL && !is_new; one = strtok_r(NULL, ",", &place)) {
            is_new = strcmp(one, controller) == 0;
        }
        count += is_new;
    }
    if (mounts != NULL) fclose(mounts);
    while (count-- > 0) umount2(paths[count], MNT_DETACH);
}

static int take(const char *layer) {
    static const struct { const char *layer; unsigned flag; } spaces[] = {
        {"user_ns", CLONE_NEWUSER}, {"net_ns", CLONE_NEWNET}, {"ipc_ns", CLONE_NEWIPC},
        {"uts_ns", CLONE_NEWUTS}, {"cgroup_ns", CLONE_NEWCGROUP}, {"mount_ns", CLONE_NEWNS},
        {"pid_ns", CLONE_NEWPID}};
    static const struct { const char *layer; unsigned resource; } limits[] = {
        {"memory", RLIMIT_DATA}, {"file_size", RLIMIT_FSIZE}, {"no_files", RLIMIT_FSIZE},
        {"open_files", RLIMIT_NOFILE}, {"cpu_time", RLIMIT_CPU}, {"no_core", RLIMIT_CORE}};
    static const struct { const char *layer, *controller; } groups[] = {
        {"cgroup_memory", "memory"}, {"cgroup_pids", "pids"}, {"cgroup_cpu", "cpuacct"}};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        if (strcmp(layer, spaces[i].layer) == 0) return deny_flag(SYS_unshare, spaces[i].flag), 0;
    }
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        if (strcmp(layer, limits[i].layer) == 0) return deny_limit(limits[i].resource), 0;
    }
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        if (strcmp(layer, groups[i].layer) != 0) continue;
        /* Only for this program, and only for one that may. */
        if (unshare(CLONE_NEWNS) == 0 && mount("", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0) {
            unmount(groups[i].controller);
        }
        return 0;
    }
    if (strcmp(layer, "seccomp") == 0) {
        deny(SYS_seccomp);
        return deny_value(SYS_prctl, 0, PR_SET_SECCOMP), 0;
    }
    if (strcmp(layer, "no_new_privs") == 0) return deny_value(SYS_prctl, 0, PR_SET_NO_NEW_PRIVS), 0;
    if (strcmp(layer, "no_capabilities") == 0) return deny(SYS_capset), 0;
    if (strcmp(layer, "own_user") == 0) return deny(SYS_setresuid), 0;
    if (strcmp(layer, "landlock") == 0) return deny(SYS_landlock_create_ruleset), 0;
    if (strcmp(layer, "landlock_signals") == 0) return make_old(5);
    if (strcmp(layer, "landlock_tcp") == 0) return make_old(3);
    fprintf(stderr, "%s: no such layer\n", layer);
    return 9;
}

int main(int count, char **arguments) {
    (void)count;
    char name[4096];
    ssize_t size = readlink("/proc/self/exe", name, sizeof name - 1);
    if (size < 0) return 3;
    name[size] = 0;
    /* A process of root need not give up what is to be gained. */
    if (geteuid() != 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 3;
    char *layers = strrchr(name, '/');
    strtok(layers, ":");
    for (char *layer = strtok(NULL, ":"); layer != NULL; layer = strtok(NULL, ":")) {
        int code = take(layer);
        if (code != 0) return code;
    }
    add((struct sock_filter)ANSWER(SECCOMP_RET_ALLOW));
    struct sock_fprog program = {length, code};
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) return 4;
    execv(HOST, arguments);
    return 5;
}
