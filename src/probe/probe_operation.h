/* The operations that a probe measures: one table.
 *
 * A row is a line of PTX with placeholders: $0 to $3 are the registers of a chain (an instance
 * waits for the one before it in the same chain), $c the chain's number; %fa %fb (f32), %da %db
 * (f64), %ka %kb %kz (32-bit whole, the last one zero), %lz (64-bit zero), %m0 to %m7 (32-bit
 * fragments of matrices) hold values that no compiler can know; %act is the number of threads
 * taking part.  probe_ptx.c makes a dependent and an independent chain of each, measured by the
 * multiprocessor's clock, and a form for the whole device, measured by events. */
#ifndef FW_PROBE_OPERATION_H
#define FW_PROBE_OPERATION_H

#include <stdbool.h>
#include <stddef.h>

/* What a chain's first register holds at first. */
enum fw_probe_start {
    FW_START_VALUE,    /* a number that differs by thread and chain */
    FW_START_SHARED,   /* the address of a word of shared memory that holds its own address */
    FW_START_GLOBAL,   /* the same in device memory */
    FW_START_CONSTANT, /* the same in constant memory */
    FW_START_ZERO
};

/* X(NAME, start, stride, width, registers, bits, chains, unroll, instructions, weight, target,
 * pattern) stride: from one thread's word to the next's, in words of `width` bytes (memory rows).
 * registers, bits: of a chain.  chains: in the independent form.  unroll: instances in the loop.
 * instructions: in the pattern, of the kind measured.  weight: what an instruction of one warp
 * yields: results, flops or bytes.  target: the least compute capability, times ten.  A row is a
 * line. */
