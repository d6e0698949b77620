/* Searches by halves, and a loop that halves beside data that do not choose.
 *
 * between    low and high, and the middle of their sum; what is searched lies in device memory
 * span       the same, the middle from the lower end, in 64 bits
 * remaining  what is left and its half, in shared memory
 * early      the search ends as well when it finds
 * halved     each step halves what is left, until data end it: no search */
extern "C" __global__ void between(const int *sorted, const int *wanted, int *found, int n, int length)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const int value = wanted[i];
    int low = 0, high = length;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    found[i] = low;
}

extern "C" __global__ void span(const int *sorted, const int *wanted, long long *found, int n, long long length)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const int value = wanted[i];
    long long low = 0, high = length;
    while (low < high) {
        const long long middle = low + (high - low) / 2;
        if (sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    found[i] = low;
}

extern "C" __global__ void remaining(const float *levels, const float *samples, int *found, int n, int count)
{
    extern __shared__ float near[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = threadIdx.x; k < count; k += blockDim.x)
        near[k] = levels[k];
    __syncthreads();
    if (i >= n)
        return;
    const float sample = samples[i];
    int low = 0, left = count;
    while (left > 0) {
        const int half = left >> 1;
        if (sample < near[low + half])
            left = half;
        else {
            low += half + 1;
            left -= half + 1;
        }
    }
    found[i] = low;
}

extern "C" __global__ void early(const int *sorted, const int *wanted, int *found, int n, int length)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const int value = wanted[i];
    int low = 0, high = length - 1, at = -1;
    while (low <= high) {
        const int middle = low + ((high - low) >> 1), there = sorted[middle];
        if (there == value) {
            at = middle;
            break;
        }
        if (there < value)
            low = middle + 1;
        else
            high = middle - 1;
    }
    found[i] = at;
}

extern "C" __global__ void halved(const int *data, int *found, int n, int length)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int left = length, sum = 0;
    while (data[left + i] > sum) {
        sum += left;
        left >>= 1;
    }
    found[i] = sum;
}
