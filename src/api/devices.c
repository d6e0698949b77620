/* Devices: profiles by name, listed and shown. */
#include "api_internal.h"
#include "report.h"
#include "table.h"

#include <jansson.h>

#include <stdlib.h>
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
    struct fw_buffer out;
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

enum fw_status fw_context_device(struct fw_device **device, const struct fw_context *context,
                                 const char *name)
{
    struct find work = {.context = context, .arena = fw_arena_new(DEVICE_MOST), .name = name};
    *device = NULL;
    if (!work.arena)
        return FW_ERROR_MEMORY;
    enum fw_status status = api_guard(context, work.arena, NULL, find, &work);
    if (status)
        fw_arena_free(work.arena);
    else
        *device = work.device;
    return status;
}

void fw_context_device_free(struct fw_device *device)
{
    if (device)
        fw_arena_free(((struct owned_device *)(void *)device)->arena);
}

unsigned fw_context_device_capability(const struct fw_device *device)
{
    return 10 * (unsigned)fw_device_count(device, FW_FIGURE_COMPUTE_MAJOR, 0) +
           (unsigned)fw_device_count(device, FW_FIGURE_COMPUTE_MINOR, 0);
}

static json_t *list_row(const struct fw_device *device)
{
    double major;
    json_t *row = json_pack("{s:s, s:s, s:s}", "name", device->name, "title", device->title,
                            "about", device->about);
    if (fw_device_figure(device, FW_FIGURE_COMPUTE_MAJOR, &major))
        json_object_set_new(
            row, "compute_capability",
            json_sprintf("%.0f.%.0f", major,
                         (double)fw_device_count(device, FW_FIGURE_COMPUTE_MINOR, 0)));
    return row;
}

static enum fw_status list(void *user)
{
    struct find *work = user;
    const struct fw_context *context = work->context;
    struct fw_device_list all = {0};
    struct fw_table_text table = {.arena = work->arena, .sides = "lll"};
    bool first = true;
    json_t *rows = json_array();
    if (context->profiles)
        fw_device_list(&all, work->arena, &context->profiles, 1);
    work->out = fw_buffer_new(work->arena);
    for (size_t i = 0; i < all.entries.count; i++) {
        struct fw_device *device;
        if (fw_device_read(&device, work->arena, all.entries.at[i].path, &context->sink) != FW_OK)
            continue; /* told; the others are listed all the same */
        if (work->json) {
            json_array_append_new(rows, list_row(device));
        } else {
            fw_table_cell(&table, "%s", device->name);
            fw_table_cell(&table, "%s", device->title);
            fw_table_cell(&table, "compute capability %llu.%llu",
                          (unsigned long long)fw_device_count(device, FW_FIGURE_COMPUTE_MAJOR, 0),
                          (unsigned long long)fw_device_count(device, FW_FIGURE_COMPUTE_MINOR, 0));
        }
        first = false;
    }
    if (work->json) {
        json_t *top = json_pack("{s:s, s:i, s:O}", "forewarp", fw_version(), "format",
                                FW_REPORT_FORMAT, "devices", rows);
        char *text = json_dumps(top, JSON_INDENT(2));
        fw_buffer_printf(&work->out, "%s\n", text ? text : "");
        free(text);
        json_decref(top);
    } else if (first)
        fw_buffer_printf(&work->out, "no profiles in %s\n",
                         context->profiles ? context->profiles : "any folder: there is none");
    else
        fw_table_print(&table, &work->out);
    json_decref(rows);
    *work->text = api_text(work->out.text);
    return *work->text ? FW_OK : FW_ERROR_MEMORY;
}

static void show_value(struct find *work, struct fw_table_text *table,
                       const struct fw_figure_value *figure, const struct fw_figure_row *row)
{
    struct fw_buffer text = fw_buffer_new(work->arena);
    if (row->shape == FW_FIGURE_SHAPE_COUNT || row->shape == FW_FIGURE_SHAPE_NUMBER)
        fw_buffer_printf(&text, "%.10g", figure->value);
    for (size_t i = 0; row->shape == FW_FIGURE_SHAPE_LIST && i < figure->count; i++)
        fw_buffer_printf(&text, i ? " %.10g" : "%.10g", figure->list[i]);
    for (size_t i = 0; row->shape == FW_FIGURE_SHAPE_POINTS && i < figure->count; i++)
        fw_buffer_printf(&text, i ? ", (%.6g, %.6g)" : "(%.6g, %.6g)", figure->list[2 * i],
                         figure->list[2 * i + 1]);
    fw_table_cell(table, "%s", row->name);
    fw_table_cell(table, "%s%s%s", text.text, strcmp(row->unit, "1") ? " " : "",
                  strcmp(row->unit, "1") ? row->unit : "");
    fw_table_cell(table, "%s", fw_figure_source_text(figure->source));
    fw_table_cell(table, "%s%s%s", row->meaning, *figure->note ? "; " : "", figure->note);
}

static enum fw_status show(void *user)
{
    struct find *work = user;
    const struct fw_device *device = work->shown;
    work->out = fw_buffer_new(work->arena);
    if (work->json) {
        fw_device_print(device, &work->out);
    } else {
        struct fw_table_text table = {.arena = work->arena, .sides = "llll"};
        fw_buffer_printf(&work->out, "%s: %s\n%s\n\nFigures that are known\n", device->name,
                         device->title, device->about);
        for (int f = 0; f < FW_FIGURE_COUNT; f++)
            if (device->figures[f].known)
                show_value(work, &table, &device->figures[f], fw_figure_row((enum fw_figure)f));
        fw_table_print(&table, &work->out);
        fw_buffer_printf(&work->out, "\nFigures that are not known\n");
        struct fw_table_text absent = {.arena = work->arena, .sides = "ll"};
        for (int f = 0; f < FW_FIGURE_COUNT; f++)
            if (!device->figures[f].known) {
                fw_table_cell(&absent, "%s", fw_figure_row((enum fw_figure)f)->name);
                fw_table_cell(&absent, "%s", fw_figure_row((enum fw_figure)f)->meaning);
            }
        fw_table_print(&absent, &work->out);
    }
    *work->text = api_text(work->out.text);
    return *work->text ? FW_OK : FW_ERROR_MEMORY;
}

static enum fw_status in_scratch(struct find *work, enum fw_status (*what)(void *user))
{
    *work->text = NULL;
    work->arena = fw_arena_new(DEVICE_MOST);
    if (!work->arena)
        return FW_ERROR_MEMORY;
    enum fw_status status = api_guard(work->context, work->arena, NULL, what, work);
    fw_arena_free(work->arena);
    return status;
}

enum fw_status fw_context_device_list(char **text, const struct fw_context *context, bool json)
{
    struct find work = {.context = context, .json = json, .text = text};
    return in_scratch(&work, list);
}

enum fw_status fw_context_device_show(char **text, const struct fw_context *context,
                                      const struct fw_device *device, bool json)
{
    struct find work = {.context = context, .json = json, .text = text, .shown = device};
    return in_scratch(&work, show);
}
