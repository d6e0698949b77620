/* Places: where in a text a value of its tree stands.  The text is JSON that was read before, so
 * that nothing here can be wrong with it. */
#include "address_internal.h"

#include <string.h>

static const char *skip_space(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

/* Behind a string that begins at its quote. */
static const char *skip_string(const char *at)
{
    at++;
    while (*at && *at != '"')
        at += at[0] == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : at;
}

/* Behind any value. */
static const char *skip_value(const char *at)
{
    unsigned depth = 0;
    do {
        at = skip_space(at);
        if (*at == '"') {
            at = skip_string(at);
        } else if (*at == '{' || *at == '[') {
            depth++;
            at++;
        } else if (*at == '}' || *at == ']') {
            depth -= depth > 0;
            at++;
        } else if (*at == ',' || *at == ':') {
            at++;
        } else {
            at += strcspn(at, " \t\r\n,:]}\"[{");
        }
    } while (depth && *at);
    return at;
}

/* The member called `key` of the object at `at`; NULL: there is none, written without escapes. */
static const char *find_member(const char *at, const char *key)
{
    size_t length = strlen(key);
    at = skip_space(at);
    if (*at != '{')
        return NULL;
    at = skip_space(at + 1);
    while (*at == '"') {
        const char *name = at + 1, *end = skip_string(at);
        const char *value = skip_space(end);
        value = skip_space(*value == ':' ? value + 1 : value);
        if ((size_t)(end - name) == length + 1 && memcmp(name, key, length) == 0)
            return value;
        at = skip_space(skip_value(value));
        at = skip_space(*at == ',' ? at + 1 : at);
    }
    return NULL;
}

static const char *find_element(const char *at, size_t index)
{
    at = skip_space(at);
    if (*at != '[')
        return NULL;
    at = skip_space(at + 1);
    for (size_t i = 0; i < index && *at && *at != ']'; i++) {
        at = skip_space(skip_value(at));
        at = skip_space(*at == ',' ? at + 1 : at);
    }
    return at;
}

static const char *find(const struct fw_source *source, const struct place *place)
{
    if (!place)
        return skip_space(source->text);
    const char *in = find(source, place->in);
    const char *at = place->key ? find_member(in, place->key) : find_element(in, place->index);
    return at ? at : in;
}

struct fw_span address_span(const struct fw_source *source, const struct place *place)
{
    const char *at = find(source, place), *end = skip_value(at);
    if (*at == '"' && end > at + 1)
        return (struct fw_span){source, (uint32_t)(at + 1 - source->text),
                                (uint32_t)(end - at - 2)};
    bool all = *at != '{' && *at != '[';
    return (struct fw_span){source, (uint32_t)(at - source->text),
                            all && end > at ? (uint32_t)(end - at) : 1};
}

uint32_t address_line(struct fw_span span)
{
    return span.source ? fw_span_position(span).line : 0;
}
