// How fast the texture units are: fetches of one and two coordinates, from linear memory and from arrays, some of
// which L1 holds.
//
// usage: textures
// Prints a line of JSON for each configuration: the fetches of one launch and its time (median of 7, 20 launches each).
// lanes_texture of a profile: the fetches of `linear` (1 KiB) a cycle and multiprocessor; lanes_texture_plane: those of
// `plane` (16 texels a side); both without the time of an empty kernel.
#include "check.cuh"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

enum { TIMES = 256 };

// Neighbouring threads fetch neighbouring texels of a table of `size`, a power of two; iterations walk on.
template <typename T> __global__ void linear(cudaTextureObject_t texture, int size, float *out)
{
    float sum = 0;
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < TIMES; i++, at += 32) {
        T texel = tex1Dfetch<T>(texture, at & (size - 1));
        sum += *(float *)&texel;
    }
    if (sum == 123.0f)
        out[0] = sum;
}

// The same in two dimensions; `apart`: rows between two threads.
__global__ void plane(cudaTextureObject_t texture, int size, int apart, float *out)
{
    float sum = 0;
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < TIMES; i++, at += 32)
        sum += tex2D<float>(texture, at & (size - 1), (at * apart + i) & (size - 1));
    if (sum == 123.0f)
        out[0] = sum;
}

template <typename F> static void run(const std::string &name, const std::string &more, int blocks, F launch)
{
    cudaEvent_t from, to;
    float milliseconds;
    std::vector<float> all;
    CHECK(cudaEventCreate(&from));
    CHECK(cudaEventCreate(&to));
    for (int trial = 0; trial < 8; trial++) {
        CHECK(cudaEventRecord(from));
        for (int l = 0; l < 20; l++)
            launch();
        CHECK(cudaEventRecord(to));
        CHECK(cudaEventSynchronize(to));
        CHECK(cudaGetLastError());
        CHECK(cudaEventElapsedTime(&milliseconds, from, to));
        if (trial)
            all.push_back(milliseconds * 1e-3f / 20);
    }
    std::sort(all.begin(), all.end());
    printf("{\"kernel\": \"%s\", %s, \"grid\": %d, \"block\": 256, \"fetches\": %lld, \"seconds\": %.9g, \"low\": %.9g, "
           "\"high\": %.9g}\n",
           name.c_str(), more.c_str(), blocks, 256LL * blocks * TIMES, all[all.size() / 2], all.front(), all.back());
    CHECK(cudaEventDestroy(from));
    CHECK(cudaEventDestroy(to));
}

template <typename T> static void tables(const char *type, void *memory, float *out, int blocks)
{
    for (int bytes = 1024; bytes <= 1 << 26; bytes *= 16) {
        cudaResourceDesc resource = {};
        cudaTextureDesc how = {};
        cudaTextureObject_t texture;
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.devPtr = memory;
        resource.res.linear.desc = cudaCreateChannelDesc<T>();
        resource.res.linear.sizeInBytes = bytes;
        how.readMode = cudaReadModeElementType;
        CHECK(cudaCreateTextureObject(&texture, &resource, &how, NULL));
        int size = bytes / (int)sizeof(T);
        run("linear", std::string("\"type\": \"") + type + "\", \"bytes\": " + std::to_string(bytes), blocks,
            [&] { linear<T><<<blocks, 256>>>(texture, size, out); });
        CHECK(cudaDestroyTextureObject(texture));
    }
}

static void planes(float *out, int blocks, bool filtered)
{
    for (int size : {16, 256, 4096}) {
        cudaArray_t array;
        cudaResourceDesc resource = {};
        cudaTextureDesc how = {};
        cudaTextureObject_t texture;
        cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
        CHECK(cudaMallocArray(&array, &channel, size, size));
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        how.readMode = cudaReadModeElementType;
        how.filterMode = filtered ? cudaFilterModeLinear : cudaFilterModePoint;
        CHECK(cudaCreateTextureObject(&texture, &resource, &how, NULL));
        for (int apart : {0, 1})
            run("plane",
                std::string("\"filtered\": ") + (filtered ? "true" : "false") + ", \"side\": " + std::to_string(size) +
                    ", \"apart\": " + std::to_string(apart),
                blocks, [&] { plane<<<blocks, 256>>>(texture, size, apart, out); });
        CHECK(cudaDestroyTextureObject(texture));
        CHECK(cudaFreeArray(array));
    }
}

int main()
{
    char *memory;
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    CHECK(cudaMalloc(&memory, 1 << 27));
    CHECK(cudaMemset(memory, 0, 1 << 27));
    int blocks = 8 * device.multiProcessorCount;
    float *out = (float *)(memory + (1 << 26));
    tables<float>("f32", memory, out, blocks);
    tables<float2>("f32x2", memory, out, blocks);
    tables<float4>("f32x4", memory, out, blocks);
    planes(out, blocks, false);
    planes(out, blocks, true);
    return 0;
}
