/* What the files of src/compile share. */
#ifndef FW_COMPILE_INTERNAL_H
#define FW_COMPILE_INTERNAL_H

#include "assemble.h"
#include "child.h"
#include "compile.h"
#include "sha256.h"
#include "text.h"

enum { LARGEST_SOURCE = 16 << 20, LARGEST_OUTPUT = 64 << 20, LARGEST_MESSAGES = 1 << 20 };

typedef FW_VECTOR(const char *) text_vector;

/* One compilation under way. */
struct compilation {
    struct fw_arena *arena;
    const struct fw_sink *sink;
    const struct fw_compile_options *options;
    const struct fw_compiler *compiler;
    const struct fw_source *source;
    const char *scratch;   /* our own folder; NULL before there is one */
    const char *file;      /* the source's real path, or its copy in `scratch` */
    const char *folder;    /* the folder that the source may include from; NULL for a text */
    text_vector includes;  /* real paths of the stated include folders */
    text_vector arguments; /* the compiler's, without those that name files of ours */
    enum fw_confinement confinement;
    text_vector toolchain;    /* what the compiler may read and run of the machine */
    text_vector readable;     /* and what it may read of the user's */
    const char *preprocessed; /* the checked text; NULL: there is none */
    size_t preprocessed_length;
    const char *once;         /* the file with it */
    const char *data;         /* real path of the folder with our device headers; NULL: none */
    text_vector dependencies; /* real paths */
    char *messages;           /* what the compiler wrote to standard error */
};

/* The file's content (at most `most` bytes) with a zero behind it; NULL, and errno, when it cannot
 * be read or is larger (EFBIG). */
char *compile_read_file(struct fw_arena *arena, const char *path, size_t most, size_t *length);

/* The real path, in the arena; NULL when there is none. */
const char *compile_real_path(struct fw_arena *arena, const char *path);

/* Whether `path` is `folder` or inside it; both real. */
bool compile_is_inside(const char *path, const char *folder);

/* The environment that children get: the place of programs and libraries, nothing else of ours. */
const char *const *compile_environment(struct fw_arena *arena, const char *scratch);

/* The options and paths, before a compiler is run: FW_ERROR_USAGE, CMP003, and FW_ERROR_MACHINE,
 * CMP012. */
enum fw_status compile_check_options(struct compilation *compilation);
enum fw_status compile_check_paths(struct compilation *compilation);
enum fw_status compile_find_data(struct compilation *compilation);

/* Whether nvcc, which hands its commands to a shell, can be given this path. */
bool compile_is_safe_for_nvcc(const char *path);

/* What a run of a compiler does. */
enum compile_step {
    COMPILE_STEP_COMPILE,
    COMPILE_STEP_PREPROCESS,          /* to standard output */
    COMPILE_STEP_COMPILE_PREPROCESSED /* the text of the step before */
};

/* The arguments that decide what comes out, into `arguments`; all of a run, with files of ours; and
 * how the result tells of them. */
void compile_build_arguments(struct compilation *compilation);
const char *const *compile_full_arguments(const struct compilation *compilation,
                                          enum compile_step step, const char *output);
void compile_describe_command(const struct compilation *compilation, struct fw_compiled *compiled);

/* What a tool may read and run: `program` with its libraries and, of a compiler (else NULL), its
 * headers and helpers.  And what it may read of the user's.  The grants point to these; without
 * `sources` the user's are left out. */
void compile_grant_toolchain(struct fw_arena *arena, text_vector *list, const char *program,
                             const struct fw_compiler *compiler);
void compile_grant_sources(struct compilation *compilation);
struct fw_grants compile_grants(const struct compilation *compilation, bool sources);

/* A preprocessed text, gone through from `at` on.  What is inside of a literal is no directive,
 * but when `strict`, which leaves it to nobody's reading of literals. */
struct preprocessed_text {
    const char *start, *at, *end;
    bool strict;
};

