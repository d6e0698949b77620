/* What Triton's file beside a .ptx says of the launch, into the program. */
#include "session.h"
#include "triton_launch.h"

#include <string.h>

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

void fw_session_read_triton(struct fw_program *program, const char *path)
{
    struct fw_triton_launch launch;
    if (!fw_triton_read(&launch, program->arena, path))
        return;
    program->usual_threads = launch.threads;
    program->usual_shared = launch.shared;
    program->has_usual = true;
    for (size_t k = 0; launch.kernel && k < program->kernel_count; k++)
        if (strcmp(program->kernels[k].function->name, launch.kernel) == 0) {
            program->usual_kernel = program->kernels[k].function->name;
            if (launch.box_count)
                place_boxes(program, program->kernels[k].function, &launch);
        }
}
