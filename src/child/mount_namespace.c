/* A mount namespace: a file system that holds the granted paths and no others
 * (mount_namespaces(7), user_namespaces(7)).
 *
 * The new "/" is an empty file system in memory, in which the granted paths are bound, read-only
 * but for the scratch folder, under the names that they have outside; symbolic links on the way to
 * them are made again.  What is to be made is written down as steps before the fork. */
#define _GNU_SOURCE /* unshare, CLONE_NEWUSER */
#include "child_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_LINKS = 40, LAST_CAPABILITY = 63 };

enum step_kind { MAKE_FOLDER, MAKE_FILE, MAKE_LINK, BIND_READ_ONLY, BIND };

struct cell_step {
    enum step_kind kind;
    const char *path;   /* in the new file system, as seen from outside */
    const char *source; /* what is bound; a link's text */
};

/* The steps under construction. */
struct plan {
    struct fw_arena *arena;
    const char *root;
    FW_VECTOR(struct cell_step) steps;
    FW_VECTOR(const char *) bound; /* real paths */
};

static bool is_inside(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static bool is_bound(const struct plan *plan, const char *path)
{
    for (size_t i = 0; i < plan->bound.count; i++)
        if (is_inside(path, plan->bound.at[i]))
            return true;
    return false;
}

/* What is in a bound folder is there already. */
static void add_step(struct plan *plan, enum step_kind kind, const char *path, const char *source)
{
    if (kind != BIND && is_bound(plan, path))
        return;
    *FW_APPEND(plan->arena, &plan->steps) =
        (struct cell_step){kind, fw_arena_printf(plan->arena, "%s%s", plan->root, path), source};
}

/* Grants one path: goes along its components, makes the folders and links on the way, and binds
 * what is at its end.  A path that leads nowhere is passed over. */
static void add_grant(struct plan *plan, const char *path, enum step_kind bind)
{
    struct fw_arena *arena = plan->arena;
    const char *left = path, *at = ""; /* the components to come; the real path so far */
    struct stat about = {.st_mode = S_IFDIR};
    for (unsigned links = 0; left[strspn(left, "/")];) {
        left += strspn(left, "/");
        size_t length = strcspn(left, "/");
        const char *name = fw_arena_text(arena, left, length);
        left += length;
        if (strcmp(name, ".") == 0)
            continue;
        if (strcmp(name, "..") == 0) {
            const char *slash = strrchr(at, '/');
            at = slash ? fw_arena_text(arena, at, (size_t)(slash - at)) : "";
            continue;
        }
        const char *next = fw_arena_printf(arena, "%s/%s", at, name);
        if (lstat(next, &about) != 0)
            return;
        if (!S_ISLNK(about.st_mode)) {
            if (S_ISDIR(about.st_mode))
                add_step(plan, MAKE_FOLDER, next, NULL);
            at = next;
            continue;
        }
        char target[PATH_MAX];
        ssize_t got = readlink(next, target, sizeof(target) - 1);
        if (got <= 0 || ++links > MOST_LINKS)
            return;
        target[got] = '\0';
        add_step(plan, MAKE_LINK, next, fw_arena_text(arena, target, (size_t)got));
        left = fw_arena_printf(arena, "%s%s", target, left);
        at = target[0] == '/' ? "" : at;
    }
    if (!*at)
        return; /* "/" itself is nobody's to grant */
    if (stat(at, &about) == 0 && !S_ISDIR(about.st_mode))
        add_step(plan, MAKE_FILE, at, NULL);
    add_step(plan, bind, at, at);
    *FW_APPEND(arena, &plan->bound) = at;
}

bool namespace_open(struct fw_cell *cell, struct fw_arena *arena, const struct fw_grants *grants)
{
    struct plan plan = {.arena = arena};
    plan.root = cell->root = fw_arena_printf(arena, "%s/root", grants->scratch);
    if (mkdir(cell->root, 0700) != 0 && errno != EEXIST)
        return false;
    for (size_t i = 0; i < grants->program_count; i++)
        add_grant(&plan, grants->programs[i], BIND_READ_ONLY);
    add_grant(&plan, "/dev/null", BIND);
    for (size_t i = 0; i < grants->file_count; i++)
        add_grant(&plan, grants->files[i], BIND_READ_ONLY);
    add_grant(&plan, grants->scratch, BIND);
    cell->steps = plan.steps.at;
    cell->step_count = plan.steps.count;
    cell->user_map = fw_arena_printf(arena, "%u %u 1", (unsigned)geteuid(), (unsigned)geteuid());
    cell->group_map = fw_arena_printf(arena, "%u %u 1", (unsigned)getegid(), (unsigned)getegid());
    return true;
}

static bool write_line(const char *path, const char *line)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    bool good = write(file, line, strlen(line)) == (ssize_t)strlen(line);
    close(file);
    return good;
}

