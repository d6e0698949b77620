/* Filter tags: which generators, and which of the values of their arguments. */
#include "generate_internal.h"

#include <ctype.h>
#include <string.h>

enum { PRODUCT_MOST = 1 << 20, ANSWERS_MOST = 128, NAME_LENGTH_MOST = 200 };

bool fw_generate_match_read(enum fw_generate_match *match, const char *text)
{
    static const char *const words[] = {
#define X(name, text, about) text,
        FW_GENERATE_MATCHES(X)
#undef X
    };
    for (unsigned m = 0; m < FW_GENERATE_MATCH_COUNT; m++)
        if (strcmp(words[m], text) == 0) {
            *match = (enum fw_generate_match)m;
            return true;
        }
    return false;
}

static enum fw_status refuse(const struct fw_sink *sink, const char *code, const char *note,
                             const char *text)
{
    fw_report_notes(sink, FW_ERROR, code, (struct fw_span){0}, &note, note ? 1 : 0, "%s", text);
    return FW_ERROR_USAGE;
}

/* ---- generators ---- */

static bool has_tag(const struct fw_generator *generator, const char *tag)
{
    for (size_t t = 0; t < generator->tags.count; t++)
        if (strcmp(generator->tags.at[t], tag) == 0)
            return true;
    return false;
}

/* A tag that a generator is chosen by; the others choose values. */
static bool is_of_generators(const char *tag)
{
    return !strchr(tag, ':');
}

static bool matches(const struct fw_generator *generator,
                    const struct fw_generate_question *question)
{
    size_t asked = 0, both = 0;
    for (size_t t = 0; t < question->tag_count; t++) {
        bool again = false;
        for (size_t before = 0; before < t; before++)
            again = again || strcmp(question->tags[before], question->tags[t]) == 0;
        if (again || !is_of_generators(question->tags[t]))
            continue;
        asked++;
        both += has_tag(generator, question->tags[t]);
    }
    switch (question->match) {
    case FW_GENERATE_SUBSET:
        return both == generator->tags.count;
    case FW_GENERATE_IDENTICAL:
        return both == generator->tags.count && both == asked;
    case FW_GENERATE_INTERSECT:
        return both > 0;
    case FW_GENERATE_SUPERSET:
    case FW_GENERATE_MATCH_COUNT:
        break;
    }
    return both == asked;
}

/* "did you mean" for a word; NULL: nothing is near. */
static void nearer(const char **nearest, unsigned *least, const char *word, const char *other)
{
    unsigned distance = fw_text_distance(word, other, *least);
    if (distance < *least) {
        *least = distance;
        *nearest = other;
    }
}

static const char *meant(struct fw_arena *arena, const char *nearest, const char *otherwise)
{
    return nearest ? fw_arena_printf(arena, "did you mean '%s'?", nearest) : otherwise;
}

static enum fw_status check_tag(struct fw_arena *arena, const fw_generators *generators,
                                const char *tag, const struct fw_sink *sink)
{
    const char *nearest = NULL;
    unsigned least = 4;
    for (size_t g = 0; g < generators->count; g++) {
        if (has_tag(&generators->at[g], tag))
            return FW_OK;
        for (size_t t = 0; t < generators->at[g].tags.count; t++)
            nearer(&nearest, &least, tag, generators->at[g].tags.at[t]);
    }
    return refuse(
        sink, "GEN004",
        meant(arena, nearest, "forewarp generate --list shows all generators and their tags"),
        fw_arena_printf(arena, "no generator has the tag '%s'", tag));
}

enum fw_status fw_generators_match(fw_generators *matching, struct fw_arena *arena,
                                   const fw_generators *generators,
                                   const struct fw_generate_question *question,
                                   const struct fw_sink *sink)
{
    for (size_t t = 0; t < question->tag_count; t++) {
        enum fw_status status = is_of_generators(question->tags[t])
                                    ? check_tag(arena, generators, question->tags[t], sink)
                                    : FW_OK;
        if (status)
            return status;
    }
    for (size_t g = 0; g < generators->count; g++)
        if (matches(&generators->at[g], question))
            *FW_APPEND(arena, matching) = generators->at[g];
    return matching->count ? FW_OK
                           : refuse(sink, "GEN004",
                                    "--match superset, subset, identical or intersect says how a "
                                    "generator's tags must stand to those that are given",
                                    "no generator matches these tags");
}

/* ---- what is asked of values ---- */

/* "name:v1,>v2": one value, or a comparison. */
enum comparison { EXACTLY, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL };
struct answer {
    enum comparison kind;
    struct fw_generate_value value;
    bool used;
};
struct demand {
    const char *tag, *name;
    bool known, met; /* some generator has the argument; and one of the values */
    FW_VECTOR(struct answer) answers;
};
typedef FW_VECTOR(struct demand) demands;