/* A line of it that begins with '#', or with what stands for it. */
struct preprocessed_marker {
    bool known;       /* a marker of a file, or a pragma that opens none: no other may be there */
    const char *name; /* as it is quoted; NULL: no marker of a file */
    size_t length;
    uint32_t line;  /* of that file, which comes next */
    bool begins;    /* the file is opened here */
    const char *at; /* in the text */
};

/* The next such line; false: there is none. */
bool compile_next_directive(struct preprocessed_text *text, struct preprocessed_marker *marker);

/* A file's name out of what a compiler quoted. */
const char *compile_unescape(struct fw_arena *arena, const char *text, size_t length);

/* Checks the opened files against what may be read, and remembers them as dependencies: from the
 * list of a clang, a quoted name a line; from a preprocessed text, which must not hold a directive.
 * FW_ERROR_INPUT: CMP004, CMP005, CMP013. */
enum fw_status compile_check_source(struct compilation *compilation);
enum fw_status compile_check_list(struct compilation *compilation, const char *list);
enum fw_status compile_check_preprocessed(struct compilation *compilation, const char *text,
                                          size_t length);

/* How the compiler is confined: FW_ERROR_USAGE and FW_ERROR_MACHINE, CMP015. */
enum fw_status compile_find_confinement(struct compilation *compilation);

/* Runs the compiler to PTX; runs the preprocessor alone, whose text is kept.  FW_ERROR_INPUT: the
 * source's errors and limits (CMP004 to CMP010, CMP013); FW_ERROR_MACHINE, CMP012. */
enum fw_status compile_run(struct compilation *compilation, struct fw_compiled *compiled);
enum fw_status compile_preprocess(struct compilation *compilation, bool tell);

/* Writes a file of ours into the scratch folder: its path; NULL, and errno. */
const char *compile_write_scratch(const struct compilation *compilation, const char *name,
                                  const char *text, size_t length);

/* Reports CMP012, "cannot ...": FW_ERROR_MACHINE. */
enum fw_status compile_cannot(const struct compilation *compilation, const char *what, int error);

/* What a source may read, for a note. */
extern const char compile_may_read[];

/* Tells the compiler's errors and warnings, with places in the source where they have one; how many
 * errors there were. */
size_t compile_tell_messages(const struct compilation *compilation);

/* The cache: looks up `key`, and stores under it.  Both are silent: without a usable entry there is
 * none. */
bool compile_cache_get(struct compilation *compilation, const struct fw_digest *key,
                       struct fw_compiled *compiled);
void compile_cache_put(const struct compilation *compilation, const struct fw_digest *key,
                       const struct fw_compiled *compiled);

/* Whether a cache's folder, and every one above it, is this user's or the system's, and no others
 * may write it. */
bool compile_cache_is_ours(struct fw_arena *arena, const char *folder);

/* As compile_read_file, of a file that nobody else could have written; NULL else. */
char *compile_read_entry(struct fw_arena *arena, const char *path, size_t most, size_t *length);

/* Writes a cache entry, headed by `magic_word` and the body's digest, by rename.  False: there is
 * none now. */
bool compile_store(struct fw_arena *arena, const char *folder, const char *path,
                   const char *magic_word, const struct fw_buffer *body);

/* What compilers and ptxas say, as texts: the kind and version in the answer to --version (false:
 * there is none), where their programs and headers are in what they tell with -v, and of ptxas's
 * messages, behind a line with its version, the kernels' resources (false: there are none, or some
 * cannot be). */
bool compile_read_version(struct fw_compiler *compiler, struct fw_arena *arena, const char *answer);
void compile_read_places(struct fw_compiler *compiler, struct fw_arena *arena, const char *answer);
bool compile_read_assembly(struct fw_assembly *assembly, struct fw_arena *arena, const char *text);

/* An executable of that name in $PATH, in the CUDA toolkit's folders; NULL: there is none. */
const char *compile_find_tool(struct fw_arena *arena, const char *name);

#endif
