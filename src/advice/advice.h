/* Advice: what to change about a kernel or its launch, with the time that a model predicts then.
 *
 * Takes the question that a prediction answered, the prediction, and a function that asks the same
 * model again.  Each rule of one table looks for what it is about, changes a copy of the record, of
 * the launch or of the device, and has the model asked of that; what cannot be changed there is an
 * upper bound, marked so.  Gives what is worth it, the most first.  Never changes what it is given,
 * and never asks anything of a source text.  docs/advice.md describes the rules. */
#ifndef FW_ADVICE_H
#define FW_ADVICE_H

#include "model.h"

/* The least gain that is told, as a share of the time, and how much advice there is at most. */
#define FW_ADVICE_LEAST 0.03
enum { FW_ADVICE_MOST = 5 };

struct fw_advice_question {
    const struct fw_model_question *question; /* that the prediction answers; its kernel is bound */
    const struct fw_prediction *prediction;
    /* Asks the model behind the prediction a question that differs from it; seconds of the launch
     * into `*seconds`.  A status other than FW_OK: there is no answer, and no advice of it. */
    enum fw_status (*ask)(double *seconds, void *user, const struct fw_model_question *changed);
    void *user;
    /* The same of another model, which must not find a change slower that the first finds faster;
     * NULL: there is none. */
    enum fw_status (*ask_other)(double *seconds, void *user,
                                const struct fw_model_question *changed);
    double other_seconds; /* of the launch as it is, by the other model; 0: it is asked */
};

/* The advice for a launch, the largest gain first, at most FW_ADVICE_MOST rows of at least
 * FW_ADVICE_LEAST; memory is the arena's.  FW_ERROR_MEMORY, FW_ERROR_BUDGET: past a limit. */
enum fw_status fw_advice_find(const struct fw_advice_row **rows, size_t *count,
                              struct fw_arena *arena, const struct fw_advice_question *of);

#endif
