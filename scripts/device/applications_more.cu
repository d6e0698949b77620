// Further applications in sequence, as applications.cu has them: how long each kernel takes behind the others, behind
// itself, and behind a flush.
//
// usage: applications_more PART [once]
// sequences  a V-cycle of multigrid, the perceptron of a transformer's layer, a step of particles in cells (none of these by
//            itself: it needs the others); `queued`: totals of launches that wait behind another kernel
// votes      `vote` (kernels/applications/lanes.cu), variants of it that differ in which votes are added to at one time, and
//            additions to words some of which are added to more often
// once: each runs five times, the fifth for a profiler (--profile-from-start off), and a line is printed for each launch.
#define main applications_main
#include "applications.cu"
#undef main
#include "../../kernels/applications/multigrid.cu"
#include "../../kernels/applications/particles.cu"
#include "../../kernels/applications/perceptron.cu"

__global__ void wait_for(long long cycles)
{
    for (long long begin = clock64(); clock64() - begin < cycles;)
        ;
}

// Totals of sequences whose launches wait behind another kernel, so that no host limits them.
static void run_queued(const char *application, int size, const std::vector<step> &steps)
{
    if (once)
        return;
    int repeats = (int)(600 / steps.size());
    std::vector<double> totals;
    cudaEvent_t from, to;
    CHECK(cudaEventCreate(&from));
    CHECK(cudaEventCreate(&to));
    for (int trial = 0; trial < 9; trial++) {
        float ms;
        wait_for<<<1, 1>>>(20000000);
        for (auto &step : steps)
            step.launch();
        CHECK(cudaEventRecord(from));
        for (int i = 0; i < repeats; i++)
            for (auto &step : steps)
                step.launch();
        CHECK(cudaEventRecord(to));
        CHECK(cudaEventSynchronize(to));
        CHECK(cudaEventElapsedTime(&ms, from, to));
        totals.push_back(1e-3 * ms / repeats);
    }
    printf("{\"application\": \"%s\", \"size\": %d, \"state\": \"queued\", \"launches\": %zu, \"repeats\": %d", application, size,
           steps.size(), repeats);
    print_times(totals);
    printf("}\n");
}

static void multigrid(int side)
{
    float *now[3], *next[3], *right[3], *rest[3];
    std::vector<void *> all;
    for (int level = 0; level < 3; level++) {
        size_t n = (size_t)(side >> level) * (side >> level);
        std::vector<float> zero(n, 0.0f), first(n);
        for (size_t i = 0; i < n; i++)
            first[i] = ((unsigned)i * 2654435761u >> 8) / 16777216.0f - 0.5f;
        now[level] = upload(zero), next[level] = upload(zero), rest[level] = upload(zero);
        right[level] = upload(level == 0 ? first : zero);
        all.insert(all.end(), {now[level], next[level], right[level], rest[level]});
    }
    std::vector<step> steps;
    dim3 block(32, 8);
    auto grid = [&](int level) { return dim3(blocks(side >> level, 32), blocks(side >> level, 8)); };
    auto relaxed = [&](int level, int times) {
        for (int i = 0; i < times; i++) {
            float *from = i % 2 ? next[level] : now[level], *to = i % 2 ? now[level] : next[level], *f = right[level];
            dim3 g = grid(level);
            int s = side >> level;
            steps.push_back({"relax", [=] { relax<<<g, block>>>(from, f, to, s); }, g, block});
        }
    };
    for (int level = 0; level < 2; level++) {
        relaxed(level, 2);
        dim3 g = grid(level), h = grid(level + 1);
        int s = side >> level, cells = (s / 2) * (s / 2);
        float *u = now[level], *f = right[level], *r = rest[level], *below = right[level + 1], *v = now[level + 1];
        steps.push_back({"defect", [=] { defect<<<g, block>>>(u, f, r, s); }, g, block});
        steps.push_back({"restrict_mean", [=] { restrict_mean<<<h, block>>>(r, below, s / 2); }, h, block});
        steps.push_back({"clear", [=] { clear<<<blocks(cells, 256), 256>>>(v, cells); }, blocks(cells, 256), 256});
    }
    relaxed(2, 4);
    for (int level = 1; level >= 0; level--) {
        dim3 g = grid(level);
        int s = side >> level;
        float *u = now[level], *v = now[level + 1];
        steps.push_back({"prolong", [=] { prolong<<<g, block>>>(v, u, s); }, g, block});
        relaxed(level, 2);
    }
    run("multigrid", side, "", steps);
    run_queued("multigrid", side, steps);
    for (void *array : all)
        CHECK(cudaFree(array));
}

