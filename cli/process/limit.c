/* The timer behind --limit.  The library ends its work by itself when the time is over; code that
 * does not look at the clock (a library of others in one long step, a pipe that nobody writes to)
 * is ended from here.  A compiler is killed by its own limit, which is not longer, or with us. */
#include "command.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { GRACE_SECONDS = 1, INPUT_AT_FAULT = 1 };

static char sentence[128];
static size_t sentence_length;

/* Calls async-signal-safe functions alone. */
static void ring(int number)
{
    (void)number;
    ssize_t ignored = write(STDERR_FILENO, sentence, sentence_length);
    (void)ignored;
    _exit(INPUT_AT_FAULT);
}

static void set_timer(double seconds)
{
    struct itimerval timer = {.it_value.tv_sec = (time_t)seconds};
    timer.it_value.tv_usec = (suseconds_t)((seconds - (double)timer.it_value.tv_sec) * 1e6);
    setitimer(ITIMER_REAL, &timer, NULL);
}

void limit_begin(double seconds)
{
    struct sigaction action = {.sa_handler = ring};
    int length = snprintf(sentence, sizeof(sentence),
                          "forewarp: error: the command took longer than the limit of %g s "
                          "[API090]\n",
                          seconds);
    sentence_length = length > 0 ? (size_t)length : 0;
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    set_timer(seconds + GRACE_SECONDS);
}

void limit_end(void)
{
    set_timer(0);
}
