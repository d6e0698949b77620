/* Where the variables that a kernel names lie: shared and local memory, buffers of the module. */
#include "emulate_decode.h"
#include "emulate_launch.h"

#include <string.h>

static bool is_kernel_parameter(const struct fw_function *function,
                                const struct fw_variable *variable)
{
    return function->is_entry && variable >= function->parameters &&
           variable < function->parameters + function->parameter_count;
}

static void add_symbol(struct fw_emulation *emulation, const struct fw_variable *variable)
{
    struct emulate_code *code = &emulation->run.code;
    if (!variable || fw_emulate_symbol(code, variable))
        return;
    FW_APPEND(emulation->arena, &code->symbols)->variable = variable;
    for (uint32_t i = 0; i < variable->relocation_count; i++)
        add_symbol(emulation, variable->relocations[i].variable);
}

static void collect(struct fw_emulation *emulation, const struct fw_operand *operand)
{
    add_symbol(emulation, operand->variable);
    for (unsigned i = 0; i < operand->count; i++)
        collect(emulation, &operand->elements[i]);
}

static uint64_t place(uint64_t *end, const struct fw_variable *variable, uint64_t least)
{
    uint64_t alignment = variable->alignment ? variable->alignment : 1;
    alignment = alignment < least ? least : alignment;
    const uint64_t at = (*end + alignment - 1) & ~(alignment - 1);
    *end = at + variable->bytes;
    return at;
}

static struct fw_emulate_buffer *buffer_of_variable(struct fw_emulation *emulation,
                                                    const struct fw_variable *variable)
{
    const struct emulate_symbol *symbol = fw_emulate_symbol(&emulation->run.code, variable);
    for (size_t i = 0; symbol && i < emulation->buffers.list.count; i++)
        if (emulation->buffers.list.at[i].address == symbol->address)
            return &emulation->buffers.list.at[i];
    return NULL;
}

/* Addresses in initial values. */
static enum fw_status relocate(struct fw_emulation *emulation, const struct fw_variable *variable,
                               const struct fw_sink *sink)
{
    struct fw_emulate_buffer *buffer = buffer_of_variable(emulation, variable);
    for (uint32_t i = 0; buffer && i < variable->relocation_count; i++) {
        const struct fw_relocation *relocation = &variable->relocations[i];
        const struct emulate_symbol *to =
            relocation->variable ? fw_emulate_symbol(&emulation->run.code, relocation->variable)
                                 : NULL;
        const uint64_t size = fw_type_bytes(variable->type);
        if (!to || relocation->variable->space == FW_SPACE_SHARED || size > 8 ||
            relocation->offset + size > buffer->bytes) {
            fw_report(sink, FW_ERROR, "EMU007", variable->span,
                      "the initial value of '%s' holds an address that is not emulated",
                      variable->name);
            return FW_ERROR_INPUT;
        }
        uint64_t value = to->address + (uint64_t)relocation->addend;
        if (relocation->mask && ~relocation->mask)
            value = (value & relocation->mask) >> __builtin_ctzll(relocation->mask);
        memcpy((unsigned char *)buffer->memory + relocation->offset, &value, (size_t)size);
    }
    return FW_OK;
}

/* A buffer for a variable of the module, with its initial value. */
static enum fw_status place_global(struct fw_emulation *emulation, struct emulate_symbol *symbol,
                                   const struct fw_sink *sink)
{
    const struct fw_variable *variable = symbol->variable;
    if (variable->external && !variable->initial && variable->bytes == 0) {
        fw_report(sink, FW_ERROR, "EMU007", variable->span,
                  "'%s' is external: its contents are not known", variable->name);
        return FW_ERROR_INPUT;
    }
    enum fw_status status = fw_emulate_buffer_add(
        &emulation->buffers, emulation->arena, variable->name, variable->bytes, variable->alignment,
        variable->space == FW_SPACE_CONST, sink);
    if (status)
        return status;
    const struct fw_emulate_buffer *buffer =
        &emulation->buffers.list.at[emulation->buffers.list.count - 1];
    symbol->address = buffer->address;
    if (variable->initial)
        memcpy(buffer->memory, variable->initial, (size_t)variable->bytes);
    return FW_OK;
}

