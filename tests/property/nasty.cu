/* Small kernels whose control flow is hard to follow from PTX: each counts without an unknown.
 * Nothing here depends on loaded data.  nasty.json holds the launches. */

struct window {
    int first, last;
    short step;
    char mirrored;
    float scale;
};

#define GLOBAL_INDEX (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void count_down(float *out, int n)
{
    float sum = 0;
    for (int i = n - 1 - (int)threadIdx.x; i >= 0; i--)
        sum += out[i] * 0.5f;
    out[n + GLOBAL_INDEX] = sum;
}

extern "C" __global__ void step_by_argument(float *out, int n, int step)
{
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += step)
        sum += out[i] * 0.5f;
    out[n + GLOBAL_INDEX] = sum;
}

extern "C" __global__ void step_by_grid(float *out, unsigned n)
{
    for (unsigned i = GLOBAL_INDEX; i < n; i += gridDim.x * blockDim.x)
        out[i] = out[i] * 2 + 1;
}

extern "C" __global__ void wraps_to_zero(float *out, unsigned n)
{
    float sum = 0;
    for (unsigned i = n - 1; i < n; i--)
        sum += out[i] * 0.25f;
    out[n + GLOBAL_INDEX] = sum;
}

extern "C" __global__ void until_not_equal(float *out, int n)
{
    float sum = 0;
    int end = threadIdx.x + 3 * n;
    for (int i = threadIdx.x; i != end; i += 3)
        sum += out[i & 63] * 0.25f;
    out[GLOBAL_INDEX] = sum;
}

extern "C" __global__ void do_while(float *out, int n)
{
    int i = threadIdx.x;
    float sum = 0;
    do {
        sum += out[i & 63];
        i += 7;
    } while (i < n);
    out[GLOBAL_INDEX] = sum;
}

extern "C" __global__ void lower_triangle(float *out, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i - (int)threadIdx.x; j++)
            sum += out[(i + j) & 63];
    out[GLOBAL_INDEX] = sum;
}

extern "C" __global__ void upper_triangle(float *out, int n)
{
    float sum = 0;
    for (int i = n - 1; i >= 0; i--)
        for (int j = i; j < n; j += 2)
            for (int k = j; k > i; k--)
                sum += out[(i + j + k) & 63];
    out[GLOBAL_INDEX] = sum;
}

extern "C" __global__ void returns_early(float *out, int n, int m)
{
    int i = GLOBAL_INDEX;
    if (i >= n)
        return;
    out[i] += 1;
    if (i % 3 == 1 || i > m)
        return;
    __syncthreads();
    out[i] *= 3;
    if (blockIdx.x == 1)
        return;
    out[i] -= 2;
}

extern "C" __global__ void breaks_and_continues(float *out, int n, int stop)
{
    float sum = 0;
    for (int i = 0; i < n; i++) {
        if (i == stop)
            break;
        if ((i + threadIdx.x) % 5 == 2)
            continue;
        sum += out[i & 63];
        if (i > (int)threadIdx.x * 2 + 3)
            break;
    }
    out[GLOBAL_INDEX] = sum;
}

extern "C" __global__ void short_circuits(float *out, int n, int m)
{
    int x = threadIdx.x, y = threadIdx.y;
    if ((x > 0 && y > 0 && x < n - 1 && y < m - 1) || (x == 0 && y == 0))
        out[y * 32 + x] *= 2;
    if ((x < y || x > m) && !(y == 3 || x == 5))
        out[y * 32 + x] += 2;
}

extern "C" __global__ void ternary_bounds(float *out, int n, int m)
{
    float sum = 0;
    int low = threadIdx.x < 8 ? threadIdx.x : 8, high = n > m ? n : m + 3;
    for (int i = low; i < (blockIdx.x ? high : n); i++)
        sum += out[i & 63];
    out[GLOBAL_INDEX] = sum;
}

extern "C" __global__ void clamped_window(float *out, int n, int radius)
{
    int i = GLOBAL_INDEX;
    float sum = 0;
    if (i < n)
        for (int j = max(i - radius, 0); j <= min(i + radius, n - 1); j++)
            sum += out[j];
    out[n + i] = sum;
}

