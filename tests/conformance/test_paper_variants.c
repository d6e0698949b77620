/* The paper's variants made by transformations: kernels/knl holds one mathematical statement and
 * the lines that make each variant of it.  Their counts are those that the paper's implementation
 * (Loopy) gives for its own variants (paper-kernels.json, as in test_paper_kernels.c), and so are
 * the barriers of the generated order, the grid and the block (paper-launches.json). usage:
 * paper-variants KERNELS-JSON LAUNCHES-JSON FOLDER */
#include "emit.h"
#include "knl_reader.h"
#include "loop_statistics.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

enum { PARAMETERS_MOST = 8 };
struct point {
    const char *names[PARAMETERS_MOST];
    int64_t values[PARAMETERS_MOST];
    size_t bound;
};

static unsigned checked, wrong;

static void hear(void *user, const struct fw_diagnostic *diagnostic)
{
    printf("%s: %s: %s\n", (const char *)user, diagnostic->code, diagnostic->message);
}

static struct point point_of(json_t *item)
{
    struct point point = {.bound = 0};
    const char *name;
    json_t *value;
    json_object_foreach(item, name, value)
    {
        if (point.bound == PARAMETERS_MOST)
            break;
        point.names[point.bound] = name;
        point.values[point.bound++] = json_integer_value(value);
    }
    return point;
}

static void check(const char *name, const char *what, size_t index, int64_t got, int64_t wanted)
{
    checked++;
    if (got == wanted)
        return;
    wrong++;
    printf("%s: %s at point %zu: %ld, expected %ld\n", name, what, index, (long)got, (long)wanted);
}

/* The count of a row by its text, "mul f32 warp" or "global load a thread"; NULL: none. */
static const struct fw_count *find(const struct fw_loop_statistics *statistics, const char *text)
{
    char row[256];
    for (size_t i = 0; i < statistics->operations.count; i++) {
        const struct fw_loop_operation_row *one = &statistics->operations.at[i];
        snprintf(row, sizeof(row), "%s %s %s", one->operation, fw_type_text(one->type),
                 fw_loop_granularity_text(one->granularity));
        if (strcmp(row, text) == 0)
            return one->count;
    }
    for (size_t i = 0; i < statistics->memory.count; i++) {
        const struct fw_loop_memory_row *one = &statistics->memory.at[i];
        snprintf(row, sizeof(row), "%s %s %s %s", fw_space_text(one->space),
                 one->store ? "store" : "load", one->array,
                 fw_loop_granularity_text(one->granularity));
        if (strcmp(row, text) == 0)
            return one->count;
    }
    return NULL;
}

static int64_t value_of(const struct fw_count *count, struct fw_poly *poly,
                        const struct point *point)
{
    mpz_t value;
    mpz_init(value);
    int64_t result = -1;
    if (count &&
        fw_loop_evaluate(value, count, poly, point->names, point->values, point->bound) == FW_OK)
        result = mpz_get_si(value);
    mpz_clear(value);
    return result;
}

static void check_counts(const char *name, json_t *rows, json_t *points,
                         struct fw_loop_program *program)
{
    struct fw_loop_statistics *statistics = NULL;
    size_t i, k;
    json_t *row, *value;
    if (fw_loop_statistics_new(&statistics, program, NULL) != FW_OK)
        wrong++;
    json_array_foreach(rows, i, row)
    {
        const char *text = json_string_value(json_object_get(row, "row"));
        if (strcmp(text, "barrier thread") == 0)
            continue; /* check_launch has them */
        json_array_foreach(json_object_get(row, "values"), k, value)
        {
            struct point point = point_of(json_array_get(points, k));
            const struct fw_count *count = statistics ? find(statistics, text) : NULL;
            check(name, text, k, value_of(count, program->poly, &point), json_integer_value(value));
        }
    }
    fw_loop_statistics_free(statistics);
}

static void check_launch(const char *name, json_t *item, json_t *points,
                         struct fw_loop_program *program)
{
    struct fw_emission *emission = NULL;
    struct fw_count *barriers = NULL;
    if (fw_emit(&emission, program, FW_EMIT_OPENCL) != FW_OK ||
        fw_loop_schedule_barriers(&barriers, emission->schedule) != FW_OK) {
        wrong++;
        return;
    }
    for (size_t k = 0; k < json_array_size(points); k++) {
        struct point point = point_of(json_array_get(points, k));
        int64_t grid[3] = {0}, block[3] = {0};
        json_t *wanted = json_array_get(json_object_get(item, "grid"), k);
        fw_emission_launch(grid, block, emission, point.names, point.values, point.bound);
        for (size_t a = 0; a < 2; a++) {
            check(name, "grid", k, grid[a], json_integer_value(json_array_get(wanted, a)));
            check(name, "block", k, block[a],
                  json_integer_value(json_array_get(json_object_get(item, "block"), a)));
        }
        check(name, "barriers", k, barriers ? value_of(barriers, program->poly, &point) : 0,
              json_integer_value(json_array_get(json_object_get(item, "barriers"), k)));
    }
    fw_count_free(barriers);
}

static void check_case(json_t *item, json_t *kernel, const char *folder)
{
    static char text[1 << 14];
    const char *name = json_string_value(json_object_get(item, "name"));
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_poly *poly = fw_poly_new();
    const struct fw_sink sink = {hear, (void *)(uintptr_t)name};
    struct fw_loop_program *program = NULL;
    size_t index;
    json_t *line;
    char *path =
        fw_arena_printf(arena, "%s/%s", folder, json_string_value(json_object_get(item, "file")));
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(text, 1, sizeof(text) - 200, file) : 0;
    if (file)
        fclose(file);
    json_array_foreach(json_object_get(item, "more"), index, line) length +=
        (size_t)snprintf(text + length, 100, "%s\n", json_string_value(line));
    text[length] = '\0';
    struct fw_source source = {name, text, length};
    json_t *points = json_object_get(kernel, "points");
    if (fw_knl_read(&program, arena, poly, &source, &sink) == FW_OK) {
        check_counts(name, json_object_get(kernel, "rows"), points, program);
        check_launch(name, item, points, program);
    } else {
        wrong++;
    }
    fw_poly_free(poly);
    fw_arena_free(arena);
}

int main(int count, char **arguments)
{
    json_error_t error;
    json_t *kernels = count > 3 ? json_load_file(arguments[1], 0, &error) : NULL, *kernel;
    json_t *launches = count > 3 ? json_load_file(arguments[2], 0, &error) : NULL, *item;
    size_t i, k;
    json_array_foreach(json_object_get(launches, "cases"), i, item)
    {
        const char *name = json_string_value(json_object_get(item, "name"));
        json_array_foreach(json_object_get(kernels, "cases"), k,
                           kernel) if (strcmp(json_string_value(json_object_get(kernel, "name")),
                                              name) == 0) check_case(item, kernel, arguments[3]);
    }
    printf("%zu variants, %u figures, %u wrong\n", i, checked, wrong);
    json_decref(kernels);
    json_decref(launches);
    return wrong == 0 && checked >= 690 ? 0 : 1;
}
