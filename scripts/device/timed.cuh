// What recording programs share: arrays on the device, the time of a launch, and its pass for a profiler.
#pragma once
#include "check.cuh"
#include "power_watch.cuh"
#include <algorithm>
#include <cstring>
#include <cuda_profiler_api.h>
#include <functional>
#include <vector>

// Launches are for a profiler (--profile-from-start off), each in a range of its own, and not timed.
static bool once;
// Launches are for their power (power_watch.cuh).
static bool power;

// What the command line says: `once` or `power`, or nothing.
inline void read_purpose(int count, char **words, int place)
{
    once = count > place && !strcmp(words[place], "once");
    power = count > place && !strcmp(words[place], "power");
}

// From -0.5 to 0.5, the same sequence in each run.
inline float random_value()
{
    static unsigned state = 1;
    state = state * 1664525u + 1013904223u;
    return (state >> 8) / 16777216.0f - 0.5f;
}

inline std::vector<float> random_values(size_t n)
{
    std::vector<float> values(n);
    for (auto &value : values)
        value = random_value();
    return values;
}

template <class T> static T *upload(const std::vector<T> &values)
{
    T *array;
    CHECK(cudaMalloc(&array, values.size() * sizeof(T)));
    CHECK(cudaMemcpy(array, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    return array;
}

// n numbers, all of whose bytes are `byte`.
inline float *room(size_t n, int byte)
{
    float *array;
    CHECK(cudaMalloc(&array, n * sizeof(float)));
    CHECK(cudaMemset(array, byte, n * sizeof(float)));
    return array;
}

// Prints the members seconds, low and high of a line of JSON: the median, the least and the greatest of 9 times of a
// launch among 20 back to back.  once: launches it for the profiler instead, and prints nothing.  power: prints what
// print_power does.
inline void print_time(const std::function<void()> &launch)
{
    if (once) {
        CHECK(cudaProfilerStart());
        launch();
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaProfilerStop());
        return;
    }
    cudaEvent_t from, to;
    std::vector<float> times;
    CHECK(cudaEventCreate(&from));
    CHECK(cudaEventCreate(&to));
    for (int trial = 0; trial < 9; trial++) {
        float ms;
        CHECK(cudaEventRecord(from));
        for (int i = 0; i < 20; i++)
            launch();
        CHECK(cudaEventRecord(to));
        CHECK(cudaEventSynchronize(to));
        CHECK(cudaEventElapsedTime(&ms, from, to));
        times.push_back(ms / 20);
        if (power && trial == 1)
            break;
    }
    CHECK(cudaEventDestroy(from));
    CHECK(cudaEventDestroy(to));
    if (power) {
        print_power(launch, times.back() * 1e-3);
        return;
    }
    std::sort(times.begin(), times.end());
    printf(", \"seconds\": %.6g, \"low\": %.6g, \"high\": %.6g", times[4] * 1e-3, times[0] * 1e-3, times[8] * 1e-3);
}
