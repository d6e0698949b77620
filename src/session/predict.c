/* Predictions: which models are asked, what they are asked, and who answers when one cannot. */
#include "session.h"
#include "measured_volumes.h"
#include "sequence.h"
#include "side_work.h"

#include <stdlib.h>
#include <string.h>

/* Arguments that a prediction leaned on for want of a value: it is not made without. */
enum fw_status fw_session_check_arguments(const struct fw_worker *worker)
{
    enum { MOST = 32 };
    const char *notes[MOST];
    size_t count = 0;
    const struct fw_answer *answer = worker->answer;
    for (size_t u = 0; u < answer->unknown_count; u++) {
        const char *name = answer->unknowns[u].argument;
        bool told = name == NULL;
        for (size_t a = 0; a < answer->kernel->argument_count && !told; a++) {
            const struct fw_argument_row *row = &answer->kernel->arguments[a];
            if (strcmp(row->name, name) != 0)
                continue;
            const char *text = fw_arena_printf(worker->results, "-s %s=VALUE  (argument %u, %s)",
                                               fw_session_short_name(worker->record, name),
                                               row->position, row->type);
            for (size_t n = 0; n < count && !told; n++)
                told = strcmp(notes[n], text) == 0;
            if (!told && count < MOST)
                notes[count++] = text;
            told = true;
        }
    }
    if (!count)
        return FW_OK;
    fw_report_notes(&worker->program->context->sink, FW_ERROR, "API030", (struct fw_span){0}, notes,
                    count, "how often %s runs what depends on arguments that are not given",
                    answer->kernel->name);
    return FW_ERROR_USAGE;
}

/* The device's limits on a launch. */
enum fw_status fw_session_check_device(const struct fw_worker *worker)
{
    static const enum fw_figure limits[] = {
        FW_FIGURE_BLOCK_X, FW_FIGURE_BLOCK_Y, FW_FIGURE_BLOCK_Z,          FW_FIGURE_GRID_X,
        FW_FIGURE_GRID_Y,  FW_FIGURE_GRID_Z,  FW_FIGURE_THREADS_PER_BLOCK};
    const struct fw_answer *launch = worker->answer; /* its grid and block */
    const uint64_t sizes[] = {launch->block[0],
                              launch->block[1],
                              launch->block[2],
                              launch->grid[0],
                              launch->grid[1],
                              launch->grid[2],
                              (uint64_t)launch->block[0] * launch->block[1] * launch->block[2]};
    for (size_t l = 0; l < sizeof(limits) / sizeof(limits[0]); l++) {
        uint64_t most = fw_device_count(worker->device, limits[l], UINT64_MAX);
        if (sizes[l] <= most)
            continue;
        fw_session_error(worker->program->context, "API031",
                         "%s allows %s of %llu at most, not %llu", worker->device->name,
                         fw_figure_row(limits[l])->name, (unsigned long long)most,
                         (unsigned long long)sizes[l]);
        return FW_ERROR_USAGE;
    }
    return FW_OK;
}

enum fw_status fw_session_choose_models(struct fw_session_models *models,
                                        const struct fw_worker *worker)
{
    const struct fw_context *context = worker->program->context;
    const char *stated = worker->predict->models;
    if (!stated && worker->predict->calibration)
        stated = "cost";
    if (!stated && worker->predict->volumes)
        stated = "traffic"; /* which takes them */
    bool takes_measured = !stated;
    *models = (struct fw_session_models){.any = !stated};
    for (const char *at = stated; at && *at;) {
        size_t length = strcspn(at, ",");
        const struct fw_model *model = fw_model_find(at, length);
        if (!model) {
            fw_session_error(context, "API032", "there is no model %s: there are %s", at,
                             fw_model_names(worker->results));
            return FW_ERROR_USAGE;
        }
        for (size_t m = 0; m < FW_SESSION_MODELS_MOST && fw_model_at(m); m++)
            models->asked[m] |= fw_model_at(m) == model;
        takes_measured |= model->takes_measured;
        at += length + (at[length] == ',');
    }
    if (!worker->predict->volumes || takes_measured)
        return FW_OK;
    const struct fw_model *taker = fw_model_at(0);
    for (size_t m = 0; fw_model_at(m) && !taker->takes_measured; m++)
        taker = fw_model_at(m);
    fw_session_error(context, "API071", "measured volumes (--volumes) are for the model %s: -m %s",
                     taker->name, taker->name);
    return FW_ERROR_USAGE;
}

