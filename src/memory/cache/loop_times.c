#include "loop_times.h"

#include <math.h>

enum { MAX_LOOPS = 16 };

/* Paces that differ by less are one. */
static const double same_pace = 0.01;

/* Times that differ by less are one. */
static const double rounding = 1e-9;

/* An outermost loop of the program. */
struct timed_loop {
    uint32_t loop; /* as accesses name it */
    double begin, end;
    double pace; /* iterations of the whole lifetime */
};

struct timed_loops {
    struct timed_loop at[MAX_LOOPS];
    uint32_t count;
};

/* The loops that take a part of the lifetime, by their begin.  False: there are more than fit. */
static bool find_loops(struct timed_loops *loops, const struct fw_affine_accesses *accesses)
{
    loops->count = 0;
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_affine_access *access = &accesses->at[i];
        uint32_t l = 0;
        if (!access->loops)
            continue;
        while (l < loops->count && loops->at[l].loop != access->outer_loop)
            l++;
        if (l == MAX_LOOPS)
            return false;
        struct timed_loop *loop = &loops->at[l];
        double pace = (double)access->trips[0] / (access->end - access->begin);
        if (l == loops->count)
            loops->at[loops->count++] =
                (struct timed_loop){access->outer_loop, access->begin, access->end, pace};
        loop->begin = fmin(loop->begin, access->begin);
        loop->end = fmax(loop->end, access->end);
        loop->pace = fmax(loop->pace, pace);
    }
    uint32_t kept = 0;
    for (uint32_t l = 0; l < loops->count; l++)
        if (loops->at[l].end - loops->at[l].begin <= 1 - rounding)
            loops->at[kept++] = loops->at[l];
    loops->count = kept;
    for (uint32_t i = 1; i < loops->count; i++)
        for (uint32_t j = i; j && loops->at[j - 1].begin > loops->at[j].begin; j--) {
            struct timed_loop one = loops->at[j];
            loops->at[j] = loops->at[j - 1];
            loops->at[j - 1] = one;
        }
    return true;
}

/* Whether the loops follow each other, and not all at the same pace. */
static bool paces_differ(const struct timed_loops *loops)
{
    bool differ = false;
    for (uint32_t l = 1; l < loops->count; l++) {
        if (loops->at[l].begin < loops->at[l - 1].end - rounding)
            return false;
        differ |= fabs(loops->at[l].pace / loops->at[0].pace - 1) > same_pace;
    }
    return differ;
}

/* Iterations until a time; what lies between loops goes at the fastest pace of any. */
static double iterations_until(const struct timed_loops *loops, double fastest, double time)
{
    double sum = 0, at = 0;
    for (uint32_t l = 0; l < loops->count && at < time; l++) {
        const struct timed_loop *loop = &loops->at[l];
        sum += fastest * fmax(0, fmin(time, loop->begin) - at);
        sum += loop->pace * fmax(0, fmin(time, loop->end) - loop->begin);
        at = fmax(at, loop->end);
    }
    return sum + fastest * fmax(0, time - at);
}

const struct fw_affine_accesses *loops_at_one_pace(struct fw_arena *arena,
                                                   const struct fw_affine_accesses *accesses)
{
    struct timed_loops loops;
    double fastest = 0;
    if (!find_loops(&loops, accesses) || !paces_differ(&loops))
        return accesses;
    for (uint32_t l = 0; l < loops.count; l++)
        fastest = fmax(fastest, loops.at[l].pace);
    struct fw_affine_accesses *timed = FW_NEW(arena, struct fw_affine_accesses);
    *timed = *accesses;
    timed->at = fw_arena_copy(arena, accesses->at, accesses->count * sizeof(*accesses->at));
    double all = iterations_until(&loops, fastest, 1);
    for (uint32_t i = 0; i < timed->count; i++) {
        struct fw_affine_access *access = &timed->at[i];
        access->begin = iterations_until(&loops, fastest, access->begin) / all;
        access->end = fmin(1, iterations_until(&loops, fastest, access->end) / all);
    }
    return timed;
}
