/* Receivers of tones: a bank of resonators, and a change of rate by L / M. */
#define TILE 64

/* Power of each bin of each channel by Goertzel's recurrence. */
__kernel void goertzel_bank(__global const float *restrict samples, __global const float *restrict cosines, __global float *restrict power, const int length, const int bins)
{
    __local float tile[TILE];
    const int bin = get_global_id(0), channel = get_global_id(1), lid = get_local_id(0);
    const float c = 2.0f * cosines[min(bin, bins - 1)];
    float s1 = 0.0f, s2 = 0.0f;
    for (int begin = 0; begin < length; begin += TILE) {
        tile[lid] = begin + lid < length ? samples[channel * length + begin + lid] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < TILE; i++) {
            const float s = tile[i] + c * s1 - s2;
            s2 = s1;
            s1 = s;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (bin < bins)
        power[channel * bins + bin] = s1 * s1 + s2 * s2 - c * s1 * s2;
}

/* Output i is made of the taps of phase (i M) mod L, on complex samples that end at (i M) / L. */
__kernel void polyphase_fir(__global const float2 *restrict in, __global const float *restrict taps, __global float2 *restrict out, const uint count, const uint L, const uint M, const uint K)
{
    const uint i = get_global_id(0);
    if (i >= count)
        return;
    const uint at = i * M, last = at / L, phase = at - last * L;
    float2 sum = (float2)(0.0f, 0.0f);
    for (uint k = 0; k < K; k++)
        sum += taps[phase * K + k] * in[last + K - k];
    out[i] = sum;
}
