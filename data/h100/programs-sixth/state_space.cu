/* Layers of a state space model. */
#include <cuda_fp16.h>

/* A causal convolution of four along time and SiLU, channels last, two channels a thread, a window that moves on. */
template <int WIDTH> struct Window {
    float2 v[WIDTH];
    __device__ __forceinline__ void push(float2 x)
    {
#pragma unroll
        for (int k = 0; k < WIDTH - 1; k++)
            v[k] = v[k + 1];
        v[WIDTH - 1] = x;
    }
};

__device__ __forceinline__ float silu(float x) { return x / (1.0f + __expf(-x)); }

extern "C" __global__ void causal_convolution(const __half2 *__restrict__ x, const float2 *__restrict__ weight, const float2 *__restrict__ bias, __half2 *__restrict__ y,
    int length, int pairs, int chunk)
{
    const int c = blockIdx.x * blockDim.x + threadIdx.x, start = blockIdx.y * chunk;
    if (c >= pairs)
        return;
    const size_t sequence = (size_t)blockIdx.z * length * pairs;
    Window<4> window;
    float2 w[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        w[k] = weight[k * pairs + c];
        const int t = start + k - 4;
        window.v[k] = t >= 0 ? __half22float2(x[sequence + (size_t)t * pairs + c]) : make_float2(0.0f, 0.0f);
    }
    const float2 b = bias[c];
    const int end = min(start + chunk, length);
    for (int t = start; t < end; t++) {
        window.push(__half22float2(x[sequence + (size_t)t * pairs + c]));
        float2 sum = b;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            sum.x += w[k].x * window.v[k].x;
            sum.y += w[k].y * window.v[k].y;
        }
        y[sequence + (size_t)t * pairs + c] = __floats2half2_rn(silu(sum.x), silu(sum.y));
    }
}

/* The scan of a selective state space: a thread a channel with its states in registers; what all channels share lies in shared memory. */
template <int STATES> __device__ __forceinline__ void load_states(const float *__restrict__ from, float (&to)[STATES])
{
#pragma unroll
    for (int n = 0; n < STATES; n += 4) {
        const float4 v = *reinterpret_cast<const float4 *>(from + n);
        to[n] = v.x, to[n + 1] = v.y, to[n + 2] = v.z, to[n + 3] = v.w;
    }
}

extern "C" __global__ void __launch_bounds__(128) selective_scan(const float *__restrict__ u, const float *__restrict__ delta, const float *__restrict__ a,
    const float *__restrict__ b, const float *__restrict__ c, float *__restrict__ y, int length, int channels)
{
    constexpr int STATES = 16, STEPS = 32;
    __shared__ alignas(16) float shared_b[STEPS][STATES], shared_c[STEPS][STATES];
    const int channel = blockIdx.x * 128 + threadIdx.x;
    const size_t batch = blockIdx.y;
    float rate[STATES], state[STATES];
    load_states(a + (size_t)channel * STATES, rate);
#pragma unroll
    for (int n = 0; n < STATES; n++)
        state[n] = 0.0f;
    for (int start = 0; start < length; start += STEPS) {
        __syncthreads();
        for (int k = threadIdx.x; k < STEPS * STATES; k += 128) {
            const size_t at = (batch * length + start) * STATES + k;
            shared_b[k / STATES][k % STATES] = b[at];
            shared_c[k / STATES][k % STATES] = c[at];
        }
        __syncthreads();
        for (int s = 0; s < STEPS; s++) {
            const size_t at = (batch * length + start + s) * channels + channel;
            const float d = delta[at], du = d * u[at];
            float sum = 0.0f;
#pragma unroll
            for (int n = 0; n < STATES; n++) {
                state[n] = __expf(d * rate[n]) * state[n] + du * shared_b[s][n];
                sum += state[n] * shared_c[s][n];
            }
            y[at] = sum;
        }
    }
}
