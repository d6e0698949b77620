/* Many compilations at once: threads that each wait for a child. */
#include "compile_internal.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { MOST_WORKERS = 256, LARGEST_JOB = 1 << 30 };

/* A diagnostic kept until its turn. */
struct kept_diagnostic {
    struct kept_diagnostic *next;
    struct fw_diagnostic diagnostic;
};

struct slot {
    struct fw_arena *arena; /* of this job; NULL without memory */
    struct kept_diagnostic *first, **last;
};

struct batch {
    struct fw_compile_job *jobs;
    struct slot *slots;
    const struct fw_compiler *found[2][2]; /* by language; and whether it was looked for */
    size_t count, next, done;
    const struct fw_compile_progress *progress;
    pthread_mutex_t lock;
};

static void keep(void *user, const struct fw_diagnostic *diagnostic)
{
    struct slot *slot = user;
    struct kept_diagnostic *kept = FW_NEW(slot->arena, struct kept_diagnostic);
    const char **notes = FW_ARRAY(slot->arena, const char *, diagnostic->note_count + 1);
    kept->diagnostic = *diagnostic;
    kept->diagnostic.message = fw_arena_printf(slot->arena, "%s", diagnostic->message);
    for (size_t i = 0; i < diagnostic->note_count; i++)
        notes[i] = fw_arena_printf(slot->arena, "%s", diagnostic->notes[i]);
    kept->diagnostic.notes = notes;
    *slot->last = kept;
    slot->last = &kept->next;
}

static void do_job(struct batch *batch, size_t i)
{
    struct fw_compile_job *job = &batch->jobs[i];
    struct slot *slot = &batch->slots[i];
    slot->arena = fw_arena_new(LARGEST_JOB);
    slot->last = &slot->first;
    job->status = FW_ERROR_MEMORY;
    if (!slot->arena)
        return;
    struct fw_compile_options options = job->options;
    if (!options.found && !options.compiler)
        options.found = batch->found[options.language == FW_LANGUAGE_OPENCL][0];
    struct fw_sink sink = {keep, slot};
    job->status = fw_compile(&job->compiled, slot->arena, &job->input, &options, &sink);
}

static void *work(void *user)
{
    struct batch *batch = user;
    for (;;) {
        pthread_mutex_lock(&batch->lock);
        size_t i = batch->next < batch->count ? batch->next++ : batch->count;
        pthread_mutex_unlock(&batch->lock);
        if (i == batch->count)
            return NULL;
        do_job(batch, i);
        pthread_mutex_lock(&batch->lock);
        batch->done++;
        if (batch->progress && batch->progress->tell)
            batch->progress->tell(batch->progress->user, batch->done, batch->count);
        pthread_mutex_unlock(&batch->lock);
    }
}

static const char *copy_text(struct fw_arena *arena, const char *text)
{
    return text ? fw_arena_text(arena, text, strlen(text)) : NULL;
}

static void copy_signatures(struct fw_signatures *to, const struct fw_signatures *from,
                            struct fw_arena *arena)
{
    *to = (struct fw_signatures){.embeds = from->embeds};
    for (size_t i = 0; i < from->kernels.count; i++) {
        const struct fw_signature *old = &from->kernels.at[i];
        struct fw_signature *kernel = FW_APPEND(arena, &to->kernels);
        *kernel = *old;
        kernel->name = copy_text(arena, old->name);
        memset(&kernel->parameters, 0, sizeof(kernel->parameters));
        for (size_t k = 0; k < old->parameters.count; k++) {
            struct fw_signature_parameter *parameter = FW_APPEND(arena, &kernel->parameters);
            *parameter = old->parameters.at[k];
            parameter->name = copy_text(arena, parameter->name);
            parameter->type = copy_text(arena, parameter->type);
        }
    }
}

