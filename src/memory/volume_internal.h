/* What the files about volumes share. */
#ifndef FW_VOLUME_INTERNAL_H
#define FW_VOLUME_INTERNAL_H

#include "volume.h"

/* What one event finds when the cache remembers ever more of the past: `there` bytes of lines are
 * remembered, and `missing` bytes of the event's own are not among them. */
struct past {
    double there, missing;
};

enum { MOST_PASTS = 24 };

struct pasts {
    struct past at[MOST_PASTS]; /* the nearest past first */
    uint32_t count;
};

/* forgetting.c: what of an event is missing in a cache of `bytes`, the mean over how sharply a
 * cache forgets: it holds what was touched d bytes ago with probability exp(-(d /
 * bytes)^sharpness); 0: the usual sharpness. */
double forgetting_missing(const struct pasts *pasts, double bytes, double sharpness);

/* forgetting.c: the share of a wave's repeated touches that miss when its lines are `over` times
 * the cache: two touches fall anywhere in the wave's time. */
double forgetting_in_wave(double over, double sharpness);

/* l1.c: bytes that one block loads from L2. */
void l1_of_block(struct fw_volume *volume, struct fw_arena *arena, const struct fw_forms *forms,
                 const struct fw_caches *caches, int64_t block);

/* dram.c: what the waves bring from device memory and send there, given the loads' bytes from L2.
 */
void dram_of_launch(struct fw_volumes *volumes, struct fw_arena *arena,
                    const struct fw_forms *forms, const struct fw_caches *caches);

#endif
