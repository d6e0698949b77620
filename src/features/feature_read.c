/* Identifiers of features. */
#include "feature.h"
#include "checked.h"
#include "text.h"

#include "forewarp.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct fw_feature_about *fw_feature_about(enum fw_feature_kind kind)
{
    static const struct fw_feature_about rows[FW_FEATURE_KIND_COUNT] = {
#define X(name, identifier, granularity, unit, layer, about)                                       \
    {identifier, granularity, unit, layer, about},
        FW_FEATURES(X)
#undef X
    };
    return &rows[kind];
}

bool fw_feature_needs_code(enum fw_feature_kind kind)
{
    switch (kind) {
    case FW_FEATURE_ISSUED:
    case FW_FEATURE_MACHINE:
    case FW_FEATURE_CHAIN:
    case FW_FEATURE_SECTORS:
    case FW_FEATURE_LINES:
    case FW_FEATURE_ATOMICS:
    case FW_FEATURE_WAVEFRONTS:
    case FW_FEATURE_VOLUME:
    case FW_FEATURE_OCCUPANCY:
    case FW_FEATURE_WAVES:
    case FW_FEATURE_REGISTERS:
        return true;
    default:
        return false;
    }
}

/* ---- constraints ---- */

static void read_relation(struct fw_feature_limit *limit, const char **text)
{
    static const struct {
        const char *text;
        enum fw_feature_relation relation;
    } relations[] = {{"<=", FW_FEATURE_LESS_EQUAL},
                     {">=", FW_FEATURE_GREATER_EQUAL},
                     {"<", FW_FEATURE_LESS},
                     {">", FW_FEATURE_GREATER},
                     {"=", FW_FEATURE_EQUAL}};
    limit->relation = FW_FEATURE_EQUAL;
    for (size_t i = 0; i < sizeof(relations) / sizeof(*relations); i++) {
        size_t length = strlen(relations[i].text);
        if (strncmp(*text, relations[i].text, length) != 0)
            continue;
        limit->relation = relations[i].relation;
        *text += length;
        return;
    }
}

static size_t word_length(const char *text)
{
    size_t length = 0;
    if (isalpha((unsigned char)*text) || *text == '_')
        while (isalnum((unsigned char)text[length]) || text[length] == '_')
            length++;
    return length;
}

/* "<n*16", "16", ">=n", up to a delimiter. */
static bool read_limit(struct fw_feature_limit *limit, struct fw_arena *arena, const char **text)
{
    read_relation(limit, text);
    limit->factor = 1;
    for (;;) {
        size_t length = word_length(*text);
        if (length) {
            if (limit->parameter)
                return false;
            limit->parameter = fw_arena_text(arena, *text, length);
            *text += length;
        } else {
            char *end;
            if (!isdigit((unsigned char)**text) && **text != '-')
                return false;
            errno = 0;
            long long value = strtoll(*text, &end, 10);
            if (end == *text || errno ||
                fw_multiply_overflows(limit->factor, (int64_t)value, &limit->factor))
                return false;
            *text = end;
        }
        if (**text != '*')
            return true;
        ++*text;
    }
}

/* "{0:1;1:>15}" */
static bool read_strides(struct fw_feature_limit *limits, struct fw_arena *arena, const char *text)
{
    if (*text++ != '{')
        return false;
    while (*text != '}') {
        unsigned axis = (unsigned)(*text - '0');
        if (axis >= FW_FEATURE_AXES || text[1] != ':' || limits[axis].relation != FW_FEATURE_ANY)
            return false;
        text += 2;
        if (!read_limit(&limits[axis], arena, &text))
            return false;
        if (*text == ';' || *text == ',')
            text++;
        else if (*text != '}')
            return false;
    }
    return text[1] == '\0';
}

