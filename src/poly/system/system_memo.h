/* Counts of systems that were counted before: domains of a kernel ask for the same again, as those
 * before and behind a loop do, and so does the next launch.
 *
 * A system is compared as a whole, so that what is kept is what counting gives.  What it took is
 * kept, too: whoever takes it spends as many steps, and answers do not depend on what was asked
 * before. */
#ifndef FW_SYSTEM_MEMO_H
#define FW_SYSTEM_MEMO_H

#include "system.h"

struct system_memo;
FW_GIVE struct system_memo *fw_system_memo_new(void);
void fw_system_memo_free(FW_TAKE struct system_memo *memo);

struct kept_count {
    enum fw_status status; /* of counting */
    uint64_t points;
    uint64_t steps; /* that it took */
};

/* The count of a system's first `kept` variables; NULL: it is not kept.  Valid until another is. */
const struct kept_count *fw_system_memo_find(struct system_memo *memo,
                                             const struct fw_system *system, uint32_t kept);

/* Keeps the count of the system that was asked for last, in the place of another. */
void fw_system_memo_keep(struct system_memo *memo, struct kept_count count);

#endif
