/* Rankings of kernel-language programs: constants vary, and blocks follow from them.  The file is
 * read once; each variant is that text with other constants, transformed by the thread that
 * predicts it. */
#include "rank.h"

#include <string.h>

static enum fw_status refuse(const struct rank_plan *plan, const char *sentence)
{
    fw_session_error(plan->context, "API060", "%s", sentence);
    return FW_ERROR_USAGE;
}

static const struct fw_kernel_row *row_of(const struct rank_plan *plan)
{
    for (size_t k = 0; k < plan->base->kernel_count; k++)
        if (plan->base_kernel && plan->base->kernels[k].record == plan->base_kernel)
            return &plan->base->kernels[k].row;
    return NULL;
}

/* "TILE (16), COARSE (4)" */
static const char *constants_of(const struct rank_plan *plan)
{
    const struct fw_kernel_row *row = row_of(plan);
    struct fw_buffer text = fw_buffer_new(plan->arena);
    for (size_t c = 0; row && c < row->constant_count; c++)
        fw_buffer_printf(&text, "%s%s (%lld)", c ? ", " : "", row->constants[c].name,
                         (long long)row->constants[c].value);
    return row && row->constant_count ? text.text : NULL;
}

static enum fw_status nothing_varies(const struct rank_plan *plan)
{
    const char *constants = constants_of(plan);
    const char *note = constants
                           ? fw_arena_printf(plan->arena, "its constants are %s", constants)
                           : "it declares no constants: 'let TILE = 16' does, for 'split i TILE'";
    fw_report_notes(
        &plan->context->sink, FW_ERROR, "API060", (struct fw_span){0}, &note, 1,
        "nothing varies: the blocks of a .knl kernel follow from its loops and constants, "
        "--vary -DNAME=VALUE,VALUE");
    return FW_ERROR_USAGE;
}

enum fw_status rank_read_loops(struct rank_plan *plan)
{
    const struct fw_rank_settings *settings = plan->settings;
    struct rank_failure failure = {.arena = plan->arena};
    if (settings->block[0] || settings->grid[0] || settings->domain_count)
        return refuse(plan, "the launch of a .knl kernel follows from its loops, constants and "
                            "parameters: leave out -b, -g and --domain");
    enum fw_status status =
        fw_session_program_read(&plan->base, plan->quiet, settings->path, settings->options);
    if (status)
        return status;
    const char *name;
    status = fw_session_kernel_name(&name, plan->base, settings->kernel);
    if (status)
        return status;
    rank_catch(&failure); /* the constants' values may be such that only others make a kernel */
    status = fw_session_program_kernel(&plan->base_kernel, plan->base, settings->kernel);
    rank_catch(NULL);
    if (status == FW_ERROR_MEMORY)
        return status;
    return settings->vary_count ? FW_OK : nothing_varies(plan);
}

enum fw_status rank_check_constants(const struct rank_plan *plan)
{
    const struct fw_kernel_row *row = row_of(plan);
    for (size_t a = 0; row && a < plan->axes.count; a++) {
        const char *name = plan->axes.at[a].name + 2, *nearest = NULL, *note = NULL;
        unsigned least = 7;
        bool known = plan->axes.at[a].kind != RANK_DEFINES;
        for (size_t c = 0; c < row->constant_count && !known; c++) {
            unsigned distance = fw_text_unlikeness(name, row->constants[c].name, least);
            known = distance == 0;
            if (distance < least) {
                least = distance;
                nearest = row->constants[c].name;
            }
        }
        if (known)
            continue;
        if (nearest)
            note = fw_arena_printf(plan->arena, "did you mean %s?", nearest);
        else if (row->constant_count)
            note = fw_arena_printf(plan->arena, "its constants are %s", constants_of(plan));
        fw_report_notes(&plan->context->sink, FW_ERROR, "API064", (struct fw_span){0}, &note,
                        note ? 1 : 0, "--vary -D%s: the kernel %s declares no such constant", name,
                        row->name);
        return FW_ERROR_USAGE;
    }
    return plan->base_kernel ? rank_check_arguments(plan, plan->base_kernel) : FW_OK;
}

enum fw_status rank_tell_loops(const struct rank_plan *plan)
{
    struct fw_program *program;
    const struct fw_kernel *kernel;
    enum fw_status status =
        fw_session_program_parse(&program, plan->context, plan->base->file, plan->base->source.text,
                                 plan->base->source.length, plan->settings->options);
    if (!status)
        status = fw_session_program_kernel(&kernel, program, plan->settings->kernel);
    fw_session_program_free(program);
    return status;
}
