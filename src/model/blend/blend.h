/* What the model blend knows of a device: how much each model's answer weighs, and how far joined
 * answers are off.
 *
 * Joined seconds are between the answers of the models traffic, trace and forest, whose weights
 * depend on the kind of launch: whether it is asynchronous, whether data decide its time, or else
 * what limits it and whether it is short.  The deviation of joined seconds is a constant,
 * how far the models' answers lie apart, as a logarithm, and how much the nearest launch that the
 * forest was trained on leaves unknown (forest_basis.h): where models agree, or a launch like it
 * was measured, the answer is better. Intervals bound the error by deviations (conformal prediction
 * with a scaled score: Lei, G'Sell, Rinaldo, Tibshirani and Wasserman, Distribution-free predictive
 * inference for regression, JASA 113, 2018, section 5.2) over families of kernels
 * (src/num/conformal.h), for each class of launches.  Where branches or trips are defaults, the
 * answers at the ends of what these usually are, are part of the interval, and the error is what
 * lies beyond (as in conformalized quantile regression: Romano, Patterson and Candes, NeurIPS
 * 2019).
 *
 * The file, which src/train writes:
 *
 *   forewarp blend 1
 *   device h200
 *   level 0.9
 *   deviation common 0.02 apart 0.7 near 0.5 least 0.1      (in a file of before: 0.2, 1, 0, 0)
 *   random common 0.25 apart 1                              (no such line: 1, whatever apart)
 *   weights seconds dram families 52 traffic 0.1 trace 0 forest 0.9
 *   weights watts dram families 52 traffic 0.2 trace 0 forest 0.8
 *   bounds seconds known families 89 low -1.2 high 1.4
 *   hash 0123456789abcdef                                   (FNV-1a of the lines before) */
#ifndef FW_BLEND_H
#define FW_BLEND_H

#include "forest_basis.h"
#include "model.h"

/* X(NAME, name): the models that are joined. */
#define FW_BLEND_MEMBERS(X) X(TRAFFIC, traffic) X(TRACE, trace) X(FOREST, forest)

/* Kinds of launches, for weights.  The last if it applies, else the first that does; but a launch
 * whose time hardly changes with what data decide (fw_blend_ends_find) is of the kind that it would
 * be of without. */
#define FW_BLEND_KINDS(X)                                                                          \
    X(SHORT, "short")       /* under 10 microseconds */                                            \
    X(LEANS, "leans")       /* branches, trips or sizes that data decide */                        \
    X(RANDOM, "random")     /* addresses that data decide */                                       \
    X(DISPATCH, "dispatch") /* by the longest term of the traffic model */                         \
    X(DRAM, "dram")                                                                                \
    X(L2, "l2") /* atomic operations and TLB misses, too */                                        \
    X(LATENCY, "latency")                                                                          \
    X(L1, "l1")                                                                                    \
    X(UNITS, "units")               /* arithmetic and issue */                                     \
    X(ASYNCHRONOUS, "asynchronous") /* fw_forest_basis_is_asynchronous */

/* Classes of launches, for intervals.  The last if it applies, else the first that does. */
#define FW_BLEND_CLASSES(X)                                                                        \
    X(UNKNOWN, "unknown")           /* branches, trips or sizes that data decide */                \
    X(BRIEF, "short")               /* under 10 microseconds */                                    \
    X(RANDOM, "random")             /* addresses that data decide */                               \
    X(TENSOR, "tensor")             /* matrix instructions */                                      \
    X(KNOWN, "known")               /* none of these */                                            \
    X(ASYNCHRONOUS, "asynchronous") /* fw_forest_basis_is_asynchronous */

#define FW_BLEND_TARGETS(X) X(SECONDS, "seconds") X(WATTS, "watts") X(JOULES, "joules")

