/* Profiles as JSON: reading, checking, printing. */
#include "device_internal.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_NAME = 64, LONGEST_LIST = 4096, NEAR = 3 };

struct reader {
    struct fw_arena *arena;
    const struct fw_sink *sink;
    struct fw_source *source;
    struct fw_device *device;
    bool failed;
};

/* jansson keeps no places of values: a member is found again by its quoted name before a colon.
 * Names are unique in a profile but for those of a figure's own members, so those are looked for
 * behind the figure's. */
static struct fw_span member_span(const struct reader *reader, const char *outer, const char *name)
{
    const struct fw_source *source = reader->source;
    const char *from = source->text, *end = source->text + source->length;
    const char *names[] = {outer, name};
    struct fw_span span = {source, 0, 0};
    for (size_t i = 0; i < 2; i++) {
        size_t length = names[i] ? strlen(names[i]) : 0;
        if (!length)
            continue;
        for (const char *at = from; (at = memchr(at, '"', (size_t)(end - at))) != NULL; at++) {
            if ((size_t)(end - at) < length + 2 || memcmp(at + 1, names[i], length) != 0 ||
                at[length + 1] != '"')
                continue;
            const char *after = at + length + 2;
            while (after < end && strchr(" \t\r\n", *after) && *after)
                after++;
            if (after == end || *after != ':')
                continue;
            span.offset = (uint32_t)(at - source->text);
            span.length = (uint32_t)length + 2;
            from = after;
            break;
        }
    }
    return span;
}

#define FAIL(reader, code, span, ...)                                                              \
    do {                                                                                           \
        (reader)->failed = true;                                                                   \
        fw_report((reader)->sink, FW_ERROR, code, span, __VA_ARGS__);                              \
    } while (0)

/* Control characters would reach the terminal of whoever looks at the profile.  Most texts are
 * plain ASCII. */
static bool printable(const char *text)
{
    while (*text) {
        const bool plain = *text >= ' ' && *text < 0x7f;
        const size_t length = plain ? 1 : fw_text_character(text);
        if (!length || (!plain && fw_text_is_control(text)))
            return false;
        text += length;
    }
    return true;
}

static const char *shown(const struct reader *reader, const char *text)
{
    return printable(text) ? fw_arena_printf(reader->arena, "%.64s", text) : "?";
}

/* A text member of `object`; `otherwise` when it is not there and that is allowed. */
static const char *read_text(struct reader *reader, json_t *object, const char *outer,
                             const char *name, const char *otherwise)
{
    json_t *value = json_object_get(object, name);
    if (!value && otherwise)
        return otherwise;
    if (!value) {
        FAIL(reader, "DEV003", member_span(reader, outer, NULL), "%s%s lacks \"%s\"",
             outer ? ".figures." : "the profile", outer ? outer : "", name);
        return "";
    }
    if (!json_is_string(value)) {
        FAIL(reader, "DEV004", member_span(reader, outer, name), "%s%s.%s is not a text",
             outer ? ".figures." : "", outer ? outer : "", name);
        return "";
    }
    const char *text = json_string_value(value);
    if (!printable(text)) {
        FAIL(reader, "DEV011", member_span(reader, outer, name), "%s%s.%s holds control characters",
             outer ? ".figures." : "", outer ? outer : "", name);
        return "";
    }
    return fw_arena_text(reader->arena, text, strlen(text));
}

static void warn_unknown(const struct reader *reader, const char *outer, const char *name,
                         const char *const *known, size_t known_count)
{
    const char *nearest = NULL;
    unsigned distance = NEAR;
    for (size_t i = 0; i < known_count; i++) {
        unsigned d = fw_text_distance(name, known[i], NEAR);
        if (d < distance) {
            distance = d;
            nearest = known[i];
        }
    }
    const char *notes[] = {nearest ? fw_arena_printf(reader->arena, "did you mean \"%s\"?", nearest)
                                   : NULL};
    fw_report_notes(reader->sink, FW_WARNING, "DEV008", member_span(reader, outer, name), notes,
                    nearest != NULL, "\"%s\" is not known here and is left out",
                    shown(reader, name));
}

