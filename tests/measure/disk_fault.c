/* A disk that fails on demand, for tests: a library to be preloaded (LD_PRELOAD) that counts the
 * operations of all processes of a run on regular files and strikes at one of them.
 *
 *   DISK_FAULT_COUNTER  a file of eight bytes, the number of operations so far
 *   DISK_FAULT_AT       the operation that it strikes at, from 1; 0: it only counts
 *   DISK_FAULT_HOW      "once": this operation fails, the disk being full; "full": and so do all
 *                       after it that need room; "kill": the process is killed there, writes half
 *                       done
 *
 * What removes files never fails, but can be where a process is killed. */
#undef _FILE_OFFSET_BITS /* each function under its own name */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum fault { NOTHING, FAIL, HALF, KILL };

static atomic_uint_fast64_t *counter;
static uint64_t strike;
static const char *how = "once";

/* Calls before this has run (by other libraries' constructors) are none of ours. */
__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("DISK_FAULT_COUNTER"), *at = getenv("DISK_FAULT_AT");
    int (*really_open)(const char *, int, ...);
    *(void **)&really_open = dlsym(RTLD_NEXT, "open");
    int file = path && at ? really_open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    void *shared = mmap(NULL, sizeof(*counter), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    strike = strtoull(at, NULL, 10);
    how = getenv("DISK_FAULT_HOW") ? getenv("DISK_FAULT_HOW") : how;
    counter = shared == MAP_FAILED ? NULL : shared;
}

/* Counts an operation, and says what becomes of it. */
static enum fault next(bool needs_room)
{
    if (!counter)
        return NOTHING;
    uint64_t now = atomic_fetch_add(counter, 1) + 1;
    if (!strike || now < strike)
        return NOTHING;
    if (strcmp(how, "kill") == 0)
        return now == strike ? KILL : NOTHING;
    if (!needs_room || (strcmp(how, "once") == 0 && now > strike))
        return NOTHING;
    errno = ENOSPC;
    return now == strike ? HALF : FAIL;
}

static void die(void)
{
    kill(getpid(), SIGKILL);
}

static bool is_regular(int file)
{
    struct stat about;
    int code = errno;
    bool regular = fstat(file, &about) == 0 && S_ISREG(about.st_mode);
    errno = code;
    return regular;
}

