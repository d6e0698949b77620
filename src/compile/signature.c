#include "signature.h"

#include <stdlib.h>
#include <string.h>

enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_STRING, TOKEN_MARK };

struct token {
    enum token_kind kind;
    uint32_t offset;
    uint32_t length;
};

struct lexer {
    const char *text;
    size_t length;
    size_t at;
    bool embeds;
};

typedef FW_VECTOR(struct token) token_vector;

static bool is_name_byte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '_' || byte == '$' || (byte & 0x80);
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/* The byte `ahead` of the place, 0 past the end. */
static char peek(const struct lexer *lexer, size_t ahead)
{
    return lexer->at + ahead < lexer->length ? lexer->text[lexer->at + ahead] : '\0';
}

/* Bytes of a backslash and line end at the place: 0 when there is none. */
static size_t splice(const struct lexer *lexer)
{
    if (peek(lexer, 0) != '\\')
        return 0;
    return peek(lexer, 1) == '\n' ? 2 : peek(lexer, 1) == '\r' && peek(lexer, 2) == '\n' ? 3 : 0;
}

static void skip_comment(struct lexer *lexer)
{
    bool block = peek(lexer, 1) == '*';
    lexer->at += 2;
    while (lexer->at < lexer->length) {
        size_t joined = splice(lexer);
        if (joined && !block) {
            lexer->at += joined;
        } else if (block && peek(lexer, 0) == '*' && peek(lexer, 1) == '/') {
            lexer->at += 2;
            return;
        } else if (!block && peek(lexer, 0) == '\n') {
            return;
        } else {
            lexer->at++;
        }
    }
}

static bool at_comment(const struct lexer *lexer)
{
    return peek(lexer, 0) == '/' && (peek(lexer, 1) == '/' || peek(lexer, 1) == '*');
}

static void skip_quoted(struct lexer *lexer)
{
    char quote = lexer->text[lexer->at++];
    while (lexer->at < lexer->length && lexer->text[lexer->at] != quote) {
        if (lexer->text[lexer->at] == '\n')
            return; /* not closed: a stray apostrophe must not swallow the file */
        lexer->at += lexer->text[lexer->at] == '\\' ? 2 : 1;
    }
    lexer->at++;
}

/* At the quote of R"delimiter( ... )delimiter". */
static void skip_raw(struct lexer *lexer)
{
    size_t start = ++lexer->at;
    while (lexer->at < lexer->length && lexer->text[lexer->at] != '(')
        lexer->at++;
    size_t length = lexer->at - start;
    const char *delimiter = lexer->text + start;
    for (; lexer->at < lexer->length; lexer->at++) {
        if (lexer->text[lexer->at] == ')' && lexer->length - lexer->at >= length + 2 &&
            memcmp(lexer->text + lexer->at + 1, delimiter, length) == 0 &&
            lexer->text[lexer->at + 1 + length] == '"') {
            lexer->at += length + 2;
            return;
        }
    }
}

/* Skips the rest of a directive's line, splices and comments included, behind its '#'. */
static void skip_directive(struct lexer *lexer)
{
    char word[8] = "";
    size_t length = 0;
    bool first = true;
    while (lexer->at < lexer->length && peek(lexer, 0) != '\n') {
        size_t joined = splice(lexer);
        if (joined) {
            lexer->at += joined;
        } else if (at_comment(lexer)) {
            skip_comment(lexer);
        } else if (peek(lexer, 0) == '"') {
            first = false;
            skip_quoted(lexer);
        } else {
            char byte = lexer->text[lexer->at++];
            if (first && is_name_byte(byte) && length + 1 < sizeof(word))
                word[length++] = byte;
            else if (length || (byte != ' ' && byte != '\t'))
                first = false;
        }
    }
    lexer->embeds |= strcmp(word, "embed") == 0;
}

/* Whether the place begins with '#', or another spelling of it; `*length` its bytes. */
static bool at_hash(const struct lexer *lexer, size_t *length)
{
    *length = peek(lexer, 0) == '#'                                                     ? 1
              : peek(lexer, 0) == '%' && peek(lexer, 1) == ':'                          ? 2
              : peek(lexer, 0) == '?' && peek(lexer, 1) == '?' && peek(lexer, 2) == '=' ? 3
                                                                                        : 0;
    return *length != 0;
}

