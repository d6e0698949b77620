/* Reads PTX text into the IR.
 *
 * Takes the text of one module (PTX ISA up to 9.x, as nvcc, NVRTC and clang write it or people by
 * hand) and gives struct fw_module of ir.h, with scopes opened into their function's, names
 * resolved, .loc lines attached and initial values laid out.  Modifiers that the reader does not
 * know are kept as text; an opcode that it does not know becomes FW_OP_OTHER with one warning; all
 * else that is no PTX is an error with its place.  It checks syntax and names, not types: what
 * ptxas would refuse for its types is read.  Debug sections, pragmas and comments are skipped.
 * It never prints, exits, or follows `.file` names. */
#ifndef FW_PTX_READER_H
#define FW_PTX_READER_H

#include "ir.h"

/* Reads `source`.  On FW_OK `*module` is the module; it lives in `arena` and its spans refer to
 * `source`, which must live as long.  Diagnostics (PTX001..) go to `sink` (may be NULL).
 * FW_ERROR_INPUT: the text is at fault, at least one error was reported (ten at most).
 * FW_ERROR_MEMORY: the arena's limit or the machine's memory was reached. */
enum fw_status fw_ptx_read(struct fw_module **module, struct fw_arena *arena,
                           const struct fw_source *source, const struct fw_sink *sink);

#endif
