/* The elements of a gated recurrent cell, forward, with what its gradient needs. */
#include <cuda_fp16.h>

template <typename T>
__device__ __forceinline__ T sigmoid(T x)
{
    return T(1) / (T(1) + expf(-x));
}

extern "C" __global__ void __launch_bounds__(512) gru_pointwise(const half *Input, const half *Hidden, const half *Bias1, const half *Bias2, const half *_hx, half *_hy, half *storage, unsigned hsz,
                                                                unsigned totalElements)
{
    for (unsigned linearIndex = blockIdx.x * blockDim.x + threadIdx.x; linearIndex < totalElements; linearIndex += gridDim.x * blockDim.x) {
        const unsigned row = linearIndex / hsz, column = linearIndex % hsz, offset = row * 3 * hsz + column;
        const float ir = __half2float(Input[offset]), ii = __half2float(Input[offset + hsz]), in = __half2float(Input[offset + 2 * hsz]);
        const float hr = __half2float(Hidden[offset]), hi = __half2float(Hidden[offset + hsz]), hn = __half2float(Hidden[offset + 2 * hsz]);
        const float b1r = __half2float(Bias1[column]), b1i = __half2float(Bias1[column + hsz]), b1n = __half2float(Bias1[column + 2 * hsz]);
        const float b2r = __half2float(Bias2[column]), b2i = __half2float(Bias2[column + hsz]), b2n = __half2float(Bias2[column + 2 * hsz]);
        const float hx = __half2float(_hx[linearIndex]);
        const float rg = sigmoid(ir + hr + b1r + b2r), ig = sigmoid(ii + hi + b1i + b2i);
        const float ng = tanhf(in + b1n + rg * (hn + b2n));
        _hy[linearIndex] = __float2half(ng + ig * (hx - ng));
        const unsigned s = row * 5 * hsz + column;
        storage[s] = __float2half(rg);
        storage[s + hsz] = __float2half(ig);
        storage[s + 2 * hsz] = __float2half(ng);
        storage[s + 3 * hsz] = __float2half(hx);
        storage[s + 4 * hsz] = __float2half(hn + b2n);
    }
}
