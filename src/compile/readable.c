/* What a compiler may read: its own toolchain's files, and the user's.
 *
 * The user's are the source, its folder and what is below, but for what is hidden (.ssh, .git,
 * .env) and what is no file (a named pipe would hold the compiler for ever), and the folders given
 * with -I whole. */
#define _GNU_SOURCE /* DT_DIR, strchrnul */
#include "compile_internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MOST_ENTRIES = 20000, /* of a source's folder: past them, what is further down is not read */
    LARGEST_WRAPPER = 256 << 10, /* bytes of a script that stands before a program */
    MOST_WRAPPERS = 4            /* scripts before scripts */
};

/* ---- the toolchain ---- */

/* Where a system keeps programs, libraries and headers, and what running a program reads. */
static const char *const system_places[] = {"/bin",
                                            "/lib",
                                            "/lib32",
                                            "/lib64",
                                            "/libx32",
                                            "/usr/bin",
                                            "/usr/lib",
                                            "/usr/lib32",
                                            "/usr/lib64",
                                            "/usr/libx32",
                                            "/usr/libexec",
                                            "/usr/include",
                                            "/usr/local/bin",
                                            "/usr/local/lib",
                                            "/usr/local/include",
                                            "/nix/store",
                                            "/gnu/store",
                                            "/etc/ld.so.cache",
                                            "/etc/ld.so.preload",
                                            "/etc/alternatives",
                                            "/etc/localtime",
                                            "/etc/os-release",
                                            "/dev/urandom"};

/* What is in a folder of installed software. */
static const char *const software_folders[] = {"bin",     "lib",  "lib64",   "libexec",
                                               "include", "nvvm", "targets", "share"};

static void grant(struct fw_arena *arena, text_vector *list, const char *path)
{
    *FW_APPEND(arena, list) = path;
}

static bool is_granted(const text_vector *list, const char *path)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->at[i], path) == 0)
            return true;
    return false;
}

static const char *folder_of(struct fw_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    return fw_arena_text(arena, path, slash ? (size_t)(slash - path) : 0);
}

/* Whether a folder may hold more of a person's than software. */
static bool is_personal(struct fw_arena *arena, const char *folder)
{
    const char *home = getenv("HOME");
    const char *real = home && *home ? compile_real_path(arena, home) : NULL;
    return !*folder || strcmp(folder, "/usr") == 0 || strcmp(folder, "/usr/local") == 0 ||
           strcmp(folder, "/opt") == 0 || strstr(folder, "/.") ||
           (real && compile_is_inside(real, folder));
}

/* Grants the software that a program was installed with: DIR/bin/PROGRAM comes with DIR. */
static void grant_software(struct fw_arena *arena, text_vector *list, const char *program)
{
    const char *folder = folder_of(arena, program);
    const char *name = strrchr(folder, '/');
    if (!name || strcmp(name, "/bin") != 0)
        return;
    const char *software = folder_of(arena, folder);
    if (!is_personal(arena, software)) {
        grant(arena, list, software);
        return;
    }
    for (size_t i = 0; i < sizeof(software_folders) / sizeof(software_folders[0]); i++)
        if (*software && !compile_is_inside("/usr", software))
            grant(arena, list, fw_arena_printf(arena, "%s/%s", software, software_folders[i]));
}

static bool is_script(const char *path)
{
    char head[2] = "";
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool script = file >= 0 && read(file, head, 2) == 2 && head[0] == '#' && head[1] == '!';
    if (file >= 0)
        close(file);
    return script;
}

/* Grants a program, and those that it runs when it is a script in front of another, as `exec
 * /usr/local/cuda-13.0/bin/ptxas "$@"`: the programs whose absolute paths are in its text. */
static void grant_wrapped(struct fw_arena *arena, text_vector *list, const char *path,
                          unsigned wrappers)
{
    static const char path_ends[] = " \t\r\n\"'`;&|<>(){}$=:,";
    size_t length = 0;
    const char *real = path ? compile_real_path(arena, path) : NULL;
    if (!real || is_granted(list, path))
        return;
    grant(arena, list, path);
    grant(arena, list, real);
    grant_software(arena, list, real);
    const char *script = wrappers < MOST_WRAPPERS && is_script(real)
                             ? compile_read_file(arena, real, LARGEST_WRAPPER, &length)
                             : NULL;
    while (script && *(script = strchrnul(script, '/'))) {
        size_t word = strcspn(script, path_ends);
        const char *named = fw_arena_text(arena, script, word < PATH_MAX ? word : 0);
        struct stat about;
        if (stat(named, &about) == 0 && S_ISREG(about.st_mode) && access(named, X_OK) == 0)
            grant_wrapped(arena, list, named, wrappers + 1);
        script += word;
    }
}

static void grant_program(struct fw_arena *arena, text_vector *list, const char *path)
{
    grant_wrapped(arena, list, path, 0);
}

static void grant_library_path(struct fw_arena *arena, text_vector *list)
{
    const char *at = getenv("LD_LIBRARY_PATH");
    while (at && *at) {
        size_t length = strcspn(at, ":");
        if (*at == '/' && length > 1)
            grant(arena, list, fw_arena_text(arena, at, length));
        at += length + (at[length] == ':');
    }
}

