/* Checks: what is wrong with a program whatever order it runs in.  Each question is a set that is
 * empty when all is well; where it is not, its parameters tell when. */
#include "loop_access.h"
#include "loop_internal.h"

#include <string.h>

struct check {
    struct fw_loop_program *program;
    uint64_t budget;
    struct fw_set *assumptions;
    bool failed;
    /* of the access at hand */
    const struct fw_loop_statement *statement;
};

/* ---- questions ---- */

/* A set's text to its count. */
struct counting {
    struct fw_poly *poly;
    const struct fw_source *source;
    const struct fw_count_options *options;
    struct fw_count *count; /* NULL: there is none */
};

static enum fw_status count_one(void *user)
{
    struct counting *counting = user;
    struct fw_set *set = NULL;
    enum fw_status status = fw_set_read(&set, counting->poly, counting->source, NULL);
    if (status == FW_OK)
        status = fw_set_count(&counting->count, set, counting->options, NULL);
    fw_set_free(set);
    return status;
}

/* The points of `set` (a text without dimensions but parameters): a count, or NULL. */
static struct fw_count *count_of(struct check *check, const char *text,
                                 const struct fw_set *assumptions)
{
    const struct fw_count_options options = {.assumptions = assumptions, .budget = check->budget};
    struct fw_source source = {"check", text, strlen(text)};
    struct counting counting = {check->program->poly, &source, &options, NULL};
    fw_loop_ask(check->program, count_one, &counting);
    return counting.count;
}

/* Whether there is a point, for some parameters that are assumed possible; `names` are bound. */
static bool is_possible(struct check *check, const fw_loop_names *names, const char *conditions)
{
    struct fw_loop_program *program = check->program;
    char *text = fw_loop_set_text(program, NULL, 0, names, conditions, true);
    struct fw_count *count = count_of(check, text, NULL);
    mpz_t value;
    mpz_init(value);
    bool possible = count && fw_count_evaluate(value, count, program->poly, NULL) == FW_OK &&
                    mpz_sgn(value) != 0;
    mpz_clear(value);
    fw_count_free(count);
    return possible;
}

/* When there is one: " when n > m", or "" for always or where it is long. */
static const char *when(struct check *check, const fw_loop_names *names, const char *conditions)
{
    enum { LONGEST = 200 };
    struct fw_loop_program *program = check->program;
    char *text = fw_loop_set_text(program, NULL, 0, names, conditions, false), *shown = NULL;
    struct fw_count *count =
        program->parameters.count ? count_of(check, text, check->assumptions) : NULL;
    const char *result = "";
    if (count && fw_count_print(&shown, count, program->poly, program->arena) == FW_OK && shown) {
        char *at = strstr(shown, "{ 1 : "), *end = strrchr(shown, '}');
        if (at && end && end - at < LONGEST && !strchr(at, ';')) {
            while (end > at && end[-1] == ' ')
                end--;
            result = fw_arena_printf(program->arena, " when %.*s", (int)(end - at - 6), at + 6);
        }
    }
    fw_count_free(count);
    return result;
}

static void fault(struct check *check, const char *code, struct fw_span span, const char *note,
                  const char *message)
{
    check->failed = true;
    fw_report_notes(check->program->sink, FW_ERROR, code, span, &note, note ? 1 : 0, "%s", message);
}

/* ---- domains ---- */

static bool is_bounded(struct check *check, const char *name, const fw_loop_names *names,
                       const char *conditions, const char *more)
{
    struct fw_loop_program *program = check->program;
    char *both = fw_arena_printf(program->arena, "%s%s", conditions, more);
    char *text = fw_loop_set_text(program, &name, 1, names, both, false);
    struct fw_source source = {"check", text, strlen(text)};
    const struct fw_count_options options = {.budget = check->budget};
    struct counting counting = {program->poly, &source, &options, NULL};
    enum fw_status status = fw_loop_ask(program, count_one, &counting);
    fw_count_free(counting.count);
    return status != FW_ERROR_INPUT;
}

