/* Properties of the memory hierarchy: latencies, capacities, granularity, bandwidth. */
#include "probe_profile_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Plateaus of latency curves: within so much of their median, so many octaves of size long. */
static const double tolerance = 0.04, octaves = 1;

struct curve {
    struct fw_probe_point *points;
    double *bytes, *cycles;
    size_t count, trials;
};

/* A chase's curve: medians over trials of cycles a load.  False: not recorded. */
static bool read_curve(struct probe *probe, enum fw_probe_chase chase, struct curve *curve)
{
    double memory = fw_probe_recording_number(probe->recording, "memory_bytes");
    const char *name = fw_arena_printf(probe->arena, "chase %s", fw_probe_chase_name(chase));
    if (!(memory > 0 && memory < 1e18))
        return false;
    curve->count = fw_probe_chase_points(&curve->points, probe->arena, chase, (uint64_t)memory);
    curve->bytes = FW_ARRAY(probe->arena, double, curve->count + 1);
    curve->cycles = FW_ARRAY(probe->arena, double, curve->count + 1);
    for (size_t i = 0; i < curve->count; i++) {
        const struct fw_probe_point *point = &curve->points[i];
        struct fw_probe_spread cycles = probe_column(probe, name, i, (double)point->steps);
        if (!(cycles.value > 0))
            return false;
        curve->bytes[i] = (double)(point->count * point->stride);
        curve->cycles[i] = cycles.value;
        curve->trials = cycles.count;
    }
    return curve->count > 0;
}

/* The value of one trial's points first to last: their median, and its spread over trials. */
static struct fw_probe_spread level(struct probe *probe, const struct curve *curve,
                                    const struct fw_probe_plateau *plateau)
{
    double *values = FW_ARRAY(probe->arena, double, curve->trials + 1);
    double *row = FW_ARRAY(probe->arena, double, curve->count + 1);
    for (size_t t = 0; t < curve->trials; t++) {
        const double *read =
            fw_probe_recording_read_back(probe->recording, "chase sizes", t, curve->count);
        if (!read)
            return probe_nothing;
        for (size_t i = plateau->first; i <= plateau->last; i++)
            row[i] = read[i] / (double)curve->points[i].steps;
        values[t] =
            fw_probe_median(probe->arena, row + plateau->first, plateau->last - plateau->first + 1);
    }
    return fw_probe_spread(probe->arena, values, curve->trials);
}

/* Beyond what a cache holds, a share of the loads that is as large as the share of the ring that it
 * holds hits it, when the order has no neighbours: cycles = far - (far - near) * capacity / size.
 * A line over 1 / size gives `far` and the capacity. */
static void set_beyond(struct probe *probe, const struct curve *curve, size_t knee, double near)
{
    double *inverse = FW_ARRAY(probe->arena, double, curve->count + 1);
    double *cycles = FW_ARRAY(probe->arena, double, curve->count + 1);
    size_t count = 0;
    for (size_t i = knee + 1; i < curve->count; i++)
        if (curve->bytes[i] >= 2 * curve->bytes[knee]) {
            inverse[count] = 1 / curve->bytes[i];
            cycles[count++] = curve->cycles[i];
        }
    if (count < 8) {
        probe_missing(probe, FW_FIGURE_LATENCY_DRAM, "no sizes far beyond the last cache");
        return;
    }
    struct fw_probe_line line = fw_probe_line(probe->arena, inverse, cycles, count);
    double capacity = -line.slope / (line.intercept - near);
    struct fw_probe_spread far = {line.intercept, cycles[count - 1], line.intercept, curve->trials};
    if (far.low > far.value)
        far.low = far.value;
    probe_set(probe, FW_FIGURE_LATENCY_DRAM, far,
              "line through the chase beyond the caches, at infinite size");
    struct fw_probe_spread reach = {capacity, fmin(capacity, curve->bytes[knee]),
                                    fmax(capacity, curve->bytes[knee + 1]), curve->trials};
    probe_set_between(probe, FW_FIGURE_L2_REACH_BYTES, reach,
                      "share of loads that hit beyond the knee of the latency curve");
}

