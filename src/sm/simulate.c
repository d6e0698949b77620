#include "side_work.h"
#include "simulate_internal.h"

#include <math.h>
#include <string.h>

/* Parts of the limit: what shows whether loops become steady; what a timeline shows, and what tells
 * a first estimate of a simulation that the limit cuts off; what three waves may take, beyond which
 * a wave has no further simulation for its account. */
enum { SIXTEENTH = 16, QUARTER = 4, FIFTH = 5 };

/* Estimates that differ by less, from one doubling of what is simulated to the next, are sure, if
 * so much of what they go by is of the loops that are left. */
static const double SURE = 0.05, ALIKE = 0.5;

/* And beyond which two waves are simulated, if three are within the limit: blocks of a last wave,
 * in whose places no others come, end a little sooner, so that three tell their rate better. */
static const double LONG_WAVES = 0.7;

/* Warps and instructions that make requests begin at different places of what misses. */
static void open_misses(struct machine *m)
{
    const uint8_t *requests = m->common->requests;
    for (int level = 0; level < CHANCES; level++)
        m->misses[level] = FW_ARRAY(m->arena, double, m->warp_count * m->instructions);
    for (uint32_t w = 0; w < m->warp_count; w++)
        for (uint32_t i = 0; i < m->instructions; i++) {
            const uint32_t place = w * m->instructions + i;
            const uint32_t walk = fw_sm_walk(&m->of->accesses[i], i);
            const double at = 0.5 + 0.6180339887498949 * place;
            const double first = 0.5 + 0.6180339887498949 * (w * m->instructions + walk);
            for (int level = 1; level < CHANCES && requests[i]; level++)
                m->misses[level][place] = at - (double)(uint64_t)at;
            if (requests[i]) /* whether L1 has its lines: with those of its walk */
                m->misses[0][place] = first - (double)(uint64_t)first;
        }
}

/* Warps are dealt to schedulers in turn; of each, blocks of later places come first. */
static void open_places(struct machine *m)
{
    const uint32_t schedulers = m->of->schedulers, warps = m->of->warps;
    const uint32_t most = (m->warp_count + schedulers - 1) / schedulers;
    m->places = (most + PLACES_AT_ONCE - 1) / PLACES_AT_ONCE * PLACES_AT_ONCE;
    m->wanted = FW_ARRAY(m->arena, double, m->places *schedulers);
    m->wanted_unit = FW_ARRAY(m->arena, uint8_t, m->places * schedulers);
    m->occupants = FW_ARRAY(m->arena, uint32_t, m->places * schedulers);
    m->times = FW_ARRAY(m->arena, double, m->places);
    uint32_t *used = FW_ARRAY(m->arena, uint32_t, schedulers);
    for (uint32_t p = 0; p < m->places * schedulers; p++)
        m->wanted[p] = HUGE_VAL;
    for (uint32_t b = m->of->resident; b-- > 0;)
        for (uint32_t w = b * warps; w < (b + 1) * warps; w++) {
            const uint32_t scheduler = w % schedulers;
            m->warps[w].scheduler = scheduler;
            m->warps[w].place = scheduler * m->places + used[scheduler]++;
            m->occupants[m->warps[w].place] = w;
        }
    machine_open_keys(m);
}

static void open(struct machine *m, struct fw_arena *arena, const struct fw_sm_simulation *of)
{
    *m = (struct machine){.of = of,
                          .operations = of->costs->operations,
                          .common = of->common,
                          .round_robin = of->order == FW_ISSUE_ORDER_LOOSE_ROUND_ROBIN,
                          .instructions = of->common->instructions,
                          .warp_count = of->resident * of->warps,
                          .arena = arena};
    m->warps = FW_ARRAY(arena, struct warp, m->warp_count);
    m->blocks = FW_ARRAY(arena, struct block, of->resident);
    mbarriers_open(m);
    m->free = FW_ARRAY(arena, double, of->schedulers);
    m->units = FW_ARRAY(arena, double, of->schedulers *UNITS);
    m->ring = of->waiting > of->waiting_products ? of->waiting : of->waiting_products;
    m->leaves = FW_ARRAY(arena, double, (size_t)of->schedulers *QUEUES * m->ring + 1);
    m->next_leave = FW_ARRAY(arena, uint32_t, of->schedulers * QUEUES);
    m->last = FW_ARRAY(arena, uint32_t, of->schedulers);
    m->best = FW_ARRAY(arena, uint32_t, of->schedulers);
    m->best_time = FW_ARRAY(arena, double, of->schedulers);
    open_misses(m);
    machine_open_chances(m);
    shared_lines_open(m);
    open_places(m);
    for (uint32_t w = 0; w < m->warp_count; w++) {
        m->warps[w].frames = FW_ARRAY(arena, struct frame, of->common->depth);
        m->warps[w].slots = FW_ARRAY(arena, double, of->common->slots);
        m->warps[w].causes = FW_ARRAY(arena, struct cause, of->common->slots);
        m->warps[w].credits = FW_ARRAY(arena, double, of->common->shares);
    }
    m->watching = machine_open_watching(m);
}

