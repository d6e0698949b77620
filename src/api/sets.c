/* Sets: the cardinality of an integer set in isl's notation. */
#include "api_check.h"
#include "formula.h"
#include "report.h"

#include <string.h>

enum { SET_FORMULA_BUDGET = 1000000 };

struct counting_set {
    const struct fw_context *context;
    struct fw_arena *arena;
    const char *path;
    struct fw_source source;
    const char *const *bindings;
    size_t binding_count;
    struct fw_render_options options;
    struct fw_poly *poly;
    struct fw_set *set;
    struct fw_count *count;
    struct fw_formulas *formulas;
    mpz_t value;
    char *text; /* result */
};

/* The value of a parameter among the bindings; the last one stands. */
static enum fw_status value_of(const struct counting_set *work, const char *name, bool *found,
                               int64_t *value)
{
    size_t length = strlen(name);
    *found = false;
    for (size_t b = 0; b < work->binding_count; b++) {
        const char *text = work->bindings[b];
        if (strncmp(text, name, length) != 0 || text[length] != '=')
            continue;
        *found = fw_text_integer(text + length + 1, true, value);
        if (!*found) {
            fw_session_error(work->context, "API020",
                             "-s %s: a parameter's value is a whole number", text);
            return FW_ERROR_USAGE;
        }
    }
    return FW_OK;
}

static enum fw_status check_bindings(const struct counting_set *work)
{
    size_t count = fw_count_parameter_count(work->count);
    for (size_t b = 0; b < work->binding_count; b++) {
        const char *text = work->bindings[b];
        bool found = false;
        for (size_t p = 0; p < count && !found; p++) {
            const char *name = fw_count_parameter(work->count, p);
            found = strncmp(text, name, strlen(name)) == 0 && text[strlen(name)] == '=';
        }
        if (found)
            continue;
        const char **notes = FW_ARRAY(work->arena, const char *, count + 1);
        for (size_t p = 0; p < count; p++)
            notes[p] =
                fw_arena_printf(work->arena, "parameter %s", fw_count_parameter(work->count, p));
        fw_report_notes(&work->context->sink, FW_ERROR, "API020", (struct fw_span){0}, notes, count,
                        "-s %s: the set's cardinality has no such parameter", text);
        return FW_ERROR_USAGE;
    }
    return FW_OK;
}

/* The cardinality at the bound parameters; `*bound` false when one has no value. */
static enum fw_status evaluate(struct counting_set *work, bool *bound)
{
    size_t count = fw_count_parameter_count(work->count);
    int64_t *values = FW_ARRAY(work->arena, int64_t, count + 1);
    enum fw_status status = check_bindings(work);
    *bound = true;
    for (size_t p = 0; p < count && !status; p++) {
        bool found;
        status = value_of(work, fw_count_parameter(work->count, p), &found, &values[p]);
        *bound = *bound && found;
    }
    if (status || !*bound)
        return status;
    return fw_count_evaluate(work->value, work->count, work->poly, values);
}

static enum fw_status read_set(struct counting_set *work)
{
    /* A set may be written on the command line itself. */
    if (*work->path == '{' || *work->path == '[') {
        work->source = (struct fw_source){"<set>", work->path, strlen(work->path)};
        return FW_OK;
    }
    return fw_session_read_file(&work->source, work->arena, work->context, work->path);
}

/* What the report shows of the set that was counted. */
static struct fw_cardinality describe(struct counting_set *work, bool bound)
{
    size_t count = fw_count_parameter_count(work->count);
    const char **names = FW_ARRAY(work->arena, const char *, count + 1);
    struct fw_cardinality set = {
        .name = work->source.name, .parameters = names, .parameter_count = count};
    char *symbolic;
    for (size_t p = 0; p < count; p++)
        names[p] = fw_count_parameter(work->count, p);
    if (fw_count_print(&symbolic, work->count, work->poly, work->arena) == FW_OK)
        set.symbolic = symbolic; /* kept sets are counted at each point: there is no formula */
    if (bound)
        set.digits = mpz_get_str(fw_arena_alloc(work->arena, mpz_sizeinbase(work->value, 10) + 2),
                                 10, work->value);
    return set;
}

/* The formula for people; NULL: there is none, or it is past the budget. */
static const char *formula_of(struct counting_set *work, const struct fw_cardinality *set)
{
    const struct fw_count *count = work->count;
    const struct fw_product product = {1, &count, 1};
    const struct fw_formula *formula;
    work->formulas =
        fw_formulas_new(set->parameters, set->parameter_count, NULL, SET_FORMULA_BUDGET);
    if (!work->formulas || fw_formula_of(&formula, work->formulas, &product, 1) != FW_OK)
        return NULL;
    return fw_formula_text(formula, work->formulas, work->arena);
}

static enum fw_status count_set(void *user)
{
    struct counting_set *work = user;
    const struct fw_sink *sink = &work->context->sink;
    struct fw_buffer out = fw_buffer_new(work->arena);
    bool bound = false;
    enum fw_status status = read_set(work);
    if (!status)
        status = fw_set_read(&work->set, work->poly, &work->source, sink);
    if (!status)
        status = fw_set_count(&work->count, work->set, NULL, sink);
    if (!status)
        status = evaluate(work, &bound);
    if (status)
        return status;
    struct fw_cardinality set = describe(work, bound);
    if (work->options.format == FW_FORMAT_JSON) {
        fw_report_cardinality_json(&out, &set);
    } else {
        set.formula = formula_of(work, &set);
        fw_report_cardinality_text(&out, &set);
    }
    work->text = fw_session_text(out.text);
    return work->text ? FW_OK : FW_ERROR_MEMORY;
}

enum fw_status fw_context_count_set(char **text, const struct fw_context *context, const char *path,
                                    const char *const *bindings, size_t binding_count,
                                    const struct fw_render_options *options)
{
    struct api_check check = api_check_begin(context, __func__);
    if (text)
        *text = NULL;
    api_check_pointer(&check, text, "the result");
    api_check_text(&check, path, "the path");
    api_check_texts(&check, bindings, binding_count, "bindings");
    api_check_render(&check, options);
    if (check.status)
        return check.status;
    struct counting_set work = {.context = context,
                                .arena = fw_arena_new(context->memory),
                                .path = path,
                                .bindings = bindings,
                                .binding_count = binding_count,
                                .poly = fw_poly_new()};
    const struct fw_session_limit limit = {.doing = "counting", .source = &work.source};
    enum fw_status status = FW_ERROR_MEMORY;
    fw_session_options(&work.options, sizeof(work.options), options);
    mpz_init(work.value);
    if (work.arena && work.poly)
        status = fw_session_guard_within(context, &limit, work.arena, NULL, count_set, &work);
    fw_count_free(work.count);
    fw_formulas_free(work.formulas);
    fw_set_free(work.set);
    fw_poly_free(work.poly);
    mpz_clear(work.value);
    fw_arena_free(work.arena);
    *text = work.text;
    return status;
}
