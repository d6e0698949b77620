/* Kernel-language programs as code: CUDA C++ that is generated, compiled, and asked in the kernel's
 * place.  What goes wrong on that way is kept as a sentence, not told as an error: predictions then
 * come from the domains. */
#include "deadline.h"
#include "emit.h"
#include "loop_work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct loop_code {
    struct fw_context quiet; /* its messages go into `why` */
    char why[256];           /* the first error; "": none */
    struct fw_program *program;
    struct fw_worker *worker;
    const struct fw_emission *emission;
};

static void keep_first(void *user, const struct fw_diagnostic *diagnostic)
{
    struct loop_code *code = user;
    if (diagnostic->severity == FW_ERROR && !code->why[0])
        snprintf(code->why, sizeof(code->why), "%s", diagnostic->message);
}

static enum fw_status generate(struct fw_worker *worker, struct loop_code *code)
{
    struct fw_loop_program *loops = worker->loops->program;
    const struct fw_sink *sink = loops->sink;
    struct fw_emission *emission = NULL;
    loops->sink = &code->quiet.sink;
    enum fw_status status = fw_emit(&emission, loops, FW_EMIT_CUDA);
    loops->sink = sink;
    code->emission = emission;
    return status;
}

static enum fw_status compile(struct fw_worker *worker, struct loop_code *code)
{
    const struct fw_kernel *kernel;
    struct fw_program_options options = worker->program->compile;
    const char *name = fw_arena_printf(worker->arena, "%s (as CUDA C++)", worker->program->file);
    options.size = sizeof(options);
    options.language = FW_PROGRAM_CUDA;
    options.define_count = 0; /* constants are numbers in the code */
    enum fw_status status =
        fw_session_program_parse(&code->program, &code->quiet, name, code->emission->text,
                                 strlen(code->emission->text), &options);
    if (!status)
        status = fw_session_program_kernel(&kernel, code->program, NULL);
    if (!status)
        status = fw_session_worker_new(&code->worker, code->program, kernel);
    return status;
}

/* Made once a worker, whatever comes of it. */
static struct loop_code *code_of(struct fw_worker *worker)
{
    struct loop_work *work = worker->loops;
    if (work->code)
        return work->code;
    struct loop_code *code = FW_NEW(worker->arena, struct loop_code);
    code->quiet = *worker->program->context;
    code->quiet.sink = (struct fw_sink){keep_first, code};
    work->code = code;
    enum fw_status status = generate(worker, code);
    if (!status)
        status = compile(worker, code);
    if (status && !code->why[0])
        snprintf(code->why, sizeof(code->why), "it cannot be made");
    fw_deadline_check(worker->results); /* that the time is over is no reason to go another way */
    return code;
}

void fw_session_loop_code_free(struct loop_code *code)
{
    if (!code)
        return;
    fw_session_worker_free(code->worker);
    fw_session_program_free(code->program);
}

/* The launch and the values that the answer has, for the code's kernel. */
static enum fw_status bind(const struct fw_worker *worker, const struct loop_code *code)
{
    const struct fw_answer *answer = worker->answer;
    fw_session_worker_clear(code->worker);
    fw_session_worker_set_grid(code->worker, answer->grid[0], answer->grid[1], answer->grid[2]);
    fw_session_worker_set_block(code->worker, answer->block[0], answer->block[1], answer->block[2]);
    fw_session_worker_set_registers(code->worker, worker->stated_registers);
    fw_session_worker_set_compiled(code->worker, worker->compiled_registers,
                                   worker->compiled_spill_bytes);
    if (worker->static_stated)
        fw_session_worker_set_static_shared(code->worker, worker->stated_static);
    enum fw_status status = FW_OK;
    for (size_t a = 0; a < code->emission->arguments.count && !status; a++)
        for (size_t b = 0; b < answer->kernel->argument_count && !status; b++) {
            const struct fw_argument_row *row = &answer->kernel->arguments[b];
            if (strcmp(row->name, code->emission->arguments.at[a].name) != 0 || !row->is_bound)
                continue;
            status = row->is_float ? fw_session_worker_bind_number(code->worker, a, row->number)
                                   : fw_session_worker_bind_integer(code->worker, a, row->integer);
        }
    return status;
}

