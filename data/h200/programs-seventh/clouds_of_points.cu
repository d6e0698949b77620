/* Groups among points. */
#include <float.h>

/* Sums and numbers of the points of each of K groups, first in shared memory. */
extern "C" __global__ void accumulate_groups(const float *__restrict__ points, const int *__restrict__ member, float *sums, int *sizes, int n, int dims, int k)
{
    extern __shared__ float local[];
    int *local_sizes = (int *)(local + k * dims);
    for (int i = threadIdx.x; i < k * dims; i += blockDim.x)
        local[i] = 0.f;
    for (int i = threadIdx.x; i < k; i += blockDim.x)
        local_sizes[i] = 0;
    __syncthreads();
    for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < n; p += gridDim.x * blockDim.x) {
        int g = member[p];
        for (int d = 0; d < dims; d++)
            atomicAdd(&local[g * dims + d], points[(size_t)d * n + p]);
        atomicAdd(&local_sizes[g], 1);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < k * dims; i += blockDim.x)
        atomicAdd(&sums[i], local[i]);
    for (int i = threadIdx.x; i < k; i += blockDim.x)
        atomicAdd(&sizes[i], local_sizes[i]);
}

/* The share of each of G normal distributions in each point: of each the mean, the inverse of the spread, and the log of the weight,
   eight numbers a point. */
template <int DIMS>
struct Normal {
    float mean[DIMS], inverse[DIMS], log_weight;
};

extern "C" __global__ void __launch_bounds__(192) mixture_shares(const float4 *__restrict__ points, const Normal<8> *__restrict__ normals, float *__restrict__ shares,
                                                                 float *__restrict__ likelihood, int n, int count)
{
    __shared__ Normal<8> held[32];
    for (int i = threadIdx.x; i < count * (int)(sizeof(Normal<8>) / 4); i += blockDim.x)
        reinterpret_cast<float *>(held)[i] = reinterpret_cast<const float *>(normals)[i];
    __syncthreads();
    const int p = blockDim.x * blockIdx.x + threadIdx.x;
    if (p >= n)
        return;
    const float4 a = points[2 * p], b = points[2 * p + 1];
    const float x[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
    float top = -FLT_MAX;
    for (int g = 0; g < count; g++) {
        float q = 0;
#pragma unroll
        for (int d = 0; d < 8; d++) {
            const float off = (x[d] - held[g].mean[d]) * held[g].inverse[d];
            q += off * off;
        }
        const float l = held[g].log_weight - 0.5f * q;
        shares[(size_t)g * n + p] = l;
        top = fmaxf(top, l);
    }
    float sum = 0;
    for (int g = 0; g < count; g++)
        sum += expf(shares[(size_t)g * n + p] - top);
    const float log_sum = top + logf(sum);
    likelihood[p] = log_sum;
    for (int g = 0; g < count; g++)
        shares[(size_t)g * n + p] = expf(shares[(size_t)g * n + p] - log_sum);
}
