/* Searches by vectors: codes of parts of vectors, the best of rows. */
/* Distances of codes of 16 parts, tables in shared memory: a block a list, eight codes a thread and turn. */
extern "C" __global__ void __launch_bounds__(256) scan_codes(const uint4 *__restrict__ codes, const float *__restrict__ tables, float *__restrict__ distances, int count)
{
    __shared__ float table[16 * 256];
    for (int i = threadIdx.x; i < 4096; i += 256)
        table[i] = tables[blockIdx.y * 4096 + i];
    __syncthreads();
    for (int c = blockIdx.x * 256 + threadIdx.x; c < count; c += gridDim.x * 256) {
        const uint4 code = codes[c];
        const unsigned part[4] = {code.x, code.y, code.z, code.w};
        float sum = 0.0f;
#pragma unroll
        for (int p = 0; p < 16; p++)
            sum += table[p * 256 + (part[p / 4] >> 8 * (p % 4) & 255)];
        distances[(long long)blockIdx.y * count + c] = sum;
    }
}

/* The 64 best of rows of 1024 scores: a bitonic order in shared memory, keys with their places. */
extern "C" __global__ void __launch_bounds__(256) best_of_1024(const float *__restrict__ scores, float *__restrict__ best, int *__restrict__ places)
{
    __shared__ float key[1024];
    __shared__ short place[1024];
    const long long row = blockIdx.x;
    for (int i = threadIdx.x; i < 1024; i += 256) {
        key[i] = scores[row * 1024 + i];
        place[i] = i;
    }
    for (int size = 2; size <= 1024; size *= 2)
        for (int step = size / 2; step; step /= 2) {
            __syncthreads();
            for (int t = threadIdx.x; t < 512; t += 256) {
                const int low = 2 * t - (t & (step - 1)), high = low + step;
                const bool down = (low & size) == 0;
                const float a = key[low], b = key[high];
                if ((a < b) == down) {
                    key[low] = b;
                    key[high] = a;
                    const short p = place[low];
                    place[low] = place[high];
                    place[high] = p;
                }
            }
        }
    __syncthreads();
    if (threadIdx.x < 64) {
        best[row * 64 + threadIdx.x] = key[threadIdx.x];
        places[row * 64 + threadIdx.x] = place[threadIdx.x];
    }
}
