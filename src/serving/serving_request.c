/* Requests: one line of JSON each, of bounded size and depth. */
#include "serving_internal.h"

#include <math.h>
#include <string.h>

/* Before a parser sees it: a line of a stranger may be nothing but brackets. */
static bool too_deep(const char *line, size_t length)
{
    int depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < length; i++) {
        char c = line[i];
        if (quoted && c == '\\')
            i++;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == '[' || c == '{') && ++depth > SERVICE_DEPTH_MOST)
            return true;
        else if (!quoted && (c == ']' || c == '}'))
            depth--;
    }
    return false;
}

static enum fw_status wrong(struct fw_service *service, const char *member, const char *what)
{
    service_error(service, "SRV003", "\"%.64s\" %s", member, what);
    return FW_ERROR_INPUT;
}

static enum fw_status read_text(struct fw_service *service, const char **text, const char *name,
                                const json_t *value)
{
    *text = json_string_value(value);
    if (!*text || !**text)
        return wrong(service, name, "is a text, and not empty");
    if (json_string_length(value) > SERVICE_TEXT_MOST || strlen(*text) != json_string_length(value))
        return wrong(service, name, "is too long, or holds zero bytes");
    return FW_OK;
}

/* [x, y, z], fewer, or a number. */
static enum fw_status read_triple(struct fw_service *service, uint32_t at[3], const char *name,
                                  const json_t *value)
{
    size_t count = json_is_array(value) ? json_array_size(value) : 1;
    at[0] = at[1] = at[2] = 1;
    for (size_t d = 0; d < count && count <= 3; d++) {
        const json_t *part = json_is_array(value) ? json_array_get(value, d) : value;
        json_int_t whole = json_integer_value(part);
        if (!json_is_integer(part) || whole <= 0 || whole > UINT32_MAX)
            count = 4;
        else
            at[d] = (uint32_t)whole;
    }
    return count >= 1 && count <= 3 ? FW_OK
                                    : wrong(service, name, "is one to three whole numbers above 0");
}

static enum fw_status read_whole(struct fw_service *service, uint64_t *number, const char *name,
                                 const json_t *value, uint64_t most)
{
    json_int_t whole = json_integer_value(value);
    if (!json_is_integer(value) || whole < 0 || (uint64_t)whole > most)
        return wrong(service, name,
                     fw_arena_printf(service->arena, "is a whole number from 0 to %llu",
                                     (unsigned long long)most));
    *number = (uint64_t)whole;
    return FW_OK;
}

static enum fw_status read_object(struct fw_service *service, json_t **object, const char *name,
                                  json_t *value)
{
    const char *member;
    json_t *inner;
    if (!json_is_object(value) || json_object_size(value) > SERVICE_VALUES_MOST)
        return wrong(service, name, "is an object of at most 256 values");
    json_object_foreach(value, member, inner)
    {
        bool text = json_is_string(inner) && json_string_length(inner) <= SERVICE_TEXT_MOST;
        if (!*member || strlen(member) > SERVICE_TEXT_MOST || strchr(member, '=') ||
            (!json_is_number(inner) && !text))
            return wrong(service, name, "has names without '=', and numbers or short texts");
    }
    *object = value;
    return FW_OK;
}

static enum fw_status read_member(struct fw_service *service, const char *name, json_t *value)
{
    static const uint64_t most_shared = 1u << 30, most_repeats = (uint64_t)1 << 53;
    struct service_request *request = &service->request;
    const char *text;
    uint64_t whole = 0;
    enum fw_status status = FW_OK;
    if (strcmp(name, "id") == 0) {
        return !json_is_array(value) && !json_is_object(value) &&
                       json_string_length(value) <= SERVICE_TEXT_MOST
                   ? FW_OK
                   : wrong(service, name, "is a number or a short text");
    } else if (strcmp(name, "file") == 0) {
        return read_text(service, &request->file, name, value);
    } else if (strcmp(name, "kernel") == 0) {
        return read_text(service, &request->kernel, name, value);
    } else if (strcmp(name, "device") == 0) {
        return read_text(service, &request->device, name, value);
    } else if (strcmp(name, "model") == 0) {
        return read_text(service, &request->models, name, value);
    } else if (strcmp(name, "grid") == 0) {
        return read_triple(service, request->grid, name, value);
    } else if (strcmp(name, "block") == 0) {
        return read_triple(service, request->block, name, value);
    } else if (strcmp(name, "arguments") == 0) {
        return read_object(service, &request->arguments, name, value);
    } else if (strcmp(name, "defines") == 0) {
        return read_object(service, &request->defines, name, value);
    } else if (strcmp(name, "shared") == 0) {
        request->has_shared = true;
        return read_whole(service, &request->shared, name, value, most_shared);
    } else if (strcmp(name, "repeats") == 0) {
        return read_whole(service, &request->repeats, name, value, most_repeats);
    } else if (strcmp(name, "registers") == 0) {
        status = read_whole(service, &whole, name, value, UINT16_MAX);
        request->registers = (uint32_t)whole;
        return status;
    } else if (strcmp(name, "clock") == 0) {
        request->clock = json_number_value(value);
        return request->clock >= 1e6 && request->clock <= 1e11
                   ? FW_OK
                   : wrong(service, name, "is a number of hertz, from 1e6 to 1e11");
    } else if (strcmp(name, "cache") == 0) {
        status = read_text(service, &text, name, value);
        if (!status && strcmp(text, "warm") != 0 && strcmp(text, "cold") != 0)
            return wrong(service, name, "is \"warm\" or \"cold\"");
        request->has_cold = true;
        request->cold = !status && strcmp(text, "cold") == 0;
        return status;
    }
    return wrong(service, name,
                 "is no member of a request: these are id, file, kernel, grid, block, shared, "
                 "arguments, defines, repeats, device, model, registers, clock, cache");
}

enum fw_status service_read(struct fw_service *service)
{
    json_error_t error;
    const char *name;
    json_t *value;
    service->request = (struct service_request){.repeats = 1};
    if (service->length > FW_REQUEST_MOST) {
        service_error(service, "SRV001", "a request has at most %d bytes", FW_REQUEST_MOST);
        return FW_ERROR_INPUT;
    }
    if (too_deep(service->line, service->length)) {
        service_error(service, "SRV001", "lists and objects stand at most %d deep",
                      SERVICE_DEPTH_MOST);
        return FW_ERROR_INPUT;
    }
    service->root = json_loadb(service->line, service->length, JSON_REJECT_DUPLICATES, &error);
    if (!service->root) {
        service_error(service, "SRV002", "not JSON: column %d: %.160s", error.column, error.text);
        return FW_ERROR_INPUT;
    }
    if (!json_is_object(service->root)) {
        service_error(service, "SRV002",
                      "a request is an object: {\"kernel\": ..., \"grid\": ...}");
        return FW_ERROR_INPUT;
    }
    json_object_foreach(service->root, name, value)
    {
        enum fw_status status = read_member(service, name, value);
        if (status)
            return status;
    }
    return FW_OK;
}
