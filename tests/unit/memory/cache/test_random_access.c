/* Random accesses, compared with a simulated LRU cache. */
#include "random_access.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 20261121, LINE = 128, SECTOR = 32, MOST_LINES = 4096 };

static uint64_t below(struct fw_random *random, uint64_t end)
{
    return fw_random_next(random) % end;
}

/* The hit share of `draws` random lines of `lines` in a cache of `held` lines, each valid by the
 * sector; `streamed` other lines pass between two draws. */
static double simulated(unsigned draws, unsigned lines, unsigned held, unsigned streamed, bool warm)
{
    static uint64_t used[MOST_LINES]; /* time of the last use, from 1; 0: not in the cache */
    static bool valid[MOST_LINES][LINE / SECTOR];
    static unsigned
        order[1 << 19]; /* by time: the line that was used; `lines` for a streamed one */
    struct fw_random random = {SEED};
    uint64_t now = 0, oldest = 0;
    unsigned there = 0, hits = 0, rounds = warm ? 2 : 1;
    memset(used, 0, sizeof(used));
    memset(valid, 0, sizeof(valid));
    for (unsigned i = 0; i < rounds * draws; i++) {
        if (i == draws) /* an identical launch */
            random.state = SEED;
        unsigned line = (unsigned)below(&random, lines), sector = (unsigned)below(&random, 4);
        bool hit = used[line] && valid[line][sector];
        hits += hit && i >= (rounds - 1) * draws;
        if (!used[line]) {
            memset(valid[line], 0, sizeof(valid[line]));
            there++;
        }
        valid[line][sector] = true;
        used[line] = ++now;
        order[now] = line;
        for (unsigned s = 0; s < streamed; s++) {
            order[++now] = lines;
            there++;
        }
        while (there > held) {
            unsigned old = order[++oldest];
            if (old == lines) {
                there--;
            } else if (used[old] == oldest) {
                used[old] = 0;
                there--;
            }
        }
    }
    return (double)hits / draws;
}

static void hits_are_those_of_a_cache(void **state)
{
    static const struct {
        unsigned draws, lines, held, streamed;
        bool warm;
    } cases[] = {{50000, 1000, 4000, 0, false}, {500, 1000, 4000, 0, false},
                 {2000, 1000, 4000, 0, true},   {50000, 4000, 1000, 0, false},
                 {50000, 4000, 3000, 0, true},  {50000, 2000, 1500, 1, false},
                 {50000, 2000, 1500, 3, true},  {300, 4000, 1000, 0, false}};
    (void)state;
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        double wanted = simulated(cases[c].draws, cases[c].lines, cases[c].held, cases[c].streamed,
                                  cases[c].warm);
        double got = fw_random_hit_share(cases[c].draws, (double)cases[c].lines * LINE, SECTOR,
                                         LINE, (double)cases[c].held * LINE,
                                         (double)cases[c].streamed * LINE, cases[c].warm);
        print_message("seed %d, case %zu: a cache %.4f, expected %.4f\n", SEED, c, wanted, got);
        assert_true(fabs(wanted - got) < 0.03);
    }
}

static void nothing_is_found_where_nothing_fits(void **state)
{
    (void)state;
    assert_true(fw_random_hit_share(1e6, 1e12, SECTOR, LINE, 1e6, 0, true) < 1e-5);
    assert_true(fw_random_hit_share(1e6, 1e5, SECTOR, LINE, 1e6, 0, true) > 0.99999);
    assert_true(fw_random_hit_share(0, 1e5, SECTOR, LINE, 1e6, 0, true) == 0);
    assert_true(fw_random_hit_share(10, 4, SECTOR, LINE, 1e6, 0, false) > 0.85);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hits_are_those_of_a_cache),
                                       cmocka_unit_test(nothing_is_found_where_nothing_fits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
