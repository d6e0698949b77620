// `times` atomic additions of each thread on `words` words: lanes of a warp on one word, or on neighbouring ones.
template <typename T> static __device__ void add(T *a, int words, int times, int spread)
{
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    for (int i = 0; i < times; i++) {
        unsigned at = spread ? (warp + i) * 32 + lane : (warp + i) * 7;
        atomicAdd(a + at % words, (T)1);
    }
}
extern "C" __global__ void add_u32(unsigned *a, int words, int times, int spread) { add(a, words, times, spread); }
extern "C" __global__ void add_u64(unsigned long long *a, int words, int times, int spread) { add(a, words, times, spread); }
extern "C" __global__ void add_f32(float *a, int words, int times, int spread) { add(a, words, times, spread); }
extern "C" __global__ void add_f64(double *a, int words, int times, int spread) { add(a, words, times, spread); }
