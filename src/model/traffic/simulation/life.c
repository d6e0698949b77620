#include "life.h"

#include "agenda.h"

#include <math.h>
#include <string.h>

/* Numbers that waits beyond the least are taken from, and the step through them: the golden ratio's
 * part of their count. */
enum { LATES = 127, LATES_STEP = 78 };

/* Multiprocessors that are gone through together, and how many blocks of each; the resources that
 * each has to itself, which come first. */
enum { TOGETHER = 4, FEWEST_BLOCKS = 64, BLOCKS_A_SLOT = 20, OWN = FW_LIFE_L2 };

/* Steps up to which rounds are gone through in parts, and how many at most: where few blocks run,
 * one group waits while another is served, part by part. */
enum { STEPS_OF_PARTS = 8192, MOST_PARTS = 32 };

/* The busiest that a queue is taken to be: beyond it what waits is seen in the course itself. */
static const double MOST_BUSY = 0.95;

/* A block under way. */
struct under_way {
    uint32_t groups_left, multiprocessor;
    uint32_t place; /* of the launch order, where blocks differ */
    double end;     /* of the groups that are done */
};

/* A resource of one multiprocessor: the group that it serves, and those that wait. */
struct server {
    struct ready served;
    struct ready
        *waiting; /* who comes first, with room for twice as many as there are at one time */
    uint32_t first, count, room;
};

struct course {
    const struct fw_life *life;
    struct agenda agenda; /* groups that wait for data */
    struct server own[TOGETHER * OWN];
    double until[TOGETHER * OWN]; /* when their groups are done; INFINITY: they serve none */
    struct fw_life_round stores;  /* of a group, as a round */
    struct under_way *blocks;
    double *ends; /* of blocks, sorted */
    double *done; /* room for as many */
    uint32_t begun, ended, all;
    uint32_t given[TOGETHER];              /* blocks that a multiprocessor got */
    double shared[FW_LIFE_RESOURCE_COUNT]; /* when one that all share is free */
    double next_block;
    double late[LATES];
    uint32_t next_late;
    uint32_t parts;     /* of each round, at most */
    double memory_busy; /* cycles so far */
    double part; /* of a block's need of L2, what the mean multiprocessor has: these are the busiest
                    ones, which may have a block more */
};

/* What a group waits beyond the least, as multiples of a warp's mean: it waits for the last of its
 * warps, where waits go beyond the least by chance, as exponentially distributed ones do.  Evenly
 * by how often they occur. */
static void find_lates(struct course *course, double warps)
{
    for (uint32_t i = 0; i < LATES; i++)
        course->late[i] = -log(1 - pow((i + 0.5) / LATES, 1 / warps));
}

/* When the last warp of a group has its data: one of the lates after the other, in steps that fill
 * their row evenly, whatever part of it is taken, and keep step with no number of blocks. */
static double until_last(struct course *course, double least, double spread)
{
    course->next_late = (course->next_late + LATES_STEP) % LATES;
    return least + spread * course->late[course->next_late];
}

static double later(double a, double b)
{
    return a > b ? a : b;
}

/* The place of a block among those whose shares are known. */
static uint32_t place_of(const struct course *course, uint32_t block)
{
    const struct fw_life_uneven *uneven = course->life->uneven;
    if (!uneven || course->all < 2)
        return 0;
    return (uint32_t)((double)block * (uneven->places - 1) / (course->all - 1) + 0.5);
}

/* Whether a multiprocessor gets a further block: of blocks that are alike, as many as all others.
 */
static bool has_more(const struct course *course, uint32_t multiprocessor)
{
    return course->life->uneven || course->given[multiprocessor] < course->all / TOGETHER;
}

static void begin_block(struct course *course, double at, uint32_t multiprocessor)
{
    const struct fw_life *life = course->life;
    uint32_t block = course->begun++;
    course->given[multiprocessor]++;
    double start = later(at, course->next_block);
    course->next_block = start + life->dispatch / TOGETHER;
    uint32_t place = place_of(course, block);
    course->blocks[block] = (struct under_way){life->groups, multiprocessor, place, 0};
    start += life->start;
    if (life->uneven)
        start += (life->uneven->block[place] - 1) * life->start_in_loops;
    agenda_add(&course->agenda, (struct ready){.at = start, .block = block}, life->groups);
}

/* When a request that comes at `at` has had what it needs of L2 or device memory: they are those of
 * all, as much faster, and for whoever comes first.  Multiprocessors that are done leave L2 to the
 * others; device memory is not faster for the few that still ask. */