/* ---- asking ---- */

/* What a model said instead of answering. */
struct refusal {
    struct fw_arena *arena;
    const struct fw_model *model;
    FW_VECTOR(struct fw_diagnostic) said;
};

static void keep_refusal(void *user, const struct fw_diagnostic *diagnostic)
{
    struct refusal *refusal = user;
    struct fw_diagnostic *kept = FW_APPEND(refusal->arena, &refusal->said);
    *kept = *diagnostic;
    kept->message = fw_arena_text(refusal->arena, diagnostic->message, strlen(diagnostic->message));
    kept->notes = NULL; /* of a model that did not answer, one sentence is told */
    kept->note_count = 0;
}

/* The first thing that was wrong. */
static const char *reason_of(const struct refusal *refusal)
{
    return refusal->said.count ? refusal->said.at[0].message : "it says nothing";
}

static bool lacks_code(const struct fw_model *model, const struct fw_model_question *question)
{
    return (model->needs & FW_MODEL_NEEDS_SCHEDULE) && !question->bound;
}

/* A model that opens while the one that it asks first answers. */
struct opening {
    const struct fw_model *model;
    const struct fw_worker *worker;
    const struct fw_model_question *question;
    struct refusal first; /* what the other one said */
    enum fw_status status;
};

static enum fw_status open_there(void *user, struct fw_arena *arena)
{
    static const struct fw_sink silent = {NULL, NULL}; /* its error is told again */
    const struct opening *opening = user;
    void *state;
    (void)arena; /* what is open stays */
    (void)fw_model_open(&state, opening->worker->program->context->models, opening->model,
                        opening->question->device, opening->worker->predict->calibration, &silent);
    return FW_OK;
}

static void ask_first(void *user)
{
    struct opening *opening = user;
    const char *name = opening->model->first;
    struct fw_prediction prediction = {.model = name};
    struct fw_model_question question = *opening->question;
    const struct fw_sink keep = {keep_refusal, &opening->first};
    question.sink = &keep;
    opening->status = fw_model_ask(&prediction, fw_model_find(name, strlen(name)), NULL, &question);
}

/* Opens a model; where another thread may, while the first answer that it needs is found, which
 * stays for it (answers.c).  What that one says is told where it answers: else it is asked again.
 */
static enum fw_status open_model(void **state, const struct fw_model *model,
                                 const struct fw_worker *worker,
                                 const struct fw_model_question *question)
{
    struct fw_model_states *models = worker->program->context->models;
    const char *calibration = worker->predict->calibration;
    if (question->side_work && model->first && question->answers && !question->sequence &&
        !fw_model_is_open(models, model, question->device, calibration)) {
        struct opening opening = {.model = model, .worker = worker, .question = question};
        const struct fw_side_work work = {open_there, ask_first, &opening, question->arena,
                                          fw_bound_arena(question->bound)};
        struct fw_arena *memory;
        opening.first.arena = question->arena;
        const enum fw_status status = fw_side_work(&memory, &work);
        fw_arena_free(memory);
        if (status)
            fw_arena_give_up(question->arena, status);
        for (size_t d = 0; d < opening.first.said.count && !opening.status; d++)
            fw_report(question->sink, opening.first.said.at[d].severity,
                      opening.first.said.at[d].code, opening.first.said.at[d].span, "%s",
                      opening.first.said.at[d].message);
    }
    return fw_model_open(state, models, model, question->device, calibration, question->sink);
}

