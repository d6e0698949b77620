/* Mutants of real PTX, for mutate_ptx.c: a file of a corpus, changed in its lines (swapped,
 * repeated, deleted, moved, brought from another file), operands (exchanged, doubled, renamed),
 * constants, types, labels and predicates.  Takes the texts of the corpus and a generator of random
 * numbers; gives a text that most often still reads as PTX.  The same state of the generator gives
 * the same mutant of the same corpus.  It never reads or runs what it makes. */
#ifndef PTX_MUTATOR_H
#define PTX_MUTATOR_H

#include "arena.h"
#include "random.h"

#include <stdbool.h>

struct ptx_corpus {
    FW_VECTOR(const char *) texts;
};

/* A mutant of one of the corpus's texts (there is at least one), held by `arena`. */
const char *ptx_mutant(struct fw_arena *arena, const struct ptx_corpus *corpus,
                       struct fw_random *random);

/* One of the `count` texts. */
const char *random_text(struct fw_random *random, const char *const *texts, size_t count);
#define RANDOM_TEXT(random, texts) random_text((random), (texts), sizeof(texts) / sizeof *(texts))

/* Whether an event of one in `times` happens. */
bool one_in(struct fw_random *random, int64_t times);

#endif
