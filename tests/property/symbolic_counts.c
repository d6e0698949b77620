/* Symbolic counts against numeric ones: for every example kernel's small launch, each domain's sum
 * of products of counts, evaluated at the launch's arguments, is the number that counting the bound
 * launch gives; and again with the grid's sizes as parameters.  And formulas against what they
 * simplify: at random points that the assumptions allow, every row's formula has the value of its
 * domains' sum, and so has its text in isl's syntax, read again.
 *
 * usage: symbolic-counts ROOT [KERNEL [SEED]] */
#include "subject.h"

#include "random.h"
#include "symbolic.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 60 };

struct totals {
    unsigned compared, none, wrong;
    unsigned formulas, budget, without_isl;
};

static void bind(struct subject *s, const json_t *launch)
{
    const char *name;
    json_t *value;
    s->launch = fw_launch_new(s->arena, s->kernel);
    for (size_t d = 0; d < 3; d++) {
        s->launch->grid[d] =
            (uint32_t)json_integer_value(json_array_get(json_object_get(launch, "grid"), d));
        s->launch->block[d] =
            (uint32_t)json_integer_value(json_array_get(json_object_get(launch, "block"), d));
    }
    s->launch->shared = (uint64_t)json_integer_value(json_object_get(launch, "shared"));
    json_object_foreach(json_object_get(launch, "arguments"), name, value)
    {
        uint32_t p = fw_kernel_parameter(s->kernel, name);
        if (p == FW_NONE)
            continue;
        s->launch->integers[p] = json_integer_value(value);
        s->launch->floats[p] = json_number_value(value);
        s->launch->is_bound[p] = true;
    }
}

/* The value of a count's parameter: an argument's, or the grid's. */
static int64_t value_of(const struct subject *s, const uint32_t *grid, const char *name)
{
    if (strncmp(name, "gridDim_", 8) == 0)
        return grid[name[8] - 'x'];
    uint32_t p = fw_kernel_parameter(s->kernel, name);
    return p == FW_NONE ? 0 : s->launch->integers[p];
}

/* The value of a minimum that counts are about: "minimum__0" and so on. */
static int64_t minimum_at(struct fw_symbolic *symbolic, const char *name, const int64_t *values)
{
    int64_t value = 0;
    if (!fw_symbolic_value(&value, symbolic, name, values))
        return 0;
    return value;
}

/* The value of a sum of products at a point: `values` by name. */
static bool evaluate_products(mpz_t sum, struct fw_poly *poly, struct fw_symbolic *symbolic,
                              const struct fw_product *products, size_t count,
                              const char *const *names, size_t name_count, const int64_t *values)
{
    bool good = true;
    mpz_t product, factor;
    mpz_init(product);
    mpz_init(factor);
    mpz_set_ui(sum, 0);
    for (size_t i = 0; i < count; i++) {
        mpz_set_si(product, products[i].factor);
        for (uint32_t j = 0; j < products[i].count; j++) {
            const struct fw_count *one = products[i].counts[j];
            int64_t at[64];
            for (size_t p = 0; p < fw_count_parameter_count(one) && p < 64; p++) {
                size_t n = 0;
                while (n < name_count && strcmp(names[n], fw_count_parameter(one, p)) != 0)
                    n++;
                at[p] = n < name_count ? values[n]
                                       : minimum_at(symbolic, fw_count_parameter(one, p), values);
            }
            good = good && fw_count_evaluate(factor, one, poly, at) == FW_OK;
            mpz_mul(product, product, factor);
        }
        mpz_add(sum, sum, product);
    }
    mpz_clear(product);
    mpz_clear(factor);
    return good;
}

/* A point that the assumptions allow: small numbers, and near multiples of powers of two. */
static int64_t random_value(struct fw_random *random, int64_t least)
{
    int64_t value = fw_random_between(random, 0, 24);
    int64_t kind = fw_random_between(random, 0, 3);
    if (kind == 1)
        value = fw_random_between(random, 0, 5000);
    else if (kind > 1)
        value = ((int64_t)1 << fw_random_between(random, 2, 13)) * fw_random_between(random, 1, 5) +
                fw_random_between(random, -2, 2);
    return value < least ? least : value;
}

