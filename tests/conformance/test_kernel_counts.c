/* Kernel counts: the 22 kernels of kernel-counts.json, whose counts another implementation's tests
 * assert, built from the fixture's domains and instructions as they stand.  The rules of convention
 * are those of docs/knl-counts.md ("Comparison with another implementation"), applied to all.
 * Prints each kernel's verdict; fails when one that is not a named exception disagrees, and when a
 * named exception agrees. */
#include "knl_reader.h"
#include "loop_statistics.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *id;
    const char *reason;
} exceptions[] = {
    {NULL, NULL}, /* none is left */
};

/* What an aggregate of the fixture asks for, as its words say.  NULL and 0: any. */
enum { WORDS_MOST = 8 };
struct query {
    bool memory, bytes, nothing, warp, thread, no_thread_strides;
    bool loads, stores;
    enum fw_type type;
    enum fw_space space;
    const char *names[WORDS_MOST]; /* of operations, or of arrays */
    size_t name_count;
};

enum { PARAMETERS_MOST = 16 };
struct test {
    struct fw_arena *arena;
    struct fw_poly *poly;
    const char *id;
    json_t *data;
    struct fw_loop_program *program;
    struct fw_loop_statistics *statistics;
    const char *names[PARAMETERS_MOST];
    int64_t values[PARAMETERS_MOST];
    size_t bound;
    char why[512]; /* the first disagreement */
};

