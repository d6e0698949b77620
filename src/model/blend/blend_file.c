/* The file of the model blend: written and read. */
#include "blend.h"
#include "word_lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "forewarp blend 1\n"

enum { WORDS_MOST = 5 + 2 * FW_BLEND_MEMBER_COUNT, LINES_MOST = 100 };

/* ---- writing ---- */

void fw_blend_write(struct fw_buffer *out, const struct fw_blend *blend)
{
    size_t begin = out->length;
    fw_buffer_printf(out, HEAD "device %s\nlevel %.17g\n", blend->device, blend->level);
    fw_buffer_printf(out, "deviation common %.6g apart %.6g near %.6g least %.6g\n",
                     blend->deviation.common, blend->deviation.apart, blend->deviation.near,
                     blend->deviation.least);
    if (blend->random.common > 0)
        fw_buffer_printf(out, "random common %.6g apart %.6g\n", blend->random.common,
                         blend->random.apart);
    for (int t = 0; t < FW_BLEND_TARGET_JOULES; t++)
        for (int k = 0; k < FW_BLEND_KIND_COUNT; k++) {
            const struct fw_blend_weights *weights = &blend->weights[t][k];
            fw_buffer_printf(out, "weights %s %s families %zu",
                             fw_blend_target_name((enum fw_blend_target)t),
                             fw_blend_kind_name((enum fw_blend_kind)k), weights->families);
            for (int m = 0; m < FW_BLEND_MEMBER_COUNT; m++)
                fw_buffer_printf(out, " %s %.6g", fw_blend_member_name((enum fw_blend_member)m),
                                 weights->at[m]);
            fw_buffer_printf(out, "\n");
        }
    for (int t = 0; t < FW_BLEND_TARGET_COUNT; t++)
        for (int c = 0; c < FW_BLEND_CLASS_COUNT; c++)
            fw_buffer_printf(out, "bounds %s %s families %zu low %.6g high %.6g\n",
                             fw_blend_target_name((enum fw_blend_target)t),
                             fw_blend_class_name((enum fw_blend_class)c),
                             blend->bounds[t][c].families, blend->bounds[t][c].low,
                             blend->bounds[t][c].high);
    fw_buffer_printf(out, "hash %016llx\n",
                     (unsigned long long)fw_hash(out->text + begin, out->length - begin));
}

/* ---- reading ---- */

struct reading {
    struct fw_blend *blend;
    struct fw_arena *arena;
    struct fw_word_lines lines;
    const struct fw_sink *sink;
};

static enum fw_status damaged(const struct reading *reading, const char *what)
{
    fw_report(reading->sink, FW_ERROR, "BLD002",
              (struct fw_span){reading->lines.source, (uint32_t)reading->lines.begin, 1},
              "the blend's file is damaged: %s", what);
    return FW_ERROR_INPUT;
}

static int target_of(const char *word)
{
    int t = 0;
    while (t < FW_BLEND_TARGET_COUNT &&
           strcmp(fw_blend_target_name((enum fw_blend_target)t), word) != 0)
        t++;
    return t;
}

static enum fw_status take_weights(struct reading *reading, char *const *words, size_t count)
{
    struct fw_blend_weights *weights = NULL;
    double sum = 0;
    if (count != WORDS_MOST)
        return damaged(reading, "these are no weights");
    int target = target_of(words[1]);
    for (int k = 0; k < FW_BLEND_KIND_COUNT && target < FW_BLEND_TARGET_JOULES; k++)
        if (strcmp(words[2], fw_blend_kind_name((enum fw_blend_kind)k)) == 0)
            weights = &reading->blend->weights[target][k];
    if (!weights || strcmp(words[3], "families") != 0 ||
        !fw_word_size(&weights->families, words[4]))
        return damaged(reading, "these are no weights");
    for (int m = 0; m < FW_BLEND_MEMBER_COUNT; m++) {
        if (strcmp(words[5 + 2 * m], fw_blend_member_name((enum fw_blend_member)m)) != 0 ||
            !fw_word_number(&weights->at[m], words[6 + 2 * m]) ||
            !(weights->at[m] >= 0 && weights->at[m] <= 1))
            return damaged(reading, "this is no weight of a model");
        sum += weights->at[m];
    }
    return fabs(sum - 1) < 1e-3 ? FW_OK : damaged(reading, "the sum of weights is not 1");
}

