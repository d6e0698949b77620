#include "launches_reader.h"

#include "text.h"

#include <jansson.h>
#include <string.h>

enum { MOST_LOOPS = 4, MOST_REGISTERS = 1024, MOST_SPILLS = 512 << 10 /* all local memory */ };
static const uint64_t MOST_REPEATS = 1000000000000;

struct reading {
    struct fw_launch_items *items;
    struct fw_arena *arena;
    const struct fw_source *source;
    const char *folder; /* of the file, with its last slash; "" for none */
    struct fw_map names;
    const struct fw_sink *sink;
    json_t *open; /* freed on every way out */
};

static enum fw_status wrong_at(const struct reading *reading, uint32_t line, uint32_t column,
                               const char *what)
{
    fw_report(reading->sink, FW_ERROR, "API040", fw_span_at(reading->source, line, column), "%s",
              what);
    return FW_ERROR_INPUT;
}

static enum fw_status wrong(const struct reading *reading, uint32_t line, const char *what)
{
    return wrong_at(reading, line, 1, what);
}

/* What is no JSON; `line` is the first one of the text that was read. */
static enum fw_status no_json(const struct reading *reading, uint32_t line,
                              const json_error_t *error)
{
    return wrong_at(reading, line + (error->line > 0 ? (uint32_t)error->line - 1 : 0),
                    error->column > 0 ? (uint32_t)error->column : 1,
                    fw_arena_printf(reading->arena, "not JSON: %s", error->text));
}

static const char *kept(struct reading *reading, const json_t *value)
{
    const char *text = json_string_value(value);
    return text ? fw_arena_text(reading->arena, text, strlen(text)) : NULL;
}

/* [x, y, z], fewer, or a number. */
static bool triple(const json_t *value, uint32_t at[3])
{
    at[0] = at[1] = at[2] = 1;
    if (json_is_integer(value)) {
        json_int_t whole = json_integer_value(value);
        at[0] = (uint32_t)whole;
        return whole > 0 && whole <= UINT32_MAX;
    }
    size_t count = json_array_size(value);
    for (size_t d = 0; d < count && d < 3; d++) {
        const json_t *part = json_array_get(value, d);
        json_int_t whole = json_integer_value(part);
        if (!json_is_integer(part) || whole <= 0 || whole > UINT32_MAX)
            return false;
        at[d] = (uint32_t)whole;
    }
    return count >= 1 && count <= 3;
}

/* {NAME: VALUE} of the object's member `key` as a list of "NAME=VALUE". */
static enum fw_status add_values(struct reading *reading, uint32_t line, const json_t *object,
                                 const char *key, const char *const **list, size_t *count)
{
    struct fw_arena *arena = reading->arena;
    json_t *values = json_object_get(object, key), *value;
    const char *name;
    if (values && !json_is_object(values))
        return wrong(reading, line, fw_arena_printf(arena, "\"%s\" is not an object", key));
    const char **texts = FW_ARRAY(arena, const char *, json_object_size(values) + 1);
    json_object_foreach(values, name, value)
    {
        const char *text;
        if (json_is_integer(value))
            text = fw_arena_printf(arena, "%s=%lld", name, (long long)json_integer_value(value));
        else if (json_is_real(value))
            text = fw_arena_printf(arena, "%s=%.17g", name, json_real_value(value));
        else if (json_is_string(value))
            text = fw_arena_printf(arena, "%s=%s", name, json_string_value(value));
        else
            return wrong(
                reading, line,
                fw_arena_printf(arena, "a value of \"%s\" is neither a number nor a text", key));
        texts[(*count)++] = text;
    }
    *list = texts;
    return FW_OK;
}

/* The same with files as seen from the list's folder: "@FILE" and "TYPE[COUNT]:file:PATH". */
static void place_files(struct reading *reading, const char *const **list, size_t count)
{
    static const char file[] = "]:file:";
    const char **texts = FW_ARRAY(reading->arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        const char *text = texts[i] = (*list)[i], *content = strchr(text, '=') + 1;
        const char *found = strstr(content, file);
        const char *path = *content == '@' ? content + 1 : found ? found + sizeof(file) - 1 : NULL;
        if (path && *path != '/')
            texts[i] = fw_arena_printf(reading->arena, "%.*s%s%s", (int)(path - text), text,
                                       reading->folder, path);
    }
    *list = texts;
}

static const char *path_of(struct reading *reading, const json_t *value)
{
    const char *path = kept(reading, value);
    if (path && *path != '/' && *reading->folder)
        path = fw_arena_printf(reading->arena, "%s%s", reading->folder, path);
    return path;
}

