/* What the files about differences share. */
#ifndef FW_DIFF_INTERNAL_H
#define FW_DIFF_INTERNAL_H

#include "diff.h"

#include <jansson.h>

/* In the order in which they are shown. */
#define DIFF_SECTIONS(X)                                                                           \
    X(LAUNCH, "launch")                                                                            \
    X(KERNEL, "kernel")                                                                            \
    X(WHAT_IF, "what if")                                                                          \
    X(TIME, "time")                                                                                \
    X(LIMITERS, "limiters")                                                                        \
    X(LINES, "lines")                                                                              \
    X(VOLUMES, "volumes")                                                                          \
    X(INSTRUCTIONS, "instructions")                                                                \
    X(OPERATIONS, "operations")                                                                    \
    X(MACHINE, "machine")                                                                          \
    X(MEMORY, "memory")                                                                            \
    X(UNKNOWNS, "unknowns")

enum diff_section {
#define X(name, text) DIFF_##name,
    DIFF_SECTIONS(X)
#undef X
        DIFF_SECTION_COUNT
};

/* Rows under way. */
struct diff_work {
    struct fw_arena *arena;
    const struct fw_sink *sink;
    const struct fw_diff_side *sides;
    size_t side_count, side; /* the one that is read */
    const struct fw_source *source;
    struct fw_map rows[DIFF_SECTION_COUNT]; /* by key: index in `all` */
    FW_VECTOR(struct fw_diff_row *) all;
    FW_VECTOR(enum diff_section) sections;
    /* By side: of each of its lines, from 1, the first side's; 0: it is its own.  NULL: as they
     * are. */
    const uint32_t **lines;
    const uint32_t *line_counts;
    enum fw_status status;
};

/* A fact of the side that is read; of one name, a text or number replaces the one before, and an
 * amount is added to it. */
void diff_text(struct diff_work *work, enum diff_section section, const char *name,
               const char *text);
void diff_number(struct diff_work *work, enum diff_section section, const char *name,
                 const char *unit, double value);
void diff_amount(struct diff_work *work, enum diff_section section, const char *name,
                 const char *unit, uint32_t line, double value);

/* diff_answers.c: the facts of one answer. */
void diff_read_answer(struct diff_work *work, json_t *answer);

/* diff_lines.c: for each line of `to`, from 1, the line of `from` that it is the same as, in order;
 * 0: none.  NULL: there are too many lines. */
const uint32_t *diff_match_lines(struct fw_arena *arena, const struct fw_source *from,
                                 const struct fw_source *to, uint32_t *count);

/* A line's text without the space around it; NULL: there is none. */
const char *diff_line_text(struct fw_arena *arena, const struct fw_source *source, uint32_t line);

#endif
