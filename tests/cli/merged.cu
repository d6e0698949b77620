// Loops that go through two lists at one time (merged.py).
//   nvcc -O3 -std=c++17 -arch=sm_90 -ptx merged.cu -o merged.ptx

// Entries in common: a step on in one list, or in both.
extern "C" __global__ void common(const int *ends, const int *lists, int *found, int n)
{
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= n)
        return;
    int i = ends[2 * r], j = ends[3 * r + 1], sum = 0;
    const int i_end = ends[5 * r + 1], j_end = ends[7 * r + 3];
    while (i < i_end && j < j_end) {
        const int a = lists[i], b = lists[j];
        sum += a == b;
        i += a <= b;
        j += b <= a;
    }
    found[r] = sum;
}

// The same by branches, which leave the loop where a list ends.
extern "C" __global__ void __launch_bounds__(128) merged(const int *ends, const long long *lists, long long *out, int n)
{
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= n)
        return;
    int i = ends[2 * r], j = ends[3 * r + 1], to = 64 * r;
    const int i_end = ends[5 * r + 1], j_end = ends[7 * r + 3];
    for (;;) {
        const long long a = lists[i], b = lists[j];
        if (a < b) {
            __stcs(out + to++, a);
            if (++i >= i_end)
                break;
        } else {
            __stcg(out + to++, b);
            if (++j >= j_end)
                break;
        }
    }
}

// Two counters that always move are one list.
extern "C" __global__ void along(const int *ends, const short *lists, int *out, int n)
{
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= n)
        return;
    int i = ends[2 * r], j = ends[3 * r + 1], sum = 0;
    const int i_end = ends[5 * r + 1], j_end = ends[7 * r + 3];
#pragma unroll 1
    while (i < i_end && j < j_end)
        sum += lists[i++] * lists[j++];
    out[r] = sum;
}
