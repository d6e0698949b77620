/* Elements of buffers and scalars, and what buffers hold at first. */
#include "measure_plan.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name;
    uint64_t bytes;
} elements[FW_ELEMENT_COUNT] = {
    [FW_ELEMENT_F16] = {"f16", 2}, [FW_ELEMENT_BF16] = {"bf16", 2}, [FW_ELEMENT_F32] = {"f32", 4},
    [FW_ELEMENT_F64] = {"f64", 8}, [FW_ELEMENT_S8] = {"s8", 1},     [FW_ELEMENT_U8] = {"u8", 1},
    [FW_ELEMENT_S16] = {"s16", 2}, [FW_ELEMENT_U16] = {"u16", 2},   [FW_ELEMENT_S32] = {"s32", 4},
    [FW_ELEMENT_U32] = {"u32", 4}, [FW_ELEMENT_S64] = {"s64", 8},   [FW_ELEMENT_U64] = {"u64", 8},
};

uint64_t fw_element_bytes(enum fw_element element)
{
    return elements[element].bytes;
}

const char *fw_element_name(enum fw_element element)
{
    return elements[element].name;
}

/* Rounds to nearest, ties to even, as a store of the type would. */
static uint16_t half(double value)
{
    double size = fabs(value);
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    if (size >= 65520)
        return (uint16_t)(sign | 0x7c00);
    int exponent;
    if (size == 0)
        return sign;
    frexp(size, &exponent); /* size = m * 2^exponent, m in [0.5, 1) */
    int scale = exponent - 1 < -14 ? -14 : exponent - 1;
    double units = nearbyint(ldexp(size, 10 - scale)); /* at most 2048 */
    /* A subnormal has field 0; a rounding up carries into the exponent by itself. */
    uint32_t field = exponent - 1 < -14 ? 0 : (uint32_t)(scale + 15 - 1);
    return (uint16_t)(sign | ((field << 10) + (uint32_t)units));
}

void fw_element_store(enum fw_element type, double value, int64_t number, unsigned char *to)
{
    float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, 4);
    uint16_t word =
        type == FW_ELEMENT_F16 ? half(value) : (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
    switch (type) {
    case FW_ELEMENT_F16:
    case FW_ELEMENT_BF16:
        memcpy(to, &word, 2);
        break;
    case FW_ELEMENT_F32:
        memcpy(to, &single, 4);
        break;
    case FW_ELEMENT_F64:
        memcpy(to, &value, 8);
        break;
    default: { /* two's complement: the low bytes, on little-endian machines, which GPU hosts are */
        memcpy(to, &number, elements[type].bytes);
    }
    }
}

double fw_element_load(enum fw_element type, const unsigned char *from)
{
    uint64_t bits = 0, size = elements[type].bytes;
    float single;
    double value;
    memcpy(&bits, from, size); /* little-endian machines, which GPU hosts are */
    memcpy(&single, from, size < 4 ? 0 : 4);
    memcpy(&value, &bits, 8);
    if (type == FW_ELEMENT_F64)
        return value;
    if (type == FW_ELEMENT_F32)
        return (double)single;
    if (type == FW_ELEMENT_F16 || type == FW_ELEMENT_BF16)
        return (double)NAN; /* no one reads these back */
    uint64_t sign = (uint64_t)1 << (size * 8 - 1);
    return elements[type].name[0] == 's' ? (double)(int64_t)((bits ^ sign) - sign) : (double)bits;
}

bool fw_element_is_float(enum fw_element type)
{
    return type <= FW_ELEMENT_F64;
}

/* The fills: formulas of kernels/README.md. */

static uint64_t random_bits(uint64_t position, uint64_t index)
{
    uint64_t x = (position << 40) + index + 1;
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdULL;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53ULL;
    return x ^ x >> 33;
}

