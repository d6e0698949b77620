/* See measure_buffers.h. */
#include "measure_buffers.h"

#include <stdlib.h>
#include <string.h>

enum { POISON = 0xa5 };
/* Bytes that are made, handed over or looked at at a time; a multiple of every element. */
enum { PIECE = 1 << 25 };

static bool enough_memory(const struct fw_configuration *one, double memory_bytes,
                          struct fw_reason *reason)
{
    double asked = 0;
    for (size_t i = 0; i < one->argument_count; i++)
        if (one->arguments[i].kind == FW_ARGUMENT_BUFFER)
            asked += (double)one->arguments[i].bytes * (one->arguments[i].restore ? 2 : 1);
    if (memory_bytes <= 0 || asked <= memory_bytes)
        return true;
    return fw_reason_set(reason, "the plan asks for %.0f bytes of buffers, the device has %.0f",
                         asked, memory_bytes);
}

static unsigned char *host_memory(const struct fw_argument *argument, uint64_t bytes,
                                  struct fw_reason *reason)
{
    unsigned char *memory = malloc(bytes);
    if (!memory)
        fw_reason_set(reason, "the host has no %llu bytes for buffer %s", (unsigned long long)bytes,
                      argument->name);
    return memory;
}

static uint64_t piece_at(const struct fw_argument *argument, uint64_t offset)
{
    uint64_t rest = argument->bytes - offset;
    return fw_buffer_has_order(argument) || rest < PIECE ? rest : PIECE;
}

/* The first content of a buffer from byte `offset` on, `bytes` of it. */
static void make_piece(const struct fw_argument *argument, size_t index, uint64_t offset,
                       uint64_t bytes, unsigned char *to)
{
    uint64_t size = fw_element_bytes(argument->element);
    if (fw_buffer_has_order(argument))
        fw_buffer_fill(argument, index, to);
    else
        fw_buffer_fill_part(argument, index, offset / size, bytes / size, to);
}

static bool fill(struct fw_buffers *buffers, size_t index, struct fw_reason *reason)
{
    const struct fw_argument *argument = &buffers->configuration->arguments[index];
    const struct fw_backend *backend = buffers->backend;
    if (argument->fill == FW_FILL_ZERO)
        return backend->set(buffers->session, index, 0, argument->bytes, reason);
    unsigned char *piece = host_memory(argument, piece_at(argument, 0), reason);
    bool good = piece != NULL;
    for (uint64_t offset = 0, bytes; good && offset < argument->bytes; offset += bytes) {
        bytes = piece_at(argument, offset);
        make_piece(argument, index, offset, bytes, piece);
        good = backend->upload(buffers->session, index, offset, piece, bytes, reason);
    }
    free(piece);
    return good;
}

bool fw_buffers_make(struct fw_buffers *buffers, double memory_bytes, struct fw_reason *reason)
{
    const struct fw_configuration *one = buffers->configuration;
    const struct fw_backend *backend = buffers->backend;
    buffers->handles = fw_measure_memory(one->argument_count, sizeof *buffers->handles);
    buffers->written = fw_measure_memory(one->argument_count, sizeof *buffers->written);
    if (!enough_memory(one, memory_bytes, reason))
        return false;
    for (size_t i = 0; i < one->argument_count; i++) {
        const struct fw_argument *argument = &one->arguments[i];
        buffers->handles[i] = i;
        if (argument->kind != FW_ARGUMENT_BUFFER)
            continue;
        if (!backend->allocate(buffers->session, i, argument->bytes, reason) ||
            (!backend->written && argument->fill != FW_FILL_UNTOUCHED && !fill(buffers, i, reason)))
            return false;
        buffers->restores = buffers->restores || argument->restore;
        size_t kept = one->argument_count + i;
        if (argument->restore &&
            (!backend->allocate(buffers->session, kept, argument->bytes, reason) ||
             !backend->copy(buffers->session, kept, i, argument->bytes, reason)))
            return false;
    }
    return true;
}

/* Whether an output changed at the launch just made; looks no further than it must. */
static bool look(struct fw_buffers *buffers, size_t index, struct fw_reason *reason)
{
    const struct fw_argument *argument = &buffers->configuration->arguments[index];
    uint64_t most = piece_at(argument, 0);
    unsigned char *before = host_memory(argument, most, reason);
    unsigned char *after = before ? host_memory(argument, most, reason) : NULL;
    bool good = after != NULL, changed = false;
    for (uint64_t offset = 0, bytes; good && !changed && offset < argument->bytes;
         offset += bytes) {
        bytes = piece_at(argument, offset);
        if (argument->poison)
            memset(before, POISON, bytes);
        else
            make_piece(argument, index, offset, bytes, before);
        good = buffers->backend->download(buffers->session, index, offset, after, bytes, reason);
        changed = good && memcmp(before, after, bytes) != 0;
    }
    buffers->written[index] = changed;
    free(before);
    free(after);
    return good;
}

bool fw_buffers_check(struct fw_buffers *buffers, struct fw_reason *reason)
{
    const struct fw_configuration *one = buffers->configuration;
    const struct fw_backend *backend = buffers->backend;
    bool recorded = backend->written != NULL;
    double seconds;
    for (size_t i = 0; !recorded && i < one->argument_count; i++)
        if (one->arguments[i].poison &&
            !backend->set(buffers->session, i, POISON, one->arguments[i].bytes, reason))
            return false;
    if (!backend->launch(buffers->session, FW_PURPOSE_CHECK, 1, buffers->handles, &seconds, reason))
        return false;
    for (size_t i = 0; i < one->argument_count; i++) {
        const struct fw_argument *argument = &one->arguments[i];
        if (argument->output && recorded)
            buffers->written[i] = backend->written(buffers->session, i);
        else if (argument->output && !look(buffers, i, reason))
            return false;
        if (argument->poison && !buffers->written[i])
            return fw_reason_set(reason, "the kernel does not write its output %s", argument->name);
        if (!recorded && (argument->output || argument->restore) && !fill(buffers, i, reason))
            return false;
    }
    return true;
}

bool fw_buffers_restore(struct fw_buffers *buffers, struct fw_reason *reason)
{
    const struct fw_configuration *one = buffers->configuration;
    for (size_t i = 0; i < one->argument_count; i++)
        if (one->arguments[i].restore &&
            !buffers->backend->copy(buffers->session, i, one->argument_count + i,
                                    one->arguments[i].bytes, reason))
            return false;
    return true;
}

void fw_buffers_free(struct fw_buffers *buffers)
{
    free(buffers->handles);
    free(buffers->written);
}
