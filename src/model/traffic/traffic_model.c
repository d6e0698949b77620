/* The traffic model behind `struct fw_model`: volumes as quantities, limiters as terms. */
#include "launch_clock.h"
#include "measured.h"
#include "model.h"
#include "residency.h"
#include "traffic_others.h"

#include <math.h>
#include <string.h>

/* ---- quantities ---- */

#define REQUESTS "Memory traffic"
#define VOLUMES  "Bytes between the levels, by cause"
#define PARTS                                                                                      \
    .part_keys = {"compulsory", "capacity", "fill"},                                               \
    .part_titles = {"compulsory", "capacity misses", "partial sector fills"}

enum quantity {
    LOAD_SECTORS,
    STORE_SECTORS,
    LSU_WAVEFRONTS,
    SHARED_WAVEFRONTS,
    CONSTANT_REQUESTS,
    L2_TO_L1,
    L1_TO_L2,
    DRAM_READ,
    DRAM_WRITE,
    ONCE_READ,
    ONCE_WRITTEN,
    SAMPLE_ERROR,
    QUANTITY_COUNT,
    L1_HITS = QUANTITY_COUNT, /* where an account is asked for, and there is anything to hit */
    L2_HITS,
    ALL_COUNT
};

static const struct fw_quantity_kind kinds[ALL_COUNT] = {
    [LOAD_SECTORS] = {.key = "global_load_sectors",
                      .title = "global load sectors",
                      .unit = "sectors",
                      .meaning = "requested from L1 by loads",
                      .group = REQUESTS,
                      .ranked = true},
    [STORE_SECTORS] = {.key = "global_store_sectors",
                       .title = "global store sectors",
                       .unit = "sectors",
                       .meaning = "written to L1 by stores",
                       .group = REQUESTS,
                       .ranked = true},
    [LSU_WAVEFRONTS] = {.key = "lsu_wavefronts",
                        .title = "load-store wavefronts",
                        .unit = "wavefronts",
                        .meaning = "passes of the load-store unit",
                        .group = REQUESTS,
                        .ranked = true},
    [SHARED_WAVEFRONTS] = {.key = "shared_wavefronts",
                           .title = "of these, shared memory",
                           .unit = "wavefronts",
                           .meaning =
                               "with shuffles and reads of the thread index, as hardware counts",
                           .group = REQUESTS,
                           .ranked = true},
    [CONSTANT_REQUESTS] = {.key = "constant_requests",
                           .title = "constant cache requests",
                           .unit = "requests",
                           .meaning = "distinct addresses per warp",
                           .group = REQUESTS,
                           .hidden_when_zero = true},
    [L2_TO_L1] = {.key = "l2_to_l1_bytes",
                  .title = "L2 to L1",
                  .unit = "bytes",
                  .group = VOLUMES,
                  .ranked = true,
                  .column = "L2 to L1",
                  PARTS},
    [L1_TO_L2] = {.key = "l1_to_l2_bytes",
                  .title = "L1 to L2",
                  .unit = "bytes",
                  .group = VOLUMES,
                  .ranked = true,
                  .column = "L1 to L2"},
    [DRAM_READ] = {.key = "dram_read_bytes",
                   .title = "read from device memory",
                   .unit = "bytes",
                   .group = VOLUMES,
                   .ranked = true,
                   .column = "DRAM read",
                   PARTS},
    [DRAM_WRITE] = {.key = "dram_write_bytes",
                    .title = "written to device memory",
                    .unit = "bytes",
                    .group = VOLUMES,
                    .ranked = true,
                    .column = "DRAM write",
                    PARTS},
    [ONCE_READ] = {.key = "once_read_bytes",
                   .title = "read footprint",
                   .unit = "bytes",
                   .group = VOLUMES},
    [ONCE_WRITTEN] = {.key = "once_written_bytes",
                      .title = "write footprint",
                      .unit = "bytes",
                      .group = VOLUMES},
    [SAMPLE_ERROR] = {.key = "dram_read_sample_error", .unit = "1"},
    [L1_HITS] = {.key = "l1_hit_rate", .unit = "share"},
    [L2_HITS] = {.key = "l2_hit_rate", .unit = "share"}};

