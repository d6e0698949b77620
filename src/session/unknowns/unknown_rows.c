/* What an answer leaned on, as rows for people and programs. */
#include "session.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *text;
    const char *meaning;
} reasons[] = {
    [FW_UNKNOWN_DATA] = {"data", "depends on data that the kernel loads or computes"},
    [FW_UNKNOWN_ARGUMENT] = {"argument", "needs an argument that is not given"},
    [FW_UNKNOWN_NONAFFINE] = {"nonaffine", "depends on indices in a way that is not modelled"},
    [FW_UNKNOWN_ENDLESS] = {"endless", "would not end by its condition"},
    [FW_UNKNOWN_BUDGET] = {"budget", "takes more counting than is allowed"},
    [FW_UNKNOWN_WAIT] = {"wait", "waits for copies; taken to find them done"},
    [FW_UNKNOWN_UNSTATED] = {"unstated", "is stated nowhere in the PTX"},
    [FW_UNKNOWN_SAMPLED] = {"sampled", "depends on indices alone; evaluated at some points"},
    [FW_UNKNOWN_CALLED] = {"called",
                           "instructions of a called function whose code is not followed"},
    [FW_UNKNOWN_POINTER] = {"pointer", "a pointer that is tested: assumed not null, and to "
                                       "point to an array of its own"},
    [FW_UNKNOWN_APPROXIMATE] = {"approximate",
                                "depends on indices and arguments through an operation whose "
                                "result PTX does not state to the bit"},
};

static const char *argument_name(const struct fw_worker *worker, uint32_t parameter)
{
    const struct fw_kernel *record = worker->record;
    return fw_session_short_name(record, record->parameters[parameter].name);
}

/* The mean length of rows or lists that an array tells: where its default is from. */
static const char *length_meaning(const struct fw_worker *worker, const struct fw_unknown *unknown)
{
    const char *what = "mean length of the rows or lists that this array tells";
    if (!unknown->is_default)
        return what;
    if (unknown->room != FW_NONE)
        return fw_arena_printf(worker->results, "%s; half of %.0f, for which rows of %s leave room",
                               what, unknown->greatest, argument_name(worker, unknown->room));
    if (unknown->value > FW_DEFAULT_TRIPS)
        return fw_arena_printf(worker->results,
                               "%s; as many as the threads that share one have places", what);
    return what;
}

/* Of the default of a branch that leaves a loop: it is never taken where the loop runs to the end
 * of a row (shares.c). */
static const char *exit_because(const struct fw_branch *branch, double value)
{
    if (branch->leaves > 0)
        return "a slot of a table that is taken to be half full has the key, or is free";
    if (branch->searches && value > 0 && value < 1)
        return branch->because ? branch->because
                               : "the loop ends at the entry that it looks for; any share of such "
                                 "entries is as probable";
    const bool never = branch->exits_when ? value <= 0 : value >= 1;
    return never ? "its loop runs to the end of a row" : "it leaves a loop once an entry";
}

/* A sentence for people: what it depends on and, of a branch with a default, why this one. */
static const char *meaning_of(const struct fw_worker *worker, const struct fw_unknown *unknown)
{
    const char *meaning = reasons[unknown->reason].meaning;
    if (unknown->is_length)
        return length_meaning(worker, unknown);
    if (unknown->of_rows && unknown->rows_of != FW_NONE)
        return fw_arena_printf(worker->results, "follows from %s.length",
                               argument_name(worker, unknown->rows_of));
    bool is_branch = !unknown->is_loop && !unknown->is_quantity && !unknown->is_pointer;
    const struct fw_branch *branch = is_branch ? &worker->record->branches[unknown->index] : NULL;
    if ((!branch && !unknown->is_loop) || !unknown->is_default || isnan(unknown->value))
        return meaning;
    if (unknown->is_loop && unknown->greatest > 0)
        return fw_arena_printf(worker->results,
                               "%s; what it computes is taken to end it at a third of its bound, "
                               "which is %.0f at most",
                               meaning, unknown->greatest);
    const char *because = unknown->of_rows
                              ? fw_arena_printf(worker->results,
                                                "rows of %.0f to %.0f entries are "
                                                "supposed",
                                                unknown->rows_mean * 0.5, unknown->rows_mean * 1.5)
                          : unknown->is_loop ? worker->record->loops[unknown->index].because
                          : branch->exits    ? exit_because(branch, unknown->value)
                                             : branch->because;
    return because ? fw_arena_printf(worker->results, "%s; %s", meaning, because) : meaning;
}

