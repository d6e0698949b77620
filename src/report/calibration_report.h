/* Reports on calibrations: parameters and the rates that they imply, kernels by features, forms of
 * overlap, and predictions of a calibrated model.
 *
 * Takes fits as cost_fit.h has them; gives text for people and JSON.  Never reads a file. */
#ifndef FW_CALIBRATION_REPORT_H
#define FW_CALIBRATION_REPORT_H

#include "cost_fit.h"

/* A calibration, with the device's name (NULL: the table's, if it states one). */
void fw_report_calibration_json(struct fw_buffer *out,
                                const struct fw_cost_calibration *calibration, const char *device);
void fw_report_calibration_text(struct fw_buffer *out,
                                const struct fw_cost_calibration *calibration, const char *device);

/* Predictions of a calibrated model for a table's rows. */
struct fw_cost_evaluation {
    const struct fw_cost_model *model;
    const struct fw_cost_table *table;
    const double *predicted, *measured; /* measured NULL: the table has no output */
};
void fw_report_evaluation_json(struct fw_buffer *out, const struct fw_cost_evaluation *evaluation);
void fw_report_evaluation_text(struct fw_buffer *out, const struct fw_cost_evaluation *evaluation);

#endif
