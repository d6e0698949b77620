/* Any bytes are read as PTX or address expressions, and each of the first kernels goes all the way:
 * counts, formulas, traffic, times, the emulator, a ranking.  Launches come from the input.  What
 * is refused has a diagnostic; answers are rendered. */
#include "forewarp.h"
#include "fuzzing.h"

enum { MOST_KERNELS = 3, LAUNCHES = 2, PARAMETERS = 16, MOST_STEPS = 20000 };

static unsigned errors;

static void count(void *user, const struct fw_message *message)
{
    (void)user;
    errors += message->severity == FW_MESSAGE_ERROR;
}

static const struct fw_context *context(void)
{
    static struct fw_context *made;
    static const struct fw_context_options options = {.size = sizeof(options),
                                                      .data = FW_SOURCE_TREE,
                                                      .memory = (size_t)512 << 20,
                                                      .message = count};
    if (!made && fw_context_new(&made, &options))
        fail("there is no context");
    return made;
}

static const struct fw_device *device(void)
{
    static struct fw_device *made;
    if (!made && fw_context_device(&made, context(), "h200"))
        fail("there is no device");
    return made;
}

static uint64_t pick(uint64_t *state, uint64_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (*state >> 33) % below;
}

static void check(enum fw_status status, const char *what)
{
    if (status == FW_ERROR_INPUT && !errors) {
        fprintf(stderr, "%s: ", what);
        fail("refused without a diagnostic");
    }
    errors = 0;
}

static void show(const struct fw_answer *answer)
{
    for (int f = 0; f < 2; f++) {
        const struct fw_render_options options = {.size = sizeof(options),
                                                  .format = (enum fw_format)f};
        char *text = NULL;
        if (fw_answer_render(&text, answer, &options) == FW_OK && !text)
            fail("an answer without a text");
        fw_text_free(text);
    }
}

static void launch(struct fw_worker *worker, uint64_t *state)
{
    static const uint32_t grids[] = {1, 2, 7, 100, 65535}, blocks[] = {1, 7, 32, 33, 64};
    static const int64_t integers[] = {1,   0,         -1,        2,         5,         100,
                                       127, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 4096};
    fw_worker_clear(worker);
    fw_worker_set_grid(worker, grids[pick(state, 5)], grids[pick(state, 2)], 1);
    fw_worker_set_block(worker, blocks[pick(state, 5)], blocks[pick(state, 2)], 1);
    if (pick(state, 4) == 0)
        fw_worker_set_shared(worker, pick(state, 1 << 18));
    for (size_t p = 0; p < PARAMETERS; p++)
        if (pick(state, 16))
            fw_worker_bind_integer(worker, p, integers[pick(state, 12)]);
    errors = 0;
}

static void ask(struct fw_worker *worker, uint64_t *state)
{
    const struct fw_answer *answer = NULL;
    const struct fw_count_settings counting = {.size = sizeof(counting),
                                               .symbolic = pick(state, 4) == 0};
    const struct fw_predict_settings traffic = {
        .size = sizeof(traffic), .models = "traffic,roofline", .cold = pick(state, 2)};
    const struct fw_emulate_settings emulating = {.size = sizeof(emulating), .limit = MOST_STEPS};
    enum fw_status status = fw_worker_count(&answer, worker, &counting);
    check(status, "count");
    if (!status)
        show(answer);
    status = fw_worker_predict(&answer, worker, device(), &traffic);
    check(status, "predict");
    if (!status)
        show(answer);
    check(fw_worker_emulate(&answer, worker, &emulating), "emulate");
}

static void rank(const char *text, size_t size, enum fw_program_language language,
                 const char *kernel)
{
    static const char *const vary[] = {"threads=64,128"};
    const struct fw_program_options options = {
        .size = sizeof(options), .language = language, .ptxas = FW_PTXAS_NEVER};
    const struct fw_rank_settings settings = {.size = sizeof(settings),
                                              .path = fuzz_file("ranked", text, size),
                                              .options = &options,
                                              .kernel = kernel,
                                              .vary = vary,
                                              .vary_count = 1,
                                              .grid = {100, 1, 1},
                                              .device = device(),
                                              .workers = 1};
    struct fw_ranking *ranking = NULL;
    check(fw_context_rank(&ranking, context(), &settings), "rank");
    fw_ranking_free(ranking);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t state = size;
    const char *text = (const char *)data;
    size_t blank = 0;
    while (blank < size && (text[blank] == ' ' || text[blank] == '\n'))
        blank++;
    bool json = blank < size && text[blank] == '{';
    const struct fw_program_options options = {.size = sizeof(options),
                                               .language =
                                                   json ? FW_PROGRAM_ADDRESSES : FW_PROGRAM_PTX,
                                               .ptxas = FW_PTXAS_NEVER};
    struct fw_program *program = NULL;
    for (size_t i = 0; i < size; i++)
        state = (state ^ data[i]) * 0x100000001b3u;
    errors = 0;
    enum fw_status status = fw_program_parse(&program, context(), "fuzz", text, size, &options);
    check(status, "parse");
    const char *name;
    for (size_t k = 0; program && k < MOST_KERNELS && (name = fw_program_kernel_name(program, k));
         k++) {
        const struct fw_kernel *kernel = NULL;
        struct fw_worker *worker = NULL;
        status = fw_program_kernel(&kernel, program, name);
        check(status, "kernel");
        if (status || fw_worker_new(&worker, program, kernel))
            continue;
        for (int l = 0; l < LAUNCHES; l++) {
            launch(worker, &state);
            ask(worker, &state);
        }
        fw_worker_free(worker);
        if (pick(&state, 4) == 0)
            rank(text, size, options.language, name);
    }
    fw_program_free(program);
    return 0;
}
