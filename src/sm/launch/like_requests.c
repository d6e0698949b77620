/* Requests of accesses that are another one but for where they begin, as the hundreds of loads of
 * an unrolled kernel are: no more than FW_MOST_SAMPLED accesses are sampled. */
#include "access_costs_internal.h"

#include <string.h>

/* Shifts of an access by so many bytes change neither its sectors, its lines nor its banks. */
enum { PERIOD = 256 };

/* The affine form that is all of an access; NULL: it has another, or none. */
static const struct fw_affine_access *form_of(const struct costing *c, uint32_t index)
{
    const struct fw_kernel_accesses *accesses = &c->work->volumes.accesses;
    const struct fw_access_affine *of = &accesses->by_access[index];
    return of->complete && of->count == 1 ? &accesses->affine.at[of->first] : NULL;
}

static bool are_like(const struct costing *c, uint32_t one, uint32_t other)
{
    const struct fw_access *accesses = c->work->question->kernel->accesses;
    const struct fw_access *x = &accesses[one], *y = &accesses[other];
    const struct fw_affine_access *a = form_of(c, one), *b = form_of(c, other);
    return a && b && x->domain == y->domain && x->space == y->space &&
           x->direction == y->direction && x->bytes == y->bytes && a->loops == b->loops &&
           !a->floor_count && !b->floor_count && !a->tiles && !b->tiles &&
           memcmp(a->thread_stride, b->thread_stride, sizeof(a->thread_stride)) == 0 &&
           memcmp(a->block_stride, b->block_stride, sizeof(a->block_stride)) == 0 &&
           memcmp(a->loop_stride, b->loop_stride, a->loops * sizeof(a->loop_stride[0])) == 0;
}

static bool begin_alike(const struct costing *c, uint32_t one, uint32_t other)
{
    return (form_of(c, one)->base - form_of(c, other)->base) % PERIOD == 0;
}

/* Lines of a request at most, for its misses to be one wait: data of lanes on rows of their own are
 * processed as they come (data/h200/near/README.md). */
static const double FEW_LINES = 4;

/* Whether consecutive iterations of the innermost loop walk through a sector, so that a load, or
 * one of those that share the walk, comes to a new one at every so many of them.  What other loops
 * find again is missed at other times. */
static bool walks_through_sectors(const struct costing *c, uint32_t index)
{
    static const double alike = 0.05;
    const struct fw_affine_access *form = form_of(c, index);
    if (!form || !form->loops || form->repeats > 1)
        return false;
    const double step = fabs((double)form->loop_stride[form->loops - 1]) / c->sector;
    const double loads = step / fmax(c->l1[index].comes, 1 / c->sector);
    return step > 0 && step < 1 && loads > 1 - alike && fabs(loads - round(loads)) <= alike * loads;
}

bool costing_walk_in_step(const struct costing *c, uint32_t one, uint32_t other)
{
    const struct l1_misses *a = &c->l1[one], *b = &c->l1[other];
    return costing_is_affine_load(c, one) && costing_is_affine_load(c, other) &&
           are_like(c, one, other) && a->comes == b->comes && a->share == b->share &&
           walks_through_sectors(c, one) && c->requests[one].lines <= FEW_LINES &&
           (form_of(c, one)->base - form_of(c, other)->base) % (int64_t)c->sector == 0;
}

bool costing_find_like(const struct costing *c, uint32_t index, bool exactly)
{
    const uint32_t count = c->work->question->kernel->access_count;
    uint32_t found = count;
    for (uint32_t a = 0; a < count && !(found < count && begin_alike(c, found, index)); a++)
        if (a != index && c->requests[a].known && are_like(c, a, index) &&
            (begin_alike(c, a, index) || (!exactly && found == count)))
            found = a;
    if (found < count)
        c->requests[index] = c->requests[found];
    return found < count;
}
