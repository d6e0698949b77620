/* JSON into a description: members, types and limits are checked here, expressions are not. */
#include "address_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void read_triple(struct reader *reader, json_t *root, const char *key, uint32_t to[3],
                        json_int_t most)
{
    json_t *value = json_object_get(root, key);
    struct place place = address_member(NULL, key);
    if (!value)
        return;
    to[0] = to[1] = to[2] = 1;
    size_t count = json_is_array(value) ? json_array_size(value) : 1;
    if (count < 1 || count > 3) {
        FAIL(reader, "ADR005", &place, "one to three whole numbers");
        return;
    }
    for (size_t d = 0; d < count; d++) {
        struct place here = address_element(&place, d);
        json_int_t whole;
        bool list = json_is_array(value);
        if (address_whole(reader, list ? json_array_get(value, d) : value, list ? &here : &place, 1,
                          most, &whole))
            to[d] = (uint32_t)whole;
    }
}

static void read_sizes(struct reader *reader, json_t *sizes)
{
    struct place place = address_member(NULL, "sizes");
    const char *key;
    json_t *value;
    if (sizes && (!json_is_object(sizes) || json_object_size(sizes) > ADDRESS_SIZES)) {
        FAIL(reader, "ADR002", &place, "\"sizes\" is an object of at most %d", ADDRESS_SIZES);
        return;
    }
    json_object_foreach(sizes, key, value)
    {
        struct place here = address_member(&place, key);
        json_int_t whole;
        struct address_size *size = FW_APPEND(reader->arena, &reader->all.sizes);
        size->name = address_name(reader, key, &here);
        if (address_whole(reader, value, &here, -((json_int_t)1 << 52), (json_int_t)1 << 52,
                          &whole))
            size->value = whole;
    }
}

static void read_lets(struct reader *reader, json_t *lets)
{
    struct place place = address_member(NULL, "let");
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
        struct place here = address_member(&place, key);
        uint32_t at = reader->all.lets.count++;
        reader->all.lets.names[at] = address_name(reader, key, &here);
        reader->all.lets.texts[at] = address_text_of(reader, value, &here);
    }
}

/* ---- fields ---- */

static void read_type(struct reader *reader, json_t *object, const struct place *place,
                      struct address_field *field)
{
    static const enum fw_type by_bytes[] = {[1] = FW_TYPE_B8,
                                            [2] = FW_TYPE_B16,
                                            [4] = FW_TYPE_B32,
                                            [8] = FW_TYPE_B64,
                                            [16] = FW_TYPE_B128};
    json_t *type = json_object_get(object, "type"), *bytes = json_object_get(object, "bytes");
    struct place here = address_member(place, type ? "type" : "bytes");
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
    struct place here = address_member(place, "alignment");
    json_int_t whole;
    if (value && address_whole(reader, value, &here, 1, 1 << 20, &whole)) {
        if (whole & (whole - 1))
            FAIL(reader, "ADR008", &here, "an alignment is a power of two, in bytes");
        field->alignment = (uint32_t)whole;
    }
    value = json_object_get(object, "offset");
    here = address_member(place, "offset");
    if (value && address_whole(reader, value, &here, 0, (json_int_t)1 << 48, &whole))
        field->offset = whole;
    value = json_object_get(object, "space");
    here = address_member(place, "space");
    const char *text = value ? json_string_value(value) : "global";
    field->space = text && strcmp(text, "shared") == 0 ? FW_SPACE_SHARED : FW_SPACE_GLOBAL;
    if (!text || (field->space == FW_SPACE_GLOBAL && strcmp(text, "global") != 0))
        FAIL(reader, "ADR007", &here, "a field's \"space\" is global or shared");
}

/* A field that lies in another: the other's array, behind the other's offset. */
static void read_alias(struct reader *reader, json_t *value, const struct place *place,
                       struct address_field *field)
{
    struct place here = address_member(place, "in");
    const char *text = json_string_value(value);
    uint32_t other = text ? address_find_field(reader, text, strlen(text)) : FW_NONE;
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
    field->name = address_name(reader, name, place);
    field->array = index;
    field->alignment = 256;
    field->span = address_span(reader->source, place);
    if (!address_members(reader, object, place, "a field", members))
        return;
    read_type(reader, object, place, field);
    read_placement(reader, object, place, field);
    struct place here = address_member(place, "shape");
    if ((value = json_object_get(object, "shape")))
        field->axes = address_axes(reader, value, &here, field->shape, 0);
    here = address_member(place, "strides");
    if ((value = json_object_get(object, "strides"))) {
        field->has_strides = true;
        field->axes = address_axes(reader, value, &here, field->strides, field->axes);
    }
    here = address_member(place, "origin");
    if ((value = json_object_get(object, "origin"))) {
        field->has_origin = true;
        if (!field->axes)
            FAIL(reader, "ADR007", &here, "an \"origin\" needs a \"shape\" or \"strides\"");
        else
            address_axes(reader, value, &here, field->origin, field->axes);
    }
    if ((value = json_object_get(object, "in")))
        read_alias(reader, value, place, field);
}

