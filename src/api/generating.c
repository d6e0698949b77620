/* Generators of measurement kernels: which there are, which variants tags choose, and their files.
 */
#include "api_check.h"
#include "generate.h"
#include "json_writer.h"
#include "report.h"

#include <string.h>
#include <sys/stat.h>

static const size_t arena_most = (size_t)4 << 30;

struct work {
    const struct fw_context *context;
    struct fw_generate_settings settings;
    struct fw_generate_question question;
    struct fw_arena *arena, *scratch;
    struct fw_poly *poly;
    fw_generators generators;
    fw_generate_variants variants;
    fw_generate_made_list made;
    char *text; /* result */
};

/* ---- which generators ---- */

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* Those that come with forewarp, then the caller's. */
static enum fw_status read_generators(struct work *work)
{
    const struct fw_sink *sink = &work->context->sink;
    const char *own = NULL, *data = work->context->data;
    if (data && is_folder(fw_arena_printf(work->arena, "%s/generators", data)))
        own = fw_arena_printf(work->arena, "%s/generators", data);
    else if (data) /* the source tree */
        own = fw_arena_printf(work->arena, "%s/data/generators", data);
    enum fw_status status = FW_OK;
    if (own && (is_folder(own) || !work->settings.folder_count))
        status = fw_generators_add_folder(&work->generators, work->arena, own, sink);
    for (size_t f = 0; f < work->settings.folder_count && !status; f++)
        status = fw_generators_add_folder(&work->generators, work->arena, work->settings.folders[f],
                                          sink);
    return status;
}

/* ---- as text ---- */

static void add_values(struct fw_buffer *to, const struct fw_generate_argument *argument,
                       bool allowed)
{
    size_t count = allowed ? argument->allowed.count : argument->values.count;
    for (size_t v = 0; v < count; v++)
        fw_buffer_printf(to, "%s%s", v ? ", " : "",
                         (allowed ? argument->allowed.at : argument->values.at)[v].text);
}

static void describe_argument(struct fw_buffer *to, const struct fw_generate_argument *argument)
{
    fw_buffer_printf(to, "  %-12s %s: ", argument->name, argument->about);
    add_values(to, argument, false);
    if (argument->has_range) {
        fw_buffer_printf(to, " (%.0f to %.0f", argument->low, argument->high);
        fw_buffer_printf(to, argument->step > 1 ? " in steps of %.0f)" : ")", argument->step);
    } else if (argument->allowed.count > argument->values.count) {
        fw_buffer_printf(to, " (of ");
        add_values(to, argument, true);
        fw_buffer_printf(to, ")");
    }
    fw_buffer_printf(to, "%s\n", argument->is_size ? " [size]" : "");
}

static void describe(struct fw_buffer *to, const struct fw_generator *generator)
{
    fw_buffer_printf(to, "%s: %s\n  tags        ", generator->name, generator->about);
    for (size_t t = 0; t < generator->tags.count; t++)
        fw_buffer_printf(to, "%s %s", t ? "," : "", generator->tags.at[t]);
    fw_buffer_printf(to, "\n");
    for (size_t a = 0; a < generator->arguments.count; a++)
        describe_argument(to, &generator->arguments.at[a]);
    for (size_t l = 0; l < generator->lets.count; l++) {
        struct fw_span rest = generator->lets.at[l].rest;
        fw_buffer_printf(to, "  %-12s = %.*s\n", generator->lets.at[l].name, (int)rest.length,
                         rest.source->text + rest.offset);
    }
}

static const char *listing(struct work *work, const fw_generators *matching)
{
    struct fw_buffer out = fw_buffer_new(work->arena);
    for (size_t g = 0; g < matching->count; g++) {
        fw_buffer_printf(&out, "%s", g ? "\n" : "");
        describe(&out, &matching->at[g]);
    }
    return fw_text_shown_lines(work->arena, out.text, out.length);
}

