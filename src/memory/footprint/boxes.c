#include "boxes.h"

#include <stdbool.h>
#include <string.h>

struct fw_box *fw_boxes_room(struct fw_boxes *boxes, struct fw_arena *arena, uint32_t count)
{
    if (boxes->capacity - boxes->count < count) {
        uint32_t capacity = boxes->capacity ? 2 * boxes->capacity : 16;
        capacity = capacity < boxes->count + count ? boxes->count + count : capacity;
        struct fw_box *at = FW_ARRAY(arena, struct fw_box, capacity);
        if (boxes->count)
            memcpy(at, boxes->at, boxes->count * sizeof(*at));
        boxes->at = at;
        boxes->capacity = capacity;
    }
    return boxes->at ? &boxes->at[boxes->count] : NULL; /* none, of none */
}

void fw_boxes_add(struct fw_boxes *boxes, struct fw_arena *arena, const struct fw_box *box,
                  uint32_t axes)
{
    for (uint32_t a = 0; a < axes; a++)
        if (box->low[a] >= box->high[a])
            return;
    *fw_boxes_room(boxes, arena, 1) = *box;
    boxes->count++;
}

/* An order in which boxes that differ in axis `last` alone are neighbours. */
static int compare(const struct fw_box *a, const struct fw_box *b, uint32_t axes, uint32_t last)
{
    for (uint32_t i = 0; i < axes; i++) {
        if (i == last)
            continue;
        if (a->low[i] != b->low[i])
            return a->low[i] < b->low[i] ? -1 : 1;
        if (a->high[i] != b->high[i])
            return a->high[i] < b->high[i] ? -1 : 1;
    }
    return a->low[last] < b->low[last] ? -1 : a->low[last] > b->low[last];
}

enum { FEW = 128 }; /* boxes, for which there is room without an arena */

static uint32_t first_gap(uint32_t count)
{
    return count > 24 ? count / 3 : 1;
}

static uint32_t next_gap(uint32_t gap)
{
    return gap > 3 ? gap / 3 : gap > 1;
}

/* Shell sort, and insertion sort for few boxes: boxes come nearly sorted. */
static void sort_boxes(struct fw_box *at, uint32_t count, uint32_t axes, uint32_t last)
{
    for (uint32_t gap = first_gap(count); gap; gap = gap == 1 ? 0 : next_gap(gap))
        for (uint32_t i = gap; i < count; i++) {
            struct fw_box box = at[i];
            uint32_t j = i;
            for (; j >= gap && compare(&at[j - gap], &box, axes, last) > 0; j -= gap)
                at[j] = at[j - gap];
            at[j] = box;
        }
}

static void sort_keys(uint64_t *at, uint32_t count)
{
    for (uint32_t gap = first_gap(count); gap; gap = gap == 1 ? 0 : next_gap(gap))
        for (uint32_t i = gap; i < count; i++) {
            const uint64_t key = at[i];
            uint32_t j = i;
            for (; j >= gap && at[j - gap] > key; j -= gap)
                at[j] = at[j - gap];
            at[j] = key;
        }
}

static uint32_t bits_of(uint64_t value)
{
    return value ? 64 - (uint32_t)__builtin_clzll(value) : 0;
}

/* Numbers in the order of boxes, whose last bits tell the box: of each axis but the last where it
 * begins and how far it reaches, then where it begins in that.  False: they take more than 64 bits.
 */
static bool find_keys(uint64_t *keys, const struct fw_box *at, uint32_t count, uint32_t axes,
                      uint32_t last)
{
    uint32_t left = 64 - bits_of(count - 1);
    memset(keys, 0, count * sizeof(*keys));
    for (uint32_t i = 0; i < axes; i++) {
        const uint32_t a = i + 1 == axes ? last
                           : i < last    ? i
                                         : i + 1; /* the last one comes last */
        int64_t least = at[0].low[a], most = least;
        uint64_t shortest = UINT64_MAX, longest = 0;
        for (uint32_t b = 0; b < count; b++) {
            const uint64_t reach = (uint64_t)at[b].high[a] - (uint64_t)at[b].low[a];
            least = at[b].low[a] < least ? at[b].low[a] : least;
            most = at[b].low[a] > most ? at[b].low[a] : most;
            shortest = reach < shortest ? reach : shortest;
            longest = reach > longest ? reach : longest;
        }
        const uint32_t begins = bits_of((uint64_t)most - (uint64_t)least);
        const uint32_t reaches = a == last ? 0 : bits_of(longest - shortest);
        if (begins + reaches > left || begins + reaches >= 64)
            return false;
        left -= begins + reaches;
        for (uint32_t b = 0; b < count && begins + reaches; b++) {
            const uint64_t from = (uint64_t)at[b].low[a] - (uint64_t)least;
            const uint64_t reach = (uint64_t)at[b].high[a] - (uint64_t)at[b].low[a] - shortest;
            keys[b] = keys[b] << (begins + reaches) | from << reaches | (reaches ? reach : 0);
        }
    }
    for (uint32_t b = 0; b < count; b++)
        keys[b] = keys[b] << bits_of(count - 1) | b;
    return true;
}

