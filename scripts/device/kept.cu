// What L2 keeps of one launch behind another one of other arrays, and what a launch takes of which L2 lacks some lines.
//
// usage: kept PART [once]
// kept      A touches `first` bytes, B `second` bytes of another array, and C reads what A touched (back: from its end).
//           What was there before: a third array, read.  once alone: B and C are for a profiler.
// missing   a kernel reads arrays of which L2 lacks a share of the lines, at random places; times by CUPTI.
// sizes     the applications of applications.cu, other sizes.
#define main applications_main
#include "applications.cu"
#undef main

enum { READ, READ_SECTORS, WRITE, SCALE, KINDS };
static const char *const kinds[KINDS] = {"read", "read_sectors", "write", "scale"};

// A thread 16 bytes.  read_sectors: each of the four sectors of a line is read by another block.
template <int kind> __global__ void touch(float4 *a, size_t n, float *sink, bool back)
{
    size_t block = back ? gridDim.x - 1 - blockIdx.x : blockIdx.x, i = block * blockDim.x + threadIdx.x;
    if (kind == READ_SECTORS) {
        size_t pair = block / 4 * blockDim.x / 2 + threadIdx.x / 2;
        i = pair * 8 + block % 4 * 2 + threadIdx.x % 2;
    }
    if (i >= n)
        return;
    float4 x = {1, 2, 3, 4};
    if (kind != WRITE)
        x = a[i];
    if (kind == READ || kind == READ_SECTORS) {
        if (x.x + x.y + x.z + x.w == 123.0f)
            *sink = x.x;
        return;
    }
    if (kind == SCALE)
        x.x *= 0.5f, x.y *= 0.5f, x.z *= 0.5f, x.w *= 0.5f;
    a[i] = x;
}

// Lines of 128 bytes but for a share of them, a warp each.
__global__ void touch_lines(const float *a, size_t lines, float *sink, unsigned lacks, unsigned shift)
{
    size_t line = ((size_t)(blockIdx.x + shift) % gridDim.x * blockDim.x + threadIdx.x) / 32;
    unsigned hash = (unsigned)((line * 0x9e3779b97f4a7c15ull) >> 40);
    hash = (hash ^ hash >> 11) * 0x85ebca6bu >> 8;
    if (line < lines && hash >= lacks) {
        float x = a[line * 32 + threadIdx.x % 32];
        if (x == 123.0f)
            *sink = x;
    }
}

__global__ void one_each(const float4 *a, size_t n, float *sink)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float4 x = a[i];
        if (x.x + x.y + x.z + x.w == 123.0f)
            *sink = x.x;
    }
}

static float4 *first_array, *second_array, *third_array;
static float *sink;

static void launch(int kind, float4 *a, double megabytes, bool back = false)
{
    size_t n = (size_t)(megabytes * 1e6 / 16384) * 1024;
    unsigned grid = (unsigned)(n / 256);
    switch (kind) {
    case READ: touch<READ><<<grid, 256>>>(a, n, sink, back); break;
    case READ_SECTORS: touch<READ_SECTORS><<<grid, 256>>>(a, n, sink, back); break;
    case WRITE: touch<WRITE><<<grid, 256>>>(a, n, sink, back); break;
    default: touch<SCALE><<<grid, 256>>>(a, n, sink, back);
    }
}

static void kept(int a, int b, double x, double y, bool back)
{
    for (int i = 0; i < 2; i++) {
        launch(READ, third_array, 192);
        launch(a, first_array, x);
        CHECK(cudaDeviceSynchronize());
        if (i)
            CHECK(cudaProfilerStart());
        launch(b, second_array, y);
        launch(READ, first_array, x, back);
        CHECK(cudaDeviceSynchronize());
        if (i)
            CHECK(cudaProfilerStop());
    }
    for (int i = 0; i < 2; i++)
        printf("{\"a\": \"%s\", \"b\": \"%s\", \"first\": %g, \"second\": %g, \"back\": %d, \"of\": \"%s\"}\n", kinds[a], kinds[b],
               x, y, back, i ? "c" : "b");
    fflush(stdout);
}

