// What atomic additions of numbers in floating point cost in shared memory, where the machine has none and ptxas writes
// a loop that exchanges a word if nobody has changed it.
//
// usage: exchanges [once]
// Prints a line of JSON for each configuration: cycles of a block for one addition of each of its threads (median of 7
// launches), with `words` words that the lanes of a warp share out in turn, of each warp (`apart`) or of the block.
// once: one launch of each, for a profiler.
#include "check.cuh"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

template <typename number> __device__ void add(number *own, long long *cycles, int words, int apart, int rounds)
{
    number *word = own + threadIdx.x % 32 % words + threadIdx.x / 32 * apart;
    *word = 0;
    __syncthreads();
    long long begin = clock64();
    // Counted by the thread: ptxas 13.0 lets a warp count for all of its lanes, which then leave early.
#pragma unroll 1
    for (int r = threadIdx.x >> 10; r < rounds; r++)
        atomicAdd(word, (number)1);
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        cycles[0] = clock64() - begin, cycles[1] = (long long)*word;
}

extern "C" __global__ void add_f32(long long *cycles, int words, int apart, int rounds)
{
    __shared__ float own[1024];
    add(own, cycles, words, apart, rounds);
}

extern "C" __global__ void add_f64(long long *cycles, int words, int apart, int rounds)
{
    __shared__ double own[1024];
    add(own, cycles, words, apart, rounds);
}

int main(int count, char **argument)
{
    const bool once = count > 1 && strcmp(argument[1], "once") == 0;
    const int rounds = 64;
    long long *cycles;
    CHECK(cudaMalloc(&cycles, 16));
    for (int wide = 0; wide < 2; wide++)
        for (int warps : {1, 2, 4, 8, 16, 32})
            for (int words : {1, 2, 4, 8, 16, 32})
                for (int apart : {0, 32}) {
                    std::vector<long long> of;
                    long long sum = 0, all = (long long)rounds * ((31 + words) / words) * (apart ? 1 : warps);
                    if (apart && warps == 1)
                        continue;
                    for (int t = 0; t < (once ? 1 : 7); t++) {
                        long long c;
                        if (wide)
                            add_f64<<<132, 32 * warps>>>(cycles, words, apart, rounds);
                        else
                            add_f32<<<132, 32 * warps>>>(cycles, words, apart, rounds);
                        CHECK(cudaDeviceSynchronize());
                        CHECK(cudaMemcpy(&c, cycles, sizeof c, cudaMemcpyDeviceToHost));
                        CHECK(cudaMemcpy(&sum, cycles + 1, sizeof sum, cudaMemcpyDeviceToHost));
                        of.push_back(c);
                    }
                    if (sum != all)
                        fprintf(stderr, "exchanges: a word has %lld instead of %lld\n", sum, all), exit(1);
                    std::sort(of.begin(), of.end());
                    printf("{\"type\": \"%s\", \"warps\": %d, \"words\": %d, \"apart\": %d, \"cycles\": %.2f}\n", wide ? "f64" : "f32", warps,
                           words, apart, (double)of[of.size() / 2] / rounds);
                }
    return 0;
}
