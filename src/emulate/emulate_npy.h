/* Arrays of NumPy's format .npy (numpy.lib.format, versions 1.0 to 3.0): what a header says.
 *
 * Takes the first bytes of a file from anyone; gives the elements' type, how many there are and
 * where they begin.  The elements are taken as they lie in the file, in C order or in Fortran's.
 * What no kernel's buffer can hold is refused with a sentence: objects, structures, texts, big
 * endian numbers, shapes that overflow or that the file is too short for.  Never runs what a header
 * says, and never reads elements. */
#ifndef FW_EMULATE_NPY_H
#define FW_EMULATE_NPY_H

#include "arena.h"
#include "diagnostic.h"
#include "type.h"

#include <stddef.h>
#include <stdint.h>

/* A header beyond so many bytes is refused: NumPy's own take about a hundred. */
enum { FW_NPY_MOST_HEADER = 1 << 16 };

struct fw_npy {
    enum fw_type type;   /* of one element; of complex numbers that of their parts */
    uint64_t count;      /* elements of that type */
    uint64_t begin;      /* of the first element, in bytes from the file's */
    char description[8]; /* the dtype as written: "<f4" */
};

/* Reads a header from the first `length` bytes of a file that has `file_bytes` of them.  NULL: it
 * is done; else why it is refused, a sentence without its end that lives on. */
const char *fw_npy_read(struct fw_npy *out, const unsigned char *bytes, size_t length,
                        uint64_t file_bytes);

/* The same of the file at a path.  FW_ERROR_MACHINE with EMU006: it cannot be read;
 * FW_ERROR_INPUT with EMU008: it is no such array. */
enum fw_status fw_npy_read_file(struct fw_npy *out, const char *path, const struct fw_sink *sink);

#endif
