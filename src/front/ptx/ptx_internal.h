/* What the files of the PTX reader share: tokens, the reader's state, and each file's entry points.
 *
 * A function that parses returns false after it reported an error; the callers in ptx_reader.c
 * (module) and ptx_function.c (bodies) then skip to the next statement.  After MOST_ERRORS errors
 * the lexer gives nothing but TOKEN_END, so that everything unwinds.
 *
 * Codes: PTX001 no PTX text; PTX002 stray character; PTX003 malformed literal; PTX004 unterminated
 * comment or string; PTX005 syntax; PTX006 unknown directive (warning); PTX007 undefined register;
 * PTX008 undefined symbol; PTX009 undefined label; PTX010 defined twice; PTX011 a limit; PTX012
 * unknown opcode (warning); PTX013 constant expression; PTX014 initial value; PTX015 no .version or
 * .target (warning); PTX016 too many errors; PTX017 memory; PTX018 text that is not UTF-8
 * (warning). */
#ifndef FW_PTX_INTERNAL_H
#define FW_PTX_INTERNAL_H

#include "ir.h"
#include "ptx_reader.h"

enum {
    MOST_ERRORS = 10,
    MOST_WARNINGS = 20,
    MOST_SCOPES = 256,        /* nested blocks in a body */
    MOST_NESTED = 64,         /* nested brackets in an operand, an expression, an initial value */
    MOST_REGISTERS = 1 << 24, /* in one range, and of one function */
    MOST_FILES = 1 << 16,     /* the largest number of a .file */
    MOST_OPERANDS = 4096,     /* elements of one list, vector or instruction */
    MOST_MODIFIERS = 64
};

enum ptx_token_kind {
    /* A punctuation mark is its own character. */
    TOKEN_END = 256,
    TOKEN_ERROR, /* reported already */
    TOKEN_NAME,
    TOKEN_DOT, /* .word, with :: inside and digits in front: .L2::128B, .2d */
    TOKEN_INTEGER,
    TOKEN_FLOAT,
    TOKEN_STRING,
    TOKEN_SHIFT_LEFT,
    TOKEN_SHIFT_RIGHT,
    TOKEN_LESS_EQUAL,
    TOKEN_GREATER_EQUAL,
    TOKEN_EQUAL,
    TOKEN_UNEQUAL,
    TOKEN_BOTH,  /* && */
    TOKEN_EITHER /* || */
};

struct ptx_token {
    uint16_t kind;
    bool is_unsigned; /* INTEGER: U, or beyond 63 bits */
    bool single;      /* FLOAT: 0f */
    uint32_t offset;
    uint32_t length;
    uint64_t bits; /* INTEGER and FLOAT: the value */
};

enum ptx_symbol_kind {
    SYMBOL_REGISTER,
    SYMBOL_VECTOR, /* a register of .v2 or .v4: as many registers */
    SYMBOL_VARIABLE,
    SYMBOL_LABEL,
    SYMBOL_TABLE,
    SYMBOL_FUNCTION
};

struct ptx_symbol {
    uint8_t kind;
    uint8_t type;      /* registers */
    uint8_t vector;    /* VECTOR: 2 or 4 */
    uint32_t index;    /* register (FW_NO_INDEX until its first use), label, table */
    uint32_t parts[4]; /* VECTOR: the registers, FW_NO_INDEX until their first use */
    uint32_t offset;   /* where it was declared, in the text */
    struct fw_variable *variable;
    struct fw_function *function;
};

/* .reg .b32 %r<10>; kept as a range, its registers are made when they are first used. */
struct ptx_range {
    uint8_t type;
    uint8_t vector;
    uint32_t count;
};

struct ptx_scope {
    struct fw_map names;  /* to an index into the reader's symbols */
    struct fw_map ranges; /* by prefix, to an index into the reader's ranges */
    uint32_t first_pending;
};