static double take(struct course *course, enum fw_life_resource resource, double cycles, double at)
{
    double *free_at = &course->shared[resource];
    if (!(cycles > 0))
        return at;
    const double part = resource == FW_LIFE_DRAM ? 1.0 / TOGETHER : course->part;
    *free_at = later(at, *free_at) + cycles * part;
    if (resource == FW_LIFE_DRAM)
        course->memory_busy += cycles / TOGETHER;
    return *free_at;
}

/* What requests to device memory wait for each other beyond what the course shows, whose memory
 * serves one request of all after the other: more, the busier it was so far, as in a queue of
 * requests that come by chance. */
static double queueing(const struct course *course, double at)
{
    double busy = fmin(course->memory_busy, MOST_BUSY * at);
    return busy > 0 ? course->life->queue * busy / (at - busy) : 0;
}

/* Blocks end nearly in the order in which that is found. */
static void add_end(struct course *course, double end)
{
    uint32_t place = course->ended++;
    for (; place && course->ends[place - 1] > end; place--)
        course->ends[place] = course->ends[place - 1];
    course->ends[place] = end;
}

/* In how many parts a round is gone through. */
static uint32_t parts_of(const struct course *course, const struct fw_life_round *round)
{
    uint32_t parts = round->parts < course->parts ? round->parts : course->parts;
    return parts ? parts : 1;
}

/* What a group of a block at a place has of one part of its round. */
static struct fw_life_round own_part(const struct course *course, uint32_t place,
                                     const struct ready *one)
{
    const struct fw_life_uneven *uneven = course->life->uneven;
    struct fw_life_round own = course->life->round[one->round][one->group];
    double part = 1.0 / parts_of(course, &own);
    double work = uneven ? part * uneven->work[place][one->round][one->group] : part;
    double wait = uneven ? part * uneven->latency[place][one->round][one->group] : part;
    for (uint32_t r = 0; r < FW_LIFE_RESOURCE_COUNT; r++)
        own.cycles[r] *= work;
    own.latency *= wait;
    own.waits *= wait;
    return own;
}

/* What a group takes now: a part of a round (`own`: room for it), or, behind the last, its stores.
 */
static const struct fw_life_round *taken_by(const struct course *course, const struct ready *one,
                                            struct fw_life_round *own)
{
    const struct fw_life *life = course->life;
    if (one->round >= life->rounds)
        return &course->stores;
    const struct fw_life_round *round = &life->round[one->round][one->group];
    if (!life->uneven && parts_of(course, round) == 1)
        return round;
    *own = own_part(course, course->blocks[one->block].place, one);
    return own;
}

/* A group has had all that its block's last stores need: they wait for nothing, and device memory
 * takes them when it can. */
static void end_group(struct course *course, const struct ready *one)
{
    const struct fw_life *life = course->life;
    struct under_way *block = &course->blocks[one->block];
    double end = one->at, any = 0;
    for (uint32_t r = 0; r < FW_LIFE_RESOURCE_COUNT; r++)
        any += life->stores[r];
    take(course, FW_LIFE_DRAM, life->stores[FW_LIFE_DRAM], end);
    if (any > 0)
        end = until_last(course, end + life->acknowledged, life->spread * life->acknowledged);
    block->end = fmax(block->end, end);
    if (--block->groups_left)
        return;
    add_end(course, block->end);
    if (course->begun < course->all && has_more(course, block->multiprocessor))
        begin_block(course, block->end, block->multiprocessor);
}

/* A group has had its multiprocessor's resources: it takes L2 and device memory, and waits. */
static void leave(struct course *course, struct ready one, const struct fw_life_round *round)
{
    const struct fw_life *life = course->life;
    const bool last = one.round >= life->rounds;
    for (uint32_t r = OWN; r < FW_LIFE_RESOURCE_COUNT; r++) {
        const double begun = later(one.at, course->shared[r]);
        const double done = take(course, r, round->cycles[r], one.at);
        const bool waited = last || r == FW_LIFE_L2 || r == FW_LIFE_DRAM;
        one.at = waited ? done : round->cycles[r] > 0 ? begun : one.at;
    }
    if (last) {
        end_group(course, &one);
        return;
    }
    one.at += round->latency;
    if (round->waits > 0) {
        one.at = until_last(course, one.at, life->spread * life->wait * round->waits);
        one.at += round->waits * queueing(course, one.at);
    }
    one.stage = 0;
    if (++one.part >= parts_of(course, &life->round[one.round][one.group])) {
        one.part = 0;
        one.round++;
    }
    agenda_add(&course->agenda, one, 1);
}