void compile_grant_toolchain(struct fw_arena *arena, text_vector *list, const char *program,
                             const struct fw_compiler *compiler)
{
    static const char *const hosts[] = {"gcc", "g++", "cc", "c++"};
    for (size_t i = 0; i < sizeof(system_places) / sizeof(system_places[0]); i++)
        grant(arena, list, system_places[i]);
    grant_program(arena, list, program);
    for (size_t i = 0; compiler && i < compiler->program_count; i++)
        grant_program(arena, list, compiler->programs[i]);
    grant_library_path(arena, list);
    for (size_t i = 0; compiler && i < compiler->system_folder_count; i++)
        grant(arena, list, compiler->system_folders[i]);
    if (compiler && compiler->library)
        grant(arena, list, compiler->library);
    for (size_t i = 0; compiler && compiler->kind == FW_COMPILER_NVCC && i < 4; i++)
        grant_program(arena, list, compile_find_tool(arena, hosts[i]));
}

/* ---- the source's folder ---- */

/* A folder below the source's.  `whole`: nothing in it or below is kept back. */
struct node {
    const char *path;
    size_t parent;
    bool whole;
    text_vector files; /* names */
};

struct walk {
    struct fw_arena *arena;
    FW_VECTOR(struct node) nodes; /* a folder before those in it */
    size_t entries;
};

static void keep_back(struct walk *walk, size_t node)
{
    while (walk->nodes.at[node].whole) {
        walk->nodes.at[node].whole = false;
        node = walk->nodes.at[node].parent;
    }
}

/* What an entry is; a link counts by what it leads to, which is granted where it is, or not. */
static unsigned char type_of(const char *folder, const struct dirent *entry, struct fw_arena *arena)
{
    struct stat about;
    if (entry->d_type != DT_UNKNOWN)
        return entry->d_type;
    if (lstat(fw_arena_printf(arena, "%s/%s", folder, entry->d_name), &about) != 0)
        return DT_UNKNOWN;
    return S_ISDIR(about.st_mode)   ? DT_DIR
           : S_ISREG(about.st_mode) ? DT_REG
           : S_ISLNK(about.st_mode) ? DT_LNK
                                    : DT_UNKNOWN;
}

static void read_folder(struct walk *walk, size_t node, DIR *folder)
{
    const char *path = walk->nodes.at[node].path;
    struct dirent *entry;
    while (walk->entries < MOST_ENTRIES && (entry = readdir(folder)) != NULL) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
            continue;
        walk->entries++;
        unsigned char type = type_of(path, entry, walk->arena);
        if (type == DT_LNK)
            continue;
        if (name[0] == '.' || (type != DT_DIR && type != DT_REG)) {
            keep_back(walk, node);
        } else if (type == DT_REG) {
            *FW_APPEND(walk->arena, &walk->nodes.at[node].files) =
                fw_arena_text(walk->arena, name, strlen(name));
        } else {
            const char *below = fw_arena_printf(walk->arena, "%s/%s", path, name);
            *FW_APPEND(walk->arena, &walk->nodes) = (struct node){below, node, true, {0}};
        }
    }
}

/* Reads a folder's entries.  The arena may unwind past an open folder: it is closed by then. */
static void visit(struct walk *walk, size_t node)
{
    jmp_buf point;
    DIR *folder = walk->entries < MOST_ENTRIES ? opendir(walk->nodes.at[node].path) : NULL;
    jmp_buf *before = fw_arena_on_exhausted(walk->arena, &point);
    volatile bool good = false;
    if (setjmp(point) == 0) {
        if (folder)
            read_folder(walk, node, folder);
        good = true;
    }
    fw_arena_on_exhausted(walk->arena, before);
    if (folder)
        closedir(folder);
    if (!good && before)
        longjmp(*before, 1);
    if (!good)
        abort();
    if (!folder || walk->entries >= MOST_ENTRIES)
        keep_back(walk, node);
}

static void grant_folder(struct compilation *compilation, const char *folder)
{
    struct fw_arena *arena = compilation->arena;
    struct walk walk = {.arena = arena};
    *FW_APPEND(arena, &walk.nodes) = (struct node){folder, 0, true, {0}};
    /* The nearest folders first, so that they are the ones that are known when there are too many.
     */
    for (size_t i = 0; i < walk.nodes.count; i++)
        visit(&walk, i);
    for (size_t i = 0; i < walk.nodes.count; i++) {
        const struct node *node = &walk.nodes.at[i];
        if (i && walk.nodes.at[node->parent].whole)
            continue; /* comes with its parent */
        if (node->whole)
            grant(compilation->arena, &compilation->readable, node->path);
        for (size_t k = 0; !node->whole && k < node->files.count; k++)
            grant(arena, &compilation->readable,
                  fw_arena_printf(arena, "%s/%s", node->path, node->files.at[k]));
    }
}

void compile_grant_sources(struct compilation *compilation)
{
    if (compilation->file)
        grant(compilation->arena, &compilation->readable, compilation->file);
    if (compilation->folder)
        grant_folder(compilation, compilation->folder);
    for (size_t i = 0; i < compilation->includes.count; i++)
        grant(compilation->arena, &compilation->readable, compilation->includes.at[i]);
    if (compilation->data)
        grant(compilation->arena, &compilation->readable, compilation->data);
}

struct fw_grants compile_grants(const struct compilation *compilation, bool sources)
{
    return (struct fw_grants){.programs = compilation->toolchain.at,
                              .program_count = compilation->toolchain.count,
                              .files = compilation->readable.at,
                              .file_count = sources ? compilation->readable.count : 0,
                              .scratch = compilation->scratch};
}
