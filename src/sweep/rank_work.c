/* What a launch does, whatever its time: the bytes of device memory that it writes, each once, and
 * its floating-point operations.  Configurations that do less are no better for being faster. */
#include "rank.h"

#include "footprint.h"
#include "kernel_accesses.h"

#include <math.h>

enum { GRANULE = 32 /* bytes: a sector */ };

static bool writes(const struct fw_access *access)
{
    return access->direction != FW_LOAD &&
           (access->space == FW_SPACE_GLOBAL || access->space == FW_SPACE_GENERIC);
}

/* Bytes that the stores of an access write, repeats counted. */
static double executed_bytes(struct fw_worker *worker, const struct fw_access *access)
{
    double each;
    if (!fw_bound_access_bytes(worker->bound, access, &each))
        return 0;
    return each * fw_bound_count(worker->bound, access->domain)->estimate;
}

/* Of each array the distinct bytes of the stores whose addresses are affine, and never more than
 * are written with repeats (the last round of a loop over the grid counts as whole in a footprint);
 * other stores count as executed. */
static double written_bytes(struct fw_worker *worker)
{
    const struct fw_kernel *record = worker->record;
    const struct fw_launch *launch = worker->launch;
    const struct fw_window whole = {.first = 0,
                                    .last = (int64_t)launch->grid[0] * launch->grid[1] *
                                            launch->grid[2],
                                    .begin = 0,
                                    .end = 1,
                                    .of = FW_FOOTPRINT_STORES};
    struct fw_kernel_accesses all;
    double bytes = 0;
    uint32_t count = 0;
    fw_kernel_accesses_find(&all, worker->results, record, worker->bound, launch,
                            worker->alignments);
    double *executed = FW_ARRAY(worker->results, double, all.affine.arrays + 1);
    for (uint32_t a = 0; a < record->access_count; a++) {
        const struct fw_access *access = &record->accesses[a];
        const struct fw_access_affine *affine = &all.by_access[a];
        if (!writes(access))
            continue;
        *(affine->count ? &executed[all.affine.at[affine->first].array] : &bytes) +=
            executed_bytes(worker, access);
    }
    for (uint32_t a = 0; a < all.affine.count; a++)
        if (writes(&record->accesses[all.affine.at[a].kernel_access]))
            all.affine.at[count++] = all.affine.at[a];
    all.affine.count = count;
    if (!count)
        return bytes;
    all.affine.bounded = FW_ARRAY(worker->results, uint8_t, all.affine.arrays + 1);
    struct fw_footprint *footprint = fw_footprint_new(worker->results, &all.affine, GRANULE);
    for (uint32_t a = 0; a < all.affine.arrays; a++)
        if (executed[a] > 0)
            bytes += fmin(GRANULE * fw_footprint_count(footprint, &whole, 1, a), executed[a]);
    return bytes;
}

struct measuring {
    struct fw_rank_row *row;
    struct fw_worker *worker;
};

static enum fw_status measure(void *user)
{
    struct measuring *measuring = user;
    struct fw_worker *worker = measuring->worker;
    measuring->row->written_bytes = written_bytes(worker);
    fw_tally_fill(worker->tally, worker->bound, false);
    measuring->row->operations = worker->tally->flops;
    measuring->row->has_work = true;
    return FW_OK;
}

void rank_measure_work(struct fw_rank_row *row, struct fw_worker *worker)
{
    struct measuring measuring = {row, worker};
    if (worker->bound && worker->tally)
        fw_session_guard(worker->program->context, worker->results, fw_bound_arena(worker->bound),
                         measure, &measuring);
}
