/* Every variant of the same mathematics computes the same: each case is a program of the kernel
 * language.  Its statement alone, without transformations, in plain C, is the reference; the whole
 * program must leave the same in every array, at every size, in plain C, on an OpenCL device and on
 * the emulator (through OpenCL C and CUDA C++).  Values are small integers, so that sums are exact
 * in any order.
 *
 * usage: variants SOURCE-FOLDER RUN-DEVICE PART PARTS [CASE]     the cases of one part of so many
 * (PART from 0); RUN-DEVICE is the program run-device.  What is not on this machine is named and
 * skipped. */
#include "knl_reader.h"
#include "run_kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 4, SIZES = 8, ARRAYS = 16, LINES_MOST = 400 };

struct test_case {
    const char *name;
    const char *file; /* below kernels/knl; NULL: `text` */
    const char *text;
    const char *assume; /* replaces the file's assumption */
    const char *parameters[NAMES];
    int64_t sizes[SIZES][NAMES]; /* ends with a row of zeros */
};

#include "variants_cases.h"

struct memory {
    const char *name;
    void *at;
    size_t bytes;
    int64_t elements;
    enum fw_type type;
    int64_t extents[FW_LOOP_RANK_MOST];
    uint32_t order[FW_LOOP_RANK_MOST], rank;
};

struct state {
    struct memory arrays[ARRAYS];
    size_t count;
};

static unsigned failures;

static void hear(void *user, const struct fw_diagnostic *diagnostic)
{
    printf("%s: %s %s\n", (const char *)user, diagnostic->code, diagnostic->message);
}

/* ---- memory ---- */

/* A small number that depends on the array and the element's subscripts alone. */
static int64_t value_at(const struct memory *memory, int64_t index)
{
    uint64_t hash = fw_hash(memory->name, strlen(memory->name)) + (uint64_t)index * 2654435761u;
    hash ^= hash >> 13;
    hash *= 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
    return (int64_t)(hash % 9) - (memory->type == FW_TYPE_S32 ? 0 : 4);
}

/* Where the element with the subscripts' row-major number `index` lies. */
static int64_t place_of(const struct memory *memory, int64_t index)
{
    int64_t subscripts[FW_LOOP_RANK_MOST], place = 0;
    for (uint32_t d = memory->rank; d-- > 0;) {
        subscripts[d] = index % memory->extents[d];
        index /= memory->extents[d];
    }
    for (uint32_t i = 0; i < memory->rank; i++)
        place = place * memory->extents[memory->order[i]] + subscripts[memory->order[i]];
    return place;
}

static void set_value(const struct memory *memory, int64_t place, int64_t value)
{
    if (memory->type == FW_TYPE_F64)
        ((double *)memory->at)[place] = (double)value;
    else if (memory->type == FW_TYPE_F32)
        ((float *)memory->at)[place] = (float)value;
    else if (memory->type == FW_TYPE_S32)
        ((int32_t *)memory->at)[place] = (int32_t)value;
    else
        abort();
}

static bool allocate(struct memory *memory, const struct fw_emission *emission, size_t argument,
                     const char *const *names, const int64_t *values)
{
    const struct fw_emit_argument *wanted = &emission->arguments.at[argument];
    const struct fw_loop_array *array =
        fw_loop_find_array(emission->schedule->program, wanted->name);
    *memory = (struct memory){.name = wanted->name, .type = wanted->type, .rank = wanted->rank};
    if (!array || fw_emission_elements(&memory->elements, wanted, names, values, NAMES) != FW_OK)
        return false;
    for (uint32_t d = 0; d < wanted->rank; d++) {
        fw_ast_evaluate(&memory->extents[d], wanted->extents[d], names, values, NAMES);
        memory->order[d] = array->axes                          ? array->axes[d]
                           : array->layout == FW_LOOP_ROW_MAJOR ? d
                                                                : wanted->rank - 1 - d;
    }
    memory->bytes = (size_t)memory->elements * fw_type_bits(wanted->type) / 8;
    memory->at = malloc(memory->bytes);
    for (int64_t i = 0; i < memory->elements; i++)
        set_value(memory, place_of(memory, i), value_at(memory, i));
    return true;
}

