/* Counted: footprints' counts that are asked for again.
 *
 * Takes the windows of a count and gives the place of its result; models ask for the same windows
 * many times over (what a cache remembers is sought at several sizes, from the same guesses).
 * Holds a fixed number of results: a new one takes the place of an old one that its windows fall
 * together with.  Never mistakes one count for another: windows are compared, not their hashes. */
#ifndef FW_FOOTPRINT_MEMO_H
#define FW_FOOTPRINT_MEMO_H

#include "footprint.h"

enum { FOOTPRINT_MEMO_ENTRIES = 64, FOOTPRINT_MEMO_WINDOWS = 4 };

struct footprint_memo {
    struct fw_window windows[FOOTPRINT_MEMO_WINDOWS];
    uint32_t count; /* of the windows; 0: nothing is here */
    uint32_t array;
    double result;
};

/* Whether the result of this count is in one of FOOTPRINT_MEMO_ENTRIES places; `place`: where it is
 * or belongs, the caller's to fill in; NULL: more windows than a place holds. */
bool footprint_memo_find(struct footprint_memo **place, struct footprint_memo *places,
                         const struct fw_window *windows, uint32_t count, uint32_t array);

#endif
