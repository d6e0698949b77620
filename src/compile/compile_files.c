/* Files: reading, real paths, and the check of what a compiler opened. */
#define _GNU_SOURCE /* O_CLOEXEC, realpath */
#include "compile_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *compile_read_file(struct fw_arena *arena, const char *path, size_t most, size_t *length)
{
    struct stat about;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return NULL;
    int error = fstat(file, &about) < 0       ? errno
                : S_ISDIR(about.st_mode)      ? EISDIR
                : !S_ISREG(about.st_mode)     ? EINVAL
                : about.st_size > (off_t)most ? EFBIG
                                              : 0;
    size_t size = error ? 0 : (size_t)about.st_size;
    /* Read into memory of our own first: the arena may unwind, and the descriptor would stay. */
    char *bytes = error ? NULL : malloc(size + 1);
    size_t have = 0;
    while (bytes && have < size) {
        ssize_t got = read(file, bytes + have, size - have);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        have += (size_t)got;
    }
    close(file);
    if (!bytes) {
        errno = error ? error : ENOMEM;
        return NULL;
    }
    jmp_buf point;
    jmp_buf *before = fw_arena_on_exhausted(arena, &point);
    char *volatile text = NULL;
    if (setjmp(point) == 0)
        text = fw_arena_text(arena, bytes, have);
    fw_arena_on_exhausted(arena, before);
    free(bytes);
    if (!text && before)
        longjmp(*before, 1);
    if (!text)
        abort();
    *length = have;
    return text;
}

const char *compile_real_path(struct fw_arena *arena, const char *path)
{
    char real[PATH_MAX];
    return realpath(path, real) ? fw_arena_text(arena, real, strlen(real)) : NULL;
}

bool compile_is_inside(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 &&
           (path[length] == '/' || path[length] == '\0' || (length && folder[length - 1] == '/'));
}

const char *const *compile_environment(struct fw_arena *arena, const char *scratch)
{
    text_vector environment = {0};
    const char *path = getenv("PATH"), *libraries = getenv("LD_LIBRARY_PATH");
    *FW_APPEND(arena, &environment) =
        fw_arena_printf(arena, "PATH=%s", path ? path : "/usr/local/bin:/usr/bin:/bin");
    if (libraries)
        *FW_APPEND(arena, &environment) = fw_arena_printf(arena, "LD_LIBRARY_PATH=%s", libraries);
    *FW_APPEND(arena, &environment) = fw_arena_printf(arena, "TMPDIR=%s", scratch);
    *FW_APPEND(arena, &environment) = fw_arena_printf(arena, "HOME=%s", scratch);
    *FW_APPEND(arena, &environment) = "LC_ALL=C";
    *FW_APPEND(arena, &environment) = NULL;
    return environment.at;
}

/* Whose file this is. */
enum owner { OWNER_NOBODY, OWNER_USER, OWNER_SYSTEM };

static enum owner owner_of(const struct compilation *compilation, const char *path)
{
    if (compilation->scratch && compile_is_inside(path, compilation->scratch))
        return OWNER_SYSTEM; /* ours: the definitions, the compiler's own passes */
    if (compilation->data && compile_is_inside(path, compilation->data))
        return OWNER_SYSTEM;
    for (size_t i = 0; i < compilation->includes.count; i++)
        if (compile_is_inside(path, compilation->includes.at[i]))
            return OWNER_USER;
    for (size_t i = 0; i < compilation->compiler->system_folder_count; i++)
        if (compile_is_inside(path, compilation->compiler->system_folders[i]))
            return OWNER_SYSTEM;
    /* Hidden folders below the source's (.ssh, .git) hold what no kernel needs. */
    if (compilation->folder && compile_is_inside(path, compilation->folder) &&
        !strstr(path + strlen(compilation->folder), "/."))
        return OWNER_USER;
    return OWNER_NOBODY;
}

const char compile_may_read[] =
    "a source may include files of its own folder and below that are not hidden, of folders given "
    "with -I, and the compiler's own headers";

static enum fw_status refuse(const struct compilation *compilation, const char *path)
{
    const char *notes[] = {compile_may_read};
    fw_report_notes(compilation->sink, FW_ERROR, "CMP004",
                    (struct fw_span){compilation->source, 0, 0}, notes, 1,
                    "the source includes %s, which it may not read",
                    fw_text_shown(compilation->arena, path, strlen(path)));
    return FW_ERROR_INPUT;
}

/* A file that #include did not name in the list could still come in by #embed; so that is refused
 * wherever the user's files have it. */
