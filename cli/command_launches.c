/* Many launches: an application's, each with its repeats, and their total. */
#include "command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Programs are read this many at a time, on all processors: variants of a source are compiled side
 * by side, and no more of them are in memory than that. */
enum { AT_A_TIME = 256 };

/* A file with definitions of its own: what several launches may share. */
struct variant {
    const char *file;
    const struct fw_launch_item *first; /* the launch that it was first seen in */
    struct fw_program_options options;
    const char **defines; /* the command line's, then the launch's */
};

struct run {
    struct session *session;
    const struct fw_device *device;
    const struct fw_launch_list *list;
    struct variant variants[AT_A_TIME];
    struct fw_program_item programs[AT_A_TIME];
    size_t variant_count;
    size_t read_until;        /* launches before this one have their programs */
    struct fw_worker *worker; /* of the last launch: launches of one kernel stand together */
    size_t worker_variant;
    const char *worker_kernel;
    struct fw_program_options options;
    struct fw_predict_settings settings;
    struct fw_emulate_settings emulate;
    uint32_t registers; /* 0: as they are */
    bool has_static;
    uint64_t static_shared;
    FILE *out;
    size_t shown, failed;
    bool *without;        /* of each launch of the list: it was asked for, and has no answer */
    enum fw_status worst; /* of launches without an answer, the first */
    bool whole;           /* all launches were asked for, and what was found is in `out` */
    double seconds, overhead, instructions, flops;
    bool has_overhead;
    uint64_t launches;
};

static bool same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static const char *file_of(const struct run *run, const struct fw_launch_item *item)
{
    const struct request *request = &run->session->request;
    return item->file ? item->file : request->operand_count ? request->operands[0] : NULL;
}

static bool same_defines(const struct fw_launch_item *a, const struct fw_launch_item *b)
{
    bool equal = a->define_count == b->define_count;
    for (size_t d = 0; d < a->define_count && equal; d++)
        equal = strcmp(a->defines[d], b->defines[d]) == 0;
    return equal;
}

/* The launch's variant among those that there are; their number when it is none of them. */
static size_t find_variant(const struct run *run, const struct fw_launch_item *item)
{
    const char *file = file_of(run, item);
    size_t v = 0;
    while (v < run->variant_count &&
           !(same(run->variants[v].file, file) && same_defines(run->variants[v].first, item)))
        v++;
    return v;
}

static void close_worker(struct run *run)
{
    fw_worker_free(run->worker);
    run->worker = NULL;
}

static void close_programs(struct run *run)
{
    close_worker(run);
    for (size_t v = 0; v < run->variant_count; v++) {
        fw_program_free(run->programs[v].program);
        free(run->variants[v].defines);
    }
    run->variant_count = 0;
}

static enum fw_status add_variant(struct run *run, const struct fw_launch_item *item)
{
    struct variant *variant = &run->variants[run->variant_count];
    size_t count = run->options.define_count + item->define_count;
    *variant = (struct variant){file_of(run, item), item, run->options, NULL};
    variant->defines = malloc((count + 1) * sizeof(*variant->defines));
    if (!variant->defines)
        return FW_ERROR_MEMORY;
    for (size_t d = 0; d < count; d++)
        variant->defines[d] = d < run->options.define_count
                                  ? run->options.defines[d]
                                  : item->defines[d - run->options.define_count];
    variant->options.defines = variant->defines;
    variant->options.define_count = count;
    run->programs[run->variant_count++] =
        (struct fw_program_item){.path = variant->file, .options = &variant->options};
    return FW_OK;
}

