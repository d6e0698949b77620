/* What the files about address expressions share. */
#ifndef FW_ADDRESS_INTERNAL_H
#define FW_ADDRESS_INTERNAL_H

#include "address_reader.h"

#include <jansson.h>

enum {
    ADDRESS_FIELDS = 256,
    ADDRESS_SIZES = 64,
    ADDRESS_LOOPS = 4,
    ADDRESS_ACCESSES = 4096,   /* of a thread, all of its points together */
    ADDRESS_POINTS = 64,       /* of a thread */
    ADDRESS_OPERATIONS = 65536 /* rows of a thread */
};

/* Where in the tree: a member or an element of what `in` is. */
struct place {
    const struct place *in; /* NULL: the whole */
    const char *key;        /* NULL: the element `index` */
    size_t index;
};

/* An expression or condition as written. */
struct address_text {
    const char *text;
    struct fw_span span; /* of the text itself, without quotes */
};

struct address_size {
    const char *name;
    int64_t value;
};

struct address_field {
    const char *name;
    enum fw_type type;
    enum fw_space space;
    uint32_t bytes, alignment, array;
    int64_t offset; /* bytes from the array's begin */
    uint32_t axes;
    struct address_text shape[FW_ADDRESS_AXES], strides[FW_ADDRESS_AXES], origin[FW_ADDRESS_AXES];
    bool has_strides, has_origin;
    struct fw_span span;
};

struct address_access {
    enum fw_direction direction;
    uint32_t field;
    struct address_text at[FW_ADDRESS_AXES];
    uint32_t axes;
    struct address_text (*offsets)[FW_ADDRESS_AXES];
    uint32_t offset_count; /* 0: `at` alone */
    struct address_text *where;
    uint32_t where_count;
    uint32_t vector;
    const char *loop;          /* that it stands in; NULL: the innermost that it mentions */
    struct address_text drawn; /* instead of `at`: an element below this, each evenly; text NULL */
    struct fw_span span;
};

struct address_operation {
    const char *name;
    enum fw_type type;
    uint32_t times, flops;
    enum fw_group group;
    uint32_t depth;   /* of loops around it */
    uint32_t chained; /* so many of them wait, each for the one before in the chain */
    uint32_t line;
};

/* Of a point outside of loops, or of a turn of one. */
struct address_work {
    bool has_instructions, has_chain;
    uint32_t instructions; /* in all: loads, stores and operations are among them */
    struct fw_span span;   /* of the number */
};

struct address_loop {
    const char *name;
    struct address_text trips;
    uint32_t line;
};

/* The text, understood but for its expressions. */
struct description {
    const char *name;
    const char *coordinates[FW_ADDRESS_AXES];
    uint32_t axes;
    struct address_text domain[FW_ADDRESS_AXES];
    FW_VECTOR(struct address_size) sizes;
    FW_VECTOR(struct address_field) fields;
    FW_VECTOR(struct address_loop) loops; /* outermost first */
    FW_VECTOR(struct address_access) accesses;
    FW_VECTOR(struct address_operation) operations;
    struct address_work work[ADDRESS_LOOPS + 1]; /* by depth of loops */
    struct {
        const char **names;
        struct address_text *texts;
        uint32_t count;
    } lets;
    struct address_text *where;
    uint32_t where_count;
    uint32_t block[3], grid[3], coarsening[3], registers, static_shared;
    uint64_t shared;
};

struct reader {
    struct fw_arena *arena;
    const struct fw_source *source;
    const struct fw_sink *sink;
    struct description all;
    bool failed;
};

/* address_place.c: the bytes of a place's value in a text that is JSON; strings without quotes. */
struct fw_span address_span(const struct fw_source *source, const struct place *place);
uint32_t address_line(struct fw_span span);

/* An error with the place of a value. */
#define FAIL(reader, code, place, ...)                                                             \
    ((reader)->failed = true, fw_report((reader)->sink, FW_ERROR, code,                            \
                                        address_span((reader)->source, (place)), __VA_ARGS__))

/* address_values.c: places in an object and a list; values, and a message where they make no sense.
 */
struct place address_member(const struct place *in, const char *key);
struct place address_element(const struct place *in, size_t index);
/* Every member must be one of those in `allowed`, which ends with NULL. */
bool address_members(struct reader *reader, json_t *object, const struct place *place,
                     const char *what, const char *const *allowed);
/* A name that expressions can hold. */
const char *address_name(struct reader *reader, const char *name, const struct place *place);
bool address_whole(struct reader *reader, json_t *value, const struct place *place, json_int_t low,
                   json_int_t high, json_int_t *result);
/* An expression: a text or a whole number.  A list of them, or one alone. */
struct address_text address_text_of(struct reader *reader, json_t *value,
                                    const struct place *place);
struct address_text *address_texts(struct reader *reader, json_t *value, const struct place *place,
                                   uint32_t *count);
/* One to three expressions, as many as `axes` where that is not 0.  How many. */
uint32_t address_axes(struct reader *reader, json_t *value, const struct place *place,
                      struct address_text to[FW_ADDRESS_AXES], uint32_t axes);

/* address_work.c: the members "operations", "chain" and "instructions" of the whole (depth 0) or of
 * a loop (its depth, from 1). */
void address_work(struct reader *reader, json_t *object, const struct place *place, uint32_t depth);

/* address_access.c: the field called so, FW_NONE; the accesses of the member `key`. */
uint32_t address_find_field(const struct reader *reader, const char *name, size_t length);
void address_accesses(struct reader *reader, json_t *root, const char *key,
                      enum fw_direction direction);

/* What a name means at one point of a thread. */
struct meaning {
    const char *name;
    fw_expression value;
    bool varies;   /* a coordinate or a loop is in it */
    uint32_t loop; /* the innermost loop in it, as a depth from 1; 0: none */
};

struct meanings {
    struct fw_arena *arena;
    struct fw_pool *pool;
    const struct fw_sink *sink;
    const struct meaning *at;
    uint32_t count;
};

/* address_expression.c: an expression, and a comparison of two.  False, and a message: it makes no
 * sense. */
bool address_evaluate(struct meaning *result, const struct meanings *names,
                      const struct address_text *text);
bool address_condition(fw_condition *result, uint32_t *loop, const struct meanings *names,
                       const struct address_text *text);

/* address_record.c: the record from the description.  False, and messages: it cannot be made. */
bool address_build(struct fw_address_kernel *kernel, struct reader *reader);

#endif
