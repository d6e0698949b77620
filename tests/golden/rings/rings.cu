/* Positions that wrap around, in the ways in which people and compilers write it.  The last five are
 * not followed: their step, start or turning point may be any. rings.ptx is what nvcc 13.0 makes of
 * this for sm_90. */

extern "C" __global__ void by_bits(float *out, const float *a, int n, int m, int step)
{
    float acc = 0;
    int p = 0;
    for (int i = 0; i < n; i++) {
        out[p * 64 + threadIdx.x] = a[p * 128 + threadIdx.x];
        if (p < 2)
            acc += a[threadIdx.x];
        p = (p + 3) & 7;
    }
    out[threadIdx.x] = acc;
}

extern "C" __global__ void by_remainder(float *out, const float *a, int n, int m, int step)
{
    float acc = 0;
    int p = 0;
    for (int i = 0; i < n; i++) {
        out[p * 64 + threadIdx.x] = a[p * 128 + threadIdx.x];
        if (p < 2)
            acc += a[threadIdx.x];
        p = (p + 5) % 12;
    }
    out[threadIdx.x] = acc;
}

extern "C" __global__ void by_unsigned_remainder(float *out, const float *a, int n, int m, int step)
{
    float acc = 0;
    unsigned p = 0;
    for (int i = 0; i < n; i++) {
        out[p * 64 + threadIdx.x] = a[p * 128 + threadIdx.x];
        if (p < 2)
            acc += a[threadIdx.x];
        p = (p + 5) % 12;
    }
    out[threadIdx.x] = acc;
}

extern "C" __global__ void by_comparison(float *out, const float *a, int n, int m, int step)
{
    float acc = 0;
    int p = 0;
    for (int i = 0; i < n; i++) {
        out[p * 64 + threadIdx.x] = a[p * 128 + threadIdx.x];
        if (p < 2)
            acc += a[threadIdx.x];
        p += 3;
        if (p >= 8)
            p -= 8;
    }
    out[threadIdx.x] = acc;
}

extern "C" __global__ void by_equality(float *out, const float *a, int n, int m, int step)
{
    float acc = 0;
    int p = 0;
    for (int i = 0; i < n; i++) {
        out[p * 64 + threadIdx.x] = a[p * 128 + threadIdx.x];
        if (p < 2)
            acc += a[threadIdx.x];
        if (++p == 7)
            p = 0;
    }
    out[threadIdx.x] = acc;
}

extern "C" __global__ void by_argument(float *out, const float *a, int n, int m, int step)
{
    float acc = 0;
    int p = 0;
    for (int i = 0; i < n; i++) {
        out[p * 64 + threadIdx.x] = a[p * 128 + threadIdx.x];
        if (p < 2)
            acc += a[threadIdx.x];
        if (++p == m)
            p = 0;
    }
    out[threadIdx.x] = acc;
}

extern "C" __global__ void less_argument(float *out, const float *a, int n, int m, int step)
{
    float acc = 0;
    int p = 0;
    #pragma unroll 1
    for (int i = 0; i < n; i++) {
        out[p * 64 + threadIdx.x] = a[p * 128 + threadIdx.x];
        if (p < 2)
            acc += a[threadIdx.x];
        p++;
        if (p >= m)
            p -= m;
    }
    out[threadIdx.x] = acc;
}

extern "C" __global__ void by_unsigned_argument(float *out, const float *a, int n, int m, int step)
{
    float acc = 0;
    unsigned p = 0, um = m;
    for (int i = 0; i < n; i++) {
        out[p * 64 + threadIdx.x] = a[p * 128 + threadIdx.x];
        if (p < 2)
            acc += a[threadIdx.x];
        p++;
        if (p >= um)
            p = 0;
    }
    out[threadIdx.x] = acc;
}

extern "C" __global__ void by_remainder_of_argument(float *out, const float *a, int n, int m, int step)
{
    float acc = 0;
    unsigned p = 0, um = m;
    for (int i = 0; i < n; i++) {
        out[p * 64 + threadIdx.x] = a[p * 128 + threadIdx.x];
        if (p < 2)
            acc += a[threadIdx.x];
        p = (p + 1) % um;
    }
    out[threadIdx.x] = acc;
}

extern "C" __global__ void falling(float *out, const float *a, int n, int m, int step)
{
    float acc = 0;
    int p = 5;
    for (int i = 0; i < n; i++) {
        out[p * 64 + threadIdx.x] = a[p * 128 + threadIdx.x];
        if (p < 2)
            acc += a[threadIdx.x];
        p = p == 0 ? 6 : p - 1;
    }
    out[threadIdx.x] = acc;
}

