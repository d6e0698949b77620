/* Addresses of one memory instruction: shared by plain loads and stores (one copy for each
 * instruction set) and by atomics and copies (emulate_memory.c). */
#ifndef FW_EMULATE_MEMORY_H
#define FW_EMULATE_MEMORY_H

#include "emulate_state.h"

#include <string.h>

/* The lanes' addresses, those outside of the mask as the first one inside. */
static inline void lane_addresses(u64 *address, struct emulate_warp *warp,
                                  const struct emulate_micro *micro,
                                  const struct emulate_memory *memory, uint32_t mask)
{
    const u64 offset = (u64)micro->immediate;
    if (!memory->has_address) {
        EACH_LANE
        address[i] = offset;
        return;
    }
    const unsigned first = (unsigned)__builtin_ctz(mask);
    if (memory->address_wide) {
        const u64 *base = SLOT(u64, micro->a);
        const u64 spare = base[first];
        EACH_LANE
        address[i] = (mask >> i & 1 ? base[i] : spare) + offset;
    } else {
        /* 32 bits wrap, as for an index that is below the array by less than the offset */
        const u32 *base = SLOT(u32, micro->a);
        const u32 spare = base[first], small = (u32)offset;
        EACH_LANE
        address[i] = (u32)((mask >> i & 1 ? base[i] : spare) + small);
    }
}

/* What a look at all addresses tells. */
struct address_shape {
    u64 low, high;
    u64 any;         /* all bits that are set in one of them */
    bool contiguous; /* lane i's address is the first's + i * bytes; full warps only */
};

static inline struct address_shape shape_of(const u64 *address, u64 bytes)
{
    u64 low = address[0], high = address[0], any = 0, differs = 0;
    for (unsigned i = 0; i < LANES; i++) {
        low = address[i] < low ? address[i] : low;
        high = address[i] > high ? address[i] : high;
        any |= address[i];
        differs |= address[i] ^ (address[0] + i * bytes);
    }
    return (struct address_shape){low, high, any, differs == 0};
}

/* The lanes of the mask whose generic address lies in that window. */
static inline uint32_t window_lanes(const u64 *address, uint32_t mask, u64 base, u64 size)
{
    uint32_t found = 0;
    for (unsigned i = 0; i < LANES; i++)
        found |= (uint32_t)(address[i] - base < size) << i;
    return found & mask;
}

/* The index of the buffer that holds `bytes` at the lane's address; faults when none does. */
uint32_t fw_emulate_buffer_at(struct emulate_warp *warp, const struct emulate_micro *micro,
                              const struct emulate_memory *memory, unsigned lane, u64 address,
                              u64 bytes);

/* Faults: the first lane of the mask that is misaligned, or beyond `size` in shared or local
 * memory. */
_Noreturn void fw_emulate_bad_address(struct emulate_warp *warp, const struct emulate_micro *micro,
                                      const struct emulate_memory *memory, uint32_t mask,
                                      const u64 *address, enum fw_space space);

/* The host memory of one lane's access, for what goes lane by lane. */
unsigned char *fw_emulate_lane_memory(struct emulate_warp *warp, const struct emulate_micro *micro,
                                      struct emulate_memory *memory, enum fw_space space,
                                      unsigned lane, u64 address, u64 bytes);

/* Tells whoever asked for accesses (run->tell is not NULL) of one.  Faults at a load of shared
 * memory that no thread has written, where run->written is not NULL. */
void fw_emulate_tell_access(struct emulate_warp *warp, const struct emulate_micro *micro,
                            const struct emulate_memory *memory, uint32_t mask, const u64 *address,
                            enum fw_space space);

/* Makes what the buffer holds at first where the lanes of the mask come to it and it is not there.
 * Does not return where that cannot be. */
void fw_emulate_make_content(struct emulate_run *run, const struct emulate_buffer_private *buffer,
                             uint32_t mask, const u64 *address, u64 bytes);

/* Host memory for the lanes of an access: base + address[i] + i * stride for the lanes of `lanes`.
 */
struct host_place {
    unsigned char *base;
    u64 stride;
    uint32_t lanes;
};

/* Where the lanes of the mask find their memory; it may serve only some of them: call again with
 * the rest.  Generic addresses become those of the window's space: `address` is changed. */
static inline struct host_place locate(struct emulate_warp *warp, const struct emulate_micro *micro,
                                       struct emulate_memory *memory, enum fw_space space,
                                       uint32_t mask, u64 *address,
                                       const struct address_shape *shape, u64 bytes)
{
    struct emulate_run *run = warp->run;
    if (space == FW_SPACE_SHARED) {
        if (shape->high >= run->code.shared_total || shape->high + bytes > run->code.shared_total)
            fw_emulate_bad_address(warp, micro, memory, mask, address, space);
        return (struct host_place){run->shared, 0, mask};
    }
    if (space == FW_SPACE_LOCAL) {
        if (shape->high >= run->code.local_bytes || shape->high + bytes > run->code.local_bytes)
            fw_emulate_bad_address(warp, micro, memory, mask, address, space);
        return (struct host_place){warp->local, run->code.local_bytes, mask};
    }
    const struct emulate_buffer_private *buffer = &run->buffers[memory->buffer];
    if (shape->low < buffer->start || shape->high >= buffer->end ||
        shape->high + bytes > buffer->end) {
        const unsigned first = (unsigned)__builtin_ctz(mask);
        memory->buffer = fw_emulate_buffer_at(warp, micro, memory, first, address[first], bytes);
        buffer = &run->buffers[memory->buffer];
        uint32_t inside = 0;
        for (unsigned i = 0; i < LANES; i++)
            inside |= (uint32_t)(address[i] >= buffer->start && address[i] < buffer->end &&
                                 address[i] + bytes <= buffer->end)
                      << i;
        mask &= inside;
    }
    if (buffer->content)
        fw_emulate_make_content(run, buffer, mask, address, bytes);
    if (memory->store && buffer->read_only)
        fw_emulate_fault(warp, micro, (unsigned)__builtin_ctz(mask), "EMU017",
                         "a store to constant memory");
    /* In integers: the emulated address may be any number, as a pointer it may not. */
    return (struct host_place){
        (unsigned char *)((uintptr_t)buffer->memory - (uintptr_t)buffer->start), 0, mask};
}

/* The host address of a lane. */
static inline unsigned char *host_at(const struct host_place *place, const u64 *address,
                                     unsigned lane)
{
    return (unsigned char *)((uintptr_t)place->base +
                             (uintptr_t)(address[lane] + lane * place->stride));
}

#endif
