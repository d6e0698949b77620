/* Values of the JSON tree, checked as they are taken: names, numbers, expressions, lists of them.
 */
#include "address_internal.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST_NAME = 64, MOST_TEXTS = 4096 };

struct place address_member(const struct place *in, const char *key)
{
    return (struct place){in, key, 0};
}

struct place address_element(const struct place *in, size_t index)
{
    return (struct place){in, NULL, index};
}

/* Every member must be one of those in `allowed`, which ends with NULL. */
bool address_members(struct reader *reader, json_t *object, const struct place *place,
                     const char *what, const char *const *allowed)
{
    const char *key;
    json_t *value;
    if (!json_is_object(object)) {
        FAIL(reader, "ADR002", place, "%s is an object, {...}", what);
        return false;
    }
    json_object_foreach(object, key, value)
    {
        const char *nearest = NULL;
        unsigned least = 4;
        bool known = false;
        for (size_t a = 0; allowed[a] && !known; a++) {
            unsigned distance = fw_text_distance(key, allowed[a], least);
            known = strcmp(key, allowed[a]) == 0;
            nearest = distance < least ? allowed[a] : nearest;
            least = distance < least ? distance : least;
        }
        struct place here = address_member(place, key);
        if (!known)
            FAIL(reader, "ADR003", &here, "%s has no member called %.64s%s%s%s", what, key,
                 nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
    }
    return !reader->failed;
}

/* A name that expressions can hold. */
const char *address_name(struct reader *reader, const char *name, const struct place *place)
{
    size_t length = name ? strlen(name) : 0;
    bool good = length > 0 && length <= LONGEST_NAME && !isdigit((unsigned char)*name);
    for (size_t i = 0; i < length && good; i++)
        good = isalnum((unsigned char)name[i]) || name[i] == '_';
    if (good && strcmp(name, "min") != 0 && strcmp(name, "max") != 0)
        return fw_arena_text(reader->arena, name, length);
    FAIL(reader, "ADR004", place,
         "a name is 1 to %d letters, digits and _, no digit first, and neither min nor max",
         LONGEST_NAME);
    return "";
}

bool address_whole(struct reader *reader, json_t *value, const struct place *place, json_int_t low,
                   json_int_t high, json_int_t *result)
{
    *result = json_is_integer(value) ? json_integer_value(value) : 0;
    if (json_is_integer(value) && *result >= low && *result <= high)
        return true;
    FAIL(reader, "ADR005", place, "a whole number from %lld to %lld is expected here",
         (long long)low, (long long)high);
    return false;
}

/* An expression: a text or a whole number. */
struct address_text address_text_of(struct reader *reader, json_t *value, const struct place *place)
{
    struct address_text text = {"0", address_span(reader->source, place)};
    if (json_is_integer(value))
        text.text = fw_arena_printf(reader->arena, "%lld", (long long)json_integer_value(value));
    else if (json_is_string(value) && json_string_length(value) == strlen(json_string_value(value)))
        text.text =
            fw_arena_text(reader->arena, json_string_value(value), json_string_length(value));
    else
        FAIL(reader, "ADR006", place, "an expression is a text or a whole number");
    return text;
}

/* A list of conditions (or one alone). */
struct address_text *address_texts(struct reader *reader, json_t *value, const struct place *place,
                                   uint32_t *count)
{
    *count = 0;
    if (!value)
        return NULL;
    size_t most = json_is_array(value) ? json_array_size(value) : 1;
    struct address_text *texts = FW_ARRAY(reader->arena, struct address_text, most + 1);
    if (most > MOST_TEXTS)
        FAIL(reader, "ADR005", place, "more than %d of them", MOST_TEXTS);
    for (size_t i = 0; i < most && !reader->failed; i++) {
        struct place here = address_element(place, i);
        bool list = json_is_array(value);
        texts[(*count)++] =
            address_text_of(reader, list ? json_array_get(value, i) : value, list ? &here : place);
    }
    return texts;
}

/* One to three expressions; fewer than `axes` is wrong where `axes` is not 0. */
uint32_t address_axes(struct reader *reader, json_t *value, const struct place *place,
                      struct address_text to[FW_ADDRESS_AXES], uint32_t axes)
{
    if (!json_is_array(value)) {
        to[0] = address_text_of(reader, value, place);
        if (axes > 1)
            FAIL(reader, "ADR005", place, "a list of %u is needed", axes);
        return 1;
    }
    size_t count = json_array_size(value);
    if (count < 1 || count > FW_ADDRESS_AXES || (axes && count != axes)) {
        FAIL(reader, "ADR005", place,
             axes ? "a list of %u is needed" : "a list of 1 to 3 is needed", axes);
        return 0;
    }
    for (size_t d = 0; d < count; d++) {
        struct place here = address_element(place, d);
        to[d] = address_text_of(reader, json_array_get(value, d), &here);
    }
    return (uint32_t)count;
}
