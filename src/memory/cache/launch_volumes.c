/* Requests and volumes of a launch, from all rooms of src/memory. */
#include "launch_volumes.h"

#include "local_volumes.h"
#include "stage.h"

struct fw_launch_volumes_kept {
    struct fw_launch_question question;
    struct fw_launch_volumes found;
    void *beside;
};

void **fw_launch_volumes_beside(struct fw_launch_volumes_kept *kept)
{
    return &kept->beside;
}

/* All bytes that random accesses move count as capacity misses. */
static void add_random(struct fw_launch_volumes *found)
{
    const struct fw_random_accesses *random = &found->random;
    found->requests.load_sectors += random->load_sectors;
    found->requests.store_sectors += random->store_sectors;
    found->requests.load_lines += random->load_lines;
    found->requests.store_lines += random->store_lines;
    found->requests.partial_store_sectors += random->partial_store_sectors;
    found->requests.global_wavefronts += random->wavefronts;
    found->lsu_wavefronts += random->wavefronts;
    found->l2_to_l1 += random->l2_to_l1;
    found->l1_to_l2 += random->l1_to_l2;
    found->volumes.dram_read.bytes += random->dram_read;
    found->volumes.dram_read.capacity += random->dram_read - random->fill_read;
    found->volumes.fill_read += random->fill_read;
    found->volumes.dram_write.bytes += random->dram_write;
    found->volumes.dram_write.capacity += random->dram_write;
}

static void add_local(struct fw_launch_volumes *found, const struct fw_launch_question *question)
{
    const uint32_t *grid = question->launch->grid, *block = question->launch->block;
    struct fw_local_volumes local;
    fw_local_volumes_find(&local, question->kernel, &found->requests, &found->caches,
                          (double)grid[0] * grid[1] * grid[2],
                          (double)block[0] * block[1] * block[2], found->l2_to_l1, &found->volumes);
    found->local_l2_to_l1 = local.l2_to_l1;
    found->l2_to_l1 += local.l2_to_l1;
    found->l1_to_l2 += local.l1_to_l2;
    found->volumes.dram_read.bytes += local.dram_read;
    found->volumes.dram_read.capacity += local.dram_read;
    found->volumes.dram_write.bytes += local.dram_write;
    found->volumes.dram_write.capacity += local.dram_write;
}

/* Whether what was found for one question answers the other. */
static bool is_same(const struct fw_launch_question *one, const struct fw_launch_question *other)
{
    return !one->sequence && !other->sequence && one->kernel == other->kernel &&
           one->bound == other->bound && one->launch == other->launch &&
           one->device == other->device && one->alignments == other->alignments &&
           one->cold == other->cold && one->resident_blocks == other->resident_blocks &&
           one->registers == other->registers && one->shared_bytes == other->shared_bytes &&
           one->store_hits >= other->store_hits;
}

static enum fw_status find(struct fw_launch_volumes *found, struct fw_arena *arena,
                           const struct fw_launch_question *question, const struct fw_sink *sink)
{
    const struct fw_kernel *kernel = question->kernel;
    const struct fw_launch *launch = question->launch;
    struct fw_bound *bound = question->bound;
    enum fw_figure missing;
    *found = (struct fw_launch_volumes){0};
    if (!fw_caches_of(&found->caches, question->device, question->shared_bytes,
                      question->resident_blocks, &missing)) {
        fw_report(sink, FW_ERROR, "MOD003", (struct fw_span){0},
                  "the profile %s has no %s, which volumes between caches need",
                  question->device->name, fw_figure_row(missing)->name);
        return FW_ERROR_INPUT;
    }
    found->caches.registers = question->registers;
    found->caches.store_hits = question->store_hits;
    found->caches.warm = !question->cold && !question->sequence;
    found->caches.sequence = question->sequence;
    if (question->sequence)
        fw_sequence_begin(question->sequence);
    struct fw_kernel_accesses *accesses = &found->accesses;
    fw_kernel_accesses_find(accesses, arena, kernel, bound, launch, question->alignments);
    fw_requests_find(&found->requests, arena, kernel, bound, launch, question->device, accesses,
                     question->alignments);
    fw_caches_set_requests(&found->caches, &found->requests, accesses);
    found->caches.store_turns = fw_store_turns_find(arena, kernel);
    found->caches.local_bytes =
        fw_local_bytes(kernel, &found->requests, &found->caches,
                       (double)launch->grid[0] * launch->grid[1] * launch->grid[2],
                       (double)launch->block[0] * launch->block[1] * launch->block[2]);
    accesses->affine.bounded = FW_ARRAY(arena, uint8_t, accesses->affine.arrays);
    fw_volumes_find(&found->volumes, arena, &accesses->affine, &found->caches);
    fw_requests_apply_l1_hits(&found->requests, found->caches.requested_load_bytes,
                              found->volumes.warp_distinct_bytes, found->volumes.l2_to_l1.bytes);
    found->lsu_wavefronts = found->requests.global_wavefronts + found->requests.shared_wavefronts;
    found->l2_to_l1 = found->volumes.l2_to_l1.bytes + found->requests.non_affine_load_bytes;
    found->l1_to_l2 = found->volumes.l1_to_l2 + found->requests.non_affine_store_bytes;
    add_local(found, question);
    fw_random_accesses_find(&found->random, arena, kernel, bound, launch, &found->caches,
                            &found->volumes, accesses->data, &found->requests);
    add_random(found);
    return FW_OK;
}

enum fw_status fw_launch_volumes_find(struct fw_launch_volumes *found, struct fw_arena *arena,
                                      const struct fw_launch_question *question,
                                      const struct fw_sink *sink)
{
    struct fw_launch_volumes_kept **kept = question->kept;
    if (kept && *kept && is_same(&(*kept)->question, question)) {
        *found = (*kept)->found;
        return FW_OK;
    }
    enum fw_status status = find(found, arena, question, sink);
    if (status || !kept || question->sequence)
        return status;
    *kept = FW_NEW(arena, struct fw_launch_volumes_kept);
    **kept = (struct fw_launch_volumes_kept){*question, *found, NULL};
    return FW_OK;
}
