/* What a kernel's answer does not know: what data decide, missing arguments, what no model has. */
#include "page_internal.h"

#include <string.h>

static const char *short_name(const struct fw_answer *answer, const char *name)
{
    const char *kernel = answer->kernel->name;
    size_t length = strlen(kernel);
    bool begins = strncmp(name, kernel, length) == 0 && name[length] == '_';
    return begins ? name + length + 1 : name;
}

static void write_value(struct fw_buffer *out, const struct fw_unknown_row *row)
{
    if (strcmp(row->kind, "pointer") == 0)
        fw_buffer_printf(out, "%.0f-byte aligned", row->value);
    else if (row->points > 0)
        fw_buffer_printf(out, "%.4g, standard error %.2g", row->value, row->standard_error);
    else if (row->has_value)
        fw_buffer_printf(out, "%.4g", row->value);
    if (row->has_value)
        fw_buffer_printf(out, " <span class=\"soft\">%s</span>",
                         row->points > 0 ? "sampled" : row->source);
}

/* What the time is at the ends of what data usually decide. */
static void write_ends(struct fw_buffer *out, const struct fw_answer *answer,
                       const struct fw_prediction *prediction)
{
    for (size_t e = 0; e < prediction->end_count; e++) {
        const struct fw_data_end_row *row = &prediction->ends[e];
        fw_buffer_printf(out, "<p>%s at ", page_quantity(out, row->low_seconds, "seconds"));
        page_text(out, row->name                         ? short_name(answer, row->name)
                       : strcmp(row->kind, "taken") == 0 ? "shares of branches"
                       : strcmp(row->kind, "displacement") == 0
                           ? "elements that places are moved by"
                           : "lengths and trips");
        fw_buffer_printf(out, " = %.4g, %s at %.4g</p>\n", row->low,
                         page_quantity(out, row->high_seconds, "seconds"), row->high);
    }
}

/* Whether a row has a line of its own: what follows from a length does not, nor do further copies
 * of a branch or loop, which have one name. */
static bool is_shown(const struct fw_answer *answer, size_t row)
{
    const struct fw_unknown_row *rows = answer->unknowns;
    for (size_t u = 0; u < row; u++)
        if (strcmp(rows[u].name, rows[row].name) == 0)
            return false;
    return !rows[row].follows;
}

void page_unknowns(struct fw_buffer *out, const struct fw_answer *answer)
{
    size_t follow = 0;
    if (!answer->unknown_count)
        return;
    fw_buffer_printf(out, "<h3>Not known before the kernel runs <span class=\"soft\">-s NAME=VALUE "
                          "states it</span></h3>\n");
    if (answer->prediction_count)
        write_ends(out, answer, &answer->predictions[0]);
    fw_buffer_printf(out, "<div class=\"wide\"><table>\n");
    for (size_t u = 0; u < answer->unknown_count; u++) {
        const struct fw_unknown_row *row = &answer->unknowns[u];
        follow += row->follows != NULL;
        if (!is_shown(answer, u))
            continue;
        fw_buffer_printf(out, "<tr><td><code>");
        page_text(out, short_name(answer, row->name));
        fw_buffer_printf(out, "</code></td><td>");
        write_value(out, row);
        fw_buffer_printf(out, "</td><td class=\"soft far\">");
        page_text(out, row->kept ? row->kept : row->meaning ? row->meaning : "");
        fw_buffer_printf(out, "</td></tr>\n");
    }
    fw_buffer_printf(out, "</table></div>\n");
    if (follow)
        fw_buffer_printf(out, "<p class=\"soft\">%zu more follow%s from lengths.</p>\n", follow,
                         follow == 1 ? "s" : "");
}

void page_not_modelled(struct fw_buffer *out, const struct fw_answer *answer)
{
    const struct fw_prediction *prediction = &answer->predictions[0];
    if (!prediction->not_modelled_count && !answer->wraps)
        return;
    fw_buffer_printf(out, "<details open><summary>Not modelled</summary>\n<ul class=\"soft\">\n");
    for (size_t l = 0; l < prediction->not_modelled_count; l++) {
        fw_buffer_printf(out, "<li>");
        page_text(out, prediction->not_modelled[l]);
        fw_buffer_printf(out, "</li>\n");
    }
    if (answer->wraps)
        fw_buffer_printf(out,
                         "<li>%u value%s of 32 bits may wrap around at this launch: the answer "
                         "holds if none does.</li>\n",
                         answer->wraps, answer->wraps == 1 ? "" : "s");
    fw_buffer_printf(out, "</ul></details>\n");
}
