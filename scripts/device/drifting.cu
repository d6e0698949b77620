// How far blocks drift apart that go through an array in one wave, and what that costs.
//
// usage: drifting [once]
// Prints a line of JSON for each configuration: the median of 9 times of a launch among 20 back to back, and of one further
// launch that notes its time at each tile (DETAILS launches, the median by its last block): where each multiprocessor is when
// half of the time is over, and how many bytes of the whole launch lie between a tile and that above it.
// once: each runs three times, the third for a profiler (--profile-from-start off).
#include "../../kernels/asynchronous/asynchronous.cuh"
#include "tensor_map.cuh"
#include "timed.cuh"
#include <cmath>
#include <cstring>

__device__ static inline unsigned long long now()
{
    unsigned long long time;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
    return time;
}

__device__ static inline unsigned place()
{
    unsigned number;
    asm volatile("mov.u32 %0, %smid;" : "=r"(number));
    return number;
}

struct notes {
    unsigned long long *times; /* of each tile's data; NULL: none */
    unsigned *places;          /* of each block: its multiprocessor */
};

/* The five-point stencil of kernels/asynchronous/tensor_stencil.cu. */
template <int ROWS, int STAGES>
__global__ void __launch_bounds__(256) tensor_tiles(const __grid_constant__ CUtensorMap map, float *__restrict__ target,
                                                    int nx, int ny, notes notes)
{
    constexpr int BOX = 72 * (ROWS + 2), PLACE = (BOX * 4 + 127) / 128 * 32;
    extern __shared__ __align__(128) float stages[];
    __shared__ uint64_t full[STAGES];
    int wide = nx / 64, tiles = wide * (ny / ROWS);
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++)
            barrier_init(&full[s], 1);
        barriers_ready();
        if (notes.times)
            notes.places[blockIdx.x] = place();
    }
    __syncthreads();
    if (threadIdx.x == 0)
        for (int s = 0; s < STAGES; s++) {
            int tile = blockIdx.x + s * gridDim.x;
            if (tile < tiles) {
                barrier_expect(&full[s], BOX * sizeof(float));
                tensor_load(stages + s * PLACE, &map, tile % wide * 64 - 4, tile / wide * ROWS - 1, &full[s]);
            }
        }
    int stage = 0;
    unsigned parity = 0;
    int x = threadIdx.x % 64, y = threadIdx.x / 64;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        barrier_wait(&full[stage], parity);
        if (threadIdx.x == 0 && notes.times)
            notes.times[tile] = now();
        const float *here = stages + stage * PLACE;
        float *to = target + (size_t)(tile / wide * ROWS) * nx + tile % wide * 64;
#pragma unroll
        for (int i = 0; i < ROWS / 4; i++) {
            int row = y + 4 * i;
            const float *point = here + (row + 1) * 72 + x + 4;
            to[(size_t)row * nx + x] = 0.25f * (point[-1] + point[1] + point[-72] + point[72]) - point[0];
        }
        __syncthreads();
        int next = tile + STAGES * gridDim.x;
        if (threadIdx.x == 0 && next < tiles) {
            barrier_expect(&full[stage], BOX * sizeof(float));
            tensor_load(stages + stage * PLACE, &map, next % wide * 64 - 4, next / wide * ROWS - 1, &full[stage]);
        }
        if (++stage == STAGES) {
            stage = 0;
            parity ^= 1;
        }
    }
}

/* The same by loads of threads. */
template <int ROWS>
__global__ void __launch_bounds__(256) loaded_tiles(const float *__restrict__ source, float *__restrict__ target, int nx, int ny,
                                                    notes notes)
{
    int wide = nx / 64, tiles = wide * (ny / ROWS), x = threadIdx.x % 64, y = threadIdx.x / 64;
    if (threadIdx.x == 0 && notes.times)
        notes.places[blockIdx.x] = place();
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        int column = tile % wide * 64 + x, left = max(column - 1, 0), right = min(column + 1, nx - 1);
        float sums[ROWS / 4];
#pragma unroll
        for (int i = 0; i < ROWS / 4; i++) {
            int row = tile / wide * ROWS + y + 4 * i;
            const float *here = source + (size_t)row * nx;
            sums[i] = 0.25f * (here[left] + here[right] + source[(size_t)max(row - 1, 0) * nx + column] +
                               source[(size_t)min(row + 1, ny - 1) * nx + column]) -
                      here[column];
        }
#pragma unroll
        for (int i = 0; i < ROWS / 4; i++)
            target[(size_t)(tile / wide * ROWS + y + 4 * i) * nx + column] = sums[i];
        if (threadIdx.x == 0 && notes.times)
            notes.times[tile] = now();
    }
}

