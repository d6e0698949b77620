/* Predicting the configurations of a ranking, on all processors. */
#include "rank.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { MOST_THREADS = 64, SHOWN_EVERY = 64 };

/* What one thread works with. */
struct labour {
    struct rank_run *run;
    struct fw_arena *arena;
    struct fw_worker *worker;
    bool made; /* the worker and the program are those of `variant`, if there are */
    size_t variant;
    struct fw_program *program; /* kernel language: the variant's */
    const char *refused;        /* the variant makes no worker: why, if it was told */
    const struct fw_rank_row *best;
    const char *model;               /* that answered last; a model's own text */
    struct rank_sentences sentences; /* of the best */
};

/* The first error of the configuration that this thread predicts. */
static _Thread_local struct rank_failure *failing;

void rank_catch(struct rank_failure *failure)
{
    failing = failure;
}

/* "matmul.knl:7: a sentence: its first note" */
static const char *sentence_of(struct fw_arena *arena, const struct fw_diagnostic *diagnostic)
{
    struct fw_buffer text = fw_buffer_new(arena);
    struct fw_position at = fw_span_position(diagnostic->span);
    if (diagnostic->span.source)
        fw_buffer_printf(&text, at.line ? "%s:%u: " : "%s: ", diagnostic->span.source->name,
                         at.line);
    fw_buffer_printf(&text, diagnostic->note_count ? "%s: %s" : "%s", diagnostic->message,
                     diagnostic->note_count ? diagnostic->notes[0] : "");
    return text.text;
}

static void keep_first(void *user, const struct fw_diagnostic *diagnostic)
{
    const struct fw_context *context = user;
    if (failing && strcmp(diagnostic->code, "API090") == 0)
        failing->late = true;
    if (!failing)
        context->sink.report(context->sink.user, diagnostic);
    else if (diagnostic->severity == FW_ERROR && !failing->text) {
        failing->text = sentence_of(failing->arena, diagnostic);
        failing->code = fw_arena_printf(failing->arena, "%s", diagnostic->code);
    }
    if (failing && diagnostic->severity == FW_ERROR)
        fw_session_told_error();
}

struct fw_sink rank_sink(const struct fw_context *context)
{
    union { /* the sink only reads */
        const struct fw_context *from;
        void *to;
    } cast = {context};
    return (struct fw_sink){keep_first, cast.to};
}

static void drop_worker(struct labour *labour)
{
    fw_session_worker_free(labour->worker);
    fw_session_program_free(labour->program);
    labour->worker = NULL;
    labour->program = NULL;
    labour->made = false;
}

/* A variant of the kernel language: the text that was read, with other constants. */
static enum fw_status make_variant(struct labour *labour, const struct fw_kernel **kernel)
{
    const struct rank_plan *plan = labour->run->plan;
    const struct fw_program *base = plan->base;
    enum fw_status status =
        fw_session_program_parse(&labour->program, plan->quiet, base->file, base->source.text,
                                 base->source.length, &plan->options[labour->variant]);
    return status ? status
                  : fw_session_program_kernel(kernel, labour->program, plan->settings->kernel);
}

/* The worker of a configuration's program; made when the thread's last one was another's. */
static enum fw_status take_worker(struct labour *labour, size_t variant)
{
    const struct rank_plan *plan = labour->run->plan;
    const struct fw_kernel *kernel = plan->kernels[variant];
    const struct fw_program *program = plan->items[variant].program;
    enum fw_status status = FW_OK;
    if (!labour->made || labour->variant != variant) {
        drop_worker(labour);
        labour->variant = variant;
        labour->made = true;
        if (plan->input->launch_follows)
            status = make_variant(labour, &kernel);
        if (!status && kernel)
            status = fw_session_worker_new(
                &labour->worker, plan->input->launch_follows ? labour->program : program, kernel);
        labour->refused = failing->text;
    }
    if (labour->worker)
        return FW_OK;
    failing->text = labour->refused;
    return status ? status : FW_ERROR_INPUT;
}

/* What of an answer a row holds. */
static void take_answer(struct labour *labour, struct fw_rank_row *row,
                        const struct fw_answer *answer)
{
    const struct fw_prediction *prediction = &answer->predictions[0];
    const struct fw_address_kernel *addresses = labour->worker->addresses;
    memcpy(row->grid, answer->grid, sizeof(row->grid));
    memcpy(row->block, answer->block, sizeof(row->block));
    for (int d = 0; d < 3; d++)
        row->coarsening[d] =
            addresses ? addresses->coarsening[d] : rank_points_of_thread(labour->run->plan, d);
    labour->model = prediction->model;
    row->seconds = prediction->seconds;
    if (labour->run->low) {
        size_t c = (size_t)(row - labour->run->rows);
        labour->run->low[c] = prediction->has_interval ? prediction->low : row->seconds;
        labour->run->high[c] = prediction->has_interval ? prediction->high : row->seconds;
    }
    row->limiter = prediction->limiter;
    row->has_overhead = prediction->has_overhead;
    row->overhead_seconds = prediction->overhead_seconds;
    row->has_occupancy = prediction->has_occupancy;
    row->resident_blocks = prediction->resident_blocks;
    row->occupancy = prediction->occupancy;
    row->waves = prediction->waves;
    row->has_watts = prediction->has_watts;
    row->watts = prediction->watts;
    row->joules = prediction->joules;
    row->quantity_count = prediction->quantity_count;
    row->quantities = fw_arena_copy(labour->arena, prediction->quantities,
                                    prediction->quantity_count * sizeof(*prediction->quantities));
    row->term_count = prediction->term_count;
    row->terms = fw_arena_copy(labour->arena, prediction->terms,
                               prediction->term_count * sizeof(*prediction->terms));
}

