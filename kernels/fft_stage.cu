/*
 * One stage of a radix-2 fast Fourier transform (decimation in time, on bit-reversed input), in
 * place, twiddle factors computed.
 *
 * Launch: one dimension, one thread a butterfly, n / 2 in all.
 *
 * real, imaginary  n f32 each, n a power of two
 * span             distance between the two points of a butterfly: 1, 2, 4 ... n / 2
 *
 * Depends on data: sine and cosine have a branch for large angles (never taken here).
 */
extern "C" __global__ void fft_stage(float *real, float *imaginary, int n, int span)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n / 2) {
        int j = i & (span - 1);
        int upper = 2 * (i - j) + j;
        int lower = upper + span;
        float angle = -3.14159265f * j / span;
        float c = cosf(angle), s = sinf(angle);
        float re = c * real[lower] - s * imaginary[lower];
        float im = c * imaginary[lower] + s * real[lower];
        float upper_re = real[upper], upper_im = imaginary[upper];
        real[upper] = upper_re + re;
        imaginary[upper] = upper_im + im;
        real[lower] = upper_re - re;
        imaginary[lower] = upper_im - im;
    }
}
