/* Which warps of a block ask for the same lines at the same time: those whose threads have the same
 * addresses, because no thread index that tells them apart moves the address. */
#include "trace_work.h"

#include "warp.h"

enum { CORNERS = 2, MOST_WARPS = 32 };

/* Bytes by which the indices of a thread of the block move the address. */
static int64_t place_of(const struct fw_affine_access *access, const uint32_t block[3],
                        uint32_t thread)
{
    const uint32_t at[3] = {thread % block[0], thread / block[0] % block[1],
                            thread / block[0] / block[1]};
    int64_t place = 0;
    for (uint32_t d = 0; d < 3; d++)
        place += fw_affine_moved(access, FW_FLOOR_OF_THREAD, d, access->thread_stride[d], at[d]) +
                 fw_affine_moved(access, FW_FLOOR_OF_GRID_THREAD, d, 0, at[d]);
    return place;
}

const uint8_t *fw_trace_line_leaders(struct fw_arena *arena, const struct fw_affine_access *access,
                                     const uint32_t block[3], double *sharers)
{
    const uint32_t threads = block[0] * block[1] * block[2], warps = threads / FW_WARP_THREADS;
    int64_t places[MOST_WARPS][CORNERS];
    uint32_t leaders = 0;
    *sharers = 1;
    if (warps < 2 || warps > MOST_WARPS || threads % FW_WARP_THREADS || access->tile_rows > 0)
        return NULL;
    uint8_t *leader = FW_ARRAY(arena, uint8_t, warps);
    for (uint32_t w = 0; w < warps; w++) {
        uint32_t first = w * FW_WARP_THREADS, same = 0;
        places[w][0] = place_of(access, block, first);
        places[w][1] = place_of(access, block, first + FW_WARP_THREADS - 1);
        while (places[same][0] != places[w][0] || places[same][1] != places[w][1])
            same++;
        leader[w] = (uint8_t)same;
        leaders += same == w;
    }
    *sharers = (double)warps / leaders;
    return leaders < warps ? leader : NULL;
}
