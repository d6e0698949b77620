/* Many launches: an application's, each with its repeats, and their total. */
#include "session.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The program that was read last, and its worker: launches of one kernel stand together. */
struct cached {
    struct fw_program *program;
    struct fw_worker *worker;
    char *file;
    char *kernel;
};

struct run {
    struct session *session;
    const struct fw_device *device;
    struct cached last;
    struct fw_program_options options;
    struct fw_predict_settings settings;
    FILE *out;
    size_t shown;
    double seconds, overhead, instructions, flops;
    bool has_overhead;
    uint64_t launches;
};

static bool same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static char *copy(const char *text)
{
    size_t length = text ? strlen(text) + 1 : 0;
    char *to = text ? malloc(length) : NULL;
    if (to)
        memcpy(to, text, length);
    return to;
}

static enum fw_status open_kernel(struct run *run, const struct fw_launch_item *item)
{
    struct cached *last = &run->last;
    const struct request *request = &run->session->request;
    const char *file = item->file               ? item->file
                       : request->operand_count ? request->operands[0]
                                                : NULL;
    const char *kernel = item->kernel ? item->kernel : request->values[OPTION_KERNEL];
    const struct fw_kernel *record;
    enum fw_status status = FW_OK;
    if (!file) {
        fprintf(stderr, "forewarp: the launch in line %u names no file, and no FILE is given\n",
                item->line);
        return FW_ERROR_INPUT;
    }
    if (last->worker && same(last->file, file) && same(last->kernel, kernel))
        return FW_OK;
    fw_worker_free(last->worker);
    last->worker = NULL;
    if (!last->program || !same(last->file, file)) {
        fw_program_free(last->program);
        status = fw_program_read(&last->program, run->session->context, file, &run->options);
    }
    free(last->file);
    free(last->kernel);
    last->file = copy(file);
    last->kernel = copy(kernel);
    if (!status)
        status = fw_program_kernel(&record, last->program, kernel);
    return status ? status : fw_worker_new(&last->worker, last->program, record);
}

static enum fw_status ask(struct run *run, const struct fw_launch_item *item,
                          const struct fw_answer **answer)
{
    struct fw_worker *worker = run->last.worker;
    struct fw_count_settings settings = {.size = sizeof(settings)};
    enum fw_status status = FW_OK;
    fw_worker_clear(worker);
    fw_worker_set_grid(worker, item->grid[0], item->grid[1], item->grid[2]);
    if (item->block[0])
        fw_worker_set_block(worker, item->block[0], item->block[1], item->block[2]);
    if (item->shared) /* else what the file says */
        fw_worker_set_shared(worker, item->shared);
    for (size_t b = 0; b < item->binding_count && !status; b++)
        status = fw_worker_bind(worker, item->bindings[b]);
    for (size_t s = 0; s < run->session->request.set_count && !status; s++)
        status = fw_worker_bind(worker, run->session->request.set[s]);
    if (!status && strcmp(fw_worker_kernel(worker)->layer, "domain") == 0) {
        fprintf(stderr,
                "forewarp: line %u: launches are totalled from instructions, which the "
                "kernel language (%s) has none of\n",
                item->line, fw_worker_kernel(worker)->file);
        status = FW_ERROR_USAGE;
    }
    if (status)
        return status;
    return run->device ? fw_worker_predict(answer, worker, run->device, &run->settings)
                       : fw_worker_count(answer, worker, &settings);
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
                     const struct fw_answer *answer)
{
    char grid[48], block[48];
    snprintf(grid, sizeof(grid), "%ux%ux%u", answer->grid[0], answer->grid[1], answer->grid[2]);
    snprintf(block, sizeof(block), "%ux%ux%u", answer->block[0], answer->block[1],
             answer->block[2]);
    if (run->shown == 0)
        fprintf(run->out, "%-24s %16s %12s %10s %14s %s\n", "kernel", "grid", "block", "repeats",
                run->device ? "seconds" : "instructions", run->device ? "limited by" : "");
    fprintf(run->out, "%-24s %16s %12s %10llu ", answer->kernel->name, grid, block,
            (unsigned long long)item->repeats);
    if (run->device)
        fprintf(run->out, "%14.6g %s\n", answer->predictions[0].seconds,
                answer->predictions[0].limiter ? answer->predictions[0].limiter : "");
    else
        fprintf(run->out, "%14.6g\n", answer->counts->total.count.value);
}

