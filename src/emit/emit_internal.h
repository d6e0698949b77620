/* What the parts of src/emit share. */
#ifndef FW_EMIT_INTERNAL_H
#define FW_EMIT_INTERNAL_H

#include "emit.h"
#include "loop_dependence.h"
#include "loop_edit.h"

/* A loop's value at a call: an expression, or a name of the text. */
struct binding {
    const char *loop;                      /* of the program */
    const struct fw_ast_expression *value; /* NULL: the loop's own name */
    int64_t plus;
};

/* How an array is addressed. */
struct layout {
    enum fw_space space;
    uint32_t order[FW_LOOP_RANK_MOST];                    /* dimensions, slowest first */
    int64_t constant[FW_LOOP_RANK_MOST];                  /* extents; 0: not constant */
    struct fw_ast_expression *extents[FW_LOOP_RANK_MOST]; /* NULL: not known */
    bool wide;                                            /* the index may not fit 32 bits */
};

/* X(name): functions that the text defines for itself when it uses them. */
#define HELPERS(X)                                                                                 \
    X(FLOOR_DIV_S32)                                                                               \
    X(FLOOR_MOD_S32)                                                                               \
    X(FLOOR_DIV_S64)                                                                               \
    X(FLOOR_MOD_S64)                                                                               \
    X(FLOOR_MOD_F32)                                                                               \
    X(FLOOR_MOD_F64)                                                                               \
    X(POWER_S32)                                                                                   \
    X(POWER_S64)                                                                                   \
    X(SIGN_S32)                                                                                    \
    X(SIGN_S64)                                                                                    \
    X(SIGN_F32)                                                                                    \
    X(SIGN_F64)                                                                                    \
    X(MIN_S32)                                                                                     \
    X(MAX_S32)                                                                                     \
    X(MIN_S64)                                                                                     \
    X(MAX_S64)                                                                                     \
    X(MIN_U32)                                                                                     \
    X(MAX_U32)                                                                                     \
    X(MIN_U64)                                                                                     \
    X(MAX_U64)

enum helper {
#define X(name) HELPER_##name,
    HELPERS(X)
#undef X
        HELPER_COUNT
};

struct emitter {
    struct fw_emission *emission;
    struct fw_loop_program *program; /* the schedule's */
    const struct fw_loop_schedule *schedule;
    const struct fw_loop_launch *launch;
    struct fw_arena *arena;
    enum fw_emit_target target;
    struct layout *layouts; /* of the program's arrays */
    struct fw_buffer text;
    unsigned depth;
    bool phased; /* plain C with barriers: a thread's own values have one copy for each thread */
    bool used[HELPER_COUNT];
    const char *context;                       /* what is known of parameters and axes */
    const struct fw_loop_statement *statement; /* the one at hand */
    FW_VECTOR(struct binding) bindings;        /* of its loops */
    FW_VECTOR(struct binding) axes;            /* of its axes, by their names */
    bool *pragma; /* of the program's variables: a loop that its compiler is to unroll */
    enum fw_status status;
};

/* ---- targets ---- */

/* The language's name for a type; NULL with a diagnostic. */
const char *emit_type(struct emitter *emitter, enum fw_type type, struct fw_span span);

/* A name that is no word of the language. */
const char *emit_name(struct emitter *emitter, const char *name);

/* Calls of `helper`: its name in the text. */
const char *emit_helper(struct emitter *emitter, enum helper helper);

/* Definitions of the helpers that are used. */
char *emit_helpers(struct emitter *emitter);

/* "get_local_id(0)", "threadIdx.x" */
const char *emit_index(const struct emitter *emitter, enum fw_loop_side side, unsigned axis);

/* ---- arrays ---- */

/* Extents and layouts of all arrays; checks of bounds. */
enum fw_status emit_layouts(struct emitter *emitter);

/* ---- expressions ---- */

/* How tightly C's operators bind. */
enum {
    CHOICE = 1,
    OR,
    AND,
    BIT_OR,
    BIT_XOR,
    BIT_AND,
    EQUALITY,
    ORDER,
    SHIFT,
    SUM,
    PRODUCT,
    PREFIX,
    POSTFIX
};

/* An opening and a closing bracket, where one is needed. */
void emit_open(struct fw_buffer *buffer, bool needed);
void emit_close(struct fw_buffer *buffer, bool needed);

/* Adds an expression of isl's to the buffer; operators bind at least as tightly as `least`. */
void emit_ast(struct emitter *emitter, struct fw_buffer *buffer,
              const struct fw_ast_expression *expression, unsigned least);

/* Adds an expression of the statement at hand. `wanted`: the type of what it becomes part of. */
void emit_expression(struct emitter *emitter, struct fw_buffer *buffer,
                     const struct fw_loop_expression *expression, unsigned least,
                     enum fw_type wanted);

/* The program cannot be emitted: the first reason is told, at its place or that of the source. */
void emit_refuse(struct emitter *emitter, const char *code, struct fw_span span, const char *format,
                 ...) __attribute__((format(printf, 4, 5)));

/* ---- trees ---- */

/* The tree of the whole text. */
enum fw_status emit_tree(struct fw_ast_node **tree, struct emitter *emitter);

/* The whole text. */
void emit_kernel(struct emitter *emitter, const struct fw_ast_node *tree);

#endif
