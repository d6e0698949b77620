#include "type.h"

#include <string.h>

static const struct {
    const char *text;
    uint16_t bits;
    char class;
} types[] = {
#define X(name, text, bits, class) {text, bits, (#class)[0]},
    FW_TYPES(X)
#undef X
};

static const char *const spaces[] = {
#define X(name, text) text,
    FW_SPACES(X)
#undef X
};

char fw_type_class(enum fw_type type)
{
    return types[type].class;
}

unsigned fw_type_bits(enum fw_type type)
{
    return types[type].bits;
}

unsigned fw_type_bytes(enum fw_type type)
{
    return (types[type].bits + 7u) / 8u;
}

const char *fw_type_text(enum fw_type type)
{
    return types[type].text;
}

enum fw_type fw_type_find(const char *text, unsigned length)
{
    for (unsigned i = 1; i < FW_TYPE_COUNT; i++)
        if (strlen(types[i].text) == length && memcmp(types[i].text, text, length) == 0)
            return (enum fw_type)i;
    return FW_TYPE_NONE;
}

const char *fw_space_text(enum fw_space space)
{
    return spaces[space];
}
