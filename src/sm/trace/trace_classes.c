/* Classes of warps: equal traces are equal in memory, and blocks between equal ones are like them.
 *
 * Boxes of blocks are halved, the largest first, until the blocks at their corners have equal
 * traces.  Where all conditions on block indices are half-spaces, all blocks of such a box are
 * equal; elsewhere a few blocks inside are looked at, and the answer says that blocks were sampled.
 */
#include "trace_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_EVALUATIONS = 4 * 1000 * 1000,
    MOST_BLOCKS = 512,
    FEW_BLOCKS = 128,   /* of which each is traced where conditions are no half-spaces */
    INSIDE = 3,         /* blocks looked at inside a box then */
    PART_FOR_BOXES = 64 /* of the evaluations, one part in so many is for dividing boxes */
};

struct traced {
    uint32_t block[3];
    uint64_t signature; /* of all warps: see trace_internal.h */
    const struct fw_trace **warps;
    uint64_t evaluations; /* that it took */
    bool sampled;         /* iterations of a loop of it stand for others, of this one first: */
    uint32_t sampled_loop;
};

struct fw_traced_blocks {
    struct trace_walk walk;
    FW_VECTOR(struct traced) at;
};

struct box {
    uint32_t low[3], high[3]; /* both in it */
};

struct classing {
    struct trace_walk *walk;
    struct fw_traced_blocks *all; /* that were traced, for these classes or before */
    struct fw_arena *arena;
    uint32_t warps;  /* of a block */
    uint32_t most;   /* blocks */
    uint64_t enough; /* evaluations after which no further box is divided */
    FW_VECTOR(struct traced) traced;
    FW_VECTOR(struct fw_trace_block) found;
    FW_VECTOR(struct box) boxes;          /* not yet divided */
    FW_VECTOR(struct fw_trace_box) whole; /* of blocks that are alike, of `found` as it is */
    bool sampled;
    bool iterations_sampled;
    uint32_t sampled_loop;
};

static const struct traced *find_block(const struct traced *at, size_t count,
                                       const uint32_t block[3])
{
    for (size_t t = count; t-- > 0;)
        if (memcmp(at[t].block, block, sizeof(at[t].block)) == 0)
            return &at[t];
    return NULL;
}

/* Traces the warps of a block, which was not traced before. */
static struct traced walk_block(struct classing *c, const uint32_t block[3])
{
    struct trace_walk *walk = c->walk;
    const struct fw_trace **warps = FW_ARRAY(walk->arena, const struct fw_trace *, c->warps);
    struct traced made = {.warps = warps, .evaluations = walk->evaluations};
    memcpy(made.block, block, sizeof(made.block));
    walk->sampled = false;
    walk->sampled_loop = FW_NONE;
    for (uint32_t w = 0; w < c->warps && !walk->spent; w++) {
        warps[w] = trace_walk_warp(walk, block, w);
        made.signature = (made.signature + walk->signature) * 0x9E3779B97F4A7C15u;
    }
    made.evaluations = walk->evaluations - made.evaluations;
    made.sampled = walk->sampled;
    made.sampled_loop = walk->sampled_loop;
    if (!walk->spent)
        *FW_APPEND(walk->arena, &c->all->at) = made;
    return made;
}

/* A block that was traced for somebody else counts as if it were traced now. */
static const struct traced *trace_block(struct classing *c, const uint32_t block[3])
{
    const struct traced *known = find_block(c->traced.at, c->traced.count, block);
    if (known)
        return known;
    known = find_block(c->all->at.at, c->all->at.count, block);
    struct traced *made = FW_APPEND(c->arena, &c->traced);
    c->walk->evaluations += known ? known->evaluations : 0;
    *made = known ? *known : walk_block(c, block);
    if (made->sampled && !c->iterations_sampled)
        c->sampled_loop = made->sampled_loop;
    c->iterations_sampled |= made->sampled;
    return made;
}

static bool same_block(const struct classing *c, const struct fw_trace *const *a,
                       const struct fw_trace *const *b)
{
    return memcmp(a, b, c->warps * sizeof(*a)) == 0;
}

/* Whether a block begins before another one. */
static bool begins_before(const uint32_t a[3], const uint32_t b[3])
{
    for (int d = 2; d > 0; d--)
        if (a[d] != b[d])
            return a[d] < b[d];
    return a[0] < b[0];
}