static void figures_sizes(struct probe *probe)
{
    struct curve curve;
    struct fw_probe_plateau *plateaus;
    static const enum fw_figure figures[] = {FW_FIGURE_LATENCY_L1, FW_FIGURE_L1_BYTES,
                                             FW_FIGURE_LATENCY_DRAM, FW_FIGURE_L2_REACH_BYTES};
    size_t count = 0;
    bool known = read_curve(probe, FW_CHASE_SIZES, &curve);
    if (known)
        count = fw_probe_plateaus(&plateaus, probe->arena, curve.bytes, curve.cycles, curve.count,
                                  tolerance, octaves);
    if (count < 2) {
        for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
            probe_missing(probe, figures[i],
                          known ? "the latency curve has no two plateaus"
                                : "no latency curve in cycles was recorded");
        return;
    }
    probe_set(probe, FW_FIGURE_LATENCY_L1, level(probe, &curve, &plateaus[0]),
              "first plateau of the chase over sizes");
    size_t knee = plateaus[0].last;
    struct fw_probe_spread l1 = {curve.bytes[knee], curve.bytes[knee], curve.bytes[knee + 1],
                                 curve.trials};
    probe_set_between(probe, FW_FIGURE_L1_BYTES, l1,
                      "knee of the latency curve: between the two sizes");
    probe_finding(probe, "latency l2, near and far", "cycles", level(probe, &curve, &plateaus[1]));
    set_beyond(probe, &curve, plateaus[1].last, plateaus[1].value);
}

/* The most addresses that all hit, by stride: as many as sectors up to a line apart, as many as
 * lines beyond.  The line: what the smallest stride's addresses span, by the most lines. */
static void figures_line(struct probe *probe)
{
    struct curve curve;
    double span = 0, most = 0;
    if (!read_curve(probe, FW_CHASE_STRIDES, &curve)) {
        probe_missing(probe, FW_FIGURE_LINE_BYTES, "no latency curve in cycles was recorded");
        return;
    }
    double level = fw_probe_median(probe->arena, curve.cycles, 12);
    uint64_t widest = curve.points[curve.count - 1].stride;
    for (size_t i = 0; i < curve.count; i++) {
        const struct fw_probe_point *point = &curve.points[i];
        if (curve.cycles[i] > (1 + tolerance) * level)
            continue;
        if (point->stride == curve.points[0].stride)
            span = fmax(span, curve.bytes[i]);
        if (2 * point->stride >= widest)
            most = fmax(most, (double)point->count);
    }
    double line = span / most, power = exp2(nearbyint(log2(line)));
    bool good = most > 0 && fabs(line / power - 1) < 0.25;
    probe_set_between(
        probe, FW_FIGURE_LINE_BYTES,
        (struct fw_probe_spread){power, fmin(power, floor(line)), fmax(power, line),
                                 good ? curve.trials : 0},
        good ? fw_arena_printf(
                   probe->arena,
                   "%.4g seen: bytes of the smallest stride that hit by addresses of the widest",
                   line)
             : "strides do not tell");
}

/* The first offset whose load is no longer as quick as the one beside the word loaded before. */
static void figure_fetch(struct probe *probe, enum fw_figure figure, const char *name)
{
    double quick = 0;
    size_t trials = 0;
    for (int o = 0; o < FW_PROBE_OFFSETS; o++) {
        double values[FW_PROBE_FETCHES];
        for (int i = 0; i < FW_PROBE_FETCHES; i++) {
            struct fw_probe_spread one =
                probe_column(probe, name, (size_t)(o * FW_PROBE_FETCHES + i), 1);
            values[i] = one.value;
            trials = one.count;
        }
        double cycles = fw_probe_median(probe->arena, values, FW_PROBE_FETCHES);
        if (!(cycles > 0))
            break;
        if (o == 0) {
            quick = cycles;
        } else if (cycles > 1.4 * quick) {
            double bytes = fw_probe_offsets[o];
            probe_set_between(
                probe, figure,
                (struct fw_probe_spread){bytes, fw_probe_offsets[o - 1] + 1, bytes, trials},
                "first offset that is not there yet");
            return;
        }
    }
    probe_missing(probe, figure, quick > 0 ? "all offsets were there" : "was not measured");
}

