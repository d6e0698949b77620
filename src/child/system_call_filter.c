/* The filter of system calls (seccomp(2)): no network, no other process, no group of its own.
 *
 * A child that cannot leave its process group ends with it. */
#define _GNU_SOURCE /* syscall's kin */
#include "child_internal.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define THIS_PROCESSOR AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_PROCESSOR AUDIT_ARCH_AARCH64
#endif

#ifdef THIS_PROCESSOR

#define LOAD(field)                                                                                \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, field))
#define REFUSE       BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
#define FORBID(name) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)SYS_##name, 0, 1), REFUSE

/* x86-64's calls of another calling convention (x32) have numbers from here on. */
enum { OTHER_CONVENTION = 0x40000000 };

static struct sock_filter filter[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_PROCESSOR, 1, 0),
    REFUSE,
    LOAD(nr),
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, OTHER_CONVENTION, 0, 1),
    REFUSE,
    /* the network, and sockets of this machine */
    FORBID(socket),
    FORBID(socketpair),
    FORBID(connect),
    /* away from the group that is ended */
    FORBID(setsid),
    FORBID(setpgid),
    /* other processes */
    FORBID(ptrace),
    FORBID(process_vm_readv),
    FORBID(process_vm_writev),
    FORBID(pidfd_getfd),
    FORBID(kcmp),
    /* other views of the file system */
    FORBID(mount),
    FORBID(umount2),
    FORBID(pivot_root),
    FORBID(chroot),
    FORBID(unshare),
    FORBID(setns),
    FORBID(open_by_handle_at),
    FORBID(open_tree),
    FORBID(move_mount),
    FORBID(fsopen),
    FORBID(fsmount),
    FORBID(mount_setattr),
    FORBID(mknodat),
    /* what compilers have no use for and exploits do */
    FORBID(bpf),
    FORBID(perf_event_open),
    FORBID(userfaultfd),
    FORBID(io_uring_setup),
    FORBID(keyctl),
    FORBID(add_key),
    FORBID(request_key),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

bool system_call_filter_is_there(void)
{
    uint32_t action = SECCOMP_RET_ERRNO;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0u, &action) == 0;
}

bool fw_filter_system_calls(void)
{
    struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0 || errno == EINVAL;
}

#else

bool system_call_filter_is_there(void)
{
    return false;
}

bool fw_filter_system_calls(void)
{
    return true;
}

#endif