/* The class of blocks that it adds to, for which the first to begin stands. */
static uint32_t add_blocks(struct classing *c, const uint32_t block[3],
                           const struct fw_trace *const *warps, double blocks)
{
    for (size_t f = 0; f < c->found.count; f++)
        if (same_block(c, c->found.at[f].warps, warps)) {
            c->found.at[f].blocks += blocks;
            if (begins_before(block, c->found.at[f].block))
                memcpy(c->found.at[f].block, block, sizeof(c->found.at[f].block));
            return (uint32_t)f;
        }
    struct fw_trace_block *made = FW_APPEND(c->arena, &c->found);
    *made = (struct fw_trace_block){.blocks = blocks, .warps = warps};
    memcpy(made->block, block, sizeof(made->block));
    return (uint32_t)c->found.count - 1;
}

static double blocks_of(const struct box *box)
{
    double blocks = 1;
    for (int d = 0; d < 3; d++)
        blocks *= (double)box->high[d] - box->low[d] + 1;
    return blocks;
}

/* Whether a block has the traces of another, for the same reasons. */
static bool is_like(struct classing *c, const struct traced *first, const uint32_t block[3])
{
    const struct fw_trace **warps = first->warps;
    const uint64_t signature = first->signature; /* the next one may move it */
    const struct traced *other = trace_block(c, block);
    return other->signature == signature && same_block(c, warps, other->warps);
}

static void corner_of(uint32_t block[3], const struct box *box, unsigned corner)
{
    for (int d = 0; d < 3; d++)
        block[d] = corner >> d & 1 ? box->high[d] : box->low[d];
}

/* Whether the two halves of the box's corners along d are alike. */
static bool is_alike_along(struct classing *c, const struct box *box, int d)
{
    bool same = true;
    for (unsigned corner = 0; corner < 8 && same && !c->walk->spent; corner++) {
        uint32_t one[3], other[3];
        if (corner >> d & 1)
            continue;
        corner_of(one, box, corner);
        corner_of(other, box, corner | 1u << d);
        same = is_like(c, trace_block(c, one), other);
    }
    return same;
}

/* The side along which the blocks at the corners differ, the longest of them; or, where blocks
 * inside do, the longest of all; -1: neither do. */
static int side_to_halve(struct classing *c, const struct box *box)
{
    int longest = -1, any = 0;
    for (int d = 0; d < 3; d++) {
        uint32_t side = box->high[d] - box->low[d];
        if (side > box->high[any] - box->low[any])
            any = d;
        if (side && !is_alike_along(c, box, d) &&
            (longest < 0 || side > box->high[longest] - box->low[longest]))
            longest = d;
    }
    if (longest >= 0 || c->walk->order.convex)
        return longest;
    for (uint32_t i = 1; i <= INSIDE && !c->walk->spent; i++) {
        uint32_t block[3];
        for (int d = 0; d < 3; d++)
            block[d] =
                box->low[d] + (uint32_t)((uint64_t)(box->high[d] - box->low[d]) * i / (INSIDE + 1));
        if (!is_like(c, trace_block(c, box->low), block))
            return any;
    }
    return -1;
}

static void halve(struct classing *c, const struct box *box, int side)
{
    struct box low = *box, high = *box;
    low.high[side] = box->low[side] + (box->high[side] - box->low[side]) / 2;
    high.low[side] = low.high[side] + 1;
    *FW_APPEND(c->arena, &c->boxes) = high;
    *FW_APPEND(c->arena, &c->boxes) = low;
}

static int longest_side(const struct box *box)
{
    int longest = 0;
    for (int d = 1; d < 3; d++)
        if (box->high[d] - box->low[d] > box->high[longest] - box->low[longest])
            longest = d;
    return longest;
}

/* Takes the largest box out of those that are not yet divided: where the work ends before all are,
 * those that are left are small, and lie along all of a border between classes. */
static struct box take_largest(struct classing *c)
{
    size_t largest = c->boxes.count - 1;
    for (size_t b = largest; b-- > 0;)
        if (blocks_of(&c->boxes.at[b]) > blocks_of(&c->boxes.at[largest]))
            largest = b;
    struct box taken = c->boxes.at[largest];
    c->boxes.count--;
    memmove(c->boxes.at + largest, c->boxes.at + largest + 1,
            (c->boxes.count - largest) * sizeof(*c->boxes.at));
    return taken;
}