/* Moves a job's result into the caller's arena. */
static void copy_result(struct fw_compiled *compiled, struct fw_arena *arena)
{
    struct fw_compiled old = *compiled;
    struct fw_source *source = FW_NEW(arena, struct fw_source);
    const char **dependencies = FW_ARRAY(arena, const char *, old.dependency_count + 1);
    source->name = copy_text(arena, old.source->name);
    source->text = fw_arena_text(arena, old.source->text, old.source->length);
    source->length = old.source->length;
    compiled->source = source;
    compiled->ptx = fw_arena_text(arena, old.ptx, old.ptx_length);
    compiled->compiler = copy_text(arena, old.compiler);
    compiled->command = copy_text(arena, old.command);
    compiled->confinement = copy_text(arena, old.confinement);
    for (size_t i = 0; i < old.dependency_count; i++)
        dependencies[i] = copy_text(arena, old.dependencies[i]);
    compiled->dependencies = dependencies;
    copy_signatures(&compiled->signatures, &old.signatures, arena);
}

/* Looks for each language's compiler once; a failure is told by the jobs themselves. */
static void find_compilers(struct batch *batch, struct fw_arena *arena)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct fw_compile_options *options = &batch->jobs[i].options;
        bool opencl = options->language == FW_LANGUAGE_OPENCL;
        if (options->found || options->compiler || batch->found[opencl][1])
            continue;
        struct fw_compiler *compiler = FW_NEW(arena, struct fw_compiler);
        batch->found[opencl][1] = compiler;
        if (fw_compiler_find(compiler, arena, options, NULL) == FW_OK)
            batch->found[opencl][0] = compiler;
    }
}

static void run_workers(struct batch *batch, unsigned workers)
{
    pthread_t threads[MOST_WORKERS];
    unsigned started = 0;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (workers == 0)
        workers = processors > 0 && processors < MOST_WORKERS ? (unsigned)processors : 1;
    workers = workers < MOST_WORKERS ? workers : MOST_WORKERS;
    workers = workers < batch->count ? workers : (unsigned)batch->count;
    /* This thread works, too: with no other thread to be had, all is done all the same. */
    while (started + 1 < workers && pthread_create(&threads[started], NULL, work, batch) == 0)
        started++;
    work(batch);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

/* Frees what is left; results that were not moved are gone. */
static void free_slots(struct batch *batch, bool finished)
{
    for (size_t i = 0; i < batch->count; i++) {
        if (!finished) {
            batch->jobs[i].compiled = (struct fw_compiled){0};
            batch->jobs[i].status = FW_ERROR_MEMORY;
        }
        if (batch->slots)
            fw_arena_free(batch->slots[i].arena);
    }
    pthread_mutex_destroy(&batch->lock);
}

/* Tells what the jobs had to say and moves their results, in order. */
static enum fw_status collect(struct batch *batch, struct fw_arena *arena,
                              const struct fw_sink *sink)
{
    enum fw_status first = FW_OK;
    for (size_t i = 0; i < batch->count; i++) {
        struct slot *slot = &batch->slots[i];
        for (const struct kept_diagnostic *kept = slot->first; kept && sink; kept = kept->next)
            sink->report(sink->user, &kept->diagnostic);
        if (batch->jobs[i].status == FW_OK)
            copy_result(&batch->jobs[i].compiled, arena);
        else if (first == FW_OK)
            first = batch->jobs[i].status;
        fw_arena_free(slot->arena);
        slot->arena = NULL;
    }
    return first;
}

enum fw_status fw_compile_batch(struct fw_compile_job *jobs, size_t count, unsigned workers,
                                struct fw_arena *arena, const struct fw_compile_progress *progress,
                                const struct fw_sink *sink)
{
    if (count == 0)
        return FW_OK;
    jmp_buf point;
    jmp_buf *before = fw_arena_on_exhausted(arena, &point);
    volatile enum fw_status status = FW_ERROR_MEMORY;
    struct batch *volatile kept = NULL;
    volatile bool finished = false;
    if (setjmp(point) == 0) {
        struct batch *batch = FW_NEW(arena, struct batch);
        batch->jobs = jobs;
        batch->count = count;
        batch->slots = FW_ARRAY(arena, struct slot, count);
        batch->progress = progress;
        pthread_mutex_init(&batch->lock, NULL);
        kept = batch;
        find_compilers(batch, arena);
        run_workers(batch, workers);
        status = collect(batch, arena, sink);
        finished = true;
    }
    fw_arena_on_exhausted(arena, before);
    if (kept)
        free_slots(kept, finished);
    return status;
}
