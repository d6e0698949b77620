// Loops that data end before they come to the end of a row, or to a bound (searched.py).
//   nvcc -O3 -std=c++17 -arch=sm_90 -ptx searched.cu -o searched.ptx

// A thread looks in its row for an entry whose mark is set.
extern "C" __global__ void any_marked(const int *__restrict__ starts, const int *__restrict__ entries, const double *__restrict__ marks, int *__restrict__ found, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int at = -1;
    const int end = starts[i + 1];
#pragma unroll 1
    for (int e = starts[i]; e < end; e++)
        if (marks[entries[e]] > 0.5) {
            at = e;
            break;
        }
    found[i] = at;
}

// All threads of a block look in one row.
extern "C" __global__ void block_marked(const int *__restrict__ starts, const int *__restrict__ entries, const double *__restrict__ marks, int *__restrict__ found, int n)
{
    int at = -1;
    const int end = starts[blockIdx.x + 1];
#pragma unroll 1
    for (int e = starts[blockIdx.x]; e < end; e++)
        if (marks[entries[e]] > 0.5) {
            at = e;
            break;
        }
    found[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

// No search: what the row has added up to ends it.
extern "C" __global__ void until_full(const int *__restrict__ starts, const int *__restrict__ entries, const double *__restrict__ marks, int *__restrict__ found, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0;
    const int end = starts[i + 1];
    int e = starts[i];
#pragma unroll 1
    for (; e < end; e++) {
        sum += marks[entries[e]];
        if (sum > 1.0)
            break;
    }
    found[i] = e;
}

// Iterated until it escapes, 300 times at most.
extern "C" __global__ void escape(double *__restrict__ times, float cr, float ci, int most)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    float zr = x * 0.001f, zi = 0.3f;
#pragma unroll 1
    for (int k = 0; k < most && zr * zr + zi * zi < 4.0f; k++) {
        const float t = zr * zr - zi * zi + cr;
        zi = 2.0f * zr * zi + ci;
        zr = t;
        __threadfence_block();
    }
    times[x] = zr;
}

// A bound, and what is loaded may end it before: lanes wait for the one that goes on longest.
extern "C" __global__ void first_above(const double *__restrict__ values, int *__restrict__ first, int n, int rows)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = 0;
#pragma unroll 1
    for (; y < rows; y++)
        if (values[y * n + x] > 0.99)
            break;
    first[x] = y;
}

// A search by halves between ends that are loaded.
extern "C" __global__ void within_row(const int *__restrict__ starts, const double *__restrict__ sorted, int *__restrict__ found, double wanted)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int low = starts[2 * i], high = starts[2 * i + 1];
#pragma unroll 1
    while (low < high) {
        const int middle = (low + high) / 2;
        if (sorted[middle] > wanted)
            high = middle;
        else
            low = middle + 1;
    }
    found[i] = low;
}

// What other blocks store ends it, not its bound.
extern "C" __global__ void looks_back(const volatile int *flags, int *__restrict__ found)
{
    int at = blockIdx.x;
    while (at > 0) {
        const int flag = flags[at - 1];
        if (flag)
            break;
        at--;
    }
    found[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

// Rows of three cells beside each other, but at borders.
extern "C" __global__ void cells_beside(const int *__restrict__ starts, const double *__restrict__ values, double *__restrict__ sums, int side)
{
    const int cell = blockIdx.x * blockDim.x + threadIdx.x, cx = cell % side, cy = cell / side;
    if (cell >= side * side)
        return;
    double sum = 0;
#pragma unroll 1
    for (int dy = -1; dy <= 1; dy++) {
        const int y = cy + dy;
        if (y < 0 || y >= side)
            continue;
        const int begin = starts[y * side + max(cx - 1, 0)], end = starts[y * side + min(cx + 1, side - 1) + 1];
#pragma unroll 1
        for (int e = begin; e < end; e++)
            sum += values[e];
    }
    sums[cell] = sum;
}
