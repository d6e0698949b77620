/* JSON into a description: members, types and limits are checked here, expressions are not. */
#include "address_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_NAME = 64, MOST_TEXTS = 4096 };

#define FAIL(reader, code, place, ...)                                                             \
    ((reader)->failed = true, fw_report((reader)->sink, FW_ERROR, code,                            \
                                        address_span((reader)->source, (place)), __VA_ARGS__))

static struct place member(const struct place *in, const char *key)
{
    return (struct place){in, key, 0};
}

static struct place element(const struct place *in, size_t index)
{
    return (struct place){in, NULL, index};
}

/* Every member must be one of those in `allowed`, which ends with NULL. */
static bool check_members(struct reader *reader, json_t *object, const struct place *place,
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
        struct place here = member(place, key);
        if (!known)
            FAIL(reader, "ADR003", &here, "%s has no member called %.64s%s%s%s", what, key,
                 nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
    }
    return !reader->failed;
}

/* A name that expressions can hold. */
static const char *read_name(struct reader *reader, const char *name, const struct place *place)
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

static bool read_whole(struct reader *reader, json_t *value, const struct place *place,
                       json_int_t low, json_int_t high, json_int_t *result)
{
    *result = json_is_integer(value) ? json_integer_value(value) : 0;
    if (json_is_integer(value) && *result >= low && *result <= high)
        return true;
    FAIL(reader, "ADR005", place, "this is a whole number from %lld to %lld", (long long)low,
         (long long)high);
    return false;
}

/* An expression: a text or a whole number. */
static struct address_text read_text(struct reader *reader, json_t *value,
                                     const struct place *place)
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
static struct address_text *read_texts(struct reader *reader, json_t *value,
                                       const struct place *place, uint32_t *count)
{
    *count = 0;
    if (!value)
        return NULL;
    size_t most = json_is_array(value) ? json_array_size(value) : 1;
    struct address_text *texts = FW_ARRAY(reader->arena, struct address_text, most + 1);
    if (most > MOST_TEXTS)
        FAIL(reader, "ADR005", place, "more than %d of them", MOST_TEXTS);
    for (size_t i = 0; i < most && !reader->failed; i++) {
        struct place here = element(place, i);
        bool list = json_is_array(value);
        texts[(*count)++] =
            read_text(reader, list ? json_array_get(value, i) : value, list ? &here : place);
    }
    return texts;
}

/* One to three expressions; fewer than `axes` is wrong where `axes` is not 0. */
static uint32_t read_axes(struct reader *reader, json_t *value, const struct place *place,
                          struct address_text to[FW_ADDRESS_AXES], uint32_t axes)
{
    if (!json_is_array(value)) {
        to[0] = read_text(reader, value, place);
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
        struct place here = element(place, d);
        to[d] = read_text(reader, json_array_get(value, d), &here);
    }
    return (uint32_t)count;
}

static void read_triple(struct reader *reader, json_t *root, const char *key, uint32_t to[3],
                        json_int_t most)
{
    json_t *value = json_object_get(root, key);
    struct place place = member(NULL, key);
    if (!value)
        return;
    to[0] = to[1] = to[2] = 1;
    size_t count = json_is_array(value) ? json_array_size(value) : 1;
    if (count < 1 || count > 3) {
        FAIL(reader, "ADR005", &place, "one to three whole numbers");
        return;
    }
    for (size_t d = 0; d < count; d++) {
        struct place here = element(&place, d);
        json_int_t whole;
        bool list = json_is_array(value);
        if (read_whole(reader, list ? json_array_get(value, d) : value, list ? &here : &place, 1,
                       most, &whole))
            to[d] = (uint32_t)whole;
    }
}

static void read_sizes(struct reader *reader, json_t *sizes)
{
    struct place place = member(NULL, "sizes");
    const char *key;
    json_t *value;
    if (sizes && (!json_is_object(sizes) || json_object_size(sizes) > ADDRESS_SIZES)) {
        FAIL(reader, "ADR002", &place, "\"sizes\" is an object of at most %d", ADDRESS_SIZES);
        return;
    }
    json_object_foreach(sizes, key, value)
    {
        struct place here = member(&place, key);
        json_int_t whole;
        struct address_size *size = FW_APPEND(reader->arena, &reader->all.sizes);
        size->name = read_name(reader, key, &here);
        if (read_whole(reader, value, &here, -((json_int_t)1 << 52), (json_int_t)1 << 52, &whole))
            size->value = whole;
    }
}

