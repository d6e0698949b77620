/* Groups of equal work: only configurations that do the same can be compared by their time.
 *
 * Rows are sorted by what they write; a step of more than 1 % begins another group (footprints are
 * means over offsets within sectors).  Within such a group they are sorted by their floating-point
 * operations; there a step of more than 20 % does, since configurations that compute the same may
 * repeat some of it at the edges of their tiles. */
#include "rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SAME_BYTES = 1.01, SAME_OPERATIONS = 1.2;

/* Order of rows; a constant of qsort's, by what is compared. */
static int by_number(const struct fw_rank_row *a, const struct fw_rank_row *b)
{
    return (a->number > b->number) - (a->number < b->number);
}

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

static int failed_last(const void *a, const void *b)
{
    const struct fw_rank_row *x = a, *y = b;
    return !x->failure != !y->failure ? (x->failure ? 1 : -1) : by_number(x, y);
}

static int by_written(const void *a, const void *b)
{
    const struct fw_rank_row *x = a, *y = b;
    int order = (int)y->has_work - (int)x->has_work;
    order = order ? order : compare(x->written_bytes, y->written_bytes);
    return order ? order : by_number(x, y);
}

static int by_operations(const void *a, const void *b)
{
    const struct fw_rank_row *x = a, *y = b;
    int order = compare(x->operations, y->operations);
    return order ? order : by_number(x, y);
}

static int by_time(const void *a, const void *b)
{
    const struct fw_rank_row *x = a, *y = b;
    int order = compare(x->seconds, y->seconds);
    return order ? order : by_number(x, y);
}

struct grouping {
    struct fw_arena *arena;
    FW_VECTOR(struct fw_rank_group) groups;
};

/* The rows' sizes, numbered in the order in which they vary, into `group`: the values of what the
 * best are asked for. */
static void number_sizes(const struct fw_ranking *ranking, struct fw_rank_row *rows, size_t count,
                         struct fw_arena *arena)
{
    struct fw_map sizes = fw_map_new(arena);
    for (size_t r = 0; r < count; r++) {
        struct fw_buffer key = fw_buffer_new(arena);
        bool added;
        rows[r].group = 0;
        if (!ranking->best_for_count)
            continue;
        for (size_t n = 0; n < ranking->name_count; n++)
            if (ranking->best_for[n])
                fw_buffer_printf(&key, "%s,", rows[r].values[n]);
        struct fw_map_entry *entry = fw_map_add(&sizes, key.text, key.length, &added);
        if (added)
            entry->value = (uint32_t)(sizes.count - 1);
        rows[r].group = entry->value;
    }
}

static int by_size(const void *a, const void *b)
{
    const struct fw_rank_row *x = a, *y = b;
    return x->group != y->group ? (x->group > y->group ? 1 : -1) : by_number(x, y);
}

static void add_group(struct grouping *grouping, struct fw_rank_row *rows, size_t count)
{
    struct fw_rank_group *group = FW_APPEND(grouping->arena, &grouping->groups);
    qsort(rows, count, sizeof(*rows), by_time);
    struct fw_rank_row *copy = fw_arena_copy(grouping->arena, rows, count * sizeof(*rows));
    *group = (struct fw_rank_group){.rows = copy,
                                    .count = count,
                                    .has_work = copy[0].has_work,
                                    .written_bytes = copy[0].written_bytes,
                                    .operations = copy[0].operations};
}

/* Rows of one size that write the same. */
static void part_by_operations(struct grouping *grouping, struct fw_rank_row *rows, size_t count)
{
    qsort(rows, count, sizeof(*rows), by_operations);
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count; end++)
            if (rows[end].operations > SAME_OPERATIONS * rows[end - 1].operations)
                break;
        add_group(grouping, rows + begin, end - begin);
    }
}

static void part_by_bytes(struct grouping *grouping, struct fw_rank_row *rows, size_t count)
{
    qsort(rows, count, sizeof(*rows), by_written);
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count; end++)
            if (rows[end].has_work != rows[end - 1].has_work ||
                rows[end].written_bytes > SAME_BYTES * rows[end - 1].written_bytes)
                break;
        part_by_operations(grouping, rows + begin, end - begin);
    }
}

/* The largest group first; of equal ones that which does the most. */
static int largest_first(const void *a, const void *b)
{
    const struct fw_rank_group *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    int order = compare(y->written_bytes, x->written_bytes);
    order = order ? order : compare(y->operations, x->operations);
    return order ? order : by_number(&x->rows[0], &y->rows[0]);
}

/* The rows of one size, which stand together, to groups. */
static void part(struct grouping *grouping, struct fw_rank_row *rows, size_t count)
{
    size_t before = grouping->groups.count;
    part_by_bytes(grouping, rows, count);
    struct fw_rank_group *groups = grouping->groups.at + before;
    size_t made = grouping->groups.count - before;
    qsort(groups, made, sizeof(*groups), largest_first);
    for (size_t g = 0; g < made; g++) {
        groups[g].other_work = g > 0;
        groups[g].differs =
            g == 0                ? NULL
            : !groups[g].has_work ? "unknown"
            : compare(fmax(groups[g].written_bytes, groups[0].written_bytes),
                      SAME_BYTES * fmin(groups[g].written_bytes, groups[0].written_bytes)) > 0
                ? "written_bytes"
                : "operations";
    }
}

void rank_group(struct fw_ranking *ranking, struct fw_rank_row *rows, struct fw_arena *arena)
{
    struct grouping grouping = {.arena = arena};
    size_t good = 0;
    qsort(rows, ranking->row_count, sizeof(*rows), failed_last);
    while (good < ranking->row_count && !rows[good].failure)
        good++;
    ranking->failed = ranking->row_count - good;
    number_sizes(ranking, rows, good, arena);
    qsort(rows, good, sizeof(*rows), by_size);
    for (size_t begin = 0, end; begin < good; begin = end) {
        end = begin + 1;
        while (end < good && rows[end].group == rows[begin].group)
            end++;
        part(&grouping, rows + begin, end - begin);
    }
    size_t at = 0;
    for (size_t g = 0; g < grouping.groups.count; g++) {
        struct fw_rank_group *group = &grouping.groups.at[g];
        memcpy(rows + at, group->rows, group->count * sizeof(*rows));
        group->rows = rows + at;
        for (size_t r = 0; r < group->count; r++)
            rows[at++].group = g;
    }
    ranking->rows = rows;
    ranking->groups = grouping.groups.at;
    ranking->group_count = grouping.groups.count;
}