/* One multiprocessor's view of 256 lines, which a part of L2 near it holds: they lie at different
 * distances. */
static void findings_lines(struct probe *probe)
{
    double *near = FW_ARRAY(probe->arena, double, 1000);
    double *far = FW_ARRAY(probe->arena, double, 1000), values[FW_PROBE_LINES];
    for (size_t count = 0; count < 1000; count++) {
        const double *row =
            fw_probe_recording_read_back(probe->recording, "lines", count, 2 * FW_PROBE_LINES);
        for (int i = 0; row && i < FW_PROBE_LINES; i++)
            values[i] = row[FW_PROBE_LINES + i] / FW_PROBE_LINE_LOADS;
        if (row && values[0] > 0 &&
            fw_probe_two_groups(probe->arena, values, FW_PROBE_LINES, 8, &near[count], &far[count]))
            continue;
        if (row || !count) /* one group, or none */
            return;
        probe_finding(probe, "latency l2, quicker lines of one multiprocessor", "cycles",
                      fw_probe_spread(probe->arena, near, count));
        probe_finding(probe, "latency l2, slower lines of one multiprocessor", "cycles",
                      fw_probe_spread(probe->arena, far, count));
        return;
    }
}

/* Latencies of lines in the part of L2 that is near to the multiprocessor that asks, and of those
 * that came from another part; room for all of a trial. */
struct parts {
    double *near, *far, *means; /* means: of a block's near latencies */
    size_t near_count, far_count, mean_count;
};

/* One block's lines but its first.  The time of a single load contains that of reading the clock,
 * the difference between 1 + 32 loads and one does not. */
static void add_block(struct parts *parts, const double *row, size_t lines)
{
    double sum = 0;
    for (size_t i = 1; i < lines; i++) {
        double first = row[3 * i], second = row[3 * i + 1];
        double near = (row[3 * i + 2] - second) / (FW_PROBE_LINE_LOADS - 1);
        if (!(near > 0))
            return;
        parts->near[parts->near_count++] = near;
        sum += near;
        /* A quarter longer at first than ever after: it was elsewhere. */
        if (first - second > near / 4)
            parts->far[parts->far_count++] = first - second + near;
    }
    parts->means[parts->mean_count++] = sum / (double)(lines - 1);
}

/* The configuration's name, its lines a block and its blocks. */
static const char *find_partitions(struct probe *probe, size_t *lines, size_t *blocks)
{
    for (size_t i = 0; fw_probe_recording_name(probe->recording, i); i++) {
        const char *name = fw_probe_recording_name(probe->recording, i);
        unsigned number;
        double grid = fw_probe_recording_extent(probe->recording, name, "grid");
        if (sscanf(name, "partitions %u", &number) != 1 || number < 2 || number > 4096 ||
            !(grid >= 1 && grid <= 65536))
            continue;
        *lines = number;
        *blocks = (size_t)grid;
        return name;
    }
    return NULL;
}

static void figures_partitions(struct probe *probe)
{
    enum { MOST = 100 };
    double near[MOST], far[MOST], *means = NULL;
    size_t lines = 0, blocks = 0, count = 0, apart = 0, mean_count = 0;
    const char *name = find_partitions(probe, &lines, &blocks);
    size_t total = lines * blocks;
    for (; name && count < MOST; count++) {
        const double *row = fw_probe_recording_read_back(probe->recording, name, count, 3 * total);
        if (!row)
            break;
        struct parts parts = {.near = FW_ARRAY(probe->arena, double, total),
                              .far = FW_ARRAY(probe->arena, double, total),
                              .means = FW_ARRAY(probe->arena, double, blocks)};
        for (size_t b = 0; b < blocks; b++)
            add_block(&parts, row + 3 * lines * b, lines);
        if (!parts.near_count)
            break;
        near[count] = fw_probe_median(probe->arena, parts.near, parts.near_count);
        far[count] = fw_probe_median(probe->arena, parts.far, parts.far_count);
        if (parts.far_count >= parts.near_count / 10)
            apart++;
        means = parts.means;
        mean_count = parts.mean_count;
    }
    probe_set(probe, FW_FIGURE_LATENCY_L2, fw_probe_spread(probe->arena, near, count),
              count ? "median over multiprocessors and lines" : "");
    if (count && apart == count)
        probe_set(probe, FW_FIGURE_LATENCY_L2_FAR, fw_probe_spread(probe->arena, far, count),
                  "first load of a line that the other part holds; median");
    else
        probe_missing(probe, FW_FIGURE_LATENCY_L2_FAR,
                      count ? "no lines take longer at first" : "was not measured");
    if (mean_count)
        probe_finding(probe, "latency l2, means of multiprocessors", "cycles",
                      fw_probe_spread(probe->arena, means, mean_count));
}

