/* Launch lists, as handles. */
#include "api_check.h"
#include "launches_reader.h"

struct fw_launch_list {
    struct fw_arena *arena;
    struct fw_launch_items items;
};

struct reading_list {
    const struct fw_context *context;
    struct fw_arena *arena, *scratch; /* of the list, of the text */
    const char *path;
    struct fw_launch_list *list;
};

static enum fw_status read_list(void *user)
{
    struct reading_list *reading = user;
    struct fw_source source;
    enum fw_status status =
        fw_session_read_file(&source, reading->scratch, reading->context, reading->path);
    if (status)
        return status;
    reading->list = FW_NEW(reading->arena, struct fw_launch_list);
    reading->list->arena = reading->arena;
    return fw_launches_read(&reading->list->items, reading->arena, &source, reading->path,
                            &reading->context->sink);
}

enum fw_status fw_launch_list_read(struct fw_launch_list **list, const struct fw_context *context,
                                   const char *path)
{
    struct api_check check = api_check_begin(context, __func__);
    if (list)
        *list = NULL;
    api_check_pointer(&check, list, "the result");
    api_check_text(&check, path, "the path");
    if (check.status)
        return check.status;
    struct reading_list reading = {context, fw_arena_new(context->memory),
                                   fw_arena_new(context->memory), path, NULL};
    enum fw_status status = FW_ERROR_MEMORY;
    if (reading.arena && reading.scratch)
        status = fw_session_guard(context, reading.arena, reading.scratch, read_list, &reading);
    fw_arena_free(reading.scratch);
    if (status)
        fw_arena_free(reading.arena);
    *list = status ? NULL : reading.list;
    return status;
}

void fw_launch_list_free(struct fw_launch_list *list)
{
    if (list)
        fw_arena_free(list->arena);
}

size_t fw_launch_list_count(const struct fw_launch_list *list)
{
    return list ? list->items.count : 0;
}

const struct fw_launch_item *fw_launch_list_item(const struct fw_launch_list *list, size_t index)
{
    return list && index < list->items.count ? &list->items.at[index] : NULL;
}
