/* Features: rows of statistics by pattern. */
#include "loop_feature.h"
#include "checked.h"
#include "loop_points.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum relation { ANY, LESS, LESS_EQUAL, EQUAL, GREATER_EQUAL, GREATER };

/* "<16*n" */
struct constraint {
    enum relation relation;
    int64_t factor;
    const char *parameter; /* NULL: a number */
};

struct fw_loop_feature {
    struct fw_arena *arena;
    const struct fw_loop_statistics *statistics;
    const struct fw_loop_program *program;
    bool memory;
    const char *operation; /* NULL: any */
    const char *tag;
    enum fw_type type;
    enum fw_space space;
    bool loads, stores;
    struct constraint thread_strides[FW_LOOP_AXES], block_strides[FW_LOOP_AXES], ratio;
    bool fixed;
    struct fw_count *sum; /* fixed: of the rows that fit; NULL: none does */
};

/* ---- reading ---- */

static bool read_relation(struct constraint *constraint, const char **text)
{
    static const struct {
        const char *text;
        enum relation relation;
    } relations[] = {
        {"<=", LESS_EQUAL}, {">=", GREATER_EQUAL}, {"<", LESS}, {">", GREATER}, {"=", EQUAL}};
    constraint->relation = EQUAL;
    for (size_t i = 0; i < sizeof(relations) / sizeof(*relations); i++) {
        size_t length = strlen(relations[i].text);
        if (strncmp(*text, relations[i].text, length) != 0)
            continue;
        constraint->relation = relations[i].relation;
        *text += length;
        break;
    }
    return true;
}

/* "<n*16", "16", ">=n", up to a delimiter. */
static bool read_constraint(const struct fw_loop_feature *feature, struct constraint *constraint,
                            const char **text)
{
    read_relation(constraint, text);
    constraint->factor = 1;
    constraint->parameter = NULL;
    for (;;) {
        size_t length = fw_loop_word(*text);
        if (length) {
            const char *name = NULL;
            for (size_t p = 0; p < feature->program->parameters.count; p++)
                if (strlen(feature->program->parameters.at[p]) == length &&
                    memcmp(feature->program->parameters.at[p], *text, length) == 0)
                    name = feature->program->parameters.at[p];
            if (!name || constraint->parameter)
                return false;
            constraint->parameter = name;
            *text += length;
        } else {
            char *end;
            long long value = strtoll(*text, &end, 10);
            if (end == *text ||
                fw_multiply_overflows(constraint->factor, (int64_t)value, &constraint->factor))
                return false;
            *text = end;
        }
        if (**text != '*')
            return true;
        ++*text;
    }
}

/* "{0:1;1:>15}" */
static bool read_strides(const struct fw_loop_feature *feature, struct constraint *strides,
                         const char *text)
{
    if (*text++ != '{')
        return false;
    while (*text != '}') {
        unsigned axis = (unsigned)(*text - '0');
        if (axis >= FW_LOOP_AXES || text[1] != ':')
            return false;
        text += 2;
        if (!read_constraint(feature, &strides[axis], &text))
            return false;
        if (*text == ';' || *text == ',')
            text++;
        else if (*text != '}')
            return false;
    }
    return text[1] == '\0';
}

/* "float32" or "f32". */
static enum fw_type read_type(const char *text)
{
    static const char *const longer[] = {"float", "uint", "int"};
    static const char shorter[] = "fus";
    char name[8] = "";
    size_t whole = strlen(text);
    for (size_t i = 0; i < sizeof(longer) / sizeof(*longer); i++) {
        size_t length = strlen(longer[i]);
        if (whole <= length || whole > length + 3 || strncmp(text, longer[i], length) != 0)
            continue;
        name[0] = shorter[i];
        memcpy(name + 1, text + length, whole - length);
        return fw_type_find(name, (unsigned)(1 + whole - length));
    }
    return whole <= 8 ? fw_type_find(text, (unsigned)whole) : FW_TYPE_NONE;
}

