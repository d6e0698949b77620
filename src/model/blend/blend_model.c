/* The model blend: the answers of traffic, trace and forest joined to one, with an interval.
 *
 * A device without a blend of its own is answered by the model traffic, which says so; it has no
 * interval. */
#include "blend.h"
#include "forest_bundle.h"
#include "side_work.h"

#include <math.h>
#include <string.h>

enum { BLEND_MOST = 1 << 20, FOREST_MOST = 256 << 20 };

struct opened {
    struct fw_model_opened base;
    bool has_blend, has_forest;
    const char *trained; /* the device whose files these are: this one, or a similar one */
    struct fw_blend blend;
    struct fw_forest_bundle forest;
};

/* ---- opening ---- */

static enum fw_status wrong_device(const struct fw_source *source, const char *name,
                                   const struct fw_sink *sink)
{
    fw_report(sink, FW_ERROR, "BLD003", fw_span_of_source(source),
              "the file is of another device: %s", name);
    return FW_ERROR_INPUT;
}

static enum fw_status read(void *state, const struct fw_model_files *files,
                           const struct fw_device *device, const struct fw_sink *sink)
{
    struct opened *opened = state;
    struct fw_arena *arena = opened->base.arena;
    struct fw_source *source = FW_NEW(arena, struct fw_source);
    struct fw_source *trees = FW_NEW(arena, struct fw_source);
    opened->trained = fw_model_trained_for(source, arena, files, "blend", device, BLEND_MOST);
    if (!opened->trained)
        return FW_OK;
    enum fw_status status = fw_blend_read(&opened->blend, arena, source, sink);
    if (!status && strcmp(opened->blend.device, opened->trained) != 0)
        status = wrong_device(source, opened->blend.device, sink);
    if (status)
        return status;
    opened->has_blend = true;
    if (!fw_model_trained_file(trees, arena, files, "forest", opened->trained, FOREST_MOST))
        return FW_OK;
    status = fw_forest_bundle_read(&opened->forest, arena, trees, sink);
    if (status)
        return status;
    opened->has_forest = true;
    if (opened->forest.ratio != FW_FOREST_TO_MODELS) {
        fw_report(
            sink, FW_ERROR, "FOR008", fw_span_of_source(trees),
            "these trees do not correct the models traffic and trace, as the model blend needs "
            "(forewarp train without --absolute and --ratio-to)");
        return FW_ERROR_INPUT;
    }
    return strcmp(opened->forest.device, opened->trained) == 0
               ? FW_OK
               : wrong_device(trees, opened->forest.device, sink);
}

static void close_blend(void *state)
{
    struct opened *opened = state;
    fw_forest_bundle_free(&opened->forest);
    fw_model_close_parameters(opened);
}

static enum fw_status open_blend(void **state, const struct fw_model_files *files,
                                 const struct fw_device *device, const struct fw_sink *sink)
{
    static const struct fw_model_opening opening = {
        .size = sizeof(struct opened), .read = read, .close = close_blend};
    return fw_model_open_parameters(state, &opening, files, device, sink);
}

/* ---- answering ---- */

struct joining {
    const struct opened *opened;
    const struct fw_model_question *question;
    struct fw_prediction *to;
    struct fw_blend_launch launch;
    struct fw_prediction traffic, trace;
    bool has_trace;
    double answers[FW_BLEND_TARGET_JOULES][FW_BLEND_MEMBER_COUNT]; /* 0: none */
    double unlimited; /* the forest's watts without the board's limit; 0: none */
    double nearest;   /* launch that the forest was trained on; INFINITY: there is none */
};

static enum fw_status ask(struct fw_prediction *prediction, const char *name,
                          const struct fw_model_question *question)
{
    const struct fw_model *model = fw_model_find(name, strlen(name));
    *prediction = (struct fw_prediction){.model = name};
    return fw_model_ask(prediction, model, NULL, question);
}

static bool weighs(const struct joining *joining, enum fw_blend_member member)
{
    const struct fw_blend *blend = &joining->opened->blend;
    return blend->weights[FW_BLEND_TARGET_SECONDS][joining->launch.kind].at[member] > 0 ||
           blend->weights[FW_BLEND_TARGET_WATTS][joining->launch.kind].at[member] > 0;
}