static void fill_order(const struct fw_argument *argument, uint64_t position, unsigned char *to)
{
    uint64_t count = argument->count, size = elements[argument->element].bytes;
    uint64_t *order = fw_measure_memory(count, sizeof *order);
    for (uint64_t i = 0; i < count; i++)
        order[i] = i;
    for (uint64_t i = count - 1; i > 0; i--) {
        uint64_t j = random_bits(position, i) % (argument->fill == FW_FILL_CYCLE ? i : i + 1);
        uint64_t kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
    for (uint64_t i = 0; i < count; i++)
        fw_element_store(argument->element, (double)order[i], (int64_t)order[i], to + i * size);
    free(order);
}

/* `count` elements from `first` on; the formulas look at nothing but the index. */
static void fill_range(const struct fw_argument *argument, uint64_t position, uint64_t first,
                       uint64_t count, unsigned char *to)
{
    enum fw_element type = argument->element;
    uint64_t size = elements[type].bytes;
    double low = argument->low, width = argument->high - argument->low;
    if (argument->fill == FW_FILL_ZERO || argument->fill == FW_FILL_UNTOUCHED) {
        memset(to, 0, count * size);
    } else if (argument->fill == FW_FILL_RANDOM && fw_element_is_float(type)) {
        for (uint64_t i = first; i < first + count; i++, to += size)
            fw_element_store(
                type, low + width * ((double)(random_bits(position, i) >> 40) / 16777216.0), 0, to);
    } else if (argument->fill == FW_FILL_RANDOM) {
        for (uint64_t i = first; i < first + count; i++, to += size)
            fw_element_store(type, 0,
                             (int64_t)((uint64_t)(int64_t)low +
                                       ((random_bits(position, i) >> 32) * (uint64_t)width >> 32)),
                             to);
    } else { /* integers wrap around, as they are cut to their width afterwards */
        bool real = fw_element_is_float(type);
        uint64_t begin = real ? 0 : (uint64_t)(int64_t)low;
        uint64_t step = real ? 0 : (uint64_t)(int64_t)argument->step;
        for (uint64_t i = first; i < first + count; i++, to += size) {
            uint64_t jump = i * 7919 % argument->jitter;
            fw_element_store(type, low + (double)i * argument->step + (double)jump,
                             (int64_t)(begin + i * step + jump), to);
        }
    }
}

bool fw_buffer_has_order(const struct fw_argument *argument)
{
    return argument->fill == FW_FILL_PERMUTATION || argument->fill == FW_FILL_CYCLE;
}

struct share {
    const struct fw_argument *argument;
    uint64_t position, first, count;
    unsigned char *to;
    pthread_t thread;
    bool started;
};

static void *fill_share(void *user)
{
    struct share *share = user;
    fill_range(share->argument, share->position, share->first, share->count, share->to);
    return NULL;
}

void fw_buffer_fill_part(const struct fw_argument *argument, uint64_t position, uint64_t first,
                         uint64_t count, void *bytes)
{
    enum { MOST_THREADS = 16, LEAST_ELEMENTS = 65536 };
    struct share shares[MOST_THREADS];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t threads = processors < 1              ? 1
                       : processors > MOST_THREADS ? MOST_THREADS
                                                   : (uint64_t)processors;
    if (threads > count / LEAST_ELEMENTS + 1)
        threads = count / LEAST_ELEMENTS + 1;
    uint64_t each = count / threads, size = elements[argument->element].bytes;
    for (uint64_t i = 0; i < threads; i++) {
        shares[i] = (struct share){.argument = argument,
                                   .position = position,
                                   .first = first + i * each,
                                   .count = i + 1 == threads ? count - i * each : each,
                                   .to = (unsigned char *)bytes + i * each * size};
        shares[i].started =
            i + 1 < threads && pthread_create(&shares[i].thread, NULL, fill_share, &shares[i]) == 0;
        if (!shares[i].started)
            fill_share(&shares[i]);
    }
    for (uint64_t i = 0; i < threads; i++)
        if (shares[i].started)
            pthread_join(shares[i].thread, NULL);
}

void fw_buffer_fill(const struct fw_argument *argument, uint64_t position, void *bytes)
{
    if (fw_buffer_has_order(argument))
        fill_order(argument, position, bytes);
    else
        fw_buffer_fill_part(argument, position, 0, argument->count, bytes);
}
