// Watts of launches back to back, by NVML's counter of energy (data/h200/energies/README.md): a thread looks at the counter
// every millisecond, and the window is from one of its steps, once the load has lasted for a while, to another.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <thread>

struct power_figures {
    double watts, window, joules; // from step to step; s, J
    double seconds;               // of one launch, by the launches that ended in the window; 0: too few batches
    double clock, lowest;         // Hz, mean and least of looks every 20 ms
    double degrees, throttle;     // at the end; the union of NVML's reasons
};

class power_watch {
  public:
    // Of the current device.  warm: seconds before the window; least: seconds of the window.
    power_watch(double warm, double least) : warm(warm), least(least)
    {
        char bus[32] = "";
        int device = 0;
        void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
        auto init = (int (*)())found(library, "nvmlInit_v2");
        auto by_bus = (int (*)(const char *, void **))found(library, "nvmlDeviceGetHandleByPciBusId_v2");
        energy = (int (*)(void *, unsigned long long *))found(library, "nvmlDeviceGetTotalEnergyConsumption");
        clock_of = (int (*)(void *, int, unsigned *))found(library, "nvmlDeviceGetClockInfo");
        temperature = (int (*)(void *, int, unsigned *))found(library, "nvmlDeviceGetTemperature");
        reasons = (int (*)(void *, unsigned long long *))found(library, "nvmlDeviceGetCurrentClocksThrottleReasons");
        failed = cudaGetDevice(&device) || cudaDeviceGetPCIBusId(bus, sizeof bus, device) || !init || init() || !by_bus ||
                 by_bus(bus, &handle) || !energy || !clock_of || !temperature || !reasons;
        begin = now();
        watcher = std::thread([this] { watch(); });
    }
    ~power_watch()
    {
        ended = true;
        watcher.join();
    }
    // Whether the window has ended, or none came in 5 s beyond what was asked for.
    bool is_over() const { return ended; }
    // So many launches ended since the call before.
    void count(double launches)
    {
        double time = now();
        int steps_seen = steps;
        if (steps_seen && !ended) {
            if (counted_from == 0)
                counted_from = time;
            else
                counted += launches;
            counted_to = time;
        }
    }
    // Once it is over: false where there was no window.
    bool give(power_figures *to) const
    {
        double window = last_time - first_time, joules = (double)(last - first) * 1e-3;
        if (failed || !complete)
            return false;
        *to = {joules / window, window, joules, counted > 0 ? (counted_to - counted_from) / counted : 0, looks ? clocks / looks : 0,
               lowest, degrees, (double)throttle};
        return true;
    }

  private:
    static void *found(void *library, const char *name) { return library ? dlsym(library, name) : nullptr; }
    static double now() { return 1e-9 * (double)std::chrono::steady_clock::now().time_since_epoch().count(); }
    void watch()
    {
        unsigned long long seen = 0, value, bits;
        unsigned number;
        double looked = 0;
        if (!failed)
            energy(handle, &seen);
        while (!ended && !failed && now() < begin + warm + least + 5) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            double time = now();
            if (energy(handle, &value) || time < begin + warm) {
                seen = value;
                continue;
            }
            if (value != seen && !steps) {
                first = value, first_time = time;
                steps = 1;
            } else if (value != seen && time >= first_time + least) {
                last = value, last_time = time;
                complete = true;
                break;
            }
            seen = value;
            if (!steps || time < looked + 0.02)
                continue;
            looked = time;
            if (!clock_of(handle, 1, &number)) {
                clocks += 1e6 * number;
                looks++;
                lowest = lowest == 0 || 1e6 * number < lowest ? 1e6 * number : lowest;
            }
            if (!temperature(handle, 0, &number))
                degrees = number;
            if (!reasons(handle, &bits))
                throttle |= bits;
        }
        ended = true;
    }
    double warm, least, begin, first_time = 0, last_time = 0, counted = 0, counted_from = 0, counted_to = 0;
    double clocks = 0, lowest = 0, degrees = 0;
    int looks = 0;
    unsigned long long first = 0, last = 0, throttle = 0;
    bool failed = false, complete = false;
    std::atomic<int> steps{0};
    std::atomic<bool> ended{false};
    void *handle = nullptr;
    int (*energy)(void *, unsigned long long *);
    int (*clock_of)(void *, int, unsigned *);
    int (*temperature)(void *, int, unsigned *);
    int (*reasons)(void *, unsigned long long *);
    std::thread watcher;
};

enum { POWER_BATCHES = 3 }; // so many wait on the device, so that it waits for nobody

// Prints the members watts to throttle of a line of JSON: of launches back to back for 0.4 s, and in a window of 0.6 s or
// more behind them.  one: seconds of a launch, about.
template <class L> static void print_power(const L &launch, double one, cudaStream_t stream = 0)
{
    int batch = one > 0 && one < 0.01 ? (int)(0.01 / one) + 1 : 1, number = 0;
    cudaEvent_t ends[POWER_BATCHES];
    for (auto &end : ends)
        cudaEventCreateWithFlags(&end, cudaEventDisableTiming);
    power_watch watch(0.4, 0.6);
    for (; !watch.is_over(); number++) {
        if (number >= POWER_BATCHES) {
            cudaEventSynchronize(ends[number % POWER_BATCHES]);
            watch.count(batch);
        }
        for (int i = 0; i < batch; i++)
            launch();
        cudaEventRecord(ends[number % POWER_BATCHES], stream);
    }
    cudaStreamSynchronize(stream);
    for (auto &end : ends)
        cudaEventDestroy(end);
    power_figures of;
    if (watch.give(&of))
        printf(", \"watts\": %.5g, \"window\": %.5g, \"joules\": %.6g, \"seconds\": %.5g, \"clock\": %.5g, \"lowest\": %.5g, "
               "\"degrees\": %g, \"throttle\": %g",
               of.watts, of.window, of.joules, of.seconds, of.clock, of.lowest, of.degrees, of.throttle);
}
