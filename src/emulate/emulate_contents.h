/* What buffers hold at first: numbers by a rule, or a file's bytes.
 *
 * Takes an argument and the buffer made for it, whose memory is zero.  Gives the contents at once,
 * or page by page when the kernel first comes near: sampled blocks touch little of large arrays.
 * Each element depends on its index alone, so that both ways give the same; a permutation is made
 * at once.  Never writes outside of the buffer. */
#ifndef FW_EMULATE_CONTENTS_H
#define FW_EMULATE_CONTENTS_H

#include "emulate.h"
#include "emulate_state.h"

/* Fills the buffer, or sets up that it is filled `on_demand`: `*later`, in the arena, is then not
 * NULL.  `sink` must outlive it.  FW_ERROR_MACHINE, FW_ERROR_INPUT with EMU006: the
 * file cannot be read, or is too short. */
enum fw_status fw_emulate_contents_fill(struct emulate_content **later, struct fw_arena *arena,
                                        const struct fw_emulate_buffer *buffer,
                                        const struct fw_emulate_argument *argument, uint64_t seed,
                                        bool on_demand, const struct fw_sink *sink);

/* Closes what the contents are read from.  NULL is allowed. */
void fw_emulate_contents_free(struct emulate_content *content);

#endif
