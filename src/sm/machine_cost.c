#include "machine_cost_internal.h"

#include "stage.h"
#include "warp.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *text;
    enum fw_figure figure;
} units[FW_SM_UNIT_COUNT] = {
#define X(name, text, figure) {text, FW_FIGURE_##figure},
    FW_SM_UNITS(X)
#undef X
};

const char *fw_sm_unit_text(enum fw_sm_unit unit)
{
    return units[unit].text;
}

enum fw_figure fw_sm_unit_figure(enum fw_sm_unit unit)
{
    return units[unit].figure;
}

/* Registers that an operation reads in one cycle: one of each of two banks. */
enum { READ_AT_ONCE = 2 };

/* How often a product of 64 bits goes through the half of the FMA unit that multiplies integers. */
enum { WIDE_PASSES = 2 };

double costing_figure(struct costing *c, enum fw_figure figure)
{
    double value;
    if (fw_device_figure(c->device, figure, &value))
        return value;
    for (size_t m = 0; m < c->missing.count; m++)
        if (c->missing.at[m] == figure)
            return 0;
    *FW_APPEND(c->arena, &c->missing) = figure;
    return 0;
}

double costing_interval(struct costing *c, enum fw_figure rate, double results)
{
    double lanes = costing_figure(c, rate);
    return lanes > 0 ? (results * c->schedulers / lanes) : 1;
}