static void warn_members(const struct reader *reader, json_t *object, const char *outer,
                         const char *const *known, size_t known_count)
{
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        size_t i = 0;
        while (i < known_count && strcmp(known[i], name) != 0)
            i++;
        if (i == known_count)
            warn_unknown(reader, outer, name, known, known_count);
    }
}

static bool read_number(struct reader *reader, json_t *value, const struct fw_figure_row *row,
                        const char *member, bool bounded, double *number)
{
    if (!json_is_number(value)) {
        FAIL(reader, "DEV004", member_span(reader, row->name, member),
             ".figures.%s.%s is not a number", row->name, member);
        return false;
    }
    *number = json_number_value(value);
    if (!isfinite(*number) || (bounded && !(*number >= row->low && *number <= row->high))) {
        FAIL(reader, "DEV006", member_span(reader, row->name, member),
             ".figures.%s.%s is %g, outside %g to %g %s", row->name, member, *number, row->low,
             row->high, row->unit);
        return false;
    }
    bool whole = row->shape == FW_FIGURE_SHAPE_COUNT || row->shape == FW_FIGURE_SHAPE_LIST;
    if (bounded && whole && *number != floor(*number)) {
        FAIL(reader, "DEV006", member_span(reader, row->name, member),
             ".figures.%s.%s is %g, not a whole number", row->name, member, *number);
        return false;
    }
    return true;
}

/* One element of a LIST (one number) or POINTS (a pair) into `place`. */
static bool read_element(struct reader *reader, json_t *element, const struct fw_figure_row *row,
                         double *place)
{
    if (row->shape == FW_FIGURE_SHAPE_LIST)
        return read_number(reader, element, row, "value", true, place);
    if (!json_is_array(element) || json_array_size(element) != 2) {
        FAIL(reader, "DEV004", member_span(reader, row->name, "value"),
             ".figures.%s.value is not a list of pairs of numbers", row->name);
        return false;
    }
    return read_number(reader, json_array_get(element, 0), row, "value", true, &place[0]) &&
           read_number(reader, json_array_get(element, 1), row, "value", true, &place[1]);
}

/* Where a figure's value is: it is looked for in the whole text, where a fault asks for it. */
static struct fw_span value_span(const struct reader *reader, const struct fw_figure_row *row)
{
    return member_span(reader, row->name, "value");
}

static bool read_list(struct reader *reader, json_t *value, const struct fw_figure_row *row,
                      struct fw_figure_value *figure)
{
    size_t width = row->shape == FW_FIGURE_SHAPE_LIST ? 1 : 2;
    if (!json_is_array(value)) {
        FAIL(reader, "DEV004", value_span(reader, row), ".figures.%s.value is not a list",
             row->name);
        return false;
    }
    size_t count = json_array_size(value);
    if (count < 1 || count > LONGEST_LIST) {
        FAIL(reader, "DEV006", value_span(reader, row),
             ".figures.%s.value has %zu elements, not 1 to %d", row->name, count, LONGEST_LIST);
        return false;
    }
    double *list = FW_ARRAY(reader->arena, double, count *width);
    for (size_t i = 0; i < count; i++) {
        if (!read_element(reader, json_array_get(value, i), row, &list[i * width]))
            return false;
        if (i && list[i * width] <= list[(i - 1) * width]) {
            FAIL(reader, "DEV006", value_span(reader, row),
                 ".figures.%s.value does not ascend at element %zu", row->name, i);
            return false;
        }
    }
    figure->list = list;
    figure->count = count;
    return true;
}

static bool read_single(struct reader *reader, json_t *object, const struct fw_figure_row *row,
                        struct fw_figure_value *figure)
{
    if (!read_number(reader, json_object_get(object, "value"), row, "value", true, &figure->value))
        return false;
    json_t *low = json_object_get(object, "low"), *high = json_object_get(object, "high");
    figure->low = figure->high = figure->value;
    if (low && !read_number(reader, low, row, "low", true, &figure->low))
        return false;
    if (high && !read_number(reader, high, row, "high", true, &figure->high))
        return false;
    if (figure->low > figure->value || figure->high < figure->value) {
        FAIL(reader, "DEV006", member_span(reader, row->name, NULL),
             ".figures.%s.value is not between its low and high", row->name);
        return false;
    }
    return true;
}

