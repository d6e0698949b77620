/* Lines of the kernel language. */
#include "knl_internal.h"

#include <ctype.h>
#include <string.h>

/* The rest of a directive, word by word: the token becomes the next run of non-blanks in the line,
 * `=`, `,` and `:` being words; empty at the line's end. */
void knl_word(struct knl *knl)
{
    const char *at = knl->at + strspn(knl->at, " \t\r");
    size_t length = strcspn(at, " \t\r\n#=,:[");
    if (length == 0 && *at && strchr("=,:[", *at))
        length = 1;
    knl->token = (struct token){.kind = TOKEN_NAME, .text = at, .length = length};
    knl->at = at + length;
}

const char *knl_word_text(struct knl *knl)
{
    return fw_loop_intern(knl->program, knl->token.text, knl->token.length);
}

/* The next word must be a name (not a mark, not the line's end). */
enum fw_status knl_name(const char **name, struct knl *knl)
{
    knl_word(knl);
    for (size_t i = 0; i < knl->token.length; i++)
        if (!isalnum((unsigned char)knl->token.text[i]) && knl->token.text[i] != '_')
            return knl_fault(knl, "KNL002", "a name is expected here");
    if (!knl->token.length || isdigit((unsigned char)*knl->token.text))
        return knl_fault(knl, "KNL002", "a name is expected here");
    *name = knl_word_text(knl);
    return knl_check_name(knl);
}

enum fw_status knl_line_end(struct knl *knl)
{
    knl_word(knl);
    return knl->token.length ? knl_fault(knl, "KNL002", "the line should end here") : FW_OK;
}

static enum fw_status read_domain(struct knl *knl)
{
    const char *start = knl->at + strspn(knl->at, " \t\r");
    const char *end = strchr(start, '}');
    knl->token = (struct token){.kind = TOKEN_MARK, .text = start, .length = 1};
    if (!end)
        return knl_fault(knl, "KNL002", "a domain '[n] -> {[i, j]: condition}' is expected here");
    size_t length = (size_t)(end + 1 - start);
    struct knl_filling filling;
    enum fw_status status = knl_fill(&filling, knl, start, length, true);
    if (status == FW_OK)
        status = fw_loop_add_domain(knl->program, filling.text, filling.span);
    knl_filled(&filling);
    if (status != FW_OK)
        return status;
    size_t last = knl->program->domains.count - 1;
    knl->program->domains.at[last].span = knl_span(knl, start, length);
    knl->at = end + 1;
    return knl_line_end(knl);
}

static enum fw_status read_assumption(struct knl *knl)
{
    const char *start = knl->at + strspn(knl->at, " \t\r");
    struct knl_filling filling;
    enum fw_status status = knl_fill(&filling, knl, start, strcspn(start, "\n#"), false);
    knl->at = start + strcspn(start, "\n#");
    if (status == FW_OK)
        status = fw_loop_assume(knl->program, filling.text, filling.span);
    knl_filled(&filling);
    return status;
}

static enum fw_status read_for(struct knl *knl)
{
    enum fw_status status;
    if (knl->frame_count == KNL_FRAMES_MOST)
        return knl_fault(knl, "KNL004", "blocks are nested too deeply");
    struct frame *frame = &knl->frames[knl->frame_count++];
    *frame = (struct frame){.kind = FRAME_FOR,
                            .span = knl_span(knl, knl->token.text, knl->token.length)};
    do {
        const char *name = NULL;
        status = knl_name(&name, knl);
        *FW_APPEND(knl->arena, &frame->names) = name;
        if (status == FW_OK)
            knl_word(knl);
    } while (status == FW_OK && knl->token.length == 1 && *knl->token.text == ',');
    if (status == FW_OK && knl->token.length)
        return knl_fault(knl, "KNL002", "the line should end here");
    return status;
}

/* Behind an expression or statement. */
static enum fw_status expect_line(struct knl *knl)
{
    if (knl->token.kind != TOKEN_LINE && knl->token.kind != TOKEN_END)
        return knl_fault(knl, "KNL002", "the line should end here");
    knl->at = knl->token.text;
    return FW_OK;
}

