#include "sequence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the last launch that touched it (stored to it) left of an array. */
struct left {
    uint64_t launch; /* from 1; 0: none */
    double bytes;
};

/* The last launch that touched an array (stored to it), and the last before it that touched more:
 * what the former has not touched is as the latter left it. */
struct array {
    char *name;
    struct left of[2][FW_SEQUENCE_LAYERS]; /* touched, stored */
};

struct fw_cache_state {
    struct array *arrays;
    size_t count, capacity;
    uint64_t launches;
};

struct fw_cache_state *fw_sequence_state_new(void)
{
    return calloc(1, sizeof(struct fw_cache_state));
}

void fw_sequence_state_free(struct fw_cache_state *state)
{
    if (!state)
        return;
    for (size_t a = 0; a < state->count; a++)
        free(state->arrays[a].name);
    free(state->arrays);
    free(state);
}

struct fw_sequence *fw_sequence_new(struct fw_arena *arena, const struct fw_cache_state *state,
                                    const char *const *names, uint32_t arrays)
{
    struct fw_sequence *sequence = FW_NEW(arena, struct fw_sequence);
    *sequence = (struct fw_sequence){.state = state, .names = names, .arrays = arrays};
    sequence->touched = FW_ARRAY(arena, double, arrays + 1);
    sequence->stored = FW_ARRAY(arena, double, arrays + 1);
    return sequence;
}

void fw_sequence_begin(struct fw_sequence *sequence)
{
    memset(sequence->touched, 0, sequence->arrays * sizeof(*sequence->touched));
    memset(sequence->stored, 0, sequence->arrays * sizeof(*sequence->stored));
}

static struct array *find(const struct fw_cache_state *state, const char *name)
{
    for (size_t a = 0; name && a < state->count; a++)
        if (strcmp(state->arrays[a].name, name) == 0)
            return &state->arrays[a];
    return NULL;
}

/* Bytes that this launch touches of what is called `name`: arrays of one name are one. */
static double own_bytes(const struct fw_sequence *sequence, const char *name, bool stored)
{
    const double *bytes = stored ? sequence->stored : sequence->touched;
    double most = 0;
    for (uint32_t a = 0; a < sequence->arrays; a++)
        if (sequence->names[a] && strcmp(sequence->names[a], name) == 0)
            most = fmax(most, bytes[a]);
    return most;
}

/* Bytes of an array that were touched since a launch touched them, with it and the begin of the
 * next one, which touches `own` bytes: between, all of it; of these two, the end and the begin. */
static double passed_since(const struct array *array, bool stored, uint64_t since, double own)
{
    double most = own / 2;
    for (uint32_t l = 0; l < FW_SEQUENCE_LAYERS; l++) {
        const struct left *left = &array->of[stored][l];
        if (left->launch > since)
            most = fmax(most, left->bytes);
        else if (left->launch == since)
            most = fmax(most, (left->bytes + own) / 2);
    }
    return most;
}

double fw_sequence_since(const struct fw_sequence *sequence, uint32_t array, bool stored,
                         uint32_t layer)
{
    const struct fw_cache_state *state = sequence->state;
    const struct array *mine = find(state, sequence->names[array]);
    if (!mine || mine->of[stored][layer].launch == 0)
        return INFINITY;
    uint64_t since = mine->of[stored][layer].launch;
    double sum = 0;
    for (size_t a = 0; a < state->count; a++)
        sum += passed_since(&state->arrays[a], stored, since,
                            own_bytes(sequence, state->arrays[a].name, stored));
    for (uint32_t a = 0; a < sequence->arrays; a++) /* what no launch before has touched */
        if (sequence->names[a] && !find(state, sequence->names[a]))
            sum += (stored ? sequence->stored : sequence->touched)[a] / 2;
    return sum;
}

double fw_sequence_share(const struct fw_sequence *sequence, uint32_t array, bool stored,
                         uint32_t layer)
{
    const struct array *mine = find(sequence->state, sequence->names[array]);
    double own = (stored ? sequence->stored : sequence->touched)[array];
    if (!mine || mine->of[stored][layer].launch == 0)
        return 0;
    double covered = 0;
    for (uint32_t l = 0; l < layer; l++)
        covered = fmax(covered, mine->of[stored][l].bytes);
    double bytes = fmin(own, mine->of[stored][layer].bytes);
    if (own > 0)
        return fmax(0, bytes - covered) / own;
    return layer == 0 ? 1 : 0;
}

size_t fw_sequence_left(const struct fw_sequence *sequence)
{
    return sequence->state->count;
}

double fw_sequence_left_bytes(const struct fw_sequence *sequence, size_t left)
{
    return sequence->state->arrays[left].of[1][0].bytes;
}

bool fw_sequence_stores_again(const struct fw_sequence *sequence, size_t left)
{
    return own_bytes(sequence, sequence->state->arrays[left].name, true) > 0;
}

double fw_sequence_passed(const struct fw_sequence *sequence, size_t left, bool stored,
                          double place, double part)
{
    const struct fw_cache_state *state = sequence->state;
    const uint64_t since = state->arrays[left].of[1][0].launch;
    double sum = 0;
    for (size_t a = 0; a < state->count; a++) {
        double most = part * own_bytes(sequence, state->arrays[a].name, stored);
        for (uint32_t l = 0; l < FW_SEQUENCE_LAYERS; l++) {
            const struct left *other = &state->arrays[a].of[stored][l];
            if (other->launch >= since)
                most = fmax(most, (other->launch == since ? 1 - place : 1) * other->bytes);
        }
        sum += most;
    }
    for (uint32_t a = 0; a < sequence->arrays; a++) /* what no launch before has touched */
        if (sequence->names[a] && !find(state, sequence->names[a]))
            sum += part * (stored ? sequence->stored : sequence->touched)[a];
    return sum;
}

static struct array *add(struct fw_cache_state *state, const char *name)
{
    if (state->count == state->capacity) {
        size_t capacity = state->capacity ? 2 * state->capacity : 16;
        struct array *arrays = realloc(state->arrays, capacity * sizeof(*arrays));
        if (!arrays)
            return NULL;
        state->arrays = arrays;
        state->capacity = capacity;
    }
    char *copy = strdup(name);
    if (!copy)
        return NULL;
    state->arrays[state->count] = (struct array){.name = copy};
    return &state->arrays[state->count++];
}

/* A launch has touched so many bytes of an array. */
static void leave(struct left of[FW_SEQUENCE_LAYERS], double bytes, uint64_t launch)
{
    if (of[0].launch == launch) /* two arrays of one name */
        bytes = fmax(bytes, of[0].bytes);
    else if (of[0].bytes > bytes)
        of[1] = of[0];
    of[0] = (struct left){launch, bytes};
    if (!(of[1].bytes > bytes))
        of[1] = (struct left){0};
}

bool fw_sequence_end(struct fw_cache_state *state, const struct fw_sequence *sequence)
{
    uint64_t launch = ++state->launches;
    for (uint32_t a = 0; a < sequence->arrays; a++) {
        const double bytes[2] = {sequence->touched[a], sequence->stored[a]};
        if (!sequence->names[a] || !(bytes[0] > 0))
            continue;
        struct array *array = find(state, sequence->names[a]);
        if (!array)
            array = add(state, sequence->names[a]);
        if (!array)
            return false;
        for (size_t of = 0; of < 2; of++)
            if (bytes[of] > 0)
                leave(array->of[of], bytes[of], launch);
    }
    return true;
}
