/* Reads plans.  One row a directive; a line is split into words first, so that every complaint
 * knows its column. */
#include "measure_plan.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 16, MOST_READ = 65536 };

struct word {
    const char *text;
    uint32_t column; /* from 1 */
};

struct reader {
    struct fw_plan *plan;
    struct fw_configuration *open; /* NULL outside a configuration */
    struct fw_protocol defaults;
    size_t capacity;
    const char *path;
    uint32_t line;
    struct word words[WORDS];
    size_t count;
    uint32_t end_column; /* behind the last word */
    bool versioned;
    struct fw_reason *reason;
};

static const char *const fills[FW_FILL_COUNT] = {"zero",        "random", "ramp",
                                                 "permutation", "cycle",  "untouched"};

/* An error at word `index`, or behind the line's end when there is no such word. */
static bool fail(struct reader *reader, size_t index, const char *message, const char *detail)
{
    uint32_t column = index < reader->count ? reader->words[index].column : reader->end_column;
    return fw_reason_set(reader->reason, "%s:%u:%u: %s%s%s%s", reader->path, reader->line, column,
                         message, detail ? " '" : "", detail ? detail : "", detail ? "'" : "");
}

static bool need(struct reader *reader, size_t least, size_t most, const char *form)
{
    if (reader->count < least)
        return fail(reader, reader->count, "something is missing; the form is", form);
    if (reader->count > most)
        return fail(reader, most, "one word too many; the form is", form);
    return true;
}

static bool whole(struct reader *reader, size_t index, uint64_t most, uint64_t *value)
{
    const char *text = reader->words[index].text;
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end)
        return fail(reader, index, "not a whole number:", text);
    if (errno || number > most)
        return fail(reader, index, "too large:", text);
    *value = number;
    return true;
}

static bool small(struct reader *reader, size_t index, uint32_t least, uint32_t *value)
{
    uint64_t number = 0;
    if (!whole(reader, index, 1000000, &number))
        return false;
    if (number < least)
        return fail(reader, index, "too small:", reader->words[index].text);
    *value = (uint32_t)number;
    return true;
}

static bool real(struct reader *reader, size_t index, double *value)
{
    char *end;
    *value = strtod(reader->words[index].text, &end);
    if (*end || end == reader->words[index].text || !isfinite(*value))
        return fail(reader, index, "not a number:", reader->words[index].text);
    return true;
}

static bool seconds(struct reader *reader, size_t index, double *value)
{
    if (!real(reader, index, value))
        return false;
    if (*value < 0 || *value > 1e6)
        return fail(reader, index, "seconds are from 0 to 1000000:", reader->words[index].text);
    return true;
}

static bool element(struct reader *reader, size_t index, enum fw_element *type)
{
    for (int i = 0; i < FW_ELEMENT_COUNT; i++)
        if (strcmp(fw_element_name((enum fw_element)i), reader->words[index].text) == 0) {
            *type = (enum fw_element)i;
            return true;
        }
    return fail(reader, index, "no such type:", reader->words[index].text);
}

static char *copied(const char *text)
{
    size_t length = strlen(text) + 1;
    return memcpy(fw_measure_memory(length, 1), text, length);
}

static struct fw_protocol *protocol(struct reader *reader)
{
    return reader->open ? &reader->open->protocol : &reader->defaults;
}

static struct fw_argument *find(struct reader *reader, const char *name)
{
    for (size_t i = 0; i < reader->open->argument_count; i++)
        if (strcmp(reader->open->arguments[i].name, name) == 0)
            return &reader->open->arguments[i];
    return NULL;
}

static struct fw_argument *argument(struct reader *reader, enum fw_argument_kind kind)
{
    struct fw_configuration *open = reader->open;
    if (find(reader, reader->words[1].text)) {
        fail(reader, 1, "there is an argument of this name already:", reader->words[1].text);
        return NULL;
    }
    open->arguments =
        realloc(open->arguments, (open->argument_count + 1) * sizeof *open->arguments);
    if (!open->arguments)
        exit(3);
    struct fw_argument *made = &open->arguments[open->argument_count++];
    memset(made, 0, sizeof *made);
    made->kind = kind;
    made->name = copied(reader->words[1].text);
    return made;
}

/* The directives. */

static bool read_version(struct reader *reader)
{
    if (strcmp(reader->words[1].text, "1") != 0)
        return fail(reader, 1, "this program reads plans of version 1, not", reader->words[1].text);
    return reader->versioned = true;
}

static bool read_trials(struct reader *reader)
{
    return small(reader, 1, 1, &protocol(reader)->trials);
}

