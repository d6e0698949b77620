#include "local_memory.h"

#include "random.h"

enum { WORD = 4 };

static int64_t words_of_array(const struct fw_kernel *kernel, const struct fw_access *access)
{
    uint64_t bytes = access->array == FW_NONE ? 0 : kernel->arrays[access->array].bytes;
    return bytes > INT32_MAX ? 0 : (int64_t)(bytes / WORD);
}

bool fw_local_is_modelled(const struct fw_kernel *kernel, const struct fw_access *access)
{
    int64_t fixed; /* a fixed address in constant memory is an operand of the instruction that reads
                      it */
    bool here = access->space == FW_SPACE_LOCAL ||
                (access->space == FW_SPACE_CONST &&
                 !fw_expression_constant(&kernel->pool, access->offset, &fixed));
    return here && !access->bulk && (!access->data_dependent || words_of_array(kernel, access) > 0);
}

uint32_t fw_local_words(const struct fw_access *access)
{
    return access->bytes > WORD ? access->bytes / WORD : 1;
}

int64_t fw_local_random_word(const struct fw_kernel *kernel, const struct fw_access *access,
                             uint32_t draw)
{
    struct fw_random random = {draw};
    int64_t wide = fw_local_words(access), all = words_of_array(kernel, access) / wide;
    if (access->space == FW_SPACE_CONST && access->bytes > 0 && access->bytes < WORD)
        all *= WORD / access->bytes;                      /* its elements are places of their own */
    if (access->chosen && all >= access->chosen->count) { /* each value has a place of its own */
        double left = (double)(fw_random_next(&random) >> 11) * 0x1p-53;
        uint32_t v = 0;
        while (v + 1 < access->chosen->count && (left -= access->chosen->shares[v]) >= 0)
            v++;
        return (int64_t)v * wide;
    }
    return all > 1 ? fw_random_between(&random, 0, all - 1) * wide : 0;
}
