/* Status codes: what a function returns when it can fail.
 *
 * Every fallible function returns enum fw_status, FW_OK (0) or a negative code; its results come
 * out through its first parameter.  What exactly went wrong is told as a diagnostic (diagnostic.h)
 * to the context's sink, not through the code.  The codes map onto the program's exit status. */
#ifndef FW_STATUS_H
#define FW_STATUS_H

/* include/forewarp.h defines the same; whichever comes first stands. */
#ifndef FW_STATUS_DEFINED
#define FW_STATUS_DEFINED
enum fw_status {
    FW_OK = 0,
    FW_ERROR_INPUT = -1,    /* the input is at fault: exit status 1 */
    FW_ERROR_USAGE = -2,    /* the caller or command line is at fault: exit status 2 */
    FW_ERROR_MACHINE = -3,  /* the machine or device is at fault (no compiler, disk full): 3 */
    FW_ERROR_MEMORY = -4,   /* out of memory or past an arena's limit: exit status 3 */
    FW_ERROR_OVERFLOW = -5, /* a number left the range that the callee can represent */
    FW_ERROR_BUDGET = -6    /* a stated amount of work was not enough; the answer is not known */
};
#endif

/* Ownership of pointers that cross modules, written on signatures.
 * FW_GIVE: the caller receives ownership; FW_TAKE: the callee takes it; FW_KEEP: nobody's changes.
 */
#define FW_GIVE
#define FW_TAKE
#define FW_KEEP

#endif