/* Reads the programs of the launches from `begin` on, as many as are taken at a time. */
static enum fw_status read_programs(struct run *run, size_t begin)
{
    size_t count = fw_launch_list_count(run->list), end = begin;
    enum fw_status status = FW_OK;
    close_programs(run);
    for (; end < count && !status; end++) {
        const struct fw_launch_item *item = fw_launch_list_item(run->list, end);
        size_t v = file_of(run, item) ? find_variant(run, item) : 0;
        if (!file_of(run, item) || v < run->variant_count)
            continue;
        if (run->variant_count == AT_A_TIME)
            break;
        status = add_variant(run, item);
    }
    run->read_until = end;
    if (!status) /* what failed is told again when its launch's turn comes */
        fw_program_read_many(run->programs, run->variant_count, run->session->context, 0);
    return status;
}

static enum fw_status open_kernel(struct run *run, size_t index)
{
    const struct fw_launch_item *item = fw_launch_list_item(run->list, index);
    const char *kernel = item->kernel ? item->kernel : run->session->request.values[OPTION_KERNEL];
    const struct fw_kernel *record;
    enum fw_status status = FW_OK;
    if (!file_of(run, item)) {
        tell_error_in("CLI006", run->session->request.values[OPTION_LAUNCHES], item->line,
                      "the launch names no file, and no FILE is given");
        return FW_ERROR_INPUT;
    }
    if (index >= run->read_until)
        status = read_programs(run, index);
    if (status)
        return status;
    size_t v = find_variant(run, item);
    if (run->worker && run->worker_variant == v && same(run->worker_kernel, kernel))
        return FW_OK;
    close_worker(run);
    status = run->programs[v].status;
    if (!status)
        status = fw_program_kernel(&record, run->programs[v].program, kernel);
    run->worker_variant = v;
    run->worker_kernel = kernel;
    return status ? status : fw_worker_new(&run->worker, run->programs[v].program, record);
}

/* With the contents of arrays that the launch states, beside those of the command. */
static enum fw_status predict(struct run *run, const struct fw_launch_item *item,
                              const struct fw_answer **answer)
{
    const struct request *request = &run->session->request;
    struct fw_predict_settings settings = run->settings;
    struct fw_emulate_settings emulate = {.size = sizeof(emulate)};
    if (!item->content_count)
        return fw_worker_predict(answer, run->worker, run->device, &settings);
    if (settings.emulate)
        emulate = run->emulate;
    const size_t own = item->content_count, count = own + emulate.argument_count;
    const char **contents = malloc(count * sizeof(*contents));
    if (!contents)
        return FW_ERROR_MEMORY;
    for (size_t c = 0; c < count; c++)
        contents[c] = c < own ? item->contents[c] : request->contents[c - own];
    emulate.arguments = contents;
    emulate.argument_count = count;
    settings.emulate = &emulate;
    enum fw_status status = fw_worker_predict(answer, run->worker, run->device, &settings);
    free(contents);
    return status;
}

static enum fw_status ask(struct run *run, const struct fw_launch_item *item,
                          const struct fw_answer **answer)
{
    struct fw_worker *worker = run->worker;
    struct fw_count_settings settings = {.size = sizeof(settings)};
    enum fw_status status = FW_OK;
    fw_worker_clear(worker);
    if (item->grid[0]) /* else what the kernel language says */
        fw_worker_set_grid(worker, item->grid[0], item->grid[1], item->grid[2]);
    if (item->block[0])
        fw_worker_set_block(worker, item->block[0], item->block[1], item->block[2]);
    if (item->shared) /* else what the file says */
        fw_worker_set_shared(worker, item->shared);
    fw_worker_set_registers(worker, run->registers);
    fw_worker_set_compiled(worker, item->compiled_registers, item->compiled_spill_bytes);
    if (run->has_static)
        fw_worker_set_static_shared(worker, run->static_shared);
    for (size_t b = 0; b < item->binding_count && !status; b++)
        status = fw_worker_bind(worker, item->bindings[b]);
    for (size_t s = 0; s < run->session->request.set_count && !status; s++)
        status = fw_worker_bind(worker, run->session->request.set[s]);
    if (!status && !run->device && strcmp(fw_worker_kernel(worker)->layer, "domain") == 0) {
        tell_error_in("CLI006", run->session->request.values[OPTION_LAUNCHES], item->line,
                      "count totals instructions, and those of the kernel language (%s) are its "
                      "compiler's: predict takes it",
                      fw_worker_kernel(worker)->file);
        status = FW_ERROR_USAGE;
    }
    if (status)
        return status;
    return run->device ? predict(run, item, answer) : fw_worker_count(answer, worker, &settings);
}