static enum fw_status read_answer(struct answer *answer, struct fw_arena *arena, const char *text,
                                  size_t length, const char *tag, const struct fw_sink *sink)
{
    static const struct {
        const char *mark;
        enum comparison kind;
    } marks[] = {{"<=", LESS_EQUAL}, {">=", GREATER_EQUAL}, {"<", LESS}, {">", GREATER}};
    *answer = (struct answer){.kind = EXACTLY};
    for (size_t m = 0; m < sizeof(marks) / sizeof(marks[0]); m++) {
        size_t mark = strlen(marks[m].mark);
        if (length < mark || memcmp(marks[m].mark, text, mark) != 0)
            continue;
        answer->kind = marks[m].kind;
        text += mark;
        length -= mark;
        break;
    }
    answer->value = generate_word(arena, text, length);
    if (!length || (answer->kind != EXACTLY && !answer->value.is_number))
        return refuse(sink, "GEN004", "a value is a word or a number; '<64' and '>=1' compare",
                      fw_arena_printf(arena, "%s: this is not ARGUMENT:VALUE,VALUE", tag));
    return FW_OK;
}

static enum fw_status read_demand(struct demand *demand, struct fw_arena *arena, const char *tag,
                                  const struct fw_sink *sink)
{
    const char *colon = strchr(tag, ':');
    *demand = (struct demand){.tag = tag, .name = fw_arena_text(arena, tag, (size_t)(colon - tag))};
    for (const char *at = colon + 1;; at++) {
        size_t length = strcspn(at, ",");
        struct answer answer;
        enum fw_status status = read_answer(&answer, arena, at, length, tag, sink);
        if (status)
            return status;
        if (demand->answers.count == ANSWERS_MOST)
            return refuse(sink, "GEN005", NULL,
                          fw_arena_printf(arena, "%s: more than 128 values", demand->name));
        *FW_APPEND(arena, &demand->answers) = answer;
        at += length;
        if (!*at)
            return FW_OK;
    }
}

static bool answers(const struct answer *answer, const struct fw_generate_value *value)
{
    if (answer->kind == EXACTLY)
        return generate_same(&answer->value, value);
    if (!value->is_number)
        return false;
    switch (answer->kind) {
    case LESS:
        return value->number < answer->value.number;
    case LESS_EQUAL:
        return value->number <= answer->value.number;
    case GREATER:
        return value->number > answer->value.number;
    default:
        return value->number >= answer->value.number;
    }
}

static bool meets(struct demand *demand, const struct fw_generate_value *value)
{
    bool met = false;
    for (size_t i = 0; i < demand->answers.count; i++)
        if (answers(&demand->answers.at[i], value))
            met = demand->answers.at[i].used = true;
    return met;
}

/* ---- the values of one generator ---- */

typedef FW_VECTOR(struct fw_generate_value) values;

static bool among(const values *list, const struct fw_generate_value *value)
{
    for (size_t v = 0; v < list->count; v++)
        if (generate_same(&list->at[v], value))
            return true;
    return false;
}

static bool in_range(const struct fw_generate_argument *argument,
                     const struct fw_generate_value *value)
{
    double steps = (value->number - argument->low) / argument->step;
    return argument->has_range && value->is_number && value->number >= argument->low &&
           value->number <= argument->high && steps == (double)(int64_t)steps;
}

/* What one demand leaves of an argument: values that are named, as the generator writes them, and
 * of its usual ones those that a comparison holds for. */
static void narrow(values *left, struct fw_arena *arena,
                   const struct fw_generate_argument *argument, struct demand *demand)
{
    for (size_t i = 0; i < demand->answers.count; i++) {
        struct answer *answer = &demand->answers.at[i];
        if (answer->kind == EXACTLY && in_range(argument, &answer->value) &&
            !among(left, &answer->value)) {
            answer->used = true;
            *FW_APPEND(arena, left) = answer->value;
        }
        for (size_t v = 0; v < argument->allowed.count; v++)
            if (answer->kind == EXACTLY && answers(answer, &argument->allowed.at[v]) &&
                !among(left, &argument->allowed.at[v])) {
                answer->used = true;
                *FW_APPEND(arena, left) = argument->allowed.at[v];
            }
        for (size_t v = 0; v < argument->values.count; v++)
            if (answer->kind != EXACTLY && answers(answer, &argument->values.at[v]) &&
                !among(left, &argument->values.at[v])) {
                answer->used = true;
                *FW_APPEND(arena, left) = argument->values.at[v];
            }
    }
}

