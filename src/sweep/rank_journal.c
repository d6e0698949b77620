/* Journals of rankings: configurations that are done, as lines of text, so that a ranking goes on
 * where it was ended, and parts of it that several machines predicted become one.
 *
 *     forewarp-ranking 1 HASH                what is ranked
 *     row NUMBER ...                         a configuration; numbers as %a, exact to the bit
 *     best NUMBER MODEL ...                  what the prediction of a fast one leaned on
 *
 * Words are separated by a blank; a byte of a text that is a blank, a percent sign or no printable
 * ASCII stands as %XX.  A last line without its end was cut off by the end of a process, and counts
 * as not written. */
#include "rank.h"

#include "file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_ITEMS = 64 };

/* ---- writing ---- */

static void add_text(struct fw_buffer *line, const char *text)
{
    fw_buffer_printf(line, text ? " =" : " -");
    for (; text && *text; text++)
        if (*text > ' ' && *text < 0x7f && *text != '%')
            fw_buffer_add(line, text, 1);
        else
            fw_buffer_printf(line, "%%%02X", (unsigned char)*text);
}

static void add_triple(struct fw_buffer *line, const uint32_t at[3])
{
    fw_buffer_printf(line, " %u %u %u", at[0], at[1], at[2]);
}

static void row_line(struct fw_buffer *line, const struct fw_rank_row *row)
{
    fw_buffer_printf(line, "row %zu", row->number);
    add_text(line, row->failure);
    add_triple(line, row->grid);
    add_triple(line, row->block);
    add_triple(line, row->coarsening);
    fw_buffer_printf(line, " %a", row->seconds);
    add_text(line, row->limiter);
    fw_buffer_printf(line, " %d %a %d %u %a %a %d %a %a %d %a %a", row->has_overhead,
                     row->overhead_seconds, row->has_occupancy, row->resident_blocks,
                     row->occupancy, row->waves, row->has_watts, row->watts, row->joules,
                     row->has_work, row->written_bytes, row->operations);
    fw_buffer_printf(line, " %zu", row->quantity_count);
    for (size_t q = 0; q < row->quantity_count; q++) {
        const struct fw_quantity_row *quantity = &row->quantities[q];
        add_text(line, quantity->kind->key);
        fw_buffer_printf(line, " %a %a %a %a", quantity->value, quantity->parts[0],
                         quantity->parts[1], quantity->parts[2]);
    }
    fw_buffer_printf(line, " %zu", row->term_count);
    for (size_t t = 0; t < row->term_count; t++) {
        add_text(line, row->terms[t].name);
        fw_buffer_printf(line, " %a", row->terms[t].seconds);
    }
    fw_buffer_printf(line, "\n");
}

static void best_line(struct fw_buffer *line, const struct fw_rank_row *row,
                      const struct rank_sentences *sentences)
{
    fw_buffer_printf(line, "best %zu", row->number);
    add_text(line, sentences->model);
    fw_buffer_printf(line, " %zu", sentences->unknown_count);
    for (size_t u = 0; u < sentences->unknown_count; u++)
        add_text(line, sentences->unknowns[u]);
    fw_buffer_printf(line, " %zu", sentences->not_modelled_count);
    for (size_t n = 0; n < sentences->not_modelled_count; n++)
        add_text(line, sentences->not_modelled[n]);
    fw_buffer_printf(line, "\n");
}

void rank_journal_add(struct rank_journal *journal, struct fw_arena *arena,
                      const struct fw_rank_row *row, const struct rank_sentences *best)
{
    struct fw_buffer line = fw_buffer_new(arena);
    if (!journal->file)
        return;
    if (best)
        best_line(&line, row, best);
    row_line(&line, row);
    pthread_mutex_lock(&journal->lock);
    if (fwrite(line.text, 1, line.length, journal->file) != line.length ||
        fflush(journal->file) == EOF)
        journal->failed = true;
    pthread_mutex_unlock(&journal->lock);
}

