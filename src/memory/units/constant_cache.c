#include "constant_cache.h"

#include "local_memory.h"
#include "memory_sizes.h"
#include "sampled_warps.h"
#include "warp.h"

#include <string.h>

static bool is_of_thread(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    (void)user;
    (void)atom;
    return node->kind == FW_ATOM_LAUNCH && ((node->a >= FW_THREAD_X && node->a <= FW_THREAD_Z) ||
                                            node->a == FW_LANE || node->a == FW_WARP);
}

bool fw_constant_is_apart(const struct fw_kernel *kernel, const struct fw_access *access)
{
    if (access->space != FW_SPACE_CONST || access->array == FW_NONE)
        return false;
    return access->data_dependent ||
           fw_expression_any(&kernel->pool, access->offset, is_of_thread, NULL);
}

static bool is_moving(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    (void)user;
    (void)atom;
    return node->kind == FW_ATOM_LAUNCH || node->kind == FW_ATOM_ITERATION;
}

bool fw_constant_is_scalar(const struct fw_kernel *kernel, const struct fw_access *access)
{
    if (access->space != FW_SPACE_CONST || access->array == FW_NONE || access->vector > 2 ||
        fw_constant_is_apart(kernel, access) ||
        !fw_expression_any(&kernel->pool, access->offset, is_moving, NULL))
        return false;
    uint32_t loop = kernel->domains[access->domain].innermost;
    if (loop == FW_NONE || kernel->loops[loop].parent != FW_NONE ||
        (fw_type_class(access->type) == 'f' && fw_type_bytes(access->type) <= FW_WORD_BYTES))
        return false;
    const struct fw_loop *around = &kernel->loops[loop];
    return !around->data_dependent && around->trips != FW_NO_EXPRESSION &&
           !fw_expression_any(&kernel->pool, around->trips, is_of_thread, NULL);
}

static double scalar_loads(const struct fw_kernel *kernel, struct fw_bound *bound)
{
    double loads = 0;
    for (uint32_t a = 0; a < kernel->access_count; a++)
        if (fw_constant_is_scalar(kernel, &kernel->accesses[a]))
            loads += fw_bound_count_warps(bound, kernel->accesses[a].domain)->estimate;
    return loads;
}

typedef bool of_access(const struct fw_kernel *kernel, const struct fw_access *access);

/* The bytes of all arrays that such accesses walk; each counts once. */
static double bytes_of(const struct fw_kernel *kernel, struct fw_bound *bound, of_access *such)
{
    double bytes = 0;
    for (uint32_t i = 0; i < kernel->array_count; i++)
        for (uint32_t a = 0; a < kernel->access_count; a++)
            if (kernel->accesses[a].array == i && such(kernel, &kernel->accesses[a]) &&
                fw_bound_count(bound, kernel->accesses[a].domain)->estimate > 0) {
                bytes += (double)kernel->arrays[i].bytes;
                break;
            }
    return bytes;
}

void fw_constant_misses_find(struct fw_constant_misses *misses, const struct fw_kernel *kernel,
                             struct fw_bound *bound, const struct fw_launch *launch,
                             const struct fw_kernel_accesses *accesses, double cache)
{
    memset(misses, 0, sizeof(*misses));
    misses->scalar = scalar_loads(kernel, bound);
    misses->scalar_bytes = bytes_of(kernel, bound, fw_constant_is_scalar);
    misses->bytes = bytes_of(kernel, bound, fw_constant_is_apart);
    if (!(cache > 0) || misses->bytes <= cache)
        return;
    misses->miss_share = 1 - cache / misses->bytes;
    struct fw_sampling sampling = {.kernel = kernel,
                                   .bound = bound,
                                   .launch = launch,
                                   .sector = FW_SECTOR_BYTES,
                                   .line = FW_LINE_BYTES,
                                   .banks = FW_SHARED_BANKS,
                                   .width = FW_WORD_BYTES,
                                   .warp = FW_WARP_THREADS,
                                   .data = accesses->data,
                                   .memo = fw_sample_memo_new(fw_bound_arena(bound), NULL)};
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        const struct fw_access *access = &kernel->accesses[a];
        struct fw_sampled_warps means;
        if (!fw_constant_is_apart(kernel, access) || !fw_local_is_modelled(kernel, access))
            continue;
        fw_sample_warps(&means, &sampling, access, 0);
        double warps = fw_bound_count_warps(bound, access->domain)->estimate;
        misses->misses += means.known ? misses->miss_share * warps * means.sectors / means.warps
                                      : misses->miss_share * warps;
    }
}
