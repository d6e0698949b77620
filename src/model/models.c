/* The table of models, and what they have opened. */
#include "model.h"
#include "deadline.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One line a model, the best first: the first that can answer is the default. */
/* clang-format off */
#define MODELS(X) \
    X(blend) \
    X(traffic) \
    X(roofline) \
    X(cost) \
    X(trace) \
    X(forest) \
    /* the last */
/* clang-format on */

#define X(name) extern const struct fw_model fw_model_##name;
MODELS(X)
#undef X

static const struct fw_model *const models[] = {
#define X(name) &fw_model_##name,
    MODELS(X)
#undef X
};

enum { MODEL_COUNT = sizeof(models) / sizeof(models[0]) };

const struct fw_model *fw_model_at(size_t index)
{
    return index < MODEL_COUNT ? models[index] : NULL;
}

const struct fw_model *fw_model_find(const char *name, size_t length)
{
    for (size_t m = 0; m < MODEL_COUNT; m++)
        if (strlen(models[m]->name) == length && strncmp(models[m]->name, name, length) == 0)
            return models[m];
    return NULL;
}

const char *fw_model_names(struct fw_arena *arena)
{
    const char *names = models[0]->name;
    for (size_t m = 1; m < MODEL_COUNT; m++)
        names = fw_arena_printf(arena, "%s, %s", names, models[m]->name);
    return names;
}

/* ---- opening ---- */

enum { TEXT_MOST = 512, CODE_MOST = 16 };

/* A model opened for a device, or what it said when it could not be. */
struct opened {
    struct opened *next;
    const struct fw_model *model;
    char *device;
    char *calibration; /* NULL: none was named */
    void *state;
    enum fw_status status;
    char code[CODE_MOST], text[TEXT_MOST]; /* the first error */
    char *source_name, *source_text;       /* of its place, as long as this; NULL: none is known */
    struct fw_source source;
    struct fw_span place;
};

struct fw_model_states {
    pthread_mutex_t lock;
    struct opened *first;
    char *data; /* NULL: no folder */
    const struct fw_feature_names *features;
};

struct fw_model_states *fw_model_states_new(const char *data,
                                            const struct fw_feature_names *features)
{
    struct fw_model_states *states = calloc(1, sizeof(*states));
    if (!states)
        return NULL;
    states->features = features;
    states->data = data ? strdup(data) : NULL;
    if ((data && !states->data) || pthread_mutex_init(&states->lock, NULL) != 0) {
        free(states->data);
        free(states);
        return NULL;
    }
    return states;
}

void fw_model_states_free(struct fw_model_states *states)
{
    if (!states)
        return;
    while (states->first) {
        struct opened *opened = states->first;
        states->first = opened->next;
        if (opened->model->close && !opened->status)
            opened->model->close(opened->state);
        free(opened->device);
        free(opened->calibration);
        free(opened->source_name);
        free(opened->source_text);
        free(opened);
    }
    pthread_mutex_destroy(&states->lock);
    free(states->data);
    free(states);
}

/* A copy of the text that a place is in, for the model's own goes with what it could not open. */
static void keep_place(struct opened *opened, struct fw_span place)
{
    const struct fw_source *source = place.source;
    if (!source)
        return;
    opened->source_name = strdup(source->name);
    opened->source_text = malloc(source->length + 1);
    if (!opened->source_name || !opened->source_text)
        return;
    memcpy(opened->source_text, source->text, source->length);
    opened->source_text[source->length] = '\0';
    opened->source = (struct fw_source){opened->source_name, opened->source_text, source->length};
    opened->place = (struct fw_span){&opened->source, place.offset, place.length};
}

static void keep_error(void *user, const struct fw_diagnostic *diagnostic)
{
    struct opened *opened = user;
    if (diagnostic->severity != FW_ERROR || opened->text[0])
        return;
    strncat(opened->code, diagnostic->code, CODE_MOST - 1);
    snprintf(opened->text, TEXT_MOST, "%s", diagnostic->message);
    keep_place(opened, diagnostic->span);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static struct opened *open_now(struct fw_model_states *states, const struct fw_model *model,
                               const struct fw_device *device, const char *calibration)
{
    struct opened *made = calloc(1, sizeof(*made));
    const struct fw_sink sink = {keep_error, made};
    const struct fw_model_files files = {states->data, calibration, states->features};
    if (!made || !(made->device = strdup(device->name)) ||
        (calibration && !(made->calibration = strdup(calibration)))) {
        if (made)
            free(made->device);
        free(made);
        return NULL;
    }
    made->model = model;
    made->status = model->open(&made->state, &files, device, &sink);
    made->next = states->first;
    states->first = made;
    return made;
}

static struct opened *find_opened(const struct fw_model_states *states,
                                  const struct fw_model *model, const struct fw_device *device,
                                  const char *calibration)
{
    struct opened *found = states->first;
    while (found && (found->model != model || strcmp(found->device, device->name) != 0 ||
                     !same_text(found->calibration, calibration)))
        found = found->next;
    return found;
}

bool fw_model_is_open(struct fw_model_states *states, const struct fw_model *model,
                      const struct fw_device *device, const char *calibration)
{
    pthread_mutex_lock(&states->lock);
    const bool found = find_opened(states, model, device, calibration) != NULL;
    pthread_mutex_unlock(&states->lock);
    return found;
}

enum fw_status fw_model_open(void **state, struct fw_model_states *states,
                             const struct fw_model *model, const struct fw_device *device,
                             const char *calibration, const struct fw_sink *sink)
{
    *state = NULL;
    if (!model->open)
        return FW_OK;
    int64_t since = fw_deadline_pause();
    pthread_mutex_lock(&states->lock); /* others wait: they want the same one */
    struct opened *found = find_opened(states, model, device, calibration);
    if (!found)
        found = open_now(states, model, device, calibration);
    pthread_mutex_unlock(&states->lock);
    fw_deadline_resume(since);
    if (!found)
        return FW_ERROR_MEMORY;
    *state = found->state;
    if (found->status)
        fw_report(sink, FW_ERROR, found->code, found->place, "%s", found->text);
    return found->status;
}
