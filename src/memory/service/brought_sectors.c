#include "brought_sectors.h"

#include "footprint.h"
#include "min_max.h"

enum { MOST_LOADS = 256 /* outside of loops; of more, each brings its own */ };

/* Of the executions of a load's threads and blocks, how many happen where those behind may count on
 * it. */
static const double NEARLY_ALWAYS = 0.9;

/* Loads outside of loops, by their turns: those of one are in flight together.  Each asks for its
 * sectors in the second half of a block's lifetime, of which each turn has a part; those that
 * are nearly always executed are there once more, as ones that have brought them, in the first. */
struct brought {
    struct fw_affine_accesses accesses;
    uint32_t *of, *turn; /* by access: what it is in the launch's list; its turn */
    uint32_t loads, turns;
};

static bool is_by_itself(const struct fw_affine_access *access)
{
    return fw_affine_is_load(access) && access->loops == 0 && access->tile_rows == 0;
}

static bool is_sure(const struct fw_affine_access *access)
{
    return access->active_share >= NEARLY_ALWAYS;
}

/* Finds the loads and their turns. */
static void list_loads(struct brought *brought, struct fw_arena *arena,
                       const struct fw_affine_accesses *accesses, const struct fw_load_order *order)
{
    uint32_t first = FW_NONE;
    brought->of = FW_ARRAY(arena, uint32_t, MOST_LOADS);
    brought->turn = FW_ARRAY(arena, uint32_t, MOST_LOADS);
    for (uint32_t i = 0; i < accesses->count; i++) {
        if (!is_by_itself(&accesses->at[i]))
            continue;
        if (first == FW_NONE || order[i].stage != order[first].stage ||
            fw_load_behind_store(accesses, order, first, i)) {
            first = i;
            brought->turns++;
        }
        if (brought->loads < MOST_LOADS) {
            brought->of[brought->loads] = i;
            brought->turn[brought->loads] = brought->turns - 1;
        }
        brought->loads++;
    }
}

/* Whether a load may find what another one has brought. */
static bool any_comes_again(const struct brought *brought,
                            const struct fw_affine_accesses *accesses)
{
    for (uint32_t i = 0; i < brought->loads; i++)
        for (uint32_t j = i + 1; j < brought->loads && is_sure(&accesses->at[brought->of[i]]); j++)
            if (brought->turn[j] != brought->turn[i] &&
                accesses->at[brought->of[j]].array == accesses->at[brought->of[i]].array)
                return true;
    return false;
}

/* The accesses of which footprints are counted. */
static void place_loads(struct brought *brought, struct fw_arena *arena,
                        const struct fw_affine_accesses *accesses)
{
    struct fw_affine_access *at = FW_ARRAY(arena, struct fw_affine_access, 2 * brought->loads);
    uint32_t count = brought->loads;
    for (uint32_t i = 0; i < brought->loads; i++) {
        at[i] = accesses->at[brought->of[i]];
        at[i].begin = (1 + (double)brought->turn[i] / brought->turns) / 2;
        at[i].end = (1 + (double)(brought->turn[i] + 1) / brought->turns) / 2;
        if (is_sure(&at[i])) {
            at[count] = at[i];
            at[count].begin -= 0.5;
            at[count++].end -= 0.5;
        }
    }
    brought->accesses = *accesses;
    brought->accesses.bounded = NULL;
    brought->accesses.at = at;
    brought->accesses.count = count;
}

/* Whether threads of a block execute an access. */
static bool is_of_block(const struct fw_affine_accesses *accesses,
                        const struct fw_affine_access *access, int64_t block)
{
    for (uint32_t d = 0; d < 3; d++) {
        const int64_t threads = accesses->block[d], at = block % accesses->grid[d] * threads;
        if (at + threads <= access->low[d] || at >= access->high[d])
            return false;
        block /= accesses->grid[d];
    }
    return true;
}

/* Of the sectors that the loads of a turn touch in these blocks, the shares that those of earlier
 * turns do not; `shares` is by load. */
static void find_new(const struct brought *brought, struct fw_footprint *footprint, uint32_t turn,
                     int64_t first, int64_t last, double *shares)
{
    const double from = (double)turn / brought->turns / 2;
    const double end = (double)(turn + 1) / brought->turns / 2;
    const struct fw_window past = {first, last, 0, from, FW_FOOTPRINT_LOADS};
    const struct fw_window now = {first, last, 0.5 + from, 0.5 + end, FW_FOOTPRINT_LOADS};
    for (uint32_t i = 0; i < brought->accesses.count; i++)
        shares[i] = 1;
    fw_footprint_new_shares(footprint, &past, 1, &now, shares);
}

/* The share of a load, or, where the block does not execute it, of those that its access of the
 * record has become and the block does; 1: none. */
static double share_of(const struct brought *brought, const double *shares, uint32_t load,
                       int64_t block)
{
    const struct fw_affine_access *at = brought->accesses.at;
    double sum = 0;
    uint32_t count = 0;
    if (is_of_block(&brought->accesses, &at[load], block))
        return shares[load];
    for (uint32_t i = 0; i < brought->loads; i++)
        if (at[i].kernel_access == at[load].kernel_access &&
            is_of_block(&brought->accesses, &at[i], block)) {
            sum += shares[i];
            count++;
        }
    return count ? sum / count : 1;
}

void fw_leave_out_brought(struct fw_new_share *news, struct fw_arena *arena,
                          const struct fw_affine_accesses *accesses,
                          const struct fw_load_order *order, const struct fw_caches *caches,
                          double lost)
{
    struct brought brought = {0};
    list_loads(&brought, arena, accesses, order);
    if (brought.turns < 2 || brought.loads > MOST_LOADS || !any_comes_again(&brought, accesses))
        return;
    place_loads(&brought, arena, accesses);
    struct fw_footprint *footprint = fw_footprint_new(arena, &brought.accesses, caches->sector);
    double *shares = FW_ARRAY(arena, double, brought.accesses.count);
    double *beside = FW_ARRAY(arena, double, brought.accesses.count);
    const int64_t blocks = (int64_t)fw_affine_blocks(accesses), block = blocks / 2;
    const int64_t wave =
        fw_max(1, fw_min(blocks, (int64_t)caches->multiprocessors * caches->resident_blocks));
    const int64_t first = block / wave * wave;
    for (uint32_t turn = 1; turn < brought.turns; turn++) {
        find_new(&brought, footprint, turn, block, block + 1, shares);
        find_new(&brought, footprint, turn, first, fw_min(blocks, first + wave), beside);
        for (uint32_t i = 0; i < brought.loads; i++)
            if (brought.turn[i] == turn) {
                const double own = share_of(&brought, shares, i, block);
                const double all = share_of(&brought, beside, i, block);
                struct fw_new_share *to = &news[brought.of[i]];
                to->moved *= own + (1 - own) * lost;
                to->waited *= own + (1 - own) * lost;
                if (own < 1 && all < own && fw_footprint_exact(footprint))
                    to->fetched = all / own;
            }
    }
}
