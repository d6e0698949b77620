/* Landlock: rules on files that a process and its children cannot leave (landlock(7)).
 *
 * The kernel's own numbers are written here: the headers of an older system lack the later ones. */
#define _GNU_SOURCE /* O_PATH */
#include "child_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Rights on files (uapi/linux/landlock.h). */
enum {
    RUN = 1 << 0,
    WRITE = 1 << 1,
    READ = 1 << 2,
    LIST = 1 << 3,
    REMOVE_FOLDER = 1 << 4,
    REMOVE_FILE = 1 << 5,
    MAKE_FOLDER = 1 << 7,
    MAKE_FILE = 1 << 8,
    MAKE_LINK = 1 << 12,
    RENAME_ACROSS = 1 << 13, /* from the kernel's second version on */
    TRUNCATE = 1 << 14,      /* third */
    DEVICE_CONTROL = 1 << 15 /* fifth */
};

enum {
    FIRST_VERSION = (1 << 13) - 1, /* all rights of the first version */
    ON_FILES = RUN | WRITE | READ | TRUNCATE | DEVICE_CONTROL,
    NO_SIGNALS_OUT = 1 << 1, /* scope: signals to processes outside */
    NO_ABSTRACT_SOCKETS = 1 << 0
};

struct ruleset_attributes {
    uint64_t files, network, scope;
};

struct path_rule {
    uint64_t rights;
    int32_t parent;
} __attribute__((packed));

static int version(void)
{
#ifdef SYS_landlock_create_ruleset
    enum { ASK_VERSION = 1 };
    return (int)syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, ASK_VERSION);
#else
    return -1;
#endif
}

bool landlock_is_there(void)
{
    return version() >= 1;
}

static uint64_t handled_rights(int kernel)
{
    uint64_t rights = FIRST_VERSION;
    rights |= kernel >= 2 ? RENAME_ACROSS : 0;
    rights |= kernel >= 3 ? TRUNCATE : 0;
    rights |= kernel >= 5 ? DEVICE_CONTROL : 0;
    return rights;
}

/* A path that is not there is no rule. */
static bool allow(int ruleset, const char *path, uint64_t rights)
{
#ifdef SYS_landlock_add_rule
    enum { RULE_PATH_BENEATH = 1 };
    struct stat about;
    int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT || errno == ENOTDIR || errno == EACCES;
    if (fstat(file, &about) == 0 && !S_ISDIR(about.st_mode))
        rights &= ON_FILES;
    struct path_rule rule = {rights, file};
    bool good = syscall(SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &rule, 0u) == 0;
    int error = errno;
    close(file);
    errno = error;
    return good;
#else
    (void)ruleset;
    (void)path;
    (void)rights;
    errno = ENOSYS;
    return false;
#endif
}

int landlock_open(const struct fw_grants *grants)
{
#ifdef SYS_landlock_create_ruleset
    int kernel = version(), error;
    uint64_t handled = handled_rights(kernel);
    struct ruleset_attributes attributes = {handled, 0, NO_SIGNALS_OUT | NO_ABSTRACT_SOCKETS};
    size_t size = kernel >= 6 ? sizeof(attributes) : sizeof(attributes.files);
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attributes, size, 0u);
    bool good = ruleset >= 0;
    for (size_t i = 0; i < grants->program_count && good; i++)
        good = allow(ruleset, grants->programs[i], (RUN | READ | LIST) & handled);
    for (size_t i = 0; i < grants->file_count && good; i++)
        good = allow(ruleset, grants->files[i], READ);
    good = good && allow(ruleset, "/dev/null", (READ | WRITE | TRUNCATE) & handled) &&
           allow(ruleset, grants->scratch,
                 (READ | WRITE | LIST | REMOVE_FOLDER | REMOVE_FILE | MAKE_FOLDER | MAKE_FILE |
                  MAKE_LINK | RENAME_ACROSS | TRUNCATE) &
                     handled);
    if (good || ruleset < 0)
        return ruleset;
    error = errno;
    close(ruleset);
    errno = error;
#else
    (void)grants;
    errno = ENOSYS;
#endif
    return -1;
}

bool landlock_enter(int ruleset)
{
#ifdef SYS_landlock_restrict_self
    return syscall(SYS_landlock_restrict_self, ruleset, 0u) == 0;
#else
    (void)ruleset;
    errno = ENOSYS;
    return false;
#endif
}
