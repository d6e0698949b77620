/* Counts of brief launches: a piece that holds little of its domain is not worth an exact count.
 *
 * A domain of a kernel with bounds to check has a piece with nearly all of its points and dozens of
 * others: the first and last rows, columns and blocks.  Each takes as long to count as the first.
 * Where the ranges of its indices show that such a piece holds few points, half of what the ranges
 * hold stands for it: for all numbers of points from none to that many, each as likely as another,
 * the standard error is most / sqrt(12), and errors of pieces add as squares. */
#include "briefly.h"

#include <math.h>
#include <stdlib.h>

/* The standard error of a domain's points, by their number. */
#define NEGLIGIBLE 0.02

static int by_most(const void *a, const void *b)
{
    const double x = (*(struct brief_count *const *)a)->most;
    const double y = (*(struct brief_count *const *)b)->most;
    return (x > y) - (x < y);
}

/* Counts as estimated those that hold the least, as long as the error is negligible. */
static void choose(struct brief_count **counts, uint32_t count, double total)
{
    double squares = 0;
    qsort(counts, count, sizeof(*counts), by_most);
    for (uint32_t c = 0; c < count; c++) {
        const double most = counts[c]->most * counts[c]->weight;
        squares += most * most / 12;
        if (!(squares <= NEGLIGIBLE * NEGLIGIBLE * total * total))
            counts[c]->known = false;
    }
}

void bound_drop_empty_briefly(struct fw_bound *bound, struct fw_piece_list *pieces)
{
    enum { FEW = 6 };
    uint32_t kept = 0;
    if (!bound->launch->brief || pieces->count < FEW)
        return;
    fw_counter_neglect(bound->counter, (double)INFINITY);
    for (uint32_t p = 0; p < pieces->count; p++) {
        bool counted = bound_count_piece(bound, pieces->at[p], bound->part) == FW_OK;
        if (!counted || mpz_sgn(bound->part) || fw_counter_neglected(bound->counter) > 0)
            pieces->at[kept++] = pieces->at[p];
    }
    fw_counter_neglect(bound->counter, 0);
    pieces->count = kept;
}

struct brief_count *bound_count_briefly(struct fw_bound *bound, const struct fw_piece_list *pieces,
                                        brief_counter *counter)
{
    enum { FEW = 3 };
    double total = 0;
    if (!bound->launch->brief || pieces->count < FEW)
        return NULL;
    struct brief_count *counts = FW_ARRAY(bound->scratch, struct brief_count, pieces->count);
    struct brief_count **all = FW_ARRAY(bound->scratch, struct brief_count *, pieces->count);
    fw_counter_neglect(bound->counter, (double)INFINITY);
    for (uint32_t p = 0; p < pieces->count; p++) {
        const struct fw_piece *piece = pieces->at[p];
        struct brief_count *count = all[p] = &counts[p];
        count->weight = piece->weight;
        if (piece->sampled_count || counter(bound, piece, bound->part) != FW_OK)
            continue;
        count->known = true;
        count->points = mpz_get_d(bound->part);
        count->most = fw_counter_neglected(bound->counter);
        total += count->weight * count->points;
    }
    fw_counter_neglect(bound->counter, 0);
    choose(all, pieces->count, total);
    return counts;
}
