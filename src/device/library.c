/* Profiles as files: reading one, finding one by name, listing folders of them. */
#include "device_internal.h"
#include "file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LARGEST_PROFILE = 1 << 20, LONGEST_NOTE = 900 };

static enum fw_status unreadable(const struct fw_sink *sink, const char *path, const char *why)
{
    fw_report_file(sink, FW_ERROR, "DEV001", path, "the profile cannot be read: %s", why);
    return FW_ERROR_MACHINE;
}

static enum fw_status too_large(const struct fw_sink *sink, const char *path)
{
    fw_report_file(sink, FW_ERROR, "DEV001", path, "a profile is not larger than 1 MiB");
    return FW_ERROR_INPUT;
}

enum fw_status fw_device_read(struct fw_device **device, struct fw_arena *arena, const char *path,
                              const struct fw_sink *sink)
{
    enum fw_status status;
    *device = NULL;
    const char *why;
    FILE *file = fw_file_open(path, false, &why);
    if (!file)
        return unreadable(sink, path, why);
    char *text = malloc(LARGEST_PROFILE + 1);
    size_t length = text ? fread(text, 1, LARGEST_PROFILE + 1, file) : 0;
    if (!text)
        status = FW_ERROR_MEMORY;
    else if (ferror(file))
        status = unreadable(sink, path, strerror(errno));
    else if (length > LARGEST_PROFILE)
        status = too_large(sink, path);
    else
        status = fw_device_parse(device, arena, path, text, length, sink);
    free(text);
    fclose(file);
    return status;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

static int by_name(const void *a, const void *b)
{
    const struct fw_device_entry *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static bool listed(const struct fw_device_list *list, const char *name)
{
    for (size_t i = 0; i < list->entries.count; i++)
        if (strcmp(list->entries.at[i].name, name) == 0)
            return true;
    return false;
}

static void add_entry(struct fw_device_list *list, struct fw_arena *arena, const char *folder,
                      const char *file)
{
    if (file[0] == '.' || !ends_with(file, ".json"))
        return;
    char *name = fw_arena_text(arena, file, strlen(file) - strlen(".json"));
    if (listed(list, name))
        return;
    struct fw_device_entry *entry = FW_APPEND(arena, &list->entries);
    entry->name = name;
    entry->path = fw_arena_printf(arena, "%s/%s.json", folder, name);
}

/* The folder is closed on the way out when the arena is exhausted. */
static void list_folder(struct fw_device_list *list, struct fw_arena *arena, const char *folder)
{
    jmp_buf point;
    DIR *directory = opendir(folder);
    if (!directory)
        return;
    jmp_buf *before = fw_arena_on_exhausted(arena, &point);
    bool exhausted = setjmp(point) != 0;
    if (!exhausted)
        for (struct dirent *file; (file = readdir(directory)) != NULL;)
            add_entry(list, arena, folder, file->d_name);
    fw_arena_on_exhausted(arena, before);
    closedir(directory);
    if (exhausted && before)
        longjmp(*before, 1);
    if (exhausted)
        abort();
}

void fw_device_list(struct fw_device_list *list, struct fw_arena *arena, const char *const *folders,
                    size_t folder_count)
{
    *list = (struct fw_device_list){0};
    for (size_t i = 0; i < folder_count; i++)
        list_folder(list, arena, folders[i]);
    if (list->entries.count)
        qsort(list->entries.at, list->entries.count, sizeof(*list->entries.at), by_name);
}

static bool is_path(const char *name)
{
    return strchr(name, '/') || ends_with(name, ".json");
}

/* Whether there is such a file: then nothing in its name is a change. */
static bool is_file(const char *name)
{
    return is_path(name) && access(name, F_OK) == 0;
}

/* Where the changes of a device begin, behind a colon: the last before the first equals sign, since
 * a path may have others; without one the first, since a name has none.  NULL: there are none. */
static const char *changes_of(const char *text)
{
    const char *equals = strchr(text, '='), *colon = NULL;
    if (!equals)
        return is_path(text) ? NULL : strchr(text, ':');
    for (const char *at = text; at < equals; at++)
        if (*at == ':')
            colon = at;
    return colon;
}

/* The end of the first device of a list: a comma behind which no change stands. */
static const char *end_of_device(const char *text)
{
    for (const char *at = strchr(text, ','); at; at = strchr(at + 1, ','))
        if (at[1 + strcspn(at + 1, ",:=")] != '=')
            return at;
    return text + strlen(text);
}

static enum fw_status find_base(struct fw_device **device, struct fw_arena *arena, const char *name,
                                const char *const *folders, size_t folder_count,
                                const struct fw_sink *sink)
{
    *device = NULL;
    if (is_path(name))
        return fw_device_read(device, arena, name, sink);
    struct fw_device_list list;
    fw_device_list(&list, arena, folders, folder_count);
    for (size_t i = 0; i < list.entries.count; i++)
        if (strcmp(list.entries.at[i].name, name) == 0)
            return fw_device_read(device, arena, list.entries.at[i].path, sink);
    struct fw_buffer known = fw_buffer_new(arena);
    for (size_t i = 0; i < list.entries.count && known.length < LONGEST_NOTE; i++)
        fw_buffer_printf(&known, "%s%s", i ? ", " : "there are ", list.entries.at[i].name);
    const char *note = list.entries.count ? known.text : "no folder with profiles was found";
    fw_report_notes(sink, FW_ERROR, "DEV009", (struct fw_span){0}, &note, 1,
                    "there is no profile of a device called \"%.64s\"", name);
    return FW_ERROR_USAGE;
}

static enum fw_status find_one(struct fw_device **device, struct fw_arena *arena,
                               const struct fw_source *source, size_t begin, size_t end,
                               const char *const *folders, size_t folder_count,
                               const struct fw_sink *sink)
{
    const char *text = fw_arena_text(arena, source->text + begin, end - begin);
    const char *changes =
        begin == 0 && end == source->length && is_file(text) ? NULL : changes_of(text);
    size_t length = changes ? (size_t)(changes - text) : end - begin;
    struct fw_source part = {source->name, fw_arena_text(arena, source->text, end), end};
    if (length == 0) {
        fw_report(sink, FW_ERROR, "DEV014", (struct fw_span){source, (uint32_t)begin, 1},
                  "the name of a device is missing");
        return FW_ERROR_USAGE;
    }
    enum fw_status status =
        find_base(device, arena, fw_arena_text(arena, text, length), folders, folder_count, sink);
    if (!status && changes)
        status = fw_device_apply(*device, arena, &part, begin + length + 1, sink);
    if (status)
        *device = NULL;
    return status;
}

enum fw_status fw_device_find_all(struct fw_found_devices *found, struct fw_arena *arena,
                                  const char *names, const char *const *folders,
                                  size_t folder_count, const struct fw_sink *sink)
{
    const struct fw_source source = {"-d", names, strlen(names)};
    enum fw_status status = FW_OK;
    *found = (struct fw_found_devices){0};
    for (size_t begin = 0; begin <= source.length && !status;) {
        const char *stop =
            begin == 0 && is_file(names) ? names + source.length : end_of_device(names + begin);
        size_t end = (size_t)(stop - names);
        if (found->at.count == FW_DEVICES_MOST) {
            fw_report(sink, FW_ERROR, "DEV017", (struct fw_span){&source, (uint32_t)begin, 1},
                      "more than %d devices", FW_DEVICES_MOST);
            return FW_ERROR_USAGE;
        }
        status = find_one(FW_APPEND(arena, &found->at), arena, &source, begin, end, folders,
                          folder_count, sink);
        begin = end + 1;
    }
    return status;
}

enum fw_status fw_device_find(struct fw_device **device, struct fw_arena *arena, const char *name,
                              const char *const *folders, size_t folder_count,
                              const struct fw_sink *sink)
{
    const struct fw_source source = {"-d", name, strlen(name)};
    const char *end = is_file(name) ? name + source.length : end_of_device(name);
    *device = NULL;
    if (!*end)
        return find_one(device, arena, &source, 0, source.length, folders, folder_count, sink);
    fw_report(sink, FW_ERROR, "DEV017",
              (struct fw_span){&source, (uint32_t)(end - name + 1), (uint32_t)strlen(end + 1)},
              "one device is asked for here, not several");
    return FW_ERROR_USAGE;
}