static enum fw_status ask_one(struct fw_prediction *prediction, const struct fw_model *model,
                              const struct fw_worker *worker,
                              const struct fw_model_question *question)
{
    void *state;
    *prediction = (struct fw_prediction){.model = model->name,
                                         .cache = question->sequence ? "sequence"
                                                  : question->cold   ? "cold"
                                                                     : "warm"};
    if (lacks_code(model, question)) {
        fw_report(question->sink, FW_ERROR, "API045", (struct fw_span){0},
                  "the model %s needs compiled code of %s, and there is none: %s (-m roofline asks "
                  "the domains)",
                  model->name, worker->answer->kernel->name, question->no_code);
        return FW_ERROR_USAGE;
    }
    enum fw_status status = open_model(&state, model, worker, question);
    return status ? status : fw_model_ask(prediction, model, state, question);
}

/* Another model may answer where this one cannot: not where the launch itself is wrong. */
static bool may_go_on(enum fw_status status, const struct fw_model *model,
                      const struct fw_model_question *question)
{
    return status == FW_ERROR_INPUT || status == FW_ERROR_MACHINE || lacks_code(model, question);
}

static void tell(const struct refusal *refusal, const struct fw_sink *sink,
                 enum fw_severity severity)
{
    for (size_t d = 0; d < refusal->said.count; d++)
        fw_report(sink, severity, refusal->said.at[d].code, refusal->said.at[d].span, "%s",
                  refusal->said.at[d].message);
}

/* By default who answers says why a better model did not. */
static void add_refusals(struct fw_prediction *prediction, struct fw_arena *arena,
                         const struct refusal *refusals, size_t count)
{
    const char **all = FW_ARRAY(arena, const char *, prediction->not_modelled_count + count + 1);
    for (size_t r = 0; r < count; r++)
        all[r] = fw_arena_printf(arena, "The model %s, which is better, cannot answer: %s.",
                                 refusals[r].model->name, reason_of(&refusals[r]));
    for (size_t l = 0; l < prediction->not_modelled_count; l++)
        all[count + l] = prediction->not_modelled[l];
    prediction->not_modelled = all;
    prediction->not_modelled_count += count;
}

enum fw_status fw_session_ask_models(struct fw_worker *worker,
                                     const struct fw_session_models *models,
                                     struct fw_model_question *question)
{
    const struct fw_sink *sink = &worker->program->context->sink;
    struct fw_prediction *all =
        FW_ARRAY(worker->results, struct fw_prediction, FW_SESSION_MODELS_MOST);
    struct refusal refusals[FW_SESSION_MODELS_MOST] = {{0}};
    size_t count = 0, refused = 0;
    enum fw_status first = FW_OK;
    for (size_t m = 0; m < FW_SESSION_MODELS_MOST && fw_model_at(m); m++) {
        const struct fw_model *model = fw_model_at(m);
        struct refusal *refusal = &refusals[refused];
        const struct fw_sink keep = {keep_refusal, refusal};
        if (models->any ? count > 0 || lacks_code(model, question) : !models->asked[m])
            continue;
        *refusal = (struct refusal){.arena = worker->results, .model = model};
        question->sink = &keep;
        enum fw_status status = ask_one(&all[count], model, worker, question);
        count += status == FW_OK;
        if (status == FW_OK) {
            tell(refusal, sink, FW_WARNING);
            continue;
        }
        refused++;
        first = first ? first : status;
        if (!may_go_on(status, model, question)) {
            tell(refusal, sink, FW_ERROR);
            return status;
        }
    }
    if (count && models->any)
        add_refusals(&all[0], worker->results, refusals, refused);
    for (size_t r = 0; r < refused && !(count && models->any); r++)
        if (r == 0 || strcmp(reason_of(&refusals[r]), reason_of(&refusals[r - 1])) != 0)
            tell(&refusals[r], sink, count ? FW_WARNING : FW_ERROR);
    worker->answer->device = worker->device->name;
    worker->answer->device_title = worker->device->title;
    for (size_t p = 0; p < count && !question->brief; p++) {
        fw_model_account(&all[p], worker->results);
        fw_model_lines(&all[p], question);
        fw_session_add_code_texts(worker, all[p].code, all[p].code_count);
        fw_model_peaks(&all[p], question);
    }
    worker->answer->predictions = all;
    worker->answer->prediction_count = count;
    fw_session_tell_what_if(worker);
    return count ? FW_OK : first;
}

