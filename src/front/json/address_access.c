/* Loads and stores of the JSON tree. */
#include "address_internal.h"

#include <string.h>

uint32_t address_find_field(const struct reader *reader, const char *name, size_t length)
{
    for (uint32_t f = 0; f < reader->all.fields.count; f++)
        if (strlen(reader->all.fields.at[f].name) == length &&
            memcmp(reader->all.fields.at[f].name, name, length) == 0)
            return f;
    return FW_NONE;
}

/* The field called so; FW_NONE, and what there is that is nearest. */
static uint32_t find_field(struct reader *reader, const char *name, const struct place *place)
{
    uint32_t found = address_find_field(reader, name, strlen(name));
    const char *nearest = NULL;
    unsigned least = 4;
    for (size_t f = 0; f < reader->all.fields.count && found == FW_NONE; f++) {
        unsigned distance = fw_text_distance(name, reader->all.fields.at[f].name, least);
        nearest = distance < least ? reader->all.fields.at[f].name : nearest;
        least = distance < least ? distance : least;
    }
    if (found == FW_NONE && nearest)
        FAIL(reader, "ADR009", place, "there is no field %s; did you mean %s?", name, nearest);
    else if (found == FW_NONE)
        FAIL(reader, "ADR009", place, "there is no field %s", name);
    return found;
}

/* "u[x + 1, y]": the field, and the texts between the commas that no bracket holds. */
static void read_subscripts(struct reader *reader, struct address_access *access, json_t *value,
                            const struct place *place)
{
    struct fw_span whole = address_span(reader->source, place);
    const char *text = json_string_value(value), *at = strchr(text, '['), *begin;
    size_t length = strlen(text), name = at ? (size_t)(at - text) : 0;
    if (!name || text[length - 1] != ']') {
        FAIL(reader, "ADR009", place,
             "an access is \"FIELD[EXPRESSION]\" or \"FIELD[X, Y, Z]\", and FIELD one of "
             "\"fields\"");
        return;
    }
    access->field = find_field(reader, fw_arena_text(reader->arena, text, name), place);
    if (access->field == FW_NONE)
        return;
    begin = ++at;
    for (unsigned depth = 0; at < text + length; at++) {
        depth += *at == '(';
        depth -= depth > 0 && *at == ')';
        if ((*at != ',' || depth) && at != text + length - 1)
            continue;
        if (access->axes == FW_ADDRESS_AXES) {
            FAIL(reader, "ADR009", place, "more than %d subscripts", FW_ADDRESS_AXES);
            return;
        }
        access->at[access->axes++] = (struct address_text){
            fw_arena_text(reader->arena, begin, (size_t)(at - begin)),
            {whole.source, whole.offset + (uint32_t)(begin - text), (uint32_t)(at - begin)}};
        begin = at + 1;
    }
}

static void read_offsets(struct reader *reader, struct address_access *access, json_t *value,
                         const struct place *place)
{
    size_t count = json_array_size(value);
    if (!json_is_array(value) || count == 0 || count > ADDRESS_ACCESSES) {
        FAIL(reader, "ADR005", place, "\"offsets\" is a list of 1 to %d", ADDRESS_ACCESSES);
        return;
    }
    access->offsets = fw_arena_array(reader->arena, count, sizeof(*access->offsets));
    for (size_t o = 0; o < count && !reader->failed; o++) {
        struct place here = address_element(place, o);
        address_axes(reader, json_array_get(value, o), &here,
                     access->offsets[access->offset_count++], access->axes);
    }
}

static void read_structured(struct reader *reader, struct address_access *access, json_t *object,
                            const struct place *place)
{
    static const char *const members[] = {"field", "at",     "drawn", "offsets",
                                          "where", "vector", "loop",  NULL};
    json_int_t whole = 1;
    json_t *value;
    if (!address_members(reader, object, place, "an access", members))
        return;
    struct place here = address_member(place, "field");
    const char *name = json_string_value(json_object_get(object, "field"));
    if (!name)
        FAIL(reader, "ADR009", place, "an access's \"field\" is one of \"fields\"");
    access->field = name ? find_field(reader, name, &here) : FW_NONE;
    if (access->field == FW_NONE)
        return;
    here = address_member(place, "at");
    struct place draw = address_member(place, "drawn");
    json_t *drawn = json_object_get(object, "drawn");
    if (!json_object_get(object, "at") == !drawn)
        FAIL(reader, "ADR009", place,
             "an access has a place, \"at\", or elements that it is \"drawn\" from, evenly");
    else if (drawn)
        access->drawn = address_text_of(reader, drawn, &draw);
    else
        access->axes = address_axes(reader, json_object_get(object, "at"), &here, access->at, 0);
    here = address_member(place, "offsets");
    if ((value = json_object_get(object, "offsets")) && drawn)
        FAIL(reader, "ADR009", &here, "an access that is drawn has no offsets");
    else if (value && !reader->failed)
        read_offsets(reader, access, value, &here);
    here = address_member(place, "where");
    access->where =
        address_texts(reader, json_object_get(object, "where"), &here, &access->where_count);
    here = address_member(place, "vector");
    if ((value = json_object_get(object, "vector")) &&
        address_whole(reader, value, &here, 1, 16, &whole))
        access->vector = (uint32_t)whole;
    here = address_member(place, "loop");
    if ((value = json_object_get(object, "loop")))
        access->loop = address_name(reader, json_string_value(value), &here);
}

static void check_access(struct reader *reader, const struct address_access *access,
                         const struct place *place)
{
    const struct address_field *field = &reader->all.fields.at[access->field];
    if (access->axes > 1 && field->axes == 0)
        FAIL(reader, "ADR009", place,
             "%s has neither \"shape\" nor \"strides\": one subscript counts its elements",
             field->name);
    else if (access->axes > 1 && access->axes != field->axes)
        FAIL(reader, "ADR009", place, "%s has %u axes, and %u subscripts stand here", field->name,
             field->axes, access->axes);
    if ((uint64_t)access->vector * field->bytes > 16)
        FAIL(reader, "ADR009", place, "no instruction moves more than 16 bytes a thread");
}

void address_accesses(struct reader *reader, json_t *root, const char *key,
                      enum fw_direction direction)
{
    struct place place = address_member(NULL, key);
    json_t *list = json_object_get(root, key);
    if (!list)
        return;
    if (!json_is_array(list) || json_array_size(list) > ADDRESS_ACCESSES) {
        FAIL(reader, "ADR002", &place, "\"%s\" is a list of at most %d", key, ADDRESS_ACCESSES);
        return;
    }
    for (size_t a = 0; a < json_array_size(list) && !reader->failed; a++) {
        struct place here = address_element(&place, a);
        json_t *value = json_array_get(list, a);
        struct address_access *access = FW_APPEND(reader->arena, &reader->all.accesses);
        access->direction = direction;
        access->vector = 1;
        access->span = address_span(reader->source, &here);
        if (json_is_string(value) && json_string_length(value))
            read_subscripts(reader, access, value, &here);
        else if (!json_is_object(value))
            FAIL(reader, "ADR002", &here,
                 "an access is a text, \"u[x + 1, y]\", or an object, {\"field\": \"u\", ...}");
        else
            read_structured(reader, access, value, &here);
        if (!reader->failed)
            check_access(reader, access, &here);
    }
}
