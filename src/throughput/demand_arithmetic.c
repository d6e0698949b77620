/* Arithmetic: which unit each operation keeps busy, and for how many results. */
#include "demand.h"
#include "lanes.h"
#include "stage.h"

#include <math.h>
#include <string.h>

/* How an operation's cost follows from its type. */
enum family {
    ISSUED,     /* takes an issue slot alone: copies, control, synchronisation */
    ARITHMETIC, /* by type: the float units, or the integer unit */
    PRODUCT,    /* by type: the float units, or the integer multiplier */
    SELECTION,  /* comparison, minimum, selection, logic, shifts: the integer unit for any type */
    TRANSCENDENT,
    DIVISION,
    BITS,
    EXCHANGE
};

/* X(operation, family).  PTX operations that are not here are ISSUED. */
/* clang-format off */
#define OPERATIONS(X) \
    X("add", ARITHMETIC) X("sub", ARITHMETIC) X("flop", ARITHMETIC) X("addc", ARITHMETIC) \
    X("subc", ARITHMETIC) \
    X("fma", PRODUCT) X("mul", PRODUCT) X("mad", PRODUCT) X("madc", PRODUCT) X("mul24", PRODUCT) \
    X("mad24", PRODUCT) X("dp4a", PRODUCT) X("dp2a", PRODUCT) X("mad.wide", PRODUCT) \
    X("div", DIVISION) X("rem", DIVISION) \
    X("rcp", TRANSCENDENT) X("sqrt", TRANSCENDENT) X("rsqrt", TRANSCENDENT) \
    X("sin", TRANSCENDENT) X("cos", TRANSCENDENT) X("lg2", TRANSCENDENT) X("ex2", TRANSCENDENT) \
    X("tanh", TRANSCENDENT) \
    X("min", SELECTION) X("max", SELECTION) X("set", SELECTION) X("setp", SELECTION) \
    X("selp", SELECTION) X("slct", SELECTION) X("and", SELECTION) X("or", SELECTION) \
    X("xor", SELECTION) X("not", SELECTION) X("cnot", SELECTION) X("lop3", SELECTION) \
    X("shf", SELECTION) X("shl", SELECTION) X("shr", SELECTION) X("prmt", SELECTION) \
    X("cvt", SELECTION) X("bfe", SELECTION) X("bfi", SELECTION) X("bmsk", SELECTION) \
    X("sad", SELECTION) X("abs", SELECTION) X("neg", SELECTION) X("szext", SELECTION) \
    X("testp", SELECTION) X("copysign", SELECTION) \
    X("popc", BITS) X("clz", BITS) X("bfind", BITS) X("brev", BITS) X("fns", BITS) \
    X("shfl", EXCHANGE)
/* clang-format on */

static enum family family_of(const char *operation)
{
    static const struct {
        const char *operation;
        enum family family;
    } rows[] = {
#define X(operation, family) {operation, family},
        OPERATIONS(X)
#undef X
    };
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++)
        if (strcmp(rows[r].operation, operation) == 0)
            return rows[r].family;
    return ISSUED;
}

static bool is_half(enum fw_type type)
{
    return type == FW_TYPE_F16 || type == FW_TYPE_F16X2 || type == FW_TYPE_BF16 ||
           type == FW_TYPE_BF16X2;
}

/* The float unit of a type, and how many results one execution is. */
static enum fw_resource float_unit(enum fw_type type, double *results)
{
    *results = type == FW_TYPE_F16X2 || type == FW_TYPE_BF16X2 || type == FW_TYPE_F32X2 ? 2 : 1;
    return type == FW_TYPE_F64 ? FW_RESOURCE_F64
           : is_half(type)     ? FW_RESOURCE_F16
                               : FW_RESOURCE_F32;
}

static enum fw_resource tensor_unit(enum fw_type type)
{
    switch (type) {
    case FW_TYPE_F64:
        return FW_RESOURCE_TENSOR_F64;
    case FW_TYPE_TF32:
        return FW_RESOURCE_TENSOR_TF32;
    case FW_TYPE_BF16:
    case FW_TYPE_BF16X2:
        return FW_RESOURCE_TENSOR_BF16;
    case FW_TYPE_S8:
    case FW_TYPE_U8:
    case FW_TYPE_S4:
    case FW_TYPE_U4:
    case FW_TYPE_S32:
        return FW_RESOURCE_TENSOR_INT8;
    case FW_TYPE_E4M3:
    case FW_TYPE_E5M2:
        return FW_RESOURCE_TENSOR_FP8;
    default:
        return FW_RESOURCE_TENSOR_F16;
    }
}

