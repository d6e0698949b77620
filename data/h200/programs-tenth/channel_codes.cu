/* Decoders of channels: parity checks, a trellis, polar codes. */
#include <cuda_fp16.h>

/* Check nodes of a quasi-cyclic code by the least magnitudes: a thread a check of a row of circulants. */
extern "C" __global__ void check_nodes_min_sum(const float *__restrict__ beliefs, float *__restrict__ messages, const int *__restrict__ shifts, int lift, int columns, int degree, float scale)
{
    const int z = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    const long long word = blockIdx.z;
    if (z >= lift)
        return;
    float least = 1e30f, second = 1e30f;
    int where = 0;
    unsigned signs = 0;
    for (int d = 0; d < degree; d++) {
        const int entry = shifts[row * degree + d], column = entry >> 16;
        int at = z + (entry & 0xffff) % lift;
        at -= at >= lift ? lift : 0;
        const float q = beliefs[(word * columns + column) * lift + at] - messages[((word * gridDim.y + row) * degree + d) * lift + z];
        const float a = fabsf(q);
        signs |= (unsigned)(q < 0) << d;
        if (a < least) {
            second = least;
            least = a;
            where = d;
        } else if (a < second) {
            second = a;
        }
    }
    const unsigned parity = __popc(signs) & 1;
    for (int d = 0; d < degree; d++) {
        const float a = scale * (d == where ? second : least);
        messages[((word * gridDim.y + row) * degree + d) * lift + z] = ((signs >> d & 1) ^ parity) ? -a : a;
    }
}

/* The trellis of a code of 64 states: a block a frame, a thread a state, its metrics in shared memory. */
extern "C" __global__ void __launch_bounds__(64) viterbi_64_states(const signed char *__restrict__ soft, unsigned *__restrict__ survivors, int length, int g0, int g1)
{
    __shared__ int metric[2][64];
    const int s = threadIdx.x;
    const signed char *mine = soft + (long long)blockIdx.x * length * 2;
    unsigned *out = survivors + (long long)blockIdx.x * length * 2;
    const int from0 = s >> 1, from1 = (s >> 1) | 32, c0 = __popc((s | 0) & g0) & 1, c1 = __popc(s & g1) & 1;
    metric[0][s] = s ? 1000 : 0;
    __syncthreads();
    for (int t = 0; t < length; t++) {
        const int a = mine[2 * t], b = mine[2 * t + 1];
        const int cost = (c0 ? -a : a) + (c1 ? -b : b);
        const int m0 = metric[t & 1][from0] + cost, m1 = metric[t & 1][from1] - cost;
        metric[~t & 1][s] = min(m0, m1);
        const unsigned chosen = __ballot_sync(0xffffffff, m1 < m0);
        if ((s & 31) == 0)
            out[2 * t + s / 32] = chosen;
        __syncthreads();
    }
}

/* One stage of the beliefs of polar codes, halves: f on the left branch, g on the right one. */
extern "C" __global__ void __launch_bounds__(256) polar_stage(const __half2 *__restrict__ in, const unsigned char *__restrict__ bits, __half2 *__restrict__ f_out, __half2 *__restrict__ g_out, int pairs, int half, int frames)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, frame = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= pairs || frame >= frames)
        return;
    const int group = i / half, k = i - group * half;
    const long long base = (long long)frame * 2 * pairs;
    const __half2 a = in[base + group * 2 * half + k], b = in[base + group * 2 * half + half + k];
    const __half2 least = __hmin2(__habs2(a), __habs2(b));
    const __half2 zero = __float2half2_rn(0.0f), one = __float2half2_rn(1.0f);
    const __half2 sign = __hsub2(one, __hmul2(__float2half2_rn(2.0f), __hlt2(__hmul2(a, b), zero)));
    const long long to = (long long)frame * pairs + i;
    f_out[to] = __hmul2(sign, least);
    g_out[to] = bits[to] & 1 ? __hsub2(b, a) : __hadd2(b, a);
}
