/* The table of backends, and what they share. */
#include "measure_backend.h"

#include <dlfcn.h>
#include <string.h>

static const struct fw_backend *const backends[] = {
    &fw_backend_cuda,
    &fw_backend_opencl,
    &fw_backend_replay,
#ifdef FW_MEASURE_FAKE
    &fw_backend_fake,
#endif
};

const struct fw_backend *fw_backend_find(const char *name)
{
    for (size_t i = 0; i < sizeof backends / sizeof *backends; i++)
        if (strcmp(backends[i]->name, name) == 0)
            return backends[i];
    return NULL;
}

const char *fw_backend_names(void)
{
    return "cuda|opencl|replay";
}

bool fw_symbol_load(void *library, const char *name, void *function, size_t size,
                    struct fw_reason *reason)
{
    void *symbol = dlsym(library, name);
    if (!symbol)
        return fw_reason_set(reason, "the driver's library has no function %s", name);
    memcpy(function, &symbol, size);
    return true;
}