static void add_total(struct run *run, const struct fw_answer *answer, double repeats)
{
    if (answer->prediction_count) {
        run->seconds += repeats * answer->predictions[0].seconds;
        run->overhead += repeats * answer->predictions[0].overhead_seconds;
        run->has_overhead = run->has_overhead && answer->predictions[0].has_overhead;
    } else {
        run->instructions += repeats * answer->counts->total.count.value;
        run->flops += repeats * answer->counts->flops.value;
    }
}

static void text_row(struct run *run, const struct fw_launch_item *item,
                     const struct fw_answer *answer, uint64_t repeats)
{
    char grid[48], block[48], *name;
    snprintf(grid, sizeof(grid), "%ux%ux%u", answer->grid[0], answer->grid[1], answer->grid[2]);
    snprintf(block, sizeof(block), "%ux%ux%u", answer->block[0], answer->block[1],
             answer->block[2]);
    if (run->shown == 0)
        fprintf(run->out, "%-24s %16s %12s %10s %14s %s\n", "kernel", "grid", "block", "repeats",
                run->device ? "seconds" : "instructions", run->device ? "limited by" : "");
    fw_text_printable(&name, answer->kernel->name, false);
    fprintf(run->out, "%-24s %16s %12s %10llu ", name ? name : "", grid, block,
            (unsigned long long)repeats);
    fw_text_free(name);
    if (run->device)
        fprintf(run->out, "%14.6g %s", answer->predictions[0].seconds,
                answer->predictions[0].limiter ? answer->predictions[0].limiter : "");
    else
        fprintf(run->out, "%14.6g", answer->counts->total.count.value);
    for (size_t d = 0; d < item->define_count; d++) {
        fputs(d ? " -D" : "  -D", run->out);
        tell_printable(run->out, item->defines[d]);
    }
    fputc('\n', run->out);
}

static enum fw_status add_answer(struct run *run, const struct fw_launch_item *item,
                                 const struct fw_answer *answer, uint64_t repeats)
{
    struct fw_render_options options = session_render_options(run->session);
    char *text;
    add_total(run, answer, (double)repeats);
    run->launches += repeats;
    if (options.format == FW_FORMAT_TEXT) {
        text_row(run, item, answer, repeats);
        run->shown++;
        return FW_OK;
    }
    enum fw_status status = fw_answer_render(&text, answer, &options);
    if (status)
        return status;
    fprintf(run->out, "%s{\"repeats\": %llu, \"line\": %u, \"answer\": %s}", run->shown ? "," : "",
            (unsigned long long)repeats, item->line, text);
    fw_text_free(text);
    run->shown++;
    return FW_OK;
}

/* A launch without an answer: it fails alone. */
static void add_failure(struct run *run, const struct fw_launch_item *item, uint64_t repeats)
{
    const char *why = run->session->failure;
    run->failed++;
    if (!run->session->request.values[OPTION_JSON]) {
        fprintf(run->out, "line %u: no answer%s", item->line, *why ? ": " : "");
        tell_printable(run->out, why);
        fputc('\n', run->out);
        return;
    }
    fprintf(run->out, "%s{\"repeats\": %llu, \"line\": %u, \"answer\": null, \"reason\": ",
            run->shown ? "," : "", (unsigned long long)repeats, item->line);
    tell_json_text(run->out, *why ? why : "it has no answer");
    fputc('}', run->out);
    run->shown++;
}

