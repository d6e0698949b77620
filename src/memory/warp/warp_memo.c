#include "warp_memo.h"

#include "l1_tags.h"

#include <string.h>

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = hash * 0x9e3779b97f4a7c15u + value; /* then as splitmix64 */
    hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ hash >> 27) * 0x94d049bb133111ebu;
    return hash ^ hash >> 31;
}

/* The lanes of warp `w` that run, and their addresses from the block's first thread on. */
static void lanes_of(struct fw_warp_request *request, const struct lane_layout *pattern, uint32_t w,
                     uint32_t warp)
{
    const uint32_t *size = pattern->size;
    uint32_t threads = size[0] * size[1] * size[2], first = w * warp;
    uint32_t rows = first / size[0];
    int64_t x = first % size[0], y = rows % size[1], z = rows / size[1];
    request->lanes = 0;
    for (uint32_t l = 0; l < warp && first + l < threads; l++) {
        if (x >= pattern->low[0] && x < pattern->high[0] && y >= pattern->low[1] &&
            y < pattern->high[1] && z >= pattern->low[2] && z < pattern->high[2])
            request->at[request->lanes++] = pattern->thread_stride[0] * x +
                                          pattern->thread_stride[1] * y +
                                          pattern->thread_stride[2] * z;
        if (++x == size[0]) {
            x = 0;
            if (++y == size[1]) {
                y = 0;
                z++;
            }
        }
    }
}

static void find_warps(struct lane_layout *pattern, uint32_t warp)
{
    const uint32_t *size = pattern->size;
    uint32_t warps = (size[0] * size[1] * size[2] + warp - 1) / warp;
    pattern->count = warps - pattern->from < MEMO_WARPS ? warps - pattern->from : MEMO_WARPS;
    for (uint32_t w = 0; w < pattern->count; w++) {
        struct fw_warp_request request;
        struct layout_warp *at = &pattern->at[w];
        lanes_of(&request, pattern, pattern->from + w, warp);
        at->lanes = request.lanes;
        at->first = request.lanes ? request.at[0] : 0;
        at->differences = request.lanes;
        for (uint32_t l = 1; l < request.lanes; l++)
            at->differences = mix(at->differences, (uint64_t)(request.at[l] - request.at[l - 1]));
    }
}

static bool is_same(const struct lane_layout *a, const struct lane_layout *b)
{
#define SAME(field) (memcmp(a->field, b->field, sizeof(a->field)) == 0)
    return a->count && a->from == b->from && SAME(thread_stride) && SAME(low) && SAME(high) &&
           SAME(size);
#undef SAME
}

const struct lane_layout *lane_layout_find(struct fw_warp_memo *memory,
                                           const struct fw_affine_accesses *accesses,
                                           const struct fw_affine_access *access,
                                           const int64_t block[3], uint32_t from)
{
    struct lane_layout wanted;
    wanted.from = from;
    for (uint32_t d = 0; d < 3; d++) {
        int64_t begin = block[d] * accesses->block[d];
        int64_t low = access->low[d] - begin, high = access->high[d] - begin;
        low = low > 0 ? low : 0;
        high = high < accesses->block[d] ? high : accesses->block[d];
        if (access->last[d] > 0) {
            low = low > access->first[d] ? low : access->first[d];
            high = high < access->last[d] ? high : access->last[d];
        }
        if (low >= high)
            return NULL;
        wanted.low[d] = low;
        wanted.high[d] = high;
        wanted.thread_stride[d] = access->thread_stride[d];
        wanted.size[d] = accesses->block[d];
    }
    for (uint32_t p = 0; p < MEMO_LAYOUTS; p++)
        if (is_same(&memory->layouts[p], &wanted))
            return &memory->layouts[p];
    struct lane_layout *place = &memory->layouts[memory->replaced++ % MEMO_LAYOUTS];
    memcpy(place->thread_stride, wanted.thread_stride, sizeof(wanted.thread_stride));
    memcpy(place->low, wanted.low, sizeof(wanted.low));
    memcpy(place->high, wanted.high, sizeof(wanted.high));
    memcpy(place->size, wanted.size, sizeof(wanted.size));
    place->from = from;
    find_warps(place, memory->warp);
    return place;
}

const struct memo_cost *lane_layout_cost(struct fw_warp_memo *memory,
                                         const struct lane_layout *pattern, uint32_t w,
                                         uint32_t bytes, int64_t address)
{
    const struct layout_warp *warp = &pattern->at[w];
    uint64_t key = mix(warp->differences, bytes);
    key = mix(key, (uint64_t)(address + warp->first) % memory->line);
    uint64_t anywhere = key;
    /* Tags tell places apart by so many lines: nothing that is in one line alone. */
    uint64_t offset = (uint64_t)(address + warp->first) % memory->line;
    if (warp->differences != 1 || offset + bytes > memory->line)
        key = mix(key, (uint64_t)(address + warp->first) / memory->line % FW_TAG_NEAR_LINES);
    struct memo_cost *here = &memory->costs[key % MEMO_COSTS];
    if (here->key == key)
        return here;
    struct fw_warp_request request;
    lanes_of(&request, pattern, pattern->from + w, memory->warp);
    request.bytes = bytes;
    for (uint32_t l = 0; l < request.lanes; l++)
        request.at[l] += address;
    uint32_t place = (uint32_t)(anywhere % MEMO_DATA_COSTS);
    if (memory->data_costs[place].key != anywhere) {
        memory->data_costs[place].key = anywhere;
        memory->data_costs[place].demand =
            fw_request_data_cost(&request, memory->sector, memory->line);
    }
    struct fw_request_cost demand = memory->data_costs[place].demand;
    fw_request_add_tags(&demand, &request, memory->line);
    here->key = key;
    here->sectors = demand.sectors;
    here->lines = demand.lines;
    here->partial_sectors = demand.partial_sectors;
    here->wavefronts = demand.wavefronts;
    here->multi_line_passes = demand.multi_line_passes;
    here->hit_wavefronts = demand.hit_wavefronts;
    return here;
}
