#include "opcode.h"

#include "operation.h"

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
