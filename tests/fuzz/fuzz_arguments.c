/* Any lines are what a user states of a launch, each behind a letter: s a binding, a the content of
 * a pointer, v what a ranking varies, d its domain, A an assumption, m models, D a device.  They
 * are taken, or refused with a diagnostic. */
#include "forewarp.h"
#include "fuzzing.h"

enum { MOST = 8 };

static const char ptx[] = ".version 7.0\n.target sm_80\n.address_size 64\n"
                          ".visible .entry k(.param .u64 p, .param .u32 n, .param .f32 a)\n{\n"
                          ".reg .pred %q;\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n.reg .f32 %f<3>;\n"
                          "ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\n"
                          "ld.param.f32 %f2, [a];\nmov.u32 %r2, %tid.x;\n"
                          "setp.ge.s32 %q, %r2, %r1;\n@%q bra END;\n"
                          "mul.wide.s32 %rd2, %r2, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
                          "ld.global.f32 %f1, [%rd3];\nadd.f32 %f1, %f1, %f2;\n"
                          "st.global.f32 [%rd3], %f1;\nEND:\nret;\n}\n";

static unsigned errors;

static void count(void *user, const struct fw_message *message)
{
    (void)user;
    errors += message->severity == FW_MESSAGE_ERROR;
}

struct stated {
    const char *bindings[MOST], *contents[MOST], *varied[MOST], *domain[3];
    size_t binding_count, content_count, varied_count, domain_count;
    const char *assumption, *models, *device;
};

static void add(const char **list, size_t *count, size_t most, const char *text)
{
    if (*count < most)
        list[(*count)++] = text;
}

static void read_lines(struct stated *stated, char *text)
{
    while (text) {
        char *end = strchr(text, '\n'), *value = *text && text[1] == ' ' ? text + 2 : NULL;
        if (end)
            *end = '\0';
        switch (value ? *text : '\0') {
        case 's':
            add(stated->bindings, &stated->binding_count, MOST, value);
            break;
        case 'a':
            add(stated->contents, &stated->content_count, MOST, value);
            break;
        case 'v':
            add(stated->varied, &stated->varied_count, MOST, value);
            break;
        case 'd':
            add(stated->domain, &stated->domain_count, 3, value);
            break;
        case 'A':
            stated->assumption = value;
            break;
        case 'm':
            stated->models = value;
            break;
        case 'D':
            stated->device = value;
            break;
        default:
            break;
        }
        text = end ? end + 1 : NULL;
    }
}

static void check(enum fw_status status, const char *what)
{
    if (status && status != FW_ERROR_MEMORY && !errors) {
        fprintf(stderr, "%s: ", what);
        fail("refused without a diagnostic");
    }
    errors = 0;
}

static void ask(const struct fw_context *context, const struct fw_program *program,
                const struct fw_kernel *kernel, const struct stated *stated)
{
    struct fw_worker *worker = NULL;
    struct fw_device *device = NULL;
    const struct fw_answer *answer = NULL;
    const struct fw_count_settings counting = {
        .size = sizeof(counting), .symbolic = true, .assumptions = stated->assumption};
    const struct fw_predict_settings predicting = {.size = sizeof(predicting),
                                                   .models = stated->models};
    const struct fw_emulate_settings emulating = {.size = sizeof(emulating),
                                                  .arguments = stated->contents,
                                                  .argument_count = stated->content_count,
                                                  .limit = 10000};
    if (fw_worker_new(&worker, program, kernel))
        fail("there is no worker");
    fw_worker_set_grid(worker, 7, 1, 1);
    fw_worker_set_block(worker, 64, 1, 1);
    errors = 0;
    for (size_t b = 0; b < stated->binding_count; b++)
        check(fw_worker_bind(worker, stated->bindings[b]), "bind");
    check(fw_worker_count(&answer, worker, &counting), "count");
    check(fw_worker_emulate(&answer, worker, &emulating), "emulate");
    check(fw_context_device(&device, context, stated->device ? stated->device : "h200"), "device");
    if (device) {
        const struct fw_predict_settings sampling = {
            .size = sizeof(sampling), .models = stated->models, .emulate = &emulating};
        check(fw_worker_predict(&answer, worker, device, &predicting), "predict");
        check(fw_worker_predict(&answer, worker, device, &sampling), "predict from blocks");
        const struct fw_program_options options = {
            .size = sizeof(options), .language = FW_PROGRAM_PTX, .ptxas = FW_PTXAS_NEVER};
        const struct fw_rank_settings settings = {.size = sizeof(settings),
                                                  .path = fuzz_file("ranked", ptx, strlen(ptx)),
                                                  .options = &options,
                                                  .vary = stated->varied,
                                                  .vary_count = stated->varied_count,
                                                  .bindings = stated->bindings,
                                                  .binding_count = stated->binding_count,
                                                  .domain = stated->domain,
                                                  .domain_count = stated->domain_count,
                                                  .device = device,
                                                  .predict = &predicting,
                                                  .workers = 1,
                                                  .most = 50};
        struct fw_ranking *ranking = NULL;
        check(fw_context_rank(&ranking, context, &settings), "rank");
        fw_ranking_free(ranking);
    }
    fw_context_device_free(device);
    fw_worker_free(worker);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct fw_context_options options = {.size = sizeof(options),
                                               .data = FW_SOURCE_TREE,
                                               .memory = (size_t)256 << 20,
                                               .message = count};
    const struct fw_program_options how = {
        .size = sizeof(how), .language = FW_PROGRAM_PTX, .ptxas = FW_PTXAS_NEVER};
    static struct fw_context *context;
    static struct fw_program *program;
    static const struct fw_kernel *kernel;
    struct stated stated = {0};
    char *text = malloc(size + 1);
    if (!text ||
        (!context && (fw_context_new(&context, &options) ||
                      fw_program_parse(&program, context, "k.ptx", ptx, strlen(ptx), &how) ||
                      fw_program_kernel(&kernel, program, "k"))))
        fail("there is no kernel");
    memcpy(text, data, size);
    text[size] = '\0';
    read_lines(&stated, text);
    ask(context, program, kernel, &stated);
    free(text);
    return 0;
}