static void read_lets(struct reader *reader, json_t *lets)
{
    struct place place = member(NULL, "let");
    const char *key;
    json_t *value;
    size_t most = json_object_size(lets);
    if (lets && (!json_is_object(lets) || most > ADDRESS_FIELDS)) {
        FAIL(reader, "ADR002", &place, "\"let\" is an object of at most %d", ADDRESS_FIELDS);
        return;
    }
    reader->all.lets.names = FW_ARRAY(reader->arena, const char *, most + 1);
    reader->all.lets.texts = FW_ARRAY(reader->arena, struct address_text, most + 1);
    json_object_foreach(lets, key, value)
    {
        struct place here = member(&place, key);
        uint32_t at = reader->all.lets.count++;
        reader->all.lets.names[at] = read_name(reader, key, &here);
        reader->all.lets.texts[at] = read_text(reader, value, &here);
    }
}

/* ---- fields ---- */

static uint32_t find_field(const struct reader *reader, const char *name, size_t length)
{
    for (uint32_t f = 0; f < reader->all.fields.count; f++)
        if (strlen(reader->all.fields.at[f].name) == length &&
            memcmp(reader->all.fields.at[f].name, name, length) == 0)
            return f;
    return FW_NONE;
}

static void read_type(struct reader *reader, json_t *object, const struct place *place,
                      struct address_field *field)
{
    static const enum fw_type by_bytes[] = {[1] = FW_TYPE_B8,
                                            [2] = FW_TYPE_B16,
                                            [4] = FW_TYPE_B32,
                                            [8] = FW_TYPE_B64,
                                            [16] = FW_TYPE_B128};
    json_t *type = json_object_get(object, "type"), *bytes = json_object_get(object, "bytes");
    struct place here = member(place, type ? "type" : "bytes");
    json_int_t whole = json_integer_value(bytes);
    const char *text = json_string_value(type);
    if (text)
        field->type = fw_type_find(text, (unsigned)strlen(text));
    else if (!type && json_is_integer(bytes) && whole > 0 && whole <= 16)
        field->type = by_bytes[whole];
    field->bytes = fw_type_bytes(field->type);
    if (!field->bytes || field->type == FW_TYPE_PRED)
        FAIL(reader, "ADR007", type || bytes ? &here : place,
             "a field's \"type\" is f64, f32, s32, ..., or its \"bytes\" are 1, 2, 4, 8 or 16");
}

static void read_placement(struct reader *reader, json_t *object, const struct place *place,
                           struct address_field *field)
{
    json_t *value = json_object_get(object, "alignment");
    struct place here = member(place, "alignment");
    json_int_t whole;
    if (value && read_whole(reader, value, &here, 1, 1 << 20, &whole)) {
        if (whole & (whole - 1))
            FAIL(reader, "ADR008", &here, "an alignment is a power of two, in bytes");
        field->alignment = (uint32_t)whole;
    }
    value = json_object_get(object, "offset");
    here = member(place, "offset");
    if (value && read_whole(reader, value, &here, 0, (json_int_t)1 << 48, &whole))
        field->offset = whole;
    value = json_object_get(object, "space");
    here = member(place, "space");
    const char *text = value ? json_string_value(value) : "global";
    field->space = text && strcmp(text, "shared") == 0 ? FW_SPACE_SHARED : FW_SPACE_GLOBAL;
    if (!text || (field->space == FW_SPACE_GLOBAL && strcmp(text, "global") != 0))
        FAIL(reader, "ADR007", &here, "a field's \"space\" is global or shared");
}

/* A field that lies in another: the other's array, behind the other's offset. */
static void read_alias(struct reader *reader, json_t *value, const struct place *place,
                       struct address_field *field)
{
    struct place here = member(place, "in");
    const char *text = json_string_value(value);
    uint32_t other = text ? find_field(reader, text, strlen(text)) : FW_NONE;
    if (other == FW_NONE || &reader->all.fields.at[other] == field) {
        FAIL(reader, "ADR007", &here, "\"in\" names a field that stands before this one");
        return;
    }
    if (json_string_value(value) && reader->all.fields.at[other].space != field->space)
        FAIL(reader, "ADR007", &here, "both fields must be in one space");
    field->array = reader->all.fields.at[other].array;
    field->offset += reader->all.fields.at[other].offset;
}

