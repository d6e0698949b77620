/* The inner loops of extremely randomized trees: all features of a node's rows at once, eight lanes
 * a step, in two halves where numbers have 64 bits.  Included once for each set of instructions,
 * with LANES(name) and LANES_TARGET defined.  Each feature's sums are added in the order of the
 * rows, whatever the set: the numbers are the same. */

/* Ranges of features over rows. */
LANES_TARGET static void LANES(ranges)(float *low, float *high, const struct forest_rows *data,
                                       const uint32_t *index, size_t count)
{
    for (size_t b = 0; b < data->stride; b += FOREST_BLOCK) {
        lanes_float least, most, x;
        memcpy(&least, data->x + index[0] * data->stride + b, sizeof(least));
        most = least;
        for (size_t i = 1; i < count; i++) {
            memcpy(&x, data->x + index[i] * data->stride + b, sizeof(x));
            least = LANES_PICK(float, int, x < least, x, least);
            most = LANES_PICK(float, int, x > most, x, most);
        }
        memcpy(low + b, &least, sizeof(least));
        memcpy(high + b, &most, sizeof(most));
    }
}

/* Of the rows at most the cuts: their number, and the sum of `values` (one a row of the node). */
LANES_TARGET static void LANES(sums)(double *sums, int32_t *counts, const float *cuts,
                                     const struct forest_rows *data, const uint32_t *index,
                                     const double *values, size_t count)
{
    for (size_t b = 0; b < data->stride; b += FOREST_BLOCK) {
        lanes_half cut[2], x[2];
        lanes_count number[2] = {{0}, {0}};
        lanes_double sum[2] = {{0}, {0}};
        memcpy(cut, cuts + b, sizeof(cut));
        for (size_t i = 0; i < count; i++) {
            memcpy(x, data->x + index[i] * data->stride + b, sizeof(x));
            lanes_double value = values[i] - (lanes_double){0};
            for (int h = 0; h < 2; h++) {
                lanes_count below = x[h] <= cut[h];
                lanes_long mask = __builtin_convertvector(below, lanes_long);
                number[h] -= below;
                sum[h] += (lanes_double)(mask & (lanes_long)value);
            }
        }
        memcpy(sums + b, sum, sizeof(sum));
        memcpy(counts + b, number, sizeof(number));
    }
}

/* Sums of weighted absolute deviations from the medians on both sides of the cuts, where `left` is
 * the weight of the rows at most the cut.  With rows in the order of their targets, a row's weight
 * counts against its target as far as it lies in the lower half of its side's weight, and for it
 * above; the medians cancel. */
LANES_TARGET static void LANES(deviations)(double *deviations, const double *left, double all,
                                           const float *cuts, const struct forest_rows *data,
                                           const uint32_t *index, const double *y,
                                           const double *weights, size_t count)
{
    for (size_t b = 0; b < data->stride; b += FOREST_BLOCK / 2) {
        lanes_half cut, x;
        lanes_double sum = {0}, half_left, half_right;
        memcpy(&cut, cuts + b, sizeof(cut));
        memcpy(&half_left, left + b, sizeof(half_left));
        half_right = (all - half_left) * 0.5; /* what is missing to half of the side's weight */
        half_left *= 0.5;
        for (size_t i = 0; i < count; i++) {
            memcpy(&x, data->x + index[i] * data->stride + b, sizeof(x));
            lanes_count below = x <= cut;
            lanes_long mask = __builtin_convertvector(below, lanes_long);
            lanes_double weight = weights[i] - (lanes_double){0};
            lanes_double on_left = (lanes_double)(mask & (lanes_long)weight);
            lanes_double on_right = weight - on_left;
            lanes_double low_left =
                LANES_PICK(double, long, half_left < on_left, half_left, on_left);
            lanes_double low_right =
                LANES_PICK(double, long, half_right < on_right, half_right, on_right);
            half_left -= low_left;
            half_right -= low_right;
            sum += y[i] * (weight - 2 * (low_left + low_right));
        }
        memcpy(deviations + b, &sum, sizeof(sum));
    }
}
