/* Setting up a launch: what its variables and arguments occupy, the parameter block, warps,
 * results. */
#include "emulate.h"

#include "emulate_contents.h"
#include "emulate_convert.h"
#include "emulate_decode.h"
#include "emulate_launch.h"
#include "emulate_pointers.h"
#include "emulate_reconverge.h"

#include <stdlib.h>
#include <string.h>

/* ---- arguments ---- */

static const struct fw_variable *parameter_of(const struct fw_function *function,
                                              const struct fw_emulate_argument *argument)
{
    if (!argument->name)
        return argument->position < function->parameter_count
                   ? &function->parameters[argument->position]
                   : NULL;
    for (uint32_t i = 0; i < function->parameter_count; i++)
        if (strcmp(function->parameters[i].name, argument->name) == 0)
            return &function->parameters[i];
    /* nvcc calls them kernel_param_0, ...: the number alone is no name */
    return NULL;
}

static enum fw_status argument_error(const struct fw_sink *sink, const struct fw_function *function,
                                     const struct fw_emulate_argument *argument)
{
    struct fw_buffer names;
    struct fw_arena *arena = fw_arena_new(0);
    if (!arena)
        return FW_ERROR_MEMORY;
    names = fw_buffer_new(arena);
    fw_buffer_printf(&names, "it has");
    for (uint32_t i = 0; i < function->parameter_count; i++)
        fw_buffer_printf(&names, "%s #%u %s", i ? "," : "", i, function->parameters[i].name);
    const char *notes[] = {function->parameter_count ? names.text : "it has no parameters"};
    if (argument->name)
        fw_report_notes(sink, FW_ERROR, "EMU002", function->span, notes, 1,
                        "kernel '%s' has no parameter '%s'", function->name, argument->name);
    else
        fw_report_notes(sink, FW_ERROR, "EMU002", function->span, notes, 1,
                        "kernel '%s' has no parameter #%u", function->name, argument->position);
    fw_arena_free(arena);
    return FW_ERROR_USAGE;
}

static enum fw_status set_value(struct fw_emulation *emulation, const struct fw_variable *parameter,
                                const struct fw_emulate_argument *argument,
                                const struct fw_sink *sink)
{
    struct fw_emulate_argument given = *argument;
    if (given.is_number) {
        const bool is_float = fw_type_class(parameter->type) == 'f';
        const uint64_t bits =
            is_float ? fw_number_encode(parameter->type, given.real, FW_ROUND_RN, false)
                     : (uint64_t)given.number;
        given.value_bytes = fw_type_bytes(parameter->type);
        given.value_bytes = given.value_bytes > 8 ? 8 : given.value_bytes;
        memcpy(given.value, &bits, 8);
        if (parameter->is_array && given.value_bytes < 4) {
            fw_report(sink, FW_ERROR, "EMU002", parameter->span,
                      "'%s' is passed by value as bytes: say the type, as %s+OFFSET=s32:1",
                      parameter->name, parameter->name);
            return FW_ERROR_USAGE;
        }
    }
    if (given.offset + (uint64_t)given.value_bytes > parameter->bytes) {
        fw_report(sink, FW_ERROR, "EMU002", parameter->span,
                  "parameter '%s' has %llu bytes; %u at offset %u are given", parameter->name,
                  (unsigned long long)parameter->bytes, given.value_bytes, given.offset);
        return FW_ERROR_USAGE;
    }
    memcpy(emulation->parameters + parameter->offset + given.offset, given.value,
           given.value_bytes);
    return FW_OK;
}

