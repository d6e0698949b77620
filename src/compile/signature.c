#include "signature.h"

#include <stdlib.h>
#include <string.h>

/* The tokens from begin to end but `left_out`, joined: spaces only between words. */
static const char *join(const struct source_tokens *reader, size_t begin, size_t end,
                        size_t left_out)
{
    struct fw_buffer buffer = fw_buffer_new(reader->arena);
    bool word_before = false;
    for (size_t i = begin; i < end; i++) {
        bool word = reader->tokens[i].kind != TOKEN_MARK;
        if (i == left_out)
            continue;
        bool star = source_token_is(reader, i, "*") || source_token_is(reader, i, "&");
        bool star_before = buffer.length && strchr("*&", buffer.text[buffer.length - 1]);
        if (buffer.length && ((word && (word_before || star_before)) || (star && word_before)))
            fw_buffer_add(&buffer, " ", 1);
        fw_buffer_add(&buffer, reader->text + reader->tokens[i].offset, reader->tokens[i].length);
        word_before = word;
    }
    return buffer.length ? buffer.text : "";
}

/* Words that belong to a type and are never a parameter's name. */
static const char *const type_words[] = {
    "const",       "volatile",     "restrict",   "__restrict__",
    "__restrict",  "unsigned",     "signed",     "int",
    "char",        "short",        "long",       "float",
    "double",      "half",         "bool",       "void",
    "struct",      "enum",         "union",      "typename",
    "__global",    "__local",      "__constant", "__private",
    "global",      "local",        "constant",   "private",
    "__read_only", "__write_only", "uint",       "uchar",
    "ushort",      "ulong",        "size_t",     "__grid_constant__",
    "register",    "__read_write", "auto",       NULL};

/* Those that are ordinary names in CUDA C++, and may name a parameter behind its type: unsigned
 * half. */
static const char *const soft_words[] = {"half", "global", "local",  "constant", "private",
                                         "uint", "uchar",  "ushort", "ulong",    NULL};

/* Those behind which a type has yet to come. */
static const char *const qualifier_words[] = {
    "const",     "volatile",     "restrict",     "__restrict__",      "__restrict", "struct",
    "enum",      "union",        "typename",     "__global",          "__local",    "__constant",
    "__private", "global",       "local",        "constant",          "private",    "__read_only",
    "register",  "__write_only", "__read_write", "__grid_constant__", NULL};

static const char *const restrict_words[] = {"restrict", "__restrict__", "__restrict", NULL};

/* The token that names a parameter: the last word outside of brackets that is no part of a type,
 * when another word stands before it; `end` when there is none. */
static size_t find_name(const struct source_tokens *reader, size_t begin, size_t end)
{
    size_t words = 0, last = end;
    bool typed = false; /* a type stands before the place */
    for (size_t i = begin; i < end;) {
        if (source_token_is(reader, i, "(") &&
            (source_token_is(reader, i + 1, "*") || source_token_is(reader, i + 1, "&"))) {
            /* (*name)(...) and (&name)[...] */
            size_t inner = i + 2;
            while (inner < end && source_token_is_any(reader, inner, type_words))
                inner++;
            return inner < end && reader->tokens[inner].kind == TOKEN_NAME ? inner : end;
        }
        if (source_token_is(reader, i, "(") || source_token_is(reader, i, "[") ||
            source_token_is(reader, i, "<")) {
            i = source_behind_bracket(reader, i);
            continue;
        }
        if (source_token_is(reader, i, "__attribute__") || source_token_is(reader, i, "alignas") ||
            source_token_is(reader, i, "__align__")) {
            i++;
            continue;
        }
        bool qualifier =
            reader->tokens[i].kind == TOKEN_NAME && source_token_is_any(reader, i, qualifier_words);
        if (reader->tokens[i].kind == TOKEN_NAME && source_token_is_any(reader, i, type_words)) {
            bool behind = i + 1 == end || source_token_is(reader, i + 1, "[");
            if (typed && behind && source_token_is_any(reader, i, soft_words))
                last = i;
            words++;
        } else if (reader->tokens[i].kind == TOKEN_NAME) {
            /* std::size_t: a word behind two colons goes with the type, unless another follows. */
            bool scoped = i >= begin + 2 && source_token_is(reader, i - 1, ":");
            last = words && !scoped ? i : end;
            words++;
        }
        typed |= reader->tokens[i].kind == TOKEN_NAME && !qualifier;
        i++;
    }
    return last;
}

