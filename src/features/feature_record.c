/* Rows of features from a record at a bound launch. */
#include "feature_rows.h"
#include "lanes.h"
#include "text.h"

#include <math.h>
#include <string.h>

/* X(PTX's operation, the feature's): what the kernel language has, too. */
/* clang-format off */
#define ARITHMETIC(X) \
    X("add", "add") X("sub", "add") X("mul", "mul") X("mul24", "mul") X("fma", "madd") \
    X("mad", "madd") X("mad24", "madd") X("mad.wide", "madd") X("div", "div") X("rem", "div") \
    X("rcp", "div") \
    X("shl", "shift") X("shr", "shift") X("and", "bw") X("or", "bw") X("xor", "bw") X("not", "bw") \
    X("lop3", "bw") X("min", "min") X("max", "max") X("sqrt", "sqrt") X("rsqrt", "rsqrt") \
    X("sin", "sin") X("cos", "cos") X("tanh", "tanh") X("ex2", "exp2") X("lg2", "log2")
/* clang-format on */

struct work {
    struct fw_feature_rows *rows;
    struct fw_arena *arena;
    const struct fw_kernel *kernel;
    struct fw_bound *bound;
    struct fw_map operations; /* name and type: index of the row */
    uint32_t line;            /* FW_FEATURE_ALL_LINES */
};

static bool is_wanted(const struct work *work, uint32_t line)
{
    return work->line == FW_FEATURE_ALL_LINES || work->line == line;
}

/* Executions of a domain by warps of the rows' size.  Wider ones than those of the bound are taken
 * to be executed in the same share of a block's warps: 96 threads are 3 warps of 32 and 2 of 64. */
static double warps_of(const struct work *work, uint32_t domain)
{
    double threads = work->rows->block_threads;
    return fw_bound_count_warps(work->bound, domain)->estimate * ceil(threads / work->rows->warp) /
           ceil(threads / FW_WARP_THREADS);
}

/* ---- operations ---- */

/* The element of a packed type, and how many an operation works on. */
static enum fw_type element_of(enum fw_type type, double *count)
{
    static const struct {
        enum fw_type packed, element;
    } types[] = {{FW_TYPE_F16X2, FW_TYPE_F16},
                 {FW_TYPE_BF16X2, FW_TYPE_BF16},
                 {FW_TYPE_F32X2, FW_TYPE_F32},
                 {FW_TYPE_U16X2, FW_TYPE_U16},
                 {FW_TYPE_S16X2, FW_TYPE_S16}};
    *count = 1;
    for (size_t t = 0; t < sizeof(types) / sizeof(*types); t++)
        if (types[t].packed == type) {
            *count = 2;
            return types[t].element;
        }
    return type;
}

/* The sum that takes in a product before it, and the product that is taken in. */
static bool is_contracted_sum(const struct fw_scheduled *at)
{
    bool sum = strcmp(at->operation, "add") == 0 || strcmp(at->operation, "sub") == 0;
    return sum && fw_type_class(at->type) == 'f' && at->machine_count == 1 &&
           strcmp(at->machine[0].operation, "fma") == 0;
}

static bool is_contracted_product(const struct work *work, const struct fw_scheduled *at)
{
    return work->kernel->capability && strcmp(at->operation, "mul") == 0 &&
           fw_type_class(at->type) == 'f' && at->machine_count == 0;
}

static const char *name_of(const struct fw_scheduled *at, bool *arithmetic)
{
    static const char *const names[][2] = {
#define X(ptx, name) {ptx, name},
        ARITHMETIC(X)
#undef X
    };
    *arithmetic = true;
    if (is_contracted_sum(at))
        return "madd";
    for (size_t n = 0; n < sizeof(names) / sizeof(*names); n++)
        if (strcmp(at->operation, names[n][0]) == 0)
            return names[n][1];
    *arithmetic = false;
    return at->operation;
}

static void add_operation(struct work *work, const struct fw_scheduled *at)
{
    bool arithmetic, added;
    double elements;
    enum fw_type type = element_of(at->type, &elements);
    const char *name = name_of(at, &arithmetic);
    const char *key = fw_arena_printf(work->arena, "%s %d", name, type);
    struct fw_map_entry *entry = fw_map_add(&work->operations, key, strlen(key), &added);
    if (added) {
        *FW_APPEND(work->arena, &work->rows->operations) =
            (struct fw_feature_operation){.name = name, .type = type, .arithmetic = arithmetic};
        entry->value = (uint32_t)work->rows->operations.count - 1;
    }
    work->rows->operations.at[entry->value].count += elements * warps_of(work, at->domain);
}

