// Indexed loads from constant memory: an index that all lanes share goes through the uniform datapath (ULDC), one that
// lanes compute through the load path (LDC).
//
// usage: constants
// Prints a line of JSON for each configuration: the median of 5 times of a launch in seconds, of 132 x BLOCKS blocks.
// `uniform`: the index is the loop's; else lanes compute it (from an argument that is 0).  `apart`: each block starts at
// another place of the table.  A thread loads `loads` words one after the other, which its arithmetic joins.
#include "check.cuh"
#include <algorithm>
#include <cstdio>
#include <cstdlib>

__constant__ int table[16384];

template <bool uniform> __global__ void walk(int *out, int loads, int mask, int apart, int zero)
{
    int x = threadIdx.x, first = blockIdx.x * apart;
    for (int r = 0; r < loads; r++)
        x = (x << 1) ^ table[(first + r + (uniform ? 0 : (int)threadIdx.x * zero)) & mask];
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

template <bool uniform> static void time_one(int *out, int blocks, int threads, int bytes, int apart)
{
    const int loads = 20000;
    cudaEvent_t begin, end;
    float times[5];
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    for (int t = -1; t < 5; t++) {
        CHECK(cudaEventRecord(begin));
        walk<uniform><<<132 * blocks, threads>>>(out, loads, bytes / 4 - 1, apart, 0);
        CHECK(cudaEventRecord(end));
        CHECK(cudaEventSynchronize(end));
        CHECK(cudaEventElapsedTime(&times[t < 0 ? 0 : t], begin, end));
    }
    std::sort(times, times + 5);
    printf("{\"uniform\": %d, \"blocks\": %d, \"threads\": %d, \"bytes\": %d, \"apart\": %d, \"loads\": %d, "
           "\"seconds\": %.6g}\n",
           uniform, blocks, threads, bytes, apart, loads, times[2] * 1e-3);
}

int main()
{
    int *out;
    CHECK(cudaMalloc(&out, 132 * 32 * 1024 * 4));
    const int shapes[][2] = {{1, 32}, {1, 64}, {1, 128}, {1, 256}, {1, 512}, {1, 1024}, {2, 1024}, {4, 32}, {8, 64},
                             {16, 64}, {28, 64}, {32, 64}, {8, 128}};
    for (int bytes : {256, 1024, 2048, 4096, 8192, 65536})
        for (int apart : {0, 37})
            for (auto &shape : shapes) {
                time_one<true>(out, shape[0], shape[1], bytes, apart);
                time_one<false>(out, shape[0], shape[1], bytes, apart);
            }
    CHECK(cudaDeviceSynchronize());
}
