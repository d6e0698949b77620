/*
 * Runs the kernels of streams.cu and mixes.cu: usage in harness.cuh.
 * nvcc -O3 -arch=sm_90 -o record_streams record_streams.cu
 */
#include "harness.cuh"
#include "mixes.cu"
#include "streams.cu"

static const long long BYTES = 1 << 30; /* of a launch, about: what it reads and what it writes */

struct known {
    const char *name;
    const void *pointer;
    int bytes, reads, writes;
};

#define KERNEL(name, bytes, reads, writes) {#name, (const void *)name, bytes, reads, writes}
#define TWO(kind, suffix, bytes, reads, writes) KERNEL(kind##suffix, bytes, reads, writes)
#define SHEETS(T, bytes, R, W) KERNEL(sheet_##T##_##R##_##W, bytes, R, W)
static const known sheets[] = {
    SHEETS(float, 4, 1, 1), SHEETS(float, 4, 2, 1), SHEETS(float, 4, 3, 1), SHEETS(float, 4, 4, 1),
    SHEETS(float, 4, 8, 1), SHEETS(float, 4, 16, 1), SHEETS(float, 4, 1, 2), SHEETS(float, 4, 1, 4),
    SHEETS(float, 4, 2, 2), SHEETS(float, 4, 4, 4), SHEETS(float, 4, 8, 8), SHEETS(float, 4, 16, 16),
    SHEETS(float, 4, 0, 1), SHEETS(float, 4, 0, 4), SHEETS(float, 4, 4, 0), SHEETS(float, 4, 8, 0),
    SHEETS(double, 8, 1, 1), SHEETS(double, 8, 2, 1), SHEETS(double, 8, 4, 1), SHEETS(double, 8, 8, 1),
    SHEETS(double, 8, 4, 4), SHEETS(double, 8, 16, 16), SHEETS(double, 8, 0, 4), SHEETS(double, 8, 4, 0)};
#define SHIFTS(T, bytes, R, W) KERNEL(shift_##T##_##R##_##W, bytes, R, W)
static const known shifts[] = {SHIFTS(float, 4, 1, 1),  SHIFTS(float, 4, 4, 4),  SHIFTS(float, 4, 16, 16),
                               SHIFTS(double, 8, 1, 1), SHIFTS(double, 8, 4, 1), SHIFTS(double, 8, 4, 4),
                               SHIFTS(double, 8, 8, 8), SHIFTS(double, 8, 16, 16)};
static const known cubes[] = {KERNEL(cube_double_1_1, 8, 1, 1), KERNEL(cube_double_4_1, 8, 4, 1),
                              KERNEL(cube_double_8_8, 8, 8, 8), KERNEL(cube_float_4_4, 4, 4, 4)};
static const known places[] = {
    KERNEL(place_float_1, 4, 1, 1), KERNEL(place_float_2, 4, 2, 2), KERNEL(place_float_4, 4, 4, 4),
    KERNEL(place_float_8, 4, 8, 8), KERNEL(place_double_1, 8, 1, 1), KERNEL(place_double_4, 8, 4, 4),
    KERNEL(turns_float_1, 4, 1, 1), KERNEL(turns_float_2, 4, 2, 2), KERNEL(turns_float_4, 4, 4, 4),
    KERNEL(turns_float_8, 4, 8, 8), KERNEL(turns_double_1, 8, 1, 1), KERNEL(turns_double_4, 8, 4, 4)};
static const known marches[] = {
    KERNEL(march_float_1_1, 4, 1, 1), KERNEL(march_float_2_1, 4, 2, 1), KERNEL(march_float_4_4, 4, 4, 4),
    KERNEL(march_float_4_0, 4, 4, 0), KERNEL(march_double_1_1, 8, 1, 1), KERNEL(march_double_2_1, 8, 2, 1),
    KERNEL(march_place_float, 4, 1, 1), KERNEL(march_place_double, 8, 1, 1)};
static const known strides[] = {
    KERNEL(stride_float_1_0, 4, 1, 0), KERNEL(stride_float_1_1, 4, 1, 1), KERNEL(stride_float_2_1, 4, 2, 1),
    KERNEL(stride_double_2_1, 8, 2, 1)};
static const known others[] = {KERNEL(turn_float, 4, 1, 1), KERNEL(turn_double, 8, 1, 1),
                               KERNEL(rows_float, 4, 1, 0), KERNEL(rows_double, 8, 1, 0)};
#define MIX(n) KERNEL(mix_##n, 0, 0, 0)
static const known mixes[] = {MIX(0),  MIX(1),  MIX(2),  MIX(3),  MIX(4),  MIX(5),  MIX(6),  MIX(7),
                              MIX(8),  MIX(9),  MIX(10), MIX(11), MIX(12), MIX(13), MIX(14), MIX(15),
                              MIX(16), MIX(17), MIX(18), MIX(19), MIX(20), MIX(21), MIX(22), MIX(23)};

static const void *pointer_of(const char *name)
{
#define IN(table)                                                                                  \
    for (const known &one : table)                                                                 \
        if (!strcmp(name, one.name))                                                               \
            return one.pointer;
    IN(sheets) IN(shifts) IN(cubes) IN(places) IN(marches) IN(strides) IN(others) IN(mixes)
    return nullptr;
}

static void add(const known &k, int bx, int by, int gx, int gy, long long nx, long long ny, long long pitch,
                int shared = 0)
{
    configurations.push_back({k.name, {bx, by, 1}, {gx, gy, 1}, {nx, ny, pitch}, shared});
}