static enum fw_status set_buffer(struct fw_emulation *emulation,
                                 const struct fw_variable *parameter,
                                 const struct fw_emulate_argument *argument,
                                 const struct fw_sink *sink)
{
    struct emulate_buffers *buffers = &emulation->buffers;
    uint64_t bytes;
    enum fw_status status = fw_emulate_buffer_bytes(&bytes, argument, sink);
    if (status)
        return status;
    if (parameter->points_to == FW_SPACE_SHARED) {
        emulation->shared_parameters[parameter->index] =
            bytes > SHARED_LIMIT ? SHARED_LIMIT : bytes;
        return FW_OK;
    }
    if (argument->offset + UINT64_C(8) > parameter->bytes) {
        fw_report(sink, FW_ERROR, "EMU002", parameter->span,
                  "parameter '%s' has %llu bytes: no pointer fits at offset %u", parameter->name,
                  (unsigned long long)parameter->bytes, argument->offset);
        return FW_ERROR_USAGE;
    }
    buffers->stated += bytes;
    if (bytes > buffers->limit || buffers->stated > buffers->limit) {
        fw_report(sink, FW_ERROR, "EMU005", parameter->span,
                  "the buffers up to '%s' take %llu bytes; the limit is %llu", parameter->name,
                  (unsigned long long)buffers->stated, (unsigned long long)buffers->limit);
        return FW_ERROR_USAGE;
    }
    const char *label = argument->offset ? fw_arena_printf(emulation->arena, "%s+%u",
                                                           parameter->name, argument->offset)
                                         : parameter->name;
    status = fw_emulate_buffer_add(buffers, emulation->arena, label, bytes, argument->alignment,
                                   false, sink);
    if (status)
        return status;
    struct fw_emulate_buffer *buffer = &buffers->list.at[buffers->list.count - 1];
    buffer->parameter = parameter->index;
    buffer->type = argument->type;
    memcpy(emulation->parameters + parameter->offset + argument->offset, &buffer->address, 8);
    return fw_emulate_contents_fill(&buffers->later.at[buffers->list.count - 1], emulation->arena,
                                    buffer, argument,
                                    emulation->options.seed + 977 * (uint64_t)parameter->index,
                                    emulation->options.on_demand, sink);
}

/* A pointer without an argument: the large zero buffer; smaller when the machine gives no more. */
static enum fw_status assume_buffer(struct fw_emulation *emulation,
                                    const struct fw_variable *parameter, const struct fw_sink *sink)
{
    struct emulate_buffers *buffers = &emulation->buffers;
    enum fw_status status = FW_ERROR_MACHINE;
    for (uint64_t bytes = emulation->options.default_bytes; status; bytes /= 4) {
        const bool last = bytes < (uint64_t)1 << 26;
        status = fw_emulate_buffer_add(buffers, emulation->arena, parameter->name, bytes, 256,
                                       false, last ? sink : NULL);
        if (status && last)
            return status;
    }
    struct fw_emulate_buffer *buffer = &buffers->list.at[buffers->list.count - 1];
    buffer->parameter = parameter->index;
    buffer->assumed = emulation->assumed = true;
    memcpy(emulation->parameters + parameter->offset, &buffer->address, 8);
    return FW_OK;
}

static enum fw_status bind_arguments(struct fw_emulation *emulation, const struct fw_sink *sink)
{
    const struct fw_function *function = emulation->run.code.function;
    const struct fw_emulate_launch *launch = &emulation->launch;
    bool *bound = FW_ARRAY(emulation->arena, bool, function->parameter_count);
    bool *pointer = fw_emulate_pointer_parameters(emulation->arena, function);
    enum fw_status status = FW_OK;
    for (size_t i = 0; i < launch->argument_count && !status; i++) {
        const struct fw_emulate_argument *argument = &launch->arguments[i];
        const struct fw_variable *parameter = parameter_of(function, argument);
        if (!parameter)
            return argument_error(sink, function, argument);
        bound[parameter - function->parameters] = true;
        status = argument->is_buffer ? set_buffer(emulation, parameter, argument, sink)
                                     : set_value(emulation, parameter, argument, sink);
    }
    for (uint32_t i = 0; i < function->parameter_count && !status; i++) {
        const struct fw_variable *parameter = &function->parameters[i];
        if (bound[i] || parameter->points_to == FW_SPACE_SHARED)
            continue;
        if (pointer[i]) {
            status = assume_buffer(emulation, parameter, sink);
            continue;
        }
        fw_report(sink, FW_ERROR, "EMU003", parameter->span,
                  "parameter #%u '%s' of kernel '%s' has no value", i, parameter->name,
                  function->name);
        status = FW_ERROR_USAGE;
    }
    return status;
}

