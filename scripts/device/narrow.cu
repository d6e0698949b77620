/* Marches in place by elements narrower than a word: warps that store parts of a line. */
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
template <typename T> __global__ void in_place(T *x, long n)
{
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = x[i] + (T)1;
}
template <typename T> __global__ void copied(const T *x, T *y, long n)
{
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] + (T)1;
}
template <typename T> __global__ void in_place_loop(T *x, int row)
{
    T *r = x + blockIdx.x * (long)row;
    for (int i = threadIdx.x; i < row; i += blockDim.x)
        r[i] = r[i] + (T)1;
}
/* Two elements H apart in rows of 2 H. */
template <typename T> __global__ void halves(T *x, int h, int row)
{
    T *r = x + blockIdx.x * (long)row;
    for (int i = threadIdx.x; i < row / 2; i += blockDim.x) {
        int at = i / h * 2 * h + i % h;
        T a = r[at], b = r[at + h];
        r[at] = a + b;
        r[at + h] = b - a;
    }
}
template <typename F> void timed(const char *name, double bytes, F launch)
{
    cudaEvent_t a, b;
    cudaEventCreate(&a), cudaEventCreate(&b);
    launch();
    float best = 1e9, ms;
    for (int r = 0; r < 5; r++) {
        cudaEventRecord(a);
        launch();
        cudaEventRecord(b);
        cudaEventSynchronize(b);
        cudaEventElapsedTime(&ms, a, b);
        best = ms < best ? ms : best;
    }
    printf("{\"kernel\": \"%s\", \"seconds\": %.4g, \"bytes_a_second\": %.4g}\n", name, best * 1e-3, bytes / (best * 1e-3));
}
template <typename T> void all(const char *type, char *x, char *y)
{
    long bytes = 400l << 20, n = bytes / sizeof(T);
    char name[64];
    snprintf(name, 64, "in_place %s", type);
    timed(name, 2. * bytes, [&] { in_place<T><<<(n + 255) / 256, 256>>>((T *)x, n); });
    snprintf(name, 64, "copied %s", type);
    timed(name, 2. * bytes, [&] { copied<T><<<(n + 255) / 256, 256>>>((T *)x, (T *)y, n); });
    int row = 8192 / sizeof(T);
    snprintf(name, 64, "in_place_loop %s", type);
    timed(name, 2. * bytes, [&] { in_place_loop<T><<<bytes / 8192, 512>>>((T *)x, row); });
    for (int h : {16, 32, 64, 128}) {
        snprintf(name, 64, "halves %d %s", h, type);
        timed(name, 2. * bytes, [&] { halves<T><<<bytes / 8192, 512>>>((T *)x, h, row); });
    }
}
int main()
{
    char *x, *y;
    cudaMalloc(&x, 400l << 20), cudaMalloc(&y, 400l << 20);
    cudaMemset(x, 0, 400l << 20);
    all<unsigned char>("u8", x, y), all<__half>("f16", x, y), all<float>("f32", x, y);
    return cudaDeviceSynchronize();
}