/* Sums over so many times as much work. */
static void multiply(struct fw_sm_result *result, double times)
{
    for (int u = 0; u < FW_SM_UNIT_COUNT; u++)
        result->busy[u] *= times;
    for (int s = 0; s < FW_SM_SERVER_COUNT; s++)
        result->served[s] *= times;
    result->issued *= times;
    result->overtaken *= times;
    result->resident *= times;
}

/* Cycles of a server for each that a request asks for.  Constants and atomic operations are
 * measured as kernels ask for them. */
static double taken_of(const struct fw_sm_simulation *simulation, enum fw_sm_server server)
{
    const bool shared = server != FW_SM_SERVER_CONSTANT && server != FW_SM_SERVER_ATOMICS &&
                        server != FW_SM_SERVER_LINES;
    if (server == FW_SM_SERVER_DRAM)
        return simulation->dram_share > 0 ? 1 / simulation->dram_share : 1;
    return shared && simulation->server_share > 0 ? 1 / simulation->server_share : 1;
}

struct machine *machine_begin(struct fw_arena *arena, const struct fw_sm_simulation *simulation,
                              const struct fw_sm_simulation *beside, double blocks,
                              struct fw_sm_account *account)
{
    struct machine *m = FW_NEW(arena, struct machine);
    open(m, arena, simulation);
    for (int s = 0; s < FW_SM_SERVER_COUNT; s++)
        m->taken[s] = taken_of(simulation, s);
    m->simulated = blocks;
    m->beside = beside;
    if (beside) {
        m->watching_beside = machine_open_watching(m);
        m->watching_beside->beside = true;
    }
    account_open(m, account, blocks);
    timeline_open(m, account == simulation->account ? simulation->timeline : NULL);
    for (uint32_t b = 0; b < simulation->resident && b < blocks; b++) {
        machine_start_block(m, b, 0);
        machine_settle(m, b);
    }
    for (uint32_t s = 0; s < simulation->schedulers; s++)
        machine_find_best(m, s);
    return m;
}

/* The scheduler that issues next: of several the first.  Which one does is hard to foresee: no
 * branches, and of four, as devices have, two comparisons beside each other. */
static inline uint32_t first_of(const double *best_time, uint32_t schedulers)
{
    uint32_t first = 0;
    if (schedulers == 4) {
        const uint32_t low = best_time[1] < best_time[0], high = 2 + (best_time[3] < best_time[2]);
        return low + (high - low) * (uint32_t)(best_time[high] < best_time[low]);
    }
    for (uint32_t s = 1; s < schedulers; s++)
        first = best_time[s] < best_time[first] ? s : first;
    return first;
}

/* What was noted is looked at. */
static void forget(struct machine *m)
{
    m->observed = false;
    m->watching->skips = false;
    m->watching->noted = NULL;
    if (m->beside)
        m->watching_beside->noted = NULL;
}

/* Skips rounds by what is noted, or leaves that to both of two simulations that part there. */
static void skip_rounds(struct machine *m)
{
    if (!m->beside)
        machine_skip_if_steady(m);
    else if (machine_goes_alike(m))
        m->parts = true;
    if (!m->parts)
        forget(m);
}

/* Until all blocks have ended, so many operations have issued, or the machine parts from another
 * one.  Whether all have ended. */
