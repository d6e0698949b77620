#include "block_sectors.h"

#include "random.h"

enum { SLOTS = 65536, MOST = SLOTS / 2 };

struct slot {
    uint64_t key;
    uint32_t run; /* the block that came to it last, from 1; 0: none */
};

struct fw_block_sectors {
    struct slot *slots;
    uint32_t block, run, kept;
};

struct fw_block_sectors *fw_block_sectors_new(struct fw_arena *arena)
{
    struct fw_block_sectors *sectors = FW_NEW(arena, struct fw_block_sectors);
    *sectors = (struct fw_block_sectors){.slots = FW_ARRAY(arena, struct slot, SLOTS)};
    return sectors;
}

bool fw_block_sectors_is_new(struct fw_block_sectors *sectors, uint32_t block, uint64_t key)
{
    struct fw_random mixed = {key};
    uint64_t at = fw_random_next(&mixed);
    if (!sectors->run || sectors->block != block) {
        sectors->block = block;
        sectors->run++;
        sectors->kept = 0;
    }
    while (sectors->slots[at % SLOTS].run == sectors->run) {
        if (sectors->slots[at % SLOTS].key == key)
            return false;
        at++;
    }
    if (sectors->kept < MOST) {
        sectors->slots[at % SLOTS] = (struct slot){key, sectors->run};
        sectors->kept++;
    }
    return true;
}