/* ---- reading ---- */

struct words {
    struct fw_arena *arena;
    char *at;
    bool good;
};

static char *next_word(struct words *words)
{
    char *word = words->at + strspn(words->at, " ");
    size_t length = strcspn(word, " ");
    words->good = words->good && length > 0;
    words->at = word + length;
    if (*words->at)
        *words->at++ = '\0';
    return word;
}

static int hexadecimal(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static const char *next_text(struct words *words)
{
    char *word = next_word(words);
    if (strcmp(word, "-") == 0)
        return NULL;
    words->good = words->good && *word == '=';
    if (!words->good)
        return NULL;
    char *text = fw_arena_alloc(words->arena, strlen(word)), *to = text;
    for (const char *from = word + 1; *from; from++, to++) {
        *to = *from;
        if (*from != '%')
            continue;
        int high = hexadecimal(from[1]), low = high < 0 ? -1 : hexadecimal(from[2]);
        words->good = words->good && low >= 0 && (high || low);
        if (!words->good)
            break;
        *to = (char)(high << 4 | low);
        from += 2;
    }
    *to = '\0';
    return text;
}

static uint64_t next_whole(struct words *words, uint64_t most)
{
    const char *word = next_word(words);
    char *end;
    errno = 0;
    unsigned long long value = *word >= '0' && *word <= '9' ? strtoull(word, &end, 10) : 0;
    words->good = words->good && *word >= '0' && *word <= '9' && !*end && !errno && value <= most;
    return words->good ? value : 0;
}

static double next_number(struct words *words)
{
    const char *word = next_word(words);
    char *end;
    double value = strtod(word, &end);
    words->good = words->good && end != word && !*end && isfinite(value);
    return words->good ? value : 0;
}

static void next_triple(struct words *words, uint32_t at[3])
{
    for (int d = 0; d < 3; d++)
        at[d] = (uint32_t)next_whole(words, UINT32_MAX);
}

static const struct fw_quantity_kind *kind_of(const struct rank_plan *plan, const char *key)
{
    for (size_t q = 0; key && q < plan->sample.quantity_count; q++)
        if (strcmp(plan->sample.quantities[q].kind->key, key) == 0)
            return plan->sample.quantities[q].kind;
    return NULL;
}

static void read_quantities(const struct rank_plan *plan, struct words *words,
                            struct fw_rank_row *row)
{
    size_t count = next_whole(words, MOST_ITEMS);
    struct fw_quantity_row *quantities = FW_ARRAY(words->arena, struct fw_quantity_row, count + 1);
    for (size_t q = 0; q < count && words->good; q++) {
        quantities[q].kind = kind_of(plan, next_text(words));
        quantities[q].value = next_number(words);
        for (int p = 0; p < 3; p++)
            quantities[q].parts[p] = next_number(words);
        words->good = words->good && quantities[q].kind;
    }
    row->quantities = quantities;
    row->quantity_count = count;
    row->term_count = next_whole(words, MOST_ITEMS);
    struct fw_cost_row *terms = FW_ARRAY(words->arena, struct fw_cost_row, row->term_count + 1);
    for (size_t t = 0; t < row->term_count && words->good; t++) {
        terms[t].name = next_text(words);
        terms[t].seconds = next_number(words);
        words->good = words->good && terms[t].name;
    }
    row->terms = terms;
}

/* The configuration of a point; SIZE_MAX: there is none. */
static size_t find(const struct rank_plan *plan, size_t point)
{
    size_t low = 0, high = plan->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (plan->chosen[middle] < point)
            low = middle + 1;
        else
            high = middle;
    }
    return low < plan->count && plan->chosen[low] == point ? low : SIZE_MAX;
}