/* A copy of tiles of ROWS * 64 elements by bulk copies; COPY: stored again, else nothing is. */
template <int ROWS, int STAGES, bool COPY>
__global__ void __launch_bounds__(256) bulk_tiles(const float *__restrict__ source, float *__restrict__ target, int tiles, notes notes)
{
    constexpr int TILE = ROWS * 64;
    extern __shared__ __align__(128) float stages[];
    __shared__ uint64_t full[STAGES];
    float sum = 0;
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++)
            barrier_init(&full[s], 1);
        barriers_ready();
        if (notes.times)
            notes.places[blockIdx.x] = place();
    }
    __syncthreads();
    if (threadIdx.x == 0)
        for (int s = 0; s < STAGES; s++) {
            int tile = blockIdx.x + s * gridDim.x;
            if (tile < tiles) {
                barrier_expect(&full[s], TILE * sizeof(float));
                bulk_load(stages + s * TILE, source + (size_t)tile * TILE, TILE * sizeof(float), &full[s]);
            }
        }
    int stage = 0;
    unsigned parity = 0;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        barrier_wait(&full[stage], parity);
        if (threadIdx.x == 0 && notes.times)
            notes.times[tile] = now();
        const float4 *from = (const float4 *)(stages + stage * TILE);
        float4 *to = (float4 *)(target + (size_t)tile * TILE);
#pragma unroll
        for (int i = 0; i < TILE / 1024; i++) {
            float4 value = from[i * 256 + threadIdx.x];
            if (COPY)
                to[i * 256 + threadIdx.x] = value;
            else
                sum += value.x + value.y + value.z + value.w;
        }
        __syncthreads();
        int next = tile + STAGES * gridDim.x;
        if (threadIdx.x == 0 && next < tiles) {
            barrier_expect(&full[stage], TILE * sizeof(float));
            bulk_load(stages + stage * TILE, source + (size_t)next * TILE, TILE * sizeof(float), &full[stage]);
        }
        if (++stage == STAGES) {
            stage = 0;
            parity ^= 1;
        }
    }
    if (!COPY && sum == 12345.678f)
        target[0] = sum;
}

/* A copy of four 16-byte elements a thread and iteration. */
__global__ void __launch_bounds__(256) loaded_copy(const float4 *__restrict__ source, float4 *__restrict__ target, int tiles, notes notes)
{
    if (threadIdx.x == 0 && notes.times)
        notes.places[blockIdx.x] = place();
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        float4 values[4];
#pragma unroll
        for (int i = 0; i < 4; i++)
            values[i] = source[(size_t)tile * 1024 + i * 256 + threadIdx.x];
#pragma unroll
        for (int i = 0; i < 4; i++)
            target[(size_t)tile * 1024 + i * 256 + threadIdx.x] = values[i];
        if (threadIdx.x == 0 && notes.times)
            notes.times[tile] = now();
    }
}

static unsigned long long *times;
static unsigned *places;
enum { MOST_TILES = 1 << 18, MOST_BLOCKS = 4096 };