static enum fw_status refuse_embeds(const struct compilation *compilation, const char *path,
                                    const char *text, size_t length)
{
    struct fw_signatures signatures;
    fw_signatures_read(&signatures, compilation->arena, text, length, false);
    if (!signatures.embeds)
        return FW_OK;
    fw_report(compilation->sink, FW_ERROR, "CMP005", (struct fw_span){compilation->source, 0, 0},
              "%s uses #embed, which is not allowed here",
              fw_text_shown(compilation->arena, path, strlen(path)));
    return FW_ERROR_INPUT;
}

static bool listed(const text_vector *list, const char *path)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->at[i], path) == 0)
            return true;
    return false;
}

/* Whether a path's folder is the compiler's: what it links to from there is the compiler's, too. */
static bool is_system_link(const struct compilation *compilation, const char *path)
{
    const char *folder = compile_real_path(
        compilation->arena,
        fw_arena_text(compilation->arena, path, (size_t)(strrchr(path, '/') - path) + 1));
    for (size_t i = 0; folder && i < compilation->compiler->system_folder_count; i++)
        if (compile_is_inside(folder, compilation->compiler->system_folders[i]))
            return true;
    return false;
}

static enum fw_status check_file(struct compilation *compilation, const char *path)
{
    const char *full =
        path[0] == '/' ? path
                       : fw_arena_printf(compilation->arena, "%s/%s", compilation->scratch, path);
    const char *real = compile_real_path(compilation->arena, full);
    if (!real)
        return refuse(compilation, path);
    if (listed(&compilation->dependencies, real))
        return FW_OK;
    enum owner owner = owner_of(compilation, real);
    if (owner == OWNER_NOBODY && is_system_link(compilation, full))
        owner = OWNER_SYSTEM;
    if (owner == OWNER_NOBODY)
        return refuse(compilation, path);
    if (!compile_is_inside(real, compilation->scratch))
        *FW_APPEND(compilation->arena, &compilation->dependencies) = real;
    if (owner == OWNER_SYSTEM)
        return FW_OK;
    size_t length;
    const char *text = compile_read_file(compilation->arena, real, LARGEST_SOURCE, &length);
    return text ? refuse_embeds(compilation, real, text, length) : refuse(compilation, path);
}

enum fw_status compile_check_source(struct compilation *compilation)
{
    return refuse_embeds(compilation, compilation->source->name, compilation->source->text,
                         compilation->source->length);
}

enum fw_status compile_check_list(struct compilation *compilation, const char *list)
{
    enum fw_status status = FW_OK;
    while (!status && *list) {
        size_t length = strcspn(list, "\n");
        if (length)
            status = check_file(compilation, compile_unescape(compilation->arena, list, length));
        list += length + (list[length] == '\n');
    }
    return status;
}

/* Where in the source a line of the preprocessed text is from; its beginning when it is from
 * elsewhere. */
static struct fw_span place_of(const struct compilation *compilation,
                               const struct preprocessed_marker *last, const char *at)
{
    struct fw_span span = {compilation->source, 0, 0};
    const char *name =
        last->name ? compile_unescape(compilation->arena, last->name, last->length) : "";
    if (strcmp(name, compilation->file) != 0)
        return span;
    size_t line = last->line;
    for (const char *byte = strchr(last->name, '\n'); byte && ++byte < at;
         byte = memchr(byte, '\n', (size_t)(at - byte)))
        line++;
    const char *text = compilation->source->text;
    for (line -= line > 0; line > 1 && text; line--)
        text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL;
    if (text)
        span.offset = (uint32_t)(text - compilation->source->text);
    return span;
}

enum fw_status compile_check_preprocessed(struct compilation *compilation, const char *text,
                                          size_t length)
{
    struct preprocessed_text at = {text, text, text + length,
                                   compilation->confinement == FW_CONFINEMENT_NONE};
    struct preprocessed_marker marker, last = {0};
    enum fw_status status = FW_OK;
    while (!status && compile_next_directive(&at, &marker)) {
        if (!marker.known) {
            fw_report(compilation->sink, FW_ERROR, "CMP013",
                      place_of(compilation, &last, marker.at),
                      "replacing its macros makes a preprocessor directive, which is not allowed");
            return FW_ERROR_INPUT;
        }
        last = marker.name ? marker : last;
        /* "<built-in>" and "<command-line>" are no files. */
        if (marker.name && marker.begins && marker.length &&
            !(marker.name[0] == '<' && marker.name[marker.length - 1] == '>'))
            status = check_file(compilation,
                                compile_unescape(compilation->arena, marker.name, marker.length));
    }
    return status;
}