/* The forest answers where it weighs, or where intervals need to know how near measured launches
 * are. */
static bool asks_forest(const struct joining *joining)
{
    return joining->opened->has_forest &&
           (weighs(joining, FW_BLEND_FOREST) ||
            (joining->opened->blend.deviation.near > 0 &&
             !fw_blend_class_is_decided_by_data(joining->launch.class)));
}

/* The simulation answers where its seconds weigh, where trees lean on it, or for its account. */
static void ask_trace(struct joining *joining)
{
    struct fw_model_question question = *joining->question;
    question.sink = NULL; /* a launch too large to simulate is no fault of it */
    if (question.brief && !weighs(joining, FW_BLEND_TRACE) && !asks_forest(joining))
        return;
    question.parts = asks_forest(joining); /* features of it */
    joining->has_trace = ask(&joining->trace, "trace", &question) == FW_OK;
    if (joining->has_trace)
        joining->answers[FW_BLEND_TARGET_SECONDS][FW_BLEND_TRACE] = joining->trace.seconds;
}

static void ask_forest(struct joining *joining)
{
    const struct fw_model_question *question = joining->question;
    const struct opened *opened = joining->opened;
    struct fw_forest_basis basis;
    if (!asks_forest(joining))
        return;
    fw_forest_basis_find(&basis, question->kernel, question->bound, question->launch,
                         &joining->traffic, joining->has_trace ? &joining->trace : NULL);
    for (int t = 0; t < FW_FOREST_TARGET_COUNT; t++) {
        const struct fw_forest_part *part = &opened->forest.parts[t];
        const bool asks =
            t == FW_FOREST_SECONDS && !fw_blend_class_is_decided_by_data(joining->launch.class);
        double answer = part->forest && basis.target[t] > 0
                            ? fw_forest_part_predict(asks ? &joining->nearest : NULL, part, &basis,
                                                     (enum fw_forest_target)t)
                            : 0;
        joining->answers[t][FW_BLEND_FOREST] = isfinite(answer) ? answer : 0;
    }
    double *watts = &joining->answers[FW_BLEND_TARGET_WATTS][FW_BLEND_FOREST];
    joining->unlimited = *watts;
    *watts = fmin(*watts, joining->launch.watts_most);
    if (strcmp(opened->trained, question->device->name) != 0)
        joining->nearest = fmax(joining->nearest, FW_FOREST_ELSEWHERE);
}

/* What nothing was measured at, or of; NULL: launches like this one were. */
static const char *unchecked(const struct joining *joining)
{
    const struct fw_model_question *question = joining->question;
    return question->cold                 ? "at caches that were flushed"
           : question->clock > 0          ? "at a stated clock"
           : joining->launch.not_followed ? fw_arena_printf(question->arena, "of kernels with %s",
                                                            joining->launch.not_followed)
                                          : NULL;
}

/* ---- the ends of what data decide, beside the other models ---- */

struct ends {
    struct joining *joining;
    struct fw_blend_launch launch; /* of the joining, with its ends */
    const struct fw_unknown *unknowns;
    uint32_t count;
};

static enum fw_status find_ends(void *user, struct fw_arena *arena)
{
    struct ends *ends = user;
    struct fw_model_question question = *ends->joining->question;
    question.arena = arena;
    fw_blend_ends_find(&ends->launch, &question, ends->unknowns, ends->count,
                       &ends->joining->traffic);
    return FW_OK;
}

static void ask_others(void *user)
{
    struct joining *joining = ((struct ends *)user)->joining;
    ask_trace(joining);
    ask_forest(joining);
}