static bool is(const struct fw_machine_operation *operation, const char *name)
{
    return strcmp(operation->name, name) == 0;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static void on(struct costing *c, struct fw_sm_operation *to, enum fw_sm_unit unit,
               enum fw_figure rate, enum fw_figure latency, enum fw_sm_wait wait)
{
    to->unit = unit;
    to->interval = costing_interval(c, rate, FW_WARP_THREADS);
    to->latency = costing_figure(c, latency);
    to->wait = wait;
}

/* Operations of these units share registers' ports with wgmma. */
static void slow_beside_products(struct costing *c, struct fw_sm_operation *to, bool heavy)
{
    double left = 1;
    if (!c->products || !(to->unit == FW_SM_ALU || to->unit == FW_SM_XU || heavy))
        return;
    left = costing_figure(c, to->unit == FW_SM_XU ? FW_FIGURE_SPECIAL_BESIDE_WGMMA
                                                  : FW_FIGURE_ALU_BESIDE_WGMMA);
    to->beside = left > 0 ? 1 / left : 0;
}

/* The tensor rate of a matrix product's factors. */
static enum fw_figure tensor_rate(enum fw_type type)
{
    switch (type) {
    case FW_TYPE_F64:
        return FW_FIGURE_TENSOR_F64;
    case FW_TYPE_TF32:
        return FW_FIGURE_TENSOR_TF32;
    case FW_TYPE_BF16:
    case FW_TYPE_BF16X2:
        return FW_FIGURE_TENSOR_BF16;
    case FW_TYPE_S8:
    case FW_TYPE_U8:
    case FW_TYPE_S4:
    case FW_TYPE_U4:
    case FW_TYPE_S32:
        return FW_FIGURE_TENSOR_INT8;
    case FW_TYPE_E4M3:
    case FW_TYPE_E5M2:
        return FW_FIGURE_TENSOR_FP8;
    default:
        return FW_FIGURE_TENSOR_F16;
    }
}

/* Cycles in which shared memory delivers the factors of a product: those of m64n8k16 take more than
 * the product itself (data/h200/asynchronous: 16 + n / 4 cycles of less than n = 64). */
static double delivery_of(struct costing *c, const struct fw_scheduled *at)
{
    double rate = at->shared_bytes ? costing_figure(c, FW_FIGURE_SHARED_BANKS) *
                                         costing_figure(c, FW_FIGURE_SHARED_BANK_BYTES)
                                   : 0;
    return rate > 0 ? at->shared_bytes / rate : 0;
}

/* The share of the tensor peak that a warp's products reach, of so many operations each: m16n8 and
 * 256 bits of depth, of f64 m16n8k4, or half of that.  Source: data/h200/fragments. */
static double product_share(struct costing *c, enum fw_type type, double operations, bool *half)
{
    enum { SUMS = 16 * 8, DEPTH_BITS = 256 };
    double whole = 2.0 * SUMS * DEPTH_BITS / fw_type_bits(type);
    double share = 0;
    *half = operations < whole && fw_device_figure(c->device, FW_FIGURE_TENSOR_HALF_SHARE, &share);
    if (*half && share > 0)
        return share;
    share = type == FW_TYPE_F64 ? 1 : costing_figure(c, FW_FIGURE_TENSOR_MMA_SHARE);
    return share > 0 ? share : 1;
}

/* One of the `products` of the tensor core that an instruction is. */
static void on_tensor(struct costing *c, struct fw_sm_operation *to, const struct fw_scheduled *at,
                      uint32_t products)
{
    bool half = false;
    double operations = (double)at->flops * FW_WARP_THREADS / products;
    double rate = costing_figure(c, tensor_rate(at->type));
    if (at->together <= FW_WARP_THREADS)
        rate *= product_share(c, at->type, operations, &half);
    to->unit = FW_SM_TENSOR;
    double delivery = delivery_of(c, at);
    to->interval = fmax(rate > 0 ? operations * c->schedulers / rate : 1, delivery);
    to->delivery = delivery / to->interval;
    to->latency =
        costing_figure(c, half ? FW_FIGURE_LATENCY_TENSOR_HALF : FW_FIGURE_LATENCY_TENSOR);
    to->product = at->together > FW_WARP_THREADS;
    if (to->product)
        to->completes = costing_figure(c, FW_FIGURE_LATENCY_WGMMA);
}

static bool has_access(const struct fw_scheduled *at)
{
    return at->access_count && at->access != FW_NONE;
}

/* Which units, and what its instruction's other operations are to it. */
static void mark(struct costing *c, struct fw_sm_operation *to,
                 const struct fw_machine_operation *operation)
{
    if (to->unit == FW_SM_FMA)
        forms_halve(c, to,
                    strcmp(operation->pipe, "fma_heavy") == 0 ? WIDE_PASSES
                    : fw_type_class(operation->type) != 'f'   ? 1
                                                              : 0);
    to->queued = is(operation, "MUFU");
    to->off_chain = is(operation, "MOV") || is(operation, "IMAD.MOV") || is(operation, "SEL") ||
                    is(operation, "FSEL");
    to->compares = is(operation, "FSETP") || is(operation, "ISETP") || is(operation, "DSETP");
}

/* Cycles in which the scheduler of a load through L1, or of a store, issues nothing more (Nsight
 * Compute's dispatch_stall; data/h200/mixed). */
static double request_issue(struct costing *c, const struct fw_access *access)
{
    bool shared = access->space == FW_SPACE_SHARED;
    if (access->bulk || access->space == FW_SPACE_PARAM || access->space == FW_SPACE_CONST)
        return 0;
    if (access->direction == FW_STORE)
        return costing_figure(c, FW_FIGURE_STORE_ISSUE);
    return access->direction == FW_LOAD && !shared ? costing_figure(c, FW_FIGURE_LOAD_ISSUE) : 0;
}

/* What a product of integers that keeps the high word, or 64 bits, takes of its scheduler: IMAD.HI
 * takes more than IMAD.WIDE. */
static enum fw_figure wide_figure(const struct costing *c,
                                  const struct fw_machine_operation *operation)
{
    double value;
    bool high = is(operation, "IMAD.HI");
    return high && fw_device_figure(c->device, FW_FIGURE_HIGH_ISSUE, &value) ? FW_FIGURE_HIGH_ISSUE
                                                                             : FW_FIGURE_WIDE_ISSUE;
}

/* Cycles in which the scheduler of an operation issues nothing more, beyond its own, since
 * registers are read, or a product of integers keeps 64 bits or the high word.  Nsight Compute has
 * either as dispatch_stall.  Source: data/h200/ports, data/h200/mixes. */
static double dispatch_of(struct costing *c, const struct fw_machine_operation *operation,
                          const struct fw_sm_operation *to)
{
    double reads = 0, wide = 0;
    if (operation->reads > READ_AT_ONCE &&
        (to->unit == FW_SM_FMA || to->unit == FW_SM_ALU || to->unit == FW_SM_FP16))
        reads = costing_figure(c, FW_FIGURE_REGISTER_READS);
    if (strcmp(operation->pipe, "fma_heavy") == 0)
        wide = costing_figure(c, wide_figure(c, operation));
    return fmax(reads, wide);
}

/* Sums, extrema and logic of a warp are made in a unit of their own, which special functions do not
 * wait for (data/h200/mixes: one in 8 cycles of a scheduler, beside one of these as well). */
static void reduce(struct costing *c, struct fw_sm_operation *to)
{
    double lanes;
    const bool known = fw_device_figure(c->device, FW_FIGURE_LANES_REDUX, &lanes);
    on(c, to, FW_SM_MATCH, known ? FW_FIGURE_LANES_REDUX : FW_FIGURE_LANES_SPECIAL,
       FW_FIGURE_LATENCY_SHUFFLE, FW_SM_WAIT_SHORT);
}

/* Distinct values of a warp, where each lane has any of those that there may be. */
static double matched_values(const struct fw_scheduled *at)
{
    const double all = at->matched;
    return all > 0 ? all * (1 - pow(1 - 1 / all, FW_WARP_THREADS)) : FW_WARP_THREADS;
}

/* match.any goes through the distinct values of a warp one by one, in a unit that all schedulers
 * share; match.all compares once (data/h200/match). */
static void match(struct costing *c, struct fw_sm_operation *to, const struct fw_scheduled *at)
{
    const double values = matched_values(at), words = fw_type_bits(at->type) == 64 ? 2 : 1;
    to->unit = FW_SM_MATCH;
    to->interval = costing_interval(c, FW_FIGURE_MATCH_VALUES, values * words);
    to->latency = costing_figure(c, FW_FIGURE_LATENCY_MATCH) +
                  (values - 1) * costing_figure(c, FW_FIGURE_LATENCY_MATCH_VALUE);
    to->wait = FW_SM_WAIT_SHORT;
}

/* Latency and unit of one machine operation, by its pipe. */
static struct fw_sm_operation cost_of(struct costing *c, const struct fw_scheduled *at,
                                      const struct fw_machine_operation *operation)
{
    struct fw_sm_operation to = {.interval = 1, .every = operation->every ? operation->every : 1};
    const char *pipe = operation->pipe;
    to.guarded = operation->guarded;
    if (operation->guarded && !fw_corrects_quotient(at))
        return to; /* an issue slot: ordinary data never get there */
    if (strcmp(pipe, "fma") == 0)
        on(c, &to, FW_SM_FMA, FW_FIGURE_LANES_F32,
           fw_type_class(operation->type) == 'f' ? FW_FIGURE_LATENCY_F32
                                                 : FW_FIGURE_LATENCY_INT32_MULTIPLY,
           FW_SM_WAIT_FIXED);
    else if (strcmp(pipe, "fma_heavy") == 0)
        on(c, &to, FW_SM_FMA, FW_FIGURE_LANES_INT32_MULTIPLY, FW_FIGURE_LATENCY_INT32_MULTIPLY,
           FW_SM_WAIT_FIXED);
    else if (strcmp(pipe, "alu") == 0)
        on(c, &to, FW_SM_ALU, FW_FIGURE_LANES_INT32, FW_FIGURE_LATENCY_INT32, FW_SM_WAIT_FIXED);
    else if (strcmp(pipe, "fp16") == 0) {
        on(c, &to, FW_SM_FP16, FW_FIGURE_LANES_F16, FW_FIGURE_LATENCY_F16, FW_SM_WAIT_FIXED);
        to.interval *= 2; /* two results of a lane */
    } else if (strcmp(pipe, "fp64") == 0)
        on(c, &to, FW_SM_FP64, FW_FIGURE_LANES_F64, FW_FIGURE_LATENCY_F64_FMA, FW_SM_WAIT_FIXED);
    else if (strcmp(pipe, "xu") == 0)
        on(c, &to, FW_SM_XU,
           is(operation, "POPC") || is(operation, "FLO") || is(operation, "BREV")
               ? FW_FIGURE_LANES_POPCOUNT
               : FW_FIGURE_LANES_SPECIAL,
           FW_FIGURE_LATENCY_SPECIAL, FW_SM_WAIT_SHORT);
    else if (strcmp(pipe, "tensor") == 0)
        on_tensor(c, &to, at, operation->times ? operation->times : 1);
    else if (is(operation, "SHFL")) {
        on(c, &to, FW_SM_LSU, FW_FIGURE_LANES_SHUFFLE, FW_FIGURE_LATENCY_SHUFFLE, FW_SM_WAIT_SHORT);
        to.interval /= c->schedulers; /* one for all schedulers */
    } else if (is(operation, "MATCH")) {
        match(c, &to, at);
    } else if (is(operation, "REDUX")) {
        reduce(c, &to);
    } else if (begins(operation->name, "LDC"))
        to.latency = costing_figure(c, FW_FIGURE_LATENCY_CONSTANT);
    else if (begins(operation->name, "UIADD3")) /* a counter of the scalar datapath */
        to.latency = costing_figure(c, FW_FIGURE_LATENCY_INT32);
    mark(c, &to, operation);
    slow_beside_products(c, &to, strcmp(pipe, "fma_heavy") == 0);
    to.meets = is(operation, "BSSY") || is(operation, "BSYNC");
    to.indexed = is(operation, "BRX");
    bool constant = begins(operation->name, "LDC") && has_access(at) &&
                    c->kernel->accesses[at->access].space == FW_SPACE_CONST;
    to.memory =
        (strcmp(pipe, "lsu") == 0 || strcmp(pipe, "none") == 0 || constant) && has_access(at);
    if (to.memory) {
        to.unit = FW_SM_LSU;
        to.reading = request_issue(c, &c->kernel->accesses[at->access]);
    }
    to.reading = fmax(to.reading, dispatch_of(c, operation, &to));
    return to;
}

/* Operations of an instruction under a predicate of its own wait for the comparison, as a branch
 * does, and what follows waits for them: fixed latencies pass whether or not the predicate holds
 * (13 cycles from FSETP to FMUL under its predicate, 4 from there on: ptxas 13.0 for sm_90). */
static void wait_for_own_predicate(struct costing *c, size_t first)
{
    bool compared = false;
    size_t guarded = 0;
    for (size_t o = first; o < c->operations.count; o++)
        guarded += c->operations.at[o].guarded;
    for (size_t o = first; o < c->operations.count && guarded; o++) {
        struct fw_sm_operation *at = &c->operations.at[o];
        if (at->compares && !compared)
            at->latency = fmax(at->latency, costing_figure(c, FW_FIGURE_LATENCY_CONDITION));
        else if (at->guarded)
            at->latency = costing_figure(c, FW_FIGURE_LATENCY_F32);
        else if (at->off_chain)
            at->latency = 0;
        compared |= at->compares;
    }
}

/* The operations of an instruction take so many cycles one after the other; 0: as they are. */
static void share_chain(struct costing *c, size_t first, double cycles)
{
    const double count = (double)(c->operations.count - first);
    for (size_t o = first; o < c->operations.count && cycles > 0; o++)
        c->operations.at[o].latency = cycles / count;
}

/* Divisions, roots and reciprocals as measured: their chain is longer than the operations say.  (By
 * a literal they have no reciprocal.)  A reciprocal of f32 asks for its operand's exponent, and
 * branches, before it begins (data/h200/rounded). */
static void use_measured_chain(struct costing *c, const struct fw_scheduled *at, size_t first)
{
    bool reciprocal = false;
    for (size_t o = first; o < c->operations.count; o++)
        reciprocal |= c->operations.at[o].unit == FW_SM_XU;
    bool divides = strcmp(at->operation, "div") == 0 || strcmp(at->operation, "rem") == 0;
    bool roots = strcmp(at->operation, "sqrt") == 0;
    bool inverts = strcmp(at->operation, "rcp") == 0 && fw_has_own_branch(at);
    size_t count = c->operations.count - first;
    double cycles = 0;
    if ((!divides && !roots && !inverts) || !reciprocal)
        return;
    if (inverts && at->type == FW_TYPE_F32)
        fw_device_figure(c->device, FW_FIGURE_LATENCY_F32_RECIPROCAL, &cycles);
    if (inverts) {
        share_chain(c, first, cycles);
        return;
    }
    if (at->type == FW_TYPE_F64)
        cycles =
            costing_figure(c, roots ? FW_FIGURE_LATENCY_F64_SQRT : FW_FIGURE_LATENCY_F64_DIVIDE);
    else if (at->type == FW_TYPE_F32 && count > 2)
        cycles =
            costing_figure(c, roots ? FW_FIGURE_LATENCY_F32_SQRT : FW_FIGURE_LATENCY_F32_DIVIDE);
    else if (fw_type_class(at->type) != 'f' && count > 2)
        cycles = costing_figure(c, FW_FIGURE_LATENCY_INT32_DIVIDE);
    share_chain(c, first, cycles);
}

/* What the machine layer has no row for: a matrix product, a fragment's load or store; without a
 * machine layer an issue slot for each instruction. */
static void add_unlowered(struct costing *c, const struct fw_scheduled *at, size_t first)
{
    bool product = false, memory = false;
    struct fw_sm_operation to = {.interval = 1, .every = 1};
    for (size_t o = first; o < c->operations.count; o++) {
        product |= c->operations.at[o].unit == FW_SM_TENSOR;
        memory |= c->operations.at[o].memory;
    }
    if (at->collective && !product) {
        on_tensor(c, &to, at, 1);
        *FW_APPEND(c->arena, &c->operations) = to;
    } else if (has_access(at) && !memory &&
               (c->kernel->accesses[at->access].tile || c->kernel->accesses[at->access].bulk ||
                !c->kernel->capability)) {
        to.unit = FW_SM_LSU;
        to.memory = true;
        to.reading = request_issue(c, &c->kernel->accesses[at->access]);
        *FW_APPEND(c->arena, &c->operations) = to;
    } else if (!c->kernel->capability) {
        if (strcmp(at->operation, "mad.wide") == 0)
            to.reading = costing_figure(c, FW_FIGURE_WIDE_ISSUE);
        *FW_APPEND(c->arena, &c->operations) = to;
    }
}

/* Ways meet at the barriers that an instruction ends with (fw_lowering_branches).  A division or a
 * root has a pair around a way of its own, which its measured latency holds: these are issued with
 * it. */
static void leave_own_meetings(struct costing *c, const struct fw_scheduled *at, size_t first)
{
    size_t o = c->operations.count;
    while (o > first && c->operations.at[o - 1].meets)
        o--;
    while (o-- > first)
        c->operations.at[o].meets = false;
    const bool own = fw_has_own_branch(at);
    for (o = first; o < c->operations.count; o++)
        c->operations.at[o].parts = own;
}

/* The operations of wmma lie beside each other: what needs the result waits for the last product,
 * or for memory, and ptxas forms addresses ahead. */
static void set_fragment(struct costing *c, const struct fw_scheduled *at, size_t first)
{
    if (!at->collective && !(has_access(at) && c->kernel->accesses[at->access].tile))
        return;
    for (size_t o = first; o + 1 < c->operations.count; o++) {
        struct fw_sm_operation *operation = &c->operations.at[o];
        if (operation->unit == FW_SM_TENSOR)
            operation->latency = operation->interval;
        else if (!operation->memory)
            operation->latency = 0;
    }
}

/* Constants and literals for a request of memory, wherever the machine layer counts them: the
 * descriptor of global memory is loaded at the first instruction of its block, which may be a load
 * itself.  They wait for no data, and nothing waits long for them. */
static void bring_constants(struct costing *c, const struct fw_scheduled *at, size_t first)
{
    static const char *const names[] = {"ULDC", "LDC", "UMOV", "MOV", "IMAD.MOV"};
    bool memory = false;
    for (size_t o = first; o < c->operations.count; o++)
        memory |= c->operations.at[o].memory;
    size_t o = first;
    for (uint32_t m = 0; m < at->machine_count && memory; m++) {
        bool brings = false;
        for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++)
            brings |= strcmp(at->machine[m].name, names[n]) == 0;
        for (uint32_t t = 0; t < at->machine[m].times && o < c->operations.count; t++, o++)
            if (brings && !c->operations.at[o].memory) {
                c->operations.at[o].brings = true;
                c->operations.at[o].latency = 0;
            }
    }
}

