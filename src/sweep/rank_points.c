/* The points of a ranking's space: what names in expressions stand for, blocks by expressions, and
 * which points restrictions leave. */
#include "rank.h"

#include <stdio.h>
#include <string.h>

enum { MOST_VARIANTS = 4096, NAMES_SHOWN = 12 };

/* ---- names ---- */

static bool is_name(const char *name, size_t length, const char *of, size_t of_length)
{
    return length == of_length && strncmp(name, of, length) == 0;
}

static bool unusable(struct rank_problem *problem, const char *name, size_t length,
                     const char *value)
{
    snprintf(problem->text, sizeof(problem->text), "%.*s is %.60s, which is no whole number",
             (int)length, name, value);
    return false;
}

/* "NAME=VALUE": whether it is of this name; its value then in `*text`. */
static bool stated_by(const char **text, const char *stated, const char *name, size_t length)
{
    size_t own = strcspn(stated, "=");
    if (!is_name(name, length, stated, own))
        return false;
    *text = stated[own] ? stated + own + 1 : "1";
    return true;
}

/* The text that a name stands for; NULL: none. */
static const char *text_of(const struct rank_scope *scope, const char *name, size_t length)
{
    const struct rank_plan *plan = scope->plan;
    const struct fw_rank_settings *settings = plan->settings;
    const char *text = NULL;
    for (size_t a = 0; a < plan->axes.count; a++) {
        const struct rank_axis *axis = &plan->axes.at[a];
        const char *own = axis->kind == RANK_DEFINES ? axis->name + 2 : axis->name;
        if ((axis->kind == RANK_DEFINES || axis->kind == RANK_ARGUMENT) &&
            is_name(name, length, own, strlen(own)))
            return rank_value_at(plan, a, scope->point)->text;
    }
    for (size_t b = 0; b < settings->binding_count && !text; b++)
        stated_by(&text, settings->bindings[b], name, length);
    for (size_t d = 0; d < settings->options->define_count && !text; d++)
        stated_by(&text, settings->options->defines[d], name, length);
    return text;
}

static bool side_of_block(struct rank_number *value, const struct rank_scope *scope,
                          const char *name, size_t length)
{
    static const char *const names[] = {"block_x", "block_y", "block_z"};
    const uint32_t *block = scope->block;
    if (!block || !block[0])
        return false;
    for (size_t d = 0; d < 3; d++)
        if (is_name(name, length, names[d], strlen(names[d]))) {
            *value = (struct rank_number){block[d], 1};
            return true;
        }
    *value = (struct rank_number){(int64_t)block[0] * block[1] * block[2], 1};
    return is_name(name, length, "threads", strlen("threads"));
}

static bool argument(struct rank_number *value, const struct rank_scope *scope, const char *name,
                     size_t length)
{
    enum { LONGEST = 256 };
    char copy[LONGEST];
    if (!scope->worker || length >= LONGEST)
        return false;
    memcpy(copy, name, length);
    copy[length] = '\0';
    uint32_t p = fw_session_find_argument(scope->worker->record, copy);
    if (p == FW_NONE || !scope->worker->launch->is_bound[p])
        return false;
    *value = (struct rank_number){scope->worker->launch->integers[p], 1};
    return true;
}

/* A name that has no value: which have one. */
static bool unknown(struct rank_problem *problem, const struct rank_scope *scope, const char *name,
                    size_t length)
{
    const struct rank_plan *plan = scope->plan;
    size_t at =
        (size_t)snprintf(problem->text, sizeof(problem->text), "%.*s has no value here; there are",
                         (int)(length < 60 ? length : 60), name);
    for (size_t a = 0; a < plan->axes.count && at < sizeof(problem->text); a++) {
        const struct rank_axis *axis = &plan->axes.at[a];
        if (axis->kind == RANK_DEFINES || axis->kind == RANK_ARGUMENT)
            at += (size_t)snprintf(problem->text + at, sizeof(problem->text) - at, " %s,",
                                   axis->kind == RANK_DEFINES ? axis->name + 2 : axis->name);
    }
    if (at < sizeof(problem->text))
        snprintf(problem->text + at, sizeof(problem->text) - at, " %swhat -s and -D state by name",
                 scope->block && scope->block[0] ? "block_x, block_y, block_z, threads, " : "");
    return false;
}

