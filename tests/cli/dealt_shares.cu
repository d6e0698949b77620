// Blocks that are dealt equal shares of the steps of all tiles, and add up what they have of each (stream-K).
extern "C" __global__ void stream(float *a, const float *b, int share, int total, int steps)
{
    int begin = blockIdx.x * share, end = min(begin + share, total);
    while (begin < end) {
        int first = begin % steps;
        int last = min(steps, first + end - begin);
        float s = 0;
        for (int k = first; k < last; k++)
            s += b[(begin - first + k) * 128 + threadIdx.x];
        if (first == 0 && last == steps)
            a[begin / steps * 128 + threadIdx.x] = s;
        else
            atomicAdd(&a[begin / steps * 128 + threadIdx.x], s);
        begin += last - first;
    }
}