static bool go_on(struct machine *m, uint64_t most_issues)
{
    const uint32_t schedulers = m->of->schedulers;
    if (m->watching->skips)
        machine_skip_if_steady(m);
    forget(m);
    while (m->ended < m->simulated && !m->parts) {
        const uint32_t first = first_of(m->best_time, schedulers);
        if (m->result.issues >= most_issues)
            break;
        if (m->best[first] == FW_NONE) {
            if (!machine_release_any(m))
                break;
            forget(m);
            continue;
        }
        machine_issue(m, first);
        if (m->observed)
            skip_rounds(m);
    }
    return m->ended >= m->simulated;
}

/* Of a simulation that is cut off, warps that have not ended: their cycles so far. */
static double resident_so_far(const struct machine *m)
{
    double cycles = 0;
    for (uint32_t w = 0; w < m->warp_count; w++)
        if (m->warps[w].alive)
            cycles += later(0, m->now - m->blocks[m->warps[w].block].start);
    return cycles;
}

/* Of places whose last block has ended, the cycles since then. */
static double left_empty(const struct machine *m)
{
    double cycles = 0;
    for (uint32_t b = 0; b < m->of->resident && b < m->started; b++)
        if (!m->blocks[b].left)
            cycles += m->of->warps * later(0, m->last_end - m->blocks[b].end);
    return cycles;
}

/* Cycles that L2 works on atomic operations after the last block has ended.  Few of them are on
 * their way at one time: for so long warps would still wait for a place in the queue. */
static double backlog(const struct machine *m)
{
    return later(0, m->servers[FW_SM_SERVER_ATOMICS] - m->last_end);
}

/* What has been simulated, and what the limit of issues cuts off. */
static void finish(struct fw_sm_result *result, struct machine *m)
{
    const struct fw_sm_simulation *simulation = m->of;
    *result = m->result;
    for (int wave = 0; wave < FW_SM_WAVES; wave++)
        result->ends[wave] = m->ends[wave] / simulation->wave;
    result->cut = m->ended < m->simulated;
    result->cycles = fmax(m->last_end, m->stored + simulation->start);
    result->left_empty = left_empty(m);
    result->resident += backlog(m) * simulation->warps * fmin(simulation->resident, m->simulated);
    if (result->cut) {
        const double further = m->now > 0 ? machine_rest(m, NULL) / m->now : 0;
        double all = m->simulated * simulation->issues_per_block;
        double times = result->issued > 0 ? fmax(1, all / result->issued) : 1;
        result->cycles = m->now * (1 + further);
        multiply(result, times);
        result->resident = (m->result.resident + resident_so_far(m)) * (1 + further);
        for (int s = 0; s < FW_SM_SERVER_COUNT && simulation->served_per_block; s++)
            result->served[s] =
                fmax(m->result.served[s], m->simulated * simulation->served_per_block[s]);
    }
    double end = result->cut ? m->now : m->last_end;
    if (m->accounting)
        account_finish(m, end, result->cycles);
    if (simulation->timeline)
        simulation->timeline->simulated = end;
    if (m->recorder)
        timeline_finish(m);
}

bool machine_run(struct fw_sm_result *result, struct machine *m, double most_cycles,
                 const atomic_bool *needless)
{
    enum { BETWEEN_LOOKS = 4096 };
    const uint64_t most = m->of->most_issues;
    bool goes_on = true, stops = false;
    while (goes_on && m->now <= most_cycles && !stops) {
        const uint64_t issues = m->result.issues;
        const uint64_t look = (issues / BETWEEN_LOOKS + 1) * BETWEEN_LOOKS;
        goes_on = !go_on(m, look < most ? look : most) && m->result.issues > issues &&
                  m->result.issues < most;
        if (goes_on && issues < most / 2 && m->result.issues >= most / 2)
            machine_note_rest(m, &m->half);
        stops = needless && atomic_load_explicit(needless, memory_order_relaxed);
    }
    const bool within = m->now <= most_cycles && !stops;
    if (within)
        finish(result, m);
    return within;
}

bool machine_run_beside(struct machine *m)
{
    go_on(m, m->of->most_issues / 2 - 1); /* from there on they note what is left */
    m->parts = false;
    if (m->apart)
        m->beside = NULL;
    return !m->apart;
}

