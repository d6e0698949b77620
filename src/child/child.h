/* Children: running another program under limits, confined.
 *
 * Takes a program's path, its arguments and environment, a folder to stand in, files for its
 * output, limits on time, memory, processes and file size, and what it may do with files
 * (confinement.h). Gives how it ended.  No shell is involved, standard input is empty, no other
 * descriptor of ours is handed down, and when the program ends or its time is up its whole process
 * group is killed, which the filter of system calls lets no process of it leave. */
#ifndef FW_CHILD_H
#define FW_CHILD_H

#include "arena.h"
#include "confinement.h"
#include "status.h"

#include <stdint.h>

struct fw_child {
    const char *program;            /* a path, not searched for */
    const char *const *arguments;   /* ends with NULL; the first is the program's own name */
    const char *const *environment; /* "NAME=VALUE", ends with NULL */
    const char *folder;             /* the child's working folder */
    int output;                     /* an open descriptor for standard output */
    int errors;                     /* and one for standard error */
    unsigned seconds;               /* wall-clock limit; also of processor time, a process */
    uint64_t memory;                /* bytes of address space a process */
    uint64_t file_size;             /* bytes of any file that it writes */
    const struct fw_cell *cell;     /* NULL: it may read and write what we may */
};

enum fw_child_end {
    FW_CHILD_EXITED,     /* `code` is its exit status */
    FW_CHILD_SIGNALLED,  /* `code` is the signal */
    FW_CHILD_OVERTIME,   /* it was killed when its time was up */
    FW_CHILD_NOT_STARTED /* `code` is errno */
};

struct fw_child_result {
    enum fw_child_end end;
    int code;
};

/* Runs a child to its end.  FW_ERROR_MACHINE when it could not be started; also (ECHILD) in a
 * program that ignores SIGCHLD, which the kernel does not tell how its children end. */
enum fw_status fw_child_run(struct fw_child_result *result, const struct fw_child *child);

/* A new folder of our own under $TMPDIR or /tmp, readable by nobody else; NULL when there can be
 * none.  The path belongs to the arena. */
const char *fw_scratch_new(struct fw_arena *arena);

/* Removes such a folder and all in it.  NULL is allowed. */
void fw_scratch_remove(const char *folder);

#endif
