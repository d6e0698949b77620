#include "warp_memo.h"

#include "l1_tags.h"

#include <string.h>

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = hash * 0x9e3779b97f4a7c15u + value; /* followed by splitmix64 */
    hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ hash >> 27) * 0x94d049bb133111ebu;
    return hash ^ hash >> 31;
}

/* The active lanes of warp `w`, with addresses relative to the block's first thread. */
static void lanes_of(struct fw_warp_request *request, const struct lane_layout *layout, uint32_t w,
                     uint32_t warp)
{
    const uint32_t *size = layout->size;
    uint32_t threads = size[0] * size[1] * size[2], first = w * warp;
    uint32_t rows = first / size[0];
    int64_t x = first % size[0], y = rows % size[1], z = rows / size[1];
    request->lanes = 0;
    for (uint32_t l = 0; l < warp && first + l < threads; l++) {
        if (x >= layout->low[0] && x < layout->high[0] && y >= layout->low[1] &&
            y < layout->high[1] && z >= layout->low[2] && z < layout->high[2])
            request->at[request->lanes++] = layout->thread_stride[0] * x +
                                            layout->thread_stride[1] * y +
                                            layout->thread_stride[2] * z;
        if (++x == size[0]) {
            x = 0;
            if (++y == size[1]) {
                y = 0;
                z++;
            }
        }
    }
}

static void find_warps(struct lane_layout *layout, uint32_t warp)
{
    const uint32_t *size = layout->size;
    uint32_t warps = (size[0] * size[1] * size[2] + warp - 1) / warp;
    layout->count = warps - layout->from < MEMO_WARPS ? warps - layout->from : MEMO_WARPS;
    for (uint32_t w = 0; w < layout->count; w++) {
        struct fw_warp_request request;
        struct layout_warp *at = &layout->at[w];
        lanes_of(&request, layout, layout->from + w, warp);
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

const struct lane_layout *lane_layout_find(struct fw_warp_memo *memo,
                                           const struct fw_affine_accesses *accesses,
                                           const struct fw_affine_access *access,
                                           const int64_t block[3], uint32_t from)
{
    struct lane_layout key_layout;
    key_layout.from = from;
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
        key_layout.low[d] = low;
        key_layout.high[d] = high;
        key_layout.thread_stride[d] = access->thread_stride[d];
        key_layout.size[d] = accesses->block[d];
    }
    for (uint32_t p = 0; p < MEMO_LAYOUTS; p++)
        if (is_same(&memo->layouts[p], &key_layout))
            return &memo->layouts[p];
    struct lane_layout *entry = &memo->layouts[memo->replaced++ % MEMO_LAYOUTS];
    memcpy(entry->thread_stride, key_layout.thread_stride, sizeof(key_layout.thread_stride));
    memcpy(entry->low, key_layout.low, sizeof(key_layout.low));
    memcpy(entry->high, key_layout.high, sizeof(key_layout.high));
    memcpy(entry->size, key_layout.size, sizeof(key_layout.size));
    entry->from = from;
    find_warps(entry, memo->warp);
    return entry;
}

const struct memo_cost *lane_layout_cost(struct fw_warp_memo *memo,
                                         const struct lane_layout *layout, uint32_t w,
                                         uint32_t bytes, int64_t address)
{
    const struct layout_warp *warp = &layout->at[w];
    uint64_t key = mix(warp->differences, bytes);
    key = mix(key, (uint64_t)(address + warp->first) % memo->line);
    uint64_t data_key = key;
    /* The tag banks see a position within FW_TAG_NEAR_LINES lines, unless the request is in one
     * line. */
    uint64_t offset = (uint64_t)(address + warp->first) % memo->line;
    if (warp->differences != 1 || offset + bytes > memo->line)
        key = mix(key, (uint64_t)(address + warp->first) / memo->line % FW_TAG_NEAR_LINES);
    struct memo_cost *here = &memo->costs[key % MEMO_COSTS];
    if (here->key == key)
        return here;
    struct fw_warp_request request;
    lanes_of(&request, layout, layout->from + w, memo->warp);
    request.bytes = bytes;
    for (uint32_t l = 0; l < request.lanes; l++)
        request.at[l] += address;
    uint32_t entry = (uint32_t)(data_key % MEMO_DATA_COSTS);
    if (memo->data_costs[entry].key != data_key) {
        memo->data_costs[entry].key = data_key;
        memo->data_costs[entry].cost = fw_request_data_cost(&request, memo->sector, memo->line);
    }
    struct fw_request_cost cost = memo->data_costs[entry].cost;
    fw_request_add_tags(&cost, &request, memo->line);
    here->key = key;
    here->sectors = cost.sectors;
    here->lines = cost.lines;
    here->partial_sectors = cost.partial_sectors;
    here->lookups = cost.lookups;
    here->wavefronts = cost.wavefronts;
    here->multi_line_passes = cost.multi_line_passes;
    here->hit_wavefronts = cost.hit_wavefronts;
    return here;
}
