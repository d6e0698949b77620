/* Confinement: what the operating system forbids a child process.
 *
 * Takes the paths that a child may read, run and write.  Gives a cell: what a new process does
 * between fork and exec, after which the kernel refuses it every other file, the network, other
 * processes and a process group of its own.  There are three kinds, the strongest first:
 *
 * Landlock (Linux 5.13; landlock(7)): rules on files, by folder.
 * A mount namespace: the process sees a file system of these paths alone.
 * None: neither is to be had; the files are the caller's to guard.
 *
 * The filter of system calls (seccomp(2)) stands in all three where the kernel has it; the first
 * two are not had without it.  Never weakens what a process is held to already. */
#ifndef FW_CONFINEMENT_H
#define FW_CONFINEMENT_H

#include "arena.h"
#include "status.h"

#include <stdbool.h>
#include <stddef.h>

enum fw_confinement { FW_CONFINEMENT_LANDLOCK, FW_CONFINEMENT_NAMESPACE, FW_CONFINEMENT_NONE };

/* "landlock", "namespace", "none". */
const char *fw_confinement_name(enum fw_confinement kind);

/* The strongest kind that this machine has; asked once a process.  $FOREWARP_CONFINEMENT names a
 * weaker one, for tests.  FW_ERROR_USAGE when it names none of the three; FW_ERROR_MACHINE when it
 * names one that this machine does not have. */
enum fw_status fw_confinement_find(enum fw_confinement *kind);

/* What a child may do with files.  A path is a file, or a folder with all that is below it; one
 * that is not there is passed over. */
struct fw_grants {
    const char *const *programs; /* read and run */
    size_t program_count;
    const char *const *files; /* read; real paths */
    size_t file_count;
    const char *scratch; /* read and write; a real path */
};

/* A cell, ready before the fork: after it there are system calls alone. */
struct fw_cell {
    enum fw_confinement kind;
    int ruleset;                   /* Landlock's; -1: none */
    const char *root;              /* mount namespace: the empty folder that becomes "/" */
    const struct cell_step *steps; /* mount namespace: what is made in it, in order */
    size_t step_count;
    const char *user_map, *group_map; /* mount namespace: this user, as itself */
};

/* Makes a cell of `kind`.  Paths live in the arena; the cell is closed by fw_cell_close.
 * FW_ERROR_MACHINE, and errno: the kernel refuses. */
enum fw_status fw_cell_open(struct fw_cell *cell, struct fw_arena *arena, enum fw_confinement kind,
                            const struct fw_grants *grants);
void fw_cell_close(struct fw_cell *cell);

/* Confines the calling process for good, but for its system calls.  System calls only: it is called
 * between fork and exec.  False, and errno, when the kernel refuses: the process must not go on. */
bool fw_cell_enter(const struct fw_cell *cell);

/* The filter of system calls, the last thing before exec; true where the kernel or the processor
 * has none. */
bool fw_filter_system_calls(void);

#endif