static enum fw_status read_if(struct knl *knl)
{
    struct fw_span span = knl_span(knl, knl->token.text, knl->token.length);
    if (knl->frame_count == KNL_FRAMES_MOST)
        return knl_fault(knl, "KNL004", "blocks are nested too deeply");
    struct fw_loop_expression *condition = NULL;
    enum fw_status status = knl_next(knl);
    if (status == FW_OK)
        status = knl_expression(&condition, knl);
    if (status == FW_OK)
        status = expect_line(knl);
    knl->frames[knl->frame_count++] =
        (struct frame){.kind = FRAME_IF, .condition = condition, .taken = condition, .span = span};
    return status;
}

/* "else", and "elif condition": what stands below happens where no part above is entered. */
static enum fw_status read_else(struct knl *knl, bool conditional)
{
    struct frame *frame = knl->frame_count ? &knl->frames[knl->frame_count - 1] : NULL;
    struct fw_loop_expression *pair[2] = {NULL, NULL};
    if (!frame || frame->kind != FRAME_IF)
        return knl_fault(knl, "KNL008", "'%s' without an 'if'", conditional ? "elif" : "else");
    pair[0] = fw_loop_operation(knl->program, FW_LOOP_NOT, NULL, &frame->taken, 1, frame->span);
    frame->condition = pair[0];
    if (!conditional) {
        frame->kind = FRAME_ELSE;
        return pair[0] ? knl_line_end(knl) : FW_ERROR_INPUT;
    }
    enum fw_status status = knl_next(knl);
    if (status == FW_OK)
        status = knl_expression(&pair[1], knl);
    if (status == FW_OK)
        status = expect_line(knl);
    if (status != FW_OK)
        return status;
    frame->condition = fw_loop_operation(knl->program, FW_LOOP_AND, NULL, pair, 2, pair[1]->span);
    pair[0] = frame->taken;
    frame->taken = fw_loop_operation(knl->program, FW_LOOP_OR, NULL, pair, 2, frame->span);
    return frame->condition && frame->taken ? FW_OK : FW_ERROR_INPUT;
}

static enum fw_status read_tag(struct knl *knl, struct fw_loop_tag *tag)
{
    knl_word(knl);
    if (!fw_loop_tag_read(tag, knl_word_text(knl)))
        return knl_fault(knl, "KNL007",
                         "'%s' is no tag: block.0 to block.2, thread.0 to thread.2, "
                         "unroll and sequential are",
                         knl_word_text(knl));
    return FW_OK;
}

/* "unordered" at the line's end, or nothing. */
static enum fw_status read_promise(struct knl *knl, bool *unordered)
{
    const char *before = knl->at;
    knl_word(knl);
    *unordered = strcmp(knl_word_text(knl), "unordered") == 0;
    if (!*unordered)
        knl->at = before;
    return knl_line_end(knl);
}

/* "tag i block.0 [unordered]" */
static enum fw_status read_tag_line(struct knl *knl)
{
    const char *name = NULL;
    struct fw_loop_tag tag;
    bool unordered = false;
    enum fw_status status = knl_name(&name, knl);
    struct fw_span span = knl_span(knl, knl->token.text, knl->token.length);
    if (status == FW_OK)
        status = read_tag(knl, &tag);
    if (status == FW_OK)
        status = read_promise(knl, &unordered);
    if (status == FW_OK)
        status = fw_loop_finish(knl->program);
    return status == FW_OK ? fw_loop_set_tag(knl->program, name, tag, unordered, span) : status;
}