static void read_field(struct reader *reader, json_t *object, const struct place *place,
                       const char *name)
{
    static const char *const members[] = {"type",   "bytes",     "shape", "strides", "origin",
                                          "offset", "alignment", "space", "in",      NULL};
    uint32_t index = (uint32_t)reader->all.fields.count;
    struct address_field *field = FW_APPEND(reader->arena, &reader->all.fields);
    json_t *value;
    field->name = read_name(reader, name, place);
    field->array = index;
    field->alignment = 256;
    field->span = address_span(reader->source, place);
    if (!check_members(reader, object, place, "a field", members))
        return;
    read_type(reader, object, place, field);
    read_placement(reader, object, place, field);
    struct place here = member(place, "shape");
    if ((value = json_object_get(object, "shape")))
        field->axes = read_axes(reader, value, &here, field->shape, 0);
    here = member(place, "strides");
    if ((value = json_object_get(object, "strides"))) {
        field->has_strides = true;
        field->axes = read_axes(reader, value, &here, field->strides, field->axes);
    }
    here = member(place, "origin");
    if ((value = json_object_get(object, "origin"))) {
        field->has_origin = true;
        if (!field->axes)
            FAIL(reader, "ADR007", &here, "an \"origin\" needs a \"shape\" or \"strides\"");
        else
            read_axes(reader, value, &here, field->origin, field->axes);
    }
    if ((value = json_object_get(object, "in")))
        read_alias(reader, value, place, field);
}

static void read_fields(struct reader *reader, json_t *fields)
{
    struct place place = member(NULL, "fields");
    const char *key;
    json_t *value;
    if (!json_is_object(fields) || json_object_size(fields) == 0 ||
        json_object_size(fields) > ADDRESS_FIELDS) {
        FAIL(reader, "ADR002", fields ? &place : NULL, "\"fields\" is an object of 1 to %d fields",
             ADDRESS_FIELDS);
        return;
    }
    json_object_foreach(fields, key, value)
    {
        struct place here = member(&place, key);
        read_field(reader, value, &here, key);
    }
}

/* ---- loops and operations ---- */

/* X(name, group, flops of a float) */
#define OPERATIONS(X)                                                                              \
    X("add", ARITHMETIC, 1)                                                                        \
    X("sub", ARITHMETIC, 1)                                                                        \
    X("mul", ARITHMETIC, 1)                                                                        \
    X("fma", ARITHMETIC, 2)                                                                        \
    X("mad", ARITHMETIC, 0)                                                                        \
    X("min", ARITHMETIC, 1)                                                                        \
    X("max", ARITHMETIC, 1)                                                                        \
    X("div", ARITHMETIC, 1)                                                                        \
    X("rcp", SPECIAL, 1)                                                                           \
    X("sqrt", SPECIAL, 1)                                                                          \
    X("rsqrt", SPECIAL, 1)                                                                         \
    X("sin", SPECIAL, 1)                                                                           \
    X("cos", SPECIAL, 1)                                                                           \
    X("lg2", SPECIAL, 1)                                                                           \
    X("ex2", SPECIAL, 1)                                                                           \
    X("tanh", SPECIAL, 1)

static const struct {
    const char *name;
    enum fw_group group;
    uint32_t flops;
} operations[] = {
#define X(name, group, flops) {name, FW_GROUP_##group, flops},
    OPERATIONS(X)
#undef X
};

static void read_operation(struct reader *reader, const char *name, enum fw_type type,
                           json_t *value, const struct place *place, uint32_t loop)
{
    size_t o = 0;
    json_int_t times;
    while (o < sizeof(operations) / sizeof(operations[0]) && strcmp(operations[o].name, name) != 0)
        o++;
    if (o == sizeof(operations) / sizeof(operations[0])) {
        FAIL(reader, "ADR003", place,
             "operations are add, sub, mul, fma, mad, min, max, div, rcp, sqrt, rsqrt, sin, cos, "
             "lg2, ex2 and tanh");
        return;
    }
    if (!read_whole(reader, value, place, 0, ADDRESS_OPERATIONS, &times))
        return;
    struct address_operation *operation = FW_APPEND(reader->arena, &reader->all.operations);
    *operation =
        (struct address_operation){.name = operations[o].name,
                                   .type = type,
                                   .times = (uint32_t)times,
                                   .flops = fw_type_class(type) == 'f' ? operations[o].flops : 0,
                                   .group = operations[o].group,
                                   .loop = loop,
                                   .line = address_line(address_span(reader->source, place))};
}