static void check_domains(struct check *check)
{
    struct fw_loop_program *program = check->program;
    for (size_t d = 0; d < program->domains.count; d++) {
        const struct fw_loop_domain *domain = &program->domains.at[d];
        fw_loop_names names = {0};
        for (uint32_t i = 0; i < domain->name_count; i++)
            fw_loop_names_add(program->arena, &names, domain->names[i]);
        char *conditions = fw_loop_conditions(program, &names);
        bool bounded = true;
        for (uint32_t i = 0; i < domain->name_count && bounded; i++) {
            const char *name = domain->names[i];
            if (is_bounded(check, name, &names, conditions, ""))
                continue;
            char *above = fw_arena_printf(program->arena, " and %s >= 0", name);
            bounded = false;
            fault(check, "LOOP110", domain->span, NULL,
                  fw_arena_printf(program->arena, "nothing bounds '%s' from %s", name,
                                  is_bounded(check, name, &names, conditions, above) ? "below"
                                                                                     : "above"));
        }
        if (bounded && domain->name_count && !is_possible(check, &names, conditions))
            fault(check, "LOOP111", domain->span, NULL,
                  program->assumptions
                      ? "the domain is empty for all parameters that are assumed possible"
                      : "the domain is empty whatever the parameters are");
    }
}

/* ---- accesses ---- */

/* Without blanks and a pair of brackets around it. */
static const char *trimmed(struct check *check, const char *text)
{
    size_t length = strlen(text);
    while (length && (text[length - 1] == ' '))
        length--;
    while (length && *text == ' ') {
        text++;
        length--;
    }
    bool pair = length > 2 && *text == '(' && text[length - 1] == ')';
    unsigned depth = 0;
    for (size_t i = 0; pair && i + 1 < length; i++) {
        depth += text[i] == '(';
        depth -= text[i] == ')';
        pair = depth > 0;
    }
    return fw_arena_text(check->program->arena, text + pair, length - 2 * (size_t)pair);
}

static const char *subscript_text(struct check *check, const struct fw_loop_expression *subscript)
{
    struct fw_buffer text = fw_buffer_new(check->program->arena);
    return fw_loop_affine(check->program, &text, subscript) ? text.text : NULL;
}

/* Tells when the access' subscript fulfils `wrong` at some point. */
static void check_side(struct check *check, const struct fw_loop_expression *access,
                       uint32_t dimension, const fw_loop_names *loops, const char *wrong,
                       const char *sentence)
{
    struct fw_loop_program *program = check->program;
    fw_loop_names names = {0};
    for (size_t i = 0; i < loops->count; i++)
        fw_loop_names_add(program->arena, &names, loops->at[i]);
    char *conditions = fw_loop_statement_conditions(program, check->statement, &names);
    conditions = fw_arena_printf(program->arena, "%s and (%s)", conditions, wrong);
    if (!is_possible(check, &names, conditions))
        return;
    const char *condition = when(check, &names, conditions);
    const char *note = *condition ? "subscripts begin at 0; a condition around the statement or an "
                                    "assumption about the parameters may rule this out"
                                  : "subscripts begin at 0; a condition around the statement may "
                                    "rule this out";
    fault(check, "LOOP113", access->span, note,
          fw_arena_printf(program->arena, "subscript %u of '%s', %s, %s%s", dimension + 1,
                          access->name,
                          trimmed(check, subscript_text(check, access->operands[dimension])),
                          sentence, condition));
}

static void not_affine(const struct check *check, const struct fw_loop_expression *access,
                       uint32_t dimension)
{
    const struct fw_loop_expression *subscript = access->operands[dimension];
    fw_report(check->program->sink, FW_WARNING, "LOOP112",
              subscript->span.source ? subscript->span : access->span,
              "subscript %u of '%s' is not affine: its strides, its footprint and whether it stays "
              "inside are not known",
              dimension + 1, access->name);
}

static void see_access(void *user, const struct fw_loop_statement *statement,
                       const struct fw_loop_expression *access, bool store,
                       const fw_loop_names *loops)
{
    struct check *check = user;
    struct fw_loop_program *program = check->program;
    const struct fw_loop_array *array = fw_loop_find_array(program, access->name);
    check->statement = statement;
    (void)store;
    for (uint32_t d = 0; d < access->operand_count; d++) {
        const char *subscript = subscript_text(check, access->operands[d]);
        if (!subscript) {
            not_affine(check, access, d);
            continue;
        }
        char *wrong = fw_arena_printf(program->arena, "%s < 0", subscript);
        check_side(check, access, d, loops, wrong, "may be negative");
        if (!array->extents)
            continue;
        wrong = fw_arena_printf(program->arena, "%s >= (%s)", subscript, array->extents[d]);
        check_side(check, access, d, loops, wrong,
                   fw_arena_printf(program->arena, "may reach the extent %s",
                                   trimmed(check, array->extents[d])));
    }
}