/* All demands for one name together. */
static void left_of(values *left, struct fw_arena *arena,
                    const struct fw_generate_argument *argument, demands *asked)
{
    bool any = false;
    for (size_t d = 0; d < asked->count; d++) {
        struct demand *demand = &asked->at[d];
        if (strcmp(demand->name, argument->name) != 0)
            continue;
        values now = {0}, both = {0};
        demand->known = true;
        narrow(&now, arena, argument, demand);
        for (size_t v = 0; v < now.count && any; v++)
            if (among(left, &now.at[v]))
                *FW_APPEND(arena, &both) = now.at[v];
        *left = any ? both : now;
        any = true;
    }
    for (size_t v = 0; v < argument->values.count && !any; v++)
        *FW_APPEND(arena, left) = argument->values.at[v];
}

/* ---- the product ---- */

struct choosing {
    struct fw_arena *arena;
    const struct fw_sink *sink;
    const struct fw_generator *generator;
    demands *asked;
    fw_generate_variants *variants;
    struct fw_map *names;
    values *left; /* of each argument */
    struct fw_generate_value *at;
    double tried;
};

/* Values of `let` lines, in order; each sees those above it. */
static enum fw_status compute_lets(struct choosing *work, const struct fw_generate_variant *variant)
{
    const struct fw_generator *generator = work->generator;
    enum fw_status status = FW_OK;
    struct generate_names names = generate_names_of(work->arena, variant, work->sink);
    struct fw_generator above = *generator; /* without what is not computed yet */
    struct fw_generate_variant part = {.generator = &above, .values = work->at};
    names.user = &part;
    for (size_t l = 0; l < generator->lets.count && !status; l++) {
        above.lets.count = l;
        status = generate_evaluate(&work->at[generator->arguments.count + l], &names,
                                   generator->lets.at[l].rest);
    }
    return status;
}

static bool wanted(struct choosing *work)
{
    const struct fw_generator *generator = work->generator;
    bool all = true;
    for (size_t l = 0; l < generator->lets.count; l++)
        for (size_t d = 0; d < work->asked->count; d++) {
            struct demand *demand = &work->asked->at[d];
            if (strcmp(demand->name, generator->lets.at[l].name) != 0)
                continue;
            demand->known = true;
            all = meets(demand, &work->at[generator->arguments.count + l]) && all;
        }
    return all;
}

static void add_to_name(struct fw_buffer *name, const char *text)
{
    fw_buffer_add(name, "_", 1);
    for (const char *at = text; *at; at++)
        fw_buffer_printf(name, "%c", *at == '-' ? 'm' : *at == '.' ? 'p' : *at);
}

static enum fw_status add_variant(struct choosing *work)
{
    const struct fw_generator *generator = work->generator;
    size_t arguments = generator->arguments.count, count = arguments + generator->lets.count;
    struct fw_buffer stem = fw_buffer_new(work->arena), name = fw_buffer_new(work->arena);
    fw_buffer_printf(&stem, "%s", generator->name);
    for (size_t a = 0; a < arguments && !generator->arguments.at[a].is_size; a++)
        add_to_name(&stem, work->at[a].text);
    fw_buffer_printf(&name, "%s", stem.text);
    for (size_t a = 0; a < arguments; a++)
        if (generator->arguments.at[a].is_size)
            add_to_name(&name, work->at[a].text);
    bool added;
    fw_map_add(work->names, name.text, name.length, &added);
    if (!added || name.length > NAME_LENGTH_MOST) {
        fw_report(work->sink, FW_ERROR, "GEN007", fw_span_of_source(generator->file),
                  added ? "the variant's name %s is longer than 200 letters"
                        : "two variants have the name %s",
                  name.text);
        return FW_ERROR_INPUT;
    }
    if (work->variants->count == FW_GENERATE_VARIANTS_MOST)
        return refuse(work->sink, "GEN005", "ARGUMENT:VALUE leaves only some of them",
                      "there are more than 4,096 variants");
    struct fw_generate_value *kept = FW_ARRAY(work->arena, struct fw_generate_value, count + 1);
    for (size_t v = 0; v < count; v++) {
        kept[v] = work->at[v];
        kept[v].text = fw_arena_text(work->arena, kept[v].text, strlen(kept[v].text));
    }
    *FW_APPEND(work->arena, work->variants) =
        (struct fw_generate_variant){name.text, stem.text, generator, kept};
    return FW_OK;
}

