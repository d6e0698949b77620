/* Programs, as handles. */
#include "session.h"

enum fw_status fw_program_read(struct fw_program **program, const struct fw_context *context,
                               const char *path, const struct fw_program_options *options)
{
    return fw_session_program_read(program, context, path, options);
}

enum fw_status fw_program_parse(struct fw_program **program, const struct fw_context *context,
                                const char *name, const char *text, size_t length,
                                const struct fw_program_options *options)
{
    return fw_session_program_parse(program, context, name, text, length, options);
}

enum fw_status fw_program_read_many(struct fw_program_item *items, size_t count,
                                    const struct fw_context *context, unsigned workers)
{
    return fw_session_program_read_many(items, count, context, workers);
}

void fw_program_free(struct fw_program *program)
{
    fw_session_program_free(program);
}

size_t fw_program_kernel_count(const struct fw_program *program)
{
    return program->kernel_count;
}

const char *fw_program_kernel_name(const struct fw_program *program, size_t index)
{
    return index < program->kernel_count ? program->kernels[index].name : NULL;
}

enum fw_status fw_program_kernel(const struct fw_kernel **kernel, struct fw_program *program,
                                 const char *name)
{
    return fw_session_program_kernel(kernel, program, name);
}

enum fw_status fw_program_dump(char **text, struct fw_program *program, const char *name,
                               const char *what)
{
    return fw_session_program_dump(text, program, name, what);
}
