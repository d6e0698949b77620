/* Devices: profiles by name, listed and shown. */
#include "api_check.h"
#include "device_report.h"

#include <string.h>

enum { DEVICE_MOST = 64 << 20 };

/* A device and the arena that it lives in. */
struct find {
    const struct fw_context *context;
    struct fw_arena *arena;
    const char *name;
    struct fw_device *device;
    const struct fw_device *shown;
    bool json;
    char **text;
};

struct owned_device {
    struct fw_device device; /* first: the handle points to it */
    struct fw_arena *arena;
};

static enum fw_status find(void *user)
{
    struct find *find = user;
    const struct fw_context *context = find->context;
    struct fw_device *device;
    enum fw_status status = fw_device_find(&device, find->arena, find->name, &context->profiles,
                                           context->profiles ? 1 : 0, &context->sink);
    if (status)
        return status;
    struct owned_device *owned = FW_NEW(find->arena, struct owned_device);
    owned->device = *device;
    owned->arena = find->arena;
    find->device = &owned->device;
    return FW_OK;
}

static enum fw_status make_blank(void *user)
{
    struct find *find = user;
    struct owned_device *owned = FW_NEW(find->arena, struct owned_device);
    owned->device.name = fw_arena_text(find->arena, find->name, strlen(find->name));
    owned->device.title = owned->device.name;
    owned->arena = find->arena;
    find->device = &owned->device;
    return FW_OK;
}

static enum fw_status open_device(struct fw_device **device, const struct fw_context *context,
                                  const char *name, const char *function,
                                  enum fw_status (*open)(void *user))
{
    struct api_check check = api_check_begin(context, function);
    if (device)
        *device = NULL;
    api_check_pointer(&check, device, "the result");
    api_check_text(&check, name, "the name");
    if (check.status)
        return check.status;
    struct find work = {.context = context, .arena = fw_arena_new(DEVICE_MOST), .name = name};
    if (!work.arena)
        return FW_ERROR_MEMORY;
    enum fw_status status = fw_session_guard(context, work.arena, NULL, open, &work);
    if (status)
        fw_arena_free(work.arena);
    else
        *device = work.device;
    return status;
}

enum fw_status fw_context_device(struct fw_device **device, const struct fw_context *context,
                                 const char *name)
{
    return open_device(device, context, name, __func__, find);
}

const char *fw_context_device_name(const struct fw_device *device)
{
    return device ? device->name : NULL;
}

/* ---- several ---- */

struct fw_devices {
    struct fw_arena *arena;
    struct fw_found_devices found;
};

struct find_all {
    const struct fw_context *context;
    struct fw_arena *arena;
    const char *names;
    struct fw_devices *devices;
};

static enum fw_status find_all(void *user)
{
    struct find_all *find = user;
    const struct fw_context *context = find->context;
    find->devices = FW_NEW(find->arena, struct fw_devices);
    find->devices->arena = find->arena;
    return fw_device_find_all(&find->devices->found, find->arena, find->names, &context->profiles,
                              context->profiles ? 1 : 0, &context->sink);
}

enum fw_status fw_context_devices(struct fw_devices **devices, const struct fw_context *context,
                                  const char *names)
{
    struct api_check check = api_check_begin(context, __func__);
    if (devices)
        *devices = NULL;
    api_check_pointer(&check, devices, "the result");
    api_check_text(&check, names, "the names");
    if (check.status)
        return check.status;
    struct find_all find = {.context = context, .arena = fw_arena_new(DEVICE_MOST), .names = names};
    if (!find.arena)
        return FW_ERROR_MEMORY;
    enum fw_status status = fw_session_guard(context, find.arena, NULL, find_all, &find);
    if (status)
        fw_arena_free(find.arena);
    else
        *devices = find.devices;
    return status;
}

void fw_devices_free(struct fw_devices *devices)
{
    if (devices)
        fw_arena_free(devices->arena);
}

size_t fw_devices_count(const struct fw_devices *devices)
{
    return devices ? devices->found.at.count : 0;
}

const struct fw_device *fw_devices_item(const struct fw_devices *devices, size_t index)
{
    return devices && index < devices->found.at.count ? devices->found.at.at[index] : NULL;
}

enum fw_status fw_context_device_blank(struct fw_device **device, const struct fw_context *context,
                                       const char *name)
{
    return open_device(device, context, name, __func__, make_blank);
}

void fw_context_device_free(struct fw_device *device)
{
    if (device)
        fw_arena_free(((struct owned_device *)(void *)device)->arena);
}

unsigned fw_context_device_capability(const struct fw_device *device)
{
    if (!device)
        return 0;
    return 10 * (unsigned)fw_device_count(device, FW_FIGURE_COMPUTE_MAJOR, 0) +
           (unsigned)fw_device_count(device, FW_FIGURE_COMPUTE_MINOR, 0);
}

/* Gives the text to the caller. */
static enum fw_status hand_over(const struct find *work, const struct fw_buffer *out)
{
    *work->text = fw_session_text(out->text);
    return *work->text ? FW_OK : FW_ERROR_MEMORY;
}

static enum fw_status list(void *user)
{
    struct find *work = user;
    const struct fw_context *context = work->context;
    struct fw_buffer out = fw_buffer_new(work->arena);
    struct fw_device_list all = {0};
    size_t count = 0;
    enum fw_status first = FW_OK;
    if (context->profiles)
        fw_device_list(&all, work->arena, &context->profiles, 1);
    const struct fw_device **devices =
        FW_ARRAY(work->arena, const struct fw_device *, all.entries.count + 1);
    for (size_t i = 0; i < all.entries.count; i++) {
        struct fw_device *device;
        enum fw_status status =
            fw_device_read(&device, work->arena, all.entries.at[i].path, &context->sink);
        if (status == FW_OK)
            devices[count++] = device; /* else told; the others are listed all the same */
        else if (first == FW_OK)
            first = status;
    }
    if (work->json)
        fw_report_devices_json(&out, devices, count);
    else
        fw_report_devices_text(&out, devices, count, context->profiles);
    enum fw_status status = hand_over(work, &out);
    return status ? status : first;
}

static enum fw_status show(void *user)
{
    struct find *work = user;
    struct fw_buffer out = fw_buffer_new(work->arena);
    if (work->json)
        fw_device_print(work->shown, &out);
    else
        fw_report_device_text(&out, work->shown);
    return hand_over(work, &out);
}

static enum fw_status in_scratch(struct find *work, enum fw_status (*what)(void *user))
{
    *work->text = NULL;
    work->arena = fw_arena_new(DEVICE_MOST);
    if (!work->arena)
        return FW_ERROR_MEMORY;
    enum fw_status status = fw_session_guard(work->context, work->arena, NULL, what, work);
    fw_arena_free(work->arena);
    return status;
}

enum fw_status fw_context_device_list(char **text, const struct fw_context *context, bool json)
{
    struct find work = {.context = context, .json = json, .text = text};
    struct api_check check = api_check_begin(context, __func__);
    api_check_pointer(&check, text, "the result");
    return check.status ? check.status : in_scratch(&work, list);
}

enum fw_status fw_context_device_show(char **text, const struct fw_context *context,
                                      const struct fw_device *device, bool json)
{
    struct find work = {.context = context, .json = json, .text = text, .shown = device};
    struct api_check check = api_check_begin(context, __func__);
    if (text)
        *text = NULL;
    api_check_pointer(&check, text, "the result");
    api_check_pointer(&check, device, "the device");
    return check.status ? check.status : in_scratch(&work, show);
}
