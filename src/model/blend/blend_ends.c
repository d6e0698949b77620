/* What the traffic model answers at the ends of what data usually decide.
 *
 * Defaults of trips and of branches' shares stand for what nobody knows before the kernel runs.
 * Recordings have what it was (data/unknowns): the model is asked again with all trips, and then
 * with all shares, at the quantiles of 5 % and of 95 %.  What follows from the length of rows moves
 * with the length; a length that addresses leave room for is anything up to that.  Where data move
 * places from threads' own, they are asked for at these own places, and as far from them as what is
 * rough of a field or a picture's motion seldom is. */
#include "blend.h"

#include "data_address.h"
#include "launch.h"

#include <math.h>

/* As `scripts/unknown-values --quantiles` prints them: trips by the default, and shares. */
static const double trips_by_default[2] = {0.243, 8.63};
static const double shares[2] = {0, 1};

/* Elements that data move places by.  Two warps beside each other: where all lanes are as far away
 * as that, each has a sector of its own; what is moved farther, but with its neighbours, takes
 * less. */
static const double displacements[2] = {0, 64};

/* What is moved to its ends together. */
enum moved { SHARES, COUNTS, PLACES, MOVED_COUNT };

/* Ends less than this apart, as a logarithm, change the time by less than models are off by: of
 * launches of which all is known the interval of 90 % is about as wide. */
#define ENDS_NEAR 0.405465108 /* a factor of 1.5 */

/* Of lengths that addresses leave room for, which are taken to be anything up to that. */
static const double lengths_by_greatest[2] = {0.05, 0.95};

struct asking {
    const struct fw_model_question *question;
    const struct fw_unknown *unknowns;
    uint32_t count;
    double seconds; /* with all defaults */
    struct fw_launch launch;
    struct fw_bound *bound;
    double low, high;
    struct fw_data_end_row rows[MOVED_COUNT], *row; /* the one of what is set now */
    uint32_t row_count;
    bool lacks_ends;               /* some default has none, or no answer */
    const struct fw_unknown *only; /* that is set; NULL: several are */
    const bool *displaced;         /* by parameter: data move places in the array from own ones */
    const char *array;             /* the one whose places are displaced; NULL: several are */
};

/* The value of a length, or of trips, at an end. */
static double value_at(const struct fw_unknown *unknown, int end)
{
    /* of a loop that is taken to come to its bound there is no number */
    double usual = isfinite(unknown->value) ? unknown->value : FW_DEFAULT_TRIPS;
    return unknown->greatest > 0 && isfinite(unknown->greatest)
               ? fmax(1, lengths_by_greatest[end] * unknown->greatest)
               : trips_by_default[end] * usual;
}

/* Whether an unknown follows from a length, which is another unknown. */
static bool follows(const struct fw_unknown *unknown)
{
    return unknown->of_rows && unknown->rows_of != FW_NONE;
}

/* Whether an unknown is a default of the kind: lengths and trips that follow from none, or shares
 * that follow from none.  A loop that spins until an mbarrier's phase is over has no ends: what it
 * waits for is modelled, and not by its trips. */
static bool is_of_kind(const struct fw_kernel *kernel, const struct fw_unknown *unknown, bool loops)
{
    const bool waits = unknown->is_loop && kernel->loops[unknown->index].is_wait;
    return unknown->is_default && !waits && !unknown->is_quantity && !unknown->is_pointer &&
           !follows(unknown) && (unknown->is_loop || unknown->is_length) == loops;
}

/* Whether an answer leans on a default that is given no other value: a size that data decide. */
static bool lacks_ends(const struct asking *asking)
{
    for (uint32_t u = 0; u < asking->count; u++)
        if (asking->unknowns[u].is_default && asking->unknowns[u].is_quantity)
            return true;
    return false;
}

/* Moves all places that data displace as far as an end is; false: there are none. */
static bool displace(struct asking *asking, int end)
{
    const struct fw_kernel *kernel = asking->question->kernel;
    const struct fw_launch *from = asking->question->launch;
    struct fw_arena *arena = asking->question->arena;
    uint32_t only = FW_NONE, count = 0;
    double *moved = fw_arena_copy(arena, from->displacements,
                                  kernel->parameter_count * sizeof(*from->displacements));
    for (uint32_t p = 0; p < kernel->parameter_count; p++) {
        if (!asking->displaced[p])
            continue;
        count++;
        only = p;
        moved[p] = displacements[end];
    }
    asking->launch.displacements = moved;
    asking->array = count == 1 ? kernel->parameters[only].name : NULL;
    return count > 0;
}

/* Sets what is a default of the kind to its quantile; false: there is none. */
static bool set(struct asking *asking, enum moved what, int end)
{
    const bool loops = what == COUNTS;
    const struct fw_kernel *kernel = asking->question->kernel;
    const struct fw_launch *from = asking->question->launch;
    struct fw_arena *arena = asking->question->arena;
    uint32_t count = 0;
    asking->launch = *from;
    asking->launch.few_samples = true; /* of a factor between two answers */
    asking->only = NULL;
    asking->array = NULL;
    if (what == PLACES)
        return asking->displaced && displace(asking, end);
    double *trips = fw_arena_copy(arena, from->trips, kernel->loop_count * sizeof(*trips));
    double *taken = fw_arena_copy(arena, from->taken, kernel->branch_count * sizeof(*taken));
    double *lengths =
        fw_arena_copy(arena, from->lengths, kernel->parameter_count * sizeof(*lengths));
    for (uint32_t u = 0; u < asking->count; u++) {
        const struct fw_unknown *unknown = &asking->unknowns[u];
        if (!is_of_kind(kernel, unknown, loops))
            continue;
        if (unknown->is_length)
            lengths[unknown->index] = value_at(unknown, end);
        else if (loops)
            trips[unknown->index] = value_at(unknown, end);
        else
            taken[unknown->index] = shares[end];
        if (!count || !asking->only || unknown->name != asking->only->name)
            asking->only = count++ ? NULL : unknown;
    }
    asking->launch.trips = trips;
    asking->launch.taken = taken;
    asking->launch.lengths = lengths;
    return count > 0;
}

