/* Turns: how long those take that ask for one unit again and again, and do something else between.
 *
 * Takes what one of them takes by itself and what part of it is the unit's; gives what each takes
 * where several do.  What finds the unit busy waits for those that are there, and half as long as
 * if they took it by chance, since they take it equally long (Pollaczek and Khinchine).  Source:
 * mean value analysis of a queue and a delay (M. Reiser, S. Lavenberg, Mean-Value Analysis of
 * Closed Multichain Queuing Networks, JACM 1980).  Where the unit is busy all the time it is less
 * than count * work, which callers know to be the least. */
#ifndef FW_TURNS_H
#define FW_TURNS_H

/* Cycles that each of `count` takes, at least one; by itself it takes `alone`, `work` of them of
 * the unit, 0 <= work <= alone.  Between two counts in proportion. */
double fw_turns_cycles(double alone, double work, double count);

#endif
