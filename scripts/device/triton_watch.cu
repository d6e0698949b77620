// The kernels of clock_watch.cuh as a library, which record_triton_further.py calls.
#include "clock_watch.cuh"
#include <cuda_runtime.h>
extern "C" int wait_for(long long nanoseconds, void *stream)
{
    wait_kernel<<<1, 1, 0, (cudaStream_t)stream>>>(nanoseconds);
    return cudaGetLastError();
}
extern "C" int mark(void *to, void *stream)
{
    mark_kernel<<<1, 1, 0, (cudaStream_t)stream>>>((unsigned long long *)to);
    return cudaGetLastError();
}
extern "C" int watch(void *to, int samples, long long nanoseconds, void *stream)
{
    watch_kernel<<<1, 1, 0, (cudaStream_t)stream>>>((unsigned long long *)to, samples, nanoseconds);
    return cudaGetLastError();
}
