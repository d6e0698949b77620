/* The axes of a ranking: what varies, and its values. */
#include "checked.h"
#include "rank.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_AXES = 16,
    MOST_VALUES = 100000,
    MOST_THREADS = 1024,
    MOST_DEPTH = 64,
    MOST_POINTS = 50000000 /* before restrictions: each is looked at */
};

static enum fw_status refuse(const struct rank_plan *plan, const char *text, const char *why)
{
    fw_session_error(plan->context, "API060", "--vary %s: %s", text, why);
    return FW_ERROR_USAGE;
}

/* "32x8x1", fewer, every part above 0. */
static bool triple(uint32_t at[3], const char *text)
{
    at[0] = at[1] = at[2] = 1;
    for (int d = 0; d < 3; d++) {
        char *end;
        unsigned long value = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0;
        if (value == 0 || value > UINT32_MAX)
            return false;
        at[d] = (uint32_t)value;
        if (*end == '\0')
            return true;
        if (*end != 'x')
            return false;
        text = end + 1;
    }
    return false;
}

static struct rank_value *add_value(struct rank_plan *plan, struct rank_axis *axis,
                                    const char *text)
{
    struct rank_value *value = FW_APPEND(plan->arena, &axis->values);
    value->text = text;
    return value;
}

/* How many axes blocks have: those of the domain. */
static uint32_t block_axes(const struct rank_plan *plan)
{
    if (plan->settings->domain_count)
        return (uint32_t)plan->settings->domain_count;
    const struct fw_program *program = plan->items ? plan->items[0].program : NULL;
    if (program && plan->input->has_coarsening)
        return program->kernels[0].addresses->axes;
    for (uint32_t d = 3; d > 1; d--)
        if (plan->settings->grid[d - 1] > 1)
            return d;
    return 1;
}

/* All shapes of so many threads whose sides are powers of two. */
static void add_shapes(struct rank_plan *plan, struct rank_axis *axis, uint32_t threads)
{
    uint32_t axes = block_axes(plan);
    for (uint32_t z = 1; z <= MOST_DEPTH && z <= threads; z *= 2)
        for (uint32_t y = 1; y * z <= threads; y *= 2) {
            uint32_t x = threads / y / z;
            if ((z > 1 && axes < 3) || (y > 1 && axes < 2))
                continue;
            struct rank_value *value =
                add_value(plan, axis, fw_arena_printf(plan->arena, "%ux%ux%u", x, y, z));
            memcpy(value->triple, (uint32_t[]){x, y, z}, sizeof(value->triple));
        }
}

static enum fw_status add_threads(struct rank_plan *plan, struct rank_axis *axis, const char *whole,
                                  const char *text)
{
    uint32_t at[3];
    if (!triple(at, text) || at[1] != 1 || at[2] != 1 || at[0] > MOST_THREADS ||
        (at[0] & (at[0] - 1)))
        return refuse(plan, whole, "threads of a block are a power of two up to 1024");
    add_shapes(plan, axis, at[0]);
    return FW_OK;
}

/* Whether a block is stated by names, "TILExROWS", not by numbers alone. */
static bool has_names(const char *text)
{
    for (; *text; text++)
        if (*text == '_' || (isalpha((unsigned char)*text) && *text != 'x'))
            return true;
    return false;
}

static enum fw_status read_value(struct rank_plan *plan, struct rank_axis *axis, const char *whole,
                                 bool shapes, const char *text)
{
    if (shapes)
        return add_threads(plan, axis, whole, text);
    if (*text == '\0')
        return refuse(plan, whole, "a value is missing between the commas");
    struct rank_value *value = add_value(plan, axis, text);
    if ((axis->kind == RANK_BLOCKS || axis->kind == RANK_COARSENING) && triple(value->triple, text))
        return FW_OK;
    if (axis->kind == RANK_BLOCKS && has_names(text)) { /* its sides once all names are known */
        value->triple[2] = 0;
        return FW_OK;
    }
    if (axis->kind == RANK_BLOCKS || axis->kind == RANK_COARSENING)
        return refuse(plan, whole, "values are XxYxZ, whole numbers above 0");
    const char *name = axis->kind == RANK_DEFINES ? axis->name + 2 : axis->name;
    value->stated = fw_arena_printf(plan->arena, "%s=%s", name, text);
    return FW_OK;
}

