/* The roofline behind `struct fw_model`. */
#include "model.h"
#include "roofline_internal.h"

static void publish(struct fw_prediction *to, const struct fw_roofline *from,
                    const struct fw_model_question *question)
{
    const struct fw_residency *residency = &from->residency;
    to->seconds = from->seconds;
    to->has_overhead = from->has_overhead;
    to->overhead_seconds = from->overhead_seconds;
    to->limiter = from->terms.count ? fw_resource_text(from->terms.at[0].resource) : NULL;
    to->terms =
        fw_model_costs(question->arena, from->terms.at, from->terms.count, question->device);
    to->term_count = from->terms.count;
    to->lines = fw_model_costs(question->arena, from->lines, from->line_count, question->device);
    to->line_count = from->line_count;
    to->clock = from->clock;
    to->has_occupancy = residency->has_waves;
    to->resident_blocks = residency->occupancy.blocks;
    to->occupancy = residency->occupancy.share;
    to->occupancy_limit = fw_limit_text(residency->occupancy.limit);
    to->waves = residency->waves.full;
    to->not_modelled = from->not_modelled;
    to->not_modelled_count = from->not_modelled_count;
}

static enum fw_status predict(struct fw_prediction *prediction, void *state,
                              const struct fw_model_question *question)
{
    struct fw_roofline_options options = {
        .cold = question->cold, .clock = question->clock, .alignments = question->alignments};
    struct fw_roofline *roofline;
    enum fw_status status =
        question->counted
            ? roofline_of_domains(&roofline, question, &options)
            : fw_roofline_predict(&roofline, question->arena, question->kernel, question->bound,
                                  question->launch, question->device, &options, question->sink);
    (void)state;
    if (status)
        return status;
    publish(prediction, roofline, question);
    fw_model_say_unstated(prediction, question, false);
    return FW_OK;
}

const struct fw_model fw_model_roofline = {
    .name = "roofline",
    .summary = "the least time that each resource needs by itself; counts from the domains suffice",
    .predict = predict};
