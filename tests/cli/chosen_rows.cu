// Sums of rows that an index array chooses, in a loop that stays and in one that is unrolled.
template <int COPIES> __device__ void sum_rows(const uint4 *table, const int *index, uint4 *sums, int bags, int rows)
{
    const int bag = blockIdx.x * blockDim.y + threadIdx.y;
    if (bag >= bags)
        return;
    uint4 sum = {};
#pragma unroll COPIES
    for (int k = 0; k < rows; k++) {
        const uint4 row = table[(size_t)index[bag * rows + k] * 16 + threadIdx.x];
        sum.x += row.x, sum.y += row.y, sum.z += row.z, sum.w += row.w;
    }
    sums[bag * 16 + threadIdx.x] = sum;
}

extern "C" __global__ void one_by_one(const uint4 *table, const int *index, uint4 *sums, int bags, int rows)
{
    sum_rows<1>(table, index, sums, bags, rows);
}

extern "C" __global__ void four_at_once(const uint4 *table, const int *index, uint4 *sums, int bags, int rows)
{
    sum_rows<4>(table, index, sums, bags, rows);
}

// Products with matrices that labels of rows of tiles choose, eight of which go side by side.
extern "C" __global__ void one_matrix_a_label(const float4 *matrices, const int *labels, float4 *sums, int columns, int rows)
{
    const int across = columns / 128, group = blockIdx.x / (8 * across), in = blockIdx.x % (8 * across);
    const int tile = group * 8 + in % 8, column = in / 8 * 128 + threadIdx.x;
    const float4 *matrix = matrices + (size_t)labels[tile] * columns * rows;
    float4 sum = {};
    for (int r = 0; r < rows; r++) {
        const float4 row = matrix[(size_t)r * columns + column];
        sum.x += row.x, sum.y += row.y, sum.z += row.z, sum.w += row.w;
    }
    sums[(size_t)tile * columns + column] = sum;
}

// Rows of arrays whose begins a table has, of which blocks go through the tiles one array after the other.
extern "C" __global__ void by_pointers(const uint4 *const *arrays, const int *tiles, const int *across, const int *strides, uint4 *sums, int problems)
{
    int tile = blockIdx.x, end = 0;
    uint4 sum = {};
    for (int p = 0; p < problems; p++) {
        while (tile >= end && tile < end + tiles[p]) {
            const int row = (tile - end) / across[p] * 16 + threadIdx.x / 8;
            const uint4 more = (arrays[p] + row * strides[p])[threadIdx.x % 8];
            sum.x += more.x, sum.y += more.y, sum.z += more.z, sum.w += more.w;
            tile += gridDim.x;
        }
        end += tiles[p];
    }
    sums[blockIdx.x * 128 + threadIdx.x] = sum;
}
