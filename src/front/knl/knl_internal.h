/* What the reader's parts share. */
#ifndef FW_KNL_INTERNAL_H
#define FW_KNL_INTERNAL_H

#include "knl_reader.h"

typedef FW_VECTOR(const char *) knl_names;

enum token_kind { TOKEN_END, TOKEN_LINE, TOKEN_NAME, TOKEN_INTEGER, TOKEN_REAL, TOKEN_MARK };

struct token {
    enum token_kind kind;
    const char *text; /* in the source; marks have one or two characters */
    size_t length;
    int64_t integer;
    double real;
    enum fw_type type;
};

enum frame_kind { FRAME_FOR, FRAME_IF, FRAME_ELSE };
struct frame {
    enum frame_kind kind;
    knl_names names;
    struct fw_loop_expression *condition;
    struct fw_span span;
};

enum { KNL_FRAMES_MOST = 64, KNL_NESTING_MOST = 100, KNL_TEXT_MOST = 1 << 20 };

struct knl {
    struct fw_arena *arena;
    const struct fw_source *source;
    const struct fw_sink *sink;
    struct fw_loop_program *program;
    const char *at;   /* behind `token` */
    unsigned nesting; /* of brackets: line ends mean nothing inside */
    unsigned depth;   /* of expressions */
    struct token token;
    struct frame frames[KNL_FRAMES_MOST];
    unsigned frame_count;
};

/* The place of some text of the source. */
struct fw_span knl_span(const struct knl *knl, const char *text, size_t length);

/* Reports at the token; returns FW_ERROR_INPUT. */
enum fw_status knl_fault(struct knl *knl, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reads the next token. */
enum fw_status knl_next(struct knl *knl);

/* Whether the token is that mark; takes it if so. */
bool knl_is(const struct knl *knl, const char *mark);
enum fw_status knl_expect(struct knl *knl, const char *mark);

/* An expression, from the token on. */
enum fw_status knl_expression(struct fw_loop_expression **expression, struct knl *knl);

/* NAME, NAME$tag, either with subscripts; from the token on. */
enum fw_status knl_access(struct fw_loop_expression **expression, struct knl *knl);

/* ---- directives, word by word ---- */

/* The next run of non-blanks in the line becomes the token; `=`, `,`, `:` and `[` are words. */
void knl_word(struct knl *knl);
/* The token's text, interned. */
const char *knl_word_text(struct knl *knl);
enum fw_status knl_name(const char **name, struct knl *knl);
enum fw_status knl_number(int64_t *value, struct knl *knl);
enum fw_status knl_line_end(struct knl *knl);

/* A line that changes the program, its word having been read.  `*known` false: it is none. */
enum fw_status knl_transformation(struct knl *knl, const char *word, bool *known);

#endif