/* A load, two additions and one operation of logic each 64 bytes. */
static void figures_constant(struct probe *probe)
{
    double sizes[FW_PROBE_CONSTANT_SIZES], cycles[FW_PROBE_CONSTANT_SIZES];
    size_t knee = 0, trials = 0;
    for (size_t i = 0; i < FW_PROBE_CONSTANT_SIZES; i++) {
        struct fw_probe_spread one = probe_column(probe, "constant", i, FW_PROBE_CONSTANT_STEPS);
        sizes[i] = 1024.0 * (1 << i);
        cycles[i] = one.value;
        trials = one.count;
        if (!(one.value > 0)) {
            probe_missing(probe, FW_FIGURE_CONSTANT_CACHE_BYTES, "was not measured");
            probe_missing(probe, FW_FIGURE_LATENCY_CONSTANT_FAR, "was not measured");
            return;
        }
        if (cycles[i] < 1.2 * cycles[0])
            knee = i;
    }
    if (knee + 1 == FW_PROBE_CONSTANT_SIZES) {
        probe_missing(probe, FW_FIGURE_CONSTANT_CACHE_BYTES, "all of constant memory hits it");
        probe_missing(probe, FW_FIGURE_LATENCY_CONSTANT_FAR,
                      "all of constant memory hits the nearest");
        return;
    }
    probe_set_between(probe, FW_FIGURE_CONSTANT_CACHE_BYTES,
                      (struct fw_probe_spread){sizes[knee], sizes[knee], sizes[knee + 1], trials},
                      "last power of two that hits");
    double near = probe->result->device.figures[FW_FIGURE_LATENCY_CONSTANT].value;
    double added = cycles[knee + 1] - cycles[0];
    if (near > 0)
        probe_set(probe, FW_FIGURE_LATENCY_CONSTANT_FAR,
                  (struct fw_probe_spread){near + added, near + added, near + added, trials},
                  "what sizes beyond the nearest cache add");
    else
        probe_missing(probe, FW_FIGURE_LATENCY_CONSTANT_FAR, "the near latency is not known");
}

/* Bytes a second of a configuration "KIND BYTES BLOCKSxTHREADS MOVED" or "pass BYTES ...", which
 * moves all of its region once. */
static struct fw_probe_spread bandwidth(struct probe *probe, const char *name, double *bytes)
{
    char kind[16];
    unsigned long long size, moved;
    unsigned blocks, threads;
    *bytes = (double)NAN;
    int words = sscanf(name, "%15s %llu %ux%u %llu", kind, &size, &blocks, &threads, &moved);
    bool pass = words >= 2 && strcmp(kind, "pass") == 0;
    if (words < 5 && !pass)
        return probe_nothing;
    *bytes = (double)size;
    return probe_inverse(pass ? (double)size : (double)moved, probe_seconds(probe, name, false));
}

/* The largest region of any configuration: beyond what any cache serves a part of that counts. */
static double largest(struct probe *probe)
{
    double found = 0, bytes;
    for (size_t i = 0; fw_probe_recording_name(probe->recording, i); i++)
        if (bandwidth(probe, fw_probe_recording_name(probe->recording, i), &bytes).value > 0)
            found = fmax(found, bytes);
    return found;
}