static void add_instruction(struct costing *c, const struct fw_scheduled *at)
{
    enum { MOST_TIMES = 4096 };
    size_t first = c->operations.count;
    bool requested = false;
    for (uint32_t m = 0; m < at->machine_count; m++) {
        struct fw_sm_operation operation = cost_of(c, at, &at->machine[m]);
        uint32_t times = at->machine[m].times < MOST_TIMES ? at->machine[m].times : MOST_TIMES;
        for (uint32_t t = 0; t < times; t++) {
            struct fw_sm_operation *made = FW_APPEND(c->arena, &c->operations);
            *made = operation;
            forms_choose_half(c, made, strcmp(at->operation, "cvt") == 0);
            made->memory = operation.memory && !requested;
            requested |= operation.memory;
        }
    }
    leave_own_meetings(c, at, first);
    wait_for_own_predicate(c, first);
    use_measured_chain(c, at, first);
    add_unlowered(c, at, first);
    set_fragment(c, at, first);
    bring_constants(c, at, first);
}

/* Branches through tables: what they take where a warp's threads stay together, and part. */
static void add_places(struct costing *c, struct fw_sm_costs *costs)
{
    bool indexed = false;
    for (size_t o = 0; o < c->operations.count; o++)
        indexed |= c->operations.at[o].indexed;
    costs->place = costs->slot;
    if (!indexed)
        return;
    double issue = fmax(0, costing_figure(c, FW_FIGURE_PLACE_ISSUE) - 1);
    costs->place = (uint32_t)c->operations.count;
    costs->indexed = fmax(0, costing_figure(c, FW_FIGURE_LATENCY_INDEXED) - 1);
    costs->parted = fmax(0, costing_figure(c, FW_FIGURE_LATENCY_PLACE) - issue - 1);
    *FW_APPEND(c->arena, &c->operations) =
        (struct fw_sm_operation){.interval = 1, .every = 1, .reading = issue};
}