static void release(struct state *state)
{
    for (size_t i = 0; i < state->count; i++)
        free(state->arrays[i].at);
    state->count = 0;
}

/* Whether both left the same; says where not. */
static bool same(const struct state *reference, const struct state *state, const char *label)
{
    for (size_t i = 0; i < reference->count; i++) {
        const struct memory *one = &reference->arrays[i], *two = NULL;
        for (size_t j = 0; j < state->count; j++)
            if (strcmp(state->arrays[j].name, one->name) == 0)
                two = &state->arrays[j];
        if (!two || two->elements != one->elements) {
            printf("%s: array %s has another size\n", label, one->name);
            return false;
        }
        size_t size = fw_type_bits(one->type) / 8;
        for (int64_t k = 0; k < one->elements; k++)
            if (memcmp((char *)one->at + (size_t)place_of(one, k) * size,
                       (char *)two->at + (size_t)place_of(two, k) * size, size) != 0) {
                printf("%s: element %ld of %s differs\n", label, (long)k, one->name);
                return false;
            }
    }
    return true;
}

/* ---- runs ---- */

static bool run(struct run_kernel *kernel, const struct fw_emission *emission,
                const struct test_case *test, const int64_t *values, struct state *state,
                char *reason)
{
    struct run_argument arguments[64] = {{NULL, 0, 0, FW_TYPE_S32}};
    int64_t grid[3], block[3];
    size_t count = emission->arguments.count;
    state->count = 0;
    snprintf(reason, 256, "the launch is not known");
    if (fw_emission_launch(grid, block, emission, test->parameters, values, NAMES) != FW_OK)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct fw_emit_argument *argument = &emission->arguments.at[i];
        arguments[i].type = argument->type;
        if (argument->array) {
            struct memory *memory = &state->arrays[state->count];
            snprintf(reason, 256, "the size of %s is not known", argument->name);
            if (!allocate(memory, emission, i, test->parameters, values))
                return false;
            state->count++;
            arguments[i].memory = memory->at;
            arguments[i].bytes = memory->bytes;
            continue;
        }
        arguments[i].value = 3; /* a scalar that is no parameter */
        for (unsigned p = 0; p < NAMES; p++)
            if (test->parameters[p] && strcmp(test->parameters[p], argument->name) == 0)
                arguments[i].value = (int32_t)values[p];
    }
    return run_kernel_launch(kernel, grid, block, arguments, count, reason);
}

struct program {
    struct fw_arena *arena;
    struct fw_poly *poly;
    struct fw_source source;
    struct fw_sink sink;
    struct fw_loop_program *program;
};

static bool read_program(struct program *program, const char *name, const char *text)
{
    program->arena = fw_arena_new(0);
    program->poly = fw_poly_new();
    program->source = (struct fw_source){name, text, strlen(text)};
    program->sink = (struct fw_sink){hear, (void *)(uintptr_t)name};
    return fw_knl_read(&program->program, program->arena, program->poly, &program->source,
                       &program->sink) == FW_OK;
}

static void free_program(struct program *program)
{
    fw_poly_free(program->poly);
    fw_arena_free(program->arena);
}

static void fail(const char *label, const char *reason)
{
    printf("FAILED %s: %s\n", label, reason);
    failures++;
}

static size_t size_count(const struct test_case *test)
{
    size_t count = 0;
    while (count < SIZES && test->sizes[count][0])
        count++;
    return count;
}

