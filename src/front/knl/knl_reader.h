/* Reads the kernel language (docs/kernel-language.md): text to a loop program.
 *
 * Takes a source, gives a finished program (loop.h) whose transformations have been applied in the
 * order of the text.  Any bytes are safe to hand in; the first fault ends the reading with a
 * diagnostic that has a place: KNL001 a character that means nothing, KNL002 something else was
 * expected, KNL003 a number too large, KNL004 nested too deeply, KNL005 an unknown function,
 * KNL006 an unknown type, KNL007 an unknown tag, KNL008 for, if, else and end do not match, KNL009
 * an unknown option, KNL010 no text, KNL011 which of several kernels, KNL012 a function's name is
 * taken, KNL013 ":" out of place, KNL014 a constant's value is none, KNL015 a constant's name that
 * is taken or names something else, KNL016 a value for a constant that there is not; LOOPnnn and
 * SETnnn from below. */
#ifndef FW_KNL_READER_H
#define FW_KNL_READER_H

#include "loop_transform.h"

/* The program lives in the arena; `source` must live as long as its places are shown, `sink` (NULL:
 * silence) as long as the program is changed, `poly` as long as it is counted.  FW_ERROR_INPUT: a
 * diagnostic told what; FW_ERROR_MEMORY: the arena is exhausted. */
enum fw_status fw_knl_read(struct fw_loop_program **program, struct fw_arena *arena,
                           FW_KEEP struct fw_poly *poly, const struct fw_source *source,
                           const struct fw_sink *sink);

/* The same for one kernel of several: what stands above the first line "kernel NAME" is common to
 * all, what stands between two of these lines is the kernel's own.  `name` NULL: the only one;
 * FW_ERROR_INPUT with KNL011 when there are several, or none of that name. */
enum fw_status fw_knl_read_kernel(struct fw_loop_program **program, struct fw_arena *arena,
                                  FW_KEEP struct fw_poly *poly, const struct fw_source *source,
                                  const char *name, const struct fw_sink *sink);

/* What is asked of a text. */
struct fw_knl_options {
    const char *name;           /* of the kernel; NULL: the only one */
    const char *const *defines; /* "NAME=VALUE": the constant "let NAME = ..." has this value, a
                                   whole number; "NAME" alone: 1.  Of several the last counts */
    size_t define_count;
};

/* The same, with values for constants.  FW_ERROR_INPUT with KNL016: one that the kernel has not
 * (with the nearest that it has), or a value that is no number; the place is in "-DNAME=VALUE". */
enum fw_status fw_knl_read_with(struct fw_loop_program **program, struct fw_arena *arena,
                                FW_KEEP struct fw_poly *poly, const struct fw_source *source,
                                const struct fw_knl_options *options, const struct fw_sink *sink);

/* The names in "kernel NAME" lines, in order; none: the text is one kernel without a name.  Memory
 * is the arena's. */
enum fw_status fw_knl_kernels(const char *const **names, size_t *count, struct fw_arena *arena,
                              const struct fw_source *source);

/* A type's name, as here or as in NumPy ("f32", "float32"); FW_TYPE_NONE: none. */
enum fw_type fw_knl_type(const char *text, size_t length);

#endif
