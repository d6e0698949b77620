/* The table's keys: which modifiers change what an instruction becomes, and the look-up by them.
 *
 * A key is the mnemonic, what is left of the modifiers, the types.  Comparison operators, cache
 * operators, scopes and, for sums and products, rounding are left out: they do not change what is
 * issued.  A literal operand is told by a `#` at the end, for which there are rows where it
 * matters. */
#include "lowering_internal.h"

#include <string.h>

static bool is_float(enum fw_type type)
{
    return fw_type_class(type) == 'f';
}

static bool half_width(enum fw_type type)
{
    return type != FW_TYPE_F32 && type != FW_TYPE_F64;
}

static const char *first_of(const struct fw_instruction *at, const char *const *texts)
{
    for (; *texts; texts++)
        if (fw_instruction_has(at, *texts))
            return *texts;
    return "";
}

static void add_part(struct fw_buffer *key, const char *part)
{
    if (*part)
        fw_buffer_printf(key, ".%s", part);
}

static void add_types(struct fw_buffer *key, const struct fw_instruction *at)
{
    for (unsigned i = 0; i < at->type_count; i++)
        add_part(key, fw_type_text((enum fw_type)at->types[i]));
}

/* All modifiers but those that change nothing. */
static void add_others(struct fw_buffer *key, const struct fw_instruction *at)
{
    static const char *const dropped[] = {"cc", "wrap", "clamp", "aligned", "row", "col", "uni"};
    for (unsigned i = 0; i < at->modifier_count; i++) {
        bool keep = true;
        for (unsigned j = 0; j < sizeof dropped / sizeof *dropped; j++)
            if (strcmp(at->modifiers[i], dropped[j]) == 0)
                keep = false;
        if (keep && !(at->opcode == FW_OP_MMA && strcmp(at->modifiers[i], "sync") == 0))
            add_part(key, at->modifiers[i]);
    }
}

static void special_key(struct fw_buffer *key, const struct fw_instruction *at)
{
    static const char *const ways[] = {"approx", "full", "rn", "rz", "rm", "rp", NULL};
    const char *way = first_of(at, ways);
    enum fw_type type = (enum fw_type)at->types[0];
    if (type == FW_TYPE_F64 && *way == 'r')
        way = "rn"; /* the other directions differ by a mode, not by the steps */
    else if (way[0] == 'r' && way[1] != 'n')
        way = "rz";
    add_part(key, way);
    if ((at->flags & FW_FLAG_FTZ) && !half_width(type))
        add_part(key, "ftz");
    add_types(key, at);
}

static void convert_key(struct fw_buffer *key, const struct fw_instruction *at)
{
    static const char *const whole[] = {"rni", "rzi", "rmi", "rpi", NULL};
    bool floats = is_float((enum fw_type)at->types[0]) && at->types[0] == at->types[1];
    if (fw_instruction_has(at, "pack")) {
        add_others(key, at);
        return;
    }
    if (floats)
        add_part(key, *first_of(at, whole) ? "rni" : "sat");
    else if ((at->flags & FW_FLAG_SAT) && !is_float((enum fw_type)at->types[1]))
        add_part(key, "sat");
    if (fw_instruction_has(at, "rna"))
        add_part(key, "rna");
    add_types(key, at);
}

static void memory_key(struct fw_buffer *key, const struct fw_instruction *at)
{
    static const char *const order[] = {"acquire", "release", NULL};
    add_part(key, first_of(at, order));
    enum fw_space space = at->space == FW_SPACE_NONE ? FW_SPACE_GENERIC : (enum fw_space)at->space;
    unsigned vector = at->vector ? at->vector : 1;
    fw_buffer_printf(key, ".%s.%u", fw_space_text(space),
                     fw_type_bits((enum fw_type)at->types[0]) * vector);
}

