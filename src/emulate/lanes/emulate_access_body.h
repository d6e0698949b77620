/* Loads and stores: a part of emulate_lanes_body.h, which includes it. */

/* memory type M into a slot of D */
#define LOAD_AS(M, D)                                                                              \
    do {                                                                                           \
        D *d = SLOT(D, memory->slots[e]);                                                          \
        for (uint32_t left = lanes; left; left &= left - 1) {                                      \
            const unsigned i = (unsigned)__builtin_ctz(left);                                      \
            M value;                                                                               \
            memcpy(&value, host_at(place, address, i) + at, sizeof value);                         \
            d[i] = (D)value;                                                                       \
        }                                                                                          \
    } while (0)

static void load_element(struct emulate_warp *warp, const struct emulate_memory *memory, unsigned e,
                         const struct host_place *place, const u64 *address)
{
    const uint32_t lanes = place->lanes;
    const u64 at = (u64)e * memory->bytes;
    const bool wide = memory->wide[e] == 8;
    switch (memory->bytes) {
    case 1:
        if (memory->extend && wide)
            LOAD_AS(s8, s64);
        else if (memory->extend)
            LOAD_AS(s8, s32);
        else if (wide)
            LOAD_AS(u8, u64);
        else
            LOAD_AS(u8, u32);
        break;
    case 2:
        if (memory->extend && wide)
            LOAD_AS(s16, s64);
        else if (memory->extend)
            LOAD_AS(s16, s32);
        else if (wide)
            LOAD_AS(u16, u64);
        else
            LOAD_AS(u16, u32);
        break;
    case 4:
        if (memory->extend && wide)
            LOAD_AS(s32, s64);
        else if (wide)
            LOAD_AS(u32, u64);
        else
            LOAD_AS(u32, u32);
        break;
    case 8:
        LOAD_AS(u64, u64);
        break;
    default:
        for (uint32_t left = lanes; left; left &= left - 1) {
            const unsigned i = (unsigned)__builtin_ctz(left);
            memcpy(SLOT(u64, memory->slots[e]) + i, host_at(place, address, i) + at, 8);
            memcpy(SLOT(u64, memory->slots[e]) + LANES + i, host_at(place, address, i) + at + 8, 8);
        }
        break;
    }
}

/* One value for all lanes. */
static bool load_uniform(struct emulate_warp *warp, const struct emulate_memory *memory,
                         const unsigned char *from)
{
    for (unsigned e = 0; e < memory->elements; e++, from += memory->bytes) {
        if (!memory->used[e])
            continue;
        if (memory->bytes == 4) {
            u32 value, *d = SLOT(u32, memory->slots[e]);
            memcpy(&value, from, 4);
            EACH_LANE
            d[i] = value;
        } else {
            u64 value, *d = SLOT(u64, memory->slots[e]);
            memcpy(&value, from, 8);
            EACH_LANE
            d[i] = value;
        }
    }
    return true;
}

/* Whether an element fills its register's lanes exactly, so that bytes can be copied. */
static inline bool plain_width(const struct emulate_memory *memory)
{
    return memory->bytes == memory->wide[0] && memory->bytes >= 4 && memory->bytes <= 8;
}

static void load_in(struct emulate_warp *warp, const struct emulate_micro *micro,
                    enum fw_space space, uint32_t mask, u64 *address)
{
    struct emulate_memory *memory = micro->extra;
    const u64 bytes = (u64)memory->bytes * memory->elements;
    const struct address_shape shape = shape_of(address, bytes);
    if (shape.any & (bytes - 1))
        fw_emulate_bad_address(warp, micro, memory, mask, address, space);
    if (__builtin_expect(warp->run->tell != NULL, 0))
        fw_emulate_tell_access(warp, micro, memory, mask, address, space);
    while (mask) {
        const struct host_place place =
            locate(warp, micro, memory, space, mask, address, &shape, bytes);
        if (place.lanes == FULL_MASK && !place.stride && plain_width(memory)) {
            if (shape.low == shape.high) {
                load_uniform(warp, memory, host_at(&place, address, 0));
                return;
            }
            if (memory->elements == 1 && shape.contiguous) {
                memcpy(SLOT(unsigned char, memory->slots[0]), host_at(&place, address, 0),
                       LANES * bytes);
                return;
            }
        }
        for (unsigned e = 0; e < memory->elements; e++)
            if (memory->used[e])
                load_element(warp, memory, e, &place, address);
        mask &= ~place.lanes;
    }
}

#define STORE_AS(M, D)                                                                             \
    do {                                                                                           \
        const D *d = SLOT(D, memory->slots[e]);                                                    \
        for (uint32_t left = place->lanes; left; left &= left - 1) {                               \
            const unsigned i = (unsigned)__builtin_ctz(left);                                      \
            const M value = (M)d[i];                                                               \
            memcpy(host_at(place, address, i) + at, &value, sizeof value);                         \
        }                                                                                          \
    } while (0)

