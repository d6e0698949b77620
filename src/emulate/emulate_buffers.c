#include "emulate_buffers.h"

#include "emulate_convert.h"
#include "emulate_number.h"
#include "file.h"
#include "random.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

/* Maps zeroed memory of `bytes`, lazily: pages cost nothing until they are written.  NULL without.
 */
static void *map(uint64_t bytes)
{
    if (bytes == 0 || bytes > SIZE_MAX / 2)
        return NULL;
    void *memory = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void fw_emulate_unmap(void *memory, uint64_t bytes)
{
    if (memory)
        munmap(memory, (size_t)bytes);
}

enum fw_status fw_emulate_buffer_add(struct emulate_buffers *buffers, struct fw_arena *arena,
                                     const char *name, uint64_t bytes, uint64_t alignment,
                                     bool constant, const struct fw_sink *sink)
{
    const struct fw_span nowhere = {0};
    uint64_t *next = constant ? &buffers->next_constant : &buffers->next_global;
    alignment = alignment < 256 ? 256 : alignment;
    void *memory = map(bytes ? bytes : 1);
    if (!memory) {
        fw_report(sink, FW_ERROR, "EMU005", nowhere, "no memory for '%s' (%llu bytes): %s", name,
                  (unsigned long long)bytes, strerror(errno));
        return FW_ERROR_MACHINE;
    }
    const uint64_t start = (*next + alignment - 1) & ~(alignment - 1);
    *FW_APPEND(arena, &buffers->list) = (struct fw_emulate_buffer){.name = name,
                                                                   .parameter = FW_NO_INDEX,
                                                                   .address = start,
                                                                   .bytes = bytes,
                                                                   .memory = memory,
                                                                   .read_only = constant};
    *next = start + bytes + (constant ? 4096 : BUFFER_GAP);
    if (constant && *next > SHARED_WINDOW) {
        fw_report(sink, FW_ERROR, "EMU005", nowhere, "'%s' is too large for constant memory", name);
        return FW_ERROR_INPUT;
    }
    return FW_OK;
}

enum fw_status fw_emulate_buffer_bytes(uint64_t *bytes, const struct fw_emulate_argument *argument,
                                       const struct fw_sink *sink)
{
    const unsigned element = fw_type_bytes(argument->type);
    *bytes = argument->count * (element ? element : 1);
    if (argument->fill != FW_FILL_FILE || argument->count)
        return FW_OK;
    struct stat found;
    bool there = stat(argument->path, &found) == 0;
    if (!there || !S_ISREG(found.st_mode)) {
        const char *why = there ? "it is no regular file" : strerror(errno);
        fw_report_file(sink, FW_ERROR, "EMU006", argument->path, "cannot be read: %s", why);
        return FW_ERROR_MACHINE;
    }
    *bytes = (uint64_t)found.st_size;
    return FW_OK;
}

static enum fw_status fill_from_file(const struct fw_emulate_buffer *buffer,
                                     const struct fw_emulate_argument *argument,
                                     const struct fw_sink *sink)
{
    const char *why;
    FILE *file = fw_file_open(argument->path, false, &why);
    if (!file) {
        fw_report_file(sink, FW_ERROR, "EMU006", argument->path, "cannot be read: %s", why);
        return FW_ERROR_MACHINE;
    }
    const size_t got = fread(buffer->memory, 1, (size_t)buffer->bytes, file);
    fclose(file);
    if (got == buffer->bytes)
        return FW_OK;
    fw_report_file(sink, FW_ERROR, "EMU006", argument->path, "%llu bytes, and '%s' wants %llu",
                   (unsigned long long)got, buffer->name, (unsigned long long)buffer->bytes);
    return FW_ERROR_INPUT;
}

static void put(const struct fw_emulate_buffer *buffer, uint64_t index, u64 bits)
{
    const unsigned bytes = fw_type_bytes(buffer->type);
    memcpy((unsigned char *)buffer->memory + index * bytes, &bits, bytes > 8 ? 8 : bytes);
}

/* A number as the buffer's element; integers are cut to their width. */
static u64 element_bits(enum fw_type type, f64 value)
{
    if (fw_type_class(type) == 'f' && fw_emulate_float_known(type))
        return fw_emulate_encode(type, value, FW_ROUND_RN, false);
    if (type == FW_TYPE_F16X2 || type == FW_TYPE_BF16X2) {
        const enum fw_type half = type == FW_TYPE_F16X2 ? FW_TYPE_F16 : FW_TYPE_BF16;
        const u64 bits = fw_emulate_encode(half, value, FW_ROUND_RN, false);
        return bits | bits << 16;
    }
    return value < 0.0 ? (u64)(s64)f64_to_s64(value) : f64_to_u64(value);
}

static u64 integer_bits(enum fw_type type, u64 value)
{
    return fw_type_class(type) == 'f' ? element_bits(type, (f64)value) : value;
}

static u64 random_bits(struct fw_random *random, const struct fw_emulate_argument *argument)
{
    const enum fw_type type = argument->type;
    if (fw_type_class(type) != 'f') {
        if (!argument->has_range)
            return fw_random_next(random);
        return (u64)fw_random_between(random, (int64_t)argument->low, (int64_t)argument->high);
    }
    const f64 low = argument->has_range ? argument->low : 0.0;
    const f64 high = argument->has_range ? argument->high : 1.0;
    /* As many random bits as a float has, so that 1 is never reached by rounding. */
    const unsigned bits = type == FW_TYPE_F64 ? 53 : type == FW_TYPE_F32 ? 24 : 8;
    const f64 unit = ldexp((f64)(fw_random_next(random) >> (64 - bits)), -(int)bits);
    return element_bits(type, low + unit * (high - low));
}

/* Fisher and Yates. */
static void fill_permutation(const struct fw_emulate_buffer *buffer, struct fw_random *random,
                             uint64_t count)
{
    const unsigned bytes = fw_type_bytes(buffer->type);
    unsigned char *memory = buffer->memory;
    for (uint64_t i = 0; i < count; i++)
        put(buffer, i, integer_bits(buffer->type, i));
    for (uint64_t i = count; i > 1; i--) {
        const uint64_t k = fw_random_next(random) % i;
        unsigned char kept[16];
        memcpy(kept, memory + (i - 1) * bytes, bytes);
        memcpy(memory + (i - 1) * bytes, memory + k * bytes, bytes);
        memcpy(memory + k * bytes, kept, bytes);
    }
}

enum fw_status fw_emulate_buffer_fill(const struct fw_emulate_buffer *buffer,
                                      const struct fw_emulate_argument *argument, uint64_t seed,
                                      const struct fw_sink *sink)
{
    const unsigned bytes = fw_type_bytes(argument->type);
    const uint64_t count = bytes ? buffer->bytes / bytes : 0;
    struct fw_random random = {argument->seed ? argument->seed : seed};
    switch (argument->fill) {
    case FW_FILL_ZERO:
        return FW_OK;
    case FW_FILL_FILE:
        return fill_from_file(buffer, argument, sink);
    case FW_FILL_PERMUTATION:
        fill_permutation(buffer, &random, count);
        return FW_OK;
    default:
        break;
    }
    for (uint64_t i = 0; i < count; i++) {
        u64 value = 0;
        if (argument->fill == FW_FILL_ONES)
            value = element_bits(buffer->type, 1.0);
        else if (argument->fill == FW_FILL_INDEX)
            value = integer_bits(buffer->type, i);
        else if (argument->fill == FW_FILL_RANDOM)
            value = random_bits(&random, argument);
        else
            value = element_bits(buffer->type, argument->low);
        put(buffer, i, value);
    }
    return FW_OK;
}
