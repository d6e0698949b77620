/* Advice as text for people: what to change, and what the model says then. */
#include "people_internal.h"

void people_show_advice(struct page *page)
{
    const struct fw_answer *answer = page->answer;
    if (!answer->has_advice)
        return;
    heading(page, "What to change, by the model asked again");
    if (!answer->advice_count)
        fw_buffer_printf(page->out, "  no change that the advice knows saves 3 %% of the time\n");
    for (size_t r = 0; r < answer->advice_count; r++) {
        const struct fw_advice_row *row = &answer->advice[r];
        const char *slash = row->file ? strrchr(row->file, '/') : NULL;
        fw_buffer_printf(page->out, "  %s%s faster, %s", row->at_most ? "at most " : "",
                         quantity(page, row->gain / (1 - row->gain), "share"),
                         quantity(page, row->seconds, "seconds"));
        if (row->line && row->file)
            fw_buffer_printf(page->out, "  %s:%u", shown(page, slash ? slash + 1 : row->file),
                             row->line);
        fw_buffer_printf(page->out, "  (%s)\n", row->rule);
        fw_buffer_printf(page->out, "    %s\n", shown(page, row->sentence));
    }
}
