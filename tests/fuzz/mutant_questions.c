#include "mutant_questions.h"

#include "ptx_mutator.h"

#include <stdio.h>
#include <string.h>

enum { ARGUMENTS_MOST = 24, TEXT_MOST = 96 };

/* A launch, as the command line has it. */
struct launch {
    uint32_t grid[3], block[3];
    uint64_t shared;
    char bindings[ARGUMENTS_MOST][TEXT_MOST];
    const char *binding[ARGUMENTS_MOST];
    size_t binding_count;
    char buffers[ARGUMENTS_MOST][TEXT_MOST];
    const char *buffer[ARGUMENTS_MOST];
    size_t buffer_count;
};

static const char *const values[] = {
    "0",
    "1",
    "-1",
    "2",
    "7",
    "31",
    "32",
    "33",
    "100",
    "255",
    "1000",
    "1024",
    "4096",
    "65536",
    "1000003",
    "1M",
    "16777216",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "4294967296",
    "1099511627776",
    "4611686018427387904",
    "9223372036854775807",
    "-9223372036854775808",
    "-4294967297",
    "0.5",
    "1e300",
};

static const char *const element_types[] = {"f32", "f64", "s32", "u32", "u8", "s64", "f16"};
static const char *const fills[] = {"", ":random", ":iota"};

const char *mutant_question_name(enum mutant_question question)
{
    static const char *const names[] = {
#define X(name, text) text,
        MUTANT_QUESTIONS(X)
#undef X
    };
    return names[question];
}

bool asker_open(struct asker *asker, const char *data,
                void (*message)(void *user, const struct fw_message *message))
{
    static const char *const names[] = {"h200", "h100", "a100", "v100"};
    struct fw_context_options options = {.size = sizeof(options), .data = data, .message = message};
    options.memory = (size_t)1 << 30;
    if (fw_context_new(&asker->context, &options) != FW_OK)
        return false;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (fw_context_device(&asker->devices[asker->device_count], asker->context, names[i]) ==
            FW_OK)
            asker->device_count++;
    return asker->device_count > 0;
}

void asker_close(struct asker *asker)
{
    for (size_t i = 0; i < asker->device_count; i++)
        fw_context_device_free(asker->devices[i]);
    fw_context_free(asker->context);
}

/* Grids and blocks that a device can run most often, and any number at times. */
static void draw_sizes(struct launch *launch, struct fw_random *random)
{
    static const uint32_t blocks[] = {1, 32, 33, 64, 128, 256, 512, 1024};
    static const uint32_t grids[] = {1, 2, 7, 64, 108, 1000, 65535, 1000000, 2147483647};
    static const uint32_t wild[] = {0, 1, 3, 1025, 65536, 16777216, 2147483648, 4294967295};
    bool sane = !one_in(random, 4);
    launch->block[0] = blocks[fw_random_between(random, 0, 7)];
    launch->grid[0] = grids[fw_random_between(random, 0, one_in(random, 3) ? 8 : 4)];
    for (int d = 1; d < 3; d++) {
        launch->grid[d] = one_in(random, 3) ? grids[fw_random_between(random, 0, 6)] : 1;
        launch->block[d] = one_in(random, 4) ? (uint32_t)fw_random_between(random, 1, 4) : 1;
        if (launch->block[0] * launch->block[d] > 1024)
            launch->block[d] = 1;
    }
    if (launch->block[0] * launch->block[1] * launch->block[2] > 1024)
        launch->block[2] = 1;
    if (!sane) {
        launch->grid[fw_random_between(random, 0, 2)] = wild[fw_random_between(random, 0, 7)];
        if (one_in(random, 2))
            launch->block[fw_random_between(random, 0, 2)] = wild[fw_random_between(random, 0, 7)];
    }
    if (one_in(random, 3))
        launch->shared = (uint64_t)1 << fw_random_between(random, 0, one_in(random, 4) ? 63 : 16);
}

static void draw_argument(struct launch *launch, const struct fw_argument_row *row,
                          struct fw_random *random)
{
    if (row->is_pointer) {
        if (!one_in(random, 4))
            snprintf(launch->buffers[launch->buffer_count], TEXT_MOST, "%u=%s[%lld]%s",
                     row->position, RANDOM_TEXT(random, element_types),
                     (long long)fw_random_between(random, 1, 5000), RANDOM_TEXT(random, fills));
        launch->buffer[launch->buffer_count] = launch->buffers[launch->buffer_count];
        launch->buffer_count += launch->buffers[launch->buffer_count][0] != '\0';
        if (!one_in(random, 8))
            return;
    } else if (one_in(random, 16)) {
        return; /* it is not bound */
    }
    char *text = launch->bindings[launch->binding_count];
    if (one_in(random, 3))
        snprintf(text, TEXT_MOST, "%u=%s", row->position, RANDOM_TEXT(random, values));
    else
        snprintf(text, TEXT_MOST, "%u=%lld", row->position,
                 (long long)fw_random_between(random, 1, 5000));
    launch->binding[launch->binding_count++] = text;
}