/* One part between underscores. */
static bool read_part(struct fw_loop_feature *feature, const char *part)
{
    static const struct {
        const char *text;
        enum fw_space space;
    } spaces[] = {{"global", FW_SPACE_GLOBAL},
                  {"local", FW_SPACE_SHARED},
                  {"shared", FW_SPACE_SHARED},
                  {"const", FW_SPACE_CONST}};
    enum fw_type type = read_type(part);
    if (type) {
        feature->type = type;
        return true;
    }
    if (!feature->memory) {
        feature->operation = part;
        return true;
    }
    for (size_t i = 0; i < sizeof(spaces) / sizeof(*spaces); i++)
        if (strcmp(part, spaces[i].text) == 0) {
            feature->space = spaces[i].space;
            return true;
        }
    if (strcmp(part, "load") == 0)
        return feature->loads = true;
    if (strcmp(part, "store") == 0)
        return feature->stores = true;
    if (strncmp(part, "tag:", 4) == 0) {
        feature->tag = part + 4;
        return true;
    }
    if (strncmp(part, "lstrides:", 9) == 0)
        return read_strides(feature, feature->thread_strides, part + 9);
    if (strncmp(part, "gstrides:", 9) == 0)
        return read_strides(feature, feature->block_strides, part + 9);
    const char *rest = part + 4;
    return strncmp(part, "afr:", 4) == 0 && read_constraint(feature, &feature->ratio, &rest) &&
           !*rest;
}

static bool read_feature(struct fw_loop_feature *feature, const char *text)
{
    feature->memory = strncmp(text, "f_mem_access", 12) == 0;
    if (!feature->memory && strncmp(text, "f_op", 4) != 0)
        return false;
    for (const char *at = text + (feature->memory ? 12 : 4); *at;) {
        size_t length = 0;
        if (*at++ != '_')
            return false;
        while (at[length] && at[length] != '_')
            length += at[length] == '{' ? strcspn(at + length, "}") : 1;
        if (!read_part(feature, fw_arena_text(feature->arena, at, length)))
            return false;
        at += length;
    }
    return true;
}

/* ---- choosing ---- */

static bool fits_plainly(const struct fw_loop_feature *feature,
                         const struct fw_loop_memory_row *row)
{
    return (!feature->tag || (row->tag && strcmp(feature->tag, row->tag) == 0)) &&
           (!feature->type || feature->type == row->type) &&
           (!feature->space || feature->space == row->space) &&
           (feature->loads == feature->stores || feature->stores == row->store);
}

static bool holds(const struct constraint *constraint, int order)
{
    switch (constraint->relation) {
    case LESS:
        return order < 0;
    case LESS_EQUAL:
        return order <= 0;
    case EQUAL:
        return order == 0;
    case GREATER_EQUAL:
        return order >= 0;
    case GREATER:
        return order > 0;
    default:
        return true;
    }
}

struct point {
    const char *const *names;
    const int64_t *values;
    size_t bound;
};

/* The constraint's right side, into `limit`. */
static enum fw_status limit_of(mpz_ptr limit, const struct constraint *constraint,
                               const struct point *point)
{
    mpz_set_si(limit, constraint->factor);
    if (!constraint->parameter)
        return FW_OK;
    for (size_t i = 0; i < point->bound; i++)
        if (strcmp(point->names[i], constraint->parameter) == 0) {
            mpz_mul_si(limit, limit, point->values[i]);
            return FW_OK;
        }
    return FW_ERROR_USAGE;
}

