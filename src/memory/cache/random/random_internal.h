/* Shared by the files that model random accesses. */
#ifndef FW_RANDOM_INTERNAL_H
#define FW_RANDOM_INTERNAL_H

#include "data_address.h"
#include "volume.h"

/* What the lanes of a warp ask for at a step of a search by halves, in the mean over its steps: the
 * first ones are at few places, which all lanes and all searches share.  Of steps that are less
 * than a sector from the one before, the sector is there. */
struct search_shares {
    double sectors; /* distinct ones of a request */
    double l1, l2;  /* shares of them that hit */
};

/* random_access.c: the expected number of distinct granules among `draws` random ones of `all`; the
 * share of `draws` that hit where a cache holds the last `window` of them (bytes: `extent`,
 * `granule`, `line`). */
double random_distinct(double all, double draws);
double random_hit_share(double draws, double window, double extent, double granule, double line,
                        bool warm);

/* random_steps.c: of `searches` by halves of a launch over `extent` bytes, in so many steps
 * (`levels`), whose blocks run on `busy` multiprocessors; `lanes`: of a warp. */
struct search_shares random_search_shares(double levels, double extent, double lanes,
                                          double searches, double busy,
                                          const struct fw_caches *caches);

/* random_steps.c: of `warps` that walk down each tree; `bytes`: of one access; `lines`: distinct
 * ones of a request. */
struct search_shares random_walk_shares(const struct fw_tree_walk *walk, double bytes, double lanes,
                                        double warps, double busy, const struct fw_caches *caches,
                                        double *lines);

#endif