static struct token next_token(struct lexer *lexer, bool *line_start)
{
    for (;;) {
        size_t length = splice(lexer);
        char byte = peek(lexer, 0);
        if (lexer->at >= lexer->length)
            return (struct token){TOKEN_END, (uint32_t)lexer->length, 0};
        if (length) {
            lexer->at += length;
        } else if (byte == '\n') {
            *line_start = true;
            lexer->at++;
        } else if (byte == ' ' || byte == '\t' || byte == '\r' || byte == '\f' || byte == '\v' ||
                   byte == '\0') {
            lexer->at++;
        } else if (at_comment(lexer)) {
            skip_comment(lexer);
        } else if (*line_start && at_hash(lexer, &length)) {
            lexer->at += length;
            skip_directive(lexer);
        } else {
            break;
        }
    }
    *line_start = false;
    struct token token = {TOKEN_MARK, (uint32_t)lexer->at, 1};
    char byte = peek(lexer, 0);
    if (byte == '"' || byte == '\'') {
        token.kind = TOKEN_STRING;
        skip_quoted(lexer);
    } else if (is_name_byte(byte)) {
        token.kind = is_digit(byte) ? TOKEN_NUMBER : TOKEN_NAME;
        /* 1'000 has apostrophes inside a number. */
        while (
            is_name_byte(peek(lexer, 0)) ||
            (token.kind == TOKEN_NUMBER &&
             (peek(lexer, 0) == '.' || (peek(lexer, 0) == '\'' && is_name_byte(peek(lexer, 1))))))
            lexer->at++;
        if (peek(lexer, 0) == '"' && lexer->text[lexer->at - 1] == 'R') {
            token.kind = TOKEN_STRING;
            skip_raw(lexer);
        }
    } else {
        lexer->at++;
    }
    if (lexer->at > lexer->length)
        lexer->at = lexer->length;
    token.length = (uint32_t)(lexer->at - token.offset);
    return token;
}

struct reader {
    struct fw_arena *arena;
    const char *text;
    const struct token *tokens;
    size_t count; /* the token behind the last is TOKEN_END */
    bool opencl;
};

static bool is(const struct reader *reader, size_t token, const char *word)
{
    const struct token *at = &reader->tokens[token < reader->count ? token : reader->count];
    size_t length = strlen(word);
    return at->length == length && memcmp(reader->text + at->offset, word, length) == 0;
}

static bool is_any(const struct reader *reader, size_t token, const char *const *words)
{
    for (; *words; words++)
        if (is(reader, token, *words))
            return true;
    return false;
}

/* The token behind the bracket that closes the one at `open`; brackets of all kinds nest.  Angle
 * brackets count only when the first is one. */
static size_t behind_bracket(const struct reader *reader, size_t open)
{
    bool angles = is(reader, open, "<");
    size_t depth = 0, i = open;
    for (; i < reader->count; i++) {
        if (is(reader, i, "(") || is(reader, i, "[") || is(reader, i, "{") ||
            (angles && is(reader, i, "<")))
            depth++;
        else if (is(reader, i, ")") || is(reader, i, "]") || is(reader, i, "}") ||
                 (angles && is(reader, i, ">")))
            depth--;
        if (depth == 0)
            return i + 1;
        if (angles && is(reader, i, ";"))
            return i;
    }
    return i;
}

static const char *token_text(const struct reader *reader, size_t token)
{
    const struct token *at = &reader->tokens[token];
    return fw_arena_text(reader->arena, reader->text + at->offset, at->length);
}