static enum fw_status strides_fit(const struct fw_loop_feature *feature,
                                  const struct fw_loop_memory_row *row,
                                  const struct constraint *constraints,
                                  const struct fw_loop_stride *strides, const struct point *point,
                                  bool *fits)
{
    mpz_t stride, limit;
    enum fw_status status = FW_OK;
    mpz_inits(stride, limit, NULL);
    for (unsigned axis = 0; axis < FW_LOOP_AXES && status == FW_OK && *fits; axis++) {
        if (constraints[axis].relation == ANY)
            continue;
        status = limit_of(limit, &constraints[axis], point);
        if (status == FW_OK && !strides[axis].known) {
            *fits = false;
        } else if (status == FW_OK) {
            status =
                fw_loop_stride_evaluate(stride, feature->statistics, feature->program, row,
                                        &strides[axis], point->names, point->values, point->bound);
            *fits = holds(&constraints[axis], mpz_cmp(stride, limit));
        }
    }
    mpz_clears(stride, limit, NULL);
    return status;
}

/* Accesses over elements, of all loads or stores of the row's array. */
static enum fw_status ratio_fits(const struct fw_loop_feature *feature,
                                 const struct fw_loop_memory_row *row, const struct point *point,
                                 bool *fits)
{
    const struct fw_loop_statistics *statistics = feature->statistics;
    mpz_t accesses, elements, limit;
    enum fw_status status = FW_OK;
    bool found = false;
    if (feature->ratio.relation == ANY)
        return FW_OK;
    mpz_inits(accesses, elements, limit, NULL);
    for (size_t f = 0; f < statistics->footprints.count && !found && status == FW_OK; f++) {
        const struct fw_loop_footprint_row *one = &statistics->footprints.at[f];
        if (one->array != row->array || one->store != row->store || !one->count)
            continue;
        found = true;
        status = limit_of(limit, &feature->ratio, point);
        if (status == FW_OK)
            status = fw_loop_evaluate(accesses, one->accesses, feature->program->poly, point->names,
                                      point->values, point->bound);
        if (status == FW_OK)
            status = fw_loop_evaluate(elements, one->count, feature->program->poly, point->names,
                                      point->values, point->bound);
        mpz_mul(limit, limit, elements);
        *fits = holds(&feature->ratio, mpz_cmp(accesses, limit));
    }
    *fits = *fits && found;
    mpz_clears(accesses, elements, limit, NULL);
    return status;
}

static enum fw_status fits_at(const struct fw_loop_feature *feature,
                              const struct fw_loop_memory_row *row, const struct point *point,
                              bool *fits)
{
    *fits = fits_plainly(feature, row);
    enum fw_status status = FW_OK;
    if (*fits)
        status =
            strides_fit(feature, row, feature->thread_strides, row->thread_strides, point, fits);
    if (*fits && status == FW_OK)
        status = strides_fit(feature, row, feature->block_strides, row->block_strides, point, fits);
    if (*fits && status == FW_OK)
        status = ratio_fits(feature, row, point, fits);
    return status;
}

/* ---- sums that are made once ---- */

static bool is_constant(const struct constraint *constraint, const struct fw_loop_stride *stride)
{
    if (constraint->relation == ANY)
        return true;
    for (uint32_t t = 0; t < stride->term_count; t++)
        if (stride->inner[t])
            return false;
    return !constraint->parameter;
}

static bool is_fixed(const struct fw_loop_feature *feature)
{
    const struct fw_loop_statistics *statistics = feature->statistics;
    if (feature->ratio.relation != ANY)
        return false;
    for (size_t r = 0; feature->memory && r < statistics->memory.count; r++)
        for (unsigned axis = 0; axis < FW_LOOP_AXES; axis++)
            if (fits_plainly(feature, &statistics->memory.at[r]) &&
                (!is_constant(&feature->thread_strides[axis],
                              &statistics->memory.at[r].thread_strides[axis]) ||
                 !is_constant(&feature->block_strides[axis],
                              &statistics->memory.at[r].block_strides[axis])))
                return false;
    return true;
}

static bool fits_operation(const struct fw_loop_feature *feature,
                           const struct fw_loop_operation_row *row)
{
    return (!feature->type || feature->type == row->type) &&
           (!feature->operation || strcmp(feature->operation, row->operation) == 0);
}