bool machine_run_first(struct machine *m, double blocks)
{
    m->blocks_beside = blocks;
    m->apart = m->started > blocks; /* some had nothing to do */
    if (!m->apart)
        go_on(m, m->of->most_issues / QUARTER);
    m->parts = false;
    return !m->apart;
}

/* No launch ends before what is asked of a server or a unit is done: stores and atomic operations
 * wait there, and no warp for them; but those that would ask for more wait for a place in its
 * queue, so that as many as can be are resident for so long. */
static void hold_to_service(struct fw_sm_result *result, const struct fw_sm_simulation *simulation)
{
    const double before = result->cycles, *served = simulation->served_per_block;
    /* All multiprocessors share the slices that execute atomic operations: of what data let some
     * blocks do, a multiprocessor's own blocks may have less than the mean. */
    if (served)
        result->served[FW_SM_SERVER_ATOMICS] =
            fmax(result->served[FW_SM_SERVER_ATOMICS],
                 simulation->blocks * served[FW_SM_SERVER_ATOMICS]);
    for (int s = 0; s < FW_SM_SERVER_COUNT; s++)
        result->cycles = fmax(result->cycles, result->served[s] * taken_of(simulation, s));
    for (int u = 0; u < FW_SM_UNIT_COUNT; u++)
        result->cycles = fmax(result->cycles, result->busy[u] / simulation->schedulers);
    result->resident += (result->cycles - before) * simulation->warps *
                        fmin(simulation->resident, simulation->blocks);
}

/* Many blocks, each of which takes so long that no three waves of them can be simulated, and that
 * beginnings and ends of waves are a small part of it.  One wave makes three times the share of its
 * trips that three waves would, and what two shares differ by is multiplied by less. */
static bool run_wave(struct fw_sm_result *result, struct fw_arena *arena,
                     const struct fw_sm_simulation *simulation, double blocks,
                     struct fw_sm_account *account, struct sm_look *look)
{
    struct fw_sm_result wave;
    double times = blocks / simulation->resident;
    if (!machine_run_shorter(&wave, arena, simulation, simulation->resident, account, look))
        return false;
    *result = wave;
    result->cycles *= times;
    multiply(result, times);
    result->resident += (times - 1) * wave.left_empty; /* a next wave has these places */
    hold_to_service(result, simulation);
    if (account)
        account_scale(account, result->cycles, times);
    return true;
}

/* What the limit cuts off: up to the limit, or until the estimate of all is sure.  Half of
 * what is done at each look at it is noted. */
static void go_on_until_sure(struct machine *m, uint64_t most_issues)
{
    double before = 0;
    for (uint64_t most = most_issues / QUARTER; most <= most_issues; most *= 2) {
        if (m->result.issues >= most)
            continue;
        if (go_on(m, most))
            return;
        double alike;
        const double estimate = m->now + machine_rest(m, &alike);
        if (fabs(estimate - before) <= SURE * estimate && alike >= ALIKE)
            return;
        before = estimate;
        if (2 * most <= most_issues) /* there is a further look */
            machine_note_rest(m, &m->half);
    }
}

bool machine_look(struct sm_look *look)
{
    look->whole = go_on(look->machine, look->issues);
    look->done = true;
    return look->whole;
}

/* So many blocks, in full if that is within the limit.  Else a sixteenth of the limit shows whether
 * the warps' loops become steady.  If they do not, shorter loops tell the rest: of one wave, where
 * the launch has more blocks than those (`launch`), else of all of them; if these do not, the
 * others follow.  Most loops become steady at once: where another thread may work, it begins with
 * shorter loops when a part of the sixteenth has not shown it.  Whether `result` is already that of
 * all blocks of the launch. */
