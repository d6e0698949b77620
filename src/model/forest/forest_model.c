/* The model forest: trees that correct what the physical models predict. */
#include "forest_bundle.h"
#include "forest_quick.h"
#include "resource_term.h"

#include <math.h>
#include <string.h>

enum { FILE_MOST = 256 << 20 };

struct opened {
    struct fw_model_opened base;
    struct fw_forest_bundle bundle;
    const char *trained; /* the device whose forest it is: this one, or a similar one */
};

/* ---- opening ---- */

static enum fw_status read(void *state, const struct fw_model_files *files,
                           const struct fw_device *device, const struct fw_sink *sink)
{
    struct opened *opened = state;
    struct fw_arena *arena = opened->base.arena;
    struct fw_source *source = FW_NEW(arena, struct fw_source);
    opened->trained = fw_model_trained_for(source, arena, files, "forest", device, FILE_MOST);
    if (!opened->trained) {
        fw_report(sink, FW_ERROR, "FOR003", (struct fw_span){0},
                  "there is no forest for %s: forewarp train makes one", device->name);
        return FW_ERROR_INPUT;
    }
    enum fw_status status = fw_forest_bundle_read(&opened->bundle, arena, source, sink);
    if (status)
        return status;
    if (strcmp(opened->bundle.device, opened->trained) == 0 &&
        opened->bundle.parts[FW_FOREST_SECONDS].forest)
        return FW_OK;
    fw_report(sink, FW_ERROR, "FOR004", fw_span_of_source(source),
              "the forest is of the device %s, or has no seconds", opened->bundle.device);
    return FW_ERROR_INPUT;
}

static void close_forest(void *state)
{
    struct opened *opened = state;
    fw_forest_bundle_free(&opened->bundle);
    fw_model_close_parameters(opened);
}

static enum fw_status open_forest(void **state, const struct fw_model_files *files,
                                  const struct fw_device *device, const struct fw_sink *sink)
{
    static const struct fw_model_opening opening = {
        .size = sizeof(struct opened), .read = read, .close = close_forest};
    return fw_model_open_parameters(state, &opening, files, device, sink);
}

/* ---- answering ---- */

static enum fw_status ask(struct fw_prediction *prediction, const char *name,
                          const struct fw_model_question *question)
{
    const struct fw_model *model = fw_model_find(name, strlen(name));
    *prediction = (struct fw_prediction){.model = name};
    return model->predict(prediction, NULL, question);
}

static void set_interval(struct fw_prediction *prediction, const struct fw_forest_part *part,
                         const struct fw_forest_basis *basis, double nearest)
{
    const struct fw_forest_bounds *bounds = &part->bounds[basis->class];
    double deviation =
        fw_forest_basis_deviation(&bounds->deviation, basis, FW_FOREST_SECONDS, nearest);
    prediction->has_interval = isfinite(bounds->low) && isfinite(bounds->high);
    if (!prediction->has_interval)
        return;
    prediction->low = prediction->seconds * exp(bounds->low * deviation);
    prediction->high = prediction->seconds * exp(bounds->high * deviation);
}

static void set_power(struct fw_prediction *prediction, const struct fw_forest_part *part,
                      const struct fw_forest_basis *basis)
{
    double watts = basis->target[FW_FOREST_WATTS];
    prediction->has_watts = part->forest && watts > 0;
    prediction->watts =
        prediction->has_watts ? fw_forest_part_predict(NULL, part, basis, FW_FOREST_WATTS) : 0;
    prediction->joules = prediction->watts * prediction->seconds;
}

/* Whether the trees are those of a similar device. */
static bool is_elsewhere(const struct opened *opened, const struct fw_model_question *question)
{
    return strcmp(opened->trained, question->device->name) != 0;
}

static void say(struct fw_prediction *prediction, const struct opened *opened,
                const struct fw_model_question *question, bool corrects)
{
    const struct fw_forest_part *part = &opened->bundle.parts[FW_FOREST_SECONDS];
    const char *sentences[3];
    size_t count = 0;
    sentences[count++] = !corrects ? "Data decide the time: it is that of the models traffic and "
                                     "trace, uncorrected."
                                   : fw_arena_printf(question->arena,
                                                     "Trees correct the models traffic and trace "
                                                     "by %zu launches of %zu families of kernels.",
                                                     part->rows, part->families);
    if (corrects && is_elsewhere(opened, question))
        sentences[count++] =
            fw_arena_printf(question->arena,
                            "The trees are those of %s, a similar device: nothing was trained for "
                            "%s.",
                            opened->trained, question->device->name);
    if (question->cold || question->clock > 0)
        sentences[count++] = "The correction is that of warm caches and of the usual clock.";
    fw_model_say(prediction, question->arena, sentences, count);
}

static enum fw_status not_finite(const struct fw_model_question *question)
{
    fw_report(question->sink, FW_ERROR, "FOR005", (struct fw_span){0},
              "a feature of this launch is not finite");
    return FW_ERROR_INPUT;
}

static void say_itself(struct fw_prediction *prediction, const struct opened *opened,
                       const struct fw_model_question *question)
{
    const struct fw_forest_part *part = &opened->bundle.parts[FW_FOREST_SECONDS];
    const char *sentences[] = {
        fw_arena_printf(question->arena,
                        "Trees predict from counted features alone, by %zu launches of %zu "
                        "families of kernels: they know no size that is larger than those.",
                        part->rows, part->families),
        fw_arena_printf(question->arena,
                        "The trees are those of %s, with warm caches and the usual "
                        "clock.",
                        opened->trained)};
    fw_model_say(prediction, question->arena, sentences, 2);
}

/* Seconds, watts and joules by trees that know a counted basis, with an interval where one was
 * checked: they correct it, or predict themselves. */
