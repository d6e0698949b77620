/* Random wait: the last of the lines that a warp's lanes draw, against draws one by one. */
#include "random_wait.h"

#include "random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct fw_level_latencies latency = {40, 260, 670, 90};

static double uniform(struct fw_random *random)
{
    enum { STEPS = 1 << 20 };
    return ((double)fw_random_between(random, 0, STEPS - 1) + 0.5) / STEPS;
}

/* The mean of what the last line of a request takes.  A request to device memory that is alone
 * takes its latency, of several each is later by chance. */
static double drawn_wait(struct fw_random *random, const struct fw_random_hits *hits)
{
    enum { REQUESTS = 20000 };
    double sum = 0;
    for (int r = 0; r < REQUESTS; r++) {
        double last = 0;
        for (int l = 0; l < (int)hits->lines; l++) {
            double one = latency.l1;
            if (uniform(random) > hits->l1)
                one = uniform(random) <= hits->l2
                          ? latency.l2
                          : latency.dram - latency.spread * (1 + log(uniform(random)));
            last = fmax(last, one);
        }
        sum += last / REQUESTS;
    }
    return sum;
}

static void a_warp_waits_for_its_last_line(void **state)
{
    (void)state;
    struct fw_random random = {.state = 19};
    const double lines[] = {1, 2, 8, 32}, shares[] = {0, 0.25, 0.75, 0.95};
    for (int l = 0; l < 4; l++)
        for (int one = 0; one < 4; one++)
            for (int two = 0; two < 4; two++) {
                struct fw_random_hits hits = {
                    .drawn = true, .l1 = shares[one], .l2 = shares[two], .lines = lines[l]};
                double drawn = drawn_wait(&random, &hits), wait = fw_random_wait(&hits, &latency);
                print_message("%g lines, %g in L1, %g in L2: %.0f, drawn %.0f\n", lines[l],
                              shares[one], shares[two], wait, drawn);
                assert_true(fabs(wait / drawn - 1) < 0.06);
            }
}

/* Of 32 lines of which three in four are in L2, one is in device memory nearly always. */
static void few_misses_are_waited_for(void **state)
{
    (void)state;
    struct fw_random_hits hits = {.drawn = true, .l2 = 0.75, .lines = 32};
    assert_true(fw_random_wait(&hits, &latency) > latency.dram);
    hits.lines = 1;
    assert_true(fabs(fw_random_wait(&hits, &latency) - (0.75 * 260 + 0.25 * 670)) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_warp_waits_for_its_last_line),
                                       cmocka_unit_test(few_misses_are_waited_for)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
