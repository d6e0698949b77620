/* Any bytes are the beginning of an array of NumPy's format: read, with elements that lie within
 * the file, or refused with a sentence. */
#include "emulate_npy.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fw_npy array;
    const uint64_t longer = (uint64_t)1 << 40;
    if (!fw_npy_read(&array, data, size, size)) {
        const uint64_t bytes = fw_type_bytes(array.type);
        if (!bytes || array.begin > size || array.count > (size - array.begin) / bytes)
            fail("elements beyond the file");
        if (fw_npy_read(&array, data, size, longer))
            fail("a longer file is refused");
    }
    if (!fw_npy_read(&array, data, size, longer) &&
        array.count > longer / fw_type_bytes(array.type))
        fail("elements beyond a long file");
    return 0;
}
