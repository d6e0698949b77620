// Kernels around bursts of other kernels: one that bursts wait behind, marks of the time, and the clock of one
// multiprocessor meanwhile.
#pragma once
__device__ static inline unsigned long long timer()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
    return t;
}
__global__ void wait_kernel(long long nanoseconds)
{
    unsigned long long until = timer() + nanoseconds;
    while (timer() < until)
        ;
}
__global__ void mark_kernel(unsigned long long *to) { *to = timer(); }
__global__ void watch_kernel(unsigned long long *to, int samples, long long nanoseconds)
{
    unsigned long long begin = timer(), next = begin;
    int i = 0;
    for (; i < samples && next < begin + nanoseconds; i++) {
        while (timer() < next)
            __nanosleep(200);
        to[2 + 2 * i] = timer();
        to[3 + 2 * i] = clock64();
        next += 2000;
    }
    to[0] = i;
}