static void atomic_key(struct fw_buffer *key, const struct fw_instruction *at)
{
    static const char *const kinds[] = {"add", "min",  "max", "and", "or", "xor",
                                        "cas", "exch", "inc", "dec", NULL};
    enum fw_space space = at->space == FW_SPACE_NONE ? FW_SPACE_GENERIC : (enum fw_space)at->space;
    fw_buffer_printf(key, ".%s.%s", fw_space_text(space), first_of(at, kinds));
    add_types(key, at);
}

static bool has_literal(const struct fw_instruction *at)
{
    for (unsigned i = at->destinations; i < at->operand_count; i++)
        if (at->operands[i].kind == FW_OPERAND_INTEGER)
            return true;
    return false;
}

/* Products by a power of two are shifts. */
static bool is_shift(const struct fw_instruction *at)
{
    if (at->opcode != FW_OP_MUL || !fw_instruction_has(at, "lo") ||
        fw_type_bits((enum fw_type)at->types[0]) != 32 || at->operand_count != 3)
        return false;
    const struct fw_operand *factor = &at->operands[2];
    return factor->kind == FW_OPERAND_INTEGER && factor->immediate > 0 &&
           (factor->immediate & (factor->immediate - 1)) == 0;
}

static void integer_key(struct fw_buffer *key, const struct fw_instruction *at)
{
    add_others(key, at);
    switch (at->opcode) {
    case FW_OP_DIV:
    case FW_OP_REM:
    case FW_OP_SHL:
    case FW_OP_SHR:
    case FW_OP_BFE:
    case FW_OP_BFI:
    case FW_OP_MUL:
    case FW_OP_SHF:
        if (has_literal(at))
            fw_buffer_add(key, "#", 1);
        break;
    default:
        break;
    }
}

static void arithmetic_key(struct fw_buffer *key, const struct fw_instruction *at)
{
    if (is_float((enum fw_type)at->types[0]))
        add_types(key, at);
    else
        integer_key(key, at);
}

char *fw_lowering_key(struct fw_arena *arena, const struct fw_instruction *at)
{
    struct fw_buffer key = fw_buffer_new(arena);
    bool product = at->opcode == FW_OP_MAD && is_float((enum fw_type)at->types[0]);
    if (is_shift(at))
        return fw_arena_text(arena, "shl.b32#", 8);
    fw_buffer_printf(&key, "%s", product ? "fma" : at->name);
    bool floats = at->type_count && is_float((enum fw_type)at->types[0]);
    switch (at->opcode) {
    case FW_OP_DIV:
        (floats ? special_key : integer_key)(&key, at);
        break;
    case FW_OP_RCP:
    case FW_OP_SQRT:
    case FW_OP_RSQRT:
    case FW_OP_SIN:
    case FW_OP_COS:
    case FW_OP_LG2:
    case FW_OP_EX2:
    case FW_OP_TANH:
        special_key(&key, at);
        break;
    case FW_OP_SETP:
    case FW_OP_SET:
    case FW_OP_SELP:
    case FW_OP_SLCT:
        add_types(&key, at);
        break;
    case FW_OP_CVT:
        convert_key(&key, at);
        break;
    case FW_OP_CVTA:
        add_part(&key, at->flags & FW_FLAG_TO ? "to" : "");
        add_part(&key, fw_space_text((enum fw_space)at->space));
        break;
    case FW_OP_LD:
    case FW_OP_LDU:
    case FW_OP_ST:
        key = fw_buffer_new(arena);
        fw_buffer_printf(&key, "%s", at->opcode == FW_OP_ST ? "st" : "ld");
        memory_key(&key, at);
        break;
    case FW_OP_ATOM:
    case FW_OP_RED:
        atomic_key(&key, at);
        break;
    case FW_OP_SHFL:
        break;
    case FW_OP_VOTE:
        add_part(&key, at->modifier_count > 1 ? at->modifiers[1] : "");
        break;
    case FW_OP_ADDC:
    case FW_OP_SUBC:
    case FW_OP_MADC: /* with a carry as without */
        key = fw_buffer_new(arena);
        fw_buffer_add(&key, at->name, 3);
        integer_key(&key, at);
        break;
    case FW_OP_TESTP:
    case FW_OP_MMA:
        add_others(&key, at);
        break;
    default:
        arithmetic_key(&key, at);
        break;
    }
    return key.text;
}

