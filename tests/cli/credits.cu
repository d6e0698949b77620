// Lines of pixels drawn by their error, of which a branch on it decides where they step to the next row.
__device__ __forceinline__ float along(const float *row, int across, int down, int pixels, int pitch)
{
    float value = row[0], sum = 0;
    int error = across / 2, y = 0;
#pragma unroll 1
    for (int x = 0; x < pixels; x++) {
        sum += value;
        error -= down;
        if (error < 0) {
            y++;
            value = row[(size_t)y * pitch];
            error += across;
        }
    }
    return sum;
}

// Arguments alone decide where.
extern "C" __global__ void __launch_bounds__(64) line(const float *in, float *out, int across, int down, int pixels, int pitch)
{
    const size_t i = (size_t)blockIdx.x * 64 + threadIdx.x;
    out[i] = along(in + i, across, down, pixels, pitch);
}

// Each thread has a slope of its own: how often one steps is not known.
extern "C" __global__ void __launch_bounds__(64) lines(const float *in, float *out, int across, int pixels, int pitch)
{
    const size_t i = (size_t)blockIdx.x * 64 + threadIdx.x;
    out[i] = along(in + i, across, threadIdx.x + 1, pixels, pitch);
}