/* Whether copies of one branch or loop, which have one name, are listed already. */
static bool is_listed(const struct fw_unknown_row *rows, size_t count, const char *name)
{
    for (size_t r = 0; r < count; r++)
        if (rows[r].name == name)
            return true;
    return false;
}

/* The name that an unknown is stated by. */
static const char *name_of(const struct fw_worker *worker, const struct fw_unknown *from)
{
    return from->is_length ? fw_arena_printf(worker->results, "%s.length", from->name) : from->name;
}

static const char *kind_of(const struct fw_unknown *from)
{
    return from->is_loop          ? "trips"
           : from->is_length      ? "length"
           : from->is_pointer     ? "pointer"
           : !from->is_quantity   ? "taken"
           : from->name[0] == 'b' ? "bytes"
                                  : "operations";
}

static struct fw_unknown_row row_of(const struct fw_worker *worker, const struct fw_unknown *from)
{
    const struct fw_kernel *record = worker->record;
    uint32_t parameter = from->parameter;
    bool on_pointer = parameter != FW_NONE && record->parameters[parameter].is_pointer;
    struct fw_unknown_row row = {
        .name = name_of(worker, from),
        .kind = kind_of(from),
        .reason = reasons[on_pointer ? FW_UNKNOWN_POINTER : from->reason].text,
        .meaning = on_pointer && !from->is_pointer ? "depends on addresses of arrays"
                                                   : meaning_of(worker, from),
        .argument = parameter != FW_NONE && !on_pointer ? record->parameters[parameter].name : NULL,
        .has_value = !isnan(from->value),
        .value = from->value,
        .is_default = from->is_default,
        .points = from->points,
        .standard_error = from->standard_error,
        .line = from->line,
        .source = from->is_default ? "default" : "stated"};
    if (from->of_rows && from->rows_of != FW_NONE)
        row.follows =
            fw_arena_printf(worker->results, "%s.length", record->parameters[from->rows_of].name);
    return row;
}

void fw_session_unknowns(struct fw_worker *worker)
{
    uint32_t count;
    const struct fw_unknown *from = fw_bound_unknowns(worker->bound, &count);
    struct fw_unknown_row *rows =
        FW_ARRAY(worker->results, struct fw_unknown_row, count + worker->record->array_count + 1);
    size_t listed = 0;
    for (uint32_t u = 0; u < count; u++) /* what others follow from stands first */
        if (from[u].is_length)
            rows[listed++] = row_of(worker, &from[u]);
    for (uint32_t u = 0; u < count; u++) {
        if (from[u].is_length || is_listed(rows, listed, from[u].name))
            continue;
        rows[listed++] = row_of(worker, &from[u]);
        if (!from[u].is_quantity && !from[u].is_pointer)
            fw_session_explain_unknown(worker, &rows[listed - 1], from[u].is_loop, from[u].index);
    }
    worker->answer->unknowns = rows;
    worker->answer->unknown_count = listed + fw_session_sampled_spreads(worker, rows + listed);
    if (!(worker->settings && worker->settings->brief) &&
        !(worker->predict && worker->predict->brief)) /* whose answers do not tell it */
        worker->answer->wraps_line = fw_bound_wraps(worker->bound, &worker->answer->wraps);
}
