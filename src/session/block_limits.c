/* What a block can have on the device: registers, static and dynamic shared memory.  An estimate of
 * registers refuses no launch; shared memory that no block can have, or whose size nobody stated,
 * and registers that the caller states and no thread can have, do. */
#include "residency.h"
#include "session.h"

/* Static shared memory has a limit of its own, which dynamic shared memory may pass. */
static enum fw_status check_static(const struct fw_worker *worker)
{
    const struct fw_device *device = worker->device;
    uint64_t bytes =
        worker->static_stated ? worker->stated_static : worker->record->resources.static_shared;
    uint64_t most = fw_device_count(device, FW_FIGURE_SHARED_PER_BLOCK, UINT64_MAX);
    uint64_t opt_in = fw_device_count(device, FW_FIGURE_SHARED_PER_BLOCK_OPT_IN, 0);
    if (bytes <= most)
        return FW_OK;
    const char *note = fw_arena_printf(
        worker->results, "dynamic shared memory (extern __shared__, --shared) has up to %llu bytes",
        (unsigned long long)opt_in);
    fw_report_notes(&worker->program->context->sink, FW_ERROR, "API034", (struct fw_span){0}, &note,
                    opt_in > most,
                    "%s %s %s%llu bytes of static shared memory: a block on %s has %llu at most",
                    worker->answer->kernel->name, worker->static_stated ? "is to have" : "declares",
                    !worker->static_stated && bytes == UINT32_MAX ? "at least " : "",
                    (unsigned long long)bytes, device->name, (unsigned long long)most);
    return worker->static_stated ? FW_ERROR_USAGE : FW_ERROR_INPUT;
}

/* Dynamic shared memory is as large as the launch says: where it says nothing, and the kernel uses
 * it, there is no answer. */
static enum fw_status check_dynamic(const struct fw_worker *worker)
{
    enum { MOST = 16 };
    const struct fw_resources *resources = &worker->record->resources;
    const struct fw_sink *sink = &worker->program->context->sink;
    const char *kernel = worker->answer->kernel->name, *notes[MOST];
    size_t count = 0;
    if (worker->shared_stated)
        return FW_OK;
    if (resources->addresses_dynamic) {
        const char *array = fw_session_full_name(worker->results, resources->addresses_dynamic);
        notes[count++] = fw_arena_printf(
            worker->results, "--shared BYTES  (%s)",
            array ? array : fw_text_variable(worker->results, resources->addresses_dynamic));
    }
    for (uint32_t p = 0; p < worker->record->parameter_count && count < MOST; p++) {
        const struct fw_parameter *parameter = &worker->record->parameters[p];
        if (parameter->is_local)
            notes[count++] =
                fw_arena_printf(worker->results, "--shared BYTES  (argument %u, %s, local memory)",
                                parameter->position, parameter->name);
    }
    if (count) {
        fw_report_notes(sink, FW_ERROR, "API035", (struct fw_span){0}, notes, count,
                        "%s uses dynamic shared memory, and how much is not given", kernel);
        return FW_ERROR_USAGE;
    }
    if (resources->dynamic_unused)
        fw_report(sink, FW_WARNING, "API035", (struct fw_span){0},
                  "%s declares dynamic shared memory that nothing uses: it is taken to be empty "
                  "(--shared BYTES)",
                  kernel);
    return FW_OK;
}

static enum fw_status check_registers(const struct fw_worker *worker)
{
    uint64_t most = fw_device_count(worker->device, FW_FIGURE_REGISTERS_PER_THREAD, UINT32_MAX);
    const uint32_t stated =
        worker->stated_registers ? worker->stated_registers : worker->compiled_registers;
    if (stated <= most)
        return FW_OK;
    fw_session_error(worker->program->context, "API036",
                     "a thread on %s has %llu registers at most, not %u", worker->device->name,
                     (unsigned long long)most, stated);
    return FW_ERROR_USAGE;
}

/* Registers that the caller states.  What more is needed counts as spilled; what an assembler
 * spilled for want of registers stays as far as the stated ones do not hold it. */
static void state_registers(struct fw_resources *resources, uint32_t stated)
{
    enum { WORD = 4 };
    uint32_t known = resources->registers;
    if (fw_residency_needed(resources) > stated)
        resources->wanted_registers = fw_residency_needed(resources);
    if (known < stated && resources->spill_store_bytes) {
        double left = resources->spill_store_bytes - (double)WORD * (stated - known);
        double share = left > 0 ? left / resources->spill_store_bytes : 0;
        resources->spill_store_bytes = (uint32_t)(share * resources->spill_store_bytes);
        resources->spill_load_bytes = (uint32_t)(share * resources->spill_load_bytes);
    }
    resources->registers = stated;
    resources->registers_source = "stated";
}

/* What a compiler gave, as the caller says.  Nothing more is spilled, and no product of warp groups
 * is waited for by itself. */
static void take_compiled(struct fw_resources *resources, const struct fw_worker *worker)
{
    resources->registers = worker->compiled_registers;
    resources->registers_source = "recorded";
    resources->assembler = NULL;
    resources->wanted_registers = 0;
    resources->wgmma_serialized = false;
    resources->spill_store_bytes = resources->spill_load_bytes = worker->compiled_spill_bytes;
}

/* The kernel with resources other than the record's; the answer shows these. */
static const struct fw_kernel *with_resources(const struct fw_worker *worker,
                                              const struct fw_resources *resources)
{
    struct fw_kernel_row *row = FW_NEW(worker->results, struct fw_kernel_row);
    struct fw_kernel *kernel = FW_NEW(worker->results, struct fw_kernel);
    *row = *worker->answer->kernel;
    row->registers = resources->registers;
    row->registers_source = resources->registers_source;
    row->static_shared = resources->static_shared;
    if (worker->stated_registers || worker->compiled_registers) { /* then no assembler says so */
        row->assembler = NULL;
        row->spill_store_bytes = row->spill_load_bytes = 0;
    }
    worker->answer->kernel = row;
    *kernel = *worker->record;
    kernel->resources = *resources;
    return kernel;
}

/* The kernel with what the caller states, and with registers that a thread of this launch can have.
 */
static const struct fw_kernel *limit_registers(const struct fw_worker *worker)
{
    struct fw_resources limited = worker->record->resources;
    if (worker->stated_registers)
        state_registers(&limited, worker->stated_registers);
    else if (worker->compiled_registers)
        take_compiled(&limited, worker);
    else
        fw_residency_limit(&limited, worker->record, worker->launch, worker->device);
    if (worker->static_stated)
        limited.static_shared = worker->stated_static;
    const bool stated = worker->stated_registers || worker->compiled_registers;
    if (!stated && !worker->static_stated &&
        limited.registers == worker->record->resources.registers)
        return worker->record;
    if (stated || !limited.wanted_registers)
        return with_resources(worker, &limited);
    fw_report(
        &worker->program->context->sink, FW_WARNING, "API033", (struct fw_span){0},
        "%s is estimated to need %u registers a thread and can have %u here: the prediction is "
        "for %u, and for what is spilled to local memory where a model counts it",
        worker->answer->kernel->name, limited.wanted_registers, limited.registers,
        limited.registers);
    return with_resources(worker, &limited);
}

enum fw_status fw_session_limit_block(struct fw_model_question *question,
                                      const struct fw_worker *worker)
{
    enum fw_status status = check_static(worker);
    if (!status)
        status = check_dynamic(worker);
    if (!status)
        status = check_registers(worker);
    if (!status)
        question->kernel = limit_registers(worker);
    return status;
}
