#include "turns.h"

#include <math.h>

/* Of what a queue of requests by chance waits. */
static const double EQUALLY_LONG = 0.5;

double fw_turns_cycles(double alone, double work, double count)
{
    double cycles = alone, queue = 0, fewer = alone;
    if (!(alone > 0) || !(count > 1))
        return alone;
    for (double n = 1; n < count + 1; n++) {
        const double served = work * (1 + EQUALLY_LONG * queue);
        fewer = cycles;
        cycles = alone - work + served;
        queue = n * served / cycles;
    }
    return fewer + (cycles - fewer) * (count - ceil(count) + 1);
}