static void store_element(struct emulate_warp *warp, const struct emulate_memory *memory,
                          unsigned e, const struct host_place *place, const u64 *address)
{
    const u64 at = (u64)e * memory->bytes;
    const bool wide = memory->wide[e] == 8;
    switch (memory->bytes) {
    case 1:
        if (wide)
            STORE_AS(u8, u64);
        else
            STORE_AS(u8, u32);
        break;
    case 2:
        if (wide)
            STORE_AS(u16, u64);
        else
            STORE_AS(u16, u32);
        break;
    case 4:
        if (wide)
            STORE_AS(u32, u64);
        else
            STORE_AS(u32, u32);
        break;
    case 8:
        STORE_AS(u64, u64);
        break;
    default:
        for (uint32_t left = place->lanes; left; left &= left - 1) {
            const unsigned i = (unsigned)__builtin_ctz(left);
            memcpy(host_at(place, address, i) + at, SLOT(u64, memory->slots[e]) + i, 8);
            memcpy(host_at(place, address, i) + at + 8, SLOT(u64, memory->slots[e]) + LANES + i, 8);
        }
        break;
    }
}

static void store_in(struct emulate_warp *warp, const struct emulate_micro *micro,
                     enum fw_space space, uint32_t mask, u64 *address)
{
    struct emulate_memory *memory = micro->extra;
    const u64 bytes = (u64)memory->bytes * memory->elements;
    const struct address_shape shape = shape_of(address, bytes);
    if (shape.any & (bytes - 1))
        fw_emulate_bad_address(warp, micro, memory, mask, address, space);
    if (__builtin_expect(warp->run->tell != NULL, 0))
        fw_emulate_tell_access(warp, micro, memory, mask, address, space);
    while (mask) {
        const struct host_place place =
            locate(warp, micro, memory, space, mask, address, &shape, bytes);
        if (place.lanes == FULL_MASK && !place.stride && memory->elements == 1 &&
            shape.contiguous && plain_width(memory)) {
            memcpy(host_at(&place, address, 0), SLOT(unsigned char, memory->slots[0]),
                   LANES * bytes);
            return;
        }
        for (unsigned e = 0; e < memory->elements; e++)
            store_element(warp, memory, e, &place, address);
        mask &= ~place.lanes;
    }
}

typedef void access_in(struct emulate_warp *warp, const struct emulate_micro *micro,
                       enum fw_space space, uint32_t mask, u64 *address);

/* One access for each space that the lanes' generic addresses point to. */
static inline void by_window(access_in *run, struct emulate_warp *warp,
                             const struct emulate_micro *micro, uint32_t mask)
{
    struct emulate_memory *memory = micro->extra;
    const u64 bases[] = {SHARED_WINDOW, LOCAL_WINDOW}, sizes[] = {SHARED_LIMIT, LOCAL_LIMIT};
    const enum fw_space spaces[] = {FW_SPACE_SHARED, FW_SPACE_LOCAL};
    u64 address[LANES], part[LANES];
    lane_addresses(address, warp, micro, memory, mask);
    for (unsigned k = 0; k < 2; k++) {
        const uint32_t lanes = window_lanes(address, mask, bases[k], sizes[k]);
        if (!lanes)
            continue;
        const u64 spare = address[__builtin_ctz(lanes)];
        for (unsigned i = 0; i < LANES; i++)
            part[i] = (lanes >> i & 1 ? address[i] : spare) - bases[k];
        run(warp, micro, spaces[k], lanes, part);
        mask &= ~lanes;
    }
    if (!mask)
        return;
    const u64 spare = address[__builtin_ctz(mask)];
    for (unsigned i = 0; i < LANES; i++)
        address[i] = mask >> i & 1 ? address[i] : spare;
    run(warp, micro, FW_SPACE_GLOBAL, mask, address);
}

static void load(struct emulate_warp *warp, const struct emulate_micro *micro, uint32_t mask)
{
    const struct emulate_memory *memory = micro->extra;
    if (memory->space == FW_SPACE_GENERIC) {
        by_window(load_in, warp, micro, mask);
        return;
    }
    u64 address[LANES];
    lane_addresses(address, warp, micro, memory, mask);
    load_in(warp, micro, (enum fw_space)memory->space, mask, address);
}

static void store(struct emulate_warp *warp, const struct emulate_micro *micro, uint32_t mask)
{
    const struct emulate_memory *memory = micro->extra;
    if (memory->space == FW_SPACE_GENERIC) {
        by_window(store_in, warp, micro, mask);
        return;
    }
    u64 address[LANES];
    lane_addresses(address, warp, micro, memory, mask);
    store_in(warp, micro, (enum fw_space)memory->space, mask, address);
}