static void read_parameter(const struct source_tokens *reader, struct fw_signature *kernel,
                           size_t begin, size_t end)
{
    size_t default_value = begin;
    while (default_value < end && !source_token_is(reader, default_value, "="))
        default_value = source_token_is(reader, default_value, "<") ||
                                source_token_is(reader, default_value, "(") ||
                                source_token_is(reader, default_value, "[")
                            ? source_behind_bracket(reader, default_value)
                            : default_value + 1;
    end = default_value < end ? default_value : end;
    if (begin >= end || (end == begin + 1 && source_token_is(reader, begin, "void")))
        return;
    struct fw_signature_parameter *parameter = FW_APPEND(reader->arena, &kernel->parameters);
    size_t name = find_name(reader, begin, end), star = end;
    parameter->name = name < end ? source_token_text(reader, name) : "";
    parameter->type = join(reader, begin, end, name);
    for (size_t i = begin; i < end;) {
        if (source_token_is(reader, i, "<")) {
            i = source_behind_bracket(reader, i);
            continue;
        }
        bool array = source_token_is(reader, i, "[") && i > name;
        if ((source_token_is(reader, i, "*") || array) && star == end)
            star = i;
        parameter->constant |= source_token_is(reader, i, "const") && star == end;
        parameter->restricted |= source_token_is_any(reader, i, restrict_words);
        i++;
    }
    parameter->pointer = star < end;
}

/* The parameters between the brackets at `open` and before `close`. */
static void read_parameters(const struct source_tokens *reader, struct fw_signature *kernel,
                            size_t open, size_t close)
{
    size_t begin = open + 1;
    for (size_t i = begin; i < close;) {
        if (source_token_is(reader, i, "(") || source_token_is(reader, i, "[") ||
            source_token_is(reader, i, "{") || source_token_is(reader, i, "<")) {
            size_t behind = source_behind_bracket(reader, i);
            i = behind <= close ? behind : i + 1;
        } else if (source_token_is(reader, i, ",")) {
            read_parameter(reader, kernel, begin, i);
            begin = ++i;
        } else {
            i++;
        }
    }
    read_parameter(reader, kernel, begin, close);
}

/* A size of a work group: an integer, or a product of some, between the tokens; 0: it is none, or
 * larger than a block can be. */
static uint32_t read_size(const struct source_tokens *reader, size_t begin, size_t end)
{
    enum { MOST_THREADS = 1024 };
    uint64_t size = 1;
    bool factor = true; /* follows, and not a '*' */
    for (size_t i = begin; i < end; i++) {
        if (source_token_is(reader, i, "(") || source_token_is(reader, i, ")"))
            continue;
        if (factor != (reader->tokens[i].kind == TOKEN_NUMBER) ||
            (!factor && !source_token_is(reader, i, "*")))
            return 0;
        if (factor) {
            char *behind;
            const uint64_t number = strtoull(source_token_text(reader, i), &behind, 0);
            if (behind[strspn(behind, "uUlL")] != '\0' || number > MOST_THREADS)
                return 0;
            size *= number;
        }
        if (size > MOST_THREADS)
            return 0;
        factor = !factor;
    }
    return factor ? 0 : (uint32_t)size;
}

/* Reads the work group's size where the token is OpenCL's attribute for it. */
static void read_block(const struct source_tokens *reader, struct fw_signature *kernel,
                       size_t token)
{
    if (!reader->opencl || !source_token_is(reader, token, "reqd_work_group_size") ||
        !source_token_is(reader, token + 1, "("))
        return;
    const size_t close = source_behind_bracket(reader, token + 1) - 1;
    uint32_t block[3] = {0};
    size_t count = 0;
    for (size_t begin = token + 2, i = begin; i <= close && count < 3; i++) {
        if (i < close && source_token_is(reader, i, "(")) {
            i = source_behind_bracket(reader, i) - 1;
        } else if (i == close || source_token_is(reader, i, ",")) {
            block[count++] = read_size(reader, begin, i);
            begin = i + 1;
        }
    }
    kernel->block_unread = count < 3 || !block[0] || !block[1] || !block[2];
    if (!kernel->block_unread)
        memcpy(kernel->block, block, sizeof(block));
}

