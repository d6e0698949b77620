// Cycles of a product in the kernels that write_ports.py writes, by warps of a scheduler.
//
// usage: launch_ports FOLDER: a line of JSON for each of FOLDER/*.cubin and 1 to 4 warps, medians of 9 launches behind one
// that warms caches up.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <filesystem>
#include <string>
#include <vector>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        CUresult result = (call);                                                                                      \
        if (result) {                                                                                                  \
            fprintf(stderr, "%s: %d\n", #call, (int)result);                                                           \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static CUdeviceptr to, cycles;

static double cycles_of_product(CUfunction kernel, unsigned warps)
{
    int turns = 64;
    void *arguments[] = {&to, &cycles, &turns};
    std::vector<double> all;
    for (int trial = 0; trial < 10; trial++) {
        long long got[16] = {};
        CHECK(cuLaunchKernel(kernel, 1, 1, 1, 128 * warps, 1, 1, 0, 0, arguments, 0));
        CHECK(cuCtxSynchronize());
        CHECK(cuMemcpyDtoH(got, cycles, 32 * warps));
        if (trial)
            all.push_back((double)*std::max_element(got, got + 4 * warps) / (256.0 * turns * warps));
    }
    std::sort(all.begin(), all.end());
    return all[4];
}

int main(int, char **argv)
{
    CUdevice device;
    CUcontext context;
    std::vector<std::filesystem::path> paths;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuMemAlloc(&to, 1 << 20));
    CHECK(cuMemAlloc(&cycles, 1 << 10));
    CHECK(cuMemsetD8(to, 0, 1 << 20));
    for (auto &entry : std::filesystem::directory_iterator(argv[1]))
        if (entry.path().extension() == ".cubin")
            paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    for (auto &path : paths) {
        CUmodule module;
        CUfunction kernel;
        CHECK(cuModuleLoad(&module, path.c_str()));
        CHECK(cuModuleGetFunction(&kernel, module, "ports"));
        for (unsigned warps = 1; warps <= 4; warps++)
            printf("{\"what\": \"%s\", \"warps\": %u, \"cycles\": %.3f}\n", path.stem().c_str(), warps,
                   cycles_of_product(kernel, warps));
        CHECK(cuModuleUnload(module));
    }
}
