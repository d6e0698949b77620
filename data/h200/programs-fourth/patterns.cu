/* Images, ciphers, models of sequences, neighbours and geometry. */

/* The least byte within a disk, pixels outside left out. */
extern "C" __global__ void erode_disk(const unsigned char *in, unsigned char *out, int width, int height, int radius)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int least = 255;
    for (int dy = -radius; dy <= radius; dy++) {
        if (y + dy < 0 || y + dy >= height)
            continue;
        for (int dx = -radius; dx <= radius; dx++) {
            if (dx * dx + dy * dy > radius * radius || x + dx < 0 || x + dx >= width)
                continue;
            least = min(least, (int)in[(y + dy) * width + x + dx]);
        }
    }
    out[y * width + x] = least;
}

/* Ten rounds of a block cipher by four tables in shared memory, a thread 16 bytes. */
extern "C" __global__ void cipher_rounds(const uint4 *text, const unsigned *tables, const unsigned *key, uint4 *cipher, int blocks)
{
    __shared__ unsigned t0[256], t1[256], t2[256], t3[256];
    t0[threadIdx.x] = tables[threadIdx.x];
    t1[threadIdx.x] = tables[threadIdx.x + 256];
    t2[threadIdx.x] = tables[threadIdx.x + 512];
    t3[threadIdx.x] = tables[threadIdx.x + 768];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= blocks)
        return;
    uint4 s = text[i];
    s.x ^= key[0];
    s.y ^= key[1];
    s.z ^= key[2];
    s.w ^= key[3];
    for (int round = 1; round <= 10; round++) {
        uint4 n;
        n.x = t0[s.x >> 24] ^ t1[s.y >> 16 & 255] ^ t2[s.z >> 8 & 255] ^ t3[s.w & 255] ^ key[round * 4];
        n.y = t0[s.y >> 24] ^ t1[s.z >> 16 & 255] ^ t2[s.w >> 8 & 255] ^ t3[s.x & 255] ^ key[round * 4 + 1];
        n.z = t0[s.z >> 24] ^ t1[s.w >> 16 & 255] ^ t2[s.x >> 8 & 255] ^ t3[s.y & 255] ^ key[round * 4 + 2];
        n.w = t0[s.w >> 24] ^ t1[s.x >> 16 & 255] ^ t2[s.y >> 8 & 255] ^ t3[s.z & 255] ^ key[round * 4 + 3];
        s = n;
    }
    cipher[i] = s;
}

/* Forward pass of a hidden Markov model of 96 states, a block a sequence, its transitions in shared memory. */
extern "C" __global__ void hidden_states(const float *transition, const float *likelihood, float *evidence, int length)
{
    __shared__ float a[96 * 96], alpha[96], part[3];
    int s = threadIdx.x;
    for (int i = s; i < 96 * 96; i += 96)
        a[i] = transition[i];
    alpha[s] = 1.0f / 96;
    __syncthreads();
    float total = 0;
    for (int t = 0; t < length; t++) {
        float sum = 0;
        for (int from = 0; from < 96; from++)
            sum += alpha[from] * a[from * 96 + s];
        sum *= likelihood[((size_t)blockIdx.x * length + t) * 96 + s];
        float warp = sum;
        for (int o = 16; o > 0; o >>= 1)
            warp += __shfl_xor_sync(0xffffffff, warp, o);
        if (s % 32 == 0)
            part[s / 32] = warp;
        __syncthreads();
        float all = part[0] + part[1] + part[2];
        alpha[s] = sum / all;
        total += logf(all);
        __syncthreads();
    }
    if (s == 0)
        evidence[blockIdx.x] = total;
}

