#include "atomic_words.h"

#include "address_range.h"
#include "domain_point.h"
#include "quotient.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>

enum { TRIES = 2048, SAMPLES = 512, LEAST_SAMPLES = 64, MOST_LOOPS = 64, MOST_BITS = 12 };

/* A random thread, at iterations of any order of magnitude. */
static void draw(struct fw_point *point, int64_t *iterations, struct fw_random *random,
                 const struct fw_launch *launch, uint32_t loops)
{
    for (uint32_t d = 0; d < 3; d++) {
        point->block[d] = (uint32_t)fw_random_between(random, 0, launch->grid[d] - 1);
        point->thread[d] = (uint32_t)fw_random_between(random, 0, launch->block[d] - 1);
    }
    for (uint32_t l = 0; l < loops; l++) {
        int64_t bits = fw_random_between(random, 0, MOST_BITS);
        iterations[l] = fw_random_between(random, 0, ((int64_t)1 << bits) - 1);
    }
    point->iterations = iterations;
}

static int by_number(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The n for which `samples` draws among n words have `distinct` different ones in the mean:
 * distinct = n (1 - exp(-samples / n)). */
static double words_of(double samples, double distinct)
{
    double low = distinct, high = samples * samples;
    if (distinct > samples - 2)
        return HUGE_VAL;
    for (int step = 0; step < 60; step++) {
        double n = sqrt(low * high);
        *(n * -expm1(-samples / n) < distinct ? &low : &high) = n;
    }
    return low;
}

double fw_atomic_words(struct fw_bound *bound, const struct fw_kernel *kernel,
                       const struct fw_launch *launch, const uint32_t *accesses, uint32_t count,
                       uint32_t word)
{
    struct fw_random random = {1};
    struct fw_point point;
    int64_t iterations[MOST_LOOPS], at[SAMPLES];
    uint32_t samples = 0, distinct = 0;
    if (kernel->loop_count > MOST_LOOPS || count == 0 || word == 0)
        return 0;
    for (uint32_t t = 0; t < TRIES && samples < SAMPLES; t++) {
        const struct fw_access *access = &kernel->accesses[accesses[t % count]];
        draw(&point, iterations, &random, launch, kernel->loop_count);
        if (!fw_point_in_domain(kernel, bound, access->domain, &point))
            continue;
        if (!fw_bound_evaluate(bound, access->offset, &point, &at[samples]) ||
            !fw_is_address(at[samples]))
            return 0;
        at[samples] = fw_floor_quotient(at[samples], word);
        samples++;
    }
    if (samples < LEAST_SAMPLES)
        return 0;
    qsort(at, samples, sizeof(*at), by_number);
    for (uint32_t s = 0; s < samples; s++)
        distinct += s == 0 || at[s] != at[s - 1];
    return words_of(samples, distinct);
}