static void divide(struct classing *c, struct box all)
{
    const bool each = !c->walk->order.convex && blocks_of(&all) <= FEW_BLOCKS;
    *FW_APPEND(c->arena, &c->boxes) = all;
    while (c->boxes.count && !c->walk->spent) {
        struct box box = take_largest(c);
        double blocks = blocks_of(&box);
        bool full = c->traced.count >= c->most || c->walk->evaluations >= c->enough;
        int side = blocks > 1 && !full ? each ? longest_side(&box) : side_to_halve(c, &box) : -1;
        if (side >= 0) {
            halve(c, &box, side);
            continue;
        }
        c->sampled |= blocks > 1 && (full || !c->walk->order.convex);
        struct fw_trace_box *whole = FW_APPEND(c->arena, &c->whole);
        memcpy(whole->low, box.low, sizeof(box.low));
        memcpy(whole->high, box.high, sizeof(box.high));
        if (full) /* the middle stands for all */
            for (int d = 0; d < 3; d++)
                box.low[d] += (box.high[d] - box.low[d]) / 2;
        whole->block = add_blocks(c, box.low, trace_block(c, box.low)->warps, blocks);
    }
}

/* All blocks of the launch; indices that nothing depends on stand for themselves once. */
static double find_blocks(struct classing *c)
{
    const struct fw_launch *launch = c->walk->launch;
    double times = 1;
    struct box all = {{0}, {0}};
    for (int d = 0; d < 3; d++) {
        if (launch->one_block)
            all.low[d] = all.high[d] = launch->only[d];
        else if (c->walk->order.blocks >> d & 1)
            all.high[d] = launch->grid[d] - 1;
        else
            times *= launch->grid[d];
    }
    divide(c, all);
    for (size_t b = 0; b < c->whole.count && !launch->one_block; b++)
        for (int d = 0; d < 3; d++)
            if (!(c->walk->order.blocks >> d & 1))
                c->whole.at[b].high[d] = launch->grid[d] - 1;
    return times;
}

static int most_warps(const void *a, const void *b)
{
    const struct fw_trace_class *x = a, *y = b;
    if (x->warps > y->warps || x->warps < y->warps)
        return x->warps > y->warps ? -1 : 1;
    return x->trace->hash < y->trace->hash ? -1 : x->trace->hash > y->trace->hash;
}

static int most_blocks(const void *a, const void *b)
{
    const struct fw_trace_block *x = a, *y = b;
    if (x->blocks > y->blocks || x->blocks < y->blocks)
        return x->blocks > y->blocks ? -1 : 1;
    return memcmp(x->block, y->block, sizeof(x->block));
}

/* Classes of blocks, most blocks first; boxes say which they have. */
static void sort_blocks(struct fw_traces *traces, struct classing *c, double times)
{
    const struct fw_trace *const **warps =
        FW_ARRAY(c->arena, const struct fw_trace *const *, c->found.count + 1);
    uint32_t *place = FW_ARRAY(c->arena, uint32_t, c->found.count + 1);
    for (size_t f = 0; f < c->found.count; f++) {
        warps[f] = c->found.at[f].warps;
        c->found.at[f].blocks *= times;
    }
    if (c->found.count)
        qsort(c->found.at, c->found.count, sizeof(*c->found.at), most_blocks);
    for (uint32_t to = 0; to < c->found.count; to++)
        for (uint32_t from = 0; from < c->found.count; from++)
            if (warps[from] == c->found.at[to].warps)
                place[from] = to;
    for (size_t b = 0; b < c->whole.count; b++)
        c->whole.at[b].block = place[c->whole.at[b].block];
    traces->blocks = c->found.at;
    traces->block_count = (uint32_t)c->found.count;
    traces->boxes = c->whole.at;
    traces->box_count = (uint32_t)c->whole.count;
}

static void find_classes(struct fw_traces *traces, struct classing *c)
{
    FW_VECTOR(struct fw_trace_class) classes = {0};
    for (uint32_t b = 0; b < traces->block_count; b++)
        for (uint32_t w = 0; w < c->warps; w++) {
            const struct fw_trace_block *block = &traces->blocks[b];
            size_t k = 0;
            while (k < classes.count && classes.at[k].trace != block->warps[w])
                k++;
            if (k == classes.count) {
                struct fw_trace_class *made = FW_APPEND(c->arena, &classes);
                *made = (struct fw_trace_class){.trace = block->warps[w], .warp = w};
                memcpy(made->block, block->block, sizeof(made->block));
            }
            classes.at[k].warps += block->blocks;
        }
    if (classes.count)
        qsort(classes.at, classes.count, sizeof(*classes.at), most_warps);
    traces->classes = classes.at;
    traces->class_count = (uint32_t)classes.count;
}

