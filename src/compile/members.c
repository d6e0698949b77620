/* Members of structures.  See members.h. */
#include "members.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_PARTS = 1024,
    MOST_DEPTH = 16,
    MOST_BYTES = 1 << 15,
    MOST_BOUNDS = 4,
    MOST_STEPS = 1 << 14,
    POINTER_BYTES = 8
};

struct layout {
    uint32_t bytes, alignment; /* bytes 0: the type is not known */
};

/* Where a type is defined. */
struct definition {
    const char *type;
    size_t head, open; /* `struct` and its brace; 0: there is no definition, or there are several */
    const char *alias; /* the type that it stands for; NULL: none */
};

struct reading {
    const struct source_tokens *tokens;
    struct fw_members *to;
    struct definitions {
        FW_VECTOR(struct definition) known;
        uint32_t
            steps; /* declarators so far: types in types are many, in text that no compiler saw */
    } * found;
    bool counts; /* sizes alone are asked */
};

static struct layout layout_of(struct reading *r, const char *type, const char *prefix,
                               uint32_t offset, unsigned depth);

/* ---- types that need no definition ---- */

/* Elements of vector types: float4 is four of float. */
static const struct {
    const char *name;
    uint32_t bytes;
} elements[] = {{"char", 1},     {"uchar", 1},     {"short", 2}, {"ushort", 2},
                {"int", 4},      {"uint", 4},      {"long", 8},  {"ulong", 8},
                {"longlong", 8}, {"ulonglong", 8}, {"float", 4}, {"double", 8}};

static const struct {
    const char *name;
    uint32_t bytes, count; /* of a part, and parts x, y, z */
    uint32_t alignment;
} types[] = {{"bool", 1, 1, 1},
             {"int8_t", 1, 1, 1},
             {"uint8_t", 1, 1, 1},
             {"int16_t", 2, 1, 2},
             {"uint16_t", 2, 1, 2},
             {"int32_t", 4, 1, 4},
             {"uint32_t", 4, 1, 4},
             {"int64_t", 8, 1, 8},
             {"uint64_t", 8, 1, 8},
             {"size_t", 8, 1, 8},
             {"ptrdiff_t", 8, 1, 8},
             {"intptr_t", 8, 1, 8},
             {"uintptr_t", 8, 1, 8},
             {"half", 2, 1, 2},
             {"__half", 2, 1, 2},
             {"__nv_bfloat16", 2, 1, 2},
             {"nv_bfloat16", 2, 1, 2},
             {"half2", 2, 2, 4},
             {"__half2", 2, 2, 4},
             {"__nv_bfloat162", 2, 2, 4},
             {"nv_bfloat162", 2, 2, 4},
             {"cudaTextureObject_t", 8, 1, 8},
             {"cudaSurfaceObject_t", 8, 1, 8},
             {"dim3", 4, 3, 4}};

static void add_part(struct reading *r, const char *name, uint32_t offset, uint32_t bytes)
{
    if (!r->counts && r->to->parts.count < MOST_PARTS + 1)
        *FW_APPEND(r->tokens->arena, &r->to->parts) = (struct fw_member){name, offset, bytes};
}

static void add_parts(struct reading *r, const char *prefix, uint32_t offset, uint32_t bytes,
                      uint32_t count)
{
    for (uint32_t c = 0; c < count; c++)
        add_part(
            r, count == 1 ? prefix : fw_arena_printf(r->tokens->arena, "%s.%c", prefix, "xyzw"[c]),
            offset + c * bytes, bytes);
}

/* A vector type of CUDA's or OpenCL's, of up to four elements. */
static struct layout vector_of(struct reading *r, const char *type, const char *prefix,
                               uint32_t offset)
{
    const size_t length = strlen(type), digit = length ? length - 1 : 0;
    if (type[digit] < '1' || type[digit] > '4')
        return (struct layout){0};
    const uint32_t count = (uint32_t)(type[digit] - '0');
    const bool opencl = r->tokens->opencl;
    for (size_t e = 0; e < sizeof(elements) / sizeof(elements[0]); e++) {
        const uint32_t bytes = elements[e].bytes, held = opencl && count == 3 ? 4 : count;
        if (strlen(elements[e].name) != digit || strncmp(elements[e].name, type, digit) != 0)
            continue;
        const uint32_t most = opencl ? 32 : 16, natural = held == 3 ? bytes : held * bytes;
        add_parts(r, prefix, offset, bytes, count);
        return (struct layout){held * bytes, natural < most ? natural : most};
    }
    return (struct layout){0};
}

