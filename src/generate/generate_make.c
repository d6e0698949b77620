/* Kernels of variants: the template's text read, generated as code, and launched. */
#include "generate_internal.h"

#include <string.h>

/* What variants of one stem share. */
struct kernel {
    const char *stem; /* NULL: none yet */
    struct generate_expansion expansion;
    struct fw_loop_program *program;
    struct fw_emission *emission;
    const char *knl, *opencl, *cuda;
};

struct making {
    struct fw_arena *arena, *scratch;
    struct fw_poly *poly;
    const struct fw_sink *sink;
    struct fw_sink moved; /* tells what happens to the template at its lines */
    const struct fw_generate_variant *variant;
    struct kernel kernel;
};

/* A place in an expanded text becomes the template's line. */
static void move(void *user, const struct fw_diagnostic *diagnostic)
{
    const struct making *work = user;
    const struct generate_expansion *expansion = &work->kernel.expansion;
    struct fw_diagnostic own = *diagnostic;
    const char *notes[2] = {
        fw_arena_printf(work->scratch, "in the variant %s", work->variant->stem)};
    uint32_t line = 0;
    if (own.span.source == &expansion->source && own.span.offset != FW_WHOLE_SOURCE)
        line = fw_span_position(own.span).line;
    own.span = fw_span_of_source(expansion->template);
    if (line >= 1 && line <= expansion->lines.count) {
        const char *text = expansion->source.text;
        own.span = fw_span_at(expansion->template, expansion->lines.at[line - 1], 1);
        for (uint32_t l = 1; l < line; l++)
            text += strcspn(text, "\n") + 1;
        notes[1] =
            fw_arena_printf(work->scratch, "the line there: %.*s", (int)strcspn(text, "\n"), text);
    }
    own.notes = notes;
    own.note_count = notes[1] ? 2 : 1;
    if (work->sink)
        work->sink->report(work->sink->user, &own);
}

static enum fw_status refuse(const struct making *work, struct fw_span span, const char *why)
{
    const char *note = fw_arena_printf(work->scratch, "in the variant %s", work->variant->name);
    fw_report_notes(work->sink, FW_ERROR, "GEN003", span, &note, 1, "%s", why);
    return FW_ERROR_INPUT;
}

static struct fw_span of_template(const struct making *work)
{
    return fw_span_of_source(work->variant->generator->template);
}

/* ---- kernels ---- */

static const char *copied(const struct making *work, const char *text)
{
    return fw_arena_text(work->arena, text, strlen(text));
}

static enum fw_status emit(struct making *work, enum fw_emit_target target, const char **text)
{
    struct kernel *kernel = &work->kernel;
    enum fw_status status = fw_emit(&kernel->emission, kernel->program, target);
    if (!status)
        *text = copied(work, kernel->emission->text);
    return status;
}

static enum fw_status make_kernel(struct making *work)
{
    struct kernel *kernel = &work->kernel;
    fw_arena_reset(work->scratch);
    *kernel = (struct kernel){.stem = work->variant->stem};
    enum fw_status status =
        generate_expand(&kernel->expansion, work->scratch, work->variant, work->sink);
    if (status)
        return status;
    work->moved = (struct fw_sink){move, work};
    status = fw_knl_read(&kernel->program, work->scratch, work->poly, &kernel->expansion.source,
                         &work->moved);
    if (!status && kernel->program->statements.count == 0)
        return refuse(work, of_template(work), "the template makes no kernel: no statement");
    if (!status)
        status = fw_loop_check(kernel->program, 0);
    if (!status)
        status = emit(work, FW_EMIT_OPENCL, &kernel->opencl);
    if (!status)
        status = emit(work, FW_EMIT_CUDA, &kernel->cuda);
    if (!status)
        kernel->knl = copied(work, kernel->expansion.source.text);
    return status;
}

/* ---- launches ---- */

struct point {
    const char *names[32];
    int64_t values[32];
    size_t count;
};

/* The parameters' values: each is a size, and each size is a parameter. */
static enum fw_status find_point(const struct making *work, struct point *point)
{
    const struct fw_generator *generator = work->variant->generator;
    const struct fw_loop_program *program = work->kernel.program;
    for (size_t a = 0; a < generator->arguments.count; a++) {
        const struct fw_generate_argument *argument = &generator->arguments.at[a];
        bool known = false;
        for (size_t p = 0; p < program->parameters.count; p++)
            known = known || strcmp(program->parameters.at[p], argument->name) == 0;
        if (!argument->is_size)
            continue;
        if (!known)
            return refuse(work, argument->span, "the kernel has no parameter of this name");
        point->names[point->count] = argument->name;
        point->values[point->count++] = (int64_t)work->variant->values[a].number;
    }
    for (size_t p = 0; p < program->parameters.count; p++) {
        bool known = false;
        for (size_t n = 0; n < point->count; n++)
            known = known || strcmp(program->parameters.at[p], point->names[n]) == 0;
        if (!known)
            return refuse(work, of_template(work),
                          fw_arena_printf(work->scratch,
                                          "the kernel's parameter '%s' is no 'size' of the "
                                          "generator",
                                          program->parameters.at[p]));
    }
    return fw_loop_allows(work->kernel.program, point->names, point->values, point->count)
               ? FW_OK
               : refuse(work, of_template(work),
                        fw_arena_printf(work->scratch,
                                        "the sizes contradict what the kernel assumes: %s",
                                        program->assumptions ? program->assumptions : "nothing"));
}

