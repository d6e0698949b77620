/* What differs between the languages: types, reserved words, indices, helper functions. */
#include "emit_internal.h"

#include <string.h>

static const char *const target_texts[] = {
#define X(name, text) text,
    FW_EMIT_TARGETS(X)
#undef X
};

bool fw_emit_target_read(enum fw_emit_target *target, const char *text)
{
    for (unsigned i = 0; i < FW_EMIT_TARGET_COUNT; i++)
        if (strcmp(target_texts[i], text) == 0) {
            *target = (enum fw_emit_target)i;
            return true;
        }
    return false;
}

const char *emit_type(struct emitter *emitter, enum fw_type type, struct fw_span span)
{
    static const struct {
        enum fw_type type;
        const char *names[FW_EMIT_TARGET_COUNT];
    } rows[] = {
        {FW_TYPE_F16, {"half", "__half", "_Float16"}},
        {FW_TYPE_BF16, {NULL, "__nv_bfloat16", NULL}},
        {FW_TYPE_F32, {"float", "float", "float"}},
        {FW_TYPE_F64, {"double", "double", "double"}},
        {FW_TYPE_S8, {"char", "signed char", "signed char"}},
        {FW_TYPE_S16, {"short", "short", "short"}},
        {FW_TYPE_S32, {"int", "int", "int"}},
        {FW_TYPE_S64, {"long", "long long", "long long"}},
        {FW_TYPE_U8, {"uchar", "unsigned char", "unsigned char"}},
        {FW_TYPE_U16, {"ushort", "unsigned short", "unsigned short"}},
        {FW_TYPE_U32, {"uint", "unsigned int", "unsigned int"}},
        {FW_TYPE_U64, {"ulong", "unsigned long long", "unsigned long long"}},
        {FW_TYPE_PRED, {"int", "int", "int"}},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (rows[i].type == type && rows[i].names[emitter->target])
            return rows[i].names[emitter->target];
    emit_refuse(emitter, "EMIT001", span, "%s has no type for %s", target_texts[emitter->target],
                fw_type_text(type));
    return "int";
}

static const char *const helper_names[] = {
    "floor_div_s32", "floor_mod_s32", "floor_div_s64", "floor_mod_s64", "floor_mod_f32",
    "floor_mod_f64", "power_s32",     "power_s64",     "sign_s32",      "sign_s64",
    "sign_f32",      "sign_f64",      "min_s32",       "max_s32",       "min_s64",
    "max_s64",       "min_u32",       "max_u32",       "min_u64",       "max_u64"};

/* Whether the program uses the name itself. */
static bool is_name(const struct fw_loop_program *program, const char *name)
{
    bool found = fw_loop_find_array(program, name) != NULL;
    for (size_t i = 0; i < program->variables.count; i++)
        found |= strcmp(program->variables.at[i].name, name) == 0;
    for (size_t i = 0; i < program->parameters.count; i++)
        found |= strcmp(program->parameters.at[i], name) == 0;
    return found;
}

const char *emit_name(struct emitter *emitter, const char *name)
{
    /* Words of C, C++, OpenCL C and CUDA, types' names and functions that the texts call. */
    static const char words[] =
        " alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl "
        "concept const constexpr const_cast continue decltype default delete do double "
        "dynamic_cast else enum explicit export extern false float for friend goto if inline int "
        "long mutable namespace new noexcept not not_eq nullptr operator or or_eq private "
        "protected public register reinterpret_cast requires restrict return short signed sizeof "
        "static static_assert static_cast struct switch template this thread_local throw true try "
        "typedef typeid typename union unsigned using virtual void volatile wchar_t while xor "
        "xor_eq half uchar ushort uint ulong size_t kernel global local constant __kernel barrier "
        "main min max abs exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan atan2 "
        "sinh cosh tanh sqrt rsqrt cbrt erf erfc pow hypot fma fabs floor ceil round trunc sign "
        "fmin fmax event_t sampler_t image2d_t pipe quad typeof complex I INFINITY NULL "
        "threadIdx blockIdx blockDim gridDim warpSize y0 y1 yn j0 j1 jn gamma div mad mix step dot "
        "cross length distance clamp degrees radians select any all isnan isinf signbit ";
    char *padded = fw_arena_printf(emitter->arena, " %s ", name);
    bool helper = false;
    for (unsigned i = 0; i < HELPER_COUNT; i++)
        helper |= strcmp(helper_names[i], name) == 0;
    if (!helper && !strstr(words, padded))
        return name;
    char *free_name = fw_arena_printf(emitter->arena, "%s_", name);
    while (is_name(emitter->program, free_name))
        free_name = fw_arena_printf(emitter->arena, "%s_", free_name);
    return free_name;
}

const char *emit_index(const struct emitter *emitter, enum fw_loop_side side, unsigned axis)
{
    static const char *const names[2][FW_LOOP_SIDES][FW_LOOP_AXES] = {
        {{"get_group_id(0)", "get_group_id(1)", "get_group_id(2)"},
         {"get_local_id(0)", "get_local_id(1)", "get_local_id(2)"}},
        {{"blockIdx.x", "blockIdx.y", "blockIdx.z"},
         {"threadIdx.x", "threadIdx.y", "threadIdx.z"}}};
    return names[emitter->target == FW_EMIT_CUDA][side][axis];
}

/* ---- helpers ---- */

const char *emit_helper(struct emitter *emitter, enum helper helper)
{
    emitter->used[helper] = true;
    return helper_names[helper];
}

/* The body, with % for the type's name. */
static const char *helper_body(enum helper helper, const char **arguments)
{
    const char *name = helper_names[helper];
    *arguments = "% a, % b";
    if (strncmp(name, "floor_div", 9) == 0)
        return "    return a / b - (a % b != 0 && (a < 0) != (b < 0));\n";
    if (helper == HELPER_FLOOR_MOD_F32 || helper == HELPER_FLOOR_MOD_F64)
        return helper == HELPER_FLOOR_MOD_F32 ? "    return a - FLOORF(a / b) * b;\n"
                                              : "    return a - floor(a / b) * b;\n";
    if (strncmp(name, "floor_mod", 9) == 0)
        return "    return a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0);\n";
    if (strncmp(name, "power", 5) == 0)
        return "    % result = 1;\n    for (; b > 0; b--)\n        result *= a;\n"
               "    return result;\n";
    if (strncmp(name, "min", 3) == 0)
        return "    return a < b ? a : b;\n";
    if (strncmp(name, "max", 3) == 0)
        return "    return a > b ? a : b;\n";
    *arguments = "% a";
    return "    return (a > 0) - (a < 0);\n";
}

/* A copy of the text with % as the type, but not "a % b". */
static void add_typed(struct fw_buffer *buffer, const char *text, const char *type,
                      const char *floor_name)
{
    for (; *text; text++)
        if (*text == '%' && !(text[-1] == ' ' && text[1] == ' ' && text[2] == 'b'))
            fw_buffer_printf(buffer, "%s", type);
        else if (strncmp(text, "FLOORF", 6) == 0) {
            fw_buffer_printf(buffer, "%s", floor_name);
            text += 5;
        } else
            fw_buffer_add(buffer, text, 1);
}

char *emit_helpers(struct emitter *emitter)
{
    static const char *const before[FW_EMIT_TARGET_COUNT] = {"static inline ", "static __device__ ",
                                                             "static inline "};
    struct fw_buffer buffer = fw_buffer_new(emitter->arena);
    for (unsigned i = 0; i < HELPER_COUNT; i++) {
        const char *ending = helper_names[i] + strlen(helper_names[i]) - 3, *arguments;
        if (!emitter->used[i])
            continue;
        enum fw_type type = fw_type_find(ending, 3);
        const char *name = emit_type(emitter, type, (struct fw_span){0});
        const char *body = helper_body((enum helper)i, &arguments);
        fw_buffer_printf(&buffer, "%s%s %s(", before[emitter->target], name, helper_names[i]);
        /* The arguments' text begins with the sign for the type. */
        fw_buffer_printf(&buffer, "%s a", name);
        if (strchr(arguments, 'b'))
            fw_buffer_printf(&buffer, ", %s b", name);
        fw_buffer_printf(&buffer, ")\n{\n");
        add_typed(&buffer, body, name, emitter->target == FW_EMIT_OPENCL ? "floor" : "floorf");
        fw_buffer_printf(&buffer, "}\n\n");
    }
    fw_buffer_add(&buffer, "", 0);
    return buffer.text;
}