static struct layout known_type(struct reading *r, const char *type, const char *prefix,
                                uint32_t offset)
{
    for (size_t t = 0; t < sizeof(elements) / sizeof(elements[0]); t++)
        if (strcmp(elements[t].name, type) == 0) {
            add_part(r, prefix, offset, elements[t].bytes);
            return (struct layout){elements[t].bytes, elements[t].bytes};
        }
    for (size_t t = 0; t < sizeof(types) / sizeof(types[0]); t++)
        if (strcmp(types[t].name, type) == 0) {
            add_parts(r, prefix, offset, types[t].bytes, types[t].count);
            return (struct layout){types[t].bytes * types[t].count, types[t].alignment};
        }
    return vector_of(r, type, prefix, offset);
}

/* ---- declarations ---- */

static bool is(const struct reading *r, size_t token, const char *word)
{
    return source_token_is(r->tokens, token, word);
}

/* The type at `*at`, which is moved behind it, as one name: "unsigned long long" is "longlong".
 * NULL: it has template arguments, or is none. */
static const char *read_type(const struct reading *r, size_t *at, size_t end)
{
    static const char *const idle[] = {"const",    "volatile", "struct",  "class",
                                       "typename", "signed",   "mutable", "int",
                                       "unsigned", "enum",     NULL};
    unsigned longs = 0;
    const char *name = NULL;
    bool whole = false; /* a word for an integer stood there */
    for (; *at < end; (*at)++) {
        if (r->tokens->tokens[*at].kind != TOKEN_NAME && !is(r, *at, ":"))
            break;
        if (is(r, *at, "long"))
            longs++;
        else if (is(r, *at, "int") || is(r, *at, "unsigned") || is(r, *at, "signed"))
            whole = true;
        else if (is(r, *at, ":") || is(r, *at + 1, ":"))
            continue; /* a scope */
        else if (source_token_is_any(r->tokens, *at, idle))
            continue;
        else if (name || longs || whole) {
            /* The declarator's name, but of "long double", "short int", "unsigned char". */
            if (name || (!is(r, *at, "short") && !is(r, *at, "char") && !is(r, *at, "double")))
                break;
            name = source_token_text(r->tokens, *at);
        } else {
            name = source_token_text(r->tokens, *at);
        }
    }
    if (is(r, *at, "<") || (longs && name))
        return NULL;
    return name ? name : longs == 1 ? "long" : longs ? "longlong" : whole ? "int" : NULL;
}

/* The token behind a member that takes no room: a function, a type, a friend. */
static size_t behind_member(const struct reading *r, size_t at, size_t end)
{
    while (at < end && !is(r, at, ";")) {
        if (is(r, at, "{")) {
            at = source_behind_bracket(r->tokens, at);
            return is(r, at, ";") ? at + 1 : at;
        }
        at = is(r, at, "(") || is(r, at, "[") ? source_behind_bracket(r->tokens, at) : at + 1;
    }
    return at + 1;
}

/* Whether the member that begins at the token is a function: brackets before its end, but those of
 * attributes. */
static bool is_function(const struct reading *r, size_t at, size_t end)
{
    static const char *const attributes[] = {"alignas",      "__align__",  "__attribute__",
                                             "__declspec__", "__declspec", NULL};
    while (at < end && !is(r, at, ";") && !is(r, at, "=") && !is(r, at, "{")) {
        if (is(r, at, "operator"))
            return true;
        if (is(r, at, "("))
            return !is(r, at + 1, "*"); /* of a pointer to one, nothing is known */
        at = source_token_is_any(r->tokens, at, attributes) && is(r, at + 1, "(")
                 ? source_behind_bracket(r->tokens, at + 1)
                 : at + 1;
    }
    return false;
}

static uint32_t rounded(uint32_t offset, uint32_t alignment)
{
    return (offset + alignment - 1) / alignment * alignment;
}

/* alignas(N), __align__(N) and __attribute__((aligned(N))) between the tokens; 1: none, 0: what
 * stands there is not read. */
static uint32_t stated_alignment(const struct reading *r, size_t begin, size_t end)
{
    uint32_t most = 1;
    for (size_t i = begin; i < end; i++) {
        if (is(r, i, "packed") || is(r, i, "__packed__"))
            return 0;
        if (!is(r, i, "alignas") && !is(r, i, "__align__") && !is(r, i, "aligned") &&
            !is(r, i, "__aligned__"))
            continue;
        if (r->tokens->tokens[i + 2 < end ? i + 2 : end].kind != TOKEN_NUMBER || !is(r, i + 3, ")"))
            return 0;
        const uint32_t stated =
            (uint32_t)strtoul(source_token_text(r->tokens, i + 2), NULL, 0) & 0xffff;
        most = stated > most ? stated : most;
    }
    return most & (most - 1) ? 0 : most;
}

