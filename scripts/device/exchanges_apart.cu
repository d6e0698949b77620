// What single atomic additions of numbers in floating point cost in shared memory: 16 of them one behind the other, not
// in a loop, which ptxas would make one with its own (exchanges.cu).
//
// usage: exchanges_apart [once]
// Prints a line of JSON for each configuration: cycles of a block for one addition of each of its threads (median of 7
// launches).  A lane adds to word `lane % words * stride`, of each warp (`apart`) or of the block; `stride` 32 puts all words
// into one bank.  once: one launch of each, for a profiler.
#include "check.cuh"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

template <typename number> __device__ void add(number *own, long long *cycles, int words, int stride, int apart)
{
    const int lane = threadIdx.x % 32;
    number *word = own + lane % words * stride + threadIdx.x / 32 * apart;
    for (int i = threadIdx.x; i < 2048; i += blockDim.x)
        own[i] = 0;
    __syncthreads();
    long long begin = clock64();
#pragma unroll
    for (int r = 0; r < 16; r++)
        atomicAdd(word, (number)(r + 1));
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        cycles[0] = clock64() - begin, cycles[1] = (long long)*word;
}

extern "C" __global__ void apart_f32(long long *cycles, int words, int stride, int apart)
{
    __shared__ float own[2048];
    add(own, cycles, words, stride, apart);
}

extern "C" __global__ void apart_f64(long long *cycles, int words, int stride, int apart)
{
    __shared__ double own[2048];
    add(own, cycles, words, stride, apart);
}

int main(int count, char **argument)
{
    const bool once = count > 1 && strcmp(argument[1], "once") == 0;
    long long *cycles;
    CHECK(cudaMalloc(&cycles, 16));
    for (int wide = 0; wide < 2; wide++)
        for (int warps : {1, 2, 4, 8, 16, 32})
            for (int words : {1, 2, 4, 8, 16, 32})
                for (int way = 0; way < 3; way++) { // words of the block, of each warp, in one bank
                    const int apart = way == 1 ? 32 : 0, stride = way == 2 ? (wide ? 16 : 32) : 1;
                    if ((way == 1 && warps == 1) || (way == 2 && words == 1))
                        continue;
                    std::vector<long long> of;
                    long long sum = 0, all = 136LL * (32 / words) * (apart ? 1 : warps);
                    for (int t = 0; t < (once ? 1 : 7); t++) {
                        long long c;
                        if (wide)
                            apart_f64<<<132, 32 * warps>>>(cycles, words, stride, apart);
                        else
                            apart_f32<<<132, 32 * warps>>>(cycles, words, stride, apart);
                        CHECK(cudaDeviceSynchronize());
                        CHECK(cudaMemcpy(&c, cycles, sizeof c, cudaMemcpyDeviceToHost));
                        CHECK(cudaMemcpy(&sum, cycles + 1, sizeof sum, cudaMemcpyDeviceToHost));
                        of.push_back(c);
                    }
                    if (sum != all)
                        fprintf(stderr, "exchanges_apart: a word has %lld instead of %lld\n", sum, all), exit(1);
                    std::sort(of.begin(), of.end());
                    printf("{\"type\": \"%s\", \"warps\": %d, \"words\": %d, \"stride\": %d, \"apart\": %d, \"cycles\": %.2f}\n", wide ? "f64" : "f32",
                           warps, words, stride, apart, (double)of[of.size() / 2] / 16);
                }
    return 0;
}
