/* Lattices: the coordinates that footprints give to the addresses of an array.
 *
 * Takes the affine accesses of an array, one after the other.  Gives an axis along memory, in
 * bytes, one axis per stride between rows, planes and so on, and the box of an access in these
 * coordinates.  Internal to this room; it never counts. */
#ifndef FW_LATTICE_H
#define FW_LATTICE_H

#include "boxes.h"
#include "affine_access.h"
#include "skew.h"

#include <stdbool.h>

enum { LATTICE_LEVELS = FW_BOX_AXES - 1 };

/* The axes of an array: one along memory, then `levels` further ones. */
struct lattice {
    uint32_t levels;
    int64_t stride[LATTICE_LEVELS];
    int64_t extent[LATTICE_LEVELS];
    int64_t reference;  /* where the array's first access begins: see lattice_begin */
    int64_t contiguous; /* contiguous bytes of a block, by its widest access */
    int64_t rows; /* bytes of a row, of which a step of an unrolled loop touches all that it moves
                     by; 0: none */
    bool along;   /* the first axis holds more than the bytes of one access and its neighbours */
    bool divides; /* the shortest stride is whole granules */
    bool used;
};

/* Contiguous bytes that a block touches by one access, without its loops: windows cut these. */
int64_t lattice_contiguous(const struct fw_affine_access *access,
                           const struct fw_affine_accesses *accesses, int64_t granule);

/* What runs beside an access: it and those that are generated uniformly with it. */
struct lattice_neighbours {
    int64_t run;           /* contiguous bytes that they fill */
    int64_t apart;         /* bytes to another one, with which the access fills rows */
    const int64_t *places; /* bytes from the access to each of those at the same time, ascending; 0
                              is among them */
    uint32_t count;
};

/* Adds the strides of an access, with its neighbours, and the rows that it is shifted by.  False:
 * the lattice does not represent them exactly. */
bool lattice_add(struct lattice *lattice, const struct fw_affine_access *access,
                 const struct skew *skew, const struct fw_affine_accesses *accesses,
                 int64_t granule, const struct lattice_neighbours *beside);

/* Whether two lattices give the same coordinates. */
bool lattice_equal(const struct lattice *a, const struct lattice *b);

/* The lowest address of thread 0 of block 0: its base, or where loops take it backwards from there.
 */
int64_t lattice_begin(const struct fw_affine_access *access);

/* The bytes of thread 0 of block 0 in iteration 0. */
struct fw_box lattice_box(const struct lattice *lattice, const struct fw_affine_access *access);

/* The axis along which a stride moves an access, and the steps along it per step of the index. */
uint32_t lattice_axis(const struct lattice *lattice, int64_t stride, int64_t *step);

/* Whether the threads of neighbouring blocks continue each other along an axis of the launch. */
bool lattice_merged(const struct fw_affine_access *access,
                    const struct fw_affine_accesses *accesses, uint32_t d);

#endif
