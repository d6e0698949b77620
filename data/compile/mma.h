/* Stands in for the CUDA toolkit's header of this name: fragments of f16 with sums in f16 or f32, for
 * the shapes 16x16x16, 32x8x16 and 8x32x16.  Other types take nvcc, or mma.sync as inline PTX. */
#ifndef FOREWARP_MMA_H
#define FOREWARP_MMA_H

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

template <class Use, int M, int N, int K, class T, class Layout>
__device__ __forceinline__ void fill_fragment(fragment<Use, M, N, K, T, Layout> &f, T v)
{
#pragma unroll
    for (int i = 0; i < (int)fragment<Use, M, N, K, T, Layout>::num_elements; i++)
        f.x[i] = v;
}
} // namespace wmma
} // namespace nvcuda

#endif
