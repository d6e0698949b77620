#include "input.h"

#include <string.h>

extern const struct fw_input fw_input_ptx, fw_input_cuda, fw_input_opencl, fw_input_loops,
    fw_input_addresses;

static const struct fw_input *const inputs[] = {&fw_input_ptx, &fw_input_cuda, &fw_input_opencl,
                                                &fw_input_loops, &fw_input_addresses};

const struct fw_input *fw_input_find(enum fw_program_language language, const char *path)
{
    const char *suffix = strrchr(path, '.');
    for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++)
        if (language == inputs[i]->language ||
            (language == FW_PROGRAM_BY_SUFFIX && suffix && strcmp(suffix, inputs[i]->suffix) == 0))
            return inputs[i];
    return NULL;
}

/* The lines of the record's dump that speak of domains and loops. */
static char *domains_alone(struct fw_arena *arena, const char *dump)
{
    const char *end = strstr(dump, "  statement ");
    return fw_arena_text(arena, dump, end ? (size_t)(end - dump) : strlen(dump));
}

char *fw_input_dump_record(struct fw_arena *arena, const struct fw_kernel *record, const char *what)
{
    if (strcmp(what, "record") == 0)
        return fw_kernel_dump(arena, record);
    if (strcmp(what, "domains") == 0)
        return domains_alone(arena, fw_kernel_dump(arena, record));
    return NULL;
}

enum fw_status fw_input_count(struct fw_worker *worker)
{
    enum fw_status status = worker->program->input->begin(worker, !worker->settings->symbolic);
    return status ? status : fw_session_count(worker, NULL);
}

enum fw_status fw_input_predict(struct fw_worker *worker)
{
    enum fw_status status = worker->program->input->begin(worker, true);
    if (!status)
        status = fw_session_sample(worker);
    return status ? status : fw_session_predict(worker);
}

enum fw_status fw_input_trace(struct fw_worker *worker)
{
    enum fw_status status = worker->program->input->begin(worker, true);
    return status ? status : fw_session_trace(worker);
}

enum fw_status fw_input_features(struct fw_worker *worker)
{
    enum fw_status status = worker->program->input->begin(worker, true);
    return status ? status : fw_session_features(worker);
}
