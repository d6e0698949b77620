/* Residues: values x = a - n floor(a / n), and what a phi is while it is taken for one.
 *
 * A position in a ring buffer goes from 0 to n - 1 and wraps around, by a remainder, by bits, or by
 * a comparison.  A comparison of a residue with a constant is a difference of two floors, so that
 * the three ways become one: sums of floors, which cancel.  Takes expressions and conditions, gives
 * expressions that are equal wherever the phi, if there is one, is a residue, and says what the
 * modulus must be at least.  Never takes a value for a residue that is none. */
#ifndef FW_RECORD_RESIDUE_H
#define FW_RECORD_RESIDUE_H

#include "record_internal.h"

struct record_residues {
    struct builder *b;
    fw_expression phi;     /* taken to be in [0, modulus); FW_NO_EXPRESSION: none is */
    fw_expression modulus; /* of the phi */
    int64_t n;             /* the modulus where it is a constant (> 1), else 0 */
    int64_t least;         /* what a modulus that is no constant must be at least, so far */
    fw_expression obliged; /* that modulus, where `least` is not 0 */
    bool any_loop;         /* residues in all loops, not in those that hold a ring alone */
};

/* y = sign scale (of - modulus floor) + rest, or, of the phi, sign scale phi + rest. */
struct record_residue {
    fw_expression of, floor; /* of the phi: itself and 0 */
    fw_expression modulus;
    int64_t n;     /* the modulus where it is a constant, else 0 */
    int64_t scale; /* > 0; 1 for a modulus that is no constant */
    int64_t sign;  /* 1 or -1 */
    int64_t rest;  /* an integer, ... */
    int64_t whole; /* ... and so many moduli, where the modulus is no constant */
};

/* Finds what y is the residue of.  False: it is no residue, or more than that. */
bool record_find_residue(const struct record_residues *within, fw_expression y,
                         struct record_residue *found);

/* What a selection or a quotient is of a residue, if it is a sum of floors; FW_NO_EXPRESSION
 * elsewhere.  The node's parts need not be of an atom. */
fw_expression record_residue_operation(struct record_residues *within,
                                       const struct fw_atom_node *node);

/* a with the operations in it so replaced. */
fw_expression record_residue_operations(struct record_residues *within, fw_expression a);

/* What `a` is where `zero` is 0, if that is free of the phi and of iterations; FW_NO_EXPRESSION: it
 * is not. */
fw_expression record_distance(struct record_residues *within, fw_expression a, fw_expression zero);

/* record_modulus.c: the moduli, at most RECORD_MODULI, that a phi may wrap around at; how many. */
enum { RECORD_MODULI = 4 };
uint32_t record_moduli(struct builder *b, const struct record_phi *phi,
                       fw_expression moduli[RECORD_MODULI]);

/* Whether a modulus that is no constant is obliged to be at least `least`. */
bool record_modulus_obliged(struct builder *b, fw_expression modulus, int64_t least);
/* Notes that a modulus that is no constant must be at least `least`, with the line of `block`.
 * False: too many are. */
bool record_oblige_modulus(struct builder *b, fw_expression modulus, int64_t least, uint32_t block);

#endif