void fw_sm_costs_find(struct fw_sm_costs *costs, struct fw_arena *arena,
                      const struct fw_kernel *kernel, const struct fw_device *device)
{
    struct costing c = {.arena = arena, .kernel = kernel, .device = device};
    c.schedulers = costing_figure(&c, FW_FIGURE_SCHEDULERS);
    c.schedulers = c.schedulers > 0 ? c.schedulers : 1;
    for (uint32_t i = 0; i < kernel->schedule_count; i++)
        c.products |=
            kernel->schedule[i].collective && kernel->schedule[i].together > FW_WARP_THREADS;
    *costs = (struct fw_sm_costs){.first = FW_ARRAY(arena, uint32_t, kernel->schedule_count + 1)};
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        costs->first[i] = (uint32_t)c.operations.count;
        if (!kernel->schedule[i].unreachable)
            add_instruction(&c, &kernel->schedule[i]);
    }
    costs->first[kernel->schedule_count] = (uint32_t)c.operations.count;
    costs->slot = (uint32_t)c.operations.count;
    *FW_APPEND(arena, &c.operations) = (struct fw_sm_operation){.interval = 1, .every = 1};
    costs->idle = (uint32_t)c.operations.count;
    *FW_APPEND(arena, &c.operations) =
        (struct fw_sm_operation){.unit = FW_SM_LSU, .interval = 1, .every = 1};
    forms_give(&c, costs);
    add_places(&c, costs);
    costs->operations = c.operations.at;
    for (size_t m = 0; m < c.missing.count; m++) {
        const char *name = fw_figure_row(c.missing.at[m])->name;
        costs->missing =
            costs->missing ? fw_arena_printf(arena, "%s, %s", costs->missing, name) : name;
    }
}
