/* The figures of a device: one table.
 *
 * A figure is one number, list, curve or name that a profile may hold about a GPU.  The reader, the
 * printer, `device show`, the documentation and every model take names, units, bounds and meanings
 * from the rows below; a new figure is a new row.  Nothing about any one device stands here. */
#ifndef FW_FIGURE_H
#define FW_FIGURE_H

#include <stdbool.h>

/* X(NAME, text, shape, unit, low, high, meaning)
 * text: the name in a profile.  unit: what the profile must state.  low, high: the bounds that a
 * value must keep, both allowed.  Shapes: COUNT a whole number; NUMBER any number; LIST whole
 * numbers that ascend; POINTS pairs whose first numbers ascend (the meaning names them); NAME one
 * of the names below the table, whose numbers low and high bound. "A multiprocessor" is one
 * streaming multiprocessor; "a cycle" is one of its clock.  A row is a line. */
/* clang-format off */
#define FW_FIGURES(X)                                                                              \
    X(COMPUTE_MAJOR, "compute_capability_major", COUNT, "1", 1, 99, "compute capability: the part before the point") \
    X(COMPUTE_MINOR, "compute_capability_minor", COUNT, "1", 0, 9, "compute capability: the part after the point") \
    X(MULTIPROCESSORS, "multiprocessors", COUNT, "1", 1, 4096, "multiprocessors that run blocks") \
    X(SM_CLOCK, "sm_clock", NUMBER, "hertz", 1e6, 1e11, "multiprocessor clock under load; every figure in cycles counts these") \
    X(TENSOR_CLOCK, "tensor_clock", NUMBER, "hertz", 1e6, 1e11, "multiprocessor clock while matrix units work, f64 apart, where the board draws less than its limit") \
    X(MEMORY_CLOCK, "memory_clock", NUMBER, "hertz", 1e6, 1e11, "memory clock") \
    X(SCHEDULERS, "schedulers", COUNT, "1", 1, 64, "warp schedulers (sub-partitions) of a multiprocessor, each issuing one instruction a cycle") \
    X(LANES_F32, "lanes_f32", COUNT, "results/cycle", 1, 65536, "f32 additions, multiplications or fused multiply-adds a cycle and multiprocessor") \
    X(LANES_F64, "lanes_f64", COUNT, "results/cycle", 1, 65536, "f64 additions, multiplications or fused multiply-adds a cycle and multiprocessor") \
    X(LANES_F16, "lanes_f16", COUNT, "results/cycle", 1, 65536, "f16 results (two a lane, as f16x2) a cycle and multiprocessor, without tensor cores") \
    X(LANES_INT32, "lanes_int32", COUNT, "results/cycle", 1, 65536, "32-bit integer additions, comparisons or logic a cycle and multiprocessor") \
    X(LANES_INT32_MULTIPLY, "lanes_int32_multiply", COUNT, "results/cycle", 1, 65536, "32-bit integer multiply-adds a cycle and multiprocessor") \
    X(LANES_SPECIAL, "lanes_special", COUNT, "results/cycle", 1, 65536, "f32 reciprocals, square roots, logarithms, exponentials, sines a cycle and multiprocessor") \
    X(LANES_POPCOUNT, "lanes_popcount", COUNT, "results/cycle", 1, 65536, "32-bit bit counts a cycle and multiprocessor") \
    X(LANES_REDUX, "lanes_redux", NUMBER, "results/cycle", 0.01, 1e5, "threads of a warp's sums, extrema and logic (redux.sync) in a cycle; where this is missing, lanes_special") \
    X(LANES_SHUFFLE, "lanes_shuffle", COUNT, "results/cycle", 1, 65536, "warp shuffles (32-bit, counted per thread) a cycle and multiprocessor") \
    X(LANES_BARRIER, "lanes_barrier", COUNT, "threads/cycle", 1, 65536, "threads that arrive at barriers of their blocks a cycle and multiprocessor") \
    X(LANES_LOAD_STORE, "lanes_load_store", COUNT, "results/cycle", 1, 65536, "load-store units: addresses taken a cycle and multiprocessor") \
    X(LSU_QUEUE, "lsu_queue", COUNT, "instructions", 1, 4096, "instructions of a scheduler that wait for the load-store unit at most: as many of global and local memory, and of shared memory and special functions") \
    X(LSU_REQUEST, "lsu_request", NUMBER, "cycles", 0.1, 1000, "cycles of the load-store unit for an instruction of one wavefront") \
    X(TENSOR_F16, "tensor_f16", COUNT, "flops/cycle", 1, 1e6, "dense f16 tensor operations (2 a multiply-add) a cycle and multiprocessor") \
    X(TENSOR_BF16, "tensor_bf16", COUNT, "flops/cycle", 1, 1e6, "dense bf16 tensor operations a cycle and multiprocessor") \
    X(TENSOR_TF32, "tensor_tf32", COUNT, "flops/cycle", 1, 1e6, "dense tf32 tensor operations a cycle and multiprocessor") \
    X(TENSOR_FP8, "tensor_fp8", COUNT, "flops/cycle", 1, 1e6, "dense fp8 tensor operations a cycle and multiprocessor") \
    X(TENSOR_INT8, "tensor_int8", COUNT, "flops/cycle", 1, 1e6, "dense int8 tensor operations a cycle and multiprocessor") \
    X(TENSOR_F64, "tensor_f64", COUNT, "flops/cycle", 1, 1e6, "dense f64 tensor operations a cycle and multiprocessor") \
    X(ALU_BESIDE_WGMMA, "alu_beside_wgmma", NUMBER, "1", 0.01, 1, "share of their rate that integer, logic and integer product operations have while the tensor core works on wgmma") \
    X(SPECIAL_BESIDE_WGMMA, "special_beside_wgmma", NUMBER, "1", 0.01, 1, "share of their rate that special functions have while the tensor core works on wgmma") \
    X(WGMMA_QUEUE, "wgmma_queue", COUNT, "instructions", 1, 4096, "products (wgmma) of a scheduler that wait for its tensor core at most") \
    X(TENSOR_MMA_SHARE, "tensor_mma_share", NUMBER, "1", 0, 1, "share of the tensor peak that mma.sync reaches (wgmma is needed for the rest)") \
    X(TENSOR_HALF_SHARE, "tensor_half_share", NUMBER, "1", 0, 1, "the same of products of half the depth: m16n8k8 of 16 bits, m16n8k4 of tf32, m16n8k16 of bytes, m8n8k4 of f64") \
    X(LATENCY_F64_FMA, "latency_f64_fma", NUMBER, "cycles", 1, 1e6, "from one f64 fused multiply-add to one that needs its result") \
    X(LATENCY_F64_DIVIDE, "latency_f64_divide", NUMBER, "cycles", 1, 1e6, "from one f64 division to one that needs its result") \
    X(LATENCY_F64_SQRT, "latency_f64_sqrt", NUMBER, "cycles", 1, 1e6, "from one f64 square root to one that needs its result") \
    X(LATENCY_F32, "latency_f32", NUMBER, "cycles", 1, 1e6, "from one f32 fused multiply-add to one that needs its result") \
    X(LATENCY_F32_DIVIDE, "latency_f32_divide", NUMBER, "cycles", 1, 1e6, "from one f32 division to one that needs its result") \
    X(LATENCY_F32_SQRT, "latency_f32_sqrt", NUMBER, "cycles", 1, 1e6, "from one f32 square root to one that needs its result") \
    X(LATENCY_F32_RECIPROCAL, "latency_f32_reciprocal", NUMBER, "cycles", 1, 1e6, "from one f32 reciprocal that is rounded to one that needs its result; where this is missing, what its operations take") \
    X(LATENCY_F16, "latency_f16", NUMBER, "cycles", 1, 1e6, "from one f16x2 fused multiply-add to one that needs its result") \
    X(LATENCY_INT32, "latency_int32", NUMBER, "cycles", 1, 1e6, "from one 32-bit logic operation to one that needs its result") \
    X(LATENCY_INT32_MULTIPLY, "latency_int32_multiply", NUMBER, "cycles", 1, 1e6, "from one 32-bit integer multiply-add to one that needs its result") \
    X(LATENCY_INT32_DIVIDE, "latency_int32_divide", NUMBER, "cycles", 1, 1e6, "from one 32-bit integer division to one that needs its result") \
    X(LATENCY_SPECIAL, "latency_special", NUMBER, "cycles", 1, 1e6, "from one f32 exponential to one that needs its result") \
    X(LATENCY_SHUFFLE, "latency_shuffle", NUMBER, "cycles", 1, 1e6, "from one warp shuffle to one that needs its result") \
    X(LATENCY_TENSOR, "latency_tensor", NUMBER, "cycles", 1, 1e6, "from one mma.sync of bf16, m16n8k16, to one that adds to its result") \
    X(LATENCY_TENSOR_HALF, "latency_tensor_half", NUMBER, "cycles", 1, 1e6, "the same of half the depth, m16n8k8") \
    X(LATENCY_WGMMA, "latency_wgmma", NUMBER, "cycles", 1, 1e6, "from the fence before one wgmma to the end of the wait for it, beyond the time that the product takes") \
    X(LATENCY_BARRIER, "latency_barrier", NUMBER, "cycles", 1, 1e6, "from one barrier of a warp alone in its block to the next") \
    X(LATENCY_MBARRIER, "latency_mbarrier", NUMBER, "cycles", 1, 1e6, "of a wait for a phase of an mbarrier that is over") \
    X(LATENCY_BULK, "latency_bulk", NUMBER, "cycles", 1, 1e6, "from the order of a small bulk or tensor copy to its bytes from L2 being in shared memory") \
    X(LATENCY_BRANCH, "latency_branch", NUMBER, "cycles", 1, 1e6, "from a branch that is taken to the next instruction of its warp") \
    X(REQUEST_INTERVAL, "request_interval", NUMBER, "cycles", 1, 1e6, "from a request of memory to the next of its warp") \
    X(LATENCY_PASSED, "latency_passed", NUMBER, "cycles", 1, 1e6, "from a branch that is not taken to the next instruction of its warp") \
    X(LATENCY_MEETING, "latency_meeting", NUMBER, "cycles", 1, 1e6, "from the last result of a way of a branch to the next instruction of its warp, where threads that have parted meet") \
    X(LATENCY_INDEXED, "latency_indexed", NUMBER, "cycles", 1, 1e6, "from a branch through a table to the next instruction of its warp") \
    X(LATENCY_PLACE, "latency_place", NUMBER, "cycles", 1, 1e6, "from the end of one place of a branch through a table to the next place, where the threads of a warp part, beyond a branch") \
    X(PLACE_ISSUE, "place_issue", NUMBER, "cycles", 1, 1e6, "the same: cycles in which its scheduler issues nothing") \
    X(MATCH_VALUES, "match_values", NUMBER, "values/cycle", 1e-3, 1e3, "distinct values of a warp's lanes that match.any goes through, a cycle and multiprocessor") \
    X(LATENCY_MATCH, "latency_match", NUMBER, "cycles", 1, 1e6, "of match.any where all lanes of a warp hold one value") \
    X(LATENCY_MATCH_VALUE, "latency_match_value", NUMBER, "cycles", 0, 1e6, "the same: more for each further value") \
    X(LATENCY_CONDITION, "latency_condition", NUMBER, "cycles", 1, 1e6, "from a comparison to a branch that it decides") \
    X(L1_SHARED_BYTES, "l1_shared_bytes", COUNT, "bytes", 1024, 1e9, "L1 cache and shared memory of a multiprocessor together") \
    X(SHARED_PER_SM, "shared_per_multiprocessor", COUNT, "bytes", 1024, 1e9, "shared memory of a multiprocessor at most") \
    X(SHARED_PER_BLOCK, "shared_per_block", COUNT, "bytes", 1024, 1e9, "shared memory of a block at most, without asking") \
    X(SHARED_PER_BLOCK_OPT_IN, "shared_per_block_opt_in", COUNT, "bytes", 1024, 1e9, "shared memory of a block at most, when the launch asks for it") \
    X(SHARED_RESERVED, "shared_reserved_per_block", COUNT, "bytes", 0, 1e6, "shared memory that the system takes from each block's share") \
    X(SHARED_UNIT, "shared_allocation_unit", COUNT, "bytes", 1, 65536, "shared memory is given to blocks in multiples of this") \
    X(SHARED_CARVE_OUTS, "shared_carve_outs", LIST, "bytes", 0, 1e9, "sizes that shared memory can be carved out of L1 in") \
    X(SHARED_AHEAD_THREADS, "shared_ahead_threads", COUNT, "threads", 1, 65536, "blocks of at most so many threads: the driver carves out room for twice the blocks that are resident") \
    X(SHARED_AHEAD_MOST, "shared_ahead_most", COUNT, "bytes", 0, 1e9, "the largest carve-out that the driver chooses for blocks beyond those that are resident") \
    X(SHARED_UNUSED_THREADS, "shared_unused_threads", COUNT, "threads", 1, 1e6, "where blocks have no shared memory, the driver carves out what the system takes of the blocks that so many threads are") \
    X(SHARED_BANKS, "shared_banks", COUNT, "1", 1, 1024, "banks of shared memory") \
    X(SHARED_BANK_BYTES, "shared_bank_bytes", COUNT, "bytes", 1, 1024, "bytes that a bank of shared memory delivers a cycle") \
    X(SHARED_BANDWIDTH, "shared_bandwidth", NUMBER, "bytes/cycle", 1, 1e6, "bytes from shared memory a cycle and multiprocessor, as seen") \
    X(L1_BYTES, "l1_bytes", COUNT, "bytes", 1024, 1e9, "L1 cache of a multiprocessor under a kernel without shared memory, as seen") \
    X(L1_BANDWIDTH, "l1_bandwidth", NUMBER, "bytes/cycle", 1, 1e6, "bytes from L1 a cycle and multiprocessor, as seen") \
    X(L2_BYTES, "l2_bytes", COUNT, "bytes", 1024, 1e12, "L2 cache, all parts together") \
    X(L1_EFFECTIVE, "l1_effective", NUMBER, "1", 0.1, 2, "effective capacity of L1, as a share of what the shared memory carve-out leaves of it") \
    X(L1_FORGETTING, "l1_forgetting", NUMBER, "1", 0.5, 100, "sharpness of the hit probability in L1: data touched d bytes ago hit with probability exp(-(d / capacity)^this)") \
    X(L1_SPILLED, "l1_spilled", NUMBER, "1", 0.1, 10, "capacity of L1 for registers that loops spill, as a multiple of its effective one: warps that find them run ahead, so that fewer are in use") \
    X(L1_SPILLED_FORGETTING, "l1_spilled_forgetting", NUMBER, "1", 0.5, 100, "sharpness of that, as of l1_forgetting") \
    X(STORE_MERGE_LINES, "store_merge_lines", NUMBER, "1", 0.1, 1024, "lines of a warp's store at which L1 no longer merges it with the warp's store before: a sector of both is merged with probability exp(-(lines / this)^5)") \
    X(L2_EFFECTIVE, "l2_effective", NUMBER, "1", 0.1, 2, "effective capacity of L2, as a share of its bytes; where this is missing, one partition") \
    X(L2_EFFECTIVE_LOADS, "l2_effective_loads", NUMBER, "1", 0.1, 2, "the same for kernels that store nothing; l2_effective then holds where half of the lines are stored to") \
    X(L2_FORGETTING, "l2_forgetting", NUMBER, "1", 0.5, 100, "sharpness of the hit probability in L2, as of l1_forgetting") \
    X(L2_FORGETTING_OWN, "l2_forgetting_own", NUMBER, "1", 0.5, 100, "the same, of what a multiprocessor loads again itself") \
    X(L2_COLLECTS, "l2_collects", NUMBER, "1", 0.001, 2, "bytes of stored lines, as a share of L2, after which L2 fills a partly stored sector from device memory and evicts it") \
    X(L2_RETAINED, "l2_retained", NUMBER, "1", 0.1, 2, "capacity of L2 for what a launch left to the next one, as a share of its bytes; where this is missing, l2_effective") \
    X(L2_RETAINED_WAVE, "l2_retained_wave", NUMBER, "1", 0.1, 2, "the same where the blocks of a launch are one wave, which go to the same multiprocessors each time") \
    X(L2_RETAINED_DIRTY, "l2_retained_dirty", NUMBER, "1", 0.1, 2, "the same for lines that were stored to, until they are written to device memory") \
    X(L2_RETAINED_SEVERAL, "l2_retained_several", NUMBER, "1", 1, 2, "bytes of L2 that a line takes which four blocks load, from launch to launch, over those of a line that one loads") \
    X(L2_RETAINED_FORGETTING, "l2_retained_forgetting", NUMBER, "1", 0.5, 100, "sharpness of what L2 holds from launch to launch, as of l1_forgetting") \
    X(L2_RETAINED_DIRTY_FORGETTING, "l2_retained_dirty_forgetting", NUMBER, "1", 0.5, 100, "the same for lines that were stored to, where more than l2_retained was touched: they leave L2 behind others") \
    X(L2_LOCAL_FORGETTING, "l2_local_forgetting", NUMBER, "1", 0.5, 100, "sharpness of how local memory's stored lines stay in L2 until they are written to device memory; where this is missing, that of others") \
    X(L2_LOCAL_AHEAD, "l2_local_ahead", NUMBER, "1", 0, 1, "share of those that L2 writes where warps wait for their words that it writes where these are in L1; where this is missing, all") \
    X(L2_LOCAL_LOADS, "l2_local_loads", NUMBER, "1", 0.1, 10, "capacity of L2 for local memory that is loaded again, as a share of its bytes; where this is missing, as of random access") \
    X(L2_LOCAL_LOADS_FORGETTING, "l2_local_loads_forgetting", NUMBER, "1", 0.5, 100, "sharpness of that, as of l1_forgetting") \
    X(L2_COLLECTS_FORGETTING, "l2_collects_forgetting", NUMBER, "1", 0.5, 100, "sharpness of that partial eviction: it has not happened after d bytes with probability exp(-(d / capacity)^this)") \
    X(BLOCKS_APART, "blocks_apart", NUMBER, "1", 0, 16, "skew between blocks of one wave that use the same data, at most, in waves; skews are spread evenly up to it") \
    X(BLOCKS_DRIFT, "blocks_drift", NUMBER, "1", 0, 1, "share of a loop by which blocks of one wave that share none of their loads drift apart, at most; spread evenly up to it") \
    X(LOADS_MERGED, "loads_merged", POINTS, "1", 0, 1e6, "requests to L2 that are left when neighbouring blocks load the same data in a loop: (blocks, share)") \
    X(LOADS_MERGED_STEP, "loads_merged_step", POINTS, "1", 0, 1e6, "the same when a barrier ends each iteration of the loop") \
    X(LOADS_MERGED_ONCE, "loads_merged_once", POINTS, "1", 0, 1e6, "the same of data that blocks side by side along x all load, without a loop; where this is missing, all are left") \
    X(LOADS_MERGED_WAVES, "loads_merged_waves", NUMBER, "1", 0, 4, "exponent by which the merged share falls with waves of blocks, of which several are resident") \
    X(L2_PARTITIONS, "l2_partitions", COUNT, "1", 1, 64, "partitions of L2; a multiprocessor is near one and far from the others") \
    X(L2_REACH_BYTES, "l2_reach_bytes", COUNT, "bytes", 1024, 1e12, "what one multiprocessor reads again and again without going to device memory, as seen") \
    X(L2_BANDWIDTH, "l2_bandwidth", NUMBER, "bytes/s", 1e6, 1e18, "bytes from L2 a second, whole device, as seen") \
    X(L2_LOAD_LEAST, "l2_load_least", NUMBER, "bytes", 1, 4096, "least bytes that a load's request of one line counts as in L2's service time") \
    X(L1_STORE_BANDWIDTH, "l1_store_bandwidth", NUMBER, "bytes/cycle", 1, 1e9, "that leave one multiprocessor for L2 by stores at most") \
    X(L2_STORE_BANDWIDTH, "l2_store_bandwidth", NUMBER, "bytes/s", 1e6, 1e18, "rate at which L2 takes stores to lines that it holds") \
    X(L2_STORE_LEAST, "l2_store_least", NUMBER, "bytes", 1, 4096, "least bytes that a store's request of one line counts as in L2's service time") \
    X(L2_STORE_REQUEST, "l2_store_request", NUMBER, "bytes", 0, 4096, "bytes that a store's request of one line counts as where L2 takes stores, beside what its sectors count, so that a whole line counts as its bytes") \
    X(L2_STORE_SPLIT, "l2_store_split", NUMBER, "bytes", 0, 4096, "bytes that a sector counts there in addition if two warps store a part of it each") \
    X(L2_STORE_PARTIAL, "l2_store_partial", NUMBER, "bytes", 1, 4096, "bytes that a partly stored sector counts as in L2's service time") \
    X(ATOMIC_PASSES, "atomic_passes", NUMBER, "passes/s", 1, 1e15, "passes of atomic operations over a sector that one slice of L2 makes a second; operations on one word take a pass each") \
    X(ATOMIC_WHOLE, "atomic_whole", NUMBER, "passes/s", 1, 1e15, "such passes that change all words of a sector") \
    X(ATOMIC_WHOLE_F64, "atomic_whole_f64", NUMBER, "passes/s", 1, 1e15, "such passes of f64 additions that change all words of a sector") \
    X(ATOMIC_FLOAT_WORD, "atomic_float_word", NUMBER, "operations/s", 1, 1e15, "floating-point additions to one word a second") \
    X(ATOMIC_RESULT_WORD, "atomic_result_word", NUMBER, "operations/s", 1, 1e15, "atomic operations on one word a second whose results go back to threads") \
    X(ATOMIC_SLICES, "atomic_slices", NUMBER, "1", 1, 1e6, "slices of L2 that execute atomic operations side by side, as seen over large arrays") \
    X(ATOMIC_RANDOM_SLICES, "atomic_random_slices", NUMBER, "1", 1, 1e6, "the same, where each lane of a warp goes to a random sector of its own") \
    X(L2_SLICES, "l2_slices", COUNT, "1", 1, 1e6, "slices of L2, each with blocks of atomic_slice_bytes of its own") \
    X(ATOMIC_SLICE_BYTES, "atomic_slice_bytes", NUMBER, "bytes", 1, 1e9, "consecutive bytes whose atomic operations one slice of L2 executes") \
    X(LINE_BYTES, "line_bytes", COUNT, "bytes", 1, 65536, "cache line: what is allocated at a time") \
    X(SECTOR_BYTES, "sector_bytes", COUNT, "bytes", 1, 65536, "sector: what is transferred at a time") \
    X(DRAM_FETCH_BYTES, "dram_fetch_bytes", COUNT, "bytes", 1, 65536, "what one fetch from device memory brings into L2") \
    X(DRAM_BANDWIDTH, "dram_bandwidth", NUMBER, "bytes/s", 1e6, 1e18, "device memory bandwidth as stated by the vendor") \
    X(DRAM_COPY_BANDWIDTH, "dram_copy_bandwidth", NUMBER, "bytes/s", 1e6, 1e18, "bytes read plus written a second by a long copy, as seen") \
    X(DRAM_PIECE_OVERHEAD, "dram_piece_overhead", NUMBER, "bytes", 0, 1e6, "service time of reading a row segment beyond its bytes, in bytes, where segments are far shorter than a line; half of it for segments that do not begin at a line") \
    X(DRAM_PIECE_STORE, "dram_piece_store", NUMBER, "bytes", 0, 1e6, "the same for writing a row segment, where a thread has one store and segments are far shorter than two lines; with the square root of its stores where it has more") \
    X(DRAM_SHARED_WITHIN, "dram_shared_within", NUMBER, "bytes", 0, 1e6, "service time, in bytes, that a split sector adds in device memory where another warp of the same block stores the rest of it") \
    X(DRAM_SHARED_ACROSS, "dram_shared_across", NUMBER, "bytes", 0, 1e6, "the same where a warp of another block stores the rest") \
    X(DRAM_SHARED_LATE, "dram_shared_late", NUMBER, "bytes", 0, 1e6, "the same where loops, or loads between stores, delay the store of the rest") \
    X(DRAM_SHARED_REACH, "dram_shared_reach", NUMBER, "1", 0, 1e6, "stored bytes of a wave of blocks, as a share of L2, at which 63% of the split sectors of loops come late") \
    X(DRAM_SHARED_IN_PLACE, "dram_shared_in_place", NUMBER, "bytes", 0, 1e6, "the same where that store is delayed and the kernel also reads the array") \
    X(DRAM_PIECE_FAR, "dram_piece_far", NUMBER, "bytes", 0, 1e6, "service time, in bytes, that a short row segment adds, read or written, where no other row of the block follows it in memory") \
    X(DRAM_PIECE_APART, "dram_piece_apart", NUMBER, "bytes", 0, 1e6, "service time, in bytes, that writing a row segment far shorter than three lines adds where its neighbours come from blocks far behind in launch order") \
    X(DRAM_LONE_READ, "dram_lone_read", NUMBER, "bytes", 0, 1e6, "service time, in bytes, that reading a piece far shorter than a line adds where nothing near it is read at the time, as at random places") \
    X(DRAM_LONE_WRITE, "dram_lone_write", NUMBER, "bytes", 0, 1e6, "the same for writing a piece far shorter than one and a half lines") \
    X(DRAM_WAIT, "dram_wait", NUMBER, "cycles", 0, 1e6, "cycles that a request to device memory which is half busy waits for all others") \
    X(DRAM_QUEUE, "dram_queue", NUMBER, "cycles", 0, 1e6, "queueing delay of a load in device memory that is half busy; it grows as in a queue where device memory is busier") \
    X(LATENCY_SPREAD, "latency_spread", NUMBER, "1", 0, 10, "mean latency of device memory above the least one, as a share of the least one") \
    X(LATENCY_SPREAD_LOADS, "latency_spread_loads", NUMBER, "1", 0, 10, "what loads of one warp that are in flight together wait longer than one, as latency_spread: the last of n waits this times 1/2 + ... + 1/n longer") \
    X(DRAM_READ_BANDWIDTH, "dram_read_bandwidth", NUMBER, "bytes/s", 1e6, 1e18, "bytes read a second by a long read, as seen") \
    X(DRAM_WRITE_BANDWIDTH, "dram_write_bandwidth", NUMBER, "bytes/s", 1e6, 1e18, "bytes written a second by a long write, as seen") \
    X(TLB_REACH, "tlb_reach", NUMBER, "bytes", 1, 1e18, "memory whose address translations the device's TLBs hold") \
    X(TLB_PAGE, "tlb_page", NUMBER, "bytes", 1, 1e12, "bytes of a page, which one translation covers") \
    X(TLB_MISSES, "tlb_misses", NUMBER, "misses/s", 1, 1e15, "TLB misses that the whole device handles a second") \
    X(CONSTANT_CACHE_BYTES, "constant_cache_bytes", COUNT, "bytes", 64, 1e9, "nearest cache of constant memory, as seen") \
    X(CONSTANT_REQUESTS, "constant_requests", NUMBER, "requests/cycle", 1e-6, 1e6, "addresses of loads from constant memory that the nearest cache serves a cycle and multiprocessor") \
    X(CONSTANT_MISSES, "constant_misses", NUMBER, "requests/cycle", 1e-6, 1e6, "addresses that miss the nearest cache of constant memory, a cycle and multiprocessor") \
    X(CONSTANT_SCALAR_BYTES, "constant_scalar_bytes", COUNT, "bytes", 1, 1e9, "constants that the scalar datapath holds") \
    X(CONSTANT_SCALAR_WARPS, "constant_scalar_warps", COUNT, "warps", 1, 65536, "resident warps of a multiprocessor that walk more of them by scalar indices without missing at each load") \
    X(CONSTANT_SCALAR_MISSES, "constant_scalar_misses", NUMBER, "requests/cycle", 1e-6, 1e6, "such loads of more warps, a cycle and multiprocessor") \
    X(LANES_TEXTURE, "lanes_texture", NUMBER, "results/cycle", 1e-6, 65536, "threads whose texture or surface instruction the texture unit serves a cycle and multiprocessor: of fetches from linear memory, and of all others without lanes_texture_plane") \
    X(LANES_TEXTURE_PLANE, "lanes_texture_plane", NUMBER, "results/cycle", 1e-6, 65536, "the same, of texture and surface instructions other than fetches from linear memory") \
    X(LATENCY_CLUSTER, "latency_cluster", NUMBER, "cycles", 1, 1e6, "load from the shared memory of another block of the cluster") \
    X(LATENCY_CLUSTER_BARRIER, "latency_cluster_barrier", NUMBER, "cycles", 1, 1e6, "from one barrier of a cluster, of blocks of a warp, to the next") \
    X(LATENCY_FENCE, "latency_fence", NUMBER, "cycles", 1, 1e6, "fence of the device or of a cluster, where nothing is on its way") \
    X(CLUSTER_SECTORS, "cluster_sectors", NUMBER, "sectors/cycle", 0.001, 1000, "sectors that a multiprocessor gets from, or sends to, the shared memory of another block of the cluster") \
    X(CLUSTER_REDUCTIONS, "cluster_reductions", NUMBER, "sectors/cycle", 0.001, 1000, "the same of reductions and atomic operations") \
    X(CLUSTER_ROOM, "cluster_room", POINTS, "1", 1, 1e6, "multiprocessors on which clusters of so many blocks find room: (blocks, multiprocessors)") \
    X(LATENCY_SHARED, "latency_shared", NUMBER, "cycles", 1, 1e6, "load from shared memory") \
    X(LATENCY_SHARED_CONFLICT, "latency_shared_conflict", NUMBER, "cycles", 0, 1e6, "latency that each further wavefront over the banks of shared memory adds to a load") \
    X(LATENCY_ATOMIC_SHARED, "latency_atomic_shared", NUMBER, "cycles", 1, 1e6, "from one addition in shared memory that gives the old value to one that needs it") \
    X(LATENCY_EXCHANGE_SHARED, "latency_exchange_shared", NUMBER, "cycles", 1, 10000, "latency of an exchange in shared memory that fails if the word has changed, in a loop that adds numbers in floating point") \
    X(LATENCY_L1, "latency_l1", NUMBER, "cycles", 1, 1e6, "load that hits L1") \
    X(LATENCY_L2, "latency_l2", NUMBER, "cycles", 1, 1e6, "load that hits the near part of L2") \
    X(LATENCY_L2_FAR, "latency_l2_far", NUMBER, "cycles", 1, 1e6, "load that hits a far part of L2") \
    X(LATENCY_L2_SLOW, "latency_l2_slow", NUMBER, "cycles", 1, 1e6, "load of the slower half of the lines of the near part of L2, as one multiprocessor sees them") \
    X(LATENCY_L2_LAST, "latency_l2_last", NUMBER, "cycles", 1, 1e6, "load that hits the near part of L2, of the multiprocessor for which this takes longest, over all lines") \
    X(LATENCY_DRAM, "latency_dram", NUMBER, "cycles", 1, 1e6, "load from device memory") \
    X(LATENCY_ATOMIC_GLOBAL, "latency_atomic_global", NUMBER, "cycles", 1, 1e6, "from one addition in L2 that gives the old value to one that needs it") \
    X(LATENCY_CONSTANT, "latency_constant", NUMBER, "cycles", 1, 1e6, "load from constant memory that hits the nearest cache") \
    X(LATENCY_CONSTANT_FAR, "latency_constant_far", NUMBER, "cycles", 1, 1e6, "load from constant memory that hits the cache behind the nearest") \
    X(REGISTERS_PER_SM, "registers_per_multiprocessor", COUNT, "registers", 1, 1e9, "32-bit registers of a multiprocessor") \
    X(REGISTERS_PER_BLOCK, "registers_per_block", COUNT, "registers", 1, 1e9, "32-bit registers of a block at most") \
    X(REGISTERS_PER_THREAD, "registers_per_thread", COUNT, "registers", 1, 65536, "32-bit registers of a thread at most") \
    X(REGISTER_UNIT, "register_allocation_unit", COUNT, "registers", 1, 65536, "registers are given to warps in multiples of this") \
    X(WARP_SIZE, "warp_size", COUNT, "threads", 1, 1024, "threads of a warp") \
    X(WARPS_PER_SM, "warps_per_multiprocessor", COUNT, "1", 1, 4096, "warps resident on a multiprocessor at most") \
    X(BLOCKS_PER_SM, "blocks_per_multiprocessor", COUNT, "1", 1, 4096, "blocks resident on a multiprocessor at most") \
    X(THREADS_PER_SM, "threads_per_multiprocessor", COUNT, "threads", 1, 1e6, "threads resident on a multiprocessor at most") \
    X(BARRIERS_PER_SM, "barriers_per_multiprocessor", COUNT, "1", 1, 65536, "block barriers of a multiprocessor, shared by its blocks") \
    X(THREADS_PER_BLOCK, "threads_per_block", COUNT, "threads", 1, 1e6, "threads of a block at most") \
    X(BLOCK_X, "block_x", COUNT, "threads", 1, 1e6, "extent of a block in x at most") \
    X(BLOCK_Y, "block_y", COUNT, "threads", 1, 1e6, "extent of a block in y at most") \
    X(BLOCK_Z, "block_z", COUNT, "threads", 1, 1e6, "extent of a block in z at most") \
    X(GRID_X, "grid_x", COUNT, "1", 1, 4294967295.0, "blocks of a grid in x at most") \
    X(GRID_Y, "grid_y", COUNT, "1", 1, 4294967295.0, "blocks of a grid in y at most") \
    X(GRID_Z, "grid_z", COUNT, "1", 1, 4294967295.0, "blocks of a grid in z at most") \
    X(BOARD_POWER, "board_power", NUMBER, "watts", 1, 1e5, "power limit of the board") \
    X(IDLE_POWER, "idle_power", NUMBER, "watts", 0, 1e5, "power of the board while nothing runs, at full clocks") \
    X(POWER_BY_INTENSITY, "power_by_intensity", POINTS, "watts", 0, 1e9, "power while f32 work of so many flops a byte of device memory runs: (flops a byte, watts)") \
    X(POWER_READINGS, "power_readings", NUMBER, "hertz", 1e-3, 1e6, "how often the power reading changes") \
    X(ENERGY_F32, "energy_f32", NUMBER, "joules", 0, 1, "energy of an f32 fused multiply-add, above idling") \
    X(ENERGY_F64, "energy_f64", NUMBER, "joules", 0, 1, "energy of an f64 fused multiply-add, above idling") \
    X(ENERGY_INT32_MULTIPLY, "energy_int32_multiply", NUMBER, "joules", 0, 1, "energy of a 32-bit integer multiply-add, above idling") \
    X(ENERGY_SPECIAL, "energy_special", NUMBER, "joules", 0, 1, "energy of an f32 exponential, above idling") \
    X(ENERGY_TENSOR, "energy_tensor", NUMBER, "joules", 0, 1, "energy of a bf16 tensor operation (2 a multiply-add), above idling") \
    X(ENERGY_SHARED, "energy_shared", NUMBER, "joules/byte", 0, 1, "energy of a byte read from shared memory, above idling") \
    X(ENERGY_L1, "energy_l1", NUMBER, "joules/byte", 0, 1, "energy of a byte read from L1, above idling") \
    X(ENERGY_L2, "energy_l2", NUMBER, "joules/byte", 0, 1, "energy of a byte read from L2, above idling") \
    X(ENERGY_DRAM_READ, "energy_dram_read", NUMBER, "joules/byte", 0, 1, "energy of a byte read from device memory, above idling") \
    X(ENERGY_DRAM_WRITE, "energy_dram_write", NUMBER, "joules/byte", 0, 1, "energy of a byte written to device memory, above idling") \
    X(BLOCK_START, "block_start", NUMBER, "cycles", 0, 1e6, "from the end of a block to the first load of the next block in its place, and from a block's last result to its end") \
    X(STORE_RETRIES, "store_retries", NUMBER, "1", 0, 10, "replayed wavefronts of a store, as a share, in kernels that load as much as they store") \
    X(ISSUE_SHARE, "issue_share", NUMBER, "1", 0.01, 1, "share of its issue slots that a multiprocessor fills with arithmetic of all kinds") \
    X(ISSUE_ORDER, "issue_order", NAME, "name", 0, FW_ISSUE_ORDER_COUNT - 1, "which of several warps that can issue a scheduler takes: greedy_youngest, greedy_oldest or loose_round_robin; where this is missing, greedy_youngest") \
    X(SERVER_SHARE, "server_share", NUMBER, "1", 0.01, 1, "share of its cycles that the load-store unit, L2 or device memory serves warps whose requests do not come evenly") \
    X(REGISTER_READS, "register_reads", NUMBER, "cycles", 0, 100, "cycles beyond one that an operation of three registers or more keeps its scheduler from issuing") \
    X(WIDE_ISSUE, "wide_issue", NUMBER, "cycles", 0, 100, "the same of a product of integers of which 64 bits are kept") \
    X(HIGH_ISSUE, "high_issue", NUMBER, "cycles", 0, 100, "the same of a product of integers of which the high word is kept; where this is missing, wide_issue") \
    X(LOAD_ISSUE, "load_issue", NUMBER, "cycles", 0, 100, "cycles beyond one that a load from global or local memory keeps its scheduler from issuing") \
    X(STORE_ISSUE, "store_issue", NUMBER, "cycles", 0, 100, "the same of a store, to shared memory too") \
    X(WARPS_IN_STEP, "warps_in_step", NUMBER, "1", 1, 64, "warps of a block that wait for their data together, as one warp group") \
    X(EMPTY_KERNEL, "empty_kernel", POINTS, "seconds", 0, 1e12, "time of a kernel that does nothing: (blocks, seconds)") \
    X(PIPES_OVERLAP, "pipes_overlap", NUMBER, "1", 1, 100, "how well issue and a unit of fewer lanes overlap: together they take the p-th root of the sum of their times to the power of this p") \
    X(EMPTY_DURATION, "empty_duration", NUMBER, "seconds", 0, 1, "duration of a kernel of one block that does nothing, as a profiler reports it")
