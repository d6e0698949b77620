/* Files of launches: JSON lines, or one JSON array of the same objects. */
#include "api_internal.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_LAUNCHES = 256 << 20 };

struct fw_launch_list {
    struct fw_arena *arena;
    FW_VECTOR(struct fw_launch_item) items;
};

struct parsing {
    const struct fw_context *context;
    struct fw_launch_list *list;
    const char *path;
    const char *folder; /* of the file, with its last slash; "" for none */
    json_t *open;       /* freed on every way out */
    char *text;
    size_t length;
};

static enum fw_status wrong(const struct parsing *parsing, uint32_t line, const char *what)
{
    api_error(parsing->context, "API040", "%s, line %u: %s", parsing->path, line, what);
    return FW_ERROR_INPUT;
}

static const char *kept(struct parsing *parsing, const json_t *value)
{
    const char *text = json_string_value(value);
    return text ? fw_arena_text(parsing->list->arena, text, strlen(text)) : NULL;
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
static enum fw_status add_values(struct parsing *parsing, uint32_t line, const json_t *object,
                                 const char *key, const char *const **list, size_t *count)
{
    struct fw_arena *arena = parsing->list->arena;
    json_t *values = json_object_get(object, key), *value;
    const char *name;
    if (values && !json_is_object(values))
        return wrong(parsing, line, fw_arena_printf(arena, "\"%s\" is not an object", key));
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
                parsing, line,
                fw_arena_printf(arena, "a value of \"%s\" is neither a number nor a text", key));
        texts[(*count)++] = text;
    }
    *list = texts;
    return FW_OK;
}

static enum fw_status add_item(struct parsing *parsing, json_t *object, uint32_t line)
{
    if (!json_is_object(object))
        return wrong(parsing, line, "a launch is an object: {\"kernel\": ..., \"grid\": ...}");
    struct fw_launch_item *item = FW_APPEND(parsing->list->arena, &parsing->list->items);
    const json_t *shared = json_object_get(object, "shared");
    const json_t *repeats = json_object_get(object, "repeats");
    const json_t *block = json_object_get(object, "block");
    const json_t *grid = json_object_get(object, "grid"); /* a .knl's follows from its arguments */
    item->line = line;
    item->file = kept(parsing, json_object_get(object, "file"));
    if (item->file && *item->file != '/' && *parsing->folder)
        item->file = fw_arena_printf(parsing->list->arena, "%s%s", parsing->folder, item->file);
    item->kernel = kept(parsing, json_object_get(object, "kernel"));
    if (grid && !triple(grid, item->grid))
        return wrong(parsing, line, "\"grid\" is not one to three whole numbers above 0");
    if (block && !triple(block, item->block))
        return wrong(parsing, line, "\"block\" is not one to three whole numbers above 0");
    if ((shared && (!json_is_integer(shared) || json_integer_value(shared) < 0)) ||
        (repeats && (!json_is_integer(repeats) || json_integer_value(repeats) < 0)))
        return wrong(parsing, line, "\"shared\" and \"repeats\" are whole numbers");
    item->shared = (uint64_t)json_integer_value(shared);
    item->repeats = repeats ? (uint64_t)json_integer_value(repeats) : 1;
    enum fw_status status =
        add_values(parsing, line, object, "arguments", &item->bindings, &item->binding_count);
    if (!status)
        status = add_values(parsing, line, object, "defines", &item->defines, &item->define_count);
    return status;
}

static enum fw_status parse_array(struct parsing *parsing)
{
    json_error_t error;
    parsing->open = json_loadb(parsing->text, parsing->length, JSON_REJECT_DUPLICATES, &error);
    if (!parsing->open)
        return wrong(parsing, error.line > 0 ? (uint32_t)error.line : 1, error.text);
    enum fw_status status = FW_OK;
    for (size_t i = 0; i < json_array_size(parsing->open) && !status; i++)
        status = add_item(parsing, json_array_get(parsing->open, i), (uint32_t)i + 1);
    return status;
}

