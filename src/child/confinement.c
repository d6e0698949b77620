/* Which kind of confinement there is, and each one's way in. */
#define _GNU_SOURCE /* secure_getenv's kin */
#include "child_internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const names[] = {"landlock", "namespace", "none"};

const char *fw_confinement_name(enum fw_confinement kind)
{
    return names[kind];
}

static bool is_there(enum fw_confinement kind)
{
    if (kind == FW_CONFINEMENT_NONE)
        return true;
    if (!system_call_filter_is_there())
        return false;
    return kind == FW_CONFINEMENT_LANDLOCK ? landlock_is_there() : namespace_is_there();
}

static enum fw_confinement strongest;

static void find_strongest(void)
{
    while (!is_there(strongest))
        strongest++;
}

enum fw_status fw_confinement_find(enum fw_confinement *kind)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const char *named = getenv("FOREWARP_CONFINEMENT");
    pthread_once(&once, find_strongest);
    *kind = strongest;
    if (!named || !*named)
        return FW_OK;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(named, names[i]) != 0)
            continue;
        *kind = (enum fw_confinement)i;
        return is_there(*kind) ? FW_OK : FW_ERROR_MACHINE;
    }
    return FW_ERROR_USAGE;
}

enum fw_status fw_cell_open(struct fw_cell *cell, struct fw_arena *arena, enum fw_confinement kind,
                            const struct fw_grants *grants)
{
    *cell = (struct fw_cell){.kind = kind, .ruleset = -1};
    if (kind == FW_CONFINEMENT_LANDLOCK)
        cell->ruleset = landlock_open(grants);
    bool good = kind == FW_CONFINEMENT_LANDLOCK    ? cell->ruleset >= 0
                : kind == FW_CONFINEMENT_NAMESPACE ? namespace_open(cell, arena, grants)
                                                   : true;
    return good ? FW_OK : FW_ERROR_MACHINE;
}

void fw_cell_close(struct fw_cell *cell)
{
    if (cell->ruleset >= 0)
        close(cell->ruleset);
    cell->ruleset = -1;
}

bool fw_cell_enter(const struct fw_cell *cell)
{
    switch (cell->kind) {
    case FW_CONFINEMENT_LANDLOCK:
        return landlock_enter(cell->ruleset);
    case FW_CONFINEMENT_NAMESPACE:
        return namespace_enter(cell);
    case FW_CONFINEMENT_NONE:
        break;
    }
    return true;
}
