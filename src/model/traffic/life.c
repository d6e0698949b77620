#include "life.h"

#include <math.h>
#include <stdlib.h>

enum { FEWEST_BLOCKS = 96, BLOCKS_A_SLOT = 24 };

/* A group of warps that is ready for its next round. */
struct ready {
    double at;
    uint32_t block, group, round;
};

/* A block under way. */
struct under_way {
    uint32_t groups_left;
    double end; /* of the groups that are done */
};

struct course {
    const struct fw_life *life;
    struct ready *heap; /* the earliest first */
    uint32_t waiting;
    struct under_way *blocks;
    double *ends; /* of blocks, in the order in which they end */
    uint32_t begun, ended, all;
    double free_at[FW_LIFE_RESOURCE_COUNT], next_block;
    uint32_t taken; /* requests so far */
};

/* The n-th of a row of numbers that fill 0 to 1 evenly, whatever part of the row is taken, and keep
 * step with no whole number of blocks: parts of the golden ratio. */
static double evenly(uint32_t n)
{
    double number = n * 0.6180339887498949;
    return number - floor(number);
}

/* What a request to device memory takes, as a multiple of the mean. */
static double uneven(struct course *course)
{
    return 1 + course->life->variation * (2 * evenly(++course->taken) - 1);
}

static bool before(const struct ready *a, const struct ready *b)
{
    if (a->at != b->at)
        return a->at < b->at;
    return a->block != b->block ? a->block < b->block : a->group < b->group;
}

static void push(struct course *course, struct ready one)
{
    uint32_t i = course->waiting++;
    while (i && before(&one, &course->heap[(i - 1) / 2])) {
        course->heap[i] = course->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    course->heap[i] = one;
}

static struct ready pop(struct course *course)
{
    struct ready first = course->heap[0], last = course->heap[--course->waiting];
    uint32_t i = 0;
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child + 1 < course->waiting && before(&course->heap[child + 1], &course->heap[child]))
            child++;
        if (child >= course->waiting || !before(&course->heap[child], &last))
            break;
        course->heap[i] = course->heap[child];
        i = child;
    }
    course->heap[i] = last;
    return first;
}

static void begin_block(struct course *course, double at)
{
    const struct fw_life *life = course->life;
    uint32_t block = course->begun++;
    double start = fmax(at, course->next_block);
    course->next_block = start + life->dispatch;
    course->blocks[block] = (struct under_way){life->groups, 0};
    for (uint32_t g = 0; g < life->groups; g++)
        push(course, (struct ready){start + life->start, block, g, 0});
}

/* When a request that comes at `at` has had what it needs of every resource. */
static double take(struct course *course, const double cycles[FW_LIFE_RESOURCE_COUNT], double at)
{
    double longer = uneven(course);
    for (uint32_t r = 0; r < FW_LIFE_RESOURCE_COUNT; r++)
        if (cycles[r] > 0) {
            at = fmax(at, course->free_at[r]) + (r == FW_LIFE_DRAM ? longer : 1) * cycles[r];
            course->free_at[r] = at;
        }
    return at;
}

/* Stores wait for nothing: device memory takes them when it can. */
static double store(struct course *course, double at)
{
    const struct fw_life *life = course->life;
    double cycles[FW_LIFE_RESOURCE_COUNT], later = life->stores[FW_LIFE_DRAM], any = 0;
    for (uint32_t r = 0; r < FW_LIFE_RESOURCE_COUNT; r++) {
        cycles[r] = r == FW_LIFE_DRAM ? 0 : life->stores[r];
        any += life->stores[r];
    }
    at = take(course, cycles, at);
    if (later > 0)
        course->free_at[FW_LIFE_DRAM] =
            fmax(at, course->free_at[FW_LIFE_DRAM]) + uneven(course) * later;
    return any > 0 ? at + life->acknowledged : at;
}

static void step(struct course *course)
{
    const struct fw_life *life = course->life;
    struct ready one = pop(course);
    if (one.round < life->rounds) {
        const struct fw_life_round *round = &life->round[one.round][one.group];
        one.at = take(course, round->cycles, one.at) + round->latency;
        one.round++;
        push(course, one);
        return;
    }
    struct under_way *block = &course->blocks[one.block];
    block->end = fmax(block->end, store(course, one.at));
    if (--block->groups_left)
        return;
    course->ends[course->ended++] = block->end;
    if (course->begun < course->all)
        begin_block(course, block->end);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
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

double fw_life_cycles(const struct fw_life *life, struct fw_arena *arena)
{
    struct fw_arena_mark mark = fw_arena_mark(arena);
    struct course course = {.life = life};
    double least = fmax(FEWEST_BLOCKS, (double)BLOCKS_A_SLOT * life->resident);
    double blocks = fmax(1, ceil(life->blocks - 1e-9));
    course.all = (uint32_t)fmin(blocks, least);
    course.heap = FW_ARRAY(arena, struct ready, (size_t)(life->resident + 1) * FW_LIFE_GROUPS);
    course.blocks = FW_ARRAY(arena, struct under_way, course.all);
    course.ends = FW_ARRAY(arena, double, course.all);
    for (uint32_t b = 0; b < life->resident && b < course.all; b++)
        begin_block(&course, 0);
    while (course.waiting)
        step(&course);
    qsort(course.ends, course.all, sizeof(*course.ends), by_value);
    double cycles = fmax(course.ends[course.all - 1], course.free_at[FW_LIFE_DRAM]);
    if (blocks > course.all) { /* more than two rows of blocks are between these two ends */
        uint32_t from = course.all / 3, to = course.all - life->resident;
        from = from > life->resident ? from : life->resident;
        to = to > from ? to : course.all - 1;
        from = from < to ? from : to - 1;
        cycles += (blocks - course.all) * (course.ends[to] - course.ends[from]) / (to - from);
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