/* The name of a launch's measurement, as plans have it: "copy copy medium 128x1x1". */
static const char *name_of(struct reading *reading, const json_t *object)
{
    const char *given = json_string_value(json_object_get(object, "name"));
    const char *file = json_string_value(json_object_get(object, "file"));
    const char *last = file ? strrchr(file, '/') : NULL;
    struct fw_buffer name = fw_buffer_new(reading->arena);
    file = last ? last + 1 : file ? file : "";
    const char *dot = strrchr(file, '.');
    if (given)
        fw_buffer_printf(&name, "%s", given);
    else
        fw_buffer_printf(&name, "%.*s", (int)(dot ? (size_t)(dot - file) : strlen(file)), file);
    static const char *const parts[] = {"kernel", "size", "shape"};
    for (size_t p = 0; p < sizeof(parts) / sizeof(*parts) && !given; p++) {
        const char *part = json_string_value(json_object_get(object, parts[p]));
        if (part)
            fw_buffer_printf(&name, " %s", part);
    }
    struct fw_map_entry *entry = fw_map_add(&reading->names, name.text, name.length, NULL);
    return entry->value++ ? fw_arena_printf(reading->arena, "%s (%u)", name.text, entry->value)
                          : name.text;
}

/* {"registers": N, "spills": BYTES}, the latter 0 if it does not stand there. */
static enum fw_status take_compiled(struct reading *reading, uint32_t line, const json_t *compiled,
                                    struct fw_launch_item *item)
{
    const json_t *registers = json_object_get(compiled, "registers");
    const json_t *spills = json_object_get(compiled, "spills");
    const json_int_t count = json_integer_value(registers), bytes = json_integer_value(spills);
    if (!compiled)
        return FW_OK;
    if (json_object_size(compiled) != (spills ? 2 : 1) || !registers)
        return wrong(reading, line,
                     "\"compiled\" is {\"registers\": N}, or with \"spills\": BYTES too");
    if (!json_is_integer(registers) || count < 1 || count > MOST_REGISTERS)
        return wrong(reading, line, "\"registers\" of a thread are a whole number from 1 to 1024");
    if (spills && (!json_is_integer(spills) || bytes < 0 || bytes > MOST_SPILLS))
        return wrong(reading, line,
                     "\"spills\" are bytes of a thread, a whole number from 0 to 524288");
    item->compiled_registers = (uint32_t)count;
    item->compiled_spill_bytes = (uint32_t)bytes;
    return FW_OK;
}

static enum fw_status add_item(struct reading *reading, json_t *object, uint32_t line,
                               const struct fw_launch_loop *loop);

/* {"repeats": N, "launches": [...]}: its launches stand together in the list. */
static enum fw_status add_loop(struct reading *reading, json_t *object, uint32_t line,
                               const struct fw_launch_loop *around)
{
    const json_t *launches = json_object_get(object, "launches");
    const json_t *repeats = json_object_get(object, "repeats");
    struct fw_launch_loop *loop = FW_NEW(reading->arena, struct fw_launch_loop);
    uint32_t depth = 1;
    for (const struct fw_launch_loop *of = around; of; of = of->around)
        depth++;
    if (depth > MOST_LOOPS)
        return wrong(reading, line, "loops of launches are at most four deep");
    if (!json_is_array(launches) || json_array_size(launches) == 0)
        return wrong(reading, line, "\"launches\" is not an array of launches");
    if (!json_is_integer(repeats) || json_integer_value(repeats) < 1)
        return wrong(reading, line, "\"repeats\" of a loop is a whole number above 0");
    if (json_object_size(object) != 2)
        return wrong(reading, line, "a loop has \"repeats\" and \"launches\" alone");
    loop->repeats = (uint64_t)json_integer_value(repeats);
    loop->first = reading->items->count;
    loop->around = around;
    enum fw_status status = FW_OK;
    for (size_t i = 0; i < json_array_size(launches) && !status; i++)
        status = add_item(reading, json_array_get(launches, i), line, loop);
    loop->end = reading->items->count;
    return status;
}

/* Repeats in all; 0: too many. */
static uint64_t repeats_in(uint64_t repeats, const struct fw_launch_loop *loop)
{
    for (; loop; loop = loop->around) {
        if (repeats > MOST_REPEATS / loop->repeats)
            return 0;
        repeats *= loop->repeats;
    }
    return repeats;
}

