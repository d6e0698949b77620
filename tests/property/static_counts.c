/* Static counts against the emulator: on every example kernel, three launches each, the record's
 * count of every instruction equals what really executed, by threads and by warps, for the launch
 * and for single blocks.
 *
 * usage: static-counts LAUNCHES.json SOURCES PTX [KERNEL]
 *   SOURCES: folder of the .cu files (argument names); PTX: folder of their PTX, or
 *   compile:COMPILER:DATA (compiled_ptx.h): made now, skipped (exit status 77) without the
 * compiler. The launches: the list's small one; one block more with every integer argument one
 * less; one with every integer argument two thirds.  A variant that the kernel does not allow (the
 * emulator finds an access out of bounds) is left out and said.  Counts of kernels that the list
 * calls data-dependent may differ where the record says that it leaned on loaded data, and nowhere
 * else; so may branches on values in forewarp's own headers for clang.  Where the list says
 * "warps_exact", no warp count may be a bound; where it says "sampled": ERROR, counts may be
 * estimates that are off by no more than that, relatively; where it says "approximate", they may
 * lean on operations whose result PTX does not state to the bit. */
#include "compiled_ptx.h"
#include "emulate.h"
#include "launch.h"
#include "passes.h"
#include "subject.h"
#include "trace.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Warp instructions after which a launch is left out, where its entry has no `limit`. */
enum { DEFAULT_LIMIT = 400 * 1000 * 1000 };

struct totals {
    unsigned passed, failed, left_out, not_compiled, warps_inexact, unknown_free, traced;
};

/* Where PTX comes from, and what was compiled last: kernels of one file stand together. */
struct origin {
    const char *how;
    const char *sources;
    struct fw_arena *arena;
    char *source;
    enum compiled outcome;
    const char *ptx;
    size_t length;
};

struct variant {
    const char *name;
    int numerator, denominator, less, more_blocks;
};

static const struct variant variants[] = {
    {"small", 1, 1, 0, 0}, {"less", 1, 1, 1, 1}, {"two thirds", 2, 3, 0, 0}};

/* One kernel at one launch, and what was found. */
struct check {
    struct subject subject;
    unsigned differences;
    unsigned warps_inexact, inexact;
    unsigned blocks_compared;
    bool traced;      /* traces were compared */
    bool *parted;     /* by instruction: warp counts are bounds */
    double tolerance; /* relative, of counts that are sampled; 0: they are not compared */
};

/* The PTX of a source: read, or compiled now; NULL without. */
static const char *ptx_of(struct subject *s, struct origin *origin, const char *source_path,
                          const char *base, size_t *length)
{
    if (!compiled_asked(origin->how))
        return subject_file(s->arena, fw_arena_printf(s->arena, "%s/%s.ptx", origin->how, base),
                            length);
    if (!origin->source || strcmp(origin->source, source_path) != 0) {
        fw_arena_free(origin->arena);
        origin->arena = fw_arena_new(0);
        origin->source = fw_arena_printf(origin->arena, "%s", source_path);
        origin->outcome =
            compiled_ptx(&origin->ptx, &origin->length, origin->arena, origin->how, source_path);
    }
    *length = origin->length;
    return origin->outcome == COMPILED ? origin->ptx : NULL;
}

static bool build(struct subject *s, struct origin *origin, const char *base,
                  const char *source_path, const char *kernel_name)
{
    size_t length = 0;
    const char *text = ptx_of(s, origin, source_path, base, &length);
    return text && subject_read(s, base, text, length, source_path, kernel_name);
}

static int64_t varied(const struct variant *v, json_int_t value)
{
    return value * v->numerator / v->denominator - v->less;
}