/* ---- temporaries ---- */

static void check_set(struct check *check)
{
    const struct fw_loop_program *program = check->program;
    for (size_t a = 0; a < program->arrays.count; a++) {
        const struct fw_loop_array *array = &program->arrays.at[a];
        bool set = false;
        const struct fw_loop_statement *reader = NULL;
        for (size_t i = 0; i < program->statements.count; i++) {
            const struct fw_loop_statement *statement = &program->statements.at[i];
            set = set || statement->target->name == array->name;
            if (!reader && fw_loop_reads(statement->value, array->name))
                reader = statement;
        }
        if (array->temporary && reader && !set)
            fault(check, "LOOP116", reader->span, NULL,
                  fw_arena_printf(program->arena, "the temporary '%s' is read and never set",
                                  array->name));
    }
}

/* ---- all ---- */

enum fw_status fw_loop_check(struct fw_loop_program *program, uint64_t budget)
{
    struct check check = {.program = program, .budget = budget};
    jmp_buf exhausted;
    jmp_buf *before = fw_arena_on_exhausted(program->arena, &exhausted);
    struct check *volatile kept = &check;
    enum fw_status cut = FW_OK;
    if (setjmp(exhausted) != 0) {
        cut = fw_arena_status(program->arena);
    } else {
        if (program->assumptions) {
            char *text = fw_arena_printf(program->arena, "%s{ : %s }", fw_loop_prefix(program),
                                         program->assumptions);
            struct fw_source source = {"check", text, strlen(text)};
            fw_set_read(&check.assumptions, program->poly, &source, NULL);
        }
        check_domains(&check);
        for (size_t i = 0; i < program->statements.count && !check.failed; i++)
            fw_loop_each_access(program, &program->statements.at[i], see_access, &check);
        check_set(&check);
    }
    fw_arena_on_exhausted(program->arena, before);
    fw_set_free(kept->assumptions);
    return cut ? cut : kept->failed ? FW_ERROR_INPUT : FW_OK;
}

enum fw_status fw_loop_assumed(struct fw_count **count, struct fw_loop_program *program)
{
    struct fw_set *set = NULL;
    char *text = fw_arena_printf(program->arena, "%s{ [] : %s }", fw_loop_prefix(program),
                                 program->assumptions ? program->assumptions : "0 = 0");
    struct fw_source source = {"assumptions", text, strlen(text)};
    enum fw_status status = fw_set_read(&set, program->poly, &source, NULL);
    *count = NULL;
    if (status == FW_OK)
        status = fw_set_count(count, set, NULL, NULL);
    fw_set_free(set);
    return status;
}

bool fw_loop_allows(struct fw_loop_program *program, const char *const *names,
                    const int64_t *values, size_t bound)
{
    struct check check = {.program = program};
    fw_loop_names none = {0};
    struct fw_buffer text = fw_buffer_new(program->arena);
    if (!program->assumptions)
        return true;
    fw_buffer_printf(&text, "0 = 0");
    for (size_t i = 0; i < bound; i++)
        if (fw_loop_is_parameter(program, fw_loop_intern(program, names[i], strlen(names[i]))))
            fw_buffer_printf(&text, " and %s = %lld", names[i], (long long)values[i]);
    return is_possible(&check, &none, text.text);
}

/* ---- order ---- */

/* What each statement waits for. */
struct waiting {
    const struct fw_loop_program *program;
    size_t *setters; /* of each array: the only statement that sets it, a scalar; SIZE_MAX: none */
    struct edges {
        FW_VECTOR(size_t) to;
    } * edges;
};