static void add_end(struct run *run)
{
    bool json = run->session->request.values[OPTION_JSON] != NULL;
    if (run->failed && !json)
        fprintf(run->out, "\n%zu line%s without an answer: no part of the total", run->failed,
                run->failed == 1 ? "" : "s");
    if (json && run->device)
        fprintf(run->out,
                "],\n\"totals\": {\"launches\": %llu, \"seconds\": %.12g, \"overhead_seconds\": ",
                (unsigned long long)run->launches, run->seconds);
    if (json && run->device && run->has_overhead)
        fprintf(run->out, "%.12g}}\n", run->overhead);
    else if (json && run->device)
        fprintf(run->out, "null}}\n");
    else if (json)
        fprintf(
            run->out,
            "],\n\"totals\": {\"launches\": %llu, \"instructions\": %.17g, \"flops\": %.17g}}\n",
            (unsigned long long)run->launches, run->instructions, run->flops);
    else if (run->device)
        fprintf(run->out,
                run->has_overhead
                    ? "\ntotal of %llu launches: %.6g s, and launching them adds %.6g s\n"
                    : "\ntotal of %llu launches: %.6g s; what launching them adds is not "
                      "known\n",
                (unsigned long long)run->launches, run->seconds, run->overhead);
    else
        fprintf(run->out,
                "\ntotal of %llu launches: %.6g thread-instructions, %.6g floating-point "
                "operations\n",
                (unsigned long long)run->launches, run->instructions, run->flops);
}

static enum fw_status spool_error(void)
{
    tell_error("CLI005", "the temporary file for the answers cannot be written: %s",
               strerror(errno));
    return FW_ERROR_MACHINE;
}

/* Asks for a launch; its answer counts `repeats` times.  Without an answer it fails alone, and is
 * told once: the others are asked for, and `worst` says what the run ends with. */
static enum fw_status run_item(struct run *run, size_t index, uint64_t repeats)
{
    const struct fw_launch_item *item = fw_launch_list_item(run->list, index);
    const struct fw_answer *answer;
    if (run->without[index])
        return FW_OK;
    run->session->failure[0] = '\0';
    enum fw_status status = open_kernel(run, index);
    if (!status)
        status = ask(run, item, &answer);
    if (!status)
        return add_answer(run, item, answer, repeats);
    if (status == FW_ERROR_MEMORY)
        return status;
    tell_error_in("CLI006", run->session->request.values[OPTION_LAUNCHES], item->line,
                  "this launch has no answer");
    add_failure(run, item, item->repeats);
    run->without[index] = true;
    run->worst = run->worst ? run->worst : status;
    close_worker(run); /* it may be half bound, or another's */
    return FW_OK;
}

/* Launches `begin` to `end` of the loop `in`, one behind the other, in the state that each leaves
 * the caches in; they count `weight` times.  Of a launch or loop that is repeated, the first time
 * and the second are asked for: the second finds what the first has left, as all others do. */
static enum fw_status run_sequence(struct run *run, size_t begin, size_t end,
                                   const struct fw_launch_loop *in, uint64_t weight)
{
    enum fw_status status = FW_OK;
    for (size_t i = begin; i < end && !status;) {
        const struct fw_launch_item *item = fw_launch_list_item(run->list, i);
        const struct fw_launch_loop *loop = item->loop != in ? item->loop : NULL;
        uint64_t repeats = item->repeats;
        while (loop && loop->around != in)
            loop = loop->around;
        if (loop) {
            status = run_sequence(run, i, loop->end, loop, weight);
            if (!status && loop->repeats > 1)
                status = run_sequence(run, i, loop->end, loop, weight * (loop->repeats - 1));
            i = loop->end;
            continue;
        }
        for (const struct fw_launch_loop *of = item->loop; of; of = of->around)
            repeats /= of->repeats;
        if (repeats > 0)
            status = run_item(run, i, weight);
        if (repeats > 1 && !status)
            status = run_item(run, i, weight * (repeats - 1));
        i++;
    }
    return status;
}