static void perceptron(int tokens, int width)
{
    int hidden_width = 4 * width;
    size_t n = (size_t)tokens * width, m = 4 * n;
    auto some = [](size_t count, float scale) {
        std::vector<float> values(count);
        for (size_t i = 0; i < count; i++)
            values[i] = scale * (((unsigned)i * 2654435761u >> 8) / 16777216.0f - 0.5f);
        return upload(values);
    };
    float *x = some(n, 1), *scale = some(width, 1), *shift = some(width, 1), *normed = some(n, 0), *first = some(4 * (size_t)width * width, 0.1f),
          *hidden = some(m, 0), *bias = some(hidden_width, 1), *active = some(m, 0), *second = some(4 * (size_t)width * width, 0.1f),
          *change = some(n, 0), *last = some(width, 1), *out = some(n, 0);
    dim3 wide(hidden_width / 64, tokens / 64), narrow(width / 64, tokens / 64);
    int many = (int)(m / 4), few = (int)(n / 4);
    std::vector<step> steps = {
        {"layer_norm", [=] { layer_norm<<<tokens, 256>>>(x, scale, shift, normed, width); }, (unsigned)tokens, 256},
        {"multiply", [=] { multiply<<<wide, 256>>>(normed, first, hidden, hidden_width, width); }, wide, 256},
        {"gelu", [=] { gelu<<<blocks(many, 256), 256>>>((float4 *)hidden, (float4 *)bias, (float4 *)active, many, hidden_width / 4); }, blocks(many, 256), 256},
        {"multiply", [=] { multiply<<<narrow, 256>>>(active, second, change, width, hidden_width); }, narrow, 256},
        {"residual", [=] { residual<<<blocks(few, 256), 256>>>((float4 *)x, (float4 *)change, (float4 *)last, (float4 *)out, few, width / 4); }, blocks(few, 256), 256},
    };
    char facts[40];
    snprintf(facts, sizeof facts, ", \"width\": %d", width);
    run("perceptron", tokens, facts, steps);
    run_queued("perceptron", tokens, steps);
    for (void *array : {x, scale, shift, normed, first, hidden, bias, active, second, change, last, out})
        CHECK(cudaFree(array));
}

// Four particles a cell, at random places of the whole square.
static void particles(int side)
{
    int n = 4 * side * side, cells = side * side;
    std::vector<float2> start(n), none(n, make_float2(0, 0));
    unsigned state = 1;
    auto random = [&] {
        state = state * 1664525u + 1013904223u;
        return (float)(state >> 16) / 65536.0f * side;
    };
    for (auto &one : start) {
        one.x = random();
        one.y = random();
    }
    float2 *positions = upload(start), *velocities = upload(none), *sorted = upload(none), *moved = upload(none), *forces = upload(none);
    int *cell = upload(std::vector<int>(n)), *ranks = upload(std::vector<int>(n)), *counts = upload(std::vector<int>(cells)),
        *starts = upload(std::vector<int>(cells + 1));
    dim3 line = blocks(n, 256);
    std::vector<step> steps = {
        {"clear_counts", [=] { clear_counts<<<blocks(cells, 256), 256>>>(counts, cells); }, blocks(cells, 256), 256},
        {"count_cells", [=] { count_cells<<<line, 256>>>(positions, cell, ranks, counts, n, side); }, line, 256},
        {"find_starts", [=] { find_starts<<<1, 1024>>>(counts, starts, cells); }, 1, 1024},
        {"place", [=] { place<<<line, 256>>>(positions, velocities, cell, ranks, starts, sorted, moved, n); }, line, 256},
        {"push", [=] { push<<<line, 256>>>(sorted, starts, forces, n, side); }, line, 256},
        {"integrate", [=] { integrate<<<line, 256>>>(sorted, moved, forces, positions, velocities, n, 0.0f); }, line, 256},
    };
    run("particles", side, "", steps, false); // a kernel alone would count what is not cleared
    run_queued("particles", side, steps);
    for (void *array : {(void *)positions, (void *)velocities, (void *)sorted, (void *)moved, (void *)forces, (void *)cell, (void *)ranks,
                        (void *)counts, (void *)starts})
        CHECK(cudaFree(array));
}