static bool read_row(struct rank_run *run, struct words *words)
{
    const struct rank_plan *plan = run->plan;
    struct fw_rank_row row = {.number = next_whole(words, SIZE_MAX)};
    row.failure = next_text(words);
    next_triple(words, row.grid);
    next_triple(words, row.block);
    next_triple(words, row.coarsening);
    row.seconds = next_number(words);
    row.limiter = next_text(words);
    row.has_overhead = next_whole(words, 1);
    row.overhead_seconds = next_number(words);
    row.has_occupancy = next_whole(words, 1);
    row.resident_blocks = (uint32_t)next_whole(words, UINT32_MAX);
    row.occupancy = next_number(words);
    row.waves = next_number(words);
    row.has_watts = next_whole(words, 1);
    row.watts = next_number(words);
    row.joules = next_number(words);
    row.has_work = next_whole(words, 1);
    row.written_bytes = next_number(words);
    row.operations = next_number(words);
    read_quantities(plan, words, &row);
    size_t c = words->good ? find(plan, row.number) : SIZE_MAX;
    if (c == SIZE_MAX) /* another part's */
        return words->good;
    row.values = rank_values_at(plan, words->arena, row.number);
    run->rows[c] = row;
    run->known[c] = true;
    return true;
}

static const char *const *read_texts(struct words *words, size_t *count)
{
    *count = next_whole(words, 4096);
    const char **texts = FW_ARRAY(words->arena, const char *, *count + 1);
    for (size_t t = 0; t < *count && words->good; t++)
        texts[t] = next_text(words);
    return texts;
}

static bool read_best(struct rank_run *run, struct words *words)
{
    struct rank_sentences sentences = {.number = next_whole(words, SIZE_MAX)};
    sentences.model = next_text(words);
    sentences.unknowns = read_texts(words, &sentences.unknown_count);
    sentences.not_modelled = read_texts(words, &sentences.not_modelled_count);
    if (words->good)
        *FW_APPEND(words->arena, &run->sentences) = sentences;
    return words->good;
}

static enum fw_status refuse(const struct rank_plan *plan, const char *path, const char *why)
{
    fw_report_file(&plan->context->sink, FW_ERROR, "API067", path, "%s", why);
    return FW_ERROR_INPUT;
}

/* What is ranked, so that no rows of another question are taken. */
static uint64_t question_of(const struct rank_plan *plan)
{
    const struct fw_rank_settings *settings = plan->settings;
    struct fw_buffer text = fw_buffer_new(plan->arena);
    const struct fw_program_options *options = settings->options;
    const struct fw_predict_settings *predict = settings->predict;
    fw_buffer_printf(&text, "%s %s %zu %zu", fw_version(), settings->device->name, plan->points,
                     plan->restricted);
    add_text(&text, settings->device->title);
    add_text(&text, settings->kernel);
    add_text(&text, settings->grid_expression);
    add_text(&text, settings->shared_expression);
    add_text(&text, predict->models);
    fw_buffer_printf(&text, " %d %a %u %llu %d %llu", predict->cold, predict->clock,
                     settings->registers, (unsigned long long)settings->shared,
                     settings->has_static_shared, (unsigned long long)settings->static_shared);
    add_triple(&text, settings->grid);
    add_triple(&text, settings->block);
    add_triple(&text, options->coarsening);
    for (size_t v = 0; v < settings->vary_count; v++)
        add_text(&text, settings->vary[v]);
    for (size_t b = 0; b < settings->binding_count; b++)
        add_text(&text, settings->bindings[b]);
    for (size_t w = 0; w < settings->where_count; w++)
        add_text(&text, settings->where[w]);
    for (size_t d = 0; d < settings->domain_count; d++)
        add_text(&text, settings->domain[d]);
    for (size_t d = 0; d < options->define_count; d++)
        add_text(&text, options->defines[d]);
    struct fw_source source = {NULL, NULL, 0};
    if (strcmp(settings->path, "-") != 0 &&
        fw_session_read_bytes(&source, plan->arena, plan->context, settings->path) == FW_OK)
        fw_buffer_printf(&text, " %llx", (unsigned long long)fw_hash(source.text, source.length));
    return fw_hash(text.text, text.length);
}

