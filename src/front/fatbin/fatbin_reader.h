/* Fat binaries: the PTX inside of .fatbin files, and of objects, libraries and programs that hold
 * them.
 *
 * Takes the bytes of a file; finds the fat binaries in it by their magic number, so that no format
 * around them needs to be known; gives the PTX of one architecture as one text, decompressed (LZ4
 * blocks, and zstd where the library was there at build time).  Machine code is left alone: what
 * has no PTX is told as that.  The layout is not documented; what is used of it is what nvcc 11 to
 * 13 write:
 *
 *     0  u32 0xba55ed50, u16 version 1, u16 bytes of this header, u64 bytes of the parts behind it
 *     of each part: 0 u16 kind (1: PTX, 2: machine code), 4 u32 bytes of its header,
 *     8 u64 bytes of its content, 16 u32 compressed bytes, 28 u32 architecture (90),
 *     40 u64 flags (0x2000: LZ4, 0x8000: zstd), 56 u64 bytes once decompressed */
#ifndef FW_FATBIN_READER_H
#define FW_FATBIN_READER_H

#include "diagnostic.h"

#include <stdbool.h>

/* Whether bytes begin as a fat binary, or as an ELF file, which may hold some. */
bool fw_fatbin_begins(const char *bytes, size_t length);

/* The PTX of the newest architecture that a device of compute capability `capability` (90; 0: any)
 * runs, or of the oldest if it runs none, into `ptx`: text in the arena, zero-terminated; several
 * modules of that architecture one behind the other.  FW_ERROR_INPUT, and a diagnostic with the
 * file's name: there is no PTX (FAT001), it is damaged (FAT002), or compressed in a way that is not
 * known here (FAT003). */
enum fw_status fw_fatbin_ptx(struct fw_source *ptx, struct fw_arena *arena,
                             const struct fw_source *file, unsigned capability,
                             const struct fw_sink *sink);

/* lz4_block.c: decompresses an LZ4 block (lz4's doc/lz4_Block_format.md) into exactly
 * `to_length` bytes.  False: it is damaged. */
bool fw_lz4_block(char *to, size_t to_length, const char *from, size_t from_length);

#endif
