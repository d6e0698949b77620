/* What a launch is, for weights and intervals. */
#include "blend.h"

#include "forest_basis.h"

#include <math.h>
#include <string.h>

#define SHORT_SECONDS 10e-6

#define X(name, text) text,
const char *fw_blend_kind_name(enum fw_blend_kind kind)
{
    static const char *const names[] = {FW_BLEND_KINDS(X)};
    return names[kind];
}

const char *fw_blend_class_name(enum fw_blend_class class)
{
    static const char *const names[] = {FW_BLEND_CLASSES(X)};
    return names[class];
}

const char *fw_blend_target_name(enum fw_blend_target target)
{
    static const char *const names[] = {FW_BLEND_TARGETS(X)};
    return names[target];
}
#undef X

const char *fw_blend_member_name(enum fw_blend_member member)
{
#define X(name, text) #text,
    static const char *const names[] = {FW_BLEND_MEMBERS(X)};
#undef X
    return names[member];
}

enum fw_blend_group fw_blend_class_group(enum fw_blend_class class)
{
    return class == FW_BLEND_CLASS_ASYNCHRONOUS       ? FW_BLEND_GROUP_ASYNCHRONOUS
           : fw_blend_class_is_decided_by_data(class) ? FW_BLEND_GROUP_DATA
                                                      : FW_BLEND_GROUP_USUAL;
}

bool fw_blend_class_is_decided_by_data(enum fw_blend_class class)
{
    return class == FW_BLEND_CLASS_UNKNOWN || class == FW_BLEND_CLASS_RANDOM;
}

bool fw_blend_kind_is_decided_by_data(enum fw_blend_kind kind)
{
    return kind == FW_BLEND_KIND_LEANS || kind == FW_BLEND_KIND_RANDOM;
}

/* Whether the launch needs time for a resource whose name begins so. */
static bool has_term(const struct fw_prediction *traffic, const char *name)
{
    for (size_t t = 0; t < traffic->term_count; t++)
        if (strncmp(traffic->terms[t].name, name, strlen(name)) == 0)
            return true;
    return false;
}

static bool calls_unknown_code(const struct fw_kernel *kernel, struct fw_bound *bound)
{
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *at = &kernel->schedule[i];
        if (at->quantity != FW_NONE && kernel->quantities[at->quantity].called &&
            fw_bound_count(bound, at->domain)->estimate > 0)
            return true;
    }
    return false;
}

static enum fw_blend_kind kind_of(const char *limiter)
{
    static const struct {
        const char *limiter;
        enum fw_blend_kind kind;
    } rows[] = {{"dispatch", FW_BLEND_KIND_DISPATCH}, {"start_and_end", FW_BLEND_KIND_DISPATCH},
                {"dram", FW_BLEND_KIND_DRAM},         {"l2", FW_BLEND_KIND_L2},
                {"atomics", FW_BLEND_KIND_L2},        {"tlb", FW_BLEND_KIND_L2},
                {"latency", FW_BLEND_KIND_LATENCY},   {"l1", FW_BLEND_KIND_L1},
                {"constant", FW_BLEND_KIND_L1},       {"texture", FW_BLEND_KIND_L1}};
    for (size_t r = 0; limiter && r < sizeof(rows) / sizeof(rows[0]); r++)
        if (strcmp(rows[r].limiter, limiter) == 0)
            return rows[r].kind;
    return FW_BLEND_KIND_UNITS;
}

void fw_blend_launch_find(struct fw_blend_launch *launch, const struct fw_kernel *kernel,
                          struct fw_bound *bound, const struct fw_prediction *traffic)
{
    bool unknown = fw_forest_basis_leans(bound), brief = traffic->seconds < SHORT_SECONDS;
    const bool asynchronous = fw_forest_basis_is_asynchronous(kernel, bound);
    launch->is_unknown = unknown;
    launch->is_random = fw_forest_basis_is_random(kernel, bound);
    launch->not_followed = calls_unknown_code(kernel, bound) ? "calls of code that is not followed"
                           : has_term(traffic, "texture")    ? "textures and surfaces"
                                                             : NULL;
    launch->otherwise = asynchronous        ? FW_BLEND_KIND_ASYNCHRONOUS
                        : brief             ? FW_BLEND_KIND_SHORT
                        : launch->is_random ? FW_BLEND_KIND_RANDOM
                                            : kind_of(traffic->limiter);
    launch->kind = unknown && !brief && !asynchronous ? FW_BLEND_KIND_LEANS : launch->otherwise;
    launch->class = asynchronous                  ? FW_BLEND_CLASS_ASYNCHRONOUS
                    : unknown                     ? FW_BLEND_CLASS_UNKNOWN
                    : brief                       ? FW_BLEND_CLASS_BRIEF
                    : launch->is_random           ? FW_BLEND_CLASS_RANDOM
                    : has_term(traffic, "tensor") ? FW_BLEND_CLASS_TENSOR
                                                  : FW_BLEND_CLASS_KNOWN;
}

void fw_blend_launch_limit(struct fw_blend_launch *launch, const struct fw_device *device)
{
    if (!fw_device_figure(device, FW_FIGURE_BOARD_POWER, &launch->watts_most))
        launch->watts_most = INFINITY;
    if (!fw_device_figure(device, FW_FIGURE_IDLE_POWER, &launch->watts_idle))
        launch->watts_idle = 0;
}
