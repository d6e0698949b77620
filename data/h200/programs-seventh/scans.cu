/* Running sums: the work-efficient tree of the textbook, and one pass with tiles that look back. */
#define LOG_BANKS 5
#define AVOID_CONFLICTS(n) ((n) >> LOG_BANKS)

extern "C" __global__ void blelloch_exclusive(float *out, const float *in, float *block_totals)
{
    __shared__ float temp[1024 + (1024 >> LOG_BANKS)];
    const int n = 1024, thid = threadIdx.x;
    const int base = blockIdx.x * n;
    int ai = thid, bi = thid + n / 2;
    temp[ai + AVOID_CONFLICTS(ai)] = in[base + ai];
    temp[bi + AVOID_CONFLICTS(bi)] = in[base + bi];
    int offset = 1;
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (thid < d) {
            int a = offset * (2 * thid + 1) - 1, b = offset * (2 * thid + 2) - 1;
            a += AVOID_CONFLICTS(a);
            b += AVOID_CONFLICTS(b);
            temp[b] += temp[a];
        }
        offset *= 2;
    }
    if (thid == 0) {
        block_totals[blockIdx.x] = temp[n - 1 + AVOID_CONFLICTS(n - 1)];
        temp[n - 1 + AVOID_CONFLICTS(n - 1)] = 0;
    }
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (thid < d) {
            int a = offset * (2 * thid + 1) - 1, b = offset * (2 * thid + 2) - 1;
            a += AVOID_CONFLICTS(a);
            b += AVOID_CONFLICTS(b);
            float t = temp[a];
            temp[a] = temp[b];
            temp[b] += t;
        }
    }
    __syncthreads();
    out[base + ai] = temp[ai + AVOID_CONFLICTS(ai)];
    out[base + bi] = temp[bi + AVOID_CONFLICTS(bi)];
}

/* Tiles of 2048 numbers in the order in which blocks start; states are told apart by the launch, so that nothing is
   cleared between launches.  A state: 2 bits, 30 bits of the launch, and the sum. */
constexpr unsigned long long OWN = 1ull << 62, ALL = 2ull << 62;

__device__ __forceinline__ unsigned long long packed(unsigned long long state, unsigned launch, int sum)
{
    return state | (unsigned long long)(launch & 0x3fffffff) << 32 | (unsigned)sum;
}

extern "C" __global__ void __launch_bounds__(256) scan_lookback(const int4 *__restrict__ in, int4 *__restrict__ out, unsigned long long *states, unsigned *ticket)
{
    __shared__ int warp_sums[8];
    __shared__ unsigned taken;
    __shared__ int before;
    if (threadIdx.x == 0)
        taken = atomicAdd(ticket, 1);
    __syncthreads();
    const unsigned tile = taken % gridDim.x, launch = taken / gridDim.x;
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const size_t at = (size_t)tile * 512 + threadIdx.x * 2;
    int4 a = in[at], b = in[at + 1];
    a.y += a.x, a.z += a.y, a.w += a.z;
    b.x += a.w, b.y += b.x, b.z += b.y, b.w += b.z;
    int sum = b.w;
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        const int left = __shfl_up_sync(~0u, sum, d);
        if (lane >= d)
            sum += left;
    }
    if (lane == 31)
        warp_sums[warp] = sum;
    __syncthreads();
    int total = 0, base = 0;
#pragma unroll
    for (int w = 0; w < 8; w++) {
        if (w == warp)
            base = total;
        total += warp_sums[w];
    }
    if (warp == 0) {
        if (lane == 0)
            atomicExch(&states[tile], packed(tile ? OWN : ALL, launch, total));
        int prefix = 0;
        int look = (int)tile - 1;
        while (look >= 0) {
            const int mine = look - lane;
            unsigned long long s = ALL;
            if (mine >= 0)
                do
                    s = *(volatile unsigned long long *)&states[mine];
                while (s < OWN || ((unsigned)(s >> 32) & 0x3fffffff) != launch);
            const unsigned whole = __ballot_sync(~0u, s >= ALL);
            const int until = whole ? __ffs(whole) - 1 : 31;
            prefix += __reduce_add_sync(~0u, mine >= 0 && lane <= until ? (int)(unsigned)s : 0);
            if (whole)
                break;
            look -= 32;
        }
        if (lane == 0) {
            atomicExch(&states[tile], packed(ALL, launch, prefix + total));
            before = prefix;
        }
    }
    __syncthreads();
    const int add = before + base + sum - b.w;
    a.x += add, a.y += add, a.z += add, a.w += add;
    b.x += add, b.y += add, b.z += add, b.w += add;
    out[at] = a;
    out[at + 1] = b;
}