/* What the noted launch says.  `wide`: tiles between a tile and that above it; 0: none is. */
static void noted(int grid, int tiles, int wide)
{
    std::vector<unsigned long long> at(tiles);
    std::vector<unsigned> where(grid);
    CHECK(cudaMemcpy(at.data(), times, tiles * sizeof at[0], cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(where.data(), places, grid * sizeof where[0], cudaMemcpyDeviceToHost));
    unsigned long long first = *std::min_element(at.begin(), at.end()), last = *std::max_element(at.begin(), at.end());
    double half = 0.5 * (last - first);
    std::vector<double> done(132), blocks(132), ends;
    for (int b = 0; b < grid; b++) {
        unsigned long long end = 0;
        int ahead = 0, own = 0;
        for (int tile = b; tile < tiles; tile += grid, own++) {
            ahead += at[tile] - first < half;
            end = std::max(end, at[tile] - first);
        }
        if (where[b] < 132 && own)
            done[where[b]] += (double)ahead / own, blocks[where[b]]++;
        ends.push_back((double)end / (last - first));
    }
    std::sort(ends.begin(), ends.end());
    printf(", \"ends\": [");
    for (double q : {0.0, 0.05, 0.25, 0.5, 0.75, 0.95})
        printf("%s%.3f", q ? ", " : "", ends[(size_t)(q * (ends.size() - 1))]);
    printf("], \"done_at_half\": [");
    for (int m = 0; m < 132; m++)
        printf("%s%.3f", m ? ", " : "", blocks[m] ? done[m] / blocks[m] : 0);
    printf("]");
    if (wide) {
        std::vector<double> apart;
        std::vector<int> order(tiles), rank(tiles);
        for (int t = 0; t < tiles; t++)
            order[t] = t;
        std::sort(order.begin(), order.end(), [&](int a, int b) { return at[a] < at[b]; });
        for (int i = 0; i < tiles; i++)
            rank[order[i]] = i;
        for (int t = wide; t < tiles; t++)
            apart.push_back(fabs((double)rank[t] - rank[t - wide]) / tiles);
        std::sort(apart.begin(), apart.end());
        printf(", \"apart\": [");
        for (double q : {0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99})
            printf("%s%.4f", q > 0.05 ? ", " : "", apart[(size_t)(q * (apart.size() - 1))]);
        printf("]");
    }
}

static void run(const char *kernel, const char *of, int grid, int tiles, int wide, const std::function<void(notes)> &launch)
{
    notes none = {NULL, NULL}, some = {times, places};
    if (tiles > MOST_TILES || grid > MOST_BLOCKS)
        exit(1);
    for (int i = 0; i < 2; i++)
        launch(none);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    printf("{\"kernel\": \"%s\", \"of\": [%s], \"grid\": %d", kernel, of, grid);
    print_time([&] { launch(none); });
    if (!once) {
        launch(none);
        launch(some);
        CHECK(cudaDeviceSynchronize());
        noted(grid, tiles, wide);
    }
    printf("}\n");
    fflush(stdout);
}

static float *source, *target;

template <int ROWS, int STAGES> static void tensor(int side, std::initializer_list<int> grids)
{
    CUtensorMap map = map_of(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, source, side, side, 72, ROWS + 2, CU_TENSOR_MAP_SWIZZLE_NONE);
    int shared = (72 * (ROWS + 2) * 4 + 127) / 128 * 128 * STAGES;
    char of[64];
    snprintf(of, sizeof of, "%d, %d, %d", side, ROWS, STAGES);
    CHECK(cudaFuncSetAttribute(tensor_tiles<ROWS, STAGES>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    for (int grid : grids)
        run("tensor_tiles", of, grid, side / 64 * (side / ROWS), side / 64,
            [=](notes notes) { tensor_tiles<ROWS, STAGES><<<grid, 256, shared>>>(map, target, side, side, notes); });
}

template <int ROWS> static void loaded(int side, std::initializer_list<int> grids)
{
    char of[64];
    snprintf(of, sizeof of, "%d, %d", side, ROWS);
    for (int grid : grids)
        run("loaded_tiles", of, grid, side / 64 * (side / ROWS), side / 64,
            [=](notes notes) { loaded_tiles<ROWS><<<grid, 256>>>(source, target, side, side, notes); });
}

template <int ROWS, int STAGES, bool COPY> static void bulk(size_t n, std::initializer_list<int> grids)
{
    int shared = ROWS * 256 * STAGES, tiles = (int)(n / (ROWS * 64));
    char of[64];
    snprintf(of, sizeof of, "%zu, %d, %d, %d", n, ROWS, STAGES, COPY);
    auto kernel = bulk_tiles<ROWS, STAGES, COPY>;
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    for (int grid : grids)
        run("bulk_tiles", of, grid, tiles, 0, [=](notes notes) { kernel<<<grid, 256, shared>>>(source, target, tiles, notes); });
}

int main(int count, char **words)
{
    once = count > 1 && !strcmp(words[1], "once");
    size_t n = (size_t)1 << 26;
    CHECK(cudaMalloc(&source, n * 4));
    CHECK(cudaMalloc(&target, n * 4));
    CHECK(cudaMemset(source, 0, n * 4));
    CHECK(cudaMemset(target, 0, n * 4));
    CHECK(cudaMalloc(&times, MOST_TILES * sizeof *times));
    CHECK(cudaMalloc(&places, MOST_BLOCKS * sizeof *places));
    tensor<16, 3>(8192, {132, 264, 396, 528, 792, 1056});
    tensor<16, 4>(8192, {132, 264, 528});
    tensor<16, 2>(8192, {264, 528, 1056});
    tensor<8, 3>(8192, {264, 528, 1056});
    tensor<32, 3>(8192, {132, 264, 528});
    tensor<16, 3>(4096, {264, 528, 1056});
    loaded<16>(8192, {264, 528, 1056});
    loaded<32>(8192, {528});
    bulk<64, 4, true>(1 << 25, {132, 264});
    bulk<64, 2, true>(1 << 25, {132, 264, 528});
    bulk<16, 4, true>(1 << 26, {264, 528, 1056});
    bulk<64, 4, false>(1 << 26, {132, 264});
    bulk<16, 4, false>(1 << 26, {528, 1056});
    for (int grid : {132, 264, 528, 1056})
        run("loaded_copy", "67108864", grid, 1 << 14, 0,
            [=](notes notes) { loaded_copy<<<grid, 256>>>((float4 *)source, (float4 *)target, 1 << 14, notes); });
    return 0;
}
