/* Machine code: what a cubin says of its kernels' resources.
 *
 * Takes the bytes of a cubin (ELF of 64 bits) for compute capability 7.0 or later, as ptxas writes
 * it; gives registers and stack of each kernel, and how many bytes its instructions store to and
 * load from local memory.  These are spills where the PTX has no local memory of its own: whether
 * it has is not looked at here.  Nothing is run.  The layout is not documented; what is used of it
 * is what ptxas 11 to 13 write:
 *
 *     section .nv.info: of each attribute u8 format, u8 attribute, then for format 4 u16 bytes and
 *     so many bytes: u32 symbol, u32 value.  Attributes 0x2f registers, 0x11 bytes of the frame
 *     sections .text.KERNEL: instructions of 16 bytes, whose low 12 bits are the operation: 0x387
 *     stores to local memory, 0x983 loads; bits 73 to 75 are the width */
#ifndef FW_MACHINE_CODE_H
#define FW_MACHINE_CODE_H

#include "assemble.h"

/* The resources of a cubin's kernels; `capability` gets what it was made for (90).  False: these
 * bytes are no such cubin, or damaged; then the assembly names no kernels. */
bool fw_machine_code_read(struct fw_assembly *assembly, unsigned *capability,
                          struct fw_arena *arena, const char *bytes, size_t length);

#endif
