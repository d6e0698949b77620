#include "ptx_mutator.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

struct mutant {
    struct fw_arena *arena;
    const struct ptx_corpus *corpus;
    struct fw_random *random;
    FW_VECTOR(const char *) lines;
};

/* A part of a line. */
struct span {
    size_t at, length;
};

enum { OPERANDS_MOST = 32, LINES_MOST = 20000 };

static const char *const constants[] = {
    "0",
    "1",
    "-1",
    "2",
    "3",
    "-2",
    "7",
    "16",
    "31",
    "32",
    "33",
    "63",
    "64",
    "65",
    "127",
    "-128",
    "255",
    "1000",
    "4095",
    "65535",
    "65536",
    "1000000007",
    "2147483647",
    "-2147483648",
    "2147483648",
    "4294967295",
    "4294967296",
    "-4294967296",
    "1099511627776",
    "4611686018427387904",
    "-4611686018427387904",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "18446744073709551615",
    "0x7fffffffffffffff",
    "0x8000000000000000U",
    "0f00000000",
    "0f3F800000",
    "0f7F800000",
    "0fFF800000",
    "0f7FC00000",
    "0f7F7FFFFF",
    "0f00000001",
    "0d7FF0000000000000",
    "0d7FEFFFFFFFFFFFFF",
    "0d0000000000000000",
};

static const char *const types[] = {
    "b8",  "b16", "b32", "b64", "u8",  "u16",   "u32",  "u64",  "s8",   "s16",
    "s32", "s64", "f16", "f32", "f64", "f16x2", "bf16", "pred", "b128",
};

static const char *const words[] = {
    "global", "shared",   "local",  "const",   "param", "lo",      "hi",      "wide",    "v2",
    "v4",     "eq",       "ne",     "lt",      "le",    "gt",      "ge",      "ltu",     "uni",
    "sync",   "full",     "rn",     "rz",      "ca",    "cg",      "add",     "sub",     "mul",
    "mad",    "div",      "rem",    "shl",     "shr",   "and",     "or",      "xor",     "min",
    "max",    "neg",      "abs",    "not",     "ld",    "st",      "mov",     "cvt",     "setp",
    "selp",   "bra",      "tid.x",  "tid.y",   "tid.z", "ctaid.x", "ctaid.y", "ctaid.z", "ntid.x",
    "ntid.y", "nctaid.x", "laneid", "clock64",
};

/* Instructions that end, wait, or lead nowhere. */
static const char *const strangers[] = {
    "\tret;",
    "\texit;",
    "\ttrap;",
    "\tbrkpt;",
    "\tbar.sync \t0;",
    "\tbar.warp.sync \t-1;",
    "\tmembar.gl;",
    "{",
    "}",
    "$L_mutant: bra $L_mutant;",
};

bool one_in(struct fw_random *random, int64_t times)
{
    return fw_random_between(random, 1, times) == 1;
}

const char *random_text(struct fw_random *random, const char *const *texts, size_t count)
{
    return texts[fw_random_between(random, 0, (int64_t)count - 1)];
}

static size_t below(struct mutant *mutant, size_t end)
{
    return end ? (size_t)fw_random_between(mutant->random, 0, (int64_t)end - 1) : 0;
}

static bool is_instruction(const char *line)
{
    line += strspn(line, " \t");
    return strchr(line, ';') && (isalpha((unsigned char)*line) || *line == '@');
}