/* A member of a structure passed by value, called argument+offset: its bytes. */
static struct fw_emulate_argument member(const struct fw_parameter *parameter, const char *name,
                                         const json_t *value, int64_t integer)
{
    struct fw_emulate_argument argument = {.position = parameter->position,
                                           .offset =
                                               (uint32_t)strtoul(strchr(name, '+') + 1, NULL, 10),
                                           .value_bytes = parameter->bytes};
    float single = (float)json_number_value(value);
    if (json_is_real(value))
        memcpy(argument.value, &single, sizeof(single));
    else
        memcpy(argument.value, &integer, sizeof(integer));
    return argument;
}

/* Binds the scalar arguments for the record and writes all arguments for the emulator. */
static size_t bind(struct subject *s, const json_t *entry, const struct variant *v,
                   struct fw_emulate_argument *arguments)
{
    struct fw_sink sink = subject_sink(s);
    size_t count = 0;
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(entry, "arguments"), name, value)
    {
        uint32_t p = fw_kernel_parameter(s->kernel, name);
        if (p == FW_NONE)
            continue;
        bool is_float = fw_type_class(s->kernel->parameters[p].type) == 'f';
        double real = json_number_value(value);
        int64_t integer = is_float ? 0 : varied(v, json_integer_value(value));
        s->launch->integers[p] = integer;
        s->launch->floats[p] = real;
        s->launch->is_bound[p] = true;
        if (s->kernel->parameters[p].is_member) {
            arguments[count++] = member(&s->kernel->parameters[p], name, value, integer);
            continue;
        }
        arguments[count++] =
            (struct fw_emulate_argument){.position = s->kernel->parameters[p].position,
                                         .is_number = true,
                                         .number = integer,
                                         .real = is_float ? real : (double)integer};
    }
    json_object_foreach(json_object_get(entry, "buffers"), name, value)
    {
        uint32_t p = fw_kernel_parameter(s->kernel, name);
        const char *fill = json_string_value(json_object_get(value, "fill"));
        const char *type = json_string_value(json_object_get(value, "type"));
        const json_t *low = json_object_get(value, "low"), *high = json_object_get(value, "high");
        if (p == FW_NONE)
            continue;
        bool integer = type[0] == 's' || type[0] == 'u' || type[0] == 'b';
        char range[96] = "";
        if (low && high && integer)
            snprintf(range, sizeof(range), "(%lld,%lld)", (long long)json_number_value(low),
                     (long long)json_number_value(high) - 1);
        else if (low && high)
            snprintf(range, sizeof(range), "(%.17g,%.17g)", json_number_value(low),
                     json_number_value(high));
        char *text = fw_arena_printf(
            s->arena, "#%u=%s[%lld]:%s%s", s->kernel->parameters[p].position, type,
            (long long)json_integer_value(json_object_get(value, "count")), fill, range);
        if (fw_emulate_argument_parse(&arguments[count], s->arena, text, &sink) == FW_OK)
            count++;
    }
    return count;
}

static void differ(struct check *check, uint32_t i, const char *what, mpz_srcptr counted,
                   uint64_t executed)
{
    const struct fw_scheduled *at = &check->subject.kernel->schedule[i];
    if (check->differences++ < 4)
        gmp_printf("    instruction %u (%s.%s line %u) %s: counted %Zd, executed %llu\n", i,
                   at->operation, fw_type_text(at->type), at->line, what, counted,
                   (unsigned long long)executed);
}

/* Whether the instruction stands in a block that ends the thread. */
static bool leaves(const struct fw_function *function, uint32_t instruction)
{
    for (uint32_t b = 0; b < function->block_count; b++)
        if (instruction >= function->blocks[b].first && instruction < function->blocks[b].end)
            return function->blocks[b].successor_count == 0;
    return false;
}

/* A sampled count differs where it is further from what executed than is tolerated: relative to it,
 * or, of what is rare, to a hundredth of what executed most often. */
static void compare_sampled(struct check *check, uint32_t i, const char *where,
                            const struct fw_total *total, uint64_t executed, uint64_t most)
{
    double least = (double)most / 100;
    double scale = (double)executed > least ? (double)executed : least;
    if (!total->exact && check->tolerance > 0 &&
        fabs(total->estimate - (double)executed) > check->tolerance * scale)
        differ(check, i, where, total->value, executed);
}

