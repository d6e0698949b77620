/* Arrays in another order. */

/* Rows and columns of each matrix of a batch change places, through a padded tile. */
template <typename T, int TILE, int ROWS>
__device__ __forceinline__ void turn(const T *__restrict__ in, T *__restrict__ out, int rows, int cols)
{
    __shared__ T tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS)
        if (x < cols && y + j < rows)
            tile[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * cols + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS)
        if (x < rows && y + j < cols)
            out[(size_t)(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}

extern "C" __global__ void swap_last_axes(const double *__restrict__ in, double *__restrict__ out, int rows, int cols)
{
    const size_t matrix = (size_t)blockIdx.z * rows * cols;
    turn<double, 32, 8>(in + matrix, out + matrix, rows, cols);
}

/* Depth to space, channels last: a thread an element of the result. */
extern "C" __global__ void depth_to_space(const float *__restrict__ in, float *__restrict__ out, int block, int height, int width, int depth, long long total)
{
    const long long step = (long long)gridDim.x * blockDim.x;
    const int deep = depth * block * block;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < total; i += step) {
        const int d = (int)(i % depth);
        long long rest = i / depth;
        const int ox = (int)(rest % (width * block));
        rest /= width * block;
        const int oy = (int)(rest % (height * block)), n = (int)(rest / (height * block));
        const int from = ((oy % block) * block + ox % block) * depth + d;
        out[i] = in[(((long long)n * height + oy / block) * width + ox / block) * deep + from];
    }
}
