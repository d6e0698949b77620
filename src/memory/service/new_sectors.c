#include "new_sectors.h"

#include "min_max.h"
#include "warp.h"

#include <math.h>
#include <string.h>

enum { LOOK_BACK = 64 /* accesses: others are not compared, which bounds the work */ };

struct walk {
    const struct fw_affine_accesses *accesses;
    struct fw_new_share *news;
    uint32_t sector;
    double l1_lost;
    bool by_warp;
};

/* Threads of a row along axis d for which a sector is new once: those of a block; of loads outside
 * of loops, which are in flight together, those of a warp where that is asked for. */
static int64_t row_threads(const struct walk *walk, const struct fw_affine_access *access,
                           uint32_t d)
{
    int64_t threads = fw_affine_row_threads(access, walk->accesses, d), warp = FW_WARP_THREADS;
    if (access->loops || !walk->by_warp)
        return threads;
    for (uint32_t inner = 0; inner < d; inner++)
        warp /= fw_min(warp, walk->accesses->block[inner]);
    return fw_min(threads, warp);
}

/* Of the sectors that these threads touch by an access, the share that lies outside of what they
 * touch at a distance: rows of threads overlap, and a distance may stay in a sector. */
static double share_apart(const struct walk *walk, const struct fw_affine_access *access,
                          int64_t distance)
{
    double share = fmin(1, fabs((double)distance) / walk->sector);
    for (uint32_t d = 0; d < 3; d++) {
        int64_t step = access->thread_stride[d];
        if (step != 0 && distance % step == 0)
            share =
                fmin(share, fabs((double)(distance / step)) / (double)row_threads(walk, access, d));
    }
    return share;
}

/* The stride of the innermost loop that goes round more than once; 0: there is none. */
static int64_t inner_stride(const struct fw_affine_access *access, uint32_t *loop)
{
    for (*loop = access->loops; (*loop)-- > 0;)
        if (access->trips[*loop] > 1)
            return access->loop_stride[*loop];
    *loop = FW_NONE;
    return 0;
}

/* What is touched nearest to an access, on either side of it, as shares apart; and the share of
 * executions before which it is. */
struct nearest {
    struct {
        double apart, when;
    } side[2]; /* below, above */
};

static void note_touched(struct nearest *nearest, const struct walk *walk,
                         const struct fw_affine_access *access, int64_t distance, double when)
{
    double apart = share_apart(walk, access, distance);
    for (int s = 0; s < 2; s++) {
        bool there = s ? distance >= 0 : distance <= 0;
        if (there && (apart < nearest->side[s].apart ||
                      (apart == nearest->side[s].apart && when > nearest->side[s].when))) {
            nearest->side[s].apart = apart;
            nearest->side[s].when = when;
        }
    }
}

/* The share of executions that come to sectors which nothing near has touched. */
static double share_new(const struct nearest *nearest)
{
    double apart = fmax(0, nearest->side[0].apart + nearest->side[1].apart - 1), when = 1;
    for (int s = 0; s < 2; s++)
        if (nearest->side[s].apart < 1)
            when = fmin(when, nearest->side[s].when);
    return 1 - (1 - apart) * when;
}

/* Notes what the loop's earlier iterations touched by an access `distance` bytes away: multiples of
 * the stride before it.  Of the iterations behind the first, those from the k-th on have one k
 * iterations before them: what lies further ahead than the loop goes has not been touched. */
static void note_iterations(struct nearest *nearest, const struct walk *walk,
                            const struct fw_affine_access *access, int64_t distance, int64_t stride,
                            int64_t trips)
{
    int64_t size = stride < 0 ? -stride : stride, ahead = stride < 0 ? -distance : distance;
    int64_t back = ahead > 0 ? ahead / size : 0; /* iterations until it is not ahead any more */
    for (int64_t k = back > 1 ? back : 1; k <= back + 1 && k < trips; k++)
        note_touched(nearest, walk, access, distance - k * stride,
                     (double)(trips - k) / (double)(trips - 1));
}

/* The share of an access's executions that come to new sectors: neither loads before it in the
 * same iteration, nor any in earlier ones of the innermost loop, have touched them. */
static double share_moved(const struct walk *walk, uint32_t i, uint32_t loop, int64_t stride)
{
    const struct fw_affine_access *at = walk->accesses->at, *access = &at[i];
    uint32_t first = walk->news[i].set, count = walk->accesses->count;
    struct nearest now = {{{1, 0}, {1, 0}}}, ever = now;
    uint32_t from = first + LOOK_BACK < i ? i - LOOK_BACK : first;
    uint32_t end = i + LOOK_BACK < count ? i + LOOK_BACK : count;
    for (uint32_t j = from; j < end; j++) {
        int64_t distance = at[j].base - access->base;
        if (walk->news[j].set != first)
            continue;
        if (j < i) {
            note_touched(&now, walk, access, distance, 1);
            note_touched(&ever, walk, access, distance, 1);
        }
        if (stride)
            note_iterations(&ever, walk, access, distance, stride, access->trips[loop]);
    }
    double trips = loop == FW_NONE ? 1 : (double)access->trips[loop];
    return (share_new(&now) + (trips - 1) * (stride ? share_new(&ever) : 0)) / trips;
}

/* Of the lanes of a warp that each walk along a row of their own, how many come to new sectors at
 * different times: in different iterations, or, where loads beside it have touched all but the
 * share `moved` of an iteration's sectors, by another one of these loads.  Rows of n + 1 words
 * begin at all words of a sector: of four loads of neighbouring words each comes to new ones every
 * time, by other lanes. */
