/* Compression: numbers asymmetrically coded, fields by what neighbours predict. */

/* Streams of interleaved rANS: a warp a stream, a state a lane, words shared in the order of lanes; tables of 4096 in shared memory. */
extern "C" __global__ void __launch_bounds__(256) decode_rans(const unsigned short *__restrict__ words, const unsigned *__restrict__ table, const unsigned *__restrict__ states, unsigned char *__restrict__ out, int streams, int symbols, int stream_words)
{
    __shared__ unsigned held[4096];
    for (int i = threadIdx.x; i < 4096; i += blockDim.x)
        held[i] = table[i];
    __syncthreads();
    const int lane = threadIdx.x % 32, warps = gridDim.x * blockDim.x / 32;
    for (int s = (blockIdx.x * blockDim.x + threadIdx.x) / 32; s < streams; s += warps) {
        const unsigned short *in = words + (long long)s * stream_words;
        unsigned state = states[s * 32 + lane] | 0x10000u;
        int at = 0;
        for (int i = 0; i < symbols; i++) {
            const unsigned entry = held[state & 4095], frequency = (entry >> 8 & 2047) + 1, bias = entry >> 20;
            out[((long long)s * symbols + i) * 32 + lane] = (unsigned char)entry;
            state = frequency * (state >> 12) + bias;
            const bool wants = state < 0x10000u;
            const unsigned mask = __ballot_sync(0xffffffffu, wants);
            if (wants) {
                const int place = at + __popc(mask & ((1u << lane) - 1));
                state = state << 16 | in[min(place, stream_words - 1)];
            }
            at += __popc(mask);
        }
    }
}

/* Lorenzo's prediction of quantised values in three dimensions: codes of sixteen bits, outliers are counted by block. */
extern "C" __global__ void __launch_bounds__(256) quantize_lorenzo(const float *__restrict__ field, unsigned short *__restrict__ codes, int *__restrict__ outliers, int nx, int ny, int nz, float inverse, int radius)
{
    __shared__ int count;
    __shared__ int held[9][9][33];
    const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y = blockIdx.y * 8 + ty, z0 = blockIdx.z * 8;
    const int t = ty * 32 + tx;
    if (t == 0)
        count = 0;
    for (int i = t; i < 9 * 9 * 33; i += 256)
        (&held[0][0][0])[i] = 0;
    __syncthreads();
    for (int k = 0; k < 8; k++)
        if (x < nx && y < ny && z0 + k < nz)
            held[k + 1][ty + 1][tx + 1] = __float2int_rn(field[((long long)(z0 + k) * ny + y) * nx + x] * inverse);
    __syncthreads();
    int far = 0;
    for (int k = 0; k < 8; k++)
        if (x < nx && y < ny && z0 + k < nz) {
            const int predicted = held[k + 1][ty + 1][tx] + held[k + 1][ty][tx + 1] + held[k][ty + 1][tx + 1] - held[k + 1][ty][tx] - held[k][ty + 1][tx] - held[k][ty][tx + 1] + held[k][ty][tx];
            const int delta = held[k + 1][ty + 1][tx + 1] - predicted;
            const bool near = abs(delta) < radius;
            codes[((long long)(z0 + k) * ny + y) * nx + x] = near ? delta + radius : 0;
            far += !near;
        }
    if (far)
        atomicAdd(&count, far);
    __syncthreads();
    if (t == 0)
        outliers[((long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x] = count;
}
