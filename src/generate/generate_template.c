/* Templates: the kernel language with values in it.
 *
 * "{{EXPRESSION}}" stands for a value.  Lines that begin with "%" say which lines there are:
 * %if CONDITION, %elif CONDITION, %else, %end, and %for NAME = FIRST to LAST ... %end, whose lines
 * are there once for each value. */
#include "generate_internal.h"

#include <ctype.h>
#include <string.h>

enum { FRAMES_MOST = 16, LINES_MOST = 20000 };

struct frame {
    bool loop, active, done; /* of an if: a part was taken */
    bool had_else;
    const char *body; /* of a loop: behind its line */
    double last;
    struct fw_span span;
};

struct expanding {
    struct generate_expansion *expansion;
    struct fw_arena *arena;
    struct generate_names names;
    struct fw_buffer text;
    struct frame frames[FRAMES_MOST];
    unsigned depth;
    unsigned work; /* lines that were looked at */
};

static enum fw_status refuse(const struct expanding *work, struct fw_span span, const char *why)
{
    fw_report(work->names.sink, FW_ERROR, "GEN001", span, "%s", why);
    return FW_ERROR_INPUT;
}

static bool is_active(const struct expanding *work)
{
    return work->depth == 0 || work->frames[work->depth - 1].active;
}

static const struct fw_generate_value *find(const struct generate_names *names, const char *name)
{
    const struct fw_generate_variant *variant = names->user;
    const struct fw_generator *generator = variant->generator;
    for (size_t a = 0; a < generator->arguments.count; a++)
        if (strcmp(generator->arguments.at[a].name, name) == 0)
            return names->sizes_refused && generator->arguments.at[a].is_size ? NULL
                                                                              : &variant->values[a];
    for (size_t l = 0; l < generator->lets.count; l++)
        if (strcmp(generator->lets.at[l].name, name) == 0)
            return names->sizes_refused && generator->lets.at[l].of_sizes
                       ? NULL
                       : &variant->values[generator->arguments.count + l];
    return NULL;
}

struct generate_names generate_names_of(struct fw_arena *arena,
                                        const struct fw_generate_variant *variant,
                                        const struct fw_sink *sink)
{
    return (struct generate_names){.arena = arena, .sink = sink, .find = find, .user = variant};
}

/* ---- lines ---- */

static enum fw_status add_line(struct expanding *work, const char *begin, const char *end,
                               uint32_t line)
{
    const struct fw_source *template = work->expansion->template;
    for (const char *at = begin; at < end;) {
        const char *open = at;
        while (open < end && !(open + 1 < end && open[0] == '{' && open[1] == '{'))
            open++;
        fw_buffer_add(&work->text, at, (size_t)(open - at));
        if (open == end)
            break;
        const char *close = open + 2;
        while (close < end && !(close + 1 < end && close[0] == '}' && close[1] == '}'))
            close++;
        if (close == end)
            return refuse(work, generate_trimmed(template, open, open + 2),
                          "'}}' is missing in this line");
        struct fw_generate_value value;
        enum fw_status status =
            generate_evaluate(&value, &work->names, generate_trimmed(template, open + 2, close));
        if (status)
            return status;
        fw_buffer_printf(&work->text, "%s", value.text);
        at = close + 2;
    }
    fw_buffer_add(&work->text, "\n", 1);
    *FW_APPEND(work->arena, &work->expansion->lines) = line;
    return work->text.length <= GENERATE_TEXT_MOST
               ? FW_OK
               : refuse(work, fw_span_at(template, line, 1),
                        "the template becomes more than a mebibyte");
}

static enum fw_status push(struct expanding *work, const struct frame *frame)
{
    if (work->depth == FRAMES_MOST)
        return refuse(work, frame->span, "lines are nested too deeply");
    work->frames[work->depth++] = *frame;
    return FW_OK;
}

static enum fw_status begin_if(struct expanding *work, struct fw_span rest)
{
    struct frame frame = {.span = rest, .done = !is_active(work)};
    enum fw_status status = frame.done ? FW_OK : generate_holds(&frame.active, &work->names, rest);
    frame.done = frame.done || frame.active;
    return status ? status : push(work, &frame);
}

static enum fw_status next_part(struct expanding *work, struct fw_span rest, bool last)
{
    struct frame *frame = work->depth ? &work->frames[work->depth - 1] : NULL;
    if (!frame || frame->loop || frame->had_else)
        return refuse(work, rest, "there is no %if above that this could belong to");
    frame->had_else = last;
    frame->active = false;
    enum fw_status status = FW_OK;
    if (!frame->done && last)
        frame->active = true;
    else if (!frame->done)
        status = generate_holds(&frame->active, &work->names, rest);
    frame->done = frame->done || frame->active;
    return status;
}

/* The part of a span before a word between blanks, and what is behind it. */
static bool cut(const struct fw_source *source, struct fw_span span, const char *word,
                struct fw_span *part, struct fw_span *rest)
{
    const char *text = source->text + span.offset, *end = text + span.length;
    size_t length = strlen(word);
    for (const char *at = text; (size_t)(end - at) > length; at++)
        if (memcmp(at, word, length) == 0) {
            *part = generate_trimmed(source, text, at);
            *rest = generate_trimmed(source, at + length, end);
            return part->length && rest->length;
        }
    return false;
}