/* A name that could not be resolved where it stood. */
struct ptx_pending {
    uint32_t offset;
    uint32_t length;
    bool branch;                /* must be a label or a table */
    struct fw_operand *operand; /* what becomes of it: one of these two */
    uint32_t *label;
};

struct ptx_pending_relocation {
    uint32_t offset;
    uint32_t length;
    struct fw_relocation *relocation;
};

struct ptx_alias {
    struct ptx_token name;
    struct ptx_token target;
};

enum ptx_destination_rule {
    DESTINATIONS_FIXED,        /* as the template says */
    DESTINATIONS_UNTIL_ADDRESS /* the operands before the first address, or one */
};

/* A mnemonic with its modifiers that was met before: what an instruction starts as. */
struct ptx_mnemonic {
    struct fw_instruction instruction;
    uint8_t rule; /* enum ptx_destination_rule */
};

struct ptx_reader {
    const struct fw_source *source;
    const char *text;
    uint32_t end;
    const struct fw_sink *sink;
    struct fw_arena *arena;
    struct fw_arena *scratch;   /* lives as long as the reading */
    struct fw_arena *temporary; /* emptied after each function */
    struct fw_module *module;
    unsigned errors;
    unsigned warnings;
    /* lexer */
    uint32_t at;
    uint32_t previous_end; /* of the last token taken */
    struct ptx_token token;
    struct ptx_token ahead;
    bool has_ahead;
    /* module */
    struct fw_map globals;   /* to an index into global_symbols */
    struct fw_map specials;  /* to enum fw_special */
    struct fw_map mnemonics; /* to an index into mnemonic_list, + 1 */
    FW_VECTOR(struct ptx_symbol) global_symbols;
    FW_VECTOR(struct ptx_mnemonic) mnemonic_list;
    FW_VECTOR(struct fw_variable *) variables;
    FW_VECTOR(struct fw_function *) functions;
    FW_VECTOR(const char *) files;
    FW_VECTOR(struct fw_call_place) calls; /* that code was inlined at */
    struct fw_map call_of_place;           /* of a place of .loc: 1 + the call it was inlined at */
    struct fw_map call_places;             /* 1 + the place of one in `calls` */
    FW_VECTOR(struct ptx_pending_relocation) relocations;
    FW_VECTOR(struct ptx_pending) pending_globals;
    FW_VECTOR(struct ptx_alias) aliases;
    bool percent_globals; /* some module-scope name starts with % */
    bool late_callees;    /* some call's function was not known where it stood */
    bool has_version, has_target;
    /* the function being read; the vectors are used again for the next one */
    struct fw_function *function;
    uint32_t file, line, call; /* of the last .loc; 1 + its place in `calls`, 0: not inlined */
    bool rolled;               /* .pragma "nounroll" stood before what comes next */
    unsigned depth;            /* open scopes */
    bool shadowing;            /* for ptx_rename_shadowing */
    unsigned opcode;           /* of the instruction whose operands are read */
    unsigned nesting;          /* of operands, expressions, initial values */
    struct ptx_scope *scopes;  /* MOST_SCOPES of them */
    struct fw_map used;        /* names taken in this function, in the temporary arena */
    FW_VECTOR(struct ptx_symbol) symbols;
    FW_VECTOR(struct ptx_range) ranges;
    FW_VECTOR(struct fw_register) registers;
    FW_VECTOR(struct fw_label) labels;
    FW_VECTOR(struct fw_table) tables;
    FW_VECTOR(struct fw_variable *) locals;
    FW_VECTOR(struct fw_instruction) instructions;
    FW_VECTOR(struct fw_operand) operands; /* a stack */
    FW_VECTOR(struct ptx_pending) pending;
    FW_VECTOR(const char *) modifiers;
};

