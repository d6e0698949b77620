/* Cursors: places that loops move on under conditions that data decide. */

/* A decoder for each thread, whose words are woven: word k of stream s at words[k * streams + s]. */
extern "C" __global__ void decode(const unsigned *__restrict__ words, unsigned *__restrict__ symbols, int streams, int count)
{
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long window = (unsigned long long)words[s] << 32;
    int have = 32, next = 1;
    for (int k = 0; k < count; k++) {
        const int length = 8 + (int)(window & 15);
        symbols[k * streams + s] = (unsigned)window;
        window >>= length & 7;
        have -= length;
        if (have < 0) {
            window |= (unsigned long long)words[next++ * streams + s] << 16;
            have += 32;
        }
    }
}

/* Two sorted runs for each thread, woven likewise, merged for a stated number of elements. */
extern "C" __global__ void merge_woven(const int *__restrict__ a, const int *__restrict__ b, int *__restrict__ out, int threads, int count)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    int i = 0, j = 0;
    for (int k = 0; k < count; k++) {
        const int x = a[i * threads + t], y = b[j * threads + t];
        out[k * threads + t] = x <= y ? x : y;
        if (x <= y)
            i++;
        else
            j++;
    }
}

/* The same with a row of `length` elements for each thread. */
extern "C" __global__ void merge_rows(const int *__restrict__ a, const int *__restrict__ b, int *__restrict__ out, int length, int threads, int count)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    const int *p = a + (long)t * length, *q = b + (long)t * length;
    for (int k = 0; k < count; k++) {
        const int x = *p, y = *q;
        out[k * threads + t] = x <= y ? x : y;
        if (x <= y)
            p++;
        else
            q++;
    }
}

/* No cursor: the place is masked, so that it goes around. */
extern "C" __global__ void around(const int *__restrict__ a, int *__restrict__ out, int threads, int count, int mask)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    int i = 0;
    for (int k = 0; k < count; k++) {
        const int x = a[(long)i * threads + t];
        out[k * threads + t] = x;
        i = x & 1 ? (i * 5 + 1) & mask : i;
    }
}

/* None either: two lists that data choose, which begin anywhere. */
extern "C" __global__ void intersect(const int *__restrict__ from, const int *__restrict__ to, const int *__restrict__ begins, const int *__restrict__ lists, int *__restrict__ found, int count)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    int i = begins[from[t]], j = begins[to[t]], same = 0;
    for (int k = 0; k < 32; k++) {
        const int x = lists[i], y = lists[j];
        same += x == y;
        i += x <= y;
        j += y <= x;
    }
    found[t] = same * count;
}
