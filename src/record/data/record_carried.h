/* Shared by the files that find ranges of numbers that data decide. */
#ifndef FW_RECORD_CARRIED_H
#define FW_RECORD_CARRIED_H

#include "record_internal.h"

/* record_range.c: the range of a value, at so many calls' depth; that of one of two values. */
struct record_range record_range_at(struct builder *b, uint32_t value, unsigned depth);
struct record_range record_range_either(struct builder *b, const struct record_range *x,
                                        const struct record_range *y);

/* record_carried.c: the range of a value that the header of a loop joins; without bounds: none is
 * known. */
struct record_range record_carried_range(struct builder *b, uint32_t value, unsigned depth);

#endif
