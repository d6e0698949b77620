// Times of the kernels that write_outer.py writes.
//
// usage: launch_outer FOLDER: a line of JSON for each of FOLDER/*.cubin (and 1 to 4 warps of a
// scheduler), medians of 9 launches behind one that warms caches up; launch_outer FILE.cubin WARPS:
// one launch, for a profiler.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <filesystem>
#include <string>
#include <vector>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        CUresult result = (call);                                                                  \
        if (result) {                                                                              \
            fprintf(stderr, "%s: %d\n", #call, (int)result);                                       \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

enum { SIZE = 2048, TURNS = 64 };
static CUdeviceptr to, cycles, left, right, target;

static void launch(CUfunction kernel, bool bulk, unsigned warps)
{
    int turns = TURNS, size = SIZE;
    void *arguments[] = {&to, &cycles, &turns}, *bulks[] = {&left, &right, &target, &size, &size};
    if (bulk)
        CHECK(cuLaunchKernel(kernel, SIZE / 128, SIZE / 128, 1, 288, 1, 1, 65536, 0, bulks, 0));
    else
        CHECK(cuLaunchKernel(kernel, 132, 1, 1, 128 * warps, 1, 1, 32768, 0, arguments, 0));
    CHECK(cuCtxSynchronize());
}

static void show(const std::string &name, CUfunction kernel, bool bulk, unsigned warps)
{
    std::vector<double> all;
    CUevent from, end;
    CHECK(cuEventCreate(&from, 0));
    CHECK(cuEventCreate(&end, 0));
    for (int trial = 0; trial < 10; trial++) {
        long long got[16] = {};
        float ms;
        CHECK(cuEventRecord(from, 0));
        launch(kernel, bulk, warps);
        CHECK(cuEventRecord(end, 0));
        CHECK(cuEventSynchronize(end));
        CHECK(cuEventElapsedTime(&ms, from, end));
        CHECK(cuMemcpyDtoH(got, cycles, 32 * warps));
        if (trial)
            all.push_back(bulk ? ms * 1e-3
                               : (double)*std::max_element(got, got + 4 * warps) / (16.0 * TURNS));
    }
    std::sort(all.begin(), all.end());
    if (bulk)
        printf("{\"what\": \"%s\", \"seconds\": %.5g}\n", name.c_str(), all[4]);
    else
        printf("{\"what\": \"%s\", \"warps\": %u, \"cycles\": %.2f}\n", name.c_str(), warps,
               all[4]);
    fflush(stdout);
}

static CUfunction load(const std::filesystem::path &path, bool *bulk)
{
    CUmodule module;
    CUfunction kernel;
    CHECK(cuModuleLoad(&module, path.c_str()));
    *bulk = path.stem().string().substr(0, 4) == "bulk";
    CHECK(cuModuleGetFunction(&kernel, module, *bulk ? "bulk_product" : "outer"));
    CHECK(cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536));
    return kernel;
}

int main(int argc, char **argv)
{
    CUdevice device;
    CUcontext context;
    bool bulk;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    for (CUdeviceptr *p : {&to, &cycles, &left, &right, &target}) {
        CHECK(cuMemAlloc(p, SIZE * SIZE * 4));
        CHECK(cuMemsetD8(*p, 0, SIZE * SIZE * 4));
    }
    if (argc > 2) {
        CUfunction kernel = load(argv[1], &bulk);
        launch(kernel, bulk, (unsigned)atoi(argv[2]));
        return 0;
    }
    std::vector<std::filesystem::path> paths;
    for (auto &entry : std::filesystem::directory_iterator(argv[1]))
        if (entry.path().extension() == ".cubin")
            paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    for (auto &path : paths) {
        CUfunction kernel = load(path, &bulk);
        for (unsigned warps = 1; warps <= (bulk ? 1 : 4); warps++)
            show(path.stem().string(), kernel, bulk, warps);
    }
}
