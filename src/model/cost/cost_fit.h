/* Fits of cost models: parameters from a table of measurements, how well they are known, and which
 * form of overlap the data support.
 *
 * Takes a model and its data; gives the parameters of least squares of relative errors
 * (predicted - measured) / measured, from several starts, each parameter with a confidence interval
 * of 95 % from the Jacobian, and what the data cannot tell.  Never opens a file. */
#ifndef FW_COST_FIT_H
#define FW_COST_FIT_H

#include "cost_table.h"

/* A parameter of a fit. */
struct fw_cost_estimate {
    uint32_t parameter; /* of the model */
    double value;
    double error;    /* standard error; NAN: the data do not tell */
    double from, to; /* of 95 %; NAN likewise */
    bool at_bound;   /* held there: no interval is known */
    uint32_t work;   /* the node that it is multiplied with or divides, when that is one; else 0 */
    bool divides;    /* work / parameter rather than parameter * work */
};

/* Parameters that the data cannot tell apart: a near dependence of columns of the Jacobian. */
struct fw_cost_confusion {
    uint32_t *parameters; /* of the model */
    size_t count;
    double condition; /* index of the dependence: the largest singular value by its own */
};

struct fw_cost_fit {
    enum fw_cost_overlap overlap;
    uint32_t root;
    struct fw_cost_estimate *estimates;
    size_t estimate_count;
    double *predicted;     /* all rows */
    double *shares;        /* row r, estimate e at [r * estimate_count + e]: parameter times work
                              by predicted; NAN without work */
    double rms;            /* of relative errors of the rows fitted */
    double mean_absolute;  /* MAPE, a fraction */
    double geometric_mean; /* of absolute relative errors, a fraction */
    double held_mean, held_geometric; /* of the rows held out; NAN: none are */
    double left_out;         /* RMS of relative errors of rows predicted without themselves; NAN */
    double criterion;        /* AICc; NAN: too few rows */
    double condition;        /* of the scaled Jacobian */
    unsigned free_count;     /* parameters that are not held at a bound */
    unsigned starts, agreed; /* of them, those that reached this minimum */
    bool converged;
    struct fw_cost_confusion *confusions;
    size_t confusion_count;
};

/* What was fitted, with all forms of overlap that were tried. */
struct fw_cost_calibration {
    struct fw_cost_model *model;
    const struct fw_cost_table *table;
    struct fw_cost_data data;
    bool *held; /* rows that were not fitted */
    size_t fitted, held_count;
    struct fw_cost_fit *fits[FW_COST_OVERLAP_COUNT]; /* NULL: not tried */
    const struct fw_cost_fit *chosen;
    const char *choice; /* why, a sentence; NULL: there was nothing to choose */
};

struct fw_cost_settings {
    const char *const *held_out; /* names of rows, * and ? allowed, that are not fitted */
    size_t held_out_count;
    unsigned starts; /* 0: up to 8 for what is not linear in its parameters */
    uint64_t seed;
    bool non_negative; /* all parameters without bounds of their own are 0 or more */
};

/* Fits a model to a table; all is the arena's.  FW_ERROR_INPUT (COST030 to COST037): the data do
 * not allow it; warnings (COST033, COST034, COST036) are told too. */
enum fw_status fw_cost_calibrate(struct fw_cost_calibration **calibration, struct fw_arena *arena,
                                 struct fw_cost_model *model, const struct fw_cost_table *table,
                                 const struct fw_cost_settings *settings,
                                 const struct fw_sink *sink);

/* The calibration as text, a model whose parameters have values. */
const char *fw_cost_calibration_text(struct fw_arena *arena,
                                     const struct fw_cost_calibration *calibration,
                                     const char *program, const char *device);

/* ---- a calibrated model, for predictions ---- */

struct fw_cost_predictor {
    struct fw_cost_program program;
    double *parameters;
    size_t feature_count;
    const struct fw_cost_model *model;
};

/* Makes it of a model that has values for all its parameters (`calibrated`). */
void fw_cost_predictor_new(struct fw_cost_predictor *predictor, struct fw_arena *arena,
                           struct fw_cost_model *model);

/* The output for features in the order of the model's list; `scratch` has
 * fw_cost_scratch(&predictor->program, 1) numbers.  From any thread. */
double fw_cost_predict(const struct fw_cost_predictor *predictor, const double *features,
                       double *scratch);

/* Predicts all rows of data.  FW_ERROR_INPUT (COST032): a prediction is not finite. */
enum fw_status fw_cost_predict_rows(double *predicted, const struct fw_cost_predictor *predictor,
                                    struct fw_arena *arena, const struct fw_cost_data *data,
                                    const struct fw_cost_table *table, const struct fw_sink *sink);

/* Which node of the model, at which row, is the first that is not finite, told as COST032. */
void fw_cost_tell_not_finite(const struct fw_cost_program *program,
                             const struct fw_cost_model *model, const struct fw_cost_table *table,
                             const double *features, const double *parameters,
                             struct fw_arena *arena, const struct fw_sink *sink);

/* Mean and geometric mean of |predicted - measured| / measured over the rows whose flag `held` is
 * `which` (held NULL: all); NAN: there are none. */
void fw_cost_errors(double *mean, double *geometric, const double *predicted,
                    const double *measured, size_t rows, const bool *held, bool which);

#endif
