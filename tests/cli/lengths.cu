// Rows and lists whose lengths are loaded (lengths.py).
//   nvcc -O3 -std=c++17 -arch=sm_90 -ptx lengths.cu -o lengths.ptx

// A thread sums a row of a table with room for `width` numbers.
extern "C" __global__ void padded(const float *__restrict__ table, const int *__restrict__ lengths, float *__restrict__ sums, int width)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.f;
#pragma unroll 1
    for (int i = 0; i < lengths[row]; i++)
        sum += table[(long long)row * width + i];
    sums[row] = sum;
}

// A warp sums a row, each lane every 32nd number.
extern "C" __global__ void padded_by_warps(const float *__restrict__ table, const int *__restrict__ lengths, float *__restrict__ sums, int width)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float sum = 0.f;
#pragma unroll 1
    for (int i = lane; i < lengths[row]; i += 32)
        sum += table[(long long)row * width + i];
    sums[row * 32 + lane] = sum;
}

// Windows of neighbouring threads overlap: they leave no room for a length.
extern "C" __global__ void windows(const float *__restrict__ line, const int *__restrict__ lengths, float *__restrict__ sums)
{
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.f;
#pragma unroll 1
    for (int i = 0; i < lengths[at]; i++)
        sum += line[at + i];
    sums[at] = sum;
}

// A block goes through the list of its tile in batches of its 256 threads.
extern "C" __global__ void __launch_bounds__(256) batches(const int *__restrict__ starts, const float *__restrict__ entries, float *__restrict__ sums)
{
    __shared__ float batch[256];
    const int begin = starts[blockIdx.x], end = starts[blockIdx.x + 1];
    float sum = 0.f;
#pragma unroll 1
    for (int base = begin; base < end; base += 256) {
        __syncthreads();
        if (base + (int)threadIdx.x < end)
            batch[threadIdx.x] = entries[base + threadIdx.x];
        __syncthreads();
        const int here = min(256, end - base);
#pragma unroll 1
        for (int j = 0; j < here; j++)
            sum = sum * 0.5f + batch[j];
    }
    sums[blockIdx.x * 256 + threadIdx.x] = sum;
}

// The same until every thread has enough: the flag is kept as a number.
extern "C" __global__ void __launch_bounds__(256) until_done(const int *__restrict__ starts, const float *__restrict__ entries, float *__restrict__ sums, int width)
{
    __shared__ float batch[256];
    const int begin = starts[blockIdx.x], end = starts[blockIdx.x + 1];
    bool done = (int)threadIdx.x >= width;
    float sum = 0.f;
#pragma unroll 1
    for (int base = begin; base < end; base += 256) {
        if (__syncthreads_count(done) == 256)
            break;
        if (base + (int)threadIdx.x < end)
            batch[threadIdx.x] = entries[base + threadIdx.x];
        __syncthreads();
        const int here = min(256, end - base);
#pragma unroll 1
        for (int j = 0; !done && j < here; j++) {
            sum = sum * 0.5f + batch[j];
            if (sum > 1000.f)
                done = true;
        }
    }
    sums[blockIdx.x * 256 + threadIdx.x] = sum;
}

// Begins and ends of cells are two arrays, as particles in cells have them.
extern "C" __global__ void cells(const int *__restrict__ begins, const int *__restrict__ ends, const float *__restrict__ entries, float *__restrict__ sums)
{
    const int cell = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.f;
#pragma unroll 1
    for (int i = begins[cell]; i < ends[cell]; i++)
        sum += entries[i];
    sums[cell] = sum;
}

// A thread loads the length of its block's row for all of them.
extern "C" __global__ void told(const float *__restrict__ table, const int *__restrict__ lengths, float *__restrict__ sums, int width)
{
    __shared__ int length;
    float sum = 0.f;
    if (threadIdx.x == 0)
        length = lengths[blockIdx.x];
    __syncthreads();
#pragma unroll 1
    for (int i = threadIdx.x; i < length; i += 256)
        sum += table[(long long)blockIdx.x * width + i];
    sums[blockIdx.x * 256 + threadIdx.x] = sum;
}

// A warp reads the page that a table names: what makes the place in it a sum is `or`.
extern "C" __global__ void pages(const int *__restrict__ table, const float *__restrict__ cache, float *__restrict__ sums)
{
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const long long from = (long long)table[thread / 32] << 5;
    const int lane = threadIdx.x & 31;
    sums[thread] = cache[from | lane];
}

// Four warps take turns at the 32 pages of a sequence, and four heads (blockIdx.x) share each of eight caches.
extern "C" __global__ void shared_pages(const int *__restrict__ table, const float *__restrict__ cache, float *__restrict__ sums, int caches)
{
    float sum = 0.f;
#pragma unroll 1
    for (int i = threadIdx.x / 32; i < 32; i += 4) {
        const long long from = ((long long)table[blockIdx.y * 32 + i] * caches + blockIdx.x / (gridDim.x / caches)) * 512 + threadIdx.x % 32;
#pragma unroll 1
        for (int j = 0; j < 16; j++)
            sum += cache[from + j * 32];
    }
    sums[(blockIdx.y * gridDim.x + blockIdx.x) * 128 + threadIdx.x] = sum;
}

// The same for as many pages as the sequence has.
extern "C" __global__ void shared_lists(const int *__restrict__ table, const float *__restrict__ cache, float *__restrict__ sums, int caches, int most, const int *__restrict__ lengths)
{
    float sum = 0.f;
#pragma unroll 1
    for (int i = threadIdx.x / 32; i < lengths[blockIdx.y]; i += 4) {
        const long long from = ((long long)table[blockIdx.y * most + i] * caches + blockIdx.x / (gridDim.x / caches)) * 512 + threadIdx.x % 32;
#pragma unroll 1
        for (int j = 0; j < 16; j++)
            sum += cache[from + j * 32];
    }
    sums[(blockIdx.y * gridDim.x + blockIdx.x) * 128 + threadIdx.x] = sum;
}

// A block goes round as often as its own length says, and touches no memory meanwhile.
extern "C" __global__ void rounds(const int *__restrict__ lengths, float *__restrict__ sums, float by)
{
    float sum = by;
#pragma unroll 1
    for (int i = 0; i < lengths[blockIdx.x]; i++)
        sum = sum * sum + by;
    sums[blockIdx.x * 128 + threadIdx.x] = sum;
}
