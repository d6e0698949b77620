#include "emulate_contents.h"

#include "emulate_convert.h"
#include "emulate_number.h"
#include "file.h"
#include "random.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Bytes that are made at a time: a file's cost a call, others' each element. */
enum { FILE_PAGE = 4096, MADE_PAGE = 512 };

struct contents {
    struct emulate_content page_wise; /* first: what the run loop knows */
    struct fw_emulate_buffer buffer;
    struct fw_emulate_argument argument; /* its path is the arena's */
    uint64_t seed;
    FILE *file;
    const struct fw_sink *sink;
};

static enum fw_status open_file(struct contents *contents)
{
    const char *why;
    contents->file = fw_file_open(contents->argument.path, false, &why);
    if (contents->file)
        return FW_OK;
    fw_report_file(contents->sink, FW_ERROR, "EMU006", contents->argument.path,
                   "cannot be read: %s", why);
    return FW_ERROR_MACHINE;
}

/* Bytes of the buffer from `first` on, of the file that holds them. */
static enum fw_status read_range(const struct contents *contents, uint64_t first, uint64_t bytes)
{
    const struct fw_emulate_buffer *buffer = &contents->buffer;
    const uint64_t skipped = contents->argument.skip;
    uint64_t done = 0;
    while (done < bytes) {
        const ssize_t got =
            pread(fileno(contents->file), (unsigned char *)buffer->memory + first + done,
                  (size_t)(bytes - done), (off_t)(skipped + first + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        done += (uint64_t)got;
    }
    if (done == bytes)
        return FW_OK;
    fw_report_file(contents->sink, FW_ERROR, "EMU006", contents->argument.path,
                   "%llu bytes, and '%s' wants %llu", (unsigned long long)(first + done),
                   buffer->name, (unsigned long long)buffer->bytes);
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
    if (type == FW_TYPE_F32 && !isnan(value))
        return bits32((f32)value);
    if (type == FW_TYPE_F64 && !isnan(value))
        return bits64(value);
    if (fw_type_class(type) == 'f' && fw_number_float_known(type))
        return fw_number_encode(type, value, FW_ROUND_RN, false);
    if (type == FW_TYPE_F16X2 || type == FW_TYPE_BF16X2) {
        const enum fw_type half = type == FW_TYPE_F16X2 ? FW_TYPE_F16 : FW_TYPE_BF16;
        const u64 bits = fw_number_encode(half, value, FW_ROUND_RN, false);
        return bits | bits << 16;
    }
    return value < 0.0 ? (u64)(s64)f64_to_s64(value) : f64_to_u64(value);
}

static u64 integer_bits(enum fw_type type, u64 value)
{
    return fw_type_class(type) == 'f' ? element_bits(type, (f64)value) : value;
}

/* The numbers that forewarp-measure gives the buffer of the argument at a position: formulas of
 * kernels/README.md, with an upper bound that integers reach. */
static u64 recorded_bits(const struct fw_emulate_argument *argument, uint64_t index)
{
    u64 x = (argument->stream << 40) + index + 1;
    const f64 low = argument->has_range ? argument->low : 0.0;
    const f64 high = argument->has_range ? argument->high : 1.0;
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdu;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53u;
    x ^= x >> 33;
    if (fw_type_class(argument->type) == 'f')
        return element_bits(argument->type, low + (high - low) * ((f64)(x >> 40) / 16777216.0));
    const u64 width = (u64)(int64_t)high - (u64)(int64_t)low + 1;
    return (u64)(int64_t)low + ((x >> 32) * width >> 32);
}

/* Element `index` of random numbers: each takes one step of the generator. */
static u64 random_bits(const struct contents *contents, uint64_t index)
{
    const struct fw_emulate_argument *argument = &contents->argument;
    const enum fw_type type = argument->type;
    struct fw_random stepped = {(argument->seed ? argument->seed : contents->seed) +
                                index * FW_RANDOM_STEP};
    struct fw_random *random = &stepped;
    if (argument->has_stream)
        return recorded_bits(argument, index);
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

/* low + i step + a jump below `jitter`, as in kernels/README.md; integers wrap around. */
static u64 ramp_bits(const struct fw_emulate_argument *argument, uint64_t index)
{
    const u64 jump = argument->jitter ? index * 7919 % argument->jitter : 0;
    if (fw_type_class(argument->type) == 'f')
        return element_bits(argument->type,
                            argument->low + (f64)index * argument->step + (f64)jump);
    return (u64)(int64_t)argument->low + index * (u64)(int64_t)argument->step + jump;
}

static u64 bits_of(const struct contents *contents, uint64_t index)
{
    const struct fw_emulate_argument *argument = &contents->argument;
    switch (argument->fill) {
    case FW_FILL_ONES:
        return element_bits(argument->type, 1.0);
    case FW_FILL_INDEX:
        return integer_bits(argument->type, index);
    case FW_FILL_RANDOM:
        return random_bits(contents, index);
    case FW_FILL_RAMP:
        return ramp_bits(argument, index);
    default:
        return element_bits(argument->type, argument->low);
    }
}

/* `first` and `bytes` are whole elements, but for a rest at the end that stays zero. */
static enum fw_status make_range(struct contents *contents, uint64_t first, uint64_t bytes)
{
    if (contents->argument.fill == FW_FILL_FILE)
        return read_range(contents, first, bytes);
    const unsigned size = fw_type_bytes(contents->argument.type);
    const uint64_t end = size ? (first + bytes) / size : 0;
    for (uint64_t i = size ? first / size : 0; i < end; i++)
        put(&contents->buffer, i, bits_of(contents, i));
    return FW_OK;
}

static bool make_page(struct emulate_content *content, uint64_t first, uint64_t bytes)
{
    return make_range((struct contents *)(void *)content, first, bytes) == FW_OK;
}

static enum fw_status fill_now(struct contents *contents)
{
    const unsigned size = fw_type_bytes(contents->argument.type);
    struct fw_random random = {contents->argument.seed ? contents->argument.seed : contents->seed};
    if (contents->argument.fill != FW_FILL_PERMUTATION)
        return make_range(contents, 0, contents->buffer.bytes);
    fill_permutation(&contents->buffer, &random, size ? contents->buffer.bytes / size : 0);
    return FW_OK;
}

enum fw_status fw_emulate_contents_fill(struct emulate_content **later, struct fw_arena *arena,
                                        const struct fw_emulate_buffer *buffer,
                                        const struct fw_emulate_argument *argument, uint64_t seed,
                                        bool on_demand, const struct fw_sink *sink)
{
    struct contents *contents = FW_NEW(arena, struct contents);
    enum fw_status status = FW_OK;
    *contents =
        (struct contents){.buffer = *buffer, .argument = *argument, .seed = seed, .sink = sink};
    if (argument->path)
        contents->argument.path = fw_arena_text(arena, argument->path, strlen(argument->path));
    *later = NULL;
    if (argument->fill == FW_FILL_ZERO)
        return FW_OK;
    if (argument->fill == FW_FILL_FILE)
        status = open_file(contents);
    if (status)
        return status;
    if (on_demand && argument->fill != FW_FILL_PERMUTATION) {
        const uint32_t page = argument->fill == FW_FILL_FILE ? FILE_PAGE : MADE_PAGE;
        const uint64_t pages = buffer->bytes / page + 1;
        contents->page_wise.page = page;
        contents->page_wise.made = FW_ARRAY(arena, uint64_t, (size_t)(pages / 64 + 1));
        contents->page_wise.make = make_page;
        *later = &contents->page_wise;
        return FW_OK;
    }
    status = fill_now(contents);
    fw_emulate_contents_free(&contents->page_wise);
    return status;
}

void fw_emulate_contents_free(struct emulate_content *content)
{
    struct contents *contents = (struct contents *)(void *)content;
    if (contents && contents->file)
        fclose(contents->file);
    if (contents)
        contents->file = NULL;
}