static enum fw_status run_all(struct run *run)
{
    size_t count = fw_launch_list_count(run->list);
    bool progress = isatty(STDERR_FILENO);
    enum fw_status status = FW_OK;
    if (run->session->request.values[OPTION_JSON])
        fprintf(run->out, "{\"forewarp\": \"%s\", \"format\": 1, \"launches\": [\n", fw_version());
    if (run->settings.state)
        status = run_sequence(run, 0, count, NULL, 1);
    for (size_t i = 0; i < count && !status && !run->settings.state; i++) {
        status = run_item(run, i, fw_launch_list_item(run->list, i)->repeats);
        if (progress)
            fprintf(stderr, i + 1 == count || status ? "\r\033[K" : "\r%zu of %zu launches", i + 1,
                    count);
    }
    add_end(run);
    run->whole = !status;
    return status ? status : run->worst;
}

/* A file without a name, in $TMPDIR or /tmp. */
static FILE *open_spool(void)
{
    const char *base = getenv("TMPDIR");
    char path[4096];
    int length = snprintf(path, sizeof(path), "%s/forewarp-XXXXXX", base && *base ? base : "/tmp");
    if (length >= (int)sizeof(path)) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    int file = mkstemp(path);
    if (file < 0)
        return NULL;
    unlink(path);
    FILE *spool = fdopen(file, "w+");
    if (!spool)
        close(file);
    return spool;
}

/* Runs all launches into `run->out`, a file without a name: nothing is printed before all is done,
 * and the answers of many launches are more than memory should hold. */
static enum fw_status run_list(struct run *run)
{
    run->without = calloc(fw_launch_list_count(run->list) + 1, sizeof(*run->without));
    if (!run->without)
        return FW_ERROR_MEMORY;
    run->out = open_spool();
    if (!run->out)
        return spool_error();
    enum fw_status status = run_all(run);
    if (fflush(run->out) == EOF || ferror(run->out)) {
        status = spool_error();
        run->whole = false;
    }
    close_programs(run);
    return status;
}

/* Copies what was written to standard output; the exit status. */
static int print_spool(FILE *spool, bool whole, enum fw_status status)
{
    char block[1 << 16];
    size_t length;
    if (!spool || !whole)
        return session_exit(status);
    rewind(spool);
    while ((length = fread(block, 1, sizeof(block), spool)) > 0)
        if (fwrite(block, 1, length, stdout) != length)
            break;
    return session_exit(ferror(spool) ? spool_error() : status);
}

int launches_command(struct session *session, const struct fw_device *device)
{
    struct run *run = calloc(1, sizeof(*run));
    struct fw_launch_list *list = NULL;
    struct fw_cache_state *state = NULL;
    enum fw_status status = run ? FW_OK : FW_ERROR_MEMORY;
    if (run) {
        run->session = session;
        run->device = device;
        run->has_overhead = true;
        if (!session_resources(session, &run->registers, &run->has_static, &run->static_shared) ||
            !session_program_options(session, &run->options, device) ||
            !session_predict_settings(session, &run->settings, &run->emulate))
            status = FW_ERROR_USAGE;
    }
    if (!status)
        status =
            fw_launch_list_read(&list, session->context, session->request.values[OPTION_LAUNCHES]);
    if (!status && device && session_follows(session))
        status = fw_cache_state_new(&state);
    if (!status) {
        run->list = list;
        run->settings.state = state;
        status = run_list(run);
        fw_launch_list_free(list);
    }
    int exit_status = print_spool(run ? run->out : NULL, run && run->whole, status);
    if (run && run->out)
        fclose(run->out);
    fw_cache_state_free(state);
    if (run)
        free(run->without);
    free(run);
    return exit_status;
}
