/* What blocks do together: the end of a bitonic sort, and running sums of rows. */

/* All passes of a merge that fit 1024 keys in shared memory; `phase` is the length of the runs that come out. */
extern "C" __global__ void __launch_bounds__(512) bitonic_merge_tail(float *__restrict__ keys, unsigned phase)
{
    __shared__ float s[1024];
    const unsigned t = threadIdx.x, first = blockIdx.x * 1024u;
    s[t] = keys[first + t];
    s[t + 512] = keys[first + t + 512];
#pragma unroll 1
    for (unsigned stride = 512; stride > 0; stride >>= 1) {
        __syncthreads();
        const unsigned low = 2 * t - (t & (stride - 1)), high = low + stride;
        const float a = s[low], b = s[high], least = fminf(a, b), most = fmaxf(a, b);
        const bool down = (first + low & phase) != 0;
        s[low] = down ? most : least;
        s[high] = down ? least : most;
    }
    __syncthreads();
    keys[first + t] = s[t];
    keys[first + t + 512] = s[t + 512];
}

template <int THREADS> struct RunningSum {
    int partial[THREADS / 32];

    /* The sum of those before, and in `total` of all. */
    __device__ __forceinline__ int before(int mine, int &total)
    {
        const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
        int sum = mine;
#pragma unroll
        for (int d = 1; d < 32; d *= 2) {
            const int other = __shfl_up_sync(0xffffffffu, sum, d);
            if (lane >= d)
                sum += other;
        }
        if (lane == 31)
            partial[warp] = sum;
        __syncthreads();
        int ahead = 0;
        total = 0;
#pragma unroll
        for (int w = 0; w < THREADS / 32; w++) {
            ahead += w < warp ? partial[w] : 0;
            total += partial[w];
        }
        __syncthreads();
        return ahead + sum - mine;
    }
};

/* A block a row: tiles of 1024 numbers, what came before is carried. */
extern "C" __global__ void __launch_bounds__(256) scan_rows(const int4 *__restrict__ in, int4 *__restrict__ out, int quads)
{
    __shared__ RunningSum<256> sums;
    const size_t row = (size_t)blockIdx.x * quads;
    int carry = 0;
    for (int c = threadIdx.x; c < quads; c += blockDim.x) {
        int4 v = in[row + c];
        v.y += v.x;
        v.z += v.y;
        v.w += v.z;
        int total;
        const int ahead = carry + sums.before(v.w, total);
        carry += total;
        out[row + c] = make_int4(v.x + ahead, v.y + ahead, v.z + ahead, v.w + ahead);
    }
}
