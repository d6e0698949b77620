/*
 * y = a * x + y in half precision, two elements at a time: half_axpy in f16, bfloat_axpy in bf16.
 *
 * Launch: one dimension, one thread a pair of elements.
 *
 * x, y   arrays of 2 * pairs f16 or bf16
 * a      factor, rounded to f16 or bf16
 * pairs  pairs of elements
 */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void half_axpy(const __half2 *x, __half2 *y, float a, int pairs)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < pairs)
        y[i] = __hfma2(__float2half2_rn(a), x[i], y[i]);
}

extern "C" __global__ void bfloat_axpy(const __nv_bfloat162 *x, __nv_bfloat162 *y, float a,
                                       int pairs)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < pairs)
        y[i] = __hfma2(__float2bfloat162_rn(a), x[i], y[i]);
}