static void compare(struct check *check, const struct fw_emulate_count *counts, const char *where,
                    bool whole)
{
    uint64_t most_threads = 0, most_warps = 0;
    struct subject *s = &check->subject;
    for (uint32_t i = 0; i < s->kernel->schedule_count; i++) {
        most_threads = counts[i].threads > most_threads ? counts[i].threads : most_threads;
        most_warps = counts[i].warps > most_warps ? counts[i].warps : most_warps;
    }
    for (uint32_t i = 0; i < s->kernel->schedule_count; i++) {
        uint32_t domain = s->kernel->schedule[i].domain;
        if (domain == FW_NONE) {
            if (counts[i].threads)
                check->differences++;
            continue;
        }
        /* A guarded branch or exit counts where it is reached: its guard is what it tests. */
        bool tests = s->function->instructions[i].guard != FW_NO_INDEX &&
                     fw_instruction_is_terminator(&s->function->instructions[i]);
        uint64_t threads = tests ? counts[i].active : counts[i].threads;
        uint64_t warps = tests ? counts[i].issued : counts[i].warps;
        const struct fw_total *total = fw_bound_count(s->bound, domain);
        if (total->exact && mpz_cmp_ui(total->value, threads) != 0)
            differ(check, i, where, total->value, threads);
        if (whole)
            compare_sampled(check, i, where, total, threads, most_threads);
        check->inexact += !total->exact;
        total = fw_bound_count_warps(s->bound, domain);
        if (leaves(s->function, i)) /* a warp's threads may leave one after the other */
            continue;
        if (total->exact && mpz_cmp_ui(total->value, warps) != 0)
            differ(check, i, "by warps", total->value, warps);
        if (whole)
            compare_sampled(check, i, "by warps", total, warps, most_warps);
        check->warps_inexact += !total->exact;
        if (whole)
            check->parted[i] = !total->exact;
    }
}

/* Traces: executions of all warps together, of what no unknown and no sample stands behind. */
static void compare_traces(struct check *check, const struct fw_emulate_count *counts)
{
    struct subject *s = &check->subject;
    const struct fw_trace_options options = {.evaluations = 1u << 30, .traced_blocks = 1024};
    struct fw_sink sink = subject_sink(s);
    struct fw_traces traces;
    double *issues = FW_ARRAY(s->arena, double, s->kernel->schedule_count + 1);
    double *threads = FW_ARRAY(s->arena, double, s->kernel->schedule_count + 1);
    uint32_t unknowns;
    if (fw_traces_find(&traces, s->arena, s->kernel, s->bound, s->launch, &options, &sink)) {
        printf("    traces: %s\n", s->message);
        check->differences++;
        return;
    }
    for (uint32_t k = 0; k < traces.class_count; k++)
        fw_trace_count(&traces, traces.classes[k].trace, traces.classes[k].warps, issues, threads);
    const struct fw_unknown *unknown = fw_bound_unknowns(s->bound, &unknowns);
    bool known = !traces.blocks_sampled && !traces.iterations_sampled;
    for (uint32_t u = 0; u < unknowns; u++)
        known = known && (unknown[u].reason == FW_UNKNOWN_POINTER ||
                          unknown[u].reason == FW_UNKNOWN_SAMPLED);
    check->traced = known;
    for (uint32_t i = 0; known && i < s->kernel->schedule_count; i++) {
        bool tests = s->function->instructions[i].guard != FW_NO_INDEX &&
                     fw_instruction_is_terminator(&s->function->instructions[i]);
        uint64_t executed = tests ? counts[i].active : counts[i].threads;
        uint64_t issued = tests ? counts[i].issued : counts[i].warps;
        bool one_by_one = leaves(s->function, i) || check->parted[i];
        if (fabs(threads[i] - (double)executed) <= 1e-6 * (double)executed &&
            (one_by_one || fabs(issues[i] - (double)issued) <= 1e-6 * (double)issued))
            continue;
        if (check->differences++ < 4)
            printf("    instruction %u (%s line %u) traced: %.17g by threads, %.17g by warps; "
                   "executed %llu, %llu\n",
                   i, s->kernel->schedule[i].operation, s->kernel->schedule[i].line, threads[i],
                   issues[i], (unsigned long long)executed, (unsigned long long)issued);
    }
}

