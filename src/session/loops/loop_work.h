/* What the files about kernel-language programs share. */
#ifndef FW_LOOP_WORK_H
#define FW_LOOP_WORK_H

#include "loops.h"
#include "knl_reader.h"
#include "loop_statistics.h"

/* Ways of counting: with subscripts or not, with multiply-adds or not; what a launch needs; and
 * with multiply-adds by warps of `warp` threads. */
enum { LOOP_COUNTS = 6, LOOP_LAUNCH = 4, LOOP_WARPS = 5 };

struct loop_code;

/* A worker's kernel. */
struct loop_work {
    struct fw_arena *arena;
    struct fw_poly *poly;
    struct fw_loop_program *program;
    struct fw_loop_statistics *statistics[LOOP_COUNTS]; /* NULL before */
    const char **names;                                 /* of parameters that are bound */
    int64_t *values;
    size_t bound;
    bool launch_alone;        /* no statement is asked for */
    uint32_t warp;            /* threads, where counts are to be by such warps; 0: the usual */
    uint32_t counted_warp;    /* that of the way LOOP_WARPS */
    struct fw_count *assumed; /* 1 where the assumptions hold; NULL: there are none */
    struct loop_code *code;   /* loop_code.c; NULL before */
    bool formulas_tried;
    struct fw_formulas *formulas; /* loop_formula.c; NULL: none can be made */
    struct fw_set *assumed_set;   /* that the formulas hold under; NULL: no assumptions */
    mpz_t value;
};

/* loop_formula.c: the count as people write it, when formulas are asked for; NULL: there is none.
 */
const char *fw_session_loop_formula(struct fw_worker *worker, const struct fw_count *count);

/* loop_code.c: predicts from generated and compiled code, for the answer's launch; models that ask
 * for features take those of operations and accesses from `rows` (NULL: from the code).  False:
 * that cannot be, `*why` says why in a sentence's part. */
bool fw_session_loop_predict_code(struct fw_worker *worker, const struct fw_feature_rows *rows,
                                  const double *own, const char **why);
void fw_session_loop_code_free(struct loop_code *code);

/* loop_code.c: the features that the question asks for, from the generated code and these rows of
 * the domains.  False, with nothing told: the code cannot be made or bound. */
bool fw_session_loop_features_of_code(struct fw_worker *worker, const struct fw_feature_rows *rows,
                                      const double *own, enum fw_status *status, const char **why);

#endif
