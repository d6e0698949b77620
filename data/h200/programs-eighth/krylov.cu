/* What an iteration of conjugate gradients does. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

/* x += alpha p, r -= alpha q, and the new square of r, two at a time. */
extern "C" __global__ void cg_fused_update(double2 *__restrict__ x, double2 *__restrict__ r, const double2 *__restrict__ p, const double2 *__restrict__ q, const double *rs, const double *pq, double *rs_new,
                                           int pairs)
{
    __shared__ double sums[32];
    const double alpha = *rs / *pq;
    double mine = 0.0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += gridDim.x * blockDim.x) {
        double2 xi = x[i], ri = r[i];
        const double2 pi = p[i], qi = q[i];
        xi.x += alpha * pi.x;
        xi.y += alpha * pi.y;
        ri.x -= alpha * qi.x;
        ri.y -= alpha * qi.y;
        mine += ri.x * ri.x + ri.y * ri.y;
        x[i] = xi;
        r[i] = ri;
    }
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    mine = cg::reduce(warp, mine, cg::plus<double>());
    if (warp.thread_rank() == 0)
        sums[warp.meta_group_rank()] = mine;
    block.sync();
    if (warp.meta_group_rank() == 0) {
        mine = warp.thread_rank() < warp.meta_group_size() ? sums[warp.thread_rank()] : 0.0;
        mine = cg::reduce(warp, mine, cg::plus<double>());
        if (warp.thread_rank() == 0)
            atomicAdd(rs_new, mine);
    }
}

/* A sparse matrix in slices of 32 rows, each as wide as its longest row. */
template <typename IndexType, typename ValueType>
__device__ __forceinline__ ValueType slice_row(const IndexType *slices, const IndexType *columns, const ValueType *values, const ValueType *b, int slice, int lane)
{
    ValueType sum = 0;
    const IndexType begin = slices[slice], end = slices[slice + 1];
    for (IndexType i = begin; i < end; i++) {
        const size_t at = (size_t)i * 32 + lane;
        const IndexType col = columns[at];
        if (col != IndexType(-1))
            sum += values[at] * b[col];
    }
    return sum;
}

extern "C" __global__ void __launch_bounds__(256) sell_product(int rows, const int *__restrict__ slices, const int *__restrict__ columns, const double *__restrict__ values, const double *__restrict__ b,
                                                               double *__restrict__ c)
{
    const int row = blockIdx.x * 256 + threadIdx.x;
    if (row < rows)
        c[row] = slice_row(slices, columns, values, b, row / 32, row % 32);
}
