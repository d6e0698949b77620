/* Primitives in the style of libraries for devices. */

template <int ITEMS>
struct FlaggedSum {
    float value;
    int flag;
    __device__ static FlaggedSum combine(FlaggedSum a, FlaggedSum b) { return {b.flag ? b.value : a.value + b.value, a.flag | b.flag}; }
};

/* Running sums that start anew at heads, of a tile of 1024. */
extern "C" __global__ void __launch_bounds__(256) segmented_scan(const float4 *__restrict__ in, const uchar4 *__restrict__ heads, float4 *__restrict__ out, float *__restrict__ carry, int *__restrict__ carry_flag,
                                                                 int quads)
{
    using Item = FlaggedSum<4>;
    __shared__ float warp_value[8];
    __shared__ int warp_flag[8];
    const int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float4 v = make_float4(0, 0, 0, 0);
    uchar4 h = make_uchar4(0, 0, 0, 0);
    if (i < quads) {
        v = in[i];
        h = heads[i];
    }
    Item item[4] = {{v.x, h.x & 1}, {v.y, h.y & 1}, {v.z, h.z & 1}, {v.w, h.w & 1}};
#pragma unroll
    for (int k = 1; k < 4; k++)
        item[k] = Item::combine(item[k - 1], item[k]);
    Item total = item[3];
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        const Item before = {__shfl_up_sync(0xffffffff, total.value, d), __shfl_up_sync(0xffffffff, total.flag, d)};
        if (lane >= d)
            total = Item::combine(before, total);
    }
    if (lane == 31) {
        warp_value[warp] = total.value;
        warp_flag[warp] = total.flag;
    }
    Item before = {__shfl_up_sync(0xffffffff, total.value, 1), __shfl_up_sync(0xffffffff, total.flag, 1)};
    if (lane == 0)
        before = {0.0f, 0};
    __syncthreads();
    Item warps = {0.0f, 0}, all = {0.0f, 0};
#pragma unroll
    for (int w = 0; w < 8; w++) {
        if (w == warp)
            warps = all;
        all = Item::combine(all, {warp_value[w], warp_flag[w]});
    }
    before = Item::combine(warps, before);
#pragma unroll
    for (int k = 0; k < 4; k++)
        item[k] = Item::combine(before, item[k]);
    if (i < quads)
        out[i] = make_float4(item[0].value, item[1].value, item[2].value, item[3].value);
    if (threadIdx.x == 0) {
        carry[blockIdx.x] = all.value;
        carry_flag[blockIdx.x] = all.flag;
    }
}

struct ArgMin {
    float value;
    int key;
};

__device__ __forceinline__ ArgMin lesser(ArgMin a, ArgMin b)
{
    return b.value < a.value || (b.value == a.value && b.key < a.key) ? b : a;
}

/* The least of a tile of 4096 and where it is, sixteen items a thread. */
extern "C" __global__ void __launch_bounds__(256) argmin_items(const float4 *d_in, float *d_value, int *d_key, int num_quads)
{
    __shared__ ArgMin partials[8];
    const int tile = blockIdx.x * 1024;
    ArgMin best = {3.402823466e+38f, 2147483647};
    float4 items[4];
    if (tile + 1024 <= num_quads) {
#pragma unroll
        for (int i = 0; i < 4; i++)
            items[i] = d_in[tile + i * 256 + threadIdx.x];
    } else {
#pragma unroll
        for (int i = 0; i < 4; i++)
            items[i] = tile + i * 256 + threadIdx.x < num_quads ? d_in[tile + i * 256 + threadIdx.x] : make_float4(3e38f, 3e38f, 3e38f, 3e38f);
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int key = 4 * (tile + i * 256 + threadIdx.x);
        best = lesser(best, {items[i].x, key});
        best = lesser(best, {items[i].y, key + 1});
        best = lesser(best, {items[i].z, key + 2});
        best = lesser(best, {items[i].w, key + 3});
    }
#pragma unroll
    for (int o = 16; o > 0; o >>= 1)
        best = lesser(best, {__shfl_down_sync(0xffffffff, best.value, o), __shfl_down_sync(0xffffffff, best.key, o)});
    if (threadIdx.x % 32 == 0)
        partials[threadIdx.x / 32] = best;
    __syncthreads();
    if (threadIdx.x == 0) {
#pragma unroll
        for (int w = 1; w < 8; w++)
            best = lesser(best, partials[w]);
        d_value[blockIdx.x] = best.value;
        d_key[blockIdx.x] = best.key;
    }
}

/* Samples counted between levels that a search by halves finds; a histogram a block first. */
extern "C" __global__ void histogram_range(const float *__restrict__ samples, const int *__restrict__ d_levels, int *__restrict__ histogram, int n, int num_levels, float unit)
{
    extern __shared__ int bins[];
    float *levels = (float *)(bins + num_levels);
    for (int i = threadIdx.x; i < num_levels; i += blockDim.x) {
        bins[i] = 0;
        levels[i] = d_levels[i] * unit;
    }
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const float sample = samples[i];
        int low = 0, count = num_levels;
        while (count > 0) {
            const int half = count >> 1;
            if (sample < levels[low + half])
                count = half;
            else {
                low += half + 1;
                count -= half + 1;
            }
        }
        if (low > 0 && low < num_levels)
            atomicAdd(&bins[low - 1], 1);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < num_levels - 1; i += blockDim.x)
        if (bins[i])
            atomicAdd(&histogram[i], bins[i]);
}
