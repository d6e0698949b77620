/* Stands in for the CUDA toolkit's header of this name: fragments of f16 with sums in f16 or f32, of bf16 with sums in
 * f32, and of bytes with sums in s32, for the shapes 16x16x16, 32x8x16 and 8x32x16; of tf32 for 16x16x8; of f64 for
 * 8x8x4.  Nibbles and bits take nvcc, or mma.sync as inline PTX. */
#ifndef FOREWARP_MMA_H
#define FOREWARP_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda
{
namespace wmma
{
struct matrix_a {
};
struct matrix_b {
};
struct accumulator {
};
struct row_major {
};
struct col_major {
};
enum layout_t { mem_row_major, mem_col_major };
namespace precision
{
struct tf32 {
};
} // namespace precision

template <class Use, int M, int N, int K, class T, class Layout = void> struct fragment;

#define __FW_SHAPES(X) X(16, 16, 16) X(32, 8, 16) X(8, 32, 16)

#define __FW_REGISTERS "{%0, %1, %2, %3, %4, %5, %6, %7}"
#define __FW_OUT(c, f)                                                                             \
    "=" c(f.r[0]), "=" c(f.r[1]), "=" c(f.r[2]), "=" c(f.r[3]), "=" c(f.r[4]), "=" c(f.r[5]),      \
        "=" c(f.r[6]), "=" c(f.r[7])
#define __FW_IN(c, f)                                                                              \
    c(f.r[0]), c(f.r[1]), c(f.r[2]), c(f.r[3]), c(f.r[4]), c(f.r[5]), c(f.r[6]), c(f.r[7])
#define __FW_OUT4(c, f) "=" c(f.r[0]), "=" c(f.r[1]), "=" c(f.r[2]), "=" c(f.r[3])
#define __FW_IN4(c, f)  c(f.r[0]), c(f.r[1]), c(f.r[2]), c(f.r[3])

/* Factors: sixteen halves a thread, in eight registers. */
#define __FW_FACTOR(M, N, K, use, letter, layout, word)                                            \
    template <> struct fragment<use, M, N, K, __half, layout> {                                    \
        enum { num_elements = 16 };                                                                \
        union {                                                                                    \
            unsigned r[8];                                                                         \
            __half x[16];                                                                          \
        };                                                                                         \
        __device__ __forceinline__ fragment() {}                                                   \
    };                                                                                             \
    __FW_DEVICE void load_matrix_sync(fragment<use, M, N, K, __half, layout> &f, const __half *p,  \
                                      unsigned stride)                                             \
    {                                                                                              \
        asm volatile("wmma.load." letter ".sync.aligned." word ".m" #M "n" #N "k" #K               \
                     ".f16 " __FW_REGISTERS ", [%8], %9;"                                          \
                     : __FW_OUT("r", f)                                              \
                     : "l"(p), "r"(stride)                                                         \
                     : "memory");                                                                  \
    }

#define __FW_SUMS(M, N, K)                                                                         \
    template <> struct fragment<accumulator, M, N, K, float> {                                     \
        enum { num_elements = 8 };                                                                 \
        union {                                                                                    \
            float r[8];                                                                            \
            float x[8];                                                                            \
        };                                                                                         \
    };                                                                                             \
    template <> struct fragment<accumulator, M, N, K, __half> {                                    \
        enum { num_elements = 8 };                                                                 \
        union {                                                                                    \
            unsigned r[4];                                                                         \
            __half x[8];                                                                           \
        };                                                                                         \
        __device__ __forceinline__ fragment() {}                                                   \
    };                                                                                             \
    __FW_DEVICE void load_matrix_sync(fragment<accumulator, M, N, K, float> &f, const float *p,    \
                                      unsigned stride, layout_t layout)                            \
    {                                                                                              \
        if (layout == mem_row_major)                                                               \
            asm volatile("wmma.load.c.sync.aligned.row.m" #M "n" #N "k" #K                         \
                         ".f32 " __FW_REGISTERS ", [%8], %9;"                                      \
                         : __FW_OUT("f", f)                                                        \
                         : "l"(p), "r"(stride)                                                     \
                         : "memory");                                                              \
        else                                                                                       \
            asm volatile("wmma.load.c.sync.aligned.col.m" #M "n" #N "k" #K                         \
                         ".f32 " __FW_REGISTERS ", [%8], %9;"                                      \
                         : __FW_OUT("f", f)                                                        \
                         : "l"(p), "r"(stride)                                                     \
                         : "memory");                                                              \
    }                                                                                              \
    __FW_DEVICE void store_matrix_sync(float *p, const fragment<accumulator, M, N, K, float> &f,   \
                                       unsigned stride, layout_t layout)                           \
    {                                                                                              \
        if (layout == mem_row_major)                                                               \
            asm volatile("wmma.store.d.sync.aligned.row.m" #M "n" #N "k" #K                        \
                         ".f32 [%8], " __FW_REGISTERS ", %9;" ::__FW_IN("f", f),                   \
                         "l"(p), "r"(stride)                                                       \
                         : "memory");                                                              \
        else                                                                                       \
            asm volatile("wmma.store.d.sync.aligned.col.m" #M "n" #N "k" #K                        \
                         ".f32 [%8], " __FW_REGISTERS ", %9;" ::__FW_IN("f", f),                   \
                         "l"(p), "r"(stride)                                                       \
                         : "memory");                                                              \
    }                                                                                              \
    __FW_DEVICE void store_matrix_sync(__half *p, const fragment<accumulator, M, N, K, __half> &f, \
                                       unsigned stride, layout_t layout)                           \
    {                                                                                              \
        if (layout == mem_row_major)                                                               \
            asm volatile("wmma.store.d.sync.aligned.row.m" #M "n" #N "k" #K                        \
                         ".f16 [%4], {%0, %1, %2, %3}, %5;" ::__FW_IN4("r", f),                    \
                         "l"(p), "r"(stride)                                                       \
                         : "memory");                                                              \
        else                                                                                       \
            asm volatile("wmma.store.d.sync.aligned.col.m" #M "n" #N "k" #K                        \
                         ".f16 [%4], {%0, %1, %2, %3}, %5;" ::__FW_IN4("r", f),                    \
                         "l"(p), "r"(stride)                                                       \
                         : "memory");                                                              \
    }

#define __FW_PRODUCT(M, N, K, layout_a, layout_b, words)                                           \
    __FW_DEVICE void mma_sync(fragment<accumulator, M, N, K, float> &d,                            \
                              const fragment<matrix_a, M, N, K, __half, layout_a> &a,              \
                              const fragment<matrix_b, M, N, K, __half, layout_b> &b,              \
                              const fragment<accumulator, M, N, K, float> &c)                      \
    {                                                                                              \
        asm volatile("wmma.mma.sync.aligned." words ".m" #M "n" #N "k" #K                          \
                     ".f32.f32 " __FW_REGISTERS ", {%8, %9, %10, %11, %12, %13, %14, %15}, "       \
                     "{%16, %17, %18, %19, %20, %21, %22, %23}, "                                  \
                     "{%24, %25, %26, %27, %28, %29, %30, %31};"                                   \
                     : __FW_OUT("f", d)                                                            \
                     : __FW_IN("r", a), __FW_IN("r", b), __FW_IN("f", c));                         \
    }                                                                                              \
    __FW_DEVICE void mma_sync(fragment<accumulator, M, N, K, __half> &d,                           \
                              const fragment<matrix_a, M, N, K, __half, layout_a> &a,              \
                              const fragment<matrix_b, M, N, K, __half, layout_b> &b,              \
                              const fragment<accumulator, M, N, K, __half> &c)                     \
    {                                                                                              \
        asm volatile("wmma.mma.sync.aligned." words ".m" #M "n" #N "k" #K                          \
                     ".f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, "             \
                     "{%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23};"             \
                     : __FW_OUT4("r", d)                                                           \
                     : __FW_IN("r", a), __FW_IN("r", b), __FW_IN4("r", c));                        \
    }

#define __FW_SHAPE(M, N, K)                                                                        \
    __FW_FACTOR(M, N, K, matrix_a, "a", row_major, "row")                                          \
    __FW_FACTOR(M, N, K, matrix_a, "a", col_major, "col")                                          \
    __FW_FACTOR(M, N, K, matrix_b, "b", row_major, "row")                                          \
    __FW_FACTOR(M, N, K, matrix_b, "b", col_major, "col")                                          \
    __FW_SUMS(M, N, K)                                                                             \
    __FW_PRODUCT(M, N, K, row_major, row_major, "row.row")                                         \
    __FW_PRODUCT(M, N, K, row_major, col_major, "row.col")                                         \
    __FW_PRODUCT(M, N, K, col_major, row_major, "col.row")                                         \
    __FW_PRODUCT(M, N, K, col_major, col_major, "col.col")
__FW_SHAPES(__FW_SHAPE)

/* ---- other types: by clang's functions for these instructions, whose layouts are literals ---- */

/* Factors: `count` elements of `type` a thread, in registers of type `word`. */
#define __FW_OF(M, N, K, use, T, layout, type, count, word, load, order)                           \
    template <> struct fragment<use, M, N, K, T, layout> {                                         \
        enum { num_elements = count };                                                             \
        union {                                                                                    \
            word r[count * sizeof(type) / sizeof(word)];                                           \
            type x[count];                                                                         \
        };                                                                                         \
        __device__ __forceinline__ fragment() {}                                                   \
    };                                                                                             \
    __FW_DEVICE void load_matrix_sync(fragment<use, M, N, K, T, layout> &f, const type *p,         \
                                      unsigned stride)                                             \
    {                                                                                              \
        load(f.r, (const word *)p, (int)stride, order);                                            \
    }

#define __FW_SUMS_OF(M, N, K, type, count, load, store)                                            \
    template <> struct fragment<accumulator, M, N, K, type> {                                      \
        enum { num_elements = count };                                                             \
        type x[count];                                                                             \
    };                                                                                             \
    __FW_DEVICE void load_matrix_sync(fragment<accumulator, M, N, K, type> &f, const type *p,      \
                                      unsigned stride, layout_t layout)                            \
    {                                                                                              \
        if (layout == mem_row_major)                                                               \
            load(f.x, p, (int)stride, 0);                                                          \
        else                                                                                       \
            load(f.x, p, (int)stride, 1);                                                          \
    }                                                                                              \
    __FW_DEVICE void store_matrix_sync(type *p, const fragment<accumulator, M, N, K, type> &f,     \
                                       unsigned stride, layout_t layout)                           \
    {                                                                                              \
        if (layout == mem_row_major)                                                               \
            store(p, f.x, (int)stride, 0);                                                         \
        else                                                                                       \
            store(p, f.x, (int)stride, 1);                                                         \
    }

#define __FW_PRODUCT_OF(M, N, K, T, sum, layout_a, layout_b, multiply, order)                      \
    __FW_DEVICE void mma_sync(fragment<accumulator, M, N, K, sum> &d,                              \
                              const fragment<matrix_a, M, N, K, T, layout_a> &a,                   \
                              const fragment<matrix_b, M, N, K, T, layout_b> &b,                   \
                              const fragment<accumulator, M, N, K, sum> &c)                        \
    {                                                                                              \
        multiply(d.x, a.r, b.r, c.x, order, 0);                                                    \
    }

#define __FW_TYPE(M, N, K, T, type, in_a, in_b, word, sum, load_a, load_b, multiply)         \
    __FW_OF(M, N, K, matrix_a, T, row_major, type, in_a, word, load_a, 0)                          \
    __FW_OF(M, N, K, matrix_a, T, col_major, type, in_a, word, load_a, 1)                          \
    __FW_OF(M, N, K, matrix_b, T, row_major, type, in_b, word, load_b, 0)                          \
    __FW_OF(M, N, K, matrix_b, T, col_major, type, in_b, word, load_b, 1)                          \
    __FW_PRODUCT_OF(M, N, K, T, sum, row_major, row_major, multiply, 0)                            \
    __FW_PRODUCT_OF(M, N, K, T, sum, row_major, col_major, multiply, 1)                            \
    __FW_PRODUCT_OF(M, N, K, T, sum, col_major, row_major, multiply, 2)                            \
    __FW_PRODUCT_OF(M, N, K, T, sum, col_major, col_major, multiply, 3)

#if __CUDA_ARCH__ >= 720
#define __FW_BYTES(M, N, K, in_a, in_b)                                                            \
    __FW_SUMS_OF(M, N, K, int, 8, __imma_m##M##n##N##k##K##_ld_c,                                  \
                 __imma_m##M##n##N##k##K##_st_c_i32)                                               \
    __FW_TYPE(M, N, K, signed char, signed char, in_a, in_b, int, int,                         \
              __imma_m##M##n##N##k##K##_ld_a_s8, __imma_m##M##n##N##k##K##_ld_b_s8,                \
              __imma_m##M##n##N##k##K##_mma_s8)                                                    \
    __FW_TYPE(M, N, K, unsigned char, unsigned char, in_a, in_b, int, int,                     \
              __imma_m##M##n##N##k##K##_ld_a_u8, __imma_m##M##n##N##k##K##_ld_b_u8,                \
              __imma_m##M##n##N##k##K##_mma_u8)
__FW_BYTES(16, 16, 16, 8, 8)
__FW_BYTES(32, 8, 16, 16, 4)
__FW_BYTES(8, 32, 16, 4, 16)
#endif

#if __CUDA_ARCH__ >= 800
#define __FW_BF16(M, N, K, in_a, in_b)                                                             \
    __FW_TYPE(M, N, K, __nv_bfloat16, __nv_bfloat16, in_a, in_b, int, float,                 \
              __mma_bf16_m##M##n##N##k##K##_ld_a, __mma_bf16_m##M##n##N##k##K##_ld_b,              \
              __mma_bf16_m##M##n##N##k##K##_mma_f32)
__FW_BF16(16, 16, 16, 8, 8)
__FW_BF16(32, 8, 16, 16, 4)
__FW_BF16(8, 32, 16, 4, 16)

__FW_SUMS_OF(16, 16, 8, float, 8, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32)
__FW_TYPE(16, 16, 8, precision::tf32, float, 4, 4, int, float, __mma_tf32_m16n16k8_ld_a,
          __mma_tf32_m16n16k8_ld_b, __mma_tf32_m16n16k8_mma_f32)
__FW_DEVICE float __float_to_tf32(float a)
{
    unsigned v;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(v) : "f"(a));
    return __uint_as_float(v);
}

__FW_SUMS_OF(8, 8, 4, double, 2, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64)
__FW_TYPE(8, 8, 4, double, double, 1, 1, double, double, __dmma_m8n8k4_ld_a,
          __dmma_m8n8k4_ld_b, __dmma_m8n8k4_mma_f64)
#endif

/* Values are converted to what a fragment holds. */
template <class Use, int M, int N, int K, class T, class Layout, class V>
__device__ __forceinline__ void fill_fragment(fragment<Use, M, N, K, T, Layout> &f, V v)
{
#pragma unroll
    for (int i = 0; i < (int)fragment<Use, M, N, K, T, Layout>::num_elements; i++)
        f.x[i] = v;
}
} // namespace wmma
} // namespace nvcuda

#endif