/* The code's answer under the kernel's own name and file; its layer stays PTX. */
static void adopt(struct fw_worker *worker, const struct fw_answer *from)
{
    struct fw_answer *answer = FW_NEW(worker->results, struct fw_answer);
    struct fw_kernel_row *row = FW_NEW(worker->results, struct fw_kernel_row);
    *answer = *from;
    *row = *from->kernel;
    row->name = worker->row->name;
    row->file = worker->row->file;
    row->language = worker->row->language;
    row->constants = worker->row->constants;
    row->constant_count = worker->row->constant_count;
    answer->kernel = row;
    worker->answer = answer;
}

bool fw_session_loop_features_of_code(struct fw_worker *worker, const struct fw_feature_rows *rows,
                                      const double *own, enum fw_status *status, const char **why)
{
    struct loop_code *code = code_of(worker);
    const struct fw_answer *answer;
    *why = code->why;
    if (!code->worker || bind(worker, code) != FW_OK)
        return false;
    code->quiet.sink = worker->program->context->sink; /* from here on it is the question's fault */
    code->worker->domain_rows = rows;
    code->worker->domain_own = own;
    *status = fw_session_worker_features(&answer, code->worker, worker->device, worker->features);
    code->worker->domain_rows = NULL;
    code->quiet.sink = (struct fw_sink){keep_first, code};
    if (!*status)
        adopt(worker, answer);
    return true;
}

bool fw_session_loop_predict_code(struct fw_worker *worker, const struct fw_feature_rows *rows,
                                  const double *own, const char **why)
{
    struct loop_code *code = code_of(worker);
    const struct fw_answer *answer;
    *why = NULL;
    if (code->worker && bind(worker, code) == FW_OK) {
        code->worker->domain_rows = rows;
        code->worker->domain_own = own;
        enum fw_status status =
            fw_session_worker_predict(&answer, code->worker, worker->device, worker->predict);
        code->worker->domain_rows = NULL;
        if (!status)
            adopt(worker, answer);
        if (!status)
            return true;
    }
    *why = code->why;
    return false;
}

/* A question that only the code answers. */
static enum fw_status ask_code(struct fw_worker *worker, const char *who,
                               enum fw_status (*ask)(const struct fw_answer **answer,
                                                     struct fw_worker *code,
                                                     const struct fw_worker *worker))
{
    struct loop_code *code = code_of(worker);
    const struct fw_answer *answer;
    if (!code->worker) {
        fw_session_file_error(worker->program, "API015",
                              "%s PTX, and this cannot be made into it: %s", who, code->why);
        return FW_ERROR_INPUT;
    }
    code->quiet.sink = worker->program->context->sink; /* from here on it is the launch's fault */
    enum fw_status status = bind(worker, code);
    if (!status)
        status = ask(&answer, code->worker, worker);
    code->quiet.sink = (struct fw_sink){keep_first, code};
    if (!status)
        adopt(worker, answer);
    return status;
}

static enum fw_status emulate(const struct fw_answer **answer, struct fw_worker *code,
                              const struct fw_worker *worker)
{
    return fw_session_worker_emulate(answer, code, worker->emulate);
}

enum fw_status fw_session_loop_emulate_code(struct fw_worker *worker)
{
    return ask_code(worker, "the emulator runs", emulate);
}

static enum fw_status trace(const struct fw_answer **answer, struct fw_worker *code,
                            const struct fw_worker *worker)
{
    return fw_session_worker_trace(answer, code, worker->device, worker->trace);
}

enum fw_status fw_session_loop_trace_code(struct fw_worker *worker)
{
    return ask_code(worker, "traces are of", trace);
}
