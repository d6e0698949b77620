/* The page of a report: kernels, what their time goes to, and rankings, as one HTML text.
 *
 * Takes answers of include/forewarp.h, one after the other, and writes what it needs of each at
 * once: an answer need not outlive the call that takes it.  Gives a page that refers to nothing
 * outside of itself and runs no script.  All that comes from an input is escaped.  Never asks a
 * model. */
#ifndef FW_PAGE_H
#define FW_PAGE_H

#include "device.h"
#include "forewarp.h"
#include "text.h"

struct fw_report_page;

/* A page in the arena, with a title (NULL: the usual). */
struct fw_report_page *fw_report_page_new(struct fw_arena *arena, const char *title);

/* A kernel's prediction with its advice; `name` is how the user called it.  What follows, until the
 * next, is of this kernel. */
void fw_report_page_prediction(struct fw_report_page *page, const char *name,
                               const struct fw_device *device, const struct fw_answer *answer);

/* Its counts, and answers of the models that follow the time and the memory traffic. */
void fw_report_page_counts(struct fw_report_page *page, const struct fw_answer *answer);
void fw_report_page_models(struct fw_report_page *page, const struct fw_answer *answer);

/* Its timeline. */
void fw_report_page_timeline(struct fw_report_page *page, const struct fw_answer *answer);

/* Whether the kernel's prediction told its memory traffic: else another model must. */
bool fw_report_page_has_traffic(const struct fw_report_page *page);

/* A ranking, by its scatter and its parallel coordinates. */
void fw_report_page_ranking(struct fw_report_page *page, const struct fw_ranking *ranking);

/* The whole page, added to `out`. */
void fw_report_page_write(struct fw_buffer *out, const struct fw_report_page *page);

#endif