static const struct fw_lowering_row *find(const char *key)
{
    unsigned low = 0;
    unsigned high = fw_lowering_row_count;
    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        int order = strcmp(key, fw_lowering_rows[middle].key);
        if (order == 0)
            return &fw_lowering_rows[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

/* Rows that differ by the integer types' sign only are one when the table has the other: turns
 * every b32, u32, s32 (any width) of the key into class `to`. */
static bool turn_sign(char *key, char to)
{
    bool turned = false;
    for (char *at = strchr(key, '.'); at; at = strchr(at + 1, '.'))
        if (strchr("bus", at[1]) && at[1] && at[2] >= '1' && at[2] <= '9' && at[1] != to) {
            at[1] = to;
            turned = true;
        }
    return turned;
}

/* The row of a key, of the key without its `#`, or of another sign. */
static const struct fw_lowering_row *find_row(char *key)
{
    const struct fw_lowering_row *row = find(key);
    char *literal = strchr(key, '#');
    if (!row && literal) {
        *literal = 0;
        row = find(key);
    }
    for (const char *class = "sub"; !row && *class; class ++)
        if (turn_sign(key, *class))
            row = find(key);
    return row;
}

static void append(struct fw_lowered *to, struct fw_arena *arena, const char *text)
{
    FW_VECTOR(struct fw_machine_count) counts = {0};
    while (*text) {
        bool guarded = *text == '@';
        text += guarded;
        size_t length = strcspn(text, "* ");
        struct fw_machine_count *count = FW_APPEND(arena, &counts);
        count->operation = (uint8_t)fw_machine_find(text, length);
        count->type = (uint8_t)fw_machine_type((enum fw_machine)count->operation);
        count->guarded = guarded;
        count->count = 1;
        text += length;
        if (*text == '*') {
            count->count = 0;
            for (text++; *text >= '0' && *text <= '9'; text++)
                count->count = (uint16_t)(count->count * 10 + (*text - '0'));
        }
        while (*text == ' ')
            text++;
    }
    to->at = counts.at;
    to->count = (uint16_t)counts.count;
}

unsigned fw_lowering_column(uint32_t capability)
{
    return capability >= 90 ? 2 : capability >= 80 ? 1 : 0;
}

void fw_lowering_list(struct fw_lowered *result, struct fw_arena *arena, const char *text)
{
    uint32_t absorbed = result->absorbed;
    *result = (struct fw_lowered){.known = true, .absorbed = absorbed};
    append(result, arena, text);
}

void fw_lowering_expand(struct fw_lowered *result, struct fw_arena *arena,
                        const struct fw_instruction *at, uint32_t capability)
{
    unsigned column = fw_lowering_column(capability);
    const char *plain = fw_lowering_plain(at, column);
    if (plain) {
        *result = (struct fw_lowered){.known = true, .absorbed = FW_NO_INDEX};
        append(result, arena, plain);
        return;
    }
    const struct fw_lowering_row *row = find_row(fw_lowering_key(arena, at));
    *result = (struct fw_lowered){.known = row != NULL, .absorbed = FW_NO_INDEX};
    if (!row) {
        append(result, arena, "?");
        return;
    }
    while (column < 2 && !row->columns[column])
        column++;
    append(result, arena, row->columns[column]);
    for (unsigned i = 0; i < result->count; i++) {
        struct fw_machine_count *count = &result->at[i];
        bool half = fw_machine_pipe((enum fw_machine)count->operation) == FW_PIPE_FP16;
        if (half && at->type_count)
            count->type = at->types[at->opcode == FW_OP_CVT ? 1 : 0];
    }
}
