/* What the parts share: expressions over a variant's names, and the expansion of templates. */
#ifndef FW_GENERATE_INTERNAL_H
#define FW_GENERATE_INTERNAL_H

#include "generate.h"

/* A name that %for gave a value. */
struct generate_loop {
    const char *name;
    struct fw_generate_value value;
};

/* Where an expression's names get their values. */
struct generate_names {
    struct fw_arena *arena;
    const struct fw_sink *sink;
    const struct fw_generate_value *(*find)(const struct generate_names *names, const char *name);
    const void *user;
    FW_VECTOR(struct generate_loop) loops; /* of %for lines */
    bool sizes_refused;                    /* a template is the same for all sizes */
};

enum {
    GENERATE_DEPTH_MOST = 64,
    GENERATE_NAME_MOST = 40,
    GENERATE_TEXT_MOST = 1 << 20,
    GENERATE_TEMPLATE_MOST = 1 << 16
};

/* Numbers below this are exact, and all that a launch holds is. */
#define GENERATE_NUMBER_MOST 9007199254740992.0

/* The value of `length` bytes of an expression, which stand in the span's source at its offset.
 * GEN002: it makes no sense. */
enum fw_status generate_evaluate(struct fw_generate_value *value, struct generate_names *names,
                                 struct fw_span span);

/* A condition: a number that is not 0. */
enum fw_status generate_holds(bool *holds, struct generate_names *names, struct fw_span span);

/* A number as a value, with its digits. */
struct fw_generate_value generate_number(struct fw_arena *arena, double number);

/* A word of a tag file or of the command line: "16", "1K", "f32". */
struct fw_generate_value generate_word(struct fw_arena *arena, const char *text, size_t length);

/* Whether two values are the same: numbers, words, or two names of one type. */
bool generate_same(const struct fw_generate_value *a, const struct fw_generate_value *b);

/* A name that a kernel, a file and C may have: letters, digits, "_". */
bool generate_is_name(const char *text, size_t length);

/* A template's text for a variant, and from which of its lines each came. */
struct generate_expansion {
    const struct fw_source *template;
    struct fw_source source;
    FW_VECTOR(uint32_t) lines; /* from 1 */
};
enum fw_status generate_expand(struct generate_expansion *expansion, struct fw_arena *arena,
                               const struct fw_generate_variant *variant,
                               const struct fw_sink *sink);

/* The names of a variant. */
struct generate_names generate_names_of(struct fw_arena *arena,
                                        const struct fw_generate_variant *variant,
                                        const struct fw_sink *sink);

/* A line without blanks at its ends, as a span. */
struct fw_span generate_trimmed(const struct fw_source *source, const char *begin, const char *end);

#endif