/* "NAME = FIRST to LAST" */
static enum fw_status begin_for(struct expanding *work, struct fw_span rest, const char *behind)
{
    const struct fw_source *template = work->expansion->template;
    struct frame frame = {.loop = true, .span = rest, .body = behind};
    struct fw_span name, bounds, first, last;
    struct fw_generate_value low, high;
    if (!is_active(work))
        return push(work, &frame);
    if (!cut(template, rest, "=", &name, &bounds) ||
        !cut(template, bounds, " to ", &first, &last) ||
        !generate_is_name(template->text + name.offset, name.length))
        return refuse(work, rest, "%for NAME = FIRST to LAST is expected here");
    enum fw_status status = generate_evaluate(&low, &work->names, first);
    if (!status)
        status = generate_evaluate(&high, &work->names, last);
    if (status)
        return status;
    if (!low.is_number || !high.is_number)
        return refuse(work, rest, "the bounds of %for are numbers");
    frame.last = high.number;
    frame.active = low.number <= high.number;
    if (frame.active)
        *FW_APPEND(work->arena, &work->names.loops) = (struct generate_loop){
            fw_arena_text(work->arena, template->text + name.offset, name.length), low};
    return push(work, &frame);
}

/* `*at` is where the text goes on. */
static enum fw_status end_part(struct expanding *work, struct fw_span rest, const char **at)
{
    if (!work->depth)
        return refuse(work, rest, "there is no %if or %for above that this could end");
    struct frame *frame = &work->frames[work->depth - 1];
    if (frame->loop && frame->active) {
        struct fw_generate_value *value = &work->names.loops.at[work->names.loops.count - 1].value;
        if (value->number + 1 <= frame->last) {
            *value = generate_number(work->arena, value->number + 1);
            *at = frame->body;
            return FW_OK;
        }
        work->names.loops.count--;
    }
    work->depth--;
    return FW_OK;
}

/* A line with "%"; `*at` is behind it. */
static enum fw_status directive(struct expanding *work, struct fw_span line, const char **at)
{
    const struct fw_source *template = work->expansion->template;
    const char *text = template->text + line.offset + 1;
    size_t length = 0;
    while (length + 1 < line.length && isalpha((unsigned char)text[length]))
        length++;
    const char *word = fw_arena_text(work->arena, text, length);
    struct fw_span rest =
        generate_trimmed(template, text + length, template->text + line.offset + line.length);
    bool takes = strcmp(word, "if") == 0 || strcmp(word, "elif") == 0 || strcmp(word, "for") == 0;
    if (takes != (rest.length > 0))
        return refuse(work, line, takes ? "the line ends here" : "nothing is expected behind it");
    if (strcmp(word, "if") == 0)
        return begin_if(work, rest);
    if (strcmp(word, "for") == 0)
        return begin_for(work, rest, *at);
    if (strcmp(word, "elif") == 0)
        return next_part(work, line.length > 5 ? rest : line, false);
    if (strcmp(word, "else") == 0)
        return next_part(work, line, true);
    if (strcmp(word, "end") == 0)
        return end_part(work, line, at);
    return refuse(work, line, "%if, %elif, %else, %for or %end is expected here");
}

enum fw_status generate_expand(struct generate_expansion *expansion, struct fw_arena *arena,
                               const struct fw_generate_variant *variant,
                               const struct fw_sink *sink)
{
    const struct fw_source *template = variant->generator->template;
    struct expanding work = {.expansion = expansion,
                             .arena = arena,
                             .names = generate_names_of(arena, variant, sink),
                             .text = fw_buffer_new(arena)};
    enum fw_status status = FW_OK;
    work.names.sizes_refused = true;
    *expansion = (struct generate_expansion){.template = template};
    fw_buffer_printf(&work.text, "# %s: made by forewarp generate\nkernel %s\n",
                     variant->generator->name, variant->stem);
    for (unsigned l = 0; l < 2; l++)
        *FW_APPEND(arena, &expansion->lines) = 1;
    for (const char *at = template->text; *at && !status;) {
        const char *begin = at, *end = at + strcspn(at, "\n");
        struct fw_span line = generate_trimmed(template, begin, end);
        at = end + (*end == '\n');
        if (++work.work > LINES_MOST)
            return refuse(&work, line, "the template becomes more than 20,000 lines");
        if (line.length && template->text[line.offset] == '%')
            status = directive(&work, line, &at);
        else if (is_active(&work))
            status = add_line(&work, begin, end, fw_span_position(line).line);
    }
    if (!status && work.depth)
        return refuse(&work, work.frames[work.depth - 1].span, "its %end is missing");
    expansion->source =
        (struct fw_source){fw_arena_printf(arena, "%s (%s)", template->name, variant->stem),
                           work.text.length ? work.text.text : "", work.text.length};
    return status;
}
