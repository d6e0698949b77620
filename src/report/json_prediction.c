/* Predictions as JSON, and what they were asked otherwise. */
#include "json_internal.h"

#include <stdio.h>

static void costs(writer *w, const struct fw_cost_row *rows, size_t count)
{
    for (size_t r = 0; r < count; r++) {
        const struct fw_cost_row *row = &rows[r];
        fw_json_object(w, NULL);
        fw_json_text(w, "name", row->name);
        fw_json_real(w, "seconds", row->seconds);
        fw_json_real(w, "share", row->share);
        fw_json_integer_if(w, "line", row->line != 0, row->line);
        fw_json_real(w, "amount", row->amount);
        fw_json_text(w, "unit", row->unit);
        fw_json_real(w, "rate", row->rate);
        fw_json_text(w, "figure", row->figure);
        fw_json_text(w, "source", row->source);
        fw_json_object_end(w);
    }
}

/* [low, high], or null: its coverage was not checked. */
static void interval(writer *w, const char *name, bool known, double low, double high)
{
    if (!known) {
        fw_json_null(w, name);
        return;
    }
    fw_json_array(w, name);
    fw_json_real(w, NULL, low);
    fw_json_real(w, NULL, high);
    fw_json_array_end(w);
}

static void occupancy(writer *w, const struct fw_prediction *row)
{
    if (!row->has_occupancy) {
        fw_json_null(w, "occupancy");
        return;
    }
    fw_json_object(w, "occupancy");
    fw_json_integer(w, "blocks_per_multiprocessor", row->resident_blocks);
    fw_json_real(w, "share", row->occupancy);
    fw_json_text(w, "limit", row->occupancy_limit);
    fw_json_real(w, "waves", row->waves);
    fw_json_real_if(w, "achieved", row->has_achieved_occupancy, row->achieved_occupancy);
    fw_json_object_end(w);
}

static void parts_of(writer *w, const struct fw_quantity_row *row)
{
    char name[64];
    snprintf(name, sizeof(name), "%s_parts", row->kind->key);
    fw_json_object(w, name);
    for (size_t p = 0; p < 3 && row->kind->part_keys[p]; p++)
        fw_json_real(w, row->kind->part_keys[p], row->parts[p]);
    fw_json_object_end(w);
}

/* Plain numbers first, then those with parts. */
void report_json_quantities(writer *w, const struct fw_prediction *prediction)
{
    for (int with_parts = 0; with_parts < 2; with_parts++)
        for (size_t q = 0; q < prediction->quantity_count; q++) {
            const struct fw_quantity_row *row = &prediction->quantities[q];
            if ((row->kind->part_keys[0] != NULL) != with_parts)
                continue;
            fw_json_real(w, row->kind->key, row->value);
            if (with_parts)
                parts_of(w, row);
        }
}

void report_json_measured(writer *w, const struct fw_prediction *prediction)
{
    fw_json_array(w, "measured");
    for (size_t r = 0; r < prediction->measured_count; r++) {
        const struct fw_measured_row *row = &prediction->measured[r];
        bool both = row->is_measured && row->measured > 0;
        fw_json_object(w, NULL);
        fw_json_text(w, "metric", row->metric);
        fw_json_text(w, "key", row->key);
        fw_json_real(w, "predicted", row->predicted);
        fw_json_real_if(w, "measured", row->is_measured, row->measured);
        fw_json_real_if(w, "ratio", both, both ? row->predicted / row->measured : 0);
        fw_json_object_end(w);
    }
    fw_json_array_end(w);
}

/* Parts of the time, and of what each line of the source takes. */
static void account(writer *w, const struct fw_prediction *row)
{
    fw_json_array(w, "account");
    for (size_t a = 0; a < row->account_count; a++) {
        fw_json_object(w, NULL);
        fw_json_text(w, "name", row->account[a].name);
        fw_json_text(w, "stall", row->account[a].stall);
        fw_json_real(w, "seconds", row->account[a].seconds);
        fw_json_real(w, "share", row->account[a].share);
        fw_json_object_end(w);
    }
    fw_json_array_end(w);
    fw_json_array(w, "lines");
    for (size_t c = 0; c < row->code_count; c++) {
        const struct fw_code_row *code = &row->code[c];
        fw_json_object(w, NULL);
        fw_json_text(w, "file", code->file);
        fw_json_integer_if(w, "line", code->line != 0, code->line);
        fw_json_text(w, "text", code->text);
        fw_json_array(w, "called_at");
        for (size_t p = 0; p < code->called_count; p++) {
            fw_json_object(w, NULL);
            fw_json_text(w, "file", code->called_at[p].file);
            fw_json_integer(w, "line", code->called_at[p].line);
            fw_json_text(w, "text", code->called_at[p].text);
            fw_json_object_end(w);
        }
        fw_json_array_end(w);
        fw_json_real(w, "seconds", code->seconds);
        fw_json_real(w, "share", code->share);
        fw_json_object(w, "account");
        for (size_t a = 0; a < row->account_count; a++)
            if (code->parts[a] > 0)
                fw_json_real(w, row->account[a].name, code->parts[a]);
        fw_json_object_end(w);
        fw_json_object_end(w);
    }
    fw_json_array_end(w);
}