/* clang-format off */
enum fw_blend_member {
#define X(name, ...) FW_BLEND_##name,
    FW_BLEND_MEMBERS(X)
    FW_BLEND_MEMBER_COUNT
};
enum fw_blend_kind {
#undef X
#define X(name, text) FW_BLEND_KIND_##name,
    FW_BLEND_KINDS(X)
    FW_BLEND_KIND_COUNT
};
enum fw_blend_class {
#undef X
#define X(name, text) FW_BLEND_CLASS_##name,
    FW_BLEND_CLASSES(X)
    FW_BLEND_CLASS_COUNT
};
enum fw_blend_target {
#undef X
#define X(name, text) FW_BLEND_TARGET_##name,
    FW_BLEND_TARGETS(X)
    FW_BLEND_TARGET_COUNT
#undef X
};
/* clang-format on */

const char *fw_blend_member_name(enum fw_blend_member member); /* "traffic" */
const char *fw_blend_kind_name(enum fw_blend_kind kind);       /* "dram" */
const char *fw_blend_class_name(enum fw_blend_class class);    /* "known" */
const char *fw_blend_target_name(enum fw_blend_target target); /* "seconds" */

/* What a launch is, as the model traffic predicts it. */
struct fw_blend_launch {
    enum fw_blend_kind kind;
    enum fw_blend_kind otherwise; /* the kind that it would be of if data decided no counts */
    enum fw_blend_class class;
    bool is_unknown; /* data decide branches, trips or sizes, whatever the class */
    bool is_random;  /* data decide addresses, whatever the class */
    /* What the launch executes and no model follows, in words: nothing like it was measured, and
     * its answers have no interval.  NULL: nothing. */
    const char *not_followed;
    /* Logarithms, at most and at least 0: what the traffic model's seconds are multiplied by at the
     * ends of what data usually decide (blend_ends.c). */
    double low, high;
    struct fw_data_end_row ends[3]; /* these answers; seconds of the traffic model */
    uint32_t end_count;
    double watts_most; /* the board's limit; 0 or INFINITY: the profile does not say */
    double watts_idle;
};

/* Finds the board's limit and idle power for it. */
void fw_blend_launch_limit(struct fw_blend_launch *launch, const struct fw_device *device);

/* How many times as long as alone a launch takes back to back: a board at its power limit lowers
 * its clock until what is beyond idle power fits.  At least 1; the geometric mean of what follows
 * from the forest's watts without the limit (`unlimited`) and of `otherwise`, by the traffic
 * model's energies.  Where there are no such watts (0 or NAN), or no limit is known, the latter
 * alone. */
double fw_blend_longer(const struct fw_blend_launch *launch, double unlimited, double otherwise);

/* The same by the traffic model's answer. */
double fw_blend_longer_by_traffic(const struct fw_prediction *traffic);

/* Classes that are bounded together where they have few families: an error of one group says
 * nothing of another. */
enum fw_blend_group {
    FW_BLEND_GROUP_USUAL,
    FW_BLEND_GROUP_DATA,         /* classes whose time data decide */
    FW_BLEND_GROUP_ASYNCHRONOUS, /* the class of this name */
    FW_BLEND_GROUP_COUNT
};
enum fw_blend_group fw_blend_class_group(enum fw_blend_class class);

/* Whether data decide the time of launches of a class: there are few families of such, and merged
 * with others their intervals would not hold. */
bool fw_blend_class_is_decided_by_data(enum fw_blend_class class);

/* Whether data decide the time of launches of a kind.  What they are off by says nothing about
 * other kinds. */
bool fw_blend_kind_is_decided_by_data(enum fw_blend_kind kind);

/* Finds it for the bound launch of the question, of which `traffic` is the traffic model's answer.
 */
void fw_blend_launch_find(struct fw_blend_launch *launch, const struct fw_kernel *kernel,
                          struct fw_bound *bound, const struct fw_prediction *traffic);

struct fw_blend_weights {
    size_t families;                  /* that they are from; 0: the kind was not seen */
    double at[FW_BLEND_MEMBER_COUNT]; /* their sum is 1 */
};