/* The counters of the answer's kernel and launch in the file that the question names. */
static enum fw_status read_measured(const struct fw_measured_volumes **measured,
                                    const struct fw_worker *worker)
{
    struct fw_measured_volumes *volumes = FW_NEW(worker->results, struct fw_measured_volumes);
    const struct fw_context *context = worker->program->context;
    const struct fw_answer *answer = worker->answer;
    const char *path = worker->predict->volumes;
    struct fw_measured_launch launch = {.kernel = worker->row->name, .entry = worker->row->entry};
    struct fw_source source;
    memcpy(launch.grid, answer->grid, sizeof(launch.grid));
    memcpy(launch.block, answer->block, sizeof(launch.block));
    *measured = volumes;
    enum fw_status status = fw_session_read_file(&source, worker->results, context, path);
    return status ? status
                  : fw_measured_volumes_read(volumes, worker->results, &source, path, &launch,
                                             &context->sink);
}

bool fw_session_asks_features(const struct fw_session_models *models)
{
    for (size_t m = 0; m < FW_SESSION_MODELS_MOST && fw_model_at(m); m++)
        if (models->asked[m] && (fw_model_at(m)->needs & FW_MODEL_NEEDS_FEATURES))
            return true;
    return false;
}

/* What every model is asked of this worker's kernel. */
struct fw_model_question fw_session_question(const struct fw_worker *worker)
{
    return (struct fw_model_question){.arena = worker->results,
                                      .kernel = worker->record,
                                      .launch = worker->launch,
                                      .device = worker->device,
                                      .cold = worker->predict->cold,
                                      .keep_order = worker->predict->keep_order,
                                      .brief = worker->predict->brief,
                                      .side_work =
                                          worker->predict->side_work && fw_side_work_helps(),
                                      .clock = worker->predict->clock,
                                      .alignments = worker->alignments,
                                      .domain_rows = worker->domain_rows};
}

/* The launch among those of a sequence: an array that has no name there is this argument's own. */
static struct fw_sequence *sequence_of(const struct fw_worker *worker)
{
    const struct fw_kernel *record = worker->record;
    const char **names = FW_ARRAY(worker->results, const char *, record->array_count + 1);
    for (uint32_t a = 0; a < record->array_count; a++) {
        uint32_t parameter = record->arrays[a].parameter;
        if (parameter == FW_NONE)
            continue;
        names[a] = worker->names[parameter];
        if (!names[a])
            names[a] = fw_arena_printf(worker->results, "%s\n%s\n%u", worker->program->file,
                                       worker->row->name, parameter);
    }
    return fw_sequence_new(worker->results, worker->predict->state, names, record->array_count);
}

enum fw_status fw_session_predict(struct fw_worker *worker)
{
    const struct fw_address_kernel *addresses = worker->addresses;
    struct fw_model_question question = fw_session_question(worker);
    struct fw_session_models models;
    enum fw_status status = fw_session_choose_models(&models, worker);
    if (!status)
        status = fw_session_check_device(worker);
    if (!status)
        status = fw_session_limit_block(&question, worker);
    if (!status && worker->predict->volumes)
        status = read_measured(&question.measured, worker);
    question.bound = worker->bound;
    question.answers = fw_session_answers(worker);
    if (worker->predict->state)
        question.sequence = sequence_of(worker);
    question.unstated_instructions = addresses && !addresses->states_instructions;
    question.unstated_chain = addresses && !addresses->states_chain;
    if (!status && fw_session_asks_features(&models))
        status = fw_session_own_features_of_code(&question.own_features, worker);
    if (!status)
        status = fw_session_ask_models(worker, &models, &question);
    if (!status && worker->predict->issue_orders)
        status = fw_session_issue_orders(worker, &question);
    if (status)
        return status;
    if (question.sequence && !fw_sequence_end(worker->predict->state, question.sequence))
        return FW_ERROR_MEMORY;
    fw_session_unknowns(worker);
    status = fw_session_check_arguments(worker);
    return status || !worker->predict->advice ? status : fw_session_advise(worker, &question);
}