/* Whether a configuration is faster than another (NULL: there is none), or as fast and before it.
 */
static bool is_better(const struct fw_rank_row *row, const struct fw_rank_row *other)
{
    if (!other || row->seconds != other->seconds)
        return !other || row->seconds < other->seconds;
    return row->number < other->number;
}

/* What the thread's fastest prediction leaned on and does not model: it stands for all.  Where each
 * is asked for, that of each. */
static void keep_sentences(struct labour *labour, const struct fw_rank_row *row,
                           const struct fw_answer *answer)
{
    const struct fw_prediction *prediction = &answer->predictions[0];
    struct rank_sentences *told = labour->run->told;
    if (!told && !is_better(row, labour->best))
        return;
    const char **unknowns = FW_ARRAY(labour->arena, const char *, answer->unknown_count + 1);
    const char **not_modelled =
        FW_ARRAY(labour->arena, const char *, prediction->not_modelled_count + 1);
    for (size_t u = 0; u < answer->unknown_count; u++)
        unknowns[u] = fw_arena_printf(labour->arena, "%s", answer->unknowns[u].name);
    for (size_t l = 0; l < prediction->not_modelled_count; l++)
        not_modelled[l] = fw_arena_printf(labour->arena, "%s", prediction->not_modelled[l]);
    labour->best = row;
    labour->sentences =
        (struct rank_sentences){.number = row->number,
                                .model = labour->model,
                                .unknowns = unknowns,
                                .unknown_count = answer->unknown_count,
                                .not_modelled = not_modelled,
                                .not_modelled_count = prediction->not_modelled_count};
    if (told)
        told[row - labour->run->rows] = labour->sentences;
}

static void predict(struct labour *labour, size_t configuration)
{
    struct rank_run *run = labour->run;
    const struct rank_plan *plan = run->plan;
    struct fw_rank_row *row = &run->rows[configuration];
    struct rank_failure failure = {.arena = labour->arena};
    const struct fw_answer *answer = NULL;
    size_t variant = plan->variant_of[configuration], point = plan->chosen[configuration];
    row->number = point;
    row->values = rank_values_at(plan, labour->arena, point);
    failing = &failure;
    enum fw_status status = take_worker(labour, variant);
    if (!status)
        status = rank_bind(plan, labour->worker, point);
    if (!status)
        status = fw_session_worker_predict(&answer, labour->worker, plan->settings->device,
                                           plan->settings->predict);
    failing = NULL;
    if (failure.late && !atomic_exchange(&run->late, true))
        fw_session_error(plan->context, "API090", "%s", failure.text);
    if (!status && answer->prediction_count) {
        take_answer(labour, row, answer);
        keep_sentences(labour, row, answer);
        if (!plan->input->launch_follows) /* else transformations keep the work as it is */
            rank_measure_work(row, labour->worker);
        return;
    }
    bool varies = false;
    for (size_t a = plan->program_axes; a < plan->axes.count; a++)
        varies |= plan->axes.at[a].kind == RANK_BLOCKS;
    struct rank_problem problem;
    if (!varies || !rank_block_at(row->block, plan, point, &problem))
        memset(row->block, 0, sizeof(row->block));
    row->failure = failure.text                ? failure.text
                   : !labour->worker           ? "it could not be compiled"
                   : status == FW_ERROR_MEMORY ? "out of memory"
                                               : "it could not be predicted";
}

static enum fw_status find_model(void *user)
{
    struct labour *labour = user;
    for (size_t c = 0;
         c < labour->run->plan->count && !labour->model && !atomic_load(&labour->run->late); c++)
        predict(labour, c);
    return FW_OK;
}

const char *rank_find_model(struct rank_run *run, struct fw_rank_row *sample)
{
    struct rank_run trial = {.plan = run->plan, .arenas = run->arenas};
    struct labour labour = {.run = &trial, .arena = fw_arena_new(run->plan->context->memory)};
    if (!labour.arena)
        return NULL;
    trial.rows = FW_ARRAY(run->plan->arena, struct fw_rank_row, run->plan->count);
    static const struct fw_session_limit limit = {.doing = "ranking", .many = true};
    fw_session_guard_within(run->plan->context, &limit, labour.arena, NULL, find_model, &labour);
    drop_worker(&labour);
    if (labour.best) { /* kinds of quantities are their models' own tables */
        size_t bytes = labour.best->quantity_count * sizeof(*labour.best->quantities);
        sample->quantities = fw_arena_copy(run->plan->arena, labour.best->quantities, bytes);
        sample->quantity_count = labour.best->quantity_count;
    }
    fw_arena_free(labour.arena);
    atomic_store(&run->late, atomic_load(&trial.late));
    return labour.model;
}