static bool run_all(struct fw_sm_result *result, struct fw_arena *arena,
                    const struct fw_sm_simulation *simulation, double blocks, double launch,
                    struct fw_sm_account *account, struct machine *begun)
{
    struct fw_sm_result shorter;
    struct fw_arena_mark mark = fw_arena_mark(arena);
    struct machine *m = begun ? begun : machine_begin(arena, simulation, NULL, blocks, account);
    const bool fits = blocks * simulation->issues_per_block <= (double)simulation->most_issues;
    const uint64_t part = fits ? 1 : simulation->timeline ? QUARTER : SIXTEENTH;
    struct sm_look look = {.machine = m, .issues = simulation->most_issues / part};
    bool told = false, wave = false;
    const bool ahead =
        !fits && !simulation->timeline && simulation->side_work && !go_on(m, look.issues / QUARTER);
    if (!ahead)
        machine_look(&look);
    if (!look.whole && !simulation->timeline) {
        wave = launch > blocks &&
               run_wave(result, arena, simulation, launch, account, ahead ? &look : NULL);
        told = !wave && !look.whole &&
               machine_run_shorter(&shorter, arena, simulation, blocks, account,
                                   look.done ? NULL : &look);
        if (!look.done)
            machine_look(&look);
        if (!wave && !told && !look.whole)
            go_on_until_sure(m, simulation->most_issues);
    }
    if (told)
        *result = shorter;
    else if (!wave)
        finish(result, m);
    fw_arena_release(arena, mark);
    return wave;
}

/* Cycles between the ends of blocks: of the last of so many waves that were simulated and of the
 * first, in the mean over their blocks, which is steadier than the last end of each.  What was cut
 * off has the rate of all. */
static double rate_of(const struct fw_sm_result *result, double wave, int waves)
{
    const int last = waves - 1;
    return result->cut ? result->cycles / (waves * wave)
                       : fmax(0, result->ends[last] - result->ends[0]) / (last * wave);
}

/* Where data let some blocks do what others do not, a wave is of as many blocks as have a resident
 * one's worth of the former, or MOST_ROUNDS times the resident ones. */
static double blocks_of_wave(const struct fw_sm_simulation *simulation)
{
    enum { MOST_ROUNDS = 8 };
    const struct sm_common *common = simulation->common;
    double least = 1;
    for (uint32_t p = 0; p < common->count; p++)
        for (uint32_t s = 0; s < common->programs[p]->count; s++) {
            const struct fw_step *step = &common->programs[p]->steps[s];
            const double part = step->blocks.to - step->blocks.from;
            if (step->kind == FW_STEP_SHARE && part > 0)
                least = fmin(least, part);
        }
    return simulation->resident * ceil(fmin(MOST_ROUNDS, 1 / least));
}

/* How many instructions issue is known, whatever part of them was simulated: the parts of their
 * cycles are as many, and the others share what is left of the time. */
static void account_for_issues(struct fw_sm_account *account, const struct fw_sm_result *result)
{
    const size_t cells = (size_t)account->place_count * FW_SM_PART_COUNT;
    double selected = 0, kept = 0, sum = 0;
    for (size_t c = 0; c < cells; c++) {
        selected += c % FW_SM_PART_COUNT == FW_SM_PART_SELECTED ? account->cycles[c] : 0;
        kept += c % FW_SM_PART_COUNT == FW_SM_PART_DISPATCH ? account->cycles[c] : 0;
        sum += account->cycles[c];
    }
    double times = selected > 0 ? result->issued / account->active / selected : 1;
    double left = sum - selected - kept, rest = sum - times * (selected + kept);
    if (!(left > 0) || !(rest > 0))
        return;
    for (size_t c = 0; c < cells; c++) {
        size_t of = c % FW_SM_PART_COUNT;
        bool issue = of == FW_SM_PART_SELECTED || of == FW_SM_PART_DISPATCH;
        account->cycles[c] *= issue ? times : rest / left;
    }
}

/* Some waves of blocks, and a first one alone, whose account says what a beginning and an end take.
 */
struct waves {
    const struct fw_sm_simulation *simulation;
    struct fw_arena *arena;
    double some, blocks; /* of the waves; of the launch */
    struct fw_sm_result *result, first;
    struct fw_sm_account *account, *of_first; /* NULL: that is not asked for */
    bool told;                                /* `result` is that of the launch */
    struct machine *begun, *begun_first;      /* NULL: they have yet to begin */
};

static enum fw_status run_first(void *user, struct fw_arena *arena)
{
    struct waves *waves = user;
    const double wave = waves->simulation->wave;
    if (waves->begun_first)
        waves->begun_first->arena = arena;
    run_all(&waves->first, arena, waves->simulation, wave, wave, waves->of_first,
            waves->begun_first);
    return FW_OK;
}