// As vote.  mode 1: each block begins with another angle.  2: additions of a point go to votes of its own, one an angle.
// 3: as 2, and blocks begin with other angles.  4: blocks come in another order.  `wide`: votes of
// an angle lie so far apart. `times`: angles of a point, one after the other, and from the first one again.
template <int mode>
__global__ void vote_apart(const unsigned char *__restrict__ edges, const float2 *__restrict__ directions,
                           unsigned *__restrict__ votes, int nx, int ny, int angles, int distances, int wide, int times)
{
    unsigned block = blockIdx.y * gridDim.x + blockIdx.x, all = gridDim.x * gridDim.y;
    if (mode == 4)
        block = (unsigned)((unsigned long long)block * 2654435761u % all);
    int x = block % gridDim.x * blockDim.x + threadIdx.x;
    int y = block / gridDim.x * blockDim.y + threadIdx.y;
    int begin = mode == 1 || mode == 3 ? block * 2654435761u % angles : 0;

    if (x >= nx || y >= ny)
        return;
    if (edges[y * nx + x]) {
        for (int i = 0; i < times; i++) {
            int k = (begin + i) % angles;
            float2 direction = directions[k];
            int place = (int)(x * direction.x + y * direction.y) + distances / 2;
            if (mode == 2 || mode == 3)
                place = (y * nx + x) % distances;
            atomicAdd(&votes[k * wide + place], 1u);
        }
    }
}

// Additions to a million words, the first of which are added to more often: a warp on one sector, `power` 1 evenly.
// each: lanes go to sectors of their own.
__global__ void add_uneven(unsigned *words, int times, int power, bool each)
{
    unsigned state = (blockIdx.x * blockDim.x + threadIdx.x) / (each ? 1 : 32) * 2654435761u + 12345;
    for (int i = 0; i < times; i++) {
        state = state * 1664525u + 1013904223u;
        unsigned mixed = (state ^ state >> 16) * 0x7feb352du;
        float u = (float)((mixed ^ mixed >> 15) >> 8) / 16777216.0f, place = u;
        for (int p = 1; p < power; p++)
            place *= u;
        atomicAdd(&words[(unsigned)(place * (1 << 17)) * 8 + threadIdx.x % 8], 1u);
    }
}

template <int mode> static step variant(const char *name, const unsigned char *edges, const float2 *directions, unsigned *votes, int nx, int ny, int wide, int times = 180)
{
    int distances = 2 * ((int)ceil(hypot(nx, ny)) + 1);
    dim3 block(32, 8), grid(blocks(nx, 32), blocks(ny, 8));
    return {name, [=] { vote_apart<mode><<<grid, block>>>(edges, directions, votes, nx, ny, 180, distances, wide ? wide : distances, times); }, grid, block};
}

