/* The launch of a configuration: its block, its grid, its arguments. */
#include "rank.h"

#include <string.h>

uint32_t rank_points_of_thread(const struct rank_plan *plan, int axis)
{
    const struct fw_program_options *options = plan->settings->options;
    return options && options->coarsening[axis] ? options->coarsening[axis] : 1;
}

/* Blocks that cover the domain. */
static enum fw_status set_grid(const struct rank_plan *plan, struct fw_worker *worker)
{
    uint32_t grid[3];
    for (int d = 0; d < 3; d++) {
        int64_t each = (int64_t)worker->launch->block[d] * rank_points_of_thread(plan, d);
        const struct rank_extent *extent = &plan->domain[d];
        int64_t points = extent->value;
        if (extent->argument) {
            uint32_t p = fw_session_find_argument(worker->record, extent->argument);
            if (p == FW_NONE || !worker->launch->is_bound[p]) {
                fw_session_error(worker->program->context, "API061",
                                 "--domain: the kernel has no argument %s with a value",
                                 extent->argument);
                return FW_ERROR_USAGE;
            }
            points += worker->launch->integers[p];
        }
        if (points <= 0 || each == 0 || (points - 1) / each >= UINT32_MAX) {
            fw_session_error(worker->program->context, "API061",
                             each ? "--domain: %lld points" : "a domain needs a block (-b)",
                             (long long)points);
            return FW_ERROR_USAGE;
        }
        grid[d] = (uint32_t)((points - 1) / each + 1);
    }
    fw_session_worker_set_grid(worker, grid[0], grid[1], grid[2]);
    return FW_OK;
}

static enum fw_status refuse(const struct fw_worker *worker, const char *option, const char *text,
                             size_t length, const char *why)
{
    fw_session_error(worker->program->context, "API065", "--%s %.*s: %s", option, (int)length, text,
                     why);
    return FW_ERROR_USAGE;
}

/* A whole number from `least` to `most` by an expression. */
static enum fw_status whole(int64_t *number, const struct rank_scope *scope, const char *option,
                            const char *text, size_t length, int64_t least, int64_t most)
{
    struct rank_number value;
    struct rank_problem problem;
    if (!rank_evaluate(&value, scope, text, length, &problem))
        return refuse(scope->worker, option, text, length, problem.text);
    if (value.under != 1)
        return refuse(scope->worker, option, text, length,
                      "it is no whole number here; ceil(a/b) rounds up");
    *number = value.over;
    if (value.over < least || value.over > most)
        return refuse(scope->worker, option, text, length,
                      value.over < least ? "its value here is too small"
                                         : "its value here is too large");
    return FW_OK;
}

/* "ceil(n/TILE),ceil(m/ROWS)" */
static enum fw_status set_grid_by(const struct rank_scope *scope, struct fw_worker *worker,
                                  const char *text)
{
    uint32_t grid[3] = {1, 1, 1};
    size_t at = 0;
    for (size_t d = 0; d < 3; d++) {
        size_t end = rank_part_end(text, at);
        int64_t number;
        enum fw_status status = whole(&number, scope, "grid", text + at, end - at, 1, INT32_MAX);
        if (status)
            return status;
        grid[d] = (uint32_t)number;
        if (!text[end]) {
            fw_session_worker_set_grid(worker, grid[0], grid[1], grid[2]);
            return FW_OK;
        }
        at = end + 1;
    }
    return refuse(worker, "grid", text, strlen(text), "a grid has three axes at most");
}

static enum fw_status set_shared(const struct rank_scope *scope, struct fw_worker *worker)
{
    const char *text = scope->plan->settings->shared_expression;
    int64_t bytes;
    if (!text)
        return FW_OK;
    enum fw_status status = whole(&bytes, scope, "shared", text, strlen(text), 0, INT32_MAX);
    if (!status)
        fw_session_worker_set_shared(worker, (uint64_t)bytes);
    return status;
}

enum fw_status rank_bind(const struct rank_plan *plan, struct fw_worker *worker, size_t point)
{
    const struct fw_rank_settings *settings = plan->settings;
    const uint32_t *grid = settings->grid;
    struct rank_problem problem;
    uint32_t block[3];
    enum fw_status status = FW_OK;
    fw_session_worker_clear(worker);
    if (!rank_block_at(block, plan, point, &problem)) {
        fw_session_error(worker->program->context, "API060", "%s", problem.text);
        return FW_ERROR_USAGE;
    }
    if (block[0])
        fw_session_worker_set_block(worker, block[0], block[1], block[2]);
    if (settings->shared)
        fw_session_worker_set_shared(worker, settings->shared);
    fw_session_worker_set_registers(worker, settings->registers);
    if (settings->has_static_shared)
        fw_session_worker_set_static_shared(worker, settings->static_shared);
    for (size_t b = 0; b < settings->binding_count && !status; b++)
        status = fw_session_worker_bind(worker, settings->bindings[b]);
    for (size_t a = plan->program_axes; a < plan->axes.count && !status; a++)
        if (plan->axes.at[a].kind == RANK_ARGUMENT)
            status = fw_session_worker_bind(worker, rank_value_at(plan, a, point)->stated);
    const struct rank_scope scope = {plan, point, worker->launch->block, worker};
    if (!status)
        status = set_shared(&scope, worker);
    if (status)
        return status;
    if (plan->has_domain)
        return set_grid(plan, worker);
    if (settings->grid_expression)
        return set_grid_by(&scope, worker, settings->grid_expression);
    if (grid[0])
        fw_session_worker_set_grid(worker, grid[0], grid[1], grid[2]);
    return FW_OK;
}
