/* Loads of shared memory in a loop: of one wavefront each, and of two. */
extern "C" __global__ void single(float *out, int n)
{
    __shared__ float s[512];
    s[threadIdx.x] = 0;
    __syncthreads();
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < n; i++)
        sum += s[threadIdx.x + (i * 32 & 255)];
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

extern "C" __global__ void twofold(float *out, int n)
{
    __shared__ float s[1024];
    s[threadIdx.x] = 0;
    __syncthreads();
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < n; i++)
        sum += s[2 * threadIdx.x + (i * 32 & 511)];
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}