extern "C" __global__ void falling_by_argument(float *out, const float *a, int n, int m, int step)
{
    float acc = 0;
    int p = 0;
    for (int i = 0; i < n; i++) {
        out[p * 64 + threadIdx.x] = a[p * 128 + threadIdx.x];
        if (p < 2)
            acc += a[threadIdx.x];
        p = p == 0 ? m - 1 : p - 1;
    }
    out[threadIdx.x] = acc;
}

extern "C" __global__ void falling_by_two(float *out, const float *a, int n, int m, int step)
{
    float acc = 0;
    int p = 5;
    for (int i = 0; i < n; i++) {
        out[p * 64 + threadIdx.x] = a[p * 128 + threadIdx.x];
        if (p < 2)
            acc += a[threadIdx.x];
        p -= 2;
        if (p < 0)
            p += 9;
    }
    out[threadIdx.x] = acc;
}

extern "C" __global__ void flipped(float *out, const float *a, int n, int m, int step)
{
    float acc = 0;
    int p = 0;
    #pragma unroll 1
    for (int i = 0; i < n; i++) {
        out[p * 64 + threadIdx.x] = a[p * 128 + threadIdx.x];
        if (p < 2)
            acc += a[threadIdx.x];
        p ^= 1;
    }
    out[threadIdx.x] = acc;
}

extern "C" __global__ void stage_and_phase(float *out, const float *a, int n, int m, int step)
{
    float acc = 0;
    int p = 0, q = 0;
    #pragma unroll 1
    for (int i = 0; i < n; i++) {
        out[(p + 8 * q) * 64 + threadIdx.x] = a[(p + 8 * q) * 128 + threadIdx.x];
        if ((p + 8 * q) < 2)
            acc += a[threadIdx.x];
        if (++p == 3) {
            p = 0;
            q ^= 1;
        }
    }
    out[threadIdx.x] = acc;
}

extern "C" __global__ void unrolled_stage_and_phase(float *out, const float *a, int n, int m, int step)
{
    float acc = 0;
    int p = 0, q = 0;
    for (int i = 0; i < n; i++) {
        out[(p + 8 * q) * 64 + threadIdx.x] = a[(p + 8 * q) * 128 + threadIdx.x];
        if ((p + 8 * q) < 2)
            acc += a[threadIdx.x];
        if (++p == 4) {
            p = 0;
            q ^= 1;
        }
    }
    out[threadIdx.x] = acc;
}

extern "C" __global__ void turns(float *out, const float *a, int n, int m, int step)
{
    float acc = 0;
    int p = 0;
    #pragma unroll 1
    for (int i = 0; i < n; i++) {
        out[p * 64 + threadIdx.x] = a[p * 128 + threadIdx.x];
        if (p < 2)
            acc += a[threadIdx.x];
        if (i % 4 == 3)
            p++;
    }
    out[threadIdx.x] = acc;
}

extern "C" __global__ void now_and_then(float *out, const float *a, int n, int m, int step)
{
    float acc = 0;
    int p = 0;
    #pragma unroll 1
    for (int i = 0; i < n; i++) {
        out[p * 64 + threadIdx.x] = a[p * 128 + threadIdx.x];
        if (p < 2)
            acc += a[threadIdx.x];
        if (i % 3 == 0)
            p = (p + 1) % 5;
    }
    out[threadIdx.x] = acc;
}

extern "C" __global__ void growing_step(float *out, const float *a, int n, int m, int step)
{
    float acc = 0;
    int p = 0;
    #pragma unroll 1
    for (int i = 0; i < n; i++) {
        out[p * 64 + threadIdx.x] = a[p * 128 + threadIdx.x];
        if (p < 2)
            acc += a[threadIdx.x];
        p = (p + i) & 15;
    }
    out[threadIdx.x] = acc;
}

extern "C" __global__ void starts_by_thread(float *out, const float *a, int n, int m, int step)
{
    float acc = 0;
    int p = threadIdx.x & 7;
    for (int i = 0; i < n; i++) {
        out[p * 64 + threadIdx.x] = a[p * 128 + threadIdx.x];
        if (p < 2)
            acc += a[threadIdx.x];
        p++;
        if (p >= 8)
            p = 0;
    }
    out[threadIdx.x] = acc;
}