static enum fw_status parse_lines(struct parsing *parsing)
{
    const char *at = parsing->text, *end = parsing->text + parsing->length;
    enum fw_status status = FW_OK;
    for (uint32_t line = 1; at < end && !status; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        json_error_t error;
        if (strspn(at, " \t\r") < length) {
            parsing->open = json_loadb(at, length, JSON_REJECT_DUPLICATES, &error);
            status = parsing->open ? add_item(parsing, parsing->open, line)
                                   : wrong(parsing, line, error.text);
            json_decref(parsing->open);
            parsing->open = NULL;
        }
        at += length + 1;
    }
    return status;
}

static enum fw_status read_text(struct parsing *parsing)
{
    FILE *file = strcmp(parsing->path, "-") == 0 ? stdin : fopen(parsing->path, "rb");
    const char *why = file ? NULL : strerror(errno);
    size_t capacity = 1 << 16, got = 1;
    parsing->text = file ? malloc(capacity) : NULL;
    while (file && parsing->text && got && !why) {
        if (parsing->length + 1 == capacity) {
            char *larger = realloc(parsing->text, capacity *= 2);
            if (!larger)
                break;
            parsing->text = larger;
        }
        got = fread(parsing->text + parsing->length, 1, capacity - parsing->length - 1, file);
        parsing->length += got;
        if (ferror(file))
            why = strerror(errno);
        if (parsing->length > LARGEST_LAUNCHES)
            why = "it is larger than 256 MiB";
    }
    if (file && file != stdin)
        fclose(file);
    if (why) {
        api_error(parsing->context, "API002", "cannot read %s: %s", parsing->path, why);
        return FW_ERROR_INPUT;
    }
    if (!parsing->text || got)
        return FW_ERROR_MEMORY;
    parsing->text[parsing->length] = '\0';
    return FW_OK;
}

static enum fw_status parse(void *user)
{
    struct parsing *parsing = user;
    const char *slash = strrchr(parsing->path, '/');
    parsing->folder = slash ? fw_arena_text(parsing->list->arena, parsing->path,
                                            (size_t)(slash - parsing->path) + 1)
                            : "";
    enum fw_status status = read_text(parsing);
    if (status)
        return status;
    if (parsing->text[strspn(parsing->text, " \t\r\n")] == '[')
        status = parse_array(parsing);
    else
        status = parse_lines(parsing);
    if (!status && parsing->list->items.count == 0)
        return wrong(parsing, 1, "there is no launch in it");
    return status;
}

enum fw_status fw_launch_list_read(struct fw_launch_list **list, const struct fw_context *context,
                                   const char *path)
{
    struct fw_arena *arena = fw_arena_new(context->memory);
    jmp_buf full;
    *list = NULL;
    if (!arena)
        return FW_ERROR_MEMORY;
    fw_arena_on_exhausted(arena, &full);
    if (setjmp(full)) {
        fw_arena_free(arena);
        return FW_ERROR_MEMORY;
    }
    struct fw_launch_list *made = FW_NEW(arena, struct fw_launch_list);
    fw_arena_on_exhausted(arena, NULL);
    made->arena = arena;
    struct parsing parsing = {.context = context, .list = made, .path = path};
    enum fw_status status = api_guard(context, arena, NULL, parse, &parsing);
    json_decref(parsing.open);
    free(parsing.text);
    if (status)
        fw_arena_free(arena);
    else
        *list = made;
    return status;
}

void fw_launch_list_free(struct fw_launch_list *list)
{
    if (list)
        fw_arena_free(list->arena);
}

size_t fw_launch_list_count(const struct fw_launch_list *list)
{
    return list->items.count;
}

const struct fw_launch_item *fw_launch_list_item(const struct fw_launch_list *list, size_t index)
{
    return index < list->items.count ? &list->items.at[index] : NULL;
}
