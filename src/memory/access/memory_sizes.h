/* Sizes of the memory system that all CUDA devices so far share.
 *
 * Where a device profile states a size, the profile's value counts; these are what a profile
 * without it means.  Sources: CUDA C++ Best Practices Guide (memory is accessed in transactions of
 * 32 bytes; shared memory has 32 banks of 4 bytes), Nsight Compute's Kernel Profiling Guide (a
 * cache line of L1 and L2 is 128 bytes, four sectors). */
#ifndef FW_MEMORY_SIZES_H
#define FW_MEMORY_SIZES_H

enum {
    FW_SECTOR_BYTES = 32,
    FW_LINE_BYTES = 128,
    FW_WORD_BYTES = 4, /* a register, a bank of shared memory, a word of local memory */
    FW_SHARED_BANKS = 32
};

#endif
