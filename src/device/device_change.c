/* A device that is otherwise than its profile: "multiprocessors=66,dram_copy_bandwidth=2x". */
#include "device_internal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEAR = 4 };

struct change {
    struct fw_device *device;
    struct fw_arena *arena;
    const struct fw_source *source;
    const struct fw_sink *sink;
    size_t begin, equals, end; /* of "PROPERTY=VALUE" in the source */
    FW_VECTOR(struct fw_device_change) made;
    const struct fw_figure_row *row;
};

static enum fw_status refuse(const struct change *change, const char *code, size_t begin,
                             const char *note, const char *why)
{
    size_t length = change->end > begin ? change->end - begin : 1;
    fw_report_notes(change->sink, FW_ERROR, code,
                    (struct fw_span){change->source, (uint32_t)begin, (uint32_t)length}, &note,
                    note != NULL, "%s", why);
    return FW_ERROR_USAGE;
}

static const char *value_text(const struct change *change)
{
    const char *text = change->source->text + change->equals + 1;
    size_t length = change->end - change->equals - 1;
    return fw_text_shown(change->arena, text, length < 64 ? length : 64);
}

/* ---- units ---- */

/* Short forms of units, and whether bytes are their first part: these take binary prefixes, too. */
static const struct {
    const char *unit, *form;
    bool bytes;
} forms[] = {{"hertz", "Hz", false},        {"bytes", "B", true},      {"bytes/s", "B/s", true},
             {"seconds", "s", false},       {"watts", "W", false},     {"joules", "J", false},
             {"joules/byte", "J/B", false}, {"passes/s", "/s", false}, {"misses/s", "/s", false},
             {"operations/s", "/s", false}};

static bool prefix_factor(double *factor, const char *prefix, size_t length, bool binary)
{
    static const char letters[] = "pnum kMGTPE"; /* powers of 1000, 1 in the middle */
    static const char *const binaries[] = {"Ki", "Mi", "Gi", "Ti", "Pi"};
    *factor = 1;
    if (length == 0)
        return true;
    for (size_t b = 0; binary && b < sizeof(binaries) / sizeof(binaries[0]); b++)
        if (length == 2 && strncmp(prefix, binaries[b], 2) == 0) {
            *factor = pow(1024, (double)b + 1);
            return true;
        }
    const char *at = length == 1 ? strchr(letters, *prefix == 'K' ? 'k' : *prefix) : NULL;
    if (!at || *prefix == ' ')
        return false;
    *factor = pow(1000, (double)(at - letters) - 4);
    return true;
}

/* What a number is multiplied by for the text behind it to be the unit; false: it is another. */
static bool unit_factor(double *factor, const char *text, const char *unit, bool is_count)
{
    size_t length = strlen(text);
    *factor = 1;
    if (length == 0 || strcmp(text, unit) == 0)
        return true;
    if ((is_count || strcmp(unit, "bytes") == 0) && length == 1 && strchr("KMG", *text)) {
        *factor = *text == 'K' ? 0x1p10 : *text == 'M' ? 0x1p20 : 0x1p30; /* as sizes of -s */
        return true;
    }
    for (size_t f = 0; f < sizeof(forms) / sizeof(forms[0]); f++) {
        const char *names[] = {forms[f].form, forms[f].unit};
        for (size_t n = 0; n < 2 && strcmp(forms[f].unit, unit) == 0; n++) {
            size_t tail = strlen(names[n]);
            if (length >= tail && strcmp(text + length - tail, names[n]) == 0 &&
                prefix_factor(factor, text, length - tail, forms[f].bytes))
                return true;
        }
    }
    return false;
}

/* ---- values ---- */

/* The value's number, and whether it is a factor. */
static enum fw_status read_value(const struct change *change, double *number, bool *is_factor)
{
    size_t length = change->end - change->equals - 1;
    const char *text =
        fw_arena_text(change->arena, change->source->text + change->equals + 1, length);
    const char *unit = strcmp(change->row->unit, "1") == 0 ? "" : change->row->unit;
    double factor;
    char *rest;
    errno = 0;
    *number = strtod(text, &rest);
    *is_factor = strcmp(rest, "x") == 0;
    if (rest == text || !isfinite(*number) || strchr(" \t\n+", *text))
        return refuse(
            change, "DEV014", change->equals + 1, NULL,
            fw_arena_printf(change->arena, "%s=%s: a value is a number%s%s, or a factor such as 2x",
                            change->row->name, value_text(change), *unit ? " of " : "", unit));
    if (*is_factor)
        return FW_OK;
    if (!unit_factor(&factor, rest, unit, change->row->shape == FW_FIGURE_SHAPE_COUNT))
        return refuse(change, "DEV014", change->equals + 1, NULL,
                      fw_arena_printf(change->arena, "%s is %s%s, not in \"%s\"", change->row->name,
                                      *unit ? "in " : "a number without a unit", unit,
                                      fw_text_shown(change->arena, rest, strlen(rest))));
    *number *= factor;
    return FW_OK;
}

