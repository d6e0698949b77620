/*
 * Which multiprocessor each block of a launch runs on, one line of JSON a number of resident blocks.
 *
 * usage: places > places.jsonl.  nvcc -O3 -arch=sm_90 -o places places.cu
 */
#include <cstdio>

/* Which multiprocessor each block runs on. */
__global__ void place(int *out, long long cycles)
{
    long long begin = clock64();
    if (threadIdx.x == 0)
        asm volatile("mov.u32 %0, %%smid;" : "=r"(out[blockIdx.x]));
    while (clock64() - begin < cycles)
        ;
}

int main()
{
    enum { BLOCKS = 132 * 24 };
    int *at, host[BLOCKS];
    if (cudaMalloc(&at, sizeof(host)))
        return 1;
    cudaFuncSetAttribute((const void *)place, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024);
    for (int resident = 1; resident <= 8; resident *= 2) {
        for (int w = 0; w < 2; w++)
            place<<<BLOCKS, 256, resident < 8 ? 200 * 1024 / resident : 0>>>(at, 20000);
        cudaMemcpy(host, at, sizeof(host), cudaMemcpyDeviceToHost);
        printf("{\"resident\": %d, \"multiprocessors\": [", resident);
        for (int b = 0; b < BLOCKS; b++)
            printf("%s%d", b ? ", " : "", host[b]);
        printf("]}\n");
    }
}