static enum fw_status add_answer(struct run *run, const struct fw_launch_item *item,
                                 const struct fw_answer *answer)
{
    struct fw_render_options options = session_render_options(run->session);
    char *text;
    add_total(run, answer, (double)item->repeats);
    run->launches += item->repeats;
    if (options.format == FW_FORMAT_TEXT) {
        text_row(run, item, answer);
        run->shown++;
        return FW_OK;
    }
    enum fw_status status = fw_answer_render(&text, answer, &options);
    if (status)
        return status;
    fprintf(run->out, "%s{\"repeats\": %llu, \"line\": %u, \"answer\": %s}", run->shown ? "," : "",
            (unsigned long long)item->repeats, item->line, text);
    fw_text_free(text);
    run->shown++;
    return FW_OK;
}

static void add_end(struct run *run)
{
    bool json = run->session->request.values[OPTION_JSON] != NULL;
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
        fprintf(run->out, "\ntotal of %llu launches: %.6g s, and launching them adds %.6g s\n",
                (unsigned long long)run->launches, run->seconds, run->overhead);
    else
        fprintf(run->out,
                "\ntotal of %llu launches: %.6g thread-instructions, %.6g floating-point "
                "operations\n",
                (unsigned long long)run->launches, run->instructions, run->flops);
}

static enum fw_status run_all(struct run *run, const struct fw_launch_list *list)
{
    size_t count = fw_launch_list_count(list);
    bool progress = isatty(STDERR_FILENO);
    enum fw_status status = FW_OK;
    if (run->session->request.values[OPTION_JSON])
        fprintf(run->out, "{\"forewarp\": \"%s\", \"format\": 1, \"launches\": [\n", fw_version());
    for (size_t i = 0; i < count && !status; i++) {
        const struct fw_launch_item *item = fw_launch_list_item(list, i);
        const struct fw_answer *answer;
        status = open_kernel(run, item);
        if (!status)
            status = ask(run, item, &answer);
        if (!status)
            status = add_answer(run, item, answer);
        else
            fprintf(stderr, "forewarp: in the launch of line %u of %s\n", item->line,
                    run->session->request.values[OPTION_LAUNCHES]);
        if (progress)
            fprintf(stderr, i + 1 == count || status ? "\r\033[K" : "\r%zu of %zu launches", i + 1,
                    count);
    }
    add_end(run);
    return status;
}

int launches_command(struct session *session, const struct fw_device *device)
{
    struct run run = {.session = session, .device = device, .has_overhead = true};
    struct fw_launch_list *list;
    char *text = NULL;
    size_t length = 0;
    if (!session_program_options(session, &run.options, device) ||
        !session_predict_settings(session, &run.settings))
        return 2;
    enum fw_status status =
        fw_launch_list_read(&list, session->context, session->request.values[OPTION_LAUNCHES]);
    if (status)
        return session_exit(status);
    run.out = open_memstream(&text, &length); /* nothing is printed before all is done */
    status = run.out ? run_all(&run, list) : FW_ERROR_MEMORY;
    if (run.out && (fclose(run.out) == EOF || !text))
        status = FW_ERROR_MEMORY;
    fw_worker_free(run.last.worker);
    fw_program_free(run.last.program);
    free(run.last.file);
    free(run.last.kernel);
    fw_launch_list_free(list);
    return session_print(text, status);
}