/* Puts boxes into the order of their keys. */
static void order(struct fw_box *at, const uint64_t *keys, uint32_t count, struct fw_arena *scratch)
{
    struct fw_box few[FEW], *from = few;
    const uint64_t mask = ((uint64_t)1 << bits_of(count - 1)) - 1;
    if (count > FEW)
        from = FW_ARRAY(scratch, struct fw_box, count);
    memcpy(from, at, count * sizeof(*at));
    for (uint32_t b = 0; b < count; b++)
        at[b] = from[keys[b] & mask];
}

/* Boxes that begin and are beside each other alike may come in any order. */
static void sort(struct fw_box *at, uint32_t count, uint32_t axes, uint32_t last,
                 struct fw_arena *scratch)
{
    enum { WORTH_KEYS = 12 };
    uint64_t few[FEW], *keys = few;
    uint32_t in_order = 1;
    while (in_order < count && compare(&at[in_order - 1], &at[in_order], axes, last) <= 0)
        in_order++;
    if (in_order >= count)
        return;
    struct fw_arena_mark mark = fw_arena_mark(scratch);
    if (count > FEW)
        keys = FW_ARRAY(scratch, uint64_t, count);
    if (count >= WORTH_KEYS && find_keys(keys, at, count, axes, last)) {
        sort_keys(keys, count);
        order(at, keys, count, scratch);
    } else {
        sort_boxes(at, count, axes, last);
    }
    if (count > FEW)
        fw_arena_release(scratch, mark);
}

static bool one_box(const struct fw_box *a, const struct fw_box *b, uint32_t axes, uint32_t last)
{
    for (uint32_t i = 0; i < axes; i++)
        if (i != last && (a->low[i] != b->low[i] || a->high[i] != b->high[i]))
            return false;
    return b->low[last] <= a->high[last];
}

/* A number of what a box covers along all axes but one: boxes that differ along that one alone have
 * the same. */
static uint64_t hash_beside(const struct fw_box *box, uint32_t axes, uint32_t axis)
{
    uint64_t hash = 1;
    for (uint32_t i = 0; i < axes; i++) {
        if (i == axis)
            continue;
        hash = (hash ^ (uint64_t)box->low[i]) * 0x9e3779b97f4a7c15u;
        hash = (hash ^ hash >> 32 ^ (uint64_t)box->high[i]) * 0xbf58476d1ce4e5b9u;
        hash ^= hash >> 29;
    }
    return hash ? hash : 1;
}

/* The last box so far of those with one hash beside an axis. */
struct last_beside {
    uint64_t hash; /* 0: there is none */
    uint32_t box;
};

enum { MANY = 256 }; /* boxes that are worth a whole pass before they are sorted */

/* Merges boxes along an axis with the last one before that covers the same along all others, where
 * they touch it: most do, in the order in which neighbouring blocks give them, and are not sorted
 * then.  The others stay in their order, and few boxes as they are.  Whether boxes may differ along
 * the axis alone. */
static bool merge_as_they_come(struct fw_boxes *boxes, uint32_t axes, uint32_t axis,
                               struct fw_arena *scratch)
{
    struct last_beside few[2 * MANY], *table = few;
    uint32_t slots = 4, kept = 0;
    struct fw_arena_mark mark = fw_arena_mark(scratch);
    bool found = false;
    while (slots < 2 * boxes->count)
        slots *= 2;
    if (slots > 2 * MANY)
        table = FW_ARRAY(scratch, struct last_beside, slots);
    else
        memset(few, 0, slots * sizeof(*few));
    for (uint32_t i = 0; i < boxes->count; i++) {
        const struct fw_box *box = &boxes->at[i];
        const uint64_t hash = hash_beside(box, axes, axis);
        uint32_t at = (uint32_t)(hash >> 32) & (slots - 1);
        while (table[at].hash && table[at].hash != hash)
            at = (at + 1) & (slots - 1);
        struct fw_box *last = table[at].hash ? &boxes->at[table[at].box] : NULL;
        found |= last != NULL;
        if (found && boxes->count <= MANY)
            return true;
        if (last && one_box(last, box, axes, axis) && last->low[axis] <= box->high[axis]) {
            last->low[axis] = box->low[axis] < last->low[axis] ? box->low[axis] : last->low[axis];
            last->high[axis] =
                box->high[axis] > last->high[axis] ? box->high[axis] : last->high[axis];
            continue;
        }
        table[at] = (struct last_beside){hash, kept};
        if (kept < i)
            boxes->at[kept] = *box;
        kept++;
    }
    boxes->count = kept;
    if (slots > 2 * MANY)
        fw_arena_release(scratch, mark);
    return found;
}