/* ---- buffers by address ---- */

static int by_address(const void *a, const void *b)
{
    const uint64_t x = ((const struct emulate_buffer_private *)a)->start;
    const uint64_t y = ((const struct emulate_buffer_private *)b)->start;
    return x < y ? -1 : x > y;
}

static void index_buffers(struct fw_emulation *emulation)
{
    struct emulate_run *run = &emulation->run;
    const size_t count = emulation->buffers.list.count;
    run->buffers = FW_ARRAY(emulation->arena, struct emulate_buffer_private, count + 1);
    for (size_t i = 0; i < count; i++) {
        const struct fw_emulate_buffer *buffer = &emulation->buffers.list.at[i];
        run->buffers[i] = (struct emulate_buffer_private){.start = buffer->address,
                                                          .end = buffer->address + buffer->bytes,
                                                          .memory = buffer->memory,
                                                          .read_only = buffer->read_only,
                                                          .content = emulation->buffers.later.at[i],
                                                          .name = buffer->name};
    }
    run->buffers[count] =
        (struct emulate_buffer_private){.start = PARAM_BASE,
                                        .end = PARAM_BASE + run->code.function->parameter_bytes,
                                        .memory = emulation->parameters,
                                        .read_only = true,
                                        .name = "the parameter block"};
    run->buffer_count = (uint32_t)count + 1;
    qsort(run->buffers, run->buffer_count, sizeof *run->buffers, by_address);
}

/* ---- warps ---- */

static uint32_t *lanes_of(struct emulate_warp *warp, uint32_t slot)
{
    return SLOT(uint32_t, slot);
}

static void fill_specials(const struct emulate_run *run, struct emulate_warp *warp)
{
    const struct emulate_code *code = &run->code;
    for (unsigned i = 0; i < LANES; i++) {
        const uint32_t thread = warp->index * LANES + i, bit = (uint32_t)1 << i;
        const struct {
            uint32_t special, value;
        } values[] = {
            {FW_SREG_TID_X, thread % run->block[0]},
            {FW_SREG_TID_Y, thread / run->block[0] % run->block[1]},
            {FW_SREG_TID_Z, thread / run->block[0] / run->block[1]},
            {FW_SREG_LANEID, i},
            {FW_SREG_WARPID, warp->index},
            {FW_SREG_LANEMASK_EQ, bit},
            {FW_SREG_LANEMASK_LE, bit | (bit - 1)},
            {FW_SREG_LANEMASK_LT, bit - 1},
            {FW_SREG_LANEMASK_GE, ~(bit - 1)},
            {FW_SREG_LANEMASK_GT, ~(bit | (bit - 1))},
        };
        for (unsigned k = 0; k < sizeof(values) / sizeof(values[0]); k++)
            if (code->special[values[k].special])
                lanes_of(warp, code->special[values[k].special])[i] = values[k].value;
    }
    for (size_t k = 0; k < code->constants.count; k++) {
        const struct emulate_constant *constant = &code->constants.at[k];
        for (unsigned i = 0; i < LANES; i++) {
            if (constant->lane_bytes == 0)
                WORD(constant->offset) = (uint32_t)constant->value;
            else if (constant->lane_bytes == 4)
                SLOT(uint32_t, constant->offset)[i] = (uint32_t)constant->value;
            else
                SLOT(uint64_t, constant->offset)[i] = constant->value;
        }
    }
}

