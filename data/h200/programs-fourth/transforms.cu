/* Transforms: stages of Fourier's, Walsh's, gates on a register of qubits, filters, back projection. */

__device__ __forceinline__ float2 times(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__device__ __forceinline__ float2 plus(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ __forceinline__ float2 minus(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ __forceinline__ float2 turned(float2 a) { return make_float2(a.y, -a.x); }

__device__ void four(float2 &a, float2 &b, float2 &c, float2 &d)
{
    float2 s = plus(a, c), t = minus(a, c), u = plus(b, d), v = turned(minus(b, d));
    a = plus(s, u);
    b = plus(t, v);
    c = minus(s, u);
    d = minus(t, v);
}

/* One stage of radix eight over all of a long vector, from one array to another; p: length of the parts done. */
extern "C" __global__ void radix_eight_stage(const float2 *in, float2 *out, int n, int p)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, eighth = n / 8;
    if (t >= eighth)
        return;
    int k = t & (p - 1);
    float2 v[8];
#pragma unroll
    for (int r = 0; r < 8; r++)
        v[r] = in[t + r * eighth];
    float step = -(float)k / (4.0f * p);
#pragma unroll
    for (int r = 1; r < 8; r++) {
        float s, c;
        sincospif(step * r, &s, &c);
        v[r] = times(v[r], make_float2(c, s));
    }
    four(v[0], v[2], v[4], v[6]);
    four(v[1], v[3], v[5], v[7]);
    const float h = 0.70710678f;
    v[3] = times(v[3], make_float2(h, -h));
    v[5] = turned(v[5]);
    v[7] = times(v[7], make_float2(-h, -h));
    int j = (t - k) * 8 + k;
#pragma unroll
    for (int r = 0; r < 4; r++) {
        float2 a = v[2 * r], b = v[2 * r + 1];
        out[j + r * p] = plus(a, b);
        out[j + (r + 4) * p] = minus(a, b);
    }
}

/* Walsh's transform of rows of 2048, a block a row, butterflies in shared memory. */
extern "C" __global__ void walsh_rows(const float *in, float *out)
{
    __shared__ float s[2048];
    int base = blockIdx.x * 2048;
    for (int i = threadIdx.x; i < 2048; i += blockDim.x)
        s[i] = in[base + i];
    for (int h = 1; h < 2048; h *= 2) {
        __syncthreads();
        for (int i = threadIdx.x; i < 1024; i += blockDim.x) {
            int a = (i / h) * 2 * h + i % h;
            float x = s[a], y = s[a + h];
            s[a] = x + y;
            s[a + h] = x - y;
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 2048; i += blockDim.x)
        out[base + i] = s[i];
}

/* Fourier's transform of 1024 points a block, five stages of radix four. */
extern "C" __global__ void __launch_bounds__(256) transform_rows(const float2 *__restrict__ in, float2 *__restrict__ out)
{
    __shared__ float2 s[1024];
    int t = threadIdx.x;
    const float2 *row = in + (size_t)blockIdx.x * 1024;
    for (int r = 0; r < 4; r++)
        s[t + r * 256] = row[t + r * 256];
    __syncthreads();
    for (int p = 1; p < 1024; p *= 4) {
        int k = t & (p - 1);
        float2 v[4];
        float angle = -6.2831853f * k / (4 * p);
        for (int r = 0; r < 4; r++) {
            float sine, cosine;
            __sincosf(angle * r, &sine, &cosine);
            v[r] = times(s[t + r * 256], make_float2(cosine, sine));
        }
        four(v[0], v[1], v[2], v[3]);
        __syncthreads();
        int j = (t - k) * 4 + k;
        for (int r = 0; r < 4; r++)
            s[j + r * p] = v[r];
        __syncthreads();
    }
    for (int r = 0; r < 4; r++)
        out[(size_t)blockIdx.x * 1024 + t + r * 256] = s[t + r * 256];
}

/* A rotation of one qubit of a state vector in double precision. */
extern "C" __global__ void apply_gate(double2 *state, int pairs, int qubit, double c, double s)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= pairs)
        return;
    int low = t & ((1 << qubit) - 1), i = ((t >> qubit) << (qubit + 1)) | low, j = i | (1 << qubit);
    double2 a = state[i], b = state[j];
    state[i] = make_double2(c * a.x + s * b.y, c * a.y - s * b.x);
    state[j] = make_double2(s * a.y + c * b.x, c * b.y - s * a.x);
}

/* A long filter of which every STEP-th output is wanted. */
extern "C" __global__ void decimate(const float *x, const float *h, float *y, int outputs, int taps, int step)
{
    int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= outputs)
        return;
    const float *from = x + (long long)m * step;
    float sum = 0;
    for (int k = 0; k < taps; k++)
        sum += h[k] * from[k];
    y[m] = sum;
}

/* Back projection of parallel beams, linear between detectors. */
extern "C" __global__ void back_project(const float *sinogram, float *image, int n, int detectors, int angles)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    float fx = x - 0.5f * (n - 1), fy = y - 0.5f * (n - 1), sum = 0, step = 3.14159265f / angles;
    for (int a = 0; a < angles; a++) {
        float sine, cosine;
        __sincosf(a * step, &sine, &cosine);
        float d = fx * cosine + fy * sine + 0.5f * detectors;
        int i = (int)floorf(d);
        if (i >= 0 && i < detectors - 1) {
            float w = d - i;
            sum += (1 - w) * sinogram[a * detectors + i] + w * sinogram[a * detectors + i + 1];
        }
    }
    image[y * n + x] = sum * step;
}
