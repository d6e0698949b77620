/* Sequences: what L2 still holds of a launch's arrays from other launches before it.
 *
 * Takes which launches touched which arrays, in their order, and how much of each.  Gives, for an
 * array of the next launch, the bytes that were touched since an element of it was touched last:
 * between the same places of two launches that go through it in the same order, the rest of the one
 * and the begin of the other, and all launches between them.  What L2 keeps of so many bytes is
 * dram_volume.c's.  Never knows an address: an array is a name. */
#ifndef FW_SEQUENCE_H
#define FW_SEQUENCE_H

#include "arena.h"

#include <stdbool.h>
#include <stdint.h>

/* Arrays of the launches so far. */
struct fw_cache_state;

/* No launch so far; NULL: no memory. */
FW_GIVE struct fw_cache_state *fw_sequence_state_new(void);
void fw_sequence_state_free(FW_TAKE struct fw_cache_state *state);

/* The launch that comes next. */
struct fw_sequence {
    const struct fw_cache_state *state;
    const char *const *names; /* by array of the kernel's record; NULL: no array of the sequence */
    uint32_t arrays;
    double *touched, *stored; /* by array: bytes of lines that the launch touches and stores to; set
                                 by fw_launch_volumes_find */
    double *takes;            /* likewise: of L2 for each of the touched bytes; 1: as lines that one
                                 block loads */
    double wave;              /* likewise: its blocks, if they are one wave; else 0 */
};

/* A launch of `arrays` arrays; `state` and `names` must outlive it. */
struct fw_sequence *fw_sequence_new(struct fw_arena *arena, const struct fw_cache_state *state,
                                    const char *const *names, uint32_t arrays);

/* Forgets the launch's own sizes: it is asked about once more. */
void fw_sequence_begin(struct fw_sequence *sequence);

/* Of an array: what the last launch has touched (0), and what the last before it that touched more
 * of it has touched beyond that (1). */
enum { FW_SEQUENCE_LAYERS = 2 };

/* Places of an array that stand for all, from its begin to its end. */
enum { FW_SEQUENCE_PLACES = 8 };

static inline double fw_sequence_place(int p)
{
    return (p + 0.5) / FW_SEQUENCE_PLACES;
}

/* Bytes of distinct lines touched (or `stored` to) since the element at `place` (from 0, the begin,
 * to 1) of a layer of `array` was touched (stored to) last, up to where this launch touches it;
 * infinite where none was.  The launch's own sizes are known. */
double fw_sequence_since(const struct fw_sequence *sequence, uint32_t array, bool stored,
                         uint32_t layer, double place);

/* The share of what this launch touches (stores to) of the array that is of a layer; together 1
 * where launches before touched as many bytes as this one. */
double fw_sequence_share(const struct fw_sequence *sequence, uint32_t array, bool stored,
                         uint32_t layer);

/* Whether a layer of an array was touched by a launch of as many blocks as this one, and those of
 * each are one wave: each multiprocessor comes to what it came to then. */
bool fw_sequence_same_wave(const struct fw_sequence *sequence, uint32_t array, uint32_t layer);

/* What launches before have stored last, an array at a time: how many arrays there are; bytes of
 * lines of one of them, 0 where none was; whether this launch stores to it. */
size_t fw_sequence_left(const struct fw_sequence *sequence);
double fw_sequence_left_bytes(const struct fw_sequence *sequence, size_t left);
bool fw_sequence_stores_again(const struct fw_sequence *sequence, size_t left);

/* Bytes of distinct lines touched (or `stored` to) since the line at `place` of it (from 0, its
 * begin, to 1) was stored, until this launch has done a part of its work (0 to 1). */
double fw_sequence_passed(const struct fw_sequence *sequence, size_t left, bool stored,
                          double place, double part);

/* Launches before have ended, and this one has: to be called once a launch.  False: no memory. */
bool fw_sequence_end(struct fw_cache_state *state, const struct fw_sequence *sequence);

#endif
