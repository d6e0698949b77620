/* Fits, between the files of this folder: one form of a model and the rows that it is fitted to. */
#ifndef FW_COST_INTERNAL_H
#define FW_COST_INTERNAL_H

#include "cost_fit.h"

struct fw_cost_fitting {
    struct fw_arena *arena;
    const struct fw_cost_calibration *calibration;
    const struct fw_cost_settings *settings;
    const struct fw_sink *sink; /* NULL: nobody hears, this form is one of several */
    struct fw_cost_fit *fit;
    size_t rows;      /* fitted */
    double *features; /* of these rows, features[f * rows + r] */
    double *measured;
    size_t count;     /* parameters of the form */
    uint32_t *active; /* which of the model's they are */
    double *low, *high, *scale;
    double *all;                          /* values of all the model's parameters */
    bool linear;                          /* in all of them */
    struct fw_cost_program value, slopes; /* slopes: the derivatives with respect to `active` */
    double *scratch;
};

/* Residuals (predicted - measured) / measured, or their Jacobian: fw_least_squares' function,
 * `user` the fitting. */
bool fw_cost_residuals(void *user, const double *at, double *residuals, double *jacobian);

/* Finds what each parameter is multiplied with. */
void fw_cost_find_work(struct fw_cost_fitting *fitting);

/* Errors, intervals, condition and what cannot be told apart, at the fit's values. */
void fw_cost_estimate(struct fw_cost_fitting *fitting);

/* Tells what the estimates say against the data: COST033, COST034, COST037. */
void fw_cost_tell_estimates(const struct fw_cost_calibration *calibration, struct fw_arena *arena,
                            const struct fw_sink *sink);

/* Fits one form; the fit is NULL when the data do not allow it (told to `sink`).  `near` has values
 * of the model's parameters to start from, too (NULL: none). */
enum fw_status fw_cost_fit_form(struct fw_cost_fit **fit, struct fw_arena *arena,
                                const struct fw_cost_calibration *calibration,
                                enum fw_cost_overlap overlap, const struct fw_cost_fit *near,
                                const struct fw_cost_settings *settings,
                                const struct fw_sink *sink);

#endif
