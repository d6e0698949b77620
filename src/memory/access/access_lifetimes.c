#include "access_lifetimes.h"

#include "checked.h"
#include "min_max.h"

#include <math.h>

/* A loop that executes less than this share of all looped accesses is the remainder of an unrolled
 * loop. */
static const double min_loop_share = 0.1;

static double executions_of(const struct fw_affine_access *affine)
{
    double executions = affine->repeats;
    for (uint32_t l = 0; l < affine->loops; l++)
        executions *= (double)affine->trips[l];
    return executions;
}

/* Cuts the lifetime of each access in a loop to the loop's iterations that it covers: the first
 * iteration is often an access of its own. */
static void cut_to_iterations(struct fw_affine_accesses *accesses, struct fw_arena *arena,
                              uint32_t loops)
{
    int64_t *end = FW_ARRAY(arena, int64_t, loops + 1);
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_affine_access *affine = &accesses->at[i];
        if (affine->loops)
            end[affine->outer_loop] =
                fw_max(end[affine->outer_loop], fw_saturated_add(affine->start, affine->trips[0]));
    }
    for (uint32_t i = 0; i < accesses->count; i++) {
        struct fw_affine_access *affine = &accesses->at[i];
        double whole = affine->end - affine->begin;
        if (affine->loops == 0)
            continue;
        double all = (double)end[affine->outer_loop], start = (double)affine->start;
        affine->end = affine->begin + whole * ((start + (double)affine->trips[0]) / all);
        affine->begin += whole * (start / all);
    }
}

void fw_affine_set_lifetimes(struct fw_affine_accesses *accesses, struct fw_arena *arena,
                             uint32_t loops)
{
    double *parts = FW_ARRAY(arena, double, loops + 1), all = 0, before = 0, most = 0;
    for (uint32_t i = 0; i < accesses->count; i++)
        if (accesses->at[i].loops)
            all += executions_of(&accesses->at[i]);
    for (uint32_t i = 0; i < accesses->count; i++)
        if (accesses->at[i].loops)
            parts[accesses->at[i].outer_loop] += executions_of(&accesses->at[i]) / all;
    for (uint32_t r = 0; r < loops; r++)
        most += parts[r] > min_loop_share ? parts[r] : 0;
    for (uint32_t i = 0; i < accesses->count; i++) {
        struct fw_affine_access *affine = &accesses->at[i];
        affine->begin = affine->loops ? 0 : (double)i / accesses->count;
        affine->end = affine->loops ? 1 : (double)(i + 1) / accesses->count;
    }
    for (uint32_t r = 0; r < loops; r++) {
        if (parts[r] <= min_loop_share)
            continue;
        for (uint32_t i = 0; i < accesses->count; i++)
            if (accesses->at[i].loops && accesses->at[i].outer_loop == r) {
                accesses->at[i].begin = before;
                accesses->at[i].end = fmin(1, before + parts[r] / most);
            }
        before += parts[r] / most;
    }
    cut_to_iterations(accesses, arena, loops);
}
