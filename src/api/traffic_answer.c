/* The traffic model as the API wires it: other resources' terms come from the roofline model. */
#include "measured.h"
#include "api_internal.h"

#include <math.h>
#include <string.h>

/* What the traffic model has terms of its own for. */
static bool is_memory(enum fw_roofline_resource resource)
{
    return resource == FW_ROOFLINE_SHARED || resource == FW_ROOFLINE_L1 ||
           resource == FW_ROOFLINE_L2 || resource == FW_ROOFLINE_DRAM ||
           resource == FW_ROOFLINE_LOAD_STORE || resource == FW_ROOFLINE_DISPATCH;
}

static struct fw_cost_row *costs(const struct fw_worker *worker, const struct fw_traffic *from)
{
    struct fw_cost_row *rows = FW_ARRAY(worker->results, struct fw_cost_row, from->term_count + 1);
    for (uint32_t t = 0; t < from->term_count; t++) {
        const struct fw_traffic_term *term = &from->terms[t];
        bool own = term->figure != FW_FIGURE_COUNT;
        rows[t] = (struct fw_cost_row){
            .name = term->name,
            .seconds = term->seconds,
            .share = term->share,
            .amount = term->amount,
            .unit = own ? term->unit : "",
            .rate = term->rate,
            .figure = own ? fw_figure_row(term->figure)->name : "",
            .source = own ? fw_figure_source_text(worker->device->figures[term->figure].source)
                          : "roofline",
            .meaning = own ? term->meaning : "as the roofline model has it"};
    }
    return rows;
}

static struct fw_volume_row row_of(const struct fw_volume *volume)
{
    return (struct fw_volume_row){volume->bytes, volume->compulsory, volume->capacity};
}

/* Each of the profiler's metrics: what was predicted, what was measured. */
static void publish_measured(struct fw_worker *worker, struct fw_traffic_row *traffic,
                             const struct fw_traffic *from,
                             const struct fw_traffic_measured *measured)
{
    struct fw_measured_row *rows =
        FW_ARRAY(worker->results, struct fw_measured_row, FW_TRAFFIC_METRIC_COUNT);
    for (size_t m = 0; m < FW_TRAFFIC_METRIC_COUNT; m++) {
        const struct fw_traffic_metric_row *row = fw_traffic_metric_row((enum fw_traffic_metric)m);
        rows[m] = (struct fw_measured_row){
            .key = row->key,
            .metric = row->metric,
            .unit = row->unit,
            .predicted = m == FW_TRAFFIC_METRIC_DURATION ? from->seconds : from->predicted->at[m],
            .is_measured = !isnan(measured->at[m]),
            .measured = measured->at[m]};
    }
    /* The answer's volumes stay the predicted ones: their parts belong to them. */
    traffic->global_load_sectors = from->predicted->at[FW_TRAFFIC_METRIC_LOAD_SECTORS];
    traffic->global_store_sectors = from->predicted->at[FW_TRAFFIC_METRIC_STORE_SECTORS];
    traffic->lsu_wavefronts = from->predicted->at[FW_TRAFFIC_METRIC_LSU_WAVEFRONTS];
    traffic->shared_wavefronts = from->predicted->at[FW_TRAFFIC_METRIC_SHARED_WAVEFRONTS];
    traffic->l2_to_l1.bytes = from->predicted->at[FW_TRAFFIC_METRIC_L2_TO_L1];
    traffic->l1_to_l2_bytes = from->predicted->at[FW_TRAFFIC_METRIC_L1_TO_L2];
    traffic->dram_read.bytes = from->predicted->at[FW_TRAFFIC_METRIC_DRAM_READ];
    traffic->dram_write.bytes = from->predicted->at[FW_TRAFFIC_METRIC_DRAM_WRITE];
    worker->answer->measured = rows;
    worker->answer->measured_count = FW_TRAFFIC_METRIC_COUNT;
}

static void publish(struct fw_worker *worker, const struct fw_traffic *from,
                    const struct fw_traffic_measured *measured)
{
    struct fw_traffic_row *to = FW_NEW(worker->results, struct fw_traffic_row);
    const struct fw_volumes *volumes = &from->volumes;
    *to = (struct fw_traffic_row){.global_load_sectors = from->requests.load_sectors,
                                  .global_store_sectors = from->requests.store_sectors,
                                  .lsu_wavefronts = from->lsu_wavefronts,
                                  .shared_wavefronts = from->requests.shared_wavefronts,
                                  .l2_to_l1 = row_of(&volumes->l2_to_l1),
                                  .dram_read = row_of(&volumes->dram_read),
                                  .dram_write = row_of(&volumes->dram_write),
                                  .l1_to_l2_bytes = from->l1_to_l2,
                                  .fill_read_bytes = volumes->fill_read,
                                  .once_read = volumes->read_footprint,
                                  .once_written = volumes->write_footprint,
                                  .sample_error = volumes->sample_error,
                                  .constant_requests = from->requests.constant_requests};
    to->l2_to_l1.bytes = from->l2_to_l1;
    worker->answer->traffic = to;
    if (measured)
        publish_measured(worker, to, from, measured);
    to->l2_to_l1.compulsory += to->l2_to_l1.bytes - volumes->l2_to_l1.bytes; /* without a form */
}

enum fw_status api_traffic(struct fw_worker *worker, const struct fw_roofline *roofline,
                           struct fw_prediction *prediction)
{
    struct fw_traffic *traffic;
    struct fw_traffic_other others[FW_ROOFLINE_RESOURCE_COUNT];
    struct fw_traffic_options options = {.cold = worker->predict->cold,
                                         .clock = worker->predict->clock,
                                         .alignments = worker->alignments,
                                         .others = others};
    for (uint32_t t = 0; t < roofline->term_count; t++)
        if (!is_memory(roofline->terms[t].resource))
            others[options.other_count++] = (struct fw_traffic_other){
                fw_roofline_text(roofline->terms[t].resource), roofline->terms[t].seconds,
                fw_roofline_joules(&roofline->terms[t], worker->device),
                roofline->terms[t].resource == FW_ROOFLINE_ISSUE};
    enum fw_status status = FW_OK;
    if (worker->predict->volumes)
        status = api_read_measured(&options.measured, worker, worker->predict->volumes);
    if (status)
        return status;
    status =
        fw_traffic_predict(&traffic, worker->results, worker->record, worker->bound, worker->launch,
                           worker->device, &options, &worker->program->context->sink);
    if (status)
        return status;
    publish(worker, traffic, options.measured);
    *prediction =
        (struct fw_prediction){.model = "traffic",
                               .seconds = traffic->seconds,
                               .has_overhead = roofline->has_overhead,
                               .overhead_seconds = roofline->overhead_seconds,
                               .limiter = traffic->term_count ? traffic->terms[0].name : NULL,
                               .terms = costs(worker, traffic),
                               .term_count = traffic->term_count,
                               .clock = roofline->clock,
                               .cache = worker->predict->cold ? "cold" : "warm",
                               .has_occupancy = traffic->has_occupancy,
                               .resident_blocks = traffic->occupancy.blocks,
                               .occupancy = traffic->occupancy.share,
                               .occupancy_limit = fw_limit_text(traffic->occupancy.limit),
                               .waves = traffic->waves,
                               .left_out = traffic->not_modelled,
                               .left_out_count = traffic->not_modelled_count};
    return FW_OK;
}