/* What the time is at the ends of what data usually decide. */
static void data_ends(writer *w, const struct fw_prediction *row)
{
    fw_json_array(w, "ends");
    for (size_t e = 0; e < row->end_count; e++) {
        const struct fw_data_end_row *end = &row->ends[e];
        fw_json_object(w, NULL);
        fw_json_text(w, "name", end->name);
        fw_json_text(w, "kind", end->kind);
        fw_json_real(w, "low", end->low);
        fw_json_real(w, "high", end->high);
        fw_json_real(w, "low_seconds", end->low_seconds);
        fw_json_real(w, "high_seconds", end->high_seconds);
        fw_json_object_end(w);
    }
    fw_json_array_end(w);
}

void report_json_prediction(writer *w, const struct fw_prediction *row)
{
    fw_json_object(w, NULL);
    fw_json_text(w, "model", row->model);
    fw_json_real(w, "seconds", row->seconds);
    fw_json_real_if(w, "overhead_seconds", row->has_overhead, row->overhead_seconds);
    interval(w, "interval", row->has_interval, row->low, row->high);
    fw_json_real_if(w, "watts", row->has_watts, row->watts);
    fw_json_real_if(w, "joules", row->has_watts, row->joules);
    if (row->has_power_interval) {
        interval(w, "watts_interval", true, row->watts_low, row->watts_high);
        interval(w, "joules_interval", true, row->joules_low, row->joules_high);
    }
    if (row->end_count)
        data_ends(w, row);
    fw_json_text(w, "limiter", row->limiter);
    fw_json_real_if(w, "clock_hertz", row->clock > 0, row->clock);
    fw_json_text(w, "cache", row->cache);
    occupancy(w, row);
    fw_json_array(w, "terms");
    costs(w, row->terms, row->term_count);
    costs(w, row->lines, row->line_count);
    fw_json_array_end(w);
    if (row->account_count)
        account(w, row);
    if (row->peak_count) {
        fw_json_object(w, "metrics");
        for (size_t p = 0; p < row->peak_count; p++)
            fw_json_real(w, row->peaks[p].metric, row->peaks[p].percent);
        fw_json_object_end(w);
    }
    report_json_texts(w, "left_out", row->not_modelled, row->not_modelled_count);
    fw_json_object_end(w);
}

void report_json_advice(writer *w, const struct fw_answer *answer)
{
    if (!answer->has_advice)
        return;
    fw_json_array(w, "advice");
    for (size_t r = 0; r < answer->advice_count; r++) {
        const struct fw_advice_row *row = &answer->advice[r];
        fw_json_object(w, NULL);
        fw_json_text(w, "rule", row->rule);
        fw_json_text(w, "sentence", row->sentence);
        fw_json_text(w, "file", row->file);
        fw_json_integer_if(w, "line", row->line != 0, row->line);
        fw_json_real(w, "seconds", row->seconds);
        fw_json_real(w, "gain", row->gain);
        fw_json_boolean(w, "at_most", row->at_most);
        fw_json_object_end(w);
    }
    fw_json_array_end(w);
}

void report_json_what_if(writer *w, const struct fw_answer *answer)
{
    if (!answer->what_if_count)
        return;
    fw_json_array(w, "what_if");
    for (size_t r = 0; r < answer->what_if_count; r++) {
        const struct fw_what_if_row *row = &answer->what_if[r];
        fw_json_object(w, NULL);
        fw_json_text(w, "property", row->property);
        if (row->name)
            fw_json_text(w, "value", row->name);
        else
            fw_json_real(w, "value", row->value);
        fw_json_text(w, "unit", row->unit);
        if (row->name && row->has_instead)
            fw_json_text(w, "instead", row->instead_name);
        else
            fw_json_real_if(w, "instead", row->has_instead, row->instead);
        fw_json_text(w, "source", row->source);
        fw_json_object_end(w);
    }
    fw_json_array_end(w);
}

double fw_report_issue_order_spread(const struct fw_answer *answer)
{
    double least = answer->issue_orders[0].seconds, most = least;
    for (size_t r = 1; r < answer->issue_order_count; r++) {
        const double seconds = answer->issue_orders[r].seconds;
        least = seconds < least ? seconds : least;
        most = seconds > most ? seconds : most;
    }
    return least > 0 ? most / least - 1 : 0;
}

void report_json_issue_orders(writer *w, const struct fw_answer *answer)
{
    if (!answer->issue_order_count)
        return;
    fw_json_array(w, "issue_orders");
    for (size_t r = 0; r < answer->issue_order_count; r++) {
        fw_json_object(w, NULL);
        fw_json_text(w, "name", answer->issue_orders[r].name);
        fw_json_real(w, "seconds", answer->issue_orders[r].seconds);
        fw_json_boolean(w, "own", answer->issue_orders[r].own);
        fw_json_object_end(w);
    }
    fw_json_array_end(w);
    fw_json_real(w, "issue_order_spread", fw_report_issue_order_spread(answer));
}