/* Of those that wait for arithmetic, the oldest block's group comes first, as schedulers issue;
 * else who came first. */
static void wait_for(struct server *server, const struct ready *one)
{
    if (server->first + server->count == server->room) {
        memmove(server->waiting, &server->waiting[server->first],
                server->count * sizeof(*server->waiting));
        server->first = 0;
    }
    struct ready *first = &server->waiting[server->first], *place = &first[server->count++];
    for (; one->stage == FW_LIFE_ARITHMETIC && place > first && place[-1].block > one->block;
         place--)
        *place = place[-1];
    *place = *one;
}

/* A group that is ready for a stage of its round takes the resource of its multiprocessor, waits
 * for it, or goes on. */
static void go_on(struct course *course, struct ready one)
{
    struct fw_life_round own;
    const struct fw_life_round *round = taken_by(course, &one, &own);
    while (one.stage < OWN && !(round->cycles[one.stage] > 0))
        one.stage++;
    if (one.stage == OWN) {
        leave(course, one, round);
        return;
    }
    const uint32_t which = course->blocks[one.block].multiprocessor * OWN + one.stage;
    struct server *server = &course->own[which];
    if (course->until[which] < (double)INFINITY) {
        wait_for(server, &one);
        return;
    }
    server->served = one;
    course->until[which] = one.at + round->cycles[one.stage];
}

static void step(struct course *course)
{
    const struct agenda *agenda = &course->agenda;
    double first = course->until[0];
    uint32_t which = 0;
    for (uint32_t s = 1; s < TOGETHER * OWN; s++) {
        which = course->until[s] < first ? s : which;
        first = course->until[s] < first ? course->until[s] : first;
    }
    if (agenda->count && agenda->at[agenda->first].at < first) {
        go_on(course, agenda_take(&course->agenda));
        return;
    }
    struct server *server = &course->own[which];
    struct ready done = server->served;
    done.at = first;
    done.stage++;
    course->until[which] = (double)INFINITY;
    if (server->count) {
        struct ready next = server->waiting[server->first++];
        server->count--;
        next.at = first;
        go_on(course, next);
    }
    go_on(course, done);
}

/* Cycles that the busiest resource works for one block. */
static double busiest(const struct fw_life *life)
{
    double most = life->dispatch;
    for (uint32_t r = 0; r < FW_LIFE_RESOURCE_COUNT; r++) {
        double sum = life->groups * life->stores[r];
        for (uint32_t k = 0; k < life->rounds; k++)
            for (uint32_t g = 0; g < life->groups; g++)
                sum += life->round[k][g].cycles[r];
        most = fmax(most, sum);
    }
    return most;
}

/* Cycles from one end to the next: the slope of the straight line nearest to them all. */
static double pace(const double *ends, uint32_t count)
{
    double middle = (count - 1) / 2.0, products = 0, squares = 0;
    for (uint32_t i = 0; i < count; i++) {
        products += (i - middle) * ends[i];
        squares += (i - middle) * (i - middle);
    }
    return products / squares;
}

/* The same where blocks differ, for a block of the mean: by what the blocks so far are of it,
 * which end nearly in the order of the launch. */
static double uneven_pace(const struct course *course, uint32_t from, uint32_t to)
{
    double *done = course->done, sum = 0, end = 0, products = 0, squares = 0;
    for (uint32_t i = 0; i < course->all; i++) {
        sum += course->life->uneven->block[place_of(course, i)];
        done[i] = sum;
    }
    sum = 0;
    for (uint32_t i = from; i <= to; i++) {
        sum += done[i] / (to - from + 1);
        end += course->ends[i] / (to - from + 1);
    }
    for (uint32_t i = from; i <= to; i++) {
        products += (done[i] - sum) * (course->ends[i] - end);
        squares += (done[i] - sum) * (done[i] - sum);
    }
    return squares > 0 ? products / squares : 0;
}

uint32_t fw_life_simulated(const struct fw_life *life)
{
    double least = fmax(FEWEST_BLOCKS, (double)BLOCKS_A_SLOT * life->resident);
    double blocks = TOGETHER * fmax(1, ceil(life->blocks - 1e-9));
    return (uint32_t)fmin(blocks, TOGETHER * least);
}

