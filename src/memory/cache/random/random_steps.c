/* Random accesses by steps: searches by halves, and walks down binary trees.
 *
 * Takes how many steps there are, how many lanes and threads take them, and the caches.  Gives what
 * a warp asks for in the mean over the steps, and what L1 and L2 have of that: step k is at one of
 * 2^k places, so that all lanes and all warps share those of the first ones. */
#include "random_internal.h"

#include <math.h>

/* ---- searches by halves ---- */

static bool is_near(double step, double extent, double sector)
{
    return exp2(step) * sector > extent && step > 0;
}

/* Steps of a search that are at as many places as there are lines, or more, and none is near the
 * one before: each is in any line. */
static double dense_steps(double levels, double extent, double sector, double line)
{
    double steps = 0;
    for (double step = 0; step < levels && !is_near(step, extent, sector); step++)
        steps += exp2(step) * line >= extent;
    return steps;
}

/* The lines that so many searches come to: each step's own ones, of which the dense steps come to
 * any as well. */
static double searched_lines(double levels, double dense, double extent, double line,
                             double searches)
{
    double lines = 0;
    for (double step = 0; step < levels && exp2(step) * line < extent; step++)
        lines += exp2(step) * -expm1(-searches * (exp2(-step) + dense * line / extent));
    return lines;
}

/* The searches after which a cache has lost what one of them asked for: those whose lines fit. */
static double fitting_searches(double levels, double dense, double extent, double line,
                               double bytes)
{
    double low = 0, high = 0x1p50;
    for (int i = 0; i < 50; i++) {
        double middle = sqrt((low + 1) * (high + 1)) - 1;
        if (searched_lines(levels, dense, extent, line, middle) * line < bytes)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Sectors that all steps ask for: of these, those that L1 has, those that it lacks, and of the last
 * those that L2 has. */
struct asked {
    double sectors, in_l1, missing, in_l2;
};

static void add_step(struct asked *all, double sectors, double l1, double l2)
{
    all->sectors += sectors;
    all->in_l1 += sectors * l1;
    all->missing += sectors * (1 - l1);
    all->in_l2 += sectors * (1 - l1) * l2;
}

/* The same for one step of so many. */
static struct search_shares shares_of(const struct asked *all, double steps)
{
    return (struct search_shares){.sectors = all->sectors / steps,
                                  .l1 = all->sectors > 0 ? all->in_l1 / all->sectors : 0,
                                  .l2 = all->missing > 0 ? all->in_l2 / all->missing : 0};
}

/* `searches`: of the launch, whose blocks run on `busy` multiprocessors. */
struct search_shares random_search_shares(double levels, double extent, double lanes,
                                          double searches, double busy,
                                          const struct fw_caches *caches)
{
    struct asked all = {0};
    const double sector = caches->sector, line = caches->line;
    const double dense = dense_steps(levels, extent, sector, line);
    const double near = fitting_searches(levels, dense, extent, line, caches->l1_bytes);
    const double far = fitting_searches(levels, dense, extent, line, caches->l2_bytes);
    for (double step = 0; step < levels; step++) {
        const double part = fmin(1, levels - step), places = exp2(step);
        const double sectors =
            part * random_distinct(fmin(places, fmax(1, extent / sector)), fmax(1, lanes));
        /* Dense steps share their lines, of which each has a part of the sectors. */
        const bool any = places * line >= extent;
        const double times = any ? fmax(1, dense) : 1, over = any ? extent : places * line;
        double l1 = 1;
        if (!is_near(step, extent, sector))
            l1 = random_hit_share(times * searches / busy, times * near, over, any ? sector : line,
                                  line, false);
        const double l2 = random_hit_share(times * searches, times * far, over,
                                           any ? caches->fetch : line, line, caches->warm);
        add_step(&all, sectors, l1, l2);
    }
    return shares_of(&all, levels);
}

/* ---- walks down binary trees ---- */

/* What steps of a walk down one tree ask for; one tree is walked at a time. */
struct walk_step {
    double extent;         /* bytes of its places */
    double sectors, lines; /* distinct ones of a request */
};

static struct walk_step walk_step(const struct fw_tree_walk *walk, double step, double bytes,
                                  double lanes, const struct fw_caches *caches)
{
    const double extent = fmax(bytes, exp2(fmin(40, step)) * walk->node);
    return (struct walk_step){extent, random_distinct(fmax(1, extent / caches->sector), lanes),
                              random_distinct(fmax(1, extent / caches->line), lanes)};
}

/* The bytes of lines that so many warps come to on their ways down a tree. */
static double walked_bytes(const struct fw_tree_walk *walk, double bytes, double lanes,
                           double warps, const struct fw_caches *caches)
{
    const double last = walk->first + walk->each * (walk->count - 1);
    double lines = 0;
    for (double step = 0; step <= last && step < 64; step++) {
        const struct walk_step at = walk_step(walk, step, bytes, lanes, caches);
        const double all = fmax(1, at.extent / caches->line);
        lines += all * -expm1(-warps * at.lines / all);
    }
    return lines * caches->line;
}

/* The warps after which a cache has lost what one of them asked for of a tree. */
static double fitting_walks(const struct fw_tree_walk *walk, double bytes, double lanes,
                            double cached, const struct fw_caches *caches)
{
    double low = 0, high = 0x1p50;
    for (int i = 0; i < 50; i++) {
        double middle = sqrt((low + 1) * (high + 1)) - 1;
        if (walked_bytes(walk, bytes, lanes, middle, caches) < cached)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* `warps`: that walk down a tree, on `busy` multiprocessors; as search_shares. */
struct search_shares random_walk_shares(const struct fw_tree_walk *walk, double bytes, double lanes,
                                        double warps, double busy, const struct fw_caches *caches,
                                        double *lines)
{
    struct asked all = {0};
    const double near = fitting_walks(walk, bytes, lanes, caches->l1_bytes, caches);
    const double far = fitting_walks(walk, bytes, lanes, caches->l2_bytes / walk->trees, caches);
    double steps = 0;
    *lines = 0;
    for (double k = 0; k < walk->count && k < 64; k++) {
        const struct walk_step at =
            walk_step(walk, walk->first + walk->each * k, bytes, lanes, caches);
        const double part = fmin(1, walk->count - k), sectors = part * at.sectors;
        const double l1 = random_hit_share(at.sectors * warps / busy, at.sectors * near, at.extent,
                                           caches->sector, caches->line, false);
        const double l2 = random_hit_share(at.sectors * warps, at.sectors * far, at.extent,
                                           caches->fetch, caches->line, caches->warm);
        steps += part;
        *lines += part * at.lines;
        add_step(&all, sectors, l1, l2);
    }
    *lines /= steps;
    return shares_of(&all, steps);
}
