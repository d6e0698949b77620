#include "lowering.h"

#include <string.h>

static const struct {
    const char *text;
    uint8_t type;
    uint8_t pipe;
} machines[] = {
#define X(name, text, type, pipe) {text, FW_TYPE_##type, FW_PIPE_##pipe},
    FW_MACHINES(X)
#undef X
};

static const char *const pipes[] = {
#define X(name, text) text,
    FW_PIPES(X)
#undef X
};

const char *fw_machine_text(enum fw_machine operation)
{
    return machines[operation].text;
}

const char *fw_pipe_text(enum fw_pipe pipe)
{
    return pipes[pipe];
}

enum fw_pipe fw_machine_pipe(enum fw_machine operation)
{
    return (enum fw_pipe)machines[operation].pipe;
}

enum fw_type fw_machine_type(enum fw_machine operation)
{
    return (enum fw_type)machines[operation].type;
}

enum fw_machine fw_machine_find(const char *text, size_t length)
{
    for (unsigned i = 0; i < FW_MACHINE_COUNT; i++)
        if (strlen(machines[i].text) == length && memcmp(machines[i].text, text, length) == 0)
            return (enum fw_machine)i;
    return FW_MACHINE_UNKNOWN;
}
