/* Features: counts of operations or of accesses of one pattern, named as in Stevens and Kloeckner,
 * "A mechanism for balancing accuracy and scope in cross-machine black-box GPU performance
 * modeling", section 6.1:
 *
 *   f_op_float32_madd
 *   f_mem_access_tag:aLD
 *   f_mem_access_global_float32_load_lstrides:{0:1;1:>15}_gstrides:{0:<n*16}_afr:>1
 *
 * All parts behind f_mem_access are optional, in any order.  A feature sums the statistics' rows
 * that fit.  Which rows fit may change with the parameters (a stride of n is >15 for some, a bound
 * may be a parameter itself, the access-to-footprint ratio is a function of them): then rows are
 * chosen anew at each parameter point.  Where it cannot, the sum is made once. */
#ifndef FW_LOOP_FEATURE_H
#define FW_LOOP_FEATURE_H

#include "loop_statistics.h"

struct fw_loop_feature;

/* The feature called `text`; `statistics` and `program` must outlive it.  FW_ERROR_INPUT with
 * LOOP120: it is none.  Multiply-adds are there when the statistics were gathered with `contract`,
 * ratios when they were with `footprints`. */
enum fw_status fw_loop_feature_new(FW_GIVE struct fw_loop_feature **feature, const char *text,
                                   const struct fw_loop_statistics *statistics,
                                   const struct fw_loop_program *program);
void fw_loop_feature_free(FW_TAKE struct fw_loop_feature *feature);

/* Whether its rows are the same at every parameter point. */
bool fw_loop_feature_is_fixed(const struct fw_loop_feature *feature);

/* Its value at a parameter point; errors as fw_loop_evaluate. */
enum fw_status fw_loop_feature_evaluate(mpz_ptr result, const struct fw_loop_feature *feature,
                                        const char *const *names, const int64_t *values,
                                        size_t bound);

#endif