void fw_boxes_merge(struct fw_boxes *boxes, uint32_t axes, struct fw_arena *scratch)
{
    for (uint32_t axis = 0; axis < axes && boxes->count > 1; axis++) {
        uint32_t kept = 0;
        bool look = axis + 1 < axes || boxes->count > MANY;
        if (look && !merge_as_they_come(boxes, axes, axis, scratch) && axis + 1 < axes)
            continue;
        sort(boxes->at, boxes->count, axes, axis, scratch);
        for (uint32_t i = 1; i < boxes->count; i++) {
            struct fw_box *before = &boxes->at[kept];
            if (!one_box(before, &boxes->at[i], axes, axis))
                boxes->at[++kept] = boxes->at[i];
            else if (boxes->at[i].high[axis] > before->high[axis])
                before->high[axis] = boxes->at[i].high[axis];
        }
        boxes->count = kept + 1;
    }
}

enum { MAX_TO_WIDEN = 48 };

/* Whether `a` touches or overlaps `b` along an axis, and covers it along all others. */
static bool extends(const struct fw_box *a, const struct fw_box *b, uint32_t axes, uint32_t along)
{
    for (uint32_t i = 0; i < axes; i++)
        if (i == along ? a->low[i] > b->high[i] || a->high[i] < b->low[i]
                       : a->low[i] > b->low[i] || a->high[i] < b->high[i])
            return false;
    return true;
}

static bool widen(struct fw_box *box, const struct fw_boxes *boxes, uint32_t axes)
{
    bool wider = false;
    for (uint32_t axis = 0; axis < axes; axis++)
        for (uint32_t i = 0; i < boxes->count; i++) {
            const struct fw_box *by = &boxes->at[i];
            if ((by->low[axis] < box->low[axis] || by->high[axis] > box->high[axis]) &&
                extends(by, box, axes, axis)) {
                box->low[axis] = by->low[axis] < box->low[axis] ? by->low[axis] : box->low[axis];
                box->high[axis] =
                    by->high[axis] > box->high[axis] ? by->high[axis] : box->high[axis];
                wider = true;
            }
        }
    return wider;
}

static bool is_inside(const struct fw_box *inner, const struct fw_box *outer, uint32_t axes)
{
    for (uint32_t i = 0; i < axes; i++)
        if (inner->low[i] < outer->low[i] || inner->high[i] > outer->high[i])
            return false;
    return true;
}

void fw_boxes_widen(struct fw_boxes *boxes, uint32_t axes)
{
    if (boxes->count > MAX_TO_WIDEN)
        return;
    for (uint32_t i = 0; i < boxes->count; i++)
        while (widen(&boxes->at[i], boxes, axes))
            continue;
    for (uint32_t i = 0; i < boxes->count; i++)
        for (uint32_t j = boxes->count; j-- > 0;)
            if (j != i && is_inside(&boxes->at[j], &boxes->at[i], axes)) {
                boxes->at[j] = boxes->at[--boxes->count];
                if (i == boxes->count)
                    i = j; /* the outer box was the last, and has moved here */
            }
}

static double volume(const struct fw_box *box, uint32_t axes)
{
    double product = 1;
    for (uint32_t a = 0; a < axes; a++)
        product *= (double)(box->high[a] - box->low[a]);
    return product;
}

enum { MAX_ON_STACK = 64 }; /* boxes whose lists fit on the stack */

/* A box, and where it begins or ends along an axis. */
struct edge {
    int64_t at;
    uint32_t box;
};

/* As sort_boxes().  Edges come nearly sorted: ends do where begins are.  Those at one place may
 * come in any order. */
