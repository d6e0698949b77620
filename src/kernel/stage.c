#include "stage.h"

#include "nested.h"

#include <string.h>

/* Stages between two barriers or ends of loops: of exits, and of loads whose address is made of
 * what others give. */
enum { STAGES_OF_EXITS = 1 << 12, MOST_DEPTH = 16 };

/* No domain: loads are waited for in a basic block that an instruction has ended. */
static const uint32_t ended_block = FW_NONE - 1;

/* By domain: exits of its loop before it in an iteration. */
static const uint32_t *exits_before(struct fw_arena *arena, const struct fw_kernel *kernel)
{
    uint32_t *exits = FW_ARRAY(arena, uint32_t, kernel->domain_count + 1);
    for (uint32_t d = 0; d < kernel->domain_count; d++) { /* what a domain is made of comes first */
        const struct fw_domain *at = &kernel->domains[d];
        if (at->kind == FW_DOMAIN_RESTRICT)
            exits[d] = exits[at->parent] + kernel->branches[at->branch].leaves_loop;
        for (uint32_t m = 0; at->kind == FW_DOMAIN_UNION && m < at->member_count; m++)
            if (kernel->domains[at->members[m]].innermost == at->innermost &&
                exits[at->members[m]] > exits[d])
                exits[d] = exits[at->members[m]];
    }
    return exits;
}

static bool is_inside(const struct fw_kernel *kernel, uint32_t loop, uint32_t outer)
{
    while (loop != FW_NONE && loop != outer)
        loop = kernel->loops[loop].parent;
    return loop == outer;
}

/* By domain, the one that stands for its basic block: instructions of short branches are predicated
 * and belong to what is around them. */
static const uint32_t *basic_blocks(struct fw_arena *arena, const struct fw_kernel *kernel)
{
    const uint8_t *nested = fw_find_nested(arena, kernel);
    uint32_t *block = FW_ARRAY(arena, uint32_t, kernel->domain_count + 1);
    for (uint32_t d = 0; d < kernel->domain_count; d++) {
        const struct fw_domain *at = &kernel->domains[d];
        block[d] = d;
        if (at->kind == FW_DOMAIN_RESTRICT && nested[d] <= FW_SHORT_BODY)
            block[d] = block[at->parent];
        if (at->kind != FW_DOMAIN_UNION || at->member_count == 0)
            continue;
        bool same = true;
        for (uint32_t m = 1; m < at->member_count; m++)
            same &= block[at->members[m]] == block[at->members[0]];
        block[d] = same ? block[at->members[0]] : d;
    }
    return block;
}

static bool is_load(const struct fw_kernel *kernel, const struct fw_scheduled *one)
{
    const struct fw_access *access =
        one->access_count && one->access != FW_NONE ? &kernel->accesses[one->access] : NULL;
    return access && access->direction == FW_LOAD && access->space != FW_SPACE_SHARED &&
           access->space != FW_SPACE_CONST && !access->asynchronous;
}

static bool is_meeting(const struct fw_machine_operation *operation)
{
    return strcmp(operation->name, "BSSY") == 0 || strcmp(operation->name, "BSYNC") == 0;
}

bool fw_has_own_branch(const struct fw_scheduled *one)
{
    uint32_t end = one->machine_count;
    bool own = false, reciprocal = false;
    while (end > 0 && is_meeting(&one->machine[end - 1])) /* where ways of other branches meet */
        end--;
    for (uint32_t m = 0; m < end; m++) {
        own |= is_meeting(&one->machine[m]);
        reciprocal |= strncmp(one->machine[m].name, "MUFU", strlen("MUFU")) == 0;
    }
    return own && reciprocal;
}

bool fw_corrects_quotient(const struct fw_scheduled *one)
{
    return (strcmp(one->operation, "div") == 0 || strcmp(one->operation, "rem") == 0) &&
           fw_type_class(one->type) != 'f';
}

/* What has been found so far of loads that nobody has waited for. */
struct flight {
    const struct fw_kernel *kernel;
    const uint32_t *block;
    uint32_t *loaded; /* by instruction: 1 + the stage of the load whose result it gives; 0: none */
    uint32_t used_in; /* the basic block in which a load of this stage is waited for; ended_block;
                         FW_NONE: nobody waits */
};

/* Whether an instruction is a load behind a branch, before which those of the stage are waited for:
 * warps issue in order. */
static bool begins_stage(struct flight *flight, uint32_t i, uint32_t stage)
{
    const struct fw_scheduled *one = &flight->kernel->schedule[i];
    uint32_t needs = 0, here = flight->block[one->domain];
    for (uint32_t w = 0; w < one->wait_count; w++)
        if (one->waits_for[w] < i && flight->loaded[one->waits_for[w]] > needs)
            needs = flight->loaded[one->waits_for[w]];
    bool load = is_load(flight->kernel, one);
    bool copies = one->operation && strcmp(one->operation, "mov") == 0;
    bool begins = load && flight->used_in != FW_NONE && flight->used_in != here;
    if (begins)
        flight->used_in = FW_NONE;
    if (!copies && needs == stage + 1 && !begins)
        flight->used_in = here;
    if (flight->used_in != FW_NONE && fw_has_own_branch(one))
        flight->used_in = ended_block;
    if (load)
        flight->loaded[i] = stage + begins + 1;
    else if (copies)
        flight->loaded[i] = needs;
    return begins;
}