static void *work(void *user)
{
    struct labour *labour = user;
    struct rank_run *run = labour->run;
    const struct fw_rank_settings *settings = run->plan->settings;
    jmp_buf full;
    fw_arena_on_exhausted(labour->arena, &full);
    if (setjmp(full)) { /* what is left stays without a prediction */
        failing = NULL;
        return NULL;
    }
    for (;;) {
        size_t first, last;
        if (settings->take && !run->order) {
            settings->take(settings->take_user, &first, &last);
        } else {
            first = atomic_fetch_add(&run->next, run->stride);
            last = first + run->stride;
        }
        if (first >= run->count || atomic_load(&run->late))
            break;
        for (size_t c = first; c < last && c < run->count; c++) {
            if (run->order) {
                predict(labour, run->order[c]);
            } else if (!run->known[c]) {
                predict(labour, c);
                rank_journal_add(&run->journal, labour->arena, &run->rows[c],
                                 labour->best == &run->rows[c] ? &labour->sentences : NULL);
            }
            size_t done = atomic_fetch_add(&run->done, 1) + 1;
            if (settings->progress && !run->order &&
                (run->stride > 1 || done % SHOWN_EVERY == 0 || done == run->plan->count))
                settings->progress(settings->user, done, run->plan->count);
        }
    }
    return NULL;
}

/* What the fastest configuration leans on and leaves out stands for all. */
static void tell(struct rank_run *run, const struct labour *labours, size_t count)
{
    const struct fw_rank_row *best = NULL;
    for (size_t c = 0; c < run->plan->count; c++)
        if (!run->rows[c].failure && is_better(&run->rows[c], best))
            best = &run->rows[c];
    for (size_t t = 0; t < count && best; t++)
        if (labours[t].best == best)
            run->best = labours[t].sentences;
    for (size_t s = 0; s < run->sentences.count && best; s++)
        if (run->sentences.at[s].number == best->number)
            run->best = run->sentences.at[s];
}

/* Of a variant that a thread has to make, it takes as many configurations as leave work to all. */
static size_t stride_of(const struct rank_run *run, size_t threads)
{
    const struct rank_plan *plan = run->plan;
    size_t each = plan->count / plan->programs, fair = plan->count / (4 * threads);
    if (!plan->input->launch_follows || fair <= 1 || run->order)
        return 1;
    return each < fair ? each : fair;
}

enum fw_status rank_run(struct rank_run *run)
{
    pthread_t threads[MOST_THREADS];
    struct labour labours[MOST_THREADS] = {{0}};
    bool started[MOST_THREADS] = {false};
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t most = run->plan->settings->workers;
    most = most ? most : processors > 0 ? (size_t)processors : 1;
    most = most < MOST_THREADS ? most : MOST_THREADS;
    if (!run->order)
        run->count = run->plan->count;
    atomic_store(&run->next, 0);
    atomic_store(&run->done, 0);
    run->threads = 0;
    most = most < run->count ? most : run->count;
    run->stride = stride_of(run, most);
    for (size_t t = 0; t < most; t++) {
        if (!run->arenas[t])
            run->arenas[t] = fw_arena_new(run->plan->context->memory);
        labours[t] = (struct labour){.run = run, .arena = run->arenas[t]};
        run->threads += run->arenas[t] != NULL;
        if (run->arenas[t] && t > 0)
            started[t] = pthread_create(&threads[t], NULL, work, &labours[t]) == 0;
    }
    if (!run->threads)
        return FW_ERROR_MEMORY;
    if (labours[0].arena)
        work(&labours[0]);
    for (size_t t = 1; t < most; t++)
        if (started[t])
            pthread_join(threads[t], NULL);
    for (size_t t = 0; t < most; t++) {
        if (labours[t].arena)
            fw_arena_on_exhausted(labours[t].arena, NULL);
        drop_worker(&labours[t]);
    }
    if (atomic_load(&run->late))
        return FW_ERROR_BUDGET;
    if (atomic_load(&run->done) != run->count && !run->plan->settings->take)
        return FW_ERROR_MEMORY;
    for (size_t c = 0; c < run->plan->count; c++)
        if (!run->rows[c].values) {
            run->rows[c].number = run->plan->chosen[c];
            run->rows[c].values = rank_values_at(run->plan, run->arenas[0], run->plan->chosen[c]);
            run->rows[c].failure = "another process predicts it";
        }
    tell(run, labours, most);
    return FW_OK;
}
