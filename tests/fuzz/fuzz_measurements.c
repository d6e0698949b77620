/* Any bytes are read as records of measurements: each is found by its name, or the text is refused
 * with a diagnostic. */
#include "fuzzing.h"
#include "measurements.h"

#include <math.h>

static void check(const struct fw_measurements *measurements, size_t at)
{
    static const char *const outputs[] = {"f_cl_wall_time_x", "f_seconds", "f_watts", "f_joules"};
    const struct fw_measurement *one = &measurements->all.at[at];
    if (fw_measurements_find(measurements, one->name) != one)
        fail("a measurement is not found by its name");
    for (size_t o = 0; o < sizeof(outputs) / sizeof(*outputs); o++) {
        double value;
        if (!fw_measurement_output(&value, one, outputs[o]) || isinf(value))
            fail("an output is no number");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fw_arena *arena = fw_arena_new(0);
    const struct fw_source source = {"records", fw_arena_text(arena, (const char *)data, size),
                                     size};
    struct fw_measurements measurements;
    unsigned errors = 0;
    const struct fw_sink sink = {hear, &errors};
    enum fw_status status = fw_measurements_read(&measurements, arena, &source, &sink);
    if ((status != FW_OK) != (errors == 1))
        fail("status and diagnostics do not agree");
    for (size_t m = 0; !status && m < measurements.all.count; m++)
        check(&measurements, m);
    if (!status && !measurements.all.count)
        fail("there is no measurement, and no error");
    fw_arena_free(arena);
    return 0;
}
