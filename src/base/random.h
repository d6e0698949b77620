/* Random numbers that are the same everywhere for the same seed (splitmix64; Steele, Lea and Flood,
 * OOPSLA 2014).  Not for secrets. */
#ifndef FW_RANDOM_H
#define FW_RANDOM_H

#include <stdint.h>

/* A step of the state: number i (from 0) follows from the seed plus i steps. */
#define FW_RANDOM_STEP UINT64_C(0x9e3779b97f4a7c15)

struct fw_random {
    uint64_t state; /* the seed, at first */
};

/* The next 64 random bits. */
static inline uint64_t fw_random_next(struct fw_random *random)
{
    uint64_t z = (random->state += FW_RANDOM_STEP);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* A number from low to high, both included (low <= high). */
static inline int64_t fw_random_between(struct fw_random *random, int64_t low, int64_t high)
{
    uint64_t width = (uint64_t)high - (uint64_t)low + 1;
    uint64_t bits = fw_random_next(random);
    return (int64_t)((uint64_t)low + (width ? bits % width : bits));
}

#endif
