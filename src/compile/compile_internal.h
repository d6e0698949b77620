/* What the files of src/compile share. */
#ifndef FW_COMPILE_INTERNAL_H
#define FW_COMPILE_INTERNAL_H

#include "assemble.h"
#include "child.h"
#include "compile.h"
#include "sha256.h"

enum { LARGEST_SOURCE = 16 << 20, LARGEST_OUTPUT = 256 << 20, LARGEST_MESSAGES = 1 << 20 };

typedef FW_VECTOR(const char *) text_vector;

/* One compilation under way. */
struct compilation {
    struct fw_arena *arena;
    const struct fw_sink *sink;
    const struct fw_compile_options *options;
    const struct fw_compiler *compiler;
    const struct fw_source *source;
    const char *scratch;      /* our own folder; NULL before there is one */
    const char *file;         /* the source's real path, or its copy in `scratch` */
    const char *folder;       /* the folder that the source may include from; NULL for a text */
    text_vector includes;     /* real paths of the stated include folders */
    text_vector arguments;    /* the compiler's, without those that name files of ours */
    const char *data;         /* real path of the folder with our device headers; NULL: none */
    text_vector dependencies; /* real paths */
    char *messages;           /* what the compiler wrote to standard error */
    const char *opened;       /* where it listed the files that it opened */
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

/* A text with control characters shown as '?'. */
const char *compile_printable(struct fw_arena *arena, const char *text, size_t length);

/* The options and paths, before a compiler is run: FW_ERROR_USAGE, CMP003, and FW_ERROR_MACHINE,
 * CMP012. */
enum fw_status compile_check_options(struct compilation *compilation);
enum fw_status compile_check_paths(struct compilation *compilation);
enum fw_status compile_find_data(struct compilation *compilation);

/* Whether nvcc, which hands its commands to a shell, can be given this path. */
bool compile_is_safe_for_nvcc(const char *path);

/* The arguments that decide what comes out, into `arguments`; all of them, with files of ours, for
 * a run in `mode` ("-S"); and how the result tells of them. */
void compile_build_arguments(struct compilation *compilation);
const char *const *compile_full_arguments(const struct compilation *compilation, const char *mode,
                                          const char *output);
void compile_describe_command(const struct compilation *compilation, struct fw_compiled *compiled);

/* Takes the list of opened files out of the messages and refuses those that are not allowed:
 * FW_ERROR_INPUT, CMP004 and CMP005. */
enum fw_status compile_check_files(struct compilation *compilation);

/* Tells the compiler's errors and warnings, with places in the source where they have one; how many
 * errors there were. */
size_t compile_tell_messages(const struct compilation *compilation);

/* The cache: looks up `key`, and stores under it.  Both are silent: without a usable entry there is
 * none. */
bool compile_cache_get(struct compilation *compilation, const struct fw_digest *key,
                       struct fw_compiled *compiled);
void compile_cache_put(const struct compilation *compilation, const struct fw_digest *key,
                       const struct fw_compiled *compiled);

/* Writes a cache entry, headed by `magic_word` and the body's digest, by rename.  False: there is
 * none now. */
bool compile_store(struct fw_arena *arena, const char *folder, const char *path,
                   const char *magic_word, const struct fw_buffer *body);

/* What compilers and ptxas say, as texts: the kind and version in the answer to --version (false:
 * there is none), the folders of headers in what they tell with -v, and of ptxas's messages, behind
 * a line with its version, the kernels' resources (false: there are none, or some cannot be). */
bool compile_read_version(struct fw_compiler *compiler, struct fw_arena *arena, const char *answer);
void compile_read_search_list(struct fw_compiler *compiler, struct fw_arena *arena,
                              const char *answer);
bool compile_read_assembly(struct fw_assembly *assembly, struct fw_arena *arena, const char *text);

/* An executable of that name in $PATH, in the CUDA toolkit's folders; NULL: there is none. */
const char *compile_find_tool(struct fw_arena *arena, const char *name);

#endif