static void compare_block(void *user, const uint32_t block[3],
                          const struct fw_emulate_count *counts)
{
    struct check *check = user;
    struct subject *s = &check->subject;
    if (check->blocks_compared >= 6)
        return;
    check->blocks_compared++;
    s->launch->one_block = true;
    memcpy(s->launch->only, block, 3 * sizeof(uint32_t));
    if (fw_bound_set(s->bound, s->launch) == FW_OK)
        compare(check, counts, "in one block", false);
    s->launch->one_block = false;
}

/* What the record may lean on: loaded data where the list says so, or in our headers for clang. */
static bool is_excused(const struct fw_unknown *unknown, bool data_dependent, bool sampled,
                       bool approximate)
{
    if (unknown->reason == FW_UNKNOWN_POINTER)
        return true; /* the emulator's buffers are no null pointers, aligned and apart */
    if (unknown->reason == FW_UNKNOWN_SAMPLED)
        return sampled;
    if (unknown->reason == FW_UNKNOWN_APPROXIMATE)
        return approximate || data_dependent;
    return unknown->reason == FW_UNKNOWN_DATA &&
           (data_dependent || strstr(unknown->name, "@forewarp_"));
}

static void run(const json_t *entry, const struct variant *v, struct origin *origin,
                struct totals *totals)
{
    struct check check = {.subject = {.arena = fw_arena_new(0)}};
    struct subject *s = &check.subject;
    const char *file = json_string_value(json_object_get(entry, "file"));
    const char *name = json_string_value(json_object_get(entry, "kernel"));
    bool data_dependent = json_is_true(json_object_get(entry, "data_dependent"));
    check.tolerance = json_number_value(json_object_get(entry, "sampled"));
    struct fw_sink sink = subject_sink(s);
    char *base = fw_arena_printf(s->arena, "%s", file);
    *strrchr(base, '.') = '\0';
    const char *source = fw_arena_printf(s->arena, "%s/%s", origin->sources, file);
    if (!build(s, origin, base, source, name)) {
        if (compiled_asked(origin->how) && origin->outcome != COMPILED) {
            if (v == variants)
                printf("left out %s: %s\n", name,
                       origin->outcome == COMPILED_NO_SOURCE ? "no source for this compiler"
                                                             : "does not compile");
            totals->not_compiled += v == variants;
            fw_arena_free(s->arena);
            return;
        }
        printf("FAIL %s: %s\n", name, s->message[0] ? s->message : "no PTX");
        totals->failed++;
        fw_arena_free(s->arena);
        return;
    }
    struct fw_emulate_argument arguments[64] = {0};
    struct fw_emulate_launch launch = {.arguments = arguments};
    json_int_t limit = json_integer_value(json_object_get(entry, "limit"));
    struct fw_emulate_options options = {.limit = limit ? (uint64_t)limit : DEFAULT_LIMIT,
                                         .block_done = compare_block,
                                         .user = &check};
    s->launch = fw_launch_new(s->arena, s->kernel);
    for (int d = 0; d < 3; d++) {
        launch.grid[d] =
            (uint32_t)json_integer_value(json_array_get(json_object_get(entry, "grid"), (size_t)d));
        launch.block[d] = (uint32_t)json_integer_value(
            json_array_get(json_object_get(entry, "block"), (size_t)d));
        launch.grid[d] += (uint32_t)(d == 0 ? v->more_blocks : 0);
        s->launch->grid[d] = launch.grid[d];
        s->launch->block[d] = launch.block[d];
    }
    launch.dynamic_shared = (uint64_t)json_integer_value(json_object_get(entry, "shared"));
    s->launch->shared = launch.dynamic_shared;
    launch.argument_count = bind(s, entry, v, arguments);
    s->bound = fw_bound_new(s->kernel);
    struct fw_emulation *emulation = NULL;
    struct fw_emulate_result result = {0};
    enum fw_status status = fw_emulation_new(&emulation, s->function, &launch, &options, &sink);
    if (status == FW_OK)
        status = fw_emulation_run(&result, emulation);
    if (status != FW_OK) {
        bool fatal = v == variants && !strstr(s->message, "cannot be emulated");
        printf("%s %s, %s: %s\n", fatal ? "FAIL" : "left out", name, v->name, s->message);
        *(fatal ? &totals->failed : &totals->left_out) += 1;
    } else if (fw_bound_set(s->bound, s->launch) == FW_OK) {
        check.parted = FW_ARRAY(s->arena, bool, s->kernel->schedule_count + 1);
        compare(&check, result.instructions, "in the launch", true);
        compare_traces(&check, result.instructions);
        uint32_t unknowns;
        const struct fw_unknown *unknown = fw_bound_unknowns(s->bound, &unknowns);
        bool excused = true;
        for (uint32_t u = 0; u < unknowns; u++)
            excused = excused && is_excused(&unknown[u], data_dependent, check.tolerance > 0,
                                            json_is_true(json_object_get(entry, "approximate")));
        bool named = unknowns > 0 || check.inexact == 0; /* what is not exact has a name */
        bool warps = !json_is_true(json_object_get(entry, "warps_exact")) || !check.warps_inexact;
        bool good = check.differences == 0 && excused && named && warps;
        printf("%s %s, %s: %u instructions, %u blocks singly%s%s%s\n", good ? "ok  " : "FAIL", name,
               v->name, s->kernel->schedule_count, check.blocks_compared,
               unknowns ? ", leans on " : "", unknowns ? unknown[0].name : "",
               check.warps_inexact ? ", some warp counts are bounds" : "");
        *(good ? &totals->passed : &totals->failed) += 1;
        totals->traced += good && check.traced;
        totals->unknown_free += good && unknowns == 0;
        totals->warps_inexact += check.warps_inexact > 0;
    }
    fw_emulation_free(emulation);
    fw_bound_free(s->bound);
    fw_arena_free(s->arena);
}

