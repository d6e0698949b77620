/* What fuzz targets share: failing, hearing diagnostics, and files for readers that take a path. */
#ifndef FUZZING_H
#define FUZZING_H

#include "diagnostic.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    abort();
}

/* A sink that counts errors and renders every diagnostic, as the program would; `user` is an
 * unsigned. */
static inline void hear(void *user, const struct fw_diagnostic *diagnostic)
{
    struct fw_arena *arena = fw_arena_new(0);
    if (diagnostic->severity == FW_ERROR)
        ++*(unsigned *)user;
    fw_diagnostic_render(arena, diagnostic);
    fw_arena_free(arena);
}

/* A folder of this process, in memory where there is such a place; made once. */
static inline const char *fuzz_folder(void)
{
    static char folder[64];
    if (!*folder) {
        snprintf(folder, sizeof(folder), "%s/forewarp-fuzz-XXXXXX",
                 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
        if (!mkdtemp(folder))
            fail("there is no folder for files");
    }
    return folder;
}

/* A file of these bytes in that folder; its path stays good until the next eight were made. */
static inline const char *fuzz_file(const char *name, const void *bytes, size_t size)
{
    static char paths[8][128];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof(paths[0]), "%s/%s", fuzz_folder(), name);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || write(file, bytes, size) != (ssize_t)size || close(file) != 0)
        fail("a file cannot be written");
    return path;
}

/* Cuts the next part off a text of parts that a line "%%" divides; NULL behind the last. */
static inline char *fuzz_part(char **rest)
{
    char *part = *rest, *end = part ? strstr(part, "\n%%\n") : NULL;
    if (end)
        end[1] = '\0';
    *rest = end ? end + 4 : NULL;
    return part;
}

#endif
