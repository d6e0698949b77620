/* Cycles of a multiprocessor for a load from constant memory whose lanes differ, by what they ask for. */
#include <cstdio>
#include <cuda_runtime.h>
__constant__ unsigned char bytes[1024];
__constant__ float words[1024];
__constant__ double doubles[512];

template <int KIND> __global__ void walk(const int *place, int *out, int zero, int trips)
{
    int at = place[threadIdx.x % 32], sum = 0;
#pragma unroll 1
    for (int t = 0; t < trips; t++) {
#pragma unroll
        for (int u = 0; u < 8; u++) {
            int v = KIND == 0 ? bytes[at] : KIND == 1 ? __float_as_int(words[at]) : __double2loint(doubles[at]);
            at += v & zero;
            sum += v;
        }
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum + at;
}

template <int KIND> void measure(const char *name, const int *host, int *place, int *out)
{
    cudaMemcpy(place, host, 128, cudaMemcpyHostToDevice);
    for (int threads : {32, 512}) {
        cudaEvent_t a, b;
        cudaEventCreate(&a), cudaEventCreate(&b);
        float best = 1e9;
        for (int r = 0; r < 3; r++) {
            cudaEventRecord(a);
            walk<KIND><<<132, threads>>>(place, out, 0, 500);
            cudaEventRecord(b);
            cudaEventSynchronize(b);
            float ms;
            cudaEventElapsedTime(&ms, a, b);
            best = ms < best ? ms : best;
        }
        printf("{\"kind\": \"%s\", \"pattern\": \"%s\", \"warps\": %d, \"cycles\": %.2f}\n", KIND == 0 ? "u8" : KIND == 1 ? "f32" : "f64", name, threads / 32,
            (best * 1e-3 - 3e-6) * 1.98e9 / (500 * 8 * threads / 32));
    }
}

int main()
{
    int *place, *out, host[32];
    cudaMalloc(&place, 128);
    cudaMalloc(&out, 132 * 512 * 4);
    char name[64];
    for (int n : {1, 2, 4, 8, 16, 32}) {
        for (int l = 0; l < 32; l++) host[l] = l % n;
        snprintf(name, 64, "%d adjoining", n);
        measure<0>(name, host, place, out), measure<1>(name, host, place, out), measure<2>(name, host, place, out);
    }
    for (int n : {8, 16, 32}) {
        for (int l = 0; l < 32; l++) host[l] = l % n * 4;
        snprintf(name, 64, "%d four apart", n);
        measure<0>(name, host, place, out), measure<1>(name, host, place, out), measure<2>(name, host, place, out);
    }
    for (int l = 0; l < 32; l++) host[l] = l * 16;
    measure<0>("32 sixteen apart", host, place, out), measure<1>("32 sixteen apart", host, place, out);
    for (int l = 0; l < 32; l++) host[l] = l * 13 % 32;
    measure<0>("32 mixed", host, place, out), measure<1>("32 mixed", host, place, out);
    for (int l = 0; l < 32; l++) host[l] = l * 13 % 64;
    measure<0>("32 of 64 mixed", host, place, out), measure<1>("32 of 64 mixed", host, place, out);
    return 0;
}