/* Both at one time: the ends are asked of bindings of their own. */
static void ask_beside(struct ends *ends)
{
    struct fw_arena *arena = ends->joining->question->arena, *memory;
    const struct fw_side_work work = {find_ends, ask_others, ends, arena,
                                      fw_bound_arena(ends->joining->question->bound)};
    const enum fw_status status = fw_side_work(&memory, &work);
    for (uint32_t e = 0; e < ends->launch.end_count && !status; e++) {
        const char **name = &ends->launch.ends[e].name; /* it may be of that memory */
        *name = *name ? fw_arena_text(arena, *name, strlen(*name)) : NULL;
    }
    fw_arena_free(memory);
    if (status)
        fw_arena_give_up(arena, status);
}

/* The ends of what data decide, and the answers of the models beside traffic. */
static void ask_all(struct joining *joining)
{
    const struct fw_model_question *question = joining->question;
    struct ends ends = {.joining = joining, .launch = joining->launch};
    const struct fw_unknown *unknowns = fw_bound_unknowns(question->bound, &ends.count);
    ends.unknowns = fw_arena_copy(question->arena, unknowns, ends.count * sizeof(*unknowns));
    if (question->side_work && joining->launch.is_unknown) {
        ask_beside(&ends);
    } else {
        find_ends(&ends, question->arena);
        ask_others(&ends);
    }
    joining->launch = ends.launch;
}

/* ---- intervals ---- */

static bool bound(double *low, double *high, const struct joining *joining,
                  enum fw_blend_target target, double value, double apart)
{
    const struct fw_blend *blend = &joining->opened->blend;
    return fw_blend_interval(
        low, high, blend, &joining->launch, target, value,
        fw_blend_deviation(blend, target, joining->launch.class, apart, joining->nearest));
}

/* `apart`: how far answers for the seconds lie apart. */
static void join_power(struct joining *joining, double apart)
{
    struct fw_prediction *to = joining->to;
    const struct fw_prediction *traffic = &joining->traffic;
    const struct fw_blend_weights *weights =
        &joining->opened->blend.weights[FW_BLEND_TARGET_WATTS][joining->launch.kind];
    if (!traffic->has_watts)
        return;
    to->watts = fw_blend_join(NULL, weights, joining->answers[FW_BLEND_TARGET_WATTS]);
    to->joules =
        to->watts * to->seconds *
        fw_blend_longer(&joining->launch, joining->unlimited, fw_blend_longer_by_traffic(traffic));
    to->has_power_interval =
        !unchecked(joining) &&
        bound(&to->watts_low, &to->watts_high, joining, FW_BLEND_TARGET_WATTS, to->watts, apart) &&
        bound(&to->joules_low, &to->joules_high, joining, FW_BLEND_TARGET_JOULES, to->joules,
              apart);
}

static void join(struct joining *joining)
{
    struct fw_prediction *to = joining->to;
    const struct fw_blend *blend = &joining->opened->blend;
    double apart;
    to->seconds =
        fw_blend_join(&apart, &blend->weights[FW_BLEND_TARGET_SECONDS][joining->launch.kind],
                      joining->answers[FW_BLEND_TARGET_SECONDS]);
    to->has_interval = !unchecked(joining) && bound(&to->low, &to->high, joining,
                                                    FW_BLEND_TARGET_SECONDS, to->seconds, apart);
    join_power(joining, apart);
}

/* ---- account ---- */

/* The simulation's account, scaled to the joined time. */
static void scale_account(struct joining *joining)
{
    struct fw_prediction *to = joining->to;
    const struct fw_prediction *from = &joining->trace;
    struct fw_arena *arena = joining->question->arena;
    double scale = to->seconds / from->seconds;
    struct fw_account_row *rows =
        fw_arena_copy(arena, from->account, from->account_count * sizeof(*rows));
    for (size_t a = 0; a < from->account_count; a++)
        rows[a].seconds *= scale;
    struct fw_code_row *code = fw_arena_copy(arena, from->code, from->code_count * sizeof(*code));
    for (size_t c = 0; c < from->code_count; c++) {
        double *parts = FW_ARRAY(arena, double, from->account_count + 1);
        for (size_t a = 0; a < from->account_count; a++)
            parts[a] = scale * code[c].parts[a];
        code[c].seconds *= scale;
        code[c].parts = parts;
    }
    to->account = rows;
    to->account_count = from->account_count;
    to->code = code;
    to->code_count = from->code_count;
    to->has_code_lines = from->has_code_lines;
}