static enum fw_status impossible(const struct change *change, double value)
{
    const struct fw_figure_row *row = change->row;
    bool whole = row->shape != FW_FIGURE_SHAPE_COUNT || value == floor(value);
    const char *unit = strcmp(row->unit, "1") == 0 ? "" : row->unit;
    return refuse(
        change, "DEV016", change->equals + 1, NULL,
        whole ? fw_arena_printf(change->arena, "%s is %g%s%s, outside %g to %g", row->name, value,
                                *unit ? " " : "", unit, row->low, row->high)
              : fw_arena_printf(change->arena, "%s is %g, not a whole number", row->name, value));
}

/* Sizes of shared memory up to a new largest one, which is one of them. */
static void follow_carve_outs(struct change *change, double most)
{
    struct fw_figure_value *sizes = &change->device->figures[FW_FIGURE_SHARED_CARVE_OUTS];
    double *list = FW_ARRAY(change->arena, double, sizes->count + 1);
    size_t count = 0;
    if (!sizes->known)
        return;
    for (size_t i = 0; i < sizes->count && sizes->list[i] < most; i++)
        list[count++] = sizes->list[i];
    list[count++] = most;
    sizes->list = list;
    sizes->count = count;
    sizes->source = FW_SOURCE_STATED;
}

static enum fw_status scale_curve(struct change *change, enum fw_figure figure, double factor,
                                  bool is_factor)
{
    struct fw_figure_value *curve = &change->device->figures[figure];
    if (change->row->shape != FW_FIGURE_SHAPE_POINTS || !is_factor)
        return refuse(change, "DEV014", change->equals + 1, NULL,
                      change->row->shape == FW_FIGURE_SHAPE_POINTS
                          ? fw_arena_printf(change->arena,
                                            "%s is a curve: a factor (2x) changes it",
                                            change->row->name)
                          : fw_arena_printf(change->arena, "%s is a list, and stays as it is",
                                            change->row->name));
    double *list = FW_ARRAY(change->arena, double, 2 * curve->count + 1);
    for (size_t i = 0; i < 2 * curve->count; i++) {
        list[i] = i % 2 ? factor * curve->list[i] : curve->list[i];
        if (i % 2 && !(list[i] >= change->row->low && list[i] <= change->row->high))
            return impossible(change, list[i]);
    }
    curve->list = list;
    curve->source = FW_SOURCE_STATED;
    *FW_APPEND(change->arena, &change->made) =
        (struct fw_device_change){.figure = figure, .was_known = true, .was = 1, .value = factor};
    return FW_OK;
}

/* One of the names that the property may have. */
static enum fw_status set_name(struct change *change, enum fw_figure figure)
{
    const struct fw_figure_value was = change->device->figures[figure];
    const size_t length = change->end - change->equals - 1;
    const char *name =
        fw_arena_text(change->arena, change->source->text + change->equals + 1, length);
    unsigned number;
    if (!fw_figure_name_find(&number, figure, name) ||
        !fw_device_set(change->device, change->arena, figure, number, FW_SOURCE_STATED,
                       "stated by the user"))
        return refuse(change, "DEV016", change->equals + 1, NULL,
                      fw_arena_printf(change->arena, "%s is \"%s\", not one of %s",
                                      change->row->name, value_text(change),
                                      fw_device_names(figure, change->arena)));
    *FW_APPEND(change->arena, &change->made) = (struct fw_device_change){
        .figure = figure, .was_known = was.known, .was = was.value, .value = number};
    return FW_OK;
}

static enum fw_status set(struct change *change, enum fw_figure figure)
{
    struct fw_figure_value *at = &change->device->figures[figure];
    bool is_factor, single = change->row->shape == FW_FIGURE_SHAPE_COUNT ||
                             change->row->shape == FW_FIGURE_SHAPE_NUMBER;
    const struct fw_figure_value was = *at;
    double value;
    if (change->row->shape == FW_FIGURE_SHAPE_NAME)
        return set_name(change, figure);
    enum fw_status status = read_value(change, &value, &is_factor);
    if (status)
        return status;
    if (is_factor && !at->known)
        return refuse(change, "DEV014", change->equals + 1, NULL,
                      fw_arena_printf(change->arena,
                                      "the profile does not state %s: a factor on it says nothing",
                                      change->row->name));
    if (!single)
        return scale_curve(change, figure, value, is_factor);
    value *= is_factor ? at->value : 1;
    if (!fw_device_set(change->device, change->arena, figure, value, FW_SOURCE_STATED,
                       "stated by the user"))
        return impossible(change, value);
    if (figure == FW_FIGURE_SHARED_PER_SM)
        follow_carve_outs(change, value);
    *FW_APPEND(change->arena, &change->made) = (struct fw_device_change){
        .figure = figure, .was_known = was.known, .was = was.value, .value = value};
    return FW_OK;
}