/* One of the names that the figure may have. */
static bool read_name(struct reader *reader, json_t *value, enum fw_figure figure,
                      struct fw_figure_value *to)
{
    const struct fw_figure_row *row = fw_figure_row(figure);
    unsigned number;
    if (!json_is_string(value)) {
        FAIL(reader, "DEV004", value_span(reader, row),
             ".figures.%s.value is not a text, one of %s", row->name,
             fw_device_names(figure, reader->arena));
        return false;
    }
    if (!fw_figure_name_find(&number, figure, json_string_value(value))) {
        FAIL(reader, "DEV006", value_span(reader, row),
             ".figures.%s.value is \"%s\", not one of %s", row->name,
             shown(reader, json_string_value(value)), fw_device_names(figure, reader->arena));
        return false;
    }
    to->value = to->low = to->high = number;
    return true;
}

static bool read_value(struct reader *reader, json_t *object, enum fw_figure figure,
                       struct fw_figure_value *to)
{
    const struct fw_figure_row *row = fw_figure_row(figure);
    json_t *value = json_object_get(object, "value");
    switch (row->shape) {
    case FW_FIGURE_SHAPE_COUNT:
    case FW_FIGURE_SHAPE_NUMBER:
        return read_single(reader, object, row, to);
    case FW_FIGURE_SHAPE_NAME:
        return read_name(reader, value, figure, to);
    case FW_FIGURE_SHAPE_LIST:
    case FW_FIGURE_SHAPE_POINTS:
        break;
    }
    return read_list(reader, value, row, to);
}

static bool read_source(struct reader *reader, json_t *object, const struct fw_figure_row *row,
                        enum fw_figure_source *source)
{
    const char *text = read_text(reader, object, row->name, "source", NULL);
    if (!*text)
        return false;
    for (size_t i = 0; i < FW_SOURCE_COUNT; i++) {
        if (strcmp(fw_figure_source_text((enum fw_figure_source)i), text) == 0) {
            *source = (enum fw_figure_source)i;
            return true;
        }
    }
    FAIL(reader, "DEV007", member_span(reader, row->name, "source"),
         ".figures.%s.source is \"%s\", not one of spec, measured, calibrated, bench, papers, "
         "similar, stated",
         row->name, shown(reader, text));
    return false;
}

static void read_figure(struct reader *reader, json_t *object, enum fw_figure figure)
{
    static const char *const members[] = {"value", "unit", "source", "note", "low", "high"};
    const struct fw_figure_row *row = fw_figure_row(figure);
    struct fw_figure_value value = {0};
    if (!json_is_object(object)) {
        FAIL(reader, "DEV004", member_span(reader, row->name, NULL),
             ".figures.%s is not an object with value, unit and source", row->name);
        return;
    }
    size_t known = sizeof(members) / sizeof(members[0]); /* a name is in no range */
    known -= row->shape == FW_FIGURE_SHAPE_NAME ? 2 : 0;
    warn_members(reader, object, row->name, members, known);
    const char *unit = read_text(reader, object, row->name, "unit", NULL);
    if (*unit && strcmp(unit, row->unit) != 0)
        FAIL(reader, "DEV005", member_span(reader, row->name, "unit"),
             ".figures.%s.unit is \"%s\", not \"%s\"", row->name, shown(reader, unit), row->unit);
    if (!json_object_get(object, "value")) {
        FAIL(reader, "DEV003", member_span(reader, row->name, NULL), ".figures.%s lacks \"value\"",
             row->name);
        return;
    }
    value.note = read_text(reader, object, row->name, "note", "");
    value.known = read_source(reader, object, row, &value.source) &&
                  read_value(reader, object, figure, &value);
    reader->device->figures[figure] = value;
}

static void read_figures(struct reader *reader, json_t *figures)
{
    const char *names[FW_FIGURE_COUNT];
    const char *name;
    json_t *value;
    if (!json_is_object(figures)) {
        FAIL(reader, figures ? "DEV004" : "DEV003", member_span(reader, NULL, "figures"),
             figures ? ".figures is not an object" : "the profile lacks \"figures\"");
        return;
    }
    for (size_t i = 0; i < FW_FIGURE_COUNT; i++)
        names[i] = fw_figure_row((enum fw_figure)i)->name;
    json_object_foreach(figures, name, value)
    {
        enum fw_figure figure;
        if (fw_figure_find(&figure, name))
            read_figure(reader, value, figure);
        else
            warn_unknown(reader, "figures", name, names, FW_FIGURE_COUNT);
    }
}

