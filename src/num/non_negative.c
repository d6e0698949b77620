#include "non_negative.h"

#include <math.h>

enum { SWEEPS_MOST = 5000 };

#define TOLERANCE 1e-9 /* of the largest parameter, a sweep */

void fw_non_negative_solve(double *parameters, const double *gram, const double *moment,
                           size_t count)
{
    for (int sweep = 0; sweep < SWEEPS_MOST; sweep++) {
        double change = 0, largest = 0;
        for (size_t p = 0; p < count; p++) {
            const double *row = gram + p * count;
            double left = moment[p], before = parameters[p];
            for (size_t q = 0; q < count; q++)
                left -= q == p ? 0 : row[q] * parameters[q];
            parameters[p] = row[p] > 0 ? fmax(0, left / row[p]) : 0;
            change = fmax(change, fabs(parameters[p] - before));
            largest = fmax(largest, parameters[p]);
        }
        if (!(change > TOLERANCE * largest))
            return;
    }
}
