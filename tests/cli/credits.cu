// A line of pixels drawn by its error: arguments alone decide where it steps to the next row.
extern "C" __global__ void __launch_bounds__(64) line(const float *in, float *out, int across, int down, int pixels, int pitch)
{
    const float *row = in + (size_t)blockIdx.x * 64 + threadIdx.x;
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
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// The same where each thread has a slope of its own: how often one steps is not known.
extern "C" __global__ void __launch_bounds__(64) lines(const float *in, float *out, int across, int pixels, int pitch)
{
    const float *row = in + (size_t)blockIdx.x * 64 + threadIdx.x;
    const int down = threadIdx.x + 1;
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
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