/* clang-format off */
#define FW_PROBE_OPERATIONS(X)                                                                     \
    X(add_f32, VALUE, 0, 0, 1, 32, 8, 256, 1, 32, 70, "add.rn.f32 $0,$0,%fa;") \
    X(mul_f32, VALUE, 0, 0, 1, 32, 8, 256, 1, 32, 70, "mul.rn.f32 $0,$0,%fa;") \
    X(fma_f32, VALUE, 0, 0, 1, 32, 8, 256, 1, 32, 70, "fma.rn.f32 $0,$0,%fa,%fb;") \
    X(div_f32, VALUE, 0, 0, 1, 32, 4, 8, 1, 32, 70, "div.rn.f32 $0,%fa,$0;") \
    X(sqrt_f32, VALUE, 0, 0, 1, 32, 4, 8, 1, 32, 70, "sqrt.rn.f32 $0,$0;") \
    X(rsqrt_f32, VALUE, 0, 0, 1, 32, 8, 128, 1, 32, 70, "rsqrt.approx.ftz.f32 $0,$0;") \
    X(ex2_f32, VALUE, 0, 0, 1, 32, 8, 128, 1, 32, 70, "ex2.approx.ftz.f32 $0,$0;") \
    X(lg2_f32, VALUE, 0, 0, 1, 32, 8, 128, 1, 32, 70, "lg2.approx.ftz.f32 $0,$0;") \
    X(sin_f32, VALUE, 0, 0, 1, 32, 8, 128, 1, 32, 70, "sin.approx.ftz.f32 $0,$0;") \
    X(tanh_f32, VALUE, 0, 0, 1, 32, 8, 128, 1, 32, 75, "tanh.approx.f32 $0,$0;") \
    X(add_f64, VALUE, 0, 0, 1, 64, 8, 128, 1, 32, 70, "add.rn.f64 $0,$0,%da;") \
    X(mul_f64, VALUE, 0, 0, 1, 64, 8, 128, 1, 32, 70, "mul.rn.f64 $0,$0,%da;") \
    X(fma_f64, VALUE, 0, 0, 1, 64, 8, 128, 1, 32, 70, "fma.rn.f64 $0,$0,%da,%db;") \
    X(div_f64, VALUE, 0, 0, 1, 64, 4, 8, 1, 32, 70, "div.rn.f64 $0,%da,$0;") \
    X(sqrt_f64, VALUE, 0, 0, 1, 64, 4, 8, 1, 32, 70, "sqrt.rn.f64 $0,$0;") \
    X(fma_f16x2, VALUE, 0, 0, 1, 32, 8, 256, 1, 64, 70, "fma.rn.f16x2 $0,$0,%ka,%kb;") \
    X(fma_bf16x2, VALUE, 0, 0, 1, 32, 8, 256, 1, 64, 80, "fma.rn.bf16x2 $0,$0,%ka,%kb;") \
    X(add_s32, VALUE, 0, 0, 2, 32, 4, 128, 2, 32, 70, "add.s32 $0,$0,$1; add.s32 $1,$1,$0;") \
    X(mad_s32, VALUE, 0, 0, 1, 32, 8, 256, 1, 32, 70, "mad.lo.s32 $0,$0,%ka,%kb;") \
    X(mulhi_u32, VALUE, 0, 0, 1, 32, 8, 128, 1, 32, 70, "mul.hi.u32 $0,$0,%ka;") \
    X(add_s64, VALUE, 0, 0, 2, 64, 4, 64, 2, 32, 70, "add.s64 $0,$0,$1; add.s64 $1,$1,$0;") \
    X(mad_s64, VALUE, 0, 0, 1, 64, 4, 64, 1, 32, 70, "mad.lo.s64 $0,$0,%la,%lb;") \
    X(div_s32, VALUE, 0, 0, 1, 32, 4, 8, 1, 32, 70, "div.s32 $0,%kb,$0;") \
    X(lop3_b32, VALUE, 0, 0, 1, 32, 8, 256, 1, 32, 70, "lop3.b32 $0,$0,%ka,%kb,0x2d;") \
    X(shift_b32, VALUE, 0, 0, 1, 32, 8, 256, 1, 32, 70, "shf.l.wrap.b32 $0,$0,$0,%ka;") \
    X(prmt_b32, VALUE, 0, 0, 1, 32, 8, 256, 1, 32, 70, "prmt.b32 $0,$0,%ka,%kb;") \
    X(popc_b32, VALUE, 0, 0, 1, 32, 8, 128, 1, 32, 70, "popc.b32 $0,$0;") \
    X(dp4a_s32, VALUE, 0, 0, 1, 32, 8, 128, 1, 32, 70, "dp4a.s32.s32 $0,%ka,%kb,$0;") \
    X(convert_s32_f32, VALUE, 0, 0, 1, 32, 8, 64, 2, 32, 70, "cvt.rn.f32.s32 $0,$0; cvt.rzi.s32.f32 $0,$0;") \
    X(shuffle_b32, VALUE, 0, 0, 1, 32, 8, 128, 1, 32, 70, "shfl.sync.bfly.b32 $0,$0,1,31,-1;") \
    X(redux_s32, VALUE, 0, 0, 1, 32, 4, 64, 1, 32, 80, "redux.sync.add.s32 $0,$0,-1;") \
    X(issue, VALUE, 0, 0, 2, 32, 4, 128, 2, 1, 70, "add.rn.f32 $0,$0,%fa; shf.l.wrap.b32 $1,$1,$1,%ka;") \
    X(barrier, ZERO, 0, 0, 1, 32, 1, 32, 1, 1, 70, "barrier.sync 1,%act;") \
    X(mma_f16_f16, VALUE, 0, 0, 2, 32, 4, 32, 1, 4096, 80, "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {$0,$1},{%m0,%m1,%m2,%m3},{%m4,%m5},{$0,$1};") \
    X(mma_f16_f32, VALUE, 0, 0, 4, 32, 4, 32, 1, 4096, 80, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0,$1,$2,$3},{%m0,%m1,%m2,%m3},{%m4,%m5},{$0,$1,$2,$3};") \
    X(mma_bf16, VALUE, 0, 0, 4, 32, 4, 32, 1, 4096, 80, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {$0,$1,$2,$3},{%m0,%m1,%m2,%m3},{%m4,%m5},{$0,$1,$2,$3};") \
    X(mma_tf32, VALUE, 0, 0, 4, 32, 4, 32, 1, 2048, 80, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {$0,$1,$2,$3},{%m0,%m1,%m2,%m3},{%m4,%m5},{$0,$1,$2,$3};") \
    X(mma_int8, VALUE, 0, 0, 4, 32, 4, 32, 1, 8192, 80, "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {$0,$1,$2,$3},{%m0,%m1,%m2,%m3},{%m4,%m5},{$0,$1,$2,$3};") \
    X(mma_f64, VALUE, 0, 0, 2, 64, 4, 32, 1, 512, 80, "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {$0,$1},{%da},{%db},{$0,$1};") \
    X(mma_f64_k16, VALUE, 0, 0, 4, 64, 2, 32, 1, 4096, 90, "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {$0,$1,$2,$3},{%da,%db,%da,%db,%da,%db,%da,%db},{%da,%db,%da,%db},{$0,$1,$2,$3};") \
    X(load_shared, SHARED, 1, 4, 1, 32, 8, 64, 1, 128, 70, "ld.shared.b32 $0,[$0];") \
    X(load_shared_index, SHARED, 1, 4, 1, 32, 8, 64, 1, 128, 70, "or.b32 $0,$0,%kz; ld.shared.b32 $0,[$0];") \
    X(load_shared_64, SHARED, 1, 8, 2, 32, 4, 64, 1, 256, 70, "ld.shared.v2.b32 {$0,$1},[$0]; add.u32 $0,$0,$1;") \
    X(load_shared_128, SHARED, 1, 16, 4, 32, 4, 64, 1, 512, 70, "ld.shared.v4.b32 {$0,$1,$2,$3},[$0]; or.b32 $1,$1,$2; or.b32 $1,$1,$3; or.b32 $0,$0,$1;") \
    X(load_shared_broadcast, SHARED, 0, 4, 1, 32, 8, 64, 1, 128, 70, "ld.shared.b32 $0,[$0];") \
    X(load_shared_2, SHARED, 2, 4, 1, 32, 8, 64, 1, 128, 70, "ld.shared.b32 $0,[$0];") \
    X(load_shared_4, SHARED, 4, 4, 1, 32, 8, 64, 1, 128, 70, "ld.shared.b32 $0,[$0];") \
    X(load_shared_8, SHARED, 8, 4, 1, 32, 8, 64, 1, 128, 70, "ld.shared.b32 $0,[$0];") \
    X(load_shared_16, SHARED, 16, 4, 1, 32, 8, 64, 1, 128, 70, "ld.shared.b32 $0,[$0];") \
    X(load_shared_32, SHARED, 32, 4, 1, 32, 8, 64, 1, 128, 70, "ld.shared.b32 $0,[$0];") \
    X(store_shared, SHARED, 1, 4, 1, 32, 8, 64, 1, 128, 70, "st.volatile.shared.b32 [$0],$0;") \
    X(atomic_shared, SHARED, 1, 4, 1, 32, 8, 32, 1, 32, 70, "atom.shared.add.u32 $0,[$0],%kz;") \
    X(atomic_shared_same, SHARED, 0, 4, 1, 32, 4, 8, 1, 32, 70, "atom.shared.add.u32 $0,[$0],%kz;") \
    X(load_l1, GLOBAL, 1, 8, 1, 64, 8, 64, 1, 256, 70, "ld.global.b64 $0,[$0];") \
    X(load_l1_128, GLOBAL, 1, 16, 2, 64, 4, 64, 1, 512, 70, "ld.global.v2.b64 {$0,$1},[$0]; add.s64 $0,$0,$1;") \
    X(load_l2, GLOBAL, 1, 8, 1, 64, 8, 32, 1, 256, 70, "ld.global.cg.b64 $0,[$0];") \
    X(load_l2_128, GLOBAL, 1, 16, 2, 64, 4, 32, 1, 512, 70, "ld.global.cg.v2.b64 {$0,$1},[$0]; add.s64 $0,$0,$1;") \
    X(atomic_global, GLOBAL, 1, 8, 1, 64, 4, 16, 1, 32, 70, "atom.global.add.u64 $0,[$0],%lz;") \
    X(atomic_global_same, GLOBAL, 0, 8, 1, 64, 4, 4, 1, 32, 70, "atom.global.add.u64 $0,[$0],%lz;") \
    X(load_constant, CONSTANT, 0, 0, 1, 32, 4, 64, 1, 128, 70, "ld.const.b32 $0,[$0];")
/* clang-format on */

enum fw_probe_operation {
#define X(name, ...) FW_PROBE_##name,
    FW_PROBE_OPERATIONS(X)
#undef X
        FW_PROBE_OPERATION_COUNT
};

struct fw_probe_row {
    const char *name;
    enum fw_probe_start start;
    int stride, width, registers, bits, chains, unroll, instructions;
    double weight;
    int target;
    const char *pattern;
};

extern const struct fw_probe_row fw_probe_rows[FW_PROBE_OPERATION_COUNT];

/* Warps that take part, in the order in which a kernel reports; and loop lengths of each: 1, 2, ...
 * times the launch's. */
enum { FW_PROBE_WARP_POINTS = 8, FW_PROBE_LENGTHS = 3 };
extern const int fw_probe_warps[FW_PROBE_WARP_POINTS];

#endif
