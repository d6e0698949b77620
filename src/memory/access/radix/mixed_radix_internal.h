/* Mixed radix, for its own files: floors as quotients, and what takes them out of an address.
 *
 * Takes and gives the numbers of one shape; mixed_radix.h says what they are for.  Nothing here
 * outlives a call. */
#ifndef FW_MIXED_RADIX_INTERNAL_H
#define FW_MIXED_RADIX_INTERNAL_H

#include "mixed_radix.h"

enum { MOST_MIXED = FW_AFFINE_FLOORS };

/* (constant + sum of coefficient * variable) / every, rounded down, times jump. */
struct quotient {
    int64_t constant, coefficient[FW_SHAPE_VARIABLES];
    int64_t every, jump;
};

/* Iterations that go on by `step` of `every` of a floor's rows, beside blocks that go on by one. */
struct going_on {
    uint32_t block, loop; /* variables */
    int64_t every, step, jump;
};

struct radix_work {
    struct fw_mixed_radix *radix;
    struct fw_shape *shape;
    const uint32_t *block;
    struct quotient mixed[MOST_MIXED]; /* floors of threads and iterations together */
    uint32_t mixed_floor[MOST_MIXED];  /* the variables that they are, in no order */
    uint32_t mixed_count;
    struct going_on going[MOST_MIXED];
    uint32_t going_count;
    bool over_grid; /* floors of an index over the grid stay such, even where they are multiples of
                       a block: the blocks continue each other */
};

/* Reads the definition of floor `q`: two rows, of which one is form - every * q >= 0.  False: there
 * is none, or a number overflows. */
bool quotient_definition(struct quotient *quotient, const struct fw_shape *shape, uint32_t q);

/* How many variables a dividend has; `*one`: the last of them. */
uint32_t quotient_terms(const struct quotient *q, const struct fw_shape *shape, uint32_t *one);

/* Drops the smallest terms, as many as never carry: (16 y + x) / 64 is y / 4 for x below 16. False:
 * there are none, and the terms share no divisor with `every`. */
bool quotient_drop_small_terms(struct quotient *q, const struct fw_shape *shape);

/* A floor of a floor is one of the inner dividend: (a / b + c) / d is (a + b c) / (b d), for a c
 * without floors.  False: it is no such floor. */
bool quotient_join_floors(struct quotient *q, const struct fw_shape *shape);

/* Takes floor `v` out of the address.  False: it is of another form. */
bool mixed_radix_resolve(struct radix_work *work, uint32_t v);

/* persistent_tiles.c: finds the digits of a persistent loop's tiles, if the address has them.
 * `rest`: the address without floors, as `found` has it. */
void mixed_radix_find_tiles(struct fw_mixed_radix *radix, const struct fw_shape *shape,
                            const struct fw_shape *rest, const struct radix_work *found);

#endif
