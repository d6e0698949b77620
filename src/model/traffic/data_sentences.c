/* What the traffic model takes of addresses that data decide, as sentences that name the arrays. */
#include "data_sentences.h"

enum said {
    SAID_OPEN,
    SAID_RANDOM,
    SAID_NEAR,
    SAID_SORTED,
    SAID_TABLE,
    SAID_USUAL,
    SAID_MOVED,
    SAID_ROWS,
    SAID_COUNT
};

/* Each sentence, before and after the arrays' names. */
static const struct sentence {
    const char *before, *after;
} sentences[SAID_COUNT] = {
    [SAID_OPEN] = {"Nothing tells where the accesses to ",
                   " lie: their sectors count at L1 and L2, not in device memory "
                   "(-s ARRAY.spread=BYTES states the working set of random accesses)."},
    [SAID_RANDOM] = {"An index array chooses elements of ",
                     ": taken as drawn at random, from one for each thread or row (-s "
                     "ARRAY.kind=neighbours or sorted, -s ARRAY.spread=BYTES state it)."},
    [SAID_NEAR] = {"An index array chooses elements of ",
                   ": taken as neighbours of each thread's own, as stated."},
    [SAID_SORTED] = {"An index array chooses elements of ",
                     ": taken as ascending by one, as stated."},
    [SAID_TABLE] = {"Data choose elements of ",
                    " from a range that types, masks or remainders bound: taken as drawn evenly "
                    "from it."},
    [SAID_USUAL] = {"Floating-point numbers that are scaled to places in ",
                    " are taken to lie from 0 to 1."},
    [SAID_MOVED] = {"Data decide where rows of ",
                    " begin: each is taken to begin anywhere within a line, apart from the "
                    "others."},
    [SAID_ROWS] = {"Rows of ",
                   " begin where an array says: they are taken to adjoin and to be of one "
                   "length."},
};

enum { MOST_NAMES = 4 };

/* Names of arrays in one sentence. */
struct names {
    const char *text;
    uint32_t count, arrays[MOST_NAMES];
};

static void add_name(struct names *names, struct fw_arena *arena, const struct fw_kernel *kernel,
                     uint32_t array)
{
    const char *name = array == FW_NONE ? "an unknown array" : kernel->arrays[array].name;
    for (uint32_t i = 0; i < names->count; i++)
        if (names->arrays[i] == array)
            return;
    if (names->count == MOST_NAMES)
        return;
    names->arrays[names->count++] = array;
    names->text = names->text ? fw_arena_printf(arena, "%s, %s", names->text, name) : name;
    if (names->count == MOST_NAMES)
        names->text = fw_arena_printf(arena, "%s and others", names->text);
}

/* The sentences that hold for an access, as bits. */
static uint32_t said_of(const struct fw_access *access, const struct fw_data_access *taken,
                        bool stated)
{
    static const enum said by_kind[] = {[FW_INDEX_USUAL] = SAID_RANDOM,
                                        [FW_INDEX_RANDOM] = SAID_RANDOM,
                                        [FW_INDEX_NEIGHBOURS] = SAID_NEAR,
                                        [FW_INDEX_SORTED] = SAID_SORTED};
    uint32_t said = 0;
    if (stated)
        return 0;
    if (taken->model == FW_DATA_OPEN || access->array == FW_NONE)
        return 1 << SAID_OPEN;
    if (taken->by_index)
        said |= 1u << by_kind[taken->kind];
    else if (taken->model == FW_DATA_DRAWN)
        said |= 1 << SAID_TABLE;
    else if (!taken->rows)
        said |= 1 << SAID_MOVED;
    if (taken->rows)
        said |= 1 << SAID_ROWS;
    if (taken->usual_range)
        said |= 1 << SAID_USUAL;
    return said;
}

uint32_t fw_data_sentences(const char **out, struct fw_arena *arena, const struct fw_kernel *kernel,
                           struct fw_bound *bound, const struct fw_launch *launch,
                           struct fw_data_addresses *data)
{
    struct names names[SAID_COUNT] = {{NULL, 0, {0}}};
    uint32_t count = 0;
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        const struct fw_access *access = &kernel->accesses[a];
        bool here = access->space == FW_SPACE_GLOBAL || access->space == FW_SPACE_GENERIC;
        if (!here || !access->data_dependent || access->bulk ||
            !(fw_bound_count(bound, access->domain)->estimate > 0))
            continue;
        uint32_t parameter =
            access->array == FW_NONE ? FW_NONE : kernel->arrays[access->array].parameter;
        bool stated = parameter != FW_NONE && launch->spreads && launch->spreads[parameter] > 0;
        uint32_t said = said_of(access, fw_data_access(data, a), stated);
        for (uint32_t s = 0; s < SAID_COUNT; s++)
            if (said >> s & 1)
                add_name(&names[s], arena, kernel, access->array);
    }
    for (uint32_t s = 0; s < SAID_COUNT; s++)
        if (names[s].text)
            out[count++] = fw_arena_printf(arena, "%s%s%s", sentences[s].before, names[s].text,
                                           sentences[s].after);
    return count;
}
