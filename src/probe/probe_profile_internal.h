/* What the files that make figures share. */
#ifndef FW_PROBE_PROFILE_INTERNAL_H
#define FW_PROBE_PROFILE_INTERNAL_H

#include "probe_plan.h"
#include "probe_profile.h"
#include "probe_statistics.h"

struct probe {
    struct fw_arena *arena;
    const struct fw_probe_recording *recording;
    struct fw_probe_result *result;
    const char *date; /* of the recording, the day */
    double multiprocessors, clock;
};

/* Sets a figure with its range; `how`: what the note adds, or "".  A value outside the figure's
 * bounds, or none, is missing. */
void probe_set(struct probe *probe, enum fw_figure figure, struct fw_probe_spread value,
               const char *how);
/* The same when low and high are the steps between which the figure lies, and no spread. */
void probe_set_between(struct probe *probe, enum fw_figure figure, struct fw_probe_spread value,
                       const char *how);
/* The same for a POINTS figure: `count` pairs. */
void probe_set_points(struct probe *probe, enum fw_figure figure, const double *points,
                      size_t count, size_t trials, const char *how);
void probe_missing(struct probe *probe, enum fw_figure figure, const char *why);
void probe_finding(struct probe *probe, const char *name, const char *unit,
                   struct fw_probe_spread value);

/* What was not measured: no trials. */
extern const struct fw_probe_spread probe_nothing;

/* A spread times a number. */
struct fw_probe_spread probe_scaled(struct fw_probe_spread spread, double factor);
/* One number over a spread: low and high change places. */
struct fw_probe_spread probe_inverse(double number, struct fw_probe_spread spread);

/* Column `index` of what a configuration's trials left, divided by `by`. */
struct fw_probe_spread probe_column(struct probe *probe, const char *name, size_t index, double by);
/* Seconds of a configuration's single (or pipelined) launches. */
struct fw_probe_spread probe_seconds(struct probe *probe, const char *name, bool pipelined);

/* Cycles for an instruction of each warp, by the slope over loop lengths; `warps`: index into
 * fw_probe_warps. */
struct fw_probe_spread probe_chain(struct probe *probe, const char *kind,
                                   enum fw_probe_operation operation, int warps);
/* The highest rate over the numbers of warps: weight times warps a cycle; NaN when there is none.
 */
struct fw_probe_spread probe_rate(struct probe *probe, enum fw_probe_operation operation);

/* The parts, in the order in which they build on each other. */
void probe_figures_operations(struct probe *probe);
void probe_figures_memory(struct probe *probe);
void probe_figures_units(struct probe *probe);
void probe_figures_power(struct probe *probe);

#endif
