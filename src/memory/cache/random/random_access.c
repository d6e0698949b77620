#include "random_access.h"

#include "l1_tags.h"
#include "memory_sizes.h"
#include "random_address.h"
#include "random_internal.h"
#include "sampled_warps.h"
#include "tlb.h"
#include "volume_internal.h"
#include "warp.h"

#include <math.h>
#include <string.h>

/* If lanes request less than this share of what independent random lanes would, they share random
 * indices.  A threshold of the model, not a property of a device. */
static const double shared_index_share = 0.75;

/* The expected number of distinct granules among `draws` random ones of `all`. */
double random_distinct(double all, double draws)
{
    return all > 1 ? all * -expm1(draws * log1p(-1 / all)) : draws > 0 ? 1 : 0;
}

/* The number of draws that a cache holds: their lines, and the data streamed meanwhile, fit. */
static double fitting_draws(double extent, double line, double bytes, double streamed)
{
    double all = extent / line, low = 0, high = 1;
    if (streamed <= 0 && extent <= bytes)
        return HUGE_VAL;
    while (random_distinct(all, high) * line + high * streamed < bytes && high < 1e18)
        high *= 2;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (random_distinct(all, middle) * line + middle * streamed < bytes)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The hit share of a full cache: the line must have been touched within the last `window` draws,
 * and one of its touches since its last absence must have been of the same granule. */
static double steady_hit_share(double window, double extent, double granule, double line)
{
    double lines = extent / line > 1 ? extent / line : 1;
    double there = -expm1(-window / lines);
    double same = granule < line && lines > 1 ? granule / line : 1;
    return there * same / (1 - there * (1 - same));
}

/* The draws after which a cache that replaces lines at random has lost as many of them as one that
 * keeps a window of so many draws.  Of the lines of `extent`, the share h is there: misses bring
 * 1 - h lines a draw, others `streamed` bytes, and each line that is there is as likely to go, so
 * that (1 - h) (bytes - h extent) = streamed / line * h extent. */
static double replaced_draws(double extent, double line, double bytes, double streamed)
{
    double all = extent > line ? extent / line : 1;
    if (streamed <= 0 && extent <= bytes)
        return HUGE_VAL;
    double half = (bytes + extent * (1 + streamed / line)) / (2 * extent);
    double there = half - sqrt(fmax(0, half * half - bytes / extent));
    return there < 1 ? -all * log1p(-there) : HUGE_VAL;
}

/* The share of `draws` that hit where a cache holds the last `window` of them. */
double random_hit_share(double draws, double window, double extent, double granule, double line,
                        bool warm)
{
    double all = extent / granule > 1 ? extent / granule : 1;
    if (!(draws > 0))
        return 0;
    if (warm && window >= draws) /* an identical launch drew the same before */
        return 1;
    double steady = steady_hit_share(window, extent, granule, line);
    if (warm)
        return steady;
    /* While the cache fills, draw i finds the i draws before it: the mean over i. */
    double filling = draws < window ? draws : window;
    double hits = filling + all * expm1(-filling / all);
    if (draws > window)
        hits += (draws - window) * steady;
    return hits / draws;
}

double fw_random_hit_share(double draws, double extent, double granule, double line, double bytes,
                           double streamed, bool warm)
{
    double window = fitting_draws(extent, line, bytes, streamed);
    return random_hit_share(draws, window, extent, granule, line, warm);
}

double fw_random_l2_hit_share(double draws, double extent, double granule, double line,
                              double bytes, double streamed, bool warm)
{
    double window = replaced_draws(extent, line, bytes, streamed);
    return random_hit_share(draws, window, extent, granule, line, warm);
}

/* The mean cost of one request. */
struct cost {
    double sectors, lines, fetches, wavefronts;
};

/* Independent lanes: the expected number of distinct random sectors and lines. */
static struct cost independent_lanes(const struct fw_access *access, double extent, double lanes,
                                     const struct fw_caches *caches)
{
    struct cost cost;
    double wide = access->bytes > caches->sector ? access->bytes / caches->sector : 1;
    double lines = random_distinct(extent > caches->line ? extent / caches->line : 1, lanes);
    cost.sectors =
        random_distinct(extent > caches->sector ? extent / caches->sector : 1, lanes) * wide;
    cost.lines = lines;
    cost.fetches = cost.sectors;
    cost.wavefronts =
        lines / fw_random_lines_per_wavefront > 1 ? lines / fw_random_lines_per_wavefront : 1;
    return cost;
}

/* Lanes that were seen to be as good as independent. */
static struct cost seen_lanes(const struct fw_sampled_warps *seen)
{
    double sectors = seen->sectors / seen->warps, lines = seen->lines / seen->warps;
    return (struct cost){sectors, lines, sectors, fmax(1, lines / fw_random_lines_per_wavefront)};
}

static struct fw_sampling sampling_of(const struct fw_kernel *kernel, struct fw_bound *bound,
                                      const struct fw_launch *launch,
                                      const struct fw_caches *caches,
                                      const struct fw_requests *requests,
                                      struct fw_data_addresses *data)
{
    struct fw_sampling sampling = {.kernel = kernel,
                                   .bound = bound,
                                   .launch = launch,
                                   .sector = caches->sector,
                                   .line = caches->line,
                                   .banks = FW_SHARED_BANKS,
                                   .width = FW_WORD_BYTES,
                                   .warp = caches->warp ? caches->warp : FW_WARP_THREADS,
                                   .data = data};
    const struct fw_request_sizes own = {sampling.sector, sampling.line, sampling.banks,
                                         sampling.width, sampling.warp};
    sampling.memo = fw_requests_samples(requests, &own);
    if (!sampling.memo)
        sampling.memo = fw_sample_memo_new(fw_bound_arena(bound), NULL);
    return sampling;
}

/* Lanes that share a random index (rows gathered as a whole) request less than independent lanes:
 * sampled warps tell how much. */
static struct cost cost_of(const struct fw_sampling *sampling, const struct fw_access *access,
                           double extent, double lanes, const struct fw_caches *caches)
{
    struct cost independent = independent_lanes(access, extent, lanes, caches);
    struct fw_sampled_warps sampled;
    fw_sample_warps(&sampled, sampling, access, 0);
    if (sampled.known) /* of loads, hits beside misses take further passes */
        independent.wavefronts = fmax(access->direction == FW_LOAD ? independent.wavefronts : 1,
                                      sampled.wavefronts / sampled.warps);
    if (!sampled.known ||
        sampled.sectors / sampled.warps > shared_index_share * independent.sectors)
        return sampled.seen ? seen_lanes(&sampled) : independent;
    /* Neighbouring warps request the rest of a fetch. */
    double sectors = sampled.sectors / sampled.warps;
    return (struct cost){sectors, sampled.lines / sampled.warps,
                         fmax(1, sectors * caches->sector / caches->fetch),
                         sampled.wavefronts / sampled.warps};
}

/* The share of the lines of an array that L2 holds from launches before; notes what this launch
 * touches of it. */
static double found_from_before(const struct fw_caches *caches, const struct fw_access *access,
                                double extent, double draws)
{
    struct fw_sequence *sequence = caches->sequence;
    double lines = extent > caches->line ? extent / caches->line : 1;
    double bytes = caches->line * random_distinct(lines, draws);
    sequence->touched[access->array] = fmax(sequence->touched[access->array], bytes);
    if (access->direction != FW_LOAD)
        sequence->stored[access->array] = fmax(sequence->stored[access->array], bytes);
    double kept = 0;
    for (uint32_t layer = 0; layer < FW_SEQUENCE_LAYERS; layer++)
        kept += fw_sequence_share(sequence, access->array, false, layer) *
                (1 - lost_since(caches, access->array, layer));
    return kept;
}

/* Adds what `evicted` sectors move to and from device memory, and in how many pieces: what lies
 * together of a line is one.  `filled`: L2 reads the rest of the sectors. */
static void add_moved(struct fw_random_accesses *random, const struct fw_access *access,
                      const struct cost *each, double evicted, double granule, double sector,
                      bool filled)
{
    double pieces = evicted * fmin(1, each->lines / each->sectors);
    if (access->direction == FW_LOAD) {
        random->dram_read += granule * evicted * each->fetches / each->sectors;
        random->read_pieces += pieces;
        return;
    }
    random->dram_write += sector * evicted;
    random->write_pieces += pieces;
    if (filled) {
        random->dram_read += granule * evicted;
        random->fill_read += granule * evicted;
        random->read_pieces += evicted;
    }
}

/* The random accesses of a launch, one by one. */
struct drawn {
    double extent; /* bytes; 0: the access is none */
    double warps;
    struct cost each;
    struct search_shares search; /* of a search by halves or a walk; sectors 0: it is neither */
    struct fw_columns columns;
    double array; /* new sectors of its array in its direction, over its own */
    double fresh; /* the share of its sectors that no access before it touches of the same record */
};

/* The share of an access's draws that L2 has: it replaces lines of what is only read at random. */
static double l2_share(const struct fw_access *access, double draws, double extent, double granule,
                       double streamed, const struct fw_caches *caches, bool warm)
{
    return access->direction == FW_LOAD
               ? fw_random_l2_hit_share(draws, extent, granule, caches->line, caches->l2_bytes,
                                        streamed, warm)
               : fw_random_hit_share(draws, extent, granule, caches->line, caches->l2_bytes,
                                     streamed, warm);
}

/* The share of a load's sectors that its own block has asked for before, as emulated blocks show,
 * where L1 holds what resident blocks come to; of more than that it has lost as great a part. */
static double asked_before(const struct fw_seen_requests *seen, const struct fw_caches *caches)
{
    if (!seen || !seen->count || !(seen->fresh > 0))
        return 0;
    const double bytes = seen->lines * caches->line * fmax(1, caches->resident_blocks);
    return (1 - seen->fresh) * fmin(1, caches->l1_bytes / fmax(1, bytes));
}

/* The share of loads whose sector is there, where the line was touched `distance` bytes ago. */
static double returning_share(double distance, double bytes, double sharpness, double granule,
                              double line)
{
    const double there = 1 - miss_probability(distance, bytes, sharpness);
    const double same = fmin(1, granule / line);
    return there * same / (1 - there * (1 - same));
}

/* Columns of rows of the threads' own.  The first load of each sector misses.  Between two loads of
 * a thread all others that are resident come to their rows once: L1 still holds a row as it does
 * what was touched that many bytes ago, and L2 as of all multiprocessors.  `chosen`: of each row,
 * by all accesses that choose. */
static void find_columns(struct fw_random_hits *hits, const struct fw_columns *columns,
                         double chosen, double blocks, const struct fw_caches *caches)
{
    const double busy = fmin(blocks, caches->multiprocessors), line = caches->line;
    const double resident = fmin(fmax(1, caches->resident_blocks), blocks / busy);
    const double part = fmin(columns->row, line);
    const double near = fmax(1, columns->rows / blocks * resident) * part;
    const double sectors = random_distinct(fmax(1, columns->row / caches->sector), chosen);
    const double fetches = random_distinct(fmax(1, columns->row / caches->fetch), chosen);
    const double again = 1 - sectors / chosen;
    const double l1 =
        returning_share(near, caches->l1_bytes, caches->l1_sharpness, caches->sector, part);
    const double far = caches->l2_loads_bytes > 0 ? caches->l2_loads_bytes : caches->l2_bytes;
    const double l2 = returning_share(near * busy, far,
                                      caches->l2_own_sharpness > 0 ? caches->l2_own_sharpness
                                                                   : caches->l2_sharpness,
                                      caches->fetch, part);
    const double all = columns->rows * columns->row;
    const double kept = caches->warm ? returning_share(all, far, caches->l2_sharpness, 1, 1) : 0;
    hits->l1 = again * l1;
    const double first = (1 - again) / (1 - hits->l1); /* of the misses */
    hits->l2 = (1 - first) * l2 + first * (1 - fetches / sectors * (1 - kept));
}

static void add_access(struct fw_random_accesses *random, struct fw_random_hits *hits,
                       const struct fw_access *access, const struct drawn *drawn, double blocks,
                       const struct fw_caches *caches, const struct fw_volumes *volumes,
                       const struct fw_seen_requests *seen)
{
    const struct cost *each = &drawn->each;
    double sector = caches->sector, requested = drawn->warps * each->sectors;
    double extent = drawn->extent, misses = requested * drawn->fresh;
    double busy = blocks < caches->multiprocessors ? blocks : caches->multiprocessors;
    double column_l2 = 0;
    random->count++;
    random->wavefronts += drawn->warps * each->wavefronts;
    if (access->direction == FW_LOAD) {
        double draws = misses * drawn->array;
        double streamed = draws > 0 ? volumes->l2_to_l1.bytes / draws : 0;
        hits->drawn = true;
        hits->lines = each->lines;
        hits->l1 = fw_random_hit_share(draws / busy, extent, sector, caches->line, caches->l1_bytes,
                                       streamed, false);
        if (drawn->search.sectors > 0)
            hits->l1 = drawn->search.l1;
        if (drawn->columns.row > 0) {
            find_columns(hits, &drawn->columns, drawn->columns.chosen * drawn->array, blocks,
                         caches);
            column_l2 = hits->l2;
        }
        hits->l1 = fmax(hits->l1, asked_before(seen, caches));
        misses *= 1 - hits->l1;
        hits->l1 = 1 - drawn->fresh * (1 - hits->l1); /* fields of one record come together */
        random->load_sectors += requested;
        random->load_lines += drawn->warps * each->lines;
        random->l2_to_l1 += sector * misses;
    } else {
        random->store_sectors += requested;
        random->store_lines += drawn->warps * each->lines;
        if (access->bytes < sector)
            random->partial_store_sectors += requested;
        random->l1_to_l2 += sector * requested;
    }
    random->tlb_misses += misses * fw_tlb_miss_share(extent, caches->tlb_reach);
    double moved = volumes->dram_read.bytes + volumes->dram_write.bytes;
    double draws = misses * drawn->array, streamed = draws > 0 ? moved / draws : 0;
    /* L2 reads partly written sectors one by one, as the scatter kernel's counters on an H200 show.
     */
    bool whole = access->bytes >= caches->sector || each->fetches < each->sectors;
    double granule = access->direction == FW_LOAD ? caches->fetch : sector;
    hits->l2 = l2_share(access, draws, extent, granule, streamed, caches, caches->warm);
    if (drawn->search.sectors > 0)
        hits->l2 = drawn->search.l2;
    if (drawn->columns.row > 0)
        hits->l2 = column_l2;
    if (caches->sequence && access->array < caches->sequence->arrays)
        hits->l2 += found_from_before(caches, access, extent, draws) *
                    (l2_share(access, draws, extent, granule, streamed, caches, true) - hits->l2);
    add_moved(random, access, each, misses * (1 - hits->l2), granule, sector, !whole);
}

/* Whether two parts have the same values, and move addresses alike. */
static bool same_part(struct fw_bound *bound, const struct fw_point *anywhere,
                      const struct fw_data_part *a, const struct fw_data_part *b, int64_t *step)
{
    int64_t other;
    return a->value == b->value && a->input_count == b->input_count &&
           memcmp(a->inputs, b->inputs, a->input_count * sizeof(*a->inputs)) == 0 &&
           fw_bound_evaluate(bound, a->coefficient, anywhere, step) &&
           fw_bound_evaluate(bound, b->coefficient, anywhere, &other) && *step == other;
}

/* The share of an access's sectors that another of the same record does not touch: fields lie at
 * known distances, and records of a sector's divisor within one. */
static double apart_share(struct fw_bound *bound, const struct fw_point *anywhere,
                          const struct fw_access *access, const struct fw_access *other,
                          uint32_t sector)
{
    const struct fw_data_address *a = access->data, *b = other->data;
    int64_t step = 0, own, its;
    if (!a || !b || access->array != other->array || access->domain != other->domain ||
        (access->direction == FW_LOAD) != (other->direction == FW_LOAD) || a->part_count != 1 ||
        b->part_count != 1 || !same_part(bound, anywhere, &a->parts[0], &b->parts[0], &step) ||
        !fw_bound_evaluate(bound, a->rest, anywhere, &own) ||
        !fw_bound_evaluate(bound, b->rest, anywhere, &its) || own < 0 || its < 0)
        return 1;
    step = step < 0 ? -step : step;
    if (step > 0 && sector % step == 0 && own / step == its / step)
        return 0;
    return fmin(1, fabs((double)own - (double)its) / sector);
}

/* Requests of the accesses to one array touch the same lines, and those to one record some of the
 * same sectors. */
static void find_arrays(struct fw_arena *arena, struct drawn *drawn, const struct fw_kernel *kernel,
                        struct fw_bound *bound, uint32_t sector)
{
    const struct fw_point anywhere = {{0}, {0}, FW_ARRAY(arena, int64_t, kernel->loop_count + 1)};
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        drawn[a].fresh = 1;
        for (uint32_t b = 0; drawn[a].extent > 0 && b < a; b++)
            if (drawn[b].extent > 0)
                drawn[a].fresh =
                    fmin(drawn[a].fresh, apart_share(bound, &anywhere, &kernel->accesses[a],
                                                     &kernel->accesses[b], sector));
    }
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        double all = 0, own = drawn[a].warps * drawn[a].each.sectors * drawn[a].fresh;
        for (uint32_t b = 0; own > 0 && b < kernel->access_count; b++)
            if (drawn[b].extent > 0 && kernel->accesses[b].array == kernel->accesses[a].array &&
                kernel->accesses[b].direction == kernel->accesses[a].direction)
                all += drawn[b].warps * drawn[b].each.sectors * drawn[b].fresh;
        drawn[a].array = own > 0 ? all / own : 1;
    }
}

