// What blocks of a launch read of device memory again, and what L2 writes before it is complete.
//
// usage: again
// Prints a line of JSON for each configuration, and runs it four times, the fourth for a profiler (--profile-from-start
// off).
#include "check.cuh"

#include <cuda_profiler_api.h>

// A block goes through the panels of its row and of its column of the grid, 1 KiB of each a trip, and stores 1 KiB
// `stores` times in the end.
template <bool STEP>
__global__ void product(const float *a, const float *b, float *out, int trips, int work, int stores)
{
    int t = threadIdx.x;
    const float *row = a + (size_t)blockIdx.y * trips * 256 + t;
    const float *column = b + (size_t)blockIdx.x * trips * 256 + t;
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < trips; i++) {
        float x = row[i * 256], y = column[i * 256];
        if (STEP)
            __syncthreads();
#pragma unroll 4
        for (int k = 0; k < work; k++)
            sum = sum * x + y;
        sum += x * y;
    }
    size_t block = blockIdx.y * (size_t)gridDim.x + blockIdx.x;
    for (int s = 0; s < stores; s++)
        out[(block * stores + s) * 256 + t] = sum;
}

// A block goes through a row of its own twice, past L1, and stores it the second time (STORES).
template <bool STORES> __global__ void passes(const float *a, float *out, int count)
{
    __shared__ float part[256];
    const float *row = a + (size_t)blockIdx.x * count;
    float sum = 0;
    for (int i = threadIdx.x; i < count; i += 256)
        sum += __ldcg(&row[i]);
    part[threadIdx.x] = sum;
    __syncthreads();
    sum = part[threadIdx.x ^ 77];
    for (int i = threadIdx.x; i < count; i += 256) {
        if (STORES)
            out[(size_t)blockIdx.x * count + i] = __ldcg(&row[i]) * sum;
        else
            sum += __ldcg(&row[i]) * sum;
    }
    if (!STORES)
        out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// Transposes nx x ny numbers, each warp storing its lanes down a column; LOADS: else it stores constants.
template <typename T, bool LOADS> __global__ void turn(const T *a, T *b, int nx, int ny)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < nx && y < ny)
        b[(size_t)x * ny + y] = LOADS ? a[(size_t)y * nx + x] : (T)x;
}

// Copies n numbers in tiles of 32 x 32 of rows of 2048.
__global__ void tiles(const float *a, float *out)
{
    size_t at = (size_t)blockIdx.y * 32 * 2048 + blockIdx.x * 32 + threadIdx.x;
    float x[32];
#pragma unroll
    for (int r = 0; r < 32; r++)
        x[r] = a[at + r * 2048];
#pragma unroll
    for (int r = 0; r < 32; r++)
        out[at + r * 2048] = x[r] * 0.5f;
}

// One wave of blocks copies, `step` numbers each time around.
__global__ void rounds(const float *a, float *out, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    float sum = 0;
    for (int s = 0; s < steps; s++) {
        sum += a[(size_t)s * step + i];
        out[(size_t)s * step + i] = sum;
    }
}

// A thread copies a number.
__global__ void copy(const float *a, float *out)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    out[i] = a[i] * 0.5f;
}

static float *a, *b, *c;

template <typename F> static void run(const char *text, F launch)
{
    for (int i = 0; i < 3; i++)
        launch();
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaProfilerStart());
    launch();
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaProfilerStop());
    puts(text);
}

static char text[256];

template <bool STEP> static void one_product(int columns, int trips, int residents, double waves, int work, int stores)
{
    int rows = (int)(waves * 132 * residents / columns + 0.999);
    int shared = residents >= 8 ? 0 : 200 * 1024 / residents - 1024;
    CHECK(cudaFuncSetAttribute(product<STEP>, cudaFuncAttributeMaxDynamicSharedMemorySize, 210 * 1024));
    snprintf(text, sizeof(text),
             "{\"kernel\": \"product%s\", \"columns\": %d, \"rows\": %d, \"trips\": %d, \"residents\": %d, "
             "\"work\": %d, \"stores\": %d}",
             STEP ? "_step" : "", columns, rows, trips, residents, work, stores);
    run(text, [=] { product<STEP><<<dim3(columns, rows), 256, shared>>>(a, b, c, trips, work, stores); });
}

