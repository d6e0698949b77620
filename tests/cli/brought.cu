/* A convolution of four taps, one behind the other, each of which waits for its weight at a barrier: what the later
 * ones load, the first has brought.  The same with one tap alone. */
template <int TAPS> __device__ void convolve(const float *x, const float *w, float *y, int pitch)
{
    __shared__ float weight[32];
    const int column = blockIdx.y * 32 + threadIdx.x, row = blockIdx.x * 16 + threadIdx.y;
    float sum = 0;
#pragma unroll
    for (int tap = 0; tap < TAPS; tap++) {
        if (threadIdx.y == 0)
            weight[threadIdx.x] = w[4 * column + tap];
        __syncthreads();
        sum += weight[threadIdx.x] * x[(row + tap) * pitch + column];
        __syncthreads();
    }
    y[row * pitch + column] = sum;
}

extern "C" __global__ void four_taps(const float *x, const float *w, float *y, int pitch)
{
    convolve<4>(x, w, y, pitch);
}

extern "C" __global__ void one_tap(const float *x, const float *w, float *y, int pitch)
{
    convolve<1>(x, w, y, pitch);
}