/* The answers at the ends of what data decide, scaled to the joined time. */
static void scale_ends(struct joining *joining)
{
    struct fw_prediction *to = joining->to;
    const struct fw_blend_launch *launch = &joining->launch;
    double scale = to->seconds / joining->traffic.seconds;
    struct fw_data_end_row *rows =
        fw_arena_copy(joining->question->arena, launch->ends, launch->end_count * sizeof(*rows));
    for (uint32_t e = 0; e < launch->end_count; e++) {
        rows[e].low_seconds *= scale;
        rows[e].high_seconds *= scale;
    }
    to->ends = rows;
    to->end_count = launch->end_count;
}

/* ---- sentences ---- */

static void say(struct joining *joining)
{
    const struct fw_model_question *question = joining->question;
    const char *sentences[4];
    size_t count = 0;
    const char *class = fw_blend_class_name(joining->launch.class);
    if (!joining->opened->has_blend)
        sentences[count++] =
            fw_arena_printf(question->arena,
                            "Nothing was trained for %s: this is the answer of the model traffic, "
                            "and has no interval.",
                            question->device->name);
    else if (unchecked(joining))
        sentences[count++] = fw_arena_printf(
            question->arena, "There is no interval: nothing was measured %s.", unchecked(joining));
    else if (!joining->to->has_interval)
        sentences[count++] = fw_arena_printf(
            question->arena,
            "There is no interval: too few families of kernels of the class %s were measured.",
            class);
    else if (joining->to->has_watts && !joining->to->has_power_interval)
        sentences[count++] =
            fw_arena_printf(question->arena,
                            "Power has no interval: that of too few families of kernels of the "
                            "class %s was measured.",
                            class);
    if (joining->opened->has_blend && strcmp(joining->opened->trained, question->device->name) != 0)
        sentences[count++] =
            fw_arena_printf(question->arena,
                            "Corrections and intervals are those of %s, a similar device: nothing "
                            "was trained for %s.",
                            joining->opened->trained, question->device->name);
    if (joining->opened->has_blend && !joining->has_trace && !question->brief)
        sentences[count++] = "The launch cannot be simulated (-m trace says why).";
    fw_model_say(joining->to, question->arena, sentences, count);
}

static enum fw_status predict(struct fw_prediction *prediction, void *state,
                              const struct fw_model_question *question)
{
    struct joining joining = {
        .opened = state, .question = question, .to = prediction, .nearest = INFINITY};
    const char *name = prediction->model, *cache = prediction->cache;
    enum fw_status status = ask(&joining.traffic, "traffic", question);
    if (status)
        return status;
    *prediction = joining.traffic; /* terms, occupancy, volumes and what is not modelled */
    prediction->model = name;
    prediction->cache = cache;
    if (joining.opened->has_blend) {
        fw_blend_launch_find(&joining.launch, question->kernel, question->bound, &joining.traffic);
        fw_blend_launch_limit(&joining.launch, question->device);
        joining.answers[FW_BLEND_TARGET_SECONDS][FW_BLEND_TRAFFIC] = joining.traffic.seconds;
        joining.answers[FW_BLEND_TARGET_WATTS][FW_BLEND_TRAFFIC] =
            joining.traffic.has_watts ? joining.traffic.watts : 0;
        ask_all(&joining);
        join(&joining);
        if (!question->brief)
            scale_ends(&joining);
        prediction->has_achieved_occupancy = joining.trace.has_achieved_occupancy;
        prediction->achieved_occupancy = joining.trace.achieved_occupancy;
        if (joining.has_trace && joining.trace.account_count && !question->brief)
            scale_account(&joining);
    }
    say(&joining);
    return FW_OK;
}

const struct fw_model fw_model_blend = {
    .name = "blend",
    .summary = "traffic, trace and forest joined by what each is good at, with an interval",
    .needs = FW_MODEL_NEEDS_SCHEDULE,
    .of_changes = "traffic",
    .first = "traffic",
    .open = open_blend,
    .close = close_blend,
    .predict = predict};