static enum fw_status make_sum(struct fw_loop_feature *feature)
{
    const struct fw_loop_statistics *statistics = feature->statistics;
    const struct point nowhere = {NULL, NULL, 0};
    FW_VECTOR(const struct fw_count *) counts = {0};
    FW_VECTOR(int64_t) factors = {0};
    for (size_t r = 0; feature->memory && r < statistics->memory.count; r++) {
        bool fits;
        enum fw_status status = fits_at(feature, &statistics->memory.at[r], &nowhere, &fits);
        if (status != FW_OK)
            return status;
        if (fits)
            *FW_APPEND(feature->arena, &counts) = statistics->memory.at[r].count;
    }
    for (size_t r = 0; !feature->memory && r < statistics->operations.count; r++)
        if (fits_operation(feature, &statistics->operations.at[r]))
            *FW_APPEND(feature->arena, &counts) = statistics->operations.at[r].count;
    for (size_t i = 0; i < counts.count; i++)
        *FW_APPEND(feature->arena, &factors) = 1;
    return counts.count ? fw_count_add(&feature->sum, counts.at, factors.at, counts.count) : FW_OK;
}

/* ---- making and asking ---- */

enum fw_status fw_loop_feature_new(struct fw_loop_feature **feature, const char *text,
                                   const struct fw_loop_statistics *statistics,
                                   const struct fw_loop_program *program)
{
    struct fw_arena *arena = fw_arena_new((size_t)1 << 20);
    jmp_buf exhausted;
    *feature = NULL;
    if (!arena)
        return FW_ERROR_MEMORY;
    fw_arena_on_exhausted(arena, &exhausted);
    if (setjmp(exhausted)) {
        fw_arena_free(arena);
        return FW_ERROR_MEMORY;
    }
    struct fw_loop_feature *made = FW_NEW(arena, struct fw_loop_feature);
    made->arena = arena;
    made->statistics = statistics;
    made->program = program;
    enum fw_status status = FW_OK;
    if (!read_feature(made, text)) {
        fw_report(
            program->sink, FW_ERROR, "LOOP120", (struct fw_span){0},
            "'%s' names no feature: f_op_TYPE_OPERATION, or f_mem_access with tag:T, a space, "
            "a type, load or store, lstrides:{0:1}, gstrides:{0:>n}, afr:>1 behind it",
            text);
        status = FW_ERROR_INPUT;
    } else {
        made->fixed = is_fixed(made);
        if (made->fixed)
            status = make_sum(made);
    }
    fw_arena_on_exhausted(arena, NULL);
    if (status == FW_OK)
        *feature = made;
    else
        fw_loop_feature_free(made);
    return status;
}

void fw_loop_feature_free(struct fw_loop_feature *feature)
{
    if (!feature)
        return;
    fw_count_free(feature->sum);
    fw_arena_free(feature->arena);
}

bool fw_loop_feature_is_fixed(const struct fw_loop_feature *feature)
{
    return feature->fixed;
}

enum fw_status fw_loop_feature_evaluate(mpz_ptr result, const struct fw_loop_feature *feature,
                                        const char *const *names, const int64_t *values,
                                        size_t bound)
{
    const struct point point = {names, values, bound};
    const struct fw_loop_statistics *statistics = feature->statistics;
    mpz_set_si(result, 0);
    if (feature->fixed)
        return feature->sum ? fw_loop_evaluate(result, feature->sum, feature->program->poly, names,
                                               values, bound)
                            : FW_OK;
    enum fw_status status = FW_OK;
    mpz_t part;
    mpz_init(part);
    for (size_t r = 0; r < statistics->memory.count && status == FW_OK; r++) {
        bool fits;
        status = fits_at(feature, &statistics->memory.at[r], &point, &fits);
        if (status != FW_OK || !fits)
            continue;
        status = fw_loop_evaluate(part, statistics->memory.at[r].count, feature->program->poly,
                                  names, values, bound);
        mpz_add(result, result, part);
    }
    mpz_clear(part);
    return status;
}
