#include "opcode.h"

#include "operation.h"

#include <string.h>

static const struct {
    const char *text;
    unsigned char destinations;
    unsigned char group;
} opcodes[] = {
#define X(name, text, destinations, group) {text, destinations, FW_GROUP_##group},
    FW_OPCODES(X)
#undef X
};

const char *fw_opcode_text(enum fw_opcode opcode)
{
    return opcodes[opcode].text;
}

unsigned fw_opcode_destinations(enum fw_opcode opcode)
{
    return opcodes[opcode].destinations;
}

unsigned fw_opcode_group(enum fw_opcode opcode)
{
    return opcodes[opcode].group;
}

enum fw_opcode fw_opcode_find(const char *text, unsigned length)
{
    for (unsigned i = 1; i < FW_OP_COUNT; i++)
        if (opcodes[i].text[0] == text[0] && strlen(opcodes[i].text) == length &&
            memcmp(opcodes[i].text, text, length) == 0)
            return (enum fw_opcode)i;
    return FW_OP_OTHER;
}
