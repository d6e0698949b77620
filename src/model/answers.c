/* Answers of models to one question: who joins others, who advises and who shows their accounts ask
 * the same ones. */
#include "model.h"

struct kept {
    struct kept *next;
    const struct fw_model *model;
    struct fw_model_question question;
    struct fw_prediction prediction;
};

struct fw_model_answers {
    struct fw_arena *arena;
    struct kept *first;
    struct fw_launch_volumes_kept *volumes;
};

struct fw_model_answers *fw_model_answers_new(struct fw_arena *arena)
{
    struct fw_model_answers *answers = FW_NEW(arena, struct fw_model_answers);
    answers->arena = arena;
    return answers;
}

/* Whether the answer to a question is one to another, which may do without an account. */
static bool answers_both(const struct fw_model_question *one, const struct fw_model_question *other)
{
    return one->kernel == other->kernel && one->bound == other->bound &&
           one->launch == other->launch && one->device == other->device &&
           one->alignments == other->alignments && one->measured == other->measured &&
           one->sequence == other->sequence && one->cold == other->cold &&
           one->clock == other->clock && one->keep_order == other->keep_order &&
           (!one->brief || (other->brief && (one->parts || !other->parts))) &&
           one->unstated_instructions == other->unstated_instructions &&
           one->unstated_chain == other->unstated_chain;
}

const struct fw_prediction *fw_model_answered(const struct fw_model *model,
                                              const struct fw_model_question *question)
{
    const struct kept *kept = question->answers ? question->answers->first : NULL;
    while (kept && (kept->model != model || !answers_both(&kept->question, question)))
        kept = kept->next;
    return kept ? &kept->prediction : NULL;
}

enum fw_status fw_model_ask(struct fw_prediction *prediction, const struct fw_model *model,
                            void *state, const struct fw_model_question *question)
{
    const char *cache = prediction->cache;
    const struct fw_prediction *known = fw_model_answered(model, question);
    if (known) {
        *prediction = *known;
        prediction->cache = cache;
        return FW_OK;
    }
    enum fw_status status = model->predict(prediction, state, question);
    if (status || !question->answers || question->sequence || model->open)
        return status;
    struct kept *kept = FW_NEW(question->answers->arena, struct kept);
    *kept = (struct kept){question->answers->first, model, *question, *prediction};
    question->answers->first = kept;
    return FW_OK;
}

struct fw_launch_volumes_kept **fw_model_volumes(const struct fw_model_question *question)
{
    return question->answers ? &question->answers->volumes : NULL;
}
