/* See measure_child.h. */
#include "measure_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* How long a killed child may take to go: one stuck inside a driver is left behind. */
static const double patience_seconds = 5;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* The child after the fork.  `in`: where it is asked, its standard input; -1: nowhere. */
static void become(char *const *arguments, int in, int out, pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(3);
    signal(SIGPIPE, SIG_DFL);
    if (in >= 0)
        dup2(in, 0);
    dup2(2, 1); /* what a driver prints is no answer */
    if (out != FW_CHILD_DESCRIPTOR)
        dup2(out, FW_CHILD_DESCRIPTOR);
    else
        fcntl(out, F_SETFD, 0);
    execv("/proc/self/exe", arguments);
    _exit(3);
}

/* Reads until the other end closes or, with `line`, ends a line; false when time is up. */
static bool collect(int in, double until, bool line, struct fw_growing *answer)
{
    char piece[4096];
    for (;;) {
        double left = until - now();
        struct pollfd wait = {.fd = in, .events = POLLIN};
        if (left <= 0)
            return false;
        if (poll(&wait, 1, (int)(left < 1000 ? left * 1000 + 1 : 1000000)) <= 0)
            continue;
        ssize_t got = read(in, piece, sizeof piece);
        if (got == 0 || (got < 0 && errno != EINTR))
            return true;
        if (got > 0)
            fw_growing_bytes(answer, piece, (size_t)got);
        if (got > 0 && line && piece[got - 1] == '\n')
            return true;
    }
}

/* Whether the child went before `until`. */
static bool gone(pid_t child, double until, int *status)
{
    struct timespec nap = {.tv_nsec = 2000000};
    for (;;) {
        pid_t which = waitpid(child, status, WNOHANG);
        if (which == child || (which < 0 && errno != EINTR))
            return true;
        if (now() >= until)
            return false;
        nanosleep(&nap, NULL);
    }
}

static enum fw_child_end judge(int status, const struct fw_growing *answer,
                               struct fw_reason *reason)
{
    if (WIFSIGNALED(status))
        fw_reason_set(reason, "the process was ended by signal %d (%s)", WTERMSIG(status),
                      strsignal(WTERMSIG(status)));
    else if (answer->length < 3 || answer->text[0] != '{' ||
             answer->text[answer->length - 1] != '\n')
        fw_reason_set(reason, "the process ended with status %d and no record",
                      WEXITSTATUS(status));
    else
        return FW_CHILD_ANSWERED;
    return FW_CHILD_FAILED;
}

static bool open_pipe(int ends[2], struct fw_reason *reason)
{
    if (pipe(ends) != 0)
        return fw_reason_set(reason, "no pipe: %s", strerror(errno));
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return true;
}

/* Ends a child whose time is up. */
static enum fw_child_end give_up(pid_t child, double limit_seconds, struct fw_reason *reason)
{
    int status;
    kill(-child, SIGKILL);
    kill(child, SIGKILL);
    bool left = gone(child, now() + patience_seconds, &status);
    fw_reason_set(reason, "the time limit of %g s passed%s", limit_seconds,
                  left ? "" : "; the process hangs in the driver and was left behind");
    return FW_CHILD_FAILED;
}

enum fw_child_end fw_child_run(char *const *arguments, double limit_seconds,
                               struct fw_growing *answer, struct fw_reason *reason)
{
    int ends[2], status = 0;
    double until = now() + limit_seconds;
    if (!open_pipe(ends, reason))
        return FW_CHILD_FAILED;
    pid_t parent = getpid(), child = fork();
    if (child == 0)
        become(arguments, -1, ends[1], parent);
    close(ends[1]);
    if (child < 0) {
        fw_reason_set(reason, "no process: %s", strerror(errno));
        close(ends[0]);
        return FW_CHILD_FAILED;
    }
    bool in_time = collect(ends[0], until, false, answer) && gone(child, until, &status);
    close(ends[0]);
    if (in_time) {
        if (answer->length)
            kill(-child, SIGKILL); /* compilers that the driver started and forgot */
        return judge(status, answer, reason);
    }
    return give_up(child, limit_seconds, reason);
}

bool fw_child_start(struct fw_child *child, char *const *arguments, struct fw_reason *reason)
{
    int answers[2], questions[2];
    pid_t parent = getpid();
    if (!open_pipe(answers, reason))
        return false;
    if (!open_pipe(questions, reason)) {
        close(answers[0]);
        close(answers[1]);
        return false;
    }
    child->process = fork();
    if (child->process == 0)
        become(arguments, questions[0], answers[1], parent);
    close(answers[1]);
    close(questions[0]);
    child->in = answers[0];
    child->out = questions[1];
    if (child->process > 0)
        return true;
    child->process = 0;
    close(child->in);
    close(child->out);
    return fw_reason_set(reason, "no process: %s", strerror(errno));
}

enum fw_child_end fw_child_ask(struct fw_child *child, const char *line, double limit_seconds,
                               struct fw_growing *answer, struct fw_reason *reason)
{
    int status = 0;
    double until = now() + limit_seconds;
    struct fw_growing question = {0};
    fw_growing_add(&question, "%s\n", line);
    ssize_t sent = write(child->out, question.text, question.length);
    bool asked = sent == (ssize_t)question.length;
    free(question.text);
    bool in_time = !asked || collect(child->in, until, true, answer);
    if (asked && in_time && answer->length && answer->text[answer->length - 1] == '\n')
        return FW_CHILD_ANSWERED;
    pid_t process = child->process;
    child->process = 0;
    close(child->in);
    close(child->out);
    if (!in_time || !gone(process, until, &status))
        return give_up(process, limit_seconds, reason);
    return judge(status, answer, reason);
}

void fw_child_stop(struct fw_child *child)
{
    int status;
    if (!child->process)
        return;
    close(child->out); /* nothing more is asked: it goes */
    gone(child->process, now() + patience_seconds, &status);
    kill(-child->process, SIGKILL);
    gone(child->process, now() + patience_seconds, &status);
    close(child->in);
    child->process = 0;
}
