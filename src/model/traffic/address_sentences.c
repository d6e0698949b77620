/* What the traffic model takes of addresses that are not known exactly, as sentences that name the
 * arrays. */
#include "address_sentences.h"

#include <math.h>
#include <string.h>

enum said {
    SAID_OPEN,
    SAID_RANDOM,
    SAID_NEAR,
    SAID_SORTED,
    SAID_TABLE,
    SAID_LIST,
    SAID_SEARCH,
    SAID_WALK,
    SAID_COLUMNS,
    SAID_USUAL,
    SAID_MOVED,
    SAID_DISPLACED,
    SAID_CURSOR,
    SAID_LABELLED,
    SAID_ROWS,
    SAID_RANKED,
    SAID_TASKS,
    SAID_ROUND,
    SAID_WITHIN,
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
    [SAID_LIST] = {"Each load of a list in ",
                   " names the next: each is taken to come to a place of its own, in a sector of "
                   "its own (-s ARRAY.spread=BYTES states the working set)."},
    [SAID_SEARCH] = {"A search by halves looks up places of ",
                     ": each of its steps is at twice as many places as the one before, each of "
                     "which is as probable."},
    [SAID_WALK] = {"A walk down a binary tree comes to places of ",
                   ": each of its steps is at twice as many places as the one before, each of "
                   "which is as probable."},
    [SAID_COLUMNS] = {"Data decide columns of rows of ",
                      ": each is taken to lie within the row that its address begins with."},
    [SAID_USUAL] = {"Floating-point numbers that are scaled to places in ",
                    " are taken to lie from 0 to 1."},
    [SAID_MOVED] = {"Data decide where rows of ",
                    " begin: each is taken to begin anywhere within a line, apart from the "
                    "others."},
    [SAID_DISPLACED] = {"Data move places in ",
                        " from each thread's own: taken to lie anywhere within the elements that "
                        "types and constants bound, else within 4 to either side along each axis "
                        "(-s ARRAY.displacement=ELEMENTS; ARRAY.spread=BYTES: anywhere)."},
    [SAID_CURSOR] = {"Loops move on in ",
                     " when data say so: taken to be where they come to in the mean, threads that "
                     "share sectors within 4 steps to either side, or 2 where they refill what "
                     "they use up (-s ARRAY.displacement=STEPS; "
                     "ARRAY.spread=BYTES: anywhere)."},
    [SAID_LABELLED] = {"Data choose for several blocks together which matrices of ",
                       " they load: taken as drawn at random from as many as are chosen (-s "
                       "ARRAY.spread=BYTES states the bytes of all)."},
    [SAID_ROWS] = {"Rows of ",
                   " begin where an array says: they are taken to adjoin and to be of one "
                   "length."},
    [SAID_ROUND] = {"An index array that a remainder or a mask goes round chooses elements of ",
                    ": taken as drawn at random, from as many as it has (-s "
                    "ARRAY.kind=neighbours or sorted, -s ARRAY.spread=BYTES state it)."},
    [SAID_WITHIN] = {"Data choose places in ",
                     ", whose size is stated and not enough for places of their own: taken as "
                     "drawn evenly from all of it."},
    [SAID_RANKED] = {"A vote gives lanes elements of ",
                     " one after the other: what warps and blocks have is taken to adjoin."},
    [SAID_TASKS] =
        {"Tasks are taken from a counter in ",
         ": the counter is taken to begin at 0, and blocks, warps or threads to come to it "
         "in turn."},
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
    const char *name =
        array == FW_NONE ? "an unknown array" : fw_text_variable(arena, kernel->arrays[array].name);
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
                        bool stated, double size)
{
    static const enum said by_kind[] = {[FW_INDEX_USUAL] = SAID_RANDOM,
                                        [FW_INDEX_RANDOM] = SAID_RANDOM,
                                        [FW_INDEX_NEIGHBOURS] = SAID_NEAR,
                                        [FW_INDEX_SORTED] = SAID_SORTED};
    uint32_t said = 0;
    if (stated)
        return 0;
    if (taken->within > 0 || (taken->model == FW_DATA_OPEN && size > 0))
        return 1 << SAID_WITHIN;
    if (taken->model == FW_DATA_OPEN || access->array == FW_NONE)
        return 1 << SAID_OPEN;
    if (taken->list)
        said |= 1 << SAID_LIST;
    else if (taken->levels > 0)
        said |= 1 << SAID_SEARCH;
    else if (taken->walk.count > 0)
        said |= 1 << SAID_WALK;
    else if (taken->columns.row > 0)
        said |= 1 << SAID_COLUMNS;
    else if (taken->by_index)
        said |= 1u << (taken->round && by_kind[taken->kind] == SAID_RANDOM ? SAID_ROUND
                                                                           : by_kind[taken->kind]);
    else if (taken->model == FW_DATA_DRAWN)
        said |= 1 << SAID_TABLE;
    else if (taken->ranked)
        said |= 1 << SAID_RANKED;
    else if (taken->labelled)
        said |= size > 0 ? 0 : 1 << SAID_LABELLED;
    else if (taken->displaced)
        said |= 1 << (taken->cursor ? SAID_CURSOR : SAID_DISPLACED);
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
        if (!here || !(access->data_dependent || access->in_turn) || access->bulk ||
            !(fw_bound_count(bound, access->domain)->estimate > 0))
            continue;
        if (access->in_turn)
            add_name(&names[SAID_TASKS], arena, kernel, access->array);
        if (!access->data_dependent)
            continue;
        uint32_t parameter =
            access->array == FW_NONE ? FW_NONE : kernel->arrays[access->array].parameter;
        bool stated = parameter != FW_NONE && launch->spreads && launch->spreads[parameter] > 0;
        double size = parameter != FW_NONE && launch->sizes ? launch->sizes[parameter] : 0;
        uint32_t said = said_of(access, fw_data_access(data, a), stated, size);
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

/* ---- shares of the slowest resource ---- */

/* What one kind of addresses requests and moves, random accesses among those that data decide. */
struct part {
    double wavefronts, sectors, beyond_l1, device_memory, tlb_misses;
};

/* The share of what affine accesses request that falls to one kind of addresses. */
static double affine_share(const struct fw_requests *requests, enum fw_address_known known,
                           double sector)
{
    double all = 0;
    for (int k = 0; k < FW_ADDRESS_KNOWN_COUNT; k++)
        all += sector * requests->parts[k].sectors - requests->parts[k].non_affine_bytes;
    const struct fw_request_part *part = &requests->parts[known];
    return all > 0 ? (sector * part->sectors - part->non_affine_bytes) / all : 0;
}

static double percent(double amount, double all)
{
    double share = all > 0 ? 100 * amount / all : 0;
    return share < 10 ? fmin(100, fmax(0, share)) : fmin(100, floor(share + 0.5));
}

static struct part part_of(const struct fw_traffic *traffic,
                           const struct fw_random_accesses *random, enum fw_address_known known)
{
    const struct fw_volumes *volumes = &traffic->volumes;
    const struct fw_request_part *asked = &traffic->requests.parts[known];
    double share = affine_share(&traffic->requests, known, traffic->sector);
    double drawn = random->dram_read + random->dram_write;
    double moved = volumes->dram_read.bytes + volumes->dram_write.bytes - drawn;
    struct part part = {.wavefronts = asked->wavefronts, .sectors = asked->sectors};
    part.beyond_l1 =
        asked->non_affine_bytes + share * (volumes->l2_to_l1.bytes + volumes->l1_to_l2);
    part.device_memory = share * moved;
    part.tlb_misses = share * (traffic->tlb_misses - random->tlb_misses);
    if (known == FW_ADDRESS_OF_DATA) {
        part.wavefronts += random->wavefronts;
        part.sectors += random->load_sectors + random->store_sectors;
        part.beyond_l1 += random->l2_to_l1 + random->l1_to_l2;
        part.device_memory += drawn;
        part.tlb_misses += random->tlb_misses;
    }
    return part;
}

/* How much of the slowest resource depends on a kind of addresses; of one that serves no memory,
 * how much of the requests.  The wavefronts of linearized addresses are exact. */
static const char *share_text(struct fw_arena *arena, const struct fw_traffic *traffic,
                              const struct part *part, bool wavefronts)
{
    const struct fw_volumes *volumes = &traffic->volumes;
    const struct {
        const char *resource, *what;
        double amount, all;
    } served[] = {{"l1", "wavefronts", wavefronts ? part->wavefronts : 0, traffic->lsu_wavefronts},
                  {"l2", "bytes", part->beyond_l1, traffic->l2_to_l1 + traffic->l1_to_l2},
                  {"dram", "bytes", part->device_memory,
                   volumes->dram_read.bytes + volumes->dram_write.bytes},
                  {"tlb", "misses", part->tlb_misses, traffic->tlb_misses}};
    const char *slowest = traffic->term_count ? traffic->terms[0].name : "none";
    for (size_t r = 0; r < sizeof(served) / sizeof(served[0]); r++)
        if (strcmp(slowest, served[r].resource) == 0)
            return fw_arena_printf(arena, "about %.3g %% of the %s of %s, the slowest resource",
                                   percent(served[r].amount, served[r].all), served[r].what,
                                   slowest);
    double sectors = traffic->requests.load_sectors + traffic->requests.store_sectors;
    /* What arithmetic, issue and dispatch take, no address changes. */
    static const char *const by_address[] = {"latency", "atomics", "constant", "texture"};
    bool depends = false;
    for (size_t r = 0; r < sizeof(by_address) / sizeof(by_address[0]); r++)
        depends |= strcmp(slowest, by_address[r]) == 0;
    return fw_arena_printf(arena,
                           "about %.3g %% of the requested sectors; the slowest is %s, which %s",
                           percent(part->sectors, sectors), slowest,
                           depends ? "depends on where they lie" : "does not depend on them");
}

/* The arrays whose addresses are linearized. */
static const char *linearized_arrays(struct fw_arena *arena, const struct fw_kernel *kernel,
                                     const struct fw_kernel_accesses *accesses)
{
    struct names names = {NULL, 0, {0}};
    for (uint32_t a = 0; a < kernel->access_count; a++)
        if (accesses->by_access[a].linearized && !kernel->accesses[a].data_dependent)
            add_name(&names, arena, kernel, kernel->accesses[a].array);
    return names.text;
}

uint32_t fw_address_shares(const char **out, struct fw_arena *arena, const struct fw_kernel *kernel,
                           const struct fw_traffic *traffic,
                           const struct fw_kernel_accesses *accesses,
                           const struct fw_random_accesses *random)
{
    uint32_t count = 0;
    const char *lines = linearized_arrays(arena, kernel, accesses);
    for (int k = FW_ADDRESS_EXACT + 1; k < FW_ADDRESS_KNOWN_COUNT; k++) {
        struct part part = part_of(traffic, random, (enum fw_address_known)k);
        if (!(part.wavefronts > 0))
            continue;
        const char *share = share_text(arena, traffic, &part, k != FW_ADDRESS_LINEARIZED);
        if (k == FW_ADDRESS_OF_DATA)
            out[count++] = fw_arena_printf(arena, "Addresses that data decide: %s.", share);
        else if (k == FW_ADDRESS_LINEARIZED && lines)
            out[count++] = fw_arena_printf(
                arena,
                "Addresses of %s are not affine in indices: volumes take lines about the middle of "
                "the launch for them (%s).",
                lines, share);
        else if (k == FW_ADDRESS_UNKNOWN && accesses->not_affine)
            out[count++] =
                fw_arena_printf(arena,
                                "Addresses that are not known (%u of the accesses): their sectors "
                                "count at L1 and L2, not in device memory (%s).",
                                accesses->not_affine, share);
    }
    return count;
}
