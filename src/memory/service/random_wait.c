#include "random_wait.h"

#include <math.h>

double fw_random_wait(const struct fw_random_hits *hits, const struct fw_level_latencies *latency)
{
    double lines = fmax(1, hits->lines), missed = (1 - hits->l1) * (1 - hits->l2), last = 0;
    double near = pow(hits->l1, lines);                      /* all lines are in L1 */
    double far = fmin(1 - near, 1 - pow(1 - missed, lines)); /* one is in device memory */
    for (uint32_t n = 2; n <= lines * missed; n++)
        last += latency->spread / n;
    return near * latency->l1 + (1 - near - far) * latency->l2 + far * (latency->dram + last);
}
