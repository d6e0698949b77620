/* Leaves: a count from inside, for those who write it in another way (src/formula). */
#ifndef FW_LEAVES_H
#define FW_LEAVES_H

#include "count.h"
#include "summation.h"

/* Columns of the leaves: constant, parameters, floors.  All belongs to the count. */
struct fw_leaves {
    const char *const *parameters;
    unsigned parameter_count;
    const struct floor_column *floors;
    unsigned floor_count;
    const struct leaf *leaves;
    size_t leaf_count;
};

/* False: the count is not symbolic, its leaves are not all of it. */
bool fw_count_leaves(struct fw_leaves *leaves, const struct fw_count *count);

#endif
