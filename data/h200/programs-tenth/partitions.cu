/* Data bases: rows to partitions, dates and decimals, sums of segments. */

/* Rows to 256 partitions through shared memory: counts of a tile, one reservation a partition, then rows. */
extern "C" __global__ void __launch_bounds__(256) partition_rows(const unsigned *__restrict__ keys, const unsigned *__restrict__ payload, unsigned *__restrict__ cursors, uint2 *__restrict__ out, int n, int room)
{
    __shared__ unsigned count[256], base[256];
    const int begin = blockIdx.x * 2048;
    count[threadIdx.x] = 0;
    __syncthreads();
    unsigned key[8], place[8];
#pragma unroll
    for (int k = 0; k < 8; k++) {
        const int i = begin + k * 256 + threadIdx.x;
        if (i < n) {
            key[k] = keys[i];
            place[k] = atomicAdd(&count[(key[k] * 2654435769u) >> 24], 1u);
        }
    }
    __syncthreads();
    base[threadIdx.x] = atomicAdd(&cursors[threadIdx.x], count[threadIdx.x]);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; k++) {
        const int i = begin + k * 256 + threadIdx.x;
        if (i < n) {
            const unsigned p = (key[k] * 2654435769u) >> 24;
            out[(unsigned long long)p * room + (base[p] + place[k]) % room] = make_uint2(key[k], payload[i]);
        }
    }
}

/* Days since 1970 to year, month and day, and the fiscal quarter: four rows a thread. */
extern "C" __global__ void civil_dates(const int4 *__restrict__ days, uint4 *__restrict__ packed, int quads)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= quads)
        return;
    const int4 d = days[i];
    int one[4] = {d.x, d.y, d.z, d.w};
    unsigned out[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const int z = one[k] + 719468, era = (z >= 0 ? z : z - 146096) / 146097;
        const unsigned doe = z - era * 146097, yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
        const unsigned doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153, day = doy - (153 * mp + 2) / 5 + 1;
        const unsigned month = mp < 10 ? mp + 3 : mp - 9, year = yoe + era * 400 + (month <= 2);
        out[k] = year << 16 | ((month + 8) / 3 % 4) << 12 | month << 8 | day;
    }
    packed[i] = make_uint4(out[0], out[1], out[2], out[3]);
}

/* Decimals of 128 bits: a price of 64 bits times a discount, summed in 128 bits by blocks that stride. */
extern "C" __global__ void __launch_bounds__(256) sum_of_decimals(const long long *__restrict__ price, const int *__restrict__ discount, unsigned long long *__restrict__ sums, int n)
{
    __shared__ unsigned long long low[256], high[256];
    unsigned long long lo = 0, hi = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
        const long long a = price[i];
        const long long b = 10000 - discount[i];
        const unsigned long long l = (unsigned long long)a * (unsigned long long)b, h = __mul64hi(a, b);
        lo += l;
        hi += h + (lo < l);
    }
    low[threadIdx.x] = lo;
    high[threadIdx.x] = hi;
    for (int d = 128; d; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d) {
            const unsigned long long l = low[threadIdx.x + d];
            low[threadIdx.x] += l;
            high[threadIdx.x] += high[threadIdx.x + d] + (low[threadIdx.x] < l);
        }
    }
    if (threadIdx.x == 0) {
        sums[2 * blockIdx.x] = low[0];
        sums[2 * blockIdx.x + 1] = high[0];
    }
}