static enum fw_status correct(struct fw_prediction *prediction, const struct opened *opened,
                              const struct fw_model_question *question,
                              struct fw_forest_basis *basis)
{
    const struct fw_forest_part *times = &opened->bundle.parts[FW_FOREST_SECONDS];
    const struct fw_forest_part *watts = &opened->bundle.parts[FW_FOREST_WATTS];
    const bool itself = opened->bundle.ratio == FW_FOREST_TO_NOTHING;
    fw_forest_basis_limit(basis, question->device);
    prediction->seconds =
        (itself ? 1 : basis->target[FW_FOREST_SECONDS]) * fw_forest_part_factor(NULL, times, basis);
    if (!isfinite(prediction->seconds))
        return not_finite(question);
    basis->class = fw_forest_class_at(basis->class, prediction->seconds);
    if (!question->cold && !(question->clock > 0) && !is_elsewhere(opened, question))
        set_interval(prediction, times, basis, 0);
    prediction->has_watts = watts->forest != NULL;
    if (prediction->has_watts)
        prediction->watts = fw_forest_basis_corrected(
            basis, FW_FOREST_WATTS,
            itself ? 1 : fw_forest_basis_of(basis, FW_FOREST_WATTS, watts->energies),
            fw_forest_part_factor(NULL, watts, basis));
    prediction->joules = prediction->watts * prediction->seconds;
    return FW_OK;
}

/* By trees that predict seconds and watts themselves: no model is asked. */
static enum fw_status predict_itself(struct fw_prediction *prediction, const struct opened *opened,
                                     const struct fw_model_question *question)
{
    struct fw_forest_basis basis;
    enum fw_status status = fw_forest_quick_count(&basis, question);
    if (status)
        return status;
    status = correct(prediction, opened, question, &basis);
    if (status)
        return status;
    prediction->has_overhead = fw_launch_overhead(&prediction->overhead_seconds, question->device);
    say_itself(prediction, opened, question);
    return FW_OK;
}

static void say_quickly(struct fw_prediction *prediction, const struct opened *opened,
                        const struct fw_model_question *question)
{
    const struct fw_forest_part *part = &opened->bundle.parts[FW_FOREST_SECONDS];
    const char *sentences[2];
    size_t count = 0;
    sentences[count++] =
        fw_arena_printf(question->arena,
                        "Trees correct what the model roofline and waits of warps give, by %zu "
                        "launches of %zu families of kernels.",
                        part->rows, part->families);
    if (is_elsewhere(opened, question) || question->cold || question->clock > 0)
        sentences[count++] = fw_arena_printf(question->arena,
                                             "The trees are those of %s, with warm caches and the "
                                             "usual clock.",
                                             opened->trained);
    fw_model_say(prediction, question->arena, sentences, count);
}

/* By trees that correct the quick basis: neither traffic nor trace is asked. */
static enum fw_status predict_quickly(struct fw_prediction *prediction, const struct opened *opened,
                                      const struct fw_model_question *question)
{
    const char *name = prediction->model, *cache = prediction->cache;
    struct fw_forest_basis basis;
    enum fw_status status = fw_forest_quick_find(&basis, prediction, question);
    prediction->model = name;
    prediction->cache = cache;
    if (status)
        return status;
    status = correct(prediction, opened, question, &basis);
    if (status)
        return status;
    say_quickly(prediction, opened, question);
    return FW_OK;
}

static enum fw_status predict(struct fw_prediction *prediction, void *state,
                              const struct fw_model_question *question)
{
    const struct opened *opened = state;
    const struct fw_forest_part *part = &opened->bundle.parts[FW_FOREST_SECONDS];
    struct fw_prediction traffic, trace;
    struct fw_forest_basis basis;
    if (opened->bundle.ratio == FW_FOREST_TO_NOTHING)
        return predict_itself(prediction, opened, question);
    if (opened->bundle.ratio == FW_FOREST_TO_QUICK)
        return predict_quickly(prediction, opened, question);
    struct fw_model_question traced = *question;
    traced.measured = NULL;
    enum fw_status status = ask(&traffic, "traffic", &traced);
    if (status)
        return status;
    traced.parts = true;
    traced.sink = NULL; /* a launch too large to simulate is no fault of it */
    bool has_trace = ask(&trace, "trace", &traced) == FW_OK;
    fw_forest_basis_find(&basis, question->kernel, question->bound, question->launch, &traffic,
                         has_trace ? &trace : NULL);
    fw_forest_basis_limit(&basis, question->device);
    double nearest, factor = fw_forest_part_factor(&nearest, part, &basis);
    bool corrects = fw_forest_basis_is_corrected(&basis, FW_FOREST_SECONDS);
    if (!isfinite(factor))
        return not_finite(question);
    const char *name = prediction->model, *cache = prediction->cache;
    *prediction = traffic; /* terms, occupancy and what is not modelled */
    prediction->model = name;
    prediction->cache = cache;
    prediction->quantity_count = 0;
    prediction->measured_count = 0;
    prediction->seconds = basis.target[FW_FOREST_SECONDS] * (corrects ? factor : 1);
    if (!question->cold && !(question->clock > 0))
        set_interval(prediction, part, &basis,
                     is_elsewhere(opened, question) ? fmax(nearest, FW_FOREST_ELSEWHERE) : nearest);
    set_power(prediction, &opened->bundle.parts[FW_FOREST_WATTS], &basis);
    say(prediction, opened, question, corrects);
    return FW_OK;
}

const struct fw_model fw_model_forest = {
    .name = "forest",
    .summary = "trees that correct traffic and trace by measurements; needs a forest of the device",
    .needs = FW_MODEL_NEEDS_SCHEDULE,
    .of_changes = "traffic",
    .open = open_forest,
    .close = close_forest,
    .predict = predict};