/* A structure that is being laid out. */
struct structure {
    const char *prefix;
    uint32_t base; /* its offset in the argument */
    unsigned depth;
    struct layout all; /* so far */
};

/* The bounds of an array behind a name at `*at`, which is moved behind them; `*count` of them.  The
 * elements; 0: not read. */
static uint32_t read_bounds(const struct reading *r, size_t *at, uint32_t bounds[MOST_BOUNDS],
                            uint32_t *count)
{
    uint32_t elements_of = 1;
    for (*count = 0; is(r, *at, "["); *at += 3) {
        char *behind;
        if (r->tokens->tokens[*at + 1].kind != TOKEN_NUMBER || !is(r, *at + 2, "]") ||
            *count == MOST_BOUNDS)
            return 0;
        const unsigned long bound = strtoul(source_token_text(r->tokens, *at + 1), &behind, 0);
        if (*behind || bound == 0 || bound > MOST_BYTES / elements_of)
            return 0;
        bounds[(*count)++] = (uint32_t)bound;
        elements_of *= (uint32_t)bound;
    }
    return elements_of;
}

/* Adds `* name [N]...` of a type; `*at` is moved behind it.  False: it is not read. */
static bool add_declarator(struct reading *r, struct structure *to, size_t *at, const char *type)
{
    static const char *const words[] = {"*",          "&",        "const", "__restrict__",
                                        "__restrict", "restrict", NULL};
    struct fw_arena *arena = r->tokens->arena;
    uint32_t bounds[MOST_BOUNDS], bound_count;
    bool pointer = false;
    for (; source_token_is_any(r->tokens, *at, words); (*at)++)
        pointer |= is(r, *at, "*") || is(r, *at, "&");
    if (*at >= r->tokens->count || r->tokens->tokens[*at].kind != TOKEN_NAME ||
        r->found->steps++ > MOST_STEPS)
        return false;
    const char *name =
        fw_arena_printf(arena, "%s.%s", to->prefix, source_token_text(r->tokens, (*at)++));
    const uint32_t count = read_bounds(r, at, bounds, &bound_count);
    struct layout one = {POINTER_BYTES, POINTER_BYTES};
    if (!pointer) {
        struct reading sizes = {r->tokens, r->to, r->found, .counts = true};
        one = layout_of(&sizes, type, name, 0, to->depth + 1);
    }
    if (!one.bytes || !count || count > MOST_BYTES / one.bytes)
        return false;
    const uint32_t offset = rounded(to->all.bytes, one.alignment);
    for (uint32_t e = 0; e < count && !r->counts && r->to->parts.count <= MOST_PARTS; e++) {
        const uint32_t place = to->base + offset + e * one.bytes;
        const char *element = name;
        for (uint32_t b = 0, below = count, left = e; b < bound_count; b++) {
            below /= bounds[b];
            element = fw_arena_printf(arena, "%s[%u]", element, left / below);
            left %= below;
        }
        if (pointer)
            add_part(r, element, place, one.bytes);
        else
            layout_of(r, type, element, place, to->depth + 1);
    }
    to->all.bytes = offset + count * one.bytes;
    to->all.alignment = one.alignment > to->all.alignment ? one.alignment : to->all.alignment;
    return to->all.bytes <= MOST_BYTES;
}

/* Adds the variables of one declaration; the token behind it, 0: it is not read. */
static size_t add_declaration(struct reading *r, struct structure *to, size_t at, size_t end)
{
    const uint32_t stated = stated_alignment(r, at, behind_member(r, at, end));
    const char *type = read_type(r, &at, end);
    if (!type || stated != 1)
        return 0;
    for (;;) {
        if (!add_declarator(r, to, &at, type))
            return 0;
        if (is(r, at, "=") || is(r, at, "{")) /* what it begins as */
            while (at < end && !is(r, at, ";") && !is(r, at, ","))
                at = is(r, at, "{") || is(r, at, "(") ? source_behind_bracket(r->tokens, at)
                                                      : at + 1;
        if (is(r, at, ";"))
            return at + 1;
        if (!is(r, at, ","))
            return 0;
        at++;
    }
}

/* Adds all members between the tokens; false: one is not read. */
static bool add_members(struct reading *r, struct structure *to, size_t at, size_t end)
{
    static const char *const no_room[] = {"static", "using", "typedef", "friend", "~", NULL};
    static const char *const unread[] = {"virtual", "union", "template", NULL};
    static const char *const access[] = {"public", "private", "protected", NULL};
    while (at < end) {
        const size_t behind = behind_member(r, at, end);
        if (is(r, at, ";"))
            at++;
        else if (source_token_is_any(r->tokens, at, access) && is(r, at + 1, ":"))
            at += 2;
        else if (source_token_is_any(r->tokens, at, no_room))
            at = behind;
        else if (source_token_is_any(r->tokens, at, unread))
            return false;
        else if (is_function(r, at, end))
            at = behind;
        else if ((at = add_declaration(r, to, at, end)) == 0)
            return false;
    }
    return true;
}

