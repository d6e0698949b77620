/* What a test and the program run-device tell each other through two pipes, as the same machine's
 * memory has it: orders down, replies up.
 *
 * The program says at its start whether there is a device.  An order with a text makes a kernel
 * ready, in place of the last one; it is followed by the text.  An order without is a launch of
 * that kernel, followed by the memory of its arguments in their order; after a good reply comes
 * what the launch left there.  It ends when its input does. */
#ifndef RUN_DEVICE_H
#define RUN_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RUN_DEVICE_ARGUMENTS = 64 };

struct run_device_argument {
    bool has_memory;
    int32_t value;
    size_t bytes; /* of memory */
};

struct run_device_order {
    size_t text_length; /* 0: a launch */
    char name[256];
    size_t global[3], local[3];
    uint32_t count;
    struct run_device_argument arguments[RUN_DEVICE_ARGUMENTS];
};

struct run_device_reply {
    bool good;
    char reason[255];
};

#endif