extern "C" __global__ void shifts_and_masks(float *out, int n)
{
    int i = GLOBAL_INDEX, row = i >> 4, column = i & 15, tile = (row & ~3) >> 2;
    float sum = 0;
    for (int k = column; k < n; k += 1 << (tile & 3))
        sum += out[k & 63];
    if ((row ^ column) & 1)
        sum *= 2;
    if ((i | 3) == i)
        sum += 1;
    out[i] = sum;
}

extern "C" __global__ void divides_by_constants(float *out, int n)
{
    int i = GLOBAL_INDEX;
    unsigned u = i;
    if (i / 3 < n)
        out[i] += 1;
    if (u / 5 % 2 == 1)
        out[i] += 2;
    if (u % 7 < 3)
        out[i] += 3;
    if (i / 10 == 2 && i % 10 != 4)
        out[i] += 4;
    for (unsigned j = u % 11; j < n / 3u; j++)
        out[j & 63] += 1;
}

extern "C" __global__ void negative_remainders(float *out, int n)
{
    int i = (int)GLOBAL_INDEX - n;
    if (i % 4 == -1)
        out[GLOBAL_INDEX] += 1;
    if (i / 8 == 0)
        out[GLOBAL_INDEX] += 2;
    if (i % 3 == 0)
        out[GLOBAL_INDEX] += 3;
    if ((i - 5) / 7 <= -2)
        out[GLOBAL_INDEX] += 4;
}

extern "C" __global__ void wide_indices(float *out, long long n, long long stride)
{
    size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (size_t i = first; i < (size_t)n; i += (size_t)gridDim.x * blockDim.x)
        out[i * stride] += 1;
    for (long long k = n - 1; k >= (long long)first; k -= 5)
        out[k & 63] += 1;
}

extern "C" __global__ void narrow_indices(float *out, int n)
{
    float sum = 0;
    for (unsigned char c = 0; c < (unsigned char)n; c++)
        sum += out[c];
    for (short s = (short)(n - 1); s > (short)threadIdx.x; s--)
        sum += out[s];
    signed char t = (signed char)threadIdx.x;
    if (t - 3 > 5)
        sum *= 2;
    out[GLOBAL_INDEX] = sum;
}

extern "C" __global__ void switches(float *out, int mode)
{
    int i = GLOBAL_INDEX;
    float v = out[i];
    switch (threadIdx.x & 7) {
    case 0: v = v * v + 1; break;
    case 1: v = sqrtf(v); /* falls through */
    case 2: v = v - 3; break;
    case 3: v = 1 / (v + 9); break;
    case 4: return;
    case 5: v = v * 7; break;
    default: v = -v;
    }
    switch (mode) {
    case 10: v += 1; break;
    case 20: v *= 1.5f; out[i + 64] = v; break;
    case 30: v -= 2; break;
    case 66: v = 0; break;
    }
    out[i] = v;
}

extern "C" __global__ void bumps_pointers(float *out, const float *in, int n)
{
    const float *at = in + threadIdx.x, *end = in + n;
    float sum = 0;
    while (at < end) {
        sum += *at;
        at += blockDim.x;
    }
    float *to = out + GLOBAL_INDEX;
    *to = sum;
}

extern "C" __global__ void swizzled_blocks(float *out, int rows, int columns)
{
    int group = 4, id = blockIdx.x, per_group = group * columns;
    if (id >= rows * columns)
        return;
    int first = id / per_group * group, size = min(rows - first, group);
    int row = first + id % per_group % size, column = id % per_group / size;
    float sum = 0;
    for (int k = 0; k <= row; k++)
        sum += out[(k + column) & 63];
    if (column > row)
        sum += 1;
    out[GLOBAL_INDEX] = sum;
}