template <typename T, bool LOADS> static void one_turn(int bx, int by, int nx, int ny)
{
    snprintf(text, sizeof(text),
             "{\"kernel\": \"turn%s\", \"bytes\": %d, \"block\": [%d, %d], \"nx\": %d, \"ny\": %d}",
             LOADS ? "" : "_stores", (int)sizeof(T), bx, by, nx, ny);
    run(text, [=] {
        turn<T, LOADS><<<dim3((nx + bx - 1) / bx, (ny + by - 1) / by), dim3(bx, by)>>>((const T *)a, (T *)c, nx, ny);
    });
}

int main(void)
{
    size_t bytes = (size_t)3 << 30;
    CHECK(cudaMalloc(&a, bytes));
    CHECK(cudaMalloc(&b, bytes));
    CHECK(cudaMalloc(&c, bytes));
    CHECK(cudaMemset(a, 0, bytes));
    CHECK(cudaMemset(b, 0, bytes));

    static const int columns[] = {64, 80, 96, 104, 112, 120, 128, 136, 144, 160, 176, 208};
    for (int n : columns)
        one_product<false>(n, 256, 8, 8, 16, 1);
    static const int fewer[] = {96, 112, 128, 160};
    for (int n : fewer)
        for (int w : {1, 2, 4, 16})
            one_product<false>(n, 256, 8, w, 16, 1);
    for (int n : fewer)
        for (int r : {1, 2, 4})
            one_product<false>(n, 256, r, 8, 16, 1);
    for (int w : {4, 16})
        one_product<false>(132, 256, 8, w, 16, 1);
    for (int n : {112, 128}) {
        one_product<false>(n, 256, 8, 8, 0, 1);
        one_product<false>(n, 256, 8, 8, 128, 1);
        one_product<false>(n, 256, 8, 8, 16, 32);
        one_product<true>(n, 256, 8, 8, 16, 1);
        one_product<false>(n / 4, 1024, 8, 8, 16, 1);
        one_product<false>(n * 4, 64, 8, 8, 16, 1);
        one_product<true>(n / 2, 512, 4, 8, 64, 16);
    }

    for (int kb = 8; kb <= 48; kb += kb < 32 ? 3 : 6) {
        snprintf(text, sizeof(text), "{\"kernel\": \"passes\", \"row_bytes\": %d}", kb * 1024);
        run(text, [=] { passes<false><<<12000, 256>>>(a, c, kb * 256); });
        snprintf(text, sizeof(text), "{\"kernel\": \"passes_store\", \"row_bytes\": %d}", kb * 1024);
        run(text, [=] { passes<true><<<12000, 256>>>(a, c, kb * 256); });
    }

    static const int blocks[][2] = {{32, 32}, {32, 16}, {32, 8}, {16, 16}, {8, 8}, {32, 1}, {16, 4}};
    for (auto &block : blocks) {
        one_turn<float, true>(block[0], block[1], 4096, 4096);
        one_turn<float, true>(block[0], block[1], 4096, 4092);
    }
    for (int nx : {1024, 2048, 8192, 16384, 24576})
        for (int ny : {8192, 8190})
            one_turn<float, true>(32, 8, nx, ny);
    one_turn<double, true>(32, 32, 4096, 4096);
    one_turn<double, true>(16, 16, 4096, 4096);
    one_turn<float, false>(32, 32, 4096, 4096);
    one_turn<float, false>(32, 8, 4096, 4096);
    one_turn<float, false>(32, 8, 16384, 8190);
    one_turn<double, false>(32, 32, 4096, 4096);

    for (int mb = 32; mb <= 60; mb += 4) { /* both arrays; of 2^20 bytes */
        int n = mb << 17;
        snprintf(text, sizeof(text), "{\"kernel\": \"tiles\", \"bytes\": %d}", 8 * n);
        run(text, [=] { tiles<<<dim3(64, n / 65536), 32>>>(a, c); });
        snprintf(text, sizeof(text), "{\"kernel\": \"copy\", \"bytes\": %d}", 8 * n);
        run(text, [=] { copy<<<n / 256, 256>>>(a, c); });
        for (int grid : {256, 1024}) {
            snprintf(text, sizeof(text), "{\"kernel\": \"rounds\", \"blocks\": %d, \"bytes\": %d}", grid, 8 * n);
            run(text, [=] { rounds<<<grid, 128>>>(a, c, n / grid / 128); });
        }
    }
    return 0;
}
