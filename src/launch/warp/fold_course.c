/* Values that loops carry and that arguments alone decide: they take one course in all threads of a
 * launch, which is gone through once and kept as a whole, also while others that hang on them are
 * gone through.  (Those that differ among threads: fold_value.c, which keeps the first of each.) */
#include "bound_internal.h"

#include <stdlib.h>

enum { COURSES = 16, LEAST = 64, MOST_ITERATIONS = 1 << 20, MOST_IN_STEP = 8 };

struct fold_course {
    fw_expression next;
    int64_t start;
    uint32_t binding; /* 0: nothing is kept here */
    bool same;        /* in all threads; else nothing but that it is not is kept */
    bool settles;     /* a step that leaves the value as it is does so from then on */
    bool settled;
    bool busy; /* being gone on with */
    int64_t *values;
    size_t count, capacity;
};

struct fold_courses {
    struct fold_course at[COURSES];
};

void fold_courses_free(struct fold_courses *courses)
{
    for (size_t c = 0; courses && c < COURSES; c++)
        free(courses->at[c].values);
    free(courses);
}

/* Numbers of FOLDs that a step may have the values of: its own and those in it. */
struct numbers {
    uint32_t count;
    uint32_t at[MOST_IN_STEP];
};

static bool is_among(const struct numbers *numbers, uint32_t number)
{
    for (uint32_t n = 0; n < numbers->count; n++)
        if (numbers->at[n] == number)
            return true;
    return false;
}

/* Whether a step hangs on more than the launch, its value and its iteration, or is one in floating
 * point.  A FOLD in it is come to before what it carries. */
static bool hangs_on_more(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    struct numbers *numbers = user;
    (void)atom;
    switch ((enum fw_atom_kind)node->kind) {
    case FW_ATOM_LAUNCH:
        return node->a <= FW_THREAD_Z || node->a == FW_LANE || node->a == FW_WARP;
    case FW_ATOM_CARRIED:
        return !is_among(numbers, node->c);
    case FW_ATOM_FOLD:
        if (numbers->count == MOST_IN_STEP)
            return true;
        numbers->at[numbers->count++] = node->c;
        return false;
    case FW_ATOM_ITERATION:
    case FW_ATOM_TRIPS:
    case FW_ATOM_AT:
    case FW_ATOM_SCALAR:
        return true;
    default:
        return false;
    }
}

static bool is_iteration(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    (void)user;
    (void)atom;
    return node->kind == FW_ATOM_CARRIED && node->a != 0;
}

/* The course of a FOLD that is entered with `start`; NULL: none can be kept. */
static struct fold_course *course_of(struct fw_bound *bound, uint32_t number, fw_expression next,
                                     int64_t start)
{
    const struct fw_pool *pool = &bound->kernel->pool;
    if (bound->supposing)
        return NULL;
    if (!bound->courses)
        bound->courses = calloc(1, sizeof(*bound->courses));
    if (!bound->courses)
        return NULL;
    const uint32_t hash = (next ^ (uint32_t)start) * 2654435761u;
    struct fold_course *course = &bound->courses->at[hash >> 16 & (COURSES - 1)];
    if (course->binding == bound->binding && course->next == next && course->start == start)
        return course->same && !course->busy ? course : NULL;
    if (course->busy)
        return NULL;
    course->binding = bound->binding;
    course->next = next;
    course->start = start;
    course->count = 0;
    course->settled = false;
    struct numbers numbers = {1, {number}};
    course->same = !fw_expression_any(pool, next, hangs_on_more, &numbers);
    course->settles = course->same && !fw_expression_any(pool, next, is_iteration, NULL);
    return course->same ? course : NULL;
}

/* Keeps one value more; false: there is no memory for it. */
static bool keep(struct fold_course *course, int64_t value)
{
    if (course->count == course->capacity) {
        const size_t capacity = course->capacity ? 2 * course->capacity : LEAST;
        int64_t *values = realloc(course->values, capacity * sizeof(*values));
        if (!values)
            return false;
        course->values = values;
        course->capacity = capacity;
    }
    course->values[course->count++] = value;
    return true;
}

bool bound_course_at(struct fw_bound *bound, uint32_t number, fw_expression next, int64_t start,
                     int64_t count, const struct fw_point *point, int64_t *value, bool *known)
{
    struct fold_course *course =
        count < MOST_ITERATIONS ? course_of(bound, number, next, start) : NULL;
    if (!course || (course->count == 0 && !keep(course, start)))
        return false;
    struct fold_frame frame = {number, course->values[course->count - 1],
                               (int64_t)course->count - 1, bound->folding};
    const uint64_t outer = bound->point;
    *known = true;
    course->busy = true;
    bound->folding = &frame;
    while (*known && !course->settled && frame.iteration < count) {
        bound_begin_point(bound);
        *known = bound->fold_steps > 0 && bound_part_at(bound, next, point, value) &&
                 keep(course, *value);
        bound->fold_steps -= bound->fold_steps > 0;
        course->settled = *known && course->settles && *value == frame.value;
        frame.value = *value;
        frame.iteration++;
    }
    bound->folding = frame.outer;
    bound->point = outer;
    course->busy = false;
    if (*known)
        *value =
            course->values[count < (int64_t)course->count ? count : (int64_t)course->count - 1];
    return true;
}
