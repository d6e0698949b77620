#include "operation.h"

static const char *const groups[] = {
#define X(name, text) text,
    FW_GROUPS(X)
#undef X
};

const char *fw_group_text(enum fw_group group)
{
    return groups[group];
}