/* A line of the parts of a deviation, of which `random` has the first two. */
static enum fw_status take_deviation(struct reading *reading, char *const *words, size_t count)
{
    const bool random = strcmp(words[0], "random") == 0;
    struct fw_forest_deviation *of = random ? &reading->blend->random : &reading->blend->deviation;
    const struct {
        const char *name;
        double *value;
    } parts[] = {
        {"common", &of->common}, {"apart", &of->apart}, {"near", &of->near}, {"least", &of->least}};
    const size_t wanted = random ? 2 : sizeof(parts) / sizeof(parts[0]);
    bool good = count == 1 + 2 * wanted;
    for (size_t p = 0; p < wanted && good; p++)
        good = strcmp(words[1 + 2 * p], parts[p].name) == 0 &&
               fw_word_number(parts[p].value, words[2 + 2 * p]) && isfinite(*parts[p].value) &&
               *parts[p].value >= 0;
    return good && of->common > 0 ? FW_OK
                                  : damaged(reading, "this is nothing that deviations are made of");
}

static enum fw_status take_bounds(struct reading *reading, char *const *words, size_t count)
{
    struct fw_blend_bounds *bounds = NULL;
    int target = count == 9 ? target_of(words[1]) : FW_BLEND_TARGET_COUNT;
    for (int c = 0; c < FW_BLEND_CLASS_COUNT && target < FW_BLEND_TARGET_COUNT; c++)
        if (strcmp(words[2], fw_blend_class_name((enum fw_blend_class)c)) == 0)
            bounds = &reading->blend->bounds[target][c];
    if (!bounds || !fw_word_size(&bounds->families, words[4]) ||
        !fw_word_number(&bounds->low, words[6]) || !fw_word_number(&bounds->high, words[8]) ||
        bounds->low > bounds->high)
        return damaged(reading, "this is no class with its bounds");
    return FW_OK;
}

static enum fw_status take_hash(struct reading *reading, const char *word)
{
    char *end;
    unsigned long long stated = strtoull(word, &end, 16);
    if (strlen(word) != 16 || *end ||
        stated != fw_hash(reading->lines.source->text, reading->lines.begin))
        return damaged(reading, "its lines are not those that were written");
    if (reading->lines.at != reading->lines.source->length)
        return damaged(reading, "it has lines behind its end");
    if (!reading->blend->device || !(reading->blend->level > 0))
        return damaged(reading, "it names no device, or no level");
    return FW_OK;
}

static enum fw_status take_lines(struct reading *reading)
{
    char *words[WORDS_MOST];
    struct fw_blend *blend = reading->blend;
    for (int line = 0; line < LINES_MOST; line++) {
        size_t count = fw_word_line(words, WORDS_MOST, &reading->lines, reading->arena);
        enum fw_status status = FW_OK;
        if (count == 2 && strcmp(words[0], "hash") == 0)
            return take_hash(reading, words[1]);
        if (count == 2 && strcmp(words[0], "device") == 0)
            blend->device = words[1];
        else if (count == 2 && strcmp(words[0], "level") == 0 &&
                 fw_word_number(&blend->level, words[1]) && blend->level > 0 && blend->level < 1)
            status = FW_OK;
        else if (count && (strcmp(words[0], "deviation") == 0 || strcmp(words[0], "random") == 0))
            status = take_deviation(reading, words, count);
        else if (count && strcmp(words[0], "weights") == 0)
            status = take_weights(reading, words, count);
        else if (count && strcmp(words[0], "bounds") == 0)
            status = take_bounds(reading, words, count);
        else
            status = damaged(reading, "a line is missing, or is none of its lines");
        if (status)
            return status;
    }
    return damaged(reading, "it has too many lines");
}

enum fw_status fw_blend_read(struct fw_blend *blend, struct fw_arena *arena,
                             const struct fw_source *source, const struct fw_sink *sink)
{
    struct reading reading = {
        .blend = blend, .arena = arena, .lines = {.source = source}, .sink = sink};
    *blend = (struct fw_blend){.deviation = FW_FOREST_DEVIATION_BEFORE};
    if (source->length >= UINT32_MAX || source->length < strlen(HEAD) ||
        memcmp(source->text, HEAD, strlen(HEAD)) != 0) {
        fw_report(sink, FW_ERROR, "BLD001", fw_span_of_source(source),
                  "this is no blend that this version of forewarp reads");
        return FW_ERROR_INPUT;
    }
    for (int t = 0; t < FW_BLEND_TARGET_COUNT; t++)
        for (int c = 0; c < FW_BLEND_CLASS_COUNT; c++)
            blend->bounds[t][c] = (struct fw_blend_bounds){0, -(double)INFINITY, (double)INFINITY};
    for (int t = 0; t < FW_BLEND_TARGET_JOULES; t++) /* files of before do not state all kinds */
        for (int k = 0; k < FW_BLEND_KIND_COUNT; k++)
            blend->weights[t][k] =
                fw_blend_weights_unseen((enum fw_blend_target)t, (enum fw_blend_kind)k);
    reading.lines.at = strlen(HEAD);
    return take_lines(&reading);
}
