/* Runs a program as on a machine that filters no system calls: it is told so when it asks. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define UNLESS(value, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip)
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, value)

int main(int count, char **arguments) {
    (void)count;
    struct sock_filter code[] = {
        LOAD(nr),
        UNLESS(SYS_seccomp, 1),
        ANSWER(SECCOMP_RET_ERRNO | ENOSYS),
        UNLESS(SYS_prctl, 3),
        LOAD(args[0]),
        UNLESS(PR_SET_SECCOMP, 1),
        ANSWER(SECCOMP_RET_ERRNO | EINVAL),
        ANSWER(SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 3;
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) return 4;
    execv(HOST, arguments);
    return 5;
}
