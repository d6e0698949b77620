/* NVML by dlopen: the few calls that a measurement needs.  Signatures and numbers are those of
 * NVIDIA's "NVML API Reference Guide". */
#include "measure_backend.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLOCK_SM = 1, CLOCK_MEMORY = 2, TEMPERATURE_GPU = 0 };

struct fw_nvml {
    void *library, *device;
    int (*init)(void);
    int (*shutdown)(void);
    int (*count)(unsigned *);
    int (*by_bus)(const char *, void **);
    int (*by_index)(unsigned, void **);
    int (*clock)(void *, unsigned, unsigned *);
    int (*clock_top)(void *, unsigned, unsigned *);
    int (*temperature)(void *, unsigned, unsigned *);
    int (*throttle)(void *, unsigned long long *);
    int (*energy)(void *, unsigned long long *);
    int (*power_limit)(void *, unsigned *);
    int (*driver)(char *, unsigned);
};

static bool load(struct fw_nvml *nvml)
{
    struct fw_reason unused;
#define LOAD(member, name)                                                                         \
    fw_symbol_load(nvml->library, name, &nvml->member, sizeof nvml->member, &unused)
    return LOAD(init, "nvmlInit_v2") && LOAD(shutdown, "nvmlShutdown") &&
           LOAD(count, "nvmlDeviceGetCount_v2") &&
           LOAD(by_bus, "nvmlDeviceGetHandleByPciBusId_v2") &&
           LOAD(by_index, "nvmlDeviceGetHandleByIndex_v2") &&
           LOAD(clock, "nvmlDeviceGetClockInfo") && LOAD(clock_top, "nvmlDeviceGetMaxClockInfo") &&
           LOAD(temperature, "nvmlDeviceGetTemperature") &&
           LOAD(throttle, "nvmlDeviceGetCurrentClocksThrottleReasons") &&
           LOAD(energy, "nvmlDeviceGetTotalEnergyConsumption") &&
           LOAD(driver, "nvmlSystemGetDriverVersion") &&
           LOAD(power_limit, "nvmlDeviceGetEnforcedPowerLimit");
#undef LOAD
}

struct fw_nvml *fw_nvml_open(const char *bus)
{
    struct fw_nvml *nvml = fw_measure_memory(1, sizeof *nvml);
    unsigned count = 0;
    nvml->library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!nvml->library || !load(nvml) || nvml->init() != 0) {
        if (nvml->library)
            dlclose(nvml->library);
        free(nvml);
        return NULL;
    }
    int failed = bus ? nvml->by_bus(bus, &nvml->device)
                     : nvml->count(&count) || count != 1 || nvml->by_index(0, &nvml->device);
    if (!failed)
        return nvml;
    fw_nvml_close(nvml);
    return NULL;
}

void fw_nvml_describe(struct fw_nvml *nvml, struct fw_setup *setup)
{
    unsigned value;
    char version[96] = "";
    size_t length = strlen(setup->driver);
    if (!nvml)
        return;
    if (nvml->driver(version, sizeof version) == 0)
        snprintf(setup->driver + length, sizeof setup->driver - length, ", driver %s", version);
    if (nvml->clock_top(nvml->device, CLOCK_SM, &value) == 0)
        setup->clock_top_hertz = value * 1e6;
    if (nvml->clock_top(nvml->device, CLOCK_MEMORY, &value) == 0)
        setup->memory_clock_top_hertz = value * 1e6;
    if (nvml->power_limit(nvml->device, &value) == 0)
        setup->power_limit_watts = value * 1e-3;
}

void fw_nvml_sample(struct fw_nvml *nvml, bool energy, struct fw_sample *sample)
{
    unsigned value;
    unsigned long long bits;
    *sample = (struct fw_sample){-1, -1, -1, -1};
    if (!nvml)
        return;
    if (energy) {
        if (nvml->energy(nvml->device, &bits) == 0)
            sample->joules = (double)bits * 1e-3;
        return;
    }
    if (nvml->clock(nvml->device, CLOCK_SM, &value) == 0)
        sample->clock_hertz = value * 1e6;
    if (nvml->temperature(nvml->device, TEMPERATURE_GPU, &value) == 0)
        sample->temperature_celsius = value;
    if (nvml->throttle(nvml->device, &bits) == 0)
        sample->throttle = (double)(bits & ~1ULL);
}

void fw_nvml_close(struct fw_nvml *nvml)
{
    if (!nvml)
        return;
    nvml->shutdown();
    dlclose(nvml->library);
    free(nvml);
}