static void sort_edges(struct edge *at, uint32_t count)
{
    uint32_t in_order = 1;
    while (in_order < count && at[in_order - 1].at <= at[in_order].at)
        in_order++;
    if (in_order >= count)
        return;
    const uint32_t first = count > MAX_ON_STACK ? first_gap(count) : 1;
    for (uint32_t gap = first; gap; gap = gap == 1 ? 0 : next_gap(gap))
        for (uint32_t i = first > 1 ? gap : in_order; i < count; i++) {
            const struct edge edge = at[i];
            uint32_t j = i;
            for (; j >= gap && at[j - gap].at > edge.at; j -= gap)
                at[j] = at[j - gap];
            at[j] = edge;
        }
}

/* Points in the union of boxes with one axis, by their begins. */
static double count_line(const struct fw_box *at, const struct edge *begins, uint32_t count)
{
    int64_t end = begins[0].at;
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        const int64_t high = at[begins[i].box].high[0];
        const int64_t from = begins[i].at > end ? begins[i].at : end;
        sum += high > from ? (double)(high - from) : 0;
        end = high > end ? high : end;
    }
    return sum;
}

/* Whether boxes cover the same as others, one by one, along the first axes. */
static bool same_boxes(const struct fw_box *at, const uint32_t *one, const uint32_t *other,
                       uint32_t count, uint32_t axes)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t a = 0; a < axes && one[i] != other[i]; a++)
            if (at[one[i]].low[a] != at[other[i]].low[a] ||
                at[one[i]].high[a] != at[other[i]].high[a])
                return false;
    return true;
}

/* The boxes of a slab: of those of the slab before, which ended before `cut` are left out. */
static uint32_t still_there(const struct fw_box *at, uint32_t *active, uint32_t count,
                            uint32_t axis, int64_t cut)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (at[active[i]].high[axis] > cut)
            active[kept++] = active[i];
    return kept;
}

/* Boxes by their begins and by their ends along an axis, and where a sweep along it is. */
struct sweep {
    const struct fw_box *at;
    const struct edge *begins, *ends;
    uint32_t count, begun, ended;
};

/* The next place at which a box begins or ends; false: there is none. */
static bool next_cut(int64_t *cut, const struct sweep *sweep)
{
    if (sweep->ended == sweep->count)
        return false;
    *cut = sweep->ends[sweep->ended].at;
    if (sweep->begun < sweep->count && sweep->begins[sweep->begun].at < *cut)
        *cut = sweep->begins[sweep->begun].at;
    return true;
}

static void pass_ends(struct sweep *sweep, int64_t cut)
{
    while (sweep->ended < sweep->count && sweep->ends[sweep->ended].at <= cut)
        sweep->ended++;
}

/* A box of a slab of two axes: its reach along the first, and where it ends along the second. */
struct line {
    int64_t low, high, end;
};

/* Adds a line to those that are sorted by their begins. */
static void insert_line(struct line *lines, uint32_t count, const struct fw_box *box)
{
    uint32_t l = count;
    for (; l && lines[l - 1].low > box->low[0]; l--)
        lines[l] = lines[l - 1];
    lines[l] = (struct line){box->low[0], box->high[0], box->high[1]};
}

/* Points in the union of lines that end behind `cut`; the others are left out. */
static double cover(struct line *lines, uint32_t *count, int64_t cut)
{
    int64_t end = INT64_MIN;
    uint32_t kept = 0;
    double sum = 0;
    for (uint32_t l = 0; l < *count; l++) {
        const struct line line = lines[l];
        if (line.end <= cut)
            continue;
        lines[kept++] = line;
        const int64_t from = line.low > end ? line.low : end;
        sum += line.high > from ? (double)(line.high - from) : 0;
        end = line.high > end ? line.high : end;
    }
    *count = kept;
    return sum;
}

/* Points of boxes with two axes, by slabs along the second one.  Has room for all lines. */
static double sweep_lines(struct sweep *sweep, struct line *lines)
{
    uint32_t found = 0;
    double sum = 0, here = 0;
    int64_t cut, before = 0;
    while (next_cut(&cut, sweep)) {
        sum += found ? here * (double)(cut - before) : 0;
        for (; sweep->begun < sweep->count && sweep->begins[sweep->begun].at <= cut; sweep->begun++)
            insert_line(lines, found++, &sweep->at[sweep->begins[sweep->begun].box]);
        pass_ends(sweep, cut);
        here = cover(lines, &found, cut);
        before = cut;
    }
    return sum;
}

static double count_slabs(const struct fw_box *at, const uint32_t *of, uint32_t count,
                          uint32_t axes, struct fw_arena *scratch);

