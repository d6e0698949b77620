// Energy counter, power and temperature over time of loads that start after idling, and after each
// other.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <unistd.h>
#include <cuda_runtime.h>
__global__ void fma_loop(float *out, int n)
{
    float x[8];
    for (int j = 0; j < 8; j++)
        x[j] = threadIdx.x + j * 0.37f + blockIdx.x * 0.01f;
    float a = -1.0f + 1e-7f * (threadIdx.x & 1), b = threadIdx.x * 0.013f + 1.5f;
    for (int r = 0; r < n; r++) {
#pragma unroll
        for (int j = 0; j < 8; j++)
            x[j] = fmaf(x[j], a, b);
    }
    float s = 0;
    for (int j = 0; j < 8; j++)
        s += x[j];
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void read_loop(float4 *of, float *out, int n, int mask)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = gridDim.x * blockDim.x;
    float s = 0;
    for (int r = 0; r < n; r++) {
        float4 v = __ldcg(&of[(i + r * t) & mask]);
        s += v.x + v.y + v.z + v.w;
    }
    out[i] = s;
}
__global__ void fill(unsigned *p, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned x = i * 2654435761u;
        x ^= x >> 15;
        x *= 0x2c1b3c6d;
        x ^= x >> 12;
        p[i] = (x & 0x3fffffff);
    }
}
static double now()
{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}
int main()
{
    void *l = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (!l) {
        puts("no nvml");
        return 1;
    }
    auto init = (int (*)())dlsym(l, "nvmlInit_v2");
    auto get = (int (*)(unsigned, void **))dlsym(l, "nvmlDeviceGetHandleByIndex_v2");
    auto en =
        (int (*)(void *, unsigned long long *))dlsym(l, "nvmlDeviceGetTotalEnergyConsumption");
    auto pw = (int (*)(void *, unsigned *))dlsym(l, "nvmlDeviceGetPowerUsage");
    auto tp = (int (*)(void *, int, unsigned *))dlsym(l, "nvmlDeviceGetTemperature");
    auto ck = (int (*)(void *, int, unsigned *))dlsym(l, "nvmlDeviceGetClockInfo");
    init();
    void *d;
    get(0, &d);
    float4 *of;
    float *out;
    cudaMalloc(&of, 1ull << 29);
    cudaMalloc(&out, 1 << 24);
    fill<<<(1 << 27) / 256, 256>>>((unsigned *)of, 1 << 27);
    cudaDeviceSynchronize();
    // load, seconds idle before, seconds
    struct {
        int load;
        double idle, run;
    } steps[] = {{0, 2, 5},   {1, 2, 5},   {2, 2, 5},     {0, 0, 1.5},
                 {3, 0, 1.5}, {1, 0, 1.5}, {0, 0.3, 1.5}, {1, 2, 1.5}};
    double start = now();
    for (auto s : steps) {
        usleep(s.idle * 1e6);
        double b = now();
        while (now() - b < s.run) {
            for (int k = 0; k < 10; k++) {
                if (s.load == 0)
                    fma_loop<<<132 * 8, 256>>>(out, 16000);
                else if (s.load == 1)
                    read_loop<<<132 * 8, 256>>>(of, out, 130, (1 << 25) - 1);
                else if (s.load == 2)
                    read_loop<<<132 * 8, 256>>>(of, out, 130, (1 << 20) - 1);
                else
                    fma_loop<<<1, 32>>>(out, 8000);
            }
            cudaDeviceSynchronize();
            unsigned long long e = 0;
            unsigned p = 0, t = 0, c = 0;
            en(d, &e);
            pw(d, &p);
            tp(d, 0, &t);
            ck(d, 1, &c);
            printf("%d %.2f %.4f %.4f %llu %u %u %u\n", s.load, s.idle, now() - start, now() - b, e,
                   p, t, c);
        }
    }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