static void check_orders(struct reader *reader)
{
    for (size_t i = 0; i < fw_device_rules(); i++) {
        enum fw_figure blamed;
        const char *why = fw_device_conflict(&blamed, reader->device, i, reader->arena);
        if (why)
            FAIL(reader, "DEV010", member_span(reader, fw_figure_row(blamed)->name, "value"), "%s",
                 why);
    }
}

static const char name_characters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

static bool is_name_character(char c)
{
    return strchr(name_characters, c) != NULL;
}

static bool is_name(const char *name)
{
    size_t length = strspn(name, name_characters);
    return length > 0 && length <= LONGEST_NAME && !name[length] && name[0] != '.' &&
           name[0] != '-';
}

static void read_profile(struct reader *reader, json_t *root)
{
    static const char *const members[] = {"forewarp_profile", "name", "title", "about", "like",
                                          "figures"};
    struct fw_device *device = reader->device;
    if (!json_is_object(root)) {
        FAIL(reader, "DEV004", ((struct fw_span){reader->source, 0, 1}),
             "a profile is a JSON object");
        return;
    }
    json_t *version = json_object_get(root, "forewarp_profile");
    if (!json_is_integer(version) || json_integer_value(version) != FW_PROFILE_VERSION) {
        FAIL(reader, "DEV003", member_span(reader, NULL, "forewarp_profile"),
             "\"forewarp_profile\" is not %d: not a profile, or one of another version",
             FW_PROFILE_VERSION);
        return;
    }
    warn_members(reader, root, NULL, members, sizeof(members) / sizeof(members[0]));
    device->name = read_text(reader, root, NULL, "name", NULL);
    device->title = read_text(reader, root, NULL, "title", device->name);
    device->about = read_text(reader, root, NULL, "about", "");
    device->like = read_text(reader, root, NULL, "like", "");
    if (*device->like && !is_name(device->like))
        FAIL(reader, "DEV006", member_span(reader, NULL, "like"),
             "a device's name is 1 to %d letters, digits and ._-", LONGEST_NAME);
    if (*device->name && !is_name(device->name))
        FAIL(reader, "DEV006", member_span(reader, NULL, "name"),
             "a device's name is 1 to %d letters, digits and ._-", LONGEST_NAME);
    read_figures(reader, json_object_get(root, "figures"));
    check_orders(reader);
}

enum fw_status fw_device_parse(struct fw_device **device, struct fw_arena *arena, const char *name,
                               const char *text, size_t length, const struct fw_sink *sink)
{
    jmp_buf point;
    json_t *volatile root = NULL;
    volatile enum fw_status status = FW_ERROR_MEMORY;
    *device = NULL;
    jmp_buf *before = fw_arena_on_exhausted(arena, &point);
    if (setjmp(point) != 0)
        goto out;
    struct fw_source *source = FW_NEW(arena, struct fw_source);
    *source = (struct fw_source){fw_arena_printf(arena, "%s", name),
                                 fw_arena_text(arena, text, length), length};
    fw_source_skip_mark(source);
    struct reader reader = {arena, sink, source, FW_NEW(arena, struct fw_device), false};
    reader.device->path = source->name;
    json_error_t error;
    root = json_loadb(source->text, source->length, JSON_REJECT_DUPLICATES, &error);
    if (root) {
        read_profile(&reader, root);
    } else {
        size_t at = error.position > 0 ? (size_t)error.position - 1 : 0;
        FAIL(&reader, "DEV002",
             ((struct fw_span){source, (uint32_t)(at < source->length ? at : source->length), 1}),
             "not JSON: line %d, column %d: %s", error.line, error.column,
             shown(&reader, error.text));
    }
    status = reader.failed ? FW_ERROR_INPUT : FW_OK;
    *device = reader.failed ? NULL : reader.device;
out:
    fw_arena_on_exhausted(arena, before);
    json_decref(root);
    return status;
}

