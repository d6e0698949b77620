/* Rules about the work itself: types, divisions, addresses, data that are read again. */
#include "advice_internal.h"

#include <string.h>

/* The instruction that takes the most of what `count` counts. */
struct heaviest {
    uint32_t instruction;
    double executions;
};

static void weigh(struct heaviest *heaviest, const struct advice_try *try, uint32_t instruction)
{
    double executions = advice_executions(try->base, instruction);
    if (executions > heaviest->executions)
        *heaviest = (struct heaviest){instruction, executions};
}

/* ---- f64 ---- */

bool advice_single_precision(struct advice_try *try)
{
    struct heaviest heaviest = {FW_NONE, 0};
    for (uint32_t i = 0; i < try->kernel->schedule_count; i++) {
        const struct fw_scheduled *at = &try->kernel->schedule[i];
        bool is_double = false;
        for (uint32_t o = 0; o < at->machine_count; o++)
            is_double |= strcmp(at->machine[o].pipe, "fp64") == 0;
        if (!is_double || at->unreachable)
            continue;
        struct fw_machine_operation *own = advice_own_machine(try, i);
        for (uint32_t o = 0; o < at->machine_count; o++)
            if (strcmp(own[o].pipe, "fp64") == 0) {
                own[o].pipe = "fma";
                own[o].name = "FFMA";
                own[o].type = FW_TYPE_F32;
            }
        try->kernel->schedule[i].type = FW_TYPE_F32;
        weigh(&heaviest, try, i);
    }
    if (heaviest.instruction == FW_NONE)
        return false;
    advice_at_instruction(try, heaviest.instruction);
    try->at_most =
        true; /* values in memory stay as they are; what is exact enough, it cannot know */
    try->sentence =
        "Arithmetic is in f64: in f32, where that is exact enough, its units are wider.";
    return true;
}

/* ---- divisions and roots ---- */

/* IEEE division, reciprocal and root of f32 take a special function and several steps behind it;
 * approximate ones a special function and a product. */
bool advice_approximate(struct advice_try *try)
{
    static const char *const names[] = {"div", "rcp", "sqrt", "rsqrt"};
    enum { SHORT = 3 };
    struct heaviest heaviest = {FW_NONE, 0};
    for (uint32_t i = 0; i < try->kernel->schedule_count; i++) {
        struct fw_scheduled *at = &try->kernel->schedule[i];
        bool named = false, seen = false;
        for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++)
            named |= strcmp(at->operation, names[n]) == 0;
        if (!named || at->type != FW_TYPE_F32 || at->machine_count <= SHORT || at->unreachable)
            continue;
        struct fw_machine_operation *own = advice_own_machine(try, i);
        uint32_t kept = 0;
        for (uint32_t o = 0; o < at->machine_count; o++) {
            bool special = strcmp(own[o].pipe, "xu") == 0;
            bool product =
                !seen && strcmp(own[o].pipe, "fma") == 0 && strcmp(at->operation, "div") == 0;
            if (own[o].guarded || !(special || product))
                continue;
            seen |= product;
            own[kept] = own[o];
            own[kept++].times = 1;
        }
        at->machine_count = kept;
        weigh(&heaviest, try, i);
    }
    if (heaviest.instruction == FW_NONE)
        return false;
    advice_at_instruction(try, heaviest.instruction);
    try->sentence = fw_arena_printf(
        try->arena,
        "Each IEEE %s of f32 takes several instructions: an approximate one (__fdividef, "
        "-prec-div=false, -prec-sqrt=false), where that is exact enough, takes two at most.",
        try->kernel->schedule[heaviest.instruction].operation);
    return true;
}

/* ---- data read again ---- */

/* A quantity of the prediction, or the part of it with a key; 0: it has none. */
static double quantity(const struct fw_prediction *now, const char *key, const char *part)
{
    for (size_t q = 0; q < now->quantity_count; q++) {
        const struct fw_quantity_row *row = &now->quantities[q];
        if (strcmp(row->kind->key, key) != 0)
            continue;
        for (size_t p = 0; part && p < sizeof(row->parts) / sizeof(row->parts[0]); p++)
            if (row->kind->part_keys[p] && strcmp(row->kind->part_keys[p], part) == 0)
                return row->parts[p];
        return part ? 0 : row->value;
    }
    return 0;
}

/* Device memory is read again for what L2 has evicted: with all in L2, each byte is read once.  The
 * rest of sectors that are written in part is read, too, but no tile saves that. */
bool advice_tile_for_l2(struct advice_try *try)
{
    static const double AGAIN = 1.3, HOLDS = 64;
    const struct fw_prediction *now = try->base->of->prediction;
    double read = quantity(now, "dram_read_bytes", NULL) - quantity(now, "dram_read_bytes", "fill");
    double once = quantity(now, "once_read_bytes", NULL);
    struct fw_figure_value *l2 = &try->device->figures[FW_FIGURE_L2_BYTES];
    if (!(once > 0) || !(read > AGAIN * once) || !l2->known)
        return false;
    l2->value *= HOLDS;
    l2->low = l2->high = l2->value;
    try->at_most = true;
    try->sentence = fw_arena_printf(
        try->arena,
        "The launch reads %.1f times its distinct bytes from device memory: work in tiles that fit "
        "L2, so that data are still there when they are read again.",
        read / once);
    return true;
}

/* ---- addresses ---- */

/* Integer arithmetic in loops whose results are addresses alone. */
bool advice_address_once(struct advice_try *try)
{
    const struct fw_kernel *kernel = try->kernel;
    struct heaviest heaviest = {FW_NONE, 0};
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        struct fw_scheduled *at = &try->kernel->schedule[i];
        if (!at->addresses_only || fw_type_class(at->type) == 'f' ||
            kernel->domains[at->domain].innermost == FW_NONE || !at->machine_count)
            continue;
        at->machine_count = 0;
        weigh(&heaviest, try, i);
    }
    if (heaviest.instruction == FW_NONE)
        return false;
    advice_at_instruction(try, heaviest.instruction);
    try->at_most = true;
    try->sentence = "Each iteration computes its addresses anew: step pointers by constants, or "
                    "compute what does not change outside of the loop.";
    return true;
}
