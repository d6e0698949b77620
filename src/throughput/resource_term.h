/* Terms: the seconds that each resource of a device needs by itself for what a launch asks of it.
 *
 * Takes a demand and a profile.  Gives one term a resource, slowest first, and the dispatch of
 * blocks; a resource whose figure the profile lacks has no term, and is named in a sentence.  Knows
 * no latencies and no overlap: models put terms together. */
#ifndef FW_RESOURCE_TERM_H
#define FW_RESOURCE_TERM_H

#include "demand.h"

struct fw_resource_term {
    enum fw_resource resource;
    uint32_t line;  /* 0: the whole kernel */
    double amount;  /* in the resource's unit */
    double held;    /* of these: ISSUE slots in which nothing is issued */
    double rate;    /* units a second, of the whole device */
    double seconds; /* of the busiest multiprocessor, where it is a multiprocessor's resource */
    double share;   /* of the slowest term's seconds; a line's: of its resource's whole */
    enum fw_figure figure;
};

struct fw_resource_terms {
    struct fw_resource_term *at; /* slowest first; those with work alone */
    uint32_t count;
    FW_VECTOR(const char *) absent; /* sentences: resources without a figure */
};

/* All results live in the demand's arena.  `clock` in hertz. */
void fw_resource_terms_find(struct fw_resource_terms *terms, const struct fw_demand *demand,
                            const struct fw_launch *launch, const struct fw_device *device,
                            double clock);

/* The slowest resource that lines ask for, by line, most first; at most as many rows as the demand
 * has lines.  How many; 0: there is no such term. */
uint32_t fw_resource_terms_by_line(struct fw_resource_term **lines,
                                   const struct fw_resource_terms *terms,
                                   const struct fw_demand *demand);

/* What launching adds to a launch's duration, in seconds: a small empty kernel's.  False: the
 * profile does not say. */
bool fw_launch_overhead(double *seconds, const struct fw_device *device);

#endif