static enum fw_status make_warps(struct fw_emulation *emulation)
{
    struct emulate_run *run = &emulation->run;
    run->threads = run->block[0] * run->block[1] * run->block[2];
    run->warp_count = (run->threads + LANES - 1) / LANES;
    run->warps = FW_ARRAY(emulation->arena, struct emulate_warp, run->warp_count);
    if (run->code.shared_total) {
        run->shared = calloc(1, (size_t)run->code.shared_total);
        if (emulation->options.written_only)
            run->written = calloc(1, (size_t)run->code.shared_total);
        if (!run->shared || (emulation->options.written_only && !run->written))
            return FW_ERROR_MEMORY;
    }
    for (uint32_t w = 0; w < run->warp_count; w++) {
        struct emulate_warp *warp = &run->warps[w];
        const uint32_t left = run->threads - w * LANES;
        warp->run = run;
        warp->index = w;
        warp->exists = left >= LANES ? FULL_MASK : ((uint32_t)1 << left) - 1;
        warp->frame = aligned_alloc(256, run->code.frame_bytes);
        warp->path_capacity = 64;
        warp->paths = malloc(warp->path_capacity * sizeof *warp->paths);
        if (run->code.local_bytes)
            warp->local = calloc(LANES, (size_t)run->code.local_bytes);
        if (!warp->frame || !warp->paths || (run->code.local_bytes && !warp->local))
            return FW_ERROR_MEMORY;
        memset(warp->frame, 0, run->code.frame_bytes);
        fill_specials(run, warp);
    }
    return FW_OK;
}

/* ---- the public functions ---- */

static enum fw_status check_launch(const struct fw_function *function,
                                   const struct fw_emulate_launch *launch,
                                   const struct fw_sink *sink)
{
    uint64_t threads = 1, blocks = 1;
    for (unsigned k = 0; k < 3; k++) {
        threads *= launch->block[k];
        threads = threads > UINT32_MAX ? UINT32_MAX : threads;
        blocks = launch->grid[k] ? blocks * launch->grid[k] : 0;
    }
    const char *what = NULL;
    if (blocks == 0 || threads == 0)
        what = "grid and block have at least one block and thread in each direction";
    else if (threads > 1024 || launch->block[2] > 64)
        what = "a block has at most 1024 threads, 64 of them in z";
    else if (launch->grid[1] > 65535 || launch->grid[2] > 65535 || launch->grid[0] > INT32_MAX)
        what = "a grid has at most 2147483647 blocks in x, 65535 in y and z";
    for (unsigned k = 0; k < 3; k++)
        if (function->required_threads[0] &&
            launch->block[k] != (function->required_threads[k] ? function->required_threads[k] : 1))
            what = "the kernel states another block size (.reqntid)";
    if (function->module && function->module->address_bits == 32)
        what = "modules with addresses of 32 bits are not emulated";
    if (!function->has_body || !function->block_count)
        what = "the function has no body, or the passes cfg and dominators have not run";
    if (!what)
        return FW_OK;
    fw_report(sink, FW_ERROR, "EMU004", function->span, "cannot launch '%s': %s", function->name,
              what);
    return FW_ERROR_USAGE;
}

static enum fw_status prepare(struct fw_emulation *emulation, const struct fw_sink *sink)
{
    struct emulate_run *run = &emulation->run;
    const struct fw_function *function = run->code.function;
    emulation->parameters =
        FW_ARRAY(emulation->arena, unsigned char, function->parameter_bytes + 16u);
    emulation->shared_parameters = FW_ARRAY(emulation->arena, uint64_t, function->parameter_count);
    enum fw_status status = bind_arguments(emulation, sink);
    if (!status)
        status = fw_emulate_place(emulation, sink);
    if (status)
        return status;
    index_buffers(emulation);
    fw_emulate_reconverge(emulation->arena, &run->code);
    struct emulate_decoder decoder = {.code = &run->code,
                                      .arena = emulation->arena,
                                      .lanes = fw_emulate_lanes_find(emulation->options.machine),
                                      .function = function,
                                      .ends = emulation->options.ends,
                                      .dynamic_shared = emulation->launch.dynamic_shared};
    if (!decoder.lanes) {
        fw_report(sink, FW_ERROR, "EMU004", function->span, "this machine has no '%s' handlers",
                  emulation->options.machine);
        return FW_ERROR_USAGE;
    }
    memcpy(decoder.block_size, run->block, sizeof run->block);
    memcpy(decoder.grid, run->grid, sizeof run->grid);
    fw_emulate_decode_function(&decoder);
    run->block_counts =
        FW_ARRAY(emulation->arena, struct emulate_block_count, function->block_count);
    run->divergent = FW_ARRAY(emulation->arena, uint64_t, function->instruction_count + 1u);
    return make_warps(emulation);
}