/* "split i 16 [outer=TAG] [inner=TAG] [unordered]" */
static enum fw_status read_split(struct knl *knl)
{
    static const char *const parts[] = {"outer", "inner"};
    const char *name = NULL;
    int64_t factor = 0;
    struct fw_loop_tag tags[2] = {{FW_LOOP_SEQUENTIAL, 0}, {FW_LOOP_SEQUENTIAL, 0}};
    bool unordered = false;
    enum fw_status status = knl_name(&name, knl);
    struct fw_span span = knl_span(knl, knl->token.text, knl->token.length);
    if (status == FW_OK)
        status = knl_number(&factor, knl);
    for (unsigned i = 0; status == FW_OK && i < 2; i++) {
        const char *before = knl->at;
        knl_word(knl);
        if (strcmp(knl_word_text(knl), parts[i]) != 0) {
            knl->at = before;
            continue;
        }
        knl_word(knl);
        if (knl->token.length != 1 || *knl->token.text != '=')
            return knl_fault(knl, "KNL002", "'=' is expected here");
        status = read_tag(knl, &tags[i]);
    }
    if (status == FW_OK)
        status = read_promise(knl, &unordered);
    if (status == FW_OK)
        status = fw_loop_finish(knl->program);
    if (status == FW_OK)
        status = fw_loop_split(knl->program, name, factor, span);
    for (unsigned i = 0; status == FW_OK && i < 2; i++)
        if (tags[i].kind != FW_LOOP_SEQUENTIAL)
            status =
                fw_loop_set_tag(knl->program, fw_arena_printf(knl->arena, "%s_%s", name, parts[i]),
                                tags[i], unordered, span);
    return status;
}

static enum fw_status read_fix(struct knl *knl)
{
    const char *name = NULL;
    int64_t value = 0;
    enum fw_status status = knl_name(&name, knl);
    struct fw_span span = knl_span(knl, knl->token.text, knl->token.length);
    if (status == FW_OK)
        status = knl_number(&value, knl);
    if (status == FW_OK)
        status = knl_line_end(knl);
    if (status == FW_OK)
        status = fw_loop_finish(knl->program);
    return status == FW_OK ? fw_loop_fix(knl->program, name, value, span) : status;
}

/* ---- statements ---- */

static void take_list(const char ***at, uint32_t *count, const knl_names *names)
{
    *at = names->at;
    *count = (uint32_t)names->count;
}

/* A name, with "*" for any text in it. */
static enum fw_status read_pattern(struct knl *knl, const char **name)
{
    const char *begin = knl->token.text;
    size_t length = 0;
    while (isalnum((unsigned char)begin[length]) || begin[length] == '_' || begin[length] == '*')
        length++;
    if (!length || isdigit((unsigned char)*begin))
        return knl_fault(knl, "KNL002", "a name is expected here");
    *name = fw_loop_intern(knl->program, begin, length);
    knl->at = begin + length;
    return knl_next(knl);
}

static bool is_token(const struct token *token, const char *text)
{
    return token->length == strlen(text) && memcmp(token->text, text, token->length) == 0;
}

/* "{id=first, dep=a:b, tags=x, inames=i:j}", the token being the brace. */
enum fw_status knl_options(struct knl *knl, struct fw_loop_statement *statement)
{
    enum fw_status status;
    do {
        knl_names names = {0};
        status = knl_next(knl);
        struct token key = knl->token;
        if (status == FW_OK && key.kind != TOKEN_NAME)
            return knl_fault(knl, "KNL002", "an option's name is expected here");
        if (status == FW_OK)
            status = knl_next(knl);
        if (status == FW_OK && !knl_is(knl, "="))
            return knl_fault(knl, "KNL002", "'=' is expected here");
        do {
            if (status == FW_OK)
                status = knl_next(knl);
            const char *name = NULL;
            if (knl_is(knl, "}") && is_token(&key, "inames") && !names.count)
                break; /* in no loop */
            if (status == FW_OK)
                status = read_pattern(knl, &name);
            if (status == FW_OK)
                *FW_APPEND(knl->arena, &names) = name;
        } while (status == FW_OK && knl_is(knl, ":"));
        if (status != FW_OK)
            return status;
        const char *option = fw_loop_intern(knl->program, key.text, key.length);
        if (strcmp(option, "id") == 0 && names.count == 1) {
            statement->id = names.at[0];
        } else if (strcmp(option, "dep") == 0) {
            take_list(&statement->after, &statement->after_count, &names);
        } else if (strcmp(option, "tags") == 0) {
            take_list(&statement->tags, &statement->tag_count, &names);
        } else if (strcmp(option, "inames") == 0) {
            take_list(&statement->loops, &statement->loop_count, &names);
            statement->loops_given = true;
        } else {
            knl->token = key;
            return knl_fault(knl, "KNL009", "'%s' is no option: id, dep, tags, inames are", option);
        }
    } while (knl_is(knl, ","));
    return knl_expect(knl, "}");
}

