/* Stands in for the CUDA toolkit's header of this name: reductions of a tile, by shuffles, or by redux
 * for integers of a whole warp (compute capability 8.0 and later). */
#ifndef FOREWARP_COOPERATIVE_GROUPS_REDUCE_H
#define FOREWARP_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups
{
#define __FW_OPERATION(name, result)                                                               \
    template <class T = void> struct name {                                                        \
        __device__ __forceinline__ T operator()(T a, T b) const { return result; }                 \
    }
__FW_OPERATION(plus, a + b);
__FW_OPERATION(less, a < b ? a : b);
__FW_OPERATION(greater, a > b ? a : b);
__FW_OPERATION(bit_and, a & b);
__FW_OPERATION(bit_or, a | b);
__FW_OPERATION(bit_xor, a ^ b);

template <unsigned Size, class Parent, class T, class Operation>
__device__ __forceinline__ T reduce(const thread_block_tile<Size, Parent> &group, T v,
                                    Operation operation)
{
#pragma unroll
    for (unsigned by = Size / 2; by > 0; by /= 2)
        v = operation(v, group.shfl_xor(v, by));
    return v;
}

#define __FW_WHOLE_WARP(type, operation, intrinsic)                                                \
    template <class Parent>                                                                        \
    __device__ __forceinline__ type reduce(const thread_block_tile<32, Parent> &, type v,          \
                                           operation<type>)                                        \
    {                                                                                              \
        return intrinsic(0xffffffffu, v);                                                          \
    }
__FW_WHOLE_WARP(int, plus, __reduce_add_sync)
__FW_WHOLE_WARP(int, less, __reduce_min_sync)
__FW_WHOLE_WARP(int, greater, __reduce_max_sync)
__FW_WHOLE_WARP(unsigned, plus, __reduce_add_sync)
__FW_WHOLE_WARP(unsigned, less, __reduce_min_sync)
__FW_WHOLE_WARP(unsigned, greater, __reduce_max_sync)
__FW_WHOLE_WARP(unsigned, bit_and, __reduce_and_sync)
__FW_WHOLE_WARP(unsigned, bit_or, __reduce_or_sync)
__FW_WHOLE_WARP(unsigned, bit_xor, __reduce_xor_sync)
} // namespace cooperative_groups

#endif
