/* One configuration, one process: the campaign runs itself anew for each, so that a kernel that
 * crashes, or a driver that hangs, costs that configuration alone. */
#ifndef FW_MEASURE_CHILD_H
#define FW_MEASURE_CHILD_H

#include "measure_text.h"

/* The descriptor on which a child gives its line. */
enum { FW_CHILD_DESCRIPTOR = 3 };

enum fw_child_end {
    FW_CHILD_ANSWERED, /* a complete line, in `answer` */
    FW_CHILD_FAILED    /* crashed, ran out of time or said nothing: the reason says which */
};

/* A child that measures several configurations, one after another, as it is asked to. */
struct fw_child {
    int process; /* 0: there is none */
    int in, out; /* its answers; where it is asked */
};

/* Starts this program with `arguments`, as below. */
bool fw_child_start(struct fw_child *child, char *const *arguments, struct fw_reason *reason);
/* Sends a line (without its newline; not empty) and waits for the line that answers it.  After a
 * failure there is no child any more. */
enum fw_child_end fw_child_ask(struct fw_child *child, const char *line, double limit_seconds,
                               struct fw_growing *answer, struct fw_reason *reason);
/* Ends the child, if there is one. */
void fw_child_stop(struct fw_child *child);

/* Runs this program with `arguments` (NULL-terminated, the first its name) in a process group of
 * its own, and ends the group when `limit_seconds` have passed.  The child dies with its parent. */
enum fw_child_end fw_child_run(char *const *arguments, double limit_seconds,
                               struct fw_growing *answer, struct fw_reason *reason);

#endif
