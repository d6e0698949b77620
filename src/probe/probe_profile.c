/* See probe_profile.h.  Here: how a property is set with its note, and the properties that the
 * driver states. */
#include "probe_profile_internal.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const struct fw_probe_spread probe_nothing = {(double)NAN, (double)NAN, (double)NAN, 0};

void probe_missing(struct probe *probe, enum fw_figure figure, const char *why)
{
    *FW_APPEND(probe->arena, &probe->result->missing) = (struct fw_probe_missing){figure, why};
}

void probe_finding(struct probe *probe, const char *name, const char *unit,
                   struct fw_probe_spread value)
{
    if (isfinite(value.value))
        *FW_APPEND(probe->arena, &probe->result->findings) =
            (struct fw_probe_finding){name, unit, value.value, value.low, value.high, value.count};
}

/* Six digits are more than any trial repeats. */
static double rounded(double value)
{
    char text[40];
    double result = value;
    snprintf(text, sizeof text, "%.6g", value);
    sscanf(text, "%lf", &result);
    return result;
}

static const char *note(struct probe *probe, struct fw_probe_spread value, const char *how)
{
    struct fw_buffer text = fw_buffer_new(probe->arena);
    if (value.count == 1)
        fw_buffer_printf(&text, "probe, %s, one run of 3 s", probe->date);
    else
        fw_buffer_printf(&text, "probe, %s, %zu trials", probe->date, value.count);
    if (value.count > 1 && value.value != 0 && value.high >= value.low)
        fw_buffer_printf(&text, ", spread %.2g%%",
                         100 * (value.high - value.low) / fabs(value.value));
    fw_buffer_printf(&text, "%s%s", *how ? "; " : "", how);
    return text.text;
}

/* `how`: the note; `why`: why there is no figure, if there is none. */
static void set_noted(struct probe *probe, enum fw_figure figure, struct fw_probe_spread value,
                      const char *how, const char *why)
{
    const struct fw_figure_row *row = fw_figure_row(figure);
    bool whole = row->shape == FW_FIGURE_SHAPE_COUNT;
    struct fw_device *device = &probe->result->device;
    if (!isfinite(value.value) || value.count == 0) {
        bool cycles = strstr(row->unit, "cycle") && !isfinite(probe->clock);
        probe_missing(probe, figure,
                      cycles ? "the device has no clock that a kernel can read" : why);
        return;
    }
    double number = whole ? nearbyint(value.value) : rounded(value.value);
    if (!fw_device_set(device, probe->arena, figure, number, FW_SOURCE_MEASURED, how)) {
        probe_missing(probe, figure,
                      fw_arena_printf(probe->arena, "%g %s is out of bounds", number, row->unit));
        return;
    }
    double low = whole ? fmin(number, floor(value.low * 1.001)) : rounded(value.low);
    double high = whole ? fmax(number, ceil(value.high * 0.999)) : rounded(value.high);
    if (low >= row->low && low <= number && high >= number && high <= row->high) {
        device->figures[figure].low = low;
        device->figures[figure].high = high;
    }
}

void probe_set(struct probe *probe, enum fw_figure figure, struct fw_probe_spread value,
               const char *how)
{
    set_noted(probe, figure, value, note(probe, value, how),
              *how ? how : "was not measured, or gave no number");
}

void probe_set_between(struct probe *probe, enum fw_figure figure, struct fw_probe_spread value,
                       const char *how)
{
    set_noted(
        probe, figure, value,
        fw_arena_printf(probe->arena, "probe, %s, %zu trials; %s", probe->date, value.count, how),
        how);
}

void probe_set_points(struct probe *probe, enum fw_figure figure, const double *points,
                      size_t count, size_t trials, const char *how)
{
    double *list = FW_ARRAY(probe->arena, double, 2 * count + 1);
    const struct fw_figure_row *row = fw_figure_row(figure);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        double x = points[2 * i], y = points[2 * i + 1];
        bool inside = x >= row->low && x <= row->high && y >= row->low && y <= row->high;
        if (!inside || (kept && x <= list[2 * kept - 2]))
            continue;
        list[2 * kept] = x;
        list[2 * kept++ + 1] = rounded(y);
    }
    if (kept == 0) {
        probe_missing(probe, figure, "was not measured");
        return;
    }
    probe->result->device.figures[figure] = (struct fw_figure_value){
        .known = true,
        .source = FW_SOURCE_MEASURED,
        .list = list,
        .count = kept,
        .note = fw_arena_printf(probe->arena, "probe, %s, %zu trials each%s%s", probe->date, trials,
                                *how ? "; " : "", how)};
}

struct fw_probe_spread probe_scaled(struct fw_probe_spread spread, double factor)
{
    return (struct fw_probe_spread){spread.value * factor, spread.low * factor,
                                    spread.high * factor, spread.count};
}

struct fw_probe_spread probe_inverse(double number, struct fw_probe_spread spread)
{
    if (!(spread.low > 0))
        return probe_nothing;
    return (struct fw_probe_spread){number / spread.value, number / spread.high,
                                    number / spread.low, spread.count};
}

enum { TRIALS_MOST = 1000 };

struct fw_probe_spread probe_column(struct probe *probe, const char *name, size_t index, double by)
{
    double *values = FW_ARRAY(probe->arena, double, TRIALS_MOST);
    size_t count = 0;
    for (; count < TRIALS_MOST; count++) {
        const double *row = fw_probe_recording_read_back(probe->recording, name, count, index + 1);
        if (!row || !isfinite(row[index]))
            break;
        values[count] = row[index] / by;
    }
    return fw_probe_spread(probe->arena, values, count);
}

