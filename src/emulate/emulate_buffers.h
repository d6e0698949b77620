/* The emulated memory of a launch: buffers and their sizes. */
#ifndef FW_EMULATE_BUFFERS_H
#define FW_EMULATE_BUFFERS_H

#include "emulate.h"
#include "emulate_state.h"

struct emulate_buffers {
    FW_VECTOR(struct fw_emulate_buffer) list;  /* in the order in which they were made */
    FW_VECTOR(struct emulate_content *) later; /* by buffer: made on demand; NULL: it is there */
    uint64_t next_global, next_constant;
    uint64_t stated; /* bytes of all buffers with a stated size */
    uint64_t limit;
};

/* Gives a buffer's memory back to the machine. */
void fw_emulate_unmap(void *memory, uint64_t bytes);

/* Makes a buffer at the next address of global (or constant) memory; its memory is zero.
 * FW_ERROR_MACHINE with EMU005 when the machine does not give it. */
enum fw_status fw_emulate_buffer_add(struct emulate_buffers *buffers, struct fw_arena *arena,
                                     const char *name, uint64_t bytes, uint64_t alignment,
                                     bool constant, const struct fw_sink *sink);

/* How many bytes an argument's buffer takes: elements, or the file's size. */
enum fw_status fw_emulate_buffer_bytes(uint64_t *bytes, const struct fw_emulate_argument *argument,
                                       const struct fw_sink *sink);

#endif
