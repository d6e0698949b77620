/* The same kernel through nvcc, clang and OpenCL (clang with libclc) does the same mathematics.
 *
 * Mathematical operations are those on floating-point numbers that the source's formulas ask for,
 * by type: additions (and subtractions), multiplications, a multiply-add being one of each, so that
 * fusing changes nothing; divisions (and reciprocals), square roots (and reciprocal ones), and the
 * special functions of the hardware (exponential, logarithm, sine, cosine, hyperbolic tangent).
 * Comparisons, minima, signs, conversions and all arithmetic on integers are none.
 *
 * Each kernel with both a .cu and a .cl runs its small launch in the emulator, on the same data;
 * what executed is compared.  Where compilers rightly differ, `admitted` says between which, and
 * why; all else must be equal, and an entry that is no longer needed is an error.
 *
 * usage: math-operations SOURCE-TREE
 * Without nvcc its PTX under tests/golden/kernels serves; exit status 77 without clang and libclc.
 */
#include "forewarp.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TYPES = 4, KINDS = 5, WAYS = 3, LONGEST = 4096, MOST_BUFFERS = 32 };
enum kind { ADDITIONS, MULTIPLICATIONS, DIVISIONS, ROOTS, SPECIAL };
enum way { NVCC, CLANG, OPENCL };

static const char *const kinds[KINDS] = {"additions", "multiplications", "divisions", "roots",
                                         "special functions"};
static const char *const types[TYPES] = {"f16", "bf16", "f32", "f64"};
static const char *const ways[WAYS] = {"nvcc", "clang", "opencl"};

/* What an operation of PTX is; fma is two. */
static const struct {
    const char *operation;
    enum kind kind;
} meanings[] = {{"add", ADDITIONS},       {"sub", ADDITIONS},       {"fma", ADDITIONS},
                {"mad", ADDITIONS},       {"fma", MULTIPLICATIONS}, {"mad", MULTIPLICATIONS},
                {"mul", MULTIPLICATIONS}, {"div", DIVISIONS},       {"rcp", DIVISIONS},
                {"sqrt", ROOTS},          {"rsqrt", ROOTS},         {"ex2", SPECIAL},
                {"lg2", SPECIAL},         {"sin", SPECIAL},         {"cos", SPECIAL},
                {"tanh", SPECIAL}};

struct counts {
    double of[TYPES][KINDS];
    bool known;
};

/* Differences that are right: in which kernel, of which way from the others, in which kinds, and
 * why. That the first three reasons are the whole of their differences was seen with fusing
 * switched off (nvcc -fmad=false, clang -ffp-contract=off): the PTX of all three then has equal
 * counts. */
static const char twice[] = "a product that two sums use is fused into both: multiplied twice";
static const char rounding[] =
    "a product that two sums use is fused into both; other roundings, other numbers of iterations";
static const char doubled[] =
    "2 x - y, which is x + x - y to all, is one multiply-add to clang alone";
static const char library[] = "each library's own exponential, logarithm, sine or error function";
static const char root[] = "libclc's reciprocal root is a root and a division";
static const char constants[] = "an OpenCL compiler knows the program's constants and multiplies "
                                "them; CUDA's host may change them";

#define BIT(kind) (1u << (kind))
#define EXPANDED  (BIT(ADDITIONS) | BIT(MULTIPLICATIONS) | BIT(DIVISIONS) | BIT(SPECIAL))
#define FUSED     (BIT(ADDITIONS) | BIT(MULTIPLICATIONS))

static const struct admission {
    const char *kernel;
    enum way way;
    unsigned kinds;
    const char *why;
} admitted[] = {
    {"lbm_d2q9", CLANG, BIT(MULTIPLICATIONS), twice},
    {"lbm_d2q9", OPENCL, BIT(MULTIPLICATIONS), twice},
    {"lbm_d3q19", CLANG, BIT(MULTIPLICATIONS), twice},
    {"lbm_d3q19", OPENCL, BIT(MULTIPLICATIONS), twice},
    {"thomas", CLANG, BIT(MULTIPLICATIONS), twice},
    {"mandelbrot", NVCC, FUSED, rounding},
    {"wave2d", NVCC, FUSED, doubled},
    {"wave3d", NVCC, FUSED, doubled},
    {"nbody", OPENCL, BIT(DIVISIONS), root},
    {"layer_norm", OPENCL, BIT(DIVISIONS), root},
    {"conv2d_constant", OPENCL, BIT(MULTIPLICATIONS), constants},
    {"fft_stage", CLANG, FUSED, library},
    {"fft_stage", OPENCL, FUSED, library},
    {"softmax", CLANG, EXPANDED, library},
    {"softmax", OPENCL, EXPANDED, library},
    {"special_functions", CLANG, EXPANDED, library},
    {"special_functions", OPENCL, EXPANDED, library},
    {"black_scholes", CLANG, EXPANDED, library},
    {"black_scholes", OPENCL, EXPANDED, library},
    {"gelu", CLANG, EXPANDED, library},
    {"gelu", OPENCL, EXPANDED, library},
    {"sigmoid", CLANG, EXPANDED, library},
    {"sigmoid", OPENCL, EXPANDED, library},
    {"cutoff_forces", CLANG, EXPANDED, library},
    {"cutoff_forces", OPENCL, EXPANDED, library},
};

