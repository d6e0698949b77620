/* Agendas against a list that is searched through: random times, many of them the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "agenda.h"
#include "random.h"

#include <cmocka.h>

enum { MOST = 70, STEPS = 20000, SEED = 20261123 };

static bool earlier(const struct ready *a, const struct ready *b)
{
    if (a->at < b->at || b->at < a->at)
        return a->at < b->at;
    return a->block != b->block ? a->block < b->block : a->group < b->group;
}

static uint32_t first_of(const struct ready *list, uint32_t count)
{
    uint32_t first = 0;
    for (uint32_t i = 1; i < count; i++)
        first = earlier(&list[i], &list[first]) ? i : first;
    return first;
}

static void the_earliest_comes_first(void **state)
{
    struct fw_random random = {SEED};
    struct ready heap[MOST + 1], list[MOST];
    struct agenda agenda;
    uint32_t count = 0, next = 0;
    (void)state;
    printf("seed %d\n", SEED);
    agenda_begin(&agenda, heap, MOST);
    for (int s = 0; s < STEPS; s++) {
        int64_t what = fw_random_between(&random, 0, 3);
        struct ready one = {(double)fw_random_between(&random, 0, 9), next / 3,
                            (uint16_t)(next % 3), 0};
        next++;
        if (count == 0 || (what == 0 && count < MOST)) {
            agenda_add(&agenda, one);
            list[count++] = one;
            continue;
        }
        uint32_t first = first_of(list, count);
        assert_int_equal(agenda.count, count);
        assert_true(agenda.at[0].block == list[first].block &&
                    agenda.at[0].group == list[first].group);
        if (what == 1) {
            agenda_drop_first(&agenda);
            list[first] = list[--count];
        } else {
            agenda_replace_first(&agenda, one);
            list[first] = one;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_earliest_comes_first)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
