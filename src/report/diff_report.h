/* Reports of differences between answers: docs/schema/diff.json, and text for people. */
#ifndef FW_DIFF_REPORT_H
#define FW_DIFF_REPORT_H

#include "diff.h"

/* All that changed, added to `out`; of the text's sections of counts and costs the largest changes.
 */
void fw_report_diff_json(struct fw_buffer *out, const struct fw_diff *diff);
void fw_report_diff_text(struct fw_buffer *out, const struct fw_diff *diff, bool colour);

#endif