static enum fw_status read_lines(struct rank_run *run, const char *path, char *text)
{
    struct words words = {.arena = run->plan->arena, .good = true};
    char told[64];
    for (unsigned line = 1; *text; line++) {
        char *end = strchr(text, '\n');
        if (!end) /* cut off */
            break;
        *end = '\0';
        words.at = text;
        words.good = true;
        const char *first = *text ? next_word(&words) : "";
        bool good = true;
        if (strcmp(first, "row") == 0)
            good = read_row(run, &words);
        else if (strcmp(first, "best") == 0)
            good = read_best(run, &words);
        else if (*first)
            good = line == 1;
        if (!good) {
            snprintf(told, sizeof(told), "line %u is no line of a journal of rankings", line);
            return refuse(run->plan, path, told);
        }
        text = end + 1;
    }
    return FW_OK;
}

/* Takes the rows of a journal; `*whole` is the length of its whole lines. */
static enum fw_status read_journal(struct rank_run *run, const char *path, size_t *whole)
{
    const struct rank_plan *plan = run->plan;
    struct fw_source source;
    char head[64];
    enum fw_status status = fw_session_read_file(&source, plan->arena, plan->context, path);
    if (status)
        return status;
    *whole = source.length;
    while (*whole && source.text[*whole - 1] != '\n')
        --*whole;
    snprintf(head, sizeof(head), "forewarp-ranking 1 %016llx\n",
             (unsigned long long)question_of(plan));
    if (*whole == 0)
        return FW_OK;
    if (strncmp(source.text, "forewarp-ranking 1 ", strlen("forewarp-ranking 1 ")) != 0)
        return refuse(plan, path, "this is no journal of a ranking");
    if (strncmp(source.text, head, strlen(head)) != 0)
        return refuse(plan, path,
                      "it is of another ranking: another kernel, device, version, or what varies");
    return read_lines(run, path, fw_arena_text(plan->arena, source.text, source.length));
}

enum fw_status rank_journal_open(struct rank_journal *journal, struct rank_run *run)
{
    const struct fw_rank_settings *settings = run->plan->settings;
    const char *path = settings->journal;
    enum fw_status status = FW_OK;
    size_t whole = 0;
    for (size_t m = 0; m < settings->merge_count && !status; m++)
        status = read_journal(run, settings->merge[m], &whole);
    FILE *there = path && !status ? fopen(path, "r") : NULL;
    whole = 0;
    if (there) {
        fclose(there);
        status = read_journal(run, path, &whole);
        if (!status && truncate(path, (off_t)whole) != 0) /* a line that was cut off */
            status =
                refuse(run->plan, path, "its last line, which is not whole, cannot be removed");
    }
    if (status || !path)
        return status;
    journal->file = fopen(path, "a");
    if (!journal->file) {
        fw_report_file(&run->plan->context->sink, FW_ERROR, "API067", path, "cannot be written: %s",
                       strerror(errno));
        return FW_ERROR_MACHINE;
    }
    pthread_mutex_init(&journal->lock, NULL);
    if (whole == 0)
        fprintf(journal->file, "forewarp-ranking 1 %016llx\n",
                (unsigned long long)question_of(run->plan));
    return FW_OK;
}

enum fw_status rank_journal_close(struct rank_journal *journal, const struct rank_plan *plan)
{
    if (!journal->file)
        return FW_OK;
    bool failed = fclose(journal->file) == EOF || journal->failed;
    journal->file = NULL;
    pthread_mutex_destroy(&journal->lock);
    if (!failed)
        return FW_OK;
    fw_report_file(&plan->context->sink, FW_ERROR, "API067", plan->settings->journal,
                   "it could not be written whole");
    return FW_ERROR_MACHINE;
}