double fw_life_cycles(const struct fw_life *life, struct fw_arena *arena)
{
    struct fw_arena_mark mark = fw_arena_mark(arena);
    struct course course = {.life = life};
    double blocks = TOGETHER * fmax(1, ceil(life->blocks - 1e-9));
    uint32_t slots = TOGETHER * life->resident;
    course.part = fmin(1, TOGETHER * life->blocks / blocks) / TOGETHER;
    course.all = fw_life_simulated(life);
    course.parts = life->rounds ? STEPS_OF_PARTS / (course.all * life->groups * life->rounds) : 1;
    course.parts = course.parts < MOST_PARTS ? course.parts : MOST_PARTS;
    find_lates(&course, fmax(1, life->warps / life->groups));
    course.agenda.room = 2 * slots * FW_LIFE_GROUPS;
    course.agenda.at = FW_ARRAY(arena, struct ready, course.agenda.room);
    course.blocks = FW_ARRAY(arena, struct under_way, course.all);
    for (uint32_t o = 0; o < TOGETHER * OWN; o++) {
        course.own[o].room = 2 * life->resident * FW_LIFE_GROUPS;
        course.own[o].waiting = FW_ARRAY(arena, struct ready, course.own[o].room);
        course.until[o] = (double)INFINITY;
    }
    for (uint32_t r = 0; r < FW_LIFE_DRAM; r++)
        course.stores.cycles[r] = life->stores[r];
    course.ends = FW_ARRAY(arena, double, course.all);
    course.done = FW_ARRAY(arena, double, course.all);
    for (uint32_t b = 0; b < slots && b < course.all; b++)
        begin_block(&course, 0, b % TOGETHER);
    while (course.ended < course.all)
        step(&course);
    double cycles = course.ends[course.all - 1];
    for (uint32_t r = OWN; r < FW_LIFE_RESOURCE_COUNT; r++)
        cycles = fmax(cycles, course.shared[r]);
    if (blocks > course.all) { /* more than two rows of blocks are between these two ends */
        uint32_t from = course.all / 3, to = course.all - slots;
        from = from > slots ? from : slots;
        to = to > from ? to : course.all - 1;
        from = from < to ? from : to - 1;
        cycles += (blocks - course.all) * (life->uneven ? uneven_pace(&course, from, to)
                                                        : pace(&course.ends[from], to - from + 1));
    }
    fw_arena_release(arena, mark);
    return fmax(cycles, life->blocks * busiest(life)); /* stores that nobody waits for count, too */
}

double fw_life_turns(const struct fw_life *life)
{
    return fmax(1, ceil(life->blocks - 1e-9) / life->resident);
}

double fw_life_alone(const struct fw_life *life)
{
    const struct fw_life_uneven *uneven = life->uneven;
    uint32_t places = uneven && life->blocks <= life->resident ? uneven->places : 1;
    double longest = 0, any = 0;
    for (uint32_t p = 0; p < places; p++)
        for (uint32_t g = 0; g < life->groups; g++) {
            double sum = places > 1 ? (uneven->block[p] - 1) * life->start_in_loops : 0;
            for (uint32_t k = 0; k < life->rounds; k++)
                sum += (places > 1 ? uneven->latency[p][k][g] : 1) * life->round[k][g].latency;
            longest = fmax(longest, sum);
        }
    for (uint32_t r = 0; r < FW_LIFE_RESOURCE_COUNT; r++)
        any += life->stores[r];
    return life->start + longest + (any > 0 ? life->acknowledged : 0);
}

/* Cycles that a block takes which has the multiprocessor to itself. */
static double one_block(const struct fw_life *life, struct fw_arena *arena)
{
    struct fw_life one = *life;
    one.blocks = one.resident = 1;
    one.dispatch = 0;
    return fw_life_cycles(&one, arena);
}

void fw_life_hold_chain(struct fw_life *life, struct fw_arena *arena, double lone)
{
    double chain = 0;
    for (uint32_t k = 0; k < life->rounds; k++) /* the same for all groups */
        chain += life->round[k][0].chain;
    if (!(lone > 0) || !(chain + life->start_in_loops > 0))
        return;
    double beyond = fmax(0, one_block(life, arena) - lone);
    double start = fmin(beyond, life->start_in_loops);
    life->start -= start;
    life->start_in_loops -= start;
    double less = chain > 0 ? fmin(1, (beyond - start) / chain) : 0;
    for (uint32_t k = 0; k < life->rounds; k++)
        for (uint32_t g = 0; g < life->groups; g++) {
            life->round[k][g].latency -= less * life->round[k][g].chain;
            life->round[k][g].chain -= less * life->round[k][g].chain;
        }
}
