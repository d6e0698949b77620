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
    struct ready memory[2 * MOST], list[MOST];
    struct agenda agenda = {.at = memory, .room = 2 * MOST};
    uint32_t count = 0, next = 0;
    (void)state;
    printf("seed %d\n", SEED);
    for (int s = 0; s < STEPS; s++) {
        struct ready one = {
            (double)fw_random_between(&random, 0, 9), next++ * 7919 % 20011, 0, 0, 0, 0};
        uint32_t groups = (uint32_t)fw_random_between(&random, 1, 3);
        assert_int_equal(agenda.count, count);
        if (count == 0 || (count + groups < MOST && fw_random_between(&random, 0, 2) == 0)) {
            agenda_add(&agenda, one, groups);
            for (; groups--; one.group++)
                list[count++] = one;
            continue;
        }
        uint32_t first = first_of(list, count);
        one = agenda_take(&agenda);
        assert_true(one.block == list[first].block && one.group == list[first].group);
        list[first] = list[--count];
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_earliest_comes_first)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
