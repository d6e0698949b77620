// Branches that numbers beyond all before decide, and others that only look alike (beyond.py).
//   nvcc -O3 -std=c++17 -arch=sm_90 -ptx beyond.cu -o beyond.ptx

// The greatest number of a column, of whose records a log is kept.
extern "C" __global__ void greatest(const float *__restrict__ columns, float *__restrict__ best, int *log, int rows, int width)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float most = -INFINITY;
    int written = 0;
#pragma unroll 1
    for (int r = 0; r < rows; r++) {
        const float x = columns[(size_t)r * width + i];
        if (x > most) {
            most = x;
            log[(size_t)written * width + i] = r;
            written++;
        }
    }
    best[i] = most;
}

// The three least distances to points that all threads go through, tile by tile.
extern "C" __global__ void least_three(const float *__restrict__ from, const float *__restrict__ points, float *__restrict__ least, int tiles, int each)
{
    __shared__ float tile[128];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float x = from[i];
    float a = INFINITY, b = INFINITY, c = INFINITY;
    for (int t = 0; t < tiles; t++) {
        tile[threadIdx.x] = points[t * each + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < each; k++) {
            const float d = fabsf(tile[k] - x);
            if (d < c) {
                c = d;
                if (c < b) {
                    const float other = b;
                    b = c, c = other;
                    if (b < a)
                        b = a, a = d;
                }
                least[(size_t)(t & 7) * gridDim.x * 128 + i] = c; // so that it stays a branch
            }
        }
        __syncthreads();
    }
    least[i] = a + b + c;
}

// A warp keeps the 32 greatest of a row, one a lane, and looks at its list where any of 32 more may belong to it.
extern "C" __global__ void warp_keeps(const float *__restrict__ rows, float *__restrict__ kept, int columns)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    float mine = -INFINITY, least = -INFINITY;
    for (int at = lane; at < columns; at += 32) {
        const float x = rows[(size_t)row * columns + at];
        if (__any_sync(0xffffffff, x > least)) {
            for (int other = 0; other < 32; other++) {
                const float y = __shfl_sync(0xffffffff, x, other);
                const unsigned below = __ballot_sync(0xffffffff, mine < y);
                const float before = __shfl_up_sync(0xffffffff, mine, 1);
                if (below >> lane & 1)
                    mine = (lane == 0 || !(below >> (lane - 1) & 1)) ? y : before;
            }
            least = __shfl_sync(0xffffffff, mine, 31);
        }
    }
    kept[row * 32 + lane] = mine;
}

// No record: what is compared is made of what is carried.
extern "C" __global__ void overflows(const float *__restrict__ columns, float *__restrict__ sums, float cap, int rows, int width)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    int piece = 0;
#pragma unroll 1
    for (int r = 0; r < rows; r++) {
        const float x = columns[(size_t)r * width + i] + sum;
        if (x > cap - sum) {
            sums[(size_t)piece * width + i] = sum;
            sum = x - cap;
            piece++;
        }
    }
    sums[i] = sum;
}
