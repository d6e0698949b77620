/* Trips found by going through iterations, kept for a binding: what a loop's end depends on is a
 * few indices, and many points that are asked about share those. */
#include "bound_internal.h"

#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 4096, MOST_LOOPS = 4, MOST_NESTING = 16 };

/* What the trips of a loop depend on beside the launch. */
struct dependences {
    const struct fw_kernel *kernel;
    uint32_t loop;
    unsigned depth;
    bool found, refused;
    bool axis[6];            /* block x, y, z and thread x, y, z */
    uint32_t of[MOST_LOOPS]; /* loops by whose iteration they differ */
    uint32_t count;
};

struct kept_trips {
    uint64_t binding; /* 0: nothing is kept here */
    uint32_t loop;
    uint32_t index[6];
    int64_t iteration[MOST_LOOPS];
    int64_t trips;
    uint64_t steps; /* taken; where they were spent, as many as there were */
    bool filled, known, spent;
};

struct trips_memo {
    uint64_t binding;
    struct kept_trips at[ENTRIES];
    struct dependences loops[];
};

static bool note_atom(void *user, fw_atom atom, const struct fw_atom_node *node);

static void note_iteration(struct dependences *d, uint32_t loop)
{
    for (uint32_t i = 0; i < d->count; i++)
        if (d->of[i] == loop)
            return;
    if (d->count == MOST_LOOPS)
        d->refused = true;
    else
        d->of[d->count++] = loop;
}

static void note_loop(struct dependences *d, uint32_t loop)
{
    const struct fw_loop *info = &d->kernel->loops[loop];
    d->refused |= ++d->depth > MOST_NESTING;
    if (!d->refused && info->trips != FW_NO_EXPRESSION)
        fw_expression_any(&d->kernel->pool, info->trips, note_atom, d);
    else if (!d->refused)
        fw_condition_any(&d->kernel->pool, info->stays, note_atom, d);
    d->depth--;
}

/* Notes what an atom's value differs by.  True ends the search. */
static bool note_atom(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    struct dependences *d = user;
    (void)atom;
    if (node->kind == FW_ATOM_LAUNCH && node->a <= FW_THREAD_Z)
        d->axis[node->a] = true;
    else if (node->kind == FW_ATOM_LAUNCH && (node->a == FW_LANE || node->a == FW_WARP))
        d->axis[FW_THREAD_X] = d->axis[FW_THREAD_Y] = d->axis[FW_THREAD_Z] = true;
    else if (node->kind == FW_ATOM_ITERATION && node->a != d->loop)
        note_iteration(d, node->a);
    else if (node->kind == FW_ATOM_TRIPS)
        note_loop(d, node->a);
    return d->refused;
}

/* The memo of a binding; NULL: there is none. */
static struct trips_memo *memo_of(struct fw_bound *bound)
{
    if (!bound->trips)
        bound->trips = calloc(1, sizeof(struct trips_memo) +
                                     bound->kernel->loop_count * sizeof(struct dependences));
    return bound->trips;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

struct kept_trips *trips_memo_find(struct fw_bound *bound, uint32_t loop,
                                   const struct fw_point *point, bool *same)
{
    struct trips_memo *memo = bound->supposing || bound->symbolic ? NULL : memo_of(bound);
    *same = false;
    if (!memo)
        return NULL;
    struct dependences *d = &memo->loops[loop];
    if (!d->found) {
        d->kernel = bound->kernel;
        d->loop = loop;
        note_loop(d, loop);
        d->found = true;
    }
    if (d->refused)
        return NULL;
    struct kept_trips name = {.binding = memo->binding + 1, .loop = loop};
    uint64_t hash = mix(memo->binding, loop);
    for (uint32_t a = 0; a < 6; a++) {
        uint32_t index = a < 3 ? point->block[a] : point->thread[a - 3];
        name.index[a] = d->axis[a] ? index : 0;
        hash = mix(hash, name.index[a]);
    }
    for (uint32_t i = 0; i < d->count; i++) {
        name.iteration[i] = point->iterations[d->of[i]];
        hash = mix(hash, (uint64_t)name.iteration[i]);
    }
    struct kept_trips *kept = &memo->at[hash % ENTRIES];
    *same = kept->filled && kept->binding == name.binding && kept->loop == loop &&
            memcmp(kept->index, name.index, sizeof(name.index)) == 0 &&
            memcmp(kept->iteration, name.iteration, sizeof(name.iteration)) == 0;
    if (!*same)
        *kept = name;
    return kept;
}

bool trips_memo_take(struct fw_bound *bound, const struct kept_trips *kept, int64_t *trips,
                     bool *known)
{
    if (kept->spent && bound->step_limit > kept->steps)
        return false;
    *known = kept->known && bound->step_limit >= kept->steps;
    *trips = kept->trips;
    bound->step_limit -= bound->step_limit < kept->steps ? bound->step_limit : kept->steps;
    return true;
}

void trips_memo_keep(const struct fw_bound *bound, struct kept_trips *kept, uint64_t limit,
                     int64_t trips, bool known)
{
    kept->trips = trips;
    kept->known = known;
    kept->filled = true;
    kept->spent = !known && bound->step_limit == 0;
    kept->steps = limit - bound->step_limit;
}

void trips_memo_forget(struct fw_bound *bound)
{
    if (bound->trips)
        bound->trips->binding++;
}