/* clang-format on */

/* Names that a NAME figure may have.  X(NAME, text, meaning) */
#define FW_ISSUE_ORDERS(X)                                                                         \
    X(GREEDY_YOUNGEST, "greedy_youngest",                                                          \
      "the same warp as long as it can, then one of the block in the last place")                  \
    X(GREEDY_OLDEST, "greedy_oldest",                                                              \
      "the same warp as long as it can, then the last one of the block that began first")          \
    X(LOOSE_ROUND_ROBIN, "loose_round_robin", "the next one behind the warp that issued last")

enum fw_issue_order {
#define X(name, ...) FW_ISSUE_ORDER_##name,
    FW_ISSUE_ORDERS(X)
#undef X
        FW_ISSUE_ORDER_COUNT
};

enum fw_figure {
#define X(name, ...) FW_FIGURE_##name,
    FW_FIGURES(X)
#undef X
        FW_FIGURE_COUNT
};

enum fw_figure_shape {
    FW_FIGURE_SHAPE_COUNT,
    FW_FIGURE_SHAPE_NUMBER,
    FW_FIGURE_SHAPE_LIST,
    FW_FIGURE_SHAPE_POINTS,
    FW_FIGURE_SHAPE_NAME
};

/* Where a figure comes from.  X(NAME, text, meaning) */
#define FW_FIGURE_SOURCES(X)                                                                       \
    X(SPEC, "spec", "the vendor states it")                                                        \
    X(MEASURED, "measured", "measured on a device of this kind by this project")                   \
    X(CALIBRATED, "calibrated", "fitted to measurements")                                          \
    X(BENCH, "bench", "published results of the gpu-benches microbenchmarks")                      \
    X(PAPERS, "papers", "published in a paper; the note names it")                                 \
    X(SIMILAR, "similar", "of a device of the same compute capability; the note names it")         \
    X(STATED, "stated", "stated by the user (what if)")

enum fw_figure_source {
#define X(name, text, meaning) FW_SOURCE_##name,
    FW_FIGURE_SOURCES(X)
#undef X
        FW_SOURCE_COUNT
};

/* A row of the table. */
struct fw_figure_row {
    const char *name;
    enum fw_figure_shape shape;
    const char *unit;
    double low;
    double high;
    const char *meaning;
};

/* The row of a figure. */
const struct fw_figure_row *fw_figure_row(enum fw_figure figure);

/* The figure called `name`; false when there is none. */
bool fw_figure_find(enum fw_figure *figure, const char *name);

/* Of a NAME figure: the name with a number, from 0 on, and what it means; NULL past the last, and
 * of figures of other shapes. */
const char *fw_figure_name(enum fw_figure figure, unsigned number);
const char *fw_figure_name_meaning(enum fw_figure figure, unsigned number);

/* The number of a NAME figure's name; false when it has no such name. */
bool fw_figure_name_find(unsigned *number, enum fw_figure figure, const char *name);

/* "spec" and so on, and what the word means. */
const char *fw_figure_source_text(enum fw_figure_source source);
const char *fw_figure_source_meaning(enum fw_figure_source source);

#endif
