/* Domains: weighted unions of conjunctions as lines, on their way to being summed.
 *
 * Takes what was read from a set (src/poly/set); gives its sum to a summation.  Knows nothing of
 * isl. */
#ifndef FW_DOMAIN_H
#define FW_DOMAIN_H

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

/* Sums the domain in an initialised summation: unions are made disjoint first. */
void fw_domain_sum(struct summation *summation, const struct domain *domain);

#endif