/* Points of boxes by slabs along the last axis.  `active` and `last` have room for all boxes. */
static double sweep_slabs(struct sweep *sweep, uint32_t *active, uint32_t *last, uint32_t axis,
                          struct fw_arena *scratch)
{
    uint32_t found = 0, found_last = 0;
    double sum = 0, here = 0;
    int64_t cut, before = 0;
    while (next_cut(&cut, sweep)) {
        sum += found ? here * (double)(cut - before) : 0;
        found = still_there(sweep->at, active, found, axis, cut);
        for (; sweep->begun < sweep->count && sweep->begins[sweep->begun].at <= cut; sweep->begun++)
            active[found++] = sweep->begins[sweep->begun].box;
        pass_ends(sweep, cut);
        before = cut;
        if (!found)
            continue;
        /* Slabs of planes that are alike are alike. */
        if (found != found_last || !same_boxes(sweep->at, active, last, found, axis))
            here = count_slabs(sweep->at, active, found, axis, scratch);
        memcpy(last, active, found * sizeof(*last));
        found_last = found;
    }
    return sum;
}

/* Points in the union of the boxes whose numbers are in `of`. */
static double count_slabs(const struct fw_box *at, const uint32_t *of, uint32_t count,
                          uint32_t axes, struct fw_arena *scratch)
{
    struct edge few_edges[2 * MAX_ON_STACK], *begins = few_edges, *ends;
    struct line few_lines[MAX_ON_STACK], *lines = few_lines;
    uint32_t few_active[2 * MAX_ON_STACK], *active = few_active, axis = axes - 1;
    struct fw_arena_mark mark = fw_arena_mark(scratch);
    double sum;
    if (count == 1)
        return volume(&at[of[0]], axes);
    if (count > MAX_ON_STACK) {
        begins = FW_ARRAY(scratch, struct edge, 2 * (size_t)count);
        lines = FW_ARRAY(scratch, struct line, axis == 1 ? count : 0);
        active = FW_ARRAY(scratch, uint32_t, axis > 1 ? 2 * (size_t)count : 0);
    }
    ends = begins + count;
    for (uint32_t i = 0; i < count; i++)
        begins[i] = (struct edge){at[of[i]].low[axis], of[i]};
    sort_edges(begins, count);
    for (uint32_t i = 0; i < count && axis; i++)
        ends[i] = (struct edge){at[begins[i].box].high[axis], begins[i].box};
    if (axis)
        sort_edges(ends, count);
    struct sweep sweep = {.at = at, .begins = begins, .ends = ends, .count = count};
    sum = axis == 0   ? count_line(at, begins, count)
          : axis == 1 ? sweep_lines(&sweep, lines)
                      : sweep_slabs(&sweep, active, active + count, axis, scratch);
    if (count > MAX_ON_STACK)
        fw_arena_release(scratch, mark);
    return sum;
}

/* The points of the least box around all boxes, or of all boxes, if that is less: at least as many
 * as in their union. */
static double count_at_most(const struct fw_boxes *boxes, uint32_t axes)
{
    struct fw_box around = boxes->at[0];
    double sum = 0;
    for (uint32_t b = 0; b < boxes->count; b++) {
        sum += volume(&boxes->at[b], axes);
        for (uint32_t a = 0; a < axes; a++) {
            int64_t low = boxes->at[b].low[a], high = boxes->at[b].high[a];
            around.low[a] = low < around.low[a] ? low : around.low[a];
            around.high[a] = high > around.high[a] ? high : around.high[a];
        }
    }
    double all = volume(&around, axes);
    return sum < all ? sum : all;
}

bool fw_boxes_too_many(const struct fw_boxes *boxes, uint32_t axes)
{
    return axes > 1 && boxes->count > FW_BOXES_MOST;
}

double fw_boxes_count(const struct fw_boxes *boxes, uint32_t axes, struct fw_arena *scratch)
{
    if (fw_boxes_too_many(boxes, axes))
        return count_at_most(boxes, axes);
    uint32_t stack[MAX_ON_STACK], *of = stack;
    struct fw_arena_mark mark = fw_arena_mark(scratch);
    if (boxes->count == 0)
        return 0;
    if (boxes->count > MAX_ON_STACK)
        of = FW_ARRAY(scratch, uint32_t, boxes->count);
    for (uint32_t i = 0; i < boxes->count; i++)
        of[i] = i;
    double count = count_slabs(boxes->at, of, boxes->count, axes, scratch);
    if (boxes->count > MAX_ON_STACK)
        fw_arena_release(scratch, mark);
    return count;
}