static bool read_warmup(struct reader *reader)
{
    return small(reader, 1, 0, &protocol(reader)->warmup);
}

static bool read_settle(struct reader *reader)
{
    return seconds(reader, 1, &protocol(reader)->settle_seconds);
}

static bool read_batch(struct reader *reader)
{
    return small(reader, 1, 0, &protocol(reader)->batch);
}

static bool read_batches(struct reader *reader)
{
    return small(reader, 1, 0, &protocol(reader)->batches);
}

static bool read_limit(struct reader *reader)
{
    return seconds(reader, 1, &protocol(reader)->limit_seconds);
}

static bool read_cache(struct reader *reader)
{
    const char *word = reader->words[1].text;
    if (strcmp(word, "warm") != 0 && strcmp(word, "cold") != 0)
        return fail(reader, 1, "caches are warm or cold, not", word);
    protocol(reader)->cold = *word == 'c';
    return true;
}

static bool read_energy(struct reader *reader)
{
    protocol(reader)->energy = true;
    return reader->count < 2 || seconds(reader, 1, &protocol(reader)->energy_seconds);
}

static bool read_configuration(struct reader *reader)
{
    struct fw_plan *plan = reader->plan;
    for (size_t i = 0; i < plan->count; i++)
        if (strcmp(plan->configurations[i].name, reader->words[1].text) == 0)
            return fail(reader, 1,
                        "there is a configuration of this name already:", reader->words[1].text);
    if (plan->count == reader->capacity) {
        reader->capacity = reader->capacity ? reader->capacity * 2 : 16;
        plan->configurations =
            realloc(plan->configurations, reader->capacity * sizeof *plan->configurations);
        if (!plan->configurations)
            exit(3);
    }
    reader->open = &plan->configurations[plan->count++];
    *reader->open = (struct fw_configuration){.name = copied(reader->words[1].text),
                                              .options = copied(""),
                                              .grid = {0, 1, 1},
                                              .block = {0, 1, 1},
                                              .protocol = reader->defaults,
                                              .line = reader->line};
    return true;
}

static bool read_end(struct reader *reader)
{
    struct fw_configuration *open = reader->open;
    const char *missing = !open->source     ? "source"
                          : !open->kernel   ? "kernel"
                          : !open->grid[0]  ? "grid"
                          : !open->block[0] ? "block"
                                            : NULL;
    reader->open = NULL;
    return missing ? fail(reader, 0, "the configuration lacks", missing) : true;
}

static bool read_source(struct reader *reader)
{
    free(reader->open->source);
    reader->open->source = copied(reader->words[1].text);
    return true;
}

static bool read_kernel(struct reader *reader)
{
    free(reader->open->kernel);
    reader->open->kernel = copied(reader->words[1].text);
    return true;
}

static bool read_options(struct reader *reader)
{
    free(reader->open->options);
    reader->open->options = copied(reader->words[1].text);
    return true;
}

static bool extents(struct reader *reader, uint64_t *values)
{
    values[0] = values[1] = values[2] = 1;
    for (size_t i = 1; i < reader->count; i++) {
        if (!whole(reader, i, 0x7fffffff, &values[i - 1]))
            return false;
        if (values[i - 1] == 0)
            return fail(reader, i, "an extent is at least 1, not", "0");
    }
    return true;
}

static bool read_grid(struct reader *reader)
{
    return extents(reader, reader->open->grid);
}

static bool read_block(struct reader *reader)
{
    return extents(reader, reader->open->block);
}

static bool read_shared(struct reader *reader)
{
    return whole(reader, 1, UINT32_MAX, &reader->open->shared);
}

static bool read_local(struct reader *reader)
{
    struct fw_argument *made = argument(reader, FW_ARGUMENT_LOCAL);
    return made && whole(reader, 2, UINT32_MAX, &made->bytes);
}

static bool read_scalar(struct reader *reader)
{
    struct fw_argument *made = argument(reader, FW_ARGUMENT_SCALAR);
    if (!made || !element(reader, 2, &made->element))
        return false;
    made->bytes = fw_element_bytes(made->element);
    const char *text = reader->words[3].text;
    if (fw_element_is_float(made->element)) {
        double value;
        if (!real(reader, 3, &value))
            return false;
        fw_element_store(made->element, value, 0, made->scalar);
        return true;
    }
    bool is_signed = fw_element_name(made->element)[0] == 's';
    unsigned bits = (unsigned)made->bytes * 8;
    char *end;
    errno = 0;
    int64_t number = is_signed ? strtoll(text, &end, 10) : (int64_t)strtoull(text, &end, 10);
    if (!*text || *end || (!is_signed && *text == '-'))
        return fail(reader, 3, "not a whole number of the type:", text);
    bool fits = !errno;
    if (bits < 64 && is_signed)
        fits = fits && number >= -(1LL << (bits - 1)) && number < 1LL << (bits - 1);
    else if (bits < 64)
        fits = fits && (uint64_t)number >> bits == 0;
    if (!fits)
        return fail(reader, 3, "does not fit the type:", text);
    fw_element_store(made->element, 0, number, made->scalar);
    return true;
}

