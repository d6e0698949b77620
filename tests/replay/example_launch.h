/* The example kernels at the launches of kernels/launches.json, through the public API: PTX of
 * tests/golden/kernels, which has lost the names of arguments that the source gives. */
#ifndef EXAMPLE_LAUNCH_H
#define EXAMPLE_LAUNCH_H

#include "arena.h"
#include "forewarp.h"

#include <jansson.h>

struct example_launch {
    struct fw_program *program;
    struct fw_worker *worker;
};

/* Reads the kernel and binds the launch; `root` is the source tree.  False: it cannot be read.  To
 * be closed in any case. */
bool example_launch_open(struct example_launch *example, struct fw_arena *arena, const char *root,
                         const struct fw_context *context, const json_t *launch);
/* The same of launches whose sources and PTX lie in these folders. */
bool example_launch_open_in(struct example_launch *example, struct fw_arena *arena,
                            const char *sources, const char *ptx, const struct fw_context *context,
                            const json_t *launch);
void example_launch_close(struct example_launch *example);

#endif
