/* What the files that write answers as JSON share. */
#ifndef FW_JSON_INTERNAL_H
#define FW_JSON_INTERNAL_H

#include "json_writer.h"
#include "report.h"

typedef struct fw_json_writer writer;

void report_json_texts(writer *w, const char *name, const char *const *list, size_t count);

/* "kernel" and "launch" of an answer. */
void report_json_kernel(writer *w, const struct fw_kernel_row *row);
void report_json_launch(writer *w, const struct fw_answer *answer);

/* "what_if", where there is something. */
void report_json_advice(writer *w, const struct fw_answer *answer);
void report_json_what_if(writer *w, const struct fw_answer *answer);
void report_json_issue_orders(writer *w, const struct fw_answer *answer);

/* A prediction as an element of an array; what a model found beside the time, and the same beside a
 * profiler's counters, as members. */
void report_json_prediction(writer *w, const struct fw_prediction *row);
void report_json_quantities(writer *w, const struct fw_prediction *prediction);
void report_json_measured(writer *w, const struct fw_prediction *prediction);

#endif