static void draw_launch(struct launch *launch, const struct fw_kernel_row *kernel,
                        struct fw_random *random)
{
    draw_sizes(launch, random);
    if (kernel->required_block[0] && !one_in(random, 4))
        memcpy(launch->block, kernel->required_block, sizeof(launch->block));
    for (size_t i = 0; i < kernel->argument_count && i < ARGUMENTS_MOST; i++)
        draw_argument(launch, &kernel->arguments[i], random);
}

/* As the command line would be asked, for whoever looks into a find. */
static void show_launch(const struct launch *launch, const char *path, const char *kernel)
{
    fprintf(stderr, "launch: %s -k '%s' -g %u,%u,%u -b %u,%u,%u", path, kernel, launch->grid[0],
            launch->grid[1], launch->grid[2], launch->block[0], launch->block[1], launch->block[2]);
    if (launch->shared)
        fprintf(stderr, " --shared %llu", (unsigned long long)launch->shared);
    for (size_t i = 0; i < launch->binding_count; i++)
        fprintf(stderr, " -s %s", launch->binding[i]);
    for (size_t i = 0; i < launch->buffer_count; i++)
        fprintf(stderr, " --arg %s", launch->buffer[i]);
    fprintf(stderr, "\n");
}

static void set_launch(struct fw_worker *worker, const struct launch *launch)
{
    fw_worker_clear(worker);
    fw_worker_set_grid(worker, launch->grid[0], launch->grid[1], launch->grid[2]);
    fw_worker_set_block(worker, launch->block[0], launch->block[1], launch->block[2]);
    fw_worker_set_shared(worker, launch->shared);
    for (size_t i = 0; i < launch->binding_count; i++)
        fw_worker_bind(worker, launch->binding[i]); /* what is refused stays unbound */
}

static enum fw_status render(const struct fw_answer *answer, enum fw_status status, bool json)
{
    struct fw_render_options options = {.size = sizeof(options)};
    char *text = NULL;
    options.format = json ? FW_FORMAT_JSON : FW_FORMAT_TEXT;
    options.quantities_first = !json;
    if (status == FW_OK)
        status = fw_answer_render(&text, answer, &options);
    fw_text_free(text);
    return status;
}

static enum fw_status ask_count(struct fw_worker *worker, struct fw_random *random)
{
    struct fw_count_settings settings = {.size = sizeof(settings)};
    const struct fw_answer *answer = NULL;
    settings.symbolic = one_in(random, 2);
    settings.brief = one_in(random, 4);
    enum fw_status status = fw_worker_count(&answer, worker, &settings);
    return render(answer, status, one_in(random, 2));
}

static enum fw_status ask_predict(struct fw_worker *worker, const struct fw_device *device,
                                  const char *models, struct fw_random *random)
{
    struct fw_predict_settings settings = {.size = sizeof(settings), .models = models};
    const struct fw_answer *answer = NULL;
    settings.cold = one_in(random, 4);
    enum fw_status status = fw_worker_predict(&answer, worker, device, &settings);
    return render(answer, status, one_in(random, 2));
}

static enum fw_status ask_emulate(struct fw_worker *worker, const struct launch *launch,
                                  struct fw_random *random)
{
    struct fw_emulate_settings settings = {.size = sizeof(settings), .limit = 20000};
    const struct fw_answer *answer = NULL;
    settings.arguments = launch->buffer;
    settings.argument_count = launch->buffer_count;
    settings.every = one_in(random, 2) ? 0 : (uint64_t)fw_random_between(random, 1, 1000);
    settings.seed = 1;
    enum fw_status status = fw_worker_emulate(&answer, worker, &settings);
    return render(answer, status, one_in(random, 2));
}

static enum fw_status ask_sample(struct fw_worker *worker, const struct fw_device *device,
                                 const struct launch *launch, struct fw_random *random)
{
    struct fw_emulate_settings emulate = {.size = sizeof(emulate), .limit = 20000};
    struct fw_predict_settings settings = {.size = sizeof(settings), .models = "roofline"};
    const struct fw_answer *answer = NULL;
    emulate.arguments = launch->buffer;
    emulate.argument_count = launch->buffer_count;
    emulate.blocks = one_in(random, 2) ? 0 : (uint64_t)fw_random_between(random, 1, 20);
    settings.emulate = &emulate;
    enum fw_status status = fw_worker_predict(&answer, worker, device, &settings);
    return render(answer, status, one_in(random, 2));
}

