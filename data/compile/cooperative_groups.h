/* Stands in for the CUDA toolkit's header of this name: thread blocks, tiles of a warp and the threads
 * that came along (coalesced_threads).  A grid's sync() is not there: it takes a cooperative launch and
 * the toolkit's device runtime. */
#ifndef FOREWARP_COOPERATIVE_GROUPS_H
#define FOREWARP_COOPERATIVE_GROUPS_H

#include "forewarp_cuda.h"

namespace cooperative_groups
{
class thread_block
{
public:
    static __device__ __forceinline__ void sync() { __syncthreads(); }
    static __device__ __forceinline__ dim3 group_index() { return blockIdx; }
    static __device__ __forceinline__ dim3 thread_index() { return threadIdx; }
    static __device__ __forceinline__ dim3 group_dim() { return blockDim; }
    static __device__ __forceinline__ dim3 dim_threads() { return blockDim; }
    static __device__ __forceinline__ unsigned thread_rank()
    {
        return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    }
    static __device__ __forceinline__ unsigned size()
    {
        return blockDim.x * blockDim.y * blockDim.z;
    }
    static __device__ __forceinline__ unsigned num_threads() { return size(); }
};

class grid_group
{
public:
    static __device__ __forceinline__ dim3 group_dim() { return gridDim; }
    static __device__ __forceinline__ dim3 dim_blocks() { return gridDim; }
    static __device__ __forceinline__ unsigned long long block_rank()
    {
        return (blockIdx.z * gridDim.y + blockIdx.y) * (unsigned long long)gridDim.x + blockIdx.x;
    }
    static __device__ __forceinline__ unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static __device__ __forceinline__ unsigned long long size()
    {
        return num_blocks() * thread_block::size();
    }
    static __device__ __forceinline__ unsigned long long num_threads() { return size(); }
    static __device__ __forceinline__ unsigned long long thread_rank()
    {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    __device__ void sync() const
        __attribute__((unavailable("synchronizing a grid takes nvcc and a cooperative launch")));
};

/* Threads of one warp that a mask names: what tiles and coalesced groups share. */
#define __FW_GROUP_VOTES                                                                           \
    __device__ __forceinline__ void sync() const { __syncwarp(mask()); }                           \
    __device__ __forceinline__ int any(int p) const { return __any_sync(mask(), p); }              \
    __device__ __forceinline__ int all(int p) const { return __all_sync(mask(), p); }              \
    __device__ __forceinline__ unsigned num_threads() const { return size(); }

template <unsigned Size, class Parent = void> class thread_block_tile
{
    __device__ __forceinline__ unsigned mask() const
    {
        return Size == 32 ? 0xffffffffu : ((1u << (Size & 31)) - 1) << (__laneid() & ~(Size - 1));
    }

public:
    __FW_GROUP_VOTES
    thread_block_tile() = default;
    template <class Other>
    __device__ __forceinline__ thread_block_tile(const thread_block_tile<Size, Other> &)
    {
    }
    static __device__ __forceinline__ constexpr unsigned size() { return Size; }
    __device__ __forceinline__ unsigned thread_rank() const
    {
        return thread_block::thread_rank() & (Size - 1);
    }
    __device__ __forceinline__ unsigned meta_group_rank() const
    {
        return thread_block::thread_rank() / Size;
    }
    __device__ __forceinline__ unsigned meta_group_size() const
    {
        return (thread_block::size() + Size - 1) / Size;
    }
    __device__ __forceinline__ unsigned ballot(int p) const
    {
        unsigned all = __ballot_sync(mask(), p);
        return Size == 32 ? all : all >> (__laneid() & ~(Size - 1)) & ((1u << (Size & 31)) - 1);
    }
    template <class T> __device__ __forceinline__ T shfl(T v, int from) const
    {
        return __shfl_sync(mask(), v, from, (int)Size);
    }
    template <class T> __device__ __forceinline__ T shfl_up(T v, unsigned by) const
    {
        return __shfl_up_sync(mask(), v, by, (int)Size);
    }
    template <class T> __device__ __forceinline__ T shfl_down(T v, unsigned by) const
    {
        return __shfl_down_sync(mask(), v, by, (int)Size);
    }
    template <class T> __device__ __forceinline__ T shfl_xor(T v, unsigned by) const
    {
        return __shfl_xor_sync(mask(), v, (int)by, (int)Size);
    }
    template <class T> __device__ __forceinline__ unsigned match_any(T v) const
    {
        return __match_any_sync(mask(), v);
    }
};

class coalesced_group
{
    unsigned threads;
    __device__ __forceinline__ unsigned mask() const { return threads; }

public:
    __device__ __forceinline__ explicit coalesced_group(unsigned mask) : threads(mask) {}
    __FW_GROUP_VOTES
    __device__ __forceinline__ unsigned size() const { return (unsigned)__popc(threads); }
    __device__ __forceinline__ unsigned thread_rank() const
    {
        return (unsigned)__popc(threads & __lanemask_lt());
    }
    template <class T> __device__ __forceinline__ T shfl(T v, unsigned from) const
    {
        return __shfl_sync(threads, v, (int)__fns(threads, 0, (int)from + 1));
    }
};

__FW_DEVICE thread_block this_thread_block() { return thread_block(); }
__FW_DEVICE grid_group this_grid() { return grid_group(); }
__FW_DEVICE coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }
template <unsigned Size, class Parent>
__device__ __forceinline__ thread_block_tile<Size, Parent> tiled_partition(const Parent &)
{
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "tiles of 1, 2, 4, 8, 16 or 32 threads are known here");
    return thread_block_tile<Size, Parent>();
}
template <class Group> __device__ __forceinline__ void sync(const Group &group)
{
    group.sync();
}
} // namespace cooperative_groups

#endif
