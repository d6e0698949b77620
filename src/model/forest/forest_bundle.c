#include "forest_bundle.h"
#include "word_lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD        "forewarp forest 4\n"
#define ABSOLUTE    "forewarp forest 5\n" /* without a basis */
#define QUICK       "forewarp forest 6\n" /* of the quick basis */
#define BEFORE_NEAR "forewarp forest 2\n" /* corrected by trees alone */
#define EARLIER     "forewarp forest 1\n"
#define MOST_ENERGY 1e9

enum { WORDS_MOST = 13, LINES_MOST = 200 };

/* ---- writing ---- */

static bool has_energies(const struct fw_forest_part *part)
{
    for (int d = 0; d < FW_FOREST_DRAW_COUNT; d++)
        if (part->energies[d] > 0)
            return true;
    return false;
}

static void write_energies(struct fw_buffer *out, const struct fw_forest_part *part)
{
    fw_buffer_printf(out, "energies");
    for (int d = 0; d < FW_FOREST_DRAW_COUNT; d++)
        fw_buffer_printf(out, "%c%s:%.17g", d ? ',' : ' ',
                         fw_forest_draw_name((enum fw_forest_draw)d), part->energies[d]);
    fw_buffer_printf(out, "\n");
}

static void write_near(struct fw_buffer *out, const struct fw_forest_near *near,
                       const struct fw_buffer *bytes)
{
    const enum fw_forest_feature *features;
    const uint32_t count = fw_forest_near_features(&features, near->target);
    fw_buffer_printf(out, "scales");
    for (uint32_t f = 0; f < count; f++)
        fw_buffer_printf(out, "%c%.17g", f ? ',' : ' ', near->scales[f]);
    fw_buffer_printf(out, "\nnear points %lu mean %.17g bytes %zu hash %016llx\n",
                     (unsigned long)near->process.points, near->process.mean, bytes->length,
                     (unsigned long long)fw_hash(bytes->text, bytes->length));
}

static void write_class(struct fw_buffer *out, enum fw_forest_class class,
                        const struct fw_forest_bounds *bounds)
{
    const struct fw_forest_deviation *of = &bounds->deviation;
    fw_buffer_printf(out, "class %s families %zu low %.17g high %.17g", fw_forest_class_name(class),
                     bounds->families, bounds->low, bounds->high);
    if (of->common > 0)
        fw_buffer_printf(out, " deviations %.6g %.6g %.6g %.6g", of->common, of->apart, of->near,
                         of->least);
    fw_buffer_printf(out, "\n");
}

static void write_part(struct fw_buffer *out, enum fw_forest_target target,
                       const struct fw_forest_part *part, const struct fw_buffer *bytes,
                       const struct fw_buffer *near)
{
    fw_buffer_printf(out, "target %s rows %zu families %zu level %.17g\n",
                     fw_forest_target_name(target), part->rows, part->families, part->level);
    for (int c = 0; c < FW_FOREST_CLASS_COUNT; c++)
        write_class(out, (enum fw_forest_class)c, &part->bounds[c]);
    fw_buffer_printf(out, "features");
    for (uint32_t f = 0; f < part->feature_count; f++)
        fw_buffer_printf(out, "%c%s", f ? ',' : ' ',
                         fw_forest_feature_row(part->features[f])->name);
    fw_buffer_printf(out, "\n");
    if (has_energies(part))
        write_energies(out, part);
    fw_buffer_printf(out, "bytes %zu hash %016llx\n", bytes->length,
                     (unsigned long long)fw_hash(bytes->text, bytes->length));
    if (part->near.process.points)
        write_near(out, &part->near, near);
}

