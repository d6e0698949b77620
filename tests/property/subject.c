#include "subject.h"

#include "pipeline.h"
#include "ptx_reader.h"
#include "signature.h"

#include <stdio.h>
#include <string.h>

static void keep_message(void *user, const struct fw_diagnostic *diagnostic)
{
    struct subject *s = user;
    snprintf(s->message, sizeof(s->message), "%s", diagnostic->message);
}

struct fw_sink subject_sink(struct subject *s)
{
    return (struct fw_sink){keep_message, s};
}

char *subject_file(struct fw_arena *arena, const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    if (size >= 0) {
        text = fw_arena_alloc(arena, (size_t)size + 1);
        *length = fread(text, 1, (size_t)size, file);
    }
    fclose(file);
    return text;
}

bool subject_build(struct subject *s, const char *ptx_path, const char *source_path,
                   const char *kernel_name)
{
    size_t length = 0;
    char *text = subject_file(s->arena, ptx_path, &length);
    return text && subject_read(s, ptx_path, text, length, source_path, kernel_name);
}

bool subject_read(struct subject *s, const char *name, const char *text, size_t length,
                  const char *source_path, const char *kernel_name)
{
    struct fw_sink sink = subject_sink(s);
    struct fw_source *source = FW_NEW(s->arena, struct fw_source);
    struct fw_module *module;
    *source = (struct fw_source){name, text, length};
    if (fw_ptx_read(&module, s->arena, source, &sink))
        return false;
    s->function = fw_module_kernel(module, kernel_name);
    if (!s->function || fw_ir_prepare(s->arena, s->function, FW_IR_MOST_INSTRUCTIONS, &sink))
        return false;
    char *code = subject_file(s->arena, source_path, &length);
    struct fw_signatures signatures;
    struct fw_record_options options = {0};
    if (code) {
        fw_signatures_read(&signatures, s->arena, code, length, strstr(source_path, ".cl") != NULL);
        const struct fw_signature *found =
            fw_signature_find(&signatures, kernel_name, s->function->parameter_count);
        if (found) {
            const char **names = FW_ARRAY(s->arena, const char *, found->parameters.count);
            for (size_t p = 0; p < found->parameters.count; p++)
                names[p] = found->parameters.at[p].name;
            options.names = names;
            options.name_count = (uint32_t)found->parameters.count;
        }
    }
    return fw_record_build(&s->kernel, s->arena, s->function, &options, &sink) == FW_OK;
}