static enum fw_status ask_trace(struct fw_worker *worker, struct fw_random *random)
{
    struct fw_trace_settings settings = {.size = sizeof(settings)};
    const struct fw_answer *answer = NULL;
    settings.one_warp = one_in(random, 2);
    settings.block[0] = (uint32_t)fw_random_between(random, 0, 3);
    settings.warp = (uint32_t)fw_random_between(random, 0, 3);
    enum fw_status status = fw_worker_trace(&answer, worker, NULL, &settings);
    return render(answer, status, one_in(random, 2));
}

static enum fw_status ask_rank(const struct asker *asker, const char *path, const char *kernel,
                               const struct launch *launch, struct fw_random *random)
{
    static const char *const blocks[] = {"block=32x1x1,256x1x1", "block=1024x1x1", "block=7x3x2"};
    static const char *const domains[] = {"1", "1000", "2147483647", "9223372036854775807", "0"};
    const char *vary[1] = {RANDOM_TEXT(random, blocks)};
    const char *domain[1] = {RANDOM_TEXT(random, domains)};
    const struct fw_program_options options = {.size = sizeof(options), .ptxas = FW_PTXAS_NEVER};
    struct fw_rank_settings settings = {.size = sizeof(settings), .path = path};
    struct fw_ranking *ranking = NULL;
    char *text = NULL;
    settings.options = &options;
    settings.kernel = kernel;
    settings.vary = vary;
    settings.vary_count = 1;
    settings.bindings = launch->binding;
    settings.binding_count = launch->binding_count;
    settings.domain = domain;
    settings.domain_count = one_in(random, 2) ? 1 : 0;
    memcpy(settings.grid, launch->grid, sizeof(settings.grid));
    settings.device = asker->devices[0];
    settings.workers = 1;
    enum fw_status status = fw_context_rank(&ranking, asker->context, &settings);
    const struct fw_render_options how = {.size = sizeof(how)};
    if (status == FW_OK)
        status = fw_ranking_render(&text, ranking, 0, &how);
    fw_text_free(text);
    fw_ranking_free(ranking);
    return status;
}

static enum fw_status ask_one(const struct asker *asker, enum mutant_question question,
                              struct fw_worker *worker, const struct launch *launch,
                              const char *path, const char *kernel, struct fw_random *random)
{
    const struct fw_device *device =
        asker->devices[fw_random_between(random, 0, (int64_t)asker->device_count - 1)];
    enum fw_status status = FW_OK;
    set_launch(worker, launch);
    switch (question) {
    case ASK_COUNT:
        return ask_count(worker, random);
    case ASK_PREDICT:
        for (size_t i = 0; fw_model_name(i); i++) {
            asker->begins(asker->user, question); /* one question a model */
            enum fw_status of_model = ask_predict(worker, device, fw_model_name(i), random);
            status = of_model ? of_model : status;
        }
        return status;
    case ASK_TRAFFIC:
        return ask_predict(worker, device, "traffic", random);
    case ASK_RANK:
        return ask_rank(asker, path, kernel, launch, random);
    case ASK_EMULATE:
        return ask_emulate(worker, launch, random);
    case ASK_SAMPLE:
        return ask_sample(worker, device, launch, random);
    case ASK_TRACE:
        return ask_trace(worker, random);
    default:
        return status;
    }
}

static void ask_kernel(const struct asker *asker, struct fw_program *program, const char *path,
                       struct fw_random *random)
{
    const struct fw_kernel *kernel;
    struct fw_worker *worker = NULL;
    struct launch launch = {0};
    size_t kernels = fw_program_kernel_count(program);
    const char *name =
        kernels ? fw_program_kernel_name(program,
                                         (size_t)fw_random_between(random, 0, (int64_t)kernels - 1))
                : NULL;
    asker->begins(asker->user, ASK_READ);
    enum fw_status status = fw_program_kernel(&kernel, program, name);
    if (!status)
        status = fw_worker_new(&worker, program, kernel);
    asker->ended(asker->user, ASK_READ, status);
    if (worker) {
        draw_launch(&launch, fw_worker_kernel(worker), random);
        show_launch(&launch, path, name);
    }
    for (enum mutant_question question = ASK_COUNT; worker && question < MUTANT_QUESTION_COUNT;
         question++) {
        asker->begins(asker->user, question);
        status = ask_one(asker, question, worker, &launch, path, name, random);
        asker->ended(asker->user, question, status);
    }
    fw_worker_free(worker);
}

void asker_ask(const struct asker *asker, const char *path, const char *text,
               struct fw_random *random)
{
    const struct fw_program_options options = {.size = sizeof(options), .ptxas = FW_PTXAS_NEVER};
    struct fw_program *program = NULL;
    asker->begins(asker->user, ASK_READ);
    enum fw_status status =
        fw_program_parse(&program, asker->context, path, text, strlen(text), &options);
    if (status)
        asker->ended(asker->user, ASK_READ, status);
    else
        ask_kernel(asker, program, path, random);
    fw_program_free(program);
}
