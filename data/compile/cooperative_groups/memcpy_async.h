/* Stands in for the CUDA toolkit's header of this name: a group copies from global to shared memory, 16
 * or 4 bytes a thread at a time as the addresses allow; waiting is for all copies. */
#ifndef FOREWARP_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define FOREWARP_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

namespace cooperative_groups
{
template <class Group, class T>
__device__ __forceinline__ void memcpy_async(const Group &group, T *to, const T *from, size_t bytes)
{
    char *target = (char *)to;
    const char *source = (const char *)from;
    size_t wide = (((size_t)target | (size_t)source) & 15) == 0 ? bytes / 16 * 16 : 0;
    size_t whole = (((size_t)target | (size_t)source) & 3) == 0 ? bytes / 4 * 4 : 0;
    for (size_t i = 16 * (size_t)group.thread_rank(); i < wide; i += 16 * (size_t)group.size())
        __pipeline_memcpy_async(target + i, source + i, 16);
    for (size_t i = wide + 4 * (size_t)group.thread_rank(); i < whole; i += 4 * (size_t)group.size())
        __pipeline_memcpy_async(target + i, source + i, 4);
    for (size_t i = (wide > whole ? wide : whole) + group.thread_rank(); i < bytes; i += group.size())
        target[i] = source[i];
    __pipeline_commit();
}
template <class Group> __device__ __forceinline__ void wait(const Group &group)
{
    __pipeline_wait_prior(0);
    group.sync();
}
template <unsigned Stages, class Group>
__device__ __forceinline__ void wait_prior(const Group &group)
{
    __pipeline_wait_prior(Stages);
    group.sync();
}
} // namespace cooperative_groups

#endif
