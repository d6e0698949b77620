/* Lattices: what an array's addresses become for footprints (footprint.h).
 *
 * Takes the forms of an array, one after the other; gives an axis along memory, in bytes, and one
 * for each stride between rows, planes and so on, and where a form begins in them.  For the memory
 * room's own files. */
#ifndef FW_LATTICE_H
#define FW_LATTICE_H

#include "boxes.h"
#include "affine_access.h"

#include <stdbool.h>

enum { LATTICE_LEVELS = FW_BOX_AXES - 1 };

/* An array's points: along memory, then by level. */
struct lattice {
    uint32_t levels;
    int64_t stride[LATTICE_LEVELS];
    int64_t extent[LATTICE_LEVELS];
    int64_t reference;  /* base of its first form */
    int64_t contiguous; /* bytes along memory that a block covers by its widest form */
    bool used;
};

/* Bytes along memory that a block covers by one form, loops apart: windows cut these. */
int64_t lattice_contiguous(const struct fw_affine_access *access,
                           const struct fw_affine_accesses *accesses, int64_t granule);

/* Enters a form's strides.  False: the lattice does not hold them exactly. */
bool lattice_add(struct lattice *lattice, const struct fw_affine_access *access,
                 const struct fw_affine_accesses *accesses, int64_t granule);

/* Whether two lattices place forms alike. */
bool lattice_equal(const struct lattice *a, const struct lattice *b);

/* The bytes of a form's thread 0 of block 0, in iteration 0: along memory in axis 0. */
struct fw_box lattice_box(const struct lattice *lattice, const struct fw_affine_access *access);

/* The axis along which a stride moves a form, and by how many steps a step of its index. */
uint32_t lattice_axis(const struct lattice *lattice, int64_t stride, int64_t *step);

/* Whether a form's blocks follow each other along an axis of the launch as its threads do. */
bool lattice_merged(const struct fw_affine_access *access, const struct fw_affine_accesses *accesses,
                    uint32_t d);

#endif
