/* Questions to the library about one PTX text, for mutate_ptx.c: counts, a prediction by each
 * model, traffic, a ranking, a run on the emulator, a prediction
 * from emulated blocks, a trace, all at a launch that is drawn at random (sane
 * or not: grids, blocks, shared memory, arguments).  Takes a text and a generator; tells of each
 * question how it ended.  Refusals are no failure: what must not happen (a crash, undefined
 * behaviour, an answer that takes too long or too much memory) is seen from outside. */
#ifndef MUTANT_QUESTIONS_H
#define MUTANT_QUESTIONS_H

#include "forewarp.h"
#include "random.h"

/* X(name, text) */
#define MUTANT_QUESTIONS(X)                                                                        \
    X(READ, "read")                                                                                \
    X(COUNT, "count")                                                                              \
    X(PREDICT, "predict")                                                                          \
    X(TRAFFIC, "traffic")                                                                          \
    X(RANK, "rank")                                                                                \
    X(EMULATE, "emulate")                                                                          \
    X(SAMPLE, "predict from blocks")                                                               \
    X(TRACE, "trace")

enum mutant_question {
#define X(name, text) ASK_##name,
    MUTANT_QUESTIONS(X)
#undef X
        MUTANT_QUESTION_COUNT
};

const char *mutant_question_name(enum mutant_question question);

struct asker {
    struct fw_context *context;
    struct fw_device *devices[8];
    size_t device_count;
    void (*begins)(void *user, enum mutant_question question);
    void (*ended)(void *user, enum mutant_question question, enum fw_status status);
    void *user;
};

/* A context on the source tree's profiles, and their devices; false: there are none.  Diagnostics
 * go to `message`. */
bool asker_open(struct asker *asker, const char *data,
                void (*message)(void *user, const struct fw_message *message));
void asker_close(struct asker *asker);

/* Asks all questions about the text, which the file at `path` holds, too. */
void asker_ask(const struct asker *asker, const char *path, const char *text,
               struct fw_random *random);

#endif
