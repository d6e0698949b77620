#define _GNU_SOURCE /* pipe2, nftw, prctl's PR_SET_PDEATHSIG */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    FIRST_NAP = 500 * 1000,
    LONGEST_NAP = 8 * 1000 * 1000,
    CLOSED_AT_LEAST = 4096,
    MORE_PROCESSES = 256
};

/* A macro: the type of a resource is an enum in one libc and an int in the other. */
#define LIMIT(resource, most)                                                                      \
    do {                                                                                           \
        struct rlimit limits = {(most), (most)}, before;                                           \
        if (getrlimit(resource, &before) == 0 && before.rlim_max != RLIM_INFINITY &&               \
            before.rlim_max < limits.rlim_max)                                                     \
            limits.rlim_cur = limits.rlim_max = before.rlim_max;                                   \
        setrlimit(resource, &limits);                                                              \
    } while (0)

static void close_others(void)
{
#ifdef SYS_close_range
    if (syscall(SYS_close_range, 4u, ~0u, 0u) == 0)
        return;
#endif
    for (int descriptor = 4; descriptor < CLOSED_AT_LEAST; descriptor++)
        close(descriptor);
}

/* The most processes and threads that a user may have while a child runs: what the machine has now,
 * and MORE_PROCESSES.  The kernel counts a user's, not a child's.  0: not known. */
static rlim_t most_processes(void)
{
    char line[128] = "";
    unsigned long all = 0;
    int file = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    ssize_t got = read(file, line, sizeof(line) - 1);
    close(file);
    const char *slash = got > 0 ? strchr(line, '/') : NULL;
    if (slash)
        all = strtoul(slash + 1, NULL, 10);
    return all ? (rlim_t)(all + MORE_PROCESSES) : 0;
}

/* Runs between fork and exec, perhaps in a program with threads: system calls only. */
static _Noreturn void become(const struct fw_child *child, rlim_t processes, int told)
{
    int nothing = open("/dev/null", O_RDONLY);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL); /* what is ignored stays so through exec */
    setpgid(0, 0);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    LIMIT(RLIMIT_CORE, 0);
    LIMIT(RLIMIT_CPU, child->seconds + 1);
    LIMIT(RLIMIT_AS, child->memory);
    LIMIT(RLIMIT_FSIZE, child->file_size);
    if (processes)
        LIMIT(RLIMIT_NPROC, processes);
    /* The descriptors may be among 0 to 3: lift them out of the way first. */
    int output = fcntl(child->output, F_DUPFD, 10), errors = fcntl(child->errors, F_DUPFD, 10);
    int report = fcntl(told, F_DUPFD, 10);
    if (nothing >= 0 && output >= 0 && errors >= 0 && report >= 0 &&
        (!child->cell || fw_cell_enter(child->cell)) && dup2(nothing, 0) == 0 &&
        dup2(output, 1) == 1 && dup2(errors, 2) == 2 && dup2(report, 3) == 3 &&
        prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && chdir(child->folder) == 0 &&
        fw_filter_system_calls()) {
        fcntl(3, F_SETFD, FD_CLOEXEC);
        close_others();
        union {
            const char *const *given;
            char *const *taken;
        } arguments = {child->arguments}, environment = {child->environment};
        execve(child->program, arguments.taken, environment.taken);
        report = 3;
    }
    int code = errno;
    ssize_t written = write(report, &code, sizeof(code));
    (void)written;
    _exit(127);
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Sleeps until the child ends, or its time is up; false where the kernel cannot tell of its end. */
static bool sleep_until_end(pid_t pid, int64_t deadline)
{
#ifdef SYS_pidfd_open
    int descriptor = (int)syscall(SYS_pidfd_open, pid, 0u);
    if (descriptor < 0)
        return false;
    struct pollfd end = {.fd = descriptor, .events = POLLIN};
    int64_t left = deadline - now();
    int got = 0;
    while (left > 0 && (got = poll(&end, 1, (int)(left / 1000000 % INT_MAX + 1))) < 0 &&
           errno == EINTR)
        left = deadline - now();
    close(descriptor);
    return got >= 0;
#else
    (void)pid;
    (void)deadline;
    return false;
#endif
}

/* Waits for the child without reaping it, so that its process group's number stays its own; false
 * when its time is up. */
static bool wait_until(pid_t pid, int64_t deadline)
{
    long nap = FIRST_NAP;
    sleep_until_end(pid, deadline); /* else by naps */
    for (;;) {
        siginfo_t info = {0};
        int got = waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT);
        if ((got == 0 && info.si_pid == pid) || (got < 0 && errno != EINTR))
            return true;
        if (now() >= deadline)
            return false;
        nanosleep(&(struct timespec){0, nap}, NULL);
        nap = nap * 2 < LONGEST_NAP ? nap * 2 : LONGEST_NAP;
    }
}

static void reap(struct fw_child_result *result, pid_t pid, bool in_time)
{
    int status = 0;
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (!in_time)
        result->end = FW_CHILD_OVERTIME;
    else if (WIFSIGNALED(status))
        *result = (struct fw_child_result){FW_CHILD_SIGNALLED, WTERMSIG(status)};
    else
        *result = (struct fw_child_result){FW_CHILD_EXITED, WEXITSTATUS(status)};
}

/* Whether the kernel tells this program nothing of its children's ends. */
static bool are_ends_lost(void)
{
    struct sigaction action;
    return sigaction(SIGCHLD, NULL, &action) == 0 &&
           (action.sa_handler == SIG_IGN || (action.sa_flags & SA_NOCLDWAIT));
}

enum fw_status fw_child_run(struct fw_child_result *result, const struct fw_child *child)
{
    int told[2], code;
    *result = (struct fw_child_result){FW_CHILD_NOT_STARTED, ECHILD};
    if (are_ends_lost())
        return FW_ERROR_MACHINE;
    if (pipe2(told, O_CLOEXEC) < 0) {
        result->code = errno;
        return FW_ERROR_MACHINE;
    }
    int64_t deadline = now() + (int64_t)child->seconds * 1000000000;
    rlim_t processes = most_processes();
    pid_t pid = fork();
    if (pid == 0)
        become(child, processes, told[1]);
    result->code = errno;
    close(told[1]);
    if (pid < 0) {
        close(told[0]);
        return FW_ERROR_MACHINE;
    }
    setpgid(pid, pid);
    /* Nothing comes through and the pipe closes when exec succeeded. */
    ssize_t length;
    while ((length = read(told[0], &code, sizeof(code))) < 0 && errno == EINTR) {
    }
    close(told[0]);
    if (length == (ssize_t)sizeof(code)) {
        reap(result, pid, true);
        *result = (struct fw_child_result){FW_CHILD_NOT_STARTED, code};
        return FW_ERROR_MACHINE;
    }
    reap(result, pid, wait_until(pid, deadline));
    return FW_OK;
}

const char *fw_scratch_new(struct fw_arena *arena)
{
    const char *parent = getenv("TMPDIR");
    char *folder =
        fw_arena_printf(arena, "%s/forewarp-XXXXXX", parent && parent[0] == '/' ? parent : "/tmp");
    return mkdtemp(folder);
}

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *where)
{
    (void)about;
    (void)type;
    (void)where;
    remove(path);
    return 0;
}

void fw_scratch_remove(const char *folder)
{
    if (folder)
        nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
