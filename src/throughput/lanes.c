#include "lanes.h"

#include "address_range.h"
#include "checked.h"
#include "quotient.h"

#include <string.h>

/* Whether an atom depends on a launch index; on `LANE` and `WARP` counts as on all thread indices.
 */
struct search {
    uint32_t index;
};

static bool is_index(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    const struct search *search = user;
    (void)atom;
    if (node->kind == FW_ATOM_UNKNOWN)
        return true;
    if (node->kind != FW_ATOM_LAUNCH)
        return node->kind == FW_ATOM_TRIPS;
    return node->a == search->index ||
           ((node->a == FW_LANE || node->a == FW_WARP) && search->index >= FW_THREAD_X &&
            search->index <= FW_THREAD_Z);
}

static bool depends(const struct fw_pool *pool, fw_atom atom, uint32_t index)
{
    struct search search = {index};
    const struct fw_atom_node *node = &pool->atoms.at[atom];
    if (node->kind <= FW_ATOM_UNKNOWN)
        return is_index(&search, atom, node);
    return fw_expression_any(pool, node->a, is_index, &search) ||
           (node->kind != FW_ATOM_POWER2 && fw_expression_any(pool, node->b, is_index, &search)) ||
           (node->kind == FW_ATOM_SELECT && fw_condition_any(pool, node->c, is_index, &search));
}

/* Whether the index stands alone, with factors that are the same everywhere in the launch. */
static bool is_strided(const struct fw_pool *pool, fw_expression a, uint32_t index, bool *mentioned)
{
    const struct fw_expression_node *node = &pool->expressions.at[a];
    *mentioned = false;
    for (uint32_t t = 0; t < node->term_count; t++) {
        const struct fw_term *term = &node->terms[t];
        bool here = false, varying = false;
        for (uint32_t f = 0; f < term->atom_count; f++) {
            const struct fw_atom_node *atom = &pool->atoms.at[term->atoms[f]];
            bool is_it = atom->kind == FW_ATOM_LAUNCH && atom->a == index;
            if (!is_it && depends(pool, term->atoms[f], index))
                return false;
            if (is_it && here)
                return false;
            here |= is_it;
            varying |= !is_it && atom->kind != FW_ATOM_PARAMETER &&
                       !(atom->kind == FW_ATOM_LAUNCH && atom->a >= FW_GRID_SIZE_X &&
                         atom->a <= FW_BLOCK_SIZE_Z);
        }
        if (here && varying)
            return false;
        *mentioned |= here;
    }
    return true;
}

enum { MOST_LOOPS = 64 };

static bool evaluate(struct fw_bound *bound, const struct fw_kernel *kernel, fw_expression a,
                     const uint32_t block[3], const uint32_t thread[3], int64_t *value)
{
    static const int64_t first[MOST_LOOPS];
    if (kernel->loop_count > MOST_LOOPS)
        return false;
    struct fw_point point = {
        {block[0], block[1], block[2]}, {thread[0], thread[1], thread[2]}, first};
    return fw_bound_evaluate(bound, a, &point, value) && fw_is_address(*value);
}

static void strides_of(struct fw_strides *strides, struct fw_bound *bound,
                       const struct fw_kernel *kernel, const struct fw_access *access,
                       uint32_t first)
{
    static const uint32_t zero[3];
    int64_t origin, next;
    memset(strides, 0, sizeof(*strides));
    if (access->data_dependent || !evaluate(bound, kernel, access->offset, zero, zero, &origin))
        return;
    for (uint32_t d = 0; d < 3; d++) {
        uint32_t at[3] = {d == 0, d == 1, d == 2};
        bool mentioned;
        if (!is_strided(&kernel->pool, access->offset, first + d, &mentioned))
            return;
        if (!mentioned)
            continue;
        if (!evaluate(bound, kernel, access->offset, first == FW_BLOCK_X ? at : zero,
                      first == FW_BLOCK_X ? zero : at, &next))
            return;
        strides->at[d] = next - origin;
    }
    strides->origin = origin;
    strides->known = true;
}

void fw_strides_of_threads(struct fw_strides *strides, struct fw_bound *bound,
                           const struct fw_kernel *kernel, const struct fw_access *access)
{
    strides_of(strides, bound, kernel, access, FW_THREAD_X);
}

void fw_strides_of_blocks(struct fw_strides *strides, struct fw_bound *bound,
                          const struct fw_kernel *kernel, const struct fw_access *access)
{
    strides_of(strides, bound, kernel, access, FW_BLOCK_X);
}

