/* How long slices of L2 work for an array whose atomic operations are not evenly spread.
 *
 * Granules of the array fall on slices at random.  Multiprocessors have a number of requests on
 * their way, each at one slice, and a multiprocessor's further ones wait behind these.  That is a
 * closed queueing network: its customers are as many as give the rate that is seen where all slices
 * have as much to do, and what they do where some have more follows from mean value analysis
 * (Reiser and Lavenberg, JACM 1980, by the approximation of Schweitzer).  Where few slices have
 * next to all, these work without a pause; where all have as much, each is idle for want of
 * requests as often as the profile's rate over a large array says. */
#ifndef FW_SLICE_LOADS_H
#define FW_SLICE_LOADS_H

#include "seen_requests.h"

/* By how much longer slices take than where all have as much to do, at least 1, in the mean over so
 * many parts of the launch (between two numbers of which something is known, in proportion to their
 * logarithm).  `slices`: of L2; `beside`: how many times the rate of one slice they have where all
 * have as much (atomic_slices).  1 where either does not tell more than the other, or nothing is
 * known of granules. */
double fw_slices_uneven(const struct fw_granule_loads *loads, double slices, double beside,
                        double parts);

#endif