static void find_setters(struct waiting *waiting)
{
    const struct fw_loop_program *program = waiting->program;
    bool *several = FW_ARRAY(program->arena, bool, program->arrays.count + 1);
    waiting->setters = FW_ARRAY(program->arena, size_t, program->arrays.count + 1);
    for (size_t a = 0; a < program->arrays.count; a++)
        waiting->setters[a] = SIZE_MAX;
    for (size_t i = 0; i < program->statements.count; i++) {
        const struct fw_loop_expression *target = program->statements.at[i].target;
        const struct fw_loop_array *array = fw_loop_find_array(program, target->name);
        if (!array)
            continue;
        size_t a = (size_t)(array - program->arrays.at);
        several[a] |=
            waiting->setters[a] != SIZE_MAX || target->operand_count > 0 || !array->temporary;
        waiting->setters[a] = several[a] ? SIZE_MAX : i;
    }
}

/* The setters of the temporaries that an expression reads. */
static void add_reads(struct waiting *waiting, size_t statement,
                      const struct fw_loop_expression *expression)
{
    const struct fw_loop_program *program = waiting->program;
    const struct fw_loop_array *array =
        expression->kind == FW_LOOP_ACCESS || expression->kind == FW_LOOP_NAME
            ? fw_loop_find_array(program, expression->name)
            : NULL;
    size_t setter = array ? waiting->setters[array - program->arrays.at] : SIZE_MAX;
    if (setter != SIZE_MAX && setter != statement)
        *FW_APPEND(program->arena, &waiting->edges[statement].to) = setter;
    for (uint32_t i = 0; i < expression->operand_count; i++)
        add_reads(waiting, statement, expression->operands[i]);
}

static void find_edges(struct waiting *waiting)
{
    const struct fw_loop_program *program = waiting->program;
    size_t count = program->statements.count;
    waiting->edges = FW_ARRAY(program->arena, struct edges, count + 1);
    for (size_t i = 0; i < count; i++) {
        const struct fw_loop_statement *statement = &program->statements.at[i];
        for (uint32_t a = 0; a < statement->after_count; a++)
            for (size_t j = 0; j < count; j++)
                if (program->statements.at[j].id == statement->after[a])
                    *FW_APPEND(program->arena, &waiting->edges[i].to) = j;
        add_reads(waiting, i, statement->value);
        for (uint32_t d = 0; d < statement->target->operand_count; d++)
            add_reads(waiting, i, statement->target->operands[d]);
        for (uint32_t c = 0; c < statement->condition_count; c++)
            add_reads(waiting, i, statement->conditions[c]);
    }
}

/* Goes from `start` along the edges; a statement on the way that is met again, SIZE_MAX: none. */
static size_t find_circle(const struct waiting *waiting, size_t start, uint8_t *states,
                          size_t *path, size_t *next)
{
    enum { NEW, ON_PATH, DONE };
    size_t depth = 0;
    path[depth++] = start;
    states[start] = ON_PATH;
    next[start] = 0;
    while (depth) {
        size_t at = path[depth - 1];
        if (next[at] == waiting->edges[at].to.count) {
            states[at] = DONE;
            depth--;
            continue;
        }
        size_t to = waiting->edges[at].to.at[next[at]++];
        if (states[to] == ON_PATH)
            return to;
        if (states[to] == DONE)
            continue;
        states[to] = ON_PATH;
        next[to] = 0;
        path[depth++] = to;
    }
    return SIZE_MAX;
}

enum fw_status fw_loop_check_circles(struct fw_loop_program *program)
{
    size_t count = program->statements.count;
    struct waiting waiting = {.program = program};
    uint8_t *states = FW_ARRAY(program->arena, uint8_t, count + 1);
    size_t *path = FW_ARRAY(program->arena, size_t, count + 1);
    size_t *next = FW_ARRAY(program->arena, size_t, count + 1);
    find_setters(&waiting);
    find_edges(&waiting);
    for (size_t i = 0; i < count; i++) {
        size_t met = states[i] ? SIZE_MAX : find_circle(&waiting, i, states, path, next);
        if (met == SIZE_MAX)
            continue;
        const struct fw_loop_statement *statement = &program->statements.at[met];
        return fw_loop_refuse(program, "LOOP114", statement->span,
                              "the statement '%s' waits for itself: its dependencies ('dep', "
                              "temporaries that it reads) go round in a circle",
                              statement->id ? statement->id : statement->target->name);
    }
    return FW_OK;
}
