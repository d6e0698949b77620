/* Simulations that the limit of issues would cut off, from two in which long loops make fewer
 * trips. */
#include "simulate_internal.h"
#include "side_work.h"

#include <math.h>

/* Of two shorter simulations: the share of the limit of issues that the longer one is to have, that
 * it is to have where loops are short, and that it has at most; how long the other may take beside
 * it, since what they differ by is multiplied; how much less of its operations the other has at
 * least, for the same reason; the share of the operations that they may be wrong by. */
static const double SHORTER = 0.3, SHORT_LOOPS = 0.4, LONGEST = 0.6, MOST_ALIKE = 0.7,
                    LEAST_FURTHER = 0.25, MOST_MISSING = 0.15;

/* x at all trips, of x at two shares of them. */
static void extend(double *x, double less, double times)
{
    *x = fmax(*x, *x + times * (*x - less));
}

/* Sets the share of trips that the longer one of two shorter simulations makes: more where loops
 * would be too short else.  False: it would be as long as all, or be cut off. */
static bool choose_trips(struct fw_arena *arena, struct fw_sm_simulation *shorter, double limit,
                         double blocks, double all)
{
    const double shares[] = {SHORTER, SHORT_LOOPS};
    bool fits = false;
    for (int s = 0; s < 2 && !fits; s++) {
        double issues;
        shorter->trips = shares[s] * limit / all;
        shorter->least = shorter->trips / 2;
        fits = machine_shortens(arena, shorter, false, &issues) &&
               blocks * issues <= (double)shorter->most_issues;
    }
    return fits;
}

/* Whether the two simulations are so alike that what they differ by tells nothing: as far as their
 * programs show without going through them. */
static bool are_too_alike(struct fw_arena *arena, const struct fw_sm_simulation *longer,
                          const struct fw_sm_simulation *shorter)
{
    static const double near = 0.9; /* what chance and data change */
    double more, less;
    machine_shortens(arena, longer, true, &more);
    machine_shortens(arena, shorter, true, &less);
    return more - less < near * LEAST_FURTHER * more;
}

/* Two simulations of the same blocks. */
struct two {
    const struct fw_sm_simulation *longer, *shorter;
    double blocks;
    struct fw_arena *arena;
    struct fw_sm_result *result, *less;
    struct fw_sm_account *account, *of_less; /* NULL: none is asked for */
    struct sm_look *look;                    /* what may make both needless; NULL: nothing */
    atomic_bool needless;                    /* it has */
    atomic_bool cut;                         /* the longer one was cut off */
    bool ran, ran_less;                      /* they have results */
    struct machine *of_longer, *of_shorter;
};

/* Whether the two do the same at first: loops whose trips grow with a loop around them ask for the
 * share of its trips from its second round on. */
static bool begin_alike(const struct fw_sm_simulation *longer)
{
    const struct sm_common *common = longer->common;
    for (uint32_t p = 0; p < common->count; p++)
        for (uint32_t s = 0; s < common->programs[p]->count; s++) {
            const struct fw_step *step = &common->programs[p]->steps[s];
            if (step->kind == FW_STEP_LOOP && step->depth && (step->step > 0 || step->step < 0))
                return false;
        }
    return longer->trips < 1;
}

/* Goes as far with both as they do the same. */
static void begin_both(struct two *two)
{
    const bool alike = begin_alike(two->longer);
    two->of_shorter = machine_begin(two->arena, two->shorter, alike ? two->longer : NULL,
                                    two->blocks, two->of_less);
    if (alike && machine_run_beside(two->of_shorter))
        two->of_longer = machine_copy_beside(two->of_shorter, two->account);
    else
        two->of_longer = machine_begin(two->arena, two->longer, NULL, two->blocks, two->account);
}

static enum fw_status run_longer(void *user, struct fw_arena *arena)
{
    struct two *two = user;
    two->of_longer->arena = arena;
    two->ran = machine_run(two->result, two->of_longer, HUGE_VAL, &two->needless);
    atomic_store(&two->cut, two->ran && two->result->cut);
    return FW_OK;
}

static void run_less(void *user)
{
    struct two *two = user;
    if (two->look && machine_look(two->look)) {
        atomic_store(&two->needless, true);
        return;
    }
    two->ran_less = machine_run(two->less, two->of_shorter, HUGE_VAL, &two->cut);
}

/* Both at one time, or one after the other; the shorter one may take MOST_ALIKE of the other's
 * cycles.  False: that was cut off, or takes more, or they are needless. */
static bool run_both(struct two *two)
{
    begin_both(two);
    if (two->longer->side_work) {
        const struct fw_side_work work = {run_longer, run_less, two, two->arena, NULL};
        struct fw_arena *memory;
        const enum fw_status status = fw_side_work(&memory, &work);
        fw_arena_free(memory);
        if (status)
            fw_arena_give_up(two->arena, status);
    } else {
        run_longer(two, two->arena);
        two->ran_less = !two->result->cut && machine_run(two->less, two->of_shorter,
                                                         MOST_ALIKE * two->result->cycles, NULL);
    }
    return two->ran && two->ran_less && !two->result->cut && !two->less->cut &&
           two->less->cycles <= MOST_ALIKE * two->result->cycles;
}

bool machine_run_shorter(struct fw_sm_result *result, struct fw_arena *arena,
                         const struct fw_sm_simulation *simulation, double blocks,
                         struct fw_sm_account *account, struct sm_look *look)
{
    const double all = blocks * simulation->issues_per_block;
    struct fw_sm_simulation longer = *simulation, shorter;
    struct fw_sm_result less;
    longer.timeline = NULL;
    longer.most_issues = (uint64_t)(LONGEST * (double)simulation->most_issues);
    if (!choose_trips(arena, &longer, (double)simulation->most_issues, blocks, all))
        return false;
    shorter = longer;
    shorter.trips = longer.least;
    if (are_too_alike(arena, &longer, &shorter))
        return false;
    struct two two = {.longer = &longer,
                      .shorter = &shorter,
                      .blocks = blocks,
                      .arena = arena,
                      .result = result,
                      .less = &less,
                      .account = account,
                      .look = look,
                      .of_less = account ? account_new(arena, account) : NULL};
    if (!run_both(&two))
        return false;
    /* Trips are whole: how many more operations there are tells more than the shares of trips. */
    const double nominal = (1 - 2 * shorter.least) / shorter.least;
    const double further = result->issued - less.issued;
    if (fabs((result->issued + nominal * further) / all - 1) > MOST_MISSING ||
        !(further >= LEAST_FURTHER * result->issued))
        return false;
    const double times = fmax(0, (all - result->issued) / further);
    extend(&result->cycles, less.cycles, times);
    extend(&result->issued, less.issued, times);
    extend(&result->overtaken, less.overtaken, times);
    extend(&result->resident, less.resident, times);
    extend(&result->left_empty, less.left_empty, times);
    for (int u = 0; u < FW_SM_UNIT_COUNT; u++)
        extend(&result->busy[u], less.busy[u], times);
    for (int s = 0; s < FW_SM_SERVER_COUNT; s++)
        extend(&result->served[s], less.served[s], times);
    for (int s = 0; s < FW_SM_STALL_COUNT; s++)
        extend(&result->stalls[s], less.stalls[s], times);
    for (int wave = 0; wave < FW_SM_WAVES; wave++)
        extend(&result->ends[wave], less.ends[wave], times);
    if (account)
        account_extend(account, two.of_less, times, result->cycles);
    result->issues += less.issues;
    result->shorter = true;
    return true;
}