/* The best of all configurations of a kind whose region has from `least` to `most` bytes. */
static struct fw_probe_spread best(struct probe *probe, const char *kind, double least, double most)
{
    struct fw_probe_spread found = probe_nothing;
    for (size_t i = 0; fw_probe_recording_name(probe->recording, i); i++) {
        const char *name = fw_probe_recording_name(probe->recording, i);
        double bytes;
        size_t length = strlen(kind);
        if (strncmp(name, kind, length) != 0 || name[length] != ' ')
            continue;
        struct fw_probe_spread rate = bandwidth(probe, name, &bytes);
        if (bytes >= least && bytes <= most && rate.value > 0 && !(rate.value <= found.value))
            found = rate;
    }
    return found;
}

/* The size up to which reading by the whole device is as quick as from L2. */
static void finding_l2(struct probe *probe, double l2, double dram)
{
    double *estimates = FW_ARRAY(probe->arena, double, 1000);
    size_t count = 0;
    for (size_t i = 0; fw_probe_recording_name(probe->recording, i) && count < 1000; i++) {
        const char *name = fw_probe_recording_name(probe->recording, i);
        double bytes;
        if (strncmp(name, "read ", 5) != 0 || !strstr(name, " 4x512 ") || strstr(name, "energy"))
            continue;
        double rate = bandwidth(probe, name, &bytes).value;
        /* Time a byte: a share from L2, the rest from device memory. */
        double share = (1 / dram - 1 / rate) / (1 / dram - 1 / l2);
        if (share > 0.15 && share < 0.85)
            estimates[count++] = share * bytes;
    }
    if (count >= 3)
        probe_finding(probe, "l2, by the share of a long read that hits", "bytes",
                      fw_probe_spread(probe->arena, estimates, count));
}

static void figures_bandwidth(struct probe *probe)
{
    double large = largest(probe);
    struct fw_probe_spread reads = best(probe, "read", large, (double)INFINITY);
    struct fw_probe_spread copies = best(probe, "copy", large, (double)INFINITY);
    struct fw_probe_spread passes = best(probe, "pass", large, (double)INFINITY);
    double reach = probe->result->device.figures[FW_FIGURE_L2_REACH_BYTES].value;
    probe_set(probe, FW_FIGURE_DRAM_READ_BANDWIDTH, reads, "best of the launches' shapes");
    probe_set(probe, FW_FIGURE_DRAM_WRITE_BANDWIDTH, best(probe, "write", large, (double)INFINITY),
              "best of the launches' shapes");
    probe_set(probe, FW_FIGURE_DRAM_COPY_BANDWIDTH,
              passes.value > copies.value || !(copies.value > 0) ? passes : copies,
              "best of the launches' shapes");
    probe_finding(probe, "device memory, two reads and a write", "bytes/s",
                  best(probe, "mixed", large, (double)INFINITY));
    struct fw_probe_spread l2 = probe_nothing;
    if (reach > 0) /* beyond what the multiprocessors' own caches could hold together is not needed:
                      loads keep out of L1 */
        l2 = best(probe, "read", reach / 3, reach / 2);
    probe_set(probe, FW_FIGURE_L2_BANDWIDTH, l2,
              reach > 0 ? "best of the launches' shapes" : "it is not known what L2 holds");
    if (l2.value > 0 && reads.value > 0)
        finding_l2(probe, best(probe, "read", reach, 1.3 * reach).value, reads.value);
    double l2_bytes = probe->result->device.figures[FW_FIGURE_L2_BYTES].value;
    if (reach > 0 && l2_bytes > 0) {
        double parts = l2_bytes / reach;
        struct fw_probe_spread value = {nearbyint(parts), fmin(parts, nearbyint(parts)),
                                        fmax(parts, nearbyint(parts)), 5};
        probe_set_between(probe, FW_FIGURE_L2_PARTITIONS, value,
                          "L2 by what one multiprocessor reaches of it");
    }
}

void probe_figures_memory(struct probe *probe)
{
    figures_sizes(probe);
    figures_line(probe);
    figure_fetch(probe, FW_FIGURE_SECTOR_BYTES, "fetch l1");
    figure_fetch(probe, FW_FIGURE_DRAM_FETCH_BYTES, "fetch l2");
    findings_lines(probe);
    figures_partitions(probe);
    figures_constant(probe);
    figures_bandwidth(probe);
}