static double phases_of(const struct walk *walk, const struct fw_affine_access *access,
                        int64_t stride, double moved)
{
    int64_t sector = walk->sector, step = stride < 0 ? -stride : stride;
    const int64_t window = fw_max(1, (int64_t)(moved * (double)sector));
    int64_t apart =
        access->thread_stride[0] < 0 ? -access->thread_stride[0] : access->thread_stride[0];
    uint64_t seen = 0;
    uint32_t phases = 0, lanes = walk->accesses->block[0];
    if (step == 0 || step >= sector || apart < sector)
        return 1;
    for (uint32_t lane = 0; lane < lanes && lane < FW_WARP_THREADS; lane++) {
        int64_t place =
            fw_affine_moved(access, FW_FLOOR_OF_THREAD, 0, access->thread_stride[0], lane);
        uint64_t bit = (uint64_t)1
                       << (((place % sector + sector) % sector / fw_min(step, window)) & 63);
        phases += !(seen & bit);
        seen |= bit;
    }
    return phases;
}

/* The share of sectors that miss in L1 when an innermost loop comes to them: outer loops come back
 * to what L1 may have lost. */
static double share_missed(const struct walk *walk, const struct fw_affine_access *access,
                           uint32_t innermost)
{
    double missed = 1;
    for (uint32_t l = innermost == FW_NONE ? 0 : innermost; l-- > 0;) {
        double trips = fmax(1, (double)access->trips[l]);
        double moved =
            (1 + (trips - 1) * share_apart(walk, access, access->loop_stride[l])) / trips;
        missed *= moved + (1 - moved) * walk->l1_lost;
    }
    return missed;
}

/* Whether two loads move by the same strides at the same time: in the same part of a loop, or, of a
 * warp, outside of loops.  Which threads run them may differ: at an edge, a neighbour of a point is
 * loaded by fewer. */
static bool go_together(const struct walk *walk, const struct fw_affine_access *a,
                        const struct fw_affine_access *b)
{
    bool other_time = (a->loops || !walk->by_warp) && (a->begin != b->begin || a->end != b->end);
    if (a->array != b->array || other_time || a->thread_stride[0] != b->thread_stride[0] ||
        a->loops != b->loops)
        return false;
    struct fw_affine_access same = *b;
    memcpy(same.low, a->low, sizeof(same.low));
    memcpy(same.high, a->high, sizeof(same.high));
    memcpy(same.first, a->first, sizeof(same.first));
    memcpy(same.last, a->last, sizeof(same.last));
    return fw_affine_same_strides(a, &same);
}

/* Whether rows of warps begin within a sector. */
static bool begins_within(const struct walk *walk, const struct fw_affine_access *access)
{
    int64_t sector = walk->sector, row = access->thread_stride[0] * FW_WARP_THREADS;
    bool within = access->base % sector != 0 || row % sector != 0;
    for (uint32_t d = 0; d < 3; d++)
        within |= access->block_stride[d] % sector != 0;
    return within && access->thread_stride[0] != 0 && row < sector * FW_WARP_THREADS &&
           -row < sector * FW_WARP_THREADS;
}

/* Whether a loop brings a load back to what its block has stored since it last loaded it, where two
 * warps have stored a part of one sector each: L1 does not have such a sector. */
static bool reloads_split(const struct walk *walk, uint32_t i)
{
    const struct fw_affine_access *at = walk->accesses->at, *load = &at[i];
    uint32_t count = walk->accesses->count, from = i > LOOK_BACK ? i - LOOK_BACK : 0;
    bool again = false;
    for (uint32_t l = 0; l < load->loops; l++)
        again |= load->loop_stride[l] == 0 && load->trips[l] > 1;
    if (!again || !begins_within(walk, load))
        return false;
    for (uint32_t j = from; j < count && j < i + LOOK_BACK; j++)
        if (!fw_affine_is_load(&at[j]) && at[j].array == load->array && at[j].base == load->base &&
            at[j].thread_stride[0] == load->thread_stride[0] && at[j].loops == load->loops)
            return true;
    return false;
}

static void find(const struct walk *walk)
{
    const struct fw_affine_accesses *accesses = walk->accesses;
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_affine_access *access = &accesses->at[i];
        uint32_t from = i > LOOK_BACK ? i - LOOK_BACK : 0;
        walk->news[i].set = i;
        walk->news[i].fetched = 1;
        for (uint32_t j = i; fw_affine_is_load(access) && j-- > from;)
            if (fw_affine_is_load(&accesses->at[j]) &&
                go_together(walk, &accesses->at[j], access)) {
                walk->news[i].set = walk->news[j].set;
                break;
            }
    }
    for (uint32_t i = 0; i < accesses->count; i++)
        if (fw_affine_is_load(&accesses->at[i])) {
            uint32_t loop;
            int64_t stride = inner_stride(&accesses->at[i], &loop);
            walk->news[i].moved = share_moved(walk, i, loop, stride);
            walk->news[i].misses = share_missed(walk, &accesses->at[i], loop);
            walk->news[i].split = reloads_split(walk, i);
            walk->news[i].waited =
                fmin(1, walk->news[i].moved *
                            phases_of(walk, &accesses->at[i], stride, walk->news[i].moved));
        }
}

void fw_new_sectors_find(struct fw_new_share *news, const struct fw_affine_accesses *accesses,
                         uint32_t sector, double l1_lost)
{
    const struct walk walk = {accesses, news, sector, l1_lost, false};
    find(&walk);
}

void fw_new_sectors_find_by_warp(struct fw_new_share *news,
                                 const struct fw_affine_accesses *accesses, uint32_t sector,
                                 double l1_lost)
{
    const struct walk walk = {accesses, news, sector, l1_lost, true};
    find(&walk);
}
