/* Files and folders of text in and out.  See store.h. */
#include "store_internal.h"
#include "file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST_FILE = 1 << 30, DEEPEST = 8 };

static enum fw_status cannot(const struct fw_sink *sink, const char *code, const char *path)
{
    fw_report_file(sink, FW_ERROR, code, path, "%s", strerror(errno));
    return FW_ERROR_MACHINE;
}

static enum fw_status unreadable(const struct fw_sink *sink, const char *path, const char *why)
{
    fw_report_file(sink, FW_ERROR, "STO001", path, "cannot be read: %s", why);
    return FW_ERROR_MACHINE;
}

enum fw_status fw_store_records_readable(const char *path, const struct fw_sink *sink)
{
    return access(path, R_OK) == 0 ? FW_OK : unreadable(sink, path, strerror(errno));
}

static enum fw_status too_large(const struct fw_sink *sink, const char *path)
{
    fw_report_file(sink, FW_ERROR, "STO001", path, "it is larger than 1 GiB");
    return FW_ERROR_INPUT;
}

enum fw_status fw_store_read_file(struct fw_source *source, struct fw_arena *arena,
                                  const char *path, const struct fw_sink *sink)
{
    struct stat about;
    const char *why;
    enum fw_status status = FW_OK;
    size_t size = 0;
    if (stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size <= LARGEST_FILE)
        size = (size_t)about.st_size;
    /* Before the file is open: an arena that unwinds would leave it so. */
    char *text = fw_arena_alloc(arena, size + 1);
    const char *name = fw_arena_text(arena, path, strlen(path));
    FILE *file = fw_file_open(path, false, &why);
    if (!file)
        return unreadable(sink, path, why);
    if (fstat(fileno(file), &about) != 0)
        status = unreadable(sink, path, strerror(errno));
    else if (about.st_size > LARGEST_FILE)
        status = too_large(sink, path);
    size_t got = status ? 0 : fread(text, 1, size, file);
    if (!status && ferror(file))
        status = unreadable(sink, path, strerror(errno));
    fclose(file);
    *source = (struct fw_source){name, text, got};
    return status;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

struct import {
    struct fw_store_outcome *outcome;
    struct fw_store *store;
    struct fw_arena *arena;
    const char *campaign; /* NULL: by the path */
    const char *path;
};

static const char *campaign_fault(const char *name)
{
    enum { LONGEST_CAMPAIGN = 200 };
    if (!*name)
        return "it is empty";
    if (strlen(name) > LONGEST_CAMPAIGN)
        return "it is longer than 200 bytes";
    if (*name == '-')
        return "it begins like an option";
    for (const char *at = name; *at; at += fw_text_character(at))
        if (!fw_text_character(at) || fw_text_is_control(at))
            return "it has control characters, or is no UTF-8";
    for (const char *part = name; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL)
        if (*part == '/' || *part == '.' || !*part)
            return "it would become a path: no part of it between '/' may be empty or begin with "
                   "'.'";
    return NULL;
}

enum fw_status fw_store_check_campaign(const char *name, const struct fw_sink *sink)
{
    const char *why = campaign_fault(name);
    if (why)
        fw_report(sink, FW_ERROR, "STO011", (struct fw_span){0},
                  "no campaign may be called \"%.200s\": %s", name, why);
    return why ? FW_ERROR_USAGE : FW_OK;
}

static enum fw_status import_text(struct import *import, const struct fw_source *source,
                                  const char *campaign)
{
    if (fw_store_check_campaign(campaign, import->store->sink))
        return FW_ERROR_INPUT; /* what the caller states was checked before: this is a file's */
    enum fw_status status = fw_store_add(import->outcome, import->store, campaign, source->name,
                                         source->text, source->length);
    import->outcome->files += !status;
    return status;
}

static int by_name(const struct dirent **left, const struct dirent **right)
{
    return strcmp((*left)->d_name, (*right)->d_name);
}

/* `inside`: the path from where it began, "" there. */
static enum fw_status import_folder(struct import *import, const char *folder, const char *inside,
                                    int depth)
{
    static const char opening[] = "{\"record\": \"setup\"";
    struct dirent **entries = NULL;
    enum fw_status status = FW_OK;
    int count = scandir(folder, &entries, NULL, by_name);
    if (count < 0)
        return cannot(import->store->sink, "STO001", folder);
    for (int i = 0; i < count && !status; i++) {
        const char *name = entries[i]->d_name;
        char *path = fw_arena_printf(import->arena, "%s/%s", folder, name);
        char *within = fw_arena_printf(import->arena, "%s%s%s", inside, *inside ? "/" : "", name);
        struct stat about;
        struct fw_source source;
        if (name[0] == '.' || stat(path, &about) != 0)
            continue;
        if (S_ISDIR(about.st_mode)) {
            if (depth < DEEPEST)
                status = import_folder(import, path, within, depth + 1);
            continue;
        }
        if (!ends_with(name, ".txt"))
            continue;
        status = fw_store_read_file(&source, import->arena, path, import->store->sink);
        if (status || strncmp(source.text, opening, sizeof(opening) - 1) != 0)
            continue;
        within[strlen(within) - strlen(".txt")] = '\0';
        status = import_text(import, &source, import->campaign ? import->campaign : within);
    }
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    return status;
}

static enum fw_status import_path(void *user)
{
    struct import *import = user;
    const char *path = import->path;
    struct stat about;
    struct fw_source source;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return import_folder(import, path, "", 0);
    enum fw_status status = fw_store_read_file(&source, import->arena, path, import->store->sink);
    if (status)
        return status;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t length = strlen(name) - (ends_with(name, ".txt") ? strlen(".txt") : 0);
    return import_text(import, &source,
                       import->campaign ? import->campaign
                                        : fw_arena_text(import->arena, name, length));
}

enum fw_status fw_store_import(struct fw_store_outcome *outcome, struct fw_store *store,
                               const char *path, const char *campaign)
{
    struct import import = {outcome, store, fw_arena_new(0), campaign, path};
    return store_guard(import.arena, import_path, &import);
}

static enum fw_status write_file(const struct import *import, const char *path,
                                 const struct fw_buffer *text)
{
    fw_file_make_folders(import->arena, path);
    const char *why = fw_file_replace(import->arena, path, text->text, text->length);
    if (why)
        fw_report_file(import->store->sink, FW_ERROR, "STO004", path, "%s", why);
    return why ? FW_ERROR_MACHINE : FW_OK;
}

static enum fw_status export_all(void *user)
{
    struct import *import = user;
    const char *folder = import->path;
    struct fw_store_campaign *campaigns;
    size_t count;
    bool found = !import->campaign;
    enum fw_status status = fw_store_campaigns(&campaigns, &count, import->store, import->arena);
    for (size_t i = 0; i < count && !status; i++) {
        const char *name = campaigns[i].name;
        if (import->campaign && strcmp(import->campaign, name) != 0)
            continue;
        found = true;
        if (fw_store_check_campaign(name, import->store->sink))
            return FW_ERROR_INPUT; /* of a store that somebody else wrote */
        struct fw_buffer text = fw_buffer_new(import->arena);
        status = fw_store_text(&text, import->store, name);
        if (!status)
            status = write_file(import, fw_arena_printf(import->arena, "%s/%s.txt", folder, name),
                                &text);
        import->outcome->measurements += campaigns[i].done + campaigns[i].failed;
        import->outcome->counters += campaigns[i].counted;
        import->outcome->files += !status;
    }
    if (!status && !found) {
        fw_report_file(import->store->sink, FW_ERROR, "STO001", import->store->path,
                       "the store holds no campaign %s", import->campaign);
        status = FW_ERROR_INPUT;
    }
    return status;
}

enum fw_status fw_store_export(struct fw_store_outcome *outcome, struct fw_store *store,
                               const char *folder, const char *campaign)
{
    struct import import = {outcome, store, fw_arena_new(0), campaign, folder};
    return store_guard(import.arena, export_all, &import);
}

/* What SQLite keeps beside a database. */
static void forget(const char *path)
{
    static const char *const tails[] = {"", "-wal", "-shm", "-journal"};
    char beside[4096];
    for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++) {
        snprintf(beside, sizeof(beside), "%s%s", path, tails[i]);
        unlink(beside);
    }
}

enum fw_status fw_store_rebuild(struct fw_store_outcome *outcome, const char *path,
                                const char *folder, const struct fw_sink *sink)
{
    struct fw_store *store;
    char fresh[4096];
    if (access(path, F_OK) == 0) {
        fw_report_file(sink, FW_ERROR, "STO009", path,
                       "this is there already: move it away, or give another name with --store");
        return FW_ERROR_USAGE;
    }
    if (snprintf(fresh, sizeof(fresh), "%s.%ld", path, (long)getpid()) >= (int)sizeof(fresh)) {
        errno = ENAMETOOLONG;
        return cannot(sink, "STO001", path);
    }
    enum fw_status status = fw_store_open(&store, fresh, sink);
    if (!status)
        status = fw_store_import(outcome, store, folder, NULL);
    fw_store_close(store); /* the last connection takes the journal in */
    /* link refuses what rename would overwrite: somebody may have made the store meanwhile */
    if (!status && link(fresh, path) != 0)
        status = cannot(sink, "STO004", path);
    forget(fresh);
    return status;
}
