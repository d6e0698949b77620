/* See file.h. */
#define _GNU_SOURCE /* O_CLOEXEC, O_NOCTTY */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Waits until a pipe that was opened without waiting has a writer or has had one.  Reading says
 * EAGAIN where there is a writer that has written nothing yet, and 0 bytes where there is none.  A
 * byte that comes in just then goes to `*first`. */
static bool has_writer(int file, int *first)
{
    enum { STEP_MILLISECONDS = 20 };
    struct pollfd pipe = {.fd = file, .events = POLLIN};
    for (int waited = 0; waited < 1000 * FW_FILE_WAIT_SECONDS; waited += STEP_MILLISECONDS) {
        unsigned char byte;
        if (poll(&pipe, 1, STEP_MILLISECONDS) > 0)
            return true;
        ssize_t got = read(file, &byte, 1);
        if (got > 0)
            *first = byte;
        if (got != 0)
            return true;
    }
    return false;
}

static const char *refusal_of(int file, bool stream, int *first)
{
    struct stat about;
    if (fstat(file, &about) != 0)
        return strerror(errno);
    if (S_ISREG(about.st_mode))
        return NULL;
    if (S_ISDIR(about.st_mode))
        return "it is a folder";
    if (!stream || S_ISBLK(about.st_mode))
        return "it is no regular file";
    if (S_ISFIFO(about.st_mode) && !has_writer(file, first))
        return "it is a pipe that nobody writes to";
    return NULL;
}

FILE *fw_file_open(const char *path, bool stream, const char **why)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    *why = NULL;
    if (file < 0) {
        *why = errno == ENXIO ? "it is no regular file" : strerror(errno);
        return NULL;
    }
    int first = EOF;
    *why = refusal_of(file, stream, &first);
    int flags = *why ? -1 : fcntl(file, F_GETFL);
    FILE *opened = NULL;
    if (!*why && (flags < 0 || fcntl(file, F_SETFL, flags & ~O_NONBLOCK) < 0 ||
                  (opened = fdopen(file, "rb")) == NULL))
        *why = strerror(errno);
    if (!opened)
        close(file);
    else if (first != EOF)
        ungetc(first, opened);
    return opened;
}

const char *fw_file_text(struct fw_source *source, struct fw_arena *arena, const char *path,
                         size_t most)
{
    const char *why;
    FILE *file = fw_file_open(path, false, &why);
    if (!file)
        return fw_arena_printf(arena, "cannot be read: %s", why);
    struct stat about;
    bool fits = fstat(fileno(file), &about) == 0 && (uint64_t)about.st_size <= most;
    size_t size = fits ? (size_t)about.st_size : 0;
    char *text = fw_arena_alloc(arena, size + 1);
    size_t length = fread(text, 1, size, file);
    bool good = !ferror(file);
    fclose(file);
    if (!fits)
        return fw_arena_printf(arena, "it is larger than %zu bytes", most);
    if (!good)
        return "cannot be read";
    text[length] = '\0';
    *source = (struct fw_source){fw_arena_text(arena, path, strlen(path)), text, length};
    fw_source_skip_mark(source);
    return NULL;
}