/* Adds what is known of the hit rates. */
static void publish_hit_rates(struct fw_prediction *to, struct fw_quantity_row *rows,
                              const struct fw_hit_rates *rates)
{
    const double values[] = {rates->l1, rates->l2};
    for (int r = 0; r < ALL_COUNT - L1_HITS; r++)
        if (!isnan(values[r]))
            rows[to->quantity_count++] =
                (struct fw_quantity_row){.kind = &kinds[L1_HITS + r], .value = values[r]};
}

static struct fw_quantity_row *
publish_quantities(struct fw_prediction *to, const struct fw_traffic *from, struct fw_arena *arena)
{
    const struct fw_volumes *volumes = &from->volumes;
    const double values[QUANTITY_COUNT] = {[LOAD_SECTORS] = from->requests.load_sectors,
                                           [STORE_SECTORS] = from->requests.store_sectors,
                                           [LSU_WAVEFRONTS] = from->lsu_wavefronts,
                                           [SHARED_WAVEFRONTS] = from->requests.shared_wavefronts,
                                           [CONSTANT_REQUESTS] = from->requests.constant_requests,
                                           [L2_TO_L1] = from->l2_to_l1,
                                           [L1_TO_L2] = from->l1_to_l2,
                                           [DRAM_READ] = volumes->dram_read.bytes,
                                           [DRAM_WRITE] = volumes->dram_write.bytes,
                                           [ONCE_READ] = volumes->read_footprint,
                                           [ONCE_WRITTEN] = volumes->write_footprint,
                                           [SAMPLE_ERROR] = volumes->sample_error};
    struct fw_quantity_row *rows = FW_ARRAY(arena, struct fw_quantity_row, ALL_COUNT);
    for (int q = 0; q < QUANTITY_COUNT; q++)
        rows[q] = (struct fw_quantity_row){.kind = &kinds[q], .value = values[q]};
    rows[DRAM_READ].parts[0] = volumes->dram_read.compulsory;
    rows[DRAM_READ].parts[1] = volumes->dram_read.capacity;
    rows[DRAM_READ].parts[2] = volumes->fill_read;
    rows[DRAM_WRITE].parts[0] = volumes->dram_write.compulsory;
    rows[DRAM_WRITE].parts[1] = volumes->dram_write.capacity;
    rows[L2_TO_L1].parts[0] = volumes->l2_to_l1.compulsory;
    rows[L2_TO_L1].parts[1] = volumes->l2_to_l1.capacity;
    to->quantities = rows;
    to->quantity_count = QUANTITY_COUNT;
    return rows;
}

/* For each metric of the profiler, the predicted and the measured value.  The quantities keep the
 * predicted values, which their parts add up to. */
static void publish_measured(struct fw_prediction *to, struct fw_quantity_row *quantities,
                             const struct fw_traffic *from,
                             const struct fw_measured_volumes *measured, struct fw_arena *arena)
{
    struct fw_measured_row *rows = FW_ARRAY(arena, struct fw_measured_row, FW_VOLUME_METRIC_COUNT);
    for (size_t m = 0; m < FW_VOLUME_METRIC_COUNT; m++) {
        const struct fw_volume_metric_row *row = fw_volume_metric_row((enum fw_volume_metric)m);
        double predicted = m == FW_VOLUME_METRIC_DURATION ? from->seconds : from->predicted->at[m];
        rows[m] = (struct fw_measured_row){.key = row->key,
                                           .metric = row->metric,
                                           .unit = row->unit,
                                           .predicted = predicted,
                                           .is_measured = !isnan(measured->at[m]),
                                           .measured = measured->at[m]};
        for (int q = 0; q < QUANTITY_COUNT; q++)
            if (strcmp(kinds[q].key, row->key) == 0)
                quantities[q].value = predicted;
    }
    to->measured = rows;
    to->measured_count = FW_VOLUME_METRIC_COUNT;
}

/* ---- terms ---- */

/* The row of a term of this model, or of arithmetic and issue, which models share. */
static struct fw_cost_row row_of(const struct fw_traffic_term *term,
                                 const struct fw_traffic_others *others,
                                 const struct fw_device *device)
{
    const struct fw_resource_term *shared = fw_traffic_others_find(others, term->name);
    bool own = term->figure != FW_FIGURE_COUNT || !shared;
    enum fw_figure figure = own ? term->figure : shared->figure;
    return (struct fw_cost_row){
        .name = term->name,
        .seconds = term->seconds,
        .share = term->share,
        .amount = own ? term->amount : shared->amount,
        .unit = own ? term->unit : fw_resource_unit(shared->resource),
        .rate = own ? term->rate : shared->rate * (shared->seconds / term->seconds),
        .figure = fw_figure_row(figure)->name,
        .source = fw_figure_source_text(device->figures[figure].source),
        .meaning = own ? term->meaning : fw_resource_meaning(shared->resource)};
}