/* Words in front of a kernel's name that take arguments in brackets. */
static const char *const attribute_words[] = {
    "__attribute__", "__launch_bounds__", "__cluster_dims__",     "__maxnreg__", "__declspec",
    "alignas",       "decltype",          "__block_size__",       "noexcept",    "asm",
    "__align__",     "requires",          "vec_type_hint",        "_Pragma",     "__pragma",
    "__noinline__",  "explicit",          "reqd_work_group_size", NULL};

/* Reads the kernel behind the marking word at `mark`, when one is there; gives the token to go on
 * from.  Attributes may stand in front of the mark, from the token `begin`. */
static size_t read_kernel(const struct source_tokens *reader, struct fw_signatures *signatures,
                          size_t begin, size_t mark, bool templated)
{
    size_t i = mark + 1;
    while (i < reader->count && !source_token_is(reader, i, ";") &&
           !source_token_is(reader, i, "{") && !source_token_is(reader, i, "}") &&
           !source_token_is(reader, i, "=")) {
        if (reader->tokens[i].kind == TOKEN_NAME &&
            source_token_is_any(reader, i, attribute_words) &&
            source_token_is(reader, i + 1, "(")) {
            i = source_behind_bracket(reader, i + 1);
        } else if (source_token_is(reader, i, "[") || source_token_is(reader, i, "<")) {
            i = source_behind_bracket(reader, i);
        } else if (source_token_is(reader, i, "(")) {
            size_t name = i - 1;
            if (source_token_is(reader, name, ">")) /* an explicit specialisation: name<...>( */
                while (name > mark && !source_token_is(reader, name + 1, "<"))
                    name--;
            size_t close = source_behind_bracket(reader, i);
            if (name <= mark || reader->tokens[name].kind != TOKEN_NAME ||
                !source_token_is(reader, close - 1, ")"))
                return mark + 1;
            struct fw_signature *kernel = FW_APPEND(reader->arena, &signatures->kernels);
            kernel->name = source_token_text(reader, name);
            kernel->offset = reader->tokens[name].offset;
            kernel->templated = templated;
            read_parameters(reader, kernel, i, close - 1);
            while (close < reader->count && !source_token_is(reader, close, "{") &&
                   !source_token_is(reader, close, ";"))
                close = source_token_is(reader, close, "(") ? source_behind_bracket(reader, close)
                                                            : close + 1;
            kernel->defined = source_token_is(reader, close, "{");
            for (size_t token = begin; token < close; token++)
                read_block(reader, kernel, token);
            return close;
        } else {
            i++;
        }
    }
    return mark + 1;
}

/* Whether something marks a kernel at `i`; `*mark` is its last token.  Preprocessed CUDA has the
 * attribute that __global__ stands for. */
static bool find_mark(const struct source_tokens *reader, size_t i, bool opencl, size_t *mark)
{
    static const char *const attribute[] = {"__attribute__", "(", "(", "global", ")", ")"};
    *mark = i;
    if (source_token_is(reader, i, "__global__") || source_token_is(reader, i, "__kernel") ||
        (opencl && source_token_is(reader, i, "kernel")))
        return true;
    for (size_t k = 0; k < 6; k++)
        if (!source_token_is(reader, i + k, attribute[k]))
            return false;
    *mark = i + 5;
    return true;
}