/* "float32" or "f32"; NONE: it is no type. */
static enum fw_type read_type(const char *text)
{
    static const char *const longer[] = {"bfloat", "float", "uint", "int"};
    static const char *const shorter[] = {"bf", "f", "u", "s"};
    char name[8] = "";
    size_t whole = strlen(text);
    for (size_t i = 0; i < sizeof(longer) / sizeof(*longer); i++) {
        size_t length = strlen(longer[i]), kept = strlen(shorter[i]);
        if (whole <= length || whole > length + 3 || strncmp(text, longer[i], length) != 0)
            continue;
        memcpy(name, shorter[i], kept);
        memcpy(name + kept, text + length, whole - length);
        return fw_type_find(name, (unsigned)(kept + whole - length));
    }
    return whole < sizeof(name) ? fw_type_find(text, (unsigned)whole) : FW_TYPE_NONE;
}

/* ---- parts ---- */

/* Two directions are either of them: "load_store". */
static bool read_direction(struct fw_feature *feature, const char *part)
{
    bool *flag = strcmp(part, "load") == 0     ? &feature->loads
                 : strcmp(part, "store") == 0  ? &feature->stores
                 : strcmp(part, "atomic") == 0 ? &feature->atomics
                                               : NULL;
    return flag && (*flag = true);
}

static enum fw_space space_of(const char *part)
{
    static const struct {
        const char *text;
        enum fw_space space;
    } spaces[] = {{"global", FW_SPACE_GLOBAL},
                  {"local", FW_SPACE_SHARED}, /* OpenCL's word */
                  {"shared", FW_SPACE_SHARED},
                  {"const", FW_SPACE_CONST}};
    for (size_t i = 0; i < sizeof(spaces) / sizeof(*spaces); i++)
        if (strcmp(part, spaces[i].text) == 0)
            return spaces[i].space;
    return FW_SPACE_NONE;
}

/* The name behind "tag:" or "array:"; false: there is none, or the feature has one already. */
static bool read_name(const char **name, const char *text)
{
    if (*name || !*text)
        return false;
    *name = text;
    return true;
}

/* A part behind f_mem_access, between underscores.  A second type or space contradicts the first.
 */
static bool read_memory_part(struct fw_feature *feature, struct fw_arena *arena, const char *part)
{
    enum fw_type type = read_type(part);
    enum fw_space space = space_of(part);
    if (type) {
        bool first = !feature->type;
        feature->type = type;
        return first;
    }
    if (space) {
        bool first = !feature->space;
        feature->space = space;
        return first;
    }
    if (read_direction(feature, part))
        return true;
    if (strncmp(part, "tag:", 4) == 0)
        return read_name(&feature->tag, part + 4);
    if (strncmp(part, "array:", 6) == 0)
        return read_name(&feature->array, part + 6);
    if (strncmp(part, "lstrides:", 9) == 0)
        return read_strides(feature->thread_strides, arena, part + 9);
    if (strncmp(part, "gstrides:", 9) == 0)
        return read_strides(feature->block_strides, arena, part + 9);
    const char *rest = part + 4;
    return strncmp(part, "afr:", 4) == 0 && feature->ratio.relation == FW_FEATURE_ANY &&
           read_limit(&feature->ratio, arena, &rest) && !*rest;
}

/* Whether the word at `text`, up to an underscore, is a part of its own and no part of a name: a
 * space, a direction, a type as the paper writes it ("float32"; "f32" may end a name), or what a
 * colon ends. */
static bool is_part(const char *text)
{
    static const char *const words[] = {"global", "local", "shared", "const",
                                        "load",   "store", "atomic"};
    static const char *const begins[] = {"lstrides:", "gstrides:", "afr:", "tag:", "array:"};
    static const char *const types[] = {"float", "int", "uint", "bfloat"};
    size_t length = strcspn(text, "_");
    for (size_t w = 0; w < sizeof(words) / sizeof(*words); w++)
        if (length == strlen(words[w]) && strncmp(text, words[w], length) == 0)
            return true;
    for (size_t b = 0; b < sizeof(begins) / sizeof(*begins); b++)
        if (strncmp(text, begins[b], strlen(begins[b])) == 0)
            return true;
    for (size_t t = 0; t < sizeof(types) / sizeof(*types); t++) {
        size_t digits = strlen(types[t]);
        if (strncmp(text, types[t], digits) == 0 && length > digits &&
            strspn(text + digits, "0123456789") == length - digits)
            return true;
    }
    return false;
}