extern "C" __global__ void launch_arithmetic(float *out, int n)
{
    int each = (n + gridDim.x - 1) / gridDim.x, first = blockIdx.x * each;
    int last = min(first + each, n);
    for (int i = first + threadIdx.x; i < last; i += blockDim.x)
        out[i] += 1;
    if (threadIdx.x < blockDim.x / 3 && blockIdx.x != gridDim.x - 1)
        out[threadIdx.x] = 2;
}

extern "C" __global__ void bound_by_a_loop(float *out, int n)
{
    int count = 0;
    for (int i = threadIdx.x; i < n; i += 3)
        count++;
    int log = 0;
    for (int m = n; m > 1; m >>= 1)
        log++;
    float sum = 0;
    for (int i = 0; i < count + log; i++)
        sum += out[i & 63];
    out[GLOBAL_INDEX] = sum;
}

extern "C" __global__ void ping_pong(float *out, int n)
{
    __shared__ float buffers[2][64];
    int now = 0;
    buffers[0][threadIdx.x] = out[GLOBAL_INDEX];
    for (int d = 1; d < n; d *= 2) {
        __syncthreads();
        float v = buffers[now][threadIdx.x];
        if ((int)threadIdx.x >= d)
            v += buffers[now][threadIdx.x - d];
        now = 1 - now;
        buffers[now][threadIdx.x] = v;
    }
    out[GLOBAL_INDEX] = buffers[now][threadIdx.x];
}

extern "C" __global__ void jumps(float *out, int n, int m)
{
    int i = threadIdx.x;
    float sum = 0;
    if (i >= n)
        goto end;
again:
    sum += out[i & 63];
    i += 2;
    if (i % 4 == 3)
        goto middle;
    sum *= 2;
middle:
    if (i > m)
        goto end;
    if (i < n)
        goto again;
    sum -= 1;
end:
    out[GLOBAL_INDEX] = sum;
}

extern "C" __global__ void two_exits(float *out, int n, int m)
{
    float sum = 0;
    int i = 0;
    while (1) {
        sum += out[i & 63];
        if (i >= n - (int)threadIdx.x)
            break;
        i += 2;
        if (i >= m) {
            sum = 0;
            break;
        }
    }
    for (int j = 0; j < i; j++)
        sum += out[j & 63];
    out[GLOBAL_INDEX] = sum;
}

extern "C" __global__ void float_arguments(float *out, float alpha, float beta, double gamma)
{
    int i = GLOBAL_INDEX;
    float v = out[i];
    if (beta == 0.0f)
        v = alpha;
    else
        v = alpha * v + beta;
    if (alpha < 2.0f && threadIdx.x < 5)
        out[i + 64] = v;
    if (gamma != 1.0 || beta > 0.25f)
        v *= (float)gamma;
    out[i] = v;
}

extern "C" __global__ void flags(float *out, bool doubled, bool shifted, unsigned char level)
{
    int i = GLOBAL_INDEX;
    if (doubled)
        out[i] *= 2;
    if (shifted && !doubled)
        out[i] += 1;
    for (int k = 0; k < level; k++)
        out[k & 63] -= 1;
}

extern "C" __global__ void takes_structure(float *out, struct window w)
{
    float sum = 0;
    for (int i = w.first + (int)threadIdx.x; i <= w.last; i += w.step)
        sum += out[i & 63];
    if (w.mirrored)
        sum = -sum;
    if (w.scale > 0.5f)
        sum *= w.scale;
    out[GLOBAL_INDEX] = sum;
}

__device__ __noinline__ float partial(const float *at, int first, int last, int step)
{
    float sum = 0;
    for (int i = first; i < last; i += step)
        sum += at[i & 63];
    return sum;
}

__device__ __noinline__ int share(int n, int parts, int which)
{
    return which < n % parts ? n / parts + 1 : n / parts;
}

extern "C" __global__ void calls(float *out, int n)
{
    int mine = share(n, blockDim.x, threadIdx.x);
    float sum = partial(out, 0, mine, 1);
    if (threadIdx.x & 1)
        sum += partial(out, threadIdx.x, n, 3);
    out[GLOBAL_INDEX] = sum;
}