/* ptx_lexer.c: takes the current token; the next one is current. */
void ptx_advance(struct ptx_reader *reader);
/* The token behind the current one, until something is taken. */
const struct ptx_token *ptx_peek(struct ptx_reader *reader);
/* Goes on reading at `offset`, which lies inside or right after the current token. */
void ptx_seek(struct ptx_reader *reader, uint32_t offset);
bool ptx_is_name_character(char c);
struct fw_span ptx_span(const struct ptx_reader *reader, uint32_t offset, uint32_t length);
/* From `offset` to the end of the last token taken. */
struct fw_span ptx_span_since(const struct ptx_reader *reader, uint32_t offset);
/* An error; always false.  After MOST_ERRORS of them the text ends. */
bool ptx_error(struct ptx_reader *reader, const char *code, struct fw_span span, const char *format,
               ...) __attribute__((format(printf, 4, 5)));
/* A warning with a note (or NULL); the text is read on.  After MOST_WARNINGS there are no more. */
void ptx_warning(struct ptx_reader *reader, const char *code, struct fw_span span, const char *note,
                 const char *format, ...) __attribute__((format(printf, 5, 6)));
/* "expected WHAT before X" at the current token; silent when the lexer reported it. */
bool ptx_unexpected(struct ptx_reader *reader, const char *what);
/* Whether the current token is `word` (a .word with its dot, or a name). */
bool ptx_is(const struct ptx_reader *reader, const char *word);
/* Takes the current token if it is of the kind; whether it was. */
bool ptx_accept(struct ptx_reader *reader, int kind);
/* Takes a token of the kind; another is an error that names `what`. */
bool ptx_expect(struct ptx_reader *reader, int kind, const char *what);
bool ptx_expect_name(struct ptx_reader *reader, struct ptx_token *name, const char *what);
/* An unsigned 32-bit integer. */
bool ptx_expect_number(struct ptx_reader *reader, uint32_t *number, const char *what);
/* Where the token's characters are in the source; no zero ends them. */
const char *ptx_text(const struct ptx_reader *reader, struct ptx_token token);
/* The token's text among the module's strings, the same pointer for the same text. */
const char *ptx_intern(struct ptx_reader *reader, struct ptx_token token);
bool ptx_enter(struct ptx_reader *reader); /* one more bracket deep, an error when too deep */
void ptx_leave(struct ptx_reader *reader);

/* ptx_expression.c */
struct ptx_constant {
    bool is_float;
    bool is_unsigned;
    bool single;     /* bits of an f32 */
    bool generic;    /* generic(symbol) */
    uint64_t bits;   /* the value, or the addend when there is a symbol */
    uint64_t mask;   /* all ones unless 0xff(symbol) */
    uint32_t symbol; /* offset of the symbol's name; its length, 0: none */
    uint32_t symbol_length;
};
/* A constant expression, which may hold a symbol's address; the second takes integers alone. */
bool ptx_constant(struct ptx_reader *reader, struct ptx_constant *constant);
bool ptx_constant_integer(struct ptx_reader *reader, int64_t *value);
/* The rest of `name + 4 - 2`: zero or more signed terms. */
bool ptx_offset(struct ptx_reader *reader, int64_t *value);
/* The value as a number, of a constant without a symbol. */
double ptx_constant_double(const struct ptx_constant *constant);

/* ptx_scope.c: a block of names opens inside the innermost one. */
bool ptx_scope_open(struct ptx_reader *reader);
/* Closes the innermost: names that waited for one declared in it are set, the others wait for the
 * block around; without one, branches are errors and other names wait for the module's end. */
bool ptx_scope_close(struct ptx_reader *reader);
/* The symbol of a name, function scopes first; NULL when there is none.  Its register exists, but
 * not a vector's parts: ptx_vector_part makes them. */
struct ptx_symbol *ptx_lookup(struct ptx_reader *reader, const char *text, uint32_t length);
struct ptx_symbol *ptx_lookup_global(struct ptx_reader *reader, const char *text, uint32_t length);
/* The register that is part 0 to 3 (.x to .w) of a vector register called `text`, made at need. */
uint32_t ptx_vector_part(struct ptx_reader *reader, struct ptx_symbol *symbol, unsigned part,
                         const char *text, uint32_t length);
