/* Differences: what changed between answers.
 *
 * Takes answers of count, predict and traffic as JSON (docs/schema), recorded or made a moment ago,
 * some of them of one side; gives a row for each fact of any of them, with a cell a side.  Facts of
 * source lines are joined by line; where the sides have their code, and it differs, a line of the
 * first side and the line of another side that it became share a row.  Answers may come from
 * anybody: what is not of their form is refused.  Never reads a file, never renders. */
#ifndef FW_DIFF_H
#define FW_DIFF_H

#include "arena.h"
#include "diagnostic.h"
#include "status.h"
#include "text.h"

#include <stdbool.h>
#include <stdint.h>

struct fw_diff_side {
    const char *name; /* as the user knows it */
    const struct fw_source *answers;
    size_t answer_count;
    const struct fw_source *code; /* that source lines are of; NULL: not at hand */
};

struct fw_diff_cell {
    bool known;
    const char *text; /* NULL: a number */
    double value;
};

struct fw_diff_row {
    const char *section; /* "time", "limiters", "volumes", ... */
    const char *name;
    const char *unit;      /* "" for none, and of texts */
    uint32_t line;         /* of the first side, or of the side whose own it is; 0: of none */
    uint32_t line_side;    /* which side `line` is of */
    const char *line_text; /* NULL: the code is not at hand */
    struct fw_diff_cell *cells;
    bool changed;
};

struct fw_diff {
    const char **names;
    size_t side_count;
    /* By section, in the order of the sections; in a section of counts and costs the largest
     * changes first. */
    struct fw_diff_row **rows;
    size_t row_count, changed;
};

/* FW_ERROR_INPUT (DIF001: not JSON, with the place; DIF002: no answer of these commands; DIF003: a
 * member is not what it must be; DIF004: more than 100,000 facts).  All lives in the arena. */
enum fw_status fw_diff_find(struct fw_diff *diff, struct fw_arena *arena,
                            const struct fw_diff_side *sides, size_t count,
                            const struct fw_sink *sink);

/* Whether a text is a JSON object with "forewarp": an answer. */
bool fw_diff_is_answer(const struct fw_source *source);

#endif