#define REAL(result, name, ...)                                                                    \
    static result (*really)(__VA_ARGS__);                                                          \
    if (!really)                                                                                   \
        *(void **)&really = dlsym(RTLD_NEXT, #name);

/* A write: the one that is struck does half of its work where there is half. */
#define WRITE(name, parameters, file, length, all, half)                                           \
    ssize_t name parameters;                                                                       \
    ssize_t name parameters                                                                        \
    {                                                                                              \
        REAL(ssize_t, name, WRITE_##name)                                                          \
        enum fault fault = is_regular(file) ? next(true) : NOTHING;                                \
        if (fault == NOTHING)                                                                      \
            return really all;                                                                     \
        ssize_t some = fault != FAIL && (length) > 1 ? really half : -1;                           \
        if (fault == KILL)                                                                         \
            die();                                                                                 \
        errno = ENOSPC;                                                                            \
        return some;                                                                               \
    }
#define WRITE_write    int, const void *, size_t
#define WRITE_pwrite   int, const void *, size_t, off_t
#define WRITE_pwrite64 int, const void *, size_t, off64_t
WRITE(write, (int file, const void *from, size_t length), file, length, (file, from, length),
      (file, from, length / 2))
WRITE(pwrite, (int file, const void *from, size_t length, off_t at), file, length,
      (file, from, length, at), (file, from, length / 2, at))
WRITE(pwrite64, (int file, const void *from, size_t length, off64_t at), file, length,
      (file, from, length, at), (file, from, length / 2, at))

size_t fwrite(const void *from, size_t size, size_t count, FILE *file)
{
    REAL(size_t, fwrite, const void *, size_t, size_t, FILE *)
    enum fault fault = is_regular(fileno(file)) ? next(true) : NOTHING;
    if (fault == NOTHING)
        return really(from, size, count, file);
    size_t some = fault != FAIL ? really(from, size, count / 2, file) : 0;
    if (fault == KILL) {
        fflush(file);
        die();
    }
    errno = ENOSPC;
    return some;
}

/* Closing writes what the stream still holds. */
int fclose(FILE *file)
{
    REAL(int, fclose, FILE *)
    int code = errno;
    int flags = fcntl(fileno(file), F_GETFL);
    errno = code;
    enum fault fault = flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && is_regular(fileno(file))
                           ? next(true)
                           : NOTHING;
    if (fault == KILL)
        die();
    int result = really(file);
    if (fault == NOTHING)
        return result;
    errno = ENOSPC;
    return EOF;
}

/* What either happens or does not. */
#define WHOLE(name, room, parameters, counts, ...)                                                 \
    int name parameters;                                                                           \
    int name parameters                                                                            \
    {                                                                                              \
        REAL(int, name, WHOLE_##name)                                                              \
        enum fault fault = (counts) ? next(room) : NOTHING;                                        \
        if (fault == KILL)                                                                         \
            die();                                                                                 \
        return fault == NOTHING ? really(__VA_ARGS__) : -1;                                        \
    }
#define WHOLE_fsync       int
#define WHOLE_fdatasync   int
#define WHOLE_ftruncate   int, off_t
#define WHOLE_ftruncate64 int, off64_t
#define WHOLE_rename      const char *, const char *
#define WHOLE_link        const char *, const char *
#define WHOLE_mkdir       const char *, mode_t
#define WHOLE_unlink      const char *
#define WHOLE_rmdir       const char *
WHOLE(fsync, true, (int file), is_regular(file), file)
WHOLE(fdatasync, true, (int file), is_regular(file), file)
WHOLE(ftruncate, false, (int file, off_t to), true, file, to)
WHOLE(ftruncate64, false, (int file, off64_t to), true, file, to)
WHOLE(rename, true, (const char *from, const char *to), true, from, to)
WHOLE(link, true, (const char *from, const char *to), true, from, to)
WHOLE(mkdir, true, (const char *path, mode_t mode), true, path, mode)
WHOLE(unlink, false, (const char *path), true, path)
WHOLE(rmdir, false, (const char *path), true, path)

/* Opening needs room where it makes a file. */
static bool makes(const char *path, int flags)
{
    struct stat about;
    int code = errno;
    bool made = (flags & O_CREAT) && stat(path, &about) != 0;
    errno = code;
    return made;
}

#define OPEN(name)                                                                                 \
    int name(const char *path, int flags, ...);                                                    \
    int name(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        REAL(int, name, const char *, int, ...)                                                    \
        va_list list;                                                                              \
        va_start(list, flags);                                                                     \
        mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;                                  \
        va_end(list);                                                                              \
        enum fault fault = makes(path, flags) ? next(true) : NOTHING;                              \
        if (fault == KILL)                                                                         \
            die();                                                                                 \
        return fault == NOTHING ? really(path, flags, mode) : -1;                                  \
    }
OPEN(open)
OPEN(open64)

#define FOPEN(name)                                                                                \
    FILE *name(const char *path, const char *mode)                                                 \
    {                                                                                              \
        REAL(FILE *, name, const char *, const char *)                                             \
        enum fault fault = *mode != 'r' && makes(path, O_CREAT) ? next(true) : NOTHING;            \
        if (fault == KILL)                                                                         \
            die();                                                                                 \
        return fault == NOTHING ? really(path, mode) : NULL;                                       \
    }
FOPEN(fopen)
FOPEN(fopen64)

#define TEMPORARY(result, none, name, parameters, ...)                                             \
    result name parameters                                                                         \
    {                                                                                              \
        REAL(result, name, TEMPORARY_##name)                                                       \
        enum fault fault = next(true);                                                             \
        if (fault == KILL)                                                                         \
            die();                                                                                 \
        return fault == NOTHING ? really(__VA_ARGS__) : (none);                                    \
    }
#define TEMPORARY_mkstemp    char *
#define TEMPORARY_mkostemp   char *, int
#define TEMPORARY_mkostemp64 char *, int
#define TEMPORARY_mkdtemp    char *
TEMPORARY(int, -1, mkstemp, (char *path), path)
TEMPORARY(int, -1, mkostemp, (char *path, int flags), path, flags)
TEMPORARY(int, -1, mkostemp64, (char *path, int flags), path, flags)
TEMPORARY(char *, NULL, mkdtemp, (char *path), path)
