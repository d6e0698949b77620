/* Sparse matrices and a vector: padded rows by columns, compressed rows by eight lanes. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

extern "C" __global__ void ell_product(int rows, int width, int pitch, const int *__restrict__ columns, const double *__restrict__ values, const double *__restrict__ x,
    double *__restrict__ y)
{
    const int row = blockDim.x * blockIdx.x + threadIdx.x;
    if (row < rows) {
        double sum = 0;
        for (int k = 0; k < width; k++) {
            const int column = columns[(size_t)k * pitch + row];
            if (column >= 0)
                sum += values[(size_t)k * pitch + row] * x[column];
        }
        y[row] = sum;
    }
}

template <typename Index, typename Value, int LANES>
static __device__ void csr_rows(Index rows, const Index *offsets, const int *columns, const Value *values, const Value *x, Value *y, Value alpha, Value beta)
{
    auto tile = cg::tiled_partition<LANES>(cg::this_thread_block());
    const Index row = ((Index)blockIdx.x * blockDim.x + threadIdx.x) / LANES;
    if (row >= rows)
        return;
    Value sum = 0;
    for (Index i = offsets[row] + tile.thread_rank(); i < offsets[row + 1]; i += LANES)
        sum += values[i] * x[columns[i]];
    sum = cg::reduce(tile, sum, cg::plus<Value>());
    if (tile.thread_rank() == 0)
        y[row] = alpha * sum + (beta == Value(0) ? Value(0) : beta * y[row]);
}

extern "C" __global__ void csr_tile_product(long long rows, const long long *__restrict__ offsets, const int *__restrict__ columns, const float *__restrict__ values,
    const float *__restrict__ x, float *__restrict__ y, float alpha, float beta)
{
    csr_rows<long long, float, 8>(rows, offsets, columns, values, x, y, alpha, beta);
}
