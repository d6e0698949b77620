/* Answers that are about no kernel: a set's cardinality, the campaigns of a store. */
#include "json_writer.h"
#include "report.h"

#include <string.h>

typedef struct fw_json_writer writer;

static const char *shown(struct fw_buffer *out, const char *text)
{
    return fw_text_shown(out->arena, text, strlen(text));
}

static void begin(writer *w)
{
    fw_json_object(w, NULL);
    fw_json_text(w, "forewarp", fw_version());
    fw_json_integer(w, "format", FW_REPORT_FORMAT);
}

void fw_report_cardinality_json(struct fw_buffer *out, const struct fw_cardinality *set)
{
    writer all = fw_json_writer_new(out), *w = &all;
    int64_t whole;
    begin(w);
    fw_json_text(w, "set", set->name);
    fw_json_array(w, "parameters");
    for (size_t p = 0; p < set->parameter_count; p++)
        fw_json_text(w, NULL, set->parameters[p]);
    fw_json_array_end(w);
    fw_json_text(w, "symbolic", set->symbolic);
    if (set->digits && fw_text_integer(set->digits, false, &whole))
        fw_json_integer(w, "count", whole);
    else
        fw_json_text(w, "count", set->digits);
    fw_json_object_end(w);
    fw_buffer_add(out, "\n", 1);
}

void fw_report_cardinality_text(struct fw_buffer *out, const struct fw_cardinality *set)
{
    const char *formula = set->formula ? set->formula : set->symbolic;
    if (!set->digits || set->parameter_count)
        fw_buffer_printf(out, "%s\n",
                         formula ? shown(out, formula)
                                 : "the formula is not derived within the budget of work");
    if (set->digits)
        fw_buffer_printf(out, "%s\n", set->digits);
}

void fw_report_campaigns_json(struct fw_buffer *out, const struct fw_campaign_row *rows,
                              size_t count)
{
    writer all = fw_json_writer_new(out), *w = &all;
    begin(w);
    fw_json_array(w, "campaigns");
    for (size_t r = 0; r < count; r++) {
        fw_json_object(w, NULL);
        fw_json_text(w, "campaign", rows[r].name);
        fw_json_text(w, "device", rows[r].device);
        fw_json_text(w, "driver", rows[r].driver);
        fw_json_text(w, "backend", rows[r].backend);
        fw_json_integer(w, "done", (int64_t)rows[r].done);
        fw_json_integer(w, "failed", (int64_t)rows[r].failed);
        fw_json_integer(w, "counted", (int64_t)rows[r].counted);
        fw_json_object_end(w);
    }
    fw_json_array_end(w);
    fw_json_object_end(w);
}

void fw_report_campaigns_text(struct fw_buffer *out, const struct fw_campaign_row *rows,
                              size_t count)
{
    fw_buffer_printf(out, "%-28s %6s %6s %8s  %s\n", "campaign", "done", "failed", "counters",
                     "device");
    for (size_t r = 0; r < count; r++)
        fw_buffer_printf(out, "%-28s %6zu %6zu %8zu  %s (%s, %s)\n", shown(out, rows[r].name),
                         rows[r].done, rows[r].failed, rows[r].counted, shown(out, rows[r].device),
                         shown(out, rows[r].driver), shown(out, rows[r].backend));
}