/* One row: its formula and its text in isl's syntax against the domains' sums. */
static void compare_row(struct fw_symbolic *symbolic, struct fw_poly *poly,
                        const struct fw_tally_row *row, struct fw_random *random,
                        struct fw_arena *arena, struct totals *totals, const char *kernel)
{
    size_t name_count;
    const char *const *names = fw_symbolic_names(symbolic, &name_count);
    const struct fw_formula *formula = fw_symbolic_formula(symbolic, row);
    struct fw_formulas *formulas = fw_symbolic_formulas(symbolic);
    struct fw_symbolic_text text = fw_symbolic_row(symbolic, row, arena);
    struct fw_count *again = NULL;
    mpz_t sum, part, value, read;
    if (!formula) {
        totals->budget += text.reason == FW_SYMBOLIC_BUDGET;
        return;
    }
    totals->formulas++;
    totals->without_isl += !text.isl;
    if (text.isl) {
        struct fw_source source = {"formula", text.isl, strlen(text.isl)};
        if (fw_count_read_sum(&again, poly, &source, NULL, NULL) != FW_OK) {
            totals->wrong++;
            printf("WRONG %s: isl does not read %s\n", kernel, text.isl);
        }
    }
    mpz_inits(sum, part, value, read, NULL);
    for (int i = 0; i < POINTS; i++) {
        int64_t values[64];
        for (size_t n = 0; n < name_count; n++)
            values[n] = random_value(random, strncmp(names[n], "gridDim_", 8) == 0);
        mpz_set_ui(sum, 0);
        bool good = true;
        for (uint32_t t = 0; t < row->term_count; t++) {
            size_t count;
            const struct fw_product *products =
                fw_symbolic_products(symbolic, row->domains[t], &count);
            good = good && evaluate_products(part, poly, symbolic, products, count, names,
                                             name_count, values);
            mpz_addmul_ui(sum, part, row->times[t]);
        }
        const struct fw_product again_product = {1, (const struct fw_count *const *)&again, 1};
        good = good && fw_formula_evaluate(value, formula, formulas, values) == FW_OK;
        if (good && again)
            good = evaluate_products(read, poly, symbolic, &again_product, 1, names, name_count,
                                     values);
        if (good && mpz_cmp(sum, value) == 0 && (!again || mpz_cmp(sum, read) == 0))
            continue;
        totals->wrong++;
        gmp_printf("WRONG %s: sum %Zd, formula %Zd, isl's text %Zd at", kernel, sum, value, read);
        for (size_t n = 0; n < name_count; n++)
            printf(" %s=%lld", names[n], (long long)values[n]);
        printf("\n  %s\n  %s\n", text.formula ? text.formula : "", text.isl ? text.isl : "");
        break;
    }
    fw_count_free(again);
    mpz_clears(sum, part, value, read, NULL);
}

static void compare_rows(struct subject *s, struct fw_symbolic *symbolic, struct fw_poly *poly,
                         struct fw_random *random, struct totals *totals, const char *kernel)
{
    struct fw_tally *tally = fw_tally_new(s->kernel);
    for (uint32_t r = 0; tally && r < tally->operation_count; r++)
        compare_row(symbolic, poly, &tally->operations[r], random, s->arena, totals, kernel);
    for (uint32_t r = 0; tally && r < tally->access_count; r++)
        compare_row(symbolic, poly, &tally->accesses[r], random, s->arena, totals, kernel);
    if (tally)
        compare_row(symbolic, poly, &tally->total, random, s->arena, totals, kernel);
    fw_tally_free(tally);
}

