/* Signals. */

/* Wavelets 9/7 by lifting down the columns of a picture: 32 columns and 64 rows a block, with a border of four. */
__device__ __forceinline__ void lift(float (*s)[32], int first, int rows, float by)
{
    for (int r = first + 2 * (int)threadIdx.y; r < rows - 1; r += 2 * blockDim.y)
        if (r > 0)
            s[r][threadIdx.x] += by * (s[r - 1][threadIdx.x] + s[r + 1][threadIdx.x]);
    __syncthreads();
}

extern "C" __global__ void lift_columns(const float *in, float *low, float *high, int width, int height)
{
    __shared__ float s[72][32];
    const int x = blockIdx.x * 32 + threadIdx.x, y0 = blockIdx.y * 64 - 4;
    for (int r = threadIdx.y; r < 72; r += blockDim.y) {
        int y = abs(y0 + r);
        if (y >= height)
            y = 2 * height - 2 - y;
        s[r][threadIdx.x] = x < width ? in[(size_t)y * width + x] : 0.0f;
    }
    __syncthreads();
    lift(s, 1, 72, -1.586134342f);
    lift(s, 0, 72, -0.05298011854f);
    lift(s, 1, 72, 0.8829110762f);
    lift(s, 0, 72, 0.4435068522f);
    if (x < width)
        for (int r = threadIdx.y; r < 32; r += blockDim.y) {
            const size_t at = ((size_t)blockIdx.y * 32 + r) * width + x;
            low[at] = s[4 + 2 * r][threadIdx.x] * 1.149604398f;
            high[at] = s[5 + 2 * r][threadIdx.x] * 0.8698644523f;
        }
}

/* How like itself a signal is at each lag; a block eight lags of one signal, parts of it in shared memory. */
extern "C" __global__ void autocorrelate(const short *signals, float *lags, int length, int lag_count)
{
    __shared__ float part[256 + 8], sums[8];
    const short *signal = signals + (size_t)blockIdx.y * length;
    const int lag0 = blockIdx.x * 8;
    float acc[8] = {0};
    if (threadIdx.x < 8)
        sums[threadIdx.x] = 0;
    for (int t0 = 0; t0 < length - lag0 - 8; t0 += 256) {
        __syncthreads();
        for (int i = threadIdx.x; i < 264; i += blockDim.x) {
            const int t = t0 + lag0 + i;
            part[i] = t < length ? signal[t] / 32768.0f : 0.0f;
        }
        __syncthreads();
        const int t = t0 + threadIdx.x;
        const float here = t < length ? signal[t] / 32768.0f : 0.0f;
#pragma unroll
        for (int k = 0; k < 8; k++)
            acc[k] += here * part[threadIdx.x + k];
    }
#pragma unroll
    for (int k = 0; k < 8; k++)
        atomicAdd(&sums[k], acc[k]);
    __syncthreads();
    if (threadIdx.x < 8 && lag0 + threadIdx.x < lag_count)
        lags[(size_t)blockIdx.y * lag_count + lag0 + threadIdx.x] = sums[threadIdx.x];
}