/* Numbers that integers of 64 bits are computed from. */
static bool in_range(struct reader *reader, size_t index, const struct fw_argument *made,
                     double value)
{
    return fw_element_is_float(made->element) || fabs(value) <= 9e18 ||
           fail(reader, index, "too large for integers:", reader->words[index].text);
}

static bool read_range(struct reader *reader, struct fw_argument *made)
{
    size_t rest = reader->count - 5;
    if (made->fill == FW_FILL_RANDOM) {
        if (rest == 0)
            return true;
        if (rest != 2)
            return fail(reader, reader->count, "the form is", "random [LOW HIGH]");
        if (!real(reader, 5, &made->low) || !real(reader, 6, &made->high))
            return false;
        double width = made->high - made->low;
        if (width <= 0 || (!fw_element_is_float(made->element) && width > 4294967296.0))
            return fail(reader, 6,
                        "the range must rise, an integer's by 4294967296 at most; not to",
                        reader->words[6].text);
        return in_range(reader, 5, made, made->low) && in_range(reader, 6, made, made->high);
    }
    if (made->fill == FW_FILL_RAMP) {
        if (rest != 3)
            return fail(reader, reader->count, "the form is", "ramp LOW STEP JITTER");
        return real(reader, 5, &made->low) && real(reader, 6, &made->step) &&
               whole(reader, 7, (1ULL << 48) - 1, &made->jitter) &&
               (made->jitter > 0 || fail(reader, 7, "jitter is at least 1, not", "0")) &&
               in_range(reader, 5, made, made->low) && in_range(reader, 6, made, made->step);
    }
    return rest == 0 ||
           fail(reader, 5, "this fill takes no numbers, such as", reader->words[5].text);
}

/* The largest integer of a type (of a float's bytes, which is more than any buffer has). */
static uint64_t widest(enum fw_element type)
{
    return UINT64_MAX >> (64 - 8 * fw_element_bytes(type) + (fw_element_name(type)[0] != 'u'));
}

static bool read_buffer(struct reader *reader)
{
    struct fw_argument *made = argument(reader, FW_ARGUMENT_BUFFER);
    if (!made || !element(reader, 2, &made->element) ||
        !whole(reader, 3, (uint64_t)1 << 40, &made->count))
        return false;
    if (made->count == 0)
        return fail(reader, 3, "a buffer has at least 1 element, not", "0");
    made->bytes = made->count * fw_element_bytes(made->element);
    made->high = 1;
    for (int i = 0; i < FW_FILL_COUNT; i++)
        if (strcmp(fills[i], reader->words[4].text) == 0) {
            made->fill = (enum fw_fill)i;
            bool orders = made->fill == FW_FILL_PERMUTATION || made->fill == FW_FILL_CYCLE;
            if (orders && made->count - 1 > widest(made->element))
                return fail(reader, 3, "the type is too narrow for an order of so many:",
                            reader->words[3].text);
            return read_range(reader, made);
        }
    return fail(reader, 4, "no such fill:", reader->words[4].text);
}

static bool read_output(struct reader *reader)
{
    struct fw_argument *found = find(reader, reader->words[1].text);
    if (!found || found->kind != FW_ARGUMENT_BUFFER)
        return fail(reader, 1, "no buffer before this line is named", reader->words[1].text);
    found->output = true;
    if (reader->count == 3 && strcmp(reader->words[2].text, "poison") != 0)
        return fail(reader, 2, "behind an output's name stands nothing or poison, not",
                    reader->words[2].text);
    found->poison = reader->count == 3;
    return true;
}

static bool read_restore(struct reader *reader)
{
    struct fw_argument *found = find(reader, reader->words[1].text);
    if (!found || found->kind != FW_ARGUMENT_BUFFER)
        return fail(reader, 1, "no buffer before this line is named", reader->words[1].text);
    return found->restore = true;
}