static void run_some(void *user)
{
    struct waves *waves = user;
    waves->told = run_all(waves->result, waves->arena, waves->simulation, waves->some,
                          waves->blocks, waves->account, waves->begun);
}

/* Both do the same until a block ends that has no successor in the first one. */
static void begin_both(struct waves *waves)
{
    waves->begun =
        machine_begin(waves->arena, waves->simulation, NULL, waves->some, waves->account);
    if (machine_run_first(waves->begun, waves->simulation->wave))
        waves->begun_first = machine_copy_first(waves->begun, waves->of_first);
    waves->begun->blocks_beside = 0;
}

/* Both: at one time, where that is worth another thread. */
static void run_waves(struct waves *waves)
{
    enum { WORTH_A_THREAD = 4096 }; /* operations: half a millisecond */
    const struct fw_sm_simulation *simulation = waves->simulation;
    const bool worth =
        waves->of_first && simulation->wave * simulation->issues_per_block >= WORTH_A_THREAD;
    if (worth)
        begin_both(waves);
    if (simulation->side_work && worth) {
        const struct fw_side_work work = {run_first, run_some, waves, waves->arena, NULL};
        struct fw_arena *memory;
        const enum fw_status status = fw_side_work(&memory, &work);
        fw_arena_free(memory);
        if (status)
            fw_arena_give_up(waves->arena, status);
        return;
    }
    run_some(waves);
    if (waves->of_first && !waves->told && !waves->result->cut)
        run_first(waves, waves->arena);
}

/* Many blocks: some waves, and the rest at the rate at which blocks of these end.  The account goes
 * on by what a first wave alone, which begins and ends alike, has less; of two waves of long
 * blocks, of which beginning and end are a small part, in its shares. */
static void simulate(struct fw_sm_result *result, struct fw_arena *arena,
                     const struct fw_sm_simulation *simulation)
{
    const double blocks = ceil(simulation->blocks), wave = simulation->wave;
    const double issues = FW_SM_WAVES * wave * simulation->issues_per_block;
    const double most = (double)simulation->most_issues;
    const bool short_blocks = issues <= most / FIFTH;
    const bool long_blocks = issues > LONG_WAVES * most && issues <= most && !simulation->timeline;
    const int waves = long_blocks ? FW_SM_WAVES - 1 : FW_SM_WAVES;
    const double some = waves * wave;
    struct fw_sm_account *account = simulation->account;
    if (blocks < some + wave) {
        run_all(result, arena, simulation, blocks, blocks, account, NULL);
        double cycles = result->cycles;
        hold_to_service(result, simulation);
        if (account) /* servers go on when no warp is left */
            account->cycles[FW_SM_PART_TAIL] += result->cycles - cycles;
        return;
    }
    struct waves both = {.simulation = simulation,
                         .arena = arena,
                         .some = some,
                         .blocks = blocks,
                         .result = result,
                         .account = account};
    if (account && short_blocks && !simulation->timeline)
        both.of_first = account_new(arena, account);
    run_waves(&both);
    if (both.told)
        return;
    result->cycles += (blocks - some) * rate_of(result, wave, waves);
    multiply(result, blocks / some);
    hold_to_service(result, simulation);
    if (!account || simulation->timeline) /* a timeline is of these waves alone */
        return;
    if (result->cut || !short_blocks) { /* its parts go on in the same shares */
        account_scale(account, result->cycles, result->cut ? 1 : blocks / some);
        return;
    }
    result->issues += both.first.issues;
    account_extend(account, both.of_first, (blocks - some) / (some - wave), result->cycles);
}

void fw_sm_simulate(struct fw_sm_result *result, struct fw_arena *arena,
                    const struct fw_sm_simulation *simulation)
{
    struct fw_sm_simulation of = *simulation;
    struct sm_common common;
    sm_common_find(&common, arena, simulation);
    of.common = &common;
    of.wave = of.timeline ? of.resident : blocks_of_wave(&of);
    simulate(result, arena, &of);
    if (result->cut && result->cycles < simulation->least_cycles) {
        result->cycles = simulation->least_cycles;
        if (simulation->account)
            account_scale(simulation->account, result->cycles, 1);
    }
    if (simulation->account && !simulation->timeline) /* which is of its own waves alone */
        account_for_issues(simulation->account, result);
}
