/* Cost models: an output feature as an expression of input features and parameters, read from text;
 * and calibrations, which are models whose parameters have values.
 *
 * Takes the language of docs/calibrate.md.  Gives the model: names of features and parameters, one
 * graph of expressions, and what the text says of each parameter.  A model may be stated by groups
 * of costs (memory, on chip, overhead) instead of one expression; how these overlap is then one of
 * three forms, after Stevens and Kloeckner, A mechanism for balancing accuracy and scope in
 * cross-machine black-box GPU performance modeling, equations (7) and (8).  Never opens a file and
 * never asks what a feature means. */
#ifndef FW_COST_MODEL_H
#define FW_COST_MODEL_H

#include "cost_expression.h"

enum fw_cost_overlap {
    FW_COST_OVERLAP_NONE,    /* overhead + memory + on chip: equation (7) */
    FW_COST_OVERLAP_FULL,    /* overhead + smooth maximum of memory and on chip: equation (8) */
    FW_COST_OVERLAP_PARTIAL, /* a share p_overlap of what the lesser of the two costs is hidden */
    FW_COST_OVERLAP_COUNT,
    FW_COST_OVERLAP_AUTO = FW_COST_OVERLAP_COUNT
};

/* "none", "full", "partial", "auto" */
const char *fw_cost_overlap_name(enum fw_cost_overlap overlap);

struct fw_cost_feature {
    const char *name;
    struct fw_span place;
};

struct fw_cost_parameter {
    const char *name;
    struct fw_span place; /* where it is named first */
    bool declared, bounded;
    double low, high;
    double start;     /* NAN: it follows from the data */
    double per;       /* units of work that one unit of the parameter pays for */
    const char *unit; /* of that work; NULL: it follows from the feature */
    /* What a calibration states; NAN: it does not. */
    double value, error, from, to;
};

enum fw_cost_group { FW_COST_MEMORY, FW_COST_ON_CHIP, FW_COST_OVERHEAD, FW_COST_GROUP_COUNT };

/* A statement of the text, for writing a calibration. */
struct fw_cost_statement {
    struct fw_span span;
    bool is_overlap;
};

struct fw_cost_model {
    const struct fw_source *source;
    struct fw_cost_graph graph;
    const char *name; /* the source's, unless the text states one */
    const char *output;
    struct fw_span output_place;
    FW_VECTOR(struct fw_cost_feature) features;
    FW_VECTOR(struct fw_cost_parameter) parameters;
    FW_VECTOR(struct fw_cost_statement) statements;
    bool grouped;
    uint32_t groups[FW_COST_GROUP_COUNT]; /* nodes; the constant 0 where a group is not stated */
    enum fw_cost_overlap overlap;
    uint32_t cost; /* node; of a model that is not grouped */
    bool non_negative;
    bool robust;      /* the fit minimises large errors by their size, not by their square */
    bool logarithmic; /* the fit minimises logarithms of ratios, not relative errors */
    /* A calibration's: */
    bool calibrated;
    const char *device, *data; /* NULL: not stated */
};

/* Reads a model or a calibration into the arena.  FW_ERROR_INPUT (COST001 to COST012): the text is
 * at fault. */
enum fw_status fw_cost_model_read(struct fw_cost_model **model, struct fw_arena *arena,
                                  const struct fw_source *source, const struct fw_sink *sink);

/* The expression of a model: its own, or that of its groups in a form of overlap (not AUTO), which
 * adds the parameters p_edge (full, partial) and p_overlap (partial) to it. */
uint32_t fw_cost_model_root(struct fw_cost_model *model, enum fw_cost_overlap overlap);

/* The names of features or parameters, for fw_cost_text. */
const char *const *fw_cost_feature_names(const struct fw_cost_model *model, struct fw_arena *arena);
const char *const *fw_cost_parameter_names(const struct fw_cost_model *model,
                                           struct fw_arena *arena);

/* Bytes of the feature's identifier that a text begins with, 0: none.  `normal` (NULL: not wanted)
 * takes it without spaces and with semicolons between constraints, as names are compared. */
size_t fw_cost_feature_scan(struct fw_buffer *normal, const char *text, size_t length);

#endif
