#include "emulate_buffers.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

/* Maps zeroed memory of `bytes`, lazily: pages cost nothing until they are written.  NULL without.
 */
static void *map(uint64_t bytes)
{
    if (bytes == 0 || bytes > SIZE_MAX / 2)
        return NULL;
    void *memory = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void fw_emulate_unmap(void *memory, uint64_t bytes)
{
    if (memory)
        munmap(memory, (size_t)bytes);
}

enum fw_status fw_emulate_buffer_add(struct emulate_buffers *buffers, struct fw_arena *arena,
                                     const char *name, uint64_t bytes, uint64_t alignment,
                                     bool constant, const struct fw_sink *sink)
{
    const struct fw_span nowhere = {0};
    uint64_t *next = constant ? &buffers->next_constant : &buffers->next_global;
    alignment = alignment < 256 ? 256 : alignment;
    void *memory = map(bytes ? bytes : 1);
    if (!memory) {
        fw_report(sink, FW_ERROR, "EMU005", nowhere, "no memory for '%s' (%llu bytes): %s", name,
                  (unsigned long long)bytes, strerror(errno));
        return FW_ERROR_MACHINE;
    }
    const uint64_t start = (*next + alignment - 1) & ~(alignment - 1);
    *FW_APPEND(arena, &buffers->list) = (struct fw_emulate_buffer){.name = name,
                                                                   .parameter = FW_NO_INDEX,
                                                                   .address = start,
                                                                   .bytes = bytes,
                                                                   .memory = memory,
                                                                   .read_only = constant};
    *FW_APPEND(arena, &buffers->later) = NULL;
    *next = start + bytes + (constant ? 4096 : BUFFER_GAP);
    if (constant && *next > SHARED_WINDOW) {
        fw_report(sink, FW_ERROR, "EMU005", nowhere, "'%s' is too large for constant memory", name);
        return FW_ERROR_INPUT;
    }
    return FW_OK;
}

enum fw_status fw_emulate_buffer_bytes(uint64_t *bytes, const struct fw_emulate_argument *argument,
                                       const struct fw_sink *sink)
{
    const unsigned element = fw_type_bytes(argument->type);
    *bytes = argument->count * (element ? element : 1);
    if (argument->fill != FW_FILL_FILE || argument->count || argument->is_npy)
        return FW_OK;
    struct stat found;
    bool there = stat(argument->path, &found) == 0;
    if (!there || !S_ISREG(found.st_mode)) {
        const char *why = there ? "it is no regular file" : strerror(errno);
        fw_report_file(sink, FW_ERROR, "EMU006", argument->path, "cannot be read: %s", why);
        return FW_ERROR_MACHINE;
    }
    *bytes = (uint64_t)found.st_size;
    return FW_OK;
}
