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
    struct fw_loop_expression *condition; /* of the part at hand */
    struct fw_loop_expression *taken;     /* that an earlier part, or this one, is entered */
    struct fw_span span;
};

enum { KNL_FRAMES_MOST = 64, KNL_NESTING_MOST = 100, KNL_TEXT_MOST = 1 << 20 };

#define KNL_CONSTANT_MOST (INT32_MAX * (int64_t)1024) /* as literals */

/* "name(a, b) := expression": the call stands for the expression from now on. */
struct knl_rule {
    const char *name;
    knl_names formals;
    struct fw_loop_expression *body;
};

/* A function: a program that was not finished, and its name. */
struct knl_function {
    const char *name;
    struct fw_loop_program *program;
    struct fw_span span;
};

/* "let NAME = VALUE": a whole number that stands where the name does. */
struct knl_constant {
    const char *name;
    int64_t value;
    struct fw_span span;
};

/* "-DNAME=VALUE" for one of them. */
struct knl_define {
    const char *text; /* "NAME=VALUE" */
    const char *name;
    int64_t value;
    bool taken; /* there was such a constant */
};

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
    const char *wanted; /* the kernel to read; NULL: the only one */
    bool slices;        /* ":" may be a subscript here */
    FW_VECTOR(struct knl_function) functions;
    FW_VECTOR(struct knl_rule) rules; /* of the kernel; a function's are its own */
    size_t rules_before;              /* of the caller, while a function is read */
    struct fw_loop_program *caller;   /* while a function is read */
    FW_VECTOR(struct knl_constant) constants;
    FW_VECTOR(struct knl_define) defines;
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

/* Expressions up to the closing mark, which is taken. */
typedef FW_VECTOR(struct fw_loop_expression *) knl_expressions;
enum fw_status knl_list(knl_expressions *list, struct knl *knl, const char *closing);

/* "function NAME [(a, b)]": its lines are read into a program of its own, to the matching end. */
enum fw_status knl_function_begin(struct knl *knl);
enum fw_status knl_function_end(struct knl *knl);

/* Rules of substitution, "name(a, b) := expression". */
bool knl_is_rule(const char *line);
enum fw_status knl_rule_line(struct knl *knl);
/* The rule of that name, or NULL; its body for arguments. */
const struct knl_rule *knl_find_rule(const struct knl *knl, const char *name);
enum fw_status knl_expand(struct fw_loop_expression **expression, struct knl *knl,
                          const struct knl_rule *rule, const knl_expressions *arguments,
                          struct fw_span span);

/* Whether a call of a function follows, the token being behind "=". */
bool knl_is_call(const struct knl *knl);

/* "name(arguments)", then options: the function's statements in its place, for the targets.
 * `around` has loops and conditions, and takes the options. */
enum fw_status knl_call(struct knl *knl, const knl_expressions *targets,
                        struct fw_loop_statement *around, struct fw_span span);

/* "{id=first, dep=a:b}", the token being the brace. */
enum fw_status knl_options(struct knl *knl, struct fw_loop_statement *statement);

/* "array a, b: f32[n]", "temporary t: f32[16] shared", the word having been read. */
enum fw_status knl_arrays(struct knl *knl, bool temporary);

/* ---- constants ---- */

/* "let NAME = VALUE", the word having been read. */
enum fw_status knl_let(struct knl *knl);

/* The constant of that name, or NULL. */
const struct knl_constant *knl_find_constant(const struct knl *knl, const char *name,
                                             size_t length);

/* The constant as an expression: what its literal would be. */
struct fw_loop_expression *knl_constant(struct knl *knl, const struct knl_constant *constant,
                                        struct fw_span span);

/* The names between the bracket at hand and ")", which is the token afterwards. */
enum fw_status knl_formals(knl_names *formals, struct knl *knl, struct fw_loop_program *program);

/* Refuses the token when it is a constant: something is named here. */
enum fw_status knl_check_name(struct knl *knl);

/* One constant in a text for isl (struct knl_filling). */
struct knl_patch {
    uint32_t to, to_length; /* in the text */
    uint32_t from, from_length;
};
struct knl_filling {
    struct knl *knl;
    struct fw_loop_program *program;
    const char *text;
    struct fw_span span; /* of `text`, from where it begins in the source */
    struct fw_sink sink;
    const struct fw_sink *before;
    FW_VECTOR(struct knl_patch) patches;
};
/* `domain`: names stand before its colon. */
enum fw_status knl_fill(struct knl_filling *filling, struct knl *knl, const char *start,
                        size_t length, bool domain);
void knl_filled(struct knl_filling *filling);

/* What the options say of constants; and whether there were all of these. */
enum fw_status knl_take_defines(struct knl *knl, const struct fw_knl_options *options);
enum fw_status knl_check_defines(struct knl *knl);

/* The length of the name at `text`; 0: there is none. */
size_t knl_name_length(const char *text);

/* The next line "kernel NAME" at or behind `at`, which begins a line; NULL: there is none. */
const char *knl_kernel_line(const char *at, const char **name, size_t *length);
/* ---- directives, word by word ---- */

/* The next run of non-blanks in the line becomes the token; `=`, `,`, `:` and `[` are words. */
void knl_word(struct knl *knl);
/* The token's text, interned. */
const char *knl_word_text(struct knl *knl);
enum fw_status knl_name(const char **name, struct knl *knl);
/* A whole number: digits, or an expression of them and of constants. */
enum fw_status knl_number(int64_t *value, struct knl *knl);
enum fw_status knl_line_end(struct knl *knl);

/* A line that changes the program, its word having been read.  `*known` false: it is none. */
enum fw_status knl_transformation(struct knl *knl, const char *word, bool *known);

#endif