/* Integers of 64 bits are worked on in halves of 32; a product of them is three or four. */
static void add_operation(struct fw_demand *demand, const struct fw_scheduled *at, double threads,
                          double *amounts)
{
    bool is_float = fw_type_class(at->type) == 'f';
    double wide = fw_type_bits(at->type) == 64 && !is_float ? 2 : 1, results;
    enum fw_resource unit = float_unit(at->type, &results);
    switch (family_of(at->operation)) {
    case ISSUED:
        break;
    case ARITHMETIC:
        amounts[is_float ? unit : FW_RESOURCE_INTEGER] += threads * (is_float ? results : wide);
        break;
    case PRODUCT:
        amounts[is_float ? unit : FW_RESOURCE_INTEGER_MULTIPLY] += threads * (is_float    ? results
                                                                              : wide == 2 ? 4
                                                                                          : 1);
        break;
    case SELECTION:
        amounts[FW_RESOURCE_INTEGER] += threads * wide;
        break;
    case TRANSCENDENT:
        amounts[at->type == FW_TYPE_F64 ? FW_RESOURCE_F64 : FW_RESOURCE_SPECIAL] +=
            threads * results;
        demand->expanded += at->type == FW_TYPE_F64 ? threads : 0;
        break;
    case DIVISION:
        demand->expanded += threads;
        amounts[!is_float ? FW_RESOURCE_INTEGER : unit] += threads * (is_float ? results : wide);
        if (is_float && at->type != FW_TYPE_F64)
            amounts[FW_RESOURCE_SPECIAL] += threads * results;
        break;
    case BITS:
        amounts[FW_RESOURCE_POPCOUNT] += threads * wide;
        break;
    case EXCHANGE:
        amounts[FW_RESOURCE_SHUFFLE] += threads;
        break;
    }
}

/* The unit behind a pipe of the machine layer; FW_RESOURCE_COUNT: an issue slot alone. */
static enum fw_resource unit_of_pipe(const struct fw_machine_operation *operation)
{
    static const struct {
        const char *pipe;
        enum fw_resource unit;
    } rows[] = {{"fma", FW_RESOURCE_F32},     {"fma_heavy", FW_RESOURCE_INTEGER_MULTIPLY},
                {"alu", FW_RESOURCE_INTEGER}, {"fp16", FW_RESOURCE_F16},
                {"fp64", FW_RESOURCE_F64},    {"xu", FW_RESOURCE_SPECIAL}};
    if (strcmp(operation->name, "SHFL") == 0)
        return FW_RESOURCE_SHUFFLE;
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++)
        if (strcmp(rows[r].pipe, operation->pipe) == 0)
            return rows[r].unit;
    return FW_RESOURCE_COUNT;
}

/* What the machine issues: guarded operations take issue slots but, on ordinary data, no unit,
 * unless they correct a quotient. */
static void add_machine(struct fw_demand *demand, const struct fw_scheduled *at, double threads,
                        double warps, double *amounts)
{
    for (uint32_t m = 0; m < at->machine_count; m++) {
        const struct fw_machine_operation *operation = &at->machine[m];
        enum fw_resource unit = unit_of_pipe(operation);
        double results = fw_type_bits(operation->type) == 32 && is_half(operation->type) ? 2 : 1;
        double times = (double)operation->times / (operation->every ? operation->every : 1);
        bool idle = operation->guarded && !fw_corrects_quotient(at);
        amounts[FW_RESOURCE_ISSUE] += warps * times;
        if (unit != FW_RESOURCE_COUNT && !idle)
            amounts[unit] += threads * times * results;
        if (unit == FW_RESOURCE_INTEGER && !idle)
            demand->either +=
                threads * operation->either / (operation->every ? operation->every : 1);
    }
}

/* Work that the PTX does not state, as much as was said of it. */
static void add_quantity(struct fw_demand *demand, const struct fw_kernel *kernel,
                         struct fw_bound *bound, const struct fw_scheduled *at, double threads,
                         double warps, double *amounts)
{
    double value = fw_bound_quantity(bound, at->quantity);
    if (!kernel->quantities[at->quantity].called) {
        amounts[tensor_unit(at->type)] += threads * value;
        return;
    }
    amounts[FW_RESOURCE_ISSUE] += warps * value;
    demand->calls++;
}

/* Places of branches through tables that warps come to, beyond the first of each. */
static void add_places(struct fw_demand *demand, const struct fw_scheduled *at, double warps)
{
    demand->places += at->is_place ? warps : 0;
    for (uint32_t m = 0; m < at->machine_count && at->group == FW_GROUP_CONTROL; m++)
        demand->places -= strcmp(at->machine[m].name, "BRX") == 0 ? warps : 0;
}

void fw_demand_arithmetic(struct fw_demand *demand, const struct fw_kernel *kernel,
                          struct fw_bound *bound)
{
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *at = &kernel->schedule[i];
        if (at->unreachable)
            continue;
        double threads = fw_bound_count(bound, at->domain)->estimate;
        if (!(threads > 0))
            continue;
        double *amounts = fw_demand_amounts(demand, at->line);
        double warps = fw_bound_count_warps(bound, at->domain)->estimate;
        /* A unit takes a warp whole, however few of its lanes data have left. */
        if (fw_bound_lane_share(bound, at->domain).share < 1)
            threads = fmax(threads, warps * FW_WARP_THREADS);
        if (at->barrier == FW_BARRIER_BLOCK || at->barrier == FW_BARRIER_NAMED)
            amounts[FW_RESOURCE_BARRIER] += warps * FW_WARP_THREADS;
        double issued = at->predicated ? fw_bound_count_warps(bound, at->issued)->estimate : warps;
        if (kernel->capability)
            add_machine(demand, at, threads, issued, amounts);
        else
            amounts[FW_RESOURCE_ISSUE] += warps;
        add_places(demand, at, warps);
        if (at->quantity != FW_NONE)
            add_quantity(demand, kernel, bound, at, threads, warps, amounts);
        if (at->collective && at->flops) {
            amounts[tensor_unit(at->type)] += threads * at->flops;
            demand->by_warps |= at->together == FW_WARP_THREADS;
        } else if (!kernel->capability) {
            add_operation(demand, at, threads, amounts);
        }
    }
}