static bool read_read(struct reader *reader)
{
    struct fw_argument *found = find(reader, reader->words[1].text);
    if (!found || found->kind != FW_ARGUMENT_BUFFER)
        return fail(reader, 1, "no buffer before this line is named", reader->words[1].text);
    if (found->element == FW_ELEMENT_F16 || found->element == FW_ELEMENT_BF16)
        return fail(reader, 1, "elements of half types are not read back:", found->name);
    uint64_t most = found->count < MOST_READ ? found->count : MOST_READ;
    if (!whole(reader, 2, most, &found->read))
        return false;
    return found->read > 0 || fail(reader, 2, "at least 1 element is read, not", "0");
}

static bool read_pause(struct reader *reader)
{
    return seconds(reader, 1, &protocol(reader)->pause_seconds);
}

static bool read_process(struct reader *reader)
{
    const char *text = reader->words[1].text;
    bool together = strcmp(text, "together") == 0;
    if (!together && strcmp(text, "own") != 0)
        return fail(reader, 1, "a process is own or together, not", text);
    protocol(reader)->together = together;
    return true;
}

enum place { ANYWHERE, OUTSIDE, INSIDE };

static const struct {
    const char *name;
    enum place place;
    size_t least, most; /* words, the directive's name included */
    bool (*read)(struct reader *);
    const char *form;
} directives[] = {
    {"plan", OUTSIDE, 2, 2, read_version, "plan 1"},
    {"trials", ANYWHERE, 2, 2, read_trials, "trials COUNT"},
    {"warmup", ANYWHERE, 2, 2, read_warmup, "warmup LAUNCHES"},
    {"settle", ANYWHERE, 2, 2, read_settle, "settle SECONDS"},
    {"batch", ANYWHERE, 2, 2, read_batch, "batch LAUNCHES"},
    {"batches", ANYWHERE, 2, 2, read_batches, "batches COUNT"},
    {"cache", ANYWHERE, 2, 2, read_cache, "cache warm|cold"},
    {"energy", ANYWHERE, 1, 2, read_energy, "energy [SECONDS]"},
    {"limit", ANYWHERE, 2, 2, read_limit, "limit SECONDS"},
    {"pause", ANYWHERE, 2, 2, read_pause, "pause SECONDS"},
    {"process", ANYWHERE, 2, 2, read_process, "process own|together"},
    {"configuration", OUTSIDE, 2, 2, read_configuration, "configuration NAME"},
    {"source", INSIDE, 2, 2, read_source, "source FILE"},
    {"kernel", INSIDE, 2, 2, read_kernel, "kernel NAME"},
    {"options", INSIDE, 2, 2, read_options, "options TEXT"},
    {"grid", INSIDE, 2, 4, read_grid, "grid X [Y [Z]]"},
    {"block", INSIDE, 2, 4, read_block, "block X [Y [Z]]"},
    {"shared", INSIDE, 2, 2, read_shared, "shared BYTES"},
    {"scalar", INSIDE, 4, 4, read_scalar, "scalar NAME TYPE VALUE"},
    {"buffer", INSIDE, 5, 8, read_buffer, "buffer NAME TYPE COUNT FILL [NUMBERS]"},
    {"local", INSIDE, 3, 3, read_local, "local NAME BYTES"},
    {"output", INSIDE, 2, 3, read_output, "output NAME [poison]"},
    {"restore", INSIDE, 2, 2, read_restore, "restore NAME"},
    {"read", INSIDE, 3, 3, read_read, "read NAME COUNT"},
    {"end", INSIDE, 1, 1, read_end, "end"},
};

/* Splits a line in place: words between blanks, or in double quotes; # opens a comment. */
static bool split(struct reader *reader, char *line)
{
    char *at = line;
    reader->count = 0;
    reader->end_column = 1;
    for (;;) {
        at += strspn(at, " \t\r");
        if (!*at || *at == '#')
            return true;
        struct word word = {.text = at, .column = (uint32_t)(at - line) + 1};
        bool quoted = *at == '"';
        if (quoted)
            word.text = ++at;
        at += quoted ? strcspn(at, "\"") : strcspn(at, " \t\r");
        reader->end_column = (uint32_t)(at - line) + 1;
        if (reader->count == WORDS)
            reader->end_column = word.column;
        if (reader->count == WORDS)
            return fail(reader, WORDS, "too many words on a line", NULL);
        reader->words[reader->count++] = word;
        for (const char *byte = word.text; byte < at; byte++) /* names are lines of the output */
            if (((unsigned char)*byte < 0x20 && *byte != '\t') || *byte == 0x7f)
                return fail(reader, reader->count - 1, "a word has control characters", NULL);
        if (quoted && !*at)
            return fail(reader, reader->count - 1, "the quoted word does not end", NULL);
        if (!*at)
            return true;
        *at++ = '\0';
    }
}