/* The tokens from begin to end but `left_out`, joined: spaces only between words. */
static const char *join(const struct reader *reader, size_t begin, size_t end, size_t left_out)
{
    struct fw_buffer buffer = fw_buffer_new(reader->arena);
    bool word_before = false;
    for (size_t i = begin; i < end; i++) {
        bool word = reader->tokens[i].kind != TOKEN_MARK;
        if (i == left_out)
            continue;
        bool star = is(reader, i, "*") || is(reader, i, "&");
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

static const char *const restrict_words[] = {"restrict", "__restrict__", "__restrict", NULL};

/* The token that names a parameter: the last word outside of brackets that is no part of a type,
 * when another word stands before it; `end` when there is none. */
static size_t find_name(const struct reader *reader, size_t begin, size_t end)
{
    size_t words = 0, last = end;
    for (size_t i = begin; i < end;) {
        if (is(reader, i, "(") && (is(reader, i + 1, "*") || is(reader, i + 1, "&"))) {
            /* (*name)(...) and (&name)[...] */
            size_t inner = i + 2;
            while (inner < end && is_any(reader, inner, type_words))
                inner++;
            return inner < end && reader->tokens[inner].kind == TOKEN_NAME ? inner : end;
        }
        if (is(reader, i, "(") || is(reader, i, "[") || is(reader, i, "<")) {
            i = behind_bracket(reader, i);
            continue;
        }
        if (is(reader, i, "__attribute__") || is(reader, i, "alignas") ||
            is(reader, i, "__align__")) {
            i++;
            continue;
        }
        if (reader->tokens[i].kind == TOKEN_NAME && is_any(reader, i, type_words)) {
            words++;
        } else if (reader->tokens[i].kind == TOKEN_NAME) {
            /* std::size_t: a word behind two colons goes with the type, unless another follows. */
            bool scoped = i >= begin + 2 && is(reader, i - 1, ":");
            last = words && !scoped ? i : end;
            words++;
        }
        i++;
    }
    return last;
}

static void read_parameter(const struct reader *reader, struct fw_signature *kernel, size_t begin,
                           size_t end)
{
    size_t default_value = begin;
    while (default_value < end && !is(reader, default_value, "="))
        default_value = is(reader, default_value, "<") || is(reader, default_value, "(") ||
                                is(reader, default_value, "[")
                            ? behind_bracket(reader, default_value)
                            : default_value + 1;
    end = default_value < end ? default_value : end;
    if (begin >= end || (end == begin + 1 && is(reader, begin, "void")))
        return;
    struct fw_signature_parameter *parameter = FW_APPEND(reader->arena, &kernel->parameters);
    size_t name = find_name(reader, begin, end), star = end;
    parameter->name = name < end ? token_text(reader, name) : "";
    parameter->type = join(reader, begin, end, name);
    for (size_t i = begin; i < end;) {
        if (is(reader, i, "<")) {
            i = behind_bracket(reader, i);
            continue;
        }
        bool array = is(reader, i, "[") && i > name;
        if ((is(reader, i, "*") || array) && star == end)
            star = i;
        parameter->constant |= is(reader, i, "const") && star == end;
        parameter->restricted |= is_any(reader, i, restrict_words);
        i++;
    }
    parameter->pointer = star < end;
}

/* The parameters between the brackets at `open` and before `close`. */
static void read_parameters(const struct reader *reader, struct fw_signature *kernel, size_t open,
                            size_t close)
{
    size_t begin = open + 1;
    for (size_t i = begin; i < close;) {
        if (is(reader, i, "(") || is(reader, i, "[") || is(reader, i, "{") || is(reader, i, "<")) {
            size_t behind = behind_bracket(reader, i);
            i = behind <= close ? behind : i + 1;
        } else if (is(reader, i, ",")) {
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
static uint32_t read_size(const struct reader *reader, size_t begin, size_t end)
{
    enum { MOST_THREADS = 1024 };
    uint64_t size = 1;
    bool factor = true; /* follows, and not a '*' */
    for (size_t i = begin; i < end; i++) {
        if (is(reader, i, "(") || is(reader, i, ")"))
            continue;
        if (factor != (reader->tokens[i].kind == TOKEN_NUMBER) || (!factor && !is(reader, i, "*")))
            return 0;
        if (factor) {
            char *behind;
            const uint64_t number = strtoull(token_text(reader, i), &behind, 0);
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
static void read_block(const struct reader *reader, struct fw_signature *kernel, size_t token)
{
    if (!reader->opencl || !is(reader, token, "reqd_work_group_size") ||
        !is(reader, token + 1, "("))
        return;
    const size_t close = behind_bracket(reader, token + 1) - 1;
    uint32_t block[3] = {0};
    size_t count = 0;
    for (size_t begin = token + 2, i = begin; i <= close && count < 3; i++) {
        if (i < close && is(reader, i, "(")) {
            i = behind_bracket(reader, i) - 1;
        } else if (i == close || is(reader, i, ",")) {
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
static size_t read_kernel(const struct reader *reader, struct fw_signatures *signatures,
                          size_t begin, size_t mark, bool templated)
{
    size_t i = mark + 1;
    while (i < reader->count && !is(reader, i, ";") && !is(reader, i, "{") && !is(reader, i, "}") &&
           !is(reader, i, "=")) {
        if (reader->tokens[i].kind == TOKEN_NAME && is_any(reader, i, attribute_words) &&
            is(reader, i + 1, "(")) {
            i = behind_bracket(reader, i + 1);
        } else if (is(reader, i, "[") || is(reader, i, "<")) {
            i = behind_bracket(reader, i);
        } else if (is(reader, i, "(")) {
            size_t name = i - 1;
            if (is(reader, name, ">")) /* an explicit specialisation: name<...>( */
                while (name > mark && !is(reader, name + 1, "<"))
                    name--;
            size_t close = behind_bracket(reader, i);
            if (name <= mark || reader->tokens[name].kind != TOKEN_NAME ||
                !is(reader, close - 1, ")"))
                return mark + 1;
            struct fw_signature *kernel = FW_APPEND(reader->arena, &signatures->kernels);
            kernel->name = token_text(reader, name);
            kernel->offset = reader->tokens[name].offset;
            kernel->templated = templated;
            read_parameters(reader, kernel, i, close - 1);
            while (close < reader->count && !is(reader, close, "{") && !is(reader, close, ";"))
                close = is(reader, close, "(") ? behind_bracket(reader, close) : close + 1;
            kernel->defined = is(reader, close, "{");
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
static bool find_mark(const struct reader *reader, size_t i, bool opencl, size_t *mark)
{
    static const char *const attribute[] = {"__attribute__", "(", "(", "global", ")", ")"};
    *mark = i;
    if (is(reader, i, "__global__") || is(reader, i, "__kernel") ||
        (opencl && is(reader, i, "kernel")))
        return true;
    for (size_t k = 0; k < 6; k++)
        if (!is(reader, i + k, attribute[k]))
            return false;
    *mark = i + 5;
    return true;
}

void fw_signatures_read(struct fw_signatures *signatures, struct fw_arena *arena, const char *text,
                        size_t length, bool opencl)
{
    struct lexer lexer = {text, length < UINT32_MAX ? length : UINT32_MAX - 1, 0, false};
    token_vector tokens = {0};
    bool line_start = true, templated = false;
    *signatures = (struct fw_signatures){0};
    for (;;) {
        struct token token = next_token(&lexer, &line_start);
        *FW_APPEND(arena, &tokens) = token;
        if (token.kind == TOKEN_END)
            break;
    }
    signatures->embeds = lexer.embeds;
    struct reader reader = {arena, text, tokens.at, tokens.count - 1, opencl};
    size_t begin = 0; /* of the declaration */
    for (size_t i = 0; i < reader.count;) {
        size_t mark;
        if (reader.tokens[i].kind == TOKEN_NAME && find_mark(&reader, i, opencl, &mark)) {
            i = read_kernel(&reader, signatures, begin, mark, templated);
            begin = i;
            templated = false;
        } else if (is(&reader, i, "template") && is(&reader, i + 1, "<")) {
            templated = true;
            i = behind_bracket(&reader, i + 1);
        } else {
            const bool ends = is(&reader, i, ";") || is(&reader, i, "}");
            templated &= !ends;
            i++;
            begin = ends ? i : begin;
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
