/* The file of the model forest: forests of one device, their features, and their intervals.
 *
 *   forewarp forest 4
 *   device h200
 *   target seconds rows 1281 families 105 level 0.9
 *   class known families 80 low -0.2 high 0.3        factors are exp(low) to exp(high)
 *   class short families 80 low -0.9 high 1 deviations 0.02 0.7 0.5 0.1
 *                       in deviations (forest_basis.h) of common, apart, near, least; without the
 *                       numbers, as in files of before, of 0.2 1 0 0
 *   features seconds,trace,...
 *   energies idle:113.2,active:18,...                for watts; of 1, which has none, left out
 *   bytes 312345 hash 0123456789abcdef
 *   scales 0.4,0.1,...                               of forest_near.h; with the next line
 *   near points 618 mean 0.01 bytes 98880 hash 0123456789abcdef
 *   target watts ...
 *   data
 *
 * Version 5 is that of forests which predict seconds and watts themselves, without a basis: their
 * features are counted, and there are neither energies nor launches near.  Version 6 is that of
 * forests which correct the quick basis (forest_quick.h): their features are those that come with
 * it, and there are no launches near.
 *
 * Lines of text, then the bytes of each target's forest (forest_file.h), in order, and those of the
 * launches near which it corrects (forest_near.h) behind them.  A file of a later version, or whose
 * bytes do not have the hash (FNV-1a), is refused; so is one of version 3, whose launches near had
 * other coordinates. */
#ifndef FW_FOREST_BUNDLE_H
#define FW_FOREST_BUNDLE_H

#include "forest_basis.h"
#include "forest_file.h"
#include "forest_near.h"

struct fw_forest_bounds {
    size_t families;                      /* that they are from */
    double low, high;                     /* logarithms; -INFINITY and INFINITY: there are none */
    struct fw_forest_deviation deviation; /* that they are counted in; all 0: in none */
};

struct fw_forest_part {
    struct fw_forest *forest; /* NULL: the target is not in it */
    size_t rows, families;
    double level; /* of the bounds */
    struct fw_forest_bounds bounds[FW_FOREST_CLASS_COUNT];
    enum fw_forest_feature features[FW_FOREST_FEATURE_COUNT]; /* of the forest, in its order */
    uint32_t feature_count;
    double
        energies[FW_FOREST_DRAW_COUNT]; /* whose watts the forest corrects; all 0: there are none */
    struct fw_forest_near near;         /* beside the forest; its points are the arena's */
};

struct fw_forest_bundle {
    const char *device;
    enum fw_forest_ratio ratio; /* what trees predict */
    struct fw_forest_part parts[FW_FOREST_TARGET_COUNT];
};

/* Adds the file's bytes. */
void fw_forest_bundle_write(struct fw_buffer *out, const struct fw_forest_bundle *bundle);

/* Adds the forests as C17 without dependencies: forest_seconds and forest_watts, each of which
 * takes its features in the order that a comment states, and gives the logarithm of what the basis
 * is multiplied by, or of the seconds and watts themselves; forest_watts_basis, which takes what is
 * asked of the board; and forest_seconds_near and forest_watts_near, which take the features and,
 * of watts, both, and give what the forest's logarithm is averaged with. */
void fw_forest_bundle_write_c(struct fw_buffer *out, const struct fw_forest_bundle *bundle);

/* Reads them; texts are the arena's.  FW_ERROR_INPUT: FOR001 (no such file, or another version),
 * FOR002 (damaged, with the line), TREE010 to TREE012 (a forest).  The bundle's forests are the
 * caller's (fw_forest_bundle_free), on failure there are none. */
enum fw_status fw_forest_bundle_read(struct fw_forest_bundle *bundle, struct fw_arena *arena,
                                     const struct fw_source *source, const struct fw_sink *sink);
void fw_forest_bundle_free(struct fw_forest_bundle *bundle);

/* The part's correction of a basis: what it is multiplied by.  `nearest` (may be NULL): how far the
 * nearest launch is that the part was trained on, in lengths of forest_near.h; INFINITY: it has
 * none. */
double fw_forest_part_factor(double *nearest, const struct fw_forest_part *part,
                             const struct fw_forest_basis *basis);

/* The part's prediction: seconds or watts.  `nearest`: as of the correction. */
double fw_forest_part_predict(double *nearest, const struct fw_forest_part *part,
                              const struct fw_forest_basis *basis, enum fw_forest_target target);

#endif
