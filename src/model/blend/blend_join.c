/* Joining the answers of several models. */
#include "blend.h"

#include <math.h>

/* What models have in common is wrong also where they agree.  Chosen so that intervals of families
 * that were held out are narrow and cover: of 0.02 to 0.4 in the median (docs/blend.md). */
static const double common_deviation = 0.12;

double fw_blend_join(double *deviation, const struct fw_blend_weights *weights,
                     const double answers[FW_BLEND_MEMBER_COUNT])
{
    double sum = 0, plain = 0, logarithm = 0, logarithms = 0, least = INFINITY, most = 0;
    for (int m = 0; m < FW_BLEND_MEMBER_COUNT; m++) {
        if (!(answers[m] > 0))
            continue;
        sum += weights->at[m];
        logarithm += weights->at[m] * log(answers[m]);
        plain++;
        logarithms += log(answers[m]);
        least = fmin(least, answers[m]);
        most = fmax(most, answers[m]);
    }
    if (deviation)
        *deviation = common_deviation + (plain > 0 ? log(most / least) : 0);
    return sum > 0 ? exp(logarithm / sum) : plain > 0 ? exp(logarithms / plain) : 0;
}

double fw_blend_deviation(enum fw_blend_target target, enum fw_blend_class class, double seconds)
{
    return target == FW_BLEND_TARGET_SECONDS && class != FW_BLEND_CLASS_UNKNOWN ? seconds : 1;
}
