/* Times by the order of issue as text for people. */
#include "people_internal.h"

void people_show_issue_orders(struct page *page)
{
    const struct fw_answer *answer = page->answer;
    struct fw_table_text text = table(page, "lrrl");
    double own = 0;
    if (!answer->issue_order_count)
        return;
    for (size_t r = 0; r < answer->issue_order_count; r++)
        own = answer->issue_orders[r].own ? answer->issue_orders[r].seconds : own;
    heading(page, "Time by the order of issue, by the model trace");
    for (size_t r = 0; r < answer->issue_order_count; r++) {
        const struct fw_issue_order_row *row = &answer->issue_orders[r];
        fw_table_cell(&text, "%s", row->name);
        fw_table_cell(&text, "%s", quantity(page, row->seconds, "seconds"));
        if (row->own || !(own > 0))
            fw_table_cell(&text, "%s", row->own ? "the profile's" : "");
        else
            fw_table_cell(&text, "%+.1f %%", 100 * (row->seconds / own - 1));
        fw_table_cell(&text, "%s", row->meaning);
    }
    fw_table_print(&text, page->out);
    fw_buffer_printf(page->out, "  the longest is %.1f %% above the shortest\n",
                     100 * fw_report_issue_order_spread(answer));
}