/* Passes an access on to the callback of the options, if there is one. */
static void tell_access(const struct emulate_warp *warp, const struct emulate_micro *micro,
                        enum fw_space space, uint32_t bytes, uint32_t mask,
                        const uint64_t *addresses)
{
    const struct emulate_run *run = warp->run;
    const struct fw_emulation *emulation = run->owner;
    const struct fw_emulate_access access = {
        .instruction = micro->instruction,
        .block = (uint32_t)run->linear,
        .warp = warp->index,
        .space = space,
        .bytes = bytes,
        .mask = mask,
        .addresses = addresses,
    };
    if (emulation->options.access)
        emulation->options.access(emulation->options.user, &access);
}

static void set_options(struct fw_emulation *emulation, const struct fw_emulate_options *options)
{
    struct fw_emulate_options *own = &emulation->options;
    if (options)
        *own = *options;
    own->limit = own->limit ? own->limit : UINT64_C(20000000000);
    own->seed = own->seed ? own->seed : 1;
    own->default_bytes = own->default_bytes ? own->default_bytes : (uint64_t)1 << 36;
    if (!own->memory_limit)
        own->memory_limit = (uint64_t)1 << (own->on_demand ? 40 : 34);
    emulation->buffers.limit = own->memory_limit;
    emulation->run.owner = emulation;
    emulation->run.tell = own->access || own->written_only ? tell_access : NULL;
}

enum fw_status fw_emulation_new(struct fw_emulation **out, const struct fw_function *function,
                                const struct fw_emulate_launch *launch,
                                const struct fw_emulate_options *options,
                                const struct fw_sink *sink)
{
    *out = NULL;
    enum fw_status status = check_launch(function, launch, sink);
    if (status)
        return status;
    struct fw_arena *arena = fw_arena_new(0);
    if (!arena)
        return FW_ERROR_MEMORY;
    jmp_buf exhausted;
    struct fw_emulation *volatile emulation = NULL;
    fw_arena_on_exhausted(arena, &exhausted);
    if (setjmp(exhausted)) {
        if (emulation)
            fw_emulation_free(emulation);
        else
            fw_arena_free(arena);
        return FW_ERROR_MEMORY;
    }
    emulation = FW_NEW(arena, struct fw_emulation);
    struct fw_emulation *made = emulation;
    made->arena = arena;
    made->launch = *launch;
    made->buffers.next_global = GLOBAL_BASE;
    made->buffers.next_constant = CONST_BASE;
    set_options(made, options);
    made->run.code.function = function;
    made->run.sink = sink;
    made->run.limit = made->options.limit;
    memcpy(made->run.grid, launch->grid, sizeof launch->grid);
    memcpy(made->run.block, launch->block, sizeof launch->block);
    status = prepare(made, sink);
    fw_arena_on_exhausted(arena, NULL);
    if (status)
        fw_emulation_free(made);
    else
        *out = made;
    return status;
}

void fw_emulation_free(struct fw_emulation *emulation)
{
    if (!emulation)
        return;
    struct emulate_run *run = &emulation->run;
    for (uint32_t w = 0; w < run->warp_count && run->warps; w++) {
        free(run->warps[w].frame);
        free(run->warps[w].paths);
        free(run->warps[w].local);
    }
    free(run->shared);
    free(run->written);
    for (size_t i = 0; i < emulation->buffers.list.count; i++) {
        const struct fw_emulate_buffer *buffer = &emulation->buffers.list.at[i];
        fw_emulate_unmap(buffer->memory, buffer->bytes ? buffer->bytes : 1);
        fw_emulate_contents_free(emulation->buffers.later.at[i]);
    }
    fw_arena_free(emulation->arena);
}

const struct fw_emulate_buffer *fw_emulation_buffers(const struct fw_emulation *emulation,
                                                     size_t *count)
{
    *count = emulation->buffers.list.count;
    return emulation->buffers.list.at;
}