static void votes(int nx, int ny)
{
    size_t n = (size_t)nx * ny;
    std::vector<float2> turned(180);
    for (int i = 0; i < 180; i++)
        turned[i] = make_float2((float)cos(i * M_PI / 180), (float)sin(i * M_PI / 180));
    std::vector<float> road(n);
    road_fill(road.data(), nx, ny);
    float *image = upload(road), *smoothed;
    float2 *directions = upload(turned);
    unsigned char *edges;
    unsigned *votes;
    CHECK(cudaMalloc(&smoothed, n * sizeof(float)));
    CHECK(cudaMalloc(&edges, n));
    CHECK(cudaMalloc(&votes, (size_t)180 * 40000 * sizeof(unsigned)));
    dim3 block(32, 8), grid(blocks(nx, 32), blocks(ny, 8));
    smooth<<<grid, block>>>(image, smoothed, nx, ny);
    mark_edges<<<grid, block>>>(smoothed, edges, nx, ny, 100.0f);
    int distances = 2 * ((int)ceil(hypot(nx, ny)) + 1);
    std::vector<step> steps = {
        {"vote", [=] { vote<<<grid, block>>>(edges, directions, votes, nx, ny, 180, distances); }, grid, block},
        {"uneven_1", [=] { add_uneven<<<1056, 256>>>(votes, 16, 1, false); }, 1056, 256},
        {"uneven_2", [=] { add_uneven<<<1056, 256>>>(votes, 16, 2, false); }, 1056, 256},
        {"uneven_4", [=] { add_uneven<<<1056, 256>>>(votes, 16, 4, false); }, 1056, 256},
        {"uneven_8", [=] { add_uneven<<<1056, 256>>>(votes, 16, 8, false); }, 1056, 256},
        {"each_1", [=] { add_uneven<<<1056, 256>>>(votes, 16, 1, true); }, 1056, 256},
        {"each_2", [=] { add_uneven<<<1056, 256>>>(votes, 16, 2, true); }, 1056, 256},
        {"each_4", [=] { add_uneven<<<1056, 256>>>(votes, 16, 4, true); }, 1056, 256},
        {"each_8", [=] { add_uneven<<<1056, 256>>>(votes, 16, 8, true); }, 1056, 256},
        variant<0>("as_vote", edges, directions, votes, nx, ny, 0),   variant<0>("wide", edges, directions, votes, nx, ny, 8814),
        variant<1>("turned", edges, directions, votes, nx, ny, 0),    variant<2>("own", edges, directions, votes, nx, ny, 0),
        variant<3>("own_turned", edges, directions, votes, nx, ny, 0), variant<4>("other_order", edges, directions, votes, nx, ny, 0),
        variant<0>("half", edges, directions, votes, nx, ny, 0, 90),  variant<0>("twice", edges, directions, votes, nx, ny, 0, 360),
        variant<1>("turned_half", edges, directions, votes, nx, ny, 0, 90), variant<1>("turned_twice", edges, directions, votes, nx, ny, 0, 360),
    };
    for (auto &one : steps) {
        if (once) {
            one.launch();
            CHECK(cudaProfilerStart());
            one.launch();
            CHECK(cudaDeviceSynchronize());
            CHECK(cudaProfilerStop());
            printf("{\"kernel\": \"%s\", \"size\": %d}\n", one.name, nx);
            continue;
        }
        cudaEvent_t from, to;
        CHECK(cudaEventCreate(&from));
        CHECK(cudaEventCreate(&to));
        std::vector<double> times;
        for (int trial = 0; trial < 10; trial++) {
            float ms;
            one.launch();
            CHECK(cudaEventRecord(from));
            for (int i = 0; i < 20; i++)
                one.launch();
            CHECK(cudaEventRecord(to));
            CHECK(cudaEventSynchronize(to));
            CHECK(cudaEventElapsedTime(&ms, from, to));
            times.push_back(1e-3 * ms / 20);
        }
        printf("{\"kernel\": \"%s\", \"size\": %d", one.name, nx);
        print_times(times);
        printf("}\n");
    }
    for (void *array : {(void *)image, (void *)smoothed, (void *)edges, (void *)votes, (void *)directions})
        CHECK(cudaFree(array));
}

int main(int count, char **words)
{
    const char *part = count > 1 ? words[1] : "";
    once = count > 2 && !strcmp(words[2], "once");
    CHECK(cudaMalloc(&flushed, flush_bytes));
    if (!strcmp(part, "sequences")) {
        for (int side : {1024, 2048, 4096})
            multigrid(side);
        perceptron(1024, 256);
        perceptron(4096, 512);
        perceptron(16384, 256);
        for (int side : {128, 256, 512})
            particles(side);
    }
    if (!strcmp(part, "votes")) {
        votes(1280, 720);
        votes(1920, 1080);
        votes(3840, 2160);
    }
    return 0;
}
