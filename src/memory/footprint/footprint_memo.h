/* The memo of footprints: counts that have been computed already.
 *
 * The search for what a cache holds asks for the same windows many times over.  Takes the windows
 * of a count; gives the entry that holds its result.  The memo has a fixed number of entries, and a
 * new result replaces the one at the same hash.  It compares windows, not hashes, and so never
 * confuses two counts.  Internal to this room. */
#ifndef FW_FOOTPRINT_MEMO_H
#define FW_FOOTPRINT_MEMO_H

#include "footprint.h"

enum { FOOTPRINT_MEMO_ENTRIES = 64, FOOTPRINT_MEMO_WINDOWS = 4 };

struct footprint_memo {
    struct fw_window windows[FOOTPRINT_MEMO_WINDOWS];
    uint32_t count; /* number of windows; 0: an empty entry */
    uint32_t array;
    double result;
};

/* Whether an entry holds the result of this count.  `entry`: that one, or the one that the caller
 * fills in; NULL: too many windows for an entry. */
bool footprint_memo_find(struct footprint_memo **entry, struct footprint_memo *entries,
                         const struct fw_window *windows, uint32_t count, uint32_t array);

#endif