static void disagree(struct test *test, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void disagree(struct test *test, const char *format, ...)
{
    va_list arguments;
    if (test->why[0])
        return;
    va_start(arguments, format);
    vsnprintf(test->why, sizeof(test->why), format, arguments);
    va_end(arguments);
}

static void hear(void *user, const struct fw_diagnostic *diagnostic)
{
    disagree(user, "%s: %s", diagnostic->code, diagnostic->message);
}

static const char *text_at(json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* ---- building ---- */

/* Types of a name that the instructions make with "<>" go into the brackets, others are declared.
 */
static void add_types(struct test *test, struct fw_buffer *text, struct fw_buffer *code)
{
    const char *key;
    json_t *value;
    json_object_foreach(json_object_get(test->data, "dtypes"), key, value)
    {
        for (const char *at = key; *at;) {
            size_t length = strcspn(at, ",");
            char *made = fw_arena_printf(test->arena, "<>%.*s", (int)length, at);
            char *found = strstr(code->text, made);
            if (found) {
                struct fw_buffer typed = fw_buffer_new(test->arena);
                fw_buffer_printf(&typed, "%.*s<%s>%s", (int)(found - code->text), code->text,
                                 json_string_value(value), found + 2);
                *code = typed;
            } else {
                fw_buffer_printf(text, "array %.*s: %s\n", (int)length, at,
                                 json_string_value(value));
            }
            at += length + (at[length] == ',');
        }
    }
}

static void add_split(struct fw_buffer *text, json_t *transform)
{
    fw_buffer_printf(text, "split %s %lld", text_at(transform, "iname"),
                     (long long)json_integer_value(json_object_get(transform, "factor")));
    if (*text_at(transform, "outer_tag"))
        fw_buffer_printf(text, " outer=%s", text_at(transform, "outer_tag"));
    if (*text_at(transform, "inner_tag"))
        fw_buffer_printf(text, " inner=%s", text_at(transform, "inner_tag"));
    fw_buffer_printf(text, " unordered\n");
}

/* {"op": "add_prefetch", "var": "a", "sweep_inames": ["i_inner", "k_inner"]} */
static void add_prefetch(struct fw_buffer *text, json_t *transform)
{
    size_t index;
    json_t *name, *sweeps = json_object_get(transform, "sweep_inames");
    const char *array = text_at(transform, "var");
    fw_buffer_printf(text, "prefetch %s over ", *array ? array : text_at(transform, "var_name"));
    json_array_foreach(sweeps, index, name)
        fw_buffer_printf(text, "%s%s", index ? ", " : "", json_string_value(name));
    if (json_is_string(sweeps))
        fw_buffer_printf(text, "%s", json_string_value(sweeps));
    fw_buffer_printf(text, "\n");
}

static void add_transforms(struct test *test, struct fw_buffer *text)
{
    /* Counts do not depend on these, or set_spaces does them. */
    static const char *const idle[] = {"tag_inames", "privatize_temporaries_with_inames",
                                       "set_temporary_address_space", "prioritize_loops",
                                       "set_loop_priority"};
    size_t index;
    json_t *transform, *value;
    const char *name;
    json_array_foreach(json_object_get(test->data, "transforms"), index, transform)
    {
        const char *operation = text_at(transform, "op");
        bool known = false;
        for (size_t i = 0; i < sizeof(idle) / sizeof(*idle); i++)
            known |= strcmp(operation, idle[i]) == 0;
        if (strcmp(operation, "split_iname") == 0)
            add_split(text, transform);
        else if (strcmp(operation, "add_prefetch") == 0)
            add_prefetch(text, transform);
        else if (strcmp(operation, "assume") == 0)
            fw_buffer_printf(text, "assume %s\n", text_at(transform, "assumptions"));
        else if (strcmp(operation, "fix_parameters") == 0)
            json_object_foreach(json_object_get(transform, "values"), name, value)
                fw_buffer_printf(text, "fix %s %lld\n", name, (long long)json_integer_value(value));
        else if (!known)
            disagree(test, "the transformation %s is not known here", operation);
        json_object_foreach(json_object_get(transform, "tags"), name, value)
            fw_buffer_printf(text, "tag %s %s unordered\n", name, json_string_value(value));
    }
}

/* set_temporary_address_space. */
static void set_spaces(struct test *test)
{
    size_t index;
    json_t *transform;
    json_array_foreach(json_object_get(test->data, "transforms"), index, transform)
    {
        if (strcmp(text_at(transform, "op"), "set_temporary_address_space") != 0)
            continue;
        struct fw_loop_array *array =
            fw_loop_find_array(test->program, text_at(transform, "names"));
        if (array && strcmp(text_at(transform, "address_space"), "global") == 0)
            array->space = FW_SPACE_GLOBAL;
    }
}

static void add_lines(struct fw_buffer *text, json_t *kernel)
{
    size_t index;
    json_t *instruction;
    json_array_foreach(json_object_get(kernel, "instructions"), index, instruction)
        fw_buffer_printf(text, "%s\n", json_string_value(instruction));
}

/* One, or a list of them. */
static void add_domains(struct fw_buffer *text, json_t *domain)
{
    size_t index;
    json_t *one;
    if (json_is_string(domain))
        fw_buffer_printf(text, "domain %s\n", json_string_value(domain));
    json_array_foreach(domain, index, one)
        fw_buffer_printf(text, "domain %s\n", json_string_value(one));
}

/* Kernels that it calls, and temporaries with their shapes. */
static void add_declared(struct fw_buffer *text, json_t *kernel)
{
    json_t *callee = json_object_get(kernel, "callee"), *temporary, *extent;
    size_t index, dimension;
    if (callee) {
        fw_buffer_printf(text, "function %s\n", text_at(callee, "name"));
        add_domains(text, json_object_get(callee, "domain"));
        add_lines(text, callee);
        fw_buffer_printf(text, "end\n");
    }
    json_array_foreach(json_object_get(kernel, "temporaries"), index, temporary)
    {
        fw_buffer_printf(text, "temporary %s[", text_at(temporary, "name"));
        json_array_foreach(json_object_get(temporary, "shape"), dimension, extent) fw_buffer_printf(
            text, "%s%lld", dimension ? ", " : "", (long long)json_integer_value(extent));
        fw_buffer_printf(text, "]\n");
    }
}

static bool build(struct test *test)
{
    json_t *kernel = json_object_get(test->data, "kernel");
    json_t *call = json_object_get(test->data, "call");
    struct fw_buffer text = fw_buffer_new(test->arena), code = fw_buffer_new(test->arena);
    add_lines(&code, kernel);
    add_domains(&text, json_object_get(kernel, "domain"));
    if (*text_at(kernel, "assumptions"))
        fw_buffer_printf(&text, "assume %s\n", text_at(kernel, "assumptions"));
    add_declared(&text, kernel);
    add_types(test, &text, &code);
    fw_buffer_add(&text, code.text, code.length);
    add_transforms(test, &text);
    struct fw_source source = {test->id, text.text, text.length};
    const struct fw_sink sink = {hear, test};
    if (fw_knl_read(&test->program, test->arena, test->poly, &source, &sink) != FW_OK)
        return false;
    set_spaces(test);
    const char *within = text_at(call, "within");
    json_t *warp = json_object_get(call, "subgroup_size");
    const struct fw_loop_statistics_options options = {
        .warp_size = json_is_integer(warp) ? (uint32_t)json_integer_value(warp) : 0,
        .subscripts = json_is_true(json_object_get(call, "count_within_subscripts")),
        .footprints = true,
        .barriers = true,
        .whole_arrays = true,
        .both_sides = !json_is_true(json_object_get(call, "conditions_bound")),
        .unique = json_is_false(json_object_get(call, "count_redundant_work")),
        .only_tag = strncmp(within, "tag:", 4) == 0 ? within + 4 : NULL};
    return fw_loop_statistics_new(&test->statistics, test->program, &options) == FW_OK;
}

/* ---- comparing ---- */

static long value_of(struct test *test, const struct fw_count *count)
{
    mpz_t value;
    mpz_init(value);
    enum fw_status status =
        fw_loop_evaluate(value, count, test->poly, test->names, test->values, test->bound);
    if (status != FW_OK)
        disagree(test, "a count cannot be evaluated");
    long result = status == FW_OK ? mpz_get_si(value) : -1;
    mpz_clear(value);
    return result;
}

static enum fw_type type_at(json_t *row)
{
    const char *text = text_at(row, "dtype");
    return fw_knl_type(text, strlen(text));
}

static enum fw_loop_granularity granularity_at(json_t *row)
{
    return strcmp(text_at(row, "granularity"), "subgroup") == 0 ? FW_LOOP_PER_WARP
                                                                : FW_LOOP_PER_THREAD;
}

static void compare_operations(struct test *test, json_t *expected)
{
    size_t index;
    json_t *row;
    json_array_foreach(expected, index, row)
    {
        long wanted = (long)json_integer_value(json_object_get(row, "value")), got = -1;
        for (size_t i = 0; i < test->statistics->operations.count; i++) {
            const struct fw_loop_operation_row *ours = &test->statistics->operations.at[i];
            if (ours->type == type_at(row) && strcmp(ours->operation, text_at(row, "name")) == 0 &&
                ours->granularity == granularity_at(row))
                got = value_of(test, ours->count);
        }
        if (got != wanted)
            disagree(test, "%s of %s: %ld, expected %ld", text_at(row, "name"),
                     text_at(row, "dtype"), got, wanted);
    }
}

/* Prints what we count and the fixture does not list: its tests assert some rows only. */
static void print_unlisted(struct test *test, json_t *expected)
{
    for (size_t i = 0; expected && i < test->statistics->operations.count; i++) {
        const struct fw_loop_operation_row *ours = &test->statistics->operations.at[i];
        bool listed = false;
        size_t index;
        json_t *row;
        json_array_foreach(expected, index, row) listed |=
            ours->type == type_at(row) && strcmp(ours->operation, text_at(row, "name")) == 0;
        if (!listed)
            printf("%-24s also counts %s of %s: %ld\n", test->id, ours->operation,
                   fw_type_text(ours->type), value_of(test, ours->count));
    }
}

/* A product of numbers and parameters. */
static long product_of(struct test *test, const char *text)
{
    long product = 1;
    while (*text) {
        size_t length = strcspn(text, "*");
        char *word = fw_arena_text(test->arena, text, length);
        int64_t factor = 0;
        if (!fw_text_integer(word, false, &factor))
            for (size_t i = 0; i < test->bound; i++)
                if (strcmp(test->names[i], word) == 0)
                    factor = test->values[i];
        product *= (long)factor;
        text += length + (text[length] == '*');
    }
    return product;
}

/* Whether strides along all axes are the expected ones; an absent one is 0.  One that is not linear
 * is not known here and, when `loose`, fits any: the other implementation ignores divisors. */
static bool same_strides(struct test *test, const struct fw_loop_memory_row *row,
                         const struct fw_loop_stride *strides, json_t *expected, bool loose)
{
    bool same = true;
    mpz_t value;
    mpz_init(value);
    for (unsigned axis = 0; axis < FW_LOOP_AXES; axis++) {
        char key[2] = {(char)('0' + axis), 0};
        const char *text = text_at(expected, key);
        long wanted = *text ? product_of(test, text) : 0;
        if (loose && !strides[axis].known)
            continue;
        same = same &&
               fw_loop_stride_evaluate(value, test->statistics, test->program, row, &strides[axis],
                                       test->names, test->values, test->bound) == FW_OK &&
               mpz_cmp_si(value, wanted) == 0;
    }
    mpz_clear(value);
    return same;
}

/* What the rows count that are as the expected one; -1: there is none. */
static long counted_as(struct test *test, json_t *row, bool loose)
{
    bool store = strcmp(text_at(row, "direction"), "store") == 0;
    enum fw_space space =
        strcmp(text_at(row, "space"), "local") == 0 ? FW_SPACE_SHARED : FW_SPACE_GLOBAL;
    long got = -1;
    for (size_t i = 0; i < test->statistics->memory.count; i++) {
        const struct fw_loop_memory_row *ours = &test->statistics->memory.at[i];
        if (ours->store == store && ours->space == space && ours->type == type_at(row) &&
            strcmp(ours->array, text_at(row, "variable")) == 0 &&
            strcmp(ours->tag ? ours->tag : "", text_at(row, "tag")) == 0 &&
            ours->granularity == granularity_at(row) &&
            same_strides(test, ours, ours->thread_strides, json_object_get(row, "lid_strides"),
                         loose) &&
            same_strides(test, ours, ours->block_strides, json_object_get(row, "gid_strides"),
                         loose))
            got = value_of(test, ours->count);
    }
    return got;
}

static void compare_memory(struct test *test, json_t *expected)
{
    size_t index;
    json_t *row;
    json_array_foreach(expected, index, row)
    {
        long wanted = (long)json_integer_value(json_object_get(row, "value"));
        long got = counted_as(test, row, false);
        if (got < 0)
            got = counted_as(test, row, true);
        if (got != wanted)
            disagree(test, "%ss of %s: %ld, expected %ld", text_at(row, "direction"),
                     text_at(row, "variable"), got, wanted);
    }
}

static void compare_footprints(struct test *test, json_t *expected)
{
    size_t index;
    json_t *row;
    json_array_foreach(expected, index, row)
    {
        long wanted = (long)json_integer_value(json_object_get(row, "value")), got = -1;
        bool store = strcmp(text_at(row, "direction"), "write") == 0;
        for (size_t i = 0; i < test->statistics->footprints.count; i++) {
            const struct fw_loop_footprint_row *ours = &test->statistics->footprints.at[i];
            if (ours->store == store && ours->count &&
                strcmp(ours->array, text_at(row, "variable")) == 0)
                got = value_of(test, ours->count);
        }
        if (got != wanted)
            disagree(test, "footprint of %s: %ld, expected %ld", text_at(row, "variable"), got,
                     wanted);
    }
}

/* A work-item's barriers, and launches: one, since nothing is ordered between blocks. */
static void compare_synchronization(struct test *test, json_t *expected)
{
    size_t index;
    json_t *row;
    json_array_foreach(expected, index, row)
    {
        const char *kind = text_at(row, "kind");
        long wanted = (long)json_integer_value(json_object_get(row, "value")), got = -1;
        if (strcmp(kind, "kernel_launch") == 0)
            got = 1;
        else if (strcmp(kind, "barrier_local") == 0 && test->statistics->scheduled)
            got = test->statistics->waits ? value_of(test, test->statistics->waits) : 0;
        if (got != wanted)
            disagree(test, "%s: %ld, expected %ld", kind, got, wanted);
    }
}

/* ---- aggregates ---- */

static bool is_one_of(const char *word, const char *list)
{
    char padded[64];
    snprintf(padded, sizeof(padded), " %s ", word);
    return strstr(list, padded) != NULL;
}

static bool has_array(struct test *test, const char *word)
{
    return fw_loop_find_array(test->program, word) != NULL;
}

/* One word; false: it means nothing. */
static bool take_word(struct test *test, struct query *query, const char *word)
{
    enum fw_type type = fw_knl_type(word, strlen(word));
    if (type)
        query->type = type;
    else if (is_one_of(word, " loads load loaded read reads "))
        query->memory = query->loads = true;
    else if (is_one_of(word, " stores store stored write writes written "))
        query->memory = query->stores = true;
    else if (is_one_of(word, " accesses access mem memory mtype "))
        query->memory = true;
    else if (strcmp(word, "bytes") == 0)
        query->memory = query->bytes = true;
    else if (strcmp(word, "global") == 0 || strcmp(word, "local") == 0)
        query->space = *word == 'g' ? FW_SPACE_GLOBAL : FW_SPACE_SHARED;
    else if (is_one_of(word, " sub-group subgroup "))
        query->warp = true;
    else if (is_one_of(word, " work-item workitem "))
        query->thread = true;
    else if (strcmp(word, "nonexistent") == 0)
        query->nothing = true;
    else if (strcmp(word, "lid_strides=={}") == 0)
        query->no_thread_strides = true;
    else if ((is_one_of(word, " add sub mul div pow bw shift ") || has_array(test, word)) &&
             query->name_count < WORDS_MOST)
        query->names[query->name_count++] =
            strcmp(word, "sub") == 0 ? "add" : word; /* a subtraction is an addition */
    else
        return query->nothing ||
               is_one_of(word, " ops operations op of dtype group_by by named or and with field "
                               "at granularity key absent all func filter filtered total in ");
    return true;
}

static bool read_query(struct test *test, struct query *query, const char *text)
{
    *query = (struct query){.memory = false};
    while (*text) {
        text += strspn(text, " ,:+()[].");
        size_t length = strcspn(text, " ,:+()[].");
        char *word = fw_arena_text(test->arena, text, length);
        if (length && !take_word(test, query, word)) {
            disagree(test, "the query's word '%s' means nothing here", word);
            return false;
        }
        text += length;
    }
    return true;
}

static bool is_named(const struct query *query, const char *name)
{
    for (size_t i = 0; i < query->name_count; i++)
        if (strcmp(query->names[i], name) == 0)
            return true;
    return query->name_count == 0;
}

static bool fits(const struct query *query, const struct fw_loop_memory_row *row)
{
    bool strides = false;
    for (unsigned axis = 0; axis < FW_LOOP_AXES; axis++)
        strides |= !row->thread_strides[axis].known || row->thread_strides[axis].term_count;
    return is_named(query, row->array) && (!query->type || query->type == row->type) &&
           (query->loads == query->stores || query->stores == row->store) &&
           (!query->space || query->space == row->space) &&
           (!query->warp || row->granularity == FW_LOOP_PER_WARP) &&
           (!query->thread || row->granularity == FW_LOOP_PER_THREAD) &&
           !(query->no_thread_strides && strides);
}

static long answer(struct test *test, const struct query *query)
{
    const struct fw_loop_statistics *statistics = test->statistics;
    long sum = 0;
    if (query->nothing)
        return 0;
    for (size_t i = 0; !query->memory && i < statistics->operations.count; i++) {
        const struct fw_loop_operation_row *row = &statistics->operations.at[i];
        if (is_named(query, row->operation) && (!query->type || query->type == row->type))
            sum += value_of(test, row->count);
    }
    for (size_t i = 0; query->memory && i < statistics->memory.count; i++) {
        const struct fw_loop_memory_row *row = &statistics->memory.at[i];
        if (fits(query, row))
            sum += value_of(test, row->count) * (query->bytes ? (long)fw_type_bytes(row->type) : 1);
    }
    return sum;
}

static void compare_aggregates(struct test *test, json_t *expected)
{
    size_t index;
    json_t *row;
    json_array_foreach(expected, index, row)
    {
        const char *text = text_at(row, "query");
        long wanted = (long)json_integer_value(json_object_get(row, "value"));
        struct query query;
        if (!read_query(test, &query, text))
            continue;
        long got = answer(test, &query);
        if (got != wanted)
            disagree(test, "%s: %ld, expected %ld", text, got, wanted);
    }
}

/* ---- verdicts ---- */

static void compare(struct test *test)
{
    json_t *expected = json_object_get(test->data, "expected"), *value;
    const char *name;
    if (strcmp(test->id, "granularity_validation") == 0) {
        enum fw_loop_granularity granularity;
        if (fw_loop_granularity_read(&granularity, "bushel") ||
            !fw_loop_granularity_read(&granularity, "warp"))
            disagree(test, "granularities are not checked");
        return;
    }
    json_object_foreach(json_object_get(test->data, "params"), name, value)
    {
        test->names[test->bound] = name;
        test->values[test->bound++] = json_integer_value(value);
    }
    if (!build(test)) {
        disagree(test, "it cannot be built");
        return;
    }
    compare_operations(test, json_object_get(expected, "ops"));
    print_unlisted(test, json_object_get(expected, "ops"));
    compare_memory(test, json_object_get(expected, "mem"));
    compare_footprints(test, json_object_get(expected, "footprints"));
    compare_aggregates(test, json_object_get(expected, "aggregates"));
    compare_synchronization(test, json_object_get(expected, "sync"));
}

static bool judge(json_t *data, unsigned *agreed)
{
    struct test test = {.id = text_at(data, "id"), .data = data};
    const char *reason = NULL;
    test.arena = fw_arena_new(0);
    test.poly = fw_poly_new();
    compare(&test);
    for (size_t i = 0; i < sizeof(exceptions) / sizeof(*exceptions); i++)
        if (exceptions[i].id && strcmp(exceptions[i].id, test.id) == 0)
            reason = exceptions[i].reason;
    bool agrees = !test.why[0];
    *agreed += agrees;
    if (agrees)
        printf("%-24s agrees%s\n", test.id, reason ? ": it is an exception no more" : "");
    else if (reason)
        printf("%-24s exception: %s (%s)\n", test.id, reason, test.why);
    else
        printf("%-24s DISAGREES: %s\n", test.id, test.why);
    fw_loop_statistics_free(test.statistics);
    fw_poly_free(test.poly);
    fw_arena_free(test.arena);
    return agrees != (reason != NULL);
}

int main(int count, char **arguments)
{
    json_error_t error;
    json_t *root = count > 1 ? json_load_file(arguments[1], 0, &error) : NULL;
    json_t *cases = json_object_get(root, "cases"), *data;
    unsigned agreed = 0;
    bool passed = json_array_size(cases) > 0;
    size_t index;
    json_array_foreach(cases, index, data) passed = judge(data, &agreed) && passed;
    printf("%u of %zu agree\n", agreed, json_array_size(cases));
    json_decref(root);
    return passed ? 0 : 1;
}
