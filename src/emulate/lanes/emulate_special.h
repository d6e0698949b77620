/* Handlers of what is no plain function of one lane's numbers: predicates, packing, carries, warps.
 */
#ifndef FW_EMULATE_SPECIAL_H
#define FW_EMULATE_SPECIAL_H

#include "emulate_state.h"

/* The condition code's word in every frame: a carry bit a lane. */
#define CARRY_WORD 8

/* Predicates, bit by bit.  small[0]: which; d = a op b, words. */
enum { PREDICATE_MOVE, PREDICATE_NOT, PREDICATE_AND, PREDICATE_OR, PREDICATE_XOR };
emulate_handler fw_emulate_run_predicate;

/* After a comparison (word a): d = a op b, e = !a op b; small[0] as above, MOVE: no b.  immediate:
 * flips b. */
emulate_handler fw_emulate_run_combine;

/* d = predicate a ? immediate : 0; small[0]: bytes a lane. */
emulate_handler fw_emulate_run_truth;

/* testp: small[0]: 0 finite, 1 infinite, 2 number, 3 notanumber, 4 normal, 5 subnormal; small[1]:
 * f64. */
emulate_handler fw_emulate_run_test;

/* Bits of `a` from immediate on into d; small[0], small[1]: bytes a lane of a and d (a: 16: two
 * planes); small[2]: bits kept. */
emulate_handler fw_emulate_run_extract;

/* ORs the small[2] low bits of `a`, shifted left by immediate, into d; small as above. */
emulate_handler fw_emulate_run_insert;

/* Zero in all planes of d, small[1] bytes a lane. */
emulate_handler fw_emulate_run_clear;

/* add, sub, mad (lo, hi) with carry: small[0]: 0 add, 1 sub, 2 mad.lo, 3 mad.hi; small[1]: takes
 * the carry; small[2]: leaves one; small[3]: bytes a lane; small[4]: signed (mad.hi). */
emulate_handler fw_emulate_run_carry;

/* d = the run's clock (warp instructions so far); small[0]: bytes a lane; small[1]: upper half. */
emulate_handler fw_emulate_run_clock;

/* isspacep: word d = a lies in the space small[0]. */
emulate_handler fw_emulate_run_space;

/* Nothing but being counted. */
emulate_handler fw_emulate_run_nothing;

/* Warps (emulate_warp.c).  e: members.  shfl: d, a, b, c; immediate: word of the predicate or 0;
 * small[0]: enum fw_mode. */
emulate_handler fw_emulate_run_shuffle;
/* vote: word a (flipped by immediate), small[0]: mode; d: word, or slot for ballot. */
emulate_handler fw_emulate_run_vote;
/* match: small[0]: mode, small[1]: bytes a lane; immediate: word of the predicate or 0. */
emulate_handler fw_emulate_run_match;
/* redux: small[0]: mode; small[1]: signed. */
emulate_handler fw_emulate_run_redux;
emulate_handler fw_emulate_run_activemask;
/* elect: d: lane; immediate: word of the predicate or 0. */
emulate_handler fw_emulate_run_elect;

#endif