/* Declares in the innermost scope (module scope outside of functions).  NULL, told: the name is
 * taken there. */
struct ptx_symbol *ptx_declare(struct ptx_reader *reader, struct ptx_token name, int kind);
bool ptx_declare_registers(struct ptx_reader *reader); /* .reg ...; */
/* Makes a register; its name is made unique in the function.  Its index. */
uint32_t ptx_register_new(struct ptx_reader *reader, const char *name, size_t length, int type);
/* The name, or with $1, $2, ... behind it, as nothing else in the function is called. */
const char *ptx_unique_name(struct ptx_reader *reader, const char *name, size_t length);
/* Declares a label before the next instruction; its colon was taken. */
bool ptx_label(struct ptx_reader *reader, struct ptx_token name);
/* Keeps a name that is not declared yet, until ptx_scope_close. */
void ptx_pend(struct ptx_reader *reader, struct ptx_pending pending);
/* Renames what in a finished function is called as something at module scope. */
void ptx_rename_shadowing(struct ptx_reader *reader, struct fw_function *function);

/* ptx_variable.c: what stands between the space and the name of a declaration, and the name with
 * its dimensions. */
bool ptx_variable(struct ptx_reader *reader, struct fw_variable *variable, struct ptx_token *name);
/* A declaration at module or function scope; the space's token is next. */
bool ptx_variables(struct ptx_reader *reader, int linkage);
/* The space that a .word names; FW_SPACE_NONE: it names none. */
enum fw_space ptx_space(const struct ptx_reader *reader, struct ptx_token token);
/* .attribute(.managed, ...): whether .managed is among them; the rest is skipped. */
bool ptx_attribute(struct ptx_reader *reader, bool *managed);
/* At the module's end: addresses in initial values find what they name. */
void ptx_relocations_resolve(struct ptx_reader *reader);

/* ptx_function.c: .entry or .func, which is the current token, with its body if it has one. */
bool ptx_function(struct ptx_reader *reader, int linkage);
/* A table of branches or callees, or a prototype, behind its label and colon. */
bool ptx_table(struct ptx_reader *reader, struct ptx_token name);

/* ptx_directives.c: each reads the directive that is the current token, to its end. */
bool ptx_directive_version(struct ptx_reader *reader);
bool ptx_directive_target(struct ptx_reader *reader);
bool ptx_directive_address_size(struct ptx_reader *reader);
bool ptx_directive_file(struct ptx_reader *reader);
bool ptx_directive_loc(struct ptx_reader *reader);
bool ptx_directive_section(struct ptx_reader *reader);
bool ptx_directive_pragma(struct ptx_reader *reader);
bool ptx_directive_alias(struct ptx_reader *reader);
void ptx_directive_unknown(struct ptx_reader *reader);
/* Skips { ... }, brackets balanced. */
bool ptx_skip_braces(struct ptx_reader *reader);

/* ptx_instruction.c: a label, a table behind its label, or an instruction with its guard. */
bool ptx_statement(struct ptx_reader *reader);

/* ptx_modifiers.c: what all modifiers and opcodes mean, into the module's strings, first of all. */
void ptx_modifiers_seed(struct ptx_reader *reader);
/* Fills in what the modifiers and the name of an instruction mean. */
void ptx_modifiers_apply(struct ptx_reader *reader, struct ptx_mnemonic *mnemonic,
                         struct ptx_token name);

/* ptx_operand.c: one operand; names that are not declared yet are left unresolved. */
bool ptx_operand(struct ptx_reader *reader, struct fw_operand *operand);
/* Operands up to `close`, which is taken; they are moved to an exact array. */
bool ptx_operand_list(struct ptx_reader *reader, struct fw_operand *list, int close,
                      const char *what);
/* Takes the operands above `base` off the stack into an array of their own. */
struct fw_operand *ptx_pop_operands(struct ptx_reader *reader, size_t base, uint16_t *count);
/* An unresolved name as ptx_operand left it. */
bool ptx_is_unresolved(const struct fw_operand *operand);

#endif