void fw_forest_bundle_write(struct fw_buffer *out, const struct fw_forest_bundle *bundle)
{
    struct fw_buffer bytes[FW_FOREST_TARGET_COUNT], near[FW_FOREST_TARGET_COUNT];
    static const char *const heads[] = {[FW_FOREST_TO_MODELS] = HEAD,
                                        [FW_FOREST_TO_QUICK] = QUICK,
                                        [FW_FOREST_TO_NOTHING] = ABSOLUTE};
    fw_buffer_printf(out, "%sdevice %s\n", heads[bundle->ratio], bundle->device);
    for (int t = 0; t < FW_FOREST_TARGET_COUNT; t++) {
        bytes[t] = fw_buffer_new(out->arena);
        near[t] = fw_buffer_new(out->arena);
        if (!bundle->parts[t].forest)
            continue;
        fw_forest_write(&bytes[t], bundle->parts[t].forest);
        fw_forest_near_write(&near[t], &bundle->parts[t].near);
        write_part(out, (enum fw_forest_target)t, &bundle->parts[t], &bytes[t], &near[t]);
    }
    fw_buffer_printf(out, "data\n");
    for (int t = 0; t < FW_FOREST_TARGET_COUNT; t++) {
        fw_buffer_add(out, bytes[t].text ? bytes[t].text : "", bytes[t].length);
        fw_buffer_add(out, near[t].text ? near[t].text : "", near[t].length);
    }
}

/* The basis as C: a sum. */
static void write_energies_c(struct fw_buffer *out, const struct fw_forest_part *part,
                             const char *target)
{
    static const char *const about[] = {
#define X(name, about) #name ": " about,
        FW_FOREST_DRAWS(X)
#undef X
    };
    fw_buffer_printf(out, "\n/* The basis of the %s, from what is asked of the board", target);
    for (int d = 0; d < FW_FOREST_DRAW_COUNT; d++)
        fw_buffer_printf(out, "\n *   %s", about[d]);
    fw_buffer_printf(out, "\n */\ndouble forest_%s_basis(const double *draws)\n{\n    return ",
                     target);
    for (int d = 0; d < FW_FOREST_DRAW_COUNT; d++)
        fw_buffer_printf(out, "%sdraws[%d] * %.17g", d ? " + " : "", d, part->energies[d]);
    fw_buffer_printf(out, ";\n}\n");
}

void fw_forest_bundle_write_c(struct fw_buffer *out, const struct fw_forest_bundle *bundle)
{
    static const char *const befores[] = {[FW_FOREST_TO_MODELS] = "what the basis of the ",
                                          [FW_FOREST_TO_QUICK] = "what the quick basis of the ",
                                          [FW_FOREST_TO_NOTHING] = "the "};
    const bool itself = bundle->ratio == FW_FOREST_TO_NOTHING;
    for (int t = 0; t < FW_FOREST_TARGET_COUNT; t++) {
        const struct fw_forest_part *part = &bundle->parts[t];
        const char *target = fw_forest_target_name((enum fw_forest_target)t);
        if (!part->forest)
            continue;
        fw_buffer_printf(out, "/* The logarithm of %s%s%s", befores[bundle->ratio], target,
                         itself ? ", from the features"
                                : " is multiplied by, from the\n * features");
        for (uint32_t f = 0; f < part->feature_count; f++) {
            const struct fw_forest_feature_row *row = fw_forest_feature_row(part->features[f]);
            fw_buffer_printf(out, "\n *   %s: %s", row->name, row->about);
        }
        fw_buffer_printf(out, "\n */\n");
        fw_forest_write_c(out, part->forest, fw_arena_printf(out->arena, "forest_%s", target));
        if (has_energies(part))
            write_energies_c(out, part, target);
        if (part->near.process.points)
            fw_forest_near_write_c(out, &part->near, part->energies, part->features,
                                   part->feature_count,
                                   fw_arena_printf(out->arena, "forest_%s_near", target));
    }
}

/* ---- reading ---- */