static enum fw_status say_spent(const struct trace_walk *walk)
{
    const struct fw_kernel *kernel = walk->kernel;
    uint32_t loop = walk->spent_loop;
    if (loop < kernel->loop_count && kernel->loops[loop].line)
        fw_report(walk->sink, FW_ERROR, "TRC001", (struct fw_span){0},
                  "the traces of this launch take more than %llu evaluations of conditions; most "
                  "were of the loop in line %u",
                  (unsigned long long)walk->most, kernel->loops[loop].line);
    else
        fw_report(walk->sink, FW_ERROR, "TRC001", (struct fw_span){0},
                  "the traces of this launch take more than %llu evaluations of conditions",
                  (unsigned long long)walk->most);
    return FW_ERROR_BUDGET;
}

static enum fw_status check_warp(const struct fw_launch *launch, uint32_t warps,
                                 const struct fw_trace_options *options, const struct fw_sink *sink)
{
    bool there = options->warp < warps;
    for (int d = 0; d < 3; d++)
        there = there && options->block[d] < launch->grid[d];
    if (!there)
        fw_report(sink, FW_ERROR, "TRC002", (struct fw_span){0},
                  "the launch has no warp %u in a block %u,%u,%u: its grid is %u x %u x %u blocks "
                  "of %u warps",
                  options->warp, options->block[0], options->block[1], options->block[2],
                  launch->grid[0], launch->grid[1], launch->grid[2], warps);
    return there ? FW_OK : FW_ERROR_USAGE;
}

enum fw_status fw_traces_find(struct fw_traces *traces, struct fw_arena *arena,
                              const struct fw_kernel *kernel, struct fw_bound *bound,
                              const struct fw_launch *launch,
                              const struct fw_trace_options *options, const struct fw_sink *sink)
{
    struct fw_traced_blocks *all = options->kept ? *options->kept : NULL;
    struct classing c = {.arena = arena, .sampled_loop = FW_NONE};
    uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
    double times = 1;
    c.warps = (uint32_t)((threads + FW_WARP_THREADS - 1) / FW_WARP_THREADS);
    c.most = options->traced_blocks ? options->traced_blocks : MOST_BLOCKS;
    *traces = (struct fw_traces){.warps = c.warps};
    enum fw_status status = options->one_warp ? check_warp(launch, c.warps, options, sink) : FW_OK;
    if (status)
        return status;
    if (!all) {
        all = FW_NEW(arena, struct fw_traced_blocks);
        trace_walk_open(&all->walk, arena, kernel, bound, launch);
    }
    c.all = all;
    c.walk = &all->walk;
    trace_walk_allow(c.walk, options->evaluations ? options->evaluations : MOST_EVALUATIONS, sink);
    c.enough = c.walk->most / PART_FOR_BOXES;
    if (options->traced_uneven && !c.walk->order.convex)
        c.most = options->traced_uneven;
    if (options->one_warp) {
        const struct fw_trace **warps = FW_ARRAY(arena, const struct fw_trace *, 1);
        c.warps = 1;
        *warps = trace_walk_warp(c.walk, options->block, options->warp);
        c.iterations_sampled = c.walk->sampled;
        c.sampled_loop = c.walk->sampled_loop;
        add_blocks(&c, options->block, warps, 1);
    } else {
        times = find_blocks(&c);
    }
    if (options->kept && !options->one_warp)
        *options->kept = c.walk->spent ? NULL : all;
    if (c.walk->spent)
        return say_spent(c.walk);
    sort_blocks(traces, &c, times);
    find_classes(traces, &c);
    if (options->one_warp)
        ((struct fw_trace_class *)(uintptr_t)traces->classes)->warp = options->warp;
    traces->order = c.walk->order.order;
    traces->order_count = c.walk->order.order_count;
    traces->evaluations = c.walk->evaluations;
    traces->traced_blocks = (uint32_t)c.traced.count;
    traces->blocks_sampled = c.sampled;
    traces->iterations_sampled = c.iterations_sampled;
    traces->sampled_loop = c.sampled_loop;
    return FW_OK;
}