int main(int argc, char **argv)
{
    struct totals totals = {0};
    struct origin origin = {.arena = fw_arena_new(0)};
    const char *compiler;
    json_error_t error;
    if (argc < 4)
        return 2;
    origin.sources = argv[2];
    origin.how = argv[3];
    if (compiled_asked(origin.how)) {
        bool there = compiled_available(&compiler, origin.arena, origin.how);
        printf(there ? "compiled by %s\n" : "SKIPPED, nothing was tested: %s\n", compiler);
        if (!there) {
            fw_arena_free(origin.arena);
            return 77;
        }
    }
    json_t *list = json_load_file(argv[1], 0, &error);
    if (!list) {
        fprintf(stderr, "%s: %s\n", argv[1], error.text);
        fw_arena_free(origin.arena);
        return 2;
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *entry = json_array_get(list, i);
        if (strcmp(json_string_value(json_object_get(entry, "size")), "small") != 0 ||
            (argc > 4 && strcmp(json_string_value(json_object_get(entry, "kernel")), argv[4]) != 0))
            continue;
        for (size_t v = 0; v < sizeof(variants) / sizeof(variants[0]); v++)
            run(entry, &variants[v], &origin, &totals);
    }
    json_decref(list);
    fw_arena_free(origin.arena);
    printf("%u launches without any unknown, %u with warp counts that are bounds, %u left out\n",
           totals.unknown_free, totals.warps_inexact, totals.left_out);
    printf("%u launches with traces compared\n", totals.traced);
    printf("%u kernels not compiled\n", totals.not_compiled);
    printf("%u passed, %u failed\n", totals.passed, totals.failed);
    return totals.failed || totals.passed == 0;
}