enum { ADMITTED = sizeof(admitted) / sizeof(admitted[0]) };
static bool used[ADMITTED];

struct test {
    const char *tree;
    struct fw_context *context;
    bool has[WAYS];
    bool golden; /* nvcc's PTX is that of tests/golden/kernels */
    /* read last */
    char file[LONGEST];
    struct fw_program *programs[WAYS];
    unsigned compared, equal, differing, failed;
    char said[512];
};

static void hear(void *user, const struct fw_message *message)
{
    struct test *test = user;
    if (message->severity == FW_MESSAGE_ERROR)
        snprintf(test->said, sizeof(test->said), "%s: %s", message->code, message->text);
}

static enum fw_status read_program(struct test *test, enum way way, const char *base)
{
    char path[LONGEST];
    const char *compiler = way == NVCC ? "nvcc" : way == CLANG ? "clang" : NULL;
    struct fw_program_options options = {
        .size = sizeof(options), .compiler = compiler, .ptxas = FW_PTXAS_NEVER};
    bool golden = way == NVCC && test->golden;
    snprintf(path, sizeof(path), "%s/%s/%s.%s", test->tree,
             golden ? "tests/golden/kernels" : "kernels", base,
             golden          ? "ptx"
             : way == OPENCL ? "cl"
                             : "cu");
    return fw_program_read(&test->programs[way], test->context, path, &options);
}

/* An argument's position by its source's name; golden PTX has no names, but the twins' order. */
static bool find_argument(size_t *index, const struct fw_kernel_row *row, const char *name)
{
    for (*index = 0; *index < row->argument_count; (*index)++)
        if (strcmp(row->arguments[*index].name, name) == 0)
            return true;
    return false;
}

static void close_programs(struct test *test)
{
    for (int w = 0; w < WAYS; w++) {
        fw_program_free(test->programs[w]);
        test->programs[w] = NULL;
    }
}

/* What the emulator is told of a buffer, by position. */
static void describe(char *text, size_t size, uint32_t position, const json_t *buffer)
{
    const char *fill = json_string_value(json_object_get(buffer, "fill"));
    const char *type = json_string_value(json_object_get(buffer, "type"));
    const json_t *low = json_object_get(buffer, "low"), *high = json_object_get(buffer, "high");
    bool whole = type[0] == 's' || type[0] == 'u', random = strcmp(fill, "random") == 0;
    char range[128] = "";
    if (random && low && high && whole)
        snprintf(range, sizeof(range), "(%lld,%lld)", (long long)json_number_value(low),
                 (long long)json_number_value(high) - 1);
    else if (random && low && high)
        snprintf(range, sizeof(range), "(%.17g,%.17g)", json_number_value(low),
                 json_number_value(high));
    /* The emulator has no ramp and no cycle: any data will do that is the same for all. */
    fill = strcmp(fill, "ramp") == 0 ? "index" : strcmp(fill, "cycle") == 0 ? "permutation" : fill;
    snprintf(text, size, "%u=%s[%lld]:%s%s", position, type,
             (long long)json_integer_value(json_object_get(buffer, "count")), fill, range);
}

static void add_counts(struct counts *counts, const struct fw_answer *answer)
{
    for (size_t r = 0; r < answer->counts->operation_count; r++) {
        const struct fw_operation_row *row = &answer->counts->operations[r];
        for (size_t m = 0; m < sizeof(meanings) / sizeof(meanings[0]); m++)
            for (int t = 0; t < TYPES && strcmp(row->operation, meanings[m].operation) == 0; t++)
                if (strcmp(row->type, types[t]) == 0)
                    counts->of[t][meanings[m].kind] += row->count.value;
    }
    counts->known = true;
}

