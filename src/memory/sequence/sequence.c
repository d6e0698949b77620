#include "sequence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the last launch that touched it (stored to it) left of an array. */
struct left {
    uint64_t launch; /* from 1; 0: none */
    double bytes;
    double takes, wave; /* as of the launch (sequence.h) */
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
    sequence->takes = FW_ARRAY(arena, double, arrays + 1);
    fw_sequence_begin(sequence);
    return sequence;
}

void fw_sequence_begin(struct fw_sequence *sequence)
{
    memset(sequence->touched, 0, sequence->arrays * sizeof(*sequence->touched));
    memset(sequence->stored, 0, sequence->arrays * sizeof(*sequence->stored));
    for (uint32_t a = 0; a < sequence->arrays; a++)
        sequence->takes[a] = 1;
    sequence->wave = 0;
}

static struct array *find(const struct fw_cache_state *state, const char *name)
{
    for (size_t a = 0; name && a < state->count; a++)
        if (strcmp(state->arrays[a].name, name) == 0)
            return &state->arrays[a];
    return NULL;
}

/* Bytes of L2 that take what this launch touches of an array, or bytes that it stores to. */
static double own_of(const struct fw_sequence *sequence, uint32_t array, bool stored)
{
    return stored ? sequence->stored[array] : sequence->touched[array] * sequence->takes[array];
}

/* Bytes that this launch touches of what is called `name`: arrays of one name are one. */
static double own_bytes(const struct fw_sequence *sequence, const char *name, bool stored)
{
    double most = 0;
    for (uint32_t a = 0; a < sequence->arrays; a++)
        if (sequence->names[a] && strcmp(sequence->names[a], name) == 0)
            most = fmax(most, own_of(sequence, a, stored));
    return most;
}

/* Bytes of an array that were touched since a launch touched the element at `place`, with it and
 * the begin of the next one, which touches `own` bytes: between, all of it; of these two, the end
 * and the begin. */
static double passed_since(const struct array *array, bool stored, uint64_t since, double own,
                           double place)
{
    double most = place * own;
    for (uint32_t l = 0; l < FW_SEQUENCE_LAYERS; l++) {
        const struct left *left = &array->of[stored][l];
        if (left->launch > since)
            most = fmax(most, left->takes * left->bytes);
        else if (left->launch == since)
            most = fmax(most, (1 - place) * left->takes * left->bytes + place * own);
    }
    return most;
}

double fw_sequence_since(const struct fw_sequence *sequence, uint32_t array, bool stored,
                         uint32_t layer, double place)
{
    const struct fw_cache_state *state = sequence->state;
    const struct array *mine = find(state, sequence->names[array]);
    if (!mine || mine->of[stored][layer].launch == 0)
        return INFINITY;
    uint64_t since = mine->of[stored][layer].launch;
    double sum = 0;
    for (size_t a = 0; a < state->count; a++)
        sum += passed_since(&state->arrays[a], stored, since,
                            own_bytes(sequence, state->arrays[a].name, stored), place);
    for (uint32_t a = 0; a < sequence->arrays; a++) /* what no launch before has touched */
        if (sequence->names[a] && !find(state, sequence->names[a]))
            sum += place * own_of(sequence, a, stored);
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

bool fw_sequence_same_wave(const struct fw_sequence *sequence, uint32_t array, uint32_t layer)
{
    const struct array *mine = find(sequence->state, sequence->names[array]);
    const double wave = mine ? mine->of[0][layer].wave : 0;
    return wave > 0 && !(wave < sequence->wave) && !(wave > sequence->wave);
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
                most = fmax(most,
                            (other->launch == since ? 1 - place : 1) * other->takes * other->bytes);
        }
        sum += most;
    }
    for (uint32_t a = 0; a < sequence->arrays; a++) /* what no launch before has touched */
        if (sequence->names[a] && !find(state, sequence->names[a]))
            sum += part * own_of(sequence, a, stored);
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

/* What a launch has left of an array. */
static void leave(struct left of[FW_SEQUENCE_LAYERS], struct left now)
{
    if (of[0].launch == now.launch) /* two arrays of one name */
        now.bytes = fmax(now.bytes, of[0].bytes);
    else if (of[0].bytes > now.bytes)
        of[1] = of[0];
    of[0] = now;
    if (!(of[1].bytes > now.bytes))
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
                leave(array->of[of], (struct left){launch, bytes[of], of ? 1 : sequence->takes[a],
                                                   bytes[1] > 0 ? 0 : sequence->wave});
    }
    return true;
}
