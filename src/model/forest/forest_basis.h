/* What the model forest knows of a launch before it asks its trees: what the physical models
 * predict of it, and features in named sets.
 *
 * Takes a kernel at a bound launch and the answers of the models traffic and trace.  Gives the
 * basis that trees correct (seconds: the geometric mean of both models; watts: those of trained
 * energies, or where there are none the traffic model's), the features, and the class of the
 * launch.  None of it needs a device. */
#ifndef FW_FOREST_BASIS_H
#define FW_FOREST_BASIS_H

#include "forest_draws.h"
#include "model.h"
#include "resource.h"

/* X(set, name, about).  Counts are by threads; "share" of instructions is of all of them.  The set
 * portable and mix have the forest paper's features (Braun et al., A simple model for portable and
 * fast prediction of execution time and power consumption of GPU kernels, 2021, section 3.2),
 * counts as logarithms. */
/* clang-format off */
#define FW_FOREST_TERMS(X) \
    X(atomics) X(dispatch) X(dram) X(f16) X(f32) X(f64) X(integer) X(integer_multiply) X(issue) \
    X(l1) X(l2) X(latency) X(shuffle) X(special) X(start_and_end) X(tensor_f16)

/* X(name, part): parts of the account of the trace model's time (src/sm/account.h). */
#define FW_FOREST_PARTS(X) \
    X(selected, "selected") X(dispatch_stall, "dispatch_stall") X(wait, "wait") \
    X(fma, "math_pipe_throttle.fma") X(alu, "math_pipe_throttle.alu") X(fp16, "math_pipe_throttle.fp16") \
    X(fp64, "math_pipe_throttle.fp64") X(xu, "math_pipe_throttle.xu") X(tensor, "math_pipe_throttle.tensor") \
    X(special_results, "short_scoreboard.xu") X(shuffled, "short_scoreboard.shuffle") \
    X(shared, "short_scoreboard.shared") X(shared_queue, "short_scoreboard.lsu") \
    X(l1_latency, "long_scoreboard.l1") X(l2_latency, "long_scoreboard.l2") X(dram_latency, "long_scoreboard.dram") \
    X(lsu_queue, "long_scoreboard.lsu") X(l2_queue, "long_scoreboard.l2_bandwidth") \
    X(dram_queue, "long_scoreboard.dram_bandwidth") X(lg_throttle, "lg_throttle") X(mio_throttle, "mio_throttle") \
    X(barrier, "barrier") X(not_selected, "not_selected") X(drain, "drain") X(launch, "launch") X(tail, "tail") \
    X(edges, "start_and_end")

#define FW_FOREST_FEATURES(X) \
    X(PORTABLE, block_threads, "threads of a block") \
    X(PORTABLE, blocks, "log10 of the blocks of the grid") \
    X(PORTABLE, instructions, "log10 of the executed instructions") \
    X(MIX, arithmetic, "share of arithmetic instructions") \
    X(MIX, special_functions, "share of special functions") \
    X(MIX, logic, "share of logic instructions") \
    X(MIX, control, "share of control instructions") \
    X(MIX, sync, "share of barriers") \
    X(PORTABLE, global_volume, "log10 of the bytes that threads load from and store to device memory") \
    X(PORTABLE, param_volume, "log10 of the bytes of parameters that threads load") \
    X(PORTABLE, shared_volume, "log10 of the bytes of shared memory") \
    X(MIX, intensity, "log10 of arithmetic instructions by global and parameter bytes") \
    X(LAUNCH, occupancy, "resident warps by the most") \
    X(LAUNCH, resident_blocks, "blocks of a multiprocessor") \
    X(LAUNCH, waves, "log10 of the waves") \
    X(LAUNCH, last_wave, "whole waves by waves") \
    X(LAUNCH, registers, "registers of a thread") \
    X(LAUNCH, static_shared, "static shared memory of a block, bytes") \
    X(MEMORY, l2_to_l1, "log10 of the bytes from L2 to L1") \
    X(MEMORY, l1_to_l2, "log10 of the bytes from L1 to L2") \
    X(MEMORY, dram_read, "log10 of the bytes read from device memory") \
    X(MEMORY, dram_write, "log10 of the bytes written to device memory") \
    X(MEMORY, load_sectors, "log10 of the sectors that loads request") \
    X(MEMORY, store_sectors, "log10 of the sectors that stores request") \
    X(MEMORY, shared_wavefronts, "log10 of the wavefronts of shared memory") \
    X(MEMORY, read_again, "bytes from L2 to L1 by distinct bytes read") \
    X(PHYSICS, seconds, "log10 of the basis in seconds, of at most 30 microseconds") \
    X(PHYSICS, trace, "log of the trace model's seconds by the traffic model's") \
    X(PHYSICS, watts, "log of the traffic model's watts") \
    X(POWER, drawn, "log of the watts that energies of events give") \
    X(QUICK, quick, "log10 of the quick basis in seconds, of at most 30 microseconds") \
    X(QUICK, warps, "seconds that warps take one after the other by the quick basis") \
    X(QUICK, still, "of these, waits for results that are no loads from device memory") \
    X(QUICK, near, "the same with loads that L1 answers") \
    X(QUICK, far, "the same with loads that device memory answers, or L2 where it has the data") \
    X(QUICK, stored, "seconds in which L2 takes the sectors of stores by the quick basis") \
    X(QUICK, contended, "seconds of atomic operations on the same sectors by the quick basis") \
    X(QUICK, spread, "log10 of the bytes of sectors by those that threads move") \
    X(QUICK, distinct, "log10 of the distinct bytes by those of sectors") \
    X(QUICK, beside, "log10 of the warps of a multiprocessor")
