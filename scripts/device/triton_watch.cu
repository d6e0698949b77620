// The kernels of clock_watch.cuh and the watch of power_watch.cuh as a library, which record_triton_further.py calls.
#include "clock_watch.cuh"
#include "power_watch.cuh"
#include <cstdio>
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
extern "C" void *power_start(double warm, double least) { return new power_watch(warm, least); }
extern "C" int power_is_over(void *of) { return ((power_watch *)of)->is_over(); }
extern "C" void power_count(void *of, double launches) { ((power_watch *)of)->count(launches); }
// Into eight numbers, as power_figures has them; 0: there was no window.
extern "C" int power_end(void *of, double *to)
{
    power_figures figures = {};
    bool given = ((power_watch *)of)->give(&figures);
    delete (power_watch *)of;
    *(power_figures *)to = figures;
    return given;
}