static void publish_terms(struct fw_prediction *to, const struct fw_traffic *from,
                          const struct fw_traffic_others *others,
                          const struct fw_model_question *question)
{
    struct fw_cost_row *rows = FW_ARRAY(question->arena, struct fw_cost_row, from->term_count + 1);
    for (uint32_t t = 0; t < from->term_count; t++)
        rows[t] = row_of(&from->terms[t], others, question->device);
    to->terms = rows;
    to->term_count = from->term_count;
    to->limiter = from->term_count ? from->terms[0].name : NULL;
}

/* Launches back to back: a board at its power limit lowers its clock, so that a launch takes
 * longer. */
static void publish_power(struct fw_prediction *to, const struct fw_traffic *from)
{
    bool limited = from->has_power && from->power.least_seconds > from->seconds;
    to->has_watts = from->has_power;
    to->watts = limited ? from->power.limit_watts : from->power.watts;
    to->joules = limited ? from->power.limit_watts * from->power.least_seconds : from->power.joules;
}

static enum fw_status predict(struct fw_prediction *prediction, void *state,
                              const struct fw_model_question *question)
{
    struct fw_residency residency;
    struct fw_traffic_others others;
    struct fw_traffic_options options = {.cold = question->cold,
                                         .sequence = question->sequence,
                                         .alignments = question->alignments,
                                         .measured = question->measured,
                                         .hit_rates = !question->brief,
                                         .kept = fw_model_volumes(question)};
    struct fw_traffic *traffic;
    double clock;
    enum fw_status status = fw_launch_clock(&clock, question->clock, question->kernel,
                                            question->bound, question->device, question->sink);
    (void)state;
    if (!status)
        status = fw_residency_find(&residency, &question->kernel->resources, question->launch,
                                   question->device, question->sink);
    if (status)
        return status;
    options.clock = clock;
    fw_traffic_others_find_all(&others, &options, question->arena, question->kernel,
                               question->bound, question->launch, question->device, clock);
    status = fw_traffic_predict(&traffic, question->arena, question->kernel, question->bound,
                                question->launch, question->device, &options, question->sink);
    if (status)
        return status;
    prediction->seconds = traffic->seconds;
    prediction->has_overhead = fw_launch_overhead(&prediction->overhead_seconds, question->device);
    prediction->clock = clock;
    prediction->has_occupancy = traffic->has_occupancy;
    prediction->resident_blocks = traffic->occupancy.blocks;
    prediction->occupancy = traffic->occupancy.share;
    prediction->occupancy_limit = fw_limit_text(traffic->occupancy.limit);
    prediction->waves = traffic->waves;
    prediction->not_modelled = traffic->not_modelled;
    prediction->not_modelled_count = traffic->not_modelled_count;
    fw_model_say(prediction, question->arena, others.terms.absent.at, others.terms.absent.count);
    fw_model_say_all(prediction, question->arena,
                     fw_residency_caveats(question->arena, true, &question->kernel->resources));
    fw_model_say_all(prediction, question->arena,
                     fw_demand_caveats(&others.demand, question->kernel));
    fw_model_say_unstated(prediction, question, true);
    publish_terms(prediction, traffic, &others, question);
    publish_power(prediction, traffic);
    struct fw_quantity_row *rows = publish_quantities(prediction, traffic, question->arena);
    if (!question->brief)
        publish_hit_rates(prediction, rows, &traffic->hit_rates);
    if (question->measured)
        publish_measured(prediction, rows, traffic, question->measured, question->arena);
    /* Accesses without a footprint count as compulsory. */
    rows[L2_TO_L1].parts[0] += rows[L2_TO_L1].value - traffic->volumes.l2_to_l1.bytes;
    return FW_OK;
}

const struct fw_model fw_model_traffic = {
    .name = "traffic",
    .summary = "bytes at each level of the memory hierarchy, waits, and how they overlap",
    .needs = FW_MODEL_NEEDS_SCHEDULE,
    .takes_measured = true,
    .predict = predict};