/* clang-format on */

enum fw_forest_feature {
#define X(set, name, about) FW_FOREST_FEATURE_##name,
    FW_FOREST_FEATURES(X)
#undef X
#define X(name) FW_FOREST_FEATURE_term_##name,
        FW_FOREST_TERMS(X)
#undef X
#define X(name, part) FW_FOREST_FEATURE_part_##name,
            FW_FOREST_PARTS(X)
#undef X
#define X(name, about) FW_FOREST_FEATURE_draw_##name,
                FW_FOREST_DRAWS(X)
#undef X
#define X(name, ...) FW_FOREST_FEATURE_quick_##name,
                    FW_RESOURCES(X)
#undef X
                        FW_FOREST_FEATURE_COUNT
};

enum fw_forest_set {
    FW_FOREST_SET_PORTABLE = 1,
    FW_FOREST_SET_LAUNCH = 2,
    FW_FOREST_SET_MEMORY = 4,
    FW_FOREST_SET_PHYSICS = 8,  /* with the terms of the traffic model, as shares of its seconds */
    FW_FOREST_SET_POWER = 16,   /* what is asked of the board a second */
    FW_FOREST_SET_MIX = 32,     /* of the paper's, those that do not grow with the launch */
    FW_FOREST_SET_ACCOUNT = 64, /* what the trace model's time goes to, as shares of it */
    FW_FOREST_SET_PAPER = FW_FOREST_SET_PORTABLE | FW_FOREST_SET_MIX,
    FW_FOREST_SET_ALL = 127,   /* of those that ask the models traffic and trace */
    FW_FOREST_SET_QUICK = 128, /* of forest_quick.h, which asks neither */
    FW_FOREST_SET_OF_QUICK = FW_FOREST_SET_PAPER | FW_FOREST_SET_LAUNCH | FW_FOREST_SET_POWER |
                             FW_FOREST_SET_QUICK /* what it finds */
};

/* What trees predict. */
enum fw_forest_ratio {
    FW_FOREST_TO_MODELS, /* the ratio to the models traffic and trace */
    FW_FOREST_TO_QUICK,  /* the ratio to the quick basis (forest_quick.h) */
    FW_FOREST_TO_NOTHING /* seconds and watts themselves */
};

struct fw_forest_feature_row {
    const char *name, *about;
    enum fw_forest_set set;
};
const struct fw_forest_feature_row *fw_forest_feature_row(enum fw_forest_feature feature);

enum fw_forest_target { FW_FOREST_SECONDS, FW_FOREST_WATTS, FW_FOREST_TARGET_COUNT };
const char *fw_forest_target_name(enum fw_forest_target target); /* "seconds", "watts" */

/* Classes of launches, for intervals. */
enum fw_forest_class {
    FW_FOREST_KNOWN,  /* nothing that data decide */
    FW_FOREST_LEANS,  /* trips, branches or sizes that data decide */
    FW_FOREST_SHORT,  /* a basis under 10 microseconds, whatever else */
    FW_FOREST_RANDOM, /* addresses that data decide */
    FW_FOREST_CLASS_COUNT
};
const char *fw_forest_class_name(enum fw_forest_class class); /* "known", "leans"... */

struct fw_forest_basis {
    double target[FW_FOREST_TARGET_COUNT];    /* what trees correct; 0: there is none */
    double features[FW_FOREST_FEATURE_COUNT]; /* `drawn` is 0: it follows from energies */
    enum fw_forest_class class;
    double watts_most; /* of the board; INFINITY: the profile does not say */
};

/* Whether answers leaned on a branch, trips or a size that data decide: on what is no number that
 * was evaluated. */
bool fw_forest_basis_leans(struct fw_bound *bound);

/* Whether data decide the address of an access that is executed, in any memory. */
bool fw_forest_basis_is_random(const struct fw_kernel *kernel, struct fw_bound *bound);