static enum fw_status add_item(struct reading *reading, json_t *object, uint32_t line,
                               const struct fw_launch_loop *loop)
{
    if (json_object_get(object, "launches"))
        return add_loop(reading, object, line, loop);
    if (!json_is_object(object))
        return wrong(reading, line, "a launch is an object: {\"kernel\": ..., \"grid\": ...}");
    struct fw_launch_item *item = FW_APPEND(reading->arena, reading->items);
    const json_t *shared = json_object_get(object, "shared");
    const json_t *repeats = json_object_get(object, "repeats");
    const json_t *block = json_object_get(object, "block");
    const json_t *grid = json_object_get(object, "grid"); /* a .knl's follows from its arguments */
    item->line = line;
    item->file = path_of(reading, json_object_get(object, "file"));
    item->knl = path_of(reading, json_object_get(object, "knl"));
    item->name = name_of(reading, object);
    item->kernel = kept(reading, json_object_get(object, "kernel"));
    item->family = kept(reading, json_object_get(object, "family"));
    if (grid && !triple(grid, item->grid))
        return wrong(reading, line, "\"grid\" is not one to three whole numbers above 0");
    if (block && !triple(block, item->block))
        return wrong(reading, line, "\"block\" is not one to three whole numbers above 0");
    if ((shared && (!json_is_integer(shared) || json_integer_value(shared) < 0)) ||
        (repeats && (!json_is_integer(repeats) || json_integer_value(repeats) < 0)))
        return wrong(reading, line, "\"shared\" and \"repeats\" are whole numbers");
    item->shared = (uint64_t)json_integer_value(shared);
    item->repeats = repeats ? (uint64_t)json_integer_value(repeats) : 1;
    item->loop = loop;
    if (item->repeats > 0 && repeats_in(item->repeats, loop) == 0)
        return wrong(reading, line, "the launch is repeated too often");
    item->repeats = repeats_in(item->repeats, loop);
    enum fw_status status = take_compiled(reading, line, json_object_get(object, "compiled"), item);
    if (!status)
        status =
            add_values(reading, line, object, "arguments", &item->bindings, &item->binding_count);
    if (!status)
        status = add_values(reading, line, object, "defines", &item->defines, &item->define_count);
    if (!status)
        status =
            add_values(reading, line, object, "contents", &item->contents, &item->content_count);
    if (!status)
        place_files(reading, &item->contents, item->content_count);
    return status;
}

/* A walk over the text of a JSON array that was read: where its elements begin. */
struct elements {
    const char *at, *end;
    uint32_t line;
};

/* The line on which the next element begins. */
static uint32_t next_element(struct elements *walk)
{
    unsigned depth = 0;
    uint32_t begun = 0;
    for (bool quoted = false; walk->at < walk->end; walk->at++) {
        char byte = *walk->at;
        bool blank = byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
        if (byte == ',' && depth == 0 && !quoted)
            break;
        if (!blank && !begun)
            begun = walk->line;
        walk->line += byte == '\n';
        if (quoted && byte == '\\')
            walk->at++;
        else if (byte == '"')
            quoted = !quoted;
        else if (!quoted)
            depth +=
                (unsigned)(byte == '{' || byte == '[') - (unsigned)(byte == '}' || byte == ']');
    }
    walk->at++; /* behind the comma */
    return begun;
}

static enum fw_status parse_array(struct reading *reading)
{
    const struct fw_source *source = reading->source;
    struct elements walk = {source->text, source->text + source->length, 1};
    json_error_t error;
    reading->open = json_loadb(source->text, source->length, JSON_REJECT_DUPLICATES, &error);
    if (!reading->open)
        return no_json(reading, 1, &error);
    for (; *walk.at != '['; walk.at++)
        walk.line += *walk.at == '\n';
    walk.at++;
    enum fw_status status = FW_OK;
    for (size_t i = 0; i < json_array_size(reading->open) && !status; i++)
        status = add_item(reading, json_array_get(reading->open, i), next_element(&walk), NULL);
    return status;
}

static enum fw_status parse_lines(struct reading *reading)
{
    const char *at = reading->source->text, *end = reading->source->text + reading->source->length;
    enum fw_status status = FW_OK;
    for (uint32_t line = 1; at < end && !status; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        json_error_t error;
        if (strspn(at, " \t\r") < length) {
            reading->open = json_loadb(at, length, JSON_REJECT_DUPLICATES, &error);
            status = reading->open ? add_item(reading, reading->open, line, NULL)
                                   : no_json(reading, line, &error);
            json_decref(reading->open);
            reading->open = NULL;
        }
        at += length + 1;
    }
    return status;
}

static enum fw_status read_all(void *user)
{
    struct reading *reading = user;
    const char *text = reading->source->text;
    enum fw_status status =
        text[strspn(text, " \t\r\n")] == '[' ? parse_array(reading) : parse_lines(reading);
    if (!status && reading->items->count == 0)
        return wrong(reading, 1, "there is no launch in it");
    return status;
}

static void close_open(void *user)
{
    json_decref(((struct reading *)user)->open);
}

enum fw_status fw_launches_read(struct fw_launch_items *items, struct fw_arena *arena,
                                const struct fw_source *source, const char *path,
                                const struct fw_sink *sink)
{
    const char *slash = strrchr(path, '/');
    struct reading reading = {
        .items = items,
        .arena = arena,
        .source = source,
        .folder = slash ? fw_arena_text(arena, path, (size_t)(slash - path) + 1) : "",
        .names = fw_map_new(arena),
        .sink = sink};
    *items = (struct fw_launch_items){0};
    return fw_arena_finally(arena, read_all, close_open, &reading);
}
