#include "split_sectors.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS_SEEN = 32 };

static int64_t remainder_of(int64_t a, int64_t b)
{
    int64_t rest = a % b;
    return rest < 0 ? rest + b : rest;
}

static bool side_by_side(const struct fw_affine_access *form)
{
    return llabs(form->thread_stride[0]) == form->bytes;
}

double fw_misaligned_rows(const struct fw_affine_access *form,
                          const struct fw_affine_accesses *forms, int64_t from, uint32_t granule)
{
    uint32_t beside = 0;
    if (!side_by_side(form))
        return 0;
    for (int64_t k = 0; k < ROWS_SEEN; k++) { /* odd steps meet every remainder */
        int64_t at = form->base + from + (k % forms->grid[0]) * form->block_stride[0];
        for (uint32_t d = 1; d < 3; d++)
            at += (k % forms->block[d]) * form->thread_stride[d] +
                  ((2 * d + 1) * k % forms->grid[d]) * form->block_stride[d];
        for (uint32_t l = 0; l < form->loops; l++)
            if (form->trips[l] > 0)
                at += ((2 * l + 1) * k % form->trips[l]) * form->loop_stride[l];
        beside += remainder_of(at, granule) != 0;
    }
    return (double)beside / ROWS_SEEN;
}

static double executions(const struct fw_affine_access *form,
                         const struct fw_affine_accesses *forms)
{
    double times = fw_affine_threads(form, forms) * form->repeats * form->active_share;
    for (uint32_t l = 0; l < form->loops; l++)
        times *= (double)form->trips[l];
    return times;
}

static bool in_loop(const struct fw_affine_access *form)
{
    double turns = form->repeats;
    for (uint32_t l = 0; l < form->loops; l++)
        turns *= (double)form->trips[l];
    return turns > 1;
}

static bool is_read_too(const struct fw_affine_accesses *forms, uint32_t store)
{
    for (uint32_t i = 0; i < forms->count; i++)
        if (forms->at[i].direction == FW_LOAD && forms->at[i].array == forms->at[store].array)
            return true;
    return false;
}

double fw_thread_stores(const struct fw_affine_accesses *forms)
{
    double stores = 0;
    for (uint32_t i = 0; i < forms->count; i++)
        stores += forms->at[i].direction != FW_LOAD && side_by_side(&forms->at[i]);
    return fmax(1, stores);
}

static bool loads_wait(const struct fw_affine_accesses *forms, const struct fw_round_order *order)
{
    for (uint32_t i = 0; i < forms->count; i++)
        if (forms->at[i].direction == FW_LOAD && fw_round_behind_store(forms, order, 0, i))
            return true;
    return false;
}

struct fw_split_sectors fw_split_sectors_find(const struct fw_affine_accesses *forms,
                                              const struct fw_round_order *order, uint32_t sector,
                                              uint32_t warp)
{
    struct fw_split_sectors found = {0};
    bool waits = loads_wait(forms, order);
    double apart = sqrt(fw_thread_stores(forms));
    double width = forms->block[0] < warp ? forms->block[0] : warp;
    for (uint32_t i = 0; i < forms->count; i++) {
        const struct fw_affine_access *form = &forms->at[i];
        if (form->direction == FW_LOAD || !side_by_side(form))
            continue;
        double pieces = executions(form, forms) / width;
        double parts =
            pieces * (fw_misaligned_rows(form, forms, 0, sector) +
                      fw_misaligned_rows(form, forms, (int64_t)width * form->bytes, sector));
        double ends = width / forms->block[0];
        if (!waits && !in_loop(form)) {
            found.across_blocks += apart * ends * parts;
            found.within_block += apart * (1 - ends) * parts;
        } else if (is_read_too(forms, i)) {
            found.late_in_place += parts;
        } else {
            found.late += parts;
        }
    }
    return found;
}
