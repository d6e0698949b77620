// What data decide matters in `wanders`, and hardly in `passes` (ends.py).
//   nvcc -O3 -std=c++17 -arch=sm_90 -ptx ends.cu -o ends.ptx

// Steps of a generator of random numbers until one is below what the element says.
extern "C" __global__ void wanders(const unsigned *__restrict__ below, unsigned *__restrict__ steps, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const unsigned end = below[i];
    unsigned x = (unsigned)i, count = 0;
#pragma unroll 1
    while (x >= end) {
        x = x * 1664525u + 1013904223u;
        count++;
    }
    steps[i] = count;
}

// A copy of numbers, some of which take a few steps, which device memory hides.
extern "C" __global__ void passes(const float4 *__restrict__ from, float4 *__restrict__ to, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 x = from[i];
    if (x.x > 3.f) {
#pragma unroll 1
        for (int k = 0; k < 8; k++)
            x.y = x.y * x.z + x.w;
    }
    to[i] = x;
}