void fw_signatures_read(struct fw_signatures *signatures, struct fw_arena *arena, const char *text,
                        size_t length, bool opencl)
{
    struct source_tokens reader;
    bool templated = false;
    source_tokens_read(&reader, arena, text, length, opencl);
    *signatures = (struct fw_signatures){.embeds = reader.embeds};
    size_t begin = 0; /* of the declaration */
    for (size_t i = 0; i < reader.count;) {
        size_t mark;
        if (reader.tokens[i].kind == TOKEN_NAME && find_mark(&reader, i, opencl, &mark)) {
            i = read_kernel(&reader, signatures, begin, mark, templated);
            begin = i;
            templated = false;
        } else if (source_token_is(&reader, i, "template") &&
                   source_token_is(&reader, i + 1, "<")) {
            templated = true;
            i = source_behind_bracket(&reader, i + 1);
        } else {
            const bool ends = source_token_is(&reader, i, ";") || source_token_is(&reader, i, "}");
            templated &= !ends;
            i++;
            begin = ends ? i : begin;
        }
    }
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/* Whether a parameter may be a structure: no pointer, and of a type with a name of its own. */
static bool may_have_members(const struct fw_signature_parameter *parameter)
{
    static const char *const scalars[] = {
        "int",          "float",      "double",  "bool",     "char",         "short",
        "long",         "size_t",     "half",    "unsigned", "unsigned int", "uint",
        "int32_t",      "uint32_t",   "int64_t", "uint64_t", "const int",    "const float",
        "const double", "const uint", NULL};
    bool scalar = parameter->pointer || parameter->members.bytes;
    for (const char *const *word = scalars; *word && !scalar; word++)
        scalar = strcmp(parameter->type, *word) == 0;
    return !scalar;
}

void fw_signatures_find_members(struct fw_signatures *signatures, struct fw_arena *arena,
                                const char *text, size_t length, bool opencl)
{
    struct source_tokens tokens = {.count = 0};
    for (size_t k = 0; k < signatures->kernels.count; k++) {
        struct fw_signature *kernel = &signatures->kernels.at[k];
        for (size_t p = 0; p < kernel->parameters.count; p++) {
            struct fw_signature_parameter *parameter = &kernel->parameters.at[p];
            if (!may_have_members(parameter))
                continue;
            if (!tokens.tokens)
                source_tokens_read(&tokens, arena, text, length, opencl);
            fw_members_read(&parameter->members, &tokens, parameter->type);
        }
    }
}

/* The length-prefixed identifier at `*at`, which is moved behind it; NULL when there is none. */
static const char *mangled_word(const char **at, size_t *length)
{
    const char *digits = *at;
    size_t count = 0;
    while (is_digit(*digits) && count < 100000)
        count = count * 10 + (size_t)(*digits++ - '0');
    if (digits == *at || count == 0 || strlen(digits) < count)
        return NULL;
    *at = digits + count;
    *length = count;
    return digits;
}

const char *fw_signature_base(const char *entry, size_t *length)
{
    const char *at = entry, *found = NULL;
    *length = strlen(entry);
    if (strncmp(entry, "_Z", 2) != 0)
        return entry;
    at += 2;
    bool nested = *at == 'N';
    at += nested;
    while (nested && strchr("KVrRO", *at) && *at)
        at++;
    for (;;) {
        at += *at == 'L'; /* a name with internal linkage */
        size_t word_length;
        const char *word = mangled_word(&at, &word_length);
        if (!word && !found && strncmp(at, "St", 2) == 0) {
            at += 2;
            continue;
        }
        if (!word)
            break;
        found = word;
        *length = word_length;
        if (!nested)
            break;
        /* Template arguments of an enclosing class stand between its name and the next one: they
         * cannot be skipped without reading types, so the name before them is taken. */
    }
    return found ? found : entry;
}

static bool same_parameters(const struct fw_signature *a, const struct fw_signature *b)
{
    if (a->parameters.count != b->parameters.count)
        return false;
    for (size_t i = 0; i < a->parameters.count; i++)
        if (strcmp(a->parameters.at[i].name, b->parameters.at[i].name) != 0)
            return false;
    return true;
}

const struct fw_signature *fw_signature_find(const struct fw_signatures *signatures,
                                             const char *entry, size_t parameter_count)
{
    const struct fw_signature *best = NULL;
    bool ambiguous = false;
    size_t length;
    const char *base = fw_signature_base(entry, &length);
    for (size_t i = 0; i < signatures->kernels.count; i++) {
        const struct fw_signature *kernel = &signatures->kernels.at[i];
        if (strlen(kernel->name) != length || memcmp(kernel->name, base, length) != 0 ||
            (parameter_count != SIZE_MAX && kernel->parameters.count != parameter_count))
            continue;
        if (!best || (kernel->defined && !best->defined)) {
            best = kernel;
            ambiguous = false;
        } else if (kernel->defined == best->defined) {
            ambiguous |= !same_parameters(kernel, best);
        }
    }
    return ambiguous ? NULL : best;
}
