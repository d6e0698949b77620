// Compiled by: nvcc -O3 -arch=sm_90 -ptx
// A rate changed by m / n: each output takes its phase's row of taps, and phases go round.
extern "C" __global__ void phases(const float *__restrict__ in, const float *__restrict__ taps, float *__restrict__ out, unsigned count, unsigned n, unsigned m,
                                  unsigned length)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    unsigned at = i * m, last = at / n, phase = at - last * n;
    float sum = 0;
    for (unsigned k = 0; k < length; k++)
        sum += taps[phase * length + k] * in[last + length - k];
    out[i] = sum;
}
