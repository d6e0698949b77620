/* Files that are written whole.  See file.h. */
#include "file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Beside `path` first, then in its place.  0, or errno's number. */
static int replace(struct fw_arena *scratch, const char *path, const char *text, size_t length)
{
    const char *fresh = fw_arena_printf(scratch, "%s.%ld", path, (long)getpid());
    FILE *file = fopen(fresh, "wb");
    bool good = file && fwrite(text, 1, length, file) == length && fflush(file) == 0 &&
                fsync(fileno(file)) == 0;
    int code = errno;
    if (file && fclose(file) != 0 && good) {
        good = false;
        code = errno;
    }
    if (good && rename(fresh, path) == 0)
        return 0;
    code = good ? errno : code;
    if (file)
        unlink(fresh);
    return code;
}

const char *fw_file_refuses(const char *path)
{
    struct stat there;
    if (stat(path, &there) != 0 || S_ISREG(there.st_mode))
        return NULL;
    return S_ISDIR(there.st_mode) ? "it is a folder" : "it is no regular file";
}

const char *fw_file_replace(struct fw_arena *scratch, const char *path, const char *text,
                            size_t length)
{
    const char *why = fw_file_refuses(path);
    if (why)
        return why;
    char *target = realpath(path, NULL); /* of a link: the file that it names */
    int code = replace(scratch, target ? target : path, text, length);
    free(target);
    return code ? strerror(code) : NULL;
}

void fw_file_make_folders(struct fw_arena *scratch, const char *path)
{
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/'))
        mkdir(fw_arena_text(scratch, path, (size_t)(slash - path)), 0777);
}
