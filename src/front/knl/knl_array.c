/* Arrays and temporaries of the kernel language: their lines and types. */
#include "knl_internal.h"

#include <string.h>

enum fw_type fw_knl_type(const char *text, size_t length)
{
    static const struct {
        const char *text;
        enum fw_type type;
    } others[] = {{"float16", FW_TYPE_F16}, {"float32", FW_TYPE_F32}, {"float64", FW_TYPE_F64},
                  {"int8", FW_TYPE_S8},     {"int16", FW_TYPE_S16},   {"int32", FW_TYPE_S32},
                  {"int64", FW_TYPE_S64},   {"uint8", FW_TYPE_U8},    {"uint16", FW_TYPE_U16},
                  {"uint32", FW_TYPE_U32},  {"uint64", FW_TYPE_U64}};
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        if (strlen(others[i].text) == length && memcmp(others[i].text, text, length) == 0)
            return others[i].type;
    if (length == 0 || length > 8)
        return FW_TYPE_NONE;
    enum fw_type type = fw_type_find(text, (unsigned)length);
    char class = fw_type_class(type);
    return class == 'f' || class == 's' || class == 'u' ? type : FW_TYPE_NONE;
}

/* "[n, m + 1]" behind a type: extents in isl's notation. */
static enum fw_status read_extents(struct knl *knl, struct fw_loop_array *array)
{
    FW_VECTOR(const char *) extents = {0};
    const char *start = knl->at, *end = start + strcspn(start, "]\n");
    knl->token = (struct token){.kind = TOKEN_MARK, .text = start, .length = 1};
    if (*end != ']')
        return knl_fault(knl, "KNL002", "']' is missing");
    knl->at = end + 1;
    for (const char *at = start; at <= end;) {
        unsigned nesting = 0;
        const char *stop = at;
        for (; stop < end && (nesting || *stop != ','); stop++)
            nesting += (*stop == '(') - (unsigned)(*stop == ')' && nesting);
        struct knl_filling filling;
        enum fw_status status = knl_fill(&filling, knl, at, (size_t)(stop - at), false);
        if (status == FW_OK)
            status = fw_loop_take_extent(knl->program, filling.text, filling.span);
        knl_filled(&filling);
        if (status != FW_OK)
            return status;
        *FW_APPEND(knl->arena, &extents) = filling.text;
        at = stop + 1;
    }
    if (extents.count > FW_LOOP_RANK_MOST)
        return knl_fault(knl, "KNL002", "more than %d dimensions", FW_LOOP_RANK_MOST);
    array->extents = extents.at;
    array->rank = (uint32_t)extents.count;
    array->ranked = true;
    return FW_OK;
}

static enum fw_status read_type(struct knl *knl, enum fw_type *type)
{
    knl_word(knl);
    *type = fw_knl_type(knl->token.text, knl->token.length);
    if (!*type && knl->token.length > 7 && strncmp(knl->token.text, "complex", 7) == 0)
        return knl_fault(knl, "KNL006", "complex numbers are not supported: write their parts");
    if (!*type)
        return knl_fault(knl, "KNL006",
                         "'%s' is no type: f16, f32, f64, s32, s64, u32 and their "
                         "kind are",
                         knl_word_text(knl));
    return FW_OK;
}

/* Behind the names: ": f32[n, m] column shared". */
static enum fw_status read_attributes(struct knl *knl, struct fw_loop_array *array)
{
    static const struct {
        const char *text;
        enum fw_space space;
    } spaces[] = {{"global", FW_SPACE_GLOBAL},
                  {"shared", FW_SPACE_SHARED},
                  {"private", FW_SPACE_REG},
                  {"const", FW_SPACE_CONST}};
    enum fw_status status = FW_OK;
    if (knl->token.length == 1 && *knl->token.text == ':') {
        status = read_type(knl, &array->type);
        if (status == FW_OK && *knl->at == '[') {
            knl->at++;
            status = read_extents(knl, array);
        }
        knl_word(knl);
    }
    for (; status == FW_OK && knl->token.length; knl_word(knl)) {
        const char *word = knl_word_text(knl);
        bool known = strcmp(word, "row") == 0 || strcmp(word, "column") == 0;
        if (known)
            array->layout = *word == 'r' ? FW_LOOP_ROW_MAJOR : FW_LOOP_COLUMN_MAJOR;
        if (strcmp(word, "thread") == 0) {
            array->space = FW_SPACE_REG;
            array->by_thread = known = true;
        }
        for (size_t i = 0; i < sizeof(spaces) / sizeof(*spaces); i++)
            if (strcmp(word, spaces[i].text) == 0) {
                array->space = spaces[i].space;
                known = true;
            }
        if (!known)
            return knl_fault(knl, "KNL009",
                             "'%s' is no property of an array: row, column, global, "
                             "shared, private, thread, const are",
                             word);
    }
    return status;
}

enum fw_status knl_arrays(struct knl *knl, bool temporary)
{
    FW_VECTOR(size_t) made = {0};
    enum fw_status status;
    do {
        const char *name = NULL;
        status = knl_name(&name, knl);
        if (status != FW_OK)
            return status;
        struct fw_loop_array *array = fw_loop_add_array(
            knl->program, name, knl_span(knl, knl->token.text, knl->token.length));
        if (!array)
            return FW_ERROR_INPUT;
        array->temporary = temporary;
        if (*knl->at == '[') { /* extents alone */
            knl->at++;
            status = read_extents(knl, array);
            if (status != FW_OK)
                return status;
        }
        *FW_APPEND(knl->arena, &made) = knl->program->arrays.count - 1;
        knl_word(knl);
    } while (knl->token.length == 1 && *knl->token.text == ',');
    struct fw_loop_array *first = &knl->program->arrays.at[made.at[0]];
    status = read_attributes(knl, first);
    for (size_t i = 1; i < made.count; i++) {
        struct fw_loop_array *array = &knl->program->arrays.at[made.at[i]];
        struct fw_loop_array own = *array;
        *array = *first;
        array->name = own.name;
        array->span = own.span;
        if (own.ranked) {
            array->extents = own.extents;
            array->rank = own.rank;
            array->ranked = true;
        }
    }
    return status;
}