static const char *fill_of(const struct making *work, const char *name, bool stored)
{
    const fw_generate_lines *fills = &work->variant->generator->fills;
    for (size_t f = 0; f < fills->count; f++)
        if (strcmp(fills->at[f].name, name) == 0) {
            struct fw_span words = fills->at[f].rest;
            return fw_arena_text(work->arena, words.source->text + words.offset, words.length);
        }
    return stored ? "zero" : "random";
}

/* Whether an argument has a name of the template's, not one that a target's words forced. */
static bool is_own(const struct fw_loop_program *program, const char *name)
{
    for (size_t p = 0; p < program->parameters.count; p++)
        if (strcmp(program->parameters.at[p], name) == 0)
            return true;
    return fw_loop_find_array(program, name) != NULL;
}

static enum fw_status add_buffers(const struct making *work, struct fw_generate_made *made,
                                  const struct point *point)
{
    const struct fw_emission *emission = work->kernel.emission;
    for (size_t a = 0; a < emission->arguments.count; a++) {
        const struct fw_emit_argument *argument = &emission->arguments.at[a];
        int64_t elements = 0;
        if (!is_own(work->kernel.program, argument->name))
            return refuse(work, of_template(work),
                          fw_arena_printf(work->scratch,
                                          "the name of the argument '%s' is a word of OpenCL C or "
                                          "CUDA C++: give it another one",
                                          argument->name));
        if (!argument->array && argument->parameter)
            continue;
        if (!argument->array)
            return refuse(work, of_template(work),
                          fw_arena_printf(work->scratch,
                                          "'%s' is a scalar without a value: no launch binds it",
                                          argument->name));
        if (fw_emission_elements(&elements, argument, point->names, point->values, point->count) ||
            elements < 1)
            return refuse(work, of_template(work),
                          fw_arena_printf(work->scratch, "the extents of '%s' are not known",
                                          argument->name));
        *FW_APPEND(work->arena, &made->buffers) = (struct fw_generate_buffer){
            copied(work, argument->name), fill_of(work, argument->name, argument->stored),
            argument->type, elements, argument->stored};
    }
    return FW_OK;
}

/* "operation mul dtype" with the value in the place of the argument. */
static const char *filled(const struct making *work, const char *words)
{
    struct fw_buffer text = fw_buffer_new(work->arena);
    for (const char *at = words; *at;) {
        size_t length = strcspn(at, " ");
        const char *word = fw_arena_text(work->arena, at, length);
        const struct fw_generate_value *value = fw_generate_value_of(work->variant, word);
        fw_buffer_printf(&text, "%s%s", at == words ? "" : " ", value ? value->text : word);
        at += length;
        at += strspn(at, " ");
    }
    return text.text;
}

static enum fw_status add_expected(const struct making *work, struct fw_generate_made *made)
{
    const fw_generate_lines *lines = &work->variant->generator->expected;
    struct generate_names names = generate_names_of(work->arena, work->variant, work->sink);
    enum fw_status status = FW_OK;
    for (size_t l = 0; l < lines->count && !status; l++) {
        struct fw_generate_value value;
        status = generate_evaluate(&value, &names, lines->at[l].rest);
        if (!status && !value.is_number)
            status = refuse(work, lines->at[l].rest, "a count is a number");
        *FW_APPEND(work->arena, &made->expected) =
            (struct fw_generate_expected){filled(work, lines->at[l].name), value};
    }
    return status;
}

static enum fw_status make_launch(const struct making *work, struct fw_generate_made *made)
{
    struct point point = {.count = 0};
    enum fw_status status = find_point(work, &point);
    if (!status && fw_emission_launch(made->grid, made->block, work->kernel.emission, point.names,
                                      point.values, point.count))
        status = refuse(work, of_template(work), "its launch does not follow from the sizes");
    for (unsigned axis = 0; axis < 3 && !status; axis++)
        if (made->grid[axis] < 1 || made->grid[axis] > INT32_MAX || made->block[axis] < 1)
            status = refuse(work, of_template(work), "it would launch no blocks, or too many");
    if (!status)
        status = add_buffers(work, made, &point);
    return status ? status : add_expected(work, made);
}

enum fw_status fw_generate_make(fw_generate_made_list *made, struct fw_arena *arena,
                                struct fw_arena *scratch, struct fw_poly *poly,
                                const fw_generate_variants *variants, const struct fw_sink *sink)
{
    struct making work = {.arena = arena, .scratch = scratch, .poly = poly, .sink = sink};
    enum fw_status status = FW_OK;
    for (size_t v = 0; v < variants->count && !status; v++) {
        struct fw_generate_made one = {.variant = &variants->at[v]};
        work.variant = one.variant;
        if (!work.kernel.stem || strcmp(work.kernel.stem, work.variant->stem) != 0)
            status = make_kernel(&work);
        if (!status)
            status = make_launch(&work, &one);
        one.knl = work.kernel.knl;
        one.opencl = work.kernel.opencl;
        one.cuda = work.kernel.cuda;
        if (!status)
            *FW_APPEND(arena, made) = one;
    }
    return status;
}