/* From one array to the next: whole lines and 33 more, `off` elements beside that. */
static long long pitch_of(const known &k, long long elements, int off)
{
    return (elements * k.bytes / 128 + 34) * 128 / k.bytes + off;
}

static long long rows_of(const known &k, long long nx)
{
    return std::max(64ll, BYTES / (nx * k.bytes * std::max(1, std::max(k.reads, k.writes))) / 64 * 64);
}

static void sheet(const known &k, int bx, int by, long long nx, int off, bool power = false)
{
    long long ny = rows_of(k, nx), pitch = power ? ny * nx : pitch_of(k, nx * ny, off);
    add(k, bx, by, parts((int)nx, bx), parts((int)ny, by), nx, ny, pitch);
}

/* Planes of 256 by 256. */
static void cube(const known &k, int bx, int by, int bz)
{
    long long planes = BYTES / (65536ll * k.bytes * std::max(k.reads, k.writes)) / 64 * 64;
    add(k, bx, by, 256 / bx, parts(256, by), 256, 256, pitch_of(k, 65536 * planes, 0));
    configurations.back().block[2] = bz;
    configurations.back().grid[2] = (int)planes / bz;
}

/* `rows` rows at one time, the threads of a column go on by that many. */
static void march(const known &k, int bx, int by, long long nx, int rows)
{
    long long turns = rows_of(k, nx * rows / 64) / 64;
    turns = std::max(4ll, turns);
    add(k, bx, by, parts((int)nx, bx), rows / by, nx, turns, pitch_of(k, nx * rows * turns, 0));
}

static void list()
{
    static const int shapes[6][2] = {{256, 1}, {32, 8}, {1024, 1}, {64, 4}, {32, 32}, {64, 1}};
    for (const known &k : sheets) {
        for (const int *s : shapes)
            sheet(k, s[0], s[1], 8192, 0);
        sheet(k, 256, 1, 8190, 0);
        sheet(k, 32, 8, 8190, 0);
    }
    for (int n : {1, 4, 9, 10, 11, 20, 21}) { /* arrays a power of two apart, or one element off */
        sheet(sheets[n], 256, 1, 8192, 0, true);
        sheet(sheets[n], 256, 1, 8192, 1);
    }
    static const int narrow[9][2] = {{256, 1}, {512, 1}, {64, 8}, {32, 16}, {16, 16}, {16, 32}, {8, 64}, {4, 128}, {2, 256}};
    for (const known &k : shifts)
        for (const int *s : narrow)
            sheet(k, s[0], s[1], 8192, 0);
    for (int n : {0, 9, 11, 16, 18, 20, 21}) /* the narrow ones of what has no shift */
        for (int s = 4; s < 9; s++)
            sheet(sheets[n], narrow[s][0], narrow[s][1], 8192, 0);
    for (const known &k : cubes)
        for (int threads = 256; threads <= 512; threads *= 2)
            for (int bx = 4; bx <= 256; bx *= 2)
                for (int bz = 1; bz <= std::min(64, threads / bx); bz *= threads == 512 ? 4 : 16)
                    cube(k, bx, threads / bx / bz, bz);
    for (const known &k : places) {
        for (int s = 0; s < 3; s++)
            sheet(k, shapes[s][0], shapes[s][1], 8192, 0);
        sheet(k, 256, 1, 8190, 0);
        if (k.reads > 1)
            sheet(k, 256, 1, 8192, 1);
    }
    for (const known &k : marches) {
        march(k, 256, 1, 1 << 20, 1);
        march(k, 256, 1, 1 << 18, 1);
        march(k, 256, 1, 999998, 1);
        march(k, 32, 8, 1056, 912);
        march(k, 64, 4, 1054, 912);
    }
    for (const known &k : strides) {
        long long all = BYTES / k.bytes / k.reads;
        for (int blocks : {132, 528, 1056, 2112})
            add(k, 256, 1, blocks, 1, all, 1, pitch_of(k, all, 0));
        for (int nx : {10016, 10001})
            add(k, 32, 8, 33, 64, nx, rows_of(k, nx), pitch_of(k, nx * rows_of(k, nx), 0));
    }
    for (int t = 0; t < 2; t++)
        for (int n : {11264, 11257})
            for (int by : {8, 16, 32})
                add(others[t], 32, by, parts(n, 32), parts(n, 32), n, n, 0);
    for (int r = 2; r < 4; r++)
        for (int ny : {50000, 250000})
            add(others[r], 128, 1, parts(ny, 128), 1, 1000 * 250000 / ny / 2, ny, 0);
    for (const known &k : mixes)
        for (int resident : {8, 4, 2})
            add(k, 256, 1, 132 * 16, 1, 400, 0, 0, resident < 8 ? 200 * 1024 / resident : 0);
}

static void go(const configuration &c)
{
    dim3 grid(c.grid[0], c.grid[1], c.grid[2]), block(c.block[0], c.block[1], c.block[2]);
    int nx = (int)c.size[0], ny = (int)c.size[1];
    long long pitch = c.size[2];
    void *all[] = {&a, &b, &nx, &ny, &pitch};
    cudaLaunchKernel(pointer_of(c.kernel), grid, block, all, c.shared, 0);
}

static long long doubles()
{
    return (BYTES / 4 * 5) / 8 + (1 << 20);
}