static enum fw_status read_axis(struct rank_plan *plan, const char *whole)
{
    const char *equals = strchr(whole, '=');
    struct rank_axis axis = {.kind = RANK_ARGUMENT};
    if (!equals || equals == whole || !equals[1])
        return refuse(plan, whole, "what varies is stated as NAME=VALUE,VALUE");
    axis.name = fw_arena_text(plan->arena, whole, (size_t)(equals - whole));
    bool shapes = strcmp(axis.name, "threads") == 0;
    if (shapes || strcmp(axis.name, "block") == 0)
        axis.kind = RANK_BLOCKS;
    else if (strcmp(axis.name, "coarsening") == 0)
        axis.kind = RANK_COARSENING;
    else if (strncmp(axis.name, "-D", 2) == 0)
        axis.kind = RANK_DEFINES;
    if (axis.kind == RANK_COARSENING && !plan->input->has_coarsening)
        return refuse(
            plan, whole,
            "only address expressions (-x json) say how a thread works at several points; "
            "for code use -DNAME");
    if (axis.kind == RANK_BLOCKS && plan->input->launch_follows)
        return refuse(plan, whole,
                      "the blocks of a .knl kernel follow from its loops: vary the constants that "
                      "they are split by, -DNAME=VALUE,VALUE");
    if (axis.kind == RANK_DEFINES && (!axis.name[2] || !plan->input->has_defines))
        return refuse(plan, whole,
                      axis.name[2] ? "-D is for macros of sources that are compiled (.cu, .cl) and "
                                     "constants of the kernel language (.knl)"
                                   : "a macro has a name, -DNAME=VALUE,VALUE");
    for (size_t a = 0; a < plan->axes.count; a++)
        if (strcmp(plan->axes.at[a].name, axis.name) == 0 ||
            (axis.kind == RANK_BLOCKS && plan->axes.at[a].kind == RANK_BLOCKS))
            return refuse(plan, whole, "it varies already");
    for (const char *at = equals + 1, *end; at; at = *end ? end + 1 : NULL) {
        end = at + (axis.kind == RANK_BLOCKS ? rank_part_end(at, 0) : strcspn(at, ","));
        char *text = fw_arena_text(plan->arena, at, (size_t)(end - at));
        enum fw_status status = read_value(plan, &axis, whole, shapes, text);
        if (status)
            return status;
        if (axis.values.count > MOST_VALUES)
            return refuse(plan, whole, "more than 100,000 values");
    }
    if (plan->axes.count == MOST_AXES)
        return refuse(plan, whole, "more than 16 things vary");
    *FW_APPEND(plan->arena, &plan->axes) = axis;
    return FW_OK;
}

/* "640", "nx", "nx-8". */
static enum fw_status read_extent(struct rank_plan *plan, struct rank_extent *extent,
                                  const char *text)
{
    size_t length = strcspn(text, "+-");
    if (fw_text_integer(text, true, &extent->value) && extent->value > 0)
        return FW_OK;
    extent->value = 0;
    extent->argument = fw_arena_text(plan->arena, text, length);
    bool good = length > 0 && !isdigit((unsigned char)*text);
    if (text[length])
        good = good && isdigit((unsigned char)text[length + 1]) &&
               fw_text_integer(text + length + 1, true, &extent->value);
    if (text[length] == '-')
        extent->value = -extent->value;
    if (good)
        return FW_OK;
    fw_session_error(
        plan->context, "API061",
        "--domain takes points along each axis: 640, an argument (nx), or one and a number "
        "(nx-8), not %s",
        text);
    return FW_ERROR_USAGE;
}

static int programs_first(const void *a, const void *b)
{
    const struct rank_axis *x = a, *y = b;
    return (int)x->kind - (int)y->kind;
}

enum fw_status rank_axes(struct rank_plan *plan)
{
    const struct fw_rank_settings *settings = plan->settings;
    enum fw_status status = FW_OK;
    plan->axes.count = 0;
    plan->program_axes = 0;
    plan->has_domain = settings->domain_count > 0;
    for (size_t d = 0; d < 3; d++)
        plan->domain[d] = (struct rank_extent){NULL, 1};
    for (size_t d = 0; d < settings->domain_count && d < 3 && !status; d++)
        status = read_extent(plan, &plan->domain[d], settings->domain[d]);
    for (size_t v = 0; v < settings->vary_count && !status; v++)
        status = read_axis(plan, settings->vary[v]);
    if (!status && settings->vary_count == 0)
        status = read_axis(plan, "threads=256,512,1024");
    if (status)
        return status;
    qsort(plan->axes.at, plan->axes.count, sizeof(*plan->axes.at), programs_first);
    plan->variants = plan->points = 1;
    for (size_t a = 0; a < plan->axes.count; a++) {
        bool program = plan->axes.at[a].kind <= RANK_COARSENING;
        plan->program_axes += program;
        if (fw_multiply_overflows(plan->points, plan->axes.at[a].values.count, &plan->points) ||
            plan->points > MOST_POINTS) {
            fw_session_error(plan->context, "API062", "more than %d combinations", MOST_POINTS);
            return FW_ERROR_USAGE;
        }
        if (program)
            plan->variants = plan->points;
    }
    return FW_OK;
}

const struct rank_value *rank_value_at(const struct rank_plan *plan, size_t axis, size_t point)
{
    for (size_t a = plan->axes.count - 1; a > axis; a--)
        point /= plan->axes.at[a].values.count;
    const struct rank_axis *at = &plan->axes.at[axis];
    return &at->values.at[point % at->values.count];
}
