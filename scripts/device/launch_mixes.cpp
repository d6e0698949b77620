// Cycles of a scheduler for a round of one warp, in the kernels that write_mixes.py writes.
//
// usage: launch_mixes FOLDER: a line of JSON for each kernel of FOLDER/plan.txt and 1, 2, 4 and 8 warps of each scheduler
// of one multiprocessor, the least of 4 launches behind one that warms caches up.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <map>
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

int main(int, char **argv)
{
    enum { CHASED = 256, TURNS = 24 };
    CUdevice device;
    CUcontext context;
    CUdeviceptr out, sink, chase;
    std::map<int, CUmodule> modules;
    std::string folder = argv[1];
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuMemAlloc(&out, 8));
    CHECK(cuMemAlloc(&sink, 8));
    CHECK(cuMemAlloc(&chase, CHASED * 8));
    std::vector<CUdeviceptr> own(CHASED);
    for (int i = 0; i < CHASED; i++)
        own[i] = chase + i * 8;
    CHECK(cuMemcpyHtoD(chase, own.data(), CHASED * 8));
    FILE *plan = fopen((folder + "/plan.txt").c_str(), "r");
    char name[64], first[64], beside[128];
    int part, rounds;
    while (plan && fscanf(plan, "%d %63s %d %63s %127s", &part, name, &rounds, first, beside) == 5) {
        if (!modules.count(part))
            CHECK(cuModuleLoad(&modules[part], (folder + "/mixes_" + std::to_string(part) + ".cubin").c_str()));
        CUfunction kernel;
        CHECK(cuModuleGetFunction(&kernel, modules[part], name));
        int most = 0;
        CHECK(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel));
        for (int warps = 1; warps <= 8 && 128 * warps <= most; warps *= 2) {
            long long best = 1LL << 60;
            int turns = TURNS, much = 3;
            void *arguments[] = {&out, &sink, &chase, &turns, &much};
            for (int trial = 0; trial < 5; trial++) {
                long long got;
                CHECK(cuLaunchKernel(kernel, 1, 1, 1, 128 * warps, 1, 1, 0, 0, arguments, 0));
                CHECK(cuCtxSynchronize());
                CHECK(cuMemcpyDtoH(&got, out, 8));
                if (trial)
                    best = std::min(best, got);
            }
            printf("{\"operation\": \"%s\", \"beside\": \"%s\", \"warps\": %d, \"cycles\": %.3f}\n", first, beside, warps,
                   (double)best / TURNS / rounds / warps);
        }
    }
    return 0;
}