static void add_schedule(struct work *work)
{
    const struct fw_kernel *kernel = work->kernel;
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *at = &kernel->schedule[i];
        if (at->unreachable || !is_wanted(work, at->line))
            continue;
        double threads =
            at->flops || at->is_barrier ? fw_bound_count(work->bound, at->domain)->estimate : 0;
        work->rows->flops += threads * at->flops;
        if (at->is_barrier)
            work->rows->barriers += threads / (work->rows->blocks * work->rows->block_threads);
        if (at->group != FW_GROUP_MEMORY && at->group != FW_GROUP_CONTROL &&
            at->group != FW_GROUP_SYNC && !is_contracted_product(work, at))
            add_operation(work, at);
    }
}

/* ---- accesses ---- */

static bool same_pattern(const struct fw_feature_access *a, const struct fw_feature_access *b)
{
    return a->space == b->space && a->direction == b->direction && a->type == b->type &&
           a->array == b->array && a->has_thread_strides == b->has_thread_strides &&
           a->has_block_strides == b->has_block_strides &&
           memcmp(a->thread_strides, b->thread_strides, sizeof(a->thread_strides)) == 0 &&
           memcmp(a->block_strides, b->block_strides, sizeof(a->block_strides)) == 0;
}

/* Rows are few: an unrolled loop's accesses differ in their start alone. */
static struct fw_feature_access *row_of(struct work *work, const struct fw_feature_access *pattern)
{
    for (size_t r = 0; r < work->rows->accesses.count; r++)
        if (same_pattern(&work->rows->accesses.at[r], pattern))
            return &work->rows->accesses.at[r];
    struct fw_feature_access *row = FW_APPEND(work->arena, &work->rows->accesses);
    *row = *pattern;
    return row;
}

static void add_access(struct work *work, uint32_t index)
{
    const struct fw_kernel *kernel = work->kernel;
    const struct fw_access *access = &kernel->accesses[index];
    struct fw_strides strides;
    double packed, bytes = access->bytes;
    struct fw_feature_access row = {.space = access->space == FW_SPACE_GENERIC ? FW_SPACE_GLOBAL
                                                                               : access->space,
                                    .direction = access->direction,
                                    .type = element_of(access->type, &packed),
                                    .ratio = NAN,
                                    .access = index};
    uint32_t element = fw_type_bytes(row.type);
    if (access->array != FW_NONE)
        row.array = kernel->arrays[access->array].name;
    if (access->bulk)
        fw_bound_access_bytes(work->bound, access, &bytes);
    fw_strides_of_threads(&strides, work->bound, kernel, access);
    row.has_thread_strides = fw_strides_in_elements(&strides, element, row.thread_strides);
    fw_strides_of_blocks(&strides, work->bound, kernel, access);
    row.has_block_strides = fw_strides_in_elements(&strides, element, row.block_strides);
    bool uniform = row.has_thread_strides && row.thread_strides[0] == 0;
    bool by_threads = row.space == FW_SPACE_GLOBAL && !uniform;
    double executions = by_threads ? fw_bound_count(work->bound, access->domain)->estimate
                                   : warps_of(work, access->domain);
    row_of(work, &row)->count += executions * (element ? bytes / element : 1);
}

void fw_feature_rows_of_record(struct fw_feature_rows *rows, struct fw_arena *arena,
                               const struct fw_kernel *kernel, struct fw_bound *bound,
                               const struct fw_launch *launch, uint32_t warp, uint32_t line)
{
    struct work work = {
        .rows = rows, .arena = arena, .kernel = kernel, .bound = bound, .line = line};
    *rows = (struct fw_feature_rows){.layer = kernel->layer, .warp = warp, .blocks = 1};
    rows->block_threads = 1;
    for (int d = 0; d < 3; d++) {
        rows->blocks *= launch->grid[d];
        rows->block_threads *= launch->block[d];
    }
    work.operations = fw_map_new(arena);
    add_schedule(&work);
    for (uint32_t a = 0; a < kernel->access_count; a++)
        if (is_wanted(&work, kernel->accesses[a].line))
            add_access(&work, a);
    for (uint32_t p = 0; p < kernel->parameter_count; p++)
        if (launch->is_bound[p] && fw_type_class(kernel->parameters[p].type) != 'f' &&
            !kernel->parameters[p].is_pointer)
            *FW_APPEND(arena, &rows->parameters) =
                (struct fw_feature_parameter){kernel->parameters[p].name, launch->integers[p]};
}
