/* Reads the kernel language (docs/kernel-language.md): text to a loop program.
 *
 * Takes a source, gives a finished program (loop.h) whose transformations have been applied in the
 * order of the text.  Any bytes are safe to hand in; the first fault ends the reading with a
 * diagnostic that has a place: KNL001 a character that means nothing, KNL002 something else was
 * expected, KNL003 a number too large, KNL004 nested too deeply, KNL005 an unknown function,
 * KNL006 an unknown type, KNL007 an unknown tag, KNL008 for, if, else and end do not match, KNL009
 * an unknown option, KNL010 no text; LOOPnnn and SETnnn from below. */
#ifndef FW_KNL_READER_H
#define FW_KNL_READER_H

#include "loop.h"

/* The program lives in the arena; `source` must live as long as its places are shown, `sink` (NULL:
 * silence) as long as the program is changed, `poly` as long as it is counted.  FW_ERROR_INPUT: a
 * diagnostic told what; FW_ERROR_MEMORY: the arena is exhausted. */
enum fw_status fw_knl_read(struct fw_loop_program **program, struct fw_arena *arena,
                           FW_KEEP struct fw_poly *poly, const struct fw_source *source,
                           const struct fw_sink *sink);

/* A type's name, as here or as in NumPy ("f32", "float32"); FW_TYPE_NONE: none. */
enum fw_type fw_knl_type(const char *text, size_t length);

#endif
