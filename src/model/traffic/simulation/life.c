#include "life.h"

#include "agenda.h"

#include <math.h>

/* Numbers that waits beyond the least are taken from, and the step through them: the golden ratio's
 * part of their count. */
enum { LATES = 127, LATES_STEP = 78 };

/* Multiprocessors that are gone through together, and how many blocks of each. */
enum { TOGETHER = 4, FEWEST_BLOCKS = 64, BLOCKS_A_SLOT = 20 };

/* The busiest that a queue is taken to be: beyond it what waits is seen in the course itself. */
static const double MOST_BUSY = 0.95;

/* A block under way. */
struct under_way {
    uint32_t groups_left, multiprocessor;
    double end; /* of the groups that are done */
};

struct course {
    const struct fw_life *life;
    struct agenda agenda;
    struct under_way *blocks;
    double *ends; /* of blocks, sorted */
    uint32_t begun, ended, all;
    double own[TOGETHER][FW_LIFE_RESOURCE_COUNT]; /* when a multiprocessor's resource is free */
    double shared[FW_LIFE_RESOURCE_COUNT];        /* when one that all share is */
    double next_block;
    double late[LATES];
    uint32_t next_late;
    double memory_busy; /* cycles so far */
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

static void begin_block(struct course *course, double at, uint32_t multiprocessor)
{
    const struct fw_life *life = course->life;
    uint32_t block = course->begun++;
    double start = later(at, course->next_block);
    course->next_block = start + life->dispatch / TOGETHER;
    course->blocks[block] = (struct under_way){life->groups, multiprocessor, 0};
    agenda_add(&course->agenda, (struct ready){start + life->start, block, 0, 0}, life->groups);
}

/* When a request that comes at `at` has had what it needs of a resource.  L2 and device memory are
 * those of all: as much faster, and for whoever comes. */
static double take_one(struct course *course, enum fw_life_resource resource, double cycles,
                       double at, uint32_t multiprocessor)
{
    bool shared = resource >= FW_LIFE_L2;
    double *free_at = shared ? &course->shared[resource] : &course->own[multiprocessor][resource];
    if (!(cycles > 0))
        return at;
    double busy = cycles / (shared ? TOGETHER : 1);
    *free_at = later(at, *free_at) + busy;
    if (resource == FW_LIFE_DRAM)
        course->memory_busy += busy;
    return *free_at;
}

static double take(struct course *course, const double cycles[FW_LIFE_RESOURCE_COUNT], double at,
                   uint32_t multiprocessor)
{
    for (uint32_t r = 0; r < FW_LIFE_RESOURCE_COUNT; r++)
        at = take_one(course, r, cycles[r], at, multiprocessor);
    return at;
}

/* Stores wait for nothing: device memory takes them when it can. */
static double store(struct course *course, double at, uint32_t multiprocessor)
{
    const struct fw_life *life = course->life;
    double cycles[FW_LIFE_RESOURCE_COUNT], any = 0;
    for (uint32_t r = 0; r < FW_LIFE_RESOURCE_COUNT; r++) {
        cycles[r] = r == FW_LIFE_DRAM ? 0 : life->stores[r];
        any += life->stores[r];
    }
    at = take(course, cycles, at, multiprocessor);
    take_one(course, FW_LIFE_DRAM, life->stores[FW_LIFE_DRAM], at, multiprocessor);
    return any > 0 ? until_last(course, at + life->acknowledged, life->spread * life->acknowledged)
                   : at;
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

static void step(struct course *course)
{
    const struct fw_life *life = course->life;
    struct ready one = agenda_take(&course->agenda);
    struct under_way *block = &course->blocks[one.block];
    if (one.round < life->rounds) {
        const struct fw_life_round *round = &life->round[one.round][one.group];
        one.at = take(course, round->cycles, one.at, block->multiprocessor);
        one.at += round->latency;
        if (round->waits > 0) {
            one.at = until_last(course, one.at, life->spread * life->wait * round->waits);
            one.at += round->waits * queueing(course, one.at);
        }
        one.round++;
        agenda_add(&course->agenda, one, 1);
        return;
    }
    block->end = fmax(block->end, store(course, one.at, block->multiprocessor));
    if (--block->groups_left)
        return;
    add_end(course, block->end);
    if (course->begun < course->all)
        begin_block(course, block->end, block->multiprocessor);
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

double fw_life_cycles(const struct fw_life *life, struct fw_arena *arena)
{
    struct fw_arena_mark mark = fw_arena_mark(arena);
    struct course course = {.life = life};
    double least = fmax(FEWEST_BLOCKS, (double)BLOCKS_A_SLOT * life->resident);
    double blocks = TOGETHER * fmax(1, ceil(life->blocks - 1e-9));
    uint32_t slots = TOGETHER * life->resident;
    course.all = (uint32_t)fmin(blocks, TOGETHER * least);
    find_lates(&course, fmax(1, life->warps / life->groups));
    course.agenda.room = 2 * slots * FW_LIFE_GROUPS;
    course.agenda.at = FW_ARRAY(arena, struct ready, course.agenda.room);
    course.blocks = FW_ARRAY(arena, struct under_way, course.all);
    course.ends = FW_ARRAY(arena, double, course.all);
    for (uint32_t b = 0; b < slots && b < course.all; b++)
        begin_block(&course, 0, b % TOGETHER);
    while (course.agenda.count)
        step(&course);
    double cycles = fmax(course.ends[course.all - 1], course.shared[FW_LIFE_DRAM]);
    if (blocks > course.all) { /* more than two rows of blocks are between these two ends */
        uint32_t from = course.all / 3, to = course.all - slots;
        from = from > slots ? from : slots;
        to = to > from ? to : course.all - 1;
        from = from < to ? from : to - 1;
        cycles += (blocks - course.all) * pace(&course.ends[from], to - from + 1);
    }
    fw_arena_release(arena, mark);
    return fmax(cycles, life->blocks * busiest(life)); /* stores that nobody waits for count, too */
}

double fw_life_alone(const struct fw_life *life)
{
    double longest = 0, any = 0;
    for (uint32_t g = 0; g < life->groups; g++) {
        double sum = 0;
        for (uint32_t k = 0; k < life->rounds; k++)
            sum += life->round[k][g].latency;
        longest = fmax(longest, sum);
    }
    for (uint32_t r = 0; r < FW_LIFE_RESOURCE_COUNT; r++)
        any += life->stores[r];
    return life->start + longest + (any > 0 ? life->acknowledged : 0);
}
