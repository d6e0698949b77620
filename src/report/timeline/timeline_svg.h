/* A timeline as SVG: a row a warp, a column a stretch of time; below it the shares of all warps,
 * and a legend. */
#ifndef FW_TIMELINE_SVG_H
#define FW_TIMELINE_SVG_H

#include "text.h"
#include "forewarp.h"

/* Adds the picture of an answer that has a timeline (fw_worker_trace with columns). */
void fw_report_timeline_svg(struct fw_buffer *out, const struct fw_answer *answer);

#endif
