/* Matrix instructions of a warp: mma, wmma, ldmatrix, stmatrix.
 *
 * mma's fragments lie as the PTX manual draws them.  wmma's layout is not documented: ours puts a
 * tile's elements one after the other, row by row, into the lanes' registers; load, mma and store
 * agree on it.  Products of floats are added up in double precision and rounded once to the
 * result's type; devices round more often, so that the last digits may differ from theirs. */
#ifndef FW_EMULATE_MATRIX_H
#define FW_EMULATE_MATRIX_H

#include "emulate_state.h"

enum { MOST_TILE_REGISTERS = 16, MOST_TILE_ELEMENTS = 16 * 256 };

enum emulate_tile_role { TILE_A, TILE_B, TILE_C, TILE_OPAQUE };

/* One operand: which registers hold which elements. */
struct emulate_tile {
    uint8_t role; /* enum emulate_tile_role */
    uint8_t type; /* enum fw_type, of an element */
    uint8_t bits; /* of an element in its register: tf32 has 32 */
    uint8_t registers;
    bool wide; /* registers of 64 bits */
    uint16_t rows, columns;
    uint32_t slots[MOST_TILE_REGISTERS];
};

struct emulate_matrix {
    struct emulate_tile a, b, c, d;
    bool saturate;  /* integers: .satfinite */
    bool exclusive; /* b1: xor, else and */
    /* loads and stores: */
    struct emulate_memory memory;
    uint32_t count;  /* ldmatrix, stmatrix: matrices */
    bool transposed; /* ldmatrix, stmatrix: .trans; wmma: columns lie together */
    uint32_t stride; /* wmma: slot, 0: as long as a row */
    uint32_t registers[4];
};

/* extra of each: struct emulate_matrix; a: slot of the address, immediate: what is added to it. */
emulate_handler fw_emulate_run_mma;
emulate_handler fw_emulate_run_ldmatrix;
emulate_handler fw_emulate_run_stmatrix;
emulate_handler fw_emulate_run_tile_load;
emulate_handler fw_emulate_run_tile_store;

#endif
