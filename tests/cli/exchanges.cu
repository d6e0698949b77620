/* Sums in shared memory that the machine has no operation for: nvcc -O3 -arch=sm_90 -ptx. */
extern "C" __global__ void one_word(const float *in, float *out)
{
    __shared__ float sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

extern "C" __global__ void own_words(const float *in, float *out)
{
    __shared__ float sum[1024];
    sum[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&sum[threadIdx.x], in[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum[threadIdx.x];
}

/* Rows behind which a sum begins: the last tile is not full, and warps have its loop in parts. */
extern "C" __global__ void behind_tiles(const float *in, float *out, int length)
{
    __shared__ float tile[264], sums[8];
    float own[8] = {0};
    if (threadIdx.x < 8)
        sums[threadIdx.x] = 0;
    for (int t0 = 0; t0 < length - (int)blockIdx.x * 8 - 8; t0 += 256) {
        __syncthreads();
        for (int i = threadIdx.x; i < 264; i += blockDim.x) {
            const int t = t0 + blockIdx.x * 8 + i;
            tile[i] = t < length ? in[t] : 0.0f;
        }
        __syncthreads();
        const int t = t0 + threadIdx.x;
        const float here = t < length ? in[t] : 0.0f;
#pragma unroll
        for (int k = 0; k < 8; k++)
            own[k] += here * tile[threadIdx.x + k];
    }
#pragma unroll
    for (int k = 0; k < 8; k++)
        atomicAdd(&sums[k], own[k]);
    __syncthreads();
    if (threadIdx.x < 8)
        out[blockIdx.x * 8 + threadIdx.x] = sums[threadIdx.x];
}