static void compare(struct subject *s, struct fw_poly *poly, bool open_grid,
                    struct fw_random *random, struct totals *totals, const char *kernel)
{
    uint32_t grid[3];
    mpz_t value;
    mpz_init(value);
    memcpy(grid, s->launch->grid, sizeof(grid));
    for (int d = 0; d < 3 && open_grid; d++)
        s->launch->grid[d] = grid[d] > 1 ? 0 : 1;
    struct fw_symbolic *symbolic = NULL;
    fw_symbolic_new(&symbolic, s->kernel, s->launch, poly, NULL, NULL);
    for (uint32_t d = 0; symbolic && d < s->kernel->domain_count; d++) {
        size_t name_count, count;
        const char *const *names = fw_symbolic_names(symbolic, &name_count);
        const struct fw_product *products = fw_symbolic_products(symbolic, d, &count);
        const struct fw_total *total = fw_bound_count(s->bound, d);
        if (!products || !total->exact) {
            totals->none++;
            continue;
        }
        int64_t values[64];
        for (size_t n = 0; n < name_count && n < 64; n++)
            values[n] = value_of(s, grid, names[n]);
        totals->compared++;
        if (!evaluate_products(value, poly, symbolic, products, count, names, name_count, values) ||
            mpz_cmp(value, total->value)) {
            totals->wrong++;
            gmp_printf("WRONG %s domain %u%s: symbolic %Zd, numeric %Zd\n", kernel, d,
                       open_grid ? ", grid open" : "", value, total->value);
        }
    }
    if (symbolic)
        compare_rows(s, symbolic, poly, random, totals, kernel);
    fw_symbolic_free(symbolic);
    memcpy(s->launch->grid, grid, sizeof(grid));
    mpz_clear(value);
}

int main(int argc, char **argv)
{
    struct totals totals = {0};
    char path[1024];
    if (argc < 2)
        return 2;
    struct fw_random random = {argc > 3 ? strtoull(argv[3], NULL, 0) : 20261121};
    printf("seed %llu\n", (unsigned long long)random.state);
    snprintf(path, sizeof(path), "%s/kernels/launches.json", argv[1]);
    json_t *launches = json_load_file(path, 0, NULL);
    for (size_t i = 0; i < json_array_size(launches); i++) {
        const json_t *launch = json_array_get(launches, i);
        const char *file = json_string_value(json_object_get(launch, "file"));
        const char *kernel = json_string_value(json_object_get(launch, "kernel"));
        if (strcmp(json_string_value(json_object_get(launch, "size")), "small") != 0 ||
            (argc > 2 && strcmp(kernel, argv[2]) != 0))
            continue;
        struct subject s = {.arena = fw_arena_new(0)};
        char *base = fw_arena_printf(s.arena, "%s", file);
        *strrchr(base, '.') = '\0';
        const char *ptx = fw_arena_printf(s.arena, "%s/tests/golden/kernels/%s.ptx", argv[1], base);
        if (subject_build(&s, ptx, fw_arena_printf(s.arena, "%s/kernels/%s", argv[1], file),
                          kernel)) {
            struct fw_poly *poly = fw_poly_new();
            bind(&s, launch);
            s.bound = fw_bound_new(s.kernel);
            if (fw_bound_set(s.bound, s.launch) == FW_OK) {
                compare(&s, poly, false, &random, &totals, kernel);
                compare(&s, poly, true, &random, &totals, kernel);
            }
            fw_bound_free(s.bound);
            fw_poly_free(poly);
        } else {
            totals.wrong++;
        }
        fw_arena_free(s.arena);
    }
    json_decref(launches);
    printf("%u domains without a symbolic count (loaded data, products of arguments)\n",
           totals.none);
    printf("%u formulas compared at %d points each; %u without isl's text; %u past the budget\n",
           totals.formulas, POINTS, totals.without_isl, totals.budget);
    printf("%u passed, %u failed\n", totals.compared - totals.wrong, totals.wrong);
    return totals.wrong || !totals.compared;
}
