/* One launch on several devices: a row a device, the fastest first. */
#include "json_internal.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>

static const struct fw_prediction *first_of(const struct fw_device_answer *row)
{
    return row->answer && row->answer->prediction_count ? &row->answer->predictions[0] : NULL;
}

struct place {
    const struct fw_device_answer *row;
    size_t number; /* in the order asked for */
};

static int fastest_first(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    const struct fw_prediction *p = first_of(x->row), *q = first_of(y->row);
    if (!p != !q)
        return p ? -1 : 1;
    if (p && p->seconds != q->seconds)
        return p->seconds < q->seconds ? -1 : 1;
    return x->number < y->number ? -1 : 1;
}

static const struct place *ordered(struct fw_arena *arena, const struct fw_device_answer *rows,
                                   size_t count, size_t *good)
{
    struct place *places = FW_ARRAY(arena, struct place, count + 1);
    *good = 0;
    for (size_t r = 0; r < count; r++) {
        places[r] = (struct place){&rows[r], r};
        *good += first_of(&rows[r]) != NULL;
    }
    qsort(places, count, sizeof(*places), fastest_first);
    return places;
}

static void json_row(writer *w, const struct fw_device_answer *row)
{
    const struct fw_answer *answer = row->answer;
    fw_json_object(w, NULL);
    fw_json_text(w, "device", row->device);
    fw_json_text(w, "title", answer->device_title);
    report_json_what_if(w, answer);
    fw_json_integer_if(w, "registers", answer->kernel->registers > 0, answer->kernel->registers);
    fw_json_array(w, "unknowns");
    for (size_t u = 0; u < answer->unknown_count; u++)
        fw_json_text(w, NULL, answer->unknowns[u].name);
    fw_json_array_end(w);
    fw_json_array(w, "predictions");
    for (size_t p = 0; p < answer->prediction_count; p++)
        report_json_prediction(w, &answer->predictions[p]);
    fw_json_array_end(w);
    fw_json_object_end(w);
}

void fw_report_devices_compared_json(struct fw_buffer *out, const struct fw_device_answer *rows,
                                     size_t count)
{
    writer all = fw_json_writer_new(out), *w = &all;
    size_t good;
    const struct place *places = ordered(out->arena, rows, count, &good);
    fw_json_object(w, NULL);
    fw_json_text(w, "forewarp", fw_version());
    fw_json_integer(w, "format", FW_REPORT_FORMAT);
    if (good) {
        report_json_kernel(w, places[0].row->answer->kernel);
        report_json_launch(w, places[0].row->answer);
    }
    fw_json_array(w, "devices");
    for (size_t p = 0; p < good; p++)
        json_row(w, places[p].row);
    fw_json_array_end(w);
    fw_json_array(w, "failed");
    for (size_t p = good; p < count; p++) {
        fw_json_object(w, NULL);
        fw_json_text(w, "device", places[p].row->device);
        fw_json_text(w, "reason", places[p].row->failure);
        fw_json_object_end(w);
    }
    fw_json_array_end(w);
    fw_json_object_end(w);
    fw_buffer_add(out, "\n", 1);
}

static const char *quantity(struct fw_arena *arena, double value, const char *unit)
{
    struct fw_buffer text = fw_buffer_new(arena);
    fw_report_quantity(&text, value, unit);
    return text.text;
}

static void text_row(struct fw_table_text *table, const struct fw_device_answer *row, size_t number,
                     double least)
{
    const struct fw_prediction *prediction = first_of(row);
    struct fw_arena *arena = table->arena;
    fw_table_cell(table, "%zu", number);
    fw_table_cell(table, "%s", row->device);
    fw_table_cell(table, "%s", quantity(arena, prediction->seconds, "seconds"));
    fw_table_cell(table, "%.3g", least > 0 ? prediction->seconds / least : 1);
    fw_table_cell(table, "%s", prediction->limiter ? prediction->limiter : "");
    fw_table_cell(table, "%s",
                  prediction->has_watts ? quantity(arena, prediction->watts, "watts") : "");
    fw_table_cell(table, "%s",
                  prediction->has_watts ? quantity(arena, prediction->joules, "joules") : "");
    fw_table_cell(table, "%s",
                  prediction->clock > 0 ? quantity(arena, prediction->clock, "hertz") : "");
    fw_table_cell(table, "%s",
                  prediction->has_occupancy ? quantity(arena, prediction->occupancy, "share") : "");
    fw_table_cell(table, "%s", prediction->model);
    fw_table_cell(table, "%s", row->answer->what_if_count ? "unchecked" : "");
}