static const char *variants_text(struct work *work)
{
    struct fw_buffer out = fw_buffer_new(work->arena);
    size_t kernels = 0;
    for (size_t v = 0; v < work->variants.count; v++) {
        const struct fw_generate_variant *variant = &work->variants.at[v];
        kernels += v == 0 || strcmp(variant->stem, work->variants.at[v - 1].stem) != 0;
        fw_buffer_printf(&out, "%s ", variant->name);
        for (size_t a = 0; a < variant->generator->arguments.count; a++)
            fw_buffer_printf(&out, " %s:%s", variant->generator->arguments.at[a].name,
                             variant->values[a].text);
        fw_buffer_printf(&out, "\n");
    }
    fw_buffer_printf(&out, "%zu variant%s of %zu kernel%s%s%s\n", work->variants.count,
                     work->variants.count == 1 ? "" : "s", kernels, kernels == 1 ? "" : "s",
                     work->settings.output ? ", in " : "",
                     work->settings.output ? work->settings.output : "");
    return fw_text_shown_lines(work->arena, out.text, out.length);
}

/* ---- as JSON ---- */

static void json_value(struct fw_json_writer *json, const char *name,
                       const struct fw_generate_value *value)
{
    if (!value->is_number)
        fw_json_text(json, name, value->text);
    else if (value->number == (double)(int64_t)value->number)
        fw_json_integer(json, name, (int64_t)value->number);
    else
        fw_json_real(json, name, value->number);
}

static void json_values(struct fw_json_writer *json, const char *name,
                        const struct fw_generate_value *values, size_t count)
{
    fw_json_array(json, name);
    for (size_t v = 0; v < count; v++)
        json_value(json, NULL, &values[v]);
    fw_json_array_end(json);
}

static void json_argument(struct fw_json_writer *json, const struct fw_generate_argument *argument)
{
    fw_json_object(json, NULL);
    fw_json_text(json, "name", argument->name);
    fw_json_text(json, "about", argument->about);
    fw_json_boolean(json, "size", argument->is_size);
    json_values(json, "values", argument->values.at, argument->values.count);
    if (argument->has_range) {
        fw_json_object(json, "range");
        fw_json_integer(json, "least", (int64_t)argument->low);
        fw_json_integer(json, "most", (int64_t)argument->high);
        fw_json_integer(json, "step", (int64_t)argument->step);
        fw_json_object_end(json);
    } else {
        json_values(json, "allowed", argument->allowed.at, argument->allowed.count);
    }
    fw_json_object_end(json);
}

static void json_generator(struct fw_json_writer *json, const struct fw_generator *generator)
{
    fw_json_object(json, NULL);
    fw_json_text(json, "name", generator->name);
    fw_json_text(json, "about", generator->about);
    fw_json_text(json, "file", generator->file->name);
    fw_json_array(json, "tags");
    for (size_t t = 0; t < generator->tags.count; t++)
        fw_json_text(json, NULL, generator->tags.at[t]);
    fw_json_array_end(json);
    fw_json_array(json, "arguments");
    for (size_t a = 0; a < generator->arguments.count; a++)
        json_argument(json, &generator->arguments.at[a]);
    fw_json_array_end(json);
    fw_json_array(json, "computed");
    for (size_t l = 0; l < generator->lets.count; l++)
        fw_json_text(json, NULL, generator->lets.at[l].name);
    fw_json_array_end(json);
    fw_json_object_end(json);
}

static void json_made(struct fw_json_writer *json, const struct fw_generate_made *made)
{
    fw_json_array(json, "grid");
    for (unsigned a = 0; a < 3; a++)
        fw_json_integer(json, NULL, made->grid[a]);
    fw_json_array_end(json);
    fw_json_array(json, "block");
    for (unsigned a = 0; a < 3; a++)
        fw_json_integer(json, NULL, made->block[a]);
    fw_json_array_end(json);
    fw_json_object(json, "expected");
    for (size_t e = 0; e < made->expected.count; e++)
        json_value(json, made->expected.at[e].what, &made->expected.at[e].count);
    fw_json_object_end(json);
}

static void json_variant(struct fw_json_writer *json, const struct fw_generate_variant *variant,
                         const struct fw_generate_made *made)
{
    const struct fw_generator *generator = variant->generator;
    fw_json_object(json, NULL);
    fw_json_text(json, "name", variant->name);
    fw_json_text(json, "kernel", variant->stem);
    fw_json_text(json, "generator", generator->name);
    fw_json_object(json, "values");
    for (size_t a = 0; a < generator->arguments.count; a++)
        json_value(json, generator->arguments.at[a].name, &variant->values[a]);
    for (size_t l = 0; l < generator->lets.count; l++)
        json_value(json, generator->lets.at[l].name,
                   &variant->values[generator->arguments.count + l]);
    fw_json_object_end(json);
    fw_json_object(json, "arguments");
    for (size_t a = 0; a < generator->arguments.count; a++)
        if (generator->arguments.at[a].is_size)
            json_value(json, generator->arguments.at[a].name, &variant->values[a]);
    fw_json_object_end(json);
    if (made)
        json_made(json, made);
    fw_json_object_end(json);
}