extern "C" __global__ void starts_outside(float *out, const float *a, int n, int m, int step)
{
    float acc = 0;
    int p = -1;
    #pragma unroll 1
    for (int i = 0; i < n; i++) {
        if (++p == 5)
            p = 0;
        out[p * 64 + threadIdx.x] = a[p * 128 + threadIdx.x];
        if (p < 2)
            acc += a[threadIdx.x];
    }
    out[threadIdx.x] = acc;
}

extern "C" __global__ void in_bytes(float *out, const float *a, int n, int m, int step)
{
    float acc = 0;
    int p = 0, q = 0;
    #pragma unroll 1
    for (int i = 0; i < n; i++) {
        out[(q / 64) * 64 + threadIdx.x] = a[(q / 64) * 128 + threadIdx.x];
        if ((q / 64) < 2)
            acc += a[threadIdx.x];
        p += 2;
        q += 128;
        if (p >= 9) {
            p -= 9;
            q -= 9 * 64;
        }
    }
    out[threadIdx.x] = acc;
}

extern "C" __global__ void through_two_loops(float *out, const float *a, int n, int m, int step)
{
    float acc = 0;
    int p = 0;
    #pragma unroll 1
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < step; j++) {
            out[p * 64 + threadIdx.x] = a[p * 128 + threadIdx.x];
            if (p < 2)
                acc += a[threadIdx.x];
            p = (p + 1) & 7;
        }
    }
    out[threadIdx.x] = acc;
}

extern "C" __global__ void through_two_loops_by_equality(float *out, const float *a, int n, int m, int step)
{
    float acc = 0;
    int p = 0;
    #pragma unroll 1
    for (int i = 0; i < n; i++) {
        #pragma unroll 1
        for (int j = 0; j < step; j++) {
            out[p * 64 + threadIdx.x] = a[p * 128 + threadIdx.x];
            if (p < 2)
                acc += a[threadIdx.x];
            if (++p == 6)
                p = 0;
        }
    }
    out[threadIdx.x] = acc;
}

extern "C" __global__ void unknown_step(float *out, const float *a, int n, int m, int step)
{
    float acc = 0;
    int p = 0;
    for (int i = 0; i < n; i++) {
        out[p * 64 + threadIdx.x] = a[p * 128 + threadIdx.x];
        if (p < 2)
            acc += a[threadIdx.x];
        p = (p + step) % m;
    }
    out[threadIdx.x] = acc;
}

extern "C" __global__ void unknown_start(float *out, const float *a, int n, int m, int step)
{
    float acc = 0;
    int p = m;
    #pragma unroll 1
    for (int i = 0; i < n; i++) {
        out[(p & 31) * 64 + threadIdx.x] = a[(p & 31) * 128 + threadIdx.x];
        if ((p & 31) < 2)
            acc += a[threadIdx.x];
        p++;
        if (p >= 8)
            p -= 8;
    }
    out[threadIdx.x] = acc;
}

extern "C" __global__ void jumps(float *out, const float *a, int n, int m, int step)
{
    float acc = 0;
    int p = 0;
    for (int i = 0; i < n; i++) {
        out[(p & 31) * 64 + threadIdx.x] = a[(p & 31) * 128 + threadIdx.x];
        if ((p & 31) < 2)
            acc += a[threadIdx.x];
        p += 3;
        if (p == 24)
            p = 0;
    }
    out[threadIdx.x] = acc;
}

extern "C" __global__ void jumps_over(float *out, const float *a, int n, int m, int step)
{
    float acc = 0;
    int p = 0;
    for (int i = 0; i < n; i++) {
        out[(p & 31) * 64 + threadIdx.x] = a[(p & 31) * 128 + threadIdx.x];
        if ((p & 31) < 2)
            acc += a[threadIdx.x];
        p += 3;
        if (p == 25)
            p = 0;
    }
    out[threadIdx.x] = acc;
}

extern "C" __global__ void jumps_too_far(float *out, const float *a, int n, int m, int step)
{
    float acc = 0;
    int p = 2;
    for (int i = 0; i < n; i++) {
        out[(p & 31) * 64 + threadIdx.x] = a[(p & 31) * 128 + threadIdx.x];
        if ((p & 31) < 2)
            acc += a[threadIdx.x];
        p += 9;
        if (p >= 7)
            p -= 7;
    }
    out[threadIdx.x] = acc;
}
