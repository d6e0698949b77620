/* What the parts of symbolic counting share (count.h): sets as lines, counts as leaves.  Knows
 * nothing of isl. */
#ifndef FW_COUNT_INTERNAL_H
#define FW_COUNT_INTERNAL_H

#include "count.h"
#include "summation.h"

/* A conjunction of lines in a summation's columns; `used` are its variables, existentials (each
 * a floor of others) included. */
struct basic {
    struct line **lines;
    uint32_t count;
    uint64_t used;
};

/* A union of conjunctions, over whose points a weight is summed. */
struct part {
    struct basic *basics;
    uint32_t basic_count;
    struct polynomial *weight;
};

/* What is to be counted: the sum over all parts.  Columns: constant, variables, parameters.  A
 * variable that is a floor has two lines that define it, which hold everywhere. */
struct domain {
    unsigned variables;
    unsigned parameters;
    struct line *(*definitions)[2]; /* by column; {NULL, NULL}: a dimension */
    struct part *parts;
    uint32_t part_count;
};

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

struct fw_poly {
    void *isl; /* isl's context; only set.c knows its type */
    struct work work;
    struct summation summation;
};

/* Readies the scratch for one computation: nothing of the last one is left. */
void fw_poly_begin(struct fw_poly *poly, uint64_t budget);

/* Sums the domain in an initialised summation: unions are made disjoint first. */
void fw_domain_sum(struct summation *summation, const struct domain *domain);

/* A new count in an arena of its own, without leaves.  NULL without memory. */
struct fw_count *fw_count_new(const char *const *parameters, size_t parameter_count);

/* Copies the summation's floors and leaves into the count, whose parameters are the summation's.
 * Unwinds through `work`, whose arena is the count's. */
void fw_count_take(struct fw_count *count, struct work *work, const struct summation *summation);

/* Copies a domain into the count, to be counted at each point. */
void fw_count_keep(struct fw_count *count, struct work *work, const struct domain *domain);

/* Prepares quick evaluation. */
void fw_count_compile(struct fw_count *count);

/* Copies with other columns: map[c] is where column c goes. */
struct line *fw_line_map(struct work *work, const struct line *line, const uint16_t *map);

/* A work over an arena, with its scratch numbers; the caller sets the failure point. */
void fw_work_init(struct work *work, struct fw_arena *arena, uint64_t budget);
void fw_work_clear(struct work *work);

#endif