/* One combination: a variant unless a `where` line or a tag says that it is none. */
static enum fw_status try(struct choosing *work)
{
    const struct fw_generator *generator = work->generator;
    const struct fw_generate_variant variant = {.generator = generator, .values = work->at};
    struct fw_arena_mark mark = fw_arena_mark(work->arena);
    struct generate_names names = generate_names_of(work->arena, &variant, work->sink);
    enum fw_status status = compute_lets(work, &variant);
    bool holds = true;
    for (size_t c = 0; c < generator->conditions.count && !status && holds; c++)
        status = generate_holds(&holds, &names, generator->conditions.at[c].rest);
    bool chosen = !status && holds && wanted(work);
    if (chosen)
        return add_variant(work);
    fw_arena_release(work->arena, mark);
    return status;
}

static enum fw_status walk(struct choosing *work, size_t argument)
{
    enum fw_status status = FW_OK;
    if (argument == work->generator->arguments.count)
        return try(work);
    for (size_t v = 0; v < work->left[argument].count && !status; v++) {
        work->at[argument] = work->left[argument].at[v];
        status = walk(work, argument + 1);
    }
    return status;
}

static enum fw_status choose_of(struct choosing *work)
{
    const struct fw_generator *generator = work->generator;
    size_t arguments = generator->arguments.count;
    double product = 1;
    work->left = FW_ARRAY(work->arena, values, arguments + 1);
    work->at =
        FW_ARRAY(work->arena, struct fw_generate_value, arguments + generator->lets.count + 1);
    for (size_t a = 0; a < arguments; a++) {
        left_of(&work->left[a], work->arena, &generator->arguments.at[a], work->asked);
        product *= (double)work->left[a].count;
    }
    if (product > PRODUCT_MOST)
        return refuse(work->sink, "GEN005", "ARGUMENT:VALUE leaves only some of them",
                      fw_arena_printf(work->arena,
                                      "%s: %.0f combinations of values, more than 1,048,576",
                                      generator->name, product));
    return walk(work, 0);
}

/* Names and values that no generator took. */
static enum fw_status check_demands(struct choosing *work, const fw_generators *generators)
{
    for (size_t d = 0; d < work->asked->count; d++) {
        const struct demand *demand = &work->asked->at[d];
        const char *nearest = NULL;
        unsigned least = 4;
        for (size_t g = 0; g < generators->count; g++) {
            for (size_t a = 0; a < generators->at[g].arguments.count; a++)
                nearer(&nearest, &least, demand->name, generators->at[g].arguments.at[a].name);
            for (size_t l = 0; l < generators->at[g].lets.count; l++)
                nearer(&nearest, &least, demand->name, generators->at[g].lets.at[l].name);
        }
        if (!demand->known && (!nearest || least > 0))
            return refuse(work->sink, "GEN004",
                          meant(work->arena, nearest, "--list shows the arguments of generators"),
                          fw_arena_printf(work->arena,
                                          "no generator that matches has an argument "
                                          "'%s'",
                                          demand->name));
        for (size_t i = 0; i < demand->answers.count; i++)
            if (!demand->answers.at[i].used && demand->answers.at[i].kind == EXACTLY)
                return refuse(work->sink, "GEN004", "--list shows which values are allowed",
                              fw_arena_printf(work->arena,
                                              "%s: no generator that matches allows the value '%s'",
                                              demand->tag, demand->answers.at[i].value.text));
    }
    return work->variants->count
               ? FW_OK
               : refuse(work->sink, "GEN004", "--list shows which values are allowed",
                        "no combination of values is left by these tags and by the 'where' lines "
                        "of generators");
}

enum fw_status fw_generate_choose(fw_generate_variants *variants, struct fw_arena *arena,
                                  const fw_generators *generators,
                                  const struct fw_generate_question *question,
                                  const struct fw_sink *sink)
{
    fw_generators matching = {0};
    demands asked = {0};
    struct fw_map names = fw_map_new(arena);
    struct choosing work = {
        .arena = arena, .sink = sink, .asked = &asked, .variants = variants, .names = &names};
    enum fw_status status = fw_generators_match(&matching, arena, generators, question, sink);
    for (size_t t = 0; t < question->tag_count && !status; t++) {
        struct demand demand;
        if (is_of_generators(question->tags[t]))
            continue;
        status = read_demand(&demand, arena, question->tags[t], sink);
        if (!status)
            *FW_APPEND(arena, &asked) = demand;
    }
    for (size_t g = 0; g < matching.count && !status; g++) {
        work.generator = &matching.at[g];
        status = choose_of(&work);
    }
    return status ? status : check_demands(&work, &matching);
}

const struct fw_generate_value *fw_generate_value_of(const struct fw_generate_variant *variant,
                                                     const char *name)
{
    struct generate_names names = generate_names_of(NULL, variant, NULL);
    return names.find(&names, name);
}