/* One way for all sizes, beside the references. */
static void compare(const struct test_case *test, struct program *program, enum run_way way,
                    const struct state *references, const char *data)
{
    struct fw_emission *emission = NULL;
    char reason[256] = "", label[200];
    snprintf(label, sizeof(label), "%s, %s", test->name, run_way_text(way));
    if (fw_emit(&emission, program->program, run_way_target(way)) != FW_OK) {
        fail(label, "no text");
        return;
    }
    struct run_kernel *kernel = run_kernel_new(way, emission, data, reason);
    if (!kernel) {
        fail(label, reason);
        printf("%s", emission->text);
        return;
    }
    for (size_t s = 0; s < size_count(test); s++) {
        struct state state;
        char at[260];
        snprintf(at, sizeof(at), "%s, size %zu", label, s);
        if (!run(kernel, emission, test, test->sizes[s], &state, reason)) {
            fail(at, reason);
        } else if (!same(&references[s], &state, at)) {
            fail(at, "another result");
            printf("%s", emission->text);
        }
        release(&state);
    }
    run_kernel_free(kernel);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The same lines: axes may be declared in another order. */
static bool same_lines(struct fw_arena *arena, const char *one, const char *two)
{
    const char *lines[2][LINES_MOST];
    size_t counts[2] = {0, 0};
    for (unsigned side = 0; side < 2; side++) {
        const char *text = side ? two : one;
        while (*text && counts[side] < LINES_MOST) {
            size_t length = strcspn(text, "\n");
            lines[side][counts[side]++] = fw_arena_text(arena, text, length);
            text += length + (text[length] == '\n');
        }
        qsort(lines[side], counts[side], sizeof(lines[side][0]), by_text);
    }
    bool equal = counts[0] == counts[1];
    for (size_t i = 0; equal && i < counts[0]; i++)
        equal = strcmp(lines[0][i], lines[1][i]) == 0;
    return equal;
}

/* The program written out reads back as a program that is written out alike, and has the same
 * code. */
static void write_and_read(const char *label, struct program *program)
{
    struct program again = {NULL, NULL, {0}, {0}, NULL};
    struct fw_emission *one = NULL, *two = NULL;
    const char *text = fw_emit_knl(program->program);
    if (!read_program(&again, label, text) ||
        fw_emit(&one, program->program, FW_EMIT_OPENCL) != FW_OK ||
        fw_emit(&two, again.program, FW_EMIT_OPENCL) != FW_OK) {
        fail(label, "written out, it is not read");
        printf("%s", text);
    } else if (!same_lines(program->arena, one->text, two->text)) {
        fail(label, "written out, it has other code");
        printf("%s%s%s", text, one->text, two->text);
    } else if (strcmp(text, fw_emit_knl(again.program)) != 0) {
        fail(label, "written out twice, it is not the same");
        printf("%s%s", text, fw_emit_knl(again.program));
    }
    free_program(&again);
}

/* The same for what the work remover leaves. */
static void strip_and_write(const struct test_case *test, const char *text)
{
    struct program program;
    char label[200];
    snprintf(label, sizeof(label), "%s, stripped", test->name);
    if (!read_program(&program, label, text))
        fail(label, "not read");
    else if (fw_loop_strip(program.program, NULL, 0, (struct fw_span){0}) == FW_OK)
        write_and_read(label, &program);
    else
        printf("%s: not stripped\n", test->name);
    free_program(&program);
}

/* ---- texts ---- */

static char *load(struct fw_arena *arena, const char *folder, const char *file)
{
    FILE *stream = fopen(fw_arena_printf(arena, "%s/kernels/knl/%s", folder, file), "rb");
    char *text = fw_arena_alloc(arena, 1 << 16);
    if (!stream)
        return NULL;
    size_t length = fread(text, 1, (1 << 16) - 1, stream);
    fclose(stream);
    text[length] = '\0';
    return text;
}

/* The lines that `keep` wants. */
static char *filter(struct fw_arena *arena, const char *text, bool base, const char *assume)
{
    static const char *const words[] = {
        "split ",   "tag ",  "fix ",   "prefetch ", "realize",    "add ",      "axes ",
        "coarsen ", "join ", "order ", "rename ",   "privatize ", "duplicate "};
    struct fw_buffer buffer = fw_buffer_new(arena);
    while (*text) {
        size_t length = strcspn(text, "\n") + (text[strcspn(text, "\n")] == '\n');
        bool wanted = true;
        for (size_t i = 0; base && i < sizeof(words) / sizeof(*words); i++)
            wanted = wanted && strncmp(text, words[i], strlen(words[i])) != 0;
        if (assume && strncmp(text, "assume ", 7) == 0)
            fw_buffer_printf(&buffer, "assume %s\n", assume);
        else if (wanted)
            fw_buffer_add(&buffer, text, length);
        text += length;
    }
    fw_buffer_add(&buffer, "", 0);
    return buffer.text;
}

static bool make_references(const struct test_case *test, const char *text,
                            struct state *references)
{
    struct program base;
    struct fw_emission *emission = NULL;
    char reason[256] = "";
    bool done = read_program(&base, test->name, text) &&
                fw_emit(&emission, base.program, FW_EMIT_C) == FW_OK;
    struct run_kernel *kernel = done ? run_kernel_new(RUN_PLAIN, emission, NULL, reason) : NULL;
    for (size_t s = 0; kernel && done && s < size_count(test); s++)
        done = run(kernel, emission, test, test->sizes[s], &references[s], reason);
    /* Names outlive the program: they are the test's. */
    for (size_t s = 0; kernel && s < size_count(test); s++)
        for (size_t i = 0; i < references[s].count; i++)
            references[s].arrays[i].name = strdup(references[s].arrays[i].name);
    if (!kernel || !done)
        fail(test->name, *reason ? reason : "no reference");
    if (kernel)
        run_kernel_free(kernel);
    free_program(&base);
    return kernel && done;
}

static void run_case(const struct test_case *test, const char *folder, const bool *available)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct state references[SIZES] = {{.count = 0}};
    char *data = fw_arena_printf(arena, "%s/data/compile", folder);
    const char *whole = test->file ? load(arena, folder, test->file) : test->text;
    unsigned before = failures;
    struct program program = {NULL, NULL, {0}, {0}, NULL};
    if (!whole) {
        fail(test->name, "no file");
    } else if (make_references(test, filter(arena, whole, true, test->assume), references)) {
        const char *text = filter(arena, whole, false, test->assume);
        if (!read_program(&program, test->name, text))
            fail(test->name, "not read");
        if (program.program) {
            write_and_read(test->name, &program);
            strip_and_write(test, text);
        }
        for (unsigned way = 0; program.program && way < RUN_WAY_COUNT; way++)
            if (available[way])
                compare(test, &program, (enum run_way)way, references, data);
        free_program(&program);
    }
    for (size_t s = 0; s < SIZES; s++) {
        for (size_t i = 0; i < references[s].count; i++)
            free((void *)(uintptr_t)references[s].arrays[i].name);
        release(&references[s]);
    }
    printf("%s: %s\n", test->name, failures == before ? "the same" : "DIFFERENT");
    fw_arena_free(arena);
}

int main(int count, char **arguments)
{
    bool available[RUN_WAY_COUNT];
    char reason[256] = "";
    if (count < 5)
        return 2;
    unsigned long part = strtoul(arguments[3], NULL, 10), parts = strtoul(arguments[4], NULL, 10);
    char data[4096];
    size_t ran = 0;
    snprintf(data, sizeof(data), "%s/data/compile", arguments[1]);
    run_use_device(arguments[2]);
    for (unsigned way = 0; way < RUN_WAY_COUNT; way++) {
        available[way] = run_available((enum run_way)way, data, reason);
        if (!available[way])
            printf("SKIPPED on this machine: %s (%s)\n", run_way_text((enum run_way)way), reason);
    }
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        if (count > 5 ? strcmp(arguments[5], cases[i].name) == 0 : parts && i % parts == part) {
            run_case(&cases[i], arguments[1], available);
            ran++;
        }
    printf("%zu of %zu cases, %u failures\n", ran, sizeof(cases) / sizeof(*cases), failures);
    return failures || ran == 0 ? 1 : 0;
}