/* Nothing is written through a mount, and no program has rights of its own; for all below it, too.
 */
static bool make_read_only(const char *path, bool all_below)
{
#ifdef SYS_mount_setattr
    enum { READ_ONLY = 1, NO_SET_USER = 2, RECURSIVE = 0x8000 };
    unsigned flags = all_below ? RECURSIVE : 0;
    const struct {
        uint64_t set, clear, propagation, user_namespace;
    } attributes = {READ_ONLY | NO_SET_USER, 0, 0, 0};
    return syscall(SYS_mount_setattr, -1, path, flags, &attributes, sizeof(attributes)) == 0;
#else
    (void)path;
    (void)all_below;
    errno = ENOSYS;
    return false;
#endif
}

static bool take_step(const struct cell_step *step)
{
    int file;
    switch (step->kind) {
    case MAKE_FOLDER:
        return mkdir(step->path, 0755) == 0 || errno == EEXIST;
    case MAKE_FILE:
        file = open(step->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
        return file >= 0 ? close(file) == 0 : errno == EROFS || errno == EACCES;
    case MAKE_LINK:
        return symlink(step->source, step->path) == 0 || errno == EEXIST;
    case BIND_READ_ONLY:
        return mount(step->source, step->path, NULL, MS_BIND | MS_REC, NULL) == 0 &&
               make_read_only(step->path, true);
    case BIND:
        return mount(step->source, step->path, NULL, MS_BIND | MS_REC, NULL) == 0;
    }
    return false;
}

/* A user and a mount namespace, in which this user is who it was. */
static bool leave_namespaces(const char *user_map, const char *group_map)
{
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC) != 0)
        return false;
    write_line("/proc/self/setgroups", "deny");
    return write_line("/proc/self/uid_map", user_map) &&
           write_line("/proc/self/gid_map", group_map) &&
           mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

static bool mount_root(const char *root)
{
    return mount("forewarp", root, "tmpfs", MS_NOSUID | MS_NODEV, "size=4m,mode=0755") == 0;
}

bool namespace_enter(const struct fw_cell *cell)
{
    if (!leave_namespaces(cell->user_map, cell->group_map) || !mount_root(cell->root))
        return false;
    for (size_t i = 0; i < cell->step_count; i++)
        if (!take_step(&cell->steps[i]))
            return false;
    if (chdir(cell->root) != 0 || syscall(SYS_pivot_root, ".", ".") != 0 ||
        umount2(".", MNT_DETACH) != 0 || chdir("/") != 0 || !make_read_only("/", false))
        return false;
    /* Who is root outside would have all rights inside after exec. */
    for (int capability = 0; capability <= LAST_CAPABILITY; capability++)
        prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
    return true;
}

/* Tries it: what a kernel has, its settings may still refuse. */
bool namespace_is_there(void)
{
    char user_map[32], group_map[32];
    int status = 0;
    snprintf(user_map, sizeof(user_map), "%u %u 1", (unsigned)geteuid(), (unsigned)geteuid());
    snprintf(group_map, sizeof(group_map), "%u %u 1", (unsigned)getegid(), (unsigned)getegid());
    pid_t pid = fork();
    if (pid == 0)
        _exit(leave_namespaces(user_map, group_map) && mount_root("/tmp") &&
                      make_read_only("/tmp", true)
                  ? 0
                  : 1);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
