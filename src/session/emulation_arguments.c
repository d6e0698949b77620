/* Contents of arrays for the emulator, as the user names arguments. */
#include "emulation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "NAME=..." with the source's name becomes "#POSITION=...", which the emulator knows. */
static const char *by_position(const struct fw_worker *worker, const char *text)
{
    const struct fw_kernel *record = worker->record;
    size_t length = strcspn(text, "=+");
    for (uint32_t p = 0; p < record->parameter_count; p++) {
        const char *name = record->parameters[p].name;
        if (strncmp(name, text, length) == 0 && strcspn(name, "+") == length)
            return fw_arena_printf(worker->results, "#%u%s", record->parameters[p].position,
                                   text + length);
    }
    if (*text >= '0' && *text <= '9')
        return fw_arena_printf(worker->results, "#%s", text);
    if (strncmp(text, "param_", 6) == 0)
        return fw_arena_printf(worker->results, "%s_%s", record->name, text);
    return text;
}

static void add_bound(const struct fw_worker *worker, struct fw_emulate_argument *to, uint32_t p)
{
    const struct fw_parameter *parameter = &worker->record->parameters[p];
    const char *plus = parameter->is_member ? strrchr(parameter->name, '+') : NULL;
    *to = (struct fw_emulate_argument){.position = parameter->position,
                                       .offset = plus ? (uint32_t)strtoul(plus + 1, NULL, 10) : 0,
                                       .is_number = true,
                                       .number = worker->launch->integers[p],
                                       .real = worker->launch->floats[p]};
    if (plus) { /* a part has no type that the emulator knows: its bytes */
        double real = worker->launch->floats[p];
        float single = (float)real;
        to->is_number = false;
        to->value_bytes = parameter->bytes;
        if (parameter->type == FW_TYPE_F64)
            memcpy(to->value, &real, sizeof(real));
        else if (parameter->type == FW_TYPE_F32)
            memcpy(to->value, &single, sizeof(single));
        else
            memcpy(to->value, &worker->launch->integers[p],
                   parameter->bytes < 8 ? parameter->bytes : 8);
    }
}

/* The parameter of the record that an argument is for; FW_NONE. */
static uint32_t parameter_of(const struct fw_kernel *record,
                             const struct fw_emulate_argument *argument)
{
    for (uint32_t p = 0; p < record->parameter_count; p++) {
        const struct fw_parameter *parameter = &record->parameters[p];
        const char *plus = parameter->is_member ? strrchr(parameter->name, '+') : NULL;
        const uint32_t offset = plus ? (uint32_t)strtoul(plus + 1, NULL, 10) : 0;
        if (argument->name
                ? strcmp(argument->name, parameter->name) == 0
                : argument->position == parameter->position && argument->offset == offset)
            return p;
    }
    return FW_NONE;
}

/* Whether elements of an array's type can be what the kernel reads as `type`: as many bytes, and
 * numbers of the same kind where both say one.  Halves travel as whole numbers. */
static bool reads(enum fw_type type, enum fw_type element)
{
    const char kind = fw_type_class(type), own = fw_type_class(element);
    if (fw_type_bytes(type) != fw_type_bytes(element))
        return false;
    return kind == 'b' || fw_type_bytes(type) <= 2 || (kind == 'f') == (own == 'f');
}

/* An array's elements against what the kernel reads and writes through the argument. */
static enum fw_status check_elements(const struct fw_worker *worker,
                                     const struct fw_emulate_argument *argument, uint32_t parameter)
{
    const struct fw_kernel *record = worker->record;
    const struct fw_access *other = NULL;
    for (uint32_t a = 0; a < record->access_count; a++) {
        const struct fw_access *access = &record->accesses[a];
        if (access->array == FW_NONE || record->arrays[access->array].parameter != parameter ||
            access->bulk)
            continue;
        if (reads(access->type, argument->type))
            return FW_OK;
        other = access;
    }
    if (!other)
        return FW_OK;
    const char *notes[] = {
        "an array may be saved as another type of as many bytes, NumPy's x.view(dtype), or its "
        "bytes given as TYPE[COUNT]:file:PATH"};
    fw_report_notes(&worker->program->context->sink, FW_ERROR, "EMU009", (struct fw_span){0}, notes,
                    1, "%s holds elements of %s, and %s accesses %s as %s in line %u",
                    argument->path, fw_type_text(argument->type), worker->row->name,
                    record->parameters[parameter].name, fw_type_text(other->type), other->line);
    return FW_ERROR_INPUT;
}

enum fw_status fw_session_emulate_arguments(struct fw_worker *worker,
                                            const struct fw_emulate_settings *settings,
                                            struct fw_emulate_launch *launch, bool *given)
{
    const struct fw_kernel *record = worker->record;
    struct fw_emulate_argument *arguments =
        FW_ARRAY(worker->results, struct fw_emulate_argument,
                 record->parameter_count + settings->argument_count + 1);
    for (uint32_t p = 0; p < record->parameter_count; p++)
        if (worker->launch->is_bound[p])
            add_bound(worker, &arguments[launch->argument_count++], p);
    for (size_t a = 0; a < settings->argument_count; a++) {
        struct fw_emulate_argument *argument = &arguments[launch->argument_count++];
        enum fw_status status = fw_emulate_argument_parse(
            argument, worker->results, by_position(worker, settings->arguments[a]),
            &worker->program->context->sink);
        const uint32_t p = status ? FW_NONE : parameter_of(record, argument);
        if (p != FW_NONE && argument->is_buffer)
            given[p] = true;
        if (p != FW_NONE && argument->is_npy)
            status = check_elements(worker, argument, p);
        if (status)
            return status;
    }
    launch->arguments = arguments;
    launch->dynamic_shared = worker->launch->shared;
    memcpy(launch->grid, worker->launch->grid, sizeof(launch->grid));
    memcpy(launch->block, worker->launch->block, sizeof(launch->block));
    return FW_OK;
}
