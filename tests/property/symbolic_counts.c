/* Symbolic counts against numeric ones: for every example kernel's small launch, each domain's
 * piecewise quasi-polynomial, evaluated at the launch's arguments, is the number that counting the
 * bound launch gives; and again with the grid's sizes as parameters.
 *
 * usage: symbolic-counts ROOT [KERNEL] */
#include "subject.h"

#include "symbolic.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct totals {
    unsigned compared, none, wrong;
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

static void compare(struct subject *s, struct fw_poly *poly, bool open_grid, struct totals *totals,
                    const char *kernel)
{
    uint32_t grid[3];
    mpz_t value;
    mpz_init(value);
    memcpy(grid, s->launch->grid, sizeof(grid));
    for (int d = 0; d < 3 && open_grid; d++)
        s->launch->grid[d] = grid[d] > 1 ? 0 : 1;
    struct fw_symbolic *symbolic = fw_symbolic_new(s->kernel, s->launch, poly);
    for (uint32_t d = 0; symbolic && d < s->kernel->domain_count; d++) {
        const struct fw_count *count = fw_symbolic_domain(symbolic, d);
        const struct fw_total *total = fw_bound_count(s->bound, d);
        if (!count || !total->exact) {
            totals->none++;
            continue;
        }
        int64_t values[64];
        for (size_t p = 0; p < fw_count_parameter_count(count) && p < 64; p++)
            values[p] = value_of(s, grid, fw_count_parameter(count, p));
        totals->compared++;
        if (fw_count_evaluate(value, count, poly, values) || mpz_cmp(value, total->value)) {
            totals->wrong++;
            gmp_printf("WRONG %s domain %u%s: symbolic %Zd, numeric %Zd\n", kernel, d,
                       open_grid ? ", grid open" : "", value, total->value);
        }
    }
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
                compare(&s, poly, false, &totals, kernel);
                compare(&s, poly, true, &totals, kernel);
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
    printf("%u passed, %u failed\n", totals.compared - totals.wrong, totals.wrong);
    return totals.wrong || !totals.compared;
}
