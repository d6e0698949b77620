/* Triton's cache: NAME.json beside NAME.ptx tells how the kernel is launched.
 *
 * Takes that JSON file.  Gives the launch as a plain record: the block's threads, its dynamic
 * shared memory, the kernel, and how many bytes the boxes of tensor descriptors have.  All of these
 * are defaults for who binds the kernel: what a user states wins.  Triton's last two arguments
 * (scratch memory) are pointers and need nothing.  Never refuses: a file that is not there, or not
 * Triton's, tells nothing. */
#ifndef FW_TRITON_LAUNCH_H
#define FW_TRITON_LAUNCH_H

#include "arena.h"

#include <stdbool.h>
#include <stdint.h>

/* A tensor descriptor among the kernel's arguments: an array of this many bytes. */
enum { FW_TRITON_DESCRIPTOR_BYTES = 128 };

struct fw_triton_launch {
    uint32_t threads;          /* of a block */
    uint64_t shared;           /* dynamic bytes of a block */
    const char *kernel;        /* NULL: the file does not tell */
    const uint32_t *box_bytes; /* by descriptor, in the order of the arguments: of the box that one
                                  copy moves; 0: not told */
    uint32_t box_count;
};

/* Reads the file beside `path`, which names the PTX.  False: there is none, or it is not Triton's
 * (it holds no whole num_warps), or `path` does not end in ".ptx". */
bool fw_triton_read(struct fw_triton_launch *launch, struct fw_arena *arena, const char *path);

#endif