/* {TYPE: {OPERATION: TIMES}} */
static void read_operations(struct reader *reader, json_t *object, const struct place *place,
                            uint32_t loop)
{
    const char *type_name, *name;
    json_t *of_type, *value;
    if (object && !json_is_object(object)) {
        FAIL(reader, "ADR002", place, "\"operations\" are {\"f64\": {\"add\": 3}}");
        return;
    }
    json_object_foreach(object, type_name, of_type)
    {
        struct place here = member(place, type_name);
        enum fw_type type = fw_type_find(type_name, (unsigned)strlen(type_name));
        if (!json_is_object(of_type) || type == FW_TYPE_NONE || fw_type_class(type) == 'p') {
            FAIL(reader, "ADR002", &here, "operations stand by type: {\"f64\": {\"add\": 3}}");
            continue;
        }
        json_object_foreach(of_type, name, value)
        {
            struct place at = member(&here, name);
            read_operation(reader, name, type, value, &at, loop);
        }
    }
}

static void read_loops(struct reader *reader, json_t *loops)
{
    static const char *const members[] = {"name", "trips", "operations", NULL};
    struct place place = member(NULL, "loops");
    if (loops && (!json_is_array(loops) || json_array_size(loops) > ADDRESS_LOOPS)) {
        FAIL(reader, "ADR002", &place, "\"loops\" is a list of at most %d, the outermost first",
             ADDRESS_LOOPS);
        return;
    }
    for (size_t l = 0; l < json_array_size(loops); l++) {
        struct place here = element(&place, l), inner = member(&here, "name");
        json_t *object = json_array_get(loops, l);
        if (!check_members(reader, object, &here, "a loop", members))
            return;
        struct address_loop *loop = FW_APPEND(reader->arena, &reader->all.loops);
        loop->name = read_name(reader, json_string_value(json_object_get(object, "name")), &inner);
        loop->line = address_line(address_span(reader->source, &here));
        inner = member(&here, "trips");
        loop->trips = read_text(reader, json_object_get(object, "trips"), &inner);
        inner = member(&here, "operations");
        read_operations(reader, json_object_get(object, "operations"), &inner, (uint32_t)l);
    }
}

/* ---- accesses ---- */

/* "u[x + 1, y]": the field, and the texts between the commas that no bracket holds. */
static void read_subscripts(struct reader *reader, struct address_access *access, json_t *value,
                            const struct place *place)
{
    struct fw_span whole = address_span(reader->source, place);
    const char *text = json_string_value(value), *at = strchr(text, '['), *begin;
    size_t length = strlen(text), name = at ? (size_t)(at - text) : 0;
    access->field = find_field(reader, text, name);
    if (!at || text[length - 1] != ']' || access->field == FW_NONE) {
        FAIL(reader, "ADR009", place,
             "an access is \"FIELD[EXPRESSION]\" or \"FIELD[X, Y, Z]\", and FIELD one of "
             "\"fields\"");
        return;
    }
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
        struct place here = element(place, o);
        read_axes(reader, json_array_get(value, o), &here, access->offsets[access->offset_count++],
                  access->axes);
    }
}

static void read_structured(struct reader *reader, struct address_access *access, json_t *object,
                            const struct place *place)
{
    static const char *const members[] = {"field", "at",     "drawn", "offsets",
                                          "where", "vector", "loop",  NULL};
    json_int_t whole = 1;
    json_t *value;
    if (!check_members(reader, object, place, "an access", members))
        return;
    struct place here = member(place, "field");
    const char *name = json_string_value(json_object_get(object, "field"));
    access->field = name ? find_field(reader, name, strlen(name)) : FW_NONE;
    if (access->field == FW_NONE) {
        FAIL(reader, "ADR009", name ? &here : place, "an access's \"field\" is one of \"fields\"");
        return;
    }
    here = member(place, "at");
    struct place draw = member(place, "drawn");
    json_t *drawn = json_object_get(object, "drawn");
    if (!json_object_get(object, "at") == !drawn)
        FAIL(reader, "ADR009", place,
             "an access has a place, \"at\", or elements that it is \"drawn\" from, evenly");
    else if (drawn)
        access->drawn = read_text(reader, drawn, &draw);
    else
        access->axes = read_axes(reader, json_object_get(object, "at"), &here, access->at, 0);
    here = member(place, "offsets");
    if ((value = json_object_get(object, "offsets")) && drawn)
        FAIL(reader, "ADR009", &here, "an access that is drawn has no offsets");
    else if (value && !reader->failed)
        read_offsets(reader, access, value, &here);
    here = member(place, "where");
    access->where =
        read_texts(reader, json_object_get(object, "where"), &here, &access->where_count);
    here = member(place, "vector");
    if ((value = json_object_get(object, "vector")) &&
        read_whole(reader, value, &here, 1, 16, &whole))
        access->vector = (uint32_t)whole;
    here = member(place, "loop");
    if ((value = json_object_get(object, "loop")))
        access->loop = read_name(reader, json_string_value(value), &here);
}