extern "C" __global__ void __launch_bounds__(64, 2) volatile_shared(float *out, int n)
{
    __shared__ volatile float values[64];
    int t = threadIdx.x;
    values[t] = out[GLOBAL_INDEX];
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d >>= 1) {
        if (t < d)
            values[t] = values[t] + values[t + d];
        __syncthreads();
    }
    if (t == 0)
        for (int i = 0; i < n; i++)
            out[i & 63] = values[0];
}

extern "C" __global__ void warp_shuffles(float *out, int n)
{
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    float v = out[GLOBAL_INDEX];
    for (int d = 16; d > 0; d >>= 1)
        v += __shfl_down_sync(0xffffffffu, v, d);
    if (lane == 0)
        out[warp] = v;
    for (int d = 1; d < 32; d <<= 1) {
        float other = __shfl_up_sync(0xffffffffu, v, d);
        if (lane >= d)
            v += other;
    }
    if (warp == n % 2)
        out[GLOBAL_INDEX] = v;
}

extern "C" __global__ void dynamic_rows(float *out, int rows, int columns)
{
    extern __shared__ float tile[];
    for (int i = threadIdx.x; i < rows * columns; i += blockDim.x)
        tile[i] = out[i & 63];
    __syncthreads();
    float sum = 0;
    for (int r = 0; r < rows; r++)
        if ((int)threadIdx.x < columns)
            sum += tile[r * columns + threadIdx.x];
    out[GLOBAL_INDEX] = sum;
}

extern "C" __global__ void unrolled_remainder(float *out, int n)
{
    float sum = 0;
#pragma unroll 4
    for (int i = threadIdx.x; i < n; i++)
        sum = sum * 0.5f + out[i & 63];
#pragma unroll 8
    for (int i = n; i > (int)blockIdx.x; i -= 2)
        sum = sum * 0.5f + out[i & 63];
    out[GLOBAL_INDEX] = sum;
}

extern "C" __global__ void tiled_remainder(float *out, int n, int tile)
{
    float sum = 0;
    for (int t = 0; t < n; t += tile)
        for (int i = t; i < min(t + tile, n); i++)
            sum += out[(i + threadIdx.x) & 63];
    out[GLOBAL_INDEX] = sum;
}

extern "C" __global__ void butterfly(float *out, int bits)
{
    int i = GLOBAL_INDEX;
    for (int stage = 0; stage < bits; stage++) {
        int partner = i ^ (1 << stage);
        if (partner > i)
            out[i & 63] += 1;
        __syncthreads();
    }
}

/* `computed` is unset when there is no round: compilers leave its register so. */
extern "C" __global__ void unset_without_rounds(float *out, int rounds, int width)
{
    __shared__ float row[64];
    __shared__ float next[64];
    int x = threadIdx.x;
    if (GLOBAL_INDEX < width)
        row[x] = out[GLOBAL_INDEX];
    __syncthreads();
    bool computed;
    for (int i = 0; i < rounds; i++) {
        computed = false;
        if (x > i && x < 63 - i) {
            computed = true;
            next[x] = row[x - 1] + row[x + 1];
        }
        __syncthreads();
        if (i == rounds - 1)
            break;
        if (computed)
            row[x] = next[x];
        __syncthreads();
    }
    if (computed)
        out[GLOBAL_INDEX] = next[x];
}

/* Three places that a ring of pointers goes through, equally far from each other. */
extern "C" __global__ void turning_places(float *out, int n, int first, int apart)
{
    int before = first, now = first + apart, after = first + 2 * apart;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < now; j++)
            out[(before + j + threadIdx.x) & 63] += 1;
        __syncthreads();
        int turn = before;
        before = now;
        now = after;
        after = turn;
    }
}

/* Four numbers that change places, as they come. */
extern "C" __global__ void turning_numbers(float *out, int a, int b, int c, int d, int n)
{
#pragma unroll 1
    for (int i = threadIdx.x & 7; i < n; i++) {
        for (int j = c; j < d; j++)
            out[j & 63] += a;
        int turn = a;
        a = d;
        d = b;
        b = c;
        c = turn;
    }
}
