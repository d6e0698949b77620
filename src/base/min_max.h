/* The smaller and the larger of two integers. */
#ifndef FW_MIN_MAX_H
#define FW_MIN_MAX_H

#include <stdint.h>

static inline int64_t fw_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t fw_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

#endif
