/* Paper kernels: the 12 transformed variants of the paper's multiplication, stencil and DG kernels
 * with the operation and access counts that the paper's implementation (Loopy) gives at five
 * parameter points each.  Their domains, instructions and tags stand in the fixture as lines of the
 * kernel language.  Every count must be there, with its granularity, and equal. */
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

static unsigned compare_row(const char *name, json_t *item, json_t *points,
                            const struct fw_loop_statistics *statistics, struct fw_poly *poly)
{
    const char *text = json_string_value(json_object_get(item, "row"));
    bool barriers = strcmp(text, "barrier thread") == 0;
    const struct fw_count *count = barriers ? statistics->waits : find(statistics, text);
    bool none = barriers && statistics->scheduled && !count;
    unsigned wrong = 0;
    size_t index;
    json_t *value;
    mpz_t got;
    mpz_init(got);
    json_array_foreach(json_object_get(item, "values"), index, value)
    {
        struct point point = point_of(json_array_get(points, index));
        if (none && json_integer_value(value) == 0)
            continue;
        if (count &&
            fw_loop_evaluate(got, count, poly, point.names, point.values, point.bound) == FW_OK &&
            mpz_cmp_si(got, (long)json_integer_value(value)) == 0)
            continue;
        wrong++;
        gmp_printf("%s: %s at point %zu: %Zd, expected %ld\n", name, text, index, got,
                   (long)json_integer_value(value));
    }
    mpz_clear(got);
    return wrong;
}

static unsigned compare(json_t *item, unsigned *checked)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_poly *poly = fw_poly_new();
    struct fw_buffer text = fw_buffer_new(arena);
    char *name = fw_arena_printf(arena, "%s", json_string_value(json_object_get(item, "name")));
    const struct fw_sink sink = {hear, name};
    struct fw_loop_program *program = NULL;
    struct fw_loop_statistics *statistics = NULL;
    const struct fw_loop_statistics_options options = {.barriers = true};
    unsigned wrong = 1;
    size_t index;
    json_t *line, *row;
    json_array_foreach(json_object_get(item, "knl"), index, line)
        fw_buffer_printf(&text, "%s\n", json_string_value(line));
    struct fw_source source = {name, text.text, text.length};
    if (fw_knl_read(&program, arena, poly, &source, &sink) == FW_OK &&
        fw_loop_statistics_new(&statistics, program, &options) == FW_OK) {
        wrong = 0;
        json_array_foreach(json_object_get(item, "rows"), index, row)
        {
            wrong += compare_row(name, row, json_object_get(item, "points"), statistics, poly);
            *checked += (unsigned)json_array_size(json_object_get(row, "values"));
        }
    }
    fw_loop_statistics_free(statistics);
    fw_poly_free(poly);
    fw_arena_free(arena);
    return wrong;
}

int main(int count, char **arguments)
{
    json_error_t error;
    json_t *root = count > 1 ? json_load_file(arguments[1], 0, &error) : NULL, *item;
    unsigned wrong = 0, checked = 0;
    size_t index;
    json_array_foreach(json_object_get(root, "cases"), index, item) wrong +=
        compare(item, &checked);
    printf("%zu kernels, %u counts, %u wrong\n", index, checked, wrong);
    json_decref(root);
    return wrong == 0 && checked >= 450 ? 0 : 1;
}
