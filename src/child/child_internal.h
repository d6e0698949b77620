/* What the files of src/child share: one file a kind of confinement. */
#ifndef FW_CHILD_INTERNAL_H
#define FW_CHILD_INTERNAL_H

#include "confinement.h"

/* Whether the kernel has it.  The second one forks to try it. */
bool landlock_is_there(void);
bool namespace_is_there(void);
bool system_call_filter_is_there(void);

/* A ruleset of the grants; -1, and errno. */
int landlock_open(const struct fw_grants *grants);
bool landlock_enter(int ruleset);

/* The steps that make the file system of the grants. */
bool namespace_open(struct fw_cell *cell, struct fw_arena *arena, const struct fw_grants *grants);
bool namespace_enter(const struct fw_cell *cell);

#endif
