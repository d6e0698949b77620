/* What the files about values share. */
#ifndef FW_FEATURE_INTERNAL_H
#define FW_FEATURE_INTERNAL_H

#include "feature_value.h"

/* What compiled code and a profile tell; each part is found once. */
struct asking {
    struct fw_feature_source *source;
    const struct fw_feature *feature;
    struct fw_span place;
    const struct fw_sink *sink;
};

/* Values of ISSUED and MACHINE; of CHAIN; of SECTORS, LINES, WAVEFRONTS and VOLUME; of ATOMICS; of
 * OCCUPANCY, WAVES and REGISTERS. */
enum fw_status fw_feature_machine(double *value, const struct asking *asking);
enum fw_status fw_feature_chain(double *value, const struct asking *asking);
enum fw_status fw_feature_atomics(double *value, const struct asking *asking);
enum fw_status fw_feature_memory(double *value, const struct asking *asking);
enum fw_status fw_feature_residency(double *value, const struct asking *asking);

/* The ratio of accesses to distinct elements of an access of the record; NAN: not known. */
double fw_feature_ratio(struct fw_feature_source *source, const struct fw_feature_access *row);

#endif