static void check_access(struct reader *reader, const struct address_access *access,
                         const struct place *place)
{
    const struct address_field *field = &reader->all.fields.at[access->field];
    if (access->axes > 1 && access->axes != field->axes)
        FAIL(reader, "ADR009", place, "%s has %u axes, and %u subscripts stand here", field->name,
             field->axes, access->axes);
    if ((uint64_t)access->vector * field->bytes > 16)
        FAIL(reader, "ADR009", place, "no instruction moves more than 16 bytes a thread");
}

static void read_accesses(struct reader *reader, json_t *root, const char *key,
                          enum fw_direction direction)
{
    struct place place = member(NULL, key);
    json_t *list = json_object_get(root, key);
    if (!list)
        return;
    if (!json_is_array(list) || json_array_size(list) > ADDRESS_ACCESSES) {
        FAIL(reader, "ADR002", &place, "\"%s\" is a list of at most %d", key, ADDRESS_ACCESSES);
        return;
    }
    for (size_t a = 0; a < json_array_size(list) && !reader->failed; a++) {
        struct place here = element(&place, a);
        json_t *value = json_array_get(list, a);
        struct address_access *access = FW_APPEND(reader->arena, &reader->all.accesses);
        access->direction = direction;
        access->vector = 1;
        access->span = address_span(reader->source, &here);
        if (json_is_string(value) && json_string_length(value))
            read_subscripts(reader, access, value, &here);
        else
            read_structured(reader, access, value, &here);
        if (!reader->failed)
            check_access(reader, access, &here);
    }
}

/* ---- the whole ---- */

static void read_domain(struct reader *reader, json_t *root)
{
    static const char *const usual[] = {"x", "y", "z"};
    struct place place = member(NULL, "domain");
    json_t *domain = json_object_get(root, "domain");
    json_t *names = json_object_get(root, "coordinates");
    struct description *all = &reader->all;
    if (!domain) {
        FAIL(reader, "ADR001", NULL, "a \"domain\" is needed: points along each coordinate");
        return;
    }
    all->axes = read_axes(reader, domain, &place, all->domain, 0);
    place = member(NULL, "coordinates");
    if (names && (!json_is_array(names) || json_array_size(names) != all->axes))
        FAIL(reader, "ADR005", &place, "\"coordinates\" has as many names as \"domain\" has axes");
    for (uint32_t d = 0; d < all->axes && !reader->failed; d++) {
        struct place here = element(&place, d);
        all->coordinates[d] =
            names ? read_name(reader, json_string_value(json_array_get(names, d)), &here)
                  : usual[d];
    }
}

static void read_resources(struct reader *reader, json_t *root)
{
    static const struct {
        const char *key;
        json_int_t most;
    } rows[] = {{"registers", 1024}, {"static_shared", 1 << 30}, {"shared", 1 << 30}};
    json_int_t values[] = {0, 0, 0};
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        json_t *value = json_object_get(root, rows[r].key);
        struct place place = member(NULL, rows[r].key);
        if (value)
            read_whole(reader, value, &place, 0, rows[r].most, &values[r]);
    }
    reader->all.registers = (uint32_t)values[0];
    reader->all.static_shared = (uint32_t)values[1];
    reader->all.shared = (uint64_t)values[2];
    read_triple(reader, root, "block", reader->all.block, 1024);
    read_triple(reader, root, "coarsening", reader->all.coarsening, ADDRESS_POINTS);
}

