/* Long work behind a branch that loaded data decide: of each lane, of each warp, and of each lane by
 * data that all lanes share. */
static __device__ float worked(float x)
{
#pragma unroll 1
    for (int i = 0; i < 2000; i++)
        x = x * 0.999f + 0.001f;
    return x;
}

extern "C" __global__ void by_lane(const float *__restrict__ a, float *__restrict__ to)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    const float x = a[i];
    if (x > 0.3f)
        to[i] = worked(x);
}

extern "C" __global__ void by_warp(const float *__restrict__ a, float *__restrict__ to)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    const float x = a[i / 32];
    if (x > 0.3f)
        to[i] = worked(x);
}

extern "C" __global__ void by_place(const float *__restrict__ a, float *__restrict__ to)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    const float x = a[blockIdx.x] * (float)threadIdx.x;
    if (x > 0.3f)
        to[i] = worked(x);
}

extern "C" __global__ void by_quarter(const float *__restrict__ a, float *__restrict__ to)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    const float x = a[i];
    if ((int)rintf(x * 12.73f) & 1)
        to[i] = worked(x);
}
