/* What the parts of symbolic counting share (count.h): counts as leaves. */
#ifndef FW_COUNT_INTERNAL_H
#define FW_COUNT_INTERNAL_H

#include "count.h"
#include "domain.h"

/* Parts that were kept: counted at each parameter point. */
struct kept {
    struct domain domain;
    struct kept *next;
};

/* A count.  Columns of its leaves: constant, parameters, floors. */
struct fw_count {
    struct fw_arena *arena;
    const char **parameters;
    unsigned parameter_count;
    struct floor_column *floors;
    unsigned floor_count;
    struct leaf *leaves;
    size_t leaf_count;
    struct kept *kept;
    struct compiled *compiled; /* the leaves in 64-bit numbers, NULL when they do not fit */
    const char *assumptions;   /* isl's notation, NULL: none */
};

/* Prepares quick evaluation. */
void fw_count_compile(struct fw_count *count);

#endif
