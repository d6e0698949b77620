/* Footprints of random accesses against enumeration: the union of the images of a domain.
 * FW_SEED and FW_ROUNDS choose others:  FW_ROUNDS=5000 build/tests/test-footprint-random */
#include <stdio.h> /* before gmp.h, which then declares gmp_fprintf */

#include "count.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LOOPS = 3, INDICES = 2, ACCESSES = 3, SPAN = 256, TEXT = 2048 };

struct access {
    int64_t constant[INDICES];
    int64_t factor[INDICES][LOOPS];
};

/* 0 <= i < n, 0 <= j < m (or j <= i), 0 <= k < 3 */
struct nest {
    int loops;
    bool triangle;
    int indices;
    int accesses;
    struct access access[ACCESSES];
};

static struct nest make_nest(struct fw_random *random)
{
    static const int64_t factors[] = {0, 0, 1, 1, 1, 2, 2, 3, 4, -1, -2};
    struct nest nest = {.loops = (int)fw_random_between(random, 1, LOOPS),
                        .triangle = fw_random_between(random, 0, 3) == 0,
                        .indices = (int)fw_random_between(random, 1, INDICES),
                        .accesses = (int)fw_random_between(random, 1, ACCESSES)};
    for (int a = 0; a < nest.accesses; a++)
        for (int x = 0; x < nest.indices; x++) {
            nest.access[a].constant[x] = fw_random_between(random, -2, 2);
            for (int l = 0; l < nest.loops; l++)
                nest.access[a].factor[x][l] = factors[fw_random_between(random, 0, 10)];
        }
    return nest;
}

static const char *const loop_names[LOOPS] = {"i", "j", "k"};

static void write_domain(char *text, const struct nest *nest)
{
    snprintf(text, TEXT, "[n, m] -> { [%s] : 0 <= i < n%s%s }",
             nest->loops == 1   ? "i"
             : nest->loops == 2 ? "i, j"
                                : "i, j, k",
             nest->loops < 2  ? ""
             : nest->triangle ? " and 0 <= j <= i"
                              : " and 0 <= j < m",
             nest->loops < 3 ? "" : " and 0 <= k < 3");
}

static void write_access(char *text, const struct nest *nest, const struct access *access)
{
    size_t used = (size_t)snprintf(text, TEXT, "{ [%s] -> [",
                                   nest->loops == 1   ? "i"
                                   : nest->loops == 2 ? "i, j"
                                                      : "i, j, k");
    for (int x = 0; x < nest->indices; x++) {
        used += (size_t)snprintf(text + used, TEXT - used, "%s%lld", x ? ", " : "",
                                 (long long)access->constant[x]);
        for (int l = 0; l < nest->loops; l++)
            used += (size_t)snprintf(text + used, TEXT - used, " + %lld %s",
                                     (long long)access->factor[x][l], loop_names[l]);
    }
    snprintf(text + used, TEXT - used, "] }");
}

/* Marks what one iteration touches; how much was new. */
static uint64_t touch(const struct nest *nest, const int64_t *point, unsigned char *seen)
{
    uint64_t fresh = 0;
    for (int a = 0; a < nest->accesses; a++) {
        int64_t index[INDICES] = {0};
        for (int x = 0; x < nest->indices; x++) {
            index[x] = nest->access[a].constant[x];
            for (int l = 0; l < nest->loops; l++)
                index[x] += nest->access[a].factor[x][l] * point[l];
        }
        unsigned char *place = &seen[(index[0] + SPAN / 2) * SPAN + index[1] + SPAN / 2];
        fresh += !*place;
        *place = 1;
    }
    return fresh;
}

static uint64_t enumerate(const struct nest *nest, int64_t n, int64_t m)
{
    static unsigned char seen[SPAN * SPAN];
    uint64_t sum = 0;
    memset(seen, 0, sizeof(seen));
    for (int64_t i = 0; i < n; i++) {
        int64_t end = nest->loops < 2 ? 1 : nest->triangle ? i + 1 : m;
        for (int64_t j = 0; j < end; j++)
            for (int64_t k = 0; k < (nest->loops < 3 ? 1 : 3); k++)
                sum += touch(nest, (int64_t[]){i, j, k}, seen);
    }
    return sum;
}

static struct fw_count *count_footprint(struct fw_poly *poly, const struct nest *nest, char *told)
{
    char text[TEXT];
    struct fw_set *domain = NULL;
    struct fw_set *all = NULL;
    struct fw_count *count = NULL;
    write_domain(text, nest);
    snprintf(told, TEXT, "%s", text);
    struct fw_source source = {"domain", text, strlen(text)};
    assert_int_equal(fw_set_read(&domain, poly, &source, NULL), FW_OK);
    for (int a = 0; a < nest->accesses; a++) {
        struct fw_set *image = NULL;
        struct fw_set *both = NULL;
        write_access(text, nest, &nest->access[a]);
        snprintf(told + strlen(told), TEXT - strlen(told), "\n%s", text);
        struct fw_source relation = {"access", text, strlen(text)};
        assert_int_equal(fw_set_image(&image, domain, &relation, NULL), FW_OK);
        if (all) {
            assert_int_equal(fw_set_unite(&both, all, image, NULL), FW_OK);
            fw_set_free(all);
            fw_set_free(image);
            image = both;
        }
        all = image;
    }
    enum fw_status status = fw_set_count(&count, all, NULL, NULL);
    if (status != FW_OK)
        fprintf(stderr, "%s\nstatus %d\n", told, (int)status);
    fw_set_free(domain);
    fw_set_free(all);
    return count;
}

static void random_footprints_agree_with_enumeration(void **state)
{
    (void)state;
    const char *given_seed = getenv("FW_SEED");
    const char *given_rounds = getenv("FW_ROUNDS");
    uint64_t seed = given_seed ? strtoull(given_seed, NULL, 0) : 1861;
    int rounds = given_rounds ? atoi(given_rounds) : 300;
    int kept = 0;
    struct fw_random random = {seed};
    struct fw_poly *poly = fw_poly_new();
    mpz_t result;
    mpz_init(result);
    printf("seed %llu\n", (unsigned long long)seed);
    for (int round = 0; round < rounds; round++) {
        char told[TEXT];
        struct nest nest = make_nest(&random);
        struct fw_count *count = count_footprint(poly, &nest, told);
        assert_non_null(count);
        kept += !fw_count_is_symbolic(count);
        for (int point = 0; point < 8; point++) {
            int64_t values[2] = {fw_random_between(&random, -1, 9),
                                 fw_random_between(&random, -1, 9)};
            uint64_t expected = enumerate(&nest, values[0], values[1]);
            enum fw_status status = fw_count_evaluate(result, count, poly, values);
            if (status == FW_OK && mpz_cmp_ui(result, expected) == 0)
                continue;
            gmp_fprintf(stderr, "%s\nn = %lld, m = %lld: %Zd (status %d) instead of %llu\n", told,
                        (long long)values[0], (long long)values[1], result, (int)status,
                        (unsigned long long)expected);
            fail();
        }
        fw_count_free(count);
    }
    printf("%d footprints, %d counted at each point\n", rounds, kept);
    mpz_clear(result);
    fw_poly_free(poly);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_footprints_agree_with_enumeration)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