static bool look_up(void *user, struct rank_number *value, const char *name, size_t length,
                    struct rank_problem *problem)
{
    const struct rank_scope *scope = user;
    const char *text = text_of(scope, name, length);
    int64_t whole;
    if (text && !fw_text_integer(text, true, &whole))
        return unusable(problem, name, length, text);
    if (text) {
        *value = (struct rank_number){whole, 1};
        return true;
    }
    return side_of_block(value, scope, name, length) || argument(value, scope, name, length) ||
           unknown(problem, scope, name, length);
}

bool rank_evaluate(struct rank_number *value, const struct rank_scope *scope, const char *text,
                   size_t length, struct rank_problem *problem)
{
    struct rank_scope own = *scope;
    return rank_expression(value, text, length, look_up, &own, problem);
}

size_t rank_part_end(const char *text, size_t from)
{
    unsigned depth = 0;
    size_t at = from;
    for (; text[at] && (text[at] != ',' || depth); at++)
        depth = text[at] == '(' ? depth + 1 : text[at] == ')' && depth ? depth - 1 : depth;
    return at;
}

/* ---- blocks ---- */

/* Whether the parts of "TILExROWS" between some of its x are expressions: the text from `at` on,
 * into sides from `side` on.  Names may contain an x themselves; the first way that makes sense by
 * the names that there are is taken. */
static bool split_sides(struct rank_value *value, const struct rank_scope *scope, const char *at,
                        size_t side, struct rank_problem *problem)
{
    size_t length = strlen(at);
    struct rank_number number;
    for (size_t end = 1; end <= length && side < 3; end++) {
        bool last = end == length;
        if (!last && (at[end] != 'x' || side == 2))
            continue;
        if (!rank_evaluate(&number, scope, at, end, problem) ||
            (!last && !split_sides(value, scope, at + end + 1, side + 1, problem)))
            continue;
        value->sides[side] = at;
        value->side_lengths[side] = end;
        value->side_count = last ? side + 1 : value->side_count;
        return true;
    }
    return false;
}

static enum fw_status split_blocks(struct rank_plan *plan)
{
    struct rank_scope scope = {.plan = plan};
    struct rank_problem problem = {.text = "its sides are no expressions"};
    for (size_t a = 0; a < plan->axes.count; a++)
        for (size_t v = 0; v < plan->axes.at[a].values.count; v++) {
            struct rank_value *value = &plan->axes.at[a].values.at[v];
            if (plan->axes.at[a].kind != RANK_BLOCKS || value->triple[2])
                continue;
            memset(value->triple, 0, sizeof(value->triple));
            if (split_sides(value, &scope, value->text, 0, &problem))
                continue;
            fw_session_error(plan->context, "API060", "--vary block=%s: %s", value->text,
                             problem.text);
            return FW_ERROR_USAGE;
        }
    return FW_OK;
}

bool rank_block_at(uint32_t block[3], const struct rank_plan *plan, size_t point,
                   struct rank_problem *problem)
{
    const struct rank_value *value = NULL;
    const struct rank_scope scope = {.plan = plan, .point = point};
    memcpy(block, plan->settings->block, 3 * sizeof(*block));
    for (size_t a = plan->program_axes; a < plan->axes.count; a++)
        if (plan->axes.at[a].kind == RANK_BLOCKS)
            value = rank_value_at(plan, a, point);
    if (!value)
        return true;
    if (!value->side_count) {
        memcpy(block, value->triple, sizeof(value->triple));
        return true;
    }
    block[0] = block[1] = block[2] = 1;
    for (size_t d = 0; d < value->side_count; d++) {
        struct rank_number side;
        if (!rank_evaluate(&side, &scope, value->sides[d], value->side_lengths[d], problem))
            return false;
        if (side.under != 1 || side.over < 1 || side.over > UINT32_MAX) {
            snprintf(problem->text, sizeof(problem->text),
                     side.under == 1 ? "block %.60s: a side is %lld"
                                     : "block %.60s: a side is %lld/%lld, no whole number",
                     value->text, (long long)side.over, (long long)side.under);
            return false;
        }
        block[d] = (uint32_t)side.over;
    }
    return true;
}

/* ---- restrictions ---- */

