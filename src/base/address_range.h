/* How far addresses go. */
#ifndef FW_ADDRESS_RANGE_H
#define FW_ADDRESS_RANGE_H

#include <stdbool.h>
#include <stdint.h>

/* Offsets of addresses from where their array begins, or from 0, are less than so many bytes apart.
 * Devices have virtual addresses of 49 bits (CUDA C++ Programming Guide, unified virtual address
 * space), so that an access that goes further faults on any of them: its address counts as not
 * known.  In return, who reckons with addresses may add and subtract a hundred of them, and
 * multiply them by the threads of a warp, without overflow. */
#define FW_ADDRESS_MOST ((int64_t)1 << 56)

/* Whether an offset is one that an address can have. */
static inline bool fw_is_address(int64_t offset)
{
    return offset > -FW_ADDRESS_MOST && offset < FW_ADDRESS_MOST;
}

#endif
