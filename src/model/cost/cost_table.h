/* Tables of measurements: kernels by features.
 *
 * Takes CSV (a first row of names, then a row a kernel, its name in the first column) or JSON (an
 * array of objects, or an object whose member "rows" is one; the member "kernel" is the name, other
 * members are features).  A CSV's lines that begin with # are comments; "# device: NAME" states the
 * device, as the member "device" does in JSON.  Gives the columns that a model asks for.  Never
 * opens a file. */
#ifndef FW_COST_TABLE_H
#define FW_COST_TABLE_H

#include "cost_model.h"

struct fw_cost_cell {
    double number; /* NAN: the cell is empty or absent */
    struct fw_span place;
};

struct fw_cost_table {
    const struct fw_source *source;
    const char *device; /* NULL: not stated */
    struct fw_map columns;
    const char **names; /* of columns, as features are compared; `column_count` */
    size_t column_count;
    const char **rows; /* names of kernels, `row_count` */
    struct fw_span *places;
    size_t row_count;
    FW_VECTOR(struct fw_cost_cell) cells; /* by rows */
};

/* Reads a table into the arena.  FW_ERROR_INPUT (COST020 to COST025): it is damaged. */
enum fw_status fw_cost_table_read(struct fw_cost_table **table, struct fw_arena *arena,
                                  const struct fw_source *source, const struct fw_sink *sink);

/* The number of a feature's column; SIZE_MAX: there is none. */
size_t fw_cost_table_column(const struct fw_cost_table *table, const char *feature);

/* A model's data in a table: feature f of row r is features[f * row_count + r]. */
struct fw_cost_data {
    double *features;
    double *output; /* NULL: the table has no such column */
};

/* Finds a model's features in the table, and its output where it is there or `needs_output`.
 * FW_ERROR_INPUT (COST022, COST021, COST024): a feature that the model names is no column, a row
 * lacks it, or the output of a row is not more than 0. */
enum fw_status fw_cost_data_find(struct fw_cost_data *data, struct fw_arena *arena,
                                 const struct fw_cost_table *table,
                                 const struct fw_cost_model *model, bool needs_output,
                                 const struct fw_sink *sink);

#endif