/* `matching` NULL: the variants. */
static const char *as_json(struct work *work, const fw_generators *matching)
{
    struct fw_buffer out = fw_buffer_new(work->arena);
    struct fw_json_writer json = fw_json_writer_new(&out);
    fw_json_object(&json, NULL);
    fw_json_text(&json, "forewarp", fw_version());
    fw_json_integer(&json, "format", FW_REPORT_FORMAT);
    if (matching) {
        fw_json_array(&json, "generators");
        for (size_t g = 0; g < matching->count; g++)
            json_generator(&json, &matching->at[g]);
    } else {
        if (work->settings.output)
            fw_json_text(&json, "folder", work->settings.output);
        else
            fw_json_null(&json, "folder");
        fw_json_array(&json, "variants");
        for (size_t v = 0; v < work->variants.count; v++)
            json_variant(&json, &work->variants.at[v],
                         work->settings.output ? &work->made.at[v] : NULL);
    }
    fw_json_array_end(&json);
    fw_json_object_end(&json);
    fw_buffer_printf(&out, "\n");
    return out.text;
}

/* ---- all ---- */

static enum fw_status list(struct work *work, const char **text)
{
    fw_generators matching = {0};
    enum fw_status status = fw_generators_match(&matching, work->arena, &work->generators,
                                                &work->question, &work->context->sink);
    if (!status)
        *text = work->settings.json ? as_json(work, &matching) : listing(work, &matching);
    return status;
}

static enum fw_status make(struct work *work, const char **text)
{
    const struct fw_sink *sink = &work->context->sink;
    enum fw_status status =
        fw_generate_choose(&work->variants, work->arena, &work->generators, &work->question, sink);
    if (!status && work->settings.output)
        status = fw_generate_make(&work->made, work->arena, work->scratch, work->poly,
                                  &work->variants, sink);
    if (!status && work->settings.output)
        status = fw_generate_write(work->settings.output, &work->made, work->arena, sink);
    if (!status)
        *text = work->settings.json ? as_json(work, NULL) : variants_text(work);
    return status;
}

static enum fw_status generate(void *user)
{
    struct work *work = user;
    const char *text = NULL, *match = work->settings.match ? work->settings.match : "superset";
    if (!fw_generate_match_read(&work->question.match, match)) {
        fw_session_error(work->context, "GEN004",
                         "there is no match condition %s; there are superset, subset, identical "
                         "and intersect",
                         match);
        return FW_ERROR_USAGE;
    }
    enum fw_status status = read_generators(work);
    if (!status)
        status = work->settings.list ? list(work, &text) : make(work, &text);
    if (status)
        return status;
    work->text = fw_session_text(text);
    return work->text ? FW_OK : FW_ERROR_MEMORY;
}

enum fw_status fw_context_generate(char **text, const struct fw_context *context,
                                   const struct fw_generate_settings *settings)
{
    struct work work = {.context = context};
    struct api_check check = api_check_begin(context, __func__);
    enum fw_status status = FW_ERROR_MEMORY;
    if (text)
        *text = NULL;
    api_check_pointer(&check, text, "the result");
    api_check_size(&check, settings, "the settings");
    fw_session_options(&work.settings, sizeof(work.settings), settings);
    api_check_texts(&check, work.settings.tags, work.settings.tag_count, "tags");
    api_check_texts(&check, work.settings.folders, work.settings.folder_count, "folders");
    api_check_optional(&check, work.settings.match, "match");
    api_check_optional(&check, work.settings.output, "output");
    if (check.status)
        return check.status;
    work.question.tags = work.settings.tags;
    work.question.tag_count = work.settings.tag_count;
    static const struct fw_session_limit limit = {.doing = "generating kernels", .many = true};
    work.arena = fw_arena_new(arena_most);
    work.scratch = fw_arena_new(context->memory);
    work.poly = fw_poly_new();
    if (work.arena && work.scratch && work.poly)
        status =
            fw_session_guard_within(context, &limit, work.arena, work.scratch, generate, &work);
    fw_poly_free(work.poly);
    fw_arena_free(work.scratch);
    fw_arena_free(work.arena);
    *text = work.text;
    return status;
}