/* Pointers to shared memory that the launch sets (OpenCL's local arguments): those with a stated
 * size one after another, at most one without, which gets the dynamic shared memory. */
static enum fw_status place_shared_parameters(struct fw_emulation *emulation, uint64_t *end,
                                              uint64_t dynamic, const struct fw_sink *sink)
{
    const struct fw_function *function = emulation->run.code.function;
    bool taken = false;
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        const struct fw_variable *parameter = &function->parameters[i];
        if (parameter->points_to != FW_SPACE_SHARED)
            continue;
        uint64_t bytes = emulation->shared_parameters[i], at = dynamic;
        if (bytes) {
            at = (*end + 15) / 16 * 16;
            *end = at + bytes;
        } else if (taken) {
            fw_report(sink, FW_ERROR, "EMU003", parameter->span,
                      "'%s' points to shared memory of unknown size: say it, as %s=f32[256]",
                      parameter->name, parameter->name);
            return FW_ERROR_USAGE;
        }
        taken |= bytes == 0;
        memcpy(emulation->parameters + parameter->offset, &at, 8);
    }
    return FW_OK;
}

/* Dynamic shared memory behind the static one. */
static enum fw_status place_dynamic(struct fw_emulation *emulation, const struct fw_sink *sink)
{
    struct emulate_code *code = &emulation->run.code;
    uint64_t dynamic = (code->shared_bytes + 15) / 16 * 16;
    bool used = false;
    for (size_t i = 0; i < code->symbols.count; i++) {
        struct emulate_symbol *symbol = &code->symbols.at[i];
        uint64_t start = code->shared_bytes;
        if (symbol->variable->space != FW_SPACE_SHARED || !symbol->variable->external ||
            symbol->variable->bytes)
            continue;
        symbol->address = place(&start, symbol->variable, 16);
        dynamic = symbol->address > dynamic ? symbol->address : dynamic;
        used = true;
    }
    uint64_t end = emulation->launch.dynamic_shared || used
                       ? dynamic + emulation->launch.dynamic_shared
                       : code->shared_bytes;
    enum fw_status status = place_shared_parameters(emulation, &end, dynamic, sink);
    code->shared_total = end;
    return status;
}

enum fw_status fw_emulate_place(struct fw_emulation *emulation, const struct fw_sink *sink)
{
    struct emulate_code *code = &emulation->run.code;
    const struct fw_function *function = code->function;
    enum fw_status status = FW_OK;
    for (uint32_t i = 0; i < function->instruction_count; i++)
        for (unsigned k = 0; k < function->instructions[i].operand_count; k++)
            collect(emulation, &function->instructions[i].operands[k]);
    for (size_t i = 0; i < code->symbols.count && !status; i++) {
        struct emulate_symbol *symbol = &code->symbols.at[i];
        const struct fw_variable *variable = symbol->variable;
        if (variable->space == FW_SPACE_PARAM && is_kernel_parameter(function, variable)) {
            symbol->address = PARAM_BASE + variable->offset;
        } else if (variable->space == FW_SPACE_LOCAL || variable->space == FW_SPACE_PARAM) {
            symbol->address = place(&code->local_bytes, variable, 8);
            symbol->staged = variable->space == FW_SPACE_PARAM;
        } else if (variable->space == FW_SPACE_SHARED) {
            if (!variable->external || variable->bytes)
                symbol->address = place(&code->shared_bytes, variable, 1);
        } else if (variable->space == FW_SPACE_GLOBAL || variable->space == FW_SPACE_CONST) {
            status = place_global(emulation, symbol, sink);
        }
    }
    code->local_bytes = (code->local_bytes + 15) / 16 * 16;
    if (!status)
        status = place_dynamic(emulation, sink);
    for (size_t i = 0; i < code->symbols.count && !status; i++)
        status = relocate(emulation, code->symbols.at[i].variable, sink);
    if (!status && (code->shared_total > SHARED_LIMIT || code->local_bytes > LOCAL_LIMIT / 64)) {
        fw_report(sink, FW_ERROR, "EMU004", function->span,
                  "%llu bytes of shared and %llu of local memory are too much",
                  (unsigned long long)code->shared_total, (unsigned long long)code->local_bytes);
        status = FW_ERROR_USAGE;
    }
    return status;
}
