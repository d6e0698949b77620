/*
 * What the generators of the kernel language cannot isolate: atomic operations, and loads and
 * shuffles that wait for each other. scripts/device/write-generic has the launches.
 *
 * words, counts  u32 or f32: what is added to, `reach` elements, `spread` apart from thread to thread
 * next           s32: a cycle; each element is the index of the next
 * last           s32, one a thread
 */
extern "C" __global__ void add_words(unsigned *words, int reach, int spread, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = 0; r < rounds; r++)
        atomicAdd(&words[(unsigned)(i * spread + r) % (unsigned)reach], (unsigned)(i ^ r));
}

extern "C" __global__ void add_floats(float *words, int reach, int spread, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = 0; r < rounds; r++)
        atomicAdd(&words[(unsigned)(i * spread + r) % (unsigned)reach], (float)(i & 15));
}

extern "C" __global__ void add_shared(unsigned *counts, int reach, int spread, int rounds)
{
    __shared__ unsigned words[1024];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int at = threadIdx.x; at < 1024; at += blockDim.x)
        words[at] = 0;
    __syncthreads();
    for (int r = 0; r < rounds; r++)
        atomicAdd(&words[(unsigned)(i * spread + r) % (unsigned)reach], (unsigned)(i ^ r));
    __syncthreads();
    counts[i] = words[threadIdx.x];
}

extern "C" __global__ void chase(const int *next, int *last, int spread, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int at = i * spread;
    for (int s = 0; s < steps; s++)
        at = next[at];
    last[i] = at;
}

extern "C" __global__ void chase_shared(const int *next, int *last, int steps)
{
    __shared__ int here[1024];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int at = threadIdx.x; at < 1024; at += blockDim.x)
        here[at] = next[at];
    __syncthreads();
    int at = threadIdx.x;
    for (int s = 0; s < steps; s++)
        at = here[at];
    last[i] = at;
}

extern "C" __global__ void shuffle(int *last, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = i;
    for (int s = 0; s < steps; s++)
        sum += __shfl_xor_sync(0xffffffffu, sum, 1 << (s & 3));
    last[i] = sum;
}