static void size_of(uint32_t at[3], const json_t *triple)
{
    for (size_t d = 0; d < 3; d++)
        at[d] = (uint32_t)json_integer_value(json_array_get(triple, d));
}

/* Runs the entry's launch as one compiler made it. */
static enum fw_status execute(struct counts *counts, struct test *test, enum way way,
                              const json_t *entry)
{
    const char *kernel_name = json_string_value(json_object_get(entry, "kernel")), *name;
    static char texts[MOST_BUFFERS][256];
    const char *arguments[MOST_BUFFERS];
    const struct fw_kernel *kernel;
    const struct fw_answer *answer;
    struct fw_worker *worker = NULL, *names = NULL;
    struct fw_emulate_settings settings = {.size = sizeof(settings), .arguments = arguments};
    uint32_t grid[3], block[3];
    json_t *value;
    enum fw_status status = fw_program_kernel(&kernel, test->programs[way], kernel_name);
    if (!status)
        status = fw_worker_new(&worker, test->programs[way], kernel);
    /* Names come from the OpenCL twin, which is always compiled here. */
    if (!status)
        status = fw_program_kernel(&kernel, test->programs[OPENCL], kernel_name);
    if (!status)
        status = fw_worker_new(&names, test->programs[OPENCL], kernel);
    if (status)
        goto out;
    const struct fw_kernel_row *row = fw_worker_kernel(names);
    size_t index;
    size_of(grid, json_object_get(entry, "grid"));
    size_of(block, json_object_get(entry, "block"));
    fw_worker_set_grid(worker, grid[0], grid[1], grid[2]);
    fw_worker_set_block(worker, block[0], block[1], block[2]);
    fw_worker_set_shared(worker, (uint64_t)json_integer_value(json_object_get(entry, "shared")));
    json_object_foreach(json_object_get(entry, "arguments"), name, value)
    {
        if (status || !find_argument(&index, row, name))
            continue;
        status = row->arguments[index].is_float
                     ? fw_worker_bind_number(worker, index, json_number_value(value))
                     : fw_worker_bind_integer(worker, index, json_integer_value(value));
    }
    json_object_foreach(json_object_get(entry, "buffers"), name, value)
    {
        if (!find_argument(&index, row, name) || settings.argument_count == MOST_BUFFERS)
            continue;
        char *text = texts[settings.argument_count];
        describe(text, sizeof(texts[0]), row->arguments[index].position, value);
        arguments[settings.argument_count++] = text;
    }
    if (!status)
        status = fw_worker_emulate(&answer, worker, &settings);
    if (!status)
        add_counts(counts, answer);
out:
    fw_worker_free(names);
    fw_worker_free(worker);
    return status;
}

/* The kinds in which two ways differ, as bits. */
static unsigned differing_kinds(const struct counts *a, const struct counts *b)
{
    unsigned bits = 0;
    for (int t = 0; t < TYPES; t++)
        for (int k = 0; k < KINDS; k++)
            if (a->of[t][k] != b->of[t][k])
                bits |= BIT(k);
    return bits;
}

/* Why this way may differ in these kinds in this kernel; NULL: it may not. */
static const char *admission_of(const char *kernel, enum way way, unsigned differing)
{
    for (size_t a = 0; a < ADMITTED; a++)
        if (strcmp(admitted[a].kernel, kernel) == 0 && admitted[a].way == way) {
            used[a] = true;
            return differing & ~admitted[a].kinds ? NULL : admitted[a].why;
        }
    return NULL;
}

static void print_counts(const char *kernel, const struct counts counts[WAYS])
{
    for (int t = 0; t < TYPES; t++)
        for (int k = 0; k < KINDS; k++) {
            bool any = false, equal = true;
            for (int w = 0; w < WAYS; w++) {
                any |= counts[w].of[t][k] > 0;
                equal &= counts[w].of[t][k] == counts[OPENCL].of[t][k];
            }
            if (any)
                printf("%-24s %-4s %-18s %12.0f %12.0f %12.0f%s\n", kernel, types[t], kinds[k],
                       counts[NVCC].of[t][k], counts[CLANG].of[t][k], counts[OPENCL].of[t][k],
                       equal ? "" : "  differs");
        }
}

/* Two of three that agree are what the third differs from; all three apart: nvcc is what the others
 * differ from. */
