/* The model cost, between the files that open a calibration and answer by it. */
#ifndef FW_COST_ANSWER_H
#define FW_COST_ANSWER_H

#include "cost_fit.h"
#include "feature_value.h"
#include "model.h"

/* A calibration that was read; it does not change. */
struct cost_opened {
    struct fw_model_opened base;
    struct fw_cost_model *model;
    struct fw_feature *features;    /* by feature of the model */
    struct fw_cost_program program; /* its outputs: the cost, and the slopes */
    double *parameters;
    uint32_t *slopes; /* nodes, by parameter: derivatives of the costs before overlap */
    bool *of_launch;  /* by parameter: it pays for launching alone */
};

/* What opens it, as struct fw_model has it; FW_ERROR_INPUT (COST040 to COST042, and
 * what is wrong with the file); FW_ERROR_MACHINE (COST040): the stated file cannot be read. */
enum fw_status cost_open(void **state, const struct fw_model_files *files,
                         const struct fw_device *device, const struct fw_sink *sink);
bool cost_needs_code(const void *state);

/* An answer under way. */
struct cost_work {
    const struct cost_opened *opened;
    const struct fw_model_question *question;
    struct fw_arena *arena;
    struct fw_feature_source source;
    struct fw_feature_rows rows; /* of the code, unless the question has the domains' */
    double clock;
};

/* Orders terms and lines, the slowest first: for qsort. */
int cost_slowest_first(const void *a, const void *b);

/* The slowest term by source line, where its cost is the sum of what lines cost. */
void cost_find_lines(struct fw_prediction *prediction, struct cost_work *work, uint32_t parameter,
                     const struct fw_cost_row *term);

#endif
