/* Advice of an answer: the model that answered first, or the one that it names for changes, is
 * asked again for what rules change. */
#include "session.h"
#include "advice.h"

#include <string.h>

struct asking {
    const struct fw_model *model, *other;
    void *state, *other_state;
    double scale; /* from the asked model's seconds to those of the answer */
};

static enum fw_status ask(double *seconds, const struct fw_model *model, void *state,
                          const struct fw_model_question *changed)
{
    struct fw_prediction prediction = {.model = model->name,
                                       .cache = changed->cold ? "cold" : "warm"};
    enum fw_status status = fw_model_ask(&prediction, model, state, changed);
    *seconds = prediction.seconds;
    return status;
}

static enum fw_status ask_again(double *seconds, void *user,
                                const struct fw_model_question *changed)
{
    const struct asking *asking = user;
    enum fw_status status = ask(seconds, asking->model, asking->state, changed);
    *seconds *= asking->scale;
    return status;
}

static enum fw_status ask_other(double *seconds, void *user,
                                const struct fw_model_question *changed)
{
    const struct asking *asking = user;
    return ask(seconds, asking->other, asking->other_state, changed);
}

/* The model that checks the first one's advice: the simulation of warps, or, of its own advice,
 * that of the memory system. */
static const struct fw_model *other_of(const struct fw_model *model)
{
    static const char trace[] = "trace", traffic[] = "traffic";
    const struct fw_model *found = fw_model_find(trace, strlen(trace));
    return found && found != model ? found : fw_model_find(traffic, strlen(traffic));
}

/* Opens the model that is asked for changes: the answer's own, or the one that it names.  Of
 * another the launch as it is comes first: its gains are taken from the answer's time. */
static enum fw_status open_asked(struct asking *asking, struct fw_worker *worker,
                                 const struct fw_model_question *question,
                                 const struct fw_sink *silent)
{
    const struct fw_prediction *first = &worker->answer->predictions[0];
    const struct fw_model *own = fw_model_find(first->model, strlen(first->model));
    const char *named = own->of_changes;
    struct fw_model_question now = *question;
    double seconds = 0;
    *asking =
        (struct asking){.model = named ? fw_model_find(named, strlen(named)) : own, .scale = 1};
    enum fw_status status = fw_model_open(
        &asking->state, worker->program->context->models, asking->model, worker->device,
        asking->model == own ? worker->predict->calibration : NULL, silent);
    if (status || asking->model == own)
        return status;
    now.brief = true;
    now.measured = NULL;
    now.sink = silent;
    status = ask(&seconds, asking->model, asking->state, &now);
    if (!status && seconds > 0)
        asking->scale = first->seconds / seconds;
    return status;
}

enum fw_status fw_session_advise(struct fw_worker *worker, const struct fw_model_question *question)
{
    struct fw_answer *answer = worker->answer;
    const struct fw_prediction *first = &answer->predictions[0];
    struct asking asking;
    const struct fw_sink silent = {NULL, NULL};
    enum fw_status status = open_asked(&asking, worker, question, &silent);
    if (status)
        return status;
    asking.other = other_of(asking.model);
    bool checked = asking.other && asking.other != asking.model &&
                   !fw_model_open(&asking.other_state, worker->program->context->models,
                                  asking.other, worker->device, NULL, &silent);
    const struct fw_prediction *known = checked ? fw_model_answered(asking.other, question) : NULL;
    const struct fw_advice_question of = {.question = question,
                                          .prediction = first,
                                          .ask = ask_again,
                                          .user = &asking,
                                          .ask_other = checked ? ask_other : NULL,
                                          .other_seconds = known ? known->seconds : 0};
    answer->has_advice = true;
    status = fw_advice_find(&answer->advice, &answer->advice_count, worker->results, &of);
    return status;
}