void fw_random_accesses_find(struct fw_random_accesses *random, struct fw_arena *arena,
                             const struct fw_kernel *kernel, struct fw_bound *bound,
                             const struct fw_launch *launch, const struct fw_caches *caches,
                             const struct fw_volumes *volumes, struct fw_data_addresses *data,
                             const struct fw_requests *requests)
{
    double blocks = (double)launch->grid[0] * launch->grid[1] * launch->grid[2];
    const struct fw_sampling sampling = sampling_of(kernel, bound, launch, caches, requests, data);
    struct drawn *drawn = FW_ARRAY(arena, struct drawn, kernel->access_count + 1);
    memset(random, 0, sizeof(*random));
    random->hits = FW_ARRAY(arena, struct fw_random_hits, kernel->access_count + 1);
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        const struct fw_access *access = &kernel->accesses[a];
        double extent = fw_random_access_extent(kernel, launch, data, a);
        if (!(extent > 0))
            continue;
        double threads = fw_bound_count(bound, access->domain)->estimate;
        double warps = fw_bound_count_warps(bound, access->domain)->estimate;
        if (!(threads > 0) || !(warps > 0))
            continue;
        drawn[a].extent = extent;
        drawn[a].warps = warps;
        const struct fw_data_access *taken = fw_data_access(data, a);
        const double levels = taken->levels;
        const double busy = fmin(blocks, caches->multiprocessors);
        const struct fw_tree_walk *walk = &taken->walk;
        const bool stated = fabs(extent - taken->extent) >= 1; /* another working set is stated */
        if (!stated)
            drawn[a].columns = taken->columns;
        if (walk->count > 0 && !stated) {
            double lines;
            const struct search_shares of =
                random_walk_shares(walk, access->bytes, threads / warps,
                                   warps / walk->count / walk->trees, busy, caches, &lines);
            drawn[a].search = of;
            drawn[a].each = (struct cost){of.sectors, lines, of.sectors,
                                          fmax(1, lines / fw_random_lines_per_wavefront)};
        } else if (levels > 0) {
            const struct search_shares of = random_search_shares(levels, extent, threads / warps,
                                                                 threads / levels, busy, caches);
            drawn[a].search = of;
            drawn[a].each = (struct cost){of.sectors, of.sectors, of.sectors,
                                          fmax(1, of.sectors / fw_random_lines_per_wavefront)};
        } else {
            drawn[a].each = cost_of(&sampling, access, extent, threads / warps, caches);
        }
    }
    find_arrays(arena, drawn, kernel, bound, caches->sector);
    for (uint32_t a = 0; a < kernel->access_count; a++)
        if (drawn[a].extent > 0)
            add_access(random, &random->hits[a], &kernel->accesses[a], &drawn[a], blocks, caches,
                       volumes, launch->seen ? &launch->seen[a] : NULL);
}