struct reading {
    struct fw_forest_bundle *bundle;
    struct fw_arena *arena;
    struct fw_word_lines lines;
    const struct fw_sink *sink;
    struct fw_forest_part *part; /* of the lines; NULL before the first */
    size_t length[FW_FOREST_TARGET_COUNT];
    uint64_t hash[FW_FOREST_TARGET_COUNT];
    bool has_bytes[FW_FOREST_TARGET_COUNT], has_scales[FW_FOREST_TARGET_COUNT];
    uint64_t near_hash[FW_FOREST_TARGET_COUNT];
    uint64_t found[2 * FW_FOREST_TARGET_COUNT]; /* of the bytes: trees and points by target */
};

static enum fw_status damaged(const struct reading *reading, const char *what)
{
    uint32_t offset = reading->lines.begin > UINT32_MAX - 1 ? 0 : (uint32_t)reading->lines.begin;
    fw_report(reading->sink, FW_ERROR, "FOR002", (struct fw_span){reading->lines.source, offset, 1},
              "the forest's file is damaged: %s", what);
    return FW_ERROR_INPUT;
}

static enum fw_status take_target(struct reading *reading, char *const *words, size_t count)
{
    struct fw_forest_part *part = NULL;
    for (int t = 0; t < FW_FOREST_TARGET_COUNT && count == 8; t++)
        if (strcmp(words[1], fw_forest_target_name((enum fw_forest_target)t)) == 0)
            part = &reading->bundle->parts[t];
    if (!part || part->feature_count || part->rows || !fw_word_size(&part->rows, words[3]) ||
        !fw_word_size(&part->families, words[5]) || !fw_word_number(&part->level, words[7]) ||
        !(part->level > 0 && part->level < 1) || !part->rows)
        return damaged(reading, "this is no target");
    for (int c = 0; c < FW_FOREST_CLASS_COUNT; c++)
        part->bounds[c] = (struct fw_forest_bounds){
            .families = 0, .low = -(double)INFINITY, .high = (double)INFINITY};
    reading->part = part;
    return FW_OK;
}

/* What deviations are made of, from the words behind "deviations": none, or four numbers. */
static bool take_deviation(struct fw_forest_deviation *of, char *const *words, size_t count)
{
    double *const numbers[] = {&of->common, &of->apart, &of->near, &of->least};
    const size_t wanted = sizeof(numbers) / sizeof(numbers[0]);
    bool good = count == 0 || count == wanted;
    *of = FW_FOREST_DEVIATION_BEFORE;
    for (size_t n = 0; n < count && good; n++)
        good = fw_word_number(numbers[n], words[n]) && isfinite(*numbers[n]) && *numbers[n] >= 0;
    return good && of->common > 0;
}

static enum fw_status take_class(struct reading *reading, char *const *words, size_t count)
{
    struct fw_forest_bounds *bounds = NULL;
    for (int c = 0; c < FW_FOREST_CLASS_COUNT && count >= 8 && reading->part; c++)
        if (strcmp(words[1], fw_forest_class_name((enum fw_forest_class)c)) == 0)
            bounds = &reading->part->bounds[c];
    if (!bounds || !fw_word_size(&bounds->families, words[3]) ||
        !fw_word_number(&bounds->low, words[5]) || !fw_word_number(&bounds->high, words[7]) ||
        bounds->low > bounds->high ||
        (count > 8 && (strcmp(words[8], "deviations") != 0 ||
                       !take_deviation(&bounds->deviation, words + 9, count - 9))))
        return damaged(reading, "this is no class with its bounds");
    return FW_OK;
}

