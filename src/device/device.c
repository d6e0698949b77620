#include "device.h"

#include "checked.h"

#include <math.h>
#include <string.h>

static const struct fw_figure_row rows[FW_FIGURE_COUNT] = {
#define X(name, text, shape, unit, low, high, meaning)                                             \
    {text, FW_FIGURE_SHAPE_##shape, unit, low, high, meaning},
    FW_FIGURES(X)
#undef X
};

struct name {
    const char *text, *meaning;
};

static const struct name issue_orders[FW_ISSUE_ORDER_COUNT] = {
#define X(name, text, meaning) {text, meaning},
    FW_ISSUE_ORDERS(X)
#undef X
};

/* The names of each NAME figure. */
static const struct {
    enum fw_figure figure;
    const struct name *names;
    unsigned count;
} named[] = {{FW_FIGURE_ISSUE_ORDER, issue_orders, FW_ISSUE_ORDER_COUNT}};

static const char *const source_texts[FW_SOURCE_COUNT] = {
#define X(name, text, meaning) text,
    FW_FIGURE_SOURCES(X)
#undef X
};

static const char *const source_meanings[FW_SOURCE_COUNT] = {
#define X(name, text, meaning) meaning,
    FW_FIGURE_SOURCES(X)
#undef X
};

const struct fw_figure_row *fw_figure_row(enum fw_figure figure)
{
    return &rows[figure];
}

bool fw_figure_find(enum fw_figure *figure, const char *name)
{
    for (size_t i = 0; i < FW_FIGURE_COUNT; i++) {
        if (rows[i].name[0] == name[0] && strcmp(rows[i].name, name) == 0) {
            *figure = (enum fw_figure)i;
            return true;
        }
    }
    return false;
}

static const struct name *name_of(enum fw_figure figure, unsigned number)
{
    for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
        if (named[i].figure == figure && number < named[i].count)
            return &named[i].names[number];
    return NULL;
}

const char *fw_figure_name(enum fw_figure figure, unsigned number)
{
    const struct name *name = name_of(figure, number);
    return name ? name->text : NULL;
}

const char *fw_figure_name_meaning(enum fw_figure figure, unsigned number)
{
    const struct name *name = name_of(figure, number);
    return name ? name->meaning : NULL;
}

bool fw_figure_name_find(unsigned *number, enum fw_figure figure, const char *name)
{
    for (*number = 0; name_of(figure, *number); (*number)++)
        if (strcmp(name_of(figure, *number)->text, name) == 0)
            return true;
    return false;
}

const char *fw_figure_source_text(enum fw_figure_source source)
{
    return source_texts[source];
}

const char *fw_figure_source_meaning(enum fw_figure_source source)
{
    return source_meanings[source];
}

static bool is_single(enum fw_figure figure)
{
    return rows[figure].shape == FW_FIGURE_SHAPE_COUNT ||
           rows[figure].shape == FW_FIGURE_SHAPE_NUMBER ||
           rows[figure].shape == FW_FIGURE_SHAPE_NAME;
}

const char *fw_device_trained(const struct fw_device *device, unsigned number)
{
    return number == 0                                    ? device->name
           : number == 1 && device->like && *device->like ? device->like
                                                          : NULL;
}

bool fw_device_figure(const struct fw_device *device, enum fw_figure figure, double *value)
{
    const struct fw_figure_value *found = &device->figures[figure];
    bool known = found->known && is_single(figure);
    if (value)
        *value = known ? found->value : (double)NAN;
    return known;
}

uint64_t fw_device_count(const struct fw_device *device, enum fw_figure figure, uint64_t absent)
{
    double value;
    return fw_device_figure(device, figure, &value) ? (uint64_t)fw_saturated_integer(value)
                                                    : absent;
}

bool fw_device_curve(const struct fw_device *device, enum fw_figure figure, double at,
                     double *value)
{
    const struct fw_figure_value *curve = &device->figures[figure];
    if (!curve->known || rows[figure].shape != FW_FIGURE_SHAPE_POINTS)
        return false;
    const double *point = curve->list, *last = point + 2 * (curve->count - 1);
    if (at <= point[0]) {
        *value = point[1];
    } else if (at >= last[0]) {
        *value = last[0] > 0 ? last[1] * (at / last[0]) : last[1];
    } else {
        while (at > point[2])
            point += 2;
        *value = point[1] + (point[3] - point[1]) * (at - point[0]) / (point[2] - point[0]);
    }
    return true;
}

bool fw_device_set(struct fw_device *device, struct fw_arena *arena, enum fw_figure figure,
                   double value, enum fw_figure_source source, const char *note)
{
    const struct fw_figure_row *row = &rows[figure];
    bool whole = row->shape == FW_FIGURE_SHAPE_NUMBER || value == floor(value);
    if (!is_single(figure) || !(value >= row->low && value <= row->high) || !whole)
        return false;
    device->figures[figure] = (struct fw_figure_value){.known = true,
                                                       .source = source,
                                                       .value = value,
                                                       .low = value,
                                                       .high = value,
                                                       .note = fw_arena_printf(arena, "%s", note)};
    return true;
}
