/* Radio astronomy: pulses without their dispersion, visibilities on a grid; compiled by clang. */

/* Sums over channels with the delay of each trial's dispersion: a thread four times, a row of blocks a trial. */
extern "C" __global__ void __launch_bounds__(256) dedisperse_trials(const unsigned char *__restrict__ power, const float *__restrict__ delays, float *__restrict__ series, int channels, int samples, int length, float first, float step)
{
    __shared__ int shift[1024];
    const float measure = first + step * blockIdx.y;
    for (int c = threadIdx.x; c < channels; c += blockDim.x)
        shift[c] = (int)(measure * delays[c] + 0.5f);
    __syncthreads();
    const int t0 = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (t0 + 3 >= length)
        return;
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int c = 0; c < channels; c++) {
        const unsigned char *row = power + (long long)c * samples + t0 + shift[c];
#pragma unroll
        for (int k = 0; k < 4; k++)
            sum[k] += row[k];
    }
    ((float4 *)(series + (long long)blockIdx.y * length))[t0 / 4] = make_float4(sum[0], sum[1], sum[2], sum[3]);
}

/* Visibilities to a grid by a separable kernel of seven by seven: a warp a visibility, atomic additions. */
extern "C" __global__ void grid_visibilities(const float4 *__restrict__ seen, const float *__restrict__ kernel, float *__restrict__ grid, int count, int side)
{
    const int v = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (v >= count)
        return;
    const float4 s = seen[v];
    const float u = s.x * (side - 8) + 4.0f, w = s.y * (side - 8) + 4.0f;
    const int iu = (int)u, iw = (int)w, fu = (int)((u - iu) * 8.0f), fw = (int)((w - iw) * 8.0f);
    for (int k = lane; k < 49; k += 32) {
        const int dx = k % 7, dy = k / 7;
        const float weight = kernel[fu * 7 + dx] * kernel[fw * 7 + dy];
        float *cell = grid + 2LL * ((long long)(iw + dy - 3) * side + iu + dx - 3);
        atomicAdd(cell, weight * s.z);
        atomicAdd(cell + 1, weight * s.w);
    }
}