static enum fw_status take_features(struct reading *reading, char *const *words, size_t count)
{
    struct fw_forest_part *part = reading->part;
    char *rest = NULL;
    if (count != 2 || !part || part->feature_count)
        return damaged(reading, "these are no features");
    for (char *name = strtok_r(words[1], ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        int f = 0;
        while (f < FW_FOREST_FEATURE_COUNT &&
               strcmp(fw_forest_feature_row((enum fw_forest_feature)f)->name, name) != 0)
            f++;
        if (f == FW_FOREST_FEATURE_COUNT || part->feature_count == FW_FOREST_FEATURE_COUNT)
            return damaged(reading, "it has a feature that this version does not know");
        part->features[part->feature_count++] = (enum fw_forest_feature)f;
    }
    return FW_OK;
}

static enum fw_status take_energies(struct reading *reading, char *const *words, size_t count)
{
    struct fw_forest_part *part = reading->part;
    char *rest = NULL;
    if (count != 2 || !part || has_energies(part))
        return damaged(reading, "these are no energies");
    for (char *pair = strtok_r(words[1], ",", &rest); pair; pair = strtok_r(NULL, ",", &rest)) {
        char *value = strchr(pair, ':');
        int d = 0;
        if (value)
            *value++ = '\0';
        while (d < FW_FOREST_DRAW_COUNT &&
               strcmp(fw_forest_draw_name((enum fw_forest_draw)d), pair) != 0)
            d++;
        if (d == FW_FOREST_DRAW_COUNT || !value || !fw_word_number(&part->energies[d], value) ||
            !(part->energies[d] >= 0 && part->energies[d] <= MOST_ENERGY))
            return damaged(reading, "this is no energy");
    }
    return FW_OK;
}

static enum fw_status take_bytes(struct reading *reading, char *const *words, size_t count)
{
    size_t target = reading->part ? (size_t)(reading->part - reading->bundle->parts) : 0;
    char *end;
    if (count != 4 || !reading->part || reading->has_bytes[target] ||
        !fw_word_size(&reading->length[target], words[1]) || strlen(words[3]) != 16)
        return damaged(reading, "this is no length with its hash");
    reading->hash[target] = strtoull(words[3], &end, 16);
    reading->has_bytes[target] = true;
    return *end ? damaged(reading, "this is no length with its hash") : FW_OK;
}

static enum fw_status take_scales(struct reading *reading, char *const *words, size_t count)
{
    size_t target = reading->part ? (size_t)(reading->part - reading->bundle->parts) : 0;
    const enum fw_forest_feature *features;
    const uint32_t wanted = fw_forest_near_features(&features, (enum fw_forest_target)target);
    char *rest = NULL;
    uint32_t f = 0;
    if (count != 2 || !reading->part || reading->has_scales[target])
        return damaged(reading, "these are no scales");
    for (char *word = strtok_r(words[1], ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        if (f == wanted || !fw_word_number(&reading->part->near.scales[f], word) ||
            !isfinite(reading->part->near.scales[f]))
            return damaged(reading, "this is no scale");
        f++;
    }
    reading->has_scales[target] = true;
    reading->part->near.target = (enum fw_forest_target)target;
    return f == wanted ? FW_OK : damaged(reading, "these are no scales");
}

static enum fw_status take_near(struct reading *reading, char *const *words, size_t count)
{
    size_t target = reading->part ? (size_t)(reading->part - reading->bundle->parts) : 0;
    size_t points, length;
    char *end = NULL;
    if (count != 9 || !reading->part || !reading->has_scales[target] ||
        reading->part->near.process.points || !fw_word_size(&points, words[2]) || !points ||
        points > FW_FOREST_NEAR_MOST ||
        !fw_word_number(&reading->part->near.process.mean, words[4]) ||
        !isfinite(reading->part->near.process.mean) || !fw_word_size(&length, words[6]) ||
        length != fw_forest_near_length((uint32_t)points, (enum fw_forest_target)target) ||
        strlen(words[8]) != 16)
        return damaged(reading, "these are no points");
    reading->part->near.process.points = (uint32_t)points;
    reading->near_hash[target] = strtoull(words[8], &end, 16);
    return *end ? damaged(reading, "these are no points") : FW_OK;
}

static enum fw_status take_lines(struct reading *reading)
{
    char *words[WORDS_MOST];
    enum fw_status status = FW_OK;
    for (int line = 0; line < LINES_MOST && !status; line++) {
        size_t count = fw_word_line(words, WORDS_MOST, &reading->lines, reading->arena);
        if (!count)
            return damaged(reading, "a line is missing, or is none of its lines");
        if (strcmp(words[0], "data") == 0 && count == 1)
            return reading->bundle->device ? FW_OK : damaged(reading, "it names no device");
        if (strcmp(words[0], "device") == 0 && count == 2)
            reading->bundle->device = words[1];
        else if (strcmp(words[0], "target") == 0)
            status = take_target(reading, words, count);
        else if (strcmp(words[0], "class") == 0)
            status = take_class(reading, words, count);
        else if (strcmp(words[0], "features") == 0)
            status = take_features(reading, words, count);
        else if (strcmp(words[0], "energies") == 0)
            status = take_energies(reading, words, count);
        else if (strcmp(words[0], "bytes") == 0)
            status = take_bytes(reading, words, count);
        else if (strcmp(words[0], "scales") == 0)
            status = take_scales(reading, words, count);
        else if (strcmp(words[0], "near") == 0)
            status = take_near(reading, words, count);
        else
            status = damaged(reading, "this is none of its lines");
    }
    return status ? status : damaged(reading, "it has too many lines");
}

_Static_assert(2 * FW_FOREST_TARGET_COUNT <= FW_HASHES_MOST, "hashes are found at once");

/* Finds the hashes of all bytes that are there. */
static void find_hashes(struct reading *reading)
{
    const char *at[2 * FW_FOREST_TARGET_COUNT];
    size_t lengths[2 * FW_FOREST_TARGET_COUNT] = {0};
    size_t from = reading->lines.at, left = reading->lines.source->length - reading->lines.at;
    for (int s = 0; s < 2 * FW_FOREST_TARGET_COUNT; s++) {
        const struct fw_forest_part *part = &reading->bundle->parts[s / 2];
        const uint32_t points = part->near.process.points;
        size_t length = 0;
        if (part->rows && s % 2 == 0)
            length = reading->length[s / 2];
        else if (part->rows && points)
            length = fw_forest_near_length(points, part->near.target);
        lengths[s] = length <= left ? length : 0; /* else it ends early */
        at[s] = reading->lines.source->text + from;
        from += lengths[s];
        left -= lengths[s];
    }
    fw_hash_all(reading->found, at, lengths, 2 * FW_FOREST_TARGET_COUNT);
}

static enum fw_status take_points(struct reading *reading, int target)
{
    struct fw_forest_near *near = &reading->bundle->parts[target].near;
    const char *bytes = reading->lines.source->text + reading->lines.at;
    size_t length = fw_forest_near_length(near->process.points, near->target);
    if (length > reading->lines.source->length - reading->lines.at)
        return damaged(reading, "it ends early");
    if (reading->found[2 * target + 1] != reading->near_hash[target])
        return damaged(reading, "its bytes are not those that were written");
    reading->lines.at += length;
    return fw_forest_near_read(near, bytes, reading->arena)
               ? FW_OK
               : damaged(reading, "a number of its points is not finite");
}

static enum fw_status take_forest(struct reading *reading, int target)
{
    struct fw_forest_part *part = &reading->bundle->parts[target];
    const char *bytes = reading->lines.source->text + reading->lines.at;
    struct fw_forest_shape shape;
    size_t length = reading->length[target];
    if (!part->rows)
        return FW_OK;
    if (!reading->has_bytes[target] || length > reading->lines.source->length - reading->lines.at)
        return damaged(reading, "it ends early");
    if (reading->found[2 * target] != reading->hash[target])
        return damaged(reading, "its bytes are not those that were written");
    reading->lines.at += length;
    enum fw_status status = fw_forest_read(&part->forest, (const unsigned char *)bytes, length,
                                           fw_span_of_source(reading->lines.source), reading->sink);
    if (status)
        return status;
    fw_forest_describe(&shape, part->forest);
    if (shape.features != part->feature_count)
        return damaged(reading, "a forest has other features than are named");
    return part->near.process.points ? take_points(reading, target) : FW_OK;
}

static bool begins(const struct fw_source *source, const char *head)
{
    return source->length >= strlen(head) && memcmp(source->text, head, strlen(head)) == 0;
}

/* Whether a part has nothing but what is found for its kind of forest. */
static bool fits(const struct fw_forest_part *part, enum fw_forest_ratio ratio)
{
    static const unsigned sets[] = {[FW_FOREST_TO_MODELS] = FW_FOREST_SET_ALL,
                                    [FW_FOREST_TO_QUICK] = FW_FOREST_SET_OF_QUICK,
                                    [FW_FOREST_TO_NOTHING] = FW_FOREST_SET_PAPER};
    for (uint32_t f = 0; f < part->feature_count; f++)
        if (!(fw_forest_feature_row(part->features[f])->set & sets[ratio]))
            return false;
    return ratio == FW_FOREST_TO_MODELS ||
           (!part->near.process.points && (ratio == FW_FOREST_TO_QUICK || !has_energies(part)));
}

enum fw_status fw_forest_bundle_read(struct fw_forest_bundle *bundle, struct fw_arena *arena,
                                     const struct fw_source *source, const struct fw_sink *sink)
{
    struct reading reading = {
        .bundle = bundle, .arena = arena, .lines = {.source = source}, .sink = sink};
    *bundle = (struct fw_forest_bundle){0};
    bundle->ratio = begins(source, ABSOLUTE) ? FW_FOREST_TO_NOTHING
                    : begins(source, QUICK)  ? FW_FOREST_TO_QUICK
                                             : FW_FOREST_TO_MODELS;
    if (bundle->ratio == FW_FOREST_TO_MODELS && !begins(source, HEAD) &&
        !begins(source, BEFORE_NEAR) && !begins(source, EARLIER)) {
        fw_report(sink, FW_ERROR, "FOR001", fw_span_of_source(source),
                  "this is no forest that this version of forewarp reads");
        return FW_ERROR_INPUT;
    }
    reading.lines.at = strlen(HEAD);
    enum fw_status status = take_lines(&reading);
    for (int t = 0; t < FW_FOREST_TARGET_COUNT && !status; t++)
        if (!fits(&bundle->parts[t], bundle->ratio))
            status = damaged(&reading, "it has more than what is found for forests of its kind");
    if (!status)
        find_hashes(&reading);
    for (int t = 0; t < FW_FOREST_TARGET_COUNT && !status; t++)
        status = take_forest(&reading, t);
    if (!status && reading.lines.at != source->length)
        status = damaged(&reading, "it has bytes behind its end");
    if (status)
        fw_forest_bundle_free(bundle);
    return status;
}

void fw_forest_bundle_free(struct fw_forest_bundle *bundle)
{
    for (int t = 0; t < FW_FOREST_TARGET_COUNT; t++) {
        fw_forest_free(bundle->parts[t].forest);
        bundle->parts[t].forest = NULL;
    }
}

double fw_forest_part_factor(double *nearest, const struct fw_forest_part *part,
                             const struct fw_forest_basis *basis)
{
    double row[FW_FOREST_FEATURE_COUNT];
    fw_forest_basis_features(row, basis, part->energies, part->features, part->feature_count);
    return exp(fw_forest_near_join(nearest, &part->near, basis, part->energies, FW_PROCESS_NO_GROUP,
                                   fw_forest_predict(part->forest, row)));
}

double fw_forest_part_predict(double *nearest, const struct fw_forest_part *part,
                              const struct fw_forest_basis *basis, enum fw_forest_target target)
{
    const bool corrected = fw_forest_basis_is_corrected(basis, target);
    const double factor = corrected || nearest ? fw_forest_part_factor(nearest, part, basis) : 1;
    return fw_forest_basis_corrected(
        basis, target, fw_forest_basis_of(basis, target, part->energies), corrected ? factor : 1);
}