/* ---- the list ---- */

static enum fw_status no_such_property(const struct change *change, const char *name)
{
    const char *nearest = NULL;
    unsigned least = NEAR;
    for (int f = 0; f < FW_FIGURE_COUNT; f++) {
        const char *known = fw_figure_row((enum fw_figure)f)->name;
        unsigned distance = fw_text_distance(name, known, least);
        if (distance < least) {
            least = distance;
            nearest = known;
        }
    }
    return refuse(change, "DEV015", change->begin,
                  nearest ? fw_arena_printf(change->arena, "did you mean %s?", nearest)
                          : "forewarp device show DEVICE lists those that there are",
                  fw_arena_printf(change->arena, "a device has no property \"%.64s\"",
                                  fw_text_shown(change->arena, name, strlen(name))));
}

static enum fw_status apply_one(struct change *change)
{
    const char *text = change->source->text;
    enum fw_figure figure;
    change->equals = change->begin;
    while (change->equals < change->end && text[change->equals] != '=')
        change->equals++;
    const char *name =
        fw_arena_text(change->arena, text + change->begin, change->equals - change->begin);
    if (change->equals == change->end || !*name)
        return refuse(change, "DEV014", change->begin, NULL,
                      "behind the colon of a device stand changes: PROPERTY=VALUE, or PROPERTY=2x");
    if (!fw_figure_find(&figure, name))
        return no_such_property(change, name);
    for (size_t c = 0; c < change->made.count; c++)
        if (change->made.at[c].figure == figure)
            return refuse(change, "DEV014", change->begin, NULL,
                          fw_arena_printf(change->arena, "%s is stated twice", name));
    change->row = fw_figure_row(figure);
    return set(change, figure);
}

/* Views of one memory: what the first says is changed by, the others are changed by, too, where
 * nobody states them: else a copy would be faster than its reads. */
static enum fw_status follow_memory(struct change *change, size_t offset)
{
    static const enum fw_figure views[] = {
        FW_FIGURE_DRAM_READ_BANDWIDTH, FW_FIGURE_DRAM_WRITE_BANDWIDTH, FW_FIGURE_DRAM_BANDWIDTH};
    const size_t stated = change->made.count;
    for (size_t c = 0; c < stated; c++) {
        const struct fw_device_change leader = change->made.at[c];
        if (leader.figure != FW_FIGURE_DRAM_COPY_BANDWIDTH || !leader.was_known)
            continue;
        for (size_t v = 0; v < sizeof(views) / sizeof(views[0]); v++) {
            bool own = !change->device->figures[views[v]].known;
            for (size_t o = 0; o < stated; o++)
                own |= change->made.at[o].figure == views[v];
            if (own)
                continue;
            double was = change->device->figures[views[v]].value;
            double value = was * (leader.value / leader.was);
            change->row = fw_figure_row(views[v]);
            change->equals = offset;
            if (!fw_device_set(change->device, change->arena, views[v], value, FW_SOURCE_STATED,
                               "follows dram_copy_bandwidth, which the user stated"))
                return impossible(change, value);
            *FW_APPEND(change->arena, &change->made) = (struct fw_device_change){
                .figure = views[v], .was_known = true, .was = was, .value = value};
        }
    }
    return FW_OK;
}

/* The changed device as a whole. */
static enum fw_status check(struct change *change, size_t offset)
{
    for (size_t r = 0; r < fw_device_rules(); r++) {
        enum fw_figure blamed;
        const char *why = fw_device_conflict(&blamed, change->device, r, change->arena);
        change->end = change->source->length;
        if (why)
            return refuse(change, "DEV016", offset, NULL,
                          fw_arena_printf(change->arena, "there is no such device: %s", why));
    }
    return FW_OK;
}

enum fw_status fw_device_apply(struct fw_device *device, struct fw_arena *arena,
                               const struct fw_source *source, size_t offset,
                               const struct fw_sink *sink)
{
    struct change change = {.device = device, .arena = arena, .source = source, .sink = sink};
    enum fw_status status = FW_OK;
    for (change.begin = offset; change.begin <= source->length && !status;) {
        const char *comma = memchr(source->text + change.begin, ',', source->length - change.begin);
        change.end = comma ? (size_t)(comma - source->text) : source->length;
        status = apply_one(&change);
        change.begin = change.end + 1;
    }
    if (!status)
        status = follow_memory(&change, offset);
    if (!status)
        status = check(&change, offset);
    device->like = ""; /* nothing was measured on a device that there is not */
    device->changes = change.made.at;
    device->change_count = change.made.count;
    device->name =
        fw_arena_printf(arena, "%s:%s", device->name,
                        fw_text_shown(arena, source->text + offset, source->length - offset));
    return status;
}