/* "<>" or "<f32>" before the target: a temporary. */
static enum fw_status read_temporary(struct knl *knl, enum fw_type *type)
{
    enum fw_status status = knl_next(knl);
    if (status != FW_OK || knl_is(knl, ">"))
        return status == FW_OK ? knl_next(knl) : status;
    *type = knl->token.kind == TOKEN_NAME ? fw_knl_type(knl->token.text, knl->token.length)
                                          : FW_TYPE_NONE;
    if (!*type)
        return knl_fault(knl, "KNL006", "a type or '>' is expected here");
    status = knl_next(knl);
    return status == FW_OK ? knl_expect(knl, ">") : status;
}

static void take_frames(struct knl *knl, struct fw_loop_statement *statement)
{
    knl_names loops = {0};
    FW_VECTOR(struct fw_loop_expression *) conditions = {0};
    for (unsigned i = 0; i < knl->frame_count; i++) {
        const struct frame *frame = &knl->frames[i];
        for (size_t j = 0; j < frame->names.count; j++)
            *FW_APPEND(knl->arena, &loops) = frame->names.at[j];
        if (frame->kind != FRAME_FOR)
            *FW_APPEND(knl->arena, &conditions) = frame->condition;
    }
    take_list(&statement->loops, &statement->loop_count, &loops);
    statement->conditions = conditions.at;
    statement->condition_count = (uint32_t)conditions.count;
}

/* An element, a scalar, or a new temporary; ":" is allowed, for calls. */
static enum fw_status read_target(struct knl *knl, struct fw_loop_expression **target)
{
    enum fw_type type = FW_TYPE_NONE;
    bool temporary = knl_is(knl, "<");
    enum fw_status status = temporary ? read_temporary(knl, &type) : FW_OK;
    knl->slices = true;
    if (status == FW_OK)
        status = knl_access(target, knl);
    knl->slices = false;
    if (status == FW_OK && (*target)->kind != FW_LOOP_ACCESS && (*target)->kind != FW_LOOP_NAME)
        return knl_fault(knl, "KNL002", "only an array's element or a scalar can be assigned to");
    if (status == FW_OK && temporary) {
        struct fw_loop_array *array =
            fw_loop_add_array(knl->program, (*target)->name, (*target)->span);
        if (!array)
            return FW_ERROR_INPUT;
        array->temporary = true;
        array->type = type;
    }
    return status;
}

static bool has_slice(const struct fw_loop_expression *expression)
{
    if (fw_loop_is_slice(expression))
        return true;
    for (uint32_t i = 0; i < expression->operand_count; i++)
        if (has_slice(expression->operands[i]))
            return true;
    return false;
}

/* "y[:], z[:] = name(...)", from behind the targets. */
static enum fw_status read_call_line(struct knl *knl, const knl_expressions *targets,
                                     struct fw_span span)
{
    struct fw_loop_statement around = {0};
    take_frames(knl, &around);
    enum fw_status status = knl_call(knl, targets, &around, span);
    return status == FW_OK ? expect_line(knl) : status;
}

