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

/* Hits of random lines, `streamed` others passing now and then, where each line is as likely to be
 * replaced as any other. */
static double replaced(unsigned draws, unsigned lines, unsigned held, double streamed)
{
    static unsigned place[MOST_LINES], held_line[MOST_LINES]; /* place: from 1; 0: not there */
    static bool valid[MOST_LINES][LINE / SECTOR];
    struct fw_random random = {SEED};
    unsigned hits = 0;
    double passed = 0;
    memset(place, 0, sizeof(place));
    for (unsigned p = 0; p < held; p++)
        held_line[p] = lines;
    for (unsigned i = 0; i < draws; i++) {
        unsigned line = (unsigned)below(&random, lines), sector = (unsigned)below(&random, 4);
        hits += place[line] && valid[line][sector] && i >= draws / 2;
        for (passed += streamed + !place[line]; passed >= 1; passed--) {
            unsigned at = (unsigned)below(&random, held), old = held_line[at];
            bool own = !place[line] && passed < 2;
            if (old != lines)
                place[old] = 0;
            held_line[at] = own ? line : lines;
            if (own) {
                memset(valid[line], 0, sizeof(valid[line]));
                place[line] = at + 1;
            }
        }
        valid[line][sector] = true;
    }
    return hits / (draws / 2.0);
}

static void l2_replaces_at_random(void **state)
{
    static const struct {
        unsigned lines, held;
        double streamed;
    } cases[] = {{4000, 1000, 0}, {3000, 2000, 0}, {2000, 2500, 0.0625}, {1000, 1300, 0.5}};
    /* Bytes of fetches per load of data/h200/sectors from 64, 128 and 256 MiB, l2_effective of L2.
     */
    static const double measured[][2] = {{64, 38.05}, {128, 52.59}, {256, 58.64}};
    (void)state;
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        double wanted = replaced(400000, cases[c].lines, cases[c].held, cases[c].streamed);
        double got =
            fw_random_l2_hit_share(1e9, (double)cases[c].lines * LINE, SECTOR, LINE,
                                   (double)cases[c].held * LINE, cases[c].streamed * LINE, true);
        print_message("random replacement, case %zu: %.4f, expected %.4f\n", c, wanted, got);
        assert_true(fabs(wanted - got) < 0.01);
    }
    for (size_t m = 0; m < sizeof(measured) / sizeof(measured[0]); m++) {
        double misses = 1 - fw_random_l2_hit_share(1e9, measured[m][0] * 1048576, 64, LINE,
                                                   0.674 * 62914560, 0, true);
        assert_true(fabs(misses * 64 / measured[m][1] - 1) < 0.1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hits_are_those_of_a_cache),
                                       cmocka_unit_test(nothing_is_found_where_nothing_fits),
                                       cmocka_unit_test(l2_replaces_at_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
