/* Programs, as handles. */
#include "api_check.h"

enum fw_status fw_program_read(struct fw_program **program, const struct fw_context *context,
                               const char *path, const struct fw_program_options *options)
{
    struct api_check check = api_check_begin(context, __func__);
    if (program)
        *program = NULL;
    api_check_pointer(&check, program, "the result");
    api_check_text(&check, path, "the path");
    api_check_program_options(&check, options);
    return check.status ? check.status : fw_session_program_read(program, context, path, options);
}

enum fw_status fw_program_parse(struct fw_program **program, const struct fw_context *context,
                                const char *name, const char *text, size_t length,
                                const struct fw_program_options *options)
{
    struct api_check check = api_check_begin(context, __func__);
    if (program)
        *program = NULL;
    api_check_pointer(&check, program, "the result");
    api_check_text(&check, name, "the name");
    api_check_pointer(&check, text, "the text");
    api_check_program_options(&check, options);
    return check.status ? check.status
                        : fw_session_program_parse(program, context, name, text, length, options);
}

enum fw_status fw_program_read_many(struct fw_program_item *items, size_t count,
                                    const struct fw_context *context, unsigned workers)
{
    struct api_check check = api_check_begin(context, __func__);
    api_check_array(&check, items, count, "items");
    for (size_t i = 0; i < count && !check.status; i++) {
        items[i].program = NULL;
        api_check_text(&check, items[i].path, "an item's path");
        api_check_program_options(&check, items[i].options);
        items[i].status = check.status;
    }
    return check.status ? check.status
                        : fw_session_program_read_many(items, count, context, workers);
}

void fw_program_free(struct fw_program *program)
{
    fw_session_program_free(program);
}

size_t fw_program_kernel_count(const struct fw_program *program)
{
    return program ? program->kernel_count : 0;
}

const char *fw_program_kernel_name(const struct fw_program *program, size_t index)
{
    return program && index < program->kernel_count ? program->kernels[index].name : NULL;
}

enum fw_status fw_program_kernel(const struct fw_kernel **kernel, struct fw_program *program,
                                 const char *name)
{
    struct api_check check = api_check_begin(program ? program->context : NULL, __func__);
    if (kernel)
        *kernel = NULL;
    api_check_pointer(&check, kernel, "the result");
    api_check_optional(&check, name, "the name");
    return check.status ? check.status : fw_session_program_kernel(kernel, program, name);
}

enum fw_status fw_program_dump(char **text, struct fw_program *program, const char *name,
                               const char *what)
{
    struct api_check check = api_check_begin(program ? program->context : NULL, __func__);
    if (text)
        *text = NULL;
    api_check_pointer(&check, text, "the result");
    api_check_optional(&check, name, "the name");
    api_check_text(&check, what, "what to show");
    return check.status ? check.status : fw_session_program_dump(text, program, name, what);
}
