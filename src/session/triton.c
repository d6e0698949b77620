/* What Triton's files beside a .ptx say of the launch and of the machine code, into the program. */
#include "machine_code.h"
#include "session.h"
#include "triton_launch.h"

#include <string.h>
#include <unistd.h>

/* Descriptors are the kernel's arguments of 128 bytes, in order. */
static void place_boxes(struct fw_program *program, const struct fw_function *function,
                        const struct fw_triton_launch *launch)
{
    uint32_t next = 0;
    program->box_count = function->parameter_count;
    program->box_bytes = FW_ARRAY(program->arena, uint32_t, function->parameter_count + 1);
    for (uint32_t p = 0; p < function->parameter_count && next < launch->box_count; p++)
        if (function->parameters[p].bytes == FW_TRITON_DESCRIPTOR_BYTES &&
            function->parameters[p].is_array)
            program->box_bytes[p] = launch->box_bytes[next++];
}

/* NAME.cubin beside NAME.ptx is what runs: it says what the PTX became.  It is left alone where
 * estimates are asked for, and of another device than the question's. */
static void read_machine_code(struct fw_program *program, const char *path)
{
    const size_t stem = strlen(path) - strlen(".ptx");
    const char *name = fw_arena_printf(program->arena, "%.*s.cubin", (int)stem, path);
    struct fw_assembly *found = FW_NEW(program->arena, struct fw_assembly);
    struct fw_context quiet = *program->context;
    struct fw_source file;
    unsigned capability;
    quiet.sink = (struct fw_sink){NULL, NULL};
    if (program->ptxas == FW_PTXAS_NEVER || access(name, R_OK) != 0 ||
        fw_session_read_bytes(&file, program->arena, &quiet, name) != FW_OK ||
        !fw_machine_code_read(found, &capability, program->arena, file.text, file.length))
        return;
    if (!program->capability || program->capability == capability)
        program->machine = found;
}

void fw_session_read_triton(struct fw_program *program, const char *path)
{
    struct fw_triton_launch launch;
    if (!fw_triton_read(&launch, program->arena, path))
        return;
    program->usual_threads = launch.threads;
    program->usual_shared = launch.shared;
    program->has_usual = true;
    read_machine_code(program, path);
    for (size_t k = 0; launch.kernel && k < program->kernel_count; k++)
        if (strcmp(program->kernels[k].function->name, launch.kernel) == 0) {
            program->usual_kernel = program->kernels[k].function->name;
            if (launch.box_count)
                place_boxes(program, program->kernels[k].function, &launch);
        }
}
