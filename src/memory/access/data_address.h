/* Addresses with parts that data decide, and what is taken of them.
 *
 * Takes a record's parted addresses (fw_data_address) at a bound launch.  A part varies with the
 * indices that its inputs contain, and with no others: lanes, blocks and iterations with equal
 * inputs have the same value.  An address is
 *   drawn    each thread draws one of the places that types, masks, remainders or limits leave, or
 *            of those of an index array in random order, or of as many as it has loads where each
 *            names the next (a list), or of what each step of a search by halves or of a walk down
 *            a binary tree may be at: cache/random_access.h models it;
 *   moved    the rest and the parts together move almost as an affine access does: rows begin
 *            anywhere (evenly spread over the range, or each its own), and the rest runs within a
 *            row; an index array names neighbours of a thread's own element, or is sorted;
 *   open     nothing is known of it.
 * The order of index arrays is a launch's `kinds`.  A value that is loaded beside its neighbour as
 * the end of a row is a prefix sum: the rows adjoin, each as long as the mean.  Gives strides to
 * affine accesses and addresses of single threads.  Never counts sectors. */
#ifndef FW_DATA_ADDRESS_H
#define FW_DATA_ADDRESS_H

#include "affine_access.h"
#include "launch.h"

/* Index arrays name elements this near to a thread's own, where they name neighbours. */
enum { FW_DATA_NEAR = 1024 };

/* Elements along each axis that data move a place by from a thread's own, where nothing bounds it:
 * semi-Lagrangian schemes are stable at any Courant number and run at some four to six, about as
 * far as a picture's motion is followed within one level of a pyramid. */
enum { FW_DATA_DISPLACED = 4 };

enum fw_data_model { FW_DATA_OPEN, FW_DATA_DRAWN, FW_DATA_MOVED };

struct fw_data_access {
    enum fw_data_model model;
    double extent; /* DRAWN: bytes that addresses are drawn over */
    double levels; /* DRAWN in a search by halves: its steps, each at twice as many places */
    struct fw_tree_walk {
        double first, each, count; /* steps before its first execution, from one to the next, and
                                      executions of one walk; count 0: it is none */
        double trees;              /* that one thread walks down */
        double node;               /* bytes from one place of a step to the next */
    } walk;                        /* DRAWN in a walk down binary trees: after k steps at one of 2^k
                                      places, one beside the other */
    struct fw_columns {
        double row;    /* bytes; 0: it is none */
        double rows;   /* of the launch */
        double chosen; /* columns of each row */
    } columns;         /* DRAWN: each thread comes again and again to a row of its own, in columns
                          that data choose */
    double within;     /* the array's bytes, where the launch states them and what is asked of rows
                          that data choose does not fit apart from each other; else 0 */
    bool by_index;     /* an index array, whose order matters, decides */
    uint8_t kind;      /* by_index: enum fw_index_kind, never FW_INDEX_USUAL */
    bool round;        /* by_index, RANDOM: as many elements as the array has that chooses them */
    bool displaced;    /* places near a thread's own: what data move them by is bounded, stated or
                          usual */
    bool usually_displaced; /* by as much as is usual */
    bool cursor;            /* displaced: places that loops move on when data say so */
    bool usual_range;       /* the range supposes that loaded numbers lie from 0 to 1 */
    bool rows;              /* its rows are taken to adjoin */
    bool ranked;            /* lanes that a vote names have places one after the other */
    bool labelled; /* an index that blocks load chooses among rows that several of them have */
    bool list;     /* each load names the place of the next: each comes to a place of its own */
};

struct fw_data_addresses;

/* All memory is the arena's.  `kernel`, `bound` and `launch` must outlive the result. */
struct fw_data_addresses *fw_data_addresses_new(struct fw_arena *arena,
                                                const struct fw_kernel *kernel,
                                                struct fw_bound *bound,
                                                const struct fw_launch *launch);

/* What is taken of an access (index in the record); found once.  OPEN for one whose address does
 * not depend on data. */
const struct fw_data_access *fw_data_access(struct fw_data_addresses *addresses, uint32_t access);

/* Adds to a shape of a MOVED access's rest the strides of its parts.  `floors`: where threads share
 * the values of a part, to the floor of their x, which the shape then has in its address. */
void fw_data_move(struct fw_data_addresses *addresses, uint32_t access, struct fw_shape *shape,
                  bool floors);

/* Sets what the places of a block's threads, which data move from the threads' own, cover beyond
 * these: spans of a MOVED access by its rest's shape, behind the `count` that it has.  Gives how
 * many there are then; what there is no room for is left out. */
uint32_t fw_data_spans(struct fw_data_addresses *addresses, uint32_t access,
                       const struct fw_shape *shape, struct fw_affine_span spans[FW_AFFINE_SPANS],
                       uint32_t count);

/* Whether threads share a value of a part that is spread over rows, and the shape, as it was found,
 * has the floor of the thread's x by which they do. */
bool fw_data_moves_floors(struct fw_data_addresses *addresses, uint32_t access,
                          const struct fw_shape *shape);

/* The address of a parted access at a point, in bytes from its array's begin: parts are random
 * numbers, equal where their inputs are.  False: an argument that it needs is not bound. */
bool fw_data_address_at(struct fw_data_addresses *addresses, uint32_t access,
                        const struct fw_point *point, int64_t *address);

#endif
