/* Side work: what another thread finds while this one goes on.
 *
 * For one question that waits for its answer on a machine that has processors to spare; rankings
 * and servers have a thread for each question instead.  Takes two pieces of work that do not ask
 * each other: neither may write what the other reads.  The answer is the same bits on one thread
 * and on two.  Errors are as on one: memory of the side work is no more than what its starter's
 * arena has left, the processor time that it takes is the question's (deadline.h), and the starter
 * waits for it in any case, also when its own arenas unwind meanwhile. */
#ifndef FW_SIDE_WORK_H
#define FW_SIDE_WORK_H

#include "arena.h"

#include <stdbool.h>

struct fw_side_work {
    /* On the other thread, or behind `here` where there is none; memory is the arena's. */
    enum fw_status (*there)(void *user, struct fw_arena *arena);
    void (*here)(void *user); /* on this one */
    void *user;               /* of both */
    /* That `here` works in and that may unwind; points to unwind to are set in them.  The second
     * may be NULL. */
    struct fw_arena *arena, *other;
};

/* Whether the machine has more than one processor: else work is better done in its order. */
bool fw_side_work_helps(void);

/* Does both; `memory` is the arena of `there`, to be freed (NULL where there is none).  Gives what
 * `there` gives, FW_ERROR_MEMORY where its arena was exhausted, and FW_ERROR_BUDGET where the
 * question's time was over; the question is then over for this thread as well. */
enum fw_status fw_side_work(FW_GIVE struct fw_arena **memory, const struct fw_side_work *work);

#endif
