#include "device_report.h"

#include "json_writer.h"
#include "report.h"
#include "table.h"

#include <string.h>

/* Significant digits of a figure: of plain numbers and lists, and of the second number of points.
 */
struct digits {
    int number, ordinate;
};

static const struct digits of_profile = {10, 6}, of_probe = {6, 4};

static struct fw_table_text table(struct fw_buffer *out, const char *sides)
{
    return (struct fw_table_text){.arena = out->arena, .sides = sides};
}

static const char *shown(struct fw_buffer *out, const char *text)
{
    return fw_text_shown(out->arena, text, strlen(text));
}

static void show_head(struct fw_buffer *out, const struct fw_device *device)
{
    fw_buffer_printf(out, "%s: %s\n%s\n\n", shown(out, device->name), shown(out, device->title),
                     fw_text_shown_lines(out->arena, device->about, strlen(device->about)));
    if (device->like && *device->like)
        fw_buffer_printf(out,
                         "Properties marked \"similar\", and trained models, are those of %s.\n\n",
                         shown(out, device->like));
}

/* "1" is no unit, and a name has none. */
static const char *unit_of(const struct fw_figure_row *row)
{
    bool none = strcmp(row->unit, "1") == 0 || row->shape == FW_FIGURE_SHAPE_NAME;
    return none ? "" : row->unit;
}

static bool is_single(const struct fw_figure_row *row)
{
    return row->shape == FW_FIGURE_SHAPE_COUNT || row->shape == FW_FIGURE_SHAPE_NUMBER;
}

/* A device's number, name, list or points; "" when it is not known. */
static const char *value_text(struct fw_arena *arena, const struct fw_device *device,
                              enum fw_figure which, struct digits digits)
{
    const struct fw_figure_value *figure = &device->figures[which];
    const struct fw_figure_row *row = fw_figure_row(which);
    struct fw_buffer text = fw_buffer_new(arena);
    if (!figure->known)
        return "";
    if (row->shape == FW_FIGURE_SHAPE_NAME)
        return fw_figure_name(which, (unsigned)figure->value);
    if (is_single(row))
        fw_buffer_printf(&text, "%.*g", digits.number, figure->value);
    for (size_t i = 0; row->shape == FW_FIGURE_SHAPE_LIST && i < figure->count; i++)
        fw_buffer_printf(&text, i ? " %.*g" : "%.*g", digits.number, figure->list[i]);
    for (size_t i = 0; row->shape == FW_FIGURE_SHAPE_POINTS && i < figure->count; i++)
        fw_buffer_printf(&text, i ? ", (%.6g, %.*g)" : "(%.6g, %.*g)", figure->list[2 * i],
                         digits.ordinate, figure->list[2 * i + 1]);
    return text.text;
}

void fw_report_devices_json(struct fw_buffer *out, const struct fw_device *const *devices,
                            size_t count)
{
    struct fw_json_writer writer = fw_json_writer_new(out), *w = &writer;
    fw_json_object(w, NULL);
    fw_json_text(w, "forewarp", fw_version());
    fw_json_integer(w, "format", FW_REPORT_FORMAT);
    fw_json_array(w, "devices");
    for (size_t d = 0; d < count; d++) {
        double major;
        fw_json_object(w, NULL);
        fw_json_text(w, "name", devices[d]->name);
        fw_json_text(w, "title", devices[d]->title);
        fw_json_text(w, "about", devices[d]->about);
        if (fw_device_figure(devices[d], FW_FIGURE_COMPUTE_MAJOR, &major)) {
            double minor = (double)fw_device_count(devices[d], FW_FIGURE_COMPUTE_MINOR, 0);
            fw_json_text(w, "compute_capability",
                         fw_arena_printf(out->arena, "%.0f.%.0f", major, minor));
        }
        fw_json_object_end(w);
    }
    fw_json_array_end(w);
    fw_json_object_end(w);
    fw_buffer_add(out, "\n", 1);
}

void fw_report_devices_text(struct fw_buffer *out, const struct fw_device *const *devices,
                            size_t count, const char *folder)
{
    struct fw_table_text text = table(out, "lll");
    for (size_t d = 0; d < count; d++) {
        fw_table_cell(&text, "%s", devices[d]->name);
        fw_table_cell(&text, "%s", devices[d]->title);
        fw_table_cell(&text, "compute capability %llu.%llu",
                      (unsigned long long)fw_device_count(devices[d], FW_FIGURE_COMPUTE_MAJOR, 0),
                      (unsigned long long)fw_device_count(devices[d], FW_FIGURE_COMPUTE_MINOR, 0));
    }
    if (count)
        fw_table_print(&text, out);
    else
        fw_buffer_printf(out, "no profiles in %s\n",
                         folder ? shown(out, folder) : "any folder: there is none");
}

/* What the sources are that the known properties have. */
static void show_sources(struct fw_buffer *out, const struct fw_device *device)
{
    struct fw_table_text text = table(out, "ll");
    for (int s = 0; s < FW_SOURCE_COUNT; s++) {
        bool has = false;
        for (int f = 0; f < FW_FIGURE_COUNT && !has; f++)
            has = device->figures[f].known && (int)device->figures[f].source == s;
        if (!has)
            continue;
        fw_table_cell(&text, "%s", fw_figure_source_text((enum fw_figure_source)s));
        fw_table_cell(&text, "%s", fw_figure_source_meaning((enum fw_figure_source)s));
    }
    fw_buffer_printf(out, "\nSources\n");
    fw_table_print(&text, out);
}

