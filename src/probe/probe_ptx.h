/* The probe's kernels as PTX text.
 *
 * Each function adds a whole module.  No compiler can take out what is measured: chains start from
 * values known at launch alone, and their ends are stored under a condition on a parameter.  What
 * kernels report (`out`) are u64: cycles of the multiprocessor's clock unless said otherwise. */
#ifndef FW_PROBE_PTX_H
#define FW_PROBE_PTX_H

#include "probe_operation.h"

#include "text.h"

#include <stdint.h>

/* Parameters of every kernel: out (u64 address), data (u64 address), n (u32), never (u32: a value
 * that no chain ends with). */

/* Kernels `dependent`, `independent` (one block of 1024 threads; out[w * FW_PROBE_LENGTHS + l]:
 * cycles of (l + 1) * n iterations by fw_probe_warps[w] warps) and `rate` (any grid, blocks of 512,
 * n iterations, nothing reported).  `data`: 64 KiB and more. */
void fw_probe_ptx_operation(struct fw_buffer *out, const struct fw_probe_row *row);

/* A point of a chase: how many addresses, how far apart (bytes), and loads timed. */
struct fw_probe_point {
    uint64_t count, stride, steps;
};

/* Kernel `chase`, one block of 1024 threads: for each point a ring of addresses in `data`, walked
 * by one thread in an order without neighbours; once to warm up (at most `warm` loads), then timed;
 * `past_l1`: loads that L1 does not serve. out[point]: cycles. */
void fw_probe_ptx_chase(struct fw_buffer *out, const struct fw_probe_point *points, size_t count,
                        uint64_t warm, bool past_l1);

/* Kernel `constant`: the same in constant memory over sizes of 1, 2, 4 ... 64 KiB with strides of
 * 64 bytes, 2048 loads each; out[size]: cycles.  Two additions and one logical operation a load. */
enum { FW_PROBE_CONSTANT_SIZES = 7, FW_PROBE_CONSTANT_STEPS = 2048 };
void fw_probe_ptx_constant(struct fw_buffer *out);

/* Kernels `red_TYPE_PATTERN` and `atom_TYPE_PATTERN` (whose results are used), any grid of blocks
 * of 256 threads: n additions of each thread to words of `data`.  The fifth parameter has the
 * number of words, a power of two, and above its 32nd bit the offset in bytes of the first.
 * PATTERN: the lanes of a warp are on one word, on neighbouring words, or each on a random one.
 * `shared_TYPE`, one block of 1024 threads: n times FW_PROBE_UNIT_UNROLL additions in shared memory
 * by 32 warps, each on 1, 2, 4 ... 32 words of its own; out[point]: cycles. */
enum fw_probe_atomic_pattern {
    FW_PROBE_ATOMIC_ONE,
    FW_PROBE_ATOMIC_ROW,
    FW_PROBE_ATOMIC_RANDOM,
    FW_PROBE_ATOMIC_PATTERNS
};
enum {
    FW_PROBE_ATOMIC_TYPES = 4,
    FW_PROBE_UNIT_UNROLL = 8,
    FW_PROBE_UNIT_LANES = 6,
    FW_PROBE_UNIT_ITERATIONS = 256
};
extern const char *const fw_probe_atomic_types[FW_PROBE_ATOMIC_TYPES];
extern const int fw_probe_atomic_bytes[FW_PROBE_ATOMIC_TYPES];
extern const char *const fw_probe_atomic_patterns[FW_PROBE_ATOMIC_PATTERNS];
void fw_probe_ptx_atomics(struct fw_buffer *out);

/* Kernels `constant_lanes` and `constant_lines`, one block of 1024 threads: n times
 * FW_PROBE_UNIT_UNROLL loads of constant memory by 32 warps whose lanes are on 1, 2, 4 ... 32 words
 * side by side, or 64 bytes apart; `constant_walk`: each warp walks tables of 1, 2, 4 ... 64 KiB
 * from a place of its own, 64 bytes a step.  out[point]: cycles. */
void fw_probe_ptx_constants(struct fw_buffer *out);

/* Kernel `lines`: FW_PROBE_LINES lines of L2, 4 KiB and a line apart; out[line]: cycles of a load
 * that is the first by this multiprocessor, out[FW_PROBE_LINES + line]: cycles of
 * FW_PROBE_LINE_LOADS more. */
enum { FW_PROBE_LINES = 256, FW_PROBE_LINE_LOADS = 32 };
void fw_probe_ptx_lines(struct fw_buffer *out);

/* Kernel `partitions`, one block on each multiprocessor, n lines a block, in `data` 256 bytes apart
 * and in no cache: the first block loads all of them, then each block in turn its own;
 * out[(block * n + line) * 3]: cycles of its first load, of the second, and of
 * FW_PROBE_LINE_LOADS more.  A block's first line also pays for code that no cache holds. */
enum { FW_PROBE_PARTITION_LINES = 33 };
void fw_probe_ptx_partitions(struct fw_buffer *out);

/* Kernels `fetch_l1` and `fetch_l2`: a load of a word that no L1 (no cache) holds, then one
 * fw_probe_offsets[o] bytes behind it; out[o * FW_PROBE_FETCHES + i]: cycles of the latter. */
enum { FW_PROBE_OFFSETS = 9, FW_PROBE_FETCHES = 15 };
extern const int fw_probe_offsets[FW_PROBE_OFFSETS];
void fw_probe_ptx_fetch(struct fw_buffer *out);

/* Kernels over `data` by the whole device, n iterations of eight 16-byte accesses a thread, round
 * and round a region of `bytes` (u64, fifth parameter; a multiple of 16): `read`, `write`, `copy`
 * (from the first `bytes` to the second), `mixed` (two reads, one write; three regions).  Loads
 * keep out of L1.  `pass1`, `pass4`, `pass8`: copies in which each block has a piece of its own, of
 * so many accesses a thread; `pass4s` the same with the streaming hint. */
void fw_probe_ptx_stream(struct fw_buffer *out);

/* Kernels `f0` to `f5`: reads as above, and fw_probe_flops[i] f32 operations for each 16 bytes. */
enum { FW_PROBE_INTENSITIES = 6 };
extern const int fw_probe_flops[FW_PROBE_INTENSITIES];
void fw_probe_ptx_intensity(struct fw_buffer *out);

/* Kernels `empty`; `clocks` (n fused multiply-adds by one thread; out: cycles, nanoseconds of the
 * device's clock, the multiprocessors' number as the kernel sees it, threads of a warp) and `idle`
 * (one warp sleeps for n microseconds). */
void fw_probe_ptx_plain(struct fw_buffer *out);

/* Kernels `wgmma_bf16` and so on (compute capability 9.0 alone), one a form of wgmma: blocks of 128
 * threads, n iterations of eight products m64n256 by their depth; out[block]: cycles. */
enum { FW_PROBE_WGMMA_UNROLL = 8, FW_PROBE_WGMMA_ITERATIONS = 4096, FW_PROBE_PRODUCTS = 5 };
struct fw_probe_product {
    const char *name, *types, *operands;
    int depth;
    bool is_float; /* what it adds to */
};
extern const struct fw_probe_product fw_probe_products[FW_PROBE_PRODUCTS];
void fw_probe_ptx_wgmma(struct fw_buffer *out);

#endif
