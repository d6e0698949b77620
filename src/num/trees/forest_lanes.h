/* The inner loops of extremely randomized trees: all features of a node's rows at once, eight lanes
 * a step, in two halves where numbers have 64 bits.  Included once for each set of instructions,
 * with LANES(name), LANES_LEAST and LANES_MOST (of lanes_float) and LANES_TARGET defined.  Each
 * feature's sums are added in the order of the rows, and a column's in an order of its own,
 * whatever the set: the numbers are the same. */

/* Ranges of features over rows. */
LANES_TARGET static void LANES(ranges)(float *low, float *high, const struct forest_rows *data,
                                       const uint32_t *index, size_t count)
{
    for (size_t b = 0; b < data->stride; b += FOREST_BLOCK) {
        const float *block = data->x + b;
        lanes_float least[2], most[2], x, other; /* in turn, so that no row waits for the last */
        size_t i = 1;
        memcpy(&x, block + index[0] * data->stride, sizeof(x));
        least[0] = least[1] = most[0] = most[1] = x;
        for (; i + 2 <= count; i += 2) {
            memcpy(&x, block + index[i] * data->stride, sizeof(x));
            memcpy(&other, block + index[i + 1] * data->stride, sizeof(other));
            least[0] = LANES_LEAST(x, least[0]);
            most[0] = LANES_MOST(x, most[0]);
            least[1] = LANES_LEAST(other, least[1]);
            most[1] = LANES_MOST(other, most[1]);
        }
        if (i < count) {
            memcpy(&x, block + index[i] * data->stride, sizeof(x));
            least[0] = LANES_LEAST(x, least[0]);
            most[0] = LANES_MOST(x, most[0]);
        }
        x = LANES_LEAST(least[1], least[0]);
        memcpy(low + b, &x, sizeof(x));
        x = LANES_MOST(most[1], most[0]);
        memcpy(high + b, &x, sizeof(x));
    }
}

/* Of the rows at most the cuts: their number, and the sum of `values` (one a row of the node). */
LANES_TARGET static void LANES(sums)(double *sums, int32_t *counts, const float *cuts,
                                     const struct forest_rows *data, const uint32_t *index,
                                     const double *values, size_t count)
{
    for (size_t b = 0; b < data->stride; b += FOREST_BLOCK) {
        lanes_half cut[2];
        lanes_count number[2] = {{0}, {0}};
        lanes_double sum[2] = {{0}, {0}};
        memcpy(cut, cuts + b, sizeof(cut));
        for (size_t i = 0; i < count; i++) {
            const float *row = data->x + index[i] * data->stride + b;
            lanes_double value = values[i] - (lanes_double){0};
            for (size_t h = 0; h < 2; h++) { /* an array of both would go through memory */
                lanes_half x;
                memcpy(&x, row + 4 * h, sizeof(x));
                lanes_count below = x <= cut[h];
                lanes_long mask = __builtin_convertvector(below, lanes_long);
                number[h] -= below;
                sum[h] += (lanes_double)(mask & (lanes_long)value);
            }
        }
        memcpy(sums + b, sum, sizeof(sum));
        memcpy(counts + b, number, sizeof(number));
    }
}

/* A column's values at the rows, then INFINITY to the end of the last block, and their range. Three
 * rows more can be read behind the index. */
LANES_TARGET static void LANES(column_range)(float *low, float *high, float *values,
                                             const float *column, const uint32_t *index,
                                             size_t count)
{
    const float first = column[index[0]];
    lanes_half least = first - (lanes_half){0}, most = least;
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        lanes_half x = {column[index[i]], column[index[i + 1]], column[index[i + 2]],
                        column[index[i + 3]]};
        memcpy(values + i, &x, sizeof(x));
        least = HALF_LEAST(x, least);
        most = HALF_MOST(x, most);
    }
    if (i < count) { /* rows that are not the node's are read, too */
        const int32_t left = (int32_t)(count - i);
        lanes_count mine = (lanes_count){0, 1, 2, 3} < left;
        lanes_half x = {column[index[i]], column[index[i + 1]], column[index[i + 2]],
                        column[index[i + 3]]};
        lanes_half end = INFINITY - (lanes_half){0};
        end = LANES_PICK(half, count, mine, x, end);
        memcpy(values + i, &end, sizeof(end));
        least = HALF_LEAST(end, least);
        most = HALF_MOST(LANES_PICK(half, count, mine, x, most), most);
        i += 4;
    }
    if (i % FOREST_BLOCK) {
        lanes_half end = INFINITY - (lanes_half){0};
        memcpy(values + i, &end, sizeof(end));
    }
    lanes_half other = {least[2], least[3], least[2], least[3]};
    least = HALF_LEAST(other, least);
    *low = least[1] < least[0] ? least[1] : least[0];
    other = (lanes_half){most[2], most[3], most[2], most[3]};
    most = HALF_MOST(other, most);
    *high = most[1] > most[0] ? most[1] : most[0];
}

/* Of the values at most the cut: their number, and the sum of `targets`, one a value.  Values and
 * targets have whole blocks, with INFINITY at the end.  Eight sums, each over every eighth value,
 * are added last. */
LANES_TARGET static double LANES(column_sum)(int32_t *number, float cut, const float *values,
                                             const double *targets, size_t count)
{
    lanes_count below[2] = {{0}, {0}};
    lanes_double sum[2] = {{0}, {0}};
    for (size_t i = 0; i < count; i += FOREST_BLOCK) {
        for (size_t h = 0; h < 2; h++) {
            lanes_half x;
            lanes_double target;
            memcpy(&x, values + i + 4 * h, sizeof(x));
            memcpy(&target, targets + i + 4 * h, sizeof(target));
            lanes_count is_below = x <= cut;
            lanes_long mask = __builtin_convertvector(is_below, lanes_long);
            below[h] -= is_below;
            sum[h] += (lanes_double)(mask & (lanes_long)target);
        }
    }
    below[0] += below[1];
    sum[0] += sum[1];
    *number = below[0][0] + below[0][1] + (below[0][2] + below[0][3]);
    return sum[0][0] + sum[0][1] + (sum[0][2] + sum[0][3]);
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