/* A JSON string; all but quotes and backslashes is known to be printable. */
static void print_text(struct fw_buffer *buffer, const char *text)
{
    fw_buffer_add(buffer, "\"", 1);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fw_buffer_add(buffer, "\\", 1);
        fw_buffer_add(buffer, text, 1);
    }
    fw_buffer_add(buffer, "\"", 1);
}

/* The shortest decimal that reads back as the same number. */
static void print_number(struct fw_buffer *buffer, double number)
{
    char text[32];
    for (int digits = 1; digits <= 17; digits++) {
        double back;
        snprintf(text, sizeof(text), "%.*g", digits, number);
        if (sscanf(text, "%lf", &back) == 1 && back == number)
            break;
    }
    if (fabs(number) < 1e15 && number == floor(number))
        snprintf(text, sizeof(text), "%.0f", number);
    fw_buffer_add(buffer, text, strlen(text));
}

static void print_value(struct fw_buffer *buffer, enum fw_figure figure,
                        const struct fw_figure_value *value)
{
    const struct fw_figure_row *row = fw_figure_row(figure);
    if (row->shape == FW_FIGURE_SHAPE_NAME) {
        print_text(buffer, fw_figure_name(figure, (unsigned)value->value));
        return;
    }
    if (row->shape == FW_FIGURE_SHAPE_COUNT || row->shape == FW_FIGURE_SHAPE_NUMBER) {
        print_number(buffer, value->value);
        if (value->low < value->value || value->high > value->value) {
            fw_buffer_printf(buffer, ", \"low\": ");
            print_number(buffer, value->low);
            fw_buffer_printf(buffer, ", \"high\": ");
            print_number(buffer, value->high);
        }
        return;
    }
    bool pairs = row->shape == FW_FIGURE_SHAPE_POINTS;
    fw_buffer_add(buffer, "[", 1);
    for (size_t i = 0; i < value->count * (pairs ? 2 : 1); i++) {
        fw_buffer_printf(buffer, "%s%s", i ? ", " : "", pairs && i % 2 == 0 ? "[" : "");
        print_number(buffer, value->list[i]);
        fw_buffer_printf(buffer, "%s", pairs && i % 2 == 1 ? "]" : "");
    }
    fw_buffer_add(buffer, "]", 1);
}

/* The name as a profile may have it: changes behind it with dashes. */
static const char *file_name(const struct fw_device *device, struct fw_arena *arena)
{
    char *name = fw_arena_printf(arena, "%.*s", LONGEST_NAME, device->name);
    for (char *at = name; *at; at++)
        if (!is_name_character(*at))
            *at = '-';
    return name;
}

void fw_device_print(const struct fw_device *device, struct fw_buffer *buffer)
{
    bool first = true;
    fw_buffer_printf(buffer, "{\n  \"forewarp_profile\": %d,\n  \"name\": ", FW_PROFILE_VERSION);
    print_text(buffer, file_name(device, buffer->arena));
    fw_buffer_printf(buffer, ",\n  \"title\": ");
    print_text(buffer, device->title);
    fw_buffer_printf(buffer, ",\n  \"about\": ");
    print_text(buffer, device->about);
    if (device->like && *device->like) {
        fw_buffer_printf(buffer, ",\n  \"like\": ");
        print_text(buffer, device->like);
    }
    fw_buffer_printf(buffer, ",\n  \"figures\": {");
    for (size_t i = 0; i < FW_FIGURE_COUNT; i++) {
        const struct fw_figure_value *value = &device->figures[i];
        const struct fw_figure_row *row = fw_figure_row((enum fw_figure)i);
        if (!value->known)
            continue;
        fw_buffer_printf(buffer, "%s\n    \"%s\": {\"value\": ", first ? "" : ",", row->name);
        print_value(buffer, (enum fw_figure)i, value);
        fw_buffer_printf(buffer, ", \"unit\": \"%s\", \"source\": \"%s\"", row->unit,
                         fw_figure_source_text(value->source));
        if (*value->note) {
            fw_buffer_printf(buffer, ", \"note\": ");
            print_text(buffer, value->note);
        }
        fw_buffer_add(buffer, "}", 1);
        first = false;
    }
    fw_buffer_printf(buffer, "\n  }\n}\n");
}