static void read_fields(struct reader *reader, json_t *fields)
{
    struct place place = address_member(NULL, "fields");
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
        struct place here = address_member(&place, key);
        read_field(reader, value, &here, key);
    }
}

/* ---- loops ---- */

static void read_loops(struct reader *reader, json_t *loops)
{
    static const char *const members[] = {"name",  "trips",        "operations",
                                          "chain", "instructions", NULL};
    struct place place = address_member(NULL, "loops");
    if (loops && (!json_is_array(loops) || json_array_size(loops) > ADDRESS_LOOPS)) {
        FAIL(reader, "ADR002", &place, "\"loops\" is a list of at most %d, the outermost first",
             ADDRESS_LOOPS);
        return;
    }
    for (size_t l = 0; l < json_array_size(loops); l++) {
        struct place here = address_element(&place, l), inner = address_member(&here, "name");
        json_t *object = json_array_get(loops, l);
        if (!address_members(reader, object, &here, "a loop", members))
            return;
        struct address_loop *loop = FW_APPEND(reader->arena, &reader->all.loops);
        loop->name =
            address_name(reader, json_string_value(json_object_get(object, "name")), &inner);
        loop->line = address_line(address_span(reader->source, &here));
        inner = address_member(&here, "trips");
        loop->trips = address_text_of(reader, json_object_get(object, "trips"), &inner);
        address_work(reader, object, &here, (uint32_t)l + 1);
    }
}

/* ---- the whole ---- */

static void read_domain(struct reader *reader, json_t *root)
{
    static const char *const usual[] = {"x", "y", "z"};
    struct place place = address_member(NULL, "domain");
    json_t *domain = json_object_get(root, "domain");
    json_t *names = json_object_get(root, "coordinates");
    struct description *all = &reader->all;
    if (!domain) {
        FAIL(reader, "ADR001", NULL, "a \"domain\" is needed: points along each coordinate");
        return;
    }
    all->axes = address_axes(reader, domain, &place, all->domain, 0);
    place = address_member(NULL, "coordinates");
    if (names && (!json_is_array(names) || json_array_size(names) != all->axes))
        FAIL(reader, "ADR005", &place, "\"coordinates\" has as many names as \"domain\" has axes");
    for (uint32_t d = 0; d < all->axes && !reader->failed; d++) {
        struct place here = address_element(&place, d);
        all->coordinates[d] =
            names ? address_name(reader, json_string_value(json_array_get(names, d)), &here)
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
        struct place place = address_member(NULL, rows[r].key);
        if (value)
            address_whole(reader, value, &place, 0, rows[r].most, &values[r]);
    }
    reader->all.registers = (uint32_t)values[0];
    reader->all.static_shared = (uint32_t)values[1];
    reader->all.shared = (uint64_t)values[2];
    read_triple(reader, root, "block", reader->all.block, 1024);
    read_triple(reader, root, "grid", reader->all.grid, INT32_MAX);
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
    static const char *const members[] = {
        "forewarp_kernel", "name",  "about",        "sizes",      "coordinates", "domain",
        "where",           "let",   "fields",       "loads",      "stores",      "loops",
        "operations",      "block", "grid",         "coarsening", "registers",   "static_shared",
        "shared",          "chain", "instructions", NULL};
    struct description *all = &reader->all;
    json_t *version = json_object_get(root, "forewarp_kernel"), *name;
    struct place place = address_member(NULL, "forewarp_kernel");
    if (!json_is_object(root) || json_integer_value(version) != FW_ADDRESS_FORMAT) {
        FAIL(reader, "ADR001", version ? &place : NULL,
             "a kernel as address expressions is a JSON object with \"forewarp_kernel\": %d",
             FW_ADDRESS_FORMAT);
        return;
    }
    all->coarsening[0] = all->coarsening[1] = all->coarsening[2] = 1;
    if (!address_members(reader, root, NULL, "a kernel", members))
        return;
    place = address_member(NULL, "name");
    name = json_object_get(root, "name");
    all->name = name ? address_name(reader, json_string_value(name), &place) : "kernel";
    read_sizes(reader, json_object_get(root, "sizes"));
    read_domain(reader, root);
    read_lets(reader, json_object_get(root, "let"));
    if (!reader->failed)
        read_fields(reader, json_object_get(root, "fields"));
    read_loops(reader, json_object_get(root, "loops"));
    address_work(reader, root, NULL, 0);
    place = address_member(NULL, "where");
    all->where = address_texts(reader, json_object_get(root, "where"), &place, &all->where_count);
    read_resources(reader, root);
    if (reader->failed)
        return;
    address_accesses(reader, root, "loads", FW_LOAD);
    address_accesses(reader, root, "stores", FW_STORE);
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
