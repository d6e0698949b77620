/* The fastest configurations, run: a block of each in the emulator.  One that leaves shared memory
 * is no configuration of this kernel, however fast. */
#include "rank.h"

#include <string.h>

enum { MOST_INSTRUCTIONS = 2000000 };

/* Values for what a prediction needs none of: numbers that only data are computed with. */
static enum fw_status bind_rest(struct fw_worker *worker)
{
    enum fw_status status = FW_OK;
    for (uint32_t p = 0; p < worker->record->parameter_count && !status; p++)
        if (!worker->launch->is_bound[p] &&
            fw_type_class(worker->record->parameters[p].type) == 'f')
            status = fw_session_worker_bind_number(worker, p, 1.0);
    return status;
}

static bool has_shared(const struct fw_kernel *record)
{
    for (uint32_t a = 0; a < record->access_count; a++)
        if (record->accesses[a].space == FW_SPACE_SHARED)
            return true;
    return false;
}

/* Whether one block of a configuration stays within its shared memory, as far as it runs. */
static bool stays_within(const struct rank_plan *plan, size_t variant, struct fw_rank_row *row)
{
    static const struct fw_emulate_settings settings = {
        .size = sizeof(settings), .blocks = 1, .limit = MOST_INSTRUCTIONS};
    struct rank_failure failure = {.arena = plan->arena};
    const struct fw_answer *answer;
    struct fw_worker *worker;
    if (!plan->kernels[variant] || !has_shared(plan->kernels[variant]))
        return true;
    rank_catch(&failure);
    enum fw_status status =
        fw_session_worker_new(&worker, plan->items[variant].program, plan->kernels[variant]);
    if (!status)
        status = rank_bind(plan, worker, row->number);
    if (!status)
        status = bind_rest(worker);
    if (!status)
        status = fw_session_worker_emulate(&answer, worker, &settings);
    rank_catch(NULL);
    fw_session_worker_free(worker);
    if (!status || !failure.code || strcmp(failure.code, "EMU011") != 0 ||
        !strstr(failure.text, "shared"))
        return true;
    row->failure = fw_arena_printf(plan->arena, "a block of it, emulated, leaves its memory: %s",
                                   failure.text);
    return false;
}

bool rank_check(const struct rank_plan *plan, struct fw_rank_row *rows, size_t count)
{
    bool failed = false;
    if (plan->input->launch_follows || plan->input->has_coarsening)
        return false;
    for (size_t r = 0; r < count; r++) {
        size_t low = 0, high = plan->count;
        while (low + 1 < high) { /* the configuration of this point */
            size_t middle = (low + high) / 2;
            if (plan->chosen[middle] <= rows[r].number)
                low = middle;
            else
                high = middle;
        }
        if (!rows[r].failure && !rows[r].checked) {
            failed |= !stays_within(plan, plan->variant_of[low], &rows[r]);
            rows[r].checked = true;
        }
    }
    return failed;
}