/* Whether the launch waits for what goes on beside its threads by other means than loads: bulk and
 * tensor copies, products of warp groups (wgmma), mbarriers, or shared memory of other blocks of
 * the cluster.  Trees know no launch with any of these, and the model traffic does not know when
 * threads wait for them, so that what it is off by says nothing about other launches.  Copies that
 * threads order for themselves (cp.async alone) do not count: these are loads whose registers are
 * spared, and trees know some. */
bool fw_forest_basis_is_asynchronous(const struct fw_kernel *kernel, struct fw_bound *bound);

/* Finds it after `traffic` and `trace` (NULL: it did not answer) predicted the bound launch. */
void fw_forest_basis_find(struct fw_forest_basis *basis, const struct fw_kernel *kernel,
                          struct fw_bound *bound, const struct fw_launch *launch,
                          const struct fw_prediction *traffic, const struct fw_prediction *trace);

/* Finds what is counted, without any model: the features of the sets portable and mix, for trees
 * that predict seconds and watts themselves.  The basis is 1 second and 1 watt; the class is known,
 * leans or random (fw_forest_class_at has the short ones). */
void fw_forest_basis_count(struct fw_forest_basis *basis, const struct fw_kernel *kernel,
                           struct fw_bound *bound, const struct fw_launch *launch);

/* The class of a launch that is predicted to take so many seconds. */
enum fw_forest_class fw_forest_class_at(enum fw_forest_class class, double seconds);

/* What the deviation of a corrected time is made of, that bounds of errors are counted in: so much
 * of everything, because what models have in common is wrong also where they agree; so much for
 * each unit of how far models lie apart, as a logarithm; and so much of the variance that the
 * nearest launch which was trained on leaves of a correction.  At the distance d of forest_near.h
 * that is a share of 1 - exp(-2 d) (Rasmussen and Williams, Gaussian Processes for Machine
 * Learning, 2006, equation 2.26, of one point without noise).  Distances below the least count as
 * the least: families that are left out have hardly a launch so near, so that errors there are not
 * known, and a launch that was trained on has the distance 0.  All 0: errors are counted as they
 * are. */
struct fw_forest_deviation {
    double common, apart, near, least;
};

/* Chosen over families that were left out, by the interval score and by how evenly launches of the
 * examples, the generated and the synthetic families are covered (common of 0.02 to 0.4, apart of 0
 * to 1); the least is what one in ten of their launches is nearer than. */
#define FW_FOREST_DEVIATION                                                                        \
    ((struct fw_forest_deviation){.common = 0.02, .apart = 0.7, .near = 0.5, .least = 0.1})

/* How far a launch on a similar device, which nothing was trained for, is at least from those that
 * trees know: as far as the nearest launch of another family is in the median of the generated
 * kernels and of the programs. */
#define FW_FOREST_ELSEWHERE 0.27

/* That of files which do not state it. */
#define FW_FOREST_DEVIATION_BEFORE ((struct fw_forest_deviation){.common = 0.2, .apart = 1})

/* The deviation of models that lie so far apart, with a launch so near (INFINITY: there is none).
 */
double fw_forest_deviation_at(const struct fw_forest_deviation *of, double apart, double nearest);

/* What bounds of errors of a launch are counted in: of a time that trees correct its deviation, by
 * how far the models traffic and trace are apart; else 1. */
double fw_forest_basis_deviation(const struct fw_forest_deviation *of,
                                 const struct fw_forest_basis *basis, enum fw_forest_target target,
                                 double nearest);

/* Has predictions of power end at what the board's limit is. */
void fw_forest_basis_limit(struct fw_forest_basis *basis, const struct fw_device *device);

/* Whether trees correct it: of a time that data decide, by trips, branches, sizes or addresses,
 * they were taught nothing, because what that is off by says nothing about other launches. */
bool fw_forest_basis_is_corrected(const struct fw_forest_basis *basis,
                                  enum fw_forest_target target);

/* What the launch asks of the board: FW_FOREST_DRAW_COUNT numbers, which are features. */
const double *fw_forest_basis_draws(const struct fw_forest_basis *basis);

/* What trees correct: of watts those of `energies`, unless these are all 0. */
double fw_forest_basis_of(const struct fw_forest_basis *basis, enum fw_forest_target target,
                          const double energies[FW_FOREST_DRAW_COUNT]);

/* Features in the order of a forest that corrects a basis of these energies. */
void fw_forest_basis_features(double *to, const struct fw_forest_basis *basis,
                              const double energies[FW_FOREST_DRAW_COUNT],
                              const enum fw_forest_feature *features, uint32_t count);

/* The prediction for a basis and a factor that trees give: of power at most the board's limit. */
double fw_forest_basis_corrected(const struct fw_forest_basis *basis, enum fw_forest_target target,
                                 double of, double factor);

#endif