/* No two names may be the same. */
static void check_names(struct reader *reader)
{
    const struct description *all = &reader->all;
    struct fw_map names = fw_map_new(reader->arena);
    uint32_t count =
        all->axes + (uint32_t)all->sizes.count + (uint32_t)all->loops.count + all->lets.count;
    for (uint32_t i = 0; i < count && !reader->failed; i++) {
        uint32_t s = i - all->axes, l = s - (uint32_t)all->sizes.count;
        uint32_t t = l - (uint32_t)all->loops.count;
        const char *name = i < all->axes          ? all->coordinates[i]
                           : s < all->sizes.count ? all->sizes.at[s].name
                           : l < all->loops.count ? all->loops.at[l].name
                                                  : all->lets.names[t];
        bool added;
        fw_map_add(&names, name, strlen(name), &added);
        if (!added)
            FAIL(reader, "ADR004", NULL, "two things are called %s", name);
    }
}

static void read_root(struct reader *reader, json_t *root)
{
    static const char *const members[] = {"forewarp_kernel", "name",   "about",      "sizes",
                                          "coordinates",     "domain", "where",      "let",
                                          "fields",          "loads",  "stores",     "loops",
                                          "operations",      "block",  "coarsening", "registers",
                                          "static_shared",   "shared", NULL};
    struct description *all = &reader->all;
    json_t *version = json_object_get(root, "forewarp_kernel"), *name;
    struct place place = member(NULL, "forewarp_kernel");
    if (!json_is_object(root) || json_integer_value(version) != FW_ADDRESS_FORMAT) {
        FAIL(reader, "ADR001", version ? &place : NULL,
             "a kernel as address expressions is a JSON object with \"forewarp_kernel\": %d",
             FW_ADDRESS_FORMAT);
        return;
    }
    all->coarsening[0] = all->coarsening[1] = all->coarsening[2] = 1;
    if (!check_members(reader, root, NULL, "a kernel", members))
        return;
    place = member(NULL, "name");
    name = json_object_get(root, "name");
    all->name = name ? read_name(reader, json_string_value(name), &place) : "kernel";
    read_sizes(reader, json_object_get(root, "sizes"));
    read_domain(reader, root);
    read_lets(reader, json_object_get(root, "let"));
    if (!reader->failed)
        read_fields(reader, json_object_get(root, "fields"));
    read_loops(reader, json_object_get(root, "loops"));
    place = member(NULL, "operations");
    read_operations(reader, json_object_get(root, "operations"), &place, FW_NONE);
    place = member(NULL, "where");
    all->where = read_texts(reader, json_object_get(root, "where"), &place, &all->where_count);
    read_resources(reader, root);
    if (reader->failed)
        return;
    read_accesses(reader, root, "loads", FW_LOAD);
    read_accesses(reader, root, "stores", FW_STORE);
    if (!reader->failed && all->accesses.count == 0)
        FAIL(reader, "ADR001", NULL, "there are no \"loads\" and no \"stores\"");
    check_names(reader);
}

enum fw_status fw_address_read(struct fw_address_kernel **kernel, struct fw_arena *arena,
                               const struct fw_source *source, const uint32_t coarsening[3],
                               const struct fw_sink *sink)
{
    jmp_buf point;
    json_t *volatile root = NULL;
    volatile enum fw_status status = FW_ERROR_MEMORY;
    *kernel = NULL;
    jmp_buf *before = fw_arena_on_exhausted(arena, &point);
    if (setjmp(point) != 0)
        goto out;
    struct reader *reader = FW_NEW(arena, struct reader);
    struct fw_address_kernel *made = FW_NEW(arena, struct fw_address_kernel);
    reader->arena = arena;
    reader->source = source;
    reader->sink = sink;
    json_error_t error;
    root = json_loadb(source->text, source->length, JSON_REJECT_DUPLICATES, &error);
    if (root) {
        read_root(reader, root);
        for (int d = 0; d < 3 && coarsening; d++)
            if (coarsening[d])
                reader->all.coarsening[d] = coarsening[d];
    } else {
        size_t at = error.position > 0 ? (size_t)error.position - 1 : 0;
        struct fw_span span = {source, (uint32_t)(at < source->length ? at : source->length), 1};
        reader->failed = true;
        fw_report(sink, FW_ERROR, "ADR000", span, "not JSON: %s", error.text);
    }
    bool good = !reader->failed && address_build(made, reader);
    status = good ? FW_OK : FW_ERROR_INPUT;
    *kernel = good ? made : NULL;
out:
    fw_arena_on_exhausted(arena, before);
    json_decref(root);
    return status;
}
