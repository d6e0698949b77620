/* Shared by the files that divide an address into a rest and parts that data decide. */
#ifndef FW_RECORD_PARTING_H
#define FW_RECORD_PARTING_H

#include "record_internal.h"

enum { MOST_PARTS = 6 };

struct parting {
    struct builder *b;
    fw_expression rest;
    struct fw_data_part parts[MOST_PARTS];
    uint32_t count, where;
    bool failed;
    bool progressed; /* how far a loop has come is left out of the rest */
    bool ranked;     /* lanes have places one after the other, `rank_times` apart */
    fw_expression rank_times;
};

/* record_data.c: divides an operand, `times` so much, as seen in block `where`, at so many calls'
 * `depth`. */
void parting_operand(struct parting *parting, const struct fw_operand *operand, enum fw_type type,
                     fw_expression times, uint32_t where, unsigned depth);
/* Adds a part; adds what another parting found. */
void parting_add(struct parting *parting, uint32_t value, fw_expression times);
void parting_join(struct parting *parting, const struct parting *inner);
/* Constants, arguments and sizes of the launch alone. */
bool parting_is_fixed(struct builder *b, fw_expression a);

/* record_near.c: what brings a place that leaves an array at one end in again at the other, where
 * data move it from a thread's own, by an `and` or a select: few places do, and it is left out.
 * False: it is no such sum. */
bool parting_around(struct parting *parting, const struct fw_instruction *at, unsigned depth);
/* One of two by a select: a place that data move from a thread's own and its limit, or that place
 * and where it comes in again at the other end.  The limit, and the way around, are left out.
 * False: it is no such select. */
bool parting_selected(struct parting *parting, const struct fw_instruction *at, fw_expression times,
                      unsigned depth);
/* What is rounded from the sum of a thread's own coordinate and what data move it by.  False: it
 * is no such sum. */
bool parting_displaced(struct parting *parting, uint32_t instruction, fw_expression times);

/* record_cursor.c: a value that a loop moves on by a fixed step, or leaves, as data decide: its
 * mean course goes to the rest, and how far a thread is from that is a part.  False: it is no such
 * value.
 */
bool parting_cursor(struct parting *parting, uint32_t value, fw_expression times, unsigned depth);
/* How far an earlier loop has moved such a value is left out, as if it had not.  False: none has.
 */
bool parting_cursor_left(struct parting *parting, uint32_t value, fw_expression times);

#endif
