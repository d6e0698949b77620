/* Shared by the files that plan, evaluate and spread addresses with parts that data decide. */
#ifndef FW_DATA_ADDRESS_INTERNAL_H
#define FW_DATA_ADDRESS_INTERNAL_H

#include "data_address.h"

enum { DATA_LOOPS = 64 }; /* loops of a kernel at most */

/* The indices that a value varies with: bits of blocks and threads, then loops. */
struct data_varying {
    uint8_t launch;
    uint64_t loops;
};

/* How a part is modelled. */
enum data_part_model { DATA_ROW_END, DATA_INDEX, DATA_BOUNDED, DATA_UNBOUNDED };

/* Values that an index chooses which blocks load, several of them the same: labels of groups of
 * blocks. */
struct data_labels {
    uint32_t axis;       /* of the launch, that it varies with */
    double count;        /* labels of the launch; 0: it is no label */
    int64_t least, unit; /* the first label's place; from one to the next */
    int64_t run;         /* labels one after the other that have one value */
};

struct data_part_plan {
    enum data_part_model model;
    struct data_varying varying;
    int64_t coefficient, low, high; /* bytes; of the value */
    bool displaced;        /* DATA_BOUNDED: around own places of threads, not over a working set */
    uint32_t choice_count; /* DATA_BOUNDED: the value is one of so many; 0: any */
    int64_t choices[FW_DATA_CHOICES_MOST];
    double mean_row; /* DATA_ROW_END: elements from row to row */
    int64_t unit;    /* DATA_INDEX: elements of the index array from thread to thread */
    enum { ORIGIN_UNASKED, ORIGIN_KNOWN, ORIGIN_UNKNOWN } origin;
    double begin; /* the element that its load asks for at the first thread and iteration */
    struct data_labels labels;
};

struct data_plan {
    bool known;
    int64_t columns; /* bytes of the rows whose columns data choose; 0: they choose none */
    struct fw_data_access access;
    struct data_part_plan *parts; /* NULL: not all are planned, or none can be */
};

/* Where the rows of one value lie among those of others that name rows of the same array. */
struct data_place {
    uint32_t array;
    uint32_t from;       /* the index array; FW_NONE: the value is computed */
    fw_expression named; /* where it is loaded; of one that is computed, the value */
    double begin, end;   /* bytes */
};

/* Places of the labels of sampled blocks of an axis, from one to another; NULL: not known. */
struct data_label_samples {
    fw_expression input;
    uint32_t axis, low, high;
    const int64_t *at;
};

struct fw_data_addresses {
    struct fw_arena *arena;
    const struct fw_kernel *kernel;
    struct fw_bound *bound;
    const struct fw_launch *launch;
    struct data_plan *plans; /* by access */
    uint32_t *access_of;     /* by instruction: its load + 1; 0: none */
    double *asked; /* by array: bytes asked for at places that data choose; NULL: not yet found */
    uint32_t nested;
    FW_VECTOR(struct data_place) places;
    FW_VECTOR(struct data_label_samples) labels;
};

/* data_address.c: the plan of an access, made once; the load that a part is, FW_NONE. */
struct data_plan *data_plan(struct fw_data_addresses *addresses, uint32_t access);
uint32_t data_load(const struct fw_data_addresses *addresses, const struct fw_data_part *part);

/* data_address.c: what expressions vary with at a launch, and whether threads of a block are among
 * it; the first point of a launch; how many threads execute an access, in all iterations. */
struct data_varying data_varying_of(const struct fw_data_addresses *addresses,
                                    const fw_expression *expressions, uint32_t count);
bool data_of_threads(struct data_varying varying);
const struct fw_point *data_anywhere(void);
double data_executions(struct fw_data_addresses *addresses, uint32_t access);

/* data_extent.c: decides what is taken of an access, whose parts are planned. */
void data_decide(struct fw_data_addresses *addresses, uint32_t index, struct data_plan *plan);

/* data_strides.c: neighbouring threads of x that have one value of a part, from a multiple of as
 * many on: a power of two; 1: each has its own, or that is not known. */
uint32_t data_threads_together(const struct fw_data_addresses *addresses,
                               const struct fw_data_part *part);

/* data_address.c: bytes of an array, as the launch states them (-s ARRAY.bytes); 0: it does not. */
double data_stated_bytes(const struct fw_data_addresses *addresses, const struct fw_access *access);

/* data_labels.c: whether a part that is planned is a label of blocks, and of how many. */
void data_find_labels(struct fw_data_addresses *addresses, const struct fw_access *access,
                      const struct fw_data_part *of, struct data_part_plan *part);

/* data_labels.c: by how many values of labels each variable of a shape moves from the `first` one,
 * to which shape it may add a floor of the block's index.  False: the part is no label, or no
 * floors tell it. */
bool data_label_form(struct fw_data_addresses *addresses, const struct data_part_plan *part,
                     const struct fw_data_part *of, struct fw_shape *shape,
                     double labels[FW_SHAPE_VARIABLES], double *first);

/* data_values.c: one random number of another. */
uint64_t data_mix(uint64_t key, uint64_t value);

/* data_wraps.c: the elements of an index array that a load goes round, by the remainder or the mask
 * that chooses them; 0: it does not, or that is not known. */
double data_elements_round(struct fw_data_addresses *addresses, uint32_t load);

/* data_values.c: where a load of an index array or of the ends of rows is, in elements; parts of
 * its own address have their usual values.  False: that is not known. */
bool data_element(struct fw_data_addresses *addresses, uint32_t load, const struct fw_point *point,
                  bool random, double *element);

/* data_values.c: the usual value of a part that is an index or the end of a row; `random`: with
 * what is not known of it drawn at random.  0 for others. */
bool data_usual_value(struct fw_data_addresses *addresses, const struct fw_data_access *access,
                      const struct fw_data_part *part, struct data_part_plan *plan,
                      const struct fw_point *point, bool random, double *value);

#endif
