/* Forests as bytes, and as C.
 *
 * Bytes, little-endian: features and trees (16 bits each), the offset and, by feature, the
 * importance (64-bit floats); then each tree, a node before its left and then its right part: the
 * feature (8 bits; as many as there are features: a leaf) and the cut or the leaf's value (32-bit
 * float).  Nodes name no places, so that whatever is read is a tree. */
#ifndef FW_FOREST_FILE_H
#define FW_FOREST_FILE_H

#include "forest.h"
#include "text.h"

/* Adds the bytes. */
void fw_forest_write(struct fw_buffer *out, const struct fw_forest *forest);

/* Reads what fw_forest_write wrote: predictions are equal to the bit.  FW_ERROR_INPUT with TREE010
 * (cut short), TREE011 (a number that cannot be), TREE012 (bytes behind the end), at `place`;
 * FW_ERROR_MEMORY. */
enum fw_status fw_forest_read(FW_GIVE struct fw_forest **forest, const unsigned char *bytes,
                              size_t length, struct fw_span place, const struct fw_sink *sink);

/* Adds C17 without dependencies: tables, and `double NAME(const double *row)`, which gives the same
 * predictions. */
void fw_forest_write_c(struct fw_buffer *out, const struct fw_forest *forest, const char *name);

#endif