static bool read_line(struct reader *reader, char *line)
{
    if (!split(reader, line))
        return false;
    if (reader->count == 0)
        return true;
    const char *name = reader->words[0].text;
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++) {
        if (strcmp(directives[i].name, name) != 0)
            continue;
        if (!reader->versioned && i != 0)
            return fail(reader, 0, "a plan opens with the line", "plan 1");
        if (directives[i].place == INSIDE && !reader->open)
            return fail(reader, 0, "stands inside a configuration only:", name);
        if (directives[i].place == OUTSIDE && reader->open)
            return fail(reader, 0, "the configuration before has no end; found", name);
        return need(reader, directives[i].least, directives[i].most, directives[i].form) &&
               directives[i].read(reader);
    }
    return fail(reader, 0, "no such directive:", name);
}

bool fw_plan_read(struct fw_plan *plan, const char *path, const char *text,
                  struct fw_reason *reason)
{
    struct reader reader = {.plan = plan, .path = path, .reason = reason};
    reader.defaults = (struct fw_protocol){.trials = 60,
                                           .warmup = 3,
                                           .settle_seconds = 0.1,
                                           .batches = 10,
                                           .energy_seconds = 3,
                                           .limit_seconds = 120};
    memset(plan, 0, sizeof *plan);
    plan->folder = copied(path);
    char *slash = strrchr(plan->folder, '/');
    if (slash)
        slash[slash == plan->folder] = '\0';
    else
        strcpy(plan->folder, strlen(plan->folder) ? "." : "");
    char *copy = copied(text), *line = copy;
    bool good = true;
    while (good && line) {
        char *next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        reader.line++;
        good = read_line(&reader, line);
        line = next;
    }
    reader.count = 0;
    if (good && reader.open)
        good = fail(&reader, 0, "the plan ends inside the configuration", reader.open->name);
    if (good && !reader.versioned)
        good = fail(&reader, 0, "a plan opens with the line", "plan 1");
    free(copy);
    if (!good)
        fw_plan_free(plan);
    return good;
}

void fw_plan_free(struct fw_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++) {
        struct fw_configuration *one = &plan->configurations[i];
        for (size_t j = 0; j < one->argument_count; j++)
            free(one->arguments[j].name);
        free(one->arguments);
        free(one->name);
        free(one->source);
        free(one->kernel);
        free(one->options);
    }
    free(plan->configurations);
    free(plan->folder);
    memset(plan, 0, sizeof *plan);
}

char *fw_plan_source(const struct fw_plan *plan, const struct fw_configuration *configuration)
{
    struct fw_growing path = {0};
    if (configuration->source[0] != '/')
        fw_growing_add(&path, "%s/", plan->folder);
    fw_growing_add(&path, "%s", configuration->source);
    return path.text;
}

static uint64_t mix(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ at[i]) * 0x100000001b3ULL;
    return hash;
}

uint64_t fw_configuration_fingerprint(const struct fw_configuration *configuration,
                                      const char *source)
{
    const struct fw_configuration *c = configuration;
    const struct fw_protocol *p = &c->protocol;
    struct fw_growing text = {0};
    fw_growing_add(&text, "%s|%s|%s|", c->name, c->kernel, c->options);
    for (int i = 0; i < 3; i++)
        fw_growing_add(&text, "%llu %llu ", (unsigned long long)c->grid[i],
                       (unsigned long long)c->block[i]);
    fw_growing_add(&text, "%llu|%u %u %.17g %u %u %d %d %.17g|", (unsigned long long)c->shared,
                   p->trials, p->warmup, p->settle_seconds, p->batch, p->batches, p->cold,
                   p->energy, p->energy ? p->energy_seconds : 0);
    for (size_t i = 0; i < c->argument_count; i++) {
        const struct fw_argument *a = &c->arguments[i];
        fw_growing_add(&text, "%d %s %d %d %llu %llu %.17g %.17g %.17g %llu %d%d%d ", a->kind,
                       a->name, a->element, a->fill, (unsigned long long)a->count,
                       (unsigned long long)a->bytes, a->low, a->high, a->step,
                       (unsigned long long)a->jitter, a->output, a->poison, a->restore);
        for (int j = 0; j < 8; j++)
            fw_growing_add(&text, "%02x", a->scalar[j]);
        if (a->read) /* nothing otherwise: what was recorded before this could be said stays valid
                      */
            fw_growing_add(&text, " read %llu ", (unsigned long long)a->read);
    }
    uint64_t hash = mix(0xcbf29ce484222325ULL, text.text, text.length);
    free(text.text);
    return mix(hash, source, strlen(source));
}