/* The weights of a kind that no file states, or that too few families choose: of seconds of
 * asynchronous launches the simulation's, the only model that knows when a thread waits for what it
 * ordered; of watts the forest's; of other seconds none. */
struct fw_blend_weights fw_blend_weights_unseen(enum fw_blend_target target,
                                                enum fw_blend_kind kind);

/* Finds the ends of a launch of which something is unknown; of others they are 0.  Asks the model
 * traffic up to four times, of bindings of its own; `traffic` is its answer with defaults, and
 * `unknowns` are what that leaned on (fw_bound_unknowns).  A launch of the kind LEANS all of whose
 * defaults have ends, less than a factor of 1.5 apart, gets its other kind.  Memory is the
 * question's arena. */
void fw_blend_ends_find(struct fw_blend_launch *launch, const struct fw_model_question *question,
                        const struct fw_unknown *unknowns, uint32_t count,
                        const struct fw_prediction *traffic);

struct fw_blend_bounds {
    size_t families;
    double low, high; /* of residuals, in deviations; infinite: none */
};

struct fw_blend {
    const char *device;
    double level; /* of the bounds */
    struct fw_forest_deviation deviation;
    struct fw_forest_deviation random; /* of the class of this name; without `common`: 1 */
    struct fw_blend_weights weights[FW_BLEND_TARGET_JOULES][FW_BLEND_KIND_COUNT];
    struct fw_blend_bounds bounds[FW_BLEND_TARGET_COUNT][FW_BLEND_CLASS_COUNT];
};

/* The answer with the least expected square of relative errors, if each answer is the truth with
 * its weight as probability (0 or less: that model has none, and the weights of the others are
 * scaled up; where these are 0, they weigh the same), and the logarithm of the greatest by the
 * least (may be NULL).  0: there is no answer. */
double fw_blend_join(double *apart, const struct fw_blend_weights *weights,
                     const double answers[FW_BLEND_MEMBER_COUNT]);

/* The residual of an answer: the logarithm of truth by answer, of seconds and joules only what is
 * beyond the ends of what data usually decide. */
double fw_blend_residual(enum fw_blend_target target, const struct fw_blend_launch *launch,
                         double off);

/* The interval of an answer of the launch, from the answer at the low end times the lower bound's
 * factor to that at the high end times the upper bound's; false: there is none.  Watts of
 * asynchronous launches end at the board's limit: these were measured behind other launches, when
 * the board is at its limit.  Windows of other classes begin with the load, and some lie up to 8 %
 * above it. */
bool fw_blend_interval(double *low, double *high, const struct fw_blend *blend,
                       const struct fw_blend_launch *launch, enum fw_blend_target target,
                       double answer, double deviation);

/* Of launches whose addresses data decide.  By what models of random access are off where they
 * agree, and how far they lie apart, intervals of families that were left out are 9 % narrower in
 * the median than with one size for all, as wide in the geometric mean, and cover as many. */
#define FW_BLEND_DEVIATION_RANDOM ((struct fw_forest_deviation){.common = 0.25, .apart = 1})

/* The deviation of a target, from how far answers for the seconds lie `apart` and how far the
 * nearest measured launch is (`nearest`; INFINITY: nobody knows).  Watts and joules have 1: how far
 * models of power lie apart says nothing about how far they are off.  So have seconds of unknown
 * branches, trips and sizes, where models agree on the same default, and of asynchronous launches.
 * Seconds and joules of random addresses go by how far models lie apart alone: nothing is learned
 * from launches near. */
double fw_blend_deviation(const struct fw_blend *blend, enum fw_blend_target target,
                          enum fw_blend_class class, double apart, double nearest);

/* Adds the file's text. */
void fw_blend_write(struct fw_buffer *out, const struct fw_blend *blend);

/* Reads it; texts are the arena's.  FW_ERROR_INPUT: BLD001 (no such file, or another version),
 * BLD002 (damaged, with the line). */
enum fw_status fw_blend_read(struct fw_blend *blend, struct fw_arena *arena,
                             const struct fw_source *source, const struct fw_sink *sink);

#endif