/* The offset of a thread of the first block.  False: it is beyond what an address can be. */
static bool offset_of(int64_t *offset, const struct fw_strides *strides, const uint32_t thread[3])
{
    *offset = strides->origin;
    for (uint32_t d = 0; d < 3; d++)
        if (fw_add_product_overflows(offset, strides->at[d], thread[d]))
            return false;
    return fw_is_address(*offset);
}

void fw_lanes_find(struct fw_lanes *lanes, struct fw_bound *bound, const struct fw_kernel *kernel,
                   const struct fw_access *access, const uint32_t block[3])
{
    static const uint32_t zero[3];
    struct fw_strides strides;
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    lanes->known = !access->data_dependent;
    lanes->count = threads < FW_WARP_THREADS ? (uint32_t)threads : FW_WARP_THREADS;
    if (!lanes->known)
        return;
    fw_strides_of_threads(&strides, bound, kernel, access);
    uint32_t at[3] = {0};
    for (uint32_t l = 0; l < lanes->count && lanes->known; l++) {
        lanes->known = strides.known
                           ? offset_of(&lanes->offsets[l], &strides, at)
                           : evaluate(bound, kernel, access->offset, zero, at, &lanes->offsets[l]);
        for (uint32_t d = 0; d < 3 && ++at[d] == block[d] && d < 2; d++)
            at[d] = 0;
    }
}

/* A small set of numbers, by open addressing; at most half full. */
enum { SET_SIZE = 1024, SET_MOST = SET_SIZE / 2 };

struct number_set {
    int64_t at[SET_SIZE];
    uint64_t used[SET_SIZE / 64];
    uint32_t count;
};

/* Adds a number; false when it is there already, or the set is full. */
static bool add_number(struct number_set *set, int64_t number)
{
    uint32_t place = (uint32_t)((uint64_t)number * 0x9e3779b97f4a7c15u >> 54);
    while (set->used[place / 64] >> place % 64 & 1) {
        if (set->at[place] == number)
            return false;
        place = (place + 1) % SET_SIZE;
    }
    if (set->count == SET_MOST)
        return false;
    set->used[place / 64] |= (uint64_t)1 << place % 64;
    set->at[place] = number;
    set->count++;
    return true;
}

static void clear_set(struct number_set *set)
{
    memset(set->used, 0, sizeof(set->used));
    set->count = 0;
}

uint32_t fw_lanes_sectors(const struct fw_lanes *lanes, uint32_t bytes, uint32_t sector,
                          uint32_t shift)
{
    struct number_set seen;
    int64_t before = INT64_MIN;
    clear_set(&seen);
    for (uint32_t l = 0; l < lanes->count; l++) {
        int64_t first = fw_floor_quotient(lanes->offsets[l] + shift, sector);
        int64_t last = fw_floor_quotient(lanes->offsets[l] + shift + bytes - 1, sector);
        for (int64_t s = first; s <= last; s++)
            if (s != before) {
                add_number(&seen, s);
                before = s;
            }
    }
    return seen.count;
}

uint32_t fw_lanes_passes(const struct fw_lanes *lanes, uint32_t bytes, uint32_t banks,
                         uint32_t width)
{
    enum { MOST_BANKS = 1024 };
    struct number_set seen;
    uint32_t words = bytes > width ? (bytes + width - 1) / width : 1, worst = 0;
    uint16_t of_bank[MOST_BANKS];
    if (banks == 0 || banks > MOST_BANKS || width == 0)
        return 1;
    clear_set(&seen);
    memset(of_bank, 0, banks * sizeof(*of_bank));
    for (uint32_t l = 0; l < lanes->count; l++)
        for (uint32_t w = 0; w < words; w++) {
            int64_t word = fw_floor_quotient(lanes->offsets[l], width) + w;
            int64_t bank = word % (int64_t)banks;
            if (!add_number(&seen, word))
                continue;
            uint32_t here = ++of_bank[bank < 0 ? bank + banks : bank];
            worst = here > worst ? here : worst;
        }
    return worst;
}

bool fw_strides_in_elements(const struct fw_strides *strides, uint32_t bytes, int64_t at[3])
{
    if (!strides->known || bytes == 0)
        return false;
    for (int d = 0; d < 3; d++) {
        if (strides->at[d] % (int64_t)bytes)
            return false;
        at[d] = strides->at[d] / (int64_t)bytes;
    }
    return true;
}