struct fw_probe_spread probe_seconds(struct probe *probe, const char *name, bool pipelined)
{
    const double *seconds;
    size_t count = fw_probe_recording_seconds(&seconds, probe->recording, name, pipelined);
    for (size_t i = 0; i < count; i++)
        if (!(seconds[i] > 0))
            return probe_nothing;
    return fw_probe_spread(probe->arena, seconds, count);
}

struct fw_probe_spread probe_chain(struct probe *probe, const char *kind,
                                   enum fw_probe_operation operation, int warps)
{
    const struct fw_probe_row *row = &fw_probe_rows[operation];
    const char *name = fw_arena_printf(probe->arena, "%s %s", kind, row->name);
    double *slopes = FW_ARRAY(probe->arena, double, TRIALS_MOST), lengths[FW_PROBE_LENGTHS];
    double each = (double)fw_probe_iterations(row) * row->unroll * row->instructions;
    size_t count = 0, width = FW_PROBE_WARP_POINTS * FW_PROBE_LENGTHS;
    for (int l = 0; l < FW_PROBE_LENGTHS; l++)
        lengths[l] = (l + 1) * each;
    for (; count < TRIALS_MOST; count++) {
        const double *read = fw_probe_recording_read_back(probe->recording, name, count, width);
        if (!read)
            break;
        slopes[count] =
            fw_probe_line(probe->arena, lengths, read + warps * FW_PROBE_LENGTHS, FW_PROBE_LENGTHS)
                .slope;
        if (!(slopes[count] > 0)) /* a clock that stands still tells nothing */
            return probe_nothing;
    }
    return count ? fw_probe_spread(probe->arena, slopes, count) : probe_nothing;
}

struct fw_probe_spread probe_rate(struct probe *probe, enum fw_probe_operation operation)
{
    struct fw_probe_spread best = probe_nothing;
    for (int w = 0; w < FW_PROBE_WARP_POINTS; w++) {
        double work = fw_probe_rows[operation].weight * fw_probe_warps[w];
        struct fw_probe_spread rate =
            probe_inverse(work, probe_chain(probe, "independent", operation, w));
        if (isfinite(rate.value) && !(rate.value <= best.value))
            best = rate;
    }
    return best;
}

/* What the driver tells, by the figures' names. */
static void figures_told(struct probe *probe)
{
    struct fw_device *device = &probe->result->device;
    const char *how = "as the driver reports it";
    double value;
    for (int f = 0; f < FW_FIGURE_COUNT; f++) {
        value =
            fw_probe_recording_attribute(probe->recording, fw_figure_row((enum fw_figure)f)->name);
        if (isfinite(value))
            fw_device_set(device, probe->arena, (enum fw_figure)f, value, FW_SOURCE_MEASURED, how);
    }
    double threads = fw_probe_recording_attribute(probe->recording, "threads_per_multiprocessor");
    double warp = fw_probe_recording_attribute(probe->recording, "warp_size");
    if (threads > 0 && warp > 0)
        fw_device_set(device, probe->arena, FW_FIGURE_WARPS_PER_SM, threads / warp,
                      FW_SOURCE_MEASURED,
                      "threads by threads of a warp, as the driver reports them");
    double bits = fw_probe_recording_attribute(probe->recording, "memory_bus_bits");
    double clock = fw_probe_recording_attribute(probe->recording, "memory_clock");
    if (bits > 0 && clock > 0)
        fw_device_set(device, probe->arena, FW_FIGURE_DRAM_BANDWIDTH, 2 * clock * bits / 8,
                      FW_SOURCE_MEASURED,
                      "two transfers a clock and the bus's width, as the driver reports them");
    value = fw_probe_recording_number(probe->recording, "power_limit_watts");
    if (value > 0)
        fw_device_set(device, probe->arena, FW_FIGURE_BOARD_POWER, value, FW_SOURCE_MEASURED, how);
    probe->multiprocessors = fw_probe_recording_attribute(probe->recording, "multiprocessors");
}

static const char *day(struct probe *probe)
{
    const char *date = fw_probe_recording_text(probe->recording, "date");
    bool plain = date && strspn(date, "0123456789-") >= 10;
    return plain ? fw_arena_text(probe->arena, date, 10) : "undated";
}

/* A text of the recording's without what a profile must not hold: control characters. */
static const char *clean(struct probe *probe, const char *name, const char *otherwise)
{
    const char *text = fw_probe_recording_text(probe->recording, name);
    char *copy = fw_arena_printf(probe->arena, "%.200s", text ? text : otherwise);
    for (unsigned char *at = (unsigned char *)copy; *at; at++)
        if (*at < 0x20 || *at >= 0x7f)
            *at = '?';
    return copy;
}

void fw_probe_profile(struct fw_probe_result *result, struct fw_arena *arena,
                      const struct fw_probe_recording *recording, const char *name)
{
    struct probe probe = {.arena = arena, .recording = recording, .result = result};
    memset(result, 0, sizeof *result);
    probe.date = day(&probe);
    result->device.name = fw_arena_printf(arena, "%s", name);
    result->device.title = fw_arena_printf(arena, "%s", clean(&probe, "device", name));
    result->probed = fw_arena_printf(arena, "Probed on %s (%s).", probe.date,
                                     clean(&probe, "driver", "driver unknown"));
    result->device.about =
        fw_arena_printf(arena, "%s What could not be determined is absent.", result->probed);
    result->device.like = "";
    result->device.path = "";
    figures_told(&probe);
    probe_figures_operations(&probe);
    probe_figures_memory(&probe);
    probe_figures_units(&probe);
    probe_figures_power(&probe);
}