/* How many loads follow each other up to a load, each address made of what the one before gives,
 * since the last end: 0 for those that are made of none.  `depths`, by instruction, and `since`,
 * the ends before it: of what comes before. */
static uint32_t depth_of(const struct fw_kernel *kernel, uint32_t i, uint32_t *depths,
                         uint32_t *since, uint32_t ends)
{
    const struct fw_scheduled *one = &kernel->schedule[i];
    uint32_t depth = 0;
    for (uint32_t w = 0; w < one->wait_count; w++) {
        uint32_t from = one->waits_for[w];
        if (from < i && since[from] == ends && depths[from] > depth)
            depth = depths[from];
    }
    depth = depth < MOST_DEPTH ? depth : MOST_DEPTH - 1;
    since[i] = ends;
    depths[i] = depth + is_load(kernel, one);
    return depth;
}

const uint32_t *fw_stages_find(struct fw_arena *arena, const struct fw_kernel *kernel)
{
    const uint32_t *exits = exits_before(arena, kernel);
    uint32_t *stages = FW_ARRAY(arena, uint32_t, kernel->access_count + 1), ends = 0;
    struct flight flight = {.kernel = kernel,
                            .block = basic_blocks(arena, kernel),
                            .loaded = FW_ARRAY(arena, uint32_t, kernel->schedule_count + 1),
                            .used_in = FW_NONE};
    uint32_t *depths = FW_ARRAY(arena, uint32_t, kernel->schedule_count + 1);
    uint32_t *since = FW_ARRAY(arena, uint32_t, kernel->schedule_count + 1);
    uint32_t loop = FW_NONE;
    for (uint32_t a = 0; a < kernel->access_count; a++)
        stages[a] = exits[kernel->accesses[a].domain];
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *one = &kernel->schedule[i];
        uint32_t here = kernel->domains[one->domain].innermost;
        ends += one->is_barrier || (loop != FW_NONE && !is_inside(kernel, here, loop));
        loop = here;
        ends += begins_stage(&flight, i, ends);
        uint32_t stage = ends * MOST_DEPTH + depth_of(kernel, i, depths, since, ends);
        for (uint32_t k = 0; one->access != FW_NONE && k < one->access_count; k++)
            stages[one->access + k] += stage * STAGES_OF_EXITS;
    }
    return stages;
}

/* The access of an instruction that a thread waits for, from shared memory too, or gives to global
 * memory; NULL: none. */
static const struct fw_access *access_of(const struct fw_kernel *kernel, uint32_t i)
{
    const struct fw_scheduled *one = &kernel->schedule[i];
    const struct fw_access *access =
        one->access_count && one->access != FW_NONE ? &kernel->accesses[one->access] : NULL;
    return access && !access->asynchronous ? access : NULL;
}

static bool is_waited_for(const struct fw_access *access)
{
    return access && access->direction == FW_LOAD && access->space != FW_SPACE_CONST &&
           access->space != FW_SPACE_PARAM;
}

static bool is_global_store(const struct fw_access *access)
{
    return access && access->direction == FW_STORE &&
           (access->space == FW_SPACE_GLOBAL || access->space == FW_SPACE_GENERIC);
}

/* Whether a load stays behind a store that is listed before it: another basic block, or memory that
 * the store may write.  One register and two offsets are seen to differ. */
static bool stays_behind(const struct fw_kernel *kernel, const uint32_t *block, uint32_t store,
                         uint32_t load)
{
    const struct fw_access *stored = access_of(kernel, store), *loaded = access_of(kernel, load);
    if (block[kernel->schedule[store].domain] != block[kernel->schedule[load].domain])
        return true;
    bool read_only = loaded->cache && strstr(loaded->cache, "nc");
    return is_load(kernel, &kernel->schedule[load]) && !read_only && loaded->base != stored->base;
}

const uint32_t *fw_store_turns_find(struct fw_arena *arena, const struct fw_kernel *kernel)
{
    const uint32_t *block = basic_blocks(arena, kernel);
    uint32_t *turns = FW_ARRAY(arena, uint32_t, kernel->access_count + 1);
    uint32_t *loaded = FW_ARRAY(arena, uint32_t, kernel->schedule_count + 1); /* 1 + the last load
                                                                                 that gives it */
    uint32_t turn = 0, store = FW_NONE;
    bool barrier = false;
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *one = &kernel->schedule[i];
        const struct fw_access *access = access_of(kernel, i);
        for (uint32_t w = 0; w < one->wait_count; w++)
            if (one->waits_for[w] < i && loaded[one->waits_for[w]] > loaded[i])
                loaded[i] = loaded[one->waits_for[w]];
        barrier |= one->is_barrier;
        if (is_global_store(access)) {
            const uint32_t load = loaded[i] - 1; /* what the stored value was made of last */
            turn += store != FW_NONE && (barrier || (loaded[i] && load > store &&
                                                     stays_behind(kernel, block, store, load)));
            for (uint32_t k = 0; k < one->access_count; k++)
                turns[one->access + k] = turn;
            store = i;
            barrier = false;
        }
        if (is_waited_for(access))
            loaded[i] = i + 1;
    }
    return turns;
}