/* Characters up to the next underscore that divides parts.  A tag's, an array's or a parameter's
 * name may contain underscores: it goes on until a part begins that this grammar knows. */
static size_t part_length(const char *text)
{
    bool name = strncmp(text, "tag:", 4) == 0 || strncmp(text, "array:", 6) == 0 ||
                strncmp(text, "afr:", 4) == 0;
    size_t length = 0;
    while (text[length] && !(text[length] == '_' && (!name || is_part(text + length + 1))))
        length += text[length] == '{' ? strcspn(text + length, "}") : 1;
    return length;
}

/* Behind "f_op": a type and an operation, each at most once; "func:" before a function's name is
 * what it is called in statistics, and may be left out. */
static bool read_operation_part(struct fw_feature *feature, const char *part)
{
    enum fw_type type = read_type(part);
    if (type) {
        bool first = !feature->type;
        feature->type = type;
        return first;
    }
    return read_name(&feature->name_of, strncmp(part, "func:", 5) == 0 ? part + 5 : part);
}

static bool read_parts(struct fw_feature *feature, struct fw_arena *arena, const char *text)
{
    while (*text) {
        if (*text++ != '_')
            return false;
        size_t length = feature->kind == FW_FEATURE_MEMORY ? part_length(text) : strcspn(text, "_");
        const char *part = fw_arena_text(arena, text, length);
        if (!(feature->kind == FW_FEATURE_MEMORY ? read_memory_part(feature, arena, part)
                                                 : read_operation_part(feature, part)))
            return false;
        text += length;
    }
    return true;
}

/* ---- identifiers ---- */

static bool begins(const char *text, const char *with)
{
    size_t length = strlen(with);
    return strncmp(text, with, length) == 0 && (text[length] == '\0' || text[length] == '_');
}

/* Identifiers that are one word. */
static bool read_word(struct fw_feature *feature, const char *text)
{
    static const struct {
        const char *text;
        enum fw_feature_kind kind;
        enum fw_feature_of of;
    } words[] = {
        {"f_sync_barrier_local", FW_FEATURE_BARRIER, 0},
        {"f_sync_kernel_launch", FW_FEATURE_KERNEL_LAUNCH, 0},
        {"f_thread_groups", FW_FEATURE_THREAD_GROUPS, 0},
        {"f_sub_groups", FW_FEATURE_SUB_GROUPS, 0},
        {"f_threads", FW_FEATURE_THREADS, 0},
        {"f_flops", FW_FEATURE_FLOPS, 0},
        {"f_sectors_load", FW_FEATURE_SECTORS, FW_FEATURE_OF_LOADS},
        {"f_sectors_store", FW_FEATURE_SECTORS, FW_FEATURE_OF_STORES},
        {"f_sectors_part", FW_FEATURE_SECTORS, FW_FEATURE_OF_PARTS},
        {"f_lines_load", FW_FEATURE_LINES, FW_FEATURE_OF_LOADS},
        {"f_lines_store", FW_FEATURE_LINES, FW_FEATURE_OF_STORES},
        {"f_atomic_passes", FW_FEATURE_ATOMICS, FW_FEATURE_OF_ALL},
        {"f_atomic_slice", FW_FEATURE_ATOMICS, FW_FEATURE_OF_SLICE},
        {"f_chain_load", FW_FEATURE_CHAIN, FW_FEATURE_OF_LOADS},
        {"f_chain_shared", FW_FEATURE_CHAIN, FW_FEATURE_OF_SHARED},
        {"f_wavefronts_global", FW_FEATURE_WAVEFRONTS, FW_FEATURE_OF_GLOBAL},
        {"f_wavefronts_shared", FW_FEATURE_WAVEFRONTS, FW_FEATURE_OF_SHARED},
        {"f_bytes_l2_to_l1", FW_FEATURE_VOLUME, FW_FEATURE_OF_L2_TO_L1},
        {"f_bytes_l1_to_l2", FW_FEATURE_VOLUME, FW_FEATURE_OF_L1_TO_L2},
        {"f_bytes_dram_read", FW_FEATURE_VOLUME, FW_FEATURE_OF_DRAM_READ},
        {"f_bytes_dram_write", FW_FEATURE_VOLUME, FW_FEATURE_OF_DRAM_WRITE},
        {"f_occupancy", FW_FEATURE_OCCUPANCY, 0},
        {"f_waves", FW_FEATURE_WAVES, 0},
        {"f_registers", FW_FEATURE_REGISTERS, 0},
    };
    for (size_t w = 0; w < sizeof(words) / sizeof(*words); w++)
        if (strcmp(text, words[w].text) == 0) {
            feature->kind = words[w].kind;
            feature->of = words[w].of;
            return true;
        }
    return false;
}

