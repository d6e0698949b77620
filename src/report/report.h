/* Reports: answers as JSON for programs and as aligned text for people.
 *
 * Takes the plain result structures of include/forewarp.h and nothing else; gives text.  JSON is
 * what docs/schema/ describes; text states units always and colours only when told to.  Never
 * prints. */
#ifndef FW_REPORT_H
#define FW_REPORT_H

#include "forewarp.h"
#include "text.h"

/* The JSON's version of the answers' format: "format". */
enum { FW_REPORT_FORMAT = 1 };

/* An answer as JSON text, indented, ending with a newline, added to `out`. */
void fw_report_json(struct fw_buffer *out, const struct fw_answer *answer);

/* An answer as text for people, added to `out`. */
void fw_report_text(struct fw_buffer *out, const struct fw_answer *answer,
                    const struct fw_render_options *options);

/* What the longest of an answer's times by the order of issue (at least one) is above the shortest,
 * as a share of that. */
double fw_report_issue_order_spread(const struct fw_answer *answer);

/* Predictions of one launch on several devices, a row a device, the fastest first. */
void fw_report_devices_compared_json(struct fw_buffer *out, const struct fw_device_answer *rows,
                                     size_t count);
void fw_report_devices_compared_text(struct fw_buffer *out, const struct fw_device_answer *rows,
                                     size_t count);

/* A ranking as JSON, and as text: the `most` fastest (0: all), how many failed and why. */
void fw_report_ranking_json(struct fw_buffer *out, const struct fw_ranking *ranking);
void fw_report_ranking_text(struct fw_buffer *out, const struct fw_ranking *ranking, size_t most,
                            bool colour);

/* What a model found beside the time (sectors, bytes between caches), as text: a table for each
 * group of quantities. */
void fw_report_quantities_text(struct fw_buffer *out, const struct fw_prediction *prediction,
                               bool colour);

/* The cardinality of an integer set (fw_context_count_set). */
struct fw_cardinality {
    const char *name; /* of the set: its file */
    const char *const *parameters;
    size_t parameter_count;
    const char *symbolic; /* in isl's syntax; NULL: there is none */
    const char *formula;  /* for people; NULL: `symbolic` stands for it */
    const char *digits;   /* of the number; NULL: a parameter has no value */
};
void fw_report_cardinality_json(struct fw_buffer *out, const struct fw_cardinality *set);
void fw_report_cardinality_text(struct fw_buffer *out, const struct fw_cardinality *set);

/* A campaign of a store: measurements that are done, that failed, that have counters. */
struct fw_campaign_row {
    const char *name, *device, *driver, *backend;
    size_t done, failed, counted;
};
void fw_report_campaigns_json(struct fw_buffer *out, const struct fw_campaign_row *rows,
                              size_t count); /* no newline at the end */
void fw_report_campaigns_text(struct fw_buffer *out, const struct fw_campaign_row *rows,
                              size_t count);

/* Numbers for people: "1,234,567", "4.30 TB/s", "2.79 us", "12.0 MB", "37 %".  Added to `out`. */
void fw_report_count(struct fw_buffer *out, const struct fw_number *number);
void fw_report_quantity(struct fw_buffer *out, double value, const char *unit);

#endif
