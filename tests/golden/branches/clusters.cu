/* Blocks of a cluster of two by two by one: each has trips by its rank, a store by its cluster's place among those of the
 * grid, and one by its place in the cluster. */
__device__ static inline unsigned special(const int which)
{
    unsigned value;
    switch (which) {
    case 0: asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(value)); break;
    case 1: asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(value)); break;
    case 2: asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(value)); break;
    case 3: asm volatile("mov.u32 %0, %%nclusterid.x;" : "=r"(value)); break;
    case 4: asm volatile("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(value)); break;
    default: asm volatile("mov.u32 %0, %%cluster_nctaid.y;" : "=r"(value)); break;
    }
    return value;
}

extern "C" __global__ void __cluster_dims__(2, 2) ranks(float *out, int n)
{
    unsigned rank = special(0), thread = threadIdx.x;
    float sum = 0;
#pragma unroll 1
    for (unsigned i = 0; i < (rank + 1) * 3; i++)
        sum += sqrtf(i + thread);
    if (special(2) + 1 < special(3))
        out[rank * n + thread] = sum;
    if (special(4) + 1 == special(5) && thread < special(1) * 8)
        out[4 * n + special(2) * n + thread] = sum;
}