static enum fw_status read_statement(struct knl *knl)
{
    struct fw_loop_expression *target = NULL, *value = NULL;
    knl_expressions targets = {0};
    enum fw_status status = knl_next(knl);
    struct fw_span span = knl_span(knl, knl->token.text, knl->token.length);
    while (status == FW_OK) {
        status = read_target(knl, &target);
        *FW_APPEND(knl->arena, &targets) = target;
        if (status != FW_OK || !knl_is(knl, ","))
            break;
        status = knl_next(knl);
    }
    if (status == FW_OK)
        status = knl_expect(knl, "=");
    if (status == FW_OK && knl_is_call(knl))
        return read_call_line(knl, &targets, span);
    if (status == FW_OK && targets.count > 1)
        return knl_fault(knl, "KNL002", "several targets take the call of a function");
    if (status == FW_OK && has_slice(target))
        return knl_fault(knl, "KNL013", "':' is for calls of functions");
    if (status == FW_OK)
        status = knl_expression(&value, knl);
    if (status != FW_OK)
        return status;
    struct fw_loop_statement *statement = fw_loop_add_statement(knl->program, target, value, span);
    take_frames(knl, statement);
    if (knl_is(knl, "{"))
        status = knl_options(knl, statement);
    return status == FW_OK ? expect_line(knl) : status;
}

/* ---- lines ---- */

/* "kernel NAME": other kernels than the wanted one are passed over. */
static enum fw_status read_kernel_line(struct knl *knl)
{
    const char *name = NULL, *other = NULL;
    size_t length = 0;
    enum fw_status status = knl_name(&name, knl);
    if (status != FW_OK)
        return status;
    if (knl->frame_count || knl->caller)
        return knl_fault(knl, "KNL008", "a block above has no 'end'");
    const char *next = knl_kernel_line(knl->at, &other, &length);
    if (!knl->wanted && next)
        return knl_fault(knl, "KNL011", "there are several kernels here: name one");
    if (!knl->program->name && (!knl->wanted || strcmp(knl->wanted, name) == 0)) {
        knl->program->name = name;
        return knl_line_end(knl);
    }
    status = knl_line_end(knl);
    knl->at = next && !knl->program->name ? next : knl->source->text + knl->source->length;
    return status;
}

static enum fw_status read_word_line(struct knl *knl, const char *word, bool *known)
{
    *known = true;
    if (strcmp(word, "kernel") == 0)
        return read_kernel_line(knl);
    if (strcmp(word, "function") == 0)
        return knl_function_begin(knl);
    if (strcmp(word, "let") == 0)
        return knl_let(knl);
    if (strcmp(word, "domain") == 0)
        return read_domain(knl);
    if (strcmp(word, "assume") == 0)
        return knl->caller ? knl_fault(knl, "KNL008", "assumptions stand in kernels")
                           : read_assumption(knl);
    if (strcmp(word, "array") == 0 || strcmp(word, "temporary") == 0)
        return knl_arrays(knl, *word == 't');
    if (strcmp(word, "for") == 0)
        return read_for(knl);
    if (strcmp(word, "if") == 0)
        return read_if(knl);
    if (strcmp(word, "else") == 0 || strcmp(word, "elif") == 0)
        return read_else(knl, word[2] == 'i');
    if (strcmp(word, "end") == 0) {
        if (!knl->frame_count && knl->caller) {
            knl_function_end(knl);
            return knl_line_end(knl);
        }
        if (!knl->frame_count)
            return knl_fault(knl, "KNL008", "'end' without a 'for' or 'if'");
        knl->frame_count--;
        return knl_line_end(knl);
    }
    if (knl->caller) { /* functions are transformed where they are called */
        *known = false;
        return FW_OK;
    }
    if (strcmp(word, "split") == 0)
        return read_split(knl);
    if (strcmp(word, "tag") == 0)
        return read_tag_line(knl);
    if (strcmp(word, "fix") == 0)
        return read_fix(knl);
    return knl_transformation(knl, word, known);
}

