/* Dynamic programming, sums, transforms. */

/* Cheapest paths downwards, `steps` rows a launch. */
extern "C" __global__ void cheapest_paths(const int *wall, const int *from, int *to, int columns, int first, int steps)
{
    __shared__ int previous[256], current[256];
    int t = threadIdx.x, x = blockIdx.x * (256 - 2 * steps) + t - steps;
    bool inside = x >= 0 && x < columns;
    previous[t] = inside ? from[x] : 1 << 30;
    __syncthreads();
    bool done = false;
    for (int s = 0; s < steps; s++) {
        done = t > s && t < 255 - s && inside;
        if (done) {
            int left = previous[x > 0 ? t - 1 : t], up = previous[t], right = previous[x < columns - 1 ? t + 1 : t];
            current[t] = min(min(left, up), right) + wall[columns * (first + s) + x];
        }
        __syncthreads();
        if (done)
            previous[t] = current[t];
        __syncthreads();
    }
    if (done)
        to[x] = current[t];
}

/* One diagonal of blocks of an alignment table, 32 x 32 cells a block by one warp. */
extern "C" __global__ void alignment_diagonal(const int *scores, int *table, int columns, int penalty, int diagonal)
{
    __shared__ int cell[33][33], score[32][32];
    int t = threadIdx.x, bx = blockIdx.x, by = diagonal - 1 - bx;
    int base = columns * 32 * by + 32 * bx;
    for (int i = 0; i < 32; i++)
        score[i][t] = scores[base + columns * (i + 1) + t + 1];
    cell[t + 1][0] = table[base + columns * (t + 1)];
    cell[0][t + 1] = table[base + t + 1];
    if (t == 0)
        cell[0][0] = table[base];
    __syncthreads();
    for (int m = 0; m < 63; m++) {
        int y = t + 1, x = m - t + 1;
        if (x >= 1 && x <= 32)
            cell[y][x] = max(max(cell[y - 1][x - 1] + score[y - 1][x - 1], cell[y][x - 1] - penalty), cell[y - 1][x] - penalty);
        __syncthreads();
    }
    for (int i = 0; i < 32; i++)
        table[base + columns * (i + 1) + t + 1] = cell[i + 1][t + 1];
}

extern "C" __global__ void block_sums(const double *in, double *out, int n)
{
    extern __shared__ double part[];
    int t = threadIdx.x;
    double s = 0;
    for (int i = blockIdx.x * blockDim.x * 2 + t; i < n; i += blockDim.x * 2 * gridDim.x) {
        s += in[i];
        if (i + blockDim.x < n)
            s += in[i + blockDim.x];
    }
    part[t] = s;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d >>= 1) {
        if (t < d)
            part[t] += part[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

/* Layers of a network: weights of 16 inputs by 16 units a block, and their sums. */
extern "C" __global__ void layer_forward(const float *input, const float *weights, float *sums, int hidden)
{
    __shared__ float node[16], w[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, by = blockIdx.y;
    int index = (hidden + 1) * 16 * by + (hidden + 1) * ty + tx + 1 + hidden + 1;
    if (tx == 0)
        node[ty] = input[16 * by + ty + 1];
    __syncthreads();
    w[ty][tx] = weights[index] * node[ty];
    __syncthreads();
    for (int i = 1; i <= 4; i++) {
        int d = 1 << i;
        if (ty % d == 0)
            w[ty][tx] += w[ty + d / 2][tx];
        __syncthreads();
    }
    if (tx == 0)
        sums[by * hidden + ty] = w[tx][ty];
}

extern "C" __global__ void adjust_weights(const float *delta, const float *layer, float *w, float *old, int hidden)
{
    int tx = threadIdx.x, ty = threadIdx.y, by = blockIdx.y;
    int index = (hidden + 1) * 16 * by + (hidden + 1) * ty + tx + 1 + hidden + 1;
    w[index] += 0.3f * delta[tx + 1] * layer[16 * by + ty + 1] + 0.3f * old[index];
    old[index] = 0.3f * delta[tx + 1] * layer[16 * by + ty + 1] + 0.3f * old[index];
}

/* A transform of 512 points by 64 threads: eight points a thread, through shared memory twice. */
__device__ static void butterfly8(float2 *v)
{
    for (int h = 4; h > 0; h >>= 1)
        for (int i = 0; i < 8; i++)
            if (!(i & h)) {
                float2 a = v[i], b = v[i + h];
                v[i] = make_float2(a.x + b.x, a.y + b.y);
                v[i + h] = make_float2(a.x - b.x, a.y - b.y);
            }
}

extern "C" __global__ void transform512(const float2 *in, float2 *out)
{
    __shared__ float re[8 * 72], im[8 * 72];
    int t = threadIdx.x, low = t & 7, high = t >> 3;
    const float2 *from = in + blockIdx.x * 512 + t;
    float2 v[8];
#pragma unroll
    for (int i = 0; i < 8; i++)
        v[i] = from[i * 64];
#pragma unroll
    for (int pass = 0; pass < 2; pass++) {
        butterfly8(v);
        float angle = -6.2831853f * (pass ? low : t) / (pass ? 64.0f : 512.0f);
#pragma unroll
        for (int i = 1; i < 8; i++) {
            float s, c;
            __sincosf(angle * i, &s, &c);
            v[i] = make_float2(v[i].x * c - v[i].y * s, v[i].x * s + v[i].y * c);
        }
        int to = pass ? high * 72 + low : t, step = pass ? 8 : 72, back = pass ? high * 72 + low * 8 : high * 72 + low, hop = pass ? 1 : 8;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 8; i++) {
            re[to + i * step] = v[i].x;
            im[to + i * step] = v[i].y;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 8; i++)
            v[i] = make_float2(re[back + i * hop], im[back + i * hop]);
    }
    butterfly8(v);
#pragma unroll
    for (int i = 0; i < 8; i++)
        out[blockIdx.x * 512 + t + i * 64] = v[i];
}
