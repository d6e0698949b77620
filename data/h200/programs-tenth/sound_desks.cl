/* Sound: filters in series for each channel, banks of frequencies, delays. */

/* Sections of second order in series: a work-item a channel, frames interleaved. */
__kernel void biquad_series(__global const float *restrict in, __global const float *restrict coefficients, __global float *restrict out, const int channels, const int frames, const int sections)
{
    const int c = get_global_id(0);
    if (c >= channels)
        return;
    float z1[4] = {0.0f, 0.0f, 0.0f, 0.0f}, z2[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int f = 0; f < frames; f++) {
        float x = in[(long)f * channels + c];
        for (int s = 0; s < 4; s++) {
            if (s >= sections)
                break;
            const __global float *k = coefficients + (s * 5);
            const float y = k[0] * x + z1[s];
            z1[s] = k[1] * x - k[3] * y + z2[s];
            z2[s] = k[2] * x - k[4] * y;
            x = y;
        }
        out[(long)f * channels + c] = x;
    }
}

/* Bands of a filter bank on power spectra, logarithms: a group a frame, a work-item a band, spectrum in local memory. */
#define BINS 513
__kernel __attribute__((reqd_work_group_size(80, 1, 1))) void mel_bands(__global const float2 *restrict spectrum, __global const int2 *restrict range, __global const float *restrict weights, __global float *restrict bands, const int stride)
{
    __local float power[BINS];
    const int frame = get_group_id(0), b = get_local_id(0);
    for (int i = b; i < BINS; i += 80) {
        const float2 s = spectrum[frame * BINS + i];
        power[i] = s.x * s.x + s.y * s.y;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int2 r = range[b];
    float sum = 0.0f;
    for (int i = r.x; i < r.y; i++)
        sum += weights[b * stride + i - r.x] * power[i];
    bands[frame * 80 + b] = log(fmax(sum, 1e-10f));
}