static void all_kept()
{
    for (double x : {8, 24})
        for (double y : {12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56})
            for (int a = 0; a < KINDS; a++)
                for (int b = 0; b < KINDS; b++) {
                    kept(a, b, x, y, false);
                    if (x < 10 && (a == READ || a == WRITE) && (b == READ || b == WRITE))
                        kept(a, b, x, y, true);
                }
}

static void missing(const char *name, double megabytes, double share, std::function<void()> kernel)
{
    size_t lines = (size_t)(megabytes * 1e6 / 128);
    unsigned lacks = (unsigned)(share * (1 << 24)), grid = (unsigned)((lines + 7) / 8);
    auto prepare = [&] {
        launch(READ, third_array, 192);
        for (unsigned i = 0; i < 3; i++)
            touch_lines<<<grid, 256>>>((float *)first_array, lines, sink, lacks, i * 37);
    };
    if (once) {
        prepare();
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaProfilerStart());
        kernel();
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaProfilerStop());
        printf("{\"kernel\": \"%s\", \"megabytes\": %g, \"share\": %g}\n", name, megabytes, share);
        fflush(stdout);
        return;
    }
    follow(true);
    for (int i = 0; i < 25; i++) {
        prepare();
        kernel();
    }
    follow(false);
    std::vector<double> times;
    for (size_t i = 4; i < spans.size(); i += 5)
        times.push_back(1e-9 * (spans[i].end - spans[i].start));
    printf("{\"kernel\": \"%s\", \"megabytes\": %g, \"share\": %g", name, megabytes, share);
    if (!times.empty())
        print_times(times);
    printf("}\n");
    fflush(stdout);
}

static void all_missing()
{
    const float *a = (const float *)first_array;
    for (double share : {0.0, 0.0003, 0.001, 0.003, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.0}) {
        for (double megabytes : {4, 8, 16, 24}) {
            size_t bytes = (size_t)(megabytes * 1e6 / 4096) * 4096;
            int n = (int)(bytes / 8);
            missing("dot", megabytes, share, [=] { dot<<<1056, 256>>>(a, a + n, sink, n); });
            missing("one_each", megabytes, share, [=] { one_each<<<(unsigned)(bytes / 4096), 256>>>(first_array, bytes / 16, sink); });
            missing("strongest", megabytes, share,
                    [=] { strongest<<<180, 256>>>((const unsigned *)a, (uint2 *)sink, (int)(bytes / 4 / 180)); });
            missing("turn", megabytes, share,
                    [=] { turn<<<blocks(n, 256), 256>>>(a, (float *)a + n, sink, n); });
        }
    }
}

int main(int count, char **words)
{
    const char *part = count > 1 ? words[1] : "";
    once = count > 2;
    CHECK(cudaMalloc(&flushed, flush_bytes));
    CHECK(cudaMalloc(&first_array, 64 << 20));
    CHECK(cudaMalloc(&second_array, 64 << 20));
    CHECK(cudaMalloc(&third_array, 256 << 20));
    CHECK(cudaMalloc(&sink, 1 << 16));
    CHECK(cudaMemset(first_array, 0, 64 << 20));
    CHECK(cudaMemset(second_array, 0, 64 << 20));
    CHECK(cudaMemset(third_array, 0, 256 << 20));
    CHECK(cudaMemset(sink, 0, 1 << 16));
    if (!strcmp(part, "kept"))
        all_kept();
    if (!strcmp(part, "missing"))
        all_missing();
    if (!strcmp(part, "sizes")) {
        for (int side : {1536, 1792, 2048, 2304, 2560})
            conjugate_gradient(side, false);
        for (int side : {1536})
            conjugate_gradient(side, true);
        for (int nx : {5120, 6400})
            lanes(nx, nx * 9 / 16);
    }
    return 0;
}