/* What the answers lean on: the kernel's, alike on all devices. */
static void show_unknowns(struct fw_buffer *out, const struct fw_answer *answer)
{
    if (answer->unknown_count)
        fw_buffer_printf(out, "\nNot known before the kernel runs (state a value with -s "
                              "NAME=VALUE)\n");
    for (size_t u = 0; u < answer->unknown_count; u++) {
        const struct fw_unknown_row *row = &answer->unknowns[u];
        fw_buffer_printf(out, row->has_value ? "  %s = %g%s\n" : "  %s\n",
                         fw_text_shown(out->arena, row->name, strlen(row->name)), row->value,
                         row->is_default ? " (default)" : "");
    }
}

/* Whether a device's answer says that it does not model something. */
static bool says(const struct fw_device_answer *row, const char *sentence)
{
    const struct fw_prediction *prediction = first_of(row);
    for (size_t n = 0; n < prediction->not_modelled_count; n++)
        if (strcmp(prediction->not_modelled[n], sentence) == 0)
            return true;
    return false;
}

/* What the answers leave out: sentences that not all of them have with the devices that have them,
 * because a profile that lacks properties may seem the faster for it. */
static void show_not_modelled(struct fw_buffer *out, const struct place *places, size_t good)
{
    bool headed = false;
    for (size_t p = 0; p < good; p++) {
        const struct fw_prediction *prediction = first_of(places[p].row);
        for (size_t n = 0; n < prediction->not_modelled_count; n++) {
            const char *sentence = prediction->not_modelled[n];
            size_t before = 0, all = 0;
            for (size_t q = 0; q < good; q++) {
                bool has = says(places[q].row, sentence);
                before += q < p && has;
                all += has;
            }
            if (before)
                continue;
            fw_buffer_printf(out, headed ? "  - " : "\nNot modelled\n  - ");
            headed = true;
            for (size_t q = p, told = 0; q < good && all < good; q++)
                if (says(places[q].row, sentence))
                    fw_buffer_printf(out, "%s%s", told++ ? ", " : "", places[q].row->device);
            fw_buffer_printf(out, "%s%s\n", all < good ? ": " : "",
                             fw_text_shown(out->arena, sentence, strlen(sentence)));
        }
    }
}

void fw_report_devices_compared_text(struct fw_buffer *out, const struct fw_device_answer *rows,
                                     size_t count)
{
    static const char *const heads[] = {"",       "device", "time",  "times", "limit", "power",
                                        "energy", "clock",  "warps", "model", ""};
    struct fw_table_text table = {.arena = out->arena, .sides = "rlrrlrrrrll"};
    size_t good;
    const struct place *places = ordered(out->arena, rows, count, &good);
    for (size_t h = 0; h < sizeof(heads) / sizeof(heads[0]) && good; h++)
        fw_table_cell(&table, "%s", heads[h]);
    if (good) {
        const struct fw_answer *answer = places[0].row->answer;
        fw_buffer_printf(
            out, "  %s in %s, %u x %u x %u blocks of %u x %u x %u threads, caches %s\n\n",
            fw_text_shown(out->arena, answer->kernel->name, strlen(answer->kernel->name)),
            fw_text_shown(out->arena, answer->kernel->file, strlen(answer->kernel->file)),
            answer->grid[0], answer->grid[1], answer->grid[2], answer->block[0], answer->block[1],
            answer->block[2], answer->predictions[0].cache);
    }
    for (size_t p = 0; p < good; p++)
        text_row(&table, places[p].row, p + 1, first_of(places[0].row)->seconds);
    if (good) {
        fw_table_print(&table, out);
        show_unknowns(out, places[0].row->answer);
        show_not_modelled(out, places, good);
    }
    if (good < count)
        fw_buffer_printf(out, "%sWithout a prediction\n", good ? "\n" : "");
    for (size_t p = good; p < count; p++)
        fw_buffer_printf(
            out, "  %s: %s\n",
            fw_text_shown(out->arena, places[p].row->device, strlen(places[p].row->device)),
            fw_text_shown(out->arena, places[p].row->failure, strlen(places[p].row->failure)));
}
