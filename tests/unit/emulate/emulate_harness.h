/* What the emulator's tests share: reading PTX, launching, looking at buffers and diagnostics. */
#ifndef EMULATE_HARNESS_H
#define EMULATE_HARNESS_H

#include "emulate.h"

#include <stdbool.h>
#include <stdint.h>

struct harness {
    struct fw_arena *arena;
    struct fw_sink sink;
    struct fw_module *module;
    struct fw_emulation *emulation;
    struct fw_emulate_result result;
    char code[8];      /* of the last error */
    char message[512]; /* its text */
    bool loud;         /* prints diagnostics */
};

/* Reads a module from text, or from a file below the source tree; fails the test otherwise. */
void harness_text(struct harness *harness, const char *text);
void harness_file(struct harness *harness, const char *path);

/* Launches kernel `name` (NULL: the only one) and runs it; `arguments` ends with NULL. */
enum fw_status harness_run(struct harness *harness, const char *name, const uint32_t grid[3],
                           const uint32_t block[3], uint64_t shared, const char *const *arguments,
                           const struct fw_emulate_options *options);

/* Sets the launch up only: buffers may be written before harness_go. */
enum fw_status harness_launch(struct harness *harness, const char *name, const uint32_t grid[3],
                              const uint32_t block[3], uint64_t shared,
                              const char *const *arguments,
                              const struct fw_emulate_options *options);
enum fw_status harness_go(struct harness *harness);

/* Memory of parameter `index`'s buffer. */
void *harness_memory(struct harness *harness, uint32_t index);

/* Frees the emulation; and all. */
void harness_end_launch(struct harness *harness);
void harness_free(struct harness *harness);

#endif