static bool read_identifier(struct fw_feature *feature, struct fw_arena *arena, const char *text)
{
    static const char *const measured[] = {"f_cl_wall_time", "f_cuda_wall_time", "f_seconds",
                                           "f_time",         "f_watts",          "f_power",
                                           "f_joules",       "f_energy"};
    if (read_word(feature, text))
        return true;
    if (begins(text, "f_op") || begins(text, "f_mem_access")) {
        feature->kind = begins(text, "f_op") ? FW_FEATURE_OPERATION : FW_FEATURE_MEMORY;
        return read_parts(
            feature, arena,
            text + strlen(feature->kind == FW_FEATURE_OPERATION ? "f_op" : "f_mem_access"));
    }
    if (begins(text, "f_issued")) {
        feature->kind = FW_FEATURE_ISSUED;
        feature->name_of = text[8] ? text + 9 : NULL;
        return !text[8] || text[9];
    }
    if (begins(text, "f_chain")) {
        feature->kind = FW_FEATURE_CHAIN;
        feature->of = FW_FEATURE_OF_ALL;
        feature->name_of = text[7] ? text + 8 : NULL;
        return !text[7] || text[8];
    }
    if (strncmp(text, "f_machine_", 10) == 0 && text[10]) {
        feature->kind = FW_FEATURE_MACHINE;
        feature->name_of = text + 10;
        return true;
    }
    feature->kind = FW_FEATURE_MEASURED;
    for (size_t m = 0; m < sizeof(measured) / sizeof(*measured); m++)
        if (begins(text, measured[m]))
            return true;
    return false;
}

enum fw_status fw_feature_read(struct fw_feature *feature, struct fw_arena *arena, const char *text,
                               struct fw_span place, const struct fw_sink *sink)
{
    static const char *const notes[] = {
        "forewarp features lists what there is; f_op_TYPE_OPERATION counts arithmetic, "
        "f_mem_access with tag:T, a space, a type, load or store, lstrides:{0:1}, "
        "gstrides:{0:>n}, afr:>1 behind it counts accesses"};
    *feature = (struct fw_feature){.name = fw_arena_text(arena, text, strlen(text))};
    if (read_identifier(feature, arena, feature->name))
        return FW_OK;
    fw_report_notes(sink, FW_ERROR, "FEAT001", place, notes, 1, "%s names no feature",
                    feature->name);
    return FW_ERROR_INPUT;
}

enum fw_status fw_feature_find(struct fw_feature *feature, struct fw_arena *arena, const char *text,
                               const struct fw_feature_names *names, struct fw_span place,
                               const struct fw_sink *sink)
{
    for (size_t n = 0; n < (names ? names->count : 0); n++)
        if (strcmp(names->own[n].name, text) == 0) {
            *feature =
                (struct fw_feature){.name = names->own[n].name, .kind = FW_FEATURE_OWN, .own = n};
            return FW_OK;
        }
    return fw_feature_read(feature, arena, text, place, sink);
}