/* Whether all conditions hold at a point; FW_ERROR_USAGE: one has no value there. */
static enum fw_status holds(bool *all, const struct rank_plan *plan, size_t point)
{
    const struct fw_rank_settings *settings = plan->settings;
    struct rank_problem problem;
    uint32_t block[3];
    struct rank_scope scope = {.plan = plan, .point = point, .block = block};
    *all = true;
    if (settings->where_count && !rank_block_at(block, plan, point, &problem))
        return FW_OK; /* told of the configuration */
    for (size_t w = 0; w < settings->where_count && *all; w++) {
        struct rank_number value;
        const char *text = settings->where[w];
        if (!rank_evaluate(&value, &scope, text, strlen(text), &problem)) {
            const char *note = fw_arena_printf(plan->arena, "at '%.40s'", text + problem.at);
            fw_report_notes(&plan->context->sink, FW_ERROR, "API065", (struct fw_span){0}, &note,
                            problem.at < strlen(text), "--where %s: %s", text, problem.text);
            return FW_ERROR_USAGE;
        }
        *all = value.over != 0;
    }
    return FW_OK;
}

/* Programs of variants are read before it is known which points need them where blocks follow from
 * the kernel (address expressions): all are kept then. */
static enum fw_status add_variant(struct rank_plan *plan, size_t variant)
{
    if (plan->programs == MOST_VARIANTS && !plan->input->launch_follows) {
        fw_session_error(plan->context, "API062", "more than %d variants to compile",
                         MOST_VARIANTS);
        return FW_ERROR_USAGE;
    }
    plan->program_variants[plan->programs++] = variant;
    return FW_OK;
}

/* Of several parts, the configurations of one: each that many-th. */
static enum fw_status keep_part(struct rank_plan *plan)
{
    size_t parts = plan->parts, part = plan->settings->part, kept = 0;
    if (parts < 2)
        return FW_OK;
    for (size_t c = part - 1; c < plan->count; c += parts) {
        plan->chosen[kept] = plan->chosen[c];
        plan->variant_of[kept++] = plan->variant_of[c];
    }
    plan->count = kept;
    if (kept)
        return FW_OK;
    fw_session_error(plan->context, "API068", "part %zu of %zu has no configuration", part, parts);
    return FW_ERROR_USAGE;
}

const char *const *rank_values_at(const struct rank_plan *plan, struct fw_arena *arena,
                                  size_t point)
{
    const char **values = FW_ARRAY(arena, const char *, plan->axes.count + 1);
    size_t count = 0;
    for (size_t a = 0; a < plan->axes.count; a++)
        if (plan->axes.at[a].kind == RANK_DEFINES || plan->axes.at[a].kind == RANK_ARGUMENT)
            values[count++] = rank_value_at(plan, a, point)->text;
    return values;
}

enum fw_status rank_points(struct rank_plan *plan)
{
    size_t most = plan->settings->most ? plan->settings->most : 200000;
    size_t room = plan->points < most ? plan->points : most;
    size_t each = plan->points / plan->variants;
    bool all = plan->input->has_coarsening, left;
    enum fw_status status = split_blocks(plan);
    plan->chosen = FW_ARRAY(plan->arena, size_t, room + 1);
    plan->variant_of = FW_ARRAY(plan->arena, size_t, room + 1);
    plan->program_variants =
        FW_ARRAY(plan->arena, size_t, (plan->variants < room ? plan->variants : room) + 1);
    plan->count = plan->programs = 0;
    for (size_t p = 0; p < plan->points && !status; p++) {
        size_t variant = p / each;
        status = holds(&left, plan, p);
        if (!status && (left || all) &&
            (!plan->programs || plan->program_variants[plan->programs - 1] != variant))
            status = add_variant(plan, variant);
        if (status || !left)
            continue;
        if (plan->count == most) {
            fw_session_error(plan->context, "API062", "more than %zu configurations", most);
            return FW_ERROR_USAGE;
        }
        plan->chosen[plan->count] = p;
        plan->variant_of[plan->count++] = plan->programs - 1;
    }
    plan->restricted = plan->points - plan->count;
    plan->parts = plan->settings->parts;
    if (!status && plan->count)
        return keep_part(plan);
    if (status)
        return status;
    fw_session_error(plan->context, "API068", "--where: none of %zu configurations is left",
                     plan->points);
    return FW_ERROR_USAGE;
}