static enum fw_status read_line(struct knl *knl)
{
    const char *start = knl->at;
    bool known = false;
    enum fw_status status = FW_OK;
    if (*start == '{' || *start == '[')
        return read_domain(knl);
    size_t length = 0;
    while (isalnum((unsigned char)start[length]) || start[length] == '_')
        length++;
    char next = start[length + strspn(start + length, " \t\r")];
    bool assigned = next && strchr("=$", next) && strncmp(start, "if", 2) != 0;
    if (knl_is_rule(start))
        return knl_rule_line(knl);
    if (length && !assigned && start[length] != '[') {
        knl->token = (struct token){.kind = TOKEN_NAME, .text = start, .length = length};
        knl->at = start + length;
        status = read_word_line(knl, knl_word_text(knl), &known);
    }
    if (known)
        return status;
    knl->at = start;
    return read_statement(knl);
}

static enum fw_status read_all(struct knl *knl)
{
    enum fw_status status = FW_OK;
    while (status == FW_OK) {
        knl->nesting = 0;
        knl->at += strspn(knl->at, " \t\r\n");
        if (*knl->at == '#')
            knl->at += strcspn(knl->at, "\n");
        else if (*knl->at == '\0')
            break;
        else
            status = read_line(knl);
    }
    if (status == FW_OK && knl->frame_count) {
        fw_report(knl->sink, FW_ERROR, "KNL008", knl->frames[knl->frame_count - 1].span,
                  "this block has no 'end'");
        return FW_ERROR_INPUT;
    }
    if (status == FW_OK && knl->caller) {
        fw_report(knl->sink, FW_ERROR, "KNL008", knl->functions.at[knl->functions.count - 1].span,
                  "this function has no 'end'");
        return FW_ERROR_INPUT;
    }
    if (status == FW_OK && knl->wanted && !knl->program->name) {
        fw_report(knl->sink, FW_ERROR, "KNL011", (struct fw_span){knl->source, 0, 0},
                  "there is no kernel '%s' here", knl->wanted);
        return FW_ERROR_INPUT;
    }
    return status == FW_OK ? fw_loop_finish(knl->program) : status;
}

static enum fw_status read_source(struct knl *knl, const struct fw_knl_options *options)
{
    enum fw_status status = knl_take_defines(knl, options);
    if (status == FW_OK)
        status = read_all(knl);
    return status == FW_OK ? knl_check_defines(knl) : status;
}

enum fw_status fw_knl_read_with(struct fw_loop_program **program, struct fw_arena *arena,
                                struct fw_poly *poly, const struct fw_source *source,
                                const struct fw_knl_options *options, const struct fw_sink *sink)
{
    struct fw_span nowhere = {source, 0, 0};
    *program = NULL;
    if (source->length > KNL_TEXT_MOST || memchr(source->text, '\0', source->length)) {
        fw_report(sink, FW_ERROR, "KNL010", nowhere, "this is no text, or more than a mebibyte");
        return FW_ERROR_INPUT;
    }
    jmp_buf exhausted;
    jmp_buf *before = fw_arena_on_exhausted(arena, &exhausted);
    enum fw_status status;
    if (setjmp(exhausted) == 0) {
        struct knl *knl = FW_NEW(arena, struct knl);
        knl->arena = arena;
        knl->source = source;
        knl->sink = sink;
        knl->program = fw_loop_new(arena, poly, sink);
        knl->at = source->text;
        knl->wanted = options->name;
        status = read_source(knl, options);
        if (status == FW_OK)
            *program = knl->program;
    } else {
        status = fw_arena_status(arena);
    }
    fw_arena_on_exhausted(arena, before);
    return status;
}

enum fw_status fw_knl_read(struct fw_loop_program **program, struct fw_arena *arena,
                           struct fw_poly *poly, const struct fw_source *source,
                           const struct fw_sink *sink)
{
    return fw_knl_read_kernel(program, arena, poly, source, NULL, sink);
}

enum fw_status fw_knl_read_kernel(struct fw_loop_program **program, struct fw_arena *arena,
                                  struct fw_poly *poly, const struct fw_source *source,
                                  const char *name, const struct fw_sink *sink)
{
    const struct fw_knl_options options = {.name = name};
    return fw_knl_read_with(program, arena, poly, source, &options, sink);
}
