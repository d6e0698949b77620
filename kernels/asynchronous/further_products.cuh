/*
 * Products by wgmma of 64 rows and 128 columns beyond those of matrix_product.cuh: d += a b with sums of f32, 64 a thread.
 */
#pragma once
#include "matrix_product.cuh"

#define SUMS_128 \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, " \
    "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define OUT_128(d) \
        "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),  \
        "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),  \
        "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]),  \
        "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]),  \
        "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]),  \
        "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]),  \
        "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),  \
        "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63])

/* Of rows of 128 bytes, swizzled by 128 bytes: groups of 8 rows are 1024 bytes apart. */
__device__ static inline uint64_t tile_descriptor(uint32_t address)
{
    return (uint64_t)(address >> 4 & 0x3fff) | (uint64_t)1 << 16 | (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 62;
}

/* Of e4m3, 32 products a sum; a and b are descriptors. */
__device__ static inline void e4m3_product(float (&d)[64], uint64_t a, uint64_t b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3 {" SUMS_128 "}, %64, %65, 1, 1, 1;"
                 : OUT_128(d)
                 : "l"(a), "l"(b));
}

/* Of f16, 16 products a sum; a is in registers, two elements each, b is a descriptor. */
__device__ static inline void register_product(float (&d)[64], const uint32_t (&a)[4], uint64_t b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {" SUMS_128 "}, {%64, %65, %66, %67}, %68, 1, 1, 1, 0;"
                 : OUT_128(d)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

/* Row r and r + 8 of a thread's sums (columns 8 i, 8 i + 1) to an array of rows of n elements; to: its first element. */
__device__ static inline void store_sums(float *to, int n, const float (&d)[64], float factor)
{
#pragma unroll
    for (int i = 0; i < 16; i++) {
        *(float2 *)(to + i * 8) = make_float2(factor * d[4 * i], factor * d[4 * i + 1]);
        *(float2 *)(to + (size_t)8 * n + i * 8) = make_float2(factor * d[4 * i + 2], factor * d[4 * i + 3]);
    }
}
