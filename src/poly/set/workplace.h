/* A workplace from inside: one thread's isl, scratch and summation.  For the rooms of src/poly;
 * others have the handle that set.h gives them. */
#ifndef FW_WORKPLACE_H
#define FW_WORKPLACE_H

#include "set.h"
#include "summation.h"

struct fw_poly {
    void *isl;                     /* isl's context; only src/poly/set knows its type */
    unsigned long operations_most; /* of isl, that the question at hand may take */
    uint64_t operations;           /* of those before it */
    struct work work;
    struct summation summation;
};

/* Readies the scratch for one computation: nothing of the last one is left. */
void fw_poly_begin(struct fw_poly *poly, uint64_t budget);

#endif