static bool is_label(const char *line)
{
    size_t length = strcspn(line, ":");
    return (*line == '$' || *line == '_' || isalpha((unsigned char)*line)) && line[length] == ':' &&
           !strpbrk(line, " \t\";");
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

/* A line: most often an instruction, else any. */
static size_t some_line(struct mutant *mutant)
{
    size_t line = below(mutant, mutant->lines.count);
    if (one_in(mutant->random, 12))
        return line;
    for (unsigned i = 0; i < 64 && !is_instruction(mutant->lines.at[line]); i++)
        line = below(mutant, mutant->lines.count);
    return line;
}

static void insert(struct mutant *mutant, size_t at, const char *line)
{
    if (mutant->lines.count >= LINES_MOST)
        return;
    *FW_APPEND(mutant->arena, &mutant->lines) = line;
    memmove(mutant->lines.at + at + 1, mutant->lines.at + at,
            (mutant->lines.count - 1 - at) * sizeof(*mutant->lines.at));
    mutant->lines.at[at] = line;
}

static void remove_line(struct mutant *mutant, size_t at)
{
    mutant->lines.count--;
    memmove(mutant->lines.at + at, mutant->lines.at + at + 1,
            (mutant->lines.count - at) * sizeof(*mutant->lines.at));
}

/* The line with `text` in place of a part. */
static void replace(struct mutant *mutant, size_t line, struct span part, const char *text)
{
    const char *old = mutant->lines.at[line];
    mutant->lines.at[line] = fw_arena_printf(mutant->arena, "%.*s%s%s", (int)part.at, old, text,
                                             old + part.at + part.length);
}

static const char *part_text(struct mutant *mutant, size_t line, struct span part)
{
    return fw_arena_text(mutant->arena, mutant->lines.at[line] + part.at, part.length);
}

/* Operands of an instruction: parts between commas outside of brackets. */
static size_t find_operands(const char *line, struct span *operands)
{
    size_t at = strspn(line, " \t"), count = 0, depth = 0;
    if (line[at] == '@')
        at += strcspn(line + at, " \t;");
    at += strspn(line + at, " \t");
    at += strcspn(line + at, " \t;");
    at += strspn(line + at, " \t");
    for (size_t from = at; count < OPERANDS_MOST; at++) {
        char c = line[at];
        depth += c == '[' || c == '{' || c == '(';
        depth -= depth && (c == ']' || c == '}' || c == ')');
        if (c != '\0' && c != ';' && (c != ',' || depth))
            continue;
        if (at > from)
            operands[count++] = (struct span){from, at - from};
        if (c != ',')
            break;
        from = at + 1 + strspn(line + at + 1, " \t");
    }
    return count;
}

/* Parts of a line that `starts` opens and `goes_on` continues. */
static bool some_part(struct mutant *mutant, size_t line, struct span *part,
                      bool (*starts)(const char *line, size_t at), bool (*goes_on)(char c))
{
    const char *text = mutant->lines.at[line];
    size_t found = 0;
    for (size_t at = 0; text[at]; at++) {
        if (!starts(text, at) || (at && is_name(text[at - 1])))
            continue;
        size_t end = at + 1;
        while (goes_on(text[end]))
            end++;
        if (end > at + 1 || text[at] != '%')
            if (one_in(mutant->random, (int64_t)++found))
                *part = (struct span){at, end - at};
        at = end - 1;
    }
    return found > 0;
}

static bool starts_number(const char *line, size_t at)
{
    return isdigit((unsigned char)line[at]) ||
           (line[at] == '-' && isdigit((unsigned char)line[at + 1]));
}

static bool starts_register(const char *line, size_t at)
{
    return line[at] == '%';
}

static bool starts_word(const char *line, size_t at)
{
    return isalpha((unsigned char)line[at]);
}

static void change_constant(struct mutant *mutant, size_t line)
{
    struct span part = {0};
    if (some_part(mutant, line, &part, starts_number, is_name)) {
        replace(mutant, line, part, RANDOM_TEXT(mutant->random, constants));
        return;
    }
    struct span operands[OPERANDS_MOST];
    size_t count = find_operands(mutant->lines.at[line], operands);
    if (count > 1)
        replace(mutant, line, operands[1 + below(mutant, count - 1)],
                RANDOM_TEXT(mutant->random, constants));
}

/* A register in place of another, of the same letters most often. */
static void rename_register(struct mutant *mutant, size_t line)
{
    struct span part, from;
    size_t other = some_line(mutant);
    if (!some_part(mutant, line, &part, starts_register, is_name))
        return;
    const char *text = mutant->lines.at[line] + part.at;
    size_t letters = 1 + strcspn(text + 1, "0123456789");
    for (unsigned i = 0; i < 16; i++, other = some_line(mutant)) {
        if (!some_part(mutant, other, &from, starts_register, is_name))
            continue;
        const char *name = mutant->lines.at[other] + from.at;
        if ((strncmp(name, text, letters) == 0 && isdigit((unsigned char)name[letters])) ||
            one_in(mutant->random, 20)) {
            replace(mutant, line, part, part_text(mutant, other, from));
            return;
        }
    }
}

static void change_word(struct mutant *mutant, size_t line)
{
    struct span part = {0};
    bool type = !one_in(mutant->random, 3);
    if (some_part(mutant, line, &part, starts_word, is_name))
        replace(mutant, line, part,
                type ? RANDOM_TEXT(mutant->random, types) : RANDOM_TEXT(mutant->random, words));
}

static void change_operands(struct mutant *mutant, size_t line)
{
    struct span operands[OPERANDS_MOST];
    size_t count = find_operands(mutant->lines.at[line], operands);
    if (count < 2)
        return;
    size_t a = below(mutant, count), b = below(mutant, count);
    struct span first = operands[a < b ? a : b], second = operands[a < b ? b : a];
    const char *one = part_text(mutant, line, first), *two = part_text(mutant, line, second);
    switch (fw_random_between(mutant->random, 0, 3)) {
    case 0: /* doubled: one operand more */
        replace(mutant, line, second, fw_arena_printf(mutant->arena, "%s, %s", two, one));
        break;
    case 1: /* one twice */
        replace(mutant, line, second, one);
        break;
    default:
        replace(mutant, line, second, one);
        replace(mutant, line, first, two);
    }
}

static const char *some_label(struct mutant *mutant)
{
    size_t found = 0;
    const char *label = NULL;
    for (size_t i = 0; i < mutant->lines.count; i++)
        if (is_label(mutant->lines.at[i]) && one_in(mutant->random, (int64_t)++found))
            label = mutant->lines.at[i];
    return label ? fw_arena_text(mutant->arena, label, strcspn(label, ":")) : NULL;
}

static const char *some_predicate(struct mutant *mutant)
{
    return fw_arena_printf(mutant->arena, "@%s%%p%u", one_in(mutant->random, 2) ? "!" : "",
                           (unsigned)fw_random_between(mutant->random, 1, 4));
}

/* A branch leads elsewhere; where the line is none, one is put before it. */
static void retarget(struct mutant *mutant, size_t line)
{
    const char *label = some_label(mutant);
    const char *branch = NULL;
    if (!label)
        return;
    for (unsigned i = 0; i < 32 && !branch; i++, line = some_line(mutant))
        branch = strstr(mutant->lines.at[line], "bra");
    if (branch && !one_in(mutant->random, 4)) {
        struct span operands[OPERANDS_MOST];
        if (find_operands(mutant->lines.at[line], operands) == 1)
            replace(mutant, line, operands[0], label);
        return;
    }
    insert(mutant, line,
           fw_arena_printf(mutant->arena, "\t%s bra \t%s;",
                           one_in(mutant->random, 6) ? "" : some_predicate(mutant), label));
}

static void change_predicate(struct mutant *mutant, size_t line)
{
    const char *text = mutant->lines.at[line];
    size_t at = strspn(text, " \t");
    if (!is_instruction(text))
        return;
    if (text[at] != '@') {
        mutant->lines.at[line] =
            fw_arena_printf(mutant->arena, "\t%s %s", some_predicate(mutant), text + at);
        return;
    }
    size_t rest = at + strcspn(text + at, " \t");
    if (one_in(mutant->random, 2))
        mutant->lines.at[line] = fw_arena_printf(mutant->arena, "\t%s", text + rest);
    else if (text[at + 1] == '!')
        mutant->lines.at[line] = fw_arena_printf(mutant->arena, "\t@%s", text + at + 2);
    else
        mutant->lines.at[line] = fw_arena_printf(mutant->arena, "\t@!%s", text + at + 1);
}

/* Once mostly; tens of times at times, a thousand times rarely. */
static size_t how_often(struct mutant *mutant)
{
    if (!one_in(mutant->random, 4))
        return 1;
    return 1 + below(mutant, one_in(mutant->random, 8) ? 1000 : 30);
}

static void repeat_line(struct mutant *mutant, size_t line)
{
    const char *text = mutant->lines.at[line];
    for (size_t times = how_often(mutant); times > 0; times--)
        insert(mutant, line, text);
}

/* Several lines again, at another place; without their labels, which may stand once alone. */
static void repeat_lines(struct mutant *mutant, size_t line)
{
    size_t count = 1 + below(mutant, 12), at = some_line(mutant);
    const char *texts[12];
    for (size_t i = 0; i < count; i++)
        texts[i] = line + i < mutant->lines.count ? mutant->lines.at[line + i] : "";
    for (size_t i = 0; i < count; i++)
        if (!is_label(texts[i]))
            insert(mutant, at++, texts[i]);
}

static void move_line(struct mutant *mutant, size_t line)
{
    const char *text = mutant->lines.at[line];
    remove_line(mutant, line);
    insert(mutant, below(mutant, mutant->lines.count), text);
}

static void swap_lines(struct mutant *mutant, size_t line)
{
    size_t other = some_line(mutant);
    const char *text = mutant->lines.at[line];
    mutant->lines.at[line] = mutant->lines.at[other];
    mutant->lines.at[other] = text;
}

static void delete_lines(struct mutant *mutant, size_t line)
{
    for (size_t times = one_in(mutant->random, 4) ? 1 + below(mutant, 10) : 1;
         times > 0 && mutant->lines.count > 1; times--)
        remove_line(mutant, line < mutant->lines.count ? line : mutant->lines.count - 1);
}

/* An instruction of another text, or one that ends or waits. */
static void bring_line(struct mutant *mutant, size_t line)
{
    if (one_in(mutant->random, 2)) {
        insert(mutant, line, RANDOM_TEXT(mutant->random, strangers));
        return;
    }
    const char *text = mutant->corpus->texts.at[below(mutant, mutant->corpus->texts.count)];
    const char *from = text + below(mutant, strlen(text));
    from += strcspn(from, "\n");
    from += *from == '\n';
    insert(mutant, line, fw_arena_text(mutant->arena, from, strcspn(from, "\n")));
}

static void mutate(struct mutant *mutant)
{
    static void (*const changes[])(struct mutant *, size_t) = {
        change_constant, change_constant, change_constant,  rename_register,  rename_register,
        rename_register, change_word,     change_operands,  change_operands,  retarget,
        retarget,        retarget,        change_predicate, change_predicate, repeat_line,
        repeat_lines,    move_line,       swap_lines,       delete_lines,     bring_line,
    };
    size_t line = some_line(mutant);
    changes[below(mutant, sizeof(changes) / sizeof(*changes))](mutant, line);
}

static void split(struct mutant *mutant, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        *FW_APPEND(mutant->arena, &mutant->lines) = fw_arena_text(mutant->arena, text, length);
        text += length + (text[length] == '\n');
    }
}

static const char *join(struct mutant *mutant)
{
    size_t length = 0;
    for (size_t i = 0; i < mutant->lines.count; i++)
        length += strlen(mutant->lines.at[i]) + 1;
    char *text = fw_arena_alloc(mutant->arena, length + 1), *end = text;
    for (size_t i = 0; i < mutant->lines.count; i++) {
        size_t line = strlen(mutant->lines.at[i]);
        memcpy(end, mutant->lines.at[i], line);
        end += line;
        *end++ = '\n';
    }
    return text;
}

const char *ptx_mutant(struct fw_arena *arena, const struct ptx_corpus *corpus,
                       struct fw_random *random)
{
    struct mutant mutant = {.arena = arena, .corpus = corpus, .random = random};
    split(&mutant, corpus->texts.at[below(&mutant, corpus->texts.count)]);
    int64_t changes =
        one_in(random, 10) ? fw_random_between(random, 5, 25) : fw_random_between(random, 1, 4);
    for (int64_t i = 0; i < changes && mutant.lines.count > 0; i++)
        mutate(&mutant);
    return join(&mutant);
}
