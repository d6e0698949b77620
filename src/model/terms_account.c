/* The account of a time by the terms of a prediction. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

#define EDGES "start_and_end"
#define REST  "not_in_terms"

struct accounting {
    struct fw_account_row *rows;
    size_t count;
    double whole, left; /* seconds */
};

/* Takes at most so many seconds of what is left. */
static void take(struct accounting *accounting, const char *name, const char *kind,
                 const char *meaning, double seconds)
{
    seconds = seconds < accounting->left ? seconds : accounting->left;
    if (!(seconds > 0))
        return;
    accounting->left -= seconds;
    accounting->rows[accounting->count++] =
        (struct fw_account_row){.name = name,
                                .stall = kind,
                                .meaning = meaning,
                                .seconds = seconds,
                                .share = seconds / accounting->whole};
}

static int longest_first(const void *a, const void *b)
{
    const struct fw_account_row *x = a, *y = b;
    return (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

void fw_model_account(struct fw_prediction *prediction, struct fw_arena *arena)
{
    const struct fw_cost_row *terms = prediction->terms, *edges = NULL;
    size_t count = prediction->term_count, limiter = count;
    double others = 0;
    if (prediction->account_count || !(prediction->seconds > 0))
        return;
    struct accounting accounting = {.rows = FW_ARRAY(arena, struct fw_account_row, count + 2),
                                    .whole = prediction->seconds,
                                    .left = prediction->seconds};
    for (size_t t = 0; t < count; t++) {
        if (strcmp(terms[t].name, EDGES) == 0)
            edges = &terms[t];
        else if (limiter == count)
            limiter = t; /* the slowest of the others */
        else
            others += terms[t].seconds;
    }
    if (edges)
        take(&accounting, EDGES, "start_and_end", edges->meaning, edges->seconds);
    if (limiter < count)
        take(&accounting, terms[limiter].name, "bottleneck", terms[limiter].meaning,
             terms[limiter].seconds);
    const double beyond = accounting.left;
    for (size_t t = limiter + 1; t < count; t++)
        if (&terms[t] != edges && others > 0)
            take(&accounting, terms[t].name, "not_overlapped", terms[t].meaning,
                 terms[t].seconds / others * (beyond < others ? beyond : others));
    if (accounting.left > 1e-9 * accounting.whole)
        take(&accounting, REST, REST, "what the model adds to its terms", accounting.left);
    qsort(accounting.rows, accounting.count, sizeof(*accounting.rows), longest_first);
    prediction->account = accounting.rows;
    prediction->account_count = accounting.count;
}