/* The brace that opens the definition of a type, and its end; 0: there is none, or there are
 * several.  `*head` is the first token of the definition. */
static size_t find_definition(const struct reading *r, const char *type, size_t *head)
{
    size_t found = 0;
    for (size_t i = 0; i < r->tokens->count; i++) {
        if (!is(r, i, "struct") && !is(r, i, "class"))
            continue;
        size_t open = i + 1;
        while (open < r->tokens->count && !is(r, open, "{") && !is(r, open, ";") &&
               !is(r, open, ":") && !is(r, open, "<") && !is(r, open, "*") && !is(r, open, ")") &&
               !is(r, open, ",") && !is(r, open, "="))
            open = is(r, open, "(") ? source_behind_bracket(r->tokens, open) : open + 1;
        if (!is(r, open, "{"))
            continue;
        const size_t close = source_behind_bracket(r->tokens, open);
        const bool tagged = is(r, open - 1, type);
        const bool named = i > 0 && is(r, i - 1, "typedef") && is(r, close, type);
        if ((!tagged && !named) || !is(r, close - 1, "}"))
            continue;
        if (found)
            return 0;
        found = open;
        *head = i;
    }
    return found;
}

/* What `typedef X type;` or `using type = X;` says the type is; NULL: nothing. */
static const char *find_alias(const struct reading *r, const char *type)
{
    for (size_t i = 0; i + 3 < r->tokens->count; i++) {
        size_t at = i + 1;
        if (is(r, i, "using") && is(r, i + 1, type) && is(r, i + 2, "=")) {
            at = i + 3;
            const char *name = read_type(r, &at, r->tokens->count);
            return name && is(r, at, ";") ? name : NULL;
        }
        if (!is(r, i, "typedef"))
            continue;
        const char *name = read_type(r, &at, r->tokens->count);
        if (name && is(r, at, type) && is(r, at + 1, ";"))
            return name;
    }
    return NULL;
}

/* Finds it once. */
static struct definition define(struct reading *r, const char *type)
{
    for (size_t d = 0; d < r->found->known.count; d++)
        if (strcmp(r->found->known.at[d].type, type) == 0)
            return r->found->known.at[d];
    struct definition new = {.type = type};
    new.open = find_definition(r, type, &new.head);
    new.alias = new.open ? NULL : find_alias(r, type);
    *FW_APPEND(r->tokens->arena, &r->found->known) = new;
    return new;
}

/* Where a type's parts are, from `offset` on, and its size. */
static struct layout layout_of(struct reading *r, const char *type, const char *prefix,
                               uint32_t offset, unsigned depth)
{
    const struct layout unknown = {0}, known = known_type(r, type, prefix, offset);
    if (known.bytes || depth > MOST_DEPTH)
        return known;
    const struct definition at = define(r, type);
    if (!at.open)
        return at.alias ? layout_of(r, at.alias, prefix, offset, depth + 1) : unknown;
    struct structure to = {.prefix = prefix, .base = offset, .depth = depth, .all = {0, 1}};
    const size_t close = source_behind_bracket(r->tokens, at.open);
    const uint32_t stated = stated_alignment(r, at.head, at.open);
    size_t behind = close;
    while (behind < r->tokens->count && !is(r, behind, ";"))
        behind++;
    if (!stated || stated_alignment(r, close, behind) != 1 ||
        !add_members(r, &to, at.open + 1, close - 1) || to.all.bytes == 0)
        return unknown;
    if (stated > to.all.alignment)
        to.all.alignment = stated;
    to.all.bytes = rounded(to.all.bytes, to.all.alignment);
    return to.all;
}

bool fw_members_read(struct fw_members *members, const struct source_tokens *tokens,
                     const char *type)
{
    struct source_tokens own;
    struct definitions found = {0};
    struct reading r = {&own, members, &found, .counts = false};
    size_t at = 0;
    *members = (struct fw_members){0};
    source_tokens_read(&own, tokens->arena, type, strlen(type), tokens->opencl);
    const char *name = read_type(&r, &at, own.count);
    if (!name || at != own.count)
        return false;
    r.tokens = tokens;
    const struct layout all = layout_of(&r, name, "", 0, 0);
    members->bytes = all.bytes;
    const size_t count = members->parts.count;
    const bool is_structure =
        all.bytes && count > 0 && count <= MOST_PARTS && *members->parts.at[0].name;
    if (!is_structure)
        *members = (struct fw_members){0};
    return is_structure;
}