static void compare(struct test *test, const char *kernel, const struct counts counts[WAYS])
{
    unsigned differs[WAYS] = {0};
    unsigned nvcc_clang = differing_kinds(&counts[NVCC], &counts[CLANG]);
    unsigned nvcc_opencl = differing_kinds(&counts[NVCC], &counts[OPENCL]);
    unsigned clang_opencl = differing_kinds(&counts[CLANG], &counts[OPENCL]);
    test->compared++;
    print_counts(kernel, counts);
    if (!nvcc_clang && !nvcc_opencl) {
        test->equal++;
        return;
    }
    if (!clang_opencl) {
        differs[NVCC] = nvcc_clang;
    } else {
        differs[CLANG] = nvcc_clang;
        differs[OPENCL] = nvcc_opencl;
    }
    test->differing++;
    for (int w = 0; w < WAYS; w++) {
        const char *why = differs[w] ? admission_of(kernel, (enum way)w, differs[w]) : NULL;
        if (why) {
            printf("%-24s      %s differs, as it may: %s\n", kernel, ways[w], why);
        } else if (differs[w]) {
            printf("FAILED: %s: %s does other mathematics\n", kernel, ways[w]);
            test->failed++;
        }
    }
}

static void check(struct test *test, const json_t *entry)
{
    const char *file = json_string_value(json_object_get(entry, "file"));
    const char *kernel = json_string_value(json_object_get(entry, "kernel"));
    struct counts counts[WAYS] = {{.known = false}};
    char base[LONGEST], twin[2 * LONGEST];
    snprintf(base, sizeof(base), "%.*s", (int)(strrchr(file, '.') - file), file);
    snprintf(twin, sizeof(twin), "%s/kernels/%s.cl", test->tree, base);
    FILE *there = fopen(twin, "rb");
    if (!there)
        return;
    fclose(there);
    enum fw_status status = FW_OK;
    if (strcmp(test->file, file) != 0) {
        close_programs(test);
        snprintf(test->file, sizeof(test->file), "%s", file);
        for (int w = 0; w < WAYS && !status; w++)
            status = read_program(test, (enum way)w, base);
    }
    for (int w = 0; w < WAYS && !status; w++)
        status = test->programs[w] ? execute(&counts[w], test, (enum way)w, entry) : FW_ERROR_INPUT;
    if (!status) {
        compare(test, kernel, counts);
        return;
    }
    printf("FAILED: %s of %s did not run: %s\n", kernel, file, test->said);
    test->failed++;
}

/* Whether there is this compiler. */
static bool try_way(struct test *test, enum way way)
{
    enum fw_status status = read_program(test, way, "saxpy");
    close_programs(test);
    return status == FW_OK;
}

int main(int argc, char **argv)
{
    char headers[LONGEST], list[LONGEST], cache[LONGEST];
    const char *caches = getenv("XDG_CACHE_HOME"); /* shared with static-counts */
    struct test test = {.tree = argc > 1 ? argv[1] : "."};
    snprintf(headers, sizeof(headers), "%s/data/compile", test.tree);
    snprintf(list, sizeof(list), "%s/kernels/launches.json", test.tree);
    snprintf(cache, sizeof(cache), "%s/forewarp", caches ? caches : "");
    struct fw_context_options options = {
        .size = sizeof(options), .headers = headers, .message = hear, .user = &test};
    options.cache = caches ? cache : NULL;
    json_t *launches = json_load_file(list, 0, NULL), *entry;
    if (!launches || fw_context_new(&test.context, &options))
        return 3;
    test.golden = !try_way(&test, NVCC);
    if (!try_way(&test, CLANG) || !try_way(&test, OPENCL)) {
        printf("SKIPPED: %s\n", test.said);
        json_decref(launches);
        fw_context_free(test.context);
        return 77;
    }
    printf("nvcc: %s\n\n%-24s %-4s %-18s %12s %12s %12s\n",
           test.golden ? "none here; tests/golden/kernels" : "of this machine", "kernel", "type",
           "operations", ways[NVCC], ways[CLANG], ways[OPENCL]);
    size_t i;
    json_array_foreach(launches, i, entry)
    {
        if (strcmp(json_string_value(json_object_get(entry, "size")), "small") == 0)
            check(&test, entry);
    }
    for (size_t a = 0; a < ADMITTED; a++)
        if (!used[a]) {
            printf("FAILED: %s of %s is admitted to differ, and does not\n", admitted[a].kernel,
                   ways[admitted[a].way]);
            test.failed++;
        }
    printf("\n%u kernels, %u with equal mathematics in all three, %u with differences that are "
           "admitted or failed; %u failed\n",
           test.compared, test.equal, test.differing, test.failed);
    close_programs(&test);
    fw_context_free(test.context);
    json_decref(launches);
    return test.failed || test.compared == 0 ? 1 : 0;
}
