/* Tables of features for more than one call of the interface. */
#ifndef FW_API_TABLE_H
#define FW_API_TABLE_H

#include "api_check.h"
#include "cost_model.h"

struct api_table {
    const struct fw_context *context;
    struct fw_arena *arena;
    const char *const *launches; /* paths of lists, or of folders with launches.json */
    size_t launch_count;
    const char *measured; /* path of records; NULL: a campaign of the store */
    const char *store, *campaign;
    /* For features that need a profile; NULL: none, or one that is looked for by its name or path
     * when a feature needs it. */
    const struct fw_device *device;
    const char *device_name;
};

/* The launches' features that a model asks for, and its output unless `measured` and `store` are
 * NULL, as CSV.  Rows that are missing because nothing was measured are told as a warning (CAL007).
 */
enum fw_status api_table_of_model(struct fw_buffer *csv, const struct api_table *table,
                                  const struct fw_cost_model *model);

#endif
