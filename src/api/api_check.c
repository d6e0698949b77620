/* See api_check.h. */
#include "api_check.h"

#include <math.h>
#include <string.h>

static void refuse(struct api_check *check, const char *name, const char *why)
{
    if (check->status)
        return;
    check->status = FW_ERROR_USAGE;
    if (check->context)
        fw_session_error(check->context, "API009", "%s: %s %s", check->function, name, why);
}

struct api_check api_check_begin(const struct fw_context *context, const char *function)
{
    struct api_check check = {context, function, FW_OK};
    api_check_pointer(&check, context, "the context");
    return check;
}

void api_check_pointer(struct api_check *check, const void *pointer, const char *name)
{
    if (!pointer)
        refuse(check, name, "is missing (NULL)");
}

void api_check_text(struct api_check *check, const char *text, const char *name)
{
    api_check_pointer(check, text, name);
    api_check_optional(check, text, name);
}

void api_check_optional(struct api_check *check, const char *text, const char *name)
{
    if (text && !*text)
        refuse(check, name, "is empty");
}

void api_check_array(struct api_check *check, const void *array, size_t count, const char *name)
{
    if (count && !array)
        refuse(check, name, "has a count and no array");
}

void api_check_texts(struct api_check *check, const char *const *texts, size_t count,
                     const char *name)
{
    api_check_array(check, texts, count, name);
    for (size_t t = 0; t < count && !check->status; t++)
        if (!texts[t])
            refuse(check, name, "has an element that is missing (NULL)");
}

void api_check_size(struct api_check *check, const void *options, const char *name)
{
    size_t size = 1;
    if (options)
        memcpy(&size, options, sizeof(size));
    if (size == 0)
        refuse(check, name, "does not state its size");
}

void api_check_number(struct api_check *check, double number, double most, const char *name)
{
    if (!isfinite(number) || number < 0)
        refuse(check, name, "is not a finite number of 0 or more");
    else if (number > most)
        refuse(check, name, "is too large");
}

void api_check_choice(struct api_check *check, unsigned choice, unsigned count, const char *name)
{
    if (choice >= count)
        refuse(check, name, "is none of its values");
}

void api_check_program_options(struct api_check *check, const struct fw_program_options *options)
{
    struct fw_program_options all;
    api_check_size(check, options, "the options");
    fw_session_options(&all, sizeof(all), options);
    api_check_choice(check, (unsigned)all.language, FW_PROGRAM_ADDRESSES + 1u, "language");
    api_check_choice(check, (unsigned)all.ptxas, FW_PTXAS_NEVER + 1u, "ptxas");
    api_check_texts(check, all.defines, all.define_count, "defines");
    api_check_texts(check, all.includes, all.include_count, "includes");
    api_check_optional(check, all.standard, "standard");
    api_check_optional(check, all.compiler, "compiler");
}

void api_check_predict(struct api_check *check, const struct fw_predict_settings *settings)
{
    static const double most_hertz = 1e12;
    struct fw_predict_settings all;
    api_check_size(check, settings, "the settings");
    fw_session_options(&all, sizeof(all), settings);
    api_check_optional(check, all.models, "models");
    api_check_optional(check, all.volumes, "volumes");
    api_check_number(check, all.clock, most_hertz, "clock");
    if (all.emulate)
        api_check_emulate(check, all.emulate);
}

void api_check_emulate(struct api_check *check, const struct fw_emulate_settings *settings)
{
    struct fw_emulate_settings all;
    api_check_size(check, settings, "the settings");
    fw_session_options(&all, sizeof(all), settings);
    api_check_texts(check, all.arguments, all.argument_count, "arguments");
}

void api_check_render(struct api_check *check, const struct fw_render_options *options)
{
    struct fw_render_options all;
    api_check_size(check, options, "the options");
    fw_session_options(&all, sizeof(all), options);
    api_check_choice(check, (unsigned)all.format, FW_FORMAT_JSON + 1u, "format");
}