/* What was set, for who reads the answer. */
static void describe(struct asking *asking, enum moved what, int end)
{
    struct fw_arena *arena = asking->question->arena;
    struct fw_data_end_row *row = asking->row;
    const struct fw_unknown *only = asking->only;
    row->kind = what == SHARES             ? "taken"
                : what == PLACES           ? "displacement"
                : only && !only->is_length ? "trips"
                                           : "length";
    row->name = asking->array     ? fw_arena_printf(arena, "%s.displacement", asking->array)
                : !only           ? NULL
                : only->is_length ? fw_arena_printf(arena, "%s.length", only->name)
                                  : only->name;
    double value = what == SHARES   ? shares[end]
                   : what == PLACES ? displacements[end]
                   : only           ? value_at(only, end)
                                    : trips_by_default[end];
    *(end ? &row->high : &row->low) = value;
}

static void ask(struct asking *asking, int end)
{
    const struct fw_sink silent = {NULL, NULL};
    const struct fw_model *model = fw_model_find("traffic", sizeof("traffic") - 1);
    struct fw_model_question question = *asking->question;
    struct fw_prediction answer = {.model = "traffic"};
    question.launch = &asking->launch;
    question.bound = asking->bound;
    question.brief = true;
    question.measured = NULL;
    question.answers = NULL; /* of the launch as it is */
    question.sink = &silent;
    if (fw_bound_set(asking->bound, &asking->launch) ||
        model->predict(&answer, NULL, &question) != FW_OK || !(answer.seconds > 0)) {
        asking->lacks_ends = true;
        return;
    }
    *(end ? &asking->row->high_seconds : &asking->row->low_seconds) = answer.seconds;
    double off = log(answer.seconds / asking->seconds);
    asking->low = fmin(asking->low, off);
    asking->high = fmax(asking->high, off);
}

static enum fw_status ask_all(void *user)
{
    struct asking *asking = user;
    jmp_buf full;
    asking->bound = fw_bound_new(asking->question->kernel);
    if (!asking->bound)
        return FW_ERROR_MEMORY;
    struct fw_arena *own = fw_bound_arena(asking->bound);
    if (setjmp(full)) { /* what was found so far stays */
        enum fw_status status = fw_arena_status(own);
        asking->lacks_ends = true;
        if (status == FW_ERROR_BUDGET)
            fw_arena_give_up(asking->question->arena, status);
        return FW_OK;
    }
    fw_arena_on_exhausted(own, &full);
    for (enum moved what = SHARES; what < MOVED_COUNT; what++) {
        asking->row = &asking->rows[asking->row_count];
        *asking->row = (struct fw_data_end_row){.name = NULL};
        for (int end = 0; end < 2; end++)
            if (set(asking, what, end)) {
                describe(asking, what, end);
                ask(asking, end);
            }
        asking->row_count += asking->row->low_seconds > 0 && asking->row->high_seconds > 0;
    }
    return FW_OK;
}

static void free_bound(void *user)
{
    fw_bound_free(((struct asking *)user)->bound);
}

/* The arrays in which data move places from threads' own by as much as is usual, by parameter.
 * NULL: there are none. */
static const bool *displaced_arrays(const struct fw_model_question *question)
{
    const struct fw_kernel *kernel = question->kernel;
    const struct fw_launch *launch = question->launch;
    struct fw_data_addresses *data = NULL;
    bool *displaced = NULL;
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        const struct fw_access *access = &kernel->accesses[a];
        const uint32_t parameter =
            access->array == FW_NONE ? FW_NONE : kernel->arrays[access->array].parameter;
        if (!access->data || parameter == FW_NONE || launch->spreads[parameter] > 0 ||
            access->space == FW_SPACE_SHARED)
            continue;
        if (!data)
            data = fw_data_addresses_new(question->arena, kernel, question->bound, launch);
        if (!fw_data_access(data, a)->usually_displaced)
            continue;
        if (!displaced)
            displaced = FW_ARRAY(question->arena, bool, kernel->parameter_count);
        displaced[parameter] = true;
    }
    return displaced;
}

void fw_blend_ends_find(struct fw_blend_launch *launch, const struct fw_model_question *question,
                        const struct fw_unknown *unknowns, uint32_t count,
                        const struct fw_prediction *traffic)
{
    struct asking asking = {
        .question = question, .unknowns = unknowns, .count = count, .seconds = traffic->seconds};
    launch->low = launch->high = 0;
    launch->end_count = 0;
    if (launch->is_random)
        asking.displaced = displaced_arrays(question);
    if (!(launch->is_unknown || asking.displaced) || !(traffic->seconds > 0))
        return;
    asking.lacks_ends = lacks_ends(&asking);
    if (fw_arena_finally(question->arena, ask_all, free_bound, &asking) == FW_OK) {
        launch->low = asking.low;
        launch->high = asking.high;
        launch->end_count = asking.row_count;
        for (uint32_t r = 0; r < asking.row_count; r++)
            launch->ends[r] = asking.rows[r];
        if (launch->kind == FW_BLEND_KIND_LEANS && !asking.lacks_ends &&
            asking.high - asking.low < ENDS_NEAR)
            launch->kind = launch->otherwise;
    }
}
