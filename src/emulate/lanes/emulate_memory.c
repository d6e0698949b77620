/* Where addresses lead, faults, atomics and asynchronous copies. */
#include "emulate_memory.h"

#include "emulate_atomic.h"
#include "emulate_convert.h"
#include "emulate_number.h"

/* The buffer whose start is the last at or below the address. */
static uint32_t buffer_below(const struct emulate_run *run, u64 address)
{
    uint32_t low = 0, high = run->buffer_count;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (run->buffers[middle].start <= address)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static const char *what_of(const struct emulate_memory *memory)
{
    return memory->atomic ? "an atomic operation" : memory->store ? "a store" : "a load";
}

uint32_t fw_emulate_buffer_at(struct emulate_warp *warp, const struct emulate_micro *micro,
                              const struct emulate_memory *memory, unsigned lane, u64 address,
                              u64 bytes)
{
    const struct emulate_run *run = warp->run;
    uint32_t index = buffer_below(run, address);
    const struct emulate_buffer_private *buffer = &run->buffers[index];
    if (address >= buffer->start && address < buffer->end && buffer->end - address >= bytes)
        return index;
    if (address < GLOBAL_BASE - BUFFER_GAP && (address < CONST_BASE || index == 0))
        fw_emulate_fault(warp, micro, lane, "EMU011",
                         "%s of %u bytes at address 0x%llx, where no array lies", what_of(memory),
                         (unsigned)bytes, (unsigned long long)address);
    /* In a gap: the nearer neighbour is the array that was meant. */
    const struct emulate_buffer_private *next = index + 1 < run->buffer_count ? buffer + 1 : NULL;
    if (next && address < next->start &&
        (address < buffer->start || next->start - address < address - buffer->end)) {
        index++;
        fw_emulate_fault(warp, micro, lane, "EMU011",
                         "%s of %u bytes at %s - %llu, before its start", what_of(memory),
                         (unsigned)bytes, run->buffers[index].name,
                         (unsigned long long)(next->start - address));
    }
    fw_emulate_fault(warp, micro, lane, "EMU011",
                     "%s of %u bytes at %s + %llu, which has %llu bytes", what_of(memory),
                     (unsigned)bytes, run->buffers[index].name,
                     (unsigned long long)(address - buffer->start),
                     (unsigned long long)(buffer->end - buffer->start));
}

void fw_emulate_make_content(struct emulate_run *run, const struct emulate_buffer_private *buffer,
                             uint32_t mask, const u64 *address, u64 bytes)
{
    struct emulate_content *content = buffer->content;
    const u64 all = buffer->end - buffer->start, size = content->page;
    for (uint32_t left = mask; left; left &= left - 1) {
        const u64 at = address[__builtin_ctz(left)] - buffer->start;
        for (u64 page = at / size; page <= (at + bytes - 1) / size; page++) {
            const u64 bit = (u64)1 << page % 64, first = page * size;
            if (content->made[page / 64] & bit)
                continue;
            content->made[page / 64] |= bit;
            if (!content->make(content, first, all - first < size ? all - first : size)) {
                run->failed = FW_ERROR_MACHINE;
                longjmp(run->fault, 1);
            }
        }
    }
}

void fw_emulate_bad_address(struct emulate_warp *warp, const struct emulate_micro *micro,
                            const struct emulate_memory *memory, uint32_t mask, const u64 *address,
                            enum fw_space space)
{
    const struct emulate_run *run = warp->run;
    const u64 bytes = (u64)memory->bytes * memory->elements;
    const u64 size = space == FW_SPACE_SHARED ? run->code.shared_total : run->code.local_bytes;
    const bool bounded = space == FW_SPACE_SHARED || space == FW_SPACE_LOCAL;
    for (uint32_t left = mask; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        if (bounded && (address[i] > size || size - address[i] < bytes))
            fw_emulate_fault(warp, micro, i, "EMU011",
                             "%s of %u bytes at %s address %llu; there are %llu bytes",
                             what_of(memory), (unsigned)bytes, fw_space_text(space),
                             (unsigned long long)address[i], (unsigned long long)size);
        if (address[i] & (bytes - 1))
            fw_emulate_fault(warp, micro, i, "EMU012",
                             "%s of %u bytes at %s address 0x%llx, which is not a multiple of them",
                             what_of(memory), (unsigned)bytes, fw_space_text(space),
                             (unsigned long long)address[i]);
    }
    fw_emulate_fault(warp, micro, LANES, "EMU011", "%s outside of memory", what_of(memory));
}

/* Keeps which bytes of shared memory were written; faults where a load comes to others.  What lies
 * outside of shared memory is not looked at: it is a fault of its own. */
static void follow_shared(struct emulate_warp *warp, const struct emulate_micro *micro,
                          const struct emulate_memory *memory, uint32_t mask, const u64 *address,
                          u64 bytes)
{
    const struct emulate_run *run = warp->run;
    const u64 size = run->code.shared_total;
    for (uint32_t left = mask; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        if (address[i] > size || size - address[i] < bytes)
            continue;
        if (memory->store || memory->atomic || memory->copy)
            memset(run->written + address[i], 1, bytes);
        else if (memchr(run->written + address[i], 0, bytes))
            fw_emulate_fault(warp, micro, i, "EMU021",
                             "a load of %u bytes at shared address %llu, which no thread of the "
                             "block has written",
                             (unsigned)bytes, (unsigned long long)address[i]);
    }
}

void fw_emulate_tell_access(struct emulate_warp *warp, const struct emulate_micro *micro,
                            const struct emulate_memory *memory, uint32_t mask, const u64 *address,
                            enum fw_space space)
{
    const uint32_t bytes = (uint32_t)memory->bytes * memory->elements;
    if (warp->run->written && space == FW_SPACE_SHARED)
        follow_shared(warp, micro, memory, mask, address, bytes);
    warp->run->tell(warp, micro, space, bytes, mask, address);
}

/* The memory of one lane, for what goes lane by lane. */
unsigned char *fw_emulate_lane_memory(struct emulate_warp *warp, const struct emulate_micro *micro,
                                      struct emulate_memory *memory, enum fw_space space,
                                      unsigned lane, u64 address, u64 bytes)
{
    if (space == FW_SPACE_GENERIC) {
        space = FW_SPACE_GLOBAL;
        if (address - SHARED_WINDOW < SHARED_LIMIT) {
            space = FW_SPACE_SHARED;
            address -= SHARED_WINDOW;
        } else if (address - LOCAL_WINDOW < LOCAL_LIMIT) {
            space = FW_SPACE_LOCAL;
            address -= LOCAL_WINDOW;
        }
    }
    u64 all[LANES];
    for (unsigned i = 0; i < LANES; i++)
        all[i] = address;
    const uint32_t mask = (uint32_t)1 << lane;
    const struct address_shape shape = {address, address, address, false};
    if (address & (bytes - 1))
        fw_emulate_bad_address(warp, micro, memory, mask, all, space);
    if (warp->run->written && space == FW_SPACE_SHARED)
        follow_shared(warp, micro, memory, mask, all, bytes);
    const struct host_place place = locate(warp, micro, memory, space, mask, all, &shape, bytes);
    return host_at(&place, all, lane);
}

static u64 atomic_float(const struct emulate_memory *memory, enum fw_type type, u64 old,
                        u64 operand)
{
    if (type == FW_TYPE_F64) {
        const f64 x = from64(old), y = from64(operand);
        return bits64(memory->operation == FW_MODE_MIN   ? min_f64(x, y)
                      : memory->operation == FW_MODE_MAX ? max_f64(x, y)
                                                         : x + y);
    }
    if (type == FW_TYPE_F32) {
        const f32 x = from32((u32)old), y = from32((u32)operand);
        const f32 r = canonical(x + y);
        return bits32(memory->flush ? flush(r) : r);
    }
    const f64 sum = fw_number_decode(type, old) + fw_number_decode(type, operand);
    return fw_number_encode(type, sum, FW_ROUND_RN, false);
}

static u64 atomic_integer(const struct emulate_memory *memory, u64 old, u64 x, u64 y)
{
    const enum fw_type type = (enum fw_type)memory->type;
    const bool is_signed = fw_type_class(type) == 's';
    const unsigned unused = 64 - fw_type_bits(type);
    const s64 old_signed = (s64)(old << unused) >> unused, x_signed = (s64)(x << unused) >> unused;
    switch (memory->operation) {
    case FW_MODE_AND:
        return old & x;
    case FW_MODE_OR:
        return old | x;
    case FW_MODE_XOR:
        return old ^ x;
    case FW_MODE_EXCH:
        return x;
    case FW_MODE_CAS:
        return old == x ? y : old;
    case FW_MODE_INC:
        return old >= x ? 0 : old + 1;
    case FW_MODE_DEC:
        return old == 0 || old > x ? x : old - 1;
    case FW_MODE_MIN:
        return is_signed ? (u64)(old_signed < x_signed ? old_signed : x_signed)
                         : (old < x ? old : x);
    case FW_MODE_MAX:
        return is_signed ? (u64)(old_signed > x_signed ? old_signed : x_signed)
                         : (old > x ? old : x);
    default:
        return old + x;
    }
}

static u64 atomic_result(const struct emulate_memory *memory, u64 old, u64 x, u64 y)
{
    const enum fw_type type = (enum fw_type)memory->type;
    if (fw_type_class(type) != 'f' || memory->operation == FW_MODE_EXCH ||
        memory->operation == FW_MODE_CAS)
        return atomic_integer(memory, old, x, y);
    if (type != FW_TYPE_F16X2 && type != FW_TYPE_BF16X2)
        return atomic_float(memory, type, old, x);
    const enum fw_type half = type == FW_TYPE_F16X2 ? FW_TYPE_F16 : FW_TYPE_BF16;
    return atomic_float(memory, half, old & 0xffff, x & 0xffff) |
           atomic_float(memory, half, old >> 16 & 0xffff, x >> 16 & 0xffff) << 16;
}

static u64 operand_of(struct emulate_warp *warp, uint32_t slot, bool wide, unsigned lane)
{
    return wide ? SLOT(u64, slot)[lane] : SLOT(u32, slot)[lane];
}

/* Tells the callback of an access whose space may be generic: resolved when all lanes agree. */
static void tell_atomic(struct emulate_warp *warp, const struct emulate_micro *micro,
                        const struct emulate_memory *memory, uint32_t mask, const u64 *address)
{
    enum fw_space space = (enum fw_space)memory->space;
    u64 resolved[LANES], base = 0;
    if (space == FW_SPACE_GENERIC) {
        const uint32_t shared = window_lanes(address, mask, SHARED_WINDOW, SHARED_LIMIT);
        const uint32_t local = window_lanes(address, mask, LOCAL_WINDOW, LOCAL_LIMIT);
        if (shared == mask) {
            space = FW_SPACE_SHARED;
            base = SHARED_WINDOW;
        } else if (local == mask) {
            space = FW_SPACE_LOCAL;
            base = LOCAL_WINDOW;
        } else if (!(shared | local)) {
            space = FW_SPACE_GLOBAL;
        }
    }
    for (unsigned i = 0; i < LANES; i++)
        resolved[i] = address[i] - base;
    fw_emulate_tell_access(warp, micro, memory, mask, resolved, space);
}

void fw_emulate_run_atomic(struct emulate_warp *warp, const struct emulate_micro *micro,
                           uint32_t mask)
{
    struct emulate_memory *memory = micro->extra;
    const unsigned bytes = memory->bytes;
    const bool wide = bytes == 8;
    u64 address[LANES];
    lane_addresses(address, warp, micro, memory, mask);
    if (warp->run->tell)
        tell_atomic(warp, micro, memory, mask, address);
    for (uint32_t left = mask; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        unsigned char *at =
            fw_emulate_lane_memory(warp, micro, memory, (enum fw_space)memory->space, i, address[i],
                                   (u64)bytes * memory->elements);
        for (unsigned e = 0; e < memory->elements; e++, at += bytes) {
            u64 old = 0;
            memcpy(&old, at, bytes);
            const u64 x =
                operand_of(warp, memory->elements > 1 ? memory->sources[e] : micro->b, wide, i);
            const u64 y = operand_of(warp, micro->c, wide, i);
            const u64 kept = bytes == 8 ? UINT64_MAX : ((u64)1 << 8 * bytes) - 1;
            const u64 result = atomic_result(memory, old, x & kept, y & kept);
            memcpy(at, &result, bytes);
            if (!memory->used[e])
                continue;
            if (memory->wide[e] == 8)
                SLOT(u64, memory->slots[e])[i] = old;
            else
                SLOT(u32, memory->slots[e])[i] = (u32)old;
        }
    }
}

void fw_emulate_run_copy(struct emulate_warp *warp, const struct emulate_micro *micro,
                         uint32_t mask)
{
    struct emulate_memory *memory = micro->extra;
    u64 to[LANES], from[LANES];
    lane_addresses(to, warp, micro, memory, mask);
    const u64 *source = SLOT(u64, micro->b);
    EACH_LANE
    from[i] = source[i] + (u64)memory->source_offset;
    for (uint32_t left = mask; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        u64 size = memory->copy;
        if (memory->partial)
            size = SLOT(u32, micro->c)[i] < size ? SLOT(u32, micro->c)[i] : size;
        unsigned char *target =
            fw_emulate_lane_memory(warp, micro, memory, FW_SPACE_SHARED, i, to[i], memory->copy);
        memset(target, 0, memory->copy);
        if (size == memory->copy) {
            memcpy(target,
                   fw_emulate_lane_memory(warp, micro, memory, FW_SPACE_GLOBAL, i, from[i], size),
                   size);
            continue;
        }
        for (u64 k = 0; k < size; k++)
            target[k] =
                *fw_emulate_lane_memory(warp, micro, memory, FW_SPACE_GLOBAL, i, from[i] + k, 1);
    }
    if (warp->run->tell)
        fw_emulate_tell_access(warp, micro, memory, mask, from, FW_SPACE_GLOBAL);
}
