/* Joining the answers of several models. */
#include "blend.h"

#include <math.h>

/* The weights of the models that answer: the stated ones, or where these are 0, all the same. */
static void weigh(double weighs[FW_BLEND_MEMBER_COUNT], const struct fw_blend_weights *weights,
                  const double answers[FW_BLEND_MEMBER_COUNT])
{
    double sum = 0;
    for (int m = 0; m < FW_BLEND_MEMBER_COUNT; m++)
        sum += answers[m] > 0 ? weights->at[m] : 0;
    for (int m = 0; m < FW_BLEND_MEMBER_COUNT; m++)
        weighs[m] = !(answers[m] > 0) ? 0 : sum > 0 ? weights->at[m] : 1;
}

/* Where each answer is the truth with its weight as probability, the expected square of
 * joined / truth - 1 is least at the mean of 1 / answer by the mean of 1 / answer^2 (Park and
 * Stefanski, Relative-error prediction, Statistics & Probability Letters 40, 1998, section 2). */
double fw_blend_join(double *apart, const struct fw_blend_weights *weights,
                     const double answers[FW_BLEND_MEMBER_COUNT])
{
    double weighs[FW_BLEND_MEMBER_COUNT], least = INFINITY, most = 0, scale = INFINITY;
    double inverse = 0, square = 0; /* of the answers in units of `scale` */
    weigh(weighs, weights, answers);
    for (int m = 0; m < FW_BLEND_MEMBER_COUNT; m++) {
        if (!(answers[m] > 0))
            continue;
        least = fmin(least, answers[m]);
        most = fmax(most, answers[m]);
        scale = weighs[m] > 0 ? fmin(scale, answers[m]) : scale;
    }
    for (int m = 0; m < FW_BLEND_MEMBER_COUNT; m++)
        if (weighs[m] > 0) {
            inverse += weighs[m] * (scale / answers[m]);
            square += weighs[m] * (scale / answers[m]) * (scale / answers[m]);
        }
    if (apart)
        *apart = most > 0 ? log(most / least) : 0;
    return most > 0 ? scale * (inverse / square) : 0;
}

struct fw_blend_weights fw_blend_weights_unseen(enum fw_blend_target target,
                                                enum fw_blend_kind kind)
{
    struct fw_blend_weights weights = {0};
    if (target == FW_BLEND_TARGET_WATTS)
        weights.at[FW_BLEND_FOREST] = 1; /* of trained energies, as of other kinds */
    else if (kind == FW_BLEND_KIND_ASYNCHRONOUS)
        weights.at[FW_BLEND_TRACE] = 1;
    return weights;
}

double fw_blend_longer(const struct fw_blend_launch *launch, double unlimited, double otherwise)
{
    const double most = launch->watts_most, idle = launch->watts_idle;
    if (!(unlimited > 0) || !isfinite(most) || !(most > idle))
        return fmax(1, otherwise);
    return sqrt(fmax(1, (unlimited - idle) / (most - idle)) * fmax(1, otherwise));
}

double fw_blend_longer_by_traffic(const struct fw_prediction *traffic)
{
    const double alone = traffic->has_watts ? traffic->watts * traffic->seconds : 0;
    return alone > 0 ? fmax(1, traffic->joules / alone) : 1;
}

double fw_blend_deviation(const struct fw_blend *blend, enum fw_blend_target target,
                          enum fw_blend_class class, double apart, double nearest)
{
    if (target != FW_BLEND_TARGET_WATTS && class == FW_BLEND_CLASS_RANDOM)
        return fw_forest_deviation_at(&blend->random, apart, 0);
    if (target != FW_BLEND_TARGET_SECONDS || fw_blend_class_group(class) != FW_BLEND_GROUP_USUAL)
        return 1;
    return fw_forest_deviation_at(&blend->deviation, apart, nearest);
}

double fw_blend_residual(enum fw_blend_target target, const struct fw_blend_launch *launch,
                         double off)
{
    if (target == FW_BLEND_TARGET_WATTS)
        return off;
    return off < launch->low ? off - launch->low : off > launch->high ? off - launch->high : 0;
}

bool fw_blend_interval(double *low, double *high, const struct fw_blend *blend,
                       const struct fw_blend_launch *launch, enum fw_blend_target target,
                       double answer, double deviation)
{
    const struct fw_blend_bounds *bounds = &blend->bounds[target][launch->class];
    bool has_ends = target != FW_BLEND_TARGET_WATTS;
    if (!isfinite(bounds->low) || !isfinite(bounds->high) || !isfinite(deviation) || !(answer > 0))
        return false;
    *low = answer * exp(bounds->low * deviation + (has_ends ? launch->low : 0));
    *high = answer * exp(bounds->high * deviation + (has_ends ? launch->high : 0));
    if (!has_ends && launch->watts_most > 0 &&
        fw_blend_class_group(launch->class) == FW_BLEND_GROUP_ASYNCHRONOUS)
        *high = fmin(*high, fmax(answer, launch->watts_most));
    return true;
}