void fw_report_device_text(struct fw_buffer *out, const struct fw_device *device)
{
    struct fw_table_text known = table(out, "llll"), absent = table(out, "ll");
    for (int f = 0; f < FW_FIGURE_COUNT; f++) {
        const struct fw_figure_value *figure = &device->figures[f];
        const struct fw_figure_row *row = fw_figure_row((enum fw_figure)f);
        if (!figure->known) {
            fw_table_cell(&absent, "%s", row->name);
            fw_table_cell(&absent, "%s", row->meaning);
            continue;
        }
        const char *value = value_text(out->arena, device, (enum fw_figure)f, of_profile);
        const char *unit = unit_of(row);
        bool named = row->shape == FW_FIGURE_SHAPE_NAME;
        bool lists =
            !is_single(row) && !named; /* would make the column as wide: they stand in the last */
        fw_table_cell(&known, "%s", row->name);
        if (lists)
            fw_table_cell(&known, "%zu values", figure->count);
        else
            fw_table_cell(&known, "%s%s%s", value, *unit ? " " : "", unit);
        fw_table_cell(&known, "%s", fw_figure_source_text(figure->source));
        fw_table_cell(&known, "%s%s%s%s%s", lists ? value : "", lists ? "; " : "", row->meaning,
                      *figure->note ? "; " : "", figure->note);
    }
    show_head(out, device);
    fw_buffer_printf(out, "Properties that are known\n");
    fw_table_print(&known, out);
    show_sources(out, device);
    fw_buffer_printf(out, "\nProperties that are not known\n");
    fw_table_print(&absent, out);
}

/* The probed figures that are one number, beside the other profile's. */
static void show_compared(struct fw_buffer *out, const struct fw_device *mine,
                          const struct fw_device *other)
{
    struct fw_table_text text = table(out, "lrrrll");
    const char *const head[] = {"property", "probed", other->name, "ratio", "unit", "from"};
    for (size_t i = 0; i < sizeof(head) / sizeof(head[0]); i++)
        fw_table_cell(&text, "%s", head[i]);
    for (int f = 0; f < FW_FIGURE_COUNT; f++) {
        const struct fw_figure_row *row = fw_figure_row((enum fw_figure)f);
        const struct fw_figure_value *here = &mine->figures[f], *there = &other->figures[f];
        if (!is_single(row) || !here->known)
            continue;
        fw_table_cell(&text, "%s", row->name);
        fw_table_cell(&text, "%s", value_text(out->arena, mine, (enum fw_figure)f, of_probe));
        fw_table_cell(&text, "%s", value_text(out->arena, other, (enum fw_figure)f, of_probe));
        if (there->known && there->value != 0)
            fw_table_cell(&text, "%.3f", here->value / there->value);
        else
            fw_table_cell(&text, "%s", "");
        fw_table_cell(&text, "%s", unit_of(row));
        fw_table_cell(&text, "%s", there->known ? fw_figure_source_text(there->source) : "");
    }
    fw_table_print(&text, out);
}

static void show_probed(struct fw_buffer *out, const struct fw_device *device)
{
    struct fw_table_text text = table(out, "llll");
    for (int f = 0; f < FW_FIGURE_COUNT; f++) {
        const struct fw_figure_value *figure = &device->figures[f];
        const struct fw_figure_row *row = fw_figure_row((enum fw_figure)f);
        if (!figure->known)
            continue;
        fw_table_cell(&text, "%s", row->name);
        fw_table_cell(&text, "%s", value_text(out->arena, device, (enum fw_figure)f, of_probe));
        fw_table_cell(&text, "%s", unit_of(row));
        fw_table_cell(&text, "%s", figure->note);
    }
    fw_table_print(&text, out);
}

static void show_missing(struct fw_buffer *out, const struct fw_probe_report *probe)
{
    struct fw_table_text text = table(out, "ll");
    if (!probe->missing_count)
        return;
    for (size_t i = 0; i < probe->missing_count; i++) {
        fw_table_cell(&text, "%s", probe->missing[i].figure);
        fw_table_cell(&text, "%s", probe->missing[i].why);
    }
    fw_buffer_printf(out, "\nNot determined\n");
    fw_table_print(&text, out);
}

static void show_findings(struct fw_buffer *out, const struct fw_probe_report *probe)
{
    struct fw_table_text text = table(out, "lrlr");
    if (!probe->finding_count)
        return;
    for (size_t i = 0; i < probe->finding_count; i++) {
        const struct fw_probe_finding_row *row = &probe->findings[i];
        fw_table_cell(&text, "%s", row->name);
        fw_table_cell(&text, "%.5g", row->value);
        fw_table_cell(&text, "%s", row->unit);
        fw_table_cell(&text, "%.2g%%", 100 * (row->high - row->low) / row->value);
    }
    fw_buffer_printf(out, "\nMeasured beside the figures, with the spread of its trials\n");
    fw_table_print(&text, out);
}

void fw_report_probe_text(struct fw_buffer *out, const struct fw_probe_report *probe)
{
    const struct fw_device *device = probe->probed;
    show_head(out, device);
    if (probe->compared)
        show_compared(out, device, probe->compared);
    else
        show_probed(out, device);
    if (probe->failures)
        fw_buffer_printf(out, "\n%zu configurations failed; the first: %s\n", probe->failures,
                         shown(out, probe->failure));
    show_missing(out, probe);
    show_findings(out, probe);
}