/* Eight nearest points of each query, kept in order by insertion; points by tiles in shared memory. */
extern "C" __global__ void nearest_eight(const float *queries, const float *points, int *nearest, int query_count, int point_count)
{
    __shared__ float tile[3][128];
    int q = blockIdx.x * 128 + threadIdx.x;
    bool alive = q < query_count;
    float x = alive ? queries[3 * q] : 0, y = alive ? queries[3 * q + 1] : 0, z = alive ? queries[3 * q + 2] : 0, best[8];
    int id[8];
    for (int k = 0; k < 8; k++) {
        best[k] = 1e30f;
        id[k] = -1;
    }
    for (int from = 0; from < point_count; from += 128) {
        for (int d = 0; d < 3; d++)
            tile[d][threadIdx.x] = points[3 * (from + threadIdx.x) + d];
        __syncthreads();
        for (int k = 0; k < 128; k++) {
            float dx = tile[0][k] - x, dy = tile[1][k] - y, dz = tile[2][k] - z, r = dx * dx + dy * dy + dz * dz;
            if (r < best[7]) {
                best[7] = r;
                id[7] = from + k;
#pragma unroll
                for (int j = 7; j > 0; j--)
                    if (best[j] < best[j - 1]) {
                        float f = best[j];
                        best[j] = best[j - 1];
                        best[j - 1] = f;
                        int i = id[j];
                        id[j] = id[j - 1];
                        id[j - 1] = i;
                    }
            }
        }
        __syncthreads();
    }
    if (alive)
        for (int k = 0; k < 8; k++)
            nearest[q * 8 + k] = id[k];
}

/* The median of 5 x 5 pixels with clamped borders, by sorting half of them in registers. */
extern "C" __global__ void median_five(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float v[25];
#pragma unroll
    for (int dy = 0; dy < 5; dy++)
#pragma unroll
        for (int dx = 0; dx < 5; dx++)
            v[dy * 5 + dx] = in[min(max(y + dy - 2, 0), height - 1) * width + min(max(x + dx - 2, 0), width - 1)];
#pragma unroll
    for (int i = 0; i < 13; i++)
#pragma unroll
        for (int j = i + 1; j < 25; j++) {
            float low = fminf(v[i], v[j]), high = fmaxf(v[i], v[j]);
            v[i] = low;
            v[j] = high;
        }
    out[y * width + x] = v[12];
}

/* Points in a polygon, by the crossings of a ray. */
extern "C" __global__ void inside_polygon(const float2 *points, const float2 *corner, int *inside, int n, int corners)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float2 p = points[i];
    int in = 0;
    for (int a = 0, b = corners - 1; a < corners; b = a++)
        if ((corner[a].y > p.y) != (corner[b].y > p.y) &&
            p.x < (corner[b].x - corner[a].x) * (p.y - corner[a].y) / (corner[b].y - corner[a].y) + corner[a].x)
            in = !in;
    inside[i] = in;
}

/* Leaves of a complete binary tree of boxes that rays meet, without a stack. */
extern "C" __global__ void rays_and_boxes(const float4 *from, const float4 *size, const float *origin, const float *direction, int *met, int rays, int nodes)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rays)
        return;
    float ox = origin[r], oy = origin[rays + r], oz = origin[2 * rays + r];
    float ix = 1.0f / direction[r], iy = 1.0f / direction[rays + r], iz = 1.0f / direction[2 * rays + r];
    int node = 0, found = 0;
    for (;;) {
        float4 a = from[node], s = size[node];
        float x0 = (a.x - ox) * ix, x1 = (a.x + s.x - ox) * ix, y0 = (a.y - oy) * iy, y1 = (a.y + s.y - oy) * iy, z0 = (a.z - oz) * iz, z1 = (a.z + s.z - oz) * iz;
        float near = fmaxf(fmaxf(fminf(x0, x1), fminf(y0, y1)), fmaxf(fminf(z0, z1), 0.0f));
        float far = fminf(fminf(fmaxf(x0, x1), fmaxf(y0, y1)), fmaxf(z0, z1));
        bool leaf = node >= nodes / 2;
        if (near <= far && !leaf) {
            node = 2 * node + 1;
            continue;
        }
        if (near <= far)
            found++;
        while (node > 0 && node % 2 == 0)
            node = (node - 1) / 2;
        if (node == 0)
            break;
        node++;
    }
    met[r] = found;
}
